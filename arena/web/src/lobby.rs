//! The lobby as pages ask for it, as a trait: the arena opens and plays the tables. Nothing here starts anything.

use std::sync::Arc;

use crate::seats::WebSeat;
use crate::shown::NotShown;

/// Where people open tables, one after another. A request is what a form has sent: names and values, which nobody has checked.
pub trait Lobby: Send + Sync {
    /// What can be chosen for a table by the rule set of this name, or by the first one.
    ///
    /// # Errors
    /// The rule set does not exist.
    fn choices(&self, rules: &str) -> Result<TableChoices, NotShown>;

    /// Opens a table; its number. The first seat is that of the person who asks, unless the people of a table play again
    /// ([`AFTER`]).
    ///
    /// # Errors
    /// What is wrong with the request, or why no table can be opened now: a sentence for that person.
    fn open(&self, request: &TableRequest) -> Result<u64, NotShown>;

    /// The tables that are known, the newest first.
    fn tables(&self) -> Vec<LobbyTable>;
}

/// What a form has sent: names and values.
pub type TableRequest = Vec<(String, String)>;

/// What can be chosen for a table.
#[derive(Clone, Debug)]
pub struct TableChoices {
    /// The names and titles of the rule sets.
    pub sets: Vec<(String, String)>,
    /// The name of the set that is chosen.
    pub rules: String,
    /// What kind of game that is.
    pub about: String,
    /// How many can play it, at least and at most.
    pub seats: (usize, usize),
    /// Its rounds, if nothing else is chosen.
    pub rounds: u32,
    /// Its options.
    pub options: Vec<TableOption>,
    /// The bots that can be seated, the weakest first, and what each does.
    pub bots: Vec<(&'static str, &'static str)>,
}

/// An option of a rule set in a form.
#[derive(Clone, Debug)]
pub struct TableOption {
    /// Its name.
    pub name: String,
    /// What it decides.
    pub about: String,
    /// The value if none is chosen.
    pub default: String,
    /// The values that can be chosen; empty where a text says more than a list.
    pub values: Vec<String>,
    /// What can be chosen, in words.
    pub expected: String,
}

/// A table of the lobby. Texts are text, never markup.
#[derive(Clone)]
pub struct LobbyTable {
    /// Its number, which stands in its address.
    pub number: u64,
    /// The title of its rule set.
    pub rules: String,
    /// Who sits there.
    pub names: Vec<String>,
    /// The seats of people, the first one that of the person who has opened it.
    pub people: Vec<Arc<WebSeat>>,
    /// How far it is.
    pub state: TableState,
    /// The name of its game, under which it is watched and replayed.
    pub game: String,
    /// What it was opened with.
    pub request: TableRequest,
    /// The table at which the same people play again.
    pub next: Option<u64>,
}

/// The field of a form that names the table whose people play again.
pub const AFTER: &str = "after";

impl LobbyTable {
    /// True if `request` is what it was opened with, for the people of table number `after`.
    pub fn is_asked_again(&self, request: &TableRequest, after: u64) -> bool {
        let asked = || request.iter().filter(|(name, _)| name != AFTER);
        self.number == after && self.next.is_none() && self.people.len() > 1 && self.request.iter().eq(asked())
    }
}

/// How far a table of the lobby is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableState {
    /// Not all people have come.
    Waiting,
    /// It is played.
    Playing,
    /// It is over: the place, points and rounds won of each seat.
    Over(Vec<(u8, i32, u32)>),
    /// It has ended without a result; why.
    Abandoned(String),
}
