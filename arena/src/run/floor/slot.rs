//! One game on the floor, and the times that run in it.

use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::AskId;
use maumau_referee::record::Meta;
use maumau_referee::{Blame, Input, Referee, Timer};

use super::Done;
use super::span::Span;
use crate::run::desk::{Desk, Place};
use crate::run::link::Link;

/// An agent at the table, and the game's place among those that it plays.
pub(super) struct Seated<L> {
    pub(super) desk: Rc<Desk<L>>,
    pub(super) place: Rc<Place>,
}

pub(super) struct Slot<L> {
    pub(super) referee: Referee,
    /// By seat; seats without one have lost it.
    pub(super) agents: Vec<Option<Seated<L>>>,
    /// By seat: the open ask and its time.
    pub(super) open: Vec<Option<(AskId, Span)>>,
    /// The times of a live game that run.
    pub(super) timers: Vec<(Timer, Span)>,
    /// The earliest moment at which the deadlines will look at this game.
    pub(super) looked_at: Option<Instant>,
    pub(super) done: Option<Done>,
}

impl<L: Link> Slot<L> {
    /// Writes into an answer how long it took since its seat was asked last.
    pub(super) fn stamp(&self, input: &mut Input, now: Instant) {
        if let Input::Act { seat, meta, .. } = input
            && let Some((_, span)) = &self.open[seat.index()]
        {
            *meta = span.answered(now);
        }
    }

    /// The arena has not served for so long until `now`: nobody's time ran meanwhile.
    pub(super) fn give_back(&mut self, stalled: Duration, now: Instant) {
        let asks = self.open.iter_mut().flatten().map(|(_, span)| span);
        let timers = self.timers.iter_mut().map(|(_, span)| span);
        asks.chain(timers).for_each(|span| span.give_back(stalled, now));
    }

    /// No answer of `seat` is waited for any more.
    pub(super) fn close(&mut self, seat: Seat) {
        self.open[seat.index()] = None;
        if let Some(Seated { desk, place }) = &self.agents[seat.index()] {
            desk.answered(place);
        }
    }

    /// The agent of `seat`.
    pub(super) fn desk(&self, seat: Seat) -> Option<&Rc<Desk<L>>> {
        self.agents[seat.index()].as_ref().map(|agent| &agent.desk)
    }

    /// The agents that may have sent something that was in time, but not read: those whose asks are over, and all where a
    /// time of a live game is.
    pub(super) fn late_desks(&self, now: Instant) -> impl Iterator<Item = &Rc<Desk<L>>> {
        let any = self.timers.iter().any(|(_, span)| span.is_over(now));
        let late = move |open: &Option<(AskId, Span)>| any || open.as_ref().is_some_and(|(_, span)| span.is_over(now));
        let late = Seat::all(self.open.len()).zip(&self.open).filter(move |(_, open)| late(open));
        late.filter_map(|(seat, _)| self.desk(seat))
    }

    /// Takes out the asks whose time is over.
    pub(super) fn overdue_asks(&mut self, now: Instant) -> Vec<(Seat, AskId, Meta, Blame)> {
        let mut overdue = Vec::new();
        for seat in Seat::all(self.open.len()) {
            if let Some((id, span)) = self.open[seat.index()].take_if(|(_, span)| span.is_over(now)) {
                let (meta, blame) = span.missed(now, self.desk(seat));
                self.close(seat);
                overdue.push((seat, id, meta, blame));
            }
        }
        overdue
    }

    /// Takes out the time of a live game that has been over for longest.
    pub(super) fn overdue_timer(&mut self, now: Instant) -> Option<(Timer, Meta, Blame)> {
        let over = self.timers.iter().enumerate().filter(|(_, (_, span))| span.is_over(now));
        let (index, _) = over.min_by_key(|(_, (_, span))| span.end())?;
        let (timer, span) = self.timers.remove(index);
        // Nobody is charged for the others: a late look gave them more time than was due.
        let (meta, blame) = match timer {
            Timer::Turn => span.missed(now, self.mover()),
            _ => (Meta::default(), Blame::Agent),
        };
        Some((timer, meta, blame))
    }

    /// The agent of the seat to move.
    fn mover(&self) -> Option<&Rc<Desk<L>>> {
        let seat = self.referee.game().waits_for()?;
        self.desk(seat)
    }

    pub(super) fn measure(&mut self, now: Instant) {
        for (open, agent) in self.open.iter_mut().zip(&self.agents) {
            if let Some((_, span)) = open {
                span.measure(now, agent.as_ref().map(|agent| &agent.desk));
            }
        }
        let mover = self.mover().cloned();
        for (_, span) in self.timers.iter_mut().filter(|(timer, _)| *timer == Timer::Turn) {
            span.measure(now, mover.as_ref());
        }
    }

    /// When it is to be looked at, if that is earlier than the deadlines will, who are to be told.
    pub(super) fn look_earlier(&mut self) -> Option<Instant> {
        let look = self.next_look().filter(|look| self.looked_at.is_none_or(|looked_at| *look < looked_at))?;
        self.looked_at = Some(look);
        Some(look)
    }

    pub(super) fn next_look(&self) -> Option<Instant> {
        let asks = self.open.iter().flatten().map(|(_, span)| span.next_look());
        let timers = self.timers.iter().map(|(timer, span)| match timer {
            Timer::Turn => span.next_look(),
            _ => span.end(),
        });
        asks.chain(timers).min()
    }

    /// As [`Floor::check_times`](super::Floor::check_times), of this game.
    ///
    /// # Errors
    /// What is not so.
    pub(super) fn check_times(&self, lockstep: bool) -> Result<(), String> {
        let next = self.next_look();
        if next.is_some_and(|next| self.looked_at.is_none_or(|looked_at| looked_at > next)) {
            return Err("nobody looks at it when a time is over".to_owned());
        }
        for (seat, agent) in Seat::all(self.agents.len()).zip(&self.agents) {
            let runs = self.open[seat.index()].is_some();
            let is_asked = lockstep && self.referee.is_asked(seat);
            let is_known = agent.as_ref().is_some_and(|agent| agent.place.is_asked());
            if runs != is_asked || is_known != is_asked {
                let what = format!(
                    "is asked: {is_asked}, a deadline runs: {runs}, its agent is known to be asked: {is_known}"
                );
                return Err(format!("seat {seat} {what}"));
            }
        }
        Ok(())
    }

    /// The agent is out of this game. A process that plays nothing else is ended: it may be in any state.
    pub(super) fn dismiss(&mut self, seat: Seat, fault: ConductFault) {
        self.open[seat.index()] = None;
        let Some(Seated { desk, place }) = &self.agents[seat.index()] else { return };
        // It is told why before it is ended.
        desk.send_gathered();
        desk.leave(place);
        let idle = desk.places().is_empty();
        if idle || fault.ends_process() {
            let mut nobody = Vec::new();
            let message = "the agent was dismissed from its game".to_owned();
            if idle {
                desk.lose(fault, message, &mut nobody);
            }
            desk.link.kill();
        }
    }
}
