//! The pool of a run whose agents come and go between rounds. It is written in one transaction with the settings, so that the
//! rounds can be derived again from the agents that could play in each.

use std::collections::{BTreeMap, BTreeSet};

use maumau_tournament::{AgentId, Plan, PlannedGame, Round};
use rusqlite::Transaction;

use super::rounds::write_round;

/// Writes the pool `playing` after `rounds`, if it is another than that of the latest round or games are dropped; the run had
/// `before` agents. Games that were not played are dropped if an agent of them has left, or if there is no budget for their deal any
/// more. Returns what was written.
///
/// # Errors
/// The file cannot be read or written.
pub(super) fn change_pool(
    transaction: &Transaction<'_>,
    plan: &Plan,
    rounds: &[Round],
    before: usize,
    playing: Vec<AgentId>,
) -> rusqlite::Result<Option<Round>> {
    if !plan.league().has_open_pool() {
        return Ok(None);
    }
    let latest = rounds.iter().rev().find_map(|round| match round {
        Round::Pool { playing, .. } => Some(playing.clone()),
        Round::Games(_) | Round::Tables { .. } => None,
    });
    let latest = latest.unwrap_or_else(|| (0..before as u16).map(AgentId).collect());
    let dropped = dropped(plan, &played(transaction)?, &playing);
    if dropped.is_empty() && latest == playing {
        return Ok(None);
    }
    let pool = Round::Pool { before, playing, dropped };
    write_round(transaction, plan.rounds() as u64, &pool)?;
    Ok(Some(pool))
}

/// The numbers of the games that are in the file.
fn played(transaction: &Transaction<'_>) -> rusqlite::Result<BTreeSet<u64>> {
    let mut query = transaction.prepare("SELECT number FROM games ORDER BY number")?;
    query.query_map([], |row| row.get::<_, i64>(0).map(|number| number as u64))?.collect()
}

/// The games of `plan` that are not `played` and will not be.
fn dropped(plan: &Plan, played: &BTreeSet<u64>, playing: &[AgentId]) -> Vec<u64> {
    let has_left = |game: &PlannedGame| game.agents.iter().any(|agent| !playing.contains(agent));
    let (left, open): (Vec<PlannedGame>, Vec<PlannedGame>) = (0..plan.len())
        .filter(|number| !played.contains(number) && !plan.is_dropped(*number))
        .map(|number| plan.game(number))
        .partition(has_left);
    let mut dropped: Vec<u64> = left.iter().map(|game| game.index).collect();
    // A table plays a deal by each rule set or none, and a deal that has begun is played to its end.
    let mut deals: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for game in &open {
        let (first, games) = plan.deal_of(game.index);
        let of_sets = u64::from(game.deal.deal) % plan.league().rule_sets as u64;
        deals.entry(first - of_sets * games).or_default().push(game.index);
    }
    let all = |first: u64| first..first + plan.deal_of(first).1 * plan.league().rule_sets as u64;
    let has_begun = |first: &u64| all(*first).any(|number| played.contains(&number));
    let (begun, fresh): (Vec<_>, Vec<_>) = deals.into_iter().partition(|(first, _)| has_begun(first));
    let begun: usize = begun.iter().map(|(_, games)| games.len()).sum();
    let mut budget = plan.league().budget().map(|budget| budget.saturating_sub((played.len() + begun) as u64));
    for (_, games) in fresh {
        match &mut budget {
            Some(left) if *left < games.len() as u64 => {
                *left = 0;
                dropped.extend(games);
            }
            Some(left) => *left -= games.len() as u64,
            None => {}
        }
    }
    dropped.sort_unstable();
    dropped
}

#[cfg(test)]
mod tests {
    use maumau_tournament::{Format, League, StopRules, Table};

    use super::*;

    /// Two tables of two deals by each of two rule sets, so 8 games each, of agents 0 and 1, and 1 and 2.
    fn plan(games: Option<u64>) -> Plan {
        let league = League {
            agents: ["a", "b", "c"].map(str::to_owned).into(),
            seats: 2,
            games_per_pairing: 4,
            rule_sets: 2,
            format: Format::Sample,
            stop: StopRules { games, ..StopRules::default() },
            ..League::default()
        };
        let mut plan = Plan::new(league).expect("a good league");
        let table = |agents: [u16; 2]| Table { agents: agents.map(AgentId).into(), deals: 4 };
        plan.extend(&Round::Tables { tables: vec![table([0, 1]), table([1, 2])], byes: Vec::new() });
        plan
    }

    fn check(games: Option<u64>, played: &[u64], playing: &[u16], expected: &[u64]) {
        let (played, playing) = (played.iter().copied().collect(), playing.iter().map(|agent| AgentId(*agent)));
        assert_eq!(dropped(&plan(games), &played, &playing.collect::<Vec<_>>()), expected, "{games:?}, {played:?}");
    }

    #[test]
    fn games_of_agents_that_have_left_and_deals_without_a_budget_are_dropped() {
        check(None, &[0, 1], &[0, 1, 2], &[]);
        check(None, &[0, 1, 8], &[0, 1], &[9, 10, 11, 12, 13, 14, 15]);
        check(Some(16), &[0], &[0, 1, 2], &[]);
        // A deal by each rule set, 4 games, is kept or dropped.
        check(Some(13), &[0], &[0, 1, 2], &[12, 13, 14, 15]);
        check(Some(4), &[], &[0, 1, 2], &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        // What has begun is played to its end, also beyond the budget.
        check(Some(4), &[1, 9], &[0, 1, 2], &[4, 5, 6, 7, 12, 13, 14, 15]);
        // Games of an agent that has left make room for others.
        check(Some(8), &[0, 1, 2, 3], &[1, 2], &[4, 5, 6, 7, 12, 13, 14, 15]);
    }
}
