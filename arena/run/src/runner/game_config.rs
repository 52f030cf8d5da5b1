//! The configuration of a game, before its agents are there. Data only; the agents' answers to the handshake are added
//! when they are there.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::Seed;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_referee::{GameSetup, Player};

/// One game to be played.
#[derive(Clone)]
pub struct GameConfig {
    /// Its name.
    pub id: GameId,
    /// The rules for this table.
    pub rules: Arc<Rules>,
    /// Its seed.
    pub seed: Seed,
    /// By seat: the agent, and the lane that keeps its processes apart.
    pub agents: Vec<(usize, usize)>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How actions are put in order.
    pub clock: ClockMode,
    /// True if the seed may be published when the game is over.
    pub reveal_seed: bool,
    /// True if `start` says that the seed is public, so that they may know every card.
    pub public_seed: bool,
    /// True if `start` does not say who plays.
    pub hidden_names: bool,
}

impl GameConfig {
    /// The game with the agents that are present; the ids of its asks are made from `id_key`, which no agent can know.
    pub fn with(self, players: Vec<Player>, id_key: [u8; 32]) -> GameSetup {
        GameSetup {
            id: self.id,
            rules: self.rules,
            seed: self.seed,
            players,
            time: self.time,
            clock: self.clock,
            reveal_seed: self.reveal_seed,
            public_seed: self.public_seed,
            hidden_names: self.hidden_names,
            id_key,
        }
    }
}
