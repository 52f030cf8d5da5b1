//! The games of one loop and their deadlines: what agents send goes to the referees, what referees want is carried out.
//! Knows neither processes nor tasks; the clock and the ways to the agents are its parameters, so it runs as well on
//! scripted agents in a time of their own.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_BYTES_PER_ROUND;
use maumau_protocol::message::AskId;
use maumau_protocol::record::Meta;
use maumau_referee::{Blame, Effect, Effects, GameLog, GameSetup, Input, Referee, Tally, Timer};

use super::blame::{MOST_LATE, Miss, first_look};
use super::deadlines::Deadlines;
use super::desk::{Delivery, Desk};
use super::link::{Clock, Link};
use crate::host::{Testimony, Usage};

/// Games of one loop of whose faults testimonies are kept.
const MOST_TESTIMONIES: u32 = 64;

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

/// The time of an ask, or of a turn on the live clock.
struct Span {
    since: Instant,
    /// When the agent's usage is measured, unless it is answered before.
    look: Instant,
    end: Instant,
    /// That usage, once it has been measured.
    usage: Option<Box<(Instant, Option<Usage>)>>,
}

struct Slot<L> {
    referee: Referee,
    desks: Vec<Option<Rc<Desk<L>>>>,
    /// By seat: the open ask and its time.
    open: Vec<Option<(AskId, Span)>>,
    /// The times of a live game that run.
    timers: Vec<(Timer, Span)>,
    /// The earliest moment at which the deadlines will look at this game.
    looked_at: Option<Instant>,
    done: Option<Done>,
}

/// The games of one loop.
pub(crate) struct Floor<L, C> {
    clock: C,
    games: BTreeMap<u64, Slot<L>>,
    next_game: u64,
    deadlines: Deadlines,
    effects: Effects,
    buffer: Vec<u8>,
    /// Games with faults whose agents are still heard.
    testimonies_left: u32,
    /// What follows from several deliveries goes out with one write for each agent.
    gathers: bool,
    gathered: Vec<Rc<Desk<L>>>,
    /// Asks among it; their time begins when they are written.
    asked: Vec<(u64, Seat, AskId)>,
}

impl<L: Link, C: Clock> Floor<L, C> {
    /// A floor without games.
    pub(crate) fn new(clock: C) -> Floor<L, C> {
        Floor {
            clock,
            games: BTreeMap::new(),
            next_game: 0,
            deadlines: Deadlines::default(),
            effects: Effects::default(),
            buffer: vec![0; READ_BYTES],
            testimonies_left: MOST_TESTIMONIES,
            gathers: false,
            gathered: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Begins a game; seats without a desk have lost their agent. `done` is called when it is over, from within the call
    /// that ends it.
    pub(crate) fn begin(&mut self, setup: GameSetup, desks: Vec<Option<Rc<Desk<L>>>>, done: Done) {
        let game = self.next_game;
        self.next_game += 1;
        let most_bytes = MAX_BYTES_PER_ROUND.saturating_mul(u64::from(setup.rules.rounds()));
        for (seat, desk) in Seat::all(desks.len()).zip(&desks) {
            if let Some(desk) = desk {
                desk.enter(setup.id.clone(), game, seat, most_bytes);
            }
        }
        // An agent that was lost since its handshake can tell this game nothing any more.
        let lost = Seat::all(desks.len()).zip(&desks).filter_map(|(seat, desk)| {
            let lost = desk.as_ref()?.lost.borrow();
            let (fault, message) = lost.as_ref()?;
            Some((game, Input::Wrong { seat, fault: *fault, message: message.clone() }))
        });
        let mut lost: Vec<Delivery> = lost.collect();
        let slot = Slot {
            referee: Referee::new(setup),
            open: desks.iter().map(|_| None).collect(),
            desks,
            timers: Vec::new(),
            looked_at: None,
            done: Some(done),
        };
        self.games.insert(game, slot);
        self.step(game, None);
        self.deliver(&mut lost);
    }

    /// Hands on what agents have sent, and leaves the list empty.
    pub(crate) fn deliver(&mut self, deliveries: &mut Vec<Delivery>) {
        self.gathers = deliveries.len() > 1;
        for (game, input) in deliveries.drain(..) {
            self.step(game, Some(input));
        }
        if std::mem::take(&mut self.gathers) {
            self.send_gathered();
        }
    }

    /// Sends what several deliveries have brought about.
    fn send_gathered(&mut self) {
        let mut unheard = Vec::new();
        for desk in self.gathered.drain(..) {
            if !desk.send_gathered() {
                unheard.extend(desk.places.borrow().iter().map(|place| (place.game, place.seat)));
            }
        }
        let now = self.clock.now();
        for (game, seat, id) in self.asked.drain(..) {
            let open = self.games.get_mut(&game).and_then(|slot| slot.open[seat.index()].as_mut());
            if let Some((_, span)) = open.filter(|(open, _)| *open == id) {
                span.begin_at(now);
            }
        }
        for (game, seat) in unheard {
            self.step(game, Some(not_read(seat)));
        }
    }

    /// When [`Floor::look`] is to be called next.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        self.deadlines.first()
    }

    /// Whether that has come to be earlier since the last call.
    pub(crate) fn take_earlier(&mut self) -> bool {
        self.deadlines.take_earlier()
    }

    /// Looks at the games whose deadlines may have passed.
    pub(crate) fn look(&mut self) {
        let now = self.clock.now();
        while let Some(game) = self.deadlines.pop(now) {
            self.look_at(game);
        }
    }

    /// The games that are being played.
    pub(crate) fn referees(&self) -> impl Iterator<Item = &Referee> {
        self.games.values().map(|slot| &slot.referee)
    }

    /// Gives `input` (or the beginning) to a game and carries out what follows.
    fn step(&mut self, game: u64, input: Option<Input>) {
        let Some(slot) = self.games.get_mut(&game) else { return };
        let effects = &mut self.effects;
        effects.clear();
        match input {
            None => slot.referee.begin(effects),
            Some(mut input) => {
                slot.stamp(&mut input, &self.clock);
                slot.referee.handle(input, effects);
            }
        }
        let mut unheard = Vec::new();
        let mut finished = false;
        for effect in &effects.list {
            let started = match effect {
                Effect::Send { seat, line } => {
                    let bytes = &effects.bytes[line.clone()];
                    if let Some(desk) = &slot.desks[seat.index()] {
                        if !self.gathers {
                            if !desk.link.send(bytes) {
                                unheard.push(*seat);
                            }
                        } else if desk.gather(bytes) {
                            self.gathered.push(Rc::clone(desk));
                        }
                    }
                    None
                }
                Effect::StartDeadline { seat, id, ms } => {
                    if let Some(desk) = &slot.desks[seat.index()] {
                        desk.asked(game);
                    }
                    let span = Span::new(self.clock.now(), *ms);
                    let look = span.look;
                    slot.open[seat.index()] = Some((*id, span));
                    if self.gathers {
                        self.asked.push((game, *seat, *id));
                    }
                    Some(look)
                }
                Effect::StopDeadline { seat } => {
                    slot.close(game, *seat);
                    None
                }
                Effect::StartTimer { timer, ms } => {
                    slot.timers.retain(|(running, _)| running != timer);
                    if *timer == Timer::Turn {
                        slot.desks.iter().flatten().for_each(|desk| desk.moved(game));
                    }
                    let span = Span::new(self.clock.now(), *ms);
                    let look = if *timer == Timer::Turn { span.look } else { span.end };
                    slot.timers.push((*timer, span));
                    Some(look)
                }
                Effect::StopTimer { timer } => {
                    slot.timers.retain(|(running, _)| running != timer);
                    None
                }
                Effect::Dismiss { seat, fault } => {
                    slot.dismiss(game, *seat, *fault);
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
            return self.end(game);
        }
        for seat in unheard {
            self.step(game, Some(not_read(seat)));
        }
    }

    fn end(&mut self, game: u64) {
        let Some(slot) = self.games.remove(&game) else { return };
        for desk in slot.desks.iter().flatten() {
            desk.leave(game);
        }
        let (log, tallies) = slot.referee.finish();
        let at_fault = Seat::all(tallies.len()).zip(&tallies).filter(|(_, tally)| !tally.faults.is_empty());
        let testimonies: Vec<(Seat, Testimony)> = match self.testimonies_left {
            0 => Vec::new(),
            _ => at_fault
                .filter_map(|(seat, _)| Some((seat, slot.desks[seat.index()].as_ref()?.link.testimony()?)))
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
        let Some(slot) = self.games.get(&game) else { return };
        let late: Vec<Rc<Desk<L>>> = slot.late_desks(now).cloned().collect();
        let mut out = Vec::new();
        let mut buffer = std::mem::take(&mut self.buffer);
        for desk in late {
            desk.read_all(&mut buffer, &mut out);
        }
        self.buffer = buffer;
        self.deliver(&mut out);
        let Some(slot) = self.games.get_mut(&game) else { return };
        for (seat, id, meta, blame) in slot.overdue_asks(game, now) {
            self.step(game, Some(Input::Deadline { seat, id, meta, blame }));
        }
        // One after the other: what one brings about may begin another anew.
        while let Some((timer, meta, blame)) = self.games.get_mut(&game).and_then(|slot| slot.overdue_timer(now)) {
            self.step(game, Some(Input::Timer { timer, meta, blame }));
        }
        let Some(slot) = self.games.get_mut(&game) else { return };
        slot.measure(now);
        slot.looked_at = slot.next_look();
        if let Some(look) = slot.looked_at {
            self.deadlines.add(look, game);
        }
    }
}

fn not_read(seat: Seat) -> Input {
    Input::Wrong { seat, fault: ConductFault::Gone, message: "the agent does not read its input".to_owned() }
}

impl Span {
    fn new(since: Instant, ms: u64) -> Span {
        let allowed = Duration::from_millis(ms);
        Span { since, look: since + first_look(allowed), end: since + allowed, usage: None }
    }

    /// It begins at `since` instead.
    fn begin_at(&mut self, since: Instant) {
        let (look, end) = (self.look - self.since, self.end - self.since);
        *self = Span { since, look: since + look, end: since + end, usage: None };
    }

    /// When it is to be looked at next.
    fn next_look(&self) -> Instant {
        if self.usage.is_none() { self.look } else { self.end }
    }

    /// Measures the usage if it is time for that.
    fn measure<L: Link>(&mut self, now: Instant, desk: Option<&Rc<Desk<L>>>) {
        if self.usage.is_none() && self.look <= now {
            self.usage = Some(Box::new((now, desk.and_then(|desk| desk.link.usage()))));
        }
    }

    /// What there is to say about it now that it is over: its times, and who is to blame.
    fn missed<L: Link>(&self, now: Instant, desk: Option<&Rc<Desk<L>>>) -> (Meta, Blame) {
        let spent = self.usage.as_ref().and_then(|usage| {
            let (since, before) = &**usage;
            let spent = desk?.link.usage()?.since(before.as_ref()?);
            Some((spent, now - *since))
        });
        let meta = Meta {
            took_us: Some((now - self.since).as_micros() as u64),
            cpu_us: spent.map(|(spent, _)| spent.ran_us),
            waited_us: spent.map(|(spent, _)| spent.waited_us),
            ..Meta::default()
        };
        let miss = Miss { allowed: self.end - self.since, late: now - self.end, spent };
        (meta, miss.blame())
    }
}

impl<L: Link> Slot<L> {
    /// Writes into an answer how long it took since its seat was asked last; nothing where this loop itself came so late that
    /// nobody knows, so that the seat is not charged for that.
    fn stamp<C: Clock>(&self, input: &mut Input, clock: &C) {
        if let Input::Act { seat, meta, .. } = input
            && let Some((_, span)) = &self.open[seat.index()]
        {
            let now = clock.now();
            meta.took_us = (now <= span.end + MOST_LATE).then(|| (now - span.since).as_micros() as u64);
        }
    }

    /// No answer of `seat` is waited for any more.
    fn close(&mut self, game: u64, seat: Seat) {
        self.open[seat.index()] = None;
        if let Some(desk) = &self.desks[seat.index()] {
            desk.answered(game);
        }
    }

    /// The agents that may have sent something that was in time, but not read: those whose asks are over, and all where a
    /// time of a live game is.
    fn late_desks(&self, now: Instant) -> impl Iterator<Item = &Rc<Desk<L>>> {
        let any = self.timers.iter().any(|(_, span)| span.end <= now);
        let late = move |open: &Option<(AskId, Span)>| any || open.as_ref().is_some_and(|(_, span)| span.end <= now);
        self.open.iter().zip(&self.desks).filter(move |(open, _)| late(open)).filter_map(|(_, desk)| desk.as_ref())
    }

    /// Takes out the asks whose time is over.
    fn overdue_asks(&mut self, game: u64, now: Instant) -> Vec<(Seat, AskId, Meta, Blame)> {
        let mut overdue = Vec::new();
        for seat in Seat::all(self.open.len()) {
            if let Some((id, span)) = self.open[seat.index()].take_if(|(_, span)| span.end <= now) {
                let (meta, blame) = span.missed(now, self.desks[seat.index()].as_ref());
                self.close(game, seat);
                overdue.push((seat, id, meta, blame));
            }
        }
        overdue
    }

    /// Takes out the time of a live game that has been over for longest.
    fn overdue_timer(&mut self, now: Instant) -> Option<(Timer, Meta, Blame)> {
        let over = self.timers.iter().enumerate().filter(|(_, (_, span))| span.end <= now);
        let (index, _) = over.min_by_key(|(_, (_, span))| span.end)?;
        let (timer, span) = self.timers.remove(index);
        // Nobody is charged for the others: whoever looked late gave more time than was due.
        let (meta, blame) = match timer {
            Timer::Turn => span.missed(now, self.mover()),
            _ => (Meta::default(), Blame::Agent),
        };
        Some((timer, meta, blame))
    }

    /// The agent of the seat to move.
    fn mover(&self) -> Option<&Rc<Desk<L>>> {
        let seat = self.referee.game().waits_for()?;
        self.desks[seat.index()].as_ref()
    }

    fn measure(&mut self, now: Instant) {
        for (open, desk) in self.open.iter_mut().zip(&self.desks) {
            if let Some((_, span)) = open {
                span.measure(now, desk.as_ref());
            }
        }
        let mover = self.mover().cloned();
        for (_, span) in self.timers.iter_mut().filter(|(timer, _)| *timer == Timer::Turn) {
            span.measure(now, mover.as_ref());
        }
    }

    fn next_look(&self) -> Option<Instant> {
        let asks = self.open.iter().flatten().map(|(_, span)| span.next_look());
        let timers = self.timers.iter().map(|(timer, span)| match timer {
            Timer::Turn => span.next_look(),
            _ => span.end,
        });
        asks.chain(timers).min()
    }

    /// The agent is out of this game. A process that plays nothing else is ended: it may be in any state.
    fn dismiss(&mut self, game: u64, seat: Seat, fault: ConductFault) {
        self.open[seat.index()] = None;
        let Some(desk) = &self.desks[seat.index()] else { return };
        desk.leave(game);
        let idle = desk.places.borrow().is_empty();
        if idle || fault.dismisses() {
            let mut nobody = Vec::new();
            let message = "the agent was dismissed from its game".to_owned();
            if idle {
                desk.lose(fault, message, &mut nobody);
            }
            desk.link.kill();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{self, ErrorKind};
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::load_built_in;
    use maumau_protocol::Seed;
    use maumau_protocol::message::{Act, ArenaMessage, Ask, ClockMode, GameId, PROTOCOL, Ready, TimeControl, Want};
    use maumau_protocol::wire::read_arena_line;
    use maumau_referee::Player;
    use tokio::sync::oneshot;

    use super::*;
    use crate::run::link::MonotonicClock;

    /// An agent that only listens.
    #[derive(Default)]
    struct Paper(RefCell<Vec<Vec<u8>>>);

    impl Link for Paper {
        fn send(&self, bytes: &[u8]) -> bool {
            self.0.borrow_mut().push(bytes.to_vec());
            true
        }
        fn read(&self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::WouldBlock.into())
        }
        fn kill(&self) {}
        fn testimony(&self) -> Option<Testimony> {
            None
        }
        fn usage(&self) -> Option<Usage> {
            None
        }
    }

    /// The asks in the newest writes of a desk, one list a write; they are forgotten.
    fn asks(desk: &Desk<Paper>) -> Vec<Vec<Ask>> {
        let read = |write: Vec<u8>| {
            let text = String::from_utf8(write).expect("UTF-8");
            let lines = text.lines().map(|line| read_arena_line(line).expect("a line of the arena"));
            lines.filter_map(|line| if let Some(ArenaMessage::Ask(ask)) = line { Some(*ask) } else { None }).collect()
        };
        desk.link.0.take().into_iter().map(read).collect()
    }

    #[test]
    fn what_follows_from_several_answers_goes_out_with_one_write_for_each_agent() {
        let set = load_built_in("basic", &[]).expect("a built-in set").set;
        let rules = Arc::new(Rules::for_table(&Arc::new(set), 2, Some(1)).expect("a table of two"));
        let ready = Ready {
            protocol: PROTOCOL.to_owned(),
            name: "paper".to_owned(),
            version: String::new(),
            wants: vec![Want::Legal],
            ticks: false,
            games: 8,
        };
        let mut floor = Floor::new(MonotonicClock);
        let desks: Vec<Rc<Desk<Paper>>> =
            (0..2).map(|_| Rc::new(Desk::new(Paper::default(), oneshot::channel().0))).collect();
        for number in 0..8 {
            let setup = GameSetup {
                id: GameId(number.to_string().into()),
                rules: Arc::clone(&rules),
                seed: Seed::from_number(number),
                players: vec![Player { name: "paper".to_owned(), ready: Ok(ready.clone()) }; 2],
                time: TimeControl::default(),
                clock: ClockMode::Lockstep,
                reveal_seed: true,
                id_key: [1; 32],
            };
            floor.begin(setup, desks.iter().cloned().map(Some).collect(), Box::new(|_| ()));
        }
        for _ in 0..4 {
            let mut answers: Vec<Delivery> = Vec::new();
            for desk in &desks {
                for ask in asks(desk).into_iter().flatten() {
                    let game = desk.places.borrow().iter().find(|place| place.id == ask.game).expect("a game").game;
                    let action = ask.legal.into_iter().next().expect("it was wanted");
                    let act = Act { game: ask.game, id: ask.id, action };
                    answers.push((game, Input::Act { seat: ask.seat, act, meta: Meta::default() }));
                }
            }
            assert_eq!(answers.len(), 8, "every game waits for one seat");
            floor.deliver(&mut answers);
            assert!(desks.iter().all(|desk| desk.link.0.borrow().len() <= 1), "one write for each agent");
        }
    }
}
