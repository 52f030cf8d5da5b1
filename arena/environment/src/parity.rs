//! A game of the referee with given answers, to compare with one that was stepped without it, and to make its record. It
//! plays a `LocalGame`, as tests and `maumau check` do.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::message::{ClockMode, GameId, Ready, TimeControl};
use maumau_protocol::{Seat, Seed};
use maumau_referee::local_game::LocalGame;
use maumau_referee::record::Meta;
use maumau_referee::{GameLog, GameSetup, Player};

use crate::table::GivenAnswer;

/// An answer of a seat that the referee does not ask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("answer {number} is of seat {seat}, and the referee asks {asked:?}")]
pub struct NotAsked {
    /// The number of the answer, from 0.
    pub number: usize,
    /// Whose it is.
    pub seat: Seat,
    /// The seats that the referee asks.
    pub asked: Vec<Seat>,
}

/// A game as the referee judged it.
pub struct Judged {
    /// The game, as far as the answers go.
    game: LocalGame,
}

/// The game of `rules` and `seed` between players of these names, with these answers.
///
/// # Errors
/// The referee does not ask the seat of an answer.
pub fn judged(
    rules: &Arc<Rules>,
    seed: &Seed,
    id: &str,
    names: &[String],
    answers: &[GivenAnswer],
) -> Result<Judged, NotAsked> {
    let player = |name: &String| Player { name: name.clone(), ready: Ok(Arc::new(Ready::new(name, Vec::new()))) };
    let setup = GameSetup {
        id: GameId(id.into()),
        rules: Arc::clone(rules),
        seed: *seed,
        players: names.iter().map(player).collect(),
        time: TimeControl::default(),
        clock: ClockMode::Lockstep,
        reveal_seed: true,
        public_seed: false,
        hidden_names: false,
        id_key: [7; 32],
    };
    let mut game = LocalGame::begin_unwatched(setup);
    for (number, answer) in answers.iter().enumerate() {
        let asked = game.asked().find(|(seat, _)| *seat == answer.seat);
        let Some((seat, id)) = asked else {
            let asked: Vec<Seat> = game.asked().map(|(seat, _)| seat).collect();
            return Err(NotAsked { number, seat: answer.seat, asked });
        };
        game.act(seat, id, answer.action.clone(), Meta::default());
    }
    Ok(Judged { game })
}

impl Judged {
    /// Whether the game is over.
    pub fn is_finished(&self) -> bool {
        self.game.referee().is_finished()
    }

    /// The log of a finished game; `None` if it is not over.
    pub fn log(self) -> Option<GameLog> {
        self.is_finished().then(|| self.game.finish().0)
    }

    /// The seats that the referee waits for.
    pub fn asked(&self) -> Vec<Seat> {
        self.game.asked().map(|(seat, _)| seat).collect()
    }
}
