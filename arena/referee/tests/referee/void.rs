//! Deadlines missed through the host's fault: void, asked again, at no cost (SPEC 5.9). Who is to blame is an input
//! here; how the arena finds out is tested in `runner/missed_deadline`.

use maumau_protocol::limits::{MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};
use maumau_protocol::message::{AskId, TimeControl, What};
use maumau_protocol::{Stand, Verb};
use maumau_referee::record::{Entry, Frozen, Meta, Missed};
use maumau_referee::{Blame, Input, Timer};

use crate::table::{Finished, Setup, Table, ready, ready_for_ticks, seat, took};

/// What happens to the seat to move; asks are counted from 0.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// It answers the ask with this number by its first choice.
    Answer(usize),
    /// The deadline of the ask with this number passes.
    Deadline(usize, Blame),
}
use Blame::{Agent, Host};
use Step::{Answer, Deadline};

fn banked() -> Setup {
    let time = TimeControl { move_ms: 1_000, bank_ms: 500, increment_ms: 0, start_ms: 0, ..TimeControl::default() };
    Setup { time, ..Setup::default() }
}

/// The game of `setup` in which seat 1 goes through `steps` at its first ask, all within one tick, and then all seats play on.
fn scripted(setup: Setup, steps: &[Step]) -> (Finished, Vec<String>) {
    let mut table = Table::new(setup);
    assert_eq!(table.mover(), 1);
    let action = table.first_choice(1);
    for step in steps {
        let id = |table: &Table, number: usize| -> AskId { table.asks(1).nth(number).expect("an ask").id };
        match *step {
            Answer(number) => {
                let id = id(&table, number);
                table.answer(1, id, action.clone(), took(1_200));
            }
            Deadline(number, blame) => {
                let id = id(&table, number);
                if table.deadline_of(1) == Some(id) {
                    table.pass_deadline(1);
                }
                table.input(Input::Deadline { seat: seat(1), id, meta: took(1_500), blame });
            }
        }
    }
    let faults = table.faults(1).into_iter().map(|fault| fault.fault).collect();
    table.play_out();
    (table.finish(), faults)
}

#[test]
fn every_race_of_a_void_ask_has_one_verdict() {
    let (fair, _) = scripted(banked(), &[Answer(0)]);
    let (slow, _) = scripted(banked(), &[Deadline(0, Agent)]);
    assert_ne!(fair.digest, slow.digest);
    for (steps, slow_at_last, void, late, faults) in [
        // The answer and the deadline in one tick.
        (vec![Answer(0), Deadline(0, Host)], false, 0, 0, vec![]),
        (vec![Answer(0), Deadline(0, Agent)], false, 0, 0, vec![]),
        (vec![Deadline(0, Agent), Answer(0)], true, 0, 1, vec![]),
        (vec![Deadline(0, Host), Answer(1)], false, 1, 0, vec![]),
        // The old id is as good, and the other one costs nothing, once.
        (vec![Deadline(0, Host), Answer(0)], false, 1, 0, vec![]),
        (vec![Deadline(0, Host), Answer(0), Answer(1)], false, 1, 0, vec![]),
        (vec![Deadline(0, Host), Answer(1), Answer(0)], false, 1, 0, vec![]),
        (vec![Deadline(0, Host), Answer(1), Answer(0), Answer(0)], false, 1, 0, vec!["stale_id"]),
        (vec![Deadline(0, Host), Answer(0), Answer(0)], false, 1, 0, vec!["stale_id"]),
        (vec![Deadline(0, Host), Deadline(1, Host), Answer(1), Answer(2), Answer(0)], false, 2, 0, vec![]),
        // The deadline of an old ask has no effect; that of the new one counts.
        (vec![Deadline(0, Host), Deadline(0, Host), Deadline(0, Agent), Answer(1)], false, 1, 0, vec![]),
        (vec![Deadline(0, Host), Deadline(1, Agent)], true, 1, 0, vec![]),
        (vec![Deadline(0, Host), Deadline(1, Agent), Answer(1), Answer(0)], true, 1, 1, vec![]),
        (vec![Deadline(0, Host), Deadline(1, Agent), Answer(0), Answer(1), Answer(1)], true, 1, 1, vec!["stale_id"]),
        // There is a limit.
        (vec![Deadline(0, Host), Deadline(1, Host), Deadline(2, Host), Answer(3)], false, 3, 0, vec![]),
        (vec![Deadline(0, Host), Deadline(1, Host), Deadline(2, Host), Deadline(3, Host)], true, 3, 0, vec![]),
    ] {
        let (finished, sent) = scripted(banked(), &steps);
        let tally = &finished.tallies[1];
        assert_eq!((tally.void, tally.late), (void, late), "{steps:?}");
        assert_eq!(sent, faults, "{steps:?}");
        // The first answer that counts changes the game as if nothing had come before it.
        let expected = if slow_at_last { &slow } else { &fair };
        let moves = |finished: &Finished| -> Vec<Entry> {
            finished.entries().into_iter().filter(|entry| !matches!(entry, Entry::Fault(_))).collect()
        };
        assert_eq!(moves(&finished), moves(expected), "{steps:?}");
    }
}

#[test]
fn the_ask_that_replaces_a_void_one_is_the_same_with_its_whole_time() {
    for seats in [vec![Ok(ready()); 2], vec![Ok(ready_for_ticks()); 2]] {
        let mut table = Table::new(Setup { seats, ..banked() });
        for whose in table.asked() {
            let old = table.last_ask(whose);
            let position = table.referee().game().view(seat(whose));
            table.missed(whose, Host);
            let new = table.last_ask(whose);
            assert_ne!(old.id, new.id);
            assert_eq!((old.what, old.time_ms, old.as_of), (new.what, new.time_ms, new.as_of));
            assert_eq!((old.view, old.legal, new.events), (new.view, new.legal, vec![]));
            assert_eq!(table.referee().game().view(seat(whose)), position);
        }
    }
}

#[test]
fn void_asks_cost_no_time() {
    let mut table = Table::new(banked());
    table.missed(1, Host);
    let (id, action) = (table.last_ask(1).id, table.first_choice(1));
    table.answer(1, id, action, took(1_100));
    table.play_until(|table| table.asked() == [1]);
    assert_eq!(table.last_ask(1).time_ms, 1_400, "only what the second ask took comes from the bank");
    table.play_out();
    let finished = table.finish();
    assert_eq!((finished.tallies[1].took_us, finished.faults(1)), (1_100_000, vec![]));
}

#[test]
fn a_seat_has_so_many_void_asks_in_a_game_and_no_more() {
    let mut table = Table::new(Setup { rounds: 200, ..Setup::default() });
    for number in 0..MAX_VOIDS_PER_GAME {
        table.play_until(|table| table.asked() == [1]);
        let before = table.last_ask(1).id;
        table.missed(1, Host);
        assert_ne!(table.last_ask(1).id, before, "void number {number}");
        let in_a_row = number % MAX_VOIDS_PER_ASK;
        if in_a_row == MAX_VOIDS_PER_ASK - 1 {
            table.answer_all();
        }
    }
    assert_eq!(table.asked(), [1], "the newest one is still open");
    table.missed(1, Host);
    table.play_out();
    let finished = table.finish();
    assert_eq!(finished.tallies[1].void, u64::from(MAX_VOIDS_PER_GAME));
    assert_eq!(finished.faults(1), [("slow", 1)]);
}

#[test]
fn the_record_has_every_missed_deadline_and_the_digest_none() {
    let play = |void: bool| {
        let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()), Ok(ready())], ..Setup::default() });
        if void {
            table.missed(1, Host);
        }
        // Seat 0 need not act: its silence has no entry of its own.
        assert_eq!(table.last_ask(0).what, What::React);
        table.deadline(0);
        table.play_out();
        table.finish()
    };
    let (void, plain) = (play(true), play(false));
    assert_eq!(void.digest, plain.digest);
    let missed = |finished: &Finished| -> Vec<Missed> {
        finished.log.inputs.iter().flat_map(|input| input.meta.missed.clone()).collect()
    };
    let silent = Missed {
        seat: seat(0),
        took_us: Some(1_000_000),
        cpu_us: None,
        waited_us: None,
        stalled_us: None,
        frozen: None,
        void: false,
    };
    assert_eq!(missed(&plain), [silent]);
    assert_eq!(missed(&void), [Missed { seat: seat(1), void: true, ..silent }, silent]);
}

#[test]
fn times_of_processors_stand_with_the_deadline_that_they_explain() {
    let mut table = Table::new(Setup::default());
    let (id, _) = table.pass_deadline(1);
    let frozen = Some(Frozen { from_us: -90, to_us: Some(-8) });
    let meta = Meta { cpu_us: Some(7), waited_us: Some(3), stalled_us: Some(5), frozen, ..took(1_000) };
    table.input(Input::Deadline { seat: seat(1), id, meta: meta.clone(), blame: Agent });
    table.play_out();
    let finished = table.finish();
    assert!(matches!(&finished.log.inputs[0].entry, Entry::Stand(stand) if stand.why == Stand::Slow));
    assert_eq!(finished.log.inputs[0].meta, meta);
}

#[test]
fn the_turn_of_a_live_game_begins_anew_when_it_was_void() {
    let mut table = Table::new(Setup { clock: maumau_protocol::message::ClockMode::Live, ..Setup::default() });
    let mover = table.mover();
    let void = |table: &mut Table| table.timer(Timer::Turn, took(1_000), Host);
    for _ in 0..MAX_VOIDS_PER_ASK {
        void(&mut table);
        assert_eq!(table.mover(), mover);
        assert!(table.runs(Timer::Turn));
    }
    void(&mut table);
    assert_ne!(table.mover(), mover, "not for ever");
    let id = table.last_ask(table.mover()).id;
    table.answer(table.mover(), id, Verb::Draw, Meta::default());
    while !table.finished() {
        table.timer(Timer::Turn, Meta::default(), Agent);
    }
    let finished = table.finish();
    assert_eq!(finished.tallies[mover].void, u64::from(MAX_VOIDS_PER_ASK));
    assert_eq!(finished.log.inputs[0].meta.missed.len(), MAX_VOIDS_PER_ASK as usize);
}

#[test]
fn void_turns_are_counted_for_each_turn() {
    let mut table = Table::new(Setup { clock: maumau_protocol::message::ClockMode::Live, ..Setup::default() });
    for _ in 0..2 {
        let mover = table.mover();
        (0..MAX_VOIDS_PER_ASK).for_each(|_| table.timer(Timer::Turn, took(1_000), Host));
        assert_eq!(table.mover(), mover);
        table.act(mover, Verb::Draw);
        assert_ne!(table.mover(), mover);
    }
}

/// The answer and the deadline crossed, while other seats are still waited for.
#[test]
fn a_deadline_that_passes_after_the_answer_changes_nothing() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()); 2], ..Setup::default() });
    assert_eq!((table.asked(), table.mover()), (vec![0, 1], 1));
    let id = table.last_ask(1).id;
    table.act(1, Verb::Draw);
    table.input(Input::Deadline { seat: seat(1), id, meta: took(1_000), blame: Agent });
    assert_eq!(table.asked(), [0], "the other seat is still waited for");
    table.play_out();
    let finished = table.finish();
    assert_eq!((finished.faults(1), finished.tallies[1].void), (vec![], 0));
    assert!(finished.log.inputs.iter().all(|logged| logged.meta.missed.is_empty()));
}

#[test]
fn the_time_of_a_missed_deadline_is_counted_with_that_of_answers() {
    let mut table = Table::new(Setup::default());
    table.deadline(1);
    table.play_out();
    let asks = table.asks(1).count() as u64;
    let finished = table.finish();
    assert_eq!((finished.tallies[1].took_us, finished.tallies[1].answers), (1_000_000, asks - 1));
}
