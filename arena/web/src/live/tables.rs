//! The games that are being played, and how many are over: what the page of tables and the standings are told. Only the newest
//! state counts, so viewers share one text and nothing waits for them.

use serde::Serialize;
use tokio::sync::watch;

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

/// What is told to everybody who looks.
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
    /// Tells the state, if it is another one: the games in play, how many are over, and whether that is all.
    pub fn tell(&self, tables: &[LiveTable], games: u64, is_over: bool) {
        let text =
            serde_json::to_string(&Message { tables, games, is_over }).expect("numbers and texts have a JSON form");
        self.0.send_if_modified(|told| {
            let is_new = *told != text;
            *told = text;
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
