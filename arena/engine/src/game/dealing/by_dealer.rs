//! The dealer deals by its own actions, with all mistakes that can be made (N-107 to N-122, N-128, N-129, P-02 to P-04,
//! P-70 to P-72).

use maumau_protocol::ruleset::DealOrder;
use maumau_protocol::{Card, Choice, Direction, Event, MAX_SEATS, Rank, Reason, RuleFault, Say, Seat, SeatSet};

use crate::game::calls::Until;
use crate::game::{Game, Phase, Verdict, Witness};
use crate::random::Purpose;

/// A deal in progress, and what is outstanding from before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Dealing {
    /// Mistakes of each seat that are to be paid in the deal (N-118, N-122).
    pub(crate) outstanding: Vec<Vec<RuleFault>>,
    /// Who is dealing, and the receivers so far.
    dealer: Option<Seat>,
    receivers: Vec<Seat>,
    /// Each card in the order in which it was dealt.
    cards: Vec<Card>,
    wrong_way: bool,
    /// The number of outstanding mistakes for which the dealer has dealt the cards (N-118).
    penalties_dealt: usize,
    counting: bool,
    /// The number of cards that the dealer says each should have got (P-71).
    proper: Option<u16>,
}

impl Dealing {
    /// Makes ready for a match of `seats`.
    pub(crate) fn restart(&mut self, seats: usize) {
        self.outstanding.resize(seats, Vec::new());
        self.outstanding.iter_mut().for_each(Vec::clear);
        self.begin();
    }

    /// A deal of which only the hands are known.
    pub(crate) fn know_hands<'a>(&mut self, hands: impl Iterator<Item = (Seat, &'a [Card])>) {
        for (seat, cards) in hands {
            self.cards.extend_from_slice(cards);
            self.receivers.extend(std::iter::repeat_n(seat, cards.len()));
        }
    }

    fn counts(&self) -> [u16; MAX_SEATS] {
        let mut counts = [0; MAX_SEATS];
        self.receivers.iter().for_each(|seat| counts[seat.index()] += 1);
        counts
    }

    /// The number of cards each seat should have got in a free deal: as the dealer says, or the one that costs it least, the
    /// smallest of several.
    fn free_proper(&self, seats: usize) -> u16 {
        let counts = &self.counts()[..seats];
        let cost = |number: u16| counts.iter().map(|count| u32::from(count.abs_diff(number))).sum::<u32>();
        let cheapest = || (0..=counts.iter().copied().max().unwrap_or(0)).min_by_key(|number| cost(*number));
        self.proper.or_else(cheapest).unwrap_or(0)
    }

    /// Mistakes that are to be paid in the deal.
    fn owed(&self) -> usize {
        self.outstanding.iter().map(Vec::len).sum()
    }

    /// Whether the cards have gone round against `direction`, from the dealer to the first receiver and from each receiver
    /// to the next: more of these steps go that way than the right one (N-109).
    fn goes_against(&self, dealer: Seat, direction: Direction, seats: usize) -> bool {
        let from = std::iter::once(&dealer).chain(&self.receivers);
        let steps = |way: Direction| {
            from.clone().zip(&self.receivers).filter(|(from, to)| from.step(way, 1, seats) == **to).count()
        };
        seats > 2 && steps(direction.reversed()) > steps(direction)
    }

    pub(crate) fn begin(&mut self) {
        self.dealer = None;
        self.receivers.clear();
        self.cards.clear();
        self.wrong_way = false;
        self.penalties_dealt = 0;
        self.counting = false;
        self.proper = None;
    }
}

impl Game {
    /// The shuffled deck lies ready for the dealer.
    pub(super) fn begin_dealing(&mut self) {
        let mut deck = self.rules.deck.clone();
        let count = deck.len();
        self.chance.stream(Purpose::Deal, 0).shuffle_front(&mut deck, count);
        self.draw_pile.clear(self.seats());
        self.draw_pile.put_on_top(deck.into_iter());
        self.enter_dealing();
    }

    pub(in crate::game) fn enter_dealing(&mut self) {
        self.dealing.begin();
        self.phase = Phase::Deal;
    }

    /// The seat whose deal goes on: the one that has begun, else the right dealer.
    pub(in crate::game) fn dealing_seat(&self) -> Seat {
        self.dealing.dealer.unwrap_or(self.table.dealer)
    }

    pub(in crate::game) fn deals_freely(&self) -> bool {
        self.rules.set.deal.order == DealOrder::Free
    }

    /// Whether every seat has a card, where the dealer decides how many (P-03).
    pub(in crate::game) fn dealing_is_complete(&self) -> bool {
        let counts = self.dealing.counts();
        !self.deals_freely() || counts[..self.seats()].iter().all(|count| *count > 0)
    }

    /// Whether `seat` may deal a card to each of `receivers` now. In a free deal only the dealer may, until it has looked
    /// at its own cards (P-04).
    pub(in crate::game) fn may_deal(&self, seat: Seat, receivers: &[Seat]) -> bool {
        let finished = self.table.looked.contains(self.table.dealer) && self.dealing_is_complete();
        let free = seat == self.table.dealer && !self.is_paused() && !finished;
        let other_deals = self.dealing.dealer.is_some_and(|dealer| dealer != seat);
        let enough = self.draw_pile.len() >= receivers.len() + self.kept_behind(receivers);
        self.phase == Phase::Deal && !other_deals && !receivers.is_empty() && enough && (free || !self.deals_freely())
    }

    /// Cards that must be left when `receivers` have theirs: one to turn up, in a free deal some to draw, and one for each
    /// seat that has none yet (P-03). A round that has lost them could never begin.
    fn kept_behind(&self, receivers: &[Seat]) -> usize {
        if !self.deals_freely() {
            return 1;
        }
        1 + self.seats() * self.rules.set.deal.leave_each as usize + self.without_card(receivers).len()
    }

    /// The seats that have been dealt nothing, when `receivers` have their cards.
    pub(in crate::game) fn without_card(&self, receivers: &[Seat]) -> SeatSet {
        let counts = self.dealing.counts();
        Seat::all(self.seats()).filter(|seat| counts[seat.index()] == 0 && !receivers.contains(seat)).collect()
    }

    /// Cards of the draw pile that the deal still needs, so that no penalty can take them: it lapses instead (G-07).
    pub(in crate::game) fn kept_for_deal(&self) -> usize {
        match self.phase {
            Phase::TurnUp => 1,
            Phase::Deal => {
                let proper = if self.deals_freely() { 0 } else { self.rules.deal_cards * self.seats() };
                proper.saturating_sub(self.dealt_cards()) + self.kept_behind(&[])
            }
            _ => 0,
        }
    }

    /// `seat` deals one card to each of `receivers` (N-109 to N-113, N-116, N-117, P-02, P-04).
    pub(in crate::game) fn deal_cards<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        receivers: &[Seat],
    ) -> Verdict {
        let seats = self.seats();
        if !self.may_deal(seat, receivers) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if receivers.iter().any(|receiver| receiver.index() >= seats) {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        self.table.patience.acted();
        let is_false = seat != self.table.dealer;
        if self.dealing.dealer.is_none() {
            self.dealing.dealer = Some(seat);
            if is_false {
                self.keep_for_calls(seat, RuleFault::FalseDeal);
            }
        }
        for receiver in receivers {
            self.deal_one(witness, seat, *receiver);
            let over = self.hand(*receiver).len() as usize > self.rules.deal_cards;
            if is_false && over {
                self.enlarge_false_deal(seat);
            }
        }
        if self.deals_freely() || self.dealing.wrong_way {
            return Verdict::Accepted;
        }
        if is_false {
            // N-113: for a false dealer the way in which it begins counts.
            let backwards = seat.step(self.table.seating.direction().reversed(), 1, seats);
            self.dealing.wrong_way = seats > 2 && self.dealing.receivers.first() == Some(&backwards);
            if self.dealing.wrong_way {
                self.enlarge_false_deal(seat);
            }
        } else if self.is_dealt() && self.went_the_wrong_way() {
            self.mistake(witness, seat, RuleFault::WrongDirection, 1);
        }
        Verdict::Accepted
    }

    /// Whether as many cards have been dealt as belong to the round.
    fn is_dealt(&self) -> bool {
        self.dealt_cards() >= self.rules.deal_cards * self.seats()
    }

    /// Whether every seat has got the cards of a fixed deal.
    fn everybody_has_enough(&self) -> bool {
        self.dealing.counts()[..self.seats()].iter().all(|count| usize::from(*count) >= self.rules.deal_cards)
    }

    /// Whether the right dealer's whole deal has gone against the direction, which is one mistake; true once
    /// (N-109).
    fn went_the_wrong_way(&mut self) -> bool {
        let known = self.dealing.wrong_way;
        self.dealing.wrong_way |=
            self.dealing.goes_against(self.table.dealer, self.table.seating.direction(), self.seats());
        self.dealing.wrong_way && !known
    }

    /// In a fixed deal no seat sees cards before the turn-up; in a free one the seats that have looked do (P-05).
    fn deal_one<W: Witness>(&mut self, witness: &mut W, by: Seat, to: Seat) {
        let Some(card) = self.draw_pile.draw(&self.chance, by) else { return };
        self.table.hands[to.index()].add(card);
        self.dealing.receivers.push(to);
        self.table.changes.progress();
        self.dealing.cards.push(card);
        self.table.changes.progress();
        if self.deals_freely() {
            let sealed = self.is_covered(to);
            self.tell(witness, Event::Dealt { seat: to, count: 1, cards: Some(Box::new([card])), sealed });
        } else {
            self.tell(witness, Event::DealtCard { by, to });
        }
    }

    /// After hands were exchanged, except those that `stays`: the deal is told anew from what they hold; for a comparison of
    /// hidden cards.
    pub(in crate::game) fn deal_was_of_hands(&mut self, stays: impl Fn(Seat) -> bool) {
        let mut hands: Vec<_> = self.table.hands.iter().map(|hand| hand.cards()).collect();
        for (receiver, card) in self.dealing.receivers.iter().zip(&mut self.dealing.cards) {
            if !stays(*receiver) {
                *card = hands[receiver.index()].next().unwrap_or(*card);
            }
        }
    }

    fn enlarge_false_deal(&mut self, seat: Seat) {
        if let Some(deal) = self.ledger.find(seat, RuleFault::FalseDeal) {
            deal.count += 1;
        }
    }

    /// A called false deal is void: the cards go back and are shuffled (N-120).
    pub(in crate::game) fn void_deal<W: Witness>(&mut self, witness: &mut W) {
        let mut cards: Vec<Card> = self.draw_pile.cards().chain(self.dealing.cards.iter().copied()).collect();
        let count = cards.len();
        let number = self.table.takes.next_number();
        self.chance.stream(Purpose::Deal, number).shuffle_front(&mut cards, count);
        self.table.hands.iter_mut().for_each(|hand| hand.clear());
        self.draw_pile.clear(self.seats());
        self.draw_pile.put_on_top(cards.into_iter());
        self.tell(witness, Event::DealVoid);
        self.enter_dealing();
    }

    /// Whether `seat` may end a fixed deal as it stands: the seat that has dealt may, and the right dealer where another seat
    /// has dealt all cards and none calls it (N-16, N-120).
    fn ends_the_deal(&self, seat: Seat) -> bool {
        seat == self.dealing_seat() || (seat == self.table.dealer && !self.deals_freely() && self.is_dealt())
    }

    /// Whether `seat` may deal out penalty cards: once every seat has the cards of a fixed deal (N-118).
    fn may_deal_penalties(&self, seat: Seat) -> bool {
        !self.deals_freely()
            && match self.phase {
                Phase::Deal => self.ends_the_deal(seat) && self.everybody_has_enough(),
                Phase::TurnUp => seat == self.table.dealer,
                Phase::BetweenRounds | Phase::Play | Phase::MatchOver => false,
            }
    }

    /// The dealer deals out what is outstanding; the cards change hands with the turn-up. For what falls due after that,
    /// until the turn-up, it is done again (N-118).
    pub(in crate::game) fn deal_penalties<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if !self.may_deal_penalties(seat) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.table.patience.acted();
        self.dealing.penalties_dealt = self.dealing.owed();
        self.tell(witness, Event::PenaltiesDealt { by: seat });
        Verdict::Accepted
    }

    /// Puts outstanding penalty cards into the hands, dealt out or not (N-119, N-128).
    pub(super) fn deal_outstanding<W: Witness>(&mut self, witness: &mut W) {
        let by_actions = self.dealing.dealer.is_some();
        if by_actions && self.leaves_penalties_out() {
            let seat = self.dealing_seat();
            self.offend(witness, seat, RuleFault::PenaltiesNotDealt, Until::RoundEnd);
        }
        for seat in Seat::all(self.seats()) {
            for fault in std::mem::take(&mut self.dealing.outstanding[seat.index()]) {
                self.penalise(witness, seat, self.rules.set.calls.cards, fault);
            }
        }
    }

    /// The dealer turns up the first card; where the deal is fixed, wrong hands are then put right and charged (N-110,
    /// N-121).
    pub(in crate::game) fn turn_up_by<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let begun = self.phase == Phase::Deal && self.dealing.dealer.is_some();
        let dealt = begun && self.ends_the_deal(seat) && self.dealing_is_complete();
        let prepared = self.phase == Phase::TurnUp && seat == self.table.dealer;
        if self.is_paused() {
            return self.refuse(witness, seat, None, Reason::Rests);
        }
        if !dealt && !prepared {
            return self.refuse(witness, seat, None, Reason::NotYours);
        }
        self.record_speech(witness, seat, say);
        self.phase = Phase::TurnUp;
        let rightly = *self.dealing.dealer.get_or_insert(seat) == self.table.dealer;
        let proper = self.rules.deal_cards as u16;
        let first_card = self.lay_first_card(witness);
        let (mut wrong_way, mut wrong) = (false, 0);
        if dealt && !self.deals_freely() {
            // What the first card does, such as a card taken, it does to hands that are right.
            wrong_way = rightly && self.went_the_wrong_way();
            wrong = self.even_out(witness, proper);
            for seat in Seat::all(self.seats()) {
                let hand = self.hand(seat);
                let (count, cards) = (hand.len(), Some(hand.cards().collect()));
                self.tell(witness, Event::Dealt { seat, count, cards, sealed: false });
            }
        }
        if let Some(card) = first_card {
            self.first_card_takes_effect(witness, card);
        }
        if wrong_way {
            self.mistake(witness, seat, RuleFault::WrongDirection, 1);
        }
        if wrong > 0 && rightly {
            self.mistake(witness, seat, RuleFault::Misdeal, wrong);
        }
        self.on_speech(witness, seat, say);
        Verdict::Accepted
    }

    /// The dealer says how many cards each should have got, before a seat calls the misdeal (P-71).
    pub(in crate::game) fn choose_proper<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        choice: Choice,
    ) -> Verdict {
        let number = match choice {
            Choice::Rank(rank) => Rank::all().position(|other| other == rank).map(|at| at as u16 + 2),
            Choice::Suit(_) => None,
        };
        match number.filter(|number| *number <= 10 && self.deals_freely() && seat == self.table.dealer) {
            Some(number) => {
                self.dealing.proper = Some(number);
                self.tell(witness, Event::Chose { seat, choose: choice });
                Verdict::Accepted
            }
            None => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// The dealer has finished a free deal, by looking or by turning up: unequal hands are a mistake (P-70).
    pub(super) fn note_misdeal<W: Witness>(&mut self, witness: &mut W, turning_up: bool) {
        let (seats, dealer) = (self.seats(), self.table.dealer);
        let counts = self.dealing.counts();
        let unequal = counts[..seats].iter().any(|count| *count != counts[0]);
        let finished = turning_up || self.dealing_is_complete();
        if self.deals_freely() && unequal && finished && self.ledger.find(dealer, RuleFault::Misdeal).is_none() {
            self.note(witness, dealer, RuleFault::Misdeal);
        }
    }

    /// A misdeal is charged: hands are made equal; the number of wrong cards (P-70 to P-72).
    pub(in crate::game) fn even_out_free_deal<W: Witness>(&mut self, witness: &mut W) -> u16 {
        let proper = self.dealing.free_proper(self.seats());
        self.even_out(witness, proper)
    }

    /// Makes every hand what it should have been: surplus cards, last dealt first, go under the draw pile, missing ones
    /// come from its top (N-121, P-72). Returns the number of wrong cards.
    fn even_out<W: Witness>(&mut self, witness: &mut W, proper: u16) -> u16 {
        let counts = self.dealing.counts();
        for seat in Seat::all(self.seats()) {
            for _ in proper..counts[seat.index()] {
                self.return_one(witness, seat);
            }
        }
        for seat in Seat::all(self.seats()) {
            for _ in counts[seat.index()]..proper {
                self.deal_one(witness, self.table.dealer, seat);
            }
        }
        counts[..self.seats()].iter().map(|count| count.abs_diff(proper)).sum()
    }

    fn return_one<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let dealt = std::iter::zip(&self.dealing.receivers, &self.dealing.cards);
        let is_held = |(to, card): (&Seat, &Card)| *to == seat && self.hand(seat).contains(*card);
        let last = dealt.enumerate().filter(|(_, dealt)| is_held(*dealt)).map(|(at, _)| at).next_back();
        let card = last.map(|at| {
            self.dealing.receivers.remove(at);
            self.dealing.cards.remove(at)
        });
        let Some(card) = card.or_else(|| self.hand(seat).cards().next()) else { return };
        let sealed = self.is_covered(seat) || !self.deals_freely();
        self.table.hands[seat.index()].remove(card);
        self.draw_pile.put_under(card);
        self.tell(witness, Event::Returned { seat, card: Some(card), sealed });
    }

    /// Cards dealt so far.
    pub(in crate::game) fn dealt_cards(&self) -> usize {
        self.dealing.receivers.len()
    }

    /// Whether outstanding penalty cards would be left out if the deal ended now (N-119).
    fn leaves_penalties_out(&self) -> bool {
        self.dealing.owed() > self.dealing.penalties_dealt
    }

    /// Whether `seat` still has to deal out penalty cards, and may.
    pub(in crate::game) fn owes_penalty_deal(&self, seat: Seat) -> bool {
        self.leaves_penalties_out() && self.may_deal_penalties(seat)
    }

    /// Whether a seat counts down from ten (N-114).
    pub fn is_counting(&self) -> bool {
        self.may_count() && self.dealing.counting
    }

    /// Whether there can be a count from ten: between rounds, by rules that know one.
    fn may_count(&self) -> bool {
        matches!(self.phase, Phase::Deal | Phase::TurnUp) && !self.deals_freely()
    }

    /// `seat` counts down from ten between rounds (N-114).
    pub(in crate::game) fn count<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if !self.may_count() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.dealing.counting = true;
        self.tell(witness, Event::Counting { by: seat });
        Verdict::Accepted
    }

    /// `seat` picks up the cards; the count ends, and it is a mistake unless `seat` is the dealer (N-115, N-129).
    pub(in crate::game) fn pick_up<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        if !self.is_counting() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.dealing.counting = false;
        self.tell(witness, Event::PickedUp { by: seat });
        if seat != self.table.dealer {
            self.mistake(witness, seat, RuleFault::PickUp, 1);
        }
        Verdict::Accepted
    }

    /// The count is over and the cards have not been picked up: the dealer's mistake. Who has dealt them has picked them up
    /// (N-114).
    pub(in crate::game) fn count_is_over<W: Witness>(&mut self, witness: &mut W) {
        let counted = self.is_counting();
        self.dealing.counting = false;
        if counted && self.phase == Phase::Deal && !self.is_dealt() {
            self.mistake(witness, self.table.dealer, RuleFault::PickUp, 1);
        }
    }

    /// The referee finishes the deal for an absent dealer (G-22).
    pub(in crate::game) fn deal_for<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.phase == Phase::Deal {
            let proper =
                if self.deals_freely() && self.dealing_is_complete() { 0 } else { self.rules.deal_cards as u16 };
            let mut receivers = Vec::new();
            for round in 0..proper {
                for step in 1..=self.seats() {
                    let receiver = seat.step(self.table.seating.direction(), step, self.seats());
                    if self.hand(receiver).len() <= round {
                        receivers.push(receiver);
                    }
                }
            }
            if !receivers.is_empty() {
                self.deal_cards(witness, seat, &receivers);
            }
            self.dealing.dealer = Some(seat);
        }
        self.dealing.penalties_dealt = self.dealing.owed();
        self.turn_up_by(witness, seat, &Say::Nothing);
    }
}
