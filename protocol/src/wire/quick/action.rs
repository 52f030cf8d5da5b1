//! Common actions, as members of the lines that hold them: a card played, one drawn, a turn passed or an offer declined,
//! with one utterance at most. Rare verbs and choices are left to serde. A scanner that returns `None` leaves its
//! target meaningless; none of them knows whether an action is legal.

use crate::action::{Action, Choice, Verb};
use crate::card::{Card, Rank, Suit};
use crate::scan::Scan;
use crate::speech::{Say, Text};

/// A common action in the form in which `write_json` writes it.
#[inline(always)]
pub(super) fn scan_action(scan: &mut Scan<'_>) -> Option<Action> {
    scan.pass(b"{")?;
    scan_members(scan)
}

/// Reads a common action, in the form in which `write_json` writes it, into `action`, so that it is not moved afterwards.
/// With `None`, `action` holds nothing that means anything.
#[inline(always)]
pub fn scan_action_into(scan: &mut Scan<'_>, action: &mut Action) -> Option<()> {
    scan.pass(b"{")?;
    match scan_silent_verb(scan, &mut action.verb) {
        Some(()) => action.say = Say::Nothing,
        None => *action = scan_other_members(scan)?,
    }
    Some(())
}

/// The members of a common action and the closing bracket.
#[inline(always)]
pub(super) fn scan_members(scan: &mut Scan<'_>) -> Option<Action> {
    let mut verb = Verb::Pass;
    match scan_silent_verb(scan, &mut verb) {
        Some(()) => Some(verb.into()),
        None => scan_other_members(scan),
    }
}

/// As [`scan_members`], whatever is named and said.
fn scan_other_members(scan: &mut Scan<'_>) -> Option<Action> {
    scan.pass(br#""do":"#)?;
    let verb = match scan.word()? {
        b"play" => {
            scan.pass(br#","card":"#)?;
            let card = Card::from_bytes(scan.word()?)?;
            let choose = if scan.passes(br#","choose":"#) { Some(scan_choice(scan)?) } else { None };
            Verb::Play { card, choose }
        }
        b"draw" => Verb::Draw,
        b"pass" => Verb::Pass,
        b"wait" => Verb::Wait,
        _ => return None,
    };
    let say = if scan.passes(br#","say":"#) { scan_say(scan)? } else { Say::Nothing };
    scan.pass(b"}")?;
    Some(Action { verb, say })
}

/// A card played, with which at most a suit is named, a card drawn or a pass, where nothing is said.
#[inline(always)]
fn scan_silent_verb(scan: &mut Scan<'_>, verb: &mut Verb) -> Option<()> {
    let Some(play) = scan.0.strip_prefix(br#""do":"play","card":""#) else {
        *verb = match scan.passes(br#""do":"draw"}"#) {
            true => Verb::Draw,
            false => scan.pass(br#""do":"pass"}"#).map(|()| Verb::Pass)?,
        };
        return Some(());
    };
    let (card, rest) = play.split_first_chunk::<2>()?;
    let (choose, rest) = match rest.strip_prefix(br#""}"#) {
        Some(rest) => (None, rest),
        None => {
            let (suit, rest) = rest.strip_prefix(br#"","choose":{"suit":""#)?.split_first()?;
            (Some(Choice::Suit(Suit::from_byte(*suit)?)), rest.strip_prefix(br#""}}"#)?)
        }
    };
    *verb = Verb::Play { card: Card::from_bytes(card)?, choose };
    scan.0 = rest;
    Some(())
}

/// What is named with a card.
fn scan_choice(scan: &mut Scan<'_>) -> Option<Choice> {
    scan.pass(b"{")?;
    let kind = scan.word()?;
    scan.pass(b":")?;
    let letter = scan.text()?;
    scan.pass(b"}")?;
    match kind {
        b"suit" => Some(Choice::Suit(letter.parse::<Suit>().ok()?)),
        b"rank" => Some(Choice::Rank(letter.parse::<Rank>().ok()?)),
        _ => None,
    }
}

/// One utterance.
fn scan_say(scan: &mut Scan<'_>) -> Option<Say> {
    scan.pass(b"[")?;
    let word = Text::try_from(scan.text()?).ok()?;
    scan.pass(b"]")?;
    Some(Say::One(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_read_as_they_were_or_left_to_serde() {
        let cards = [Card::JOKER, Card::from_code("7H").expect("a card"), Card::from_code("JS").expect("a card")];
        let choices = [None, Some(Choice::Suit(Suit::Clubs)), Some(Choice::Rank("7".parse().expect("a rank")))];
        let plays = cards.into_iter().flat_map(|card| choices.map(|choose| Verb::Play { card, choose }));
        let word = |word: &str| Text::try_from(word).expect("short");
        for verb in plays.chain([Verb::Draw, Verb::Pass, Verb::Wait, Verb::Look]) {
            let is_usual_verb = verb != Verb::Look;
            for (say, is_usual) in [
                (Say::Nothing, is_usual_verb),
                (Say::One(word("mau")), is_usual_verb),
                (Say::One(word("\"b\"")), false),
                (Say::Many(Box::new([word("a"), word("b")])), false),
            ] {
                let action = Action { verb: verb.clone(), say };
                let written = serde_json::to_vec(&action).expect("a JSON form");
                let found = scan_action(&mut Scan(&written));
                assert_eq!(found, is_usual.then(|| action.clone()), "{action:?}");
            }
        }
    }
}
