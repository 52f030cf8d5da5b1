//! A game at one moment, from which a story can go on without what came before. It is a copy and follows nothing by itself.

use maumau_engine::Game;
use maumau_protocol::SeatSet;

use crate::record::MoveCount;

/// A copy of a game that is being played.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) game: Game,
    pub(super) dismissed: SeatSet,
    pub(super) moves: MoveCount,
}

impl Snapshot {
    /// A copy of `game`, in which `dismissed` seats are out, after the entries that `moves` has counted.
    pub fn new(game: &Game, dismissed: SeatSet, moves: MoveCount) -> Snapshot {
        Snapshot { game: game.clone(), dismissed, moves }
    }
}
