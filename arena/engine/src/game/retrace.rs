//! The door for an observer, which keeps a game of its own beside one that it sees only in part: it places cards, carries
//! out what it sees without knowing the whole action, and takes over totals. No referee uses it.
//!
//! It judges nothing: each function continues where the ordinary course of the game would after its own judgement.

use maumau_protocol::ruleset::{AfterDraw, MayDraw};
use maumau_protocol::{Card, CardSet, Choice, Direction, EventNumber, Reason, RuleFault, Seat, SeatSet, Text};

use super::{Facing, Game, Phase, Unseen, Witness};
use crate::hand::Hand;

/// In which course of the game an action was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// Without a price.
    Refusal,
    /// A wrong card.
    Misplay,
    /// A wrong card, after a warning that was due had been charged.
    LateMisplay,
    /// A card that an overdue take had just drawn.
    Overtaken,
    /// A suit that may not be named.
    BarredSuit,
    /// A point of order that may not be called.
    BarredPause,
    /// A look at the cards in a point of order.
    LookInPause,
    /// A look at sealed cards.
    LookAtSealed,
}

impl Forced {
    /// The courses in which an action can be refused for `reason`, the likely ones first.
    pub const fn of(reason: Reason) -> &'static [Forced] {
        match reason {
            Reason::DoesNotFit | Reason::MayNotBeLast => &[Forced::LateMisplay, Forced::Misplay, Forced::Refusal],
            Reason::NotYourTurn => &[Forced::Misplay, Forced::LateMisplay, Forced::Refusal],
            Reason::Sealed => &[Forced::LookAtSealed, Forced::Misplay],
            Reason::SuitBarred => &[Forced::BarredSuit],
            Reason::PauseBarred => &[Forced::BarredPause, Forced::Refusal],
            Reason::LookInPause => &[Forced::LookInPause, Forced::Refusal],
            Reason::Interrupted => &[Forced::Refusal, Forced::Overtaken],
            _ => &[Forced::Refusal],
        }
    }
}

/// What was seen of the outcome of the next input, where it depends on hidden cards or on chance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreseen {
    /// Whether the seat that names something holds some of it.
    pub holds_named: Option<bool>,
    /// The cards that go from hand to hand, the first of them last.
    pub takes: Vec<SeenTake>,
    /// Whether a challenge was seen to be upheld.
    pub upheld: Option<bool>,
    /// The seats that were seen to win a round in which nobody could do anything any more; empty if none was seen to end so.
    pub lowest: SeatSet,
    /// The rules of the menu that were seen to be offered; empty if none were.
    pub offered: Vec<Text>,
}

/// A card that was seen to go from hand to hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenTake {
    /// The card, if it was seen.
    pub card: Option<Card>,
    /// Whether it was sealed.
    pub sealed: bool,
    /// A card that stayed, since its seat plays it later.
    pub stays: Option<Card>,
}

impl SeenTake {
    /// The card of `hand` that goes: the one that was seen, or any other if `hand` has only the copy of it that stays.
    fn pick(&self, hand: &Hand) -> Option<Card> {
        let may_go = |card: &Card| Some(*card) != self.stays || hand.copies(*card) > 1;
        let seen = self.card.filter(|card| hand.contains(*card) && may_go(card));
        seen.or_else(|| hand.cards().find(may_go)).or_else(|| hand.cards().next())
    }
}

impl Game {
    /// The door for an observer.
    pub fn retrace(&mut self) -> Retrace<'_> {
        Retrace(self)
    }

    /// Whether the seat that names something was seen to hold some of it.
    pub(in crate::game) fn was_seen_to_hold(&self) -> Option<bool> {
        self.foreseen.as_ref()?.holds_named
    }

    /// Whether the next challenge was seen to be upheld (G-67).
    pub(in crate::game) fn was_seen_upheld(&self) -> Option<bool> {
        self.foreseen.as_ref()?.upheld
    }

    /// The seats that were seen to have the lowest hands at the end of a blocked round, if that was seen (G-46).
    pub(in crate::game) fn were_seen_lowest(&self) -> Option<SeatSet> {
        self.foreseen.as_ref().map(|foreseen| foreseen.lowest).filter(|seats| !seats.is_empty())
    }

    /// The rules of the menu that were seen to be offered, if any were.
    pub(in crate::game) fn were_seen_offered(&self) -> Option<Vec<Text>> {
        self.foreseen.as_ref().map(|foreseen| foreseen.offered.clone()).filter(|offer| !offer.is_empty())
    }

    /// The next card of `from` that was seen to be taken, and whether it is sealed.
    pub(in crate::game) fn pick_seen(&mut self, from: Seat) -> Option<(Card, bool)> {
        let take = self.foreseen.as_mut()?.takes.pop()?;
        let hand = if take.sealed { self.sealed_hand(from) } else { self.hand(from) };
        take.pick(hand).map(|card| (card, take.sealed))
    }

    /// Whether the seat to move holds a card that it has drawn in this turn.
    pub fn holds_drawn_card(&self) -> bool {
        match self.table.facing {
            Facing::Ordinary { last, .. } => last.is_some(),
            Facing::Owed(owed) => owed.rescuing().is_some(),
            _ => false,
        }
    }

    /// Whether `seat` is to move and may play only the card that it has drawn in this turn.
    pub fn plays_drawn_card_only(&self, seat: Seat) -> bool {
        let only = self.rules.plays_drawn_only || matches!(self.table.facing, Facing::Owed(_));
        only && self.turn() == Some(seat) && self.holds_drawn_card()
    }

    /// Whether `seat` may play `card` now only as the card that it has drawn in this turn: a free card may be any.
    pub fn plays_as_drawn_card(&self, seat: Seat, card: Card) -> bool {
        self.plays_drawn_card_only(seat) && !self.is_free(card)
    }

    /// Whether seats other than the one to move may ever act while cards are played.
    pub fn lets_others_act(&self) -> bool {
        self.features.react() || self.features.races || self.features.announcements || self.features.closing
    }

    /// The kinds of cards of which the seat to move cannot hold any if it may draw now: in place of a further card that it must
    /// play (D-65), or for want of a play (G-53); none if it may draw anyway.
    pub fn barred_by_draw(&self, seat: Seat) -> CardSet {
        match self.table.facing {
            Facing::Again(again) if again.must && self.turn() == Some(seat) && !self.draws_although_one_fits(again) => {
                self.could_play(seat)
            }
            Facing::Ordinary { drawn, .. }
                if self.rules.set.turn.may_draw == MayDraw::Unable
                    && self.turn() == Some(seat)
                    && !(drawn > 0 && self.rules.plays_drawn_only) =>
            {
                self.could_play(seat)
            }
            _ => CardSet::EMPTY,
        }
    }

    /// The kinds of cards of which the one that `seat` has drawn in this turn cannot be, if it may draw again now, or pass: it would
    /// have to be played (G-54).
    pub fn barred_for_drawn_card(&self, seat: Seat) -> CardSet {
        let must = self.rules.set.turn.after_draw == AfterDraw::DrawnCardMust;
        match self.table.facing {
            Facing::Ordinary { last: Some(_), .. } if must && self.turn() == Some(seat) => {
                let fitting = self.matching().intersect(self.rules.kinds).iter();
                // G-67: such a card need not be played beside a hand that nobody sees.
                let may = fitting.filter(|card| !self.is_barred_on_top(*card) && !self.rules.enforced.contains(*card));
                self.with_stand_ins(self.without_barred(seat, may.collect()))
            }
            _ => CardSet::EMPTY,
        }
    }

    /// As [`Game::barred_for_drawn_card`], the kinds of which it can be only beside another card, and the kinds of that one: beside such
    /// a card it may not be played (G-67). Both are empty if there are none.
    pub fn excused_for_drawn_card(&self, seat: Seat) -> (CardSet, CardSet) {
        let must = self.rules.set.turn.after_draw == AfterDraw::DrawnCardMust;
        match self.table.facing {
            Facing::Ordinary { last: Some(_), .. } if must && self.turn() == Some(seat) => {
                let excused = self.matching().intersect(self.rules.enforced);
                (excused, excused.iter().next().map_or(CardSet::EMPTY, |card| self.shown_without(card)))
            }
            _ => (CardSet::EMPTY, CardSet::EMPTY),
        }
    }

    /// The kinds of cards that `seat` may play in its turn if it holds them; none if it is not to move.
    pub fn could_play(&self, seat: Seat) -> CardSet {
        if self.turn() != Some(seat) {
            return CardSet::EMPTY;
        }
        let fitting =
            self.allowed_cards().intersect(self.rules.kinds).iter().filter(|card| !self.is_barred_on_top(*card));
        self.with_stand_ins(self.without_barred(seat, fitting.collect()))
    }

    /// `plays`, cards that could be played, and those that could be played as one of them.
    fn with_stand_ins(&self, plays: CardSet) -> CardSet {
        let plays = plays.without(self.rules.stand_ins);
        let stands_in = !plays.intersect(self.rules.stands_for).is_empty();
        if stands_in { plays.union(self.rules.stand_ins.intersect(self.rules.kinds)) } else { plays }
    }

    /// The kinds that serve the request that naming `choice` for `card` makes, if naming something not held costs cards.
    pub fn served_at_a_cost(&self, card: Card, choice: Choice) -> Option<CardSet> {
        let request = self.requests(card).filter(|request| request.unheld_costs > 0)?;
        let serves = self.table.request.serving().contains(card) && self.waits_for_name().is_none();
        (!serves && self.can_name(request, choice)).then_some(match choice {
            Choice::Suit(suit) => CardSet::suit(suit),
            Choice::Rank(rank) => CardSet::rank(rank),
            Choice::Seat(_) => return None,
        })
    }

    /// The last event before the wrong card that lies and can still be called, so that everything since may be taken back.
    pub fn may_be_taken_back_to(&self) -> Option<EventNumber> {
        self.wrong_card.since()
    }
}

/// Changes that an observer makes to the game that it keeps, from [`Game::retrace`]. They keep no law of the game: the caller
/// answers for it that the position can be.
#[derive(Debug)]
pub struct Retrace<'a>(&'a mut Game);

impl Retrace<'_> {
    /// The outcome of the next input is known as far as `foreseen` says.
    pub fn foresee(&mut self, foreseen: Option<Foreseen>) {
        self.0.foreseen = foreseen.map(Box::new);
    }

    /// Places all hidden cards: open and sealed hands by seat, and the draw pile, of which `under` lies under the rest; in
    /// both the next card is the last.
    pub fn place_cards<'a>(
        &mut self,
        hands: impl Iterator<Item = (&'a Hand, &'a Hand)>,
        pile: impl Iterator<Item = Card>,
        under: impl Iterator<Item = Card>,
    ) {
        for (index, (open, sealed)) in hands.enumerate() {
            self.0.table.hands[index].clone_from(open);
            if let Some(seat) = Seat::new(index).filter(|_| self.0.features.sealed_cards) {
                self.0.table.sealed.of_mut(seat).clone_from(sealed);
            }
        }
        if let Some(doubt) = &mut self.0.table.doubt {
            let (by, _) = doubt.player();
            doubt.exchange(&self.0.table.hands[by.index()], None);
        }
        self.0.draw_pile.lay_out(pile, under);
        if matches!(self.0.phase, Phase::Deal | Phase::TurnUp) {
            self.0.deal_was_of_hands(|_| false);
        }
    }

    /// Of the hand beside a card in doubt, `newest` have been drawn since (G-67).
    pub fn place_since_doubt(&mut self, newest: &[Card]) {
        if let Some(doubt) = &mut self.0.table.doubt {
            let (by, _) = doubt.player();
            doubt.exchange(&self.0.table.hands[by.index()], Some(newest));
        }
    }

    /// The card that the seat to move has drawn in this turn and still holds is `card`.
    pub fn place_last_drawn(&mut self, card: Card) {
        match &mut self.0.table.facing {
            Facing::Ordinary { last: Some(last), .. } => *last = card,
            Facing::Owed(owed) if owed.rescuing().is_some() => *owed = owed.with_rescuing(card),
            _ => {}
        }
    }

    /// From now on everything random follows from `key`; [`Retrace::place_cards`] has put the draw pile in order.
    pub fn change_chance(&mut self, key: [u64; 4]) {
        self.0.chance = self.0.chance.with_key(key);
        self.0.draw_pile.change_streams();
    }

    /// An action of `seat` is refused for `reason`, in the course `how`.
    pub fn force_refusal<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Option<Card>,
        reason: Reason,
        how: Forced,
    ) {
        self.0.table.changes.act_as_of(self.0.events);
        let any = card.or_else(|| self.0.hand(seat).cards().next());
        let misplayed = any.unwrap_or(Card::JOKER);
        match how {
            Forced::Refusal => {
                self.0.refuse(witness, seat, card, reason);
            }
            Forced::Misplay => {
                self.0.misplay(witness, seat, misplayed, reason);
            }
            Forced::LateMisplay => {
                self.0.settle_mau(witness);
                self.0.misplay(witness, seat, misplayed, reason);
            }
            Forced::Overtaken => {
                self.0.settle_mau(witness);
                self.0.settle_takes(witness, seat);
                self.0.refuse(witness, seat, card, reason);
            }
            Forced::BarredSuit => {
                self.0.refuse_suit(witness, seat);
            }
            Forced::BarredPause => {
                self.0.refuse(witness, seat, None, reason);
                self.0.note(witness, seat, RuleFault::IllegalPo);
            }
            Forced::LookInPause => {
                self.0.refuse(witness, seat, None, reason);
                self.0.note(witness, seat, RuleFault::LookInPo);
            }
            Forced::LookAtSealed => {
                self.0.look_at_sealed(witness, seat);
            }
        }
    }

    /// The refusals of this turn no longer count.
    pub fn forget_refusals(&mut self) {
        self.0.table.patience.forget_refusals();
    }

    /// The next call of this fault is known to be upheld or not, whatever mistakes have been noticed here.
    pub fn know_call(&mut self, against: Seat, fault: &Text, upheld: bool) {
        let Some(fault) = RuleFault::from_name(fault.as_str()).filter(|_| against.index() < self.0.seats()) else {
            return;
        };
        self.0.ledger.forget_of(against, fault);
        if fault == RuleFault::NoMau && self.0.rules.mau.is_some() {
            let turns = self.0.table.turns;
            self.0.table.mau.know_overdue(against, upheld && !self.0.mau_due_before_card(), turns);
        }
        let by_ledger = fault != RuleFault::NoMau || self.0.mau_due_before_card();
        if upheld && by_ledger {
            self.0.keep_for_calls(against, fault);
        }
    }

    /// A round was seen to end: takes over each seat's points, and whether the match is over.
    pub fn know_totals(&mut self, totals: &[(Seat, i32)], over: bool) {
        for (seat, total) in totals {
            self.0.points[seat.index()] = *total;
        }
        self.0.phase = match self.0.rule_choice() {
            _ if over => Phase::MatchOver,
            Some(_) => Phase::ChooseRule,
            None => Phase::BetweenRounds,
        };
    }

    /// A round that could not be followed was seen to end with these winners.
    pub fn know_winners(&mut self, winners: SeatSet) {
        self.0.round_winners = winners;
        for (seat, wins) in Seat::all(self.0.rules.seats()).zip(&mut self.0.wins) {
            *wins += u32::from(winners.contains(seat));
        }
        self.0.phase = Phase::BetweenRounds;
    }

    /// After a round that could not be followed `by` was seen to be offered rules of the menu.
    pub fn know_offer(&mut self, by: Seat, offer: &[Text]) {
        self.0.await_rule(by, offer.to_vec());
    }

    /// A rule of the menu was seen to be added.
    pub fn know_rule(&mut self, rule: &Text) {
        self.0.hold(rule);
        self.0.phase = Phase::BetweenRounds;
    }

    /// Play goes in `direction`.
    pub fn know_direction(&mut self, direction: Direction) {
        if self.0.direction() != direction {
            self.0.reverse(&mut Unseen);
        }
    }

    /// The last event was number `number`.
    pub fn know_number(&mut self, number: EventNumber) {
        self.0.events = number;
    }
}
