//! A run between two crashes: games on a real host, with scripted agents and a virtual clock. It moves the clock and
//! the lines; whether the outcome is right is checked by its neighbours.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_engine::ChoiceStream;
use maumau_model_check::{Breach, check_cards};
use maumau_protocol::Seat;
use maumau_protocol::message::{AgentMessage, ArenaMessage, Ask, GameId, Hello, Limits, PROTOCOL};
use maumau_protocol::wire::{read_agent_line, read_arena_line};
use maumau_referee::faults::Misconduct;
use maumau_referee::{Player, Referee};
use maumau_run::runner::{Clock, Connection, GameConfig, GameHost, Played, ReadOutcome, Transport, VirtualClock};
use maumau_tournament::PlannedGame;
use tokio::sync::oneshot;

use super::conditions::Conditions;
use super::postconditions::Postconditions;
use super::script::{Deed, Script, ScriptKind};
use super::seat_ledger::{SeatLedger, hold};
use super::wire::{Wire, WireEnd};

/// Maximum happenings of one run: a run that needs more does not end.
const MOST_HAPPENINGS: u64 = 2_000_000;

/// Maximum looks of the arena in a row without anything happening: the longest time, of a point of order, is a minute.
const MOST_IDLE_LOOKS: u32 = 20_000;

/// How long an agent that does not read is still listened to.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// One scripted agent's process.
struct Agent {
    /// The agent, and its lane.
    place: (usize, usize),
    wire: Rc<Wire>,
    connection: Rc<Connection<WireEnd>>,
    script: Script,
    /// A line that is not complete yet.
    partial: Vec<u8>,
    /// The part of a line that it has written.
    writing: Vec<u8>,
    /// True if the arena has seen its end.
    lost: bool,
}

/// A game in progress.
struct Table {
    planned: PlannedGame,
    ledgers: Vec<SeatLedger>,
    /// True if its seed is published at the end.
    reveals_seed: bool,
}

/// A finished game, checked.
pub(super) struct CheckedEnd {
    pub(super) planned: PlannedGame,
    pub(super) played: Played,
}

/// Games, agents and the time.
pub(super) struct World<'a> {
    conditions: &'a Conditions,
    dice: ChoiceStream<'static>,
    clock: VirtualClock,
    host: GameHost<WireEnd, VirtualClock>,
    agents: Vec<Agent>,
    /// What agents are going to do, by time and number.
    deeds: BTreeMap<(Instant, u64), (usize, Deed)>,
    next_deed: u64,
    happenings: u64,
    idle_looks: u32,
    tables: BTreeMap<GameId, Table>,
    /// Finished games that have not been judged.
    over: Vec<Played>,
    buffer: Vec<u8>,
}

impl<'a> World<'a> {
    pub(super) fn new(conditions: &'a Conditions, dice: ChoiceStream<'static>) -> World<'a> {
        let clock = VirtualClock::default();
        World {
            conditions,
            dice,
            host: GameHost::new(clock.clone()),
            clock,
            agents: Vec::new(),
            deeds: BTreeMap::new(),
            next_deed: 0,
            happenings: 0,
            idle_looks: 0,
            tables: BTreeMap::new(),
            over: Vec::new(),
            buffer: vec![0; 4_096],
        }
    }

    /// The number of games in progress.
    pub(super) fn playing(&self) -> usize {
        self.tables.len()
    }

    /// Begins a game.
    pub(super) fn begin(&mut self, planned: PlannedGame, table: GameConfig, names: Vec<String>) -> Result<(), Breach> {
        let mut players = Vec::new();
        let mut connections = Vec::new();
        for (place, name) in table.agents.iter().zip(names) {
            let agent = self.agent(*place)?;
            let ready = agent.map(|index| {
                let connection = Rc::clone(&self.agents[index].connection);
                let ready = connection.ready.borrow().clone();
                connections.push(Some(connection));
                ready
            });
            let ready = match ready {
                Ok(Some(ready)) => Ok(ready),
                Ok(None) => return Err(Breach("an agent without a handshake".to_owned())),
                Err(reason) => {
                    connections.push(None);
                    Err(reason)
                }
            };
            players.push(Player { name, ready });
        }
        let has_its_time =
            |agent: usize| !self.conditions.stalls && self.conditions.kinds[agent] != ScriptKind::Starved;
        let seats = Seat::all(players.len()).zip(&players).zip(&table.agents);
        let ledgers =
            seats.map(|((seat, player), (agent, _))| SeatLedger::new(seat, player, has_its_time(*agent))).collect();
        self.tables.insert(table.id.clone(), Table { planned, ledgers, reveals_seed: table.reveal_seed });
        let mut id_key = [0; 32];
        id_key.iter_mut().for_each(|byte| *byte = self.dice.any() as u8);
        let setup = table.with(players, id_key);
        self.host.begin(setup, connections);
        self.settle()
    }

    /// A process of an agent with room for one more game, started if necessary; or why there is none.
    fn agent(&mut self, place: (usize, usize)) -> Result<Result<usize, String>, Breach> {
        let free = |agent: &Agent| {
            let connection = &agent.connection;
            let playing = connection.places().len() as u32;
            agent.place == place && connection.lost.borrow().is_none() && playing < connection.capacity()
        };
        if let Some(index) = self.agents.iter().position(free) {
            return Ok(Ok(index));
        }
        let chunk = *self.dice.pick(&[3, 40, 4_096, 4_096, 4_096]);
        let wire = Wire::new(self.clock.clone(), chunk);
        let (answer_in, mut answer_out) = oneshot::channel();
        let connection = Rc::new(Connection::new(WireEnd(Rc::clone(&wire)), answer_in));
        let kind = self.conditions.kinds[place.0];
        let mut script = Script::new(kind, self.conditions.is_live(), self.dice.fork());
        let hello = Hello {
            protocol: PROTOCOL.to_owned(),
            arena: String::new(),
            limits: Limits::default(),
            clock: self.conditions.clock,
        };
        let mut line = Vec::new();
        maumau_referee::write_message(&mut line, &ArenaMessage::Hello(hello));
        connection.transport.send(&line);
        wire.take_sent();
        for (_, deed) in script.handshake() {
            carry_out(&wire, deed);
        }
        let mut out = Vec::new();
        while wire.is_readable() && connection.read(&mut self.buffer, &mut out) != ReadOutcome::End {}
        hold!(out.is_empty(), "a handshake is of a game: {out:?}");
        let answer = answer_out.try_recv().unwrap_or_else(|_| Err("not ready in time".to_owned()));
        hold!(answer.is_err() == (kind == ScriptKind::BadStart), "{kind:?} came out of its handshake with {answer:?}");
        Ok(answer.map(|_| {
            self.agents.push(Agent {
                place,
                wire,
                connection,
                script,
                partial: Vec::new(),
                writing: Vec::new(),
                lost: false,
            });
            self.agents.len() - 1
        }))
    }

    /// Advances time to the next happening.
    pub(super) fn advance(&mut self) -> Result<(), Breach> {
        self.happenings += 1;
        hold!(self.happenings < MOST_HAPPENINGS, "the games do not end");
        let deed = self.deeds.first_key_value().map(|((when, _), _)| *when);
        let look = self.host.next_look();
        if self.conditions.stalls && self.dice.one_in(300) {
            return self.stall(deed.into_iter().chain(look).min());
        }
        let deed_first = match (deed, look) {
            (Some(deed), Some(look)) if deed == look => self.dice.one_in(2),
            (deed, look) => look.is_none_or(|look| deed.is_some_and(|deed| deed < look)),
        };
        if deed_first {
            self.do_next();
        } else if let Some(look) = look {
            self.clock.set(look);
            self.host.look();
        }
        self.idle_looks = if deed.is_none() { self.idle_looks + 1 } else { 0 };
        hold!(self.idle_looks < MOST_IDLE_LOOKS, "a game waits for nothing");
        self.settle()
    }

    /// Carries out the next deed of an agent.
    fn do_next(&mut self) {
        if let Some(((when, _), (index, deed))) = self.deeds.pop_first() {
            self.do_now(when, index, deed);
        }
    }

    fn do_now(&mut self, when: Instant, index: usize, deed: Deed) {
        self.clock.set(when);
        match deed {
            Deed::IsNoticed => return self.lose(index),
            Deed::CloseInput => {
                self.deeds.insert((when + LAST_WORDS, self.next_deed), (index, Deed::IsNoticed));
                self.next_deed += 1;
            }
            Deed::Write(ref bytes) => self.note_written(index, bytes),
            Deed::CloseOutput | Deed::Does(_) => {}
        }
        carry_out(&self.agents[index].wire, deed);
    }

    /// Records the answers among what an agent writes.
    fn note_written(&mut self, index: usize, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.agents[index].writing);
        lines.extend_from_slice(bytes);
        let mut rest = &lines[..];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let message = read_agent_line(&rest[..end]);
            rest = &rest[end + 1..];
            if let Some(Ok(AgentMessage::Act(act))) = message
                && let Ok(seat) = self.seat_of(index, &act.game)
                && let Some(table) = self.tables.get_mut(&act.game)
            {
                table.ledgers[seat.index()].write(act);
            }
        }
        self.agents[index].writing = rest.to_vec();
    }

    /// The arena notices that the agent does not read, after reading its last words.
    fn lose(&mut self, index: usize) {
        let (mut out, connection) = (Vec::new(), Rc::clone(&self.agents[index].connection));
        connection.read_all(&mut self.buffer, &mut out);
        connection.lose(Misconduct::gone("the agent closed its input".to_owned()), &mut out);
        self.host.deliver(&mut out);
    }

    /// The arena is stopped for some time; agents are not.
    fn stall(&mut self, from: Option<Instant>) -> Result<(), Breach> {
        let length = Duration::from_millis(*self.dice.pick(&[60, 400, 5_000]));
        let until = from.unwrap_or_else(|| self.clock.now()) + length;
        let in_time = self.deeds.split_off(&(until + Duration::from_nanos(1), 0));
        let meanwhile = std::mem::replace(&mut self.deeds, in_time);
        for ((when, number), (index, deed)) in meanwhile {
            if matches!(deed, Deed::IsNoticed) {
                // A stopped arena does not.
                self.deeds.insert((until, number), (index, deed));
            } else {
                self.do_now(when, index, deed);
            }
        }
        self.clock.set(until);
        if self.dice.one_in(2) {
            self.host.look();
        }
        self.settle()
    }

    /// The arena reads what an agent has written.
    fn deliver(&mut self, index: usize) {
        let mut out = Vec::new();
        while !self.agents[index].lost && self.agents[index].wire.is_readable() {
            self.agents[index].lost =
                self.agents[index].connection.read(&mut self.buffer, &mut out) == ReadOutcome::End;
            self.host.deliver(&mut out);
        }
    }

    /// Repeats until there is nothing left to read: the arena sends, agents read and make plans, the arena reads. Then
    /// everything is checked.
    fn settle(&mut self) -> Result<(), Breach> {
        loop {
            self.host.send();
            let mut quiet = true;
            for index in 0..self.agents.len() {
                let sent = self.agents[index].wire.take_sent();
                if !sent.is_empty() {
                    quiet = false;
                    self.hear(index, &sent)?;
                }
            }
            for index in 0..self.agents.len() {
                if !self.agents[index].lost && self.agents[index].wire.is_readable() {
                    quiet = false;
                    self.deliver(index);
                    break;
                }
            }
            if quiet {
                return self.check_tables();
            }
        }
    }

    /// An agent reads what it was sent.
    fn hear(&mut self, index: usize, sent: &[u8]) -> Result<(), Breach> {
        let mut bytes = std::mem::take(&mut self.agents[index].partial);
        bytes.extend_from_slice(sent);
        let mut rest = &bytes[..];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line =
                std::str::from_utf8(&rest[..end]).map_err(|error| Breach(format!("a line is no text: {error}")))?;
            rest = &rest[end + 1..];
            let message = read_arena_line(line).map_err(|error| Breach(format!("{error}: {line}")))?;
            let Some(message) = message else { return Err(Breach(format!("an unknown line: {line}"))) };
            self.hear_line(index, &message)?;
        }
        self.agents[index].partial = rest.to_vec();
        Ok(())
    }

    fn hear_line(&mut self, index: usize, message: &ArenaMessage) -> Result<(), Breach> {
        let now = self.clock.now();
        let Some(game) = game_of(message) else { return Err(Breach(format!("a line of no game: {message:?}"))) };
        let seat = self.seat_of(index, game)?;
        let in_lockstep = !self.conditions.is_live();
        let referee = self.host.referees().map(|(_, referee)| referee).find(|referee| referee.id() == game);
        if let (Some(referee), ArenaMessage::Ask(ask)) = (referee, message) {
            check_hand(referee, ask)?;
        }
        let tally = referee.map(|referee| referee.tally(seat));
        let table =
            self.tables.get_mut(game).ok_or_else(|| Breach(format!("a line of an unknown game: {message:?}")))?;
        let ledger = &mut table.ledgers[seat.index()];
        ledger.hear(message, &self.conditions.time, now, tally.filter(|_| in_lockstep))?;
        if let ArenaMessage::Ask(ask) = message
            && self.agents[index].wire.hears()
        {
            hold!(!ask.legal.is_empty(), "an ask that nothing can answer: {ask:?}");
            for (after, deed) in self.agents[index].script.answer(ask, now) {
                self.deeds.insert((now + after, self.next_deed), (index, deed));
                self.next_deed += 1;
            }
        }
        Ok(())
    }

    /// The agent's seat in a game.
    fn seat_of(&self, index: usize, game: &GameId) -> Result<Seat, Breach> {
        let (agent, _) = self.agents[index].place;
        let planned = self.tables.get(game).map(|table| &table.planned);
        let seat = planned.and_then(|planned| planned.agents.iter().position(|id| id.index() == agent));
        seat.and_then(Seat::new).ok_or_else(|| Breach(format!("agent {agent} is sent a line of game {}", game.0)))
    }

    /// After every happening: no card is lost or created, and exactly those times run that are waited for.
    fn check_tables(&mut self) -> Result<(), Breach> {
        self.over.extend(self.host.take_finished().into_iter().map(|(_, played)| played));
        let mut games = 0;
        for (_, referee) in self.host.referees() {
            games += 1;
            check_cards(referee.game()).map_err(|Breach(why)| Breach(format!("game {}: {why}", referee.id().0)))?;
        }
        let mut places = self.agents.iter().flat_map(|agent| agent.connection.places());
        let left = places.find(|place| !self.host.referees().any(|(_, referee)| *referee.id() == place.id));
        hold!(left.is_none(), "an agent still plays {left:?}, which is over");
        let over = self.over.len();
        hold!(games + over == self.tables.len(), "{games} games are played and {over} over, of {}", self.tables.len());
        self.host.check_times(!self.conditions.is_live()).map_err(|wrong| Breach(wrong.to_string()))
    }

    /// Takes out the finished games, checked.
    pub(super) fn take_ended(&mut self) -> Result<Vec<CheckedEnd>, Breach> {
        let over = std::mem::take(&mut self.over);
        over.into_iter().map(|played| self.judge(played)).collect()
    }

    fn judge(&mut self, played: Played) -> Result<CheckedEnd, Breach> {
        let id = &played.log.header.game;
        let Some(table) = self.tables.remove(id) else { return Err(Breach(format!("game {} ended twice", id.0))) };
        let kinds = table.planned.agents.iter().map(|agent| self.conditions.kinds[agent.index()]).collect();
        let (ledgers, reveals_seed) = (table.ledgers, table.reveals_seed);
        let postconditions = Postconditions { conditions: self.conditions, played: &played, kinds, reveals_seed };
        let (planned, kinds) = (table.planned, postconditions.kinds.clone());
        let in_game = |Breach(why)| Breach(format!("game {} ({kinds:?}): {why}", planned.id().0));
        postconditions.check(ledgers).map_err(in_game)?;
        Ok(CheckedEnd { planned, played })
    }
}

fn carry_out(wire: &Wire, deed: Deed) {
    match deed {
        Deed::Write(bytes) => wire.write(&bytes),
        Deed::CloseOutput => wire.close_output(),
        Deed::CloseInput => wire.close_input(),
        Deed::IsNoticed => {}
        Deed::Does(doing) => wire.does(doing),
    }
}

fn game_of(message: &ArenaMessage) -> Option<&GameId> {
    match message {
        ArenaMessage::Start(start) => Some(&start.game),
        ArenaMessage::Ask(ask) => Some(&ask.game),
        ArenaMessage::Tell(tell) => Some(&tell.game),
        ArenaMessage::Fault(fault) => fault.game.as_ref(),
        ArenaMessage::Over(over) => Some(&over.game),
        ArenaMessage::Hello(_) | ArenaMessage::Bye(_) => None,
    }
}

/// Checks that the hand in an ask, if one is shown, is that of its seat.
fn check_hand(referee: &Referee, ask: &Ask) -> Result<(), Breach> {
    let game = referee.game();
    if let Some(view) = ask.view.as_ref().filter(|view| game.last_event() == ask.as_of && !view.hand.is_empty()) {
        let holds = game.hand(ask.seat).cards().eq(view.hand.iter().copied());
        hold!(holds, "seat {} is shown {:?}, and holds {:?}", ask.seat, view.hand, game.hand(ask.seat));
    }
    Ok(())
}
