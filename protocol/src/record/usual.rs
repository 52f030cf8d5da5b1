//! The entries that make up most of a record, written without detours: the bytes that
//! [`write_json`](crate::json::write_json) comes to by way of names, members and checks for escapes.

use super::{ActEntry, expect_json, write};
use crate::card::Card;
use crate::event::{DrawReason, Event, EventNumber};
use crate::seat::Seat;
use crate::wire::write_action;

/// Adds the JSON of the entry of an act to `out`.
pub(super) fn write_act(act: &ActEntry, out: &mut Vec<u8>) {
    let ActEntry { seat, as_of, action } = act;
    out.extend_from_slice(br#"{"entry":"act","seat":"#);
    write_seat(*seat, out);
    out.extend_from_slice(br#","as_of":"#);
    write_number(as_of.0.into(), out);
    out.extend_from_slice(br#","action":"#);
    expect_json(write_action(out, action));
    out.push(b'}');
}

/// Adds the JSON of the entry of an event to `out`.
pub fn write_event(n: EventNumber, event: &Event, out: &mut Vec<u8>) {
    if write_usual(n, event, out) {
        return;
    }
    // The members of an event go behind the entry's own without the detour of a flattened member.
    out.extend_from_slice(b"{\"entry\":\"event\",\"n\":");
    write_number(n.0.into(), out);
    let bracket = out.len();
    write(out, event);
    out[bracket] = b',';
}

/// The same if the event is one of the usual ones; otherwise nothing is added.
fn write_usual(n: EventNumber, event: &Event, out: &mut Vec<u8>) -> bool {
    let mut begin = |name_and_seat: &[u8], seat: &Seat| {
        out.extend_from_slice(br#"{"entry":"event","n":"#);
        write_number(n.0.into(), out);
        out.extend_from_slice(name_and_seat);
        write_seat(*seat, out);
    };
    match event {
        Event::Played { seat, card, choose: None } => {
            begin(br#","event":"played","seat":"#, seat);
            out.extend_from_slice(br#","card":""#);
            out.extend_from_slice(&card.code());
            out.extend_from_slice(br#""}"#);
        }
        Event::Drew { seat, card: Some(card), why, sealed: false } => {
            begin(br#","event":"drew","seat":"#, seat);
            out.extend_from_slice(br#","card":""#);
            out.extend_from_slice(&card.code());
            out.extend_from_slice(match why {
                DrawReason::Turn => br#"","why":"turn"}"#,
                DrawReason::Owed => br#"","why":"owed"}"#,
                DrawReason::Shortage => br#"","why":"shortage"}"#,
            });
        }
        Event::Skipped { seat } => {
            begin(br#","event":"skipped","seat":"#, seat);
            out.push(b'}');
        }
        Event::Passed { seat } => {
            begin(br#","event":"passed","seat":"#, seat);
            out.push(b'}');
        }
        Event::Dealt { seat, count, cards: Some(cards), sealed: false } => {
            begin(br#","event":"dealt","seat":"#, seat);
            out.extend_from_slice(br#","count":"#);
            write_number((*count).into(), out);
            out.extend_from_slice(br#","cards":"#);
            write_cards(cards, out);
            out.push(b'}');
        }
        Event::Scored { seat, hand, points, total } => {
            begin(br#","event":"scored","seat":"#, seat);
            out.extend_from_slice(br#","hand":"#);
            write_cards(hand, out);
            out.extend_from_slice(br#","points":"#);
            write_number((*points).into(), out);
            out.extend_from_slice(br#","total":"#);
            write_number((*total).into(), out);
            out.push(b'}');
        }
        _ => return false,
    }
    true
}

#[inline]
fn write_seat(seat: Seat, out: &mut Vec<u8>) {
    write_number(seat.index() as i64, out);
}

#[inline]
fn write_number(number: i64, out: &mut Vec<u8>) {
    match number {
        0..10 => out.push(b'0' + number as u8),
        10..100 => out.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
        _ => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}

#[inline]
fn write_cards(cards: &[Card], out: &mut Vec<u8>) {
    out.push(b'[');
    for (place, card) in cards.iter().enumerate() {
        let [rank, suit] = card.code();
        let piece = [b',', b'"', rank, suit, b'"'];
        out.extend_from_slice(if place == 0 { &piece[1..] } else { &piece });
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, EventEntry, write_entry};
    use super::*;
    use crate::action::{Action, Choice, Verb};
    use crate::card::Suit;
    use crate::json::write_json;
    use crate::speech::Say;

    /// What is written is what the general writer writes, brackets moved; whether it was one of the usual ones.
    fn is_usual(entry: &Entry) -> bool {
        let (mut usual, mut full) = (Vec::new(), Vec::new());
        write_entry(entry, &mut usual);
        write_json(&mut full, entry).expect("a JSON form");
        assert_eq!(String::from_utf8(usual), String::from_utf8(full), "{entry:?}");
        let mut out = Vec::new();
        matches!(entry, Entry::Event(EventEntry { n, event }) if write_usual(*n, event, &mut out))
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
                        (Event::Played { seat, card, choose: None }, true),
                        (Event::Played { seat, card, choose }, false),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Turn, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Owed, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Shortage, sealed: false }, true),
                        (Event::Drew { seat, card: Some(card), why: DrawReason::Turn, sealed: true }, false),
                        (Event::Drew { seat, card: None, why: DrawReason::Turn, sealed: false }, false),
                        (Event::TurnedUp { card }, false),
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
