//! The tables of formats in which nothing depends on results: as many of them at once as keep a run busy.

use crate::agent_id::AgentId;
use crate::plan::Plan;
use crate::rounds::{Round, Table};
use crate::schedule::balanced::Balance;

/// Where nothing depends on results a round has a twentieth of the games before it, and at least [`LEAST_GAMES`].
const SHARE: u64 = 20;
const LEAST_GAMES: u64 = 32;

/// How many games the next round has at least, in the formats whose agents stay the same.
fn games_of_round(plan: &Plan) -> u64 {
    (plan.len() / SHARE).max(LEAST_GAMES)
}

/// The deals of a meeting.
pub(super) fn deals(plan: &Plan) -> u32 {
    plan.league().deals_of_meeting() as u32
}

/// A table where each of `agents` sits once.
pub(super) fn table(agents: &[usize], deals: u32) -> Table {
    Table { agents: agents.iter().map(|agent| AgentId(*agent as u16)).collect(), deals }
}

/// The next games of a complete round-robin; `None` at its end.
pub(super) fn of_round_robin(plan: &Plan) -> Option<Round> {
    let all = plan.groups() * plan.league().games_of_meeting();
    let seats = plan.seats() as u64;
    let left = all - plan.len();
    let games = games_of_round(plan).next_multiple_of(seats).min(left);
    (games > 0).then_some(Round::Games(games))
}

/// Balanced groups until each pair has met in about `games_per_pairing` games, or up to the budget.
pub(super) fn of_sample(plan: &Plan, balance: &Balance, playing: &[usize]) -> Option<Round> {
    let mut balance = balance.clone();
    let mut tables = Vec::new();
    let mut games = plan.len();
    while games < (plan.len() + plan.league().allocation.of_round(playing.len())).min(most(plan)) {
        let group = balance.next_with(&[], playing, plan.seats());
        if group.len() < plan.seats() {
            break;
        }
        balance.take(&group);
        let table = table(&group, deals(plan));
        games += table.games();
        tables.push(table);
    }
    (!tables.is_empty()).then_some(Round::Tables { tables, byes: Vec::new() })
}

/// Where the format ends, unless something is to be shown.
fn most(plan: &Plan) -> u64 {
    let league = plan.league();
    if league.stop.wants_evidence() { u64::MAX } else { league.games_of_format().unwrap_or(u64::MAX) }
}

/// One table for each challenger, with those of the field that it and they have met least.
pub(super) fn of_gauntlet(plan: &Plan, challengers: &[AgentId], balance: &Balance) -> Option<Round> {
    let is_field = |agent: &usize| challengers.iter().all(|challenger| challenger.index() != *agent);
    let field: Vec<usize> = (0..plan.league().agents.len()).filter(is_field).collect();
    let mut balance = balance.clone();
    let mut tables = Vec::new();
    let mut games = plan.len();
    while games < (plan.len() + games_of_round(plan)).min(most(plan)) {
        for challenger in challengers {
            let group = balance.next_with(&[challenger.index()], &field, plan.seats());
            balance.take(&group);
            let table = table(&group, deals(plan));
            games += table.games();
            tables.push(table);
        }
    }
    (!tables.is_empty()).then_some(Round::Tables { tables, byes: Vec::new() })
}

/// Tables filled with copies of two agents; where the number of seats is odd, each has one copy more at every second table.
pub(super) fn of_match(plan: &Plan) -> Option<Round> {
    let (league, seats) = (plan.league(), plan.seats());
    let left = most(plan) - plan.len();
    // Of a deal by each rule set.
    let sets = league.rule_sets as u64;
    let games = league.rotations() * sets;
    let deals = (games_of_round(plan).div_ceil(games)).min(left / games);
    let side = |first: usize| (0..seats).map(|seat| (first + seat) % 2).collect::<Vec<usize>>();
    let tables: Vec<Table> = if seats.is_multiple_of(2) {
        (deals > 0).then(|| table(&side(0), (deals * sets) as u32)).into_iter().collect()
    } else {
        let before = plan.len() / games;
        (before..before + deals).map(|deal| table(&side(deal as usize % 2), sets as u32)).collect()
    };
    (!tables.is_empty()).then_some(Round::Tables { tables, byes: Vec::new() })
}
