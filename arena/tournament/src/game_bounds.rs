//! How many games a league will have, as far as that is known before one is played. Knock-outs are played through with made-up
//! results; everything else follows from the format and its budget.

use crate::format::Format;
use crate::league::League;
use crate::scheduler::{EXTRA_DEALS, NextRound, Scheduler, hash};

/// Knock-outs that are played through: with two lives their heats also depend on who wins.
const TRIED: u64 = 32;

/// The games of a league, those that are played already included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBounds {
    /// The fewest; 0 where the run ends once something is shown, or has no end.
    pub least: u64,
    /// The most; `None` without a budget where the run goes on until something is shown, or has no end.
    pub most: Option<u64>,
}

impl League {
    /// How many games there will be. For a double knock-out it is an estimate, from some that are played with made-up results.
    pub fn game_bounds(&self) -> GameBounds {
        if !matches!(self.format, Format::KnockOut { .. } | Format::Double { .. }) {
            let most = self.most_games();
            return GameBounds { least: most.filter(|_| !self.stop.wants_evidence()).unwrap_or(0), most };
        }
        let tried = (0..TRIED).filter_map(|lot| self.heats_of_a_knock_out(lot));
        let (fewest, greatest) = tried.fold((u64::MAX, 0), |(few, many), heats| (few.min(heats), many.max(heats)));
        let play_offs = u64::from(EXTRA_DEALS) * self.rotations() * self.rule_sets as u64;
        let most = greatest.saturating_mul(self.games_of_meeting().saturating_add(play_offs));
        let least = fewest.min(greatest).saturating_mul(self.games_of_meeting());
        let budget = self.budget().unwrap_or(u64::MAX);
        GameBounds { least: least.min(budget), most: Some(most.min(budget)) }
    }

    /// The heats of a knock-out without ties, in each round of which `lot` says who is better.
    fn heats_of_a_knock_out(&self, lot: u64) -> Option<u64> {
        let short =
            League { games_per_pairing: self.rotations(), rule_sets: 1, stop: Default::default(), ..self.clone() };
        let mut scheduler = Scheduler::new(short, lot).ok()?;
        for round in 0.. {
            if let NextRound::Over(_) = scheduler.advance() {
                break;
            }
            while scheduler.taken() < scheduler.plan().len() {
                let agents = scheduler.plan().game(scheduler.taken()).agents;
                let strength = |agent: usize| hash(lot, round, agent);
                let is_better = |one: usize, other: usize| strength(one) > strength(other);
                let place = |agent: usize| 1 + agents.iter().filter(|other| is_better(other.index(), agent)).count();
                let places: Vec<u8> = agents.iter().map(|agent| place(agent.index()) as u8).collect();
                scheduler.take(&places);
            }
        }
        Some(scheduler.plan().len() / self.rotations())
    }
}
