//! The lines that make up nearly all traffic, in the form in which they nearly always come, read without detours. What is
//! read here is read the same way by the readers that take every form; everything else is left to them.

use crate::action::{Action, Choice, Verb};
use crate::card::{Card, Rank, Suit};
use crate::event::EventNumber;
use crate::json::write_json;
use crate::limits::MAX_LINE_BYTES;
use crate::message::{Act, Ask, AskId, GameId, What};
use crate::scan::Scan;
use crate::seat::Seat;
use crate::speech::{Say, Text};

/// An `act` in which a card is laid or one drawn, or the like, with one word at most; its members in any order, with or
/// without a space behind colons and commas. `known` knows a game from the bytes of its name.
pub(super) fn read_act(line: &[u8], known: impl FnOnce(&[u8]) -> Option<GameId>) -> Option<Act> {
    if line.len() >= MAX_LINE_BYTES {
        return None;
    }
    let mut scan = Scan(line);
    if let Some((name, id, action)) = read_in_order(scan) {
        return Some(Act { game: game_of(name, known)?, id, crash: None, action });
    }
    let (mut kind, mut game, mut id, mut verb, mut card) = (None, None, None, None, None);
    let (mut choose, mut say) = (None, None);
    scan.pass(b"{")?;
    loop {
        let name = scan.word()?;
        scan.pass(b":")?;
        scan.passes(b" ");
        let is_second = match name {
            b"type" => kind.replace(scan.word()?).is_some(),
            b"game" => game.replace(scan.word()?).is_some(),
            b"id" => id.replace(scan.word()?).is_some(),
            b"do" => verb.replace(scan.word()?).is_some(),
            b"card" => card.replace(scan.word()?).is_some(),
            b"choose" => choose.replace(scan_choice(&mut scan, b" ")?).is_some(),
            b"say" => say.replace(scan_say(&mut scan)?).is_some(),
            _ => return None,
        };
        if is_second {
            return None;
        }
        if !scan.passes(b",") {
            break;
        }
        scan.passes(b" ");
    }
    if scan.0 != b"}" || kind? != b"act" {
        return None;
    }
    let verb = match (verb?, card, choose) {
        (b"play", Some(card), choose) => Verb::Play { card: Card::from_bytes(card)?, choose },
        (b"draw", None, None) => Verb::Draw,
        (b"pass", None, None) => Verb::Pass,
        (b"wait", None, None) => Verb::Wait,
        _ => return None,
    };
    let id = AskId::from_digits(id?)?;
    let action = Action { verb, say: say.unwrap_or_default() };
    Some(Act { game: game_of(game?, known)?, id, crash: None, action })
}

/// The members of an `act` that come as this project's own agents write them.
fn read_in_order(mut scan: Scan<'_>) -> Option<(&[u8], AskId, Action)> {
    scan.pass(br#"{"type":"act","game":"#)?;
    let name = scan.word()?;
    scan.pass(br#","id":"#)?;
    let id = AskId::from_digits(scan.word()?)?;
    scan.pass(b",")?;
    let action = scan_members(&mut scan)?;
    scan.0.is_empty().then_some((name, id, action))
}

fn game_of(name: &[u8], known: impl FnOnce(&[u8]) -> Option<GameId>) -> Option<GameId> {
    match known(name) {
        Some(game) => Some(game),
        None => Some(GameId(std::str::from_utf8(name).ok()?.into())),
    }
}

/// Adds the JSON of `action` to `out`: the bytes of [`write_json`], for most actions without detours.
///
/// # Errors
/// As [`write_json`], which is never: an action always has a JSON form.
pub fn write_action(out: &mut Vec<u8>, action: &Action) -> Result<(), serde_json::Error> {
    match (&action.verb, &action.say) {
        (Verb::Play { card, choose: None }, Say::Nothing) => {
            let mut piece = *br#"{"do":"play","card":"  "}"#;
            piece[21..23].copy_from_slice(&card.code());
            out.extend_from_slice(&piece);
        }
        (Verb::Play { card, choose: Some(Choice::Suit(suit)) }, Say::Nothing) => {
            let mut piece = *br#"{"do":"play","card":"  ","choose":{"suit":" "}}"#;
            piece[21..23].copy_from_slice(&card.code());
            piece[43] = suit.letter() as u8;
            out.extend_from_slice(&piece);
        }
        (Verb::Draw, Say::Nothing) => out.extend_from_slice(br#"{"do":"draw"}"#),
        (Verb::Pass, Say::Nothing) => out.extend_from_slice(br#"{"do":"pass"}"#),
        (Verb::Wait, Say::Nothing) => out.extend_from_slice(br#"{"do":"wait"}"#),
        _ => return write_json(out, action),
    }
    Ok(())
}

/// The line of an `ask` as the arena writes it, without events and view, of which the game has been read. A process that
/// plays many games reads the rest into memory that it has.
#[derive(Clone, Copy)]
pub struct UsualAsk<'a> {
    /// The name of the game.
    pub game: &'a str,
    rest: Scan<'a>,
}

impl<'a> UsualAsk<'a> {
    /// `None` for any other line; that may be an ask in another form.
    pub fn of(line: &'a [u8]) -> Option<UsualAsk<'a>> {
        let mut scan = Scan(line);
        scan.pass(br#"{"type":"ask","game":"#)?;
        Some(UsualAsk { game: scan.text()?, rest: scan })
    }

    /// Puts everything but the game into `ask`. `false` where the line has another form after all; what `ask` holds then
    /// means nothing.
    pub fn read_into(self, ask: &mut Ask) -> bool {
        self.read(ask).is_some()
    }

    fn read(self, ask: &mut Ask) -> Option<()> {
        let mut scan = self.rest;
        scan.pass(br#","id":"#)?;
        ask.id = AskId::from_digits(scan.word()?)?;
        scan.pass(br#","seat":"#)?;
        ask.seat = Seat::new(usize::try_from(scan.number()?).ok()?)?;
        scan.pass(br#","what":"#)?;
        ask.what = match scan.word()? {
            b"turn" => What::Turn,
            b"react" => What::React,
            b"choose" => What::Choose,
            b"deal" => What::Deal,
            _ => return None,
        };
        scan.pass(br#","time_ms":"#)?;
        ask.time_ms = scan.number()?;
        scan.pass(br#","as_of":"#)?;
        ask.as_of = EventNumber(u32::try_from(scan.number()?).ok()?);
        ask.events.clear();
        ask.view = None;
        ask.legal.clear();
        if scan.passes(br#","legal":["#) {
            ask.legal.reserve(8);
            loop {
                ask.legal.push(scan_action(&mut scan)?);
                if !scan.passes(b",") {
                    break;
                }
            }
            scan.pass(b"]")?;
        }
        (scan.0 == b"}").then_some(())
    }
}

/// An `ask` as the arena writes it, without events and view.
pub(super) fn read_ask(line: &[u8]) -> Option<Ask> {
    let usual = UsualAsk::of(line)?;
    let mut ask = Ask::of(GameId(usual.game.into()));
    usual.read_into(&mut ask).then_some(ask)
}

/// An action in the very form in which it is written here: a card laid, one drawn, or the like, with one word at most.
#[inline(always)]
fn scan_action(scan: &mut Scan<'_>) -> Option<Action> {
    scan.pass(b"{")?;
    scan_members(scan)
}

/// The same, in the place of `action`, so that it is not moved once it has been put together; if there is none, what
/// `action` holds then means nothing.
#[inline(always)]
pub fn scan_action_into(scan: &mut Scan<'_>, action: &mut Action) -> Option<()> {
    scan.pass(b"{")?;
    match scan_silent_verb(scan, &mut action.verb) {
        Some(()) => action.say = Say::Nothing,
        None => *action = scan_other_members(scan)?,
    }
    Some(())
}

/// Its members and the closing bracket.
#[inline(always)]
fn scan_members(scan: &mut Scan<'_>) -> Option<Action> {
    let mut verb = Verb::Pass;
    match scan_silent_verb(scan, &mut verb) {
        Some(()) => Some(verb.into()),
        None => scan_other_members(scan),
    }
}

/// The same where more is said or done.
fn scan_other_members(scan: &mut Scan<'_>) -> Option<Action> {
    scan.pass(br#""do":"#)?;
    let verb = match scan.word()? {
        b"play" => {
            scan.pass(br#","card":"#)?;
            let card = Card::from_bytes(scan.word()?)?;
            let choose = if scan.passes(br#","choose":"#) { Some(scan_choice(scan, b"")?) } else { None };
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

/// A card that is laid, where at most a suit is named with it, one drawn or a pass, and nothing is said.
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

/// What is named with a card; `space` may stand behind the colon.
fn scan_choice(scan: &mut Scan<'_>, space: &[u8]) -> Option<Choice> {
    scan.pass(b"{")?;
    let kind = scan.word()?;
    scan.pass(b":")?;
    scan.passes(space);
    let letter = scan.text()?;
    scan.pass(b"}")?;
    match kind {
        b"suit" => Some(Choice::Suit(letter.parse::<Suit>().ok()?)),
        b"rank" => Some(Choice::Rank(letter.parse::<Rank>().ok()?)),
        _ => None,
    }
}

/// One word that is said.
fn scan_say(scan: &mut Scan<'_>) -> Option<Say> {
    scan.pass(b"[")?;
    let word = Text::try_from(scan.text()?).ok()?;
    scan.pass(b"]")?;
    Some(Say::One(word))
}

#[cfg(test)]
mod tests {
    use super::super::{AnyMessage, read_arena_message};
    use super::*;
    use crate::message::{AgentMessage, ArenaMessage};

    #[test]
    fn an_act_is_read_as_the_other_reader_reads_it_or_left_to_it() {
        let id = "00000000000000ff";
        for (line, is_usual) in [
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H"}}"#), true),
            (format!(r#"{{"type": "act", "game": "g", "id": "{id}", "do": "draw"}}"#), true),
            (format!(r#"{{"do":"pass","id":"{id}","game":"","type":"act"}}"#), true),
            (format!(r#"{{"type":"act","game":"other","id":"{id}","do":"wait"}}"#), true),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"wait"}} "#), false),
            (format!(r#" {{"type":"act","game":"g","id":"{id}","do":"wait"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","card":"7H"}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","say":["mau"]}}"#), true),
            (format!(r#"{{"say":["mau"],"type":"act","game":"g","id":"{id}","do":"draw"}}"#), true),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":["a","b"]}}"#), false),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":[]}}"#), false),
            (
                format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"S"}}}}"#),
                true,
            ),
            (
                format!(
                    r#"{{"type":"act","game":"g","id":"{id}","choose": {{"rank": "7"}}, "do":"play","card":"XX"}}"#
                ),
                true,
            ),
            (format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7H","x":"y"}}"#), false),
            (format!(r#"{{"type":"act","game":"\u0067","id":"{id}","do":"draw"}}"#), false),
            (format!(r#"{{"type":"act","game":"ü","id":"{id}","do":"draw"}}"#), false),
        ] {
            let full = serde_json::from_str::<AnyMessage>(&line).expect("an act").0;
            let known = |name: &[u8]| (name == b"g").then(|| GameId("g".into()));
            let usual = read_act(line.as_bytes(), known).map(AgentMessage::Act);
            assert_eq!(usual, is_usual.then_some(full), "{line}");
        }
        for wrong in [
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"7"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"dance"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":["a"],"say":["a"]}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","choose":{{"suit":"S"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"X"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw","say":"mau"}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"play","card":"JH","choose":{{"suit":"S","x":1}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw",}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw"}}}}"#),
            format!(r#"{{"type":"act","game":"g","id":"{id}","do":"draw""#),
            format!(r#"{{"type":"act","game":"g","id":"{id}"}}"#),
            r#"{"type":"act","game":"g","do":"draw"}"#.to_owned(),
            format!(r#"{{"type":"act","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"game":"g","id":"{id}","do":"draw"}}"#),
            format!(r#"{{"type":"act","game":"{}","id":"{id}","do":"draw"}}"#, "g".repeat(MAX_LINE_BYTES)),
            r#"{"type":"act","game":"g","id":"00000000000000FF","do":"draw"}"#.to_owned(),
            "{}".to_owned(),
        ] {
            assert_eq!(read_act(wrong.as_bytes(), |_| None), None, "{wrong}");
        }
    }

    #[test]
    fn actions_are_written_as_the_other_writer_writes_them() {
        let cards = [Card::JOKER, Card::from_code("7H").expect("a card"), Card::from_code("JS").expect("a card")];
        let choices = [None, Some(Choice::Suit(Suit::Clubs)), Some(Choice::Rank("7".parse().expect("a rank")))];
        let plays = cards.into_iter().flat_map(|card| choices.map(|choose| Verb::Play { card, choose }));
        let word = |word: &str| Text::try_from(word).expect("short");
        for verb in plays.chain([Verb::Draw, Verb::Pass, Verb::Wait, Verb::Look]) {
            for say in [Say::Nothing, Say::One(word("mau")), Say::Many(Box::new([word("a"), word("\"b\"")]))] {
                let action = Action { verb: verb.clone(), say };
                let (mut usual, mut full) = (b"before".to_vec(), b"before".to_vec());
                write_action(&mut usual, &action).expect("a JSON form");
                write_json(&mut full, &action).expect("a JSON form");
                assert_eq!(usual, full, "{action:?}");
            }
        }
    }

    #[test]
    fn an_ask_is_read_as_the_other_reader_reads_it_or_left_to_it() {
        let head =
            r#"{"type":"ask","game":"g-1","id":"00000000000000ff","seat":3,"what":"turn","time_ms":5000,"as_of":17"#;
        for (rest, is_usual) in [
            ("}", true),
            (r#","legal":[{"do":"play","card":"7H"},{"do":"draw"},{"do":"pass","say":["done"]}]}"#, true),
            (r#","legal":[{"do":"wait"},{"do":"play","card":"JS","choose":{"suit":"C"},"say":["mau"]}]}"#, true),
            (r#","legal":[{"do":"play","card":"XX","choose":{"rank":"7"}}]}"#, true),
            (r#","legal":[{"do":"look"}]}"#, false),
            (r#","legal":[]}"#, false),
            (r#","legal":[{"do":"draw","say":["a","b"]}]}"#, false),
            (r#","legal":[{"do":"draw"}],"new":1}"#, false),
            (r#","events":[{"event":"request_over"}],"legal":[{"do":"draw"}]}"#, false),
        ] {
            let line = format!("{head}{rest}");
            let full = read_arena_message("ask", &line).expect("an ask").expect("a known type");
            let usual = read_ask(line.as_bytes()).map(|ask| ArenaMessage::Ask(Box::new(ask)));
            assert_eq!(usual, is_usual.then_some(full), "{line}");
        }
        let line = format!("{head}}}");
        for end in 0..line.len() {
            assert_eq!(read_ask(&line.as_bytes()[..end]), None);
        }
    }
}
