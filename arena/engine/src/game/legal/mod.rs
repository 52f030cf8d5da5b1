//! The actions that a seat has now. Only reads the position; `game::apply` judges what is done.

mod actions;
mod legality;
mod several;

pub use actions::{DealLeft, Legal, RareActions, StandIns};
pub use several::NextCard;
