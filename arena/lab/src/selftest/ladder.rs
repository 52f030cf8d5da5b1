//! Simulated ladders with two equal agents and one that joins half-way: how evenly games are spread, and how long the latecomer
//! waits and holds up the others. Results are drawn with known strengths; no game is played.

use std::time::{Duration, Instant};

use maumau_engine::ChoiceStream;
use maumau_run::io::progress::ProgressLine;
use maumau_tournament::{AgentId, Allocation, Format, League, NextRound, Round, Scheduler, StopRules, Tally};

use super::looks::play_on;

/// A ladder of agents of these strengths in logits; the last one joins half-way.
pub(crate) struct Ladder {
    /// What it is called.
    pub(crate) name: &'static str,
    seats: usize,
    strengths: &'static [f64],
    /// True if no pair counts as equal, and the run would end only with all ranks.
    is_endless: bool,
}

/// The ladders that are tried.
pub(crate) const LADDERS: [Ladder; 4] = [
    Ladder { name: "6 agents, 2 seats", seats: 2, strengths: &[0.0, 0.0, -1.0, 0.6, 1.2, 0.3], is_endless: false },
    Ladder {
        name: "the same, ranking, equal = 0",
        seats: 2,
        strengths: &[0.0, 0.0, -1.0, 0.6, 1.2, 0.3],
        is_endless: true,
    },
    Ladder { name: "6 agents, 4 seats", seats: 4, strengths: &[0.0, 0.0, -1.0, 0.6, 1.2, 0.3], is_endless: false },
    Ladder {
        name: "20 agents, 2 seats",
        seats: 2,
        strengths: &[
            0.0, 0.0, -0.2, -0.4, -0.6, -0.8, -1.0, -1.2, -1.4, -1.6, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 0.3,
        ],
        is_endless: false,
    },
];

/// What came of a ladder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climbed {
    /// Games in all.
    pub(crate) games: u64,
    /// The least games of an agent over the mean.
    pub(crate) least: f64,
    /// The share of all seats that the two equal agents had.
    pub(crate) equal_share: f64,
    /// Games between the latecomer's joining and its first.
    pub(crate) wait: u64,
    /// How long no game could begin because of the latecomer: from the last result of a round to the next round, with its joining,
    /// in the plans of the scheduler and of the tables.
    pub(crate) pause: Duration,
    /// Wrong orders among the pairs that were called different in the end.
    pub(crate) wrong: usize,
}

/// Plays a ladder of so many games.
pub(crate) fn climb(ladder: &Ladder, allocation: Allocation, games: u64, seed: u64) -> Climbed {
    let agents = ladder.strengths.len();
    let league = |agents: usize| League {
        agents: (0..agents).map(|number| format!("agent {number}")).collect(),
        seats: ladder.seats,
        games_per_pairing: ladder.seats as u64,
        format: Format::Ladder,
        allocation: if ladder.is_endless { Allocation { equal: 0.0, ..allocation } } else { allocation },
        stop: StopRules { ranking: ladder.is_endless, games: Some(games), ..StopRules::default() },
        ..League::default()
    };
    let good = |problems| -> ! { unreachable!("a good league: {problems}") };
    let mut scheduler = Scheduler::new(league(agents - 1), seed).unwrap_or_else(|problems| good(problems));
    let mut tally = Tally::new(scheduler.plan().clone());
    let mut dice = ChoiceStream::new(&[seed, games]);
    let (mut joined, mut pause) = (None, Duration::ZERO);
    let progress = ProgressLine::new(ladder.name, games);
    loop {
        play_on(&mut scheduler, ladder.strengths, &mut dice);
        progress.is_at(scheduler.taken(), 0);
        let began = Instant::now();
        let joins = joined.is_none() && 2 * scheduler.taken() >= games;
        if joins {
            let before = scheduler.known();
            scheduler.grow(league(agents)).unwrap_or_else(|problems| good(problems));
            tally.grow(league(agents)).unwrap_or_else(|problems| good(problems));
            let pool = Round::Pool { before, playing: scheduler.plan().agents().collect(), dropped: Vec::new() };
            scheduler.adopt(&pool).unwrap_or_else(|mismatch| unreachable!("a pool of its agents: {mismatch}"));
            tally.extend(&pool);
            joined = Some(scheduler.taken());
        }
        match scheduler.advance() {
            NextRound::Round(round) => tally.extend(&round),
            NextRound::Waiting => {}
            NextRound::Over(_) => break,
        }
        if joins {
            pause = began.elapsed();
        }
    }
    progress.end();
    let plan = scheduler.plan();
    let mut seats = vec![0_u64; agents];
    let (mut wait, joined, latecomer) = (None, joined.unwrap_or(0), AgentId(agents as u16 - 1));
    for number in 0..plan.len() {
        let game = plan.game(number);
        game.agents.iter().for_each(|agent| seats[agent.index()] += 1);
        if wait.is_none() && game.agents.contains(&latecomer) {
            wait = Some(number - joined);
        }
    }
    let all: u64 = seats.iter().sum();
    let mean = all as f64 / agents as f64;
    let order = scheduler.best(agents);
    let is_wrong = |pair: &(AgentId, AgentId)| {
        let place = |agent: AgentId| order.iter().position(|other| *other == agent);
        (place(pair.0) < place(pair.1)) != (ladder.strengths[pair.0.index()] > ladder.strengths[pair.1.index()])
    };
    Climbed {
        games: plan.len(),
        least: seats.iter().copied().min().unwrap_or(0) as f64 / mean,
        equal_share: (seats[0] + seats[1]) as f64 / all as f64,
        wait: wait.unwrap_or(u64::MAX),
        pause,
        wrong: scheduler.decided().iter().filter(|pair| is_wrong(pair)).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_agents_leave_the_others_and_a_latecomer_their_games() {
        for ladder in &LADDERS {
            let climbed = climb(ladder, Allocation::default(), 20_000, 1);
            assert!(climbed.least >= 0.2 && climbed.wait < 80 && climbed.wrong == 0, "{}: {climbed:?}", ladder.name);
        }
        // Without a floor the equal agents have nearly all.
        let starved = Allocation { floor: 0.0, equal: 0.0, ..Allocation::default() };
        let climbed = climb(&LADDERS[0], starved, 20_000, 1);
        assert!(climbed.least < 0.1 && climbed.equal_share > 0.6, "{climbed:?}");
    }
}
