//! A play of several cards put together card by card, for those who choose one thing at a time (G-40, G-73). It only reads the
//! position; the play is one action, judged as a whole.

use maumau_protocol::{Card, CardSet, Seat};

use crate::game::legal::Legal;
use crate::game::{Game, Phase};

/// What may come next in such a play.
#[derive(Clone, Copy, Debug, Default)]
pub struct NextCard<'a> {
    /// Cards that may be next with at least one more after them.
    pub more: CardSet,
    /// The ways in which a card may be the last one, each as if it were played by itself.
    pub last: Legal<'a>,
}

impl NextCard<'_> {
    /// Whether no card may come next.
    pub fn is_empty(&self) -> bool {
        self.more.is_empty() && self.last.is_empty()
    }
}

/// Plays that are looked at for one answer: only rules that list sizes, or bar cards from being the last one, need more than a few.
const MOST_TRIED: u32 = 2_000;

impl Game {
    /// The cards that may come after `begun` in a play of several cards of `seat`, after which a run is open if it is to `stay_open`.
    /// Without cards that were begun, `last` holds single cards only where they leave a run open. Each card of `more` leads to a
    /// play that is accepted.
    pub fn next_card(&self, seat: Seat, begun: &[Card], stay_open: bool) -> NextCard<'_> {
        let in_turn = self.phase == Phase::Play && seat == self.table.seating.turn();
        if !in_turn || self.rules.together.is_empty() || (stay_open && !self.features.runs) {
            return NextCard::default();
        }
        let (mut cards, mut last, mut more) = (begun.to_vec(), CardSet::EMPTY, CardSet::EMPTY);
        for card in self.left_after(seat, begun).iter() {
            cards.push(card);
            if self.may_begin_with(seat, &cards) {
                if (cards.len() > 1 || stay_open) && self.is_one_play(seat, &cards, stay_open) {
                    last.insert(card);
                }
                if self.leads_to_play(seat, &mut cards, stay_open, &mut MOST_TRIED.clone()) {
                    more.insert(card);
                }
            }
            cards.pop();
        }
        NextCard { more, last: self.plays(seat, last, false, false) }
    }

    /// The cards in the hand of `seat` besides `begun`.
    fn left_after(&self, seat: Seat, begun: &[Card]) -> CardSet {
        let hand = self.hand(seat);
        let used = |card: Card| begun.iter().filter(|other| **other == card).count();
        hand.kinds().iter().filter(|card| usize::from(hand.copies(*card)) > used(*card)).collect()
    }

    /// Whether `seat` may play `cards` at once and leave a run open, or none; with the word for the last card where it counts then.
    fn is_one_play(&self, seat: Seat, cards: &[Card], stays_open: bool) -> bool {
        let word = self.rules.mau.as_ref().is_some_and(|mau| mau.any_time);
        self.judge_together(seat, cards, !stays_open, word).is_ok_and(|joined| joined.leaves_open() == stays_open)
    }

    /// Whether a longer play begins with `cards`. The order in which plays are tried makes each play that is found this way be found
    /// again from any longer part of it.
    fn leads_to_play(&self, seat: Seat, cards: &mut Vec<Card>, stay_open: bool, left: &mut u32) -> bool {
        if !self.may_be_followed(cards) {
            return false;
        }
        for next in self.left_after(seat, cards).iter() {
            let Some(fewer) = left.checked_sub(1) else { return false };
            *left = fewer;
            cards.push(next);
            let found = self.may_begin_with(seat, cards)
                && (self.is_one_play(seat, cards, stay_open) || self.leads_to_play(seat, cards, stay_open, left));
            cards.pop();
            if found {
                return true;
            }
        }
        false
    }
}
