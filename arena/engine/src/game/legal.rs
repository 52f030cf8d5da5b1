//! What a seat can do now, without a list being made.

use maumau_protocol::ruleset::Named;
use maumau_protocol::{Card, CardSet, Choice, Direction, Rank, Seat, SeatSet, Suit, Verb};

use super::{Facing, Game, Phase};

/// The actions of one seat that [`Game::apply`] would accept, speech and calls aside. A small value: nothing is allocated
/// until it is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// Cards that may be laid.
    pub plays: CardSet,
    /// Those of them that may be laid without naming anything.
    pub silent: CardSet,
    /// Those of them with which a suit may be named.
    pub with_suit: CardSet,
    /// Those of these with which a new suit must be named, neither the card's own nor one of `barred`.
    pub new_suit: CardSet,
    /// Suits that may not be named, where a new one must be.
    pub barred: [Option<Suit>; 2],
    /// Those of them with which a value may be named.
    pub with_rank: CardSet,
    /// The values that may be named, as cards of the pack.
    pub ranks: CardSet,
    /// Whether the seat may draw.
    pub draw: bool,
    /// Whether it may pass.
    pub pass: bool,
    /// What it must name.
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
    /// Whether there is nothing to do.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.plays.is_empty()
            && !self.draw
            && !self.pass
            && self.name.is_none()
            && self.takes.is_empty()
            && self.deal.is_none()
            && !self.deal_penalties
            && !self.turn_up
            && !self.look
            && !self.end_point_of_order
    }

    /// The number of actions in [`Legal::iter`].
    #[inline]
    pub fn len(&self) -> usize {
        let names = match self.name {
            None => 0,
            Some(Named::Suit) => self.suits(None).count(),
            Some(Named::Rank) => self.ranks().count(),
        };
        let with_rank = if self.with_rank.is_empty() { 0 } else { self.with_rank.len() * self.ranks().count() };
        let with_suit = if self.with_suit.is_empty() { 0 } else { 4 * self.with_suit.without(self.new_suit).len() };
        self.silent.len()
            + with_suit
            + self.new_suit.iter().map(|card| self.suits(Some(card)).count()).sum::<usize>()
            + with_rank
            + usize::from(self.draw)
            + usize::from(self.pass)
            + names
            + self.musts()
            + usize::from(self.deal.is_some())
            + usize::from(self.deal_penalties)
            + usize::from(self.turn_up)
    }

    /// The actions in a fixed order: takes that are ordered, a look at the cards, the end of a point of order; plays by
    /// [`Card::index`], each without and then with everything that may be named; draw; pass; what must be named; the parts
    /// of a deal.
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        let plays = self.plays.iter().flat_map(move |card| self.plays_of(card));
        let takes = self.takes.iter().map(|from| Verb::Take { from });
        takes
            .chain(self.look.then_some(Verb::Look))
            .chain(self.end_point_of_order.then_some(Verb::EndPointOfOrder))
            .chain(plays)
            .chain(self.draw.then_some(Verb::Draw))
            .chain(self.pass.then_some(Verb::Pass))
            .chain(self.after_pass())
    }

    /// The actions that come after a pass in [`Legal::iter`].
    fn after_pass(self) -> impl Iterator<Item = Verb> {
        let suits = self.suits(None).filter(move |_| self.name == Some(Named::Suit)).map(Choice::Suit);
        let ranks = self.ranks().filter(move |_| self.name == Some(Named::Rank)).map(Choice::Rank);
        let names = suits.chain(ranks).map(Verb::Choose);
        names
            .chain(self.deal.map(|left| Verb::Deal { to: left.receivers() }))
            .chain(self.deal_penalties.then_some(Verb::DealPenalties))
            .chain(self.turn_up.then_some(Verb::TurnUp))
    }

    /// How many of the first actions of [`Legal::iter`] are to be done before anything else.
    #[inline]
    pub fn musts(self) -> usize {
        let takes = if self.takes.is_empty() { 0 } else { self.takes.len() };
        takes + usize::from(self.look) + usize::from(self.end_point_of_order)
    }

    fn plays_of(self, card: Card) -> impl Iterator<Item = Verb> {
        (0..).map_while(move |way| self.play_of(card, way).ok())
    }

    /// Way number `way` of laying `card`: in silence, then with each suit, then with each value that may be named; past
    /// the last one, how far past.
    #[inline]
    fn play_of(self, card: Card, way: usize) -> Result<Verb, usize> {
        let mut left = way;
        if self.silent.contains(card) {
            match left {
                0 => return Ok(Verb::Play { card, choose: None }),
                _ => left -= 1,
            }
        }
        let with = |choice| Ok(Verb::Play { card, choose: Some(choice) });
        if self.with_suit.contains(card) {
            for suit in self.suits(Some(card)) {
                match left {
                    0 => return with(Choice::Suit(suit)),
                    _ => left -= 1,
                }
            }
        }
        if self.with_rank.contains(card) {
            for rank in self.ranks() {
                match left {
                    0 => return with(Choice::Rank(rank)),
                    _ => left -= 1,
                }
            }
        }
        Err(left)
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

    /// Action number `index` of [`Legal::iter`], found without making the ones before it.
    #[inline]
    pub fn nth(self, index: usize) -> Option<Verb> {
        let musts = self.musts();
        if index < musts {
            return self.iter().nth(index);
        }
        let mut left = index - musts;
        for card in self.plays.iter() {
            match self.play_of(card, left) {
                Ok(play) => return Some(play),
                Err(past) => left = past,
            }
        }
        match (left, self.draw, self.pass) {
            (0, true, _) => Some(Verb::Draw),
            (0, false, true) | (1, true, true) => Some(Verb::Pass),
            _ => self.after_pass().nth(left - usize::from(self.draw) - usize::from(self.pass)),
        }
    }

    /// Whether `verb` is among the actions.
    pub fn contains(self, verb: &Verb) -> bool {
        self.iter().any(|legal| legal == *verb)
    }
}

impl Game {
    /// What `seat` can do now.
    #[inline]
    pub fn legal(&self, seat: Seat) -> Legal {
        if self.rests() || !self.table.looked.contains(seat) {
            return self.legal_apart(seat);
        }
        match self.phase {
            Phase::Deal => self.legal_deal(seat),
            Phase::TurnUp => Legal { turn_up: seat == self.table.dealer, ..Legal::default() },
            Phase::Play if seat == self.table.turn => self.legal_in_turn(seat),
            Phase::Play => self.legal_between_turns(seat),
            Phase::BetweenRounds | Phase::MatchOver => Legal::default(),
        }
    }

    #[inline]
    fn legal_in_turn(&self, seat: Seat) -> Legal {
        let mut plays = self.playable(seat);
        if !self.rules.interject.is_empty() {
            plays = plays.union(self.twins_of(seat));
        }
        let mut legal = self.plays(plays);
        legal.takes = self.takes_of(seat);
        legal.draw = match self.table.facing {
            Facing::Ordinary { drawn, .. } => {
                drawn < self.rules.set.turn.draws && self.may_draw_while_closing() && !self.is_dry()
            }
            Facing::Owed { .. } | Facing::Race { .. } => true,
            Facing::Again { must: true } => self.may_draw_instead(seat),
            Facing::Skipped { .. } | Facing::Again { must: false } | Facing::Naming => false,
        };
        legal.pass = self.may_pass();
        legal.name = self.waits_for_name();
        legal
    }

    /// While play rests, or before the seat has looked at its cards (P-05, P-96). A draw out of turn, its own penalty
    /// where it is possible, is never listed (P-75).
    fn legal_apart(&self, seat: Seat) -> Legal {
        let in_round = matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play);
        let covered = in_round && !self.is_paused() && !self.table.looked.contains(seat);
        let dealer_first = seat == self.table.dealer || self.table.looked.contains(self.table.dealer);
        let dealt = self.phase != Phase::Deal || self.dealing_is_complete();
        let moves = match self.phase {
            _ if self.rests() => Legal::default(),
            Phase::Deal => self.legal_deal(seat),
            Phase::TurnUp => Legal { turn_up: seat == self.table.dealer, ..Legal::default() },
            Phase::Play if seat == self.table.turn || self.is_racing(seat) => {
                Legal { draw: self.legal_in_turn(seat).draw, ..Legal::default() }
            }
            _ => Legal::default(),
        };
        Legal {
            look: covered && dealer_first && dealt && !self.hand(seat).is_empty(),
            end_point_of_order: self.point_of_order() == Some(seat),
            ..moves
        }
    }

    /// Hands from which `seat` has to take a card.
    fn takes_of(&self, seat: Seat) -> SeatSet {
        if self.table.takes.is_empty() {
            return SeatSet::EMPTY;
        }
        self.table.takes.iter().filter(|order| order.by == seat).map(|order| order.from).collect()
    }

    fn legal_deal(&self, seat: Seat) -> Legal {
        if seat != self.dealing_seat() {
            return Legal::default();
        }
        let (dealt, all) = (self.dealt_cards(), self.rules.deal_cards * self.seats());
        let (dealer, direction, seats) = (seat, self.table.direction, self.seats() as u16);
        let only = SeatSet::EMPTY;
        let left = DealLeft { dealer, direction, seats, dealt: dealt as u16, all: all as u16, only };
        // Who has dealt so that somebody has nothing can at least mend that.
        let lacking = self.without_card(&[]);
        let mending = (self.deals_freely() && !lacking.is_empty()).then_some(DealLeft { only: lacking, ..left });
        let mut deals = (dealt < all).then_some(left).into_iter().chain(mending);
        Legal {
            deal: deals.find(|left| self.may_deal(seat, &left.receivers())),
            deal_penalties: dealt >= all && self.owes_penalty_deal(),
            turn_up: dealt > 0 && self.dealing_is_complete(),
            ..Legal::default()
        }
    }

    /// Free cards in the hand of `seat`, which anybody may lay at any time.
    fn free_plays(&self, seat: Seat) -> CardSet {
        let held = self.hand(seat).kinds().intersect(self.rules.free);
        if held.is_empty() || self.table.facing == Facing::Naming {
            return CardSet::EMPTY;
        }
        held.iter().filter(|card| self.is_free(*card)).collect()
    }

    /// The cards in the hand of the seat to move that it may lay.
    #[inline]
    pub(super) fn playable(&self, seat: Seat) -> CardSet {
        let held = self.hand(seat).kinds();
        let mut plays = self.layable().intersect(held);
        if !plays.intersect(self.rules.choosy).is_empty() {
            plays = plays.iter().filter(|card| !self.is_barred_here(*card)).collect();
        }
        if self.rules.closes && self.is_closing() && !self.is_answer(seat) {
            plays = CardSet::EMPTY;
        }
        plays = self.without_barred(seat, plays);
        if self.rules.free.is_empty() { plays } else { plays.union(self.free_plays(seat)) }
    }

    fn without_barred(&self, seat: Seat, plays: CardSet) -> CardSet {
        if !self.rules.bars_last || self.hand(seat).len() > 1 {
            return plays;
        }
        // Under option `mau_any_time` the last card may be laid if the word goes with it, so it is listed (K-43).
        let word = self.rules.mau.as_ref().is_some_and(|mau| mau.any_time);
        plays.iter().filter(|card| self.may_be_last(seat, *card, word)).collect()
    }

    fn legal_between_turns(&self, seat: Seat) -> Legal {
        if self.is_racing(seat) {
            return Legal { draw: true, ..self.plays(self.without_barred(seat, self.hand(seat).kinds())) };
        }
        if !self.rules.reacts {
            return Legal::default();
        }
        let threatened = self.table.threat.is_some_and(|threat| threat.victim == seat);
        let answers = self.answers_of(seat).intersect(self.hand(seat).kinds());
        let plays = answers.union(self.free_plays(seat)).union(self.twins_of(seat));
        let orders = Legal { takes: self.takes_of(seat), pass: threatened, ..self.plays(plays) };
        if self.rules.out_of_turn.is_empty() || !self.open_between_turns() {
            return orders;
        }
        let held = self.hand(seat).kinds().intersect(self.rules.out_of_turn);
        self.plays(self.without_barred(seat, held))
    }

    /// The twin of the top card in the hand of `seat`, which may be laid at any time; in one's turn its word goes with it
    /// where it could not be laid otherwise (P-41, P-47).
    fn twins_of(&self, seat: Seat) -> CardSet {
        let twin = self.twin().filter(|card| self.hand(seat).contains(*card));
        twin.map_or(CardSet::EMPTY, |card| self.without_barred(seat, CardSet::of(card)))
    }

    /// Suits that may not be named now: where a suit is waited for, those that were barred with the card; before a card,
    /// that of the card it would lie on (N-54).
    #[inline]
    fn suits_barred(&self) -> [Option<Suit>; 2] {
        if self.rules.new_suit.is_empty() {
            return [None; 2];
        }
        match self.waits_for_name() {
            Some(_) => self.table.barred_suits,
            None => [self.visible_top().and_then(Card::suit), None],
        }
    }

    /// Splits `plays` by what has to be named with them.
    #[inline]
    fn plays(&self, plays: CardSet) -> Legal {
        if plays.intersect(self.rules.naming).is_empty() {
            return Legal {
                plays,
                silent: plays,
                barred: self.suits_barred(),
                ranks: self.rules.kinds,
                ..Legal::default()
            };
        }
        let serving = self.table.request.map_or(CardSet::EMPTY, |standing| standing.serving());
        let naming = plays.without(serving);
        let with_rank = naming.intersect(self.rules.request_ranks);
        let requesting = naming.intersect(self.rules.request_suits);
        Legal {
            plays,
            new_suit: naming.intersect(self.rules.new_suit),
            barred: self.suits_barred(),
            silent: plays
                .without(naming.intersect(self.rules.new_suit))
                .without(with_rank)
                .without(requesting)
                .without(naming.intersect(self.rules.must_choose)),
            with_suit: requesting.union(naming.intersect(self.rules.chooses.union(self.rules.spoken))),
            with_rank,
            ranks: self.rules.kinds,
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
            Phase::Deal => Some(self.dealing_seat()),
            Phase::BetweenRounds | Phase::MatchOver => None,
        }
    }

    /// What the seat to move must name before anything else.
    #[inline]
    pub fn waits_for_name(&self) -> Option<Named> {
        if self.phase != Phase::Play || self.table.facing != Facing::Naming {
            return None;
        }
        let request = self.top().and_then(|card| self.requests(card));
        Some(request.map_or(Named::Suit, |request| request.names))
    }
}
