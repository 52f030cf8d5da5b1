//! Agents that are kept running over many games. It starts them, greets them and stops them; games are handed to their
//! connections by the event loop.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits;
use maumau_protocol::message::{ArenaMessage, Bye, ClockMode, Fault, Hello, Limits, PROTOCOL, TimeControl};
use maumau_referee::faults::sentence;
use maumau_referee::write_message;
use tokio::sync::{Mutex, Semaphore, oneshot};

use super::connection::Connection;
use super::start_failure::StartFailure;
use crate::agent::{AgentCommand, Process, reaper, resource_limits};
use crate::io::untrusted::Untrusted;
use crate::log::{self, Instrument};
use maumau_referee::story::diagnosis::{Afterwards, why_not_ready};

/// How many starts in a row may fail before an agent is not tried again.
const START_ATTEMPTS: u32 = 3;

/// How many agents one loop starts at the same time. They share a processor, but each has its full start-up allowance.
const STARTS_AT_ONCE: usize = 4;

/// How many bytes are read at once of an agent that is being dismissed.
const READ_BYTES: usize = 64 * 1024;

/// How long an agent may take to end by itself once it is told to.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// What is needed to start an agent.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// Its name in tables and records.
    pub name: String,
    /// Its command.
    pub command: AgentCommand,
}

/// How long to wait before trying again when the machine has no room.
const NO_ROOM_PAUSE: Duration = Duration::from_millis(50);

/// Why there is no agent.
#[derive(Debug)]
pub(super) enum NoAgent {
    /// It did not start: its seat is lost.
    NotStarted(StartFailure),
    /// The machine had no room for it during its whole start-up time. No seat may be lost because of that.
    NoRoom(anyhow::Error),
}

/// The number of an agent, and a lane.
type AgentLane = (usize, usize);

/// The running agents of one loop, by agent and lane. A lane never plays two games of one deal, so no process sees the same
/// deal twice.
pub(super) struct Pool {
    connections: RefCell<BTreeMap<AgentLane, Vec<Rc<Connection<Process>>>>>,
    failures: RefCell<BTreeMap<usize, (u32, StartFailure)>>,
    /// Held while a process is started for a lane; a game that waits for it may find room in that process.
    turns: RefCell<BTreeMap<AgentLane, Rc<Mutex<()>>>>,
    starts: Semaphore,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool {
            connections: RefCell::default(),
            failures: RefCell::default(),
            turns: RefCell::default(),
            starts: Semaphore::new(STARTS_AT_ONCE),
        }
    }
}

impl Pool {
    /// An agent with room for one more game, started if necessary; `attend` arranges for a new one to be read.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn take(
        &self,
        agent: (usize, usize),
        spec: &AgentSpec,
        time: &TimeControl,
        clock: ClockMode,
        attend: impl Fn(&Rc<Connection<Process>>) -> io::Result<()>,
    ) -> Result<Rc<Connection<Process>>, NoAgent> {
        if let Some(connection) = self.with_room(agent) {
            return Ok(connection);
        }
        let turn = Rc::clone(self.turns.borrow_mut().entry(agent).or_default());
        let _turn = turn.lock().await;
        if let Some(connection) = self.with_room(agent) {
            return Ok(connection);
        }
        let _start = self.starts.acquire().await.map_err(|error| NoAgent::NoRoom(error.into()))?;
        if let Some((failures, failure)) = self.failures.borrow().get(&agent.0)
            && *failures >= START_ATTEMPTS
        {
            return Err(NoAgent::NotStarted(failure.again(*failures)));
        }
        match self.start(spec, time, clock, attend).await {
            Ok(connection) => {
                self.failures.borrow_mut().remove(&agent.0);
                connection.load.set(1);
                self.connections.borrow_mut().entry(agent).or_default().push(Rc::clone(&connection));
                Ok(connection)
            }
            Err(NoAgent::NotStarted(failure)) => {
                let mut failures = self.failures.borrow_mut();
                let before = failures.get(&agent.0).map_or(0, |(count, _)| *count);
                failures.insert(agent.0, (before + 1, failure.clone()));
                Err(NoAgent::NotStarted(failure))
            }
            Err(no_room) => Err(no_room),
        }
    }

    /// A running process of `agent` with room for one more game, to which it is then promised.
    pub(super) fn with_room(&self, agent: (usize, usize)) -> Option<Rc<Connection<Process>>> {
        let mut all = self.connections.borrow_mut();
        let connections = all.get_mut(&agent)?;
        connections.retain(|connection| connection.lost.borrow().is_none());
        let connection = connections.iter().find(|connection| connection.load.get() < connection.capacity())?;
        connection.load.set(connection.load.get() + 1);
        Some(Rc::clone(connection))
    }

    /// Every running agent.
    pub(super) fn connections(&self) -> Vec<Rc<Connection<Process>>> {
        let connections = self.connections.borrow();
        connections.values().flatten().filter(|connection| connection.lost.borrow().is_none()).cloned().collect()
    }

    /// How many games at once one process of `agent` has offered to play; `None` if none is running.
    pub(super) fn games_at_once(&self, agent: usize) -> Option<u32> {
        let connections = self.connections.borrow();
        let running = connections.range((agent, 0)..=(agent, usize::MAX)).flat_map(|(_, connections)| connections);
        running.filter_map(|connection| connection.ready.borrow().as_ref().map(|ready| ready.games)).min()
    }

    async fn start(
        &self,
        spec: &AgentSpec,
        time: &TimeControl,
        clock: ClockMode,
        attend: impl Fn(&Rc<Connection<Process>>) -> io::Result<()>,
    ) -> Result<Rc<Connection<Process>>, NoAgent> {
        let patience = Duration::from_millis(time.start_ms);
        let span = log::agent_span(&spec.name);
        let began = Instant::now();
        let process = match start_process(&spec.command, patience).instrument(span.clone()).await {
            Err(NoAgent::NotStarted(failure)) => {
                span.in_scope(|| log::agent_not_started(Untrusted::new(&failure.reason)));
                return Err(NoAgent::NotStarted(failure));
            }
            process => process?,
        };
        let (answer_in, answer_out) = oneshot::channel();
        let connection = Rc::new(Connection::new(process, answer_in));
        let deaf =
            |error| NoAgent::NoRoom(anyhow::Error::new(error).context("the agent's output cannot be waited for"));
        attend(&connection).map_err(deaf)?;
        send(&connection, &ArenaMessage::Hello(hello(clock)));
        let answer = match tokio::time::timeout(patience, answer_out).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err("the agent was lost before it was ready".to_owned()),
            Err(_) => {
                let used = connection.transport.usage().map(|usage| usage.since_start().cpu_use());
                let seen = connection.silence();
                let afterwards = dismiss(&connection, &format!("not ready within {} ms", time.start_ms)).await;
                let why = why_not_ready(patience, used, seen, Some(afterwards));
                Err(format!("the agent was not ready within {} ms{why}", time.start_ms))
            }
        };
        if let Some(look) = log::looks_at_agents().then(|| connection.transport.look()).flatten() {
            span.in_scope(|| log::agent_rights(look.pid as u64, look.rights()));
        }
        span.in_scope(|| match &answer {
            Ok(ready) => log::agent_ready(u64::from(ready.games), began.elapsed().as_millis() as u64),
            Err(reason) => log::agent_not_started(Untrusted::new(reason)),
        });
        match answer {
            Ok(ready) if ready.games > limits::MAX_GAMES_PER_AGENT => {
                let mut lowered = ready;
                lowered.games = limits::MAX_GAMES_PER_AGENT;
                *connection.ready.borrow_mut() = Some(Arc::new(lowered));
                Ok(connection)
            }
            Ok(_) => Ok(connection),
            Err(reason) => {
                dismiss(&connection, &reason).await;
                Err(NoAgent::NotStarted(StartFailure::of_handshake(&reason, &connection.transport)))
            }
        }
    }

    /// Asks every running agent to end, waits for it, and kills it if it does not. Returns what they wrote to stderr since it was
    /// taken last, by the numbers of the agents.
    pub(super) async fn stop(&self) -> Vec<(usize, String)> {
        let connections: Vec<(usize, Rc<Connection<Process>>)> = std::mem::take(&mut *self.connections.borrow_mut())
            .into_iter()
            .flat_map(|((agent, _), connections)| connections.into_iter().map(move |connection| (agent, connection)))
            .collect();
        for (_, connection) in &connections {
            connection.transport.thaw();
            send(connection, &ArenaMessage::Bye(Bye { reason: "there is nothing more to play".to_owned() }));
        }
        let stops: Vec<_> = connections
            .iter()
            .map(|(_, connection)| {
                let connection = Rc::clone(connection);
                tokio::task::spawn_local(async move { connection.transport.stop(GRACE).await })
            })
            .collect();
        for stop in stops {
            // The runtime has reported a panic in there already; the other agents are stopped even so.
            let _ = stop.await;
        }
        reaper::sweep().await;
        let written =
            |(agent, connection): (usize, Rc<Connection<Process>>)| Some((agent, connection.transport.take_stderr()?));
        connections.into_iter().filter_map(written).collect()
    }
}

/// Sends an agent that it has not started, ends it, and returns how it took that. Once it has been ended it is sent nothing.
async fn dismiss(connection: &Connection<Process>, reason: &str) -> Afterwards {
    let refusal = Fault {
        game: None,
        id: None,
        fault: ConductFault::NotStarted.name().to_owned(),
        message: reason.to_owned(),
        clause: sentence(ConductFault::NotStarted).clause.to_owned(),
        cards: 0,
        strikes: 0,
        open: false,
    };
    send(connection, &ArenaMessage::Fault(refusal));
    send(connection, &ArenaMessage::Bye(Bye { reason: reason.to_owned() }));
    let half = GRACE / 2;
    connection.transport.wait(half).await;
    // It plays no game, so nothing that it sends is for anybody.
    let hear = || connection.read_all(&mut vec![0; READ_BYTES], &mut Vec::new());
    hear();
    if connection.ready.borrow().is_some() {
        connection.transport.stop(half).await;
        return Afterwards::AnsweredAtBye;
    }
    connection.transport.outbox.close();
    let ended = connection.transport.wait(half).await.is_some();
    hear();
    connection.transport.stop(Duration::ZERO).await;
    match (connection.ready.borrow().is_some(), ended) {
        (true, _) => Afterwards::AnsweredAtEnd,
        (false, true) => Afterwards::Ended,
        (false, false) => Afterwards::Stayed,
    }
}

/// Starts it as soon as the machine has room; waits for that at most `patience`.
async fn start_process(command: &AgentCommand, patience: Duration) -> Result<Process, NoAgent> {
    let began = Instant::now();
    loop {
        match Process::start(command) {
            Ok(process) => return Ok(process),
            Err(error) if !resource_limits::is_used_up(&error) => {
                return Err(NoAgent::NotStarted(StartFailure::of_command(&error, command)));
            }
            Err(error) if began.elapsed() >= patience => {
                return Err(NoAgent::NoRoom(error.context(
                    "this machine has no room for all agents: play fewer games at once, end other programs, or raise its \
                     limits (ulimit -n for open files, ulimit -u for processes)",
                )));
            }
            Err(_) => tokio::time::sleep(NO_ROOM_PAUSE).await,
        }
    }
}

fn hello(clock: ClockMode) -> Hello {
    Hello {
        protocol: PROTOCOL.to_owned(),
        arena: env!("CARGO_PKG_VERSION").to_owned(),
        limits: Limits::default(),
        clock,
    }
}

fn send(connection: &Connection<Process>, message: &ArenaMessage) {
    let mut line = Vec::new();
    write_message(&mut line, message);
    // Queued after everything it is still to be sent. An agent that cannot be written to is noticed by its reader or by the
    // next ask.
    connection.gather(&line);
    connection.send_gathered();
}
