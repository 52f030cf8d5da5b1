//! Screens of the arena in a terminal: a recorded game to go through ([`viewer`]), a seat for a person ([`person`]), a lesson
//! on such a seat ([`lessons`]), a run in progress ([`watch`]). They are drawn from stories, positions and values that they are
//! given; they read no records, no run files and no environment, and know no rules.
//!
//! Each screen is a state that takes keys and draws itself on a buffer, so that tests need no terminal; [`screen`] is the one
//! place that knows a real one.

mod cards;
mod geometry;
mod key;
pub mod lessons;
mod look;
mod marks;
pub mod person;
pub mod screen;
mod sentence;
mod table;
pub mod viewer;
pub mod watch;

#[cfg(test)]
mod testing;

pub use key::{Key, ScreenFlow};
pub use look::ScreenStyle;
