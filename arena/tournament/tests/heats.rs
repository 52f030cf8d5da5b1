//! Knock-outs and Swiss tournaments of every size: who goes on without playing, who fills a table, what is reported of the rounds, and
//! that the order of the league file decides nothing.

mod random;

use std::collections::{BTreeMap, BTreeSet};

use maumau_tournament::{
    AgentId, Format, HeatOutcome, League, NextRound, PlacedBy, Round, RoundResult, Scheduler, StopRules,
    TournamentResult,
};
use random::Random;

fn league(agents: usize, seats: usize, format: Format) -> League {
    let agents = (0..agents).map(|number| format!("agent {number}")).collect();
    League { agents, seats, games_per_pairing: seats as u64, format, ..League::default() }
}

fn knock_out(lives: u32, advance: usize, seeds: &[u16]) -> Format {
    let seeds = seeds.iter().map(|agent| AgentId(*agent)).collect();
    if lives == 1 { Format::KnockOut { advance, seeds } } else { Format::Double { advance, seeds } }
}

/// A tournament in which the places of each game are drawn, ties included, and its rounds.
fn play(league: League, seed: u64) -> (Scheduler, Vec<Round>) {
    let mut scheduler = Scheduler::new(league, seed).expect("a good league");
    let (mut random, mut rounds) = (Random(seed), Vec::new());
    loop {
        while scheduler.taken() < scheduler.plan().len() {
            let values: Vec<u32> = (0..scheduler.plan().seats()).map(|_| (random.unit() * 8.0) as u32).collect();
            let places: Vec<u8> =
                values.iter().map(|value| 1 + values.iter().filter(|other| *other > value).count() as u8).collect();
            scheduler.take(&places);
        }
        match scheduler.advance() {
            NextRound::Round(round) => rounds.push(round),
            NextRound::Waiting => panic!("all results have been taken"),
            NextRound::Over(_) => return (scheduler, rounds),
        }
    }
}

fn seated(round: &RoundResult) -> BTreeSet<usize> {
    round.tables.iter().flat_map(|table| &table.agents).map(|seated| seated.agent).collect()
}

/// Holds the byes of a knock-out to what is promised.
fn check_byes(result: &TournamentResult, (agents, seats, advance, lives): (usize, usize, usize, u32)) {
    let case = format!("{agents} agents at tables of {seats}, {advance} go on, {lives} lives: {result:?}");
    let (mut byes, mut has_lost) = (vec![0_u32; agents], vec![false; agents]);
    let mut out = 0;
    for (number, round) in result.rounds.iter().enumerate() {
        let is_mixed = round.tables.iter().all(|table| table.losses.is_none());
        for agent in &round.byes {
            let at_tables = round.tables.iter().flat_map(|table| &table.agents).filter(|seated| !seated.fills_in);
            let mut rivals = at_tables.filter(|rival| is_mixed || has_lost[rival.agent] == has_lost[*agent]);
            assert!(rivals.all(|rival| byes[rival.agent] >= byes[*agent]), "agent {agent}, round {number}: {case}");
        }
        let next_is_final = result.rounds.get(number + 1).is_some_and(|next| next.tables[0].is_final);
        if next_is_final && !round.byes.is_empty() {
            // A heat must be played in the first round, and what it leaves fits into a final; or nobody can fill the tables.
            let left = seated(round).len() + round.byes.len();
            let missing = left.next_multiple_of(seats) - left;
            let is_small = number == 0 && agents <= 2 * seats - advance;
            let is_stuck = number > 0 && (missing > out || left.div_ceil(seats) * (seats - advance) <= missing);
            assert!(is_small || is_stuck, "a bye into the final in round {number}: {case}");
        }
        round.byes.iter().for_each(|agent| byes[*agent] += 1);
        let outcomes = round.tables.iter().flat_map(|table| &table.agents);
        for seated in outcomes {
            has_lost[seated.agent] |= seated.outcome == Some(HeatOutcome::FirstLoss);
            let now_out = seated.outcome == Some(HeatOutcome::Out);
            out += usize::from(now_out && !seated.fills_in);
            out -= usize::from(!now_out && seated.fills_in && seated.outcome != Some(HeatOutcome::Placed));
        }
    }
}

#[test]
fn byes_are_spread_and_none_leads_into_a_final_where_it_can_be_avoided() {
    for lives in [1, 2] {
        for seats in 2..=8 {
            for agents in seats..=40 {
                for advance in BTreeSet::from([1, seats / 2, if lives == 1 { seats - 1 } else { 1 }]) {
                    let seed = (agents * seats + advance) as u64;
                    let (scheduler, rounds) = play(league(agents, seats, knock_out(lives, advance, &[])), seed);
                    let result = scheduler.result().expect("a knock-out");
                    assert!(result.is_over, "{agents} agents at tables of {seats}");
                    check_byes(&result, (agents, seats, advance, lives));
                    // What is reported is what was played.
                    let games: u64 =
                        result.rounds.iter().flat_map(|round| &round.tables).map(|table| table.games).sum();
                    assert_eq!(games, scheduler.plan().len());
                    let byes: usize = result.rounds.iter().map(|round| round.byes.len()).sum();
                    let planned = rounds.iter().map(|round| match round {
                        Round::Tables { byes, .. } => byes.len(),
                        Round::Games(_) | Round::Pool { .. } => 0,
                    });
                    assert_eq!(byes, planned.sum::<usize>());
                    let order: BTreeSet<usize> = result.order.iter().map(|placed| placed.agent).collect();
                    assert_eq!(order.len(), agents);
                    let finalists = result.order.iter().take_while(|placed| placed.by == PlacedBy::Final).count();
                    assert_eq!(finalists, seats);
                }
            }
        }
    }
}

#[test]
fn seventeen_agents_at_tables_of_two_meet_after_one_heat_as_sixteen() {
    let (scheduler, _) = play(league(17, 2, knock_out(1, 1, &[])), 4);
    let rounds = scheduler.result().expect("a knock-out").rounds;
    let heats: Vec<(usize, usize)> = rounds.iter().map(|round| (round.tables.len(), round.byes.len())).collect();
    assert_eq!(heats, [(1, 15), (8, 0), (4, 0), (2, 0), (1, 0)]);
    assert!(
        rounds.iter().flat_map(|round| &round.tables).flat_map(|table| &table.agents).all(|seated| !seated.fills_in)
    );
}

#[test]
fn seeds_go_on_without_playing_and_meet_late() {
    let (scheduler, _) = play(league(6, 2, knock_out(1, 1, &[4, 2])), 1);
    let rounds = scheduler.result().expect("a knock-out").rounds;
    assert_eq!(rounds[0].byes, [4, 2]);
    let pairs: Vec<BTreeSet<usize>> =
        rounds[1].tables.iter().map(|table| table.agents.iter().map(|seated| seated.agent).collect()).collect();
    assert!(pairs[0].contains(&4) && pairs[1].contains(&2), "{pairs:?}");
}

#[test]
fn the_order_of_the_league_file_decides_neither_byes_nor_first_groups() {
    let mut byes = vec![0; 5];
    let mut first = BTreeMap::new();
    for seed in 0..200 {
        let (scheduler, _) = play(league(5, 2, knock_out(1, 1, &[])), seed);
        scheduler.result().expect("a knock-out").rounds[0].byes.iter().for_each(|agent| byes[*agent] += 1);
        for format in [Format::Sample, Format::Ladder, Format::Swiss { rounds: 1 }] {
            let mut scheduler = Scheduler::new(league(9, 3, format.clone()), seed).expect("a good league");
            let NextRound::Round(Round::Tables { tables, .. }) = scheduler.advance() else { panic!("tables") };
            let mut group = tables[0].agents.clone();
            group.sort();
            *first.entry((format.name(), group)).or_insert(0) += 1;
        }
    }
    // Three of five go on without playing: 120 of 200 for each, give or take four standard errors.
    assert!(byes.iter().all(|count| (92..=148).contains(count)), "{byes:?}");
    for format in ["sample", "ladder", "swiss"] {
        let groups: Vec<i32> = first.iter().filter(|((of, _), _)| *of == format).map(|(_, count)| *count).collect();
        // 84 groups of three: each twice or so.
        assert!(groups.len() > 60 && groups.iter().all(|count| *count < 15), "{format}: {groups:?}");
    }
}

#[test]
fn nobody_sits_out_a_swiss_round_twice_before_everybody_has() {
    for seats in 2..=8 {
        for agents in seats..=40 {
            let (scheduler, rounds) = play(league(agents, seats, Format::Swiss { rounds: 7 }), agents as u64);
            let mut byes = vec![0; agents];
            for round in &rounds {
                let Round::Tables { byes: out, .. } = round else { panic!("tables") };
                let least = byes.iter().min().copied();
                // Those with fewest byes sit out first; where they are too few, all of them do.
                let with_least = (0..agents).filter(|agent| Some(byes[*agent]) == least).count();
                let again = out.iter().filter(|agent| Some(byes[agent.index()]) != least).count();
                assert!(
                    again == 0 || with_least <= out.len() - again,
                    "{agents} agents at tables of {seats}: {byes:?}"
                );
                out.iter().for_each(|agent| byes[agent.index()] += 1);
            }
            let result = scheduler.result().expect("a Swiss tournament");
            let byes: Vec<usize> = result.rounds.iter().map(|round| round.byes.len()).collect();
            assert_eq!((byes, result.is_over), (vec![agents % seats; 7], true));
        }
    }
}

#[test]
fn the_points_of_a_swiss_tournament_are_those_of_its_rounds() {
    // Two seats, and the smaller number always wins: 0 has two full scores, and who sat out half of one.
    let mut scheduler = Scheduler::new(league(3, 2, Format::Swiss { rounds: 2 }), 3).expect("a good league");
    let mut sat_out = Vec::new();
    while let NextRound::Round(Round::Tables { byes, .. }) = scheduler.advance() {
        sat_out.extend(byes);
        while scheduler.taken() < scheduler.plan().len() {
            let game = scheduler.plan().game(scheduler.taken());
            let best = game.agents.iter().min().copied();
            let places: Vec<u8> = game.agents.iter().map(|agent| 1 + u8::from(Some(*agent) != best)).collect();
            scheduler.take(&places);
        }
    }
    let result = scheduler.result().expect("a Swiss tournament");
    for placed in &result.order {
        let PlacedBy::Points { points, .. } = placed.by else { panic!("points") };
        let byes = sat_out.iter().filter(|agent| agent.index() == placed.agent).count() as f64;
        let tables = result.rounds.iter().flat_map(|round| &round.tables);
        let won = tables.filter(|table| table.agents.iter().map(|seated| seated.agent).min() == Some(placed.agent));
        assert_eq!(points, 0.5 * byes + won.count() as f64, "{result:?}");
    }
    assert_eq!(result.order[0].agent, 0, "{result:?}");
}

#[test]
fn how_many_games_there_will_be_is_known_before_one_is_played() {
    for (agents, seats, advance) in [(2, 2, 1), (5, 2, 1), (17, 2, 1), (9, 3, 1), (9, 3, 2), (17, 4, 2), (23, 4, 1)] {
        for lives in [1, 2] {
            let league = || League {
                games_per_pairing: 2 * seats as u64,
                ..league(agents, seats, knock_out(lives, advance, &[]))
            };
            let bounds = league().game_bounds();
            let most = bounds.most.expect("it ends");
            for seed in 0..40 {
                let games = play(league(), seed).0.plan().len();
                assert!(
                    (bounds.least..=most).contains(&games),
                    "{games}, {bounds:?}: {agents}, {seats}, {advance}, {lives}"
                );
            }
        }
    }
    // Of 17 at tables of two 16 go out, each in a heat of two deals, or of five with its play-offs.
    let bounds = League { games_per_pairing: 4, ..league(17, 2, knock_out(1, 1, &[])) }.game_bounds();
    assert_eq!((bounds.least, bounds.most), (16 * 4, Some(16 * 10)));
}

#[test]
fn formats_with_a_length_or_a_budget_say_it_and_others_only_what_they_know() {
    let budget = |games| StopRules { games: Some(games), ..StopRules::default() };
    let shown = |games| StopRules { ranking: true, games, ..StopRules::default() };
    let one = AgentId(0);
    for (format, stop, expected) in [
        (Format::RoundRobin, StopRules::default(), (20, Some(20))),
        (Format::Swiss { rounds: 3 }, StopRules::default(), (12, Some(12))),
        (Format::Gauntlet { challengers: vec![one] }, StopRules::default(), (8, Some(8))),
        (Format::Sample, budget(101), (100, Some(100))),
        (Format::Sample, shown(Some(100)), (0, Some(100))),
        (Format::Sample, shown(None), (0, None)),
        (Format::Ladder, budget(100), (100, Some(100))),
        (Format::Ladder, StopRules::default(), (0, None)),
        (Format::KnockOut { advance: 1, seeds: Vec::new() }, budget(6), (6, Some(6))),
    ] {
        let case = format!("{format:?} {stop:?}");
        let bounds = League { stop, ..league(5, 2, format) }.game_bounds();
        assert_eq!((bounds.least, bounds.most), expected, "{case}");
    }
}
