//! Tests the game host with scripted agents and a clock that is set by hand: what it sends, when, and how it takes
//! answers. No process is started and nothing waits.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use maumau_engine::Rules;
use maumau_engine::rules::load_built_in;
use maumau_protocol::message::{Act, AgentMessage, ArenaMessage, Ask, ClockMode, GameId, Ready, TimeControl, Want};
use maumau_protocol::wire::read_arena_line;
use maumau_referee::faults::Misconduct;
use maumau_referee::local_game;
use maumau_referee::record::Meta;
use tokio::sync::oneshot;

use super::*;
use crate::agent::{Freeze, Usage};
use crate::runner::transport::{MonotonicClock, VirtualClock};

/// An agent that only listens, and whose pipe is filled by the test.
#[derive(Default)]
struct Paper {
    clock: VirtualClock,
    frozen: Cell<Option<Freeze>>,
    /// It is stopped whatever is asked of it: a fault of the arena.
    stays_frozen: Cell<bool>,
    heard: RefCell<Vec<Vec<u8>>>,
    written: RefCell<Vec<u8>>,
    /// It is not reading for the moment.
    is_behind: Cell<bool>,
}

impl Transport for Paper {
    fn send(&self, bytes: &[u8]) -> bool {
        self.heard.borrow_mut().push(bytes.to_vec());
        true
    }
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut written = self.written.borrow_mut();
        if written.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = written.len().min(buffer.len());
        buffer[..count].copy_from_slice(&written[..count]);
        written.drain(..count);
        Ok(count)
    }
    fn is_behind(&self) -> bool {
        self.is_behind.get()
    }
    fn kill(&self) {}
    fn freeze(&self) {
        if self.frozen.get().is_none_or(|last| last.to.is_some()) {
            self.frozen.set(Some(Freeze { from: self.clock.now(), to: None }));
        }
    }
    fn thaw(&self) {
        if let Some(Freeze { from, to: None }) = self.frozen.get()
            && !self.stays_frozen.get()
        {
            self.frozen.set(Some(Freeze { from, to: Some(self.clock.now()) }));
        }
    }
    fn frozen(&self) -> Option<Freeze> {
        self.frozen.get()
    }
    fn evidence(&self) -> Option<Evidence> {
        None
    }
    fn usage(&self) -> Option<Usage> {
        None
    }
}

/// The asks in the newest writes of a connection, one list per write; clears them.
fn asks(connection: &Connection<Paper>) -> Vec<Vec<Ask>> {
    let read = |write: Vec<u8>| {
        let text = String::from_utf8(write).expect("UTF-8");
        let lines = text.lines().map(|line| read_arena_line(line).expect("a line of the arena"));
        lines.filter_map(|line| if let Some(ArenaMessage::Ask(ask)) = line { Some(*ask) } else { None }).collect()
    };
    connection.transport.heard.take().into_iter().map(read).collect()
}

/// Answers each of them with its first legal action.
fn answers(connection: &Rc<Connection<Paper>>) -> Vec<Delivery> {
    let answer = |ask: Ask| {
        let game = connection.places().iter().find(|place| place.id == ask.game).expect("a game").game;
        let action = ask.legal.into_iter().next().expect("it was wanted");
        let act = Act { game: ask.game, id: ask.id, crash: None, action };
        (game, Input::Act { seat: ask.seat, act, meta: Meta::default() })
    };
    asks(connection).into_iter().flatten().map(answer).collect()
}

fn setup(number: u64, clock: ClockMode) -> GameSetup {
    let set = load_built_in("basic", &[]).expect("a built-in set").set;
    let rules = Arc::new(Rules::for_table(&Arc::new(set), 2, Some(1)).expect("a table of two"));
    let ready = Ready { games: 8, ..Ready::new("paper", vec![Want::Legal]) };
    GameSetup {
        id: GameId(number.to_string().into()),
        time: TimeControl { move_ms: MOVE_MS, bank_ms: 0, ..TimeControl::default() },
        clock,
        ..local_game::setup(rules, number, vec![Ok(ready); 2])
    }
}

#[test]
fn what_follows_from_several_answers_goes_out_with_one_write_for_each_agent() {
    let mut host = GameHost::new(MonotonicClock);
    let connections: Vec<Rc<Connection<Paper>>> =
        (0..2).map(|_| Rc::new(Connection::new(Paper::default(), oneshot::channel().0))).collect();
    for number in 0..8 {
        let setup = setup(number, ClockMode::Lockstep);
        host.begin(setup, connections.iter().cloned().map(Some).collect());
    }
    host.send();
    for _ in 0..4 {
        assert!(
            connections.iter().all(|connection| connection.transport.heard.borrow().len() <= 1),
            "one write for each agent"
        );
        let mut answers: Vec<Delivery> = connections.iter().flat_map(answers).collect();
        assert_eq!(answers.len(), 8, "every game waits for one seat");
        host.deliver(&mut answers);
        host.send();
    }
}

#[test]
fn an_agent_that_is_behind_with_reading_is_known_until_it_has_read() {
    for games in [1, 8] {
        let mut host = GameHost::new(MonotonicClock);
        let connections: Vec<Rc<Connection<Paper>>> =
            (0..2).map(|_| Rc::new(Connection::new(Paper::default(), oneshot::channel().0))).collect();
        for number in 0..games {
            let setup = setup(number, ClockMode::Lockstep);
            host.begin(setup, connections.iter().cloned().map(Some).collect());
        }
        host.send();
        assert!(!host.is_behind());
        connections.iter().for_each(|connection| connection.transport.is_behind.set(true));
        let mut answers: Vec<Delivery> = connections.iter().flat_map(answers).collect();
        host.deliver(&mut answers);
        host.send();
        for _ in 0..2 {
            assert!(host.is_behind(), "with {games} games");
        }
        connections.iter().for_each(|connection| connection.transport.is_behind.set(false));
        assert!(!host.is_behind());
    }
}

#[test]
fn a_line_belongs_to_the_game_whose_whole_name_it_has() {
    let connection = Connection::new(Paper::default(), oneshot::channel().0);
    let hear = |line: &str| {
        connection.transport.written.borrow_mut().extend(format!("{line}\n").bytes());
        let mut out = Vec::new();
        connection.read_all(&mut [0; 1_024], &mut out);
        out.into_iter().map(|(game, _)| game).collect::<Vec<u64>>()
    };
    hear(r#"{"type":"ready","protocol":"maumau/1","name":"paper"}"#);
    let act = |name| format!(r#"{{"type":"act","game":"{name}","id":"00000000000000ff","do":"draw"}}"#);
    // Names with the same end, one that is the end of another, and ones shorter than the part compared first.
    let names = ["match-00000002", "final-00000002", "00000002", "2", "", "match-00000001"];
    let seat = Seat::new(0).expect("a seat");
    let places: Vec<_> =
        (0..).zip(names).map(|(game, name)| connection.enter(GameId(name.into()), game, seat, 1)).collect();
    for (game, name) in (0..).zip(names) {
        assert_eq!(hear(&act(name)), [game], "{name:?}");
    }
    assert!(
        connection.places().iter().zip(&places).all(|(one, other)| Rc::ptr_eq(one, other)),
        "in order of beginning"
    );
    connection.leave(&places[0]);
    assert!(hear(&act(names[0])).is_empty(), "it is over");
    assert_eq!(hear(&act(names[1])), [1]);
    assert_eq!(hear(&act("other-00000002")), [5], "nobody was asked, so it is charged to the game that began last");
}

const MOVE_MS: u64 = 1_000;

/// One game between two scripted agents, on a clock of its own.
struct World {
    clock: VirtualClock,
    began: Instant,
    host: GameHost<Paper, VirtualClock>,
    connections: Vec<Rc<Connection<Paper>>>,
}

impl World {
    fn new(mode: ClockMode) -> World {
        let clock = VirtualClock::default();
        let connection = || {
            let paper = Paper { clock: clock.clone(), ..Paper::default() };
            let connection = Rc::new(Connection::new(paper, oneshot::channel().0));
            connection
                .transport
                .written
                .borrow_mut()
                .extend(b"{\"type\":\"ready\",\"protocol\":\"maumau/1\",\"name\":\"paper\"}\n");
            connection.read_all(&mut [0; 1_024], &mut Vec::new());
            connection
        };
        let connections = vec![connection(), connection()];
        let mut world = World { began: clock.now(), host: GameHost::new(clock.clone()), clock, connections };
        world.host.begin(setup(1, mode), world.connections.iter().cloned().map(Some).collect());
        world.host.send();
        world
    }

    /// The arena checks whenever it means to, until this many milliseconds after the beginning.
    fn serve_until(&mut self, ms: u64) {
        let until = self.began + Duration::from_millis(ms);
        while let Some(look) = self.host.next_look().filter(|look| *look <= until) {
            self.clock.set(look);
            self.host.look();
        }
        self.clock.set(until);
    }

    /// The arena is stopped until this many milliseconds after the beginning, and checks then.
    fn stop_until(&mut self, ms: u64) {
        self.clock.set(self.began + Duration::from_millis(ms));
        self.host.look();
    }

    /// The asks since the last call, by seat.
    fn asked(&self) -> Vec<Ask> {
        self.connections.iter().flat_map(|connection| asks(connection).into_iter().flatten()).collect()
    }

    /// The agent that is asked answers; the arena has not read it yet.
    fn answer(&self, ask: &Ask) {
        let act = Act { game: ask.game.clone(), id: ask.id, crash: None, action: ask.legal[0].clone() };
        let line = serde_json::to_vec(&AgentMessage::Act(act)).expect("an answer");
        let mut written = self.connections[ask.seat.index()].transport.written.borrow_mut();
        written.extend(line);
        written.push(b'\n');
    }

    /// Both agents are lost, which ends the game.
    fn end(&mut self) -> Played {
        for connection in &self.connections {
            let mut out = Vec::new();
            connection.lose(Misconduct::gone("it is enough".to_owned()), &mut out);
            self.host.deliver(&mut out);
            self.host.send();
        }
        let (_, played) = self.host.take_finished().pop().expect("nobody is left");
        played
    }

    /// The times in the log so far.
    fn metas(mut self) -> Vec<Meta> {
        let played = self.end();
        played.log.inputs.into_iter().map(|input| input.meta).filter(|meta| *meta != Meta::default()).collect()
    }
}

/// Agents of a game that are restrained at `restrained_at` milliseconds, between answers given at the others, each to the newest
/// ask.
fn restrained(restrained_at: u64, answered_at: &[u64]) -> World {
    let mut world = World::new(ClockMode::Lockstep);
    let mut open = world.asked().remove(0);
    let mut moments: Vec<(u64, bool)> = answered_at.iter().map(|ms| (*ms, true)).collect();
    moments.push((restrained_at, false));
    moments.sort_unstable();
    for (ms, is_answer) in moments {
        world.serve_until(ms);
        if !is_answer {
            world.connections.iter().for_each(|connection| connection.restrain());
        } else {
            world.answer(&open);
            let mut out = Vec::new();
            world.connections.iter().for_each(|connection| connection.read_all(&mut [0; 1_024], &mut out));
            world.host.deliver(&mut out);
            world.host.send();
            open = world.asked().remove(0);
        }
        let stopped =
            |seat: usize| world.connections[seat].transport.frozen.get().is_some_and(|last| last.to.is_none());
        assert!(!stopped(open.seat.index()), "at {ms} ms the agent that is asked is stopped");
        let other = 1 - open.seat.index();
        let is_known = world.connections[other].idle_cpu.is_restrained();
        assert_eq!(stopped(other), is_known && world.connections[other].is_idle(), "at {ms} ms");
    }
    world
}

#[test]
fn an_agent_that_is_asked_is_never_stopped_whenever_it_is_found_out() {
    let answers = [40, 80, 120, 160, 200];
    for found_out in (10..=210).step_by(10) {
        let mut world = restrained(found_out, &answers);
        world.serve_until(1_500);
        let metas = world.metas();
        for meta in &metas {
            assert!(meta.frozen.is_none_or(|frozen| !frozen.while_asked()), "found out at {found_out}: {meta:?}");
        }
        let stopped: Vec<i64> = metas.iter().filter_map(|meta| meta.frozen).map(|frozen| frozen.from_us).collect();
        assert!(found_out > 100 || stopped.iter().any(|from| *from < 0), "found out at {found_out}: {stopped:?}");
    }
}

#[test]
fn a_deadline_that_an_agent_misses_while_it_is_stopped_does_not_count_and_is_recorded() {
    let mut world = restrained(10, &[40, 80, 120]);
    let asked = world.connections.iter().position(|connection| !connection.is_idle()).expect("somebody is asked");
    let other = &world.connections[1 - asked].transport;
    other.stays_frozen.set(true);
    world.serve_until(1_130);
    world.serve_until(2_300);
    let missed: Vec<_> = world.metas().into_iter().flat_map(|meta| meta.missed).collect();
    let frozen = missed.iter().find_map(|missed| missed.frozen.filter(|frozen| frozen.while_asked()));
    assert!(frozen.is_some_and(|frozen| frozen.to_us.is_none()), "{missed:?}");
    assert!(missed.iter().all(|missed| missed.void), "{missed:?}");
}

/// Times in milliseconds: how long it took, and how long the arena was stalled.
fn times(meta: &Meta) -> (Option<u64>, Option<u64>) {
    (meta.took_us.map(|us| us / 1_000), meta.stalled_us.map(|us| us / 1_000))
}

#[test]
fn a_deadline_is_judged_at_its_moment() {
    for mode in [ClockMode::Lockstep, ClockMode::Live] {
        let mut world = World::new(mode);
        assert_eq!(world.asked().len(), 1);
        world.serve_until(999);
        assert_eq!(world.asked(), []);
        world.serve_until(1_000);
        assert_eq!(world.asked().len(), 1);
        assert_eq!(times(&world.metas()[0]), (Some(1_000), None));
    }
}

#[test]
fn the_time_of_an_ask_begins_when_it_is_sent() {
    let mut world = World::new(ClockMode::Lockstep);
    world.answer(&world.asked()[0]);
    let mut out = Vec::new();
    world.connections.iter().for_each(|connection| connection.read_all(&mut [0; 1_024], &mut out));
    world.host.deliver(&mut out);
    assert_eq!(world.asked(), [], "it waits for what else there is to send");
    world.clock.set(world.began + Duration::from_millis(3));
    world.host.look();
    assert_eq!(world.asked().len(), 1, "nobody's time is looked at before");
    world.serve_until(1_002);
    assert_eq!(world.asked(), []);
    world.serve_until(1_003);
    assert_eq!(world.asked().len(), 1);
}

#[test]
fn nobody_wakes_for_a_game_that_is_over() {
    let mut world = World::new(ClockMode::Lockstep);
    let began = world.began;
    let at = |ms| began + Duration::from_millis(ms);
    world.clock.set(at(10));
    let others = (0..2).map(|_| Some(Rc::new(Connection::new(Paper::default(), oneshot::channel().0))));
    world.host.begin(setup(2, ClockMode::Lockstep), others.collect());
    world.host.send();
    world.clock.set(at(30));
    world.host.look();
    assert_eq!(world.host.next_look(), Some(at(50)), "the first game was asked at 0");
    world.end();
    assert_eq!(world.host.next_look(), Some(at(60)), "the second one at 10");
}

#[test]
fn time_in_which_the_arena_does_not_serve_is_given_back() {
    for mode in [ClockMode::Lockstep, ClockMode::Live] {
        let mut world = World::new(mode);
        world.serve_until(120);
        // It meant to check at 150.
        world.stop_until(450);
        world.serve_until(700);
        world.stop_until(800);
        assert_eq!(world.asked().len(), 1);
        world.serve_until(1_349);
        assert_eq!(world.asked(), []);
        world.serve_until(1_350);
        assert_eq!(world.asked().len(), 1);
        assert_eq!(times(&world.metas()[0]), (Some(1_000), Some(350)));
    }
}

#[test]
fn an_answer_is_not_charged_for_it() {
    for (until, stalled) in [(450, 300), (1_040, 890), (5_000, 4_850)] {
        let mut world = World::new(ClockMode::Lockstep);
        world.serve_until(120);
        world.answer(&world.asked()[0]);
        world.clock.set(world.began + Duration::from_millis(until));
        let mut out = Vec::new();
        world.connections.iter().for_each(|connection| connection.read_all(&mut [0; 1_024], &mut out));
        world.host.deliver(&mut out);
        world.host.send();
        assert_eq!(world.asked().len(), 1, "it was an answer");
        let took = (until <= 1_050).then_some(until - stalled);
        assert_eq!(times(&world.metas()[0]), (took, Some(stalled)));
    }
}

#[test]
fn an_ask_is_void_where_the_arena_did_not_serve_for_as_long_as_it_had() {
    let mut world = World::new(ClockMode::Lockstep);
    world.serve_until(120);
    let ask = world.asked().remove(0);
    world.stop_until(1_150);
    let again = world.asked().remove(0);
    assert!(ask.seat == again.seat && ask.id != again.id && again.time_ms == MOVE_MS);
    let missed = world.metas().remove(0).missed;
    assert_eq!((missed[0].void, missed[0].took_us, missed[0].stalled_us), (true, Some(150_000), Some(1_000_000)));
}

#[test]
fn bytes_that_keep_the_arena_busy_win_no_time() {
    for whole_lines in [false, true] {
        let mut world = World::new(ClockMode::Lockstep);
        let seat = world.asked()[0].seat;
        let connection = Rc::clone(&world.connections[seat.index()]);
        let note: &[u8] = if whole_lines { b"{\"type\":\"note\",\"game\":\"1\",\"note\":1}\n" } else { b" " };
        // Each read and its effects take the arena three milliseconds, and it checks whenever it is due.
        for ms in (3..1_200).step_by(3) {
            if ms % 30 == 0 || !whole_lines {
                connection.transport.written.borrow_mut().extend(note);
            }
            world.clock.set(world.began + Duration::from_millis(ms));
            let mut out = Vec::new();
            connection.read(&mut [0; 1_024], &mut out);
            world.host.deliver(&mut out);
            world.host.send();
            if world.host.next_look().is_some_and(|look| look <= world.clock.now()) {
                world.host.look();
            }
        }
        let metas = world.metas();
        let slow = metas.iter().find(|meta| meta.took_us.is_some()).expect("it never answered");
        assert_eq!(times(slow), (Some(1_002), None));
    }
}
