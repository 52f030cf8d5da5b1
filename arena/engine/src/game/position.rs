//! Positions set up by hand: for scenarios, puzzles and tests.

use std::sync::Arc;

use maumau_protocol::{Card, Direction, RuleFault, Seat, SeatSet, Seed, Suit};

use super::{Facing, Game, MauState, Phase};
use crate::hand::Hand;
use crate::rules::Rules;

/// A complete position. Cards that stand nowhere are out of play.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// Who dealt.
    pub dealer: usize,
    /// Each seat's cards.
    pub hands: Vec<Vec<Card>>,
    /// The discard pile, bottom to top.
    pub pile: Vec<Card>,
    /// The draw pile, next card first.
    pub draw: Vec<Card>,
    /// Cards that come once the draw pile has been made anew, next card first, as far as they are known.
    pub later: Vec<Card>,
    /// The direction of play.
    pub direction: Direction,
    /// The seat to move, where cards are being laid.
    pub turn: usize,
    /// Where the match stands.
    pub phase: PositionPhase,
    /// Points of each seat; empty = none.
    pub points: Vec<i32>,
    /// Rounds won by each seat; empty = none.
    pub wins: Vec<u32>,
    /// The round, from 1.
    pub round: u32,
    /// Seats that said their Mau in time.
    pub mau_said: SeatSet,
    /// The suit to be served.
    pub suit: Option<Suit>,
    /// Seats that have not looked at their cards.
    pub not_looked: SeatSet,
    /// Each seat's sealed cards, beside its hand; empty = none.
    pub sealed: Vec<Vec<Card>>,
    /// Mistakes of each seat that are to be paid in the deal; empty = none.
    pub outstanding: Vec<u16>,
}

/// Where the match of a [`Position`] stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionPhase {
    /// Cards are laid.
    #[default]
    Play,
    /// The first card is to be turned up.
    TurnUp,
    /// The match has not begun.
    NewMatch,
    /// The dealer deals by actions.
    Deal,
}

/// A position that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(pub String);

impl std::fmt::Display for PositionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Game {
    /// A game that goes on from `position`; `seed` serves what is random from there on.
    ///
    /// # Errors
    /// Names what does not fit the table: a number of hands, or a seat that does not exist.
    pub fn from_position(rules: Arc<Rules>, position: &Position, seed: &Seed) -> Result<Game, PositionError> {
        let seats = rules.seats();
        let seat = |index: usize, what: &str| {
            Seat::new(index)
                .filter(|_| index < seats)
                .ok_or_else(|| PositionError(format!("{what}: there is no seat {index} at a table of {seats}")))
        };
        let mut game = Game::new(rules, seed);
        game.table.dealer = seat(position.dealer, "dealer")?;
        if position.phase == PositionPhase::NewMatch {
            return Ok(game);
        }
        if position.hands.len() != seats {
            return Err(PositionError(format!("hands: {} for a table of {seats}", position.hands.len())));
        }
        game.round = position.round.max(1);
        game.chance.enter_round(game.round);
        game.table.hands = position.hands.iter().map(|cards| cards.iter().copied().collect::<Hand>()).collect();
        game.table.pile.extend_from_slice(&position.pile);
        game.table.direction = position.direction;
        game.draw_pile.clear(seats);
        game.draw_pile.put_on_top(position.draw.iter().copied());
        game.draw_pile.foretell(&position.later);
        if !position.points.is_empty() {
            if position.points.len() != seats {
                return Err(PositionError(format!("points: {} for a table of {seats}", position.points.len())));
            }
            game.points.copy_from_slice(&position.points);
        }
        if !position.wins.is_empty() {
            if position.wins.len() != seats {
                return Err(PositionError(format!("wins: {} for a table of {seats}", position.wins.len())));
            }
            game.wins.copy_from_slice(&position.wins);
        }
        match position.phase {
            PositionPhase::TurnUp => {
                game.phase = Phase::TurnUp;
                let hands = Seat::all(seats).zip(&position.hands).map(|(seat, cards)| (seat, cards.as_slice()));
                game.dealing.know_hands(hands);
            }
            PositionPhase::Deal => game.enter_dealing(),
            _ => {
                game.phase = Phase::Play;
                game.table.turn = seat(position.turn, "turn")?;
                game.table.turn_place = game.table.turn;
                game.table.turns = 2;
                game.table.facing = Facing::FRESH;
                game.table.suit = position.suit;
            }
        }
        game.is_plain &= position.not_looked.is_empty() && position.sealed.is_empty();
        game.refit();
        game.table.looked = Seat::all(seats).filter(|seat| !position.not_looked.contains(*seat)).collect();
        for (hand, cards) in game.table.sealed.iter_mut().zip(&position.sealed) {
            *hand = cards.iter().copied().collect();
        }
        for (outstanding, count) in game.dealing.outstanding.iter_mut().zip(&position.outstanding) {
            *outstanding = vec![RuleFault::FalseDeal; usize::from(*count)];
        }
        for seat in position.mau_said.iter().filter(|seat| seat.index() < seats) {
            game.table.mau[seat.index()] = MauState { one_since: 1, said: Some(1), ..MauState::default() };
            game.table.announced[seat.index()].mau = true;
        }
        Ok(game)
    }
}
