//! Agents that compute while nobody asks them anything (SPEC 5.11): found by a look at their processor time now and then, and
//! from then on stopped whenever they are not asked, so that they take nothing from the agent that is.
//!
//! Nothing of this costs a move of an honest agent anything.

use std::cell::Cell;
use std::rc::{Rc, Weak};
use std::time::Duration;

use tokio::time::sleep;

use super::desk::Desk;
use super::shard::Shard;
use crate::host::{Family, Process, Usage};
use crate::log;

/// The time between two looks.
const EVERY: Duration = Duration::from_millis(250);
/// How long a look takes.
const LOOK: Duration = Duration::from_millis(20);
/// Microseconds of processor time within a look from which on an agent computes: more than reading what it is told takes.
const COMPUTES_US: u64 = 1_000;
/// Looks one after another that find an agent computing before it is restrained.
const LOOKS: u32 = 3;
/// Agents that one look is at.
const AGENTS_A_LOOK: usize = 16;
/// Looks after which the processes of agents are looked up anew.
const LOOKS_A_FAMILY: u32 = 8;

/// What is known of an agent's manners.
#[derive(Debug, Default)]
pub(crate) struct Manners {
    /// Looks in a row that found it computing while it was not asked.
    found: Cell<u32>,
    restrained: Cell<bool>,
}

impl Manners {
    /// Whether it is to be stopped while it is not asked.
    pub(super) fn is_restrained(&self) -> bool {
        self.restrained.get()
    }

    /// It is restrained from now on.
    pub(super) fn restrain(&self) {
        self.restrained.set(true);
    }

    /// A look found so much processor time spent while it was not asked; whether that was one too many.
    fn add(&self, ran_us: u64) -> bool {
        self.found.set(if ran_us >= COMPUTES_US { self.found.get() + 1 } else { 0 });
        self.found.get() >= LOOKS
    }
}

/// An agent within a look.
struct Looked {
    desk: Rc<Desk<Process>>,
    asks: u64,
    usage: Usage,
}

/// Looks at the agents of a loop as long as there is one.
pub(super) async fn watch(shard: Weak<Shard>) {
    let (mut looks, mut passed) = (0, 0);
    loop {
        sleep(EVERY).await;
        let Some(desks) = shard.upgrade().map(|shard| shard.desks()) else { return };
        if desks.is_empty() {
            continue;
        }
        if looks % LOOKS_A_FAMILY == 0 {
            let family = Family::now();
            desks.iter().for_each(|desk| desk.link.know(&family));
            desks.iter().filter(|desk| desk.manners.is_restrained()).for_each(|desk| desk.link.rein_in());
        }
        looks += 1;
        // In turn, where there are many.
        let (all, begin) = (desks.len(), passed % desks.len());
        passed = begin + AGENTS_A_LOOK.min(all);
        let in_turn = desks.into_iter().cycle().skip(begin).take(AGENTS_A_LOOK.min(all));
        let looked: Vec<Looked> = in_turn
            .filter(|desk| desk.is_idle() && !desk.manners.is_restrained())
            .filter_map(|desk| Some(Looked { asks: desk.asks(), usage: desk.link.known_usage()?, desk }))
            .collect();
        if looked.is_empty() {
            continue;
        }
        sleep(LOOK).await;
        for Looked { desk, asks, usage } in looked {
            // Whoever was asked meanwhile may have computed for that.
            if desk.asks() != asks || !desk.is_idle() {
                continue;
            }
            let Some(now) = desk.link.known_usage() else { continue };
            if desk.manners.add(now.since(&usage).ran_us) {
                desk.link.span().in_scope(log::agent_restrained);
                desk.link.know(&Family::now());
                desk.link.rein_in();
                desk.restrain();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_computes_in_look_after_look_is_restrained() {
        let manners = Manners::default();
        let looks = [5_000, 5_000, 0, 5_000, COMPUTES_US - 1, COMPUTES_US, 20_000, 9_000].map(|ran| manners.add(ran));
        assert_eq!(looks, [false, false, false, false, false, false, false, true]);
    }
}
