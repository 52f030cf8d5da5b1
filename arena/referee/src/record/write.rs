//! Writes entries: with the general JSON writer, and for the entries that make up most of a record with a faster one
//! that skips the general handling of names, members and escapes and writes the same bytes. It appends to a buffer;
//! `chain` hashes what was written, and no file is opened.

use maumau_protocol::scan::usual;
use maumau_protocol::{Card, Direction, DrawReason, Event, EventNumber, RoundEnd, Seat, write_json};
use serde::Serialize;

use super::format::{ActEntry, Entry, EventEntry};

/// Adds the JSON of an entry to `out`.
pub fn write_entry(entry: &Entry, out: &mut Vec<u8>) {
    match entry {
        Entry::Act(act) => write_act(act, out),
        Entry::Event(EventEntry { n, event }) => write_event(*n, event, out),
        other => write(out, other),
    }
}

fn write<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    expect_json(write_json(out, value));
}

/// Serialising these types into memory cannot fail: their maps have text keys and nothing is written elsewhere.
#[allow(clippy::expect_used)]
pub(crate) fn expect_json(written: serde_json::Result<()>) {
    written.expect("record types have a JSON form");
}

/// Adds the JSON of the entry of an act to `out`.
fn write_act(act: &ActEntry, out: &mut Vec<u8>) {
    let ActEntry { seat, as_of, action } = act;
    out.extend_from_slice(br#"{"entry":"act","seat":"#);
    put_seat(*seat, out);
    out.extend_from_slice(br#","as_of":"#);
    put_number(as_of.0.into(), out);
    out.extend_from_slice(br#","action":"#);
    expect_json(write_json(out, action));
    out.push(b'}');
}

/// Adds the JSON of the entry of an event to `out`.
pub fn write_event(n: EventNumber, event: &Event, out: &mut Vec<u8>) {
    if put_usual(n, event, out) {
        out.push(b'}');
        return;
    }
    // The members of an event are written after the entry's own, without a flattened member.
    out.extend_from_slice(b"{\"entry\":\"event\",\"n\":");
    put_number(n.0.into(), out);
    let bracket = out.len();
    write(out, event);
    out[bracket] = b',';
}

/// Adds the entry of an event to `out`, all but the closing brace, if it is one of the common ones; otherwise adds nothing.
#[inline]
fn put_usual(n: EventNumber, event: &Event, out: &mut Vec<u8>) -> bool {
    match event {
        Event::Played { seat, card, stands_for: None, choose: None } => {
            put_beginning(n, br#","event":"played","seat":"#, *seat, out);
            out.extend_from_slice(br#","card":"#);
            put_card(*card, out);
        }
        Event::Drew { seat, card: Some(card), why, sealed: false } => {
            put_beginning(n, br#","event":"drew","seat":"#, *seat, out);
            out.extend_from_slice(br#","card":"#);
            put_card(*card, out);
            out.extend_from_slice(match why {
                DrawReason::Turn => br#","why":"turn""#,
                DrawReason::Owed => br#","why":"owed""#,
                DrawReason::Shortage => br#","why":"shortage""#,
                DrawReason::Effect => br#","why":"effect""#,
            });
        }
        Event::Skipped { seat } => put_beginning(n, br#","event":"skipped","seat":"#, *seat, out),
        Event::Passed { seat } => put_beginning(n, br#","event":"passed","seat":"#, *seat, out),
        Event::Dealt { seat, count, cards: Some(cards), sealed: false } => {
            put_beginning(n, br#","event":"dealt","seat":"#, *seat, out);
            out.extend_from_slice(br#","count":"#);
            put_number((*count).into(), out);
            out.extend_from_slice(br#","cards":"#);
            put_cards(cards, out);
        }
        Event::Scored { seat, hand, points, total } => {
            put_beginning(n, br#","event":"scored","seat":"#, *seat, out);
            out.extend_from_slice(br#","hand":"#);
            put_cards(hand, out);
            out.extend_from_slice(br#","points":"#);
            put_number((*points).into(), out);
            out.extend_from_slice(br#","total":"#);
            put_number((*total).into(), out);
        }
        Event::Said { seat, text, apart: false } if usual(text.as_str().as_bytes()) == text.as_str().len() => {
            put_beginning(n, br#","event":"said","seat":"#, *seat, out);
            out.extend_from_slice(br#","text":""#);
            out.extend_from_slice(text.as_str().as_bytes());
            out.push(b'"');
        }
        Event::RoundStarted { round, dealer, direction } => {
            put_name(n, br#","event":"round_started","round":"#, out);
            put_number((*round).into(), out);
            out.extend_from_slice(br#","dealer":"#);
            put_seat(*dealer, out);
            put_direction(*direction, out);
        }
        Event::TurnedUp { card } => {
            put_name(n, br#","event":"turned_up","card":"#, out);
            put_card(*card, out);
        }
        Event::Reversed { direction } => {
            put_name(n, br#","event":"reversed""#, out);
            put_direction(*direction, out);
        }
        Event::Reshuffled { count } => {
            put_name(n, br#","event":"reshuffled","count":"#, out);
            put_number((*count).into(), out);
        }
        Event::RoundOver { winners, end } => {
            put_name(n, br#","event":"round_over","winners":"#, out);
            put_list(winners.iter(), put_seat, out);
            out.extend_from_slice(match end {
                RoundEnd::Won => br#","end":"won""#,
                RoundEnd::TurnCap => br#","end":"turn_cap""#,
                RoundEnd::Blocked => br#","end":"blocked""#,
            });
        }
        Event::MatchOver { winners } => {
            put_name(n, br#","event":"match_over","winners":"#, out);
            put_list(winners.iter(), put_seat, out);
        }
        _ => return false,
    }
    true
}

/// The beginning of an event, up to the number or name that follows `name`.
#[inline(always)]
fn put_name(n: EventNumber, name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"entry":"event","n":"#);
    put_number(n.0.into(), out);
    out.extend_from_slice(name);
}

/// The beginning of an event of a seat.
#[inline(always)]
fn put_beginning(n: EventNumber, name: &[u8], seat: Seat, out: &mut Vec<u8>) {
    put_name(n, name, out);
    put_seat(seat, out);
}

#[inline(always)]
fn put_card(card: Card, out: &mut Vec<u8>) {
    let [rank, suit] = card.code();
    out.push(b'"');
    out.push(rank);
    out.push(suit);
    out.push(b'"');
}

#[inline(always)]
fn put_seat(seat: Seat, out: &mut Vec<u8>) {
    put_number(seat.index() as i64, out);
}

#[inline(always)]
fn put_number(number: i64, out: &mut Vec<u8>) {
    let digit = |number: i64| b'0' + (number % 10) as u8;
    match number {
        0..10 => out.push(digit(number)),
        10..100 => {
            out.push(digit(number / 10));
            out.push(digit(number));
        }
        _ => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

#[inline(always)]
fn put_direction(direction: Direction, out: &mut Vec<u8>) {
    out.extend_from_slice(match direction {
        Direction::Clockwise => br#","direction":"cw""#,
        Direction::Counterclockwise => br#","direction":"ccw""#,
    });
}

#[inline]
fn put_cards(cards: &[Card], out: &mut Vec<u8>) {
    put_list(cards.iter().copied(), put_card, out);
}

#[inline(always)]
fn put_list<T>(items: impl Iterator<Item = T>, put: impl Fn(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(b'[');
    for (place, item) in items.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        put(item, out);
    }
    out.push(b']');
}

/// How many characters of an entry are shown.
const MAX_SHOWN: usize = 400;

/// An entry as it stands in a record, cut to the length of a message.
pub(crate) fn shown(entry: &Entry) -> String {
    let mut json = Vec::new();
    write_entry(entry, &mut json);
    shown_json(&json)
}

pub(crate) fn shown_json(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::{Action, Choice, MAX_SEATS, Say, SeatSet, Suit, Text, Verb};

    use super::*;

    /// Checks that the output equals the general writer's, brackets moved; returns whether it was one of the common entries.
    fn is_usual(entry: &Entry) -> bool {
        let (mut usual, mut full) = (Vec::new(), Vec::new());
        write_entry(entry, &mut usual);
        write_json(&mut full, entry).expect("a JSON form");
        assert_eq!(String::from_utf8(usual), String::from_utf8(full), "{entry:?}");
        let mut out = Vec::new();
        matches!(entry, Entry::Event(EventEntry { n, event }) if put_usual(*n, event, &mut out))
    }

    fn is_usual_event(n: EventNumber, event: Event) -> bool {
        is_usual(&Entry::Event(EventEntry { n, event }))
    }

    #[test]
    fn usual_entries_are_written_as_the_other_writer_writes_them() {
        let seat = |seat| Seat::new(seat).expect("a seat");
        let cards = [Card::JOKER, Card::from_code("7H").expect("a card")];
        let numbers = [0, 9, 10, 99, 100, u32::MAX].map(EventNumber);
        for n in numbers {
            for seat in [seat(0), seat(10)] {
                for card in cards {
                    let choose = Some(Choice::Suit(Suit::Clubs));
                    for (event, usual) in [
                        (Event::Played { seat, card, stands_for: None, choose: None }, true),
                        (Event::Played { seat, card, stands_for: None, choose }, false),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Turn, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Owed, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Shortage, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Effect, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Turn, sealed: true }, false),
                        (Event::Drew { seat, card: None, why: DrawReason::Turn, sealed: false }, false),
                        (Event::TurnedUp { card }, true),
                    ] {
                        assert_eq!(is_usual(&Entry::Event(EventEntry { n, event })), usual);
                    }
                    for verb in [Verb::Play { card, choose }, Verb::Draw] {
                        for say in [Say::Nothing, Say::word("mau")] {
                            let action = Action { verb: verb.clone(), say };
                            is_usual(&Entry::Act(ActEntry { seat, as_of: n, action }));
                        }
                    }
                }
                for direction in [Direction::Clockwise, Direction::Counterclockwise] {
                    assert!(is_usual_event(n, Event::RoundStarted { round: n.0, dealer: seat, direction }));
                    assert!(is_usual_event(n, Event::Reversed { direction }));
                }
                assert!(is_usual_event(n, Event::Reshuffled { count: n.0 as u16 }));
                for winners in [SeatSet::EMPTY, SeatSet::of(seat), SeatSet::all(MAX_SEATS)] {
                    for end in [RoundEnd::Won, RoundEnd::TurnCap, RoundEnd::Blocked] {
                        assert!(is_usual_event(n, Event::RoundOver { winners, end }));
                    }
                    assert!(is_usual_event(n, Event::MatchOver { winners }));
                }
                for (text, usual) in [
                    ("mau", true),
                    ("", true),
                    ("~ !", true),
                    ("\"", false),
                    ("\\", false),
                    ("\u{7f}", false),
                    ("ü", false),
                ] {
                    let text = Text::try_from(text).expect("short");
                    assert_eq!(is_usual_event(n, Event::Said { seat, text, apart: false }), usual);
                }
                for cards in [&cards[..], &cards[..1], &[]] {
                    let (count, cards) = (n.0 as u16, Box::<[Card]>::from(cards));
                    for (event, usual) in [
                        (Event::Skipped { seat }, true),
                        (Event::Passed { seat }, true),
                        (Event::Dealt { seat, count, cards: Some(cards.clone()), sealed: false }, true),
                        (Event::Dealt { seat, count, cards: Some(cards.clone()), sealed: true }, false),
                        (Event::Dealt { seat, count, cards: None, sealed: false }, false),
                        (Event::Scored { seat, hand: cards, points: n.0 as i32, total: -(n.0 as i32) }, true),
                    ] {
                        assert_eq!(is_usual(&Entry::Event(EventEntry { n, event })), usual);
                    }
                }
            }
        }
    }
}
