//! The page of one game: its story as data, and the viewer that shows it.
//!
//! Everything that happened is in the page, from the referee's eyes and from each seat's, so that stepping asks nobody. The viewer
//! (`viewer/*.js`) draws what [`Story`] holds; what a seat may know was decided by the referee's crate.

mod frames;
mod moment;
mod narrator;
mod page;
mod story;

pub use frames::{Hands, line_json};
pub use moment::{MOST_MOVES, WantedMoment, moment_picture};
pub use narrator::Narrator;
pub use page::{GAME_STYLE, SCRIPT_PATH, game_alone, game_body, offline_game, script};
pub use story::Story;
pub(crate) use story::{CardWords, card_words, to_script_json};
