//! What a seat can do now, as a value: nothing is allocated until it is listed.

use maumau_protocol::ruleset::Named;
use maumau_protocol::{Card, CardSet, Choice, Direction, Rank, Seat, SeatSet, Suit, Verb};

/// The actions of one seat that [`Game::apply`](super::Game::apply) would accept, speech and calls aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// Cards that may be laid.
    pub plays: CardSet,
    /// Those of them that may be laid without naming anything.
    pub silent: CardSet,
    /// Those of them with which a suit may be named.
    pub with_suit: CardSet,
    /// Whether the seat may draw.
    pub draw: bool,
    /// Whether it may pass.
    pub pass: bool,
    /// What most turns have nothing of.
    pub besides: Option<Besides>,
}

/// What a seat can do besides laying cards, with a suit or in silence, drawing and passing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Besides {
    /// Cards with which a new suit must be named, neither the card's own nor one of `barred`.
    pub new_suit: CardSet,
    /// Suits that may not be named, where a new one must be.
    pub barred: [Option<Suit>; 2],
    /// Cards with which a value may be named.
    pub with_rank: CardSet,
    /// The values that may be named, as cards of the pack.
    pub ranks: CardSet,
    /// What the seat must name.
    pub name: Option<Named>,
    /// Hands from which it has to take a card.
    pub takes: SeatSet,
    /// What is left to deal.
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

/// What a dealer has left to deal.
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
    /// Cards to deal in all.
    pub all: u16,
    /// Only these seats, a card each: those that have none yet, where there are too few cards for more.
    pub only: SeatSet,
}

impl DealLeft {
    /// The receivers that are left, in proper order.
    pub fn receivers(self) -> Vec<Seat> {
        let seats = usize::from(self.seats);
        let receiver = |card| self.dealer.step(self.direction, usize::from(1 + card % self.seats), seats);
        match self.only.is_empty() {
            true => (self.dealt..self.all).map(receiver).collect(),
            false => (0..self.seats).map(receiver).filter(|seat| self.only.contains(*seat)).collect(),
        }
    }
}

impl Legal {
    /// Nothing but what is possible besides.
    pub(super) fn only(besides: Besides) -> Legal {
        Legal { besides: Some(besides), ..Legal::default() }
    }

    /// Whether there is nothing to do.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let plain = !self.plays.is_empty() || self.draw || self.pass;
        !plain && self.besides.is_none_or(|besides| besides.is_empty())
    }

    /// The number of actions in [`Legal::iter`].
    #[inline]
    pub fn len(&self) -> usize {
        match self.besides {
            None => self.ways() + usize::from(self.draw) + usize::from(self.pass),
            Some(besides) => self.len_with(besides),
        }
    }

    #[cold]
    fn len_with(&self, besides: Besides) -> usize {
        let free_suits = self.with_suit.without(besides.new_suit).len();
        let new_suits: usize = besides.new_suit.iter().map(|card| besides.suits(Some(card)).count()).sum();
        let with_rank =
            if besides.with_rank.is_empty() { 0 } else { besides.with_rank.len() * besides.ranks().count() };
        let plays = self.silent.len() + Suit::ALL.len() * free_suits + new_suits + with_rank;
        besides.musts()
            + plays
            + usize::from(self.draw)
            + usize::from(self.pass)
            + besides.names().count()
            + usize::from(besides.deal.is_some())
            + usize::from(besides.deal_penalties)
            + usize::from(besides.turn_up)
    }

    /// The actions in a fixed order: takes that are ordered, a look at the cards, the end of a point of order; plays by
    /// [`Card::index`], each without and then with everything that may be named; draw; pass; what must be named; the parts
    /// of a deal.
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        let besides = self.besides.unwrap_or_default();
        let plays = self.plays.iter().flat_map(move |card| self.plays_of(card));
        let takes = besides.takes.iter().map(|from| Verb::Take { from });
        takes
            .chain(besides.look.then_some(Verb::Look))
            .chain(besides.end_point_of_order.then_some(Verb::EndPointOfOrder))
            .chain(plays)
            .chain(self.draw.then_some(Verb::Draw))
            .chain(self.pass.then_some(Verb::Pass))
            .chain(besides.names().map(Verb::Choose))
            .chain(besides.deal.map(|left| Verb::Deal { to: left.receivers() }))
            .chain(besides.deal_penalties.then_some(Verb::DealPenalties))
            .chain(besides.turn_up.then_some(Verb::TurnUp))
    }

    /// How many of the first actions of [`Legal::iter`] are to be done before anything else.
    #[inline]
    pub fn musts(&self) -> usize {
        self.besides.map_or(0, |besides| besides.musts())
    }

    /// The ways of laying `card`: in silence, then with each suit, then with each value that may be named.
    fn plays_of(self, card: Card) -> impl Iterator<Item = Verb> {
        let besides = self.besides.unwrap_or_default();
        let suits = besides.suits(Some(card)).filter(move |_| self.with_suit.contains(card)).map(Choice::Suit);
        let ranks = besides.ranks().filter(move |_| besides.with_rank.contains(card)).map(Choice::Rank);
        let silent = self.silent.contains(card).then_some(None);
        silent.into_iter().chain(suits.chain(ranks).map(Some)).map(move |choose| Verb::Play { card, choose })
    }

    /// Action number `index` of [`Legal::iter`], in most turns found without making the ones before it.
    #[inline(always)]
    pub fn nth(&self, index: usize) -> Option<Verb> {
        if self.besides.is_some() {
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

    /// The ways of laying cards where nothing but a suit can be named.
    #[inline]
    fn ways(&self) -> usize {
        self.silent.len() + Suit::ALL.len() * self.with_suit.len()
    }

    /// Way number `index` of these.
    #[inline]
    fn nth_way(&self, index: usize) -> Option<Verb> {
        // The place among what is laid in silence, once the ways with a suit are left out.
        let mut place = index;
        for card in self.with_suit.iter() {
            let first = self.silent.before(card).len() + usize::from(self.silent.contains(card));
            if place < first {
                break;
            }
            if let Some(suit) = Suit::ALL.get(place - first) {
                return Some(Verb::Play { card, choose: Some(Choice::Suit(*suit)) });
            }
            place -= Suit::ALL.len();
        }
        self.silent.nth(place).map(|card| Verb::Play { card, choose: None })
    }

    #[cold]
    fn nth_with(&self, index: usize) -> Option<Verb> {
        self.iter().nth(index)
    }

    /// Hands the actions of [`Legal::iter`] to `each`, one after another; in most turns without looking for the rare ones.
    pub fn for_each(&self, mut each: impl FnMut(Verb)) {
        if self.besides.is_some() {
            return self.iter().for_each(each);
        }
        for card in self.plays.iter() {
            let silent = self.silent.contains(card).then_some(None);
            let suits = if self.with_suit.contains(card) { &Suit::ALL[..] } else { &[] };
            for choose in silent.into_iter().chain(suits.iter().map(|suit| Some(Choice::Suit(*suit)))) {
                each(Verb::Play { card, choose });
            }
        }
        if self.draw {
            each(Verb::Draw);
        }
        if self.pass {
            each(Verb::Pass);
        }
    }

    /// Whether `verb` is among the actions.
    pub fn contains(&self, verb: &Verb) -> bool {
        self.iter().any(|legal| legal == *verb)
    }
}

impl Besides {
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.deal.is_none() && !self.deal_penalties && !self.turn_up && self.musts() == 0
    }

    fn musts(&self) -> usize {
        self.takes.len() + usize::from(self.look) + usize::from(self.end_point_of_order)
    }

    /// What the seat can name where something is waited for.
    fn names(self) -> impl Iterator<Item = Choice> {
        let suits = self.suits(None).filter(move |_| self.name == Some(Named::Suit)).map(Choice::Suit);
        suits.chain(self.ranks().filter(move |_| self.name == Some(Named::Rank)).map(Choice::Rank))
    }

    /// The suits that may be named: with a card, or where one is waited for.
    fn suits(self, with: Option<Card>) -> impl Iterator<Item = Suit> {
        let bound = with.is_none_or(|card| self.new_suit.contains(card));
        let own = with.filter(|_| bound).and_then(Card::suit);
        Suit::ALL.into_iter().filter(move |suit| !(bound && (self.barred.contains(&Some(*suit)) || own == Some(*suit))))
    }

    fn ranks(self) -> impl Iterator<Item = Rank> {
        Rank::all().filter(move |rank| !self.ranks.intersect(CardSet::rank(*rank)).is_empty())
    }
}
