//! Several seats asked at the same moment: who was first, and what becomes of the others (DESIGN §3).

use maumau_protocol::message::What;
use maumau_protocol::record::Entry;
use maumau_protocol::{Action, Event, Reason, RuleFault, Seat, Text, Verb};
use maumau_referee::Replay;

use crate::table::{Finished, Line, Setup, Table, ready, ready_for_ticks};

/// Four seats that may lay function cards between turns.
fn busy_table(seed: u64) -> Table {
    Table::new(Setup { settings: vec!["function_any=out_of_turn"], seed, seats: vec![Ok(ready()); 4], ..Setup::default() })
}

/// Everybody who may lay a card does, each time the first one.
fn eager(table: &Table, seat: usize) -> Action {
    let verb = table.referee.game().legal(crate::table::seat(seat)).iter().next().unwrap_or(Verb::Wait);
    verb.into()
}

/// Plays eagerly; the asked seats answer in the order that `arrival` makes of theirs. Also the offers, each the seats that
/// were asked together and laid something.
fn play(seed: u64, arrival: fn(&mut Vec<usize>)) -> (Finished, Vec<Vec<Line>>, Vec<Vec<Seat>>) {
    let mut table = busy_table(seed);
    let mut offers = Vec::new();
    while !table.finished() {
        let mut asked = table.asked();
        offers.push(asked.iter().map(|index| crate::table::seat(*index)).collect());
        let mut answers: Vec<(usize, Action)> = asked.iter().map(|seat| (*seat, eager(&table, *seat))).collect();
        arrival(&mut asked);
        for seat in asked {
            let at = answers.iter().position(|(whose, _)| *whose == seat).expect("an answer of each seat");
            table.act(seat, answers.remove(at).1);
        }
    }
    let lines = table.lines.clone();
    (table.finish(), lines, offers)
}

#[test]
fn answers_are_taken_up_in_the_order_drawn_from_the_seed() {
    let mut together = 0;
    for seed in 0..10 {
        let (finished, _, offers) = play(seed, |_| {});
        let mut replay = Replay::new(&finished.log.header).expect("sound rules");
        let mut acts = finished.log.inputs.iter().map(|logged| &logged.entry);
        for (tick, asked) in offers.iter().enumerate() {
            let mut order = asked.clone();
            replay.game().clone().shuffle_answers(tick as u32, &mut order);
            together += usize::from(order.len() > 1);
            for seat in order {
                let waits = replay.game().waits_for() == Some(seat);
                let held = !replay.game().legal(seat).is_empty();
                match acts.next() {
                    None => assert!(replay.game().is_over(), "seed {seed}: the log ends early"),
                    Some(Entry::Act(act)) => {
                        assert_eq!(act.seat, seat, "seed {seed}, tick {tick}: {waits} {held}");
                    }
                    Some(other) => panic!("seed {seed}: {other:?}"),
                }
                if let Some(entry) = finished.log.inputs.iter().map(|logged| &logged.entry).nth(taken(&replay)) {
                    replay.take(entry).expect("a sound log");
                }
            }
        }
    }
    assert!(together > 20, "{together} offers to several seats");
}

fn taken(_: &Replay) -> usize {
    0
}

#[test]
fn the_order_in_which_answers_arrive_changes_nothing() {
    for seed in 0..10 {
        let (one, lines, _) = play(seed, |_| {});
        let (other, other_lines, _) = play(seed, |asked| asked.reverse());
        assert_eq!(one.digest, other.digest, "seed {seed}");
        assert_eq!(lines, other_lines, "seed {seed}: every seat is sent the same");
    }
}
