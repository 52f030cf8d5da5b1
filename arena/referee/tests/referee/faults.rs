//! The fault table (SPEC §6), row by row, as a running game carries it out. That the table agrees with SPEC is tested
//! beside the code.

use maumau_protocol::fault::ConductFault::{self, *};
use maumau_protocol::limits::{
    MAX_IDLE_ANSWERS, MAX_LINES_PER_ASK, MAX_MISSED_IN_A_ROW, MAX_NOTE_BYTES, MAX_NOTES_BYTES_PER_GAME,
    MAX_NOTES_PER_GAME,
};
use maumau_protocol::message::AskId;
use maumau_protocol::{Card, Choice, Stand, Suit, Text, Verb};
use maumau_referee::faults::sentence;
use maumau_referee::record::Entry;
use maumau_referee::{Blame, Input};

use crate::table::{Finished, Setup, Table, ready, ready_for_ticks};

/// How a seat commits a fault.
enum How {
    /// The line itself is wrong, as the host has found.
    Line,
    /// By an answer that the script makes.
    Answer(fn(&mut Table, usize)),
    /// By not answering.
    Silence,
    /// Before the game.
    Start,
}
use How::{Answer, Line, Silence, Start};

const ROWS: [(ConductFault, How); 15] = [
    (LineTooLong, Line),
    (Flood, Answer(flood)),
    (NotJson, Line),
    (WrongShape, Line),
    (UnknownVerb, Line),
    (OutOfPlace, Line),
    (UnknownGame, Line),
    (StaleId, Answer(answer_again)),
    (UnknownId, Answer(answer_unasked)),
    (NotInHand, Answer(play_card_not_held)),
    (WrongChoice, Answer(name_suit_for_plain_card)),
    (NotAnAnswer, Answer(wait_in_turn)),
    (Gone, Line),
    (NotStarted, Start),
    (Silent, Silence),
];

fn flood(table: &mut Table, seat: usize) {
    for _ in 0..=MAX_LINES_PER_ASK {
        table.note(seat, "still thinking".into());
    }
}

fn answer_again(table: &mut Table, seat: usize) {
    let before = table.asks(seat).nth_back(1).expect("an earlier ask").id;
    table.answer(seat, before, Verb::Draw, Default::default());
}

fn answer_unasked(table: &mut Table, seat: usize) {
    table.answer(seat, AskId(0), Verb::Draw, Default::default());
}

fn play_card_not_held(table: &mut Table, seat: usize) {
    let card = table.card_not_held(seat);
    table.act(seat, Verb::Play { card, choose: None });
}

fn name_suit_for_plain_card(table: &mut Table, seat: usize) {
    let hand = table.last_ask(seat).view.expect("a view").hand;
    let plain = hand.into_iter().find(|card| card.rank().is_some_and(|rank| rank.letter() != 'J'));
    let card = plain.expect("a hand of more than jacks");
    table.act(seat, Verb::Play { card, choose: Some(Choice::Suit(Suit::Clubs)) });
}

fn wait_in_turn(table: &mut Table, seat: usize) {
    table.act(seat, Verb::Wait);
}

/// True if it is time for the fault.
type Moment = fn(&Table) -> bool;

/// The moment of a game at which a fault happens.
const MOMENTS: [(&str, Moment); 3] = [
    ("at its second ask", |table| table.asks(1).count() == 2),
    ("in the middle", |table| table.asks(1).count() == 4),
    ("when the other seat holds one card", |table| {
        table.asks(1).count() > 1 && table.mover() == 1 && table.referee().game().hand(crate::table::seat(0)).len() == 1
    }),
];

/// Seat 1 plays until `moment`, then commits the fault `times` times; then the game is played to the end.
fn commit(fault: ConductFault, how: &How, moment: Moment, times: u32) -> (Table, AskId) {
    // Silence takes time.
    let rounds = if matches!(how, Silence) { 20 } else { 1 };
    if matches!(how, Start) {
        let seats = vec![Ok(ready()), Err("it is not there".to_owned())];
        return (Table::new(Setup { seed: 5, seats, ..Setup::default() }), AskId(0));
    }
    let mut table = Table::new(Setup { seed: 5, rounds, ..Setup::default() });
    table.play_until(moment);
    assert!(!table.finished(), "the moment came");
    assert_eq!(table.asked(), [1]);
    let asked = table.last_ask(1).id;
    for _ in 0..times {
        while table.asked() == [0] {
            table.answer_all();
        }
        match how {
            Line | Start => table.wrong(1, fault),
            Answer(act) => act(&mut table, 1),
            Silence => {
                for _ in 0..MAX_MISSED_IN_A_ROW {
                    table.play_until(|table| table.asked() == [1]);
                    table.deadline(1);
                }
            }
        }
    }
    (table, asked)
}

fn entries_of(finished: &Finished, wanted: fn(&Entry) -> bool) -> Vec<Entry> {
    finished.log.inputs.iter().map(|logged| logged.entry.clone()).filter(wanted).collect()
}

fn check(fault: ConductFault, how: &How, when: &str, moment: Moment) {
    let name = fault.name();
    let said = format!("{name} {when}");
    let sentence = sentence(fault);
    let (mut table, asked) = commit(fault, how, moment, 1);

    assert_eq!(table.referee().is_dismissed(crate::table::seat(1)), sentence.dismisses(), "{said}");
    let sent = table.faults(1);
    if matches!(fault, Gone | NotStarted) {
        assert_eq!(sent, [], "{said}: nobody is there to read it");
    } else {
        let [line] = &sent[..] else { panic!("{said}: one line of fault, not {sent:?}") };
        assert_eq!((line.fault.as_str(), line.clause.as_str()), (name, sentence.clause), "{said}");
        assert_eq!((line.strikes, line.cards, line.open), (1, 0, sentence.ask_stays_open()), "{said}");
        let judged_at_last = matches!(fault, NotInHand | WrongChoice | Silent);
        assert_eq!(line.id, (!judged_at_last).then_some(asked), "{said}");
    }
    if sentence.ask_stays_open() {
        assert_eq!(table.deadline_of(1), Some(asked), "{said}: the ask is still open");
    } else if !sentence.dismisses() && !table.finished() {
        assert_ne!(table.last_ask(1).id, asked, "{said}: a new ask follows");
    }
    table.play_out();
    let finished = table.finish();
    let slow = matches!(how, Silence).then_some(("slow", MAX_MISSED_IN_A_ROW));
    assert_eq!(finished.faults(1), [(name, 1)].into_iter().chain(slow).collect::<Vec<_>>(), "{said}");
    assert_eq!(finished.faults(0), [], "{said}: the other seat has no fault");
    let noted = entries_of(&finished, |entry| matches!(entry, Entry::Fault(_)));
    assert!(
        matches!(&noted[..], [Entry::Fault(entry)] if entry.fault == fault && entry.strikes == 1),
        "{said}: {noted:?}"
    );
    let dismissed = entries_of(&finished, |entry| matches!(entry, Entry::Dismissed(_)));
    assert_eq!(dismissed.len(), usize::from(sentence.dismisses()), "{said}");
}

#[test]
fn every_fault_is_a_strike_and_has_the_sentence_of_the_table() {
    assert_eq!(ROWS.each_ref().map(|(fault, _)| *fault), ConductFault::ALL);
    for (fault, how) in &ROWS {
        for (when, moment) in MOMENTS {
            check(*fault, how, when, moment);
        }
    }
}

#[test]
fn the_third_strike_dismisses_whatever_the_fault() {
    for (fault, how) in ROWS.iter().filter(|(fault, _)| !sentence(*fault).dismisses()) {
        let (mut table, _) = commit(*fault, how, |table| table.asks(1).count() == 2, 3);
        assert_eq!(table.dismissed, [None, Some(*fault)], "{}", fault.name());
        let last = table.faults(1).pop().expect("a fault line");
        assert_eq!((last.strikes, last.open), (3, false), "{}", fault.name());
        let lines = table.lines[1].len();
        table.play_out();
        assert_eq!(table.lines[1].len(), lines, "{}: nothing is sent any more, the end included", fault.name());
        let finished = table.finish();
        assert_eq!(finished.log.result.dismissed, [crate::table::seat(1)]);
        assert_eq!(finished.log.result.places[1], 2, "{}: behind everybody", fault.name());
        let stood_for = |entry: &&Entry| matches!(entry, Entry::Stand(stand) if stand.why == Stand::Dismissed && stand.seat.index() == 1);
        assert!(finished.entries().iter().filter(stood_for).count() > 0, "{}: it is played on", fault.name());
    }
}

#[test]
fn the_strike_limit_is_an_option() {
    for (setting, limit) in [("max_strikes=1", 1), ("max_strikes=5", 5)] {
        let mut table = Table::new(Setup { settings: vec![setting], ..Setup::default() });
        for strikes in 1..=limit {
            assert_eq!(table.dismissed[1], None);
            table.wrong(1, NotJson);
            assert_eq!(table.faults(1).len(), strikes);
        }
        assert_eq!(table.dismissed[1], Some(NotJson), "{setting}");
        assert_eq!(table.start(1).max_strikes as usize, limit);
    }
}

#[test]
fn strikes_are_counted_for_each_seat_and_while_another_seat_is_asked() {
    let mut table = Table::new(Setup::default());
    assert_eq!(table.asked(), [1]);
    table.wrong(0, NotJson);
    table.wrong(0, WrongShape);
    table.wrong(1, NotJson);
    assert_eq!(table.faults(0).iter().map(|fault| fault.strikes).collect::<Vec<_>>(), [1, 2]);
    assert!(table.faults(0).iter().all(|fault| fault.id.is_none() && !fault.open), "nothing was asked of it");
    assert_eq!(table.faults(1)[0].strikes, 1);
    table.wrong(0, NotJson);
    assert_eq!(table.dismissed, [Some(NotJson), None]);
    table.play_out();
    assert_eq!(table.finish().log.result.places, [2, 1]);
}

#[test]
fn a_second_answer_is_stale_also_while_others_are_waited_for() {
    let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()); 2], ..Setup::default() });
    assert_eq!(table.asked(), [0, 1]);
    let id = table.last_ask(1).id;
    let action = table.first_choice(1);
    table.act(1, action);
    assert_eq!(table.asked(), [0]);
    table.answer(1, id, Verb::Draw, Default::default());
    let fault = table.faults(1).pop().expect("a fault line");
    assert_eq!((fault.fault.as_str(), fault.strikes, fault.open), ("stale_id", 1, false));
    assert!(fault.message.contains(&id.to_string()), "{}", fault.message);
}

#[test]
fn an_answer_to_an_ask_before_the_last_one_is_stale_too() {
    let mut table = Table::new(Setup::default());
    let first = table.last_ask(1).id;
    table.play_until(|table| table.asks(1).count() == 3 && table.asked() == [1]);
    table.answer(1, first, Verb::Draw, Default::default());
    assert_eq!(table.faults(1).pop().expect("a fault line").fault, "stale_id");
}

#[test]
fn lines_sent_while_nothing_was_asked_are_not_counted_for_the_next_ask() {
    let mut table = Table::new(Setup::default());
    table.act(1, Verb::Draw);
    assert_eq!(table.asked(), [0]);
    for asked in [0, 1] {
        (0..MAX_LINES_PER_ASK - 1).for_each(|number| table.note(1, number.into()));
        table.play_until(|table| table.asked() == [1 - asked]);
    }
    assert_eq!(table.dismissed, [None, None]);
}

/// B-14, B-36: the wrong card of the next seat settles the Mau that was forgotten before.
#[test]
fn the_price_sent_is_that_of_the_seat_itself() {
    let wrong_card_after_a_forgotten_mau = |seed| {
        let mut table = Table::new(Setup { seed, ..Setup::default() });
        while !table.finished() {
            let (mover, seat) = (table.mover(), crate::table::seat);
            let game = table.referee().game();
            let (other, plays) = (1 - mover, game.legal(seat(mover)).plays);
            let wrong = game.hand(seat(mover)).cards().find(|card| !plays.contains(*card));
            if let (1, Some(card)) = (game.hand(seat(other)).len(), wrong) {
                table.act(mover, Verb::Play { card, choose: None });
                return Some((table.faults(mover).pop()?, table.referee().game().hand(seat(other)).len()));
            }
            table.act(mover, table.first_choice(mover).verb);
        }
        None
    };
    let (fault, held) = (1..50).find_map(wrong_card_after_a_forgotten_mau).expect("a Mau that is forgotten");
    assert_eq!((fault.fault.as_str(), fault.cards, held), ("wrong_card", 2, 3));
}

#[test]
fn sixty_four_lines_for_one_ask_are_allowed_and_counted_anew_for_the_next() {
    let mut table = Table::new(Setup::default());
    for _ in 0..3 {
        table.play_until(|table| table.asked() == [1]);
        for number in 0..MAX_LINES_PER_ASK - 1 {
            table.note(1, number.into());
        }
        table.answer_all();
    }
    assert_eq!(table.dismissed, [None, None]);
}

#[test]
fn an_agent_that_is_gone_is_gone_however_many_lines_it_sent() {
    let mut table = Table::new(Setup::default());
    for number in 0..MAX_LINES_PER_ASK {
        table.note(1, number.into());
    }
    table.wrong(1, Gone);
    assert_eq!(table.dismissed[1], Some(Gone));
}

#[test]
fn notes_over_the_limit_are_dropped_and_counted() {
    let mut table = Table::new(Setup { seed: 3, rounds: 10_000, ..Setup::default() });
    let mut sent = 0;
    while sent < MAX_NOTES_PER_GAME + 7 {
        table.play_until(|table| table.asked() == [1]);
        for _ in 0..60 {
            table.note(1, serde_json::json!({ "evaluation": sent }));
            sent += 1;
        }
        table.answer_all();
    }
    table.wrong(0, Gone);
    table.wrong(1, Gone);
    let finished = table.finish();
    let kept = entries_of(&finished, |entry| matches!(entry, Entry::Note(_)));
    assert_eq!(kept.len() as u32, MAX_NOTES_PER_GAME);
    assert_eq!(finished.tallies[1].notes_dropped, sent - MAX_NOTES_PER_GAME);
}

#[test]
fn notes_are_bounded_by_their_bytes_as_well() {
    let mut table = Table::new(Setup::default());
    table.play_until(|table| table.asked() == [1]);
    // The maximum length of a note, including its two quotes.
    let large = "x".repeat(MAX_NOTE_BYTES - 2);
    let many = MAX_NOTES_BYTES_PER_GAME / MAX_NOTE_BYTES - 1;
    for note in std::iter::repeat_n(large.as_str(), many).chain(["", large.as_str(), &large[2..], ""]) {
        table.note(1, note.into());
    }
    table.wrong(0, Gone);
    table.wrong(1, Gone);
    let finished = table.finish();
    let kept = entries_of(&finished, |entry| matches!(entry, Entry::Note(_)));
    assert_eq!(kept.len(), many + 2, "one is too long for what is left, and the next one fits exactly");
    assert!(matches!(kept.last(), Some(Entry::Note(last)) if last.note == large[2..]), "nothing fits after it");
    assert_eq!(finished.tallies[1].notes_dropped, 2);
}

#[test]
fn a_rule_fault_is_sent_with_its_price_and_is_no_strike() {
    // seat, setting, what it plays, name, cards
    for (setting, cards) in [("misplay=2", 2), ("misplay=0", 0), ("misplay=5", 5)] {
        let mut table = Table::new(Setup { settings: vec![setting], ..Setup::default() });
        table.wrong(1, NotJson);
        let legal = table.referee().game().legal(crate::table::seat(1));
        let hand = table.last_ask(1).view.expect("a view").hand;
        let card = hand.into_iter().find(|card| !legal.plays.contains(*card)).expect("a card that does not fit");
        table.act(1, Verb::Play { card, choose: None });
        let fault = table.faults(1).pop().expect("a fault line");
        assert_eq!((fault.fault.as_str(), fault.cards, fault.strikes), ("wrong_card", cards, 1), "{setting}");
        assert_eq!(table.asked(), [usize::from(cards == 0)], "{setting}: the turn is over where it costs something");
        table.play_out();
        assert_eq!(table.finish().faults(1), [("not_json", 1), ("wrong_card", 1)]);
    }
}

/// SPEC 6.2: whatever the lines are, and however often an ask was void.
#[test]
fn the_line_after_sixty_four_is_a_flood_whatever_it_is() {
    type Send = fn(&mut Table);
    let last: [(&str, Send); 4] = [
        ("a note", |table| table.note(1, 0.into())),
        ("an answer", |table| table.answer_all()),
        ("a faulty line", |table| table.wrong(1, NotJson)),
        ("a note after a void deadline", |table| {
            table.missed(1, Blame::Host);
            table.note(1, 0.into());
        }),
    ];
    for (what, send) in last {
        let mut table = Table::new(Setup { settings: vec!["max_strikes=100"], ..Setup::default() });
        assert_eq!(table.asked(), [1]);
        for number in 0..MAX_LINES_PER_ASK / 2 {
            table.note(1, number.into());
            table.wrong(1, NotJson);
        }
        assert_eq!(table.dismissed[1], None, "{what}");
        send(&mut table);
        assert_eq!(table.dismissed[1], Some(Flood), "{what}");
    }
}

#[test]
fn lines_are_counted_anew_once_an_answer_has_been_taken_up() {
    let mut table = Table::new(Setup::default());
    for number in 0..MAX_LINES_PER_ASK - 1 {
        table.note(1, number.into());
    }
    table.act(1, Verb::Draw);
    assert_eq!(table.asked(), [0]);
    for number in 0..MAX_LINES_PER_ASK {
        table.note(1, number.into());
    }
    assert_eq!(table.dismissed[1], None);
    table.note(1, 0.into());
    assert_eq!(table.dismissed[1], Some(Flood));
}

#[test]
fn the_beginning_of_a_faulty_line_stands_beside_its_fault() {
    let mut table = Table::new(Setup::default());
    let line = Some("{\"type\":".into());
    table.input(Input::Wrong { seat: crate::table::seat(1), fault: NotJson, message: "so it is".to_owned(), line });
    table.play_out();
    let finished = table.finish();
    let of_fault = finished.log.inputs.iter().find(|logged| matches!(logged.entry, Entry::Fault(_)));
    assert_eq!(of_fault.and_then(|logged| logged.meta.line.as_deref()), Some("{\"type\":"));
}

/// What a seat sent before it was lost is still taken up, but the seat pays for nothing and is sent nothing (SPEC 9.6).
#[test]
fn an_answer_of_a_seat_that_was_lost_since_costs_it_nothing() {
    let not_held: fn(&Table) -> Card = |table| table.card_not_held(1);
    let not_fitting: fn(&Table) -> Card = |table| {
        let legal = table.referee().game().legal(crate::table::seat(1));
        let mut hand = table.referee().game().hand(crate::table::seat(1)).cards();
        hand.find(|card| !legal.plays.contains(*card)).expect("a card that does not fit")
    };
    for (card, counted) in [(not_held, &[("gone", 1)][..]), (not_fitting, &[("gone", 1), ("wrong_card", 1)])] {
        let mut table = Table::new(Setup { seats: vec![Ok(ready_for_ticks()); 2], ..Setup::default() });
        assert_eq!((table.asked(), table.mover()), (vec![0, 1], 1));
        let card = card(&table);
        table.act(1, Verb::Play { card, choose: None });
        table.wrong(1, Gone);
        let lines = table.lines[1].len();
        table.note(1, "from the dead".into());
        table.act(0, Verb::Wait);
        table.play_out();
        assert_eq!(table.lines[1].len(), lines, "{card}: nothing is sent any more");
        let finished = table.finish();
        assert_eq!(finished.faults(1), counted, "{card}");
        assert!(!finished.entries().iter().any(|entry| matches!(entry, Entry::Note(_))), "{card}");
    }
}

/// SPEC 7.7: answers of a seat that the game waits for, none of which moves anything.
#[test]
fn a_seat_that_moves_nothing_is_too_slow_after_so_many_answers_and_again_after_as_many() {
    let mut table = Table::new(Setup { settings: vec!["play_after_draw=true"], ..Setup::default() });
    for turn in 1..=2 {
        let mover = table.mover();
        for _ in 0..=MAX_IDLE_ANSWERS {
            assert_eq!(table.mover(), mover, "turn {turn}");
            table.act(mover, Verb::Say { text: Text::fixed("well") });
        }
        assert_ne!(table.mover(), mover, "turn {turn}");
    }
}
