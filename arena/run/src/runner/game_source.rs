//! Where the games of a loop come from, and where they go when they are over. Knows neither agents nor deadlines; what
//! it is asked it answers at once. Only the interface: `league` and the lab implement it.

use anyhow::Result;

use super::game_config::GameConfig;
use super::game_host::Played;
use crate::log::Span;

/// A game that is to begin.
pub struct NewGame {
    /// The number under which the source takes it back.
    pub number: u64,
    /// What people who watch it call it.
    pub name: String,
    /// What is played.
    pub config: GameConfig,
    /// What its log lines belong to.
    pub span: Span,
}

/// What a source answers when it is asked for a game.
pub enum NextGame {
    /// This one.
    Game(Box<NewGame>),
    /// None before a game is over or the loop has to ask again.
    Later,
    /// None any more.
    Over,
}

/// What a loop is busy with.
pub trait Occupancy {
    /// How many games are being played, or will be as soon as their agents are started.
    fn playing(&self) -> usize;

    /// How many games at once one process of `agent` has offered to play; `None` while none is running.
    fn games_at_once(&self, agent: usize) -> Option<u32>;
}

/// Hands out games and takes them back, by plain calls from between two turns of a loop, which does nothing else meanwhile.
pub trait GameSource {
    /// The next game that a loop is to begin now; it is asked until it gives none.
    ///
    /// # Errors
    /// There is no use in playing on; ends the run.
    fn next(&mut self, occupancy: &dyn Occupancy) -> Result<NextGame>;

    /// Takes back the game that was given as `number`.
    ///
    /// # Errors
    /// As [`GameSource::next`].
    fn finished(&mut self, number: u64, played: Played) -> Result<()>;
}
