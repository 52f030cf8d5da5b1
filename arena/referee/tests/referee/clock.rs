//! Deadlines, the bank, answers that come late. Times are arguments; nothing waits. Deadlines missed through the host
//! are in `void`.

use maumau_protocol::limits::{CLOSING_TICKS, MAX_MISSED_IN_A_ROW};
use maumau_protocol::message::{Ready, TimeControl, Want};
use maumau_protocol::{Action, Elapse, Event, RuleFault, Stand, Verb};
use maumau_referee::record::{ElapseEntry, Entry};
use maumau_referee::{Blame, Input};

use crate::table::{Finished, Setup, Table, ready, ready_for_ticks, seat, took};

/// The outcome of one ask: an answer that takes this many milliseconds, or a missed deadline.
#[derive(Clone, Copy, Debug)]
enum At {
    Took(u64),
    Missed,
}
use At::{Missed, Took};

#[test]
fn the_bank_pays_what_an_answer_takes_beyond_its_move_time() {
    let time = |move_ms, bank_ms, increment_ms| TimeControl {
        move_ms,
        bank_ms,
        increment_ms,
        start_ms: 0,
        ..TimeControl::default()
    };
    for (time, steps) in [
        // (what happens, milliseconds of the next ask)
        (time(1_000, 0, 0), vec![(Took(0), 1_000), (Took(1_000), 1_000), (Missed, 1_000), (Took(7), 1_000)]),
        (
            time(1_000, 500, 0),
            vec![(Took(999), 1_500), (Took(1_000), 1_500), (Took(1_200), 1_300), (Took(1_300), 1_000)],
        ),
        (time(1_000, 500, 100), vec![(Took(10), 1_600), (Took(1_600), 1_100), (Missed, 1_000), (Took(1_000), 1_100)]),
        (time(0, 2_000, 0), vec![(Took(700), 1_300), (Took(1_299), 1), (Missed, 0), (Missed, 0)]),
        // An answer that was read late but had come in time may take longer than the time allowed; the bank is then empty.
        (time(100, 50, 0), vec![(Took(400), 100), (Took(50), 100)]),
    ] {
        let mut table = Table::new(Setup { time, rounds: 50, ..Setup::default() });
        assert_eq!(table.last_ask(1).time_ms, time.move_ms + time.bank_ms);
        for (number, (at, next_ms)) in steps.into_iter().enumerate() {
            table.play_until(|table| table.asked() == [1]);
            match at {
                Took(ms) => {
                    let (id, action) = (table.last_ask(1).id, table.first_choice(1));
                    table.answer(1, id, action, took(ms));
                }
                Missed => table.deadline(1),
            }
            table.play_until(|table| table.asked() == [1]);
            assert_eq!(table.last_ask(1).time_ms, next_ms, "{time:?}, step {number}: {at:?}");
        }
    }
}

/// The seat to move misses its deadline at once; then the game is played to the end.
fn missed_once(settings: Vec<&'static str>) -> Finished {
    let mut table = Table::new(Setup { settings, ..Setup::default() });
    table.deadline(1);
    assert_eq!(table.faults(1), [], "slowness shows in events, and is no strike");
    table.play_out();
    table.finish()
}

#[test]
fn a_missed_deadline_costs_slow_cards_and_the_referee_acts() {
    for (setting, cards) in [("slow_cards=2", 2), ("slow_cards=0", 0), ("slow_cards=10", 10)] {
        let finished = missed_once(vec![setting]);
        let entries = finished.entries();
        let stand = entries.iter().position(|entry| matches!(entry, Entry::Stand(_))).expect("the referee acted");
        let Entry::Stand(entry) = &entries[stand] else { unreachable!() };
        assert_eq!((entry.seat, entry.why), (seat(1), Stand::Slow));
        let events: Vec<&Event> = entries[stand + 1..]
            .iter()
            .map_while(|entry| match entry {
                Entry::Event(event) => Some(&event.event),
                _ => None,
            })
            .collect();
        assert!(matches!(events[0], Event::ActedFor { why: Stand::Slow, .. }), "{events:?}");
        assert!(matches!(events[1], Event::Drew { .. }), "{events:?}");
        let paid = |event: &&&Event| matches!(event, Event::Penalty { fault: RuleFault::Slow, .. });
        assert_eq!(events.iter().filter(paid).count(), cards, "{setting}");
        assert_eq!(finished.faults(1), [("slow", 1)]);
        assert_eq!(finished.tallies[1].late, 0);
        assert_eq!(finished.log.inputs[0].meta, took(1_000), "the record says how long it took");
    }
}

#[test]
fn a_late_answer_is_dropped_once_and_then_stale() {
    let mut table = Table::new(Setup::default());
    let id = table.last_ask(1).id;
    table.deadline(1);
    let hand = table.referee().game().hand(seat(1)).clone();
    table.answer(1, id, Verb::Draw, took(1_200));
    assert_eq!((table.faults(1).len(), table.referee().game().hand(seat(1))), (0, &hand), "dropped for nothing");
    table.answer(1, id, Verb::Draw, took(1_300));
    let fault = &table.faults(1)[0];
    assert_eq!((fault.fault.as_str(), fault.message.clone()), ("stale_id", format!("ask {id} has been answered")));
    table.play_out();
    let finished = table.finish();
    assert_eq!(finished.faults(1), [("slow", 1), ("stale_id", 1)]);
    assert_eq!(finished.tallies[1].late, 1);
}

/// An agent that is always a few asks behind is slow, and nothing else: its ids were issued, and have not been answered.
#[test]
fn answers_that_are_several_asks_late_are_dropped_too() {
    let mut table = Table::new(Setup { rounds: 100, ..Setup::default() });
    let mut missed = Vec::new();
    for _ in 0..MAX_MISSED_IN_A_ROW - 1 {
        table.play_until(|table| table.asked() == [1]);
        missed.push(table.last_ask(1).id);
        table.deadline(1);
    }
    for id in missed {
        table.answer(1, id, Verb::Draw, took(60_000));
    }
    assert_eq!(table.faults(1), []);
    assert_eq!(table.dismissed[1], None);
    table.play_out();
    let finished = table.finish();
    let missed = MAX_MISSED_IN_A_ROW - 1;
    assert_eq!((finished.tallies[1].late, finished.faults(1)), (missed.into(), vec![("slow", missed)]));
}

#[test]
fn a_deadline_of_an_old_ask_changes_nothing() {
    let mut table = Table::new(Setup::default());
    let old = table.last_ask(1).id;
    table.answer_all();
    table.play_until(|table| table.asked() == [1]);
    let position = table.referee().game().view(seat(1));
    table.input(Input::Deadline { seat: seat(1), id: old, meta: took(1_000), blame: Blame::Agent });
    table.input(Input::Deadline { seat: seat(0), id: table.last_ask(1).id, meta: took(1_000), blame: Blame::Agent });
    assert_eq!(table.referee().game().view(seat(1)), position);
    assert_eq!(table.asked(), [1]);
}

#[test]
fn a_seat_that_need_not_act_declines_by_silence_at_no_cost() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()), Ok(ready())], ..Setup::default() });
    assert_eq!(table.asked(), [0, 1]);
    let before = table.referee().game().hand(seat(0)).len();
    table.deadline(0);
    assert_eq!(table.asked(), [1]);
    table.answer_all();
    assert_eq!(table.referee().game().hand(seat(0)).len(), before);
    table.play_out();
    assert_eq!(table.finish().faults(0), []);
}

/// The grace time is a tick (G-13): a seat that came to owe words within it has the next tick for them. With two cards each, a
/// seat that plays one without a word owes "last card" (P-61).
#[test]
fn words_that_became_due_within_a_tick_are_not_late_at_its_end() {
    // Both seats play a card, one after the other; the table, and the stamp of the second card.
    let play_silently = |seed| {
        let settings = vec!["strict=true", "deal.cards=2"];
        let mut table = Table::new(Setup { rules: "spam", settings, seed, ..Setup::default() });
        let mut stamp = None;
        for whose in [1, 0] {
            let mover = table.referee().game().turn() == Some(seat(whose));
            let mut legal = table.referee().game().legal(seat(whose)).iter();
            let card = legal.find(|verb| matches!(verb, Verb::Play { .. })).filter(|_| mover)?;
            stamp = Some(table.last_ask(whose).as_of);
            // Seats that owe words are asked again, and stay silent.
            table.asked().into_iter().filter(|asked| *asked != whose).for_each(|asked| table.act(asked, Verb::Wait));
            table.act(whose, card);
        }
        Some((table, stamp?))
    };
    let (mut table, stamp) = (1..500).find_map(play_silently).expect("two seats that can play a card each");
    table.play_out();
    let entries = table.finish().entries();
    let at = entries.iter().position(|entry| matches!(entry, Entry::Elapse(_))).expect("the grace time is over");
    assert_eq!(entries[at], Entry::Elapse(ElapseEntry { what: Elapse::Grace, as_of: stamp }));
    let late = entries[at + 1..].iter().map_while(|entry| match entry {
        Entry::Event(event) => Some(&event.event),
        _ => None,
    });
    let late: Vec<_> = late.filter(|event| matches!(event, Event::Mistake { .. })).collect();
    assert_eq!(late, [&Event::Mistake { seat: seat(1), fault: RuleFault::NoLastCard, count: 1 }]);
}

#[test]
fn a_count_of_ten_takes_ten_ticks_and_then_the_dealer_pays() {
    // N-114, G-13.
    let wants = vec![Want::Legal, Want::Events];
    let seats = vec![Ok(Ready { wants, ..ready_for_ticks() }); 3];
    let mut table = Table::new(Setup { rules: "snap", settings: vec!["dealing=dealer"], seats, ..Setup::default() });
    let dealer = table.mover();
    let counter = (dealer + 1) % 3;
    let wait = |table: &mut Table| {
        for whose in table.asked() {
            // The dealer must not wait, and speech moves nothing.
            let text = "one moment".try_into().expect("a text");
            table.act(whose, if whose == dealer { Verb::Say { text } } else { Verb::Wait });
        }
    };
    let picked = |table: &Table| {
        let last = table.last_ask(counter).events;
        last.iter().any(|event| matches!(event, Event::Mistake { fault: RuleFault::PickUp, .. }))
    };
    table.act(counter, Verb::Count);
    wait(&mut table);
    for tick in 1..=10 {
        assert!(!picked(&table), "after {tick} offers");
        wait(&mut table);
    }
    assert!(picked(&table));
    wait(&mut table);
    assert!(!picked(&table), "once");
    table.play_out();
    table.finish();
}

/// One tick is one offer to every seat (G-13).
#[test]
fn the_closing_time_is_over_after_so_many_ticks_in_which_nobody_acts() {
    let mut table =
        Table::new(Setup { rules: "snap", seats: vec![Ok(ready_for_ticks()); 3], rounds: 2, ..Setup::default() });
    table.play_until(|table| table.referee().game().is_closing());
    for tick in 0..CLOSING_TICKS {
        assert!(table.referee().game().is_closing(), "tick {tick}");
        assert_eq!(table.asked(), [0, 1, 2], "tick {tick}");
        (0..3).for_each(|whose| table.act(whose, Verb::Wait));
    }
    assert_eq!(table.referee().game().round(), 2);
}

/// SPEC 7.8: what a seat does in the closing time begins it again.
#[test]
fn the_closing_time_begins_anew_with_each_action() {
    let mut begun_anew = 0;
    for seed in 0..60 {
        let (settings, seats) = (vec!["deal.cards=2"], vec![Ok(ready_for_ticks()); 3]);
        let mut table = Table::new(Setup { rules: "snap", settings, seed, seats, rounds: 2, ..Setup::default() });
        let is_closing = |table: &Table| table.referee().game().is_closing();
        let wait = |table: &mut Table| table.asked().into_iter().for_each(|whose| table.act(whose, Verb::Wait));
        table.play_until(is_closing);
        (1..CLOSING_TICKS).for_each(|_| wait(&mut table));
        let acts = |whose: &usize| !table.referee().game().legal(seat(*whose)).is_empty();
        let Some(whose) = table.asked().into_iter().find(acts).filter(|_| is_closing(&table)) else { continue };
        let verb = table.referee().game().legal(seat(whose)).iter().next().expect("an action");
        table.act(whose, verb);
        wait(&mut table);
        let last = table.referee().logged().last().map(|logged| &logged.entry);
        assert!(matches!(last, Some(Entry::Act(_))), "seed {seed}: {last:?}");
        // Some actions end it: no hand is empty any more.
        if is_closing(&table) {
            (1..CLOSING_TICKS).for_each(|_| wait(&mut table));
            assert!(is_closing(&table), "seed {seed}");
            wait(&mut table);
            assert!(!is_closing(&table), "seed {seed}");
            begun_anew += 1;
        }
    }
    assert!(begun_anew > 0);
}

/// Seats that may answer a card are asked first; the seat to move is asked a tick later (N-44).
#[test]
fn the_seat_that_an_eight_threatens_is_asked_before_the_seat_to_move() {
    let mut asked_apart = 0;
    for seed in 0..20 {
        let mut table = Table::new(Setup { rules: "snap", seats: vec![Ok(ready()); 3], seed, ..Setup::default() });
        table.play_until(|table| table.referee().game().pending().skip_victim.is_some());
        let Some(victim) = table.referee().game().pending().skip_victim else { continue };
        if !table.referee().game().is_closing() && table.referee().game().legal(victim).pass {
            assert_eq!(table.asked(), [victim.index()], "seed {seed}");
            table.act(victim.index(), Verb::Wait);
            assert!(table.asked().contains(&table.mover()), "seed {seed}");
            asked_apart += 1;
        }
    }
    assert!(asked_apart > 0);
}

/// SPEC 7.2: a seat that owes a word is asked, even if it can do nothing else (N-80).
#[test]
fn a_seat_that_owes_only_a_word_is_asked_for_it() {
    let mut table = Table::new(Setup { rules: "snap", seats: vec![Ok(ready()); 3], ..Setup::default() });
    table.play_until(|table| table.referee().game().is_closing());
    let has_none = |whose: &usize| table.referee().game().hand(seat(*whose)).is_empty();
    let finisher = (0..3).find(has_none).expect("a seat that has played its last card");
    assert!(table.referee().game().legal(seat(finisher)).is_empty());
    assert!(table.asked().contains(&finisher));
    let says = |action: &Action| matches!(&action.verb, Verb::Say { text } if text.as_str() == "mau mau");
    assert!(table.last_ask(finisher).legal.iter().any(says));
}

/// B-14: a warning that was left out is charged before the referee acts for the next seat, even where the rules speak of its turn
/// limit.
#[test]
fn a_fault_that_is_charged_as_time_passes_is_counted() {
    let forget_mau = |seed| {
        let settings = vec!["turn.absent_limits=1", "calls.cards=1", "slow_cards=0", "deal.cards=2"];
        let mut table = Table::new(Setup { settings, seed, ..Setup::default() });
        let mut legal = table.referee().game().legal(seat(1)).iter();
        let card = legal.find(|verb| matches!(verb, Verb::Play { .. }))?;
        table.act(1, card);
        (table.mover() == 0).then_some(table)
    };
    let mut table = (1..50).find_map(forget_mau).expect("a seat that can play a card");
    table.deadline(0);
    let last = table.referee().logged().last().map(|logged| logged.entry.clone());
    assert!(matches!(last, Some(Entry::Elapse(_))), "{last:?}");
    table.play_out();
    assert_eq!(table.finish().faults(1), [("no_mau", 1)]);
}
