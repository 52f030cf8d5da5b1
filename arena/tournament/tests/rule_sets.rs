//! Leagues of several rule sets: who plays which of them, and the tables of each. Results are given as data; no game is played.

mod random;

use std::collections::BTreeMap;

use maumau_protocol::fault::FaultCounts;
use maumau_protocol::message::GameResult;
use maumau_tournament::{AgentId, Finished, Format, League, NextRound, Plan, RunEnding, Scheduler, StopRules, Tally};
use random::Random;

fn league(agents: usize, seats: usize, rule_sets: usize, format: Format) -> League {
    let agents = (0..agents).map(|number| format!("agent {number}")).collect();
    let mut league = League { agents, seats, rule_sets, format, ..League::default() };
    league.games_per_pairing = 2 * league.rotations();
    league
}

fn finished(index: u64, places: &[u8]) -> Finished {
    let result = GameResult {
        places: places.to_vec(),
        points: places.iter().map(|place| i32::from(*place)).collect(),
        wins: places.iter().map(|place| u32::from(*place == 1)).collect(),
        rounds: 1,
        unwon: 0,
        dismissed: Vec::new(),
    };
    Finished { index, result, faults: vec![FaultCounts::default(); places.len()] }
}

/// Plays a league with random results to its end.
fn play(league: League) -> (Plan, Tally, RunEnding) {
    let mut scheduler = Scheduler::new(league, 1).expect("a good league");
    let mut random = Random(1);
    let mut results = Vec::new();
    loop {
        while scheduler.taken() < scheduler.plan().len() {
            let seats = scheduler.plan().seats();
            let values: Vec<f64> = (0..seats).map(|_| random.unit()).collect();
            let places: Vec<u8> = values.iter().map(|a| 1 + values.iter().filter(|b| *b > a).count() as u8).collect();
            scheduler.take(&places);
            results.push(places);
        }
        match scheduler.advance() {
            NextRound::Round(_) => {}
            NextRound::Waiting => panic!("all results have been taken"),
            NextRound::Over(ending) => {
                let plan = scheduler.plan().clone();
                let mut tally = Tally::new(plan.clone());
                (0..).zip(&results).for_each(|(index, places)| _ = tally.add(&finished(index, places)).expect("a row"));
                return (plan, tally, ending);
            }
        }
    }
}

#[test]
fn in_every_format_a_group_plays_as_many_games_by_each_rule_set() {
    let challengers = vec![AgentId(0)];
    let formats = [
        (Format::RoundRobin, 4, 3),
        (Format::Sample, 7, 3),
        (Format::Gauntlet { challengers }, 5, 2),
        (Format::Match, 2, 3),
        (Format::Match, 2, 4),
        (Format::Swiss { rounds: 3 }, 7, 3),
        (Format::KnockOut { advance: 1, seeds: Vec::new() }, 9, 3),
        (Format::Double { advance: 1, seeds: Vec::new() }, 7, 2),
        (Format::Ladder, 5, 3),
    ];
    for (format, agents, seats) in formats {
        for games in [None, Some(101)] {
            if games.is_none() && format == Format::Ladder {
                continue;
            }
            let mut league = league(agents, seats, 3, format.clone());
            league.stop.games = games;
            let (plan, tally, ending) = play(league);
            let mut by_group: BTreeMap<u32, [u64; 3]> = BTreeMap::new();
            let mut by_set = [0; 3];
            for index in 0..plan.len() {
                let game = plan.game(index);
                let set = plan.league().rule_set_of(game.deal);
                assert_eq!(set, plan.rule_set(index));
                by_group.entry(game.deal.group).or_default()[set] += 1;
                by_set[set] += 1;
            }
            let what = format!("{format:?}, a budget of {games:?}: {ending:?}, {by_group:?}");
            assert!(plan.len() > 0, "{what}");
            // Of a round-robin a budget may cut off a lap of all groups.
            if format != Format::RoundRobin || games.is_none() {
                assert!(by_group.values().all(|[a, b, c]| a == b && b == c), "{what}");
            }
            for (set, games) in by_set.into_iter().enumerate() {
                assert_eq!(tally.standings_by(set).games, games, "{what}");
            }
        }
    }
}

#[test]
fn the_tables_of_the_rule_sets_add_up_to_the_joint_ones() {
    // Agent 0 wins everything by the first rule set, and loses everything by the second.
    let plan = Plan::new(league(2, 2, 2, Format::RoundRobin)).expect("a good league");
    assert_eq!(plan.len(), 8, "two deals by each of two rule sets, each in two rotations");
    let mut tally = Tally::new(plan.clone());
    for index in 0..7 {
        let game = plan.game(index);
        let wins = plan.rule_set(index) == 0;
        let places: Vec<u8> = game.agents.iter().map(|agent| if (agent.0 == 0) == wins { 1 } else { 2 }).collect();
        tally.add(&finished(index, &places)).expect("a good row");
    }
    let [joint, first, second] = [tally.standings(), tally.standings_by(0), tally.standings_by(1)];
    let count = |table: &maumau_tournament::Standings| (table.games, table.planned, table.deals);
    assert_eq!((count(&joint), count(&first), count(&second)), ((7, 8, 4), (4, 4, 2), (3, 4, 2)));
    let score = |table: &maumau_tournament::Standings| {
        table.rows.iter().find(|row| row.name == "agent 0").and_then(|row| row.mean_score)
    };
    assert_eq!((score(&joint), score(&first), score(&second)), (Some(4.0 / 7.0), Some(1.0), Some(0.0)));
    assert_eq!((&*first.rows[0].name, &*second.rows[0].name), ("agent 0", "agent 1"));
}

#[test]
fn sums_of_several_rule_sets_are_continued_and_those_of_fewer_refused() {
    let plan = Plan::new(league(3, 3, 2, Format::RoundRobin)).expect("a good league");
    let mut tally = Tally::new(plan.clone());
    (0..6).for_each(|index| _ = tally.add(&finished(index, &[1, 2, 3])).expect("a good row"));
    let sums = tally.sums().expect("the first games");
    let text = serde_json::to_string(&sums).expect("JSON");
    let again = Tally::resume(plan, serde_json::from_str(&text).expect("sums")).expect("its own sums");
    assert_eq!((again.standings_by(0), again.standings_by(1)), (tally.standings_by(0), tally.standings_by(1)));
    let one = Plan::new(league(3, 3, 1, Format::RoundRobin)).expect("a good league");
    assert!(Tally::resume(one, sums).is_none());
}

#[test]
fn a_match_is_tested_on_a_deal_by_each_rule_set_together() {
    let mut league = league(2, 2, 2, Format::Match);
    league.stop = StopRules { games: Some(40), ..StopRules::default() };
    let mut scheduler = Scheduler::new(league, 1).expect("a good league");
    while matches!(scheduler.advance(), NextRound::Round(_)) {}
    for index in 0..40 {
        let game = scheduler.plan().game(index);
        let wins = scheduler.plan().rule_set(index) == 0;
        let places: Vec<u8> = game.agents.iter().map(|agent| if (agent.0 == 0) == wins { 1 } else { 2 }).collect();
        scheduler.take(&places);
    }
    let state = scheduler.match_state().expect("a match");
    assert_eq!((state.deals, state.mean()), (10, Some(0.5)));
}

#[test]
fn the_order_around_the_table_does_not_depend_on_the_rule_set() {
    // Four seats have six orders, which is a multiple of the number of rule sets.
    let mut league = league(4, 4, 3, Format::RoundRobin);
    league.games_per_pairing = 6 * 4;
    let plan = Plan::new(league).expect("a good league");
    let mut orders: BTreeMap<usize, Vec<Vec<AgentId>>> = BTreeMap::new();
    for index in (0..plan.len()).step_by(4) {
        orders.entry(plan.rule_set(index)).or_default().push(plan.game(index).agents);
    }
    assert_eq!(orders.len(), 3);
    assert!(orders.values().all(|of_set| *of_set == orders[&0]), "{orders:?}");
}

#[test]
fn no_rule_set_too_many_and_a_budget_below_one_deal_of_each_are_refused() {
    let said = |change: &dyn Fn(&mut League)| {
        let mut league = league(3, 3, 2, Format::Sample);
        change(&mut league);
        Plan::new(league).expect_err("a problem").to_string()
    };
    for sets in [0, 17] {
        let said = said(&|league| league.rule_sets = sets);
        assert!(said.contains(&format!("rules: {sets} rule sets; a league has from 1 to 16")), "{said}");
    }
    let said = said(&|league| league.stop.games = Some(5));
    assert!(said.contains("stop.games: not enough for one deal by each rule set, which are 6 games"), "{said}");
}
