//! Standings computed by hand, and what holds for all standings. Results are given as data; no game is played.

use std::collections::BTreeMap;

use maumau_protocol::fault::{ConductFault, CountedFault, FaultCounts};
use maumau_protocol::message::GameResult;
use maumau_protocol::{RuleFault, Seat};
use maumau_tournament::{Encounter, Finished, Interval, League, Plan, RowError, Standings, Tally};
use proptest::prelude::*;

fn plan(agents: &[&str], seats: usize, deals: u64) -> Plan {
    let agents = agents.iter().map(ToString::to_string).collect();
    Plan::new(League { agents, seats, games_per_pairing: deals * seats as u64, ..League::default() })
        .expect("a good league")
}

/// A game of one round with these places; the first place wins it, and the points are the places times ten.
fn finished(index: u64, places: &[u8]) -> Finished {
    let result = GameResult {
        places: places.to_vec(),
        points: places.iter().map(|place| i32::from(*place) * 10).collect(),
        wins: places.iter().map(|place| u32::from(*place == 1)).collect(),
        rounds: 1,
        unwon: 0,
        dismissed: Vec::new(),
    };
    Finished { index, result, faults: vec![FaultCounts::default(); places.len()] }
}

fn standings(plan: &Plan, games: &[Finished]) -> Standings {
    let mut tally = Tally::new(plan.clone());
    games.iter().for_each(|game| _ = tally.add(game).expect("a good row"));
    tally.standings()
}

/// The places of all games in the order of the plan.
fn season(plan: &Plan, places: &[&[u8]]) -> Standings {
    let games: Vec<_> = (0..).zip(places).map(|(index, places)| finished(index, places)).collect();
    standings(plan, &games)
}

fn close(got: Option<f64>, expected: f64) {
    assert!(got.is_some_and(|got| (got - expected).abs() < 1e-12), "{got:?}, expected {expected}");
}

#[test]
fn two_agents_and_two_deals() {
    // "ada" wins both games of deal 0 and one of deal 1; in the odd games she sits at seat 1.
    let table = season(&plan(&["ada", "bob"], 2, 2), &[&[1, 2], &[2, 1], &[1, 2], &[1, 2]]);
    assert_eq!((table.games, table.planned, table.deals), (4, 4, 2));
    let [ada, bob] = &table.rows[..] else { panic!("two rows") };
    assert_eq!((&*ada.name, ada.games, ada.deals, ada.wins), ("ada", 4, 2, 3.0));
    assert_eq!((&*bob.name, bob.games, bob.deals, bob.wins), ("bob", 4, 2, 1.0));
    assert_eq!((ada.mean_score, bob.mean_score), (Some(0.75), Some(0.25)));
    // Deal scores 2 and 1 of two games each: residuals 1/2 and -1/2, variance 2 · 1/2 / 4² = 1/16.
    assert_eq!((ada.std_error, bob.std_error), (Some(0.25), Some(0.25)));
    // Three deals won or lost alone would have this variance; with Student's quantile for two they are worth 0.0714.
    let Some(Interval { low, high }) = ada.interval else { panic!("two deals") };
    close(Some(low), 0.010_273_460_177_9);
    close(Some(high), 0.998_847_984_257_6);
    assert_eq!((ada.mean_points, bob.mean_points), (Some(12.5), Some(17.5)));
    assert_eq!((ada.rounds, ada.rounds_won, ada.mean_rounds_won), (4, 3, Some(0.75)));
    assert_eq!(table.cross[0], [None, Some(Encounter { compared: 4, mean_score: 0.75 })]);
    assert_eq!(table.cross[1], [Some(Encounter { compared: 4, mean_score: 0.25 }), None]);
}

#[test]
fn three_seats_with_ties() {
    // Seats in the three games of the deal: a b c, c a b, b c a.
    let table = season(&plan(&["a", "b", "c"], 3, 1), &[&[1, 1, 3], &[1, 1, 1], &[2, 2, 1]]);
    let names: Vec<_> = table.rows.iter().map(|row| &*row.name).collect();
    assert_eq!(names, ["a", "b", "c"]);
    // First places: a 1/2 + 1/3 + 1, b 1/2 + 1/3, c 1/3.
    for (row, expected) in table.rows.iter().zip([11.0 / 6.0, 5.0 / 6.0, 2.0 / 6.0]) {
        close(Some(row.wins), expected);
    }
    // Scores: a 3/4 + 1/2 + 1, b 3/4 + 1/2 + 1/4, c 0 + 1/2 + 1/4.
    for (row, expected) in table.rows.iter().zip([2.25 / 3.0, 1.5 / 3.0, 0.75 / 3.0]) {
        close(row.mean_score, expected);
        assert_eq!((row.deals, row.std_error, row.interval), (1, None, None), "one deal has no interval");
    }
    // a and b tie twice and a is ahead once; b and c tie twice and b is ahead once; a against c: ahead, tie, ahead.
    let score = |row: usize, column: usize| table.cross[row][column].map(|cell| cell.mean_score);
    close(score(0, 1), 2.0 / 3.0);
    close(score(1, 2), 2.0 / 3.0);
    close(score(0, 2), 2.5 / 3.0);
    close(score(2, 0), 0.5 / 3.0);
}

#[test]
fn deals_that_the_seat_decides_say_nothing_against_equality() {
    // Seat 0 wins every game: each deal is halved, so there is no sign of chance between deals; three deals are still few.
    let table = season(&plan(&["a", "b"], 2, 3), &[&[1, 2][..]; 6]);
    let Some(Interval { low, high }) = table.rows[0].interval else { panic!("three deals") };
    close(Some(low), 0.036_171_294_616_2);
    close(Some(high), 0.963_828_705_383_8);
}

#[test]
fn equal_agents_are_listed_by_name_and_idle_ones_last() {
    let plan = plan(&["zoe", "ann", "idle", "bad"], 2, 1);
    // Group 0 is zoe against ann, group 1 zoe against idle, group 2 ann against idle, group 3 zoe against bad.
    let of_group_3 = plan.game_called("g003-d0000-r0").expect("a game").index;
    let table = standings(&plan, &[finished(0, &[1, 1]), finished(of_group_3, &[1, 2])]);
    let names: Vec<_> = table.rows.iter().map(|row| &*row.name).collect();
    assert_eq!(names, ["zoe", "ann", "bad", "idle"]);
    assert_eq!((table.rows[3].mean_score, table.rows[3].mean_points, table.rows[3].games), (None, None, 0));
    let table = standings(&plan, &[finished(0, &[1, 1])]);
    let names: Vec<_> = table.rows.iter().map(|row| &*row.name).collect();
    assert_eq!(names, ["ann", "zoe", "bad", "idle"]);
}

#[test]
fn faults_and_dismissals_follow_the_agent_and_not_the_seat() {
    let plan = plan(&["a", "b"], 2, 1);
    let mut first = finished(0, &[2, 1]);
    first.faults[0] = FaultCounts::from_iter([RuleFault::NoMau, RuleFault::NoMau]);
    let mut second = finished(1, &[1, 2]);
    second.faults[1] = FaultCounts::from_iter([CountedFault::from(RuleFault::NoMau), ConductFault::Gone.into()]);
    second.result.dismissed = vec![Seat::new(1).expect("a small seat")];
    let table = standings(&plan, &[first, second]);
    let a = table.rows.iter().find(|row| row.name == "a").expect("a row");
    assert_eq!(a.faults.list(" "), "1 gone 3 no_mau");
    assert_eq!(a.dismissals, 1);
    let b = table.rows.iter().find(|row| row.name == "b").expect("a row");
    assert!(b.faults.is_empty());
    assert_eq!(b.dismissals, 0);
}

#[test]
fn a_row_that_is_not_of_the_plan_changes_nothing() {
    let mut tally = Tally::new(plan(&["a", "b"], 2, 1));
    tally.add(&finished(1, &[1, 2])).expect("a good row");
    let before = tally.clone();
    let mut check = |row: Finished, expected: &str| {
        let error: RowError = tally.add(&row).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        assert_eq!(tally, before);
    };
    check(finished(2, &[1, 2]), "game 2: the plan has only 2 games");
    check(finished(1, &[1, 2]), "game 1: it has already been counted");
    check(finished(0, &[1, 2, 3]), "game 0: places has 3 items, but the table has 2 seats");
    let mut short = finished(0, &[1, 2]);
    short.faults.pop();
    check(short, "game 0: faults has 1 items, but the table has 2 seats");
    let mut stranger = finished(0, &[1, 2]);
    stranger.result.dismissed = vec![Seat::new(2).expect("a small seat")];
    check(stranger, "game 0: seat 2 was dismissed, but the table has 2 seats");
    check(
        finished(0, &[1, 3]),
        "game 0: places [1, 3]: seat 1 is behind 1 seats, so its place is 2; equal seats share the better place",
    );
}

#[test]
fn standings_are_json_with_absent_numbers_as_null() {
    let table = standings(&plan(&["a", "b"], 2, 1), &[finished(0, &[1, 2])]);
    let json = serde_json::to_value(&table).expect("plain data");
    assert_eq!(json["rows"][0]["mean_score"], 1.0);
    assert_eq!(json["rows"][0]["interval"], serde_json::Value::Null);
    assert_eq!(json["cross"][1][0]["mean_score"], 0.0);
}

/// A plan, some of its games with any places, and the same games in another order.
fn seasons() -> impl Strategy<Value = (Plan, Vec<Finished>, Vec<Finished>)> {
    let plans = (2_usize..=5, 1_u64..=5).prop_flat_map(|(agents, deals)| {
        (2..=agents).prop_map(move |seats| plan(&["e", "d", "c", "b", "a"][..agents], seats, deals))
    });
    plans.prop_flat_map(|plan| {
        let marks = prop::collection::vec(0_u8..4, plan.seats());
        let games = prop::collection::vec(prop::option::weighted(0.8, marks), plan.len() as usize);
        games.prop_flat_map(move |games| {
            let rows: Vec<_> =
                (0..).zip(games).filter_map(|(index, marks)| Some(finished(index, &places_of(&marks?)))).collect();
            (Just(plan.clone()), Just(rows.clone()), Just(rows).prop_shuffle())
        })
    })
}

/// Places by ascending marks, where equal marks tie.
fn places_of(marks: &[u8]) -> Vec<u8> {
    marks.iter().map(|mark| 1 + marks.iter().filter(|other| *other < mark).count() as u8).collect()
}

proptest! {
    #[test]
    fn standings_do_not_depend_on_the_order_of_completion((plan, rows, shuffled) in seasons()) {
        let text = |rows| serde_json::to_string(&standings(&plan, rows)).expect("plain data");
        prop_assert_eq!(text(&rows), text(&shuffled));
    }

    #[test]
    fn a_tally_goes_on_from_its_sums((plan, rows, _) in seasons()) {
        let mut tally = Tally::new(plan.clone());
        for finished in &rows {
            let is_first = finished.index == tally.standings().games;
            let at_deal = finished.index.is_multiple_of(plan.seats() as u64);
            prop_assert!(tally.sums().is_some() || !(is_first && at_deal), "all whole deals up to {}", finished.index);
            if let Some(sums) = tally.sums() {
                let text = serde_json::to_string(&sums).expect("plain data");
                let sums = serde_json::from_str(&text).expect("what was written");
                prop_assert_eq!(Tally::resume(plan.clone(), sums), Some(tally.clone()));
            }
            tally.add(finished).expect("a game of the plan");
        }
        let fewer = Plan::new(League { agents: vec!["x".to_owned(), "y".to_owned()], seats: 2, games_per_pairing: 2, ..League::default() });
        if let (Some(sums), true) = (tally.sums(), plan.agents().len() > 2) {
            prop_assert_eq!(Tally::resume(fewer.expect("a good league"), sums), None);
        }
    }

    #[test]
    fn what_one_agent_gains_another_loses((plan, rows, _) in seasons()) {
        let table = standings(&plan, &rows);
        let games = rows.len() as f64;
        let wins: f64 = table.rows.iter().map(|row| row.wins).sum();
        prop_assert!((wins - games).abs() < 1e-6);
        let score = |row: &maumau_tournament::Row| row.mean_score.unwrap_or(0.0) * row.games as f64;
        let scores: f64 = table.rows.iter().map(score).sum();
        prop_assert!((scores - games * plan.seats() as f64 / 2.0).abs() < 1e-6);
        for (row, cells) in table.cross.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let both = (*cell, table.cross[column][row]);
                match both {
                    (None, None) => {}
                    (Some(one), Some(other)) => {
                        prop_assert_eq!(one.compared, other.compared);
                        prop_assert!((one.mean_score + other.mean_score - 1.0).abs() < 1e-12);
                    }
                    _ => prop_assert!(false, "half an encounter: {:?}", both),
                }
            }
        }
    }

    #[test]
    fn rows_descend_and_every_mean_lies_in_its_interval((plan, rows, _) in seasons()) {
        let table = standings(&plan, &rows);
        prop_assert!(table.rows.is_sorted_by(|a, b| a.mean_score.unwrap_or(-1.0) >= b.mean_score.unwrap_or(-1.0)));
        for row in &table.rows {
            prop_assert_eq!(row.interval.is_some(), row.deals > 1);
            if let (Some(mean), Some(interval)) = (row.mean_score, row.interval) {
                prop_assert!(0.0 <= interval.low && interval.low <= mean && mean <= interval.high && interval.high <= 1.0);
            }
        }
    }

    #[test]
    fn the_tally_agrees_with_the_textbook_formula((plan, rows, _) in seasons()) {
        let table = standings(&plan, &rows);
        for row in &table.rows {
            let mut deals: BTreeMap<_, (f64, f64)> = BTreeMap::new();
            for finished in &rows {
                let game = plan.game(finished.index);
                let Some(at) = game.agents.iter().position(|agent| plan.name(*agent) == row.name) else { continue };
                let places = &finished.result.places;
                let beaten = places.iter().filter(|other| **other > places[at]).count() as f64;
                let tied = places.iter().filter(|other| **other == places[at]).count() as f64 - 1.0;
                let deal = deals.entry(game.deal).or_default();
                deal.0 += 1.0;
                deal.1 += (beaten + tied / 2.0) / (places.len() - 1) as f64;
            }
            let (games, score) = deals.values().fold((0.0, 0.0), |sum, deal| (sum.0 + deal.0, sum.1 + deal.1));
            let count = deals.len() as f64;
            prop_assert_eq!(row.deals, deals.len() as u64);
            if let Some(mean) = row.mean_score {
                prop_assert!((mean - score / games).abs() < 1e-12);
            }
            if let (Some(mean), Some(error)) = (row.mean_score, row.std_error) {
                let squares: f64 = deals.values().map(|deal| (deal.1 - mean * deal.0) * (deal.1 - mean * deal.0)).sum();
                let expected = (count / (count - 1.0) * squares).sqrt() / games;
                prop_assert!((error - expected).abs() < 1e-9, "{} {}", error, expected);
            }
        }
    }
}
