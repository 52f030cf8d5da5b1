//! What a seat may know, as a vector of small whole numbers: blocks in a fixed order, each present if the rules can produce
//! it, seats counted from the observing one. It reads the seat's view and the discard pile, which all have seen, and never a
//! game, so that nothing can be in it that the seat may not know.
//!
//! Counts of cards are numbers of copies; sizes of hands and debts are thermometers, in which the first n places are 1.

use maumau_engine::Rules;
use maumau_engine::rules::Vocabulary;
use maumau_protocol::message::What;
use maumau_protocol::{Card, Choice, Direction, Pending, Rank, Seat, View};

use crate::actions::{Actions, ObservationBlock, SUITS};
use crate::begun::BegunPlay;

/// Places of the thermometers.
const HAND: usize = 16;
const DEBT: usize = 16;
const SKIPS: usize = 4;
const SEVENS: usize = 8;
const SEALED: usize = 4;
const DRAWN: usize = 2;
const DRAW_PILE: usize = 8;

/// A number of an observation.
pub trait Element: Copy + Send {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Any whole number.
    fn from_u8(number: u8) -> Self;
    /// One more.
    fn add_one(&mut self);
    /// One fewer, but not fewer than none.
    fn take_one(&mut self);
}

impl Element for u8 {
    const ZERO: u8 = 0;
    const ONE: u8 = 1;
    #[inline]
    fn from_u8(number: u8) -> u8 {
        number
    }
    #[inline]
    fn add_one(&mut self) {
        *self += 1;
    }
    #[inline]
    fn take_one(&mut self) {
        *self = self.saturating_sub(1);
    }
}

impl Element for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    #[inline]
    fn from_u8(number: u8) -> f32 {
        f32::from(number)
    }
    #[inline]
    fn add_one(&mut self) {
        *self += 1.0;
    }
    #[inline]
    fn take_one(&mut self) {
        *self = (*self - 1.0).max(0.0);
    }
}

/// The places of an observation.
#[derive(Clone, Debug)]
pub struct Observation {
    seats: usize,
    size: usize,
    kinds: usize,
    /// The copies in the deck, by place of the card.
    copies: Vec<u8>,
    /// The kinds of debts by their places.
    debts: Vec<String>,
    rules: Vec<String>,
    at: Places,
    blocks: Vec<ObservationBlock>,
}

/// Where each block begins; `None` if it is absent.
#[derive(Clone, Debug, Default)]
struct Places {
    hand: usize,
    unseen: usize,
    top: usize,
    visible: Option<usize>,
    asked: usize,
    direction: usize,
    draw_pile: usize,
    debt: usize,
    debt_kind: Option<usize>,
    sevens: Option<usize>,
    skip: usize,
    suit: usize,
    suit_open: Option<usize>,
    request_rank: Option<usize>,
    request_suit: Option<usize>,
    drawn: usize,
    anything: usize,
    again: usize,
    snap: Option<usize>,
    owed_turn: Option<usize>,
    closing: Option<usize>,
    rounds_left: Option<usize>,
    hands: usize,
    turn: usize,
    mau_said: usize,
    requested_by: Option<usize>,
    raced_by: Option<usize>,
    skip_victim: Option<usize>,
    take_by: Option<usize>,
    take_from: Option<usize>,
    paused_by: Option<usize>,
    not_looked: Option<usize>,
    sealed: Option<usize>,
    points: Option<usize>,
    wins: Option<usize>,
    begun: Option<BegunPlaces>,
    run: Option<usize>,
    run_by: Option<usize>,
    rules: Option<usize>,
}

/// Where the play stands that is put together step by step.
#[derive(Clone, Copy, Debug)]
struct BegunPlaces {
    cards: usize,
    last: usize,
    open: Option<usize>,
}

impl Observation {
    pub(crate) fn new(
        vocabulary: &Vocabulary,
        table: &Vocabulary,
        actions: &Actions,
        rules: &Rules,
        places: usize,
    ) -> Observation {
        let (mut blocks, mut size) = (Vec::new(), 0);
        let mut block = |name: &'static str, length: usize| {
            blocks.push(ObservationBlock { name, at: size, size: length });
            size += length;
            size - length
        };
        let kinds = actions.cards().len();
        let universal = vocabulary != table;
        let seats = rules.seats();
        let matches = universal || rules.rounds() > 1;
        let at = Places {
            hand: block("own cards, copies", kinds),
            unseen: block("cards in other hands, sealed or in the draw pile, copies", kinds),
            top: block("top card", kinds),
            visible: (vocabulary.transparent || !vocabulary.stand_ins.is_empty())
                .then(|| block("topmost card that counts", kinds)),
            asked: block("asked to move, react, choose, deal", 4),
            direction: block("counterclockwise", 1),
            draw_pile: block("draw pile, thermometer in powers of two", DRAW_PILE),
            debt: block("cards owed, thermometer", DEBT),
            debt_kind: (table.debts.len() > 1 && !universal).then(|| block("kind of debt", table.debts.len())),
            sevens: vocabulary.owed_one_by_one.then(|| block("cards that make the debt, thermometer", SEVENS)),
            skip: block("seats to be skipped, thermometer", SKIPS),
            suit: block("suit to be served", SUITS),
            suit_open: vocabulary.stated_suits.then(|| block("a suit must be stated", 1)),
            request_rank: vocabulary.requests.then(|| block("requested value", Rank::COUNT)),
            request_suit: vocabulary.requests.then(|| block("requested suit", SUITS)),
            drawn: block("cards drawn in this turn, thermometer", DRAWN),
            anything: block("anything may be played", 1),
            again: block("a further card may be played", 1),
            snap: vocabulary.owes_words.then(|| block("the word for identical cards is due", 1)),
            owed_turn: vocabulary.free.then(|| block("a turn is owed after a free card", 1)),
            closing: vocabulary.closes.then(|| block("the round closes", 1)),
            rounds_left: matches.then(|| block("rounds left after this one, at most 255", 1)),
            hands: block("hand of each seat, thermometer", HAND * places),
            turn: block("seat to move", places),
            mau_said: block("has announced its last card", places),
            requested_by: vocabulary.requests.then(|| block("made the request", places)),
            raced_by: vocabulary.races.then(|| block("played the card of the race", places)),
            skip_victim: vocabulary.threats.then(|| block("is skipped unless it answers", places)),
            take_by: vocabulary.takes.then(|| block("must take a card", places)),
            take_from: vocabulary.takes.then(|| block("from which a card is taken", places)),
            paused_by: vocabulary.point_of_order.then(|| block("whose point of order lasts", places)),
            not_looked: vocabulary.looks.then(|| block("has not looked at its cards", places)),
            sealed: vocabulary.sealed.then(|| block("sealed cards, thermometer", SEALED * places)),
            points: matches.then(|| block("points above the lowest seat, at most 255", places)),
            wins: matches.then(|| block("rounds won, at most 255", places)),
            // What follows came later; it never changes the places above.
            begun: (!vocabulary.together.union(vocabulary.stand_ins).is_empty()).then(|| BegunPlaces {
                cards: block("cards of the play so far, copies", kinds),
                last: block("last card of the play so far", kinds),
                open: vocabulary.open_runs.then(|| block("the play leaves its run open", 1)),
            }),
            run: vocabulary.open_runs.then(|| block("suit of the open run", SUITS)),
            run_by: vocabulary.open_runs.then(|| block("left the run open", places)),
            rules: (!table.rules.is_empty()).then(|| block("rules that were added", table.rules.len())),
        };
        let copies = actions.cards().iter().map(|card| table.copies[card.index()]).collect();
        let (debts, rules) = (table.debts.clone(), table.rules.clone());
        Observation { seats, size, kinds, copies, debts, rules, at, blocks }
    }

    /// The size of an observation.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> &[ObservationBlock] {
        &self.blocks
    }

    /// Writes what `seat`, which is asked for `what` or not at all, may know into `out`, which must be as long as an
    /// observation: its `view`, and the cards that lie on the discard pile, which all have seen.
    ///
    /// # Panics
    /// If `out` is shorter, or the view is that of another table.
    pub fn write<T: Element>(
        &self,
        actions: &Actions,
        (seat, what): (Seat, Option<What>),
        view: &View,
        discards: &[Card],
        out: &mut [T],
    ) {
        let out = &mut out[..self.size];
        out.fill(T::ZERO);
        let at = &self.at;
        self.write_cards(actions, view, discards, out);
        let asked = what.map(|what| match what {
            What::Turn => 0,
            What::React => 1,
            What::Choose => 2,
            What::Deal => 3,
        });
        let ahead = |other: Seat| {
            let ahead = other.index() + self.seats - seat.index();
            if ahead < self.seats { ahead } else { ahead - self.seats }
        };
        flag(out, asked.map(|asked| at.asked + asked), true);
        flag(out, Some(at.direction), view.direction == Direction::Counterclockwise);
        fill::<DRAW_PILE, _>(out, at.draw_pile, (u16::BITS - view.draw_pile.leading_zeros()) as u16);
        self.write_pending(&view.pending, ahead, out);
        for (other, cards) in Seat::all(self.seats).zip(&view.hands) {
            fill::<HAND, _>(out, at.hands + HAND * ahead(other), *cards);
        }
        flag(out, view.turn.map(|turn| at.turn + ahead(turn)), true);
        view.mau_said.iter().for_each(|other| flag(out, Some(at.mau_said + ahead(other)), true));
        flag(out, at.paused_by.zip(view.point_of_order).map(|(at, other)| at + ahead(other)), true);
        if let Some(at) = at.not_looked {
            view.not_looked.iter().for_each(|other| flag(out, Some(at + ahead(other)), true));
        }
        if let Some(at) = at.sealed {
            for (other, cards) in Seat::all(self.seats).zip(&view.sealed) {
                fill::<SEALED, _>(out, at + SEALED * ahead(other), *cards);
            }
        }
        if let Some(at) = at.rules {
            let places = view.rules.iter().filter_map(|rule| self.rules.iter().position(|name| name == rule.as_str()));
            places.for_each(|place| flag(out, Some(at + place), true));
        }
        self.write_match(view, ahead, out);
    }

    /// Adds what the seat has `begun` of a play of several cards to what was written.
    #[inline]
    pub fn write_begun<T: Element>(&self, actions: &Actions, begun: &BegunPlay, out: &mut [T]) {
        let Some(at) = self.at.begun.filter(|_| !begun.is_nothing()) else { return };
        begun.cards.iter().chain(&begun.stand_in).for_each(|card| out[at.cards + actions.place(*card)].add_one());
        flag(out, begun.cards.last().map(|card| at.last + actions.place(*card)), true);
        flag(out, at.open, begun.open);
    }

    fn write_cards<T: Element>(&self, actions: &Actions, view: &View, discards: &[Card], out: &mut [T]) {
        let at = &self.at;
        let (own, unseen) = out.split_at_mut(at.unseen);
        let (own, unseen) = (&mut own[at.hand..], &mut unseen[..self.kinds]);
        unseen.iter_mut().zip(&self.copies).for_each(|(out, copies)| *out = T::from_u8(*copies));
        for card in &view.hand {
            let place = actions.place(*card);
            own[place].add_one();
            unseen[place].take_one();
        }
        discards.iter().for_each(|card| unseen[actions.place(*card)].take_one());
        flag(out, view.top.map(|card| at.top + actions.place(card)), true);
        let counts = view.visible.or(view.top);
        flag(out, at.visible.zip(counts).map(|(at, card)| at + actions.place(card)), true);
    }

    fn write_match<T: Element>(&self, view: &View, ahead: impl Fn(Seat) -> usize, out: &mut [T]) {
        let (Some(points_at), Some(wins_at), Some(rounds_at)) = (self.at.points, self.at.wins, self.at.rounds_left)
        else {
            return;
        };
        let lowest = view.points.iter().copied().min().unwrap_or(0);
        for (other, points) in Seat::all(self.seats).zip(&view.points) {
            out[points_at + ahead(other)] = T::from_u8(points.saturating_sub(lowest).min(255) as u8);
        }
        for (other, wins) in Seat::all(self.seats).zip(&view.wins) {
            out[wins_at + ahead(other)] = T::from_u8((*wins).min(255) as u8);
        }
        out[rounds_at] = T::from_u8(view.rounds.saturating_sub(view.round).min(255) as u8);
    }

    fn write_pending<T: Element>(&self, pending: &Pending, ahead: impl Fn(Seat) -> usize, out: &mut [T]) {
        let at = &self.at;
        flag(out, at.suit_open, pending.suit_open);
        flag(out, Some(at.anything), pending.anything);
        flag(out, Some(at.again), pending.again.is_some());
        flag(out, at.snap, pending.snap);
        flag(out, at.owed_turn, pending.owed_turn.is_some());
        flag(out, at.closing, pending.closing);
        flag(out, pending.suit.map(|suit| at.suit + suit.index()), true);
        flag(out, at.raced_by.zip(pending.joker).map(|(at, race)| at + ahead(race.by)), true);
        flag(out, at.skip_victim.zip(pending.skip_victim).map(|(at, victim)| at + ahead(victim)), true);
        flag(out, at.take_by.zip(pending.take).map(|(at, take)| at + ahead(take.by)), true);
        flag(out, at.take_from.zip(pending.take).map(|(at, take)| at + ahead(take.from)), true);
        if let Some(request) = pending.request {
            flag(out, at.requested_by.map(|at| at + ahead(request.by)), true);
            let place = match request.names {
                Choice::Rank(rank) => at.request_rank.map(|at| at + rank.index()),
                Choice::Suit(suit) => at.request_suit.map(|at| at + suit.index()),
                Choice::Seat(_) => None,
            };
            flag(out, place, true);
        }
        if let Some(run) = pending.run {
            flag(out, at.run.map(|at| at + run.suit.index()), true);
            flag(out, at.run_by.map(|at| at + ahead(run.by)), true);
        }
        if let (Some(at), Some(kind)) = (at.debt_kind, &pending.draw_kind) {
            let place = self.debts.iter().position(|debt| **debt == **kind);
            flag(out, place.map(|place| at + place), true);
        }
        fill::<DEBT, _>(out, at.debt, pending.draw);
        fill::<SKIPS, _>(out, at.skip, pending.skip);
        fill::<DRAWN, _>(out, at.drawn, pending.drawn);
        if let Some(at) = at.sevens {
            fill::<SEVENS, _>(out, at, pending.sevens);
        }
    }
}

/// Sets the place, if there is one and it `is_set`.
#[inline]
fn flag<T: Element>(out: &mut [T], at: Option<usize>, is_set: bool) {
    if let Some(at) = at.filter(|_| is_set) {
        out[at] = T::ONE;
    }
}

/// The most places of a thermometer, and so many that are set before as many that are not.
const MOST: usize = HAND;
const STEPS: [u8; 2 * MOST] = {
    let mut steps = [0; 2 * MOST];
    let mut place = 0;
    while place < MOST {
        steps[place] = 1;
        place += 1;
    }
    steps
};

/// Sets the first `count` of the `PLACES` from `at` on, of which none is set.
#[inline(always)]
fn fill<const PLACES: usize, T: Element>(out: &mut [T], at: usize, count: u16) {
    // Copied from a window on places that are set and others that are not: this takes one vector.
    let first = MOST - usize::from(count).min(PLACES);
    let steps = &STEPS[first..first + PLACES];
    out[at..at + PLACES].iter_mut().zip(steps).for_each(|(out, step)| *out = T::from_u8(*step));
}
