//! What a seat should say with an action so that it owes nothing: what the legal list of an ask tells it.

use maumau_protocol::ruleset::SaidDuty;
use maumau_protocol::{Say, Seat, Text, Verb};

use super::calls::is_due;
use super::interject::Way;
use super::{Facing, Game};

impl Game {
    /// The words that `seat` owes if it does `verb` now, as far as its own hand and the table decide it (B-12, K-40, D-25,
    /// N-72, N-79, N-84).
    pub fn words_due(&self, seat: Seat, verb: &Verb) -> Say {
        if !self.rules.duties.is_empty() || self.rules.set.duties.done.is_some() {
            return self.calls_due(seat, verb);
        }
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

    /// The calls that go with a card, and the end of drawing (P-60 to P-66, P-93, P-94), in one utterance.
    fn calls_due(&self, seat: Seat, verb: &Verb) -> Say {
        let mut words: Vec<String> = Vec::new();
        match verb {
            Verb::Play { card, .. } => {
                let way = self.way(seat, *card, &Say::Nothing, self.events);
                let run = self.table.run.interjections.saturating_add(u8::from(way == Way::Interjection));
                let left = self.hand(seat).len().saturating_sub(1);
                let interjections = (way == Way::Interjection).then_some(run);
                let due = |duty: &&SaidDuty| is_due(duty, *card, left, interjections);
                let mut due: Vec<&SaidDuty> = self.rules.duties.iter().filter(due).collect();
                // A phrase that serves several duties is the only one for some of them.
                due.sort_by_key(|duty| duty.say.len());
                for duty in due {
                    if !duty.say.iter().any(|say| words.contains(say)) {
                        words.extend(duty.say.first().cloned());
                    }
                }
            }
            Verb::Draw => {
                if let (Some(done), Facing::Owed { cards: 1, own, .. }) =
                    (&self.rules.set.duties.done, self.table.facing)
                    && !done.off
                    && seat == self.table.turn
                {
                    words.push(format!("{} {}", own + 1, done.word));
                }
            }
            _ => {}
        }
        match Text::try_from(words.join(" ").as_str()) {
            Ok(text) if !words.is_empty() => Say::One(text),
            _ => Say::Nothing,
        }
    }
}
