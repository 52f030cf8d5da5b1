//! The table of a game as it is looked at: what lies where ([`Scene`]), where things stand on a drawing ([`DrawingMeasures`]), and a
//! picture of one moment, or of some one after another, that needs no browser ([`picture`], [`moving_picture`]).
//!
//! It knows no records and no frames: a moment is all that it is given.

mod picture;
mod stage;

pub use maumau_referee::story::{Scene, ShownHand};
#[cfg(feature = "pages")]
pub(crate) use picture::pictures;
pub use picture::{Moment, MovingStep, moving_picture, picture};
pub use stage::{DrawingMeasures, SeatSpot};
