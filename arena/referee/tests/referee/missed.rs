//! A missed deadline is reported once, against the seat whose deadline it was, whatever has happened to its turn
//! meanwhile. What it costs is in `clock`.

use std::collections::BTreeMap;

use maumau_engine::ChoiceStream;
use maumau_protocol::message::What;
use maumau_protocol::{Elapse, Seat};
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{Blame, Input, Logged};

use crate::table::{Finished, Setup, Table, ready, ready_for_ticks, seat};

/// Every deadline in the log, by the time it took, with the seat it is charged to; a turn limit names no seat.
fn deadlines(finished: &Finished) -> Vec<(u64, Option<Seat>)> {
    let mut all = Vec::new();
    for input in &finished.log.inputs {
        all.extend(input.meta.missed.iter().map(|missed| (missed.took_us.expect("a time"), Some(missed.seat))));
        match &input.entry {
            Entry::Stand(stand) => all.extend(input.meta.took_us.map(|took_us| (took_us, Some(stand.seat)))),
            Entry::Elapse(elapse) if elapse.what == Elapse::TurnLimit => {
                all.extend(input.meta.took_us.map(|took_us| (took_us, None)));
            }
            _ => assert_eq!(input.meta.took_us, None),
        }
    }
    all
}

#[test]
fn a_missed_deadline_counts_against_the_seat_that_missed_it() {
    // Deadlines of a turn that another seat took meanwhile.
    let mut overtaken = 0;
    for (rules, seed) in ["snap", "spam"].into_iter().flat_map(|rules| (1..=5).map(move |seed| (rules, seed))) {
        let (settings, seats) = (vec!["turn_cap=40"], vec![Ok(ready()); 4]);
        let mut table = Table::new(Setup { rules, settings, seed, seats, ..Setup::default() });
        let mut dice = ChoiceStream::new(&[seed]);
        let mut missed = BTreeMap::new();
        while !table.finished() {
            for whose in table.asked() {
                let ask = table.last_ask(whose);
                if !dice.one_in(4) {
                    table.answer(whose, ask.id, dice.pick(&ask.legal).clone(), Meta::default());
                    continue;
                }
                let (id, _) = table.pass_deadline(whose);
                let took_us = 1_000_000 + missed.len() as u64;
                missed.insert(took_us, (seat(whose), ask.what));
                let meta = Meta { took_us: Some(took_us), ..Meta::default() };
                table.input(Input::Deadline { seat: seat(whose), id, meta, blame: Blame::Agent });
            }
        }
        let finished = table.finish();
        for (took_us, against) in deadlines(&finished) {
            let (whose, what) = missed.remove(&took_us).expect("each is recorded once");
            assert!(against.is_none_or(|against| against == whose), "{rules}, seed {seed}: {whose} and {against:?}");
            let noted = |missed: &maumau_referee::record::Missed| missed.took_us == Some(took_us);
            let is_noted = finished.log.inputs.iter().any(|input| input.meta.missed.iter().any(noted));
            overtaken += u32::from(is_noted && what != What::React);
        }
        assert_eq!(missed, BTreeMap::new(), "{rules}, seed {seed}: these are recorded nowhere");
    }
    assert!(overtaken > 0, "only {overtaken} turns were overtaken");
}

/// A deadline that passes in the tick in which the round ends is recorded too, even if the last card was taken up before it.
#[test]
fn a_deadline_missed_as_the_round_ended_is_recorded() {
    let mut after_the_end = 0;
    for seed in 1..=20 {
        let (settings, seats) = (vec!["deal.cards=2"], vec![Ok(ready_for_ticks()); 2]);
        let mut table = Table::new(Setup { seed, settings, seats, rounds: 2, ..Setup::default() });
        // The other seat misses the deadline of every tick.
        let mut missed = 0;
        let mut first_round = None;
        while !table.finished() {
            let mover = table.mover();
            table.deadline(1 - mover);
            missed += 1;
            table.answer_all();
            if table.referee().game().round() == 2 {
                first_round.get_or_insert((table.referee().logged().len(), missed));
            }
        }
        let inputs = table.finish().log.inputs;
        let of_inputs = |inputs: &[Logged]| inputs.iter().map(|input| input.meta.missed.len()).sum::<usize>();
        assert_eq!(of_inputs(&inputs), missed, "seed {seed}");
        let (inputs_before, missed_before) = first_round.expect("a second round");
        after_the_end += missed_before - of_inputs(&inputs[..inputs_before]);
    }
    assert!(after_the_end > 0, "the last card was always taken up last");
}
