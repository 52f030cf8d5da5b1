//! Rounds of every format: whom they bring together, when they end, and that they can be derived again.

mod random;

use std::collections::{BTreeMap, BTreeSet};

use maumau_tournament::statistics::gsprt;
use maumau_tournament::statistics::sequential::MatchTest;
use maumau_tournament::{
    AgentId, DecisionRule, Format, League, Method, NextRound, Plan, Round, RunEnding, Scheduler, StopRules,
};
use random::Random;

fn league(agents: usize, seats: usize, deals: u64, format: Format) -> League {
    let agents = (0..agents).map(|number| format!("agent {number}")).collect();
    let rotations = if format == Format::Match && seats.is_multiple_of(2) { 2 } else { seats as u64 };
    League { agents, seats, games_per_pairing: deals * rotations, format, ..League::default() }
}

/// Places of a game in which agent `i` is as strong as `strengths[i]` says: ordered by strength plus noise.
fn places(agents: &[AgentId], strengths: &[f64], random: &mut Random) -> Vec<u8> {
    let values: Vec<f64> = agents
        .iter()
        .map(|agent| {
            // Gumbel noise: who is ahead of whom follows the logistic law.
            let noise = -libm::log(-libm::log(random.unit().max(1e-300)));
            strengths[agent.index()] + noise
        })
        .collect();
    values.iter().map(|value| 1 + values.iter().filter(|other| *other > value).count() as u8).collect()
}

/// A tournament played to its end, or to so many games.
struct Season {
    scheduler: Scheduler,
    rounds: Vec<Round>,
    results: Vec<Vec<u8>>,
    ending: Option<RunEnding>,
}

fn play(league: League, strengths: &[f64], seed: u64, most: u64) -> Season {
    let mut scheduler = Scheduler::new(league, seed).expect("a good league");
    let mut random = Random(seed);
    let (mut rounds, mut results) = (Vec::new(), Vec::new());
    let mut ending = None;
    loop {
        while scheduler.taken() < scheduler.plan().len() {
            let game = scheduler.plan().game(scheduler.taken());
            let places = places(&game.agents, strengths, &mut random);
            scheduler.take(&places);
            results.push(places);
        }
        match scheduler.advance() {
            NextRound::Round(round) => rounds.push(round),
            NextRound::Waiting => panic!("all results have been taken"),
            NextRound::Over(why) => {
                ending = Some(why);
                break;
            }
        }
        if scheduler.plan().len() >= most {
            break;
        }
    }
    Season { scheduler, rounds, results, ending }
}

fn formats(agents: u16) -> Vec<Format> {
    vec![
        Format::RoundRobin,
        Format::Sample,
        Format::Gauntlet { challengers: vec![AgentId(0), AgentId(agents - 1)] },
        Format::Swiss { rounds: 5 },
        Format::KnockOut { advance: 2, seeds: Vec::new() },
        Format::Double { advance: 1, seeds: Vec::new() },
        Format::Ladder,
    ]
}

fn order(scheduler: &Scheduler) -> Vec<AgentId> {
    let result = scheduler.result().expect("a format with an order of its own");
    result.order.into_iter().map(|placed| AgentId(placed.agent as u16)).collect()
}

fn spread(agents: usize) -> Vec<f64> {
    (0..agents).map(|agent| agent as f64 * 0.3).collect()
}

#[test]
fn stored_rounds_are_those_that_are_derived_again_and_others_are_refused() {
    for format in formats(9) {
        let name = format.name();
        let mut league = league(9, 4, 1, format);
        league.stop.games = Some(400);
        let season = play(league.clone(), &spread(9), 3, 400);
        let mut again = Scheduler::new(league, 3).expect("a good league");
        let mut results = season.results.iter();
        for round in &season.rounds {
            let other = match round {
                Round::Games(games) => Round::Games(games + 1_000),
                Round::Pool { .. } => panic!("nobody joined"),
                Round::Tables { tables, byes } => {
                    let mut tables = tables.clone();
                    tables[0].agents.reverse();
                    Round::Tables { tables, byes: byes.clone() }
                }
            };
            assert!(again.adopt(&other).is_err(), "{name}");
            assert_eq!(again.adopt(round), Ok(()), "{name}");
            while again.taken() < again.plan().len() {
                let Some(places) = results.next() else { break };
                again.take(places);
            }
        }
        assert_eq!(again.plan(), season.scheduler.plan(), "{name}");
    }
}

#[test]
fn a_raised_budget_goes_on_where_a_smaller_one_ended() {
    for format in [Format::Sample, Format::Match, Format::Gauntlet { challengers: vec![AgentId(0)] }, Format::Ladder] {
        let agents = if format == Format::Match { 2 } else { 6 };
        let name = format.name();
        let mut small = league(agents, 3, 100, format);
        small.games_per_pairing = 3;
        small.stop.games = Some(101);
        if name == "match" || name == "gauntlet" {
            small.games_per_pairing = 300;
        }
        let season = play(small.clone(), &spread(agents), 5, 10_000);
        assert_eq!(season.ending, Some(RunEnding::Games), "{name}");
        assert_eq!(season.results.len(), 99, "{name}");
        let mut large = small;
        large.stop.games = Some(1_000);
        let mut again = Scheduler::new(large, 5).expect("a good league");
        let mut results = season.results.iter();
        for round in &season.rounds {
            assert_eq!(again.adopt(round), Ok(()), "{name}");
            while again.taken() < again.plan().len() {
                again.take(results.next().expect("a result"));
            }
        }
        assert!(matches!(again.advance(), NextRound::Round(_)), "{name}");
    }
}

#[test]
fn a_sample_of_thirty_at_tables_of_four_is_balanced_at_every_prefix() {
    let season = play(league(30, 4, 2, Format::Sample), &[0.0; 30], 1, 10_000);
    let plan = season.scheduler.plan();
    // Each pair meets about once: 73 groups, 2 deals of 4 games each.
    assert_eq!((season.ending, plan.len()), (Some(RunEnding::Complete), 73 * 8));
    let mut plays = [0_u32; 30];
    for index in (0..plan.len()).step_by(8) {
        plan.game(index).agents.iter().for_each(|agent| plays[agent.index()] += 1);
        let (least, most) = (plays.iter().min().expect("an agent"), plays.iter().max().expect("an agent"));
        assert!(most - least <= 3, "{plays:?}");
    }
}

#[test]
fn every_prefix_of_a_round_robin_has_about_as_many_games_of_each_agent() {
    for (agents, seats) in [(6, 4), (10, 2), (12, 3), (10, 4)] {
        let plan = Plan::new(league(agents, seats, 1, Format::RoundRobin)).expect("a good league");
        let mut plays = vec![0_i64; agents];
        let mut worst = 0;
        for index in (0..plan.len()).step_by(seats) {
            plan.game(index).agents.iter().for_each(|agent| plays[agent.index()] += 1);
            let (least, most) = (plays.iter().min().expect("an agent"), plays.iter().max().expect("an agent"));
            worst = worst.max(most - least);
        }
        assert!(worst <= 2, "{agents} agents at tables of {seats}: {worst}");
    }
}

#[test]
fn challengers_never_meet_and_each_meets_the_whole_field() {
    let challengers = vec![AgentId(1), AgentId(4)];
    let season = play(league(8, 4, 2, Format::Gauntlet { challengers: challengers.clone() }), &[0.0; 8], 1, 10_000);
    let plan = season.scheduler.plan();
    let mut met: BTreeMap<AgentId, BTreeSet<AgentId>> = BTreeMap::new();
    for index in 0..plan.len() {
        let game = plan.game(index);
        let own: Vec<_> = game.agents.iter().filter(|agent| challengers.contains(agent)).collect();
        assert_eq!(own.len(), 1, "{game:?}");
        met.entry(*own[0]).or_default().extend(game.agents.iter().filter(|agent| *agent != own[0]));
    }
    assert!(met.values().all(|field| field.len() == 6), "{met:?}");
    assert_eq!(season.ending, Some(RunEnding::Complete));
}

#[test]
fn two_sides_fill_a_table_and_no_process_sees_a_deal_twice() {
    for seats in 2..=16 {
        let season = play(league(2, seats, 6, Format::Match), &[0.0; 2], 1, 10_000);
        let plan = season.scheduler.plan();
        let mut seen = BTreeSet::new();
        let mut sat = [0_u32; 2];
        for index in 0..plan.len() {
            let game = plan.game(index);
            for (agent, lane) in game.lanes() {
                assert!(seen.insert((agent, lane, game.deal)), "{seats} seats, {}", game.id().0);
                sat[agent.index()] += 1;
            }
        }
        assert_eq!(sat[0], sat[1], "{seats} seats");
        let deals = if seats.is_multiple_of(2) { 6 * 2 } else { 6 * seats as u64 };
        assert_eq!((season.ending, plan.len()), (Some(RunEnding::Complete), deals), "{seats} seats");
    }
}

#[test]
fn a_match_ends_with_its_decision() {
    let test = MatchTest { mu0: 0.5, mu1: 0.55, alpha: 0.05, beta: 0.05 };
    for method in [Method::Betting, Method::Gsprt] {
        let mut league = league(2, 4, 100_000, Format::Match);
        league.stop.decision = Some(DecisionRule { test, method });
        for (strengths, expected) in [([1.0, 0.0], "better"), ([0.0, 0.5], "not better")] {
            let season = play(league.clone(), &strengths, 7, 100_000);
            let state = season.scheduler.match_state().expect("a match");
            assert_eq!(season.ending, Some(RunEnding::Shown), "{method:?}");
            let (verdict, deals) = state.decided().expect("a decision");
            assert_eq!(verdict.name(), expected, "{method:?}");
            assert!(deals <= state.deals && state.deals < deals + 32);
            let (mean, sequence) = (state.mean().expect("deals"), state.sequence());
            assert!((sequence.low..=sequence.high).contains(&mean));
        }
    }
}

/// The places of a table of four at which agent 0, twice there, won so many of the four comparisons with agent 1.
fn places_of_match(agents: &[AgentId], won: usize) -> Vec<u8> {
    // By rank, which agent it is.
    let orders = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]];
    let mut ranks = [0, 1].map(|agent| (1..).zip(orders[won]).filter(move |(_, of)| *of == agent));
    let place = |agent: &AgentId| ranks[agent.index()].next().map_or(0, |(rank, _)| rank);
    agents.iter().map(place).collect()
}

#[test]
fn gsprt_at_a_table_of_four_counts_eighths_as_they_are() {
    // How many of 250 deals came with each share, by eighths. Rounded to the nearest quarters, the lower one of two, they would
    // decide against the challenger.
    let deals = [9, 3, 33, 61, 49, 45, 31, 10, 9];
    let quarters = [(0.0, 12.0), (0.25, 94.0), (0.5, 94.0), (0.75, 41.0), (1.0, 9.0)];
    let (mu0, mu1, error) = (0.5, 0.53, 0.001);
    let (low, _) = gsprt::bounds(error, error);
    let rounded = gsprt::log_likelihood_ratio(&quarters, mu0, mu1);
    assert!((rounded + 9.06).abs() < 0.005 && rounded < low, "{rounded}");

    let mut league = league(2, 4, 250, Format::Match);
    let test = MatchTest { mu0, mu1, alpha: error, beta: error };
    league.stop.decision = Some(DecisionRule { test, method: Method::Gsprt });
    let mut scheduler = Scheduler::new(league, 1).expect("a good league");
    let mut left = deals;
    for deal in 0..deals.iter().sum::<u64>() {
        while scheduler.taken() == scheduler.plan().len() {
            assert!(matches!(scheduler.advance(), NextRound::Round(_)), "deal {deal}");
        }
        // The one of which the largest part is left, so that all are spread over the match.
        let part = |eighths: &usize| left[*eighths] as f64 / deals[*eighths] as f64;
        let eighths = (0..9).max_by(|one, other| part(one).total_cmp(&part(other))).unwrap_or(0);
        left[eighths] -= 1;
        for won in [eighths / 2, eighths - eighths / 2] {
            let agents = scheduler.plan().game(scheduler.taken()).agents;
            scheduler.take(&places_of_match(&agents, won));
        }
    }
    let state = scheduler.match_state().expect("a match");
    let [_, not_better] = state.progress().expect("a test");
    assert!((not_better * low + 2.23).abs() < 0.005, "{}", not_better * low);
    assert_eq!(state.decided(), None);
}

#[test]
fn a_swiss_tournament_has_its_rounds_and_brings_equals_together() {
    let season = play(league(14, 4, 2, Format::Swiss { rounds: 5 }), &spread(14), 2, 10_000);
    assert_eq!((season.rounds.len(), season.ending), (5, Some(RunEnding::Complete)));
    let mut byes = BTreeMap::new();
    for round in &season.rounds {
        let Round::Tables { tables, byes: out } = round else { panic!("tables") };
        assert_eq!((tables.len(), out.len()), (3, 2));
        out.iter().for_each(|agent| *byes.entry(*agent).or_insert(0) += 1);
    }
    assert!(byes.values().all(|count| *count == 1), "nobody sits out twice: {byes:?}");
    let order = order(&season.scheduler);
    let best: usize = order[..7].iter().map(|agent| agent.index()).sum();
    let worst: usize = order[7..].iter().map(|agent| agent.index()).sum();
    assert!(best > worst, "stronger agents are in front: {order:?}");
}

#[test]
fn knock_outs_end_with_a_final_and_a_better_agent_wins_more_of_them() {
    for lives in [1, 2] {
        for (agents, seats, advance) in [(2, 2, 1), (9, 2, 1), (13, 4, 2), (5, 4, 2), (30, 5, 1), (17, 3, 2)] {
            let format = if lives == 1 {
                Format::KnockOut { advance, seeds: Vec::new() }
            } else {
                Format::Double { advance, seeds: Vec::new() }
            };
            let mut wins = vec![0; agents];
            for seed in 0..20 {
                let season = play(league(agents, seats, 2, format.clone()), &spread(agents), seed, 100_000);
                assert_eq!(season.ending, Some(RunEnding::Complete), "{format:?}, {agents} agents");
                let order = order(&season.scheduler);
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), agents);
                wins[order[0].index()] += 1;
            }
            let (weak, strong) = (wins[..agents / 2].iter().sum::<i32>(), wins[agents / 2..].iter().sum::<i32>());
            assert!(strong > weak, "{format:?}, {agents} agents at tables of {seats}: {wins:?}");
        }
    }
}

#[test]
fn ranks_of_equal_agents_stay_open_and_the_best_of_different_ones_are_found() {
    let mut equal = league(6, 3, 1, Format::Sample);
    equal.stop = StopRules { ranking: true, games: Some(3_000), ..StopRules::default() };
    let season = play(equal, &[0.0; 6], 11, 10_000);
    assert_eq!(season.ending, Some(RunEnding::Games));

    let mut different = league(6, 3, 1, Format::Sample);
    different.stop = StopRules { top: Some(2), games: Some(30_000), ..StopRules::default() };
    let season = play(different, &[0.0, 0.1, 0.2, 0.3, 1.2, 1.3], 11, 100_000);
    assert_eq!(season.ending, Some(RunEnding::Shown));
    assert!(season.results.len() < 3_000, "{} games", season.results.len());
}

#[test]
fn a_width_is_reached_in_every_format_that_goes_on() {
    for format in
        [Format::RoundRobin, Format::Sample, Format::Ladder, Format::Gauntlet { challengers: vec![AgentId(0)] }]
    {
        let name = format.name();
        let mut league = league(5, 3, 3_000, format);
        if name == "sample" || name == "ladder" {
            league.games_per_pairing = 3;
        }
        league.stop.width = Some(0.2);
        let season = play(league, &spread(5), 13, 1_000_000);
        assert_eq!(season.ending, Some(RunEnding::Shown), "{name}");
    }
}

#[test]
fn a_league_that_fits_no_format_is_refused_with_what_to_write() {
    let refused = |change: &dyn Fn(&mut League)| {
        let mut league = league(4, 4, 1, Format::Sample);
        change(&mut league);
        Scheduler::new(league, 0).expect_err("a problem").to_string()
    };
    let check = |change: &dyn Fn(&mut League), part: &str| {
        let said = refused(change);
        assert!(said.contains(part), "{said}");
    };
    check(&|league| league.format = Format::Match, "schedule.format: a match has two agents, and there are 4");
    check(&|league| league.format = Format::Gauntlet { challengers: vec![] }, "schedule.challengers: a gauntlet needs");
    check(
        &|league| league.format = Format::Gauntlet { challengers: vec![AgentId(0), AgentId(1)] },
        "the field has 2 agents, and a table of 4 seats needs 3",
    );
    check(&|league| league.format = Format::Swiss { rounds: 0 }, "schedule.rounds: expected a number from 1 to 1000");
    check(
        &|league| league.format = Format::KnockOut { advance: 4, seeds: Vec::new() },
        "4 of a heat of 4 cannot go on; write a number from 1 to 3",
    );
    check(&|league| league.stop.width = Some(0.0), "stop.width: expected a number");
    check(&|league| league.stop.top = Some(4), "stop.top: expected a number from 1 to 3: there are 4 agents");
    check(&|league| league.stop.games = Some(3), "stop.games: not enough for one deal, which is 4 games");
    check(&|league| league.stop.minutes = Some(0), "stop.minutes: expected");
    let test = MatchTest { mu0: 0.6, mu1: 0.5, alpha: 0.05, beta: 0.5 };
    let decision = Some(DecisionRule { test, method: Method::Betting });
    check(&|league| league.stop.decision = decision, "only a match of two agents is decided");
    check(&|league| league.stop.decision = decision, "0 < mu0 < mu1 < 1");
    check(&|league| league.stop.decision = decision, "alpha and beta are error rates");
}

/// Six agents of authors 0 and 1 and two without, of whom no two of one author meet.
fn kept_apart(seats: usize, format: Format) -> League {
    let mut league = league(8, seats, 2, format);
    league.kept_apart = [Some(0), Some(0), Some(0), Some(1), Some(1), Some(1), None, None].to_vec();
    league
}

#[test]
fn agents_of_one_author_never_meet_where_they_are_kept_apart() {
    let challengers = vec![AgentId(0), AgentId(3)];
    for (format, seats) in [
        (Format::RoundRobin, 3),
        (Format::RoundRobin, 4),
        (Format::Sample, 4),
        (Format::Gauntlet { challengers }, 3),
        (Format::Ladder, 3),
    ] {
        for top in [None, Some(2)] {
            let mut league = kept_apart(seats, format.clone());
            league.stop = StopRules { top, games: Some(600), ..StopRules::default() };
            let authors = league.kept_apart.clone();
            let groups = league.groups();
            let season = play(league, &spread(8), 3, 10_000);
            let plan = season.scheduler.plan();
            let mut played = BTreeSet::new();
            for index in 0..plan.len() {
                let game = plan.game(index);
                assert_eq!(plan.game_called(&game.id().0).as_ref(), Some(&game));
                let of = |agent: &AgentId| authors[agent.index()];
                let named: Vec<u16> = game.agents.iter().filter_map(of).collect();
                assert_eq!(named.len(), named.iter().collect::<BTreeSet<_>>().len(), "{format:?}: {game:?}");
                let mut group = game.agents.clone();
                group.sort();
                played.insert(group);
            }
            let agents: BTreeSet<&AgentId> = played.iter().flatten().collect();
            assert_eq!(agents.len(), 8, "{format:?}: somebody never plays");
            if format == Format::RoundRobin && top.is_none() {
                assert_eq!(played.len() as u64, groups, "every group that may meet");
            }
        }
    }
    // One of three, one of three, and either of two; or one author's agent and both of the others.
    assert_eq!(kept_apart(3, Format::RoundRobin).groups(), 3 * 3 * 2 + 3 + 3);
    assert_eq!(kept_apart(4, Format::RoundRobin).groups(), 3 * 3);
}

#[test]
fn agents_that_cannot_be_kept_apart_are_refused_with_what_to_write() {
    let said = |league: League| Scheduler::new(league, 0).expect_err("a problem").to_string();
    let few = said(kept_apart(5, Format::Sample));
    assert!(
        few.contains("schedule.one_author_per_table: the agents have 4 different authors, and a table of 5"),
        "{few}"
    );
    let one = League { kept_apart: vec![Some(0); 8], ..kept_apart(5, Format::Sample) };
    assert!(said(one).contains("all agents have one author, and a table of 5"));
    let swiss = said(kept_apart(3, Format::Swiss { rounds: 2 }));
    assert!(swiss.contains("in the format swiss results decide who meets; write format = \"round-robin\""), "{swiss}");
    let field = said(kept_apart(4, Format::Gauntlet { challengers: vec![AgentId(0), AgentId(6), AgentId(7)] }));
    assert!(
        field.contains("the field has 1 author other than that of \"agent 0\", and a table of 4 seats needs 3"),
        "{field}"
    );
}
