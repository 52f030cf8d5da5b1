//! The games of one loop and their deadlines: what agents send goes to the referees, what referees want is carried out.
//! Knows neither processes nor tasks; the clock and the ways to the agents are its parameters, so it runs as well on
//! scripted agents in a time of their own.

mod games;
mod slot;
mod span;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::time::Instant;

use games::Games;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_BYTES_PER_ROUND;
use maumau_protocol::message::AskId;
use maumau_referee::{Effect, Effects, GameLog, GameSetup, Input, Referee, Tally, Timer};
use slot::{Seated, Slot};
use span::Span;

use super::deadlines::Deadlines;
use super::desk::{Delivery, Desk};
use super::link::{Clock, Link};
use super::service::Service;
use crate::agent::Testimony;

/// Games of one loop of whose faults testimonies are kept.
const MOST_TESTIMONIES: u32 = 64;

/// How the line of an ask begins (SPEC 3).
const ASK: &[u8] = br#"{"type":"ask","#;

/// Bytes taken from one agent before the others have their turn.
pub(crate) const READ_BYTES: usize = 64 * 1024;

/// A game that has been played.
pub(crate) struct Played {
    /// Its log.
    pub(crate) log: GameLog,
    /// What was counted of each seat.
    pub(crate) tallies: Vec<Tally>,
    /// What agents with faults leave; only of the first such games of a loop.
    pub(crate) testimonies: Vec<(Seat, Testimony)>,
}

/// What is to be done with a game that has been played.
pub(crate) type Done = Box<dyn FnOnce(Played)>;

/// The games of one loop.
pub(crate) struct Floor<L, C> {
    clock: C,
    games: Games<Box<Slot<L>>>,
    deadlines: Deadlines,
    service: Service,
    effects: Effects,
    buffer: Vec<u8>,
    /// Games with faults whose agents are still heard.
    testimonies_left: u32,
    /// Agents for which there is something to send: what follows from several deliveries, or from the beginnings of several
    /// games, goes out with one write for each.
    gathered: Vec<Rc<Desk<L>>>,
    /// Asks among it; their time begins when they are written.
    asked: Vec<(u64, Seat, AskId)>,
    /// Agents for which bytes waited when they were sent something last.
    behind: Vec<Rc<Desk<L>>>,
}

impl<L: Link, C: Clock> Floor<L, C> {
    /// A floor without games.
    pub(crate) fn new(clock: C) -> Floor<L, C> {
        Floor {
            service: Service::new(clock.now()),
            clock,
            games: Games::new(),
            deadlines: Deadlines::default(),
            effects: Effects::default(),
            buffer: vec![0; READ_BYTES],
            testimonies_left: MOST_TESTIMONIES,
            gathered: Vec::new(),
            asked: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// Begins a game; seats without a desk have lost their agent. Its first lines go out with [`Floor::send`], together with
    /// whatever else there is to send. `done` is called when it is over, from within the call that ends it.
    pub(crate) fn begin(&mut self, setup: GameSetup, desks: Vec<Option<Rc<Desk<L>>>>, done: Done) {
        let move_ms = setup.time.move_ms;
        let most_bytes = MAX_BYTES_PER_ROUND.saturating_mul(u64::from(setup.rules.rounds()));
        self.service.expect(move_ms);
        if self.games.is_empty() {
            // From now on it is to look around.
            self.service.rest(self.clock.now());
            self.deadlines.wake();
        }
        let mut lost: Vec<Input> = Vec::new();
        let game = self.games.add(|game| {
            let agents = Seat::all(desks.len()).zip(desks).map(|(seat, desk)| {
                let desk = desk?;
                // An agent that was lost since its handshake can tell this game nothing any more.
                if let Some((fault, message)) = &*desk.lost.borrow() {
                    lost.push(Input::Wrong { seat, fault: *fault, message: message.clone(), line: None });
                }
                let place = desk.enter(setup.id.clone(), game, seat, most_bytes);
                Some(Seated { desk, place })
            });
            let agents: Vec<_> = agents.collect();
            Box::new(Slot {
                open: agents.iter().map(|_| None).collect(),
                agents,
                referee: Referee::new(setup),
                timers: Vec::new(),
                looked_at: None,
                done: Some(done),
            })
        });
        self.step(game, None);
        for input in lost {
            self.step(game, Some(input));
        }
    }

    /// Hands on what agents have sent, and leaves the list empty. What follows goes out with [`Floor::send`].
    pub(crate) fn deliver(&mut self, deliveries: &mut Vec<Delivery>) {
        // A read that brought nothing whole was work as well; and of what came together nothing came later than the rest.
        let now = self.serve();
        for (game, input) in deliveries.drain(..) {
            self.step_at(now, game, Some(input));
        }
    }

    /// Sends what there is to send, with one write for each agent.
    pub(crate) fn send(&mut self) {
        while !self.gathered.is_empty() || !self.asked.is_empty() {
            let mut unheard = Vec::new();
            for desk in self.gathered.drain(..) {
                if !desk.send_gathered() {
                    unheard.extend(desk.places().iter().map(|place| (place.game, place.seat)));
                }
                if desk.link.is_behind() && !self.behind.iter().any(|known| Rc::ptr_eq(known, &desk)) {
                    self.behind.push(desk);
                }
            }
            let now = self.clock.now();
            for (game, seat, id) in self.asked.drain(..) {
                let open = self.games.get_mut(game).and_then(|slot| slot.open[seat.index()].as_mut());
                if let Some((_, span)) = open.filter(|(open, _)| *open == id) {
                    span.begin_at(now);
                }
            }
            for (game, seat) in unheard {
                self.step(game, Some(not_read(seat)));
            }
        }
    }

    /// Whether bytes wait for an agent to read, so that the writer needs a turn.
    pub(crate) fn is_behind(&mut self) -> bool {
        self.behind.retain(|desk| desk.link.is_behind());
        !self.behind.is_empty()
    }

    /// When [`Floor::look`] is to be called next.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        let due = self.deadlines.first();
        if self.games.is_empty() { due } else { Some(self.service.next(due)) }
    }

    /// Whether that has come to be earlier since the last call.
    pub(crate) fn take_earlier(&mut self) -> bool {
        self.deadlines.take_earlier()
    }

    /// Looks at the games whose deadlines may have passed, and sends what follows.
    pub(crate) fn look(&mut self) {
        // No time runs out in which nobody was asked yet.
        self.send();
        let now = self.serve();
        while let Some(game) = self.deadlines.pop(now) {
            self.look_at(game);
        }
        self.forget_games_that_are_over();
        self.send();
        self.service.rest(now);
    }

    /// The loop is at work. If it was not, though it was to be, nobody's time ran meanwhile.
    fn serve(&mut self) -> Instant {
        let now = self.clock.now();
        if let Some(stalled) = self.service.stalled(now, self.deadlines.first()) {
            for (game, slot) in self.games.iter_mut() {
                slot.give_back(stalled, now);
                // Who was not served for as long as all its time gets no more of it: its end is earlier than it was.
                if let Some(look) = slot.look_earlier() {
                    self.deadlines.add(look, game);
                }
            }
        }
        now
    }

    /// How many games are being played.
    pub(crate) fn playing(&self) -> usize {
        self.games.len()
    }

    /// The games that are being played.
    pub(crate) fn referees(&self) -> impl Iterator<Item = &Referee> {
        self.games.iter().map(|slot| &slot.referee)
    }

    /// Whether all times are those that the referees wait for, between two calls: in lockstep a deadline runs for exactly the
    /// asks that are open, and its agent is known to be asked; each game will be looked at in time.
    ///
    /// # Errors
    /// What is not so.
    pub(crate) fn check_times(&self, lockstep: bool) -> Result<(), String> {
        self.games.iter().try_for_each(|slot| {
            slot.check_times(lockstep).map_err(|why| format!("game {}: {why}", slot.referee.id().0))
        })
    }

    /// Gives `input` (or the beginning) to a game and carries out what follows.
    fn step(&mut self, game: u64, input: Option<Input>) {
        let now = self.serve();
        self.step_at(now, game, input);
    }

    /// As [`Floor::step`], of what came at `now`.
    fn step_at(&mut self, now: Instant, game: u64, input: Option<Input>) {
        let Some(slot) = self.games.get_mut(game) else { return };
        let effects = &mut self.effects;
        effects.clear();
        match input {
            None => slot.referee.begin(effects),
            Some(mut input) => {
                slot.stamp(&mut input, now);
                slot.referee.handle(input, effects);
            }
        }
        let mut finished = false;
        for effect in &effects.list {
            let started = match effect {
                Effect::Send { seat, line } => {
                    if let Some(Seated { desk, place }) = &slot.agents[seat.index()] {
                        let line = &effects.bytes[line.clone()];
                        if line.starts_with(ASK) {
                            place.invite();
                        }
                        if desk.gather(line) {
                            self.gathered.push(Rc::clone(desk));
                        }
                    }
                    None
                }
                Effect::StartDeadline { seat, id, ms } => {
                    if let Some(Seated { desk, place }) = &slot.agents[seat.index()] {
                        desk.asked(place);
                    }
                    // It has not been sent yet, and its time begins anew when it is.
                    let span = Span::new(now, *ms);
                    let look = span.next_look();
                    slot.open[seat.index()] = Some((*id, span));
                    self.asked.push((game, *seat, *id));
                    Some(look)
                }
                Effect::StopDeadline { seat } => {
                    slot.close(*seat);
                    None
                }
                Effect::StartTimer { timer, ms } => {
                    slot.timers.retain(|(running, _)| running != timer);
                    if *timer == Timer::Turn {
                        slot.agents.iter().flatten().for_each(|agent| agent.desk.moved(&agent.place));
                    }
                    let span = Span::new(self.clock.now(), *ms);
                    let look = if *timer == Timer::Turn { span.next_look() } else { span.end() };
                    slot.timers.push((*timer, span));
                    Some(look)
                }
                Effect::StopTimer { timer } => {
                    slot.timers.retain(|(running, _)| running != timer);
                    None
                }
                Effect::Dismiss { seat, fault } => {
                    slot.dismiss(*seat, *fault);
                    None
                }
                Effect::Finished => {
                    finished = true;
                    None
                }
            };
            if let Some(look) = started
                && slot.looked_at.is_none_or(|looked_at| look < looked_at)
            {
                slot.looked_at = Some(look);
                self.deadlines.add(look, game);
            }
        }
        if finished {
            self.end(game);
        }
    }

    /// Nobody is to wake for a game that is over: a short wait costs more than a long one.
    fn forget_games_that_are_over(&mut self) {
        self.deadlines.forget(|game| self.games.get(game).is_none());
    }

    fn end(&mut self, game: u64) {
        let Some(slot) = self.games.remove(game) else { return };
        self.forget_games_that_are_over();
        for agent in slot.agents.iter().flatten() {
            agent.desk.leave(&agent.place);
        }
        let (log, tallies) = slot.referee.finish();
        let at_fault = Seat::all(tallies.len()).zip(&tallies).filter(|(_, tally)| !tally.faults.is_empty());
        let testimonies: Vec<(Seat, Testimony)> = match self.testimonies_left {
            0 => Vec::new(),
            _ => at_fault
                .filter_map(|(seat, _)| {
                    let desk = &slot.agents[seat.index()].as_ref()?.desk;
                    // What it is still to be told belongs to it.
                    desk.send_gathered();
                    Some((seat, desk.link.testimony()?))
                })
                .collect(),
        };
        self.testimonies_left -= u32::from(!testimonies.is_empty());
        if let Some(done) = slot.done {
            done(Played { log, tallies, testimonies });
        }
    }

    /// Looks at one game: what has come in time is taken up, what is overdue is over, and who has not answered for some
    /// time is measured.
    fn look_at(&mut self, game: u64) {
        let now = self.clock.now();
        // What came before the deadline counts, also where this loop was too busy to read it.
        let Some(slot) = self.games.get(game) else { return };
        let late: Vec<Rc<Desk<L>>> = slot.late_desks(now).cloned().collect();
        let mut out = Vec::new();
        let mut buffer = std::mem::take(&mut self.buffer);
        for desk in late {
            desk.read_all(&mut buffer, &mut out);
        }
        self.buffer = buffer;
        self.deliver(&mut out);
        let Some(slot) = self.games.get_mut(game) else { return };
        for (seat, id, meta, blame) in slot.overdue_asks(now) {
            self.step(game, Some(Input::Deadline { seat, id, meta, blame }));
        }
        // One after the other: what one brings about may begin another anew.
        while let Some((timer, meta, blame)) = self.games.get_mut(game).and_then(|slot| slot.overdue_timer(now)) {
            self.step(game, Some(Input::Timer { timer, meta, blame }));
        }
        let Some(slot) = self.games.get_mut(game) else { return };
        slot.measure(now);
        slot.looked_at = slot.next_look();
        if let Some(look) = slot.looked_at {
            self.deadlines.add(look, game);
        }
    }
}

fn not_read(seat: Seat) -> Input {
    Input::Wrong {
        seat,
        fault: ConductFault::Gone,
        message: "the agent does not read its input".to_owned(),
        line: None,
    }
}
