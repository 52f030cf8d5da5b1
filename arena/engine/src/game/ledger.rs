//! The ledger of mistakes: what was done wrong and not yet charged, who may notice it, and until when (P-56 to P-58).
//!
//! Each kind of mistake is found where it is made; here it is kept, called and charged. Nobody sees the ledger.

use maumau_protocol::ruleset::{CallUntil, FalseCall, Notice};
use maumau_protocol::{Event, EventNumber, RuleFault, Seat, Text};

use super::{Game, Phase, Verdict, Witness};
use maumau_protocol::Reason;

/// A mistake that has not been charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) seat: Seat,
    pub(crate) fault: RuleFault,
    /// The turn in which it was made; the end of this turn does not close it.
    pub(crate) since: u32,
    /// The event after which it stands.
    pub(crate) event: EventNumber,
    /// A call is upheld from now on; before, it can still be made good.
    pub(crate) ready: bool,
    /// Cards drawn, where their number must be told.
    pub(crate) number: u16,
}

/// A charge, so that a call which it overtook is known (P-108).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Charged {
    seat: Seat,
    fault: RuleFault,
    event: EventNumber,
}

/// The mistakes of the round that are open, and the last charge of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    open: Vec<Violation>,
    charged: Vec<Charged>,
}

/// The most mistakes that are kept; the oldest go first. No seat can fill the ledger without calling or speaking nonsense.
const MAX_OPEN: usize = 256;

impl Ledger {
    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.charged.clear();
    }

    fn enter(&mut self, violation: Violation) {
        if self.open.len() == MAX_OPEN {
            self.open.remove(0);
        }
        self.open.push(violation);
    }

    /// What of `seat` can still be made good is made good where `heals` says so.
    pub(crate) fn heal(&mut self, seat: Seat, heals: impl Fn(&Violation) -> bool) {
        self.open.retain(|violation| violation.ready || violation.seat != seat || !heals(violation));
    }

    /// Takes a mistake out that no longer stands.
    pub(crate) fn forget(&mut self, seat: Seat, fault: RuleFault, event: EventNumber) {
        self.open.retain(|v| v.seat != seat || v.fault != fault || v.event != event);
    }

    /// Takes out the oldest mistake of this kind that can be charged.
    fn take(&mut self, seat: Seat, fault: RuleFault) -> Option<Violation> {
        let at = self.open.iter().position(|v| v.ready && v.seat == seat && v.fault == fault)?;
        Some(self.open.remove(at))
    }

    pub(crate) fn has(&self, seat: Seat, fault: RuleFault) -> bool {
        self.open.iter().any(|v| v.seat == seat && v.fault == fault)
    }

    fn is_overtaken(&self, seat: Seat, fault: RuleFault, as_of: EventNumber) -> bool {
        self.charged.iter().any(|c| c.seat == seat && c.fault == fault && c.event > as_of)
    }
}

impl Game {
    /// `seat` has made a mistake that can be noticed at once. Without a ledger nothing is kept.
    pub(super) fn note<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault) {
        self.enter(witness, seat, fault, true, 0);
    }

    /// `seat` owes words, and has a few moments for them (P-68).
    pub(super) fn owe_words(&mut self, seat: Seat, fault: RuleFault, number: u16, since: u32) {
        let event = self.events;
        if let Some(ledger) = &mut self.ledger {
            ledger.enter(Violation { seat, fault, since, event, ready: false, number });
        }
    }

    fn enter<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, ready: bool, number: u16) {
        let (since, event) = (self.table.turns, self.events);
        let Some(ledger) = &mut self.ledger else { return };
        ledger.enter(Violation { seat, fault, since, event, ready, number });
        self.notice(witness);
    }

    /// The grace time is over: nothing that was owed can be made good any more (P-68).
    pub(super) fn mature<W: Witness>(&mut self, witness: &mut W) {
        let Some(ledger) = &mut self.ledger else { return };
        ledger.open.iter_mut().for_each(|violation| violation.ready = true);
        self.notice(witness);
    }

    /// Where the referee notices everything, what can be charged is charged (option `strict`).
    fn notice<W: Witness>(&mut self, witness: &mut W) {
        if self.rules.set.calls.as_ref().is_none_or(|calls| calls.notice != Notice::Referee) {
            return;
        }
        while let Some(ledger) = &mut self.ledger {
            let Some(at) = ledger.open.iter().position(|violation| violation.ready) else { return };
            let violation = ledger.open.remove(at);
            self.charge(witness, violation);
        }
    }

    /// `seat` completes an ordinary turn of its own: older mistakes can no longer be called (P-58, P-87).
    pub(super) fn close_turn(&mut self, seat: Seat) {
        let turn = self.table.turns;
        if let (Some(ledger), Some(calls)) = (&mut self.ledger, &self.rules.set.calls)
            && calls.until == CallUntil::OwnNextTurn
        {
            ledger.open.retain(|violation| violation.seat != seat || violation.since == turn);
        }
    }

    /// A seat accuses another of `fault` (P-57, P-85, P-107, P-108, G-12).
    pub(super) fn accuse<W: Witness>(
        &mut self,
        witness: &mut W,
        by: Seat,
        against: Seat,
        fault: &Text,
        as_of: EventNumber,
    ) -> Verdict {
        let named = RuleFault::from_name(fault.as_str());
        // P-86: from the first card dealt on.
        let open = matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play);
        let possible = open && by != against && against.index() < self.seats();
        let found = named.filter(|_| possible).and_then(|named| self.ledger.as_mut()?.take(against, named));
        self.tell(witness, Event::Called { by, against, fault: fault.clone(), upheld: found.is_some() });
        if let Some(violation) = found {
            self.charge(witness, violation);
            return Verdict::Accepted;
        }
        let overtaken = |ledger: &Ledger| named.is_some_and(|named| ledger.is_overtaken(against, named, as_of));
        if possible && self.ledger.as_ref().is_some_and(|ledger| overtaken(ledger)) {
            return Verdict::Refused(Reason::Interrupted);
        }
        if possible && self.rules.set.calls.as_ref().is_some_and(|calls| calls.false_call == FalseCall::Violation) {
            self.note(witness, by, RuleFault::BadPenalty);
        }
        Verdict::Refused(Reason::NotUpheld)
    }

    /// The offender pays, at once and out of turn if need be (P-56, P-105).
    fn charge<W: Witness>(&mut self, witness: &mut W, violation: Violation) {
        let Violation { seat, fault, event, .. } = violation;
        let each = self.rules.set.calls.as_ref().map_or(0, |calls| calls.cards);
        let times = match fault {
            RuleFault::Misdeal => self.even_out(witness),
            _ => 1,
        };
        self.take_back(witness, seat, event);
        self.penalise(witness, seat, each.saturating_mul(times), fault);
        let event = self.events;
        if let Some(ledger) = &mut self.ledger {
            ledger.charged.retain(|charged| charged.seat != seat || charged.fault != fault);
            ledger.charged.push(Charged { seat, fault, event });
        }
        self.reopen(seat);
    }
}
