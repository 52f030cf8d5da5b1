//! A seat's own turn: it plays a card, draws or passes; the card has its effect, and the turn passes on. What other
//! seats do meanwhile belongs to `out_of_turn`.

mod act_for;
mod challenge;
mod debt;
mod draw;
mod draw_or_pass;
mod effects;
mod facing;
mod fits;
mod ground;
mod hands;
mod naming;
mod open_run;
mod place_card;
mod places;
mod play;
mod request;
mod seating;
mod stand_in;
mod together;
mod turns_lost;

pub(in crate::game) use act_for::MoverDelay;
pub(in crate::game) use challenge::DoubtfulPlay;
pub(in crate::game) use debt::{DrawnForDebt, Owed};
pub(in crate::game) use draw::DryPasses;
pub(in crate::game) use facing::Facing;
pub(in crate::game) use naming::BarredSuits;
pub(in crate::game) use open_run::Runs;
pub(in crate::game) use places::Places;
pub(in crate::game) use request::RequestState;
pub(in crate::game) use seating::Seating;
pub(in crate::game) use turns_lost::TurnsLost;
