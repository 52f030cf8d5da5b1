//! What a game is before it begins.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::Seed;
use maumau_protocol::message::{ClockMode, GameId, Ready, TimeControl};

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name shown to the other seats and in the record.
    pub name: String,
    /// What the agent said in its handshake, or why it never came to one.
    pub ready: Result<Arc<Ready>, String>,
}

/// Everything that one game is.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The name of the game.
    pub id: GameId,
    /// The rules, ready for as many seats as there are players.
    pub rules: Arc<Rules>,
    /// The game's seed.
    pub seed: Seed,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How actions are put in order.
    pub clock: ClockMode,
    /// Whether the seed may be told when the game is over.
    pub reveal_seed: bool,
    /// 32 bytes that no agent can know, from which the ids of asks are made.
    pub id_key: [u8; 32],
}
