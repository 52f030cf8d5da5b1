//! Changes to the game and the log: actions, times that are over, and the referee acting for a seat. It changes both
//! together; whose action is next is decided by `ticks` and `live`.

use crate::record::{ActEntry, ElapseEntry, Entry, Meta, StandEntry};
use maumau_engine::Verdict;
use maumau_protocol::{Action, Elapse, Event, EventNumber, RuleFault, Seat, Stand};

use super::Effects;
use super::open_game::OpenGame;
use crate::faults::rule_faults;
use crate::lockstep::{ActionOutcome, Slowness, slowness};

impl OpenGame {
    /// An action of `seat`, judged as of the event `as_of`.
    pub(super) fn apply(
        &mut self,
        effects: &mut Effects,
        seat: Seat,
        action: Action,
        as_of: EventNumber,
        meta: Meta,
    ) -> ActionOutcome {
        let from = self.events.len();
        let verdict = self.game.apply(seat, &action, as_of, &mut self.events);
        let outcome = ActionOutcome::of(&action.verb, verdict, &self.events[from..]);
        self.keep(Entry::Act(ActEntry { seat, as_of, action }), meta);
        let cards = self.penalty_cards(from, seat);
        self.count_faults(from);
        if let Verdict::Refused(reason) = verdict {
            self.report_refusal(effects, seat, reason, cards);
        }
        outcome
    }

    /// A time that began to run with the event `as_of` is over.
    pub(super) fn elapse(&mut self, what: Elapse, as_of: EventNumber, meta: Meta) {
        self.keep(Entry::Elapse(ElapseEntry { what, as_of }), meta);
        let from = self.events.len();
        self.game.elapse_as_of(what, as_of, &mut self.events);
        self.count_faults(from);
        self.settle();
    }

    /// The time of the seat to move is over: the referee acts for it, or under rule sets that only price slowness a turn limit
    /// has passed (G-05, G-22).
    pub(super) fn be_too_slow(&mut self, seat: Seat, meta: Meta) {
        if self.seat(seat).dismissed {
            // It missed its deadline and was lost while others were waited for: its agent is not charged for anything more
            // (G-04).
            self.act_for(seat, Stand::Dismissed, meta);
            return self.settle();
        }
        match slowness(&self.game) {
            Slowness::StandIn => {
                self.act_for(seat, Stand::Slow, meta);
                self.settle();
            }
            Slowness::TurnLimit => {
                self.seat_mut(seat).tally.faults.add(RuleFault::Slow);
                self.elapse(Elapse::TurnLimit, self.game.last_event(), meta);
            }
        }
    }

    pub(super) fn act_for(&mut self, seat: Seat, why: Stand, meta: Meta) {
        if self.game.waits_for() != Some(seat) {
            return;
        }
        if why == Stand::Slow {
            self.seat_mut(seat).tally.faults.add(RuleFault::Slow);
        }
        self.keep(Entry::Stand(StandEntry { seat, why }), meta);
        let from = self.events.len();
        self.game.act_for(seat, why, &mut self.events);
        self.count_faults(from);
    }

    fn penalty_cards(&self, from: usize, whose: Seat) -> u16 {
        let penalty = |event: &&Event| matches!(event, Event::Penalty { seat, .. } if *seat == whose);
        self.events[from..].iter().filter(penalty).count() as u16
    }

    /// Counts the rule faults among the events of an input, which begin at `from`.
    fn count_faults(&mut self, from: usize) {
        for (_, seat, fault) in rule_faults(&self.events[from..]) {
            self.seats[seat.index()].tally.faults.add(fault);
        }
    }
}
