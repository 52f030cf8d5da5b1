//! Games through real pipes, so many at once, one after another on each lane.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;
use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};

use maumau_arena::runner::{EventLoop, GameConfig};

/// What is played on one loop.
pub(super) struct Lanes {
    pub(super) rules: Arc<Rules>,
    pub(super) players: usize,
    /// Games at once.
    pub(super) at_once: usize,
    /// The number from which games are counted: no two games of one number are the same.
    pub(super) first: u64,
}

#[derive(Default)]
pub(super) struct Count {
    pub(super) moves: u64,
    pub(super) games: u64,
    pub(super) faults: u64,
    pub(super) seconds: f64,
    pub(super) cpu: f64,
}

impl Lanes {
    /// Plays while `go_on` says so of the number of games that are over, at least one game on each lane.
    pub(super) async fn play(
        &self,
        event_loop: &Rc<EventLoop>,
        go_on: impl Fn(u64) -> bool + Clone + 'static,
    ) -> Result<Count> {
        let over = Rc::new(Cell::new(0));
        let lanes: Vec<_> = (0..self.at_once.max(1) as u64)
            .map(|lane| {
                let (event_loop, rules, over, players) =
                    (Rc::clone(event_loop), Arc::clone(&self.rules), Rc::clone(&over), self.players);
                let (go_on, mut number) = (go_on.clone(), self.first + (lane << 20));
                tokio::task::spawn_local(async move {
                    let mut count = Count::default();
                    loop {
                        number += 1;
                        let table = GameConfig {
                            id: GameId(format!("bench-{number}").into()),
                            rules: Arc::clone(&rules),
                            seed: seed_of_number(number),
                            agents: (0..players).map(|agent| (agent, 0)).collect(),
                            time: TimeControl::default(),
                            clock: ClockMode::Lockstep,
                            reveal_seed: true,
                        };
                        let played = event_loop.play(table).await?;
                        count.games += 1;
                        for tally in &played.tallies {
                            count.moves += tally.answers;
                            count.faults += tally.faults.values().map(|faults| u64::from(*faults)).sum::<u64>();
                        }
                        over.set(over.get() + 1);
                        if !go_on(over.get()) {
                            return Ok::<Count, anyhow::Error>(count);
                        }
                    }
                })
            })
            .collect();
        let mut total = Count::default();
        for lane in lanes {
            let count = lane.await??;
            total.moves += count.moves;
            total.games += count.games;
            total.faults += count.faults;
        }
        Ok(total)
    }
}
