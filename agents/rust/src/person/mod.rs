//! A person at the table, as far as every client of a person is the same: what the seat knows, what it can do now, which
//! words are due, whose time runs. Lines are read and written by the client, which also draws; no clock is read here.
//!
//! A client reads `hello`, answers [`ready`], and gives every later message to [`PersonGame::hear`], with its own milliseconds. It
//! shows what [`PersonGame`] says, and sends what [`PersonGame::answer`] makes of the person's choice:
//!
//! ```
//! use maumau_agents::person::{PersonGame, ready};
//! use maumau_protocol::message::{ArenaMessage, ClockMode};
//! use maumau_protocol::wire;
//!
//! # fn main() -> Result<(), serde_json::Error> {
//! let ready = ready("human");
//! let mut table = PersonGame::new(ClockMode::Live);
//! let line = r#"{"type":"ask","game":"g","id":"00000000000000ff","seat":0,"what":"turn","time_ms":5000,"as_of":3,
//!     "legal":[{"do":"play","card":"7H","say":["mau"]},{"do":"draw"}]}"#;
//! if let Some(message) = wire::read_arena_line(line)? {
//!     table.hear(message, 1_000);
//! }
//! assert_eq!(table.words()[0].text.as_str(), "mau"); // due, and said only if the person says it
//! table.toggle(&table.words()[0].text.clone());
//! let card = "7H".parse().expect("a card");
//! let act = table.play(card, None).and_then(|action| table.answer(action)).expect("an answer");
//! assert_eq!(act.action.say.texts().len(), 1);
//! # Ok(())
//! # }
//! ```

mod options;
mod table;

#[cfg(test)]
mod tests;

pub use options::{CardInHand, DueWord, When};
pub use table::{PersonGame, PersonNews, Running};

use maumau_protocol::message::{Ready, Want};

use crate::{BotRunError, player};

/// How a person's client introduces itself: it wants to know everything, and to be asked at every opportunity.
pub fn ready(name: &str) -> Ready {
    let wants = vec![Want::View, Want::Legal, Want::Events, Want::Rules];
    Ready { version: env!("CARGO_PKG_VERSION").to_owned(), ticks: true, ..Ready::new(name, wants) }
}

impl PersonGame {
    /// What the built-in bot `bot` would do now; `None` if nothing is asked.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn hint(&self, bot: &str) -> Result<Option<maumau_protocol::Action>, BotRunError> {
        let (Some(start), Some(ask)) = (self.start(), self.ask()) else { return Ok(None) };
        Ok(Some(player(bot, start)?.choose(ask)))
    }
}
