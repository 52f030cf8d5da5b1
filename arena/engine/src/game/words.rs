//! What a seat should say with an action so that it owes nothing: what the legal list of an ask tells it.

use maumau_protocol::{Say, Seat, Text, Verb};

use super::Game;

impl Game {
    /// The words that `seat` owes if it does `verb` now, as far as its own hand and the table decide it (B-12, K-40, D-25,
    /// N-72, N-79, N-84).
    pub fn words_due(&self, seat: Seat, verb: &Verb) -> Say {
        let Verb::Play { .. } = verb else { return Say::Nothing };
        let duties = &self.rules.set.duties;
        let held = self.held(seat);
        let mut words: [Option<&str>; 2] = [None; 2];
        if self.table.snap_due {
            words[0] = duties.identical.as_ref().map(|duty| duty.word.as_str());
        }
        words[1] = match held {
            2 => duties.mau.as_ref().map(|duty| duty.word.as_str()),
            1 if duties.mau.as_ref().is_some_and(|duty| duty.any_time) => {
                duties.mau.as_ref().map(|duty| duty.word.as_str())
            }
            1 => duties.mau_mau.as_ref().map(|duty| duty.word.as_str()),
            _ => None,
        };
        let texts = || words.iter().flatten().filter_map(|word| Text::try_from(*word).ok());
        match (texts().next(), texts().nth(1)) {
            (None, _) => Say::Nothing,
            (Some(text), None) => Say::One(text),
            (Some(_), Some(_)) => Say::Many(texts().collect()),
        }
    }
}
