//! One game in play, and the times that run in it. It measures and keeps them; the referee judges.

use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::AskId;
use maumau_referee::faults::{Misconduct, sentence};
use maumau_referee::record::{Frozen, Meta};
use maumau_referee::{Blame, Input, Referee, Timer};

use crate::agent::{Freeze, Spending};
use crate::runner::connection::{AgentGame, Connection};
use crate::runner::missed_deadline::{MOST_LATE, Miss, first_look, next_look};
use crate::runner::transport::Transport;

/// An agent at the table, and the game's place among the agent's games.
pub(super) struct Seated<L> {
    pub(super) connection: Rc<Connection<L>>,
    pub(super) place: Rc<AgentGame>,
}

pub(super) struct ActiveGame<L> {
    pub(super) referee: Referee,
    /// By seat; a seat without one has lost its agent.
    pub(super) agents: Vec<Option<Seated<L>>>,
    /// By seat: the open ask and its time.
    pub(super) open: Vec<Option<(AskId, AskTimer)>>,
    /// The running times of a live game.
    pub(super) timers: Vec<(Timer, AskTimer)>,
    /// The earliest moment at which the deadlines will check this game.
    pub(super) looked_at: Option<Instant>,
}

impl<L: Transport> ActiveGame<L> {
    /// Keeps what the agent at `seat` has written to stderr up to now; of every agent, if it is the time that has passed.
    pub(super) fn hear_stderr(&mut self, seat: Option<Seat>) {
        for (at, agent) in Seat::all(self.agents.len()).zip(&self.agents) {
            let is_meant = seat.is_none_or(|seat| seat == at);
            let agent = agent.as_ref().filter(|_| is_meant);
            if let Some(text) = agent.and_then(|agent| agent.connection.transport.take_stderr()) {
                self.referee.hear_stderr(at, text);
            }
        }
    }

    /// Notes in an answer how long it took since its seat was asked last.
    pub(super) fn stamp(&self, input: &mut Input, now: Instant) {
        if let Input::Act { seat, meta, .. } = input
            && let Some((_, time)) = &self.open[seat.index()]
        {
            *meta = time.answered(now, self.connection(*seat));
        }
    }

    /// The arena was stalled for this long until `now`: nobody's time ran meanwhile.
    pub(super) fn give_back(&mut self, stalled: Duration, now: Instant) {
        let asks = self.open.iter_mut().flatten().map(|(_, time)| time);
        let timers = self.timers.iter_mut().map(|(_, time)| time);
        asks.chain(timers).for_each(|time| time.give_back(stalled, now));
    }

    /// Stops waiting for an answer of `seat`.
    pub(super) fn close(&mut self, seat: Seat) {
        self.open[seat.index()] = None;
        if let Some(Seated { connection, place }) = &self.agents[seat.index()] {
            connection.answered(place);
        }
    }

    /// The agent of `seat`.
    pub(super) fn connection(&self, seat: Seat) -> Option<&Rc<Connection<L>>> {
        self.agents[seat.index()].as_ref().map(|agent| &agent.connection)
    }

    /// The agents that may have sent something in time that has not been read: those whose asks are over, and all of them if a
    /// time of a live game is.
    pub(super) fn late_connections(&self, now: Instant) -> impl Iterator<Item = &Rc<Connection<L>>> {
        let any = self.timers.iter().any(|(_, time)| time.is_over(now));
        let late =
            move |open: &Option<(AskId, AskTimer)>| any || open.as_ref().is_some_and(|(_, time)| time.is_over(now));
        let late = Seat::all(self.open.len()).zip(&self.open).filter(move |(_, open)| late(open));
        late.filter_map(|(seat, _)| self.connection(seat))
    }

    /// Removes and returns the asks whose time is over.
    pub(super) fn overdue_asks(&mut self, now: Instant) -> Vec<(Seat, AskId, Meta, Blame)> {
        let mut overdue = Vec::new();
        for seat in Seat::all(self.open.len()) {
            if let Some((id, time)) = self.open[seat.index()].take_if(|(_, time)| time.is_over(now)) {
                let (meta, blame) = time.missed(now, self.connection(seat));
                self.close(seat);
                overdue.push((seat, id, meta, blame));
            }
        }
        overdue
    }

    /// Removes and returns the time of a live game that has been over for longest.
    pub(super) fn overdue_timer(&mut self, now: Instant) -> Option<(Timer, Meta, Blame)> {
        let over = self.timers.iter().enumerate().filter(|(_, (_, time))| time.is_over(now));
        let (index, _) = over.min_by_key(|(_, (_, time))| time.end())?;
        let (timer, time) = self.timers.remove(index);
        // Nobody is charged for the others: a late check gave them more time than was due.
        let (meta, blame) = match timer {
            Timer::Turn => time.missed(now, self.mover()),
            _ => (Meta::default(), Blame::Agent),
        };
        Some((timer, meta, blame))
    }

    /// The agent of the seat to move.
    fn mover(&self) -> Option<&Rc<Connection<L>>> {
        let seat = self.referee.game().waits_for()?;
        self.connection(seat)
    }

    pub(super) fn measure(&mut self, now: Instant) {
        for (open, agent) in self.open.iter_mut().zip(&self.agents) {
            if let Some((_, time)) = open {
                time.measure(now, agent.as_ref().map(|agent| &agent.connection));
            }
        }
        let mover = self.mover().cloned();
        for (_, time) in self.timers.iter_mut().filter(|(timer, _)| *timer == Timer::Turn) {
            time.measure(now, mover.as_ref());
        }
    }

    /// When it must be checked, if that is earlier than the deadlines will check it; the caller notifies them.
    pub(super) fn look_earlier(&mut self) -> Option<Instant> {
        let look = self.next_look().filter(|look| self.looked_at.is_none_or(|looked_at| *look < looked_at))?;
        self.looked_at = Some(look);
        Some(look)
    }

    pub(super) fn next_look(&self) -> Option<Instant> {
        let asks = self.open.iter().flatten().map(|(_, time)| time.next_look());
        let timers = self.timers.iter().map(|(timer, time)| match timer {
            Timer::Turn => time.next_look(),
            _ => time.end(),
        });
        asks.chain(timers).min()
    }

    /// As [`GameHost::check_times`](super::GameHost::check_times), for this game.
    ///
    /// # Errors
    /// The condition that does not hold.
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

    /// Removes the agent from this game. A process without other games is ended: it may be in any state.
    pub(super) fn dismiss(&mut self, seat: Seat, fault: ConductFault) {
        self.open[seat.index()] = None;
        let Some(Seated { connection, place }) = &self.agents[seat.index()] else { return };
        // It is sent the reason before it is ended.
        connection.send_gathered();
        connection.leave(place);
        let idle = connection.places().is_empty();
        if idle || sentence(fault).ends_process() {
            let mut nobody = Vec::new();
            let message = "the agent was dismissed from its game".to_owned();
            if idle {
                connection.lose(Misconduct { fault, message }, &mut nobody);
            }
            connection.transport.kill();
        }
    }
}

pub(super) struct AskTimer {
    /// When it was decided that the seat is asked.
    decided: Instant,
    since: Instant,
    allowed: Duration,
    /// How long the arena has been stalled since it began.
    stalled: Duration,
    /// The measurements of the agent's usage, once there are any.
    measured: Option<Box<Measured>>,
}

/// What the agent has spent since the first measurement.
struct Measured {
    /// Absent if unknown.
    spending: Option<Spending>,
    /// When it is measured next.
    next: Instant,
}

impl AskTimer {
    pub(super) fn new(since: Instant, ms: u64) -> AskTimer {
        AskTimer { decided: since, since, allowed: Duration::from_millis(ms), stalled: Duration::ZERO, measured: None }
    }

    /// Moves its beginning to `since`.
    pub(super) fn begin_at(&mut self, since: Instant) {
        self.since = since;
    }

    /// The arena was stalled for this long until `now`: the end moves by as much.
    pub(super) fn give_back(&mut self, stalled: Duration, now: Instant) {
        self.stalled += stalled.min(now.saturating_duration_since(self.since));
    }

    /// If the seat was not served for its whole time, the time is not extended, and the seat is not to blame.
    pub(super) fn end(&self) -> Instant {
        let moved = if self.stalled < self.allowed { self.stalled } else { Duration::ZERO };
        self.since + self.allowed + moved
    }

    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.end() <= now
    }

    /// When the agent's usage is to be measured, or the end.
    pub(super) fn next_look(&self) -> Instant {
        let next = self.measured.as_ref().map_or(self.since + first_look(self.allowed), |measured| measured.next);
        next.min(self.end())
    }

    /// Measures the usage if it is time for that.
    pub(super) fn measure<L: Transport>(&mut self, now: Instant, connection: Option<&Rc<Connection<L>>>) {
        if self.next_look() > now || self.is_over(now) {
            return;
        }
        let spending = self.spending(connection);
        let next = if spending.is_some() { now + next_look(self.allowed, self.since, now) } else { self.end() };
        self.measured = Some(Box::new(Measured { spending, next }));
    }

    /// What the agent has spent until now, since the first measurement.
    fn spending<L: Transport>(&self, connection: Option<&Rc<Connection<L>>>) -> Option<Spending> {
        let usage = connection?.transport.usage()?;
        match &self.measured {
            None => Some(Spending::new(usage)),
            Some(measured) => {
                let mut spending = measured.spending.clone()?;
                spending.look(usage);
                Some(spending)
            }
        }
    }

    /// How long an answer read at `now` took; no time if the arena itself was so late that it is unknown, so that the seat is
    /// not charged for it.
    pub(super) fn answered<L: Transport>(&self, now: Instant, connection: Option<&Rc<Connection<L>>>) -> Meta {
        let took_us = (now <= self.end() + MOST_LATE).then(|| self.took_us(now));
        Meta { took_us, stalled_us: self.stalled_us(), frozen: self.frozen(connection), ..Meta::default() }
    }

    /// When the agent was stopped last, if that ended with this ask or after it.
    fn frozen<L: Transport>(&self, connection: Option<&Rc<Connection<L>>>) -> Option<Frozen> {
        let Freeze { from, to } = connection?.frozen().filter(|last| last.to.is_none_or(|to| to >= self.decided))?;
        let after_ask = |moment: Instant| match moment.checked_duration_since(self.since) {
            Some(after) => after.as_micros() as i64,
            None => -(self.since.saturating_duration_since(moment).as_micros() as i64),
        };
        Some(Frozen { from_us: after_ask(from), to_us: to.map(after_ask) })
    }

    /// The result once the time is over: its times, and who is to blame.
    pub(super) fn missed<L: Transport>(&self, now: Instant, connection: Option<&Rc<Connection<L>>>) -> (Meta, Blame) {
        let looked_before = self.measured.is_some();
        let frozen = self.frozen(connection);
        let spent = self.spending(connection).filter(|_| looked_before).map(|spending| spending.spent());
        let meta = Meta {
            took_us: Some(self.took_us(now)),
            cpu_us: spent.map(|spent| spent.ran_us),
            waited_us: spent.map(|spent| spent.waited_us),
            stalled_us: self.stalled_us(),
            frozen,
            silence: connection.and_then(|connection| connection.silence()),
            ..Meta::default()
        };
        let frozen = frozen.is_some_and(|frozen| frozen.while_asked());
        let late = now.saturating_duration_since(self.end());
        (meta, Miss { allowed: self.allowed, late, stalled: self.stalled, frozen, spent }.blame())
    }

    fn took_us(&self, now: Instant) -> u64 {
        (now - self.since).saturating_sub(self.stalled).as_micros() as u64
    }

    fn stalled_us(&self) -> Option<u64> {
        (!self.stalled.is_zero()).then_some(self.stalled.as_micros() as u64)
    }
}
