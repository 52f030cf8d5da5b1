//! The story of a game: what happened, frame by frame, in plain words and with the table after each. It replays games
//! of its own and changes none that is being played.
//!
//! Everything that shows a game uses this module: the text and the data of `replay`, the output of `play`, fault reports,
//! pages. A [`StoryWriter`] takes the entries of a game as they come and answers with [`Line`]s; [`frames`] cuts a finished game
//! into [`Frame`]s. A story is written for the referee's eyes or for one seat's ([`Eyes`]); then it holds only what that seat
//! could see (G-08). The caller that shows a line decides on colours.

mod basis;
mod because;
mod commentary;
pub mod diagnosis;
mod frame;
mod leaves;
mod line;
mod position;
mod reasons;
mod scene;
mod seat_story_writer;
mod sentence;
mod snapshot;
mod story_writer;

pub use commentary::{Commentary, DecisionComment, DecisionMark, KeyMoment, SeatBalance};
pub use frame::{Frame, FrameKind, Framer, KnownEvent, NumberedEvent, for_each_position, frames, position_after};
pub use line::{About, Level, Line, Piece, Tone, choice_name};
pub use position::{OpenTable, StoryPosition};
pub use scene::{Scene, ShownHand};
pub use seat_story_writer::SeatStoryWriter;
pub use sentence::{fault_name, ordinal};
pub use snapshot::Snapshot;
pub use story_writer::{InputLines, InputStory, StoryPart, StoryWriter, crashes_of, milliseconds};

use maumau_protocol::Seat;

/// Whose knowledge limits a story: `None` for the referee's, which is complete, or one seat's.
pub type Eyes = Option<Seat>;

/// The eyes of a spectator at a table of `seats`: of a seat that nobody has, which sees what everybody may know. `None` if the
/// table is so large that there is no such seat.
pub fn spectator(seats: usize) -> Option<Seat> {
    Seat::new(seats)
}

/// True if these eyes may know what only `seat` knows.
fn may_show(eyes: Eyes, seat: Seat) -> bool {
    eyes.is_none_or(|eyes| eyes == seat)
}
