//! Positions set up by hand: for scenarios, puzzles and tests. No game in progress uses this file. It checks what is
//! asked for and makes a game of it; it plays nothing.

use std::sync::Arc;

use maumau_protocol::ruleset::{Again, Debtor};
use maumau_protocol::{Card, CardSet, Choice, Direction, Pending, Seat, SeatSet, Seed};

use super::dealing::Looked;
use super::out_of_turn::{OwedTurn, Threat};
use super::turn::{Owed, RequestState};
use super::{Facing, Game, Phase};
use crate::hand::Hand;
use crate::rules::{Features, Rules};

/// A complete position. Cards that appear nowhere in it are out of play.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// The seat that dealt.
    pub dealer: usize,
    /// Each seat's cards.
    pub hands: Vec<Vec<Card>>,
    /// The discard pile, bottom to top.
    pub pile: Vec<Card>,
    /// The card for which the top card stands (G-79).
    pub stands_for: Option<Card>,
    /// The draw pile, next card first.
    pub draw: Vec<Card>,
    /// Known cards that follow once the draw pile has been made again, next card first.
    pub later: Vec<Card>,
    /// The direction of play.
    pub direction: Direction,
    /// The seat to move, while cards are played.
    pub turn: usize,
    /// The stage of the match.
    pub phase: PositionPhase,
    /// Points of each seat; empty = none.
    pub points: Vec<i32>,
    /// Rounds won by each seat; empty = none.
    pub wins: Vec<u32>,
    /// The round, from 1.
    pub round: u32,
    /// Seats that said their Mau in time.
    pub mau_said: SeatSet,
    /// What the seat to move faces instead of an ordinary turn, while cards are played.
    pub pending: Pending,
    /// Seats that have turns to miss, each with their number.
    pub turns_lost: Vec<(Seat, u16)>,
    /// Seats that have not looked at their cards.
    pub not_looked: SeatSet,
    /// Each seat's sealed cards, beside its hand; empty = none.
    pub sealed: Vec<Vec<Card>>,
    /// Mistakes of each seat that are to be paid in the deal; empty = none.
    pub outstanding: Vec<u16>,
    /// The rules of the menu that hold, in the order in which they were added.
    pub rules: Vec<String>,
    /// The rules of the menu that are offered after this round; empty = drawn.
    pub offer: Vec<String>,
}

/// The stage of the match of a [`Position`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionPhase {
    /// Cards are played.
    #[default]
    Play,
    /// The first card has not been turned up.
    TurnUp,
    /// The match has not begun.
    NewMatch,
    /// The dealer deals by actions.
    Deal,
}

/// A position that cannot exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(pub String);

impl std::fmt::Display for PositionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Game {
    /// A game that continues from `position`; `seed` decides everything random from then on.
    ///
    /// # Errors
    /// Names the part that does not fit the table: a number of hands, or a seat that does not exist.
    pub fn from_position(rules: Arc<Rules>, position: &Position, seed: &Seed) -> Result<Game, PositionError> {
        let seats = rules.seats();
        let seat = |index: usize, what: &str| {
            Seat::new(index)
                .filter(|_| index < seats)
                .ok_or_else(|| PositionError(format!("{what}: there is no seat {index} at a table of {seats}")))
        };
        let mut game = Game::new(rules, seed);
        game.set_up_menu(&position.rules, &position.offer)?;
        game.table.dealer = seat(position.dealer, "dealer")?;
        game.set_up_standings(position)?;
        if position.phase == PositionPhase::NewMatch {
            return Ok(game);
        }
        if position.hands.len() != seats {
            return Err(PositionError(format!("hands: {} for a table of {seats}", position.hands.len())));
        }
        game.round = position.round.max(1);
        game.chance.enter_round(game.round);
        game.table.hands = position.hands.iter().map(|cards| cards.iter().copied().collect::<Hand>()).collect();
        game.table.pile.set_up(&position.pile, position.stands_for, &game.rules);
        game.table.seating.begin_round(position.direction);
        game.draw_pile.clear(seats);
        game.draw_pile.put_on_top(position.draw.iter().copied());
        game.draw_pile.foretell(&position.later);
        match position.phase {
            PositionPhase::TurnUp => {
                game.phase = Phase::TurnUp;
                let hands = Seat::all(seats).zip(&position.hands).map(|(seat, cards)| (seat, cards.as_slice()));
                game.dealing.know_hands(hands);
            }
            PositionPhase::Deal => game.enter_dealing(),
            _ => {
                game.phase = Phase::Play;
                game.leave_out_empty_hands(seat(position.turn, "turn")?)?;
                game.give_turn(seat(position.turn, "turn")?);
                game.table.turns = 2;
                game.stand(&position.pending).map_err(|what| PositionError(format!("pending: {what}")))?;
            }
        }
        let (features, pending) = (game.features, &position.pending);
        game.adopt(Features {
            covered_hands: features.covered_hands || !position.not_looked.is_empty(),
            sealed_cards: features.sealed_cards || !position.sealed.is_empty(),
            orders: features.orders || pending.take.is_some(),
            free_cards: features.free_cards || pending.owed_turn.is_some(),
            races: features.races || pending.joker.is_some(),
            stated_suits: features.stated_suits || pending.suit_open,
            ..features
        });
        game.table.looked = Looked::set_up(position.not_looked, seats);
        for (seat, cards) in Seat::all(seats).zip(&position.sealed) {
            *game.table.sealed.of_mut(seat) = cards.iter().copied().collect();
        }
        game.dealing.set_up_outstanding(&position.outstanding);
        for (seat, lost) in position.turns_lost.iter().filter(|(seat, _)| seat.index() < seats) {
            game.table.turns_lost.set_up(*seat, *lost);
        }
        for seat in position.mau_said.iter().filter(|seat| seat.index() < seats) {
            game.table.mau.set_up_said(seat);
            game.table.announcements.set_up_mau(seat);
        }
        if let Some(mover) = game.turn().filter(|seat| game.held(*seat) == 1) {
            // N-75: what the seat left unsaid for the card that it holds has lapsed with its turn.
            game.table.announcements.set_up_lapsed(mover);
        }
        Ok(game)
    }

    /// What each seat has won, suffered or counted in the match.
    fn set_up_standings(&mut self, position: &Position) -> Result<(), PositionError> {
        let seats = self.seats();
        for (what, given) in [("points", position.points.len()), ("wins", position.wins.len())] {
            if given != 0 && given != seats {
                return Err(PositionError(format!("{what}: {given} for a table of {seats}")));
            }
        }
        if !position.points.is_empty() {
            self.points.copy_from_slice(&position.points);
        }
        if !position.wins.is_empty() {
            self.wins.copy_from_slice(&position.wins);
        }
        Ok(())
    }

    /// Where the others play on, seats with empty hands are out, in the order of their numbers (G-43); `turn` is to move.
    fn leave_out_empty_hands(&mut self, turn: Seat) -> Result<(), PositionError> {
        if !self.features.places {
            return Ok(());
        }
        let empty: Vec<Seat> = Seat::all(self.seats()).filter(|seat| self.held(*seat) == 0).collect();
        if empty.contains(&turn) {
            return Err(PositionError(format!("turn: seat {turn} has no cards and is out of the round")));
        }
        empty.into_iter().for_each(|seat| self.table.places.leave_out(seat));
        Ok(())
    }

    /// Puts `pending` before the seat to move; the cards that caused it lie on top.
    fn stand(&mut self, pending: &Pending) -> Result<(), String> {
        let turn = self.table.seating.turn();
        for (what, seat) in [("again", pending.again), ("choose", pending.choose), ("owed_turn", pending.owed_turn)] {
            if seat.is_some_and(|seat| seat != turn) {
                return Err(format!("{what}: seat {turn} is to move"));
            }
        }
        self.table.facing = self.facing_of(pending)?;
        self.table.pile.serve(pending.suit, pending.suit_open, &self.rules);
        self.table.announcements.set_up_snap(pending.snap);
        self.table.owed_turn = OwedTurn::set_up(pending.owed_turn.is_some());
        self.table.takes.set_up(pending.take);
        self.set_up_run(pending.run);
        if let (Some(top), true) = (self.visible_top(), pending.choose.is_some()) {
            self.new_suit(top, None);
        }
        if let Some(victim) = pending.skip_victim {
            let threat = self.rules.skips.iter().position(|skip| skip.threat);
            let skip = threat.ok_or("skip_victim: by these rules nobody is threatened")? as u8;
            if victim == turn {
                return Err(format!("skip_victim: seat {turn} is to move"));
            }
            self.table.threat = Threat::set_up(victim, skip);
        }
        if let Some(request) = pending.request {
            let makes = match request.names {
                Choice::Rank(_) => self.rules.request_ranks,
                Choice::Suit(_) => self.rules.request_suits,
                Choice::Seat(_) => CardSet::EMPTY,
            };
            let rule = makes.iter().find_map(|card| self.requests(card));
            let rule = rule.ok_or("request: by these rules nobody makes one of this kind")?;
            self.table.request = RequestState::set_up(request.names, request.by, rule);
        }
        Ok(())
    }

    fn facing_of(&self, pending: &Pending) -> Result<Facing, String> {
        if pending.draw > 0 {
            let debts = &self.rules.debts;
            let made = self.visible_top().and_then(|top| self.rules.faces[top.index()].owe.map(usize::from));
            // Of several debts of one kind, that of the card on top.
            let on_top = |kind| made.filter(|debt| &debts[*debt].kind == kind);
            let named = |kind| on_top(kind).or_else(|| debts.iter().position(|debt| &debt.kind == kind));
            let debt =
                pending.draw_kind.as_ref().map_or(made, named).ok_or("draw: by these rules nothing is owed so")?;
            let live =
                if pending.sevens > 0 { pending.sevens } else { pending.draw.div_ceil(debts[debt].cards.max(1)) };
            let turn = self.table.seating.turn();
            // Who played the card is not given: a neighbour, on the side from which the debt comes.
            let by = match debts[debt].on {
                Debtor::Next | Debtor::Chosen => self.before(turn),
                Debtor::Previous => self.after(turn, 1),
            };
            return Ok(Facing::Owed(Owed::new(debt as u8, by, pending.draw, live)));
        }
        if pending.skip > 0 {
            let skip = self.rules.skips.iter().position(|skip| !skip.threat && !skip.answers.is_empty());
            let skip = skip.ok_or("skip: by these rules nobody faces a suspension")? as u8;
            return Ok(Facing::Skipped { skip, count: pending.skip });
        }
        Ok(match pending {
            Pending { joker: Some(race), .. } => Facing::Race { by: race.by },
            Pending { choose: Some(_), .. } => Facing::Naming,
            Pending { again: Some(_), .. } => {
                let again = self.visible_top().and_then(|top| self.rules.faces[top.index()].again);
                Facing::Again(again.unwrap_or(Again::MAY))
            }
            _ => Facing::FRESH,
        })
    }
}
