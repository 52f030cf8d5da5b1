//! Cards that go from hand to hand at random (N-19 to N-23, N-48 to N-50, N-104 to N-106, N-130). Moves cards between
//! hands; the card that orders a take is judged in `turn`.

use crate::reuse::clone_in_place;
use maumau_protocol::ruleset::Take;
use maumau_protocol::{Card, Event, Reason, RuleFault, Say, Seat, SeatSet, TakeOrder};

use crate::game::calls::Until;
use crate::game::{Game, Verdict, Witness};
use crate::random::Purpose;

/// Take instructions that have not been carried out.
#[derive(Debug, Default, PartialEq)]
pub(in crate::game) struct Takes {
    /// The oldest first.
    orders: Vec<TakeOrder>,
    /// Random decisions of this round so far.
    numbered: u32,
}

clone_in_place!(Takes { orders, numbered });

impl Takes {
    /// Makes it ready for a round.
    pub(in crate::game) fn clear(&mut self) {
        self.orders.clear();
        self.numbered = 0;
    }

    /// For positions that are set up.
    pub(in crate::game) fn set_up(&mut self, order: Option<TakeOrder>) {
        self.orders.extend(order);
    }

    /// Whether there are none.
    #[inline]
    pub(in crate::game) fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// The oldest instruction.
    pub(in crate::game) fn first(&self) -> Option<TakeOrder> {
        self.orders.first().copied()
    }

    /// The hands from which `seat` must take a card.
    pub(in crate::game) fn of(&self, seat: Seat) -> SeatSet {
        self.orders.iter().filter(|order| order.by == seat).map(|order| order.from).collect()
    }

    /// Whether a seat other than `seat` must take a card.
    pub(in crate::game) fn others_owe(&self, seat: Seat) -> bool {
        self.orders.iter().any(|order| order.by != seat)
    }

    /// The cards that others will have taken from `seat` when it moves.
    pub(in crate::game) fn overdue_from(&self, seat: Seat) -> u16 {
        self.orders.iter().filter(|order| order.from == seat && order.by != seat).count() as u16
    }

    /// The number of the next random decision of this round, from 1; void deals count too (SPEC 8.5).
    pub(in crate::game) fn next_number(&mut self) -> u32 {
        self.numbered += 1;
        self.numbered
    }
}

impl Game {
    /// `seat` has played a card that orders a take.
    pub(in crate::game) fn order_take<W: Witness>(&mut self, witness: &mut W, seat: Seat, take: Take) {
        let next = self.after(seat, 1);
        let order = match take {
            Take::FromPlayer => TakeOrder { by: next, from: seat },
            Take::FromNext => TakeOrder { by: seat, from: next },
        };
        if self.held(order.from) == 0 || order.by == order.from {
            // N-22, N-93: an instruction that cannot be carried out counts as carried out.
            return;
        }
        self.table.takes.orders.push(order);
        if take == Take::FromNext {
            // N-106: the next player is not asked before the seat that must take has been able to.
            self.table.changes.open_reaction();
        }
        if self.rules.set.turn.musts_at_once {
            self.carry_out_take(witness, self.table.takes.orders.len() - 1, false);
        }
    }

    /// `seat` takes a card from the hand of `from`, as it was instructed to.
    pub(in crate::game) fn take<W: Witness>(&mut self, witness: &mut W, seat: Seat, from: Seat, say: &Say) -> Verdict {
        let ordered = |order: &TakeOrder| order.by == seat && order.from == from;
        let Some(index) = self.table.takes.orders.iter().position(ordered) else {
            return self.refuse(witness, seat, None, Reason::NothingToTake);
        };
        self.record_speech(witness, seat, say);
        self.on_speech(witness, seat, say);
        self.carry_out_take(witness, index, false);
        // N-77: as with a card, the words of the take are for the hand that it leaves.
        self.announce(seat, say);
        Verdict::Accepted
    }

    /// The takes that are still to be made, the oldest first; public (N-104).
    pub fn takes(&self) -> &[TakeOrder] {
        &self.table.takes.orders
    }

    /// Before a turn action of `seat`: takes of others are overdue; the referee carries them out and notes the mistake
    /// (N-106).
    pub(in crate::game) fn settle_takes<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        while let Some(index) = self.table.takes.orders.iter().position(|order| order.by != seat) {
            let by = self.table.takes.orders[index].by;
            self.carry_out_take(witness, index, true);
            self.offend(witness, by, RuleFault::Must, Until::RoundEnd);
        }
    }

    /// Carries out all outstanding takes, at the end of the closing time (N-131).
    pub(super) fn carry_out_takes<W: Witness>(&mut self, witness: &mut W) {
        while !self.table.takes.orders.is_empty() {
            self.carry_out_take(witness, 0, false);
        }
    }

    fn carry_out_take<W: Witness>(&mut self, witness: &mut W, index: usize, overdue: bool) {
        let TakeOrder { by, from } = self.table.takes.orders.remove(index);
        let Some((card, sealed)) = self.pick_from(from) else { return };
        self.table.hands[by.index()].add(card);
        self.hand_changed(by);
        self.hand_changed(from);
        self.table.changes.progress();
        self.emit(witness, Event::Taken { by, from, card: Some(card), sealed, overdue });
        self.note_taken();
        self.note_departure(from, card);
        // A hand that is empty now has nothing to give to any seat.
        for index in (0..self.table.takes.orders.len()).rev() {
            if self.held(self.table.takes.orders[index].from) == 0 {
                self.table.takes.orders.remove(index);
            }
        }
    }

    /// Removes a random card from the hand of `from`, sealed ones included, and returns it and whether it was sealed (N-101).
    fn pick_from(&mut self, from: Seat) -> Option<(Card, bool)> {
        let (card, sealed) = self.pick_seen(from).or_else(|| self.pick_at_random(from))?;
        let hand = match sealed {
            false => &mut self.table.hands[from.index()],
            true => self.table.sealed.of_mut(from),
        };
        hand.remove(card);
        Some((card, sealed))
    }

    fn pick_at_random(&mut self, from: Seat) -> Option<(Card, bool)> {
        let total = self.held(from);
        if total == 0 {
            return None;
        }
        let number = self.table.takes.next_number();
        let at = self.chance.stream(Purpose::Take, number).below(u32::from(total)) as u16;
        let open = self.table.hands[from.index()].len();
        let sealed = at >= open;
        let hand = if sealed { self.sealed_hand(from) } else { self.hand(from) };
        let card = hand.cards().nth(usize::from(if sealed { at - open } else { at }))?;
        Some((card, sealed))
    }
}
