//! Failures of agents' own code: counted and reported, without cost and without a trace in the digest (SPEC 6.16). No
//! agent's code runs here: failures are members of `act`.

use maumau_protocol::Verb;
use maumau_protocol::fault::ConductFault::{Gone, NotJson};
use maumau_protocol::limits::MAX_CRASHES_KEPT;
use maumau_protocol::message::ClockMode;
use maumau_referee::record::Crash;
use maumau_referee::{Recorded, ReplayedAsk, replay_seat};

use crate::table::{Finished, Setup, Table, ready, ready_for_ticks, seat};

/// A game in which the code of seat 1 fails at these of its asks, counted from 1.
fn game(setup: Setup, fails_at: impl Fn(usize) -> bool) -> Finished {
    let mut table = Table::new(setup);
    while !table.finished() {
        for whose in table.asked() {
            let (action, number) = (table.first_choice(whose), table.asks(whose).count());
            match whose == 1 && fails_at(number) {
                true => table.crash(whose, action, &format!("failure {number}")),
                false => table.act(whose, action),
            }
        }
    }
    table.finish()
}

fn crashes(game: &Finished) -> Vec<Crash> {
    game.log.inputs.iter().flat_map(|input| input.meta.crashes.clone()).collect()
}

fn asks(game: &Finished, whose: usize) -> Vec<ReplayedAsk> {
    replay_seat(&game.log, seat(whose), &ready()).expect("a log that plays").asks
}

#[test]
fn failures_are_counted_and_recorded_and_change_nothing_else() {
    let quiet = game(Setup::default(), |_| false);
    let loud = game(Setup::default(), |number| number == 2 || number == 3);
    assert_eq!(loud.faults(1), [("crash", 2)]);
    assert_eq!(loud.faults(0), []);
    let recorded: Vec<String> = crashes(&loud).iter().map(|crash| format!("{}: {}", crash.seat, crash.crash)).collect();
    assert_eq!(recorded, ["1: failure 2", "1: failure 3"]);
    assert_eq!(loud.digest, quiet.digest);
    assert_eq!(loud.log.result, quiet.log.result);
}

#[test]
fn the_texts_of_the_first_failures_are_kept_and_all_are_counted() {
    let game = game(Setup { rounds: 5, ..Setup::default() }, |_| true);
    let [("crash", count)] = game.faults(1)[..] else { panic!("{:?}", game.faults(1)) };
    assert!(count > MAX_CRASHES_KEPT, "{count}");
    let crashes = crashes(&game);
    assert_eq!(crashes.len(), count as usize, "the places of all");
    let counted: Vec<_> = game.log.faults().expect("a log that plays")[1].iter().collect();
    assert_eq!(counted, game.tallies[1].faults.iter().collect::<Vec<_>>());
    assert_eq!(crashes.iter().filter(|crash| !crash.crash.is_empty()).count(), MAX_CRASHES_KEPT as usize);
    let asks = asks(&game, 1);
    assert!(asks.iter().all(|ask| ask.crash.is_some()), "every ask of it is known to have failed");
}

#[test]
fn a_failure_at_an_ask_that_was_answered_with_wait_is_recorded_and_asked_again() {
    let setup = || Setup { seats: vec![Ok(ready()), Ok(ready_for_ticks())], seed: 3, ..Setup::default() };
    let game = game(setup(), |number| number == 2);
    assert_eq!(game.faults(1), [("crash", 1)]);
    let asks = asks(&game, 1);
    let failed: Vec<&ReplayedAsk> = asks.iter().filter(|ask| ask.crash.is_some()).collect();
    let [failed] = failed[..] else { panic!("{failed:?}") };
    assert_eq!((&failed.answer, failed.crash.as_deref()), (&Recorded::Unknown, Some("failure 2")));
    assert_eq!(failed.as_of, crashes(&game)[0].as_of);
}

#[test]
fn an_answer_to_no_ask_reports_no_failure() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready()), Ok(ready())], ..Setup::default() });
    let whose = table.mover();
    let action = table.first_choice(whose);
    table.crash(whose, action, "once");
    let other = table.mover();
    table.crash(whose, Verb::Draw, "the same ask once more");
    table.act(other, table.first_choice(other));
    table.play_out();
    let game = table.finish();
    assert_eq!(game.faults(whose), [("crash", 1), ("stale_id", 1)]);
}

#[test]
fn failures_count_on_the_live_clock_too() {
    let mut table = Table::new(Setup { clock: ClockMode::Live, ..Setup::default() });
    let whose = table.mover();
    table.crash(whose, table.first_choice(whose), "a failure");
    while !table.finished() {
        let mover = table.mover();
        table.act(mover, table.first_choice(mover));
    }
    let game = table.finish();
    assert_eq!(game.faults(whose), [("crash", 1)]);
    assert_eq!(asks(&game, whose).iter().filter(|ask| ask.crash.is_some()).count(), 1);
}

#[test]
fn the_ask_at_which_an_agent_was_lost_is_made_again() {
    let mut table = Table::new(Setup { seed: 3, ..Setup::default() });
    table.play_until(|table| table.asks(1).count() == 3 && table.asked() == [1]);
    table.wrong(1, NotJson);
    table.wrong(1, Gone);
    let asked: Vec<_> = table.asks(1).map(|ask| ask.as_of).collect();
    table.play_out();
    let game = table.finish();
    let asks = asks(&game, 1);
    assert_eq!(asks.iter().map(|ask| ask.as_of).collect::<Vec<_>>(), asked);
    assert_eq!(asks[2].answer, Recorded::Dismissed(Gone));
    assert_eq!(asks[2].faults.iter().map(|fault| fault.fault).collect::<Vec<_>>(), [NotJson, Gone]);
    assert_eq!(replay_seat(&game.log, seat(1), &ready()).expect("a log that plays").over, None);
}

/// The events before its ask are no longer known, so it has no place in the record.
#[test]
fn a_failure_at_an_ask_that_was_answered_too_late_is_only_counted() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()), Ok(ready())], ..Setup::default() });
    table.deadline(1);
    assert_eq!(table.asked(), [0]);
    table.crash(1, Verb::Draw, "failure");
    table.play_out();
    let finished = table.finish();
    assert_eq!((crashes(&finished), finished.tallies[1].late), (vec![], 1));
    assert_eq!(finished.faults(1), [("crash", 1), ("slow", 1)]);
}
