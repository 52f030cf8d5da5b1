//! An `ask` as the arena writes it for agents that keep track of the game themselves, without events and view. Fills
//! the caller's `Ask`; a line of any other form is left to serde, and the `Ask` then means nothing.

use super::action::scan_action;
use crate::event::EventNumber;
use crate::message::{Ask, AskId, GameId, What};
use crate::scan::Scan;
use crate::seat::Seat;

/// An `ask` whose game has been read. A process that plays many games reads the rest into memory that it already has.
#[derive(Clone, Copy)]
pub struct QuickAsk<'a> {
    /// The name of the game.
    pub game: &'a str,
    rest: Scan<'a>,
}

impl<'a> QuickAsk<'a> {
    /// `None` for a line that is no such ask; it may be an ask in another form.
    pub fn of(line: &'a [u8]) -> Option<QuickAsk<'a>> {
        let mut scan = Scan(line);
        scan.pass(br#"{"type":"ask","game":"#)?;
        Some(QuickAsk { game: scan.text()?, rest: scan })
    }

    /// Puts everything but the game into `ask`. `false` if the line has another form after all; the contents of `ask` are
    /// then meaningless.
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

/// Reads an `ask` of this form.
pub(in crate::wire) fn read_ask(line: &[u8]) -> Option<Ask> {
    let quick = QuickAsk::of(line)?;
    let mut ask = Ask::of(GameId(quick.game.into()));
    quick.read_into(&mut ask).then_some(ask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ask_is_read_as_serde_reads_it_or_left_to_it() {
        let head =
            r#"{"type":"ask","game":"g-1","id":"00000000000000ff","seat":3,"what":"turn","time_ms":5000,"as_of":17"#;
        for (rest, is_quick) in [
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
            let full: Ask = serde_json::from_str(&line).expect("an ask");
            let quick = read_ask(line.as_bytes());
            assert_eq!(quick, is_quick.then_some(full), "{line}");
        }
        let line = format!("{head}}}");
        for end in 0..line.len() {
            assert_eq!(read_ask(&line.as_bytes()[..end]), None);
        }
    }
}
