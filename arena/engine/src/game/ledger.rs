//! Mistakes that are not charged unless somebody notices: what was done or left undone, and how long it can be called
//! (N-66, N-67, N-70, N-71).

use maumau_protocol::ruleset::{FalseCall, Notice};
use maumau_protocol::{Event, Reason, RuleFault, Seat, Text};

use super::{Game, Phase, Verdict, Witness};

/// Until when a mistake can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// The end of the round.
    RoundEnd,
    /// The beginning of the offender's next turn (N-75).
    OwnTurn,
}

/// One mistake that nobody has charged yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Violation {
    pub(crate) seat: Seat,
    pub(crate) fault: RuleFault,
    /// How many mistakes of the kind this stands for.
    pub(crate) count: u16,
    pub(crate) until: Until,
}

impl Game {
    /// `seat` has made a mistake that has to be noticed: by the referee at once, or by another seat (N-70).
    pub(super) fn offend<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, until: Until) {
        match self.rules.set.calls.notice {
            Notice::Referee => self.mistake(witness, seat, fault, 1),
            Notice::Seats => self.ledger.push(Violation { seat, fault, count: 1, until }),
        }
    }

    /// A mistake that the referee notices: charged at once, between rounds in the coming deal (N-122).
    pub(super) fn mistake<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, count: u16) {
        self.tell(witness, Event::Mistake { seat, fault, count });
        self.charge(witness, seat, fault, count);
    }

    fn charge<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, count: u16) {
        if matches!(self.phase, Phase::Deal | Phase::TurnUp) {
            self.dealing.outstanding[seat.index()] += count;
            return;
        }
        for _ in 0..count {
            self.penalise(witness, seat, self.rules.set.calls.cards, fault);
        }
    }

    /// A seat accuses another, naming the fault (G-12).
    pub(super) fn call<W: Witness>(&mut self, witness: &mut W, by: Seat, against: Seat, fault: &Text) -> Verdict {
        let open = matches!(self.phase, Phase::Play | Phase::Deal | Phase::TurnUp);
        let possible = open && by != against && against.index() < self.seats();
        if possible && fault.as_str() == RuleFault::NoMau.name() && self.mau_is_overdue(against) {
            self.tell(witness, Event::Called { by, against, fault: fault.clone(), upheld: true });
            self.charge_mau(witness, against);
            return Verdict::Accepted;
        }
        let found =
            self.ledger.iter().position(|mistake| mistake.seat == against && mistake.fault.name() == fault.as_str());
        match found.filter(|_| possible) {
            Some(index) => {
                let mistake = self.ledger.remove(index);
                self.tell(witness, Event::Called { by, against, fault: fault.clone(), upheld: true });
                if mistake.fault == RuleFault::WrongCard {
                    self.take_back(witness, against);
                }
                if mistake.fault == RuleFault::FalseDeal && self.phase != Phase::Play {
                    self.void_deal(witness);
                    self.mistake(witness, against, mistake.fault, mistake.count);
                } else {
                    self.charge(witness, against, mistake.fault, mistake.count);
                }
                Verdict::Accepted
            }
            None => {
                self.tell(witness, Event::Called { by, against, fault: fault.clone(), upheld: false });
                if self.rules.set.calls.false_call == FalseCall::Cards && open {
                    self.charge(witness, by, RuleFault::FalseCall, 1);
                }
                Verdict::Refused(Reason::NotUpheld)
            }
        }
    }

    /// A turn of `seat` begins: what lapses with it can no longer be called (N-75).
    pub(super) fn lapse_at_turn_of(&mut self, seat: Seat) {
        if !self.ledger.is_empty() {
            self.ledger.retain(|mistake| mistake.seat != seat || mistake.until != Until::OwnTurn);
        }
    }
}
