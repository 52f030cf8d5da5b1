//! The actions of a seat, as a value: nothing is allocated before they are listed. It does not know the position;
//! `legality` fills it in. Its iterators only read it.

use maumau_protocol::ruleset::Named;
use maumau_protocol::{Card, CardSet, Choice, Direction, Pack, RuleChoice, Seat, SeatSet, Suit, Verb};

use crate::game::Game;

/// The actions of one seat that [`Game::apply`](crate::game::Game::apply) would accept, speech and calls aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal<'a> {
    /// Cards that may be played.
    pub plays: CardSet,
    /// Those that may be played without naming anything.
    pub silent: CardSet,
    /// Those with which a suit may be named.
    pub with_suit: CardSet,
    /// Whether the seat may draw.
    pub draw: bool,
    /// Whether it may pass.
    pub pass: bool,
    /// Rare actions; `None` in most turns.
    pub rare: Option<RareActions<'a>>,
}

/// Actions other than drawing, passing and playing cards silently or with any suit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RareActions<'a> {
    /// Cards with which a new suit must be named, neither the card's own nor one of `barred`.
    pub new_suit: CardSet,
    /// Suits that may not be named where a new one must be.
    pub barred: [Option<Suit>; 2],
    /// Cards with which a value may be named.
    pub with_rank: CardSet,
    /// The values that may be named, as cards of the pack.
    pub ranks: CardSet,
    /// Cards with which one of `seats` must be chosen.
    pub with_seat: CardSet,
    /// The seats that may be chosen.
    pub seats: SeatSet,
    /// The kind of choice that the seat must make.
    pub name: Option<Named>,
    /// Cards that may be played as others (G-79).
    pub stand_ins: Option<StandIns>,
    /// Whether it may challenge the card that it owes cards for.
    pub challenge: bool,
    /// The rule of the menu that it must choose (G-74).
    pub rule: Option<&'a RuleChoice>,
    /// Hands from which it must take a card.
    pub takes: SeatSet,
    /// The rest of a deal.
    pub deal: Option<DealLeft>,
    /// Whether it may deal out outstanding penalty cards.
    pub deal_penalties: bool,
    /// Whether it may turn up the first card.
    pub turn_up: bool,
    /// Whether it may look at its cards.
    pub look: bool,
    /// Whether it may end its point of order.
    pub end_point_of_order: bool,
}

/// Cards that may be played as others, each of them as any of the same ones (G-79).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIns {
    /// The cards in the hand.
    pub cards: CardSet,
    /// The cards for which each may stand.
    pub plays: CardSet,
    /// Those of `plays` with which nothing need be named.
    pub silent: CardSet,
    /// Those with which a suit may be named.
    pub with_suit: CardSet,
    /// Those with which a value may be named.
    pub with_rank: CardSet,
    /// Those with which a seat must be chosen.
    pub with_seat: CardSet,
}

/// The rest of a deal, for its dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealLeft {
    /// Who deals.
    pub dealer: Seat,
    /// The direction of play.
    pub direction: Direction,
    /// Seats at the table.
    pub seats: u16,
    /// Cards dealt already.
    pub dealt: u16,
    /// Cards to deal in total.
    pub all: u16,
    /// If there are too few cards for more, only these seats may get one: those that have none yet.
    pub only: SeatSet,
}

impl DealLeft {
    /// The remaining receivers, in proper order.
    pub fn receivers(self) -> Vec<Seat> {
        let seats = usize::from(self.seats);
        let receiver = |card| self.dealer.step(self.direction, usize::from(1 + card % self.seats), seats);
        match self.only.is_empty() {
            true => (self.dealt..self.all).map(receiver).collect(),
            false => (0..self.seats).map(receiver).filter(|seat| self.only.contains(*seat)).collect(),
        }
    }
}

impl<'a> Legal<'a> {
    /// Only rare actions.
    pub(super) fn only(rare: RareActions<'a>) -> Legal<'a> {
        Legal { rare: Some(rare), ..Legal::default() }
    }

    /// Whether there are no actions.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let plain = !self.plays.is_empty() || self.draw || self.pass;
        !plain && self.rare.as_ref().is_none_or(RareActions::is_empty)
    }

    /// The number of actions.
    #[inline]
    pub fn len(&self) -> usize {
        match self.rare {
            None => self.ways() + usize::from(self.draw) + usize::from(self.pass),
            Some(_) => self.count(),
        }
    }

    #[cold]
    fn count(&self) -> usize {
        let mut count = self.musts() + self.ways_with_rare();
        self.for_each_rest(|_| count += 1);
        count
    }

    /// Passes the actions to `each` in a fixed order: those of [`Legal::for_each_must`], then those of
    /// [`Legal::for_each_other`].
    pub fn for_each(&self, mut each: impl FnMut(Verb)) {
        self.for_each_must(&mut each);
        self.for_each_other(each);
    }

    /// The actions that come first: takes that were ordered, a look at the cards, the end of a point of order.
    pub fn for_each_must(&self, mut each: impl FnMut(Verb)) {
        let Some(rare) = &self.rare else { return };
        rare.takes.iter().for_each(|from| each(Verb::Take { from }));
        if rare.look {
            each(Verb::Look);
        }
        if rare.end_point_of_order {
            each(Verb::EndPointOfOrder);
        }
    }

    /// All other actions: plays by [`Card::index`], each without and then with everything that may be named; in the same order the
    /// cards for which others may stand; draw; pass; challenge; things that must be named; rules that can be added; the parts of a deal.
    pub fn for_each_other(&self, mut each: impl FnMut(Verb)) {
        for card in self.plays.iter() {
            if self.silent.contains(card) {
                each(Verb::Play { card, choose: None });
            }
            self.for_each_choice(card, |choice| each(Verb::Play { card, choose: Some(choice) }));
        }
        self.for_each_rest(each);
    }

    /// Passes everything that may be named with `card`, which may be played, to `each`.
    #[inline]
    fn for_each_choice(&self, card: Card, mut each: impl FnMut(Choice)) {
        if self.with_suit.contains(card) {
            self.suits_with(card).iter(self.with_suit.pack()).for_each(|suit| each(Choice::Suit(suit)));
        }
        let Some(rare) = &self.rare else { return };
        if rare.with_rank.contains(card) {
            rare.ranks.ranks().for_each(|rank| each(Choice::Rank(rank)));
        }
        if rare.with_seat.contains(card) {
            rare.seats.iter().for_each(|seat| each(Choice::Seat(seat)));
        }
    }

    /// How much may be named with `card`.
    #[inline]
    fn choices_with(&self, card: Card) -> usize {
        let suits = if self.with_suit.contains(card) { self.suits_with(card).len() } else { 0 };
        let Some(rare) = &self.rare else { return suits };
        let ranks = if rare.with_rank.contains(card) { rare.ranks.ranks().len() } else { 0 };
        suits + ranks + if rare.with_seat.contains(card) { rare.seats.len() } else { 0 }
    }

    /// The suits that may be named with `card`, with which one may be.
    #[inline]
    fn suits_with(&self, card: Card) -> Suits {
        match self.rare.as_ref().filter(|rare| rare.new_suit.contains(card)) {
            None => Suits::ALL,
            Some(rare) => rare.new_suits(card.suit()),
        }
    }

    /// The actions after the plays of cards as themselves.
    #[inline]
    fn for_each_rest(&self, mut each: impl FnMut(Verb)) {
        let rare = self.rare.as_ref();
        if let Some(rare) = rare {
            rare.for_each_stand_in(&mut each);
        }
        if self.draw {
            each(Verb::Draw);
        }
        if self.pass {
            each(Verb::Pass);
        }
        let Some(rare) = rare else { return };
        if rare.challenge {
            each(Verb::Challenge);
        }
        match rare.name {
            None => {}
            Some(Named::Suit) => {
                let suits = rare.new_suits(None);
                suits.iter(rare.ranks.pack()).for_each(|suit| each(Verb::Choose(Choice::Suit(suit))));
            }
            Some(Named::Rank) => rare.ranks.ranks().for_each(|rank| each(Verb::Choose(Choice::Rank(rank)))),
        }
        rare.rule.into_iter().flat_map(Game::rule_verbs).for_each(&mut each);
        if let Some(left) = rare.deal {
            each(Verb::Deal { to: left.receivers() });
        }
        if rare.deal_penalties {
            each(Verb::DealPenalties);
        }
        if rare.turn_up {
            each(Verb::TurnUp);
        }
    }

    /// The actions of [`Legal::for_each`] as a list.
    pub fn iter(&self) -> std::vec::IntoIter<Verb> {
        let mut verbs = Vec::with_capacity(self.len());
        self.for_each(|verb| verbs.push(verb));
        verbs.into_iter()
    }

    /// The number of actions of [`Legal::for_each_must`].
    #[inline]
    pub fn musts(&self) -> usize {
        self.rare.as_ref().map_or(0, RareActions::musts)
    }

    /// Action number `index` of [`Legal::for_each`], in most turns found without making the ones before it.
    #[inline(always)]
    pub fn nth(&self, index: usize) -> Option<Verb> {
        if self.rare.is_some() {
            return self.nth_with_rare(index);
        }
        let ways = self.ways();
        if index < ways {
            let suits = self.with_suit.pack().suits();
            return self.nth_way(index, self.with_suit, |_| suits.len(), |_, nth| Some(Choice::Suit(suits[nth])));
        }
        match (index - ways, self.draw, self.pass) {
            (0, true, _) => Some(Verb::Draw),
            (0, false, true) | (1, true, true) => Some(Verb::Pass),
            _ => None,
        }
    }

    /// The ways to play cards when only a suit can be named.
    #[inline]
    fn ways(&self) -> usize {
        self.silent.len() + Suit::ALL.len() * self.with_suit.len()
    }

    /// As [`Legal::ways`], where there are rare actions.
    fn ways_with_rare(&self) -> usize {
        self.silent.len() + self.namers().iter().map(|card| self.choices_with(card)).sum::<usize>()
    }

    /// Cards with which something may be named.
    fn namers(&self) -> CardSet {
        self.rare.as_ref().map_or(self.with_suit, |rare| self.with_suit.union(rare.with_rank).union(rare.with_seat))
    }

    /// Way number `index` to play a card, where something may be named with each of `namers`: so many `choices`, of which `nth` gives
    /// one by its number.
    #[inline(always)]
    fn nth_way(
        &self,
        index: usize,
        namers: CardSet,
        choices: impl Fn(Card) -> usize,
        nth: impl Fn(Card, usize) -> Option<Choice>,
    ) -> Option<Verb> {
        // The place among the cards played in silence, once the ways that name something are left out.
        let mut place = index;
        for card in namers.iter() {
            let first = self.silent.before(card).len() + usize::from(self.silent.contains(card));
            if place < first {
                break;
            }
            let choices = choices(card);
            if place - first < choices {
                return Some(Verb::Play { card, choose: nth(card, place - first) });
            }
            place -= choices;
        }
        self.silent.nth(place).map(|card| Verb::Play { card, choose: None })
    }

    /// As [`Legal::nth`], where there are rare actions.
    #[cold]
    fn nth_with_rare(&self, index: usize) -> Option<Verb> {
        let Some(way) = index.checked_sub(self.musts()) else {
            return nth_of(index, |each| self.for_each_must(each));
        };
        let ways = self.ways_with_rare();
        if way >= ways {
            return nth_of(way - ways, |each| self.for_each_rest(each));
        }
        let choices = |card| self.choices_with(card);
        self.nth_way(way, self.namers(), choices, |card, nth| nth_of(nth, |each| self.for_each_choice(card, each)))
    }

    /// Whether `verb` is among the actions.
    pub fn contains(&self, verb: &Verb) -> bool {
        let mut is_there = false;
        self.for_each(|legal| is_there |= legal == *verb);
        is_there
    }
}

impl RareActions<'_> {
    fn is_empty(&self) -> bool {
        self.name.is_none()
            && !self.challenge
            && self.stand_ins.is_none()
            && self.rule.is_none()
            && self.deal.is_none()
            && !self.deal_penalties
            && !self.turn_up
            && self.musts() == 0
    }

    fn musts(&self) -> usize {
        self.takes.len() + usize::from(self.look) + usize::from(self.end_point_of_order)
    }

    /// Passes each card that may be played as another to `each`, with everything that may be named.
    fn for_each_stand_in(&self, mut each: impl FnMut(Verb)) {
        let Some(StandIns { cards, plays, silent, with_suit, with_rank, with_seat }) = self.stand_ins else { return };
        for card in cards.iter() {
            for stands_for in plays.iter() {
                let mut play = |choose| each(Verb::PlayAs { card, stands_for, choose });
                if silent.contains(stands_for) {
                    play(None);
                }
                if with_suit.contains(stands_for) {
                    Suits::ALL.iter(with_suit.pack()).for_each(|suit| play(Some(Choice::Suit(suit))));
                }
                if with_rank.contains(stands_for) {
                    self.ranks.ranks().for_each(|rank| play(Some(Choice::Rank(rank))));
                }
                if with_seat.contains(stands_for) {
                    self.seats.iter().for_each(|seat| play(Some(Choice::Seat(seat))));
                }
            }
        }
    }

    /// The suits that may be named where a new one must be, instead of `own`.
    #[inline]
    fn new_suits(&self, own: Option<Suit>) -> Suits {
        [own, self.barred[0], self.barred[1]].into_iter().flatten().fold(Suits::ALL, Suits::without)
    }
}

/// Number `index` of what `for_each` passes on.
fn nth_of<T>(index: usize, for_each: impl FnOnce(&mut dyn FnMut(T))) -> Option<T> {
    let (mut place, mut found) = (0, None);
    for_each(&mut |item| {
        if place == index {
            found = Some(item);
        }
        place += 1;
    });
    found
}

/// Some of the four suits of a pack, a bit each by [`Suit::index`].
#[derive(Clone, Copy)]
struct Suits(u8);

impl Suits {
    const ALL: Suits = Suits(0b1111);

    fn without(self, suit: Suit) -> Suits {
        Suits(self.0 & !(1 << suit.index()))
    }

    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    fn iter(self, pack: Pack) -> impl Iterator<Item = Suit> {
        pack.suits().into_iter().filter(move |suit| self.0 >> suit.index() & 1 == 1)
    }
}
