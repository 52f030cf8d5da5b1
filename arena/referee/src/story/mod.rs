//! The story of a game: what happened, frame by frame, in plain words and with the table after each.
//!
//! Everything that shows a game is drawn from here: the text and the data of `replay`, what `play` tells, fault reports, pages.
//! A [`Teller`] is told the entries of a game as they come and answers with [`Line`]s; [`frames`] cuts a finished game
//! into [`Frame`]s. A story is told from the referee's eyes or from one seat's ([`Eyes`]); then it holds what that seat
//! could see, and nothing else (G-08). It knows neither colours nor terminals: who shows a line decides how.

mod basis;
pub mod diagnosis;
mod frame;
mod line;
mod position;
mod sentence;
mod teller;
mod words;

pub use frame::{Frame, FrameKind, KnownEvent, NumberedEvent, for_each_position, frames, position_after};
pub use line::{About, Level, Line, Piece, Tone};
pub use position::{OpenTable, Position};
pub use teller::{Teller, Told, crashes_of, milliseconds};

use maumau_protocol::Seat;

/// Whose knowledge limits a story: `None` for the referee's, which is everything, or that of one seat.
pub type Eyes = Option<Seat>;

/// Whether what only `seat` is told may be told to these eyes.
fn may_tell(eyes: Eyes, seat: Seat) -> bool {
    eyes.is_none_or(|eyes| eyes == seat)
}
