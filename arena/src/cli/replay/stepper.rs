//! Going through a recorded game move by move, forwards and backwards, by commands of a line each. It keeps the place
//! and reads the commands; frames are made and drawn elsewhere.

use std::io::BufRead;

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_referee::GameLog;
use maumau_referee::story::{Frame, FrameKind, position_after};

use crate::io::untrusted::Untrusted;
use crate::report::StoryText;

const HELP: &str = "  Enter  the next move            b      the move before
  12     move 12                  0      the deal
  /TEXT  the next move with TEXT  n      the same text again
  f      the next fault           e      the end
  q      quit                     ?      this help
";

/// Where somebody is in a game.
pub(super) struct Stepper<'a> {
    log: &'a GameLog,
    frames: &'a [Frame],
    eyes: Option<Seat>,
    text: &'a StoryText,
    ending: &'a str,
    at: usize,
    sought: Option<String>,
}

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Next,
    Back,
    Move(u32),
    Search(String),
    SearchAgain,
    Fault,
    End,
    Help,
    Quit,
}

impl Wish {
    fn read(line: &str) -> Option<Wish> {
        Some(match line.trim() {
            "" => Wish::Next,
            "b" => Wish::Back,
            "f" => Wish::Fault,
            "n" => Wish::SearchAgain,
            "e" => Wish::End,
            "q" => Wish::Quit,
            "?" | "h" | "help" => Wish::Help,
            text => match text.strip_prefix('/') {
                Some(sought) if !sought.is_empty() => Wish::Search(sought.to_lowercase()),
                Some(_) => Wish::SearchAgain,
                None => Wish::Move(text.parse().ok()?),
            },
        })
    }
}

impl<'a> Stepper<'a> {
    /// At the deal; `ending` is what is told after the last frame.
    pub(super) fn new(
        log: &'a GameLog,
        frames: &'a [Frame],
        eyes: Option<Seat>,
        text: &'a StoryText,
        ending: &'a str,
    ) -> Stepper<'a> {
        Stepper { log, frames, eyes, text, ending, at: 0, sought: None }
    }

    /// Obeys the lines of `keys` until one wants to quit, or there are no more.
    ///
    /// # Errors
    /// The lines cannot be read, or what is told not be shown.
    pub(super) fn run(mut self, mut keys: impl BufRead, mut tell: impl FnMut(&str) -> Result<()>) -> Result<()> {
        let all = self.frames;
        let last = all.len() - 1;
        tell(&self.shown()?)?;
        loop {
            let moves = all[last].kind.number();
            let place = match all[self.at].kind {
                FrameKind::Deal => "the deal".to_owned(),
                FrameKind::Move(number) => format!("move {number}"),
                FrameKind::After(number) => format!("after move {number}"),
            };
            tell(&format!("[{place} of {moves}; Enter, b, q, ? for help] "))?;
            let mut line = String::new();
            if keys.read_line(&mut line)? == 0 {
                return tell("\n");
            }
            let to = match Wish::read(&line) {
                Some(Wish::Quit) => return Ok(()),
                Some(Wish::Next) if self.at == last => return Ok(()),
                Some(Wish::Help) => Err(HELP.to_owned()),
                Some(wish) => self.find(wish),
                None => Err(format!("  no command {}\n{HELP}", Untrusted::new(line.trim()).quoted())),
            };
            match to {
                Ok(at) => {
                    self.at = at;
                    tell(&self.shown()?)?;
                }
                Err(told) => tell(&told)?,
            }
        }
    }

    /// The frame that is wished for, or why there is none.
    fn find(&mut self, wish: Wish) -> Result<usize, String> {
        let all = self.frames;
        let after = |is: &dyn Fn(usize) -> bool| (self.at + 1..all.len()).find(|at| is(*at));
        match wish {
            Wish::Back => self.at.checked_sub(1).ok_or_else(|| "  this is the beginning\n".to_owned()),
            Wish::Move(number) => {
                let at = all.iter().position(|frame| frame.kind.number().0 == number);
                at.ok_or_else(|| format!("  there is no move {number}\n"))
            }
            Wish::Fault => {
                after(&|at| all[at].has_fault()).ok_or_else(|| "  nobody does anything wrong after this\n".to_owned())
            }
            Wish::Search(text) => {
                self.sought = Some(text);
                self.find(Wish::SearchAgain)
            }
            Wish::SearchAgain => {
                let sought =
                    self.sought.as_deref().ok_or_else(|| "  nothing was searched for yet: /TEXT\n".to_owned())?;
                let told =
                    |at: usize| anstream::adapter::strip_str(&self.text.frame(&all[at])).to_string().to_lowercase();
                let found = after(&|at| told(at).contains(sought));
                found.ok_or_else(|| format!("  no {} after this\n", Untrusted::new(sought).quoted()))
            }
            Wish::End => Ok(all.len() - 1),
            Wish::Next | Wish::Help | Wish::Quit => Ok((self.at + 1).min(all.len() - 1)),
        }
    }

    fn shown(&self) -> Result<String> {
        let frame = &self.frames[self.at];
        let position = position_after(self.log, frame, self.eyes)?;
        let mut text = self.text.frame(frame) + &self.text.position(&position, self.eyes);
        if self.at + 1 == self.frames.len() {
            text += self.ending;
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use maumau_referee::story::frames;

    use super::*;
    use crate::report::tests::game_with_a_fault;

    /// What is told for these lines, without colours.
    fn told(lines: &str) -> String {
        let log = game_with_a_fault();
        let frames = frames(&log, None).expect("a sound log");
        let text = StoryText::new(&log.header, false);
        let mut told = String::new();
        let stepper = Stepper::new(&log, &frames, None, &text, "THE END\n");
        let tell = |text: &str| {
            told.push_str(&anstream::adapter::strip_str(text).to_string());
            Ok(())
        };
        stepper.run(lines.as_bytes(), tell).expect("it goes through");
        told
    }

    fn places(lines: &str) -> Vec<String> {
        let told = told(lines);
        let places = told.match_indices('[').filter_map(|(at, _)| told[at + 1..].split_once(" of "));
        places.map(|(place, _)| place.to_owned()).collect()
    }

    #[test]
    fn enter_goes_on_to_the_end_and_b_back() {
        assert_eq!(places("\n\nb\nq\n"), ["the deal", "move 1", "move 2", "move 1"]);
        assert_eq!(places("b\n0\n3\n"), ["the deal", "the deal", "the deal", "move 3"]);
        assert!(told("b\n").contains("this is the beginning"));
        let log = game_with_a_fault();
        let steps = frames(&log, None).expect("a sound log").len();
        assert!(told(&"\n".repeat(steps - 2)).matches("THE END").count() == 0);
        assert!(told(&"\n".repeat(steps + 9)).contains("THE END"), "and then Enter quits");
        assert!(told("e\n").contains("THE END"));
    }

    #[test]
    fn numbers_searches_and_faults_jump() {
        let text = told("f\n");
        assert!(text.contains("! first: not_json (what is\\u{a}this?), strike 1\n"), "{text}");
        assert_eq!(places("f\n").len(), 2);
        assert!(told("999\n").contains("there is no move 999"));
        assert!(told("n\n").contains("nothing was searched for yet"));
        assert!(told("/NOWHERE\n").contains("no \"nowhere\" after this"));
        let [first, second] = [places("/LAYS\n"), places("/LAYS\nn\n")].map(|places| places.last().cloned());
        assert!(first != second, "{first:?}");
    }

    #[test]
    fn what_is_no_command_is_answered_with_the_help() {
        for line in ["?\n", "h\n", "dance\n", "-1\n"] {
            assert!(told(line).contains("the next fault"), "{line}");
        }
        assert!(told("\u{1b}[2J\n").contains("no command \"\\\\u{1b}[2J\""));
    }
}
