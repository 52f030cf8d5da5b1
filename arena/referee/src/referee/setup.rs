//! The setup of a game, before it begins. Data only, given by the caller: who plays, by which rules, seed and times.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::Seed;
use maumau_protocol::message::{ClockMode, GameId, Ready, TimeControl};

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name shown to the other seats and in the record.
    pub name: String,
    /// The handshake, or why there was none.
    pub ready: Result<Arc<Ready>, String>,
}

/// Everything that defines one game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The name of the game.
    pub id: GameId,
    /// The rules, compiled for the number of players.
    pub rules: Arc<Rules>,
    /// The game's seed.
    pub seed: Seed,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How actions are put in order.
    pub clock: ClockMode,
    /// True if the seed may be published when the game is over.
    pub reveal_seed: bool,
    /// True if `start` tells agents that the seed is public, so that they may know every card.
    pub public_seed: bool,
    /// 32 bytes that no agent can know; the ids of asks are derived from them.
    pub id_key: [u8; 32],
}
