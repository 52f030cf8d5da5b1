//! A run and games for tests of several crates, which include this file (`#[path]`). No process is started.

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{ChoiceStream, Rules, seed_of_number};
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{GameResult, TimeControl};
use maumau_referee::local_game::FirstLegal;
use maumau_referee::record::{Digest, Entry, FaultEntry, Meta};
use maumau_referee::{GameLog, Logged};
use maumau_run::run_store::{AgentSettings, LeagueSettings, RunSettings, SeatTimes, StoredGame};
use maumau_tournament::{AgentId, Allocation, DealId, Format, PlannedGame, StopRules};

/// A game of `basic` between two agents that take the first legal action; seat 1 sent a line that is not JSON before its first
/// move, and its answers took 1.5 ms.
pub(crate) fn game_with_a_fault() -> GameLog {
    let set = load_built_in("basic", &[]).expect("a built-in set").set;
    let rules = Rules::for_table(&Arc::new(set), 2, Some(1)).expect("a table");
    let (mut log, _) = FirstLegal::new(Arc::new(rules), Vec::new()).play(1).expect("a game");
    let seat = Seat::new(1).expect("a seat");
    let of_seat = |logged: &Logged| matches!(&logged.entry, Entry::Act(act) if act.seat == seat);
    log.inputs.iter_mut().filter(|logged| of_seat(logged)).for_each(|logged| logged.meta.took_us = Some(1_500));
    let first = log.inputs.iter().position(of_seat).expect("it moves");
    let message = "what is\nthis?".to_owned();
    let entry = Entry::Fault(FaultEntry { seat, fault: ConductFault::NotJson, message, strikes: 1 });
    log.inputs.insert(first, Logged { entry, meta: Meta::default() });
    log
}

/// The settings of a run of sixty games between two agents.
pub(crate) fn settings() -> RunSettings {
    let agent = |name: &str| AgentSettings {
        name: name.to_owned(),
        command: "bot".to_owned(),
        directory: None,
        author: None,
        permits: Default::default(),
        life: Default::default(),
    };
    let league = LeagueSettings {
        name: "trial".to_owned(),
        seats: 2,
        rounds: vec![1],
        one_author_per_table: false,
        games_per_pairing: 60,
        format: Format::RoundRobin,
        allocation: Allocation::default(),
        stop: StopRules::default(),
        anchor: None,
        time: TimeControl::default(),
        sandbox: maumau_run::agent::SandboxSettings::USUAL,
        public_seed: false,
        hidden_names: false,
        shard: None,
        clock: Default::default(),
        agents: vec![agent("a"), agent("b")],
    };
    let rules = load_built_in("basic", &[]).expect("a built-in set").set;
    RunSettings { league, rules: vec![rules], seed: seed_of_number(1), engine: "1".to_owned() }
}

/// Games that differ as far as it matters here: some are larger than a page of the file.
pub(crate) fn games(count: u64) -> Vec<StoredGame> {
    let mut dice = ChoiceStream::new(&[count]);
    let mut game = |number: u64| StoredGame {
        planned: PlannedGame {
            index: number,
            deal: DealId { group: 0, deal: (number / 2) as u32 },
            rotation: (number % 2) as u8,
            agents: if number.is_multiple_of(2) { vec![AgentId(0), AgentId(1)] } else { vec![AgentId(1), AgentId(0)] },
        },
        result: GameResult {
            places: vec![1, 2],
            points: vec![0, 9],
            wins: vec![1, 0],
            rounds: 1,
            unwon: 0,
            dismissed: vec![],
        },
        faults: vec![Default::default(); 2],
        times: vec![SeatTimes::default(); 2],
        digest: Digest([number as u8; 32]),
        log: (0..200 + dice.number_below(6_000)).map(|_| dice.number_below(256) as u8).collect(),
    };
    (0..count).map(&mut game).collect()
}
