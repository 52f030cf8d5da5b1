//! One loop: agents are started and read, the games are on its [`GameHost`], and its timer follows their deadlines. Everything
//! in it happens on one thread.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use anyhow::Context;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_referee::faults::Misconduct;
use maumau_referee::{Input, Player, Referee};
use tokio::sync::{Notify, oneshot};

use super::connection::{Came, Connection, Delivery};
use super::game_config::GameConfig;
use super::game_host::{GameHost, Played, READ_BYTES};
use super::idle_watch;
use super::pool::{AgentSpec, NoAgent, Pool};
use super::start_failure::StartFailure;
use super::transport::MonotonicClock;
use crate::agent::{Poller, Process, reaper};
use crate::io::entropy;
use crate::io::untrusted::Untrusted;
use crate::log;

/// How long an agent that is lost is still listened to, and its exit status waited for.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// How long the next answer is waited for right where the last one was read. It is no less than the tick of any usual
/// kernel (100 to 1000 Hz): a wait that would end before the next tick sets the processor's timer and takes it back again,
/// and on a virtual machine each of that can cost more than the rest of a move.
const PATIENCE: Duration = Duration::from_millis(10);
/// Answers that are read that way before everything else has its turn.
const MOST_TURNS: u32 = 64;
/// The longest time for that.
const LONGEST_TURN: Duration = Duration::from_millis(4);
/// Turns of everything else in which games may begin in the place of those that are over, before what there is is sent.
const TURNS_TO_BEGIN: u32 = 3;

/// An agent at a table, or why it is not there.
type Seated = Result<Rc<Connection<Process>>, StartFailure>;

/// One loop with its games and agents.
pub struct EventLoop {
    specs: Vec<AgentSpec>,
    pool: Pool,
    host: RefCell<GameHost<Process, MonotonicClock>>,
    /// A deadline has come to be the first.
    earlier: Notify,
    poller: Poller,
    /// The agents that are listened to, by their number there.
    connections: RefCell<BTreeMap<u64, Rc<Connection<Process>>>>,
    next_number: Cell<u64>,
}

impl EventLoop {
    /// A loop for these agents; must be called inside a local task set.
    ///
    /// # Errors
    /// The end of processes cannot be listened to.
    pub fn new(specs: Vec<AgentSpec>) -> anyhow::Result<Rc<EventLoop>> {
        reaper::watch()?;
        let event_loop = Rc::new(EventLoop {
            specs,
            pool: Pool::default(),
            host: RefCell::new(GameHost::new(MonotonicClock)),
            earlier: Notify::new(),
            poller: Poller::new().context("the agents cannot be listened to")?,
            connections: RefCell::default(),
            next_number: Cell::new(0),
        });
        tokio::task::spawn_local(Rc::clone(&event_loop).watch_deadlines());
        let weak = Rc::downgrade(&event_loop);
        tokio::task::spawn_local(idle_watch::watch(move || {
            weak.upgrade().map(|event_loop| event_loop.pool.connections())
        }));
        tokio::task::spawn_local(Rc::clone(&event_loop).listen());
        Ok(event_loop)
    }

    /// Plays one game from start to end. Seats of agents that do not start are lost; the game is played all the same.
    ///
    /// # Errors
    /// The machine has no room for its agents, or gives no random numbers.
    pub async fn play(self: &Rc<Self>, table: GameConfig) -> anyhow::Result<Played> {
        let seated = self.seat(&table).await?;
        self.play_with(table, seated).await
    }

    /// Starts the agents of a table, or finds those that run already. Each that is there has been promised to one game.
    ///
    /// # Errors
    /// The machine has no room for them.
    pub async fn seat(self: &Rc<Self>, table: &GameConfig) -> anyhow::Result<Vec<Seated>> {
        let take = |agent: &(usize, usize)| {
            self.pool.with_room(*agent).ok_or_else(|| {
                let (event_loop, agent, time, clock) = (Rc::clone(self), *agent, table.time, table.clock);
                tokio::task::spawn_local(async move {
                    let attend = |connection: &Rc<Connection<Process>>| event_loop.attend(connection);
                    event_loop.pool.take(agent, &event_loop.specs[agent.0], &time, clock, attend).await
                })
            })
        };
        let taken: Vec<_> = table.agents.iter().map(take).collect();
        let mut seated = Vec::new();
        for connection in taken {
            seated.push(match connection {
                Ok(connection) => Ok(connection),
                Err(start) => match start.await? {
                    Ok(connection) => Ok(connection),
                    Err(NoAgent::NotStarted(failure)) => Err(failure),
                    Err(NoAgent::NoRoom(error)) => return Err(error),
                },
            });
        }
        Ok(seated)
    }

    /// Plays one game with those that [`EventLoop::seat`] gave.
    ///
    /// # Errors
    /// The machine gives no random numbers.
    pub async fn play_with(self: &Rc<Self>, table: GameConfig, seated: Vec<Seated>) -> anyhow::Result<Played> {
        let players = seated
            .iter()
            .zip(&table.agents)
            .map(|(connection, agent)| Player {
                name: self.specs[agent.0].name.clone(),
                ready: match connection {
                    Ok(connection) => {
                        connection.ready.borrow().clone().ok_or_else(|| "the agent never came to be ready".to_owned())
                    }
                    Err(failure) => Err(failure.sentence()),
                },
            })
            .collect();
        let setup = table.with(players, entropy::fresh()?);
        let connections: Vec<Option<Rc<Connection<Process>>>> =
            seated.iter().map(|connection| connection.as_ref().ok().cloned()).collect();
        log::game_begun(seated.len() as u64);
        let began = Instant::now();
        let (done, played) = oneshot::channel();
        // The task that asked for the game may have been interrupted meanwhile; then nobody wants it any more.
        let done = Box::new(move |game| _ = done.send(game));
        self.on_host(|host| host.begin(setup, connections, done));
        // Games that begin at the same time share their first writes.
        tokio::task::yield_now().await;
        self.on_host(GameHost::send);
        let mut played = played.await?;
        log::game(&played.log, began.elapsed());
        for (seat, connection) in Seat::all(seated.len()).zip(seated) {
            match connection {
                Ok(connection) => connection.load.set(connection.load.get().saturating_sub(1)),
                Err(failure) => played.evidence.extend(failure.evidence.map(|evidence| (seat, evidence))),
            }
        }
        Ok(played)
    }

    /// What `look` makes of the game that has been going on for longest, if there is one.
    pub fn watch<T>(&self, look: impl FnOnce(&Referee) -> T) -> Option<T> {
        self.host.borrow().referees().next().map(look)
    }

    /// How many games at once one process of `agent` has offered to play; `None` while none is running.
    pub fn games_at_once(&self, agent: usize) -> Option<u32> {
        self.pool.games_at_once(agent)
    }

    /// Ends every agent.
    pub async fn stop(&self) {
        self.pool.stop().await;
    }

    /// Reads from an agent that was just started as long as anything can come, and notices when it ends.
    ///
    /// # Errors
    /// The agent's output cannot be waited for.
    fn attend(self: &Rc<Self>, connection: &Rc<Connection<Process>>) -> io::Result<()> {
        self.read_from(connection)?;
        self.watch_end_of(connection);
        self.watch_input_of(connection);
        Ok(())
    }

    fn read_from(&self, connection: &Rc<Connection<Process>>) -> io::Result<()> {
        let number = self.next_number.get();
        self.next_number.set(number + 1);
        self.poller.add(connection.transport.stdout(), number)?;
        self.connections.borrow_mut().insert(number, Rc::clone(connection));
        Ok(())
    }

    /// Reads what comes from any agent. As long as agents answer at once it is waited for right here; everything else that
    /// this loop has to do has its turn in between, after [`MOST_TURNS`] or [`LONGEST_TURN`] at the latest.
    async fn listen(self: Rc<Self>) {
        let mut buffer = vec![0; READ_BYTES];
        let (mut numbers, mut out) = (Vec::new(), Vec::new());
        while let Ok(mut attention) = self.poller.listen().await {
            let mut end = None;
            let mut patience_ms = 0;
            for _ in 0..MOST_TURNS {
                if let Err(error) = self.poller.heard(&mut attention, patience_ms, &mut numbers) {
                    log::agents_not_heard(Untrusted::new(&error.to_string()));
                    return;
                }
                if numbers.is_empty() {
                    break;
                }
                for number in numbers.drain(..) {
                    self.hear(number, &mut buffer, &mut out);
                }
                let brought_nothing = out.is_empty();
                let playing = self.host.borrow().playing();
                self.on_host(|host| host.deliver(&mut out));
                let is_short = || self.host.borrow().playing() < playing;
                // Games that begin in the place of others share the write.
                for _ in 0..TURNS_TO_BEGIN {
                    if is_short() {
                        tokio::task::yield_now().await;
                    }
                }
                self.on_host(GameHost::send);
                let now = Instant::now();
                let until_look = self.host.borrow().next_look().map(|look| look.saturating_duration_since(now));
                if until_look.is_some_and(|until| until.is_zero()) {
                    self.on_host(GameHost::look);
                }
                patience_ms = until_look.unwrap_or(PATIENCE).min(PATIENCE).as_millis() as u16;
                // The task that begins the next game may not have come to it yet.
                let has_others = brought_nothing || is_short() || self.host.borrow_mut().is_behind();
                if has_others || now >= *end.get_or_insert(now + LONGEST_TURN) {
                    break;
                }
            }
            tokio::task::yield_now().await;
        }
    }

    /// Reads once from the agent under `number`.
    fn hear(self: &Rc<Self>, number: u64, buffer: &mut [u8], out: &mut Vec<Delivery>) {
        let Some(connection) = self.connections.borrow().get(&number).cloned() else { return };
        let before = out.len();
        if connection.read(buffer, out) != Came::End {
            return;
        }
        let mut last = out.split_off(before);
        self.poller.remove(connection.transport.stdout());
        self.connections.borrow_mut().remove(&number);
        let event_loop = Rc::clone(self);
        tokio::task::spawn_local(async move {
            // The exit status, where there is one already, says more than the closed pipe.
            connection.transport.wait(LAST_WORDS).await;
            add_exit(&connection, &mut last);
            event_loop.deliver(&mut last);
        });
    }

    /// Notices the end of an agent whose pipes stay open because a child of it holds them.
    fn watch_end_of(self: &Rc<Self>, connection: &Rc<Connection<Process>>) {
        let (event_loop, ended, connection) =
            (Rc::clone(self), connection.transport.ended(), Rc::downgrade(connection));
        tokio::task::spawn_local(async move {
            ended.await;
            event_loop.lose(&connection, "the agent ended").await;
        });
    }

    /// Notices an agent to which nothing can be sent any more.
    fn watch_input_of(self: &Rc<Self>, connection: &Rc<Connection<Process>>) {
        let (event_loop, outbox, connection) =
            (Rc::clone(self), Rc::clone(&connection.transport.outbox), Rc::downgrade(connection));
        tokio::task::spawn_local(async move {
            if let Some(deaf) = outbox.until_deaf().await {
                event_loop.lose(&connection, deaf.sentence()).await;
            }
        });
    }

    /// The agent is gone. Its last words are read first.
    async fn lose(&self, connection: &Weak<Connection<Process>>, why: &str) {
        tokio::time::sleep(LAST_WORDS).await;
        let Some(connection) = connection.upgrade() else { return };
        let mut out = Vec::new();
        connection.read_all(&mut vec![0; READ_BYTES], &mut out);
        connection.lose(Misconduct::gone(why.to_owned()), &mut out);
        add_exit(&connection, &mut out);
        self.deliver(&mut out);
    }

    fn deliver(&self, deliveries: &mut Vec<Delivery>) {
        self.on_host(|host| {
            host.deliver(deliveries);
            host.send();
        });
    }

    fn on_host(&self, work: impl FnOnce(&mut GameHost<Process, MonotonicClock>)) {
        let mut host = self.host.borrow_mut();
        work(&mut host);
        if host.take_earlier() {
            self.earlier.notify_one();
        }
    }

    /// Looks at games whose deadlines may have passed.
    async fn watch_deadlines(self: Rc<Self>) {
        loop {
            let next = self.host.borrow().next_look();
            match next {
                Some(when) if when <= Instant::now() => self.host.borrow_mut().look(),
                Some(when) => tokio::select! {
                    () = tokio::time::sleep_until(when.into()) => {}
                    () = self.earlier.notified() => {}
                },
                None => self.earlier.notified().await,
            }
        }
    }
}

fn add_exit(connection: &Connection<Process>, out: &mut [Delivery]) {
    let Some(exit) = connection.transport.exit() else { return };
    for (_, input) in out {
        if let Input::Wrong { fault: ConductFault::Gone, message, .. } = input {
            *message = format!("{message}; it ended with {}", exit.0);
        }
    }
}
