//! Judges where a playout ended: the share of opponents that a seat beats, or is likely to beat if the round is not over. It
//! plays nothing.

use maumau_engine::{Game, Phase, Rules};
use maumau_protocol::ruleset::Decides;
use maumau_protocol::{MAX_SEATS, Seat};

/// The standing of each seat before a playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stakes {
    before: [i64; MAX_SEATS],
}

impl Stakes {
    /// As they are in `game`.
    pub(crate) fn of(game: &Game) -> Stakes {
        let before = std::array::from_fn(|at| match Seat::new(at) {
            Some(seat) if at < game.rules().seats() => game.standing(seat),
            _ => 0,
        });
        Stakes { before }
    }

    /// What came of the playout `game` for `seat`: 1 for the best, 0 for the worst.
    pub(crate) fn share(&self, game: &Game, seat: Seat) -> f32 {
        self.share_by(game, seat, game.phase() == Phase::Play)
    }

    /// What came of a round of `game` that has ended, also if the next one has begun.
    pub(crate) fn share_after_round(&self, game: &Game, seat: Seat) -> f32 {
        self.share_by(game, seat, false)
    }

    /// `counts_cards` if hands say how the round is likely to end.
    fn share_by(&self, game: &Game, seat: Seat, counts_cards: bool) -> f32 {
        let seats = game.rules().seats();
        let scale = scale(game.rules());
        let before = |seat: Seat| self.before[seat.index()];
        let beaten = Seat::all(seats).filter(|other| *other != seat).map(|other| {
            if game.is_over() {
                return match game.standing(seat).cmp(&game.standing(other)) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
            let gained = (game.standing(seat) - before(seat)) - (game.standing(other) - before(other));
            let cards = if counts_cards { f32::from(game.held(other)) - f32::from(game.held(seat)) } else { 0.0 };
            (0.5 + gained as f32 / scale + cards / 40.0).clamp(0.0, 1.0)
        });
        beaten.sum::<f32>() / (seats - 1).max(1) as f32
    }
}

/// How much better one seat must be than another in a round to be worth all.
fn scale(rules: &Rules) -> f32 {
    match rules.decides() {
        Decides::RoundsWon | Decides::Count => 2.0,
        Decides::FewestPoints | Decides::MostPoints => 120.0,
        Decides::MostChips => 24.0,
    }
}
