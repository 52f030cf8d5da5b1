//! One match: the position, and the one way to change it.
//!
//! [`Game::apply`] takes one action of one seat and either accepts or refuses it as a whole (G-02). Everything that
//! happens reaches a [`Witness`] as events. Agents, time and records are the referee's.

mod apply;
mod calls;
mod changes;
mod dealing;
mod legal;
mod menu;
mod out_of_turn;
mod pile;
mod position;
mod probe;
mod retrace;
mod speech;
mod state;
#[cfg(test)]
mod tests;
mod turn;
mod view;
mod way;

use std::sync::Arc;

use calls::{MistakeLedger, WrongCard};
use dealing::Dealing;
use maumau_protocol::{Card, Direction, Event, EventNumber, Reason, Seat, SeatSet, Seed};
use menu::MenuState;
use out_of_turn::Pauses;
use speech::Conduct;
use state::RoundState;
use turn::Facing;

use crate::draw_pile::DrawPile;
use crate::hand::Hand;
use crate::random::{Chance, Purpose};
use crate::reuse::clone_in_place;
use crate::rules::{Features, Rules};

pub use legal::{DealLeft, Legal, NextCard, RareActions, StandIns};
pub use position::{Position, PositionError, PositionPhase};
pub use probe::GameProbe;
pub use retrace::{Forced, Foreseen, Retrace, SeenTake};
pub use way::PlayGround;

/// The outcome of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was accepted and carried out.
    Accepted,
    /// It was refused; nothing changed except for its price, which stands in the events.
    Refused(Reason),
}

/// Sets the entry of `list` to `value` for each of `seats`, whatever it was before.
fn reset<T: Clone>(list: &mut Vec<T>, seats: usize, value: T) {
    list.clear();
    list.resize(seats, value);
}

/// One match of one table.
#[derive(Debug)]
pub struct Game {
    /// The rules of the table, and those for the count of the seat to move; the same where nothing depends on counts.
    table_rules: Arc<Rules>,
    rules: Arc<Rules>,
    chance: Chance,
    phase: Phase,
    round: u32,
    table: RoundState,
    draw_pile: DrawPile,
    points: Vec<i32>,
    wins: Vec<u32>,
    /// The rounds that no seat has won, and what counted against each seat in them (G-23).
    unwon: u32,
    left_over: Vec<i32>,
    /// Turns of all finished rounds (G-82).
    turns_before: u32,
    round_winners: SeatSet,
    events: EventNumber,
    /// The families of rules that have an effect in this game; the next two fields follow from it.
    features: Features,
    is_plain: bool,
    judges_by_fit: bool,
    /// Mistakes that have not been charged.
    ledger: MistakeLedger,
    conduct: Option<Box<Conduct>>,
    pauses: Option<Box<Pauses>>,
    dealing: Dealing,
    wrong_card: WrongCard,
    /// The rules that have been added, by rules with a menu.
    menu: Option<Box<MenuState>>,
    /// What an observer knows of the next input; no referee does.
    foreseen: Option<Box<Foreseen>>,
}

clone_in_place!(Game {
    table_rules,
    rules,
    chance,
    phase,
    round,
    table,
    draw_pile,
    points,
    wins,
    unwon,
    left_over,
    turns_before,
    round_winners,
    events,
    features,
    is_plain,
    judges_by_fit,
    ledger,
    conduct,
    pauses,
    dealing,
    wrong_card,
    menu,
    foreseen
});

impl Game {
    /// A match that has not begun; the first dealer is seat 0 (G-14). Its rules change only by its menu (G-20, G-74).
    pub fn new(rules: Arc<Rules>, seed: &Seed) -> Game {
        let mut game = Game {
            chance: Chance::default(),
            phase: Phase::BetweenRounds,
            round: 0,
            table: RoundState::default(),
            draw_pile: DrawPile::default(),
            points: Vec::new(),
            wins: Vec::new(),
            unwon: 0,
            left_over: Vec::new(),
            turns_before: 0,
            round_winners: SeatSet::EMPTY,
            events: EventNumber(0),
            features: Features::default(),
            is_plain: true,
            judges_by_fit: true,
            ledger: MistakeLedger::default(),
            conduct: (rules.set.talk.is_some() || rules.set.calls.movements).then(Box::default),
            pauses: rules.set.point_of_order.is_some().then(Box::default),
            dealing: Dealing::default(),
            wrong_card: WrongCard::default(),
            menu: MenuState::of(&rules),
            foreseen: None,
            table_rules: Arc::clone(&rules),
            rules,
        };
        game.restart(seed);
        game
    }

    /// Replaces this match by another by the same rules, which has not begun: as [`Game::new`], in the memory that this one
    /// has allocated.
    pub fn restart(&mut self, seed: &Seed) {
        // Every field by name, so that none is forgotten.
        let Game {
            table_rules,
            rules,
            chance,
            phase,
            round,
            table,
            draw_pile,
            points,
            wins,
            unwon,
            left_over,
            turns_before,
            round_winners,
            events,
            features: _,
            is_plain: _,
            judges_by_fit: _,
            ledger,
            conduct,
            pauses,
            dealing,
            wrong_card,
            menu,
            foreseen,
        } = self;
        if let Some(menu) = menu {
            table_rules.clone_from(menu.restart());
            *conduct = (table_rules.set.talk.is_some() || table_rules.set.calls.movements).then(Box::default);
        }
        rules.clone_from(table_rules);
        let seats = rules.seats();
        *chance = Chance::new(seed);
        *phase = Phase::BetweenRounds;
        (*round, *round_winners, *events, *unwon, *turns_before) = (0, SeatSet::EMPTY, EventNumber(0), 0, 0);
        table.restart(seats);
        table.pile.reserve(rules.deck.len());
        draw_pile.clear(seats);
        draw_pile.reserve(rules.deck.len());
        reset(points, seats, rules.points_at_start());
        reset(wins, seats, 0);
        reset(left_over, seats, 0);
        ledger.clear();
        if let Some(conduct) = conduct {
            **conduct = Conduct::default();
        }
        if let Some(pauses) = pauses {
            **pauses = Pauses::default();
        }
        dealing.restart();
        *wrong_card = WrongCard::default();
        *foreseen = None;
        self.adopt(self.rules.features);
    }

    /// From now on the game has `features`.
    fn adopt(&mut self, features: Features) {
        self.features = features;
        self.is_plain = features.are_plain();
        self.judges_by_fit = features.judge_by_fit();
    }

    /// The families of rules that have an effect; none in a `PLAIN` turn, where a question about them costs nothing.
    #[inline(always)]
    fn features<const PLAIN: bool>(&self) -> Features {
        if PLAIN { Features::default() } else { self.features }
    }

    /// The rules it is played by at present, those that were added included.
    #[allow(clippy::misnamed_getters, reason = "which rules judge the seat to move is the game's own business")]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.table_rules
    }

    /// The stage of the match.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::MatchOver
    }

    /// The seat to move, if any.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        (self.phase == Phase::Play).then_some(self.table.seating.turn())
    }

    /// The number of the last event.
    #[inline]
    pub fn last_event(&self) -> EventNumber {
        self.events
    }

    /// The round, counted from 1; 0 before the first.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Turns of this round so far; between rounds and at the end, those of the last round.
    pub fn turns(&self) -> u32 {
        self.table.turns
    }

    /// The hand of `seat`.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.table.hands[seat.index()]
    }

    /// The discard pile, bottom to top.
    pub fn pile(&self) -> &[Card] {
        self.table.pile.cards()
    }

    /// The card for which the top card stands, if it stands for another (G-79).
    pub fn stands_for(&self) -> Option<Card> {
        self.table.pile.stands_for()
    }

    /// The dealer of the round; before the first, of that one.
    pub fn dealer(&self) -> Seat {
        self.table.dealer
    }

    /// The direction of play.
    pub fn direction(&self) -> Direction {
        self.table.seating.direction()
    }

    /// The number of cards in the draw pile.
    pub fn draw_pile_len(&self) -> usize {
        self.draw_pile.len()
    }

    /// The cards of the draw pile in an order that reveals nothing; for checks that no card is lost.
    pub fn draw_pile_cards(&self) -> impl Iterator<Item = Card> {
        self.draw_pile.cards()
    }

    /// Points of each seat in the match so far.
    pub fn points(&self) -> &[i32] {
        &self.points
    }

    /// Rounds won by each seat so far.
    pub fn wins(&self) -> &[u32] {
        &self.wins
    }

    /// Rounds that no seat has won.
    pub fn unwon(&self) -> u32 {
        self.unwon
    }

    /// The winners of the last finished round.
    pub fn round_winners(&self) -> SeatSet {
        self.round_winners
    }

    /// The order in which the answers of `seats` in tick number `tick` of this round are taken up: `seats` shuffled by
    /// the tick's own random stream (ARCHITECTURE.md#order-and-time).
    pub fn shuffle_answers(&mut self, tick: u32, seats: &mut [Seat]) {
        if seats.len() > 1 {
            let count = seats.len();
            self.chance.stream(Purpose::Order, tick).shuffle_front(seats, count);
        }
    }

    #[inline]
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    #[inline(always)]
    fn emit<W: Witness>(&mut self, witness: &mut W, event: Event) {
        self.events.0 += 1;
        witness.see(event);
    }

    /// As [`Game::emit`], for an event that is only made if the witness looks at it.
    #[inline]
    fn emit_with<W: Witness>(&mut self, witness: &mut W, event: impl FnOnce() -> Event) {
        self.events.0 += 1;
        if witness.looks() {
            witness.see(event());
        }
    }

    /// The top card, or the one for which it stands (G-79).
    #[inline]
    fn top(&self) -> Option<Card> {
        self.table.pile.top()
    }

    /// The topmost card that counts: cards that are treated as absent are looked through (N-36, N-40).
    #[inline]
    pub fn visible_top(&self) -> Option<Card> {
        self.table.pile.visible_top(&self.rules)
    }
}

/// The stage of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The next round has not been dealt.
    BetweenRounds,
    /// The dealer deals by its own actions.
    Deal,
    /// Hands are dealt; the dealer turns up the first card.
    TurnUp,
    /// Cards are played.
    Play,
    /// The winner of a round has to add a rule of the menu (G-74).
    ChooseRule,
    /// The last round is over.
    MatchOver,
}

/// A receiver of every event as it happens.
pub trait Witness {
    /// Called once per event, in order.
    fn see(&mut self, event: Event);

    /// Whether it reads events. If not, it may get none, or events without the cards that would have to be listed for them.
    fn looks(&self) -> bool {
        true
    }
}

impl Witness for Vec<Event> {
    #[inline]
    fn see(&mut self, event: Event) {
        self.push(event);
    }
}

/// Receives nothing: for searches and playouts, where events would only be thrown away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unseen;

impl Witness for Unseen {
    #[inline(always)]
    fn see(&mut self, _: Event) {}

    #[inline(always)]
    fn looks(&self) -> bool {
        false
    }
}
