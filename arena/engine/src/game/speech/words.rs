//! The words that a seat must say with an action to owe nothing, as an ask lists them with the legal actions. It only
//! reads the position; `heard`, `mau` and `announce` judge what is said.

use maumau_protocol::ruleset::{HandsMove, MauDue};
use maumau_protocol::{Card, Choice, Reach, RuleFault, Say, Seat, Text, Verb};

use super::heard::is_due;
use crate::game::{Facing, Game};

impl Game {
    /// The words that `seat` owes if it does `verb` now, as far as its own hand and the table decide that (B-12, K-40,
    /// D-25, N-72, N-79, N-84, P-60 to P-66, P-93).
    pub fn words_due(&self, seat: Seat, verb: &Verb) -> Say {
        if matches!(verb, Verb::Wait | Verb::Say { .. }) {
            return Say::Nothing;
        }
        let mut say = Say::Nothing;
        self.words_still_due(seat).for_each(|word| append(&mut say, word));
        match verb {
            Verb::Play { card, choose } | Verb::PlayAs { stands_for: card, choose, .. } => {
                self.warnings_due(seat, *card, 1, *choose, &mut say);
                self.calls_due(seat, &[*card], *choose, &mut say);
            }
            Verb::PlayTogether { cards, choose, .. } => {
                if let Some(last) = cards.last() {
                    self.warnings_due(seat, *last, cards.len() as u16, *choose, &mut say);
                    self.calls_due(seat, cards, *choose, &mut say);
                }
            }
            Verb::Draw => self.done_due(seat, &mut say),
            // N-77: a hand of one card demands the word however it came about.
            Verb::Take { .. } if self.held(seat) == 0 => add(&mut say, self.mau_before_card()),
            _ => {}
        }
        say
    }

    /// Whether words can be due with any action of `seat` but a play of several cards: with most cards and hands none are.
    pub fn may_owe_words(&self, seat: Seat) -> bool {
        self.held(seat).saturating_sub(self.table.takes.overdue_from(seat)) <= 2
            || self.table.announcements.snap_is_due()
            || matches!(self.table.facing, Facing::Owed(_))
            || !self.rules.duties.is_empty()
            || !self.rules.moves_hands.is_empty()
            || self.words_still_due(seat).next().is_some()
    }

    /// The word that `seat` owes for its present hand if other seats brought it to that (N-72, N-77, N-79), or for the card
    /// that was turned up for it (P-07).
    pub fn word_owed(&self, seat: Seat) -> Option<Text> {
        if let Some(word) = self.words_still_due(seat).next() {
            return Some(word);
        }
        if !self.features.announcements || self.turn().is_none() {
            return None;
        }
        let said = self.table.announcements.of(seat);
        let duties = &self.rules.set.duties;
        let word = match self.held(seat) {
            // The seat to move says it with its move, unless no seat moves any more.
            1 if !said.mau && !said.mau_noted && (self.turn() != Some(seat) || self.is_closing()) => {
                self.mau_before_card()
            }
            0 if !said.mau_mau && said.mau_mau_noted == [false; 2] => {
                duties.mau_mau.as_ref().map(|duty| duty.word.as_str())
            }
            _ => None,
        };
        word.and_then(|word| Text::try_from(word).ok())
    }

    /// Words for past actions of `seat` that it has not said yet and can still say (P-68).
    fn words_still_due(&self, seat: Seat) -> impl Iterator<Item = Text> {
        self.ledger.words_of(seat).filter_map(move |(fault, number)| {
            let done = self.rules.set.duties.done.as_ref().filter(|_| fault == RuleFault::NoDone);
            let said = self.rules.duties.iter().find(|duty| duty.fault == fault).and_then(|duty| duty.say.first());
            let word = said.cloned().or_else(|| done.map(|done| format!("{number} {}", done.word)))?;
            Text::try_from(word.as_str()).ok()
        })
    }

    fn mau_before_card(&self) -> Option<&str> {
        let mau = self.rules.set.duties.mau.as_ref().filter(|mau| mau.due == MauDue::NextCard);
        mau.map(|duty| duty.word.as_str())
    }

    /// The words for the number of cards that a play of `cards`, of which `card` is the last one, leaves, and for two identical cards;
    /// `choose` is named with it.
    fn warnings_due(&self, seat: Seat, card: Card, cards: u16, choose: Option<Choice>, say: &mut Say) {
        let duties = &self.rules.set.duties;
        if self.table.announcements.snap_is_due() {
            add(say, duties.identical.as_ref().map(|duty| duty.word.as_str()));
        }
        let mau = duties.mau.as_ref();
        // N-106: a card that is not free makes the takes of others overdue, which come first.
        let taken = if self.is_free(card) { 0 } else { self.table.takes.overdue_from(seat) };
        let left = self.held(seat).checked_sub(taken + cards);
        match left.map(|left| if left > 0 { self.left_once_hands_moved(seat, card, choose, left) } else { left }) {
            Some(1) => add(say, mau.map(|duty| duty.word.as_str())),
            Some(0) => {
                // K-43 by option; N-76: the holder's own next card also ends its time.
                let said = self.table.announcements.of(seat);
                let late = self.mau_due_before_card() && !said.mau && !said.mau_noted;
                add(say, mau.filter(|duty| duty.any_time || late).map(|duty| duty.word.as_str()));
                add(say, duties.mau_mau.as_ref().map(|duty| duty.word.as_str()));
                add(say, duties.last.as_ref().map(|duty| duty.word.as_str()));
            }
            _ => {}
        }
    }

    /// The cards that `seat` holds after it has played `card`, naming `choose`, and kept `left` others: those of another seat if the card
    /// moves hands (G-44).
    fn left_once_hands_moved(&self, seat: Seat, card: Card, choose: Option<Choice>, left: u16) -> u16 {
        let face = &self.rules.faces[card.index()];
        let Some(how) = face.hands else { return left };
        let direction = self.direction();
        let direction = if face.reverse { direction.reversed() } else { direction };
        let order = self.in_order(direction);
        let Some(at) = order.iter().position(|one| *one == seat) else { return left };
        let from = match (how, choose) {
            (HandsMove::ShowNext, _) => return left,
            (HandsMove::Rotate, _) => order[(at + order.len() - 1) % order.len()],
            (HandsMove::SwapNext, _) => order[(at + 1) % order.len()],
            (HandsMove::SwapChosen, Some(Choice::Seat(chosen))) => chosen,
            (HandsMove::SwapChosen, _) => return left,
        };
        if from == seat { left } else { self.hand(from).len() + self.sealed(seat) }
    }

    /// The calls that a rule set lists by card, cards left and interjection. Several cards at once are never an interjection.
    fn calls_due(&self, seat: Seat, cards: &[Card], choose: Option<Choice>, say: &mut Say) {
        if self.rules.duties.is_empty() {
            return;
        }
        let left = self.held(seat).saturating_sub(cards.len() as u16);
        let left = match cards.last() {
            Some(card) if left > 0 => self.left_once_hands_moved(seat, *card, choose, left),
            _ => left,
        };
        let twin = matches!(cards, [card] if self.is_twin(*card));
        // P-88: after a movement to draw only an interjection is no flinch.
        let flinches = self.reached(seat) == Some(Reach::Draw);
        // P-55: a word that is still due for an earlier card makes one of this card too.
        let says_so = flinches || self.says_interjection(say);
        let interjects = twin
            && (self.turn() != Some(seat) || says_so || !cards.iter().all(|card| self.allowed_cards().contains(*card)));
        let interjections = interjects.then(|| self.table.pile.interjections().saturating_add(1));
        let kinds = cards.iter().copied().collect();
        for duty in self.rules.duties.iter().filter(|duty| is_due(duty, kinds, left, interjections)) {
            add(say, duty.say.first().map(String::as_str));
        }
    }

    /// The seat that draws the last owed card says how many it drew.
    fn done_due(&self, seat: Seat, say: &mut Say) {
        let Some(done) = self.rules.set.duties.done.as_ref().filter(|done| !done.off) else { return };
        if let Some(number) = self.number_if_done(seat) {
            add(say, Some(&format!("{number} {}", done.word)));
        }
    }
}

fn add(say: &mut Say, word: Option<&str>) {
    if let Some(word) = word.and_then(|word| Text::try_from(word).ok()) {
        append(say, word);
    }
}

fn append(say: &mut Say, word: Text) {
    *say = match std::mem::take(say) {
        Say::Nothing => Say::One(word),
        Say::One(first) => Say::Many(Box::new([first, word])),
        Say::Many(words) => Say::Many(words.into_iter().chain([word]).collect()),
    };
}
