//! Games and standings while they move: what is sent to whom, and how much is kept of it. How it travels is the server's matter,
//! where it comes from the arena's.

mod game;

use serde::Serialize;
use tokio::sync::watch;

pub(crate) use game::ViewerNews;
pub use game::{LiveGame, Viewing};

/// Where a server has the script of pages that move.
pub(crate) const LIVE_SCRIPT_PATH: &str = "/assets/live.js";

/// Where a server has the script of tables that can be sorted.
pub(crate) const TABLES_SCRIPT_PATH: &str = "/assets/tables.js";

/// The script of the pages that move. It sorts tables and plays races as well, since they do not lose their order when they are filled
/// again.
pub(crate) fn live_script() -> String {
    crate::page::joined(&[TABLES, RACE, LIVE])
}

/// The script of tables that can be sorted, and of races that can be played.
pub(crate) fn tables_script() -> String {
    crate::page::joined(&[TABLES, RACE])
}

/// Where a server has the script of the page between two games on a screen for a room.
pub(crate) const TV_SCRIPT_PATH: &str = "/assets/tv.js";

/// That script.
pub(crate) fn tv_script() -> String {
    crate::page::joined(&[ELEMENTS, TV])
}

const ELEMENTS: &str = include_str!("../viewer/elements.js");
const TV: &str = include_str!("../viewer/tv.js");
const TABLES: &str = include_str!("../viewer/tables.js");
const RACE: &str = include_str!("../viewer/race.js");
const LIVE: &str = include_str!("../viewer/live.js");

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveTable {
    /// Its name, which leads to it.
    pub game: String,
    /// The agents by seat: text, never markup.
    pub names: Vec<String>,
    /// The round, from 1, and how many there are.
    pub round: (u32, u32),
    /// The number of cards of each seat.
    pub cards: Vec<u16>,
    /// Inputs so far.
    pub inputs: usize,
}

/// What is sent to everybody who looks.
#[derive(Debug)]
pub struct LiveTables(watch::Sender<String>);

impl Default for LiveTables {
    /// Nothing is known yet.
    fn default() -> LiveTables {
        LiveTables(watch::Sender::new(String::new()))
    }
}

/// The message.
#[derive(Serialize)]
struct Message<'a> {
    tables: &'a [LiveTable],
    games: u64,
    is_over: bool,
}

impl LiveTables {
    /// Publishes the state, if it is another one: the games in play, how many are over, and whether that is all.
    pub fn publish(&self, tables: &[LiveTable], games: u64, is_over: bool) {
        let text =
            serde_json::to_string(&Message { tables, games, is_over }).expect("numbers and texts have a JSON form");
        self.0.send_if_modified(|state| {
            let is_new = *state != text;
            *state = text;
            is_new
        });
    }

    /// A viewer.
    pub(crate) fn watch(&self) -> watch::Receiver<String> {
        self.0.subscribe()
    }

    /// How many look.
    pub fn viewers(&self) -> usize {
        self.0.receiver_count()
    }
}
