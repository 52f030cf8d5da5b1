//! Seats without an agent, and what happens to the others. Processes are not started: a seat is lost by an input.

use maumau_protocol::fault::ConductFault::{Gone, NotStarted};
use maumau_protocol::limits::MAX_MISSED_IN_A_ROW;
use maumau_protocol::message::What;
use maumau_protocol::{Event, RuleFault, Stand, Verb};
use maumau_referee::record::Entry;

use crate::table::{Finished, Setup, Table, ready, seat};

/// Plays a game in which the seats of `lost` never became ready and those of `leave` leave at their first ask.
fn play(seats: usize, lost: &[usize], leave: &[usize], rules: &'static str) -> Finished {
    let seats =
        (0..seats).map(|index| if lost.contains(&index) { Err("no such file".to_owned()) } else { Ok(ready()) });
    let mut table = Table::new(Setup { rules, seats: seats.collect(), seed: 11, ..Setup::default() });
    for whose in leave {
        table.play_until(|table| table.asked().contains(whose));
        table.wrong(*whose, Gone);
    }
    table.play_out();
    table.finish()
}

#[test]
fn lost_seats_are_played_on_and_ranked_behind_everybody() {
    for (seats, lost, leave) in [
        (2, &[0][..], &[][..]),
        (2, &[1], &[]),
        (2, &[], &[0]),
        (3, &[0, 2], &[]),
        (3, &[0], &[1]),
        (4, &[1, 2, 3], &[]),
        (4, &[], &[3, 0, 1]),
        (5, &[4], &[2]),
    ] {
        for rules in ["basic", "skat"] {
            let said = format!("{rules}: lost {lost:?}, leave {leave:?} of {seats}");
            let finished = play(seats, lost, leave, rules);
            let result = &finished.log.result;
            let mut gone: Vec<usize> = lost.iter().chain(leave).copied().collect();
            gone.sort_unstable();
            assert_eq!(result.dismissed, gone.iter().map(|index| seat(*index)).collect::<Vec<_>>(), "{said}");
            let (out, stayed): (Vec<usize>, Vec<usize>) = (0..seats).partition(|index| gone.contains(index));
            let worst = stayed.iter().map(|index| result.places[*index]).max().expect("somebody stayed");
            assert!(out.iter().all(|index| result.places[*index] > worst), "{said}: {:?}", result.places);
            for index in 0..seats {
                let fault = if lost.contains(&index) { "not_started" } else { "gone" };
                let expected = if gone.contains(&index) { vec![(fault, 1)] } else { vec![] };
                assert_eq!(finished.faults(index), expected, "{said}: seat {index}");
            }
            let paid = |entry: &Entry| matches!(entry, Entry::Event(event) if matches!(event.event, Event::Penalty { seat, .. } if gone.contains(&seat.index())));
            assert!(!finished.entries().iter().any(paid), "{said}: a dismissed seat is played on at no price");
        }
    }
}

#[test]
fn when_all_are_lost_the_match_ends_as_it_stands() {
    for (lost, leave) in [(&[0, 1, 2][..], &[][..]), (&[0], &[1, 2]), (&[], &[2, 1, 0])] {
        let seats = (0..3).map(|index| if lost.contains(&index) { Err("too slow".to_owned()) } else { Ok(ready()) });
        let mut table = Table::new(Setup { seats: seats.collect(), rounds: 50, ..Setup::default() });
        for whose in leave {
            assert!(!table.finished());
            table.wrong(*whose, Gone);
        }
        assert!(table.finished(), "{lost:?} {leave:?}");
        assert!((0..3).all(|index| table.over(index).is_none()), "nobody is there to read it");
        let finished = table.finish();
        assert_eq!(finished.log.result.places, [1, 1, 1]);
        assert!(finished.log.result.rounds <= 1);
        assert_eq!(finished.log.result.dismissed.len(), 3);
    }
}

#[test]
fn a_seat_that_was_never_ready_is_sent_nothing_and_named_in_the_record() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready()), Err("no such file".to_owned())], ..Setup::default() });
    assert_eq!(table.dismissed[1], Some(NotStarted));
    table.play_out();
    assert_eq!(table.lines[1], []);
    let finished = table.finish();
    let why = finished.log.inputs.iter().find_map(|logged| match &logged.entry {
        Entry::Dismissed(entry) => Some((entry.seat, entry.fault, entry.message.clone())),
        _ => None,
    });
    assert_eq!(why, Some((seat(1), NotStarted, "no such file".to_owned())));
    let stood = finished
        .log
        .inputs
        .iter()
        .any(|logged| matches!(&logged.entry, Entry::Stand(stand) if stand.why == Stand::Dismissed));
    assert!(stood);
}

#[test]
fn a_game_ends_with_whatever_is_wrong_at_every_ask() {
    for rules in ["basic", "skat"] {
        for silent in [vec![0], vec![0, 1], vec![0, 1, 2]] {
            let mut table = Table::new(Setup {
                rules,
                seats: vec![Ok(ready()); 3],
                rounds: 2,
                // Short enough that the silent ones are not dismissed.
                settings: vec!["turn_cap=20"],
                ..Setup::default()
            });
            while !table.finished() {
                for index in table.asked() {
                    if silent.contains(&index) {
                        table.deadline(index);
                    } else {
                        let action = table.first_choice(index);
                        table.act(index, action);
                    }
                }
            }
            let finished = table.finish();
            assert_eq!(finished.log.result.rounds, 2, "{rules}: {silent:?}");
            for index in 0..3 {
                assert_eq!(finished.tallies[index].faults.get(RuleFault::Slow) > 0, silent.contains(&index));
            }
        }
    }
}

#[test]
fn a_dealer_who_lets_all_times_run_out_leaves_a_card_to_turn_up() {
    // Each missed time costs a penalty card when the card is turned up; there are more of them than cards (G-07).
    let settings = vec!["absent_limits=100"];
    let mut table = Table::new(Setup { rules: "snap", settings, seats: vec![Ok(ready()); 3], ..Setup::default() });
    let dealer = table.mover();
    let mut missed = 0;
    while missed < 80 {
        for whose in table.asked() {
            if whose == dealer && table.last_ask(dealer).what != What::React {
                missed += 1;
                match missed % MAX_MISSED_IN_A_ROW {
                    // So that it is not silent.
                    0 => table.act(whose, Verb::Say { text: "one moment".try_into().expect("a text") }),
                    _ => table.deadline(whose),
                }
            } else {
                table.act(whose, Verb::Wait);
            }
        }
    }
    table.wrong(dealer, Gone);
    assert!(table.is_dismissed(dealer));
    table.play_out();
    table.finish();
}

#[test]
fn a_dealer_cannot_leave_somebody_without_a_card() {
    // P-03: every seat gets some, and the cards that the dealer deals to itself must leave enough for that.
    let mut table = Table::new(Setup { rules: "spam", seats: vec![Ok(ready()); 3], ..Setup::default() });
    let dealer = table.mover();
    for count in (1..=60).rev() {
        if table.mover() == dealer && !table.finished() && !table.is_dismissed(dealer) {
            table.act(dealer, Verb::Deal { to: vec![seat(dealer); count] });
        }
    }
    table.wrong(dealer, Gone);
    table.play_out();
    table.finish();
}
