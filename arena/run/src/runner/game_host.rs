//! The games of one loop and their deadlines: passes what agents send to the referees, and carries out the referees' effects. A
//! finished game waits to be taken out.
//! Knows neither processes nor tasks; the clock and the transports are its parameters, so it can run with scripted agents and a
//! virtual clock.

mod active_game;
mod games;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use active_game::{ActiveGame, AskTimer, Seated};
use games::GamesByNumber;
use maumau_protocol::Seat;
use maumau_protocol::message::AskId;
use maumau_referee::faults::Misconduct;
use maumau_referee::{Effects, GameLog, GameSetup, Input, Referee, RefereeEffect, SeatTally, Timer};

use super::connection::{Connection, Delivery};
use super::missed_deadline::first_look;
use super::transport::{Clock, Transport};
use crate::agent::Evidence;

/// How many games of one loop keep evidence of their faults.
const MOST_TESTIMONIES: u32 = 64;

/// How many bytes are read from one agent before the others get a turn.
pub(super) const READ_BYTES: usize = 64 * 1024;

/// A game whose running times are not those that its referee waits for: a bug.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}: {why}")]
pub struct WrongTimes {
    /// The game.
    pub game: String,
    /// The condition that does not hold.
    pub why: String,
}

/// A game that has been played.
pub struct Played {
    /// Its log.
    pub log: GameLog,
    /// The counts of each seat.
    pub tallies: Vec<SeatTally>,
    /// Evidence about agents with faults; only for the first such games of a loop.
    pub evidence: Vec<(Seat, Evidence)>,
}

/// The games of one loop.
pub struct GameHost<L, C> {
    clock: C,
    games: GamesByNumber<Box<ActiveGame<L>>>,
    /// Games that are over and have not been taken out, under their numbers.
    finished: Vec<(u64, Played)>,
    deadlines: Deadlines,
    stalls: StallDetector,
    effects: Effects,
    buffer: Vec<u8>,
    /// True if what agents write to stderr is kept in the logs of their games.
    keeps_stderr: bool,
    /// Games with faults whose agents are still being read.
    testimonies_left: u32,
    /// Agents that there is something to send to: what follows from several deliveries, or from the beginnings of several
    /// games, goes out with one write for each.
    gathered: Vec<Rc<Connection<L>>>,
    /// The asks in it; their time begins when they are written.
    asked: Vec<(u64, Seat, AskId)>,
    /// Agents that had unwritten bytes after the last send.
    behind: Vec<Rc<Connection<L>>>,
}

impl<L: Transport, C: Clock> GameHost<L, C> {
    /// A host without games.
    pub fn new(clock: C) -> GameHost<L, C> {
        GameHost {
            stalls: StallDetector::new(clock.now()),
            clock,
            games: GamesByNumber::new(),
            finished: Vec::new(),
            deadlines: Deadlines::default(),
            effects: Effects::default(),
            buffer: vec![0; READ_BYTES],
            keeps_stderr: false,
            testimonies_left: MOST_TESTIMONIES,
            gathered: Vec::new(),
            asked: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// Begins a game, and returns the number under which [`GameHost::take_finished`] gives it back; seats without a connection
    /// have lost their agent. Its first lines go out with [`GameHost::send`], together with everything else there is to send.
    pub fn begin(&mut self, setup: GameSetup, connections: Vec<Option<Rc<Connection<L>>>>) -> u64 {
        let move_ms = setup.time.move_ms;
        self.stalls.expect(move_ms);
        if self.games.is_empty() {
            // From now on the loop must wake regularly.
            self.stalls.rest(self.clock.now());
            self.deadlines.wake();
        }
        let mut lost: Vec<Input> = Vec::new();
        let game = self.games.add(|game| {
            let agents = Seat::all(connections.len()).zip(connections).map(|(seat, connection)| {
                let connection = connection?;
                // An agent that was lost after its handshake cannot report that to this game any more.
                if let Some(Misconduct { fault, message }) = connection.lost.borrow().clone() {
                    lost.push(Input::Wrong { seat, fault, message, line: None });
                }
                let place = connection.enter(setup.id.clone(), game, seat, setup.rules.rounds());
                Some(Seated { connection, place })
            });
            let agents: Vec<_> = agents.collect();
            Box::new(ActiveGame {
                open: agents.iter().map(|_| None).collect(),
                agents,
                referee: Referee::new(setup),
                timers: Vec::new(),
                looked_at: None,
            })
        });
        self.step(game, None);
        for input in lost {
            self.step(game, Some(input));
        }
        game
    }

    /// From now on keeps what agents write to stderr in the logs of their games. Each agent should play only one at a time: all
    /// that it writes is kept with the game in which it answers next.
    pub fn keep_stderr(&mut self) {
        self.keeps_stderr = true;
    }

    /// Takes out the games that are over. Any call that passes input to the games, sends or checks may have ended some.
    pub fn take_finished(&mut self) -> Vec<(u64, Played)> {
        std::mem::take(&mut self.finished)
    }

    /// Passes on what agents have sent, and empties the list. What follows goes out with [`GameHost::send`].
    pub fn deliver(&mut self, deliveries: &mut Vec<Delivery>) {
        // A read without a complete line was work as well; and all that was read together counts as arrived at the same moment.
        let now = self.serve();
        for (game, input) in deliveries.drain(..) {
            self.step_at(now, game, Some(input));
        }
    }

    /// True if there are finished games.
    pub fn has_finished(&self) -> bool {
        !self.finished.is_empty()
    }

    /// Sends what there is to send, with one write for each agent.
    pub fn send(&mut self) {
        while !self.gathered.is_empty() || !self.asked.is_empty() {
            let mut unheard = Vec::new();
            for connection in self.gathered.drain(..) {
                if !connection.send_gathered() {
                    unheard.extend(connection.places().iter().map(|place| (place.game, place.seat)));
                }
                if connection.transport.is_behind() && !self.behind.iter().any(|known| Rc::ptr_eq(known, &connection)) {
                    self.behind.push(connection);
                }
            }
            let now = self.clock.now();
            for (game, seat, id) in self.asked.drain(..) {
                let open = self.games.get_mut(game).and_then(|active| active.open[seat.index()].as_mut());
                if let Some((_, time)) = open.filter(|(open, _)| *open == id) {
                    time.begin_at(now);
                }
            }
            for (game, seat) in unheard {
                self.step(game, Some(not_read(seat)));
            }
        }
    }

    /// True if bytes wait for an agent to read, so that the writer needs a turn.
    pub fn is_behind(&mut self) -> bool {
        self.behind.retain(|connection| connection.transport.is_behind());
        !self.behind.is_empty()
    }

    /// When [`GameHost::look`] must next be called.
    pub fn next_look(&self) -> Option<Instant> {
        let due = self.deadlines.first();
        if self.games.is_empty() { due } else { Some(self.stalls.next(due)) }
    }

    /// True if that moment has become earlier since the last call.
    pub fn take_earlier(&mut self) -> bool {
        self.deadlines.take_earlier()
    }

    /// Checks the games whose deadlines may have passed, and sends what follows.
    pub fn look(&mut self) {
        // No time of an ask that has not been sent yet runs out.
        self.send();
        let now = self.serve();
        while let Some(game) = self.deadlines.pop(now) {
            self.look_at(game);
        }
        self.forget_games_that_are_over();
        self.send();
        self.stalls.rest(now);
    }

    /// The loop is at work. If it was stalled until now, no seat's time ran meanwhile.
    fn serve(&mut self) -> Instant {
        let now = self.clock.now();
        if let Some(stalled) = self.stalls.stalled(now, self.deadlines.first()) {
            for (game, active) in self.games.iter_mut() {
                active.give_back(stalled, now);
                // The time of a seat that was not served at all is not extended, so it ends earlier than before.
                if let Some(look) = active.look_earlier() {
                    self.deadlines.add(look, game);
                }
            }
        }
        now
    }

    /// How many games are being played.
    pub fn playing(&self) -> usize {
        self.games.len()
    }

    /// The games that are being played, under their numbers.
    pub fn referees(&self) -> impl Iterator<Item = (u64, &Referee)> {
        self.games.iter().map(|(number, active)| (number, &active.referee))
    }

    /// Checks, between two calls, that the running times are those that the referees wait for: in lockstep a deadline runs for
    /// exactly the open asks, and its agent is marked as asked; each game will be checked in time.
    ///
    /// # Errors
    /// The condition that does not hold.
    pub fn check_times(&self, lockstep: bool) -> Result<(), WrongTimes> {
        self.games.iter().try_for_each(|(_, active)| {
            let game = || active.referee.id().0.to_string();
            active.check_times(lockstep).map_err(|why| WrongTimes { game: game(), why })
        })
    }

    /// Passes `input` (or the beginning) to a game and carries out the effects.
    fn step(&mut self, game: u64, input: Option<Input>) {
        let now = self.serve();
        self.step_at(now, game, input);
    }

    /// As [`GameHost::step`], for input that came at `now`.
    fn step_at(&mut self, now: Instant, game: u64, input: Option<Input>) {
        let Some(active) = self.games.get_mut(game) else { return };
        let effects = &mut self.effects;
        effects.clear();
        match input {
            None => active.referee.begin(effects),
            Some(mut input) => {
                active.stamp(&mut input, now);
                if self.keeps_stderr {
                    active.hear_stderr(seat_of(&input));
                }
                active.referee.handle(input, effects);
            }
        }
        let mut finished = false;
        for effect in &effects.list {
            let started = match effect {
                RefereeEffect::Send { seat, line, ask } => {
                    if let Some(Seated { connection, place }) = &active.agents[seat.index()] {
                        if ask.is_some() {
                            place.invite();
                        }
                        if connection.gather(&effects.bytes[line.clone()]) {
                            self.gathered.push(Rc::clone(connection));
                        }
                    }
                    None
                }
                RefereeEffect::StartDeadline { seat, id, ms } => {
                    if let Some(Seated { connection, place }) = &active.agents[seat.index()] {
                        connection.asked(place);
                    }
                    // It has not been sent yet, and its time restarts when it is.
                    let time = AskTimer::new(now, *ms);
                    let look = time.next_look();
                    active.open[seat.index()] = Some((*id, time));
                    self.asked.push((game, *seat, *id));
                    Some(look)
                }
                RefereeEffect::StopDeadline { seat } => {
                    active.close(*seat);
                    None
                }
                RefereeEffect::StartTimer { timer, ms } => {
                    active.timers.retain(|(running, _)| running != timer);
                    if *timer == Timer::Turn {
                        active.agents.iter().flatten().for_each(|agent| agent.connection.moved(&agent.place));
                    }
                    let time = AskTimer::new(self.clock.now(), *ms);
                    let look = if *timer == Timer::Turn { time.next_look() } else { time.end() };
                    active.timers.push((*timer, time));
                    Some(look)
                }
                RefereeEffect::StopTimer { timer } => {
                    active.timers.retain(|(running, _)| running != timer);
                    None
                }
                RefereeEffect::Dismiss { seat, fault } => {
                    active.dismiss(*seat, *fault);
                    None
                }
                RefereeEffect::Finished => {
                    finished = true;
                    None
                }
            };
            if let Some(look) = started
                && active.looked_at.is_none_or(|looked_at| look < looked_at)
            {
                active.looked_at = Some(look);
                self.deadlines.add(look, game);
            }
        }
        if finished {
            self.end(game);
        }
    }

    /// No wake-up for a game that is over: a short wait costs more than a long one.
    fn forget_games_that_are_over(&mut self) {
        self.deadlines.forget(|game| self.games.get(game).is_none());
    }

    fn end(&mut self, game: u64) {
        let Some(active) = self.games.remove(game) else { return };
        self.forget_games_that_are_over();
        for agent in active.agents.iter().flatten() {
            agent.connection.leave(&agent.place);
        }
        let (log, tallies) = active.referee.finish();
        let at_fault = Seat::all(tallies.len()).zip(&tallies).filter(|(_, tally)| !tally.faults.is_empty());
        let evidence: Vec<(Seat, Evidence)> = match self.testimonies_left {
            0 => Vec::new(),
            _ => at_fault
                .filter_map(|(seat, _)| {
                    let connection = &active.agents[seat.index()].as_ref()?.connection;
                    // Lines that it is still to be sent belong to it.
                    connection.send_gathered();
                    Some((seat, connection.transport.evidence()?))
                })
                .collect(),
        };
        self.testimonies_left -= u32::from(!evidence.is_empty());
        self.finished.push((game, Played { log, tallies, evidence }));
    }

    /// Checks one game: takes up what has come in time, ends what is overdue, and measures agents that have not answered for
    /// some time.
    fn look_at(&mut self, game: u64) {
        let now = self.clock.now();
        // Lines that came before the deadline count, even if this loop was too busy to read them.
        let Some(active) = self.games.get(game) else { return };
        let late: Vec<Rc<Connection<L>>> = active.late_connections(now).cloned().collect();
        let mut out = Vec::new();
        let mut buffer = std::mem::take(&mut self.buffer);
        for connection in late {
            connection.read_all(&mut buffer, &mut out);
        }
        self.buffer = buffer;
        self.deliver(&mut out);
        let Some(active) = self.games.get_mut(game) else { return };
        for (seat, id, meta, blame) in active.overdue_asks(now) {
            self.step(game, Some(Input::Deadline { seat, id, meta, blame }));
        }
        // One at a time: the effects of one may restart another.
        while let Some((timer, meta, blame)) = self.games.get_mut(game).and_then(|active| active.overdue_timer(now)) {
            self.step(game, Some(Input::Timer { timer, meta, blame }));
        }
        let Some(active) = self.games.get_mut(game) else { return };
        active.measure(now);
        active.looked_at = active.next_look();
        if let Some(look) = active.looked_at {
            self.deadlines.add(look, game);
        }
    }
}

/// The seat that an input comes from or is about, if it is one.
fn seat_of(input: &Input) -> Option<Seat> {
    match input {
        Input::Act { seat, .. }
        | Input::Note { seat, .. }
        | Input::Wrong { seat, .. }
        | Input::Deadline { seat, .. } => Some(*seat),
        Input::Timer { .. } => None,
    }
}

fn not_read(seat: Seat) -> Input {
    let Misconduct { fault, message } = Misconduct::gone("the agent does not read its input".to_owned());
    Input::Wrong { seat, fault, message, line: None }
}

/// When to check which game.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    heap: BinaryHeap<Reverse<(Instant, u64)>>,
    earlier: bool,
}

impl Deadlines {
    /// Checks `game` at `when`.
    pub(super) fn add(&mut self, when: Instant, game: u64) {
        self.earlier |= self.first().is_none_or(|first| when < first);
        self.heap.push(Reverse((when, game)));
    }

    /// Wakes the task that follows the deadlines.
    pub(super) fn wake(&mut self) {
        self.earlier = true;
    }

    /// When the next game is to be checked.
    pub(super) fn first(&self) -> Option<Instant> {
        self.heap.peek().map(|Reverse((when, _))| *when)
    }

    /// Drops the first entries as long as `is_over` is true for their games.
    pub(super) fn forget(&mut self, is_over: impl Fn(u64) -> bool) {
        while self.heap.peek().is_some_and(|Reverse((_, game))| is_over(*game)) {
            self.heap.pop();
        }
    }

    /// A game that is to be checked by `now`.
    pub(super) fn pop(&mut self, now: Instant) -> Option<u64> {
        self.first().filter(|first| *first <= now)?;
        self.heap.pop().map(|Reverse((_, game))| game)
    }

    /// True if [`Deadlines::first`] has become earlier since the last call, or the task was to be woken.
    pub(super) fn take_earlier(&mut self) -> bool {
        std::mem::take(&mut self.earlier)
    }
}

/// Lateness up to this is the grain of timers, and the most that one read and its effects may take.
const GRAIN: Duration = Duration::from_millis(4);
/// The longest time the loop may sleep; less if moves have less time.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// When a loop was last at work, and when it means to be again.
#[derive(Debug)]
pub(super) struct StallDetector {
    /// The last moment at which it was at work.
    seen: Instant,
    /// When it wakes, whether anything is due or not.
    beat: Instant,
    sleep: Duration,
}

impl StallDetector {
    /// A loop that is at work now.
    pub(super) fn new(now: Instant) -> StallDetector {
        StallDetector { seen: now, beat: now, sleep: LONGEST_SLEEP }
    }

    /// A game begins in which a move may take this many milliseconds.
    pub(super) fn expect(&mut self, move_ms: u64) {
        let sleep = first_look(Duration::from_millis(move_ms)).max(GRAIN);
        self.sleep = self.sleep.min(sleep);
    }

    /// When the loop wakes next, unless something is `due` before.
    pub(super) fn next(&self, due: Option<Instant>) -> Instant {
        due.map_or(self.beat, |due| due.min(self.beat))
    }

    /// The loop goes to sleep, and means to wake before long.
    pub(super) fn rest(&mut self, now: Instant) {
        self.beat = now + self.sleep;
    }

    /// The loop is at work now. Returns how long it was stalled although something was `due`.
    pub(super) fn stalled(&mut self, now: Instant, due: Option<Instant>) -> Option<Duration> {
        let meant = self.next(due).max(self.seen);
        self.seen = now;
        Some(now.saturating_duration_since(meant)).filter(|late| *late > GRAIN)
    }
}
