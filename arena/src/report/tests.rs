//! Recorded games for tests of the output. Only tests use it; no process is started.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::load_built_in;
use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_referee::local_game::FirstLegal;
use maumau_referee::record::{Entry, FaultEntry, Meta};
use maumau_referee::{GameLog, Logged};

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
