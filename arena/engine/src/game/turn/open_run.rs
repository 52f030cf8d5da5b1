//! Runs of a suit that are left open (G-73): which one the seat to move may go on with, and the suit of a card that opens a run
//! without having one. It only keeps the run; several cards in one play are judged and carried out in `together`.

use maumau_protocol::{Card, OpenRun, Seat, Suit};

use crate::game::Game;

/// The runs of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct Runs {
    left_open: Option<LeftOpen>,
    /// The suit that counted before the top card was played.
    before: Option<Suit>,
}

/// A run that was left open; it is over once another card has been played.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LeftOpen {
    run: OpenRun,
    /// The cards played in the round with its last one.
    played: u32,
}

impl Game {
    /// The run that is open.
    pub(in crate::game) fn open_run(&self) -> Option<OpenRun> {
        self.table.runs.left_open.filter(|left| left.played == self.table.played).map(|left| left.run)
    }

    /// The run `run` is open after the card that will have been number `played` of the round.
    pub(in crate::game) fn leave_open(&mut self, run: OpenRun, played: u32) {
        self.table.runs.left_open = Some(LeftOpen { run, played });
    }

    /// The open run is `run`, in a position that is set up.
    pub(in crate::game) fn set_up_run(&mut self, run: Option<OpenRun>) {
        let played = self.table.played;
        self.table.runs.left_open = run.map(|run| LeftOpen { run, played });
    }

    /// `seat` plays `card` by itself, which it still holds. If it opens runs, one is open from then, unless it is a card of the open
    /// run: that it closes as any other card does.
    pub(in crate::game) fn note_run(&mut self, seat: Seat, card: Card) {
        let in_force = self.suit_in_force();
        let suit = card.suit().unwrap_or(in_force);
        let goes_on = self.open_run().is_some_and(|run| run.suit == suit);
        if !goes_on && self.rules.together.iter().any(|way| way.opens_alone(card)) {
            self.leave_open(OpenRun { suit, by: seat }, self.table.played + 1);
        }
        self.note_suit_before(in_force);
    }

    /// The suit that counts before the next card is `suit`.
    pub(super) fn note_suit_before(&mut self, suit: Suit) {
        self.table.runs.before = Some(suit);
    }

    /// The suit of `card`, which has just been played and opens a run without having a suit: the one that counted before it.
    pub(super) fn suit_of_opener(&self, card: Card) -> Option<Suit> {
        card.suit().or(self.table.runs.before)
    }

    /// The suit that counts: of the top card, or named for it; below a card on which everything fits, the one that counted before
    /// it.
    pub(super) fn suit_in_force(&self) -> Suit {
        let below = || self.pile().iter().rev().find_map(|card| card.suit());
        let suit = self.suit_on_top().or(self.table.runs.before).or_else(below);
        suit.unwrap_or(self.rules.pack().suits()[0])
    }
}
