//! What an observer does to the game that it keeps beside a game it sees only in part: it places cards, carries out what
//! it sees without knowing the whole action, and takes over totals. Only `observer` uses it; no referee does.
//!
//! It judges nothing: each function continues where the ordinary course of the game would after its own judgement.

use maumau_protocol::{Card, CardSet, Choice, Direction, EventNumber, Reason, RuleFault, Seat, SeatSet, Text};

use super::{Facing, Game, Phase, Unseen, Witness};
use crate::hand::Hand;

/// In which course of the game an action was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced {
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
    pub(crate) const fn of(reason: Reason) -> &'static [Forced] {
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
pub(crate) struct Foreseen {
    /// Whether the seat that names something holds some of it.
    pub(crate) holds_named: Option<bool>,
    /// The cards that go from hand to hand, the first of them last.
    pub(crate) takes: Vec<SeenTake>,
}

/// A card that was seen to go from hand to hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeenTake {
    /// The card, if it was seen.
    pub(crate) card: Option<Card>,
    /// Whether it was sealed.
    pub(crate) sealed: bool,
    /// A card that stayed, since its seat lays it later.
    pub(crate) stays: Option<Card>,
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
    /// The outcome of the next input is known as far as `foreseen` tells.
    pub(crate) fn foresee(&mut self, foreseen: Option<Foreseen>) {
        self.foreseen = foreseen.map(Box::new);
    }

    /// Whether the seat that names something was seen to hold some of it.
    pub(in crate::game) fn was_seen_to_hold(&self) -> Option<bool> {
        self.foreseen.as_ref()?.holds_named
    }

    /// The next card of `from` that was seen to be taken, and whether it is sealed.
    pub(in crate::game) fn pick_seen(&mut self, from: Seat) -> Option<(Card, bool)> {
        let take = self.foreseen.as_mut()?.takes.pop()?;
        let hand = if take.sealed { self.sealed_hand(from) } else { self.hand(from) };
        take.pick(hand).map(|card| (card, take.sealed))
    }

    /// Places all hidden cards: open and sealed hands by seat, and the draw pile, of which `under` lies under the rest; in
    /// both the next card is the last.
    pub(crate) fn place_cards<'a>(
        &mut self,
        hands: impl Iterator<Item = (&'a Hand, &'a Hand)>,
        pile: impl Iterator<Item = Card>,
        under: impl Iterator<Item = Card>,
    ) {
        for (index, (open, sealed)) in hands.enumerate() {
            self.table.hands[index].clone_from(open);
            if let Some(seat) = Seat::new(index).filter(|_| self.features.sealed_cards) {
                self.table.sealed.of_mut(seat).clone_from(sealed);
            }
        }
        self.draw_pile.lay_out(pile, under);
        if matches!(self.phase, Phase::Deal | Phase::TurnUp) {
            self.deal_was_of_hands(|_| false);
        }
    }

    /// The card that the seat to move has drawn in this turn and still holds is `card`.
    pub(crate) fn place_last_drawn(&mut self, card: Card) {
        if let Facing::Ordinary { last: Some(last), .. } = &mut self.table.facing {
            *last = card;
        }
    }

    /// Whether the seat to move holds a card that it has drawn in this turn.
    pub(crate) fn holds_drawn_card(&self) -> bool {
        matches!(self.table.facing, Facing::Ordinary { last: Some(_), .. })
    }

    /// Whether `seat` is to move and may lay only the card that it has drawn in this turn.
    pub(crate) fn lays_drawn_card_only(&self, seat: Seat) -> bool {
        self.rules.lays_drawn_only && self.turn() == Some(seat) && self.holds_drawn_card()
    }

    /// From now on everything random follows from `key`; [`Game::place_cards`] has put the draw pile in order.
    pub(crate) fn change_chance(&mut self, key: [u64; 4]) {
        self.chance = self.chance.with_key(key);
        self.draw_pile.change_streams();
    }

    /// An action of `seat` is refused for `reason`, in the course `how`.
    pub(crate) fn force_refusal<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Option<Card>,
        reason: Reason,
        how: Forced,
    ) {
        self.table.changes.act_as_of(self.events);
        let any = card.or_else(|| self.hand(seat).cards().next());
        let misplayed = any.unwrap_or(Card::JOKER);
        match how {
            Forced::Refusal => {
                self.refuse(witness, seat, card, reason);
            }
            Forced::Misplay => {
                self.misplay(witness, seat, misplayed, reason);
            }
            Forced::LateMisplay => {
                self.settle_mau(witness);
                self.misplay(witness, seat, misplayed, reason);
            }
            Forced::Overtaken => {
                self.settle_mau(witness);
                self.settle_takes(witness, seat);
                self.refuse(witness, seat, card, reason);
            }
            Forced::BarredSuit => {
                self.refuse_suit(witness, seat);
            }
            Forced::BarredPause => {
                self.refuse(witness, seat, None, reason);
                self.note(witness, seat, RuleFault::IllegalPo);
            }
            Forced::LookInPause => {
                self.refuse(witness, seat, None, reason);
                self.note(witness, seat, RuleFault::LookInPo);
            }
            Forced::LookAtSealed => {
                self.look_at_sealed(witness, seat);
            }
        }
    }

    /// The refusals of this turn no longer count.
    pub(crate) fn forget_refusals(&mut self) {
        self.table.patience.forget_refusals();
    }

    /// The next call of this fault is known to be upheld or not, whatever mistakes have been noticed here.
    pub(crate) fn know_call(&mut self, against: Seat, fault: &Text, upheld: bool) {
        let Some(fault) = RuleFault::from_name(fault.as_str()).filter(|_| against.index() < self.seats()) else {
            return;
        };
        self.ledger.forget_of(against, fault);
        if fault == RuleFault::NoMau && self.rules.mau.is_some() {
            let turns = self.table.turns;
            self.table.mau.know_overdue(against, upheld && !self.mau_due_before_card(), turns);
        }
        let by_ledger = fault != RuleFault::NoMau || self.mau_due_before_card();
        if upheld && by_ledger {
            self.keep_for_calls(against, fault);
        }
    }

    /// Whether seats other than the one to move may ever act while cards are laid.
    pub(crate) fn lets_others_act(&self) -> bool {
        self.features.react() || self.features.races || self.features.announcements || self.features.closing
    }

    /// The kinds of cards of which the seat to move cannot hold any if it may draw now in place of a further card that it
    /// must lay (D-65); none if it may draw anyway.
    pub(crate) fn barred_by_draw(&self, seat: Seat) -> CardSet {
        let must = self.table.facing == Facing::Again { must: true } && self.turn() == Some(seat);
        if !must || self.rules.set.turn.again_may_draw {
            return CardSet::EMPTY;
        }
        self.could_lay(seat)
    }

    /// The kinds of cards that `seat` may lay in its turn if it holds them; none if it is not to move.
    pub fn could_lay(&self, seat: Seat) -> CardSet {
        if self.turn() != Some(seat) {
            return CardSet::EMPTY;
        }
        let fitting = self.layable().intersect(self.rules.kinds).iter().filter(|card| !self.is_barred_here(*card));
        self.without_barred(seat, fitting.collect())
    }

    /// The kinds that serve the request that naming `choice` for `card` makes, if naming something not held costs cards.
    pub(crate) fn served_at_a_cost(&self, card: Card, choice: Choice) -> Option<CardSet> {
        let request = self.requests(card).filter(|request| request.unheld_costs > 0)?;
        let serves = self.table.request.serving().contains(card) && self.waits_for_name().is_none();
        (!serves && self.can_name(request, choice)).then_some(match choice {
            Choice::Suit(suit) => CardSet::suit(suit),
            Choice::Rank(rank) => CardSet::rank(rank),
        })
    }

    /// The last event before the wrong card that lies and can still be called, so that everything since may be taken back.
    pub(crate) fn may_be_taken_back_to(&self) -> Option<EventNumber> {
        self.wrong_card.since()
    }

    /// A round was seen to end: takes over each seat's points, and whether the match is over.
    pub(crate) fn know_totals(&mut self, totals: &[(Seat, i32)], over: bool) {
        for (seat, total) in totals {
            self.points[seat.index()] = *total;
        }
        self.phase = if over { Phase::MatchOver } else { Phase::BetweenRounds };
    }

    /// A round that could not be followed was seen to end with these winners.
    pub(crate) fn know_winners(&mut self, winners: SeatSet) {
        self.round_winners = winners;
        for (seat, wins) in Seat::all(self.rules.seats()).zip(&mut self.wins) {
            *wins += u32::from(winners.contains(seat));
        }
        self.phase = Phase::BetweenRounds;
    }

    /// Play goes in `direction`.
    pub(crate) fn know_direction(&mut self, direction: Direction) {
        if self.direction() != direction {
            self.reverse(&mut Unseen);
        }
    }

    /// The last event was number `number`.
    pub(crate) fn know_number(&mut self, number: EventNumber) {
        self.events = number;
    }
}
