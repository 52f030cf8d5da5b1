//! The words of the maumau arena, each defined once: cards, seats, actions, events, views, rule sets as data and messages.
//! This crate knows serde and nothing else that acts, and no records; `SPEC.md` beside it is the normative text.

mod action;
mod card;
mod card_list;
mod card_set;
mod eight;
mod event;
mod faces;
pub mod fault;
mod from_json;
mod json;
pub mod limits;
pub mod message;
mod named;
pub mod ruleset;
mod sandbox;
pub mod scan;
pub mod schema;
mod seat;
pub mod secrets;
pub mod seed;
mod speech;
mod steering;
mod view;
pub mod wire;

pub use action::{Action, Choice, Reach, Verb};
pub use card::{Card, Pack, ParseCardError, Rank, Suit};
pub use card_list::{CardList, ParseCardListError};
pub use card_set::CardSet;
pub use event::{
    DrawReason, Elapse, Event, EventNumber, Everything, Hidden, Knowledge, OneSeat, Reason, RoundEnd, RuleFault, Seen,
    SeenEvent, Stand,
};
pub use faces::Faces;
pub use from_json::FromJson;
pub use json::write_json;
pub use sandbox::{Permits, SandboxLevel, UnknownSandboxLevel};
pub use seat::{Direction, MAX_SEATS, Seat, SeatSet};
pub use seed::Seed;
pub use speech::{Say, Text, TextTooLong};
pub use steering::steers;
pub use view::{OpenRun, Pending, Race, Request, RuleChoice, TakeOrder, View};
