//! The actions that a seat has now.

mod actions;
mod legality;

pub use actions::{DealLeft, Legal, RareActions};
