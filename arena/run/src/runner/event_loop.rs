//! One loop: agents are started and read, the games are on its [`GameHost`], and its timer follows their deadlines. A
//! [`GameSource`] gives it games and takes them back. Everything in it happens on one thread. What happens in a game is
//! decided by the host and its referees.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::panic::AssertUnwindSafe;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use anyhow::Context;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_referee::faults::Misconduct;
use maumau_referee::{GameLog, Input, Player, Referee};
use tokio::sync::{Notify, oneshot};

use super::connection::{Connection, Delivery, ReadOutcome};
use super::game_config::GameConfig;
use super::game_host::{GameHost, Played, READ_BYTES};
use super::game_source::{GameSource, NewGame, NextGame, Occupancy};
use super::idle_watch;
use super::live_tap::{LiveTap, SAMPLE_EVERY};
use super::pool::{AgentSpec, NoAgent, Pool};
use super::start_failure::StartFailure;
use super::transport::MonotonicClock;
use crate::agent::{Poller, Process, reaper};
use crate::io::entropy;
use crate::io::untrusted::Untrusted;
use crate::log::{self, Instrument, Span, panic_text};

/// How long an agent that is lost is still listened to.
const LAST_WORDS: Duration = Duration::from_millis(20);
/// How long the end of an agent that has closed its output is waited for. On a busy machine the processes of a sandbox need
/// several turns of the processor for it.
const EXIT_STATUS: Duration = Duration::from_millis(100);

/// How long the next answer is waited for right where the last one was read. It is no less than the tick of any usual
/// kernel (100 to 1000 Hz): a wait that would end before the next tick sets the processor's timer and takes it back again,
/// and on a virtual machine each of that can cost more than the rest of a move.
const PATIENCE: Duration = Duration::from_millis(10);
/// Answers that are read that way before everything else has its turn.
const MOST_TURNS: u32 = 64;
/// The longest time for that.
const LONGEST_TURN: Duration = Duration::from_millis(4);
/// What a game is called that is not one of many.
pub const ONE_GAME: &str = "match";
/// Games that are over and were not published yet, at most: somebody was looking just then.
const MOST_UNSEEN: usize = 64;
/// An agent at a table, or why it is not there.
type Seated = Result<Rc<Connection<Process>>, StartFailure>;

/// A game in play.
struct InPlay {
    /// Its number for the source.
    number: u64,
    /// What people who watch it call it.
    name: String,
    seated: Vec<Seated>,
    began: Instant,
    span: Span,
}

/// Games played one after another.
struct Run {
    source: Box<dyn GameSource>,
    over: oneshot::Sender<anyhow::Result<()>>,
}

/// One loop with its games and agents.
pub struct EventLoop {
    specs: Vec<AgentSpec>,
    pool: Pool,
    host: RefCell<GameHost<Process, MonotonicClock>>,
    /// The games of the host, under their numbers there.
    in_play: RefCell<BTreeMap<u64, InPlay>>,
    /// Games whose agents are being started.
    starting: Cell<usize>,
    run: RefCell<Option<Run>>,
    /// A deadline has come to be the first.
    earlier: Notify,
    poller: Poller,
    /// The agents that are listened to, by their number there.
    connections: RefCell<BTreeMap<u64, Rc<Connection<Process>>>>,
    next_number: Cell<u64>,
    /// Through which others watch the games of this loop.
    tap: RefCell<Option<LiveTap>>,
    /// Games that are over and could not be published there yet.
    unseen: RefCell<Vec<(String, GameLog)>>,
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
            in_play: RefCell::default(),
            starting: Cell::new(0),
            run: RefCell::default(),
            earlier: Notify::new(),
            poller: Poller::new().context("the agents cannot be listened to")?,
            connections: RefCell::default(),
            next_number: Cell::new(0),
            tap: RefCell::default(),
            unseen: RefCell::default(),
        });
        tokio::task::spawn_local(Rc::clone(&event_loop).watch_deadlines());
        let weak = Rc::downgrade(&event_loop);
        tokio::task::spawn_local(idle_watch::watch(move || {
            weak.upgrade().map(|event_loop| event_loop.pool.connections())
        }));
        tokio::task::spawn_local(Rc::clone(&event_loop).listen());
        Ok(event_loop)
    }

    /// Plays the games of `source` until it has no more and all are over. Seats of agents that do not start are lost; their
    /// games are played all the same.
    ///
    /// # Errors
    /// An error of the source; the machine has no room for agents, or gives no random numbers.
    pub async fn run(self: &Rc<Self>, source: impl GameSource + 'static) -> anyhow::Result<()> {
        let (over, end) = oneshot::channel();
        *self.run.borrow_mut() = Some(Run { source: Box::new(source), over });
        self.ask_again();
        end.await.context("the loop was stopped")?
    }

    /// Asks the source for games, which it may have said to have later.
    pub fn ask_again(self: &Rc<Self>) {
        self.turn_over();
        self.send();
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

    /// Plays one game, which people who watch it call `name`, with those that [`EventLoop::seat`] gave, and keeps what they write
    /// to stderr in its log.
    ///
    /// # Errors
    /// The machine gives no random numbers.
    pub async fn play(self: &Rc<Self>, name: &str, config: GameConfig, seated: Vec<Seated>) -> anyhow::Result<Played> {
        let span = log::game_span(name);
        let kept = Rc::default();
        self.host.borrow_mut().keep_stderr();
        self.begin(NewGame { number: 0, name: name.to_owned(), config, span }, seated)?;
        self.run(OneGame(Rc::clone(&kept))).await?;
        kept.take().context("the game was not played")
    }

    /// Begins a game with the agents that are there. Its first lines go out when the host sends next.
    fn begin(&self, game: NewGame, seated: Vec<Seated>) -> anyhow::Result<()> {
        let NewGame { number, name, config, span } = game;
        let players = seated
            .iter()
            .zip(&config.agents)
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
        let setup = config.with(players, entropy::fresh()?);
        let connections = seated.iter().map(|connection| connection.as_ref().ok().cloned()).collect();
        span.in_scope(|| log::game_begun(seated.len() as u64));
        let began = Instant::now();
        let on_host = self.host.borrow_mut().begin(setup, connections);
        self.in_play.borrow_mut().insert(on_host, InPlay { number, name, seated, began, span });
        Ok(())
    }

    /// Hands games that are over to their source, and begins others in their place.
    fn turn_over(self: &Rc<Self>) {
        let Some(mut run) = self.run.take() else { return };
        let over = match self.try_turn_over(&mut *run.source) {
            Ok(NextGame::Over) if self.playing() == 0 => Ok(()),
            Err(error) => Err(error),
            Ok(_) => {
                *self.run.borrow_mut() = Some(run);
                return;
            }
        };
        // Nobody listens any more where the run was interrupted.
        _ = run.over.send(over);
    }

    /// Gives what the source said last.
    fn try_turn_over(self: &Rc<Self>, source: &mut dyn GameSource) -> anyhow::Result<NextGame> {
        loop {
            let finished = self.host.borrow_mut().take_finished();
            for (on_host, mut played) in finished {
                let Some(game) = self.in_play.borrow_mut().remove(&on_host) else { continue };
                game.span.in_scope(|| log::game(&played.log, game.began.elapsed()));
                self.show(|tap| {
                    if !tap.finished(&game.name, &played.log) && self.unseen.borrow().len() < MOST_UNSEEN {
                        self.unseen.borrow_mut().push((game.name.clone(), played.log.clone()));
                    }
                });
                for (seat, connection) in Seat::all(game.seated.len()).zip(game.seated) {
                    match connection {
                        Ok(connection) => connection.load.set(connection.load.get().saturating_sub(1)),
                        Err(failure) => played.evidence.extend(failure.evidence.map(|evidence| (seat, evidence))),
                    }
                }
                game.span.in_scope(|| source.finished(game.number, played))?;
            }
            match source.next(&**self)? {
                NextGame::Game(game) => match self.seat_at_once(&game.config) {
                    Some(seated) => self.begin(*game, seated)?,
                    None => self.start_agents(*game),
                },
                // A game may be over as soon as it begins.
                _ if self.host.borrow().has_finished() => {}
                none => return Ok(none),
            }
        }
    }

    /// The agents of a table, if all run and have room.
    fn seat_at_once(&self, config: &GameConfig) -> Option<Vec<Seated>> {
        let mut seated = Vec::new();
        for agent in &config.agents {
            match self.pool.with_room(*agent) {
                Some(connection) => seated.push(Ok(connection)),
                None => {
                    seated
                        .iter()
                        .flatten()
                        .for_each(|taken: &Rc<Connection<Process>>| taken.load.set(taken.load.get() - 1));
                    return None;
                }
            }
        }
        Some(seated)
    }

    /// Starts what is missing for a game, and begins it then.
    fn start_agents(self: &Rc<Self>, game: NewGame) {
        self.starting.set(self.starting.get() + 1);
        let (event_loop, span) = (Rc::clone(self), game.span.clone());
        let start = async move {
            let seated = event_loop.seat(&game.config).await;
            event_loop.starting.set(event_loop.starting.get() - 1);
            if event_loop.run.borrow().is_none() {
                return;
            }
            match seated.and_then(|seated| event_loop.begin(game, seated)) {
                Ok(()) => event_loop.ask_again(),
                Err(error) => {
                    if let Some(run) = event_loop.run.take() {
                        _ = run.over.send(Err(error));
                    }
                }
            }
        };
        tokio::task::spawn_local(start.instrument(span));
    }

    /// What `look` makes of the game that has been going on for longest, if there is one.
    pub fn watch<T>(&self, look: impl FnOnce(&Referee) -> T) -> Option<T> {
        self.host.borrow().referees().next().map(|(_, referee)| look(referee))
    }

    /// Lets others watch the games of this loop, which is number `index` of its run.
    pub fn show_through(self: &Rc<Self>, tap: &LiveTap, index: usize) {
        *self.tap.borrow_mut() = Some(tap.clone());
        let weak = Rc::downgrade(self);
        tokio::task::spawn_local(async move {
            loop {
                tokio::time::sleep(SAMPLE_EVERY).await;
                let Some(event_loop) = weak.upgrade() else { return };
                event_loop.show(|tap| {
                    if tap.is_watched() {
                        let (host, in_play) = (event_loop.host.borrow(), event_loop.in_play.borrow());
                        let known = |(on_host, referee)| Some((&*in_play.get(&on_host)?.name, referee));
                        tap.sample(index, host.referees().filter_map(known));
                    }
                    event_loop.unseen.borrow_mut().retain(|(name, log)| !tap.publish(name, log));
                });
            }
        });
    }

    /// Lets `look` show something through the tap, if there is one. Whatever goes wrong with that, the games go on: nothing more
    /// is shown then.
    fn show(&self, look: impl FnOnce(&LiveTap)) {
        let Some(tap) = self.tap.borrow().clone() else { return };
        // The games are only read, and the tap's own state stays whole.
        if let Err(panic) = std::panic::catch_unwind(AssertUnwindSafe(|| look(&tap))) {
            log::not_shown(Untrusted::new(panic_text(&*panic)));
            *self.tap.borrow_mut() = None;
        }
    }

    /// Ends every agent, and lets go of the source. Returns what they wrote to stderr since it was kept last, by the numbers of the
    /// agents.
    pub async fn stop(&self) -> Vec<(usize, String)> {
        drop(self.run.take());
        self.pool.stop().await
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
                self.deliver(&mut out);
                let now = Instant::now();
                let until_look = self.host.borrow().next_look().map(|look| look.saturating_duration_since(now));
                if until_look.is_some_and(|until| until.is_zero()) {
                    self.look();
                }
                patience_ms = until_look.unwrap_or(PATIENCE).min(PATIENCE).as_millis() as u16;
                // Agents that are being started need their turns as well.
                let has_others = brought_nothing || self.starting.get() > 0 || self.host.borrow_mut().is_behind();
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
        if connection.read(buffer, out) != ReadOutcome::End {
            return;
        }
        let mut last = out.split_off(before);
        self.poller.remove(connection.transport.stdout());
        self.connections.borrow_mut().remove(&number);
        let event_loop = Rc::clone(self);
        tokio::task::spawn_local(async move {
            // The exit status, where there is one soon, says more than the closed pipe.
            connection.transport.wait(EXIT_STATUS).await;
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
    async fn lose(self: &Rc<Self>, connection: &Weak<Connection<Process>>, why: &str) {
        tokio::time::sleep(LAST_WORDS).await;
        let Some(connection) = connection.upgrade() else { return };
        let mut out = Vec::new();
        connection.read_all(&mut vec![0; READ_BYTES], &mut out);
        connection.lose(Misconduct::gone(why.to_owned()), &mut out);
        add_exit(&connection, &mut out);
        self.deliver(&mut out);
    }

    /// Hands on what agents have sent. Games that begin in the place of others share the writes that follow.
    fn deliver(self: &Rc<Self>, deliveries: &mut Vec<Delivery>) {
        self.host.borrow_mut().deliver(deliveries);
        self.send();
    }

    /// Looks at games whose deadlines may have passed.
    fn look(self: &Rc<Self>) {
        self.host.borrow_mut().look();
        self.send();
    }

    /// Begins games in the place of those that are over, and sends what there is to send.
    fn send(self: &Rc<Self>) {
        loop {
            if self.host.borrow().has_finished() {
                self.turn_over();
            }
            let mut host = self.host.borrow_mut();
            host.send();
            if host.take_earlier() {
                self.earlier.notify_one();
            }
            // An agent that cannot be written to may be the last one of its game.
            if !host.has_finished() || self.run.borrow().is_none() {
                return;
            }
        }
    }

    /// Looks at games whose deadlines may have passed.
    async fn watch_deadlines(self: Rc<Self>) {
        loop {
            let next = self.host.borrow().next_look();
            match next {
                Some(when) if when <= Instant::now() => self.look(),
                Some(when) => tokio::select! {
                    () = tokio::time::sleep_until(when.into()) => {}
                    () = self.earlier.notified() => {}
                },
                None => self.earlier.notified().await,
            }
        }
    }
}

impl Occupancy for EventLoop {
    fn playing(&self) -> usize {
        self.in_play.borrow().len() + self.starting.get()
    }

    fn games_at_once(&self, agent: usize) -> Option<u32> {
        self.pool.games_at_once(agent)
    }
}

/// The one game of a match, once it is over.
struct OneGame(Rc<RefCell<Option<Played>>>);

impl GameSource for OneGame {
    fn next(&mut self, _: &dyn Occupancy) -> anyhow::Result<NextGame> {
        Ok(NextGame::Over)
    }

    fn finished(&mut self, _: u64, played: Played) -> anyhow::Result<()> {
        *self.0.borrow_mut() = Some(played);
        Ok(())
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
