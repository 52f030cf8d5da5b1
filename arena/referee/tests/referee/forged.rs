//! Rewritten records with the right checksums: what no referee would have written is refused. Damage that a checksum
//! finds is in `damage`.

use maumau_protocol::fault::ConductFault::{self, Gone, NotAnAnswer, NotInHand, NotJson, NotStarted, Silent, StaleId};
use maumau_protocol::limits::{MAX_MISSED_IN_A_ROW, MAX_NOTE_BYTES, MAX_NOTES_BYTES_PER_GAME};
use maumau_protocol::message::ClockMode;
use maumau_protocol::{Elapse, EventNumber, Stand, Verb};
use maumau_referee::record::{
    ActEntry, Chain, DismissedEntry, ElapseEntry, Entry, EventEntry, FaultEntry, Frozen, Meta, Missed, NoteEntry,
    StandEntry,
};
use maumau_referee::{GameLog, Logged, Replay, Timer, Verifier, verify};

use crate::table::{Setup, Table, ready, seat, took};

/// The record that a log's inputs lead to, whether or not a referee would have taken them.
fn written(log: &GameLog) -> Vec<u8> {
    let (mut chain, mut record) = (Chain::default(), Vec::new());
    let mut replay = Replay::new(&log.header).expect("a table that can play");
    chain.write(&Entry::Header(Box::new(log.header.clone())), &Meta::default(), &mut record);
    let none = Logged { entry: Entry::Fault(fault(0, NotJson, 1)), meta: Meta::default() };
    for (number, logged) in std::iter::once(&none).chain(&log.inputs).enumerate() {
        if number > 0 {
            chain.write(&logged.entry, &logged.meta, &mut record);
            // If there is no such seat nothing follows.
            replay.take(&logged.entry).ok();
        }
        for (n, event) in replay.drain_events() {
            chain.write(&Entry::Event(EventEntry { n, event }), &Meta::default(), &mut record);
        }
    }
    chain.write(&Entry::Result(replay.result()), &Meta::default(), &mut record);
    chain.write_end(&mut record);
    record
}

/// The log as `written` writes it: with the result that its inputs lead to.
fn as_written(log: &GameLog) -> GameLog {
    let mut replay = Replay::new(&log.header).expect("a table that can play");
    // If there is no such seat nothing follows.
    log.inputs.iter().for_each(|logged| drop(replay.take(&logged.entry)));
    GameLog { result: replay.result(), ..log.clone() }
}

fn fault(whose: usize, fault: ConductFault, strikes: u8) -> FaultEntry {
    FaultEntry { seat: seat(whose), fault, message: "so it is".to_owned(), strikes }
}

fn dismissed(whose: usize, fault: ConductFault) -> Entry {
    Entry::Dismissed(DismissedEntry { seat: seat(whose), fault, message: "so it is".to_owned() })
}

fn plain(entry: Entry) -> Logged {
    Logged { entry, meta: Meta::default() }
}

fn elapse(what: Elapse, as_of: u32) -> Logged {
    plain(Entry::Elapse(ElapseEntry { what, as_of: EventNumber(as_of) }))
}

/// The index of the first input from `from` on that satisfies `like`.
fn place(log: &GameLog, from: usize, like: impl Fn(&Entry) -> bool) -> usize {
    let found = log.inputs.iter().skip(from).position(|logged| like(&logged.entry));
    from + found.expect("an input like this")
}

fn is_act(entry: &Entry) -> bool {
    matches!(entry, Entry::Act(_))
}

fn act_of(log: &mut GameLog, at: usize) -> &mut ActEntry {
    match &mut log.inputs[at].entry {
        Entry::Act(act) => act,
        other => panic!("{other:?} is no action"),
    }
}

/// The game as it is before an input.
fn before(log: &GameLog, at: usize) -> Replay {
    let mut replay = Replay::new(&log.header).expect("a table that can play");
    log.inputs[..at].iter().for_each(|logged| replay.take(&logged.entry).expect("seats of the table"));
    replay
}

fn refused(log: &GameLog, what: &str, words: &str, forge: impl FnOnce(&mut GameLog)) {
    let sound = written(log);
    assert_eq!(verify(&sound).map(|_| ()), Ok(()), "{what}: the log is sound before");
    let mut forged = log.clone();
    forge(&mut forged);
    assert_ne!(forged, *log, "{what}");
    let record = written(&forged);
    let mismatch = verify(&record).expect_err(what);
    assert!(mismatch.message.contains(words), "{what}: {mismatch}");
    let mut verifier = Verifier::default();
    let sound = verifier.check(&sound);
    assert!(sound.is_ok(), "{what}");
    assert_eq!(verifier.check(&record), Err(mismatch.clone()), "{what}");
    for round in 0..2 {
        // Without its record a log is found to be the same, whether or not the rules are known.
        let mut verifier = if round == 0 { Verifier::default() } else { verifier.clone() };
        assert_eq!(verifier.check_log(&as_written(&forged)).map(drop), Err(mismatch.clone()), "{what}");
        assert_eq!(verifier.check_log(&as_written(log)).map(|(sound, _)| sound), sound, "{what}");
    }
}

/// A lockstep game with something of everything: a faulty line, a note, a card that is not in the hand, missed deadlines, a
/// dismissal.
fn lockstep() -> GameLog {
    let mut table = Table::new(Setup { settings: vec!["deal.cards=4"], seed: 54, ..Setup::default() });
    table.note(1, "well".into());
    table.wrong(1, NotJson);
    table.answer_all();
    table.play_until(|table| table.asked() == [0]);
    let card = table.card_not_held(0);
    table.act(0, Verb::Play { card, choose: None });
    table.play_until(|table| table.asked() == [1]);
    table.deadline(1);
    table.play_until(|table| table.asked() == [1]);
    table.wrong(1, Gone);
    table.play_out();
    table.finish().log
}

/// A game with rules that have times.
fn timed(rules: &'static str, clock: ClockMode) -> GameLog {
    let settings = vec!["turn_cap=60"];
    let seats = vec![Ok(ready()); 3];
    let mut table = Table::new(Setup { rules, settings, seed: 3, clock, seats, ..Setup::default() });
    let mut turn = 0;
    while !table.finished() {
        turn += 1;
        match clock {
            ClockMode::Lockstep => {
                for asked in table.asked() {
                    // Words are left out, so that grace times pass.
                    let action = table.first_choice(asked);
                    match turn % 9 {
                        0 => table.deadline(asked),
                        _ => table.act(asked, action.verb),
                    }
                }
            }
            ClockMode::Live if turn % 9 == 0 && table.runs(Timer::Turn) => table.time(Timer::Turn),
            ClockMode::Live if turn % 3 == 0 && table.runs(Timer::Grace) => table.time(Timer::Grace),
            ClockMode::Live if turn == 40 => table.wrong(2, Gone),
            ClockMode::Live if table.runs(Timer::Closing) => table.time(Timer::Closing),
            ClockMode::Live => {
                let mover = table.mover();
                let ask = table.last_ask(mover);
                let verb = ask.legal.into_iter().map(|action| action.verb).find(|verb| *verb != Verb::Wait);
                table.answer(mover, ask.id, verb.expect("something to do"), Meta::default());
                if table.runs(Timer::Reaction) {
                    table.time(Timer::Reaction);
                }
            }
        }
    }
    table.finish().log
}

#[test]
fn faults_and_dismissals_are_those_of_the_fault_table() {
    let log = lockstep();
    let is_fault = |fault| move |entry: &Entry| matches!(entry, Entry::Fault(found) if found.fault == fault);
    let json = place(&log, 0, is_fault(NotJson));
    let hand = place(&log, 0, is_fault(NotInHand));
    let gone = place(&log, 0, is_fault(Gone));
    let last = log.inputs.len();
    let own = |logged: &mut Logged| match &mut logged.entry {
        Entry::Fault(fault) => fault.strikes = 99,
        other => panic!("{other:?} is no fault"),
    };
    let put = |at: usize, entry: Entry| move |log: &mut GameLog| log.inputs.insert(at, plain(entry));
    let take = |at: usize| move |log: &mut GameLog| drop(log.inputs.remove(at));

    refused(&log, "a seat that is not there", "seat 7 at a table of 2", put(json, Entry::Fault(fault(7, NotJson, 1))));
    refused(&log, "strikes out of nothing", "strike 99 of seat 1; expected strike 1", |log| own(&mut log.inputs[json]));
    refused(&log, "a fault recorded twice", "strike 1 of seat 1; expected strike 2", |log| {
        log.inputs.insert(json, log.inputs[json].clone());
    });
    refused(&log, "a fault left out", "expected strike 1", take(json));
    refused(&log, "a derived fault left out", "the fault not_in_hand of seat 0 follows", take(hand));
    refused(&log, "a derived fault of another", "the fault not_in_hand of seat 0 follows", |log| {
        log.inputs[hand].entry = Entry::Fault(fault(1, NotInHand, 2));
    });
    refused(&log, "a derived fault in other words", "the fault not_in_hand of seat 0 follows", |log| {
        log.inputs[hand].entry = Entry::Fault(fault(0, NotInHand, 1));
    });
    refused(
        &log,
        "a derived fault invented",
        "not_in_hand of seat 0 cannot be",
        put(hand + 1, Entry::Fault(fault(0, NotInHand, 2))),
    );
    refused(
        &log,
        "a late start",
        "not_started of seat 0 cannot be",
        put(hand + 1, Entry::Fault(fault(0, NotStarted, 2))),
    );
    refused(&log, "silence that was none", "silent of seat 1 cannot be", put(gone, Entry::Fault(fault(1, Silent, 2))));
    let found = |log: &GameLog| match &log.inputs[hand].entry {
        Entry::Fault(found) => found.clone(),
        other => panic!("{other:?} is no fault"),
    };
    let derived = FaultEntry { seat: seat(1), strikes: 2, ..found(&log) };
    let due = "the fault not_in_hand of seat 0 follows";
    refused(&log, "the same fault of another", due, |log| log.inputs[hand].entry = Entry::Fault(derived));
    refused(&log, "an action before a derived fault", due, |log| {
        let act = log.inputs[place(log, hand, is_act)].clone();
        log.inputs.insert(hand, act);
    });
    refused(&log, "a match that ends before a derived fault", due, |log| log.inputs.truncate(hand));
    refused(&log, "a dismissal of another", "is dismissed with the fault gone", |log| {
        if let Entry::Dismissed(dismissed) = &mut log.inputs[gone + 1].entry {
            dismissed.seat = seat(0);
        }
    });
    let react = Entry::Fault(fault(0, NotAnAnswer, 2));
    refused(&log, "no answer of a seat that need not answer", "not_an_answer of seat 0 cannot be", put(gone, react));
    refused(&log, "a dismissal without a fault", "seat 0 is dismissed without", put(json, dismissed(0, NotJson)));
    refused(&log, "a dismissal before the last strike", "dismissed without", put(json + 1, dismissed(1, NotJson)));
    refused(&log, "a dismissal without its fault", "dismissed without", take(gone));
    refused(&log, "a dismissal left out", "is dismissed with the fault gone", take(gone + 1));
    refused(&log, "a dismissal recorded twice", "dismissed without", |log| {
        log.inputs.insert(gone + 1, log.inputs[gone + 1].clone());
    });
    refused(&log, "a dismissal for something else", "is dismissed with the fault gone", |log| {
        log.inputs[gone + 1].entry = dismissed(1, Silent);
    });
    refused(
        &log,
        "a fault after the dismissal",
        "which was dismissed before",
        put(gone + 2, Entry::Fault(fault(1, NotJson, 3))),
    );
    let late = Entry::Note(NoteEntry { seat: seat(1), note: "hello".into() });
    refused(&log, "a note after the dismissal", "which was dismissed before", put(gone + 2, late));
    refused(&log, "an action after the dismissal", "seat 1 is to move and was dismissed", |log| {
        let first = place(log, gone, |entry| matches!(entry, Entry::Stand(_)));
        let at = place(log, first + 1, |entry| matches!(entry, Entry::Stand(_)));
        let as_of = before(log, at).game().last_event();
        log.inputs[at].entry = Entry::Act(ActEntry { seat: seat(1), as_of, action: Verb::Draw.into() });
    });
    let note = |bytes: usize| Entry::Note(NoteEntry { seat: seat(0), note: "x".repeat(bytes).into() });
    refused(&log, "a note that is too long", "more notes than are kept", put(json, note(5_000)));
    refused(&log, "too many notes", "more notes than are kept", |log| {
        (0..1_001).for_each(|_| log.inputs.insert(json, plain(note(1))));
    });
    refused(&log, "notes of too many bytes", "more notes than are kept", |log| {
        let many = MAX_NOTES_BYTES_PER_GAME / MAX_NOTE_BYTES + 1;
        (0..many).for_each(|_| log.inputs.insert(json, plain(note(MAX_NOTE_BYTES - 2))));
    });
    refused(&log, "a note after the end", "after the end of the match", put(last, note(1)));
    let end = Entry::Fault(fault(0, NotJson, 2));
    refused(&log, "a fault after the end", "after the end of the match", put(last, end));
    refused(&log, "a deadline of nobody", "seat 5 at a table of 2", |log| {
        let missed = Missed {
            seat: seat(5),
            took_us: None,
            cpu_us: None,
            waited_us: None,
            stalled_us: None,
            frozen: None,
            void: true,
        };
        log.inputs[json].meta.missed.push(missed);
    });
    for (from_us, to_us) in [(-5, None), (-5, Some(1)), (9, Some(12)), (9, None)] {
        let frozen = Some(Frozen { from_us, to_us });
        refused(
            &log,
            "a deadline that counts while its agent was stopped",
            "had stopped its agent while it was asked",
            |log| {
                let missed = Missed {
                    seat: seat(0),
                    took_us: None,
                    cpu_us: None,
                    waited_us: None,
                    stalled_us: None,
                    frozen,
                    void: false,
                };
                log.inputs[json].meta.missed.push(missed);
            },
        );
    }
}

#[test]
fn stamps_and_acts_in_lockstep_are_those_of_its_offers() {
    let log = lockstep();
    let act = place(&log, 6, is_act);
    let stamp = |number: u32| move |log: &mut GameLog| act_of(log, act).as_of = EventNumber(number);
    let now = match &log.inputs[act].entry {
        Entry::Act(act) => act.as_of.0,
        other => panic!("{other:?}"),
    };
    for number in [0, 1, now - 1, now + 1, 1_000_000] {
        refused(&log, "another stamp", "was not offered to act then", stamp(number));
    }
    refused(&log, "an action recorded twice", "was not offered to act then", |log| {
        log.inputs.insert(act, log.inputs[act].clone());
    });
    refused(&log, "an action recorded twice, with later stamps to match", "was not offered to act then", |log| {
        let twice = before(log, act + 1).game().last_event().0;
        log.inputs.insert(act, log.inputs[act].clone());
        let by = before(log, act + 2).game().last_event().0 - twice;
        for logged in &mut log.inputs[act + 2..] {
            if let Entry::Act(act) = &mut logged.entry {
                act.as_of.0 += by;
            }
        }
    });
    refused(&log, "wait", "never taken up", |log| act_of(log, act).action = Verb::Wait.into());
    refused(&log, "an action after the end", "after the end of the match", |log| {
        log.inputs.push(log.inputs[act].clone());
    });
    refused(&log, "a match that was cut", "the match goes on", |log| log.inputs.truncate(act));
    let stand = |whose: usize, why| plain(Entry::Stand(StandEntry { seat: seat(whose), why }));
    let slow = place(&log, 0, |entry| matches!(entry, Entry::Stand(stand) if stand.why == Stand::Slow));
    let played_on = place(&log, 0, |entry| matches!(entry, Entry::Stand(stand) if stand.why == Stand::Dismissed));
    let stopped = |to_us: Option<i64>| {
        move |log: &mut GameLog| log.inputs[slow].meta.frozen = Some(Frozen { from_us: -9, to_us })
    };
    refused(&log, "a slow agent that was stopped", "had stopped its agent while it was asked", stopped(None));
    refused(&log, "a slow agent that went on too late", "had stopped its agent while it was asked", stopped(Some(1)));
    let mut thawed = log.clone();
    stopped(Some(0))(&mut thawed);
    assert_eq!(verify(&written(&thawed)).map(drop), Ok(()), "it was stopped until it was asked");
    for (at, forged, words) in [
        (slow, stand(0, Stand::Slow), "is not to move"),
        (slow, stand(1, Stand::Dismissed), "which it is not"),
        (slow, stand(1, Stand::Refusals), "follows by itself"),
        (slow, stand(1, Stand::Absent), "follows by itself"),
        (slow, stand(9, Stand::Slow), "seat 9 at a table of 2"),
        (played_on, stand(1, Stand::Slow), "is slow, which was dismissed before"),
    ] {
        refused(&log, "another stand", words, |log| log.inputs[at] = forged);
    }
    let foreign = [Elapse::Grace, Elapse::Closing, Elapse::TurnLimit, Elapse::CountOfTen, Elapse::PointOfOrder];
    for what in foreign {
        refused(&log, "a time that these rules do not have", "no time of the kind", |log| {
            log.inputs.insert(act, elapse(what, now));
        });
    }
    refused(&log, "a reaction tick", "leaves no entry", |log| log.inputs.insert(act, elapse(Elapse::Reaction, now)));
}

#[test]
fn times_in_lockstep_are_those_that_its_offers_bring() {
    let log = timed("spam", ClockMode::Lockstep);
    let of = |what| move |entry: &Entry| matches!(entry, Entry::Elapse(elapse) if elapse.what == what);
    // An action that follows another of its tick, so that the tick is known, and that is not the last.
    let grace = (1..log.inputs.len() - 1).find(|at| match (&log.inputs[at - 1].entry, &log.inputs[*at].entry) {
        (Entry::Act(act), Entry::Elapse(elapse)) => elapse.what == Elapse::Grace && act.as_of == elapse.as_of,
        _ => false,
    });
    let grace = grace.expect("a grace time");
    let later = |log: &mut GameLog, at: usize, by: i64| match &mut log.inputs[at].entry {
        Entry::Elapse(elapse) => elapse.as_of.0 = (i64::from(elapse.as_of.0) + by) as u32,
        other => panic!("{other:?} is no time"),
    };
    refused(&log, "a grace time left out", "the grace time for words", |log| drop(log.inputs.remove(grace)));
    refused(&log, "a grace time of the future", "no offer was made", |log| later(log, grace, 1_000));
    let act = match &log.inputs[grace - 1].entry {
        Entry::Act(act) => act.clone(),
        other => panic!("{other:?} is no action"),
    };
    let (other, stamp) = ((act.seat.index() + 1) % 3, act.as_of);
    let words = format!("seat {other} acts as of event {}, and was not offered", stamp.0);
    refused(&log, "an answer after the end of its tick", &words, |log| {
        let action = Verb::Say { text: "hello".try_into().expect("a short text") }.into();
        log.inputs.insert(grace + 1, plain(Entry::Act(ActEntry { seat: seat(other), as_of: stamp, action })));
    });
    let seats = vec![Ok(ready()); 3];
    let mut snap = Table::new(Setup { rules: "snap", settings: vec!["deal.cards=2"], seats, ..Setup::default() });
    snap.play_out();
    let snap = snap.finish().log;
    let closing = place(&snap, 0, of(Elapse::Closing));
    refused(&snap, "a closing time as of before", "this time is over before an offer", |log| later(log, closing, -1));
    let limit = place(&log, 0, of(Elapse::TurnLimit));
    refused(&log, "a turn limit as of before", "as of the last event", |log| later(log, limit, -1));
    for why in [Stand::Slow, Stand::Dismissed] {
        let words = if why == Stand::Slow { "slowness is a turn limit" } else { "which it is not" };
        refused(&log, "a stand where there are turn limits", words, |log| {
            let seat = before(log, limit).game().waits_for().expect("a seat to move");
            log.inputs[limit].entry = Entry::Stand(StandEntry { seat, why });
        });
    }
}

#[test]
fn times_of_a_live_game_are_those_that_run() {
    let log = timed("snap", ClockMode::Live);
    let of = |what| move |entry: &Entry| matches!(entry, Entry::Elapse(elapse) if elapse.what == what);
    let later = |log: &mut GameLog, at: usize, by: i64| match &mut log.inputs[at].entry {
        Entry::Elapse(elapse) => elapse.as_of.0 = (i64::from(elapse.as_of.0) + by) as u32,
        other => panic!("{other:?} is no time"),
    };
    for (rules, what) in [("spam", Elapse::Grace), ("snap", Elapse::Reaction)] {
        let log = timed(rules, ClockMode::Live);
        let at = place(&log, 0, of(what));
        refused(&log, "another beginning", "began with event", |log| later(log, at, 1));
        // Words that became due with the event `at` were not due before it.
        let words = if what == Elapse::Grace { "no time of the kind" } else { "began with event" };
        refused(&log, "another beginning", words, |log| later(log, at, -1));
        refused(&log, "a time that passes twice", "no time of the kind", |log| {
            log.inputs.insert(at, log.inputs[at].clone())
        });
    }
    let act = place(&log, 5, is_act);
    for number in [0, 1, 1_000_000] {
        refused(&log, "another stamp", "no seat was asked as of", |log| act_of(log, act).as_of = EventNumber(number));
    }
    for what in [Elapse::CountOfTen, Elapse::PointOfOrder, Elapse::Closing] {
        refused(&log, "a time that does not run", "no time of the kind", |log| log.inputs.insert(act, elapse(what, 3)));
    }
    let stale = Entry::Fault(fault(0, StaleId, 1));
    refused(&log, "a fault of the other clock", "stale_id of seat 0 cannot be", |log| {
        log.inputs.insert(act, plain(stale))
    });
    refused(&log, "an answer that no ask demands", "not_an_answer of seat", |log| {
        let mover = before(log, act).game().waits_for().expect("a seat to move");
        log.inputs.insert(act, plain(Entry::Fault(fault(mover.index(), NotAnAnswer, 1))));
    });
    let stand = place(&log, 0, |entry| matches!(entry, Entry::Stand(stand) if stand.why == Stand::Dismissed));
    refused(&log, "a dismissed seat that nobody plays on", "the referee acts for it first", |log| {
        drop(log.inputs.remove(stand))
    });
    let gone = place(&log, 0, |entry| matches!(entry, Entry::Dismissed(_)));
    refused(&log, "an action after the dismissal", "which was dismissed before", |log| {
        let at = place(log, gone, is_act);
        act_of(log, at).seat = seat(2);
    });
}

/// SPEC 6.15: deadlines are counted in a row.
#[test]
fn a_seat_that_has_answered_meanwhile_is_not_silent() {
    let mut table = Table::new(Setup { rounds: 20, ..Setup::default() });
    let miss = |table: &mut Table| {
        table.play_until(|table| table.asked() == [1]);
        table.deadline(1);
    };
    (1..MAX_MISSED_IN_A_ROW).for_each(|_| miss(&mut table));
    table.play_until(|table| table.asked() == [1]);
    table.answer_all();
    miss(&mut table);
    let at = table.referee().logged().len();
    table.play_out();
    let log = table.finish().log;
    refused(&log, "silence that was broken", "silent of seat 1 cannot be", |log| {
        log.inputs.insert(at, plain(Entry::Fault(fault(1, Silent, 1))));
    });
}

/// While play closes no seat has to move, so none is slow (N-97).
#[test]
fn a_live_seat_is_slow_only_while_the_time_of_its_turn_runs() {
    let mut table = Table::new(Setup {
        rules: "snap",
        settings: vec!["turn.absent_limits=0", "deal.cards=2"],
        clock: ClockMode::Live,
        ..Setup::default()
    });
    while !table.finished() {
        crate::live::step(&mut table);
    }
    let log = table.finish().log;
    let closing = |entry: &Entry| matches!(entry, Entry::Elapse(elapse) if elapse.what == Elapse::Closing);
    let at = place(&log, 0, closing);
    refused(&log, "slowness in the closing time", "the time of the turn does not run", |log| {
        let seat = before(log, at).game().waits_for().expect("a seat that would move");
        log.inputs.insert(at, plain(Entry::Stand(StandEntry { seat, why: Stand::Slow })));
    });
}

/// In lockstep the referee still acts for the answers that were waited for, each once; on the live clock it does nothing more.
#[test]
fn a_match_without_agents_does_not_go_on() {
    for clock in [ClockMode::Lockstep, ClockMode::Live] {
        let mut table = Table::new(Setup { clock, ..Setup::default() });
        let mover = table.mover();
        table.wrong(1 - mover, Gone);
        table.wrong(mover, Gone);
        assert!(table.finished());
        let log = table.finish().log;
        refused(&log, "a match that goes on", "all seats are dismissed, and the match goes on", |log| {
            for _ in 0..2 {
                let seat = before(log, log.inputs.len()).game().waits_for().expect("a seat to move");
                log.inputs.push(plain(Entry::Stand(StandEntry { seat, why: Stand::Dismissed })));
            }
        });
    }
}

/// A seat whose agent is lost after missing its deadline, while another seat is waited for, is not slow as well.
#[test]
fn a_seat_that_is_lost_after_its_deadline_pays_nothing() {
    let seats = vec![Ok(crate::table::ready_for_ticks()); 3];
    let mut table = Table::new(Setup { seats, ..Setup::default() });
    let mover = table.mover();
    table.deadline(mover);
    table.wrong(mover, Gone);
    let other = table.asked();
    for seat in other {
        table.answer(seat, table.last_ask(seat).id, Verb::Wait, took(1));
    }
    table.play_out();
    let finished = table.finish();
    let stands = finished.log.inputs.iter().filter_map(|logged| match &logged.entry {
        Entry::Stand(stand) if stand.seat == seat(mover) => Some(stand.why),
        _ => None,
    });
    assert_eq!(stands.filter(|why| *why == Stand::Slow).count(), 0);
    assert_eq!(finished.faults(mover), [("gone", 1)]);
}
