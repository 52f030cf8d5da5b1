//! Does a 95 % interval hold the truth 95 times in 100? A simulation with a fixed seed, so it is never in doubt. No
//! game is played: results are drawn.
//!
//! Two agents of equal strength play deals that lean: with chance 1/2 a deal suits the first agent, from either seat,
//! so that the games of a deal resemble each other. An interval that took games for independent would be too narrow.

use maumau_protocol::fault::FaultCounts;
mod random;

use maumau_protocol::message::GameResult;
use maumau_tournament::{AgentId, Finished, League, Plan, Tally};
use random::Random;

/// Shares of leagues of `deals` deals whose interval holds 1/2: clustered by deal, and as if games were independent.
fn coverage(deals: u64, leagues: u64, random: &mut Random) -> (f64, f64) {
    let league =
        League { agents: vec!["a".into(), "b".into()], seats: 2, games_per_pairing: 2 * deals, ..League::default() };
    let plan = Plan::new(league).expect("a good league");
    let (mut clustered, mut naive) = (0_u32, 0_u32);
    for _ in 0..leagues {
        let mut tally = Tally::new(plan.clone());
        for deal in 0..deals {
            let percent = if random.unit() < 0.5 { 90 } else { 10 };
            for index in [2 * deal, 2 * deal + 1] {
                let first_agent_wins = random.unit() < f64::from(percent) / 100.0;
                let wins = |agent: &AgentId| (*agent == AgentId(0)) == first_agent_wins;
                let places: Vec<u8> =
                    plan.game(index).agents.iter().map(|agent| if wins(agent) { 1 } else { 2 }).collect();
                let result = GameResult {
                    places,
                    points: vec![0; 2],
                    wins: vec![0; 2],
                    rounds: 1,
                    unwon: 0,
                    dismissed: Vec::new(),
                };
                tally.add(&Finished { index, result, faults: vec![FaultCounts::default(); 2] }).expect("a good row");
            }
        }
        let table = tally.standings();
        let row = table.rows.iter().find(|row| row.name == "a").expect("a row");
        let (mean, interval) = row.mean_score.zip(row.interval).expect("many deals");
        clustered += u32::from((interval.low..=interval.high).contains(&0.5));
        let reach = 1.96 * (mean * (1.0 - mean) / row.games as f64).sqrt();
        naive += u32::from((mean - 0.5).abs() <= reach);
    }
    (f64::from(clustered) / leagues as f64, f64::from(naive) / leagues as f64)
}

#[test]
fn the_interval_holds_the_truth_about_95_times_in_100() {
    let mut random = Random(2_024);
    for deals in [12, 40, 150] {
        let (clustered, naive) = coverage(deals, 2_000, &mut random);
        assert!((0.935..=0.975).contains(&clustered), "{deals} deals: {clustered}");
        assert!(naive < 0.91, "{deals} deals: games taken for independent hold the truth in {naive}");
    }
}
