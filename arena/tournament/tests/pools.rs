//! Agents that join and leave between the rounds of a sample or a ladder: who plays, and that rounds can be derived again.

mod random;

use std::collections::BTreeSet;

use maumau_tournament::{AgentId, Format, League, NextRound, Round, RoundMismatch, Scheduler, StopRules};
use random::Random;

fn league(format: &Format, stop: StopRules) -> League {
    let agents = (0..7).map(|number| format!("agent {number}")).collect();
    League { agents, seats: 3, games_per_pairing: 3, format: format.clone(), stop, ..League::default() }
}

fn ids(agents: impl IntoIterator<Item = u16>) -> Vec<AgentId> {
    agents.into_iter().map(AgentId).collect()
}

/// A run of rounds, and the results of the games by number; those that were dropped have none.
struct Run {
    scheduler: Scheduler,
    rounds: Vec<Round>,
    results: Vec<Option<Vec<u8>>>,
    random: Random,
}

impl Run {
    /// Adds rounds, each after all results.
    fn add(&mut self, rounds: usize) {
        for _ in 0..rounds {
            self.play(u64::MAX);
            let NextRound::Round(round) = self.scheduler.advance() else { panic!("a round follows") };
            self.rounds.push(round);
        }
    }

    /// Plays games up to the number `end`.
    fn play(&mut self, end: u64) {
        while self.scheduler.taken() < self.scheduler.plan().len().min(end) {
            let number = self.scheduler.taken();
            let game = self.scheduler.plan().game(number);
            let values: Vec<f64> =
                game.agents.iter().map(|agent| 0.02 * f64::from(agent.0) + self.random.unit()).collect();
            let place = |own: &f64| 1 + values.iter().filter(|other| *other > own).count() as u8;
            let places: Vec<u8> = values.iter().map(place).collect();
            self.results.resize(number as usize, None);
            self.results.push(Some(places.clone()));
            self.scheduler.take(&places);
        }
    }

    fn change(&mut self, before: usize, playing: Vec<AgentId>, dropped: Vec<u64>) {
        let pool = Round::Pool { before, playing, dropped };
        self.scheduler.adopt(&pool).expect("a pool of these agents");
        self.rounds.push(pool);
    }

    /// Who plays in the games from number `first` on.
    fn agents_from(&self, first: u64) -> BTreeSet<AgentId> {
        let plan = self.scheduler.plan();
        (first..plan.len()).flat_map(|number| plan.game(number).agents).collect()
    }
}

#[test]
fn agents_join_and_leave_between_rounds_and_every_round_is_derived_again() {
    let formats = [
        (Format::Ladder, StopRules::default()),
        (Format::Sample, StopRules { ranking: true, ..StopRules::default() }),
        (Format::Sample, StopRules { games: Some(10_000), ..StopRules::default() }),
    ];
    for (format, stop) in formats {
        let mut scheduler = Scheduler::new(league(&format, stop.clone()), 1).expect("a good league");
        scheduler.begin_with(5);
        let mut run = Run { scheduler, rounds: Vec::new(), results: Vec::new(), random: Random(1) };
        run.add(4);
        run.play(u64::MAX);
        assert_eq!(run.agents_from(0), ids(0..5).into_iter().collect());

        let joined = run.scheduler.plan().len();
        run.change(5, ids(0..7), Vec::new());
        run.add(6);
        assert_eq!(run.agents_from(joined).len(), 7, "{format:?}: those that joined play");

        // Agent 3 leaves in the middle of a round: its games that have not begun are dropped.
        let (half, end) = (run.scheduler.taken() + 7, run.scheduler.plan().len());
        run.play(half);
        let plan = run.scheduler.plan();
        let has_left = |number: &u64| plan.game(*number).agents.contains(&AgentId(3));
        let dropped: Vec<u64> = (run.scheduler.taken()..end).filter(has_left).collect();
        assert!(!dropped.is_empty());
        run.change(7, ids([0, 1, 2, 4, 5, 6]), dropped.clone());
        run.add(3);
        run.play(u64::MAX);
        assert!(!run.agents_from(end).contains(&AgentId(3)), "{format:?}: it has left");
        assert!(dropped.iter().all(|number| run.results[*number as usize].is_none()));
        assert!(run.scheduler.plan().is_dropped(dropped[0]));

        let followed = |adopt: fn(&mut Scheduler, &Round) -> Result<(), RoundMismatch>| {
            let mut again = Scheduler::new(league(&format, stop.clone()), 1).expect("a good league");
            again.begin_with(5);
            for (number, round) in run.rounds.iter().enumerate() {
                assert_eq!(adopt(&mut again, round), Ok(()), "{format:?}, round {number}");
                // Results stop where the pool was changed, and dropped games have none.
                while again.taken() < again.plan().len()
                    && let Some(Some(places)) = run.results.get(again.taken() as usize)
                {
                    again.take(places);
                }
            }
            again
        };
        let next = run.scheduler.clone().advance();
        for mut again in [followed(Scheduler::adopt), followed(Scheduler::adopt_earlier)] {
            assert_eq!((again.plan(), again.taken()), (run.scheduler.plan(), run.scheduler.taken()), "{format:?}");
            assert_eq!(again.advance(), next, "{format:?}");
            assert_eq!(again.playing(), ids([0, 1, 2, 4, 5, 6]));
        }
    }
}

#[test]
fn a_pool_of_other_agents_or_of_a_closed_format_is_refused() {
    let pool = |playing: Vec<AgentId>| Round::Pool { before: 7, playing, dropped: Vec::new() };
    let scheduler = |format: &Format| Scheduler::new(league(format, StopRules::default()), 1).expect("a good league");
    assert!(scheduler(&Format::Ladder).adopt(&pool(ids(0..7))).is_ok());
    assert!(scheduler(&Format::Ladder).adopt(&pool(ids([0, 1, 9]))).is_err(), "an agent that the league has not");
    assert!(scheduler(&Format::Ladder).adopt(&pool(ids([0, 1]))).is_err(), "they fill no table");
    assert!(scheduler(&Format::RoundRobin).adopt(&pool(ids(0..7))).is_err());
    assert!(scheduler(&Format::Swiss { rounds: 2 }).adopt(&pool(ids(0..7))).is_err());
}

#[test]
fn a_scheduler_that_grows_goes_on_as_one_that_knew_all_agents_from_the_beginning() {
    let small = |agents: usize| {
        let mut league = league(&Format::Ladder, StopRules::default());
        league.agents.truncate(agents);
        league
    };
    // Where agents are equal the lot decides, also between those that come and those that were there.
    for lot in 0..30 {
        let run = |agents: usize| {
            let mut scheduler = Scheduler::new(small(agents), lot).expect("a good league");
            scheduler.begin_with(5);
            Run { scheduler, rounds: Vec::new(), results: Vec::new(), random: Random(1) }
        };
        let (mut growing, mut large) = (run(5), run(7));
        for run in [&mut growing, &mut large] {
            run.add(5);
            run.play(u64::MAX);
        }
        growing.scheduler.grow(small(7)).expect("a good league");
        for run in [&mut growing, &mut large] {
            run.change(5, ids(0..7), Vec::new());
            run.add(5);
        }
        assert_eq!(growing.rounds, large.rounds, "lot {lot}");
        assert_eq!(growing.scheduler.plan(), large.scheduler.plan(), "lot {lot}");
        assert!(growing.scheduler.grow(League { seats: 9, ..small(7) }).is_err());
    }
}
