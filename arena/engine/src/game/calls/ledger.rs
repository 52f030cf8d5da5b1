//! Mistakes that cost nothing unless a seat notices them: what was done or left undone, and how long it can be called
//! (N-66, N-67, N-70, N-71, P-56 to P-58).
//!
//! Each kind of mistake is found where it is made, and kept, called and charged here. No seat sees the ledger.

use crate::reuse::clone_in_place;
use maumau_protocol::ruleset::{CallUntil, FalseCall, Notice, PenaltiesInDeal};
use maumau_protocol::{Event, EventNumber, Reason, RuleFault, Seat, SeatSet, Text};

use crate::game::{Game, Phase, Verdict, Witness};

/// Until when a mistake can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// The end of the round.
    RoundEnd,
    /// The beginning of the offender's next turn (N-75).
    OwnTurn,
    /// The end of the offender's next ordinary turn (P-58).
    OwnNextTurn,
}

/// One mistake that has not been charged yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) seat: Seat,
    pub(crate) fault: RuleFault,
    /// The number of mistakes of the kind that this stands for.
    pub(crate) count: u16,
    pub(crate) until: Until,
    /// The turn in which it was made; the end of this turn does not close it.
    pub(crate) since: u32,
    /// The event after which it was made.
    pub(crate) event: EventNumber,
    /// A call is upheld from now on; before, it can still be made good (P-68).
    pub(crate) ready: bool,
    /// Cards drawn, if their number must be announced.
    pub(crate) number: u16,
}

/// A mistake that was charged or has lapsed, kept to recognise calls that this overtook (G-03, P-108).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Settled {
    seat: Seat,
    fault: RuleFault,
    event: EventNumber,
}

/// The open mistakes of the round, and when one of each kind was last settled.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct MistakeLedger {
    open: Vec<Violation>,
    /// For each [`Until`], the seats that may have such mistakes open; others have none.
    lapsing: [SeatSet; 3],
    settled: Vec<Settled>,
}

clone_in_place!(MistakeLedger { open, lapsing, settled });

/// The most mistakes that are kept; the oldest go first. Only endless calls and talk can make that many.
const MAX_OPEN: usize = 256;

impl MistakeLedger {
    /// The event since which a seat has owed words without having had grace time for them.
    pub(crate) fn words_waited_for(&self) -> Option<EventNumber> {
        self.open.iter().find(|violation| !violation.ready).map(|violation| violation.event)
    }

    /// The words that `seat` owes and can still say, as the mistakes that they would become, with the number of cards to be
    /// announced.
    pub(in crate::game) fn words_of(&self, seat: Seat) -> impl Iterator<Item = (RuleFault, u16)> {
        let owed = self.open.iter().filter(move |violation| !violation.ready && violation.seat == seat);
        owed.map(|violation| (violation.fault, violation.number))
    }

    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.lapsing = Default::default();
        self.settled.clear();
    }

    fn enter(&mut self, violation: Violation) {
        if self.open.len() == MAX_OPEN {
            self.open.remove(0);
        }
        self.lapsing[violation.until as usize].insert(violation.seat);
        self.open.push(violation);
    }

    /// Removes the mistakes of `seat` that can still be made good and for which `heals` is true.
    pub(crate) fn heal(&mut self, seat: Seat, heals: impl Fn(&Violation) -> bool) {
        self.open.retain(|violation| violation.ready || violation.seat != seat || !heals(violation));
    }

    /// Removes all mistakes of this kind.
    pub(crate) fn forget(&mut self, fault: RuleFault) {
        self.open.retain(|violation| violation.fault != fault);
    }

    /// Removes the mistakes of this kind of `seat`.
    pub(crate) fn forget_of(&mut self, seat: Seat, fault: RuleFault) {
        self.open.retain(|violation| violation.seat != seat || violation.fault != fault);
    }

    /// The open mistake of this kind of `seat`, to be extended.
    pub(crate) fn find(&mut self, seat: Seat, fault: RuleFault) -> Option<&mut Violation> {
        self.open.iter_mut().find(|violation| violation.seat == seat && violation.fault == fault)
    }

    /// Takes out the oldest mistake of this kind that can be charged.
    fn take(&mut self, seat: Seat, fault: RuleFault) -> Option<Violation> {
        let at = self.open.iter().position(|v| v.ready && v.seat == seat && v.fault == fault)?;
        Some(self.open.remove(at))
    }

    /// The mistakes of others than `caller` that a call would charge now, each kind of each seat once.
    fn chargeable(&self, caller: Seat) -> impl Iterator<Item = (Seat, RuleFault)> {
        let open = self.open.iter().enumerate().filter(move |(_, v)| v.ready && v.seat != caller);
        open.filter(|(at, v)| {
            !self.open[..*at].iter().any(|known| known.ready && known.seat == v.seat && known.fault == v.fault)
        })
        .map(|(_, violation)| (violation.seat, violation.fault))
    }

    fn is_overtaken(&self, seat: Seat, fault: RuleFault, as_of: EventNumber) -> bool {
        self.settled.iter().any(|s| s.seat == seat && s.fault == fault && s.event > as_of)
    }

    /// Notes that a mistake is settled by what follows `event`.
    fn settle(&mut self, seat: Seat, fault: RuleFault, event: EventNumber) {
        self.settled.retain(|settled| settled.seat != seat || settled.fault != fault);
        self.settled.push(Settled { seat, fault, event });
    }

    /// Takes out the mistakes of `seat` that could be called `until` now, except those of the turn `spared`.
    #[inline(always)]
    fn lapse(&mut self, event: EventNumber, seat: Seat, until: Until, spared: Option<u32>) {
        if self.lapsing[until as usize].contains(seat) {
            self.take_out(event, seat, until, spared);
        }
    }

    fn take_out(&mut self, event: EventNumber, seat: Seat, until: Until, spared: Option<u32>) {
        self.lapsing[until as usize].remove(seat);
        let mut at = 0;
        while let Some(violation) = self.open.get(at) {
            if violation.seat != seat || violation.until != until {
                at += 1;
            } else if Some(violation.since) == spared {
                self.lapsing[until as usize].insert(seat);
                at += 1;
            } else {
                let fault = violation.fault;
                self.open.remove(at);
                self.settle(seat, fault, event);
            }
        }
    }
}

impl Game {
    /// `seat` has made a mistake that must be noticed: by the referee at once, or by another seat (N-70, P-57).
    pub(in crate::game) fn offend<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, until: Until) {
        self.enter(seat, fault, until, true, 0);
        self.notice(witness);
    }

    /// As [`Game::offend`], for the time that the rules set for mistakes in general.
    pub(in crate::game) fn note<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault) {
        let until = self.until_by_rules();
        self.offend(witness, seat, fault, until);
    }

    /// `seat` has owed words since `turn`, and has a short grace time for them (P-68).
    pub(in crate::game) fn owe_words(&mut self, seat: Seat, fault: RuleFault, number: u16, turn: u32) {
        let until = self.until_by_rules();
        self.enter(seat, fault, until, false, number);
        if let Some(violation) = self.ledger.open.last_mut() {
            violation.since = turn;
        }
    }

    /// A mistake that only another seat can notice, even if the referee notices the others.
    pub(in crate::game) fn keep_for_calls(&mut self, seat: Seat, fault: RuleFault) {
        self.enter(seat, fault, Until::RoundEnd, true, 0);
    }

    fn enter(&mut self, seat: Seat, fault: RuleFault, until: Until, ready: bool, number: u16) {
        let (since, event) = (self.table.turns, self.events);
        self.ledger.enter(Violation { seat, fault, count: 1, until, since, event, ready, number });
    }

    fn until_by_rules(&self) -> Until {
        match self.rules.set.calls.until {
            CallUntil::RoundEnd => Until::RoundEnd,
            CallUntil::OwnNextTurn => Until::OwnNextTurn,
        }
    }

    /// The grace time is over for words owed by the event `as_of`: they can no longer be made good (P-68).
    pub(in crate::game) fn mature<W: Witness>(&mut self, witness: &mut W, as_of: EventNumber) {
        self.ledger.open.iter_mut().for_each(|violation| violation.ready |= violation.event <= as_of);
        self.notice(witness);
    }

    /// Charges everything that can be charged, if the referee notices everything (option `strict`). A false deal only
    /// becomes known by a call: until the turn-up it can still be made void.
    fn notice<W: Witness>(&mut self, witness: &mut W) {
        if self.rules.set.calls.notice != Notice::Referee {
            return;
        }
        let known = |violation: &Violation| violation.ready && violation.fault != RuleFault::FalseDeal;
        while let Some(at) = self.ledger.open.iter().position(known) {
            let violation = self.ledger.open.remove(at);
            self.emit(witness, Event::Mistake { seat: violation.seat, fault: violation.fault, count: violation.count });
            self.charge(witness, violation.seat, violation.fault, violation.count);
        }
    }

    /// A mistake that the referee notices: charged at once, between rounds in the coming deal (N-122).
    pub(in crate::game) fn mistake<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, count: u16) {
        self.emit(witness, Event::Mistake { seat, fault, count });
        self.pay(witness, seat, fault, count);
    }

    /// Charges a mistake, with everything else that its kind entails (N-68, N-120, P-70, P-103).
    fn charge<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, count: u16) {
        let mut count = count;
        match fault {
            RuleFault::WrongCard | RuleFault::OutOfTurn => self.take_back(witness, seat),
            RuleFault::Misdeal => count = self.even_out_free_deal(witness),
            RuleFault::FalseDeal if self.phase != Phase::Play => {
                self.void_deal(witness);
                self.emit(witness, Event::Mistake { seat, fault, count });
            }
            _ => {}
        }
        self.pay(witness, seat, fault, count);
        self.ledger.settle(seat, fault, self.events);
    }

    /// The offender pays, at once and out of turn if need be (P-56, P-105).
    fn pay<W: Witness>(&mut self, witness: &mut W, seat: Seat, fault: RuleFault, count: u16) {
        let deferred = self.rules.set.calls.in_deal == PenaltiesInDeal::Outstanding;
        if deferred && matches!(self.phase, Phase::Deal | Phase::TurnUp) {
            return self.defer(seat, fault, count);
        }
        for _ in 0..count {
            self.penalise(witness, seat, self.rules.set.calls.cards.into(), fault);
        }
    }

    /// The calls of `seat` that would be upheld now. Everything that can be called was done in view of all seats.
    pub fn calls(&self, seat: Seat) -> impl Iterator<Item = (Seat, RuleFault)> {
        let open = self.is_open_to_calls();
        let late = move |against: &Seat| *against != seat && self.mau_is_overdue(*against);
        let silent = self.table.mau.owing().iter().filter(late).map(|against| (against, RuleFault::NoMau));
        silent.chain(self.ledger.chargeable(seat)).filter(move |_| open)
    }

    /// Whether [`Game::calls`] has any of `seat`.
    #[inline]
    pub fn can_call(&self, seat: Seat) -> bool {
        let none_open = self.table.mau.owing().is_empty() && self.ledger.open.is_empty();
        !none_open && self.calls(seat).next().is_some()
    }

    /// Whether a call can be right or wrong: in a round including its deal, but in a free deal only from the first card on
    /// (P-86).
    fn is_open_to_calls(&self) -> bool {
        match self.phase {
            Phase::Play | Phase::TurnUp => true,
            Phase::Deal => !self.deals_freely() || self.dealt_cards() > 0,
            Phase::BetweenRounds | Phase::ChooseRule | Phase::MatchOver => false,
        }
    }

    /// A seat accuses another, naming the fault (G-12, P-57, P-85, P-86, P-107, P-108).
    pub(in crate::game) fn call<W: Witness>(
        &mut self,
        witness: &mut W,
        by: Seat,
        against: Seat,
        fault: &Text,
        as_of: EventNumber,
    ) -> Verdict {
        let possible = self.is_open_to_calls() && by != against && against.index() < self.seats();
        let named = RuleFault::from_name(fault.as_str()).filter(|_| possible);
        if named == Some(RuleFault::NoMau) && self.mau_is_overdue(against) {
            self.emit(witness, Event::Called { by, against, fault: fault.clone(), upheld: true });
            self.charge_mau(witness, against);
            return Verdict::Accepted;
        }
        let found = named.and_then(|named| self.ledger.take(against, named));
        self.emit(witness, Event::Called { by, against, fault: fault.clone(), upheld: found.is_some() });
        if let Some(mistake) = found {
            self.charge(witness, mistake.seat, mistake.fault, mistake.count);
            return Verdict::Accepted;
        }
        match self.rules.set.calls.false_call {
            _ if !possible => {}
            _ if named.is_some_and(|named| self.ledger.is_overtaken(against, named, as_of)) => {
                return Verdict::Refused(Reason::Interrupted);
            }
            FalseCall::Free => {}
            FalseCall::Cards => self.pay(witness, by, RuleFault::FalseCall, 1),
            FalseCall::Violation => self.note(witness, by, RuleFault::FalseCall),
        }
        Verdict::Refused(Reason::NotUpheld)
    }

    /// A turn of `seat` begins: mistakes that lapse with it can no longer be called (N-75).
    #[inline(always)]
    pub(in crate::game) fn lapse_at_turn_of(&mut self, seat: Seat) {
        let event = self.events;
        self.ledger.lapse(event, seat, Until::OwnTurn, None);
    }

    /// `seat` completes an ordinary turn of its own: older mistakes can no longer be called (P-58, P-87).
    #[inline(always)]
    pub(in crate::game) fn close_turn(&mut self, seat: Seat) {
        // The move that completes it comes next.
        let (turn, event) = (self.table.turns, EventNumber(self.events.0 + 1));
        self.ledger.lapse(event, seat, Until::OwnNextTurn, Some(turn));
    }
}
