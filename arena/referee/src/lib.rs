//! The judge of one game: a synchronous state machine.
//!
//! [`Referee::handle`] takes one [`Input`] (a message of a seat, a faulty line, a lost agent, a deadline) and answers with
//! [`RefereeEffect`]s for the caller, which moves bytes and arms timers. It has no clock, no process and no entropy: times and the key
//! of its ask ids are arguments, so every race is a unit test. The [`GameLog`] is what is kept of a game.

mod decisions;
pub mod faults;
mod game_figures;
mod lines;
pub mod local_game;
pub mod lockstep;
mod log;
mod places;
pub mod record;
mod referee;
mod seat_replay;
pub mod story;
mod verify;

pub use decisions::{Decided, Decision, DecisionReader};
pub use game_figures::{FigureCounter, GameFigures};
pub use lines::{legal_verbs, write_message};
pub use log::{Committed, GameLog, Logged, Replay, ReplayError};
pub use places::result_of;
pub use referee::{Blame, Effects, GameSetup, Input, Player, Referee, RefereeEffect, SeatTally, Timer};
pub use seat_replay::{Recorded, ReplayedAsk, SeatReplay, replay_seat};
pub use verify::{RecordMismatch, Sound, Verified, Verifier, sound_part, verify};
