//! Plays games through real pipes, one after another on each of several lanes. It counts them; time is measured by its
//! callers.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::Result;
use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_run::log::Span;
use maumau_run::runner::{EventLoop, GameConfig, GameSource, NewGame, NextGame, Occupancy, Played};

/// The games of one loop.
pub(super) struct Lanes {
    pub(super) rules: Arc<Rules>,
    pub(super) players: usize,
    /// Games at once.
    pub(super) at_once: usize,
    /// The first game number: no two games with the same number are alike.
    pub(super) first: u64,
}

#[derive(Default)]
pub(super) struct BenchCount {
    pub(super) moves: u64,
    pub(super) games: u64,
    pub(super) faults: u64,
    pub(super) seconds: f64,
    pub(super) cpu: f64,
}

impl Lanes {
    /// Plays while `go_on` is true for the number of finished games, at least one game on each lane.
    pub(super) async fn play(
        self,
        event_loop: &Rc<EventLoop>,
        go_on: impl Fn(u64) -> bool + 'static,
    ) -> Result<BenchCount> {
        let count = Rc::new(RefCell::new(BenchCount::default()));
        event_loop.run(Source { lanes: self, begun: 0, go_on, count: Rc::clone(&count) }).await?;
        Ok(count.take())
    }
}

struct Source<F> {
    lanes: Lanes,
    begun: u64,
    go_on: F,
    count: Rc<RefCell<BenchCount>>,
}

impl<F: Fn(u64) -> bool> GameSource for Source<F> {
    fn next(&mut self, occupancy: &dyn Occupancy) -> Result<NextGame> {
        let lanes = self.lanes.at_once.max(1);
        if self.begun >= lanes as u64 && !(self.go_on)(self.count.borrow().games) {
            return Ok(NextGame::Over);
        }
        if occupancy.playing() >= lanes {
            return Ok(NextGame::Later);
        }
        self.begun += 1;
        let number = self.lanes.first + self.begun;
        let config = GameConfig {
            id: GameId(format!("bench-{number}").into()),
            rules: Arc::clone(&self.lanes.rules),
            seed: seed_of_number(number),
            agents: (0..self.lanes.players).map(|agent| (agent, 0)).collect(),
            time: TimeControl::default(),
            clock: ClockMode::Lockstep,
            reveal_seed: true,
            public_seed: false,
            hidden_names: false,
        };
        let name = config.id.0.to_string();
        Ok(NextGame::Game(Box::new(NewGame { number, name, config, span: Span::none() })))
    }

    fn finished(&mut self, _: u64, played: Played) -> Result<()> {
        let mut count = self.count.borrow_mut();
        count.games += 1;
        for tally in &played.tallies {
            count.moves += tally.answers;
            count.faults += tally.faults.total();
        }
        Ok(())
    }
}
