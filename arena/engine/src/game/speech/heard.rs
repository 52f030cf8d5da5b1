//! The effects of speech: words that fulfil a duty, words that state a suit, and words that no seat should say (P-26,
//! P-59 to P-69, P-79 to P-84, P-93, P-94). Knows texts only through `crate::speech`; the legality of the card with
//! which they were said is judged in `turn`. It settles duties, states suits and notes mistakes.

use maumau_protocol::ruleset::{Loud, SaidDuty};
use maumau_protocol::{CardSet, Choice, Event, RuleFault, Say, Seat, Suit, Text};

use crate::game::way::PlayWay;
use crate::game::{Game, Phase, Witness};
use crate::speech;

/// The parts of a play that decide which words are owed.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct PlayedCards {
    pub(in crate::game) seat: Seat,
    pub(in crate::game) kinds: CardSet,
    pub(in crate::game) way: PlayWay,
    /// The turn in which it was played.
    pub(in crate::game) turn: u32,
    /// The first card, turned up by the dealer.
    pub(in crate::game) first: bool,
}

/// Whether `duty` applies to a play of cards of these `kinds` that leaves `left` cards in hand and is the `interjections`-th
/// interjection in a row; of several cards one is enough (G-42).
pub(super) fn is_due(duty: &SaidDuty, kinds: CardSet, left: u16, interjections: Option<u8>) -> bool {
    duty.left.is_none_or(|number| u16::from(number) == left)
        && duty.cards.is_none_or(|wanted| !wanted.0.intersect(kinds).is_empty())
        && duty.interjection.is_none_or(|number| interjections.is_some_and(|run| number == 0 || number == run))
}

impl Game {
    /// Carries out the effects of what `seat` says.
    #[inline]
    pub(in crate::game) fn on_speech<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        if !self.features.speech {
            return;
        }
        for text in say.texts() {
            self.on_text(witness, seat, text);
        }
    }

    pub(in crate::game) fn on_text<W: Witness>(&mut self, witness: &mut W, seat: Seat, text: &Text) {
        if !self.features.speech || !matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play) {
            return;
        }
        let said: Vec<String> = speech::words(text.as_str()).collect();
        if self.table.pile.waits_for_suit()
            && let Some(suit) = self.suit_in(&said)
        {
            self.state_suit(witness, seat, suit);
        }
        self.fulfil(seat, &said);
        self.judge_talk(witness, seat, text.as_str(), &said);
    }

    /// The suit that words state for the card that lies on top (P-26, P-28, P-29).
    fn suit_in(&self, said: &[String]) -> Option<Suit> {
        let top = self.top().filter(|card| self.rules.calls_itself.contains(*card));
        speech::stated_suit(said, top.and_then(|card| Some((card.rank()?, card.suit()?))))
    }

    /// The suit that `say` states if one is open: what a play's own words say about it, before the play is judged (P-30).
    pub(in crate::game) fn suit_said(&self, say: &Say) -> Option<Suit> {
        let words = |text: &Text| speech::words(text.as_str()).collect::<Vec<String>>();
        say.texts().iter().find_map(|text| self.suit_in(&words(text)))
    }

    pub(in crate::game) fn state_suit<W: Witness>(&mut self, witness: &mut W, seat: Seat, suit: Suit) {
        self.table.pile.serve(Some(suit), false, &self.rules);
        self.table.changes.progress();
        self.emit(witness, Event::SuitStated { seat, suit });
        self.note_demand();
    }

    /// A play that names a suit for a card whose suit is stated in words is heard like a word.
    pub(in crate::game) fn state_chosen<W: Witness>(&mut self, witness: &mut W, seat: Seat, choose: Option<Choice>) {
        if let (true, Some(Choice::Suit(suit))) = (self.table.pile.waits_for_suit(), choose) {
            self.state_suit(witness, seat, suit);
        }
    }

    /// The words owed with a card (P-60 to P-66; P-07 for the first one).
    pub(in crate::game) fn owe_calls(&mut self, played: PlayedCards) {
        if self.rules.duties.is_empty() || self.phase != Phase::Play {
            return;
        }
        let left = self.hand(played.seat).len();
        let interjections = (played.way == PlayWay::Interjection).then_some(self.table.pile.interjections());
        for at in 0..self.rules.duties.len() {
            let duty = &self.rules.duties[at];
            if is_due(duty, played.kinds, left, interjections) && (!played.first || duty.first_card) {
                let fault = duty.fault;
                self.owe_words(played.seat, fault, 0, played.turn);
            }
        }
    }

    fn fulfil(&mut self, seat: Seat, said: &[String]) {
        let rules = &self.rules;
        let heard = rules.phrases.heard(said);
        let done = rules.set.duties.done.as_ref().filter(|done| !done.off);
        self.ledger.heal(seat, |violation| match (violation.fault, done) {
            (RuleFault::NoDone, Some(done)) => {
                speech::announces_done(said, &done.word, violation.number, done.without_number)
            }
            (fault, _) => rules.duties.iter().enumerate().any(|(at, duty)| heard >> at & 1 == 1 && duty.fault == fault),
        });
    }

    /// Whether an utterance contains a word that the rules ask for, at whatever time, or a suit where suits are stated (G-78).
    fn is_asked_for(&self, text: &str, said: &[String]) -> bool {
        let duties = &self.rules.set.duties;
        let last = [
            duties.mau.as_ref().map(|duty| &duty.word),
            duties.mau_mau.as_ref().map(|duty| &duty.word),
            duties.last.as_ref().map(|duty| &duty.word),
            duties.identical.as_ref().map(|duty| &duty.word),
            duties.done.as_ref().filter(|done| !done.off).map(|done| &done.word),
        ];
        self.rules.phrases.heard(said) != 0
            || last.into_iter().flatten().any(|word| speech::contains(text, word))
            || (!self.rules.spoken.is_empty() && self.suit_in(said).is_some())
    }

    fn judge_talk<W: Witness>(&mut self, witness: &mut W, seat: Seat, text: &str, said: &[String]) {
        let rules = self.rules.clone();
        let Some(talk) = &rules.set.talk else { return };
        let asks = speech::is_question(text, said, &talk.questions);
        let swears = speech::mentions(said, &talk.swears) || speech::mentions(said, &talk.deities);
        if self.is_paused() {
            self.speak_in_pause(seat, swears && !asks);
        } else {
            if asks {
                self.note(witness, seat, RuleFault::Question);
            }
            if swears {
                self.note(witness, seat, RuleFault::Swear);
            }
            if speech::mentions(said, &talk.explaining) {
                self.note(witness, seat, RuleFault::Explaining);
            }
            if talk.silence && !asks && !swears && !self.is_asked_for(text, said) {
                self.note(witness, seat, RuleFault::Talking);
            }
        }
        if talk.loud == Loud::Caps && speech::is_loud(text) {
            self.note(witness, seat, RuleFault::TooLoud);
        }
        self.begin_utterance(seat);
    }
}
