//! What a seat can do now, as a value.

mod actions;
mod legality;

pub use actions::{DealLeft, Legal, RareActions};
