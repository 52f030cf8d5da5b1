//! A disk that fails: committed data stays, a failed commit is there completely or not at all. It is a `RunStore` in
//! memory; no file is touched.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use maumau_engine::ChoiceStream;
use maumau_run::run_store::{RunStore, StoredGame};

/// The games of a run, over all crashes.
#[derive(Debug)]
pub(super) struct SimulatedDisk {
    dice: ChoiceStream<'static>,
    fails_one_in: u64,
    works: bool,
    /// By number.
    pub(super) games: BTreeMap<u64, StoredGame>,
    /// A game that was stored a second time.
    pub(super) doubled: Option<u64>,
}

impl SimulatedDisk {
    pub(super) fn new(dice: ChoiceStream<'static>, fails_one_in: u64) -> SimulatedDisk {
        SimulatedDisk { dice, fails_one_in, works: true, games: BTreeMap::new(), doubled: None }
    }

    /// True if it never fails from now on.
    pub(super) fn works_from_now_on(&mut self, works: bool) {
        self.works = works;
    }

    fn write(&mut self, games: &[StoredGame]) {
        for game in games {
            if self.games.insert(game.number(), game.clone()).is_some() {
                self.doubled = Some(game.number());
            }
        }
    }
}

impl RunStore for SimulatedDisk {
    fn add(&mut self, games: &[StoredGame]) -> Result<()> {
        if !self.works && self.dice.one_in(self.fails_one_in) {
            // After an error it is unknown which it was.
            if self.dice.one_in(2) {
                self.write(games);
            }
            bail!("the disk fails");
        }
        self.write(games);
        Ok(())
    }
}
