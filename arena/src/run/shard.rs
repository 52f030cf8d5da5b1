//! One loop: its games, its agents, its deadlines. Everything in it happens on one thread.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use maumau_engine::Rules;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{AskId, ClockMode, GameId, TimeControl};
use maumau_protocol::record::Meta;
use maumau_protocol::{Seat, Seed};
use maumau_referee::{Effect, Effects, GameLog, GameSetup, Input, Player, Referee, Tally, Timer};
use tokio::sync::oneshot;

use super::deadlines::Deadlines;
use super::desk::{Delivery, Desk};
use super::pool::{AgentSpec, Pool};
use crate::entropy;

/// Bytes taken from one agent before the others have their turn.
const READ_BYTES: usize = 64 * 1024;

/// One game to be played.
#[derive(Clone)]
pub(crate) struct TableSetup {
    /// Its name.
    pub(crate) id: GameId,
    /// The rules for this table.
    pub(crate) rules: Arc<Rules>,
    /// Its seed.
    pub(crate) seed: Seed,
    /// By seat: which agent, and the lane that keeps its processes apart.
    pub(crate) agents: Vec<(usize, usize)>,
    /// The time each seat has.
    pub(crate) time: TimeControl,
    /// How actions are put in order.
    pub(crate) clock: ClockMode,
    /// Whether the seed may be told when the game is over.
    pub(crate) reveal_seed: bool,
}

/// A game that has been played.
pub(crate) struct Played {
    /// Its log.
    pub(crate) log: GameLog,
    /// What was counted of each seat.
    pub(crate) tallies: Vec<Tally>,
}

struct Slot {
    referee: Referee,
    desks: Vec<Option<Rc<Desk>>>,
    /// By seat: the open ask, when it was sent and when it is over.
    open: Vec<Option<(AskId, Instant, Instant)>>,
    /// The times of a live game that run, and when they are over.
    timers: Vec<(Timer, Instant)>,
    /// The earliest moment at which the deadlines will look at this game.
    looked_at: Option<Instant>,
    done: Option<oneshot::Sender<Played>>,
}

/// One loop with its games and agents.
pub(crate) struct Shard {
    specs: Vec<AgentSpec>,
    pool: Pool,
    games: RefCell<BTreeMap<u64, Slot>>,
    next_game: Cell<u64>,
    deadlines: Deadlines,
    effects: RefCell<Effects>,
}

impl Shard {
    /// A loop for these agents; must be called inside a local task set.
    pub(crate) fn new(specs: Vec<AgentSpec>) -> Rc<Shard> {
        let shard = Rc::new(Shard {
            specs,
            pool: Pool::default(),
            games: RefCell::default(),
            next_game: Cell::new(0),
            deadlines: Deadlines::default(),
            effects: RefCell::default(),
        });
        tokio::task::spawn_local(Rc::clone(&shard).watch_deadlines());
        shard
    }

    /// Plays one game from start to end. Agents that cannot be had are lost seats; the game is played all the same.
    pub(crate) async fn play(self: &Rc<Self>, table: TableSetup) -> anyhow::Result<Played> {
        let starts: Vec<_> = table
            .agents
            .iter()
            .map(|agent| {
                let (shard, agent, time, clock) = (Rc::clone(self), *agent, table.time, table.clock);
                tokio::task::spawn_local(async move {
                    shard.pool.take(&shard, agent, &shard.specs[agent.0], &time, clock).await
                })
            })
            .collect();
        let mut desks = Vec::new();
        for start in starts {
            desks.push(start.await?);
        }
        let players = desks
            .iter()
            .zip(&table.agents)
            .map(|(desk, agent)| Player {
                name: self.specs[agent.0].name.clone(),
                ready: match desk {
                    Ok(desk) => {
                        desk.ready.borrow().clone().ok_or_else(|| "the agent never came to be ready".to_owned())
                    }
                    Err(reason) => Err(reason.clone()),
                },
            })
            .collect();
        let referee = Referee::new(GameSetup {
            id: table.id.clone(),
            rules: table.rules,
            seed: table.seed,
            players,
            time: table.time,
            clock: table.clock,
            reveal_seed: table.reveal_seed,
            id_key: entropy::fresh()?,
        });
        let game = self.next_game.get();
        self.next_game.set(game + 1);
        let (done, played) = oneshot::channel();
        let desks: Vec<Option<Rc<Desk>>> = desks.into_iter().map(Result::ok).collect();
        for (seat, desk) in Seat::all(desks.len()).zip(&desks) {
            if let Some(desk) = desk {
                desk.enter(table.id.clone(), game, seat);
            }
        }
        let seats = desks.len();
        let slot = Slot {
            referee,
            desks: desks.clone(),
            open: vec![None; seats],
            timers: Vec::new(),
            looked_at: None,
            done: Some(done),
        };
        self.games.borrow_mut().insert(game, slot);
        self.step(game, None);
        let lost: Vec<Delivery> = desks
            .iter()
            .flatten()
            .zip(Seat::all(seats))
            .filter_map(|(desk, seat)| {
                let lost = desk.lost.borrow();
                let (fault, message) = lost.as_ref()?;
                Some((game, Input::Wrong { seat, fault: *fault, message: message.clone() }))
            })
            .collect();
        self.deliver(lost);
        let played = played.await?;
        for desk in desks.iter().flatten() {
            desk.load.set(desk.load.get().saturating_sub(1));
        }
        Ok(played)
    }

    /// How many games at once one process of `agent` has offered to play; `None` while none is running.
    pub(crate) fn games_at_once(&self, agent: usize) -> Option<u32> {
        self.pool.games_at_once(agent)
    }

    /// Ends every agent.
    pub(crate) async fn stop(&self) {
        self.pool.stop().await;
    }

    /// Reads from `desk` as long as anything can come.
    pub(super) fn read_from(self: &Rc<Self>, desk: &Rc<Desk>) {
        let (shard, desk) = (Rc::clone(self), Rc::clone(desk));
        tokio::task::spawn_local(async move {
            let mut buffer = vec![0; READ_BYTES];
            let mut out = Vec::new();
            while desk.process.stdout.readable().await.is_ok() {
                let more = desk.read(&mut buffer, &mut out);
                if !more {
                    // The exit status, where there is one already, says more than the closed pipe.
                    desk.process.wait(Duration::from_millis(20)).await;
                    add_exit(&desk, &mut out);
                }
                shard.deliver(std::mem::take(&mut out));
                if !more {
                    return;
                }
            }
        });
    }

    /// Notices the end of an agent whose pipes stay open because a child of it holds them.
    pub(super) fn watch_end_of(self: &Rc<Self>, desk: &Rc<Desk>) {
        let (shard, ended, desk) = (Rc::clone(self), desk.process.ended(), Rc::downgrade(desk));
        tokio::task::spawn_local(async move {
            ended.await;
            // Its last words are read first.
            tokio::time::sleep(Duration::from_millis(20)).await;
            let Some(desk) = desk.upgrade() else { return };
            let mut out = Vec::new();
            desk.read(&mut vec![0; READ_BYTES], &mut out);
            desk.lose(ConductFault::Gone, "the agent ended".to_owned(), &mut out);
            add_exit(&desk, &mut out);
            shard.deliver(out);
        });
    }

    fn deliver(&self, deliveries: Vec<Delivery>) {
        for (game, input) in deliveries {
            self.step(game, Some(input));
        }
    }

    /// Gives `input` (or the beginning) to a game and carries out what follows.
    fn step(&self, game: u64, input: Option<Input>) {
        let mut games = self.games.borrow_mut();
        let Some(slot) = games.get_mut(&game) else { return };
        let mut effects = self.effects.borrow_mut();
        effects.clear();
        match input {
            None => slot.referee.begin(&mut effects),
            Some(mut input) => {
                slot.stamp(&mut input);
                slot.referee.handle(input, &mut effects);
            }
        }
        let mut unheard = Vec::new();
        let mut finished = false;
        for effect in &effects.list {
            match effect {
                Effect::Send { seat, line } => {
                    if let Some(desk) = &slot.desks[seat.index()]
                        && !desk.process.outbox.send(&effects.bytes[line.clone()])
                    {
                        unheard.push(*seat);
                    }
                }
                Effect::StartDeadline { seat, id, ms } => {
                    let now = Instant::now();
                    let end = now + Duration::from_millis(*ms);
                    slot.open[seat.index()] = Some((*id, now, end));
                    if let Some(desk) = &slot.desks[seat.index()] {
                        desk.asked(game);
                    }
                    if slot.looked_at.is_none_or(|looked_at| end < looked_at) {
                        slot.looked_at = Some(end);
                        self.deadlines.add(end, game);
                    }
                }
                Effect::StartTimer { timer, ms } => {
                    let end = Instant::now() + Duration::from_millis(*ms);
                    slot.timers.retain(|(running, _)| running != timer);
                    slot.timers.push((*timer, end));
                    if *timer == Timer::Turn {
                        slot.desks.iter().flatten().for_each(|desk| desk.moved());
                    }
                    if slot.looked_at.is_none_or(|looked_at| end < looked_at) {
                        slot.looked_at = Some(end);
                        self.deadlines.add(end, game);
                    }
                }
                Effect::StopTimer { timer } => slot.timers.retain(|(running, _)| running != timer),
                Effect::StopDeadline { seat } => {
                    slot.open[seat.index()] = None;
                    if let Some(desk) = &slot.desks[seat.index()] {
                        desk.answered(game);
                    }
                }
                Effect::Dismiss { seat, fault } => slot.dismiss(game, *seat, *fault),
                Effect::Finished => finished = true,
            }
        }
        drop(effects);
        if finished {
            if let Some(mut slot) = games.remove(&game) {
                drop(games);
                for desk in slot.desks.iter().flatten() {
                    desk.leave(game);
                }
                let (log, tallies) = slot.referee.finish();
                if let Some(done) = slot.done.take() {
                    // Whoever asked for the game may have been interrupted meanwhile; then nobody wants it any more.
                    let _ = done.send(Played { log, tallies });
                }
            }
            return;
        }
        drop(games);
        for seat in unheard {
            let message = "the agent does not read its input".to_owned();
            self.step(game, Some(Input::Wrong { seat, fault: ConductFault::Gone, message }));
        }
    }

    /// Looks at games whose deadlines may have passed.
    async fn watch_deadlines(self: Rc<Self>) {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let game = self.deadlines.next().await;
            let now = Instant::now();
            // What came before the deadline counts, also where this loop was too busy to read it.
            let desks: Vec<Rc<Desk>> = match self.games.borrow().get(&game) {
                Some(slot) => slot.overdue(now).filter_map(|(seat, ..)| slot.desks[seat.index()].clone()).collect(),
                None => continue,
            };
            let mut out = Vec::new();
            for desk in desks {
                desk.read(&mut buffer, &mut out);
            }
            self.deliver(out);
            let overdue: Vec<(Seat, AskId, Instant)> = match self.games.borrow().get(&game) {
                Some(slot) => slot.overdue(now).collect(),
                None => continue,
            };
            for (seat, id, since) in overdue {
                if let Some(slot) = self.games.borrow_mut().get_mut(&game) {
                    slot.open[seat.index()] = None;
                    if let Some(desk) = &slot.desks[seat.index()] {
                        desk.answered(game);
                    }
                }
                let meta = Meta { took_us: Some(since.elapsed().as_micros() as u64), ..Meta::default() };
                self.step(game, Some(Input::Deadline { seat, id, meta }));
            }
            let run_out: Vec<Timer> = match self.games.borrow_mut().get_mut(&game) {
                Some(slot) => slot.timers.extract_if(.., |(_, end)| *end <= now).map(|(timer, _)| timer).collect(),
                None => continue,
            };
            for timer in run_out {
                self.step(game, Some(Input::Timer { timer }));
            }
            if let Some(slot) = self.games.borrow_mut().get_mut(&game) {
                let asks = slot.open.iter().flatten().map(|(_, _, end)| *end);
                slot.looked_at = asks.chain(slot.timers.iter().map(|(_, end)| *end)).min();
                if let Some(end) = slot.looked_at {
                    self.deadlines.add(end, game);
                }
            }
        }
    }
}

impl Slot {
    /// Writes into an answer how long it took.
    fn stamp(&self, input: &mut Input) {
        if let Input::Act { seat, meta, act } = input
            && let Some((id, since, _)) = &self.open[seat.index()]
            && *id == act.id
        {
            meta.took_us = Some(since.elapsed().as_micros() as u64);
        }
    }

    /// The asks that are over at `now`: whose, which, since when.
    fn overdue(&self, now: Instant) -> impl Iterator<Item = (Seat, AskId, Instant)> + '_ {
        Seat::all(self.open.len()).zip(&self.open).filter_map(move |(seat, open)| match open {
            Some((id, since, end)) if *end <= now => Some((seat, *id, *since)),
            _ => None,
        })
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
            desk.process.kill();
        }
    }
}

fn add_exit(desk: &Desk, out: &mut [Delivery]) {
    let Some(exit) = desk.process.exit() else { return };
    for (_, input) in out {
        if let Input::Wrong { fault: ConductFault::Gone, message, .. } = input {
            *message = format!("{message}; it ended with {}", exit.0);
        }
    }
}
