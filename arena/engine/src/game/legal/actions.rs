//! The actions of a seat, as a value: nothing is allocated before they are listed. It does not know the position;
//! `legality` fills it in. Its iterators only read it.

use maumau_protocol::ruleset::Named;
use maumau_protocol::{Card, CardSet, Choice, Direction, Rank, RuleChoice, Seat, SeatSet, Suit, Verb};

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
        let mut count = 0;
        self.for_each(|_| count += 1);
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
        let rare = self.rare.as_ref();
        for card in self.plays.iter() {
            if self.silent.contains(card) {
                each(Verb::Play { card, choose: None });
            }
            if self.with_suit.contains(card) {
                for suit in self.with_suit.pack().suits() {
                    if rare.is_none_or(|rare| rare.allows(suit, Some(card))) {
                        each(Verb::Play { card, choose: Some(Choice::Suit(suit)) });
                    }
                }
            }
            if let Some(rare) = rare.filter(|rare| rare.with_rank.contains(card)) {
                rare.ranks().for_each(|rank| each(Verb::Play { card, choose: Some(Choice::Rank(rank)) }));
            }
            if let Some(rare) = rare.filter(|rare| rare.with_seat.contains(card)) {
                rare.seats.iter().for_each(|seat| each(Verb::Play { card, choose: Some(Choice::Seat(seat)) }));
            }
        }
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
                let suits = rare.ranks.pack().suits().into_iter().filter(|suit| rare.allows(*suit, None));
                suits.for_each(|suit| each(Verb::Choose(Choice::Suit(suit))));
            }
            Some(Named::Rank) => rare.ranks().for_each(|rank| each(Verb::Choose(Choice::Rank(rank)))),
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
            return self.nth_with(index);
        }
        let ways = self.ways();
        if index < ways {
            return self.nth_way(index);
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

    /// Way number `index` of these.
    #[inline]
    fn nth_way(&self, index: usize) -> Option<Verb> {
        // The place among the cards played in silence, once the ways with a suit are left out.
        let mut place = index;
        for card in self.with_suit.iter() {
            let first = self.silent.before(card).len() + usize::from(self.silent.contains(card));
            if place < first {
                break;
            }
            if let Some(suit) = self.with_suit.pack().suits().get(place - first) {
                return Some(Verb::Play { card, choose: Some(Choice::Suit(*suit)) });
            }
            place -= Suit::ALL.len();
        }
        self.silent.nth(place).map(|card| Verb::Play { card, choose: None })
    }

    #[cold]
    fn nth_with(&self, index: usize) -> Option<Verb> {
        let (mut place, mut found) = (0, None);
        self.for_each(|verb| {
            if place == index {
                found = Some(verb);
            }
            place += 1;
        });
        found
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
                    with_suit.pack().suits().into_iter().for_each(|suit| play(Some(Choice::Suit(suit))));
                }
                if with_rank.contains(stands_for) {
                    self.ranks().for_each(|rank| play(Some(Choice::Rank(rank))));
                }
                if with_seat.contains(stands_for) {
                    self.seats.iter().for_each(|seat| play(Some(Choice::Seat(seat))));
                }
            }
        }
    }

    /// Whether `suit` may be named: with a card, or because a suit is awaited.
    fn allows(&self, suit: Suit, with: Option<Card>) -> bool {
        let bound = with.is_none_or(|card| self.new_suit.contains(card));
        let own = with.filter(|_| bound).and_then(Card::suit);
        !(bound && (self.barred.contains(&Some(suit)) || own == Some(suit)))
    }

    fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.ranks.pack().ranks().into_iter().filter(move |rank| !self.ranks.intersect(CardSet::rank(*rank)).is_empty())
    }
}
