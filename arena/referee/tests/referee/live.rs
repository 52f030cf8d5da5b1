//! The live clock: actions as they arrive, times that run out, and a log that replays without any clock. Times are
//! arguments; nothing waits.

use maumau_engine::ChoiceStream;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::message::{AskId, ClockMode, TimeControl, What};
use maumau_protocol::{Action, Text, Verb};
use maumau_referee::Timer;
use maumau_referee::record::{Entry, Meta};

use crate::table::{Setup, Table, ready, ready_for_ticks, seat};

fn live(rules: &'static str, seats: usize) -> Table {
    Table::new(Setup { rules, clock: ClockMode::Live, seats: vec![Ok(ready()); seats], ..Setup::default() })
}

/// The seat to move takes the first legal action; in the closing time no seat does anything.
pub(crate) fn step(table: &mut Table) {
    if table.runs(Timer::Closing) {
        return table.time(Timer::Closing);
    }
    let mover = table.mover();
    let ask = table.last_ask(mover);
    let action = ask.legal.iter().find(|action| action.verb != Verb::Wait).cloned();
    match action {
        Some(action) => table.answer(mover, ask.id, action, Meta::default()),
        None => table.time(Timer::Turn),
    }
    if table.runs(Timer::Reaction) {
        table.time(Timer::Reaction);
    }
}

#[test]
fn live_games_of_every_set_end_and_replay() {
    for rules in ["basic", "skat", "deluxe", "snap", "spam"] {
        let mut table = live(rules, 3);
        let mut steps = 0;
        while !table.finished() {
            step(&mut table);
            steps += 1;
            assert!(steps < 20_000, "{rules} does not end");
        }
        // `finish` replays the log and compares.
        table.finish();
    }
}

/// The first to move is one of them, and the referee acts for it only after all of them are known.
#[test]
fn seats_that_did_not_start_leave_a_sound_record() {
    let absent = || Err("no such file".to_owned());
    let seats = vec![absent(), absent(), absent(), Ok(ready())];
    let mut table = Table::new(Setup { rules: "basic", clock: ClockMode::Live, seats, ..Setup::default() });
    while !table.finished() {
        step(&mut table);
    }
    table.finish();
}

#[test]
fn a_seat_whose_time_runs_out_is_acted_for() {
    let mut table = live("basic", 2);
    let slow = table.mover();
    table.time(Timer::Turn);
    assert_ne!(table.mover(), slow, "the turn has passed");
    assert!(table.runs(Timer::Turn), "the next seat's time runs");
}

#[test]
fn an_old_ask_shows_what_its_seat_had_seen() {
    let mut table = live("basic", 2);
    let mover = table.mover();
    let old = table.last_ask(mover);
    table.answer(mover, old.id, Verb::Draw, Meta::default());
    // The turn has passed meanwhile: a card by the old ask is overtaken, not wrong (G-03).
    let card = table.card_of(mover);
    table.answer(mover, old.id, Verb::Play { card, choose: None }, Meta::default());
    let faults = table.faults(mover);
    assert_eq!(faults.last().map(|fault| fault.fault.as_str()), Some("interrupted"), "{faults:?}");
}

#[test]
fn talking_without_end_is_a_flood() {
    let mut table = live("basic", 2);
    let talker = 1 - table.mover();
    let id = table.asks(talker).next_back().map(|ask| ask.id);
    let id = id.unwrap_or_else(|| table.last_ask(table.mover()).id);
    let word = || Verb::Say { text: Text::try_from("hello").expect("a short text") };
    let whose = if table.asks(talker).next().is_some() { talker } else { 1 - talker };
    for _ in 0..100 {
        if table.finished() || table.is_dismissed(whose) {
            break;
        }
        table.answer(whose, id, word(), Meta::default());
    }
    assert!(table.is_dismissed(whose), "nothing moved, and it talked on");
}

#[test]
fn an_id_that_was_never_given_is_a_strike() {
    let mut table = live("basic", 2);
    let mover = table.mover();
    table.answer(mover, maumau_protocol::message::AskId(1), Verb::Draw, Meta::default());
    assert_eq!(
        table.faults(mover).last().map(|fault| fault.fault.clone()),
        Some(ConductFault::UnknownId.name().into())
    );
    assert_eq!(table.last_ask(mover).what, What::Turn);
}

#[test]
fn what_time_brings_about_is_in_the_log() {
    let mut table = live("snap", 2);
    table.time(Timer::Turn);
    while !table.finished() {
        step(&mut table);
    }
    let finished = table.finish();
    assert!(finished.log.inputs.iter().any(|logged| matches!(logged.entry, Entry::Elapse(_))));
}

/// A game of snap in which others have the time to react.
fn in_reaction_time() -> Table {
    let mut table = live("snap", 3);
    let mut seed = 1;
    while !table.runs(Timer::Reaction) {
        if table.finished() {
            seed += 1;
            table = Table::new(Setup {
                rules: "snap",
                seed,
                clock: ClockMode::Live,
                seats: vec![Ok(ready()); 3],
                ..Setup::default()
            });
        }
        let mover = table.mover();
        let ask = table.last_ask(mover);
        match ask.legal.iter().find(|action| action.verb != Verb::Wait).cloned() {
            _ if table.runs(Timer::Closing) => table.time(Timer::Closing),
            Some(action) => table.answer(mover, ask.id, action, Meta::default()),
            None => table.time(Timer::Turn),
        }
    }
    table
}

/// The seat to move, its newest ask, and something that it can do.
fn next_move(table: &Table) -> (usize, AskId, Action) {
    let mover = table.mover();
    let ask = table.last_ask(mover);
    let action = ask.legal.iter().find(|action| action.verb != Verb::Wait).cloned().expect("something to do");
    (mover, ask.id, action)
}

/// SPEC 7.14: actions of the seat to move other than speech and calls wait until the reaction time is over.
#[test]
fn words_do_not_wait_for_the_reaction_time() {
    let mut table = in_reaction_time();
    let (mover, id, action) = next_move(&table);
    let before = table.referee().logged().len();
    table.answer(mover, id, Verb::Say { text: Text::fixed("hello") }, Meta::default());
    assert_eq!(table.referee().logged().len(), before + 1, "it has been heard");
    table.answer(mover, id, action, Meta::default());
    assert_eq!(table.referee().logged().len(), before + 1, "it waits");
    table.time(Timer::Reaction);
    assert!(table.referee().logged().len() > before + 2, "it follows the time");
}

/// An action of the seat to move waits until others have had their time; if the seat is dismissed meanwhile, the action is
/// dropped (regression: the action was taken up after the dismissal).
#[test]
fn an_action_that_waits_is_dropped_with_its_seat() {
    let mut table = in_reaction_time();
    let (mover, id, action) = next_move(&table);
    table.answer(mover, id, action, Meta::default());
    for _ in 0..3 {
        table.wrong(mover, ConductFault::NotJson);
    }
    assert!(table.is_dismissed(mover));
    while !table.finished() {
        if table.runs(Timer::Reaction) {
            table.time(Timer::Reaction);
        } else {
            step(&mut table);
        }
    }
    let inputs = table.finish().log.inputs;
    let is_his = |entry: &Entry| matches!(entry, Entry::Act(act) if act.seat.index() == mover);
    let after = inputs.iter().skip_while(|logged| !matches!(logged.entry, Entry::Dismissed(_)));
    assert_eq!(after.filter(|logged| is_his(&logged.entry)).count(), 0);
}

/// The bank belongs to deadlines, which a live game does not have.
#[test]
fn a_live_ask_has_the_time_of_the_turn() {
    let time = TimeControl { bank_ms: 700, ..Setup::default().time };
    let table = Table::new(Setup { clock: ClockMode::Live, time, ..Setup::default() });
    assert_eq!(table.last_ask(table.mover()).time_ms, time.move_ms);
}

/// The seat to move cannot act before the reaction time is over, so its turn is extended by as much.
#[test]
fn a_turn_has_the_reaction_time_of_the_others_besides() {
    let mut table = live("snap", 3);
    let TimeControl { move_ms, reaction_ms, .. } = table.setup.time;
    let (mut plain, mut longer) = (0, 0);
    for _ in 0..40 {
        let mover = table.mover();
        let ask = table.last_ask(mover);
        match ask.legal.iter().find(|action| action.verb != Verb::Wait).cloned() {
            Some(action) => table.answer(mover, ask.id, action, Meta::default()),
            None => table.time(Timer::Turn),
        }
        if table.finished() || table.runs(Timer::Closing) {
            break;
        }
        match (table.started(Timer::Reaction), table.started(Timer::Turn)) {
            (None, None) => {}
            (None, turn) => {
                assert_eq!(turn, Some(move_ms));
                plain += 1;
            }
            reaction_and_turn => {
                assert_eq!(reaction_and_turn, (Some(reaction_ms), Some(move_ms + reaction_ms)));
                longer += 1;
            }
        }
        if table.runs(Timer::Reaction) {
            table.time(Timer::Reaction);
        }
    }
    assert!(plain > 0 && longer > 0, "{plain} turns without reaction time and {longer} with it");
}

#[test]
fn what_a_dismissed_seat_still_sends_is_not_taken_up() {
    let mut table = live("basic", 2);
    let (mover, id) = (table.mover(), table.last_ask(table.mover()).id);
    table.wrong(mover, ConductFault::Gone);
    let inputs = table.referee().logged().len();
    table.answer(mover, id, Verb::Say { text: "hello".try_into().expect("a short text") }, Meta::default());
    assert_eq!(table.referee().logged().len(), inputs);
    assert_eq!(table.referee().tally(seat(mover)).answers, 0);
}

#[test]
fn a_seat_that_is_dismissed_while_play_rests_is_played_on_afterwards() {
    let mut table = live("spam", 3);
    let mover = table.mover();
    table.act(mover, Verb::PointOfOrder);
    assert!(table.runs(Timer::PointOfOrder));
    table.wrong(mover, ConductFault::Gone);
    assert!(table.is_dismissed(mover) && table.runs(Timer::PointOfOrder));
    assert_eq!(table.mover(), mover, "play rests");
    table.time(Timer::PointOfOrder);
    assert_ne!(table.mover(), mover, "it is acted for");
}

/// A table in which every seat now and then takes one of its legal actions at random, and a seat that has acted also sends
/// `wait` by its first ask. As long as nothing else is waited for, the seat to move has an ask that it has not acted on;
/// otherwise it could not know that it is to move (regression: a `wait` by an old ask replaced the action, so that no ask came
/// when play went on after a closing time; and an action that waited for others was forgotten when their time was cut short).
#[test]
fn the_seat_to_move_is_asked_whatever_else_was_sent() {
    for (rules, settings) in
        [("snap", vec!["strict=true", "deal.cards=2", "turn_cap=40"]), ("spam", vec!["turn_cap=40"])]
    {
        for seed in 1..=20 {
            let seats = vec![Ok(ready()); 4];
            let settings = settings.clone();
            let mut table =
                Table::new(Setup { rules, settings, seed, clock: ClockMode::Live, seats, ..Setup::default() });
            let mut dice = ChoiceStream::new(&[seed]);
            let mut acted: Vec<Option<AskId>> = vec![None; 4];
            while !table.finished() {
                let others = [Timer::Grace, Timer::Reaction, Timer::Closing, Timer::CountOfTen, Timer::PointOfOrder];
                let timer = others.into_iter().find(|timer| table.runs(*timer));
                let mover = table.mover();
                let waits = table.asks(mover).next_back().is_some_and(|ask| acted[mover] != Some(ask.id));
                assert!(waits || timer.is_some(), "{rules}, seed {seed}: seat {mover} is to move and was not asked");
                if let Some(timer) = timer.filter(|_| !waits || dice.one_in(4)) {
                    table.time(timer);
                    continue;
                }
                let whose = if dice.one_in(2) { mover } else { dice.number_below(4) as usize };
                let Some(ask) = table.asks(whose).next_back().cloned().filter(|ask| acted[whose] != Some(ask.id))
                else {
                    continue;
                };
                let action = dice.pick(&ask.legal).clone();
                if ask.what == What::React && action.verb == Verb::Wait {
                    continue;
                }
                acted[whose] = Some(ask.id);
                table.answer(whose, ask.id, action, Meta::default());
                if !table.finished() {
                    let first = table.asks(whose).next().expect("an ask").id;
                    table.answer(whose, first, Verb::Wait, Meta::default());
                }
            }
            table.finish();
        }
    }
}

/// SPEC 7.12: that play rests, and that it goes on, is something that all seats that can act are sent.
#[test]
fn seats_are_asked_when_play_begins_to_rest_and_when_it_goes_on() {
    let seats = vec![Ok(ready_for_ticks()); 3];
    let mut table = Table::new(Setup { rules: "spam", clock: ClockMode::Live, seats, ..Setup::default() });
    let asked = |table: &Table| -> Vec<usize> { (0..3).map(|whose| table.asks(whose).count()).collect() };
    let one_more = |asked: Vec<usize>| -> Vec<usize> { asked.into_iter().map(|count| count + 1).collect() };
    let before = asked(&table);
    let mover = table.mover();
    table.act(mover, Verb::PointOfOrder);
    let rests = asked(&table);
    assert_eq!(rests, one_more(before));
    table.time(Timer::PointOfOrder);
    assert_eq!(asked(&table), one_more(rests));
}

/// Three seats of snap with two eights each; the eight that was turned up threatens the first of them.
fn eights(settings: &[&'static str]) -> Table {
    let settings = [&["deck.cards=8", "deal.cards=2"], settings].concat();
    let seats = vec![Ok(ready()); 3];
    Table::new(Setup { rules: "snap", settings, clock: ClockMode::Live, seats, ..Setup::default() })
}

fn play(table: &mut Table, whose: usize) {
    let card = table.card_of(whose);
    table.act(whose, Verb::Play { card, choose: None });
}

/// SPEC 7.14: the time to react ends with a card that no seat can answer.
#[test]
fn a_card_that_cannot_be_answered_ends_the_reaction_time() {
    for (setting, answers) in [("ending.rests=false", true), ("ending.rests=true", false)] {
        let mut table = eights(&[setting]);
        while let Some(victim) = table.referee().game().pending().skip_victim.filter(|_| !table.runs(Timer::Closing)) {
            assert!(table.runs(Timer::Reaction));
            play(&mut table, victim.index());
        }
        assert!(table.referee().game().is_closing());
        assert_eq!(table.runs(Timer::Reaction), answers, "{setting}");
    }
}

/// N-44: the time to react is given before the referee acts for a dismissed seat too (regression: the threatened seat lost its turn
/// at once).
#[test]
fn a_seat_may_answer_before_a_dismissed_seat_is_acted_for() {
    for answers in [true, false] {
        let mut table = eights(&[]);
        let (victim, next, last) = (1, 2, 0);
        assert_eq!((table.referee().game().pending().skip_victim, table.mover()), (Some(seat(victim)), next));
        table.wrong(next, ConductFault::Gone);
        assert!(table.is_dismissed(next) && table.runs(Timer::Reaction));
        if answers {
            play(&mut table, victim);
            assert_eq!(table.referee().game().pending().skip_victim, Some(seat(next)), "the seat after it");
        }
        table.time(Timer::Reaction);
        let victim = table.referee().game().pending().skip_victim;
        match answers {
            true => assert_eq!((table.mover(), victim), (last, Some(seat(next)))),
            // It has played an eight of its own (G-04).
            false => assert_eq!((table.mover(), victim), (1, Some(seat(last)))),
        }
        while !table.finished() {
            step(&mut table);
        }
        table.finish();
    }
}

/// SPEC 7.12: so is the end of a closing time, even where no card moves with it: the next dealer deals by itself.
#[test]
fn seats_are_asked_when_the_closing_time_is_over() {
    let (settings, seats) = (vec!["dealing=dealer", "deal.cards=2"], vec![Ok(ready_for_ticks()); 3]);
    let setup = Setup { rules: "snap", settings, rounds: 2, clock: ClockMode::Live, seats, ..Setup::default() };
    let mut table = Table::new(setup);
    while !table.runs(Timer::Closing) {
        step(&mut table);
    }
    let asked = |table: &Table| -> Vec<usize> { (0..3).map(|whose| table.asks(whose).count()).collect() };
    let before = asked(&table);
    table.time(Timer::Closing);
    assert_eq!(table.referee().game().round(), 2);
    assert_eq!(asked(&table), before.into_iter().map(|count| count + 1).collect::<Vec<_>>());
}

/// A take moves a card (SPEC 7.7): the seat that has lost one sees its hand and the word that it may owe now.
#[test]
fn a_seat_whose_card_was_taken_is_asked_again() {
    let seats = vec![Ok(ready_for_ticks()); 3];
    let mut table = Table::new(Setup { rules: "snap", clock: ClockMode::Live, seats, ..Setup::default() });
    let mut taken = 0;
    while !table.finished() && taken < 3 {
        let take = (0..3).find_map(|by| {
            let ask = table.last_ask(by);
            let from = ask.legal.iter().find_map(|action| match action.verb {
                Verb::Take { from } => Some(from),
                _ => None,
            })?;
            Some((by, ask.id, from))
        });
        let Some((by, id, from)) = take else {
            step(&mut table);
            continue;
        };
        let before = table.last_ask(from.index()).id;
        table.answer(by, id, Verb::Take { from }, Meta::default());
        assert_ne!(table.last_ask(from.index()).id, before);
        taken += 1;
    }
    assert_eq!(taken, 3, "no card is taken");
}
