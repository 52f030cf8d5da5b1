//! The units of a plan: which games each holds. Whole deals stay together, so that no other machine plays a part of one. Knows no
//! results and sends nothing.

use anyhow::{Context, Result, ensure};
use maumau_cluster::unit::{Listed, Unit};
use maumau_run::run_store::RunPlan;
use maumau_tournament::{AgentId, DealId, Plan, PlannedGame};

/// All units of the games from number `from` up to `to` of `plan`, from the unit `number` on.
pub(super) fn cut(plan: &Plan, from: u64, to: u64, unit_games: u64, mut number: u64) -> Vec<(u64, u64, u64)> {
    let (mut units, mut first) = (Vec::new(), from);
    while first < to {
        // The deal in which the unit's last game is belongs to it.
        let (last, games) = plan.deal_of((first + unit_games.max(1) - 1).min(to - 1));
        let end = (last + games).min(to);
        units.push((number, first, end - first));
        (first, number) = (end, number + 1);
    }
    units
}

/// The unit as it travels; games that follow from rounds are listed in it.
pub(super) fn unit(run: &RunPlan, plan: &Plan, (number, first, games): (u64, u64, u64)) -> Unit {
    let listed = |index| listed(&plan.game(index));
    let listed =
        if run.settings.league.has_rounds() { (first..first + games).map(listed).collect() } else { Vec::new() };
    Unit { number, first, games, listed }
}

/// The unit of these games, whose numbers follow one another.
pub(super) fn unit_of(run: &RunPlan, number: u64, games: &[PlannedGame]) -> Unit {
    let first = games.first().map_or(0, |game| game.index);
    let listed = if run.settings.league.has_rounds() { games.iter().map(listed).collect() } else { Vec::new() };
    Unit { number, first, games: games.len() as u64, listed }
}

fn listed(PlannedGame { deal, rotation, agents, .. }: &PlannedGame) -> Listed {
    let agents = agents.iter().map(|AgentId(agent)| *agent).collect();
    Listed { group: deal.group, deal: deal.deal, rotation: *rotation, agents }
}

/// The games of a unit that are to be played.
///
/// # Errors
/// It is not a unit of this run.
pub(super) fn games(run: &RunPlan, unit: &Unit) -> Result<Vec<PlannedGame>> {
    let settings = &run.settings.league;
    let end = unit.first.checked_add(unit.games).context("a unit has too many games")?;
    let planned: Vec<PlannedGame> = if settings.has_rounds() {
        ensure!(unit.listed.len() as u64 == unit.games, "a unit lists {} of {} games", unit.listed.len(), unit.games);
        let listed = (unit.first..end).zip(&unit.listed).map(|(index, game)| PlannedGame {
            index,
            deal: DealId { group: game.group, deal: game.deal },
            rotation: game.rotation,
            agents: game.agents.iter().map(|agent| AgentId(*agent)).collect(),
        });
        listed.collect()
    } else {
        ensure!(end <= run.pairings.len(), "the unit {} has games beyond the plan", unit.number);
        (unit.first..end).map(|index| run.pairings.game(index)).collect()
    };
    let is_ours = |game: &PlannedGame| {
        game.agents.len() == settings.seats && game.agents.iter().all(|agent| agent.index() < settings.agents.len())
    };
    ensure!(planned.iter().all(is_ours), "the unit {} has games of other agents", unit.number);
    Ok(planned.into_iter().filter(|game| run.is_open(game)).collect())
}

#[cfg(test)]
mod tests {
    use maumau_tournament::League;

    use super::*;

    #[test]
    fn units_hold_whole_deals_and_each_game_once() {
        for (agents, seats, deals, unit_games) in [(3, 2, 5, 1), (3, 2, 5, 4), (4, 3, 7, 10), (5, 4, 3, 1000)] {
            let league = League {
                agents: (0..agents).map(|agent| agent.to_string()).collect(),
                seats,
                games_per_pairing: deals * seats as u64,
                ..League::default()
            };
            let plan = Plan::new(league).expect("a league");
            let units = cut(&plan, 0, plan.len(), unit_games, 7);
            let mut next = 0;
            for (place, (number, first, games)) in units.iter().enumerate() {
                assert_eq!((*number, *first), (7 + place as u64, next));
                assert_eq!(plan.deal_of(*first).0, *first, "a unit begins with a deal");
                assert!(*games >= unit_games.min(plan.len() - first) && *games < unit_games + seats as u64);
                next += games;
            }
            assert_eq!(next, plan.len());
        }
    }
}
