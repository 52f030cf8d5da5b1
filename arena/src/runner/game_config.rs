//! A game as it is to be played, before its agents are there.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::Seed;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_referee::{GameSetup, Player};

/// One game to be played.
#[derive(Clone)]
pub(crate) struct GameConfig {
    /// Its name.
    pub(crate) id: GameId,
    /// The rules for this table.
    pub(crate) rules: Arc<Rules>,
    /// Its seed.
    pub(crate) seed: Seed,
    /// By seat: which agent, and the lane that keeps its processes apart.
    pub(crate) agents: Vec<(usize, usize)>,
    /// The time each seat has.
    pub(crate) time: TimeControl,
    /// How actions are put in order.
    pub(crate) clock: ClockMode,
    /// Whether the seed may be told when the game is over.
    pub(crate) reveal_seed: bool,
}

impl GameConfig {
    /// The game with the agents that came to the table; the ids of its asks are made from `id_key`, which no agent can know.
    pub(crate) fn with(self, players: Vec<Player>, id_key: [u8; 32]) -> GameSetup {
        GameSetup {
            id: self.id,
            rules: self.rules,
            seed: self.seed,
            players,
            time: self.time,
            clock: self.clock,
            reveal_seed: self.reveal_seed,
            id_key,
        }
    }
}
