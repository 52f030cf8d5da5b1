//! Ranks the seats of a match as it stands: dismissed agents last, equal seats alike. It changes nothing; points are
//! counted by the engine.

use maumau_engine::Game;
use maumau_protocol::message::GameResult;
use maumau_protocol::{Seat, SeatSet};

/// The result of a match as things stand. Seats are ordered by what the rule set decides by, then by their hands in rounds that
/// no seat has won (G-23); dismissed agents come after all others (G-04); equal seats share the better place (G-15).
pub fn result_of(game: &Game, dismissed: SeatSet) -> GameResult {
    let seats = game.rules().seats();
    let key = |seat: Seat| (!dismissed.contains(seat), game.ranking(seat));
    let places = Seat::all(seats)
        .map(|seat| 1 + Seat::all(seats).filter(|other| key(*other) > key(seat)).count() as u8)
        .collect();
    GameResult {
        places,
        points: game.points().to_vec(),
        wins: game.wins().to_vec(),
        rounds: game.round(),
        unwon: game.unwon(),
        dismissed: dismissed.iter().collect(),
    }
}
