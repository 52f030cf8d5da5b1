//! What a seat can do now, without a list being made.

use maumau_protocol::{Card, CardSet, Choice, Seat, Suit, Verb};

use super::{Facing, Game, Phase};

/// The actions of one seat that [`Game::apply`] would accept, speech and calls aside. A small value: nothing is allocated
/// until it is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// Cards that may be laid.
    pub plays: CardSet,
    /// Those of them with which a suit may be named.
    pub choosing: CardSet,
    /// Those of them that need a suit.
    pub must_choose: CardSet,
    /// Whether the seat may draw.
    pub draw: bool,
    /// Whether it may pass.
    pub pass: bool,
    /// Whether it must name a suit.
    pub name_suit: bool,
    /// Whether it may turn up the first card.
    pub turn_up: bool,
}

impl Legal {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of actions in [`Legal::iter`].
    pub fn len(&self) -> usize {
        self.plays.len()
            + 4 * self.choosing.len()
            + usize::from(self.draw)
            + usize::from(self.pass)
            + 4 * usize::from(self.name_suit)
            + usize::from(self.turn_up)
            - self.must_choose.len()
    }

    /// The actions in a fixed order: plays by [`Card::index`], each without and then with every suit that may be named;
    /// draw; pass; suits to name; turn-up.
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        let plays = self.plays.iter().flat_map(move |card| self.plays_of(card));
        plays
            .chain(self.draw.then_some(Verb::Draw))
            .chain(self.pass.then_some(Verb::Pass))
            .chain(Suit::ALL.into_iter().filter(move |_| self.name_suit).map(|suit| Verb::Choose(Choice::Suit(suit))))
            .chain(self.turn_up.then_some(Verb::TurnUp))
    }

    fn plays_of(self, card: Card) -> impl Iterator<Item = Verb> {
        let silent = !self.must_choose.contains(card);
        let suits = Suit::ALL.into_iter().filter(move |_| self.choosing.contains(card));
        let choices = suits.map(|suit| Some(Choice::Suit(suit)));
        silent.then_some(None).into_iter().chain(choices).map(move |choose| Verb::Play { card, choose })
    }

    /// Action number `index` of [`Legal::iter`], found without making the ones before it.
    pub fn nth(self, index: usize) -> Option<Verb> {
        if self.choosing.is_empty() && index < self.plays.len() {
            return self.plays.nth(index).map(|card| Verb::Play { card, choose: None });
        }
        self.iter().nth(index)
    }

    /// Whether `verb` is among the actions.
    pub fn contains(self, verb: &Verb) -> bool {
        self.iter().any(|legal| legal == *verb)
    }
}

impl Game {
    /// What `seat` can do now.
    pub fn legal(&self, seat: Seat) -> Legal {
        match self.phase {
            Phase::TurnUp => Legal { turn_up: seat == self.table.dealer, ..Legal::default() },
            Phase::Play if seat == self.table.turn => self.legal_in_turn(seat),
            Phase::Play => self.legal_between_turns(seat),
            Phase::BetweenRounds | Phase::MatchOver => Legal::default(),
        }
    }

    fn legal_in_turn(&self, seat: Seat) -> Legal {
        let held = self.hand(seat).kinds();
        let mut plays = self.layable().intersect(held);
        if self.hand(seat).len() == 1 {
            plays =
                plays.iter().filter(|card| self.may_be_last(seat, *card, self.mau_with_last_card_counts())).collect();
        }
        Legal {
            draw: match self.table.facing {
                Facing::Ordinary { drawn, .. } => drawn < self.rules.set.turn.draws,
                Facing::Owed { .. } => true,
                Facing::Skipped { .. } | Facing::Again | Facing::Naming => false,
            },
            pass: self.may_pass(),
            name_suit: self.table.facing == Facing::Naming,
            ..self.plays(plays)
        }
    }

    /// Under option `mau_any_time` the last card may be laid if the word goes with it, so it is listed (K-43).
    fn mau_with_last_card_counts(&self) -> bool {
        self.rules.mau.as_ref().is_some_and(|mau| mau.any_time)
    }

    fn legal_between_turns(&self, seat: Seat) -> Legal {
        if self.rules.out_of_turn.is_empty() || !self.open_between_turns() {
            return Legal::default();
        }
        let held = self.hand(seat).kinds().intersect(self.rules.out_of_turn);
        let plays = held.iter().filter(|card| self.may_be_last(seat, *card, self.mau_with_last_card_counts()));
        self.plays(plays.collect())
    }

    fn plays(&self, plays: CardSet) -> Legal {
        Legal {
            plays,
            choosing: plays.intersect(self.rules.chooses),
            must_choose: plays.intersect(self.rules.must_choose),
            ..Legal::default()
        }
    }

    /// Whether `seat` can do something although it is not to move; the seats that are also asked (DESIGN §3).
    pub fn may_react(&self, seat: Seat) -> bool {
        self.turn().is_some_and(|turn| turn != seat) && !self.legal(seat).is_empty()
    }

    /// The seat that must act before anything else can happen.
    pub fn waits_for(&self) -> Option<Seat> {
        match self.phase {
            Phase::Play => Some(self.table.turn),
            Phase::TurnUp => Some(self.table.dealer),
            Phase::BetweenRounds | Phase::MatchOver => None,
        }
    }

    /// Whether the seat to move must name a suit.
    pub fn waits_for_suit(&self) -> bool {
        self.phase == Phase::Play && self.table.facing == Facing::Naming
    }
}
