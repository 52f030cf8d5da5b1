//! The times of agents, summed up over games. It only adds; times are measured by `runner`.

use maumau_tournament::{Plan, PlannedGame};

use super::store::SeatTimes;

/// Each agent's times over all games, in the order of the league.
#[derive(Clone, Debug)]
pub struct TimeTotals(Vec<SeatTimes>);

impl TimeTotals {
    pub(super) fn new(plan: &Plan) -> TimeTotals {
        TimeTotals(vec![SeatTimes::default(); plan.agents().len()])
    }

    pub(super) fn add(&mut self, game: &PlannedGame, seats: &[SeatTimes]) {
        for (agent, times) in game.agents.iter().zip(seats) {
            let total = &mut self.0[agent.index()];
            total.answers += times.answers;
            total.took_us += times.took_us;
            total.late += times.late;
            total.void += times.void;
        }
    }

    /// Totals that continue from those of `agents`.
    pub(super) fn resume(agents: Vec<SeatTimes>) -> TimeTotals {
        TimeTotals(agents)
    }

    /// The agents' times in the order of the league.
    pub fn agents(&self) -> &[SeatTimes] {
        &self.0
    }
}
