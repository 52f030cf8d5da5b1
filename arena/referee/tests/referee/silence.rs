//! A seat that answers nothing is dismissed eventually, and a table of such seats ends (SPEC 6.15). Times are
//! arguments; nothing waits.

use maumau_protocol::Verb;
use maumau_protocol::fault::ConductFault::Silent;
use maumau_protocol::limits::{MAX_MISSED_IN_A_ROW, MAX_VOIDS_PER_ASK};
use maumau_protocol::message::{ClockMode, What};
use maumau_referee::{Blame, Timer};

use crate::live::step;
use crate::table::{Setup, Table, ready, ready_for_ticks, seat, took};

/// What seat 1 does repeatedly.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// It misses the deadline of an ask that the game waits for.
    Misses(u32),
    /// The same, with the host to blame, until no more asks can be void and once more.
    Hindered(u32),
    /// The same, and it also ignores asks where it need not act.
    Deaf(u32),
    /// It only ignores asks where it need not act.
    Declines(u32),
    Answers(u32),
    /// It answers with a card that it does not hold, which still is an answer.
    AnswersWrongly(u32),
}
use Does::{Answers, AnswersWrongly, Deaf, Declines, Hindered, Misses};

impl Does {
    fn times(self) -> u32 {
        match self {
            Misses(times)
            | Hindered(times)
            | Deaf(times)
            | Declines(times)
            | Answers(times)
            | AnswersWrongly(times) => times,
        }
    }
}

fn do_once(table: &mut Table, does: Does) {
    let is_asked = |table: &Table| {
        let reacts = matches!(does, Declines(_));
        table.deadline_of(1).is_some() && (table.last_ask(1).what == What::React) == reacts
    };
    while !table.finished() && !is_asked(table) {
        if matches!(does, Deaf(_)) && table.deadline_of(1).is_some() {
            table.deadline(1);
        }
        if !is_asked(table) {
            table.answer_all();
        }
    }
    assert!(!table.finished(), "{does:?}: the match is too short");
    match does {
        Misses(_) | Deaf(_) | Declines(_) => table.deadline(1),
        Hindered(_) => (0..=MAX_VOIDS_PER_ASK).for_each(|_| table.missed(1, Blame::Host)),
        Answers(_) => {
            let action = table.first_choice(1);
            table.act(1, action);
        }
        AnswersWrongly(_) => {
            let card = table.card_not_held(1);
            table.act(1, Verb::Play { card, choose: None });
        }
    }
    // A tick is over when every asked seat has answered.
    if table.deadline_of(1).is_none() {
        table.answer_all();
    }
}

#[test]
fn deadlines_are_counted_in_a_row_and_only_those_that_the_game_waited_for() {
    let most = MAX_MISSED_IN_A_ROW;
    for (steps, is_silent) in [
        (vec![Misses(most)], true),
        (vec![Misses(most - 1)], false),
        (vec![Misses(most - 1), Answers(1), Misses(most - 1)], false),
        (vec![Misses(most - 1), Answers(1), Misses(most)], true),
        (vec![Misses(most - 1), AnswersWrongly(1), Misses(most - 1)], false),
        (vec![Deaf(most - 1)], false),
        (vec![Deaf(most)], true),
        (vec![Misses(most / 2), Hindered(1), Misses(most / 2 - 1)], false),
        (vec![Misses(most / 2), Hindered(1), Misses(most / 2)], true),
        (vec![Declines(30), Answers(1)], false),
    ] {
        let seats = vec![Ok(ready()), Ok(ready_for_ticks())];
        let mut table = Table::new(Setup { seats, rounds: 15, ..Setup::default() });
        for step in &steps {
            for _ in 0..step.times() {
                assert_eq!(table.dismissed, [None, None], "{steps:?}");
                do_once(&mut table, *step);
            }
        }
        assert_eq!(table.dismissed, [None, is_silent.then_some(Silent)], "{steps:?}");
        table.play_out();
        let result = table.finish().log.result;
        assert_eq!(result.dismissed, if is_silent { vec![seat(1)] } else { vec![] }, "{steps:?}");
    }
}

#[test]
fn where_nobody_answers_the_match_ends_as_it_stands() {
    for rules in ["basic", "skat", "deluxe", "snap", "spam"] {
        for (seats, clock) in [(3, ClockMode::Lockstep), (3, ClockMode::Live), (4, ClockMode::Lockstep)] {
            let said = format!("{rules}, {seats} seats, {clock:?}");
            let seats = vec![Ok(ready_for_ticks()); seats];
            let mut table = Table::new(Setup { rules, seats, clock, rounds: 500, ..Setup::default() });
            while !table.finished() {
                match clock {
                    ClockMode::Lockstep => table.asked().into_iter().for_each(|whose| table.deadline(whose)),
                    ClockMode::Live => {
                        let runs = Timer::ALL.into_iter().find(|timer| table.runs(*timer));
                        table.time(runs.unwrap_or_else(|| panic!("{said}: no time runs")));
                    }
                }
            }
            let (number, dismissed) = (table.seats(), table.dismissed.clone());
            assert_eq!(dismissed, vec![Some(Silent); number], "{said}");
            let finished = table.finish();
            assert_eq!(finished.log.result.dismissed.len(), number, "{said}");
            for whose in 0..number {
                assert_eq!(finished.faults(whose), [("silent", 1), ("slow", MAX_MISSED_IN_A_ROW)], "{said}: {whose}");
            }
        }
    }
}

fn live_table() -> Table {
    Table::new(Setup { clock: ClockMode::Live, rounds: 100, ..Setup::default() })
}

/// Plays on until the time of a turn of seat 1 runs.
fn reach_turn(table: &mut Table) {
    while table.mover() != 1 || !table.runs(Timer::Turn) {
        step(table);
    }
}

/// Seat 1 misses the deadline of its next turn.
fn miss_turn(table: &mut Table) {
    reach_turn(table);
    table.time(Timer::Turn);
}

#[test]
fn a_live_seat_is_silent_until_it_acts_in_its_turn() {
    let mut table = live_table();
    (1..MAX_MISSED_IN_A_ROW).for_each(|_| miss_turn(&mut table));
    assert!(!table.is_dismissed(1));
    miss_turn(&mut table);
    assert_eq!(table.dismissed, [None, Some(Silent)]);

    for (verb, is_silent) in [(Verb::Draw, false), (Verb::Wait, true)] {
        let mut table = live_table();
        (1..MAX_MISSED_IN_A_ROW).for_each(|_| miss_turn(&mut table));
        reach_turn(&mut table);
        table.act(1, verb.clone());
        miss_turn(&mut table);
        assert_eq!(table.is_dismissed(1), is_silent, "{verb:?}");
    }
}

#[test]
fn a_live_turn_missed_through_the_host_counts_for_no_silence() {
    let mut table = live_table();
    (1..MAX_MISSED_IN_A_ROW).for_each(|_| miss_turn(&mut table));
    reach_turn(&mut table);
    // The last of them is not void any more, but still not the fault of the seat.
    (0..=MAX_VOIDS_PER_ASK).for_each(|_| table.timer(Timer::Turn, took(1_000), Blame::Host));
    assert_ne!(table.mover(), 1);
    assert_eq!(table.dismissed, [None, None]);
    miss_turn(&mut table);
    assert_eq!(table.dismissed, [None, Some(Silent)]);
}
