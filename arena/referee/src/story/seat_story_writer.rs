//! Writes the story of a game from the events that one seat is sent, in the same sentences as everybody else's: for clients, which have no
//! log. It knows no game but those that it is shown around plays; what events do not say it leaves out, such as the winner of a match in
//! which a dismissed seat stood first.

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::{Game, Phase, PlayGround};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Card, Seat, SeatSet, SeenEvent, Stand, Text, Verb};

use super::basis;
use super::because::BeforePlay;
use super::line::{Line, Piece};
use super::reasons::{self, Spoken};
use super::sentence::{self, Context, PriorDeed};

/// Writes the story of one game, event by event, as one seat was sent them.
#[derive(Clone, Debug)]
pub struct SeatStoryWriter {
    set: Arc<RuleSet>,
    seats: usize,
    top: Option<Card>,
    refusals: bool,
    /// The seats that the referee plays for; they come after all others.
    dismissed: SeatSet,
    deed: PriorDeed,
    expected: VecDeque<ExpectedCard>,
    /// Words that are about to be written of: who says them, and why.
    words: Vec<(Seat, Text, Vec<Piece>)>,
}

/// A card that is about to be written of, and why it was played.
#[derive(Clone, Debug)]
struct ExpectedCard {
    seat: Seat,
    card: Card,
    ground: Option<PlayGround>,
    because: Vec<Piece>,
}

impl SeatStoryWriter {
    /// For a game by `set` at a table of `seats`.
    pub fn new(set: Arc<RuleSet>, seats: usize) -> SeatStoryWriter {
        SeatStoryWriter {
            set,
            seats,
            top: None,
            refusals: false,
            dismissed: SeatSet::EMPTY,
            deed: PriorDeed::Other,
            expected: VecDeque::new(),
            words: Vec::new(),
        }
    }

    /// Takes note of plays of which the next events tell, in their order, each with the game before it, its seat, and the game
    /// after it, as far as the seat knows them: their lines say why. Without it they say what happened.
    pub fn expect<'a>(&mut self, plays: impl Iterator<Item = (&'a Game, Seat, &'a Action, &'a Game)>) {
        self.expected.clear();
        self.words.clear();
        for (before, seat, action, after) in plays {
            let cards = match &action.verb {
                Verb::Play { card, .. } | Verb::PlayAs { card, .. } => std::slice::from_ref(card),
                Verb::PlayTogether { cards, .. } => &cards[..],
                _ => continue,
            };
            let Some(play) = BeforePlay::of(before, seat, action) else { continue };
            let after = Some(after).filter(|after| after.phase() == Phase::Play);
            for text in action.say.texts() {
                let in_turn = before.turn() == Some(seat);
                let goes_on = after.is_some_and(|after| after.pending().again == Some(seat));
                let spoken = Spoken { top: cards.last().copied(), in_turn, goes_on, ..Spoken::default() };
                let why = reasons::of_word(&self.set, text.as_str(), Some(&play), spoken);
                self.words.push((seat, text.clone(), why));
            }
            for (at, card) in cards.iter().enumerate() {
                let (ground, because) = play.of_card(seat, *card, at, after.filter(|_| at + 1 == cards.len()));
                self.expected.push_back(ExpectedCard { seat, card: *card, ground, because });
            }
        }
    }

    /// Why the card was played of which `event` tells, if that is known.
    fn because(&mut self, event: &SeenEvent) -> (Option<PlayGround>, Vec<Piece>) {
        if let SeenEvent::Said { seat, text, .. } = event {
            let at = self.words.iter().position(|(by, word, _)| (by, word) == (seat, text));
            return (None, at.map(|at| self.words.remove(at).2).unwrap_or_default());
        }
        let SeenEvent::Played { seat, card, .. } = event else { return (None, Vec::new()) };
        let at = self.expected.iter().position(|expected| (expected.seat, expected.card) == (*seat, *card));
        let expected = at.and_then(|at| self.expected.drain(..=at).next_back());
        expected.map_or((None, Vec::new()), |expected| (expected.ground, expected.because))
    }

    /// The line of `event`, with the clauses that it rests on; `None` for events that another line covers.
    pub fn line(&mut self, event: &SeenEvent) -> Option<Line> {
        let mut winners = SeatSet::EMPTY;
        match event {
            SeenEvent::Played { card, .. } | SeenEvent::TurnedUp { card } => self.top = Some(*card),
            SeenEvent::ActedFor { seat, why } => {
                self.refusals = *why == Stand::Refusals;
                if *why == Stand::Dismissed {
                    self.dismissed = self.dismissed.union(SeatSet::of(*seat));
                }
            }
            SeenEvent::MatchOver { winners: first } => {
                winners = first.without(self.dismissed);
                if winners.is_empty() && !first.is_empty() {
                    return None;
                }
            }
            _ => {}
        }
        let deed = self.deed;
        self.deed = deed.after(event);
        let context = Context {
            set: &self.set,
            refusals: self.refusals,
            winners,
            faster: None,
            deed,
            top: self.top,
            seats: self.seats,
            wanted: None,
        };
        let line = sentence::line(event, context)?;
        let (ground, because) = self.because(event);
        Some(Line { clauses: basis::clauses(&self.set, self.seats, self.top, event), ground, because, ..line })
    }
}
