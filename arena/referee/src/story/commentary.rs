//! What a judge says of the decisions of a game, to be shown beside its story. It holds what others have measured and put into
//! words, and decides whose eyes may see it: it judges nothing.
//!
//! A comment says what another action would have been worth, and so which cards the seat held: it is for the referee's eyes and
//! those of that seat. A judge's figures come from games that are over; nobody who watches a game in play is shown any.

use maumau_protocol::Seat;

use super::{Eyes, Piece, may_show};
use crate::record::MoveNumber;

/// How a decision is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecisionMark {
    /// It was the best action, and every other one would surely have lost something.
    Good,
    /// It lost a little, surely.
    Inaccuracy,
    /// It lost more.
    Mistake,
    /// It lost most.
    Blunder,
}

impl DecisionMark {
    /// All of them, the best first.
    pub const ALL: [DecisionMark; 4] =
        [DecisionMark::Good, DecisionMark::Inaccuracy, DecisionMark::Mistake, DecisionMark::Blunder];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            DecisionMark::Good => "good",
            DecisionMark::Inaccuracy => "inaccuracy",
            DecisionMark::Mistake => "mistake",
            DecisionMark::Blunder => "blunder",
        }
    }

    /// The sign for it, as chess players write it.
    pub const fn sign(self) -> &'static str {
        match self {
            DecisionMark::Good => "!",
            DecisionMark::Inaccuracy => "?!",
            DecisionMark::Mistake => "?",
            DecisionMark::Blunder => "??",
        }
    }

    /// True if something was lost.
    pub const fn is_loss(self) -> bool {
        !matches!(self, DecisionMark::Good)
    }
}

/// What is said of one decision.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionComment {
    /// The move that came of it.
    pub number: MoveNumber,
    /// Whose it was.
    pub seat: Seat,
    /// Its mark, if it has one.
    pub mark: Option<DecisionMark>,
    /// What the action taken was worth: the share of the other seats that it beats, from 0 to 1.
    pub worth: f64,
    /// A sentence about it.
    pub words: Vec<Piece>,
}

/// A moment of a game that is worth a look.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMoment {
    /// Its move.
    pub number: MoveNumber,
    /// Whose decision it was.
    pub seat: Seat,
    /// Why it is worth a look.
    pub words: Vec<Piece>,
}

/// What moved the chances of a seat over a game.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatBalance {
    /// Whose chances.
    pub seat: Seat,
    /// Luck and skill apart, in words.
    pub words: Vec<Piece>,
}

/// What is said of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Commentary {
    /// How it was judged, and how sure that is: sentences.
    pub judge: String,
    /// The decisions in which a seat had a choice, in order.
    pub comments: Vec<DecisionComment>,
    /// At most three moments, in order.
    pub moments: Vec<KeyMoment>,
    /// Of each seat with a choice.
    pub balances: Vec<SeatBalance>,
}

impl Commentary {
    /// The comment on move `number`, if these eyes may see one.
    pub fn on(&self, number: MoveNumber, eyes: Eyes) -> Option<&DecisionComment> {
        let first = self.comments.partition_point(|comment| comment.number < number);
        let mut of_move = self.comments[first..].iter().take_while(|comment| comment.number == number);
        of_move.find(|comment| may_show(eyes, comment.seat))
    }

    /// The share of the others that `seat` could expect to beat when it last had a choice, at move `number` or before.
    pub fn chances(&self, seat: Seat, number: MoveNumber) -> Option<f64> {
        let end = self.comments.partition_point(|comment| comment.number <= number);
        self.comments[..end].iter().rev().find(|comment| comment.seat == seat).map(|comment| comment.worth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_for_the_eyes_of_the_referee_and_of_its_seat() {
        let [one, other] = [0, 1].map(|seat| Seat::new(seat).expect("a seat"));
        let comment = |number, seat, worth| DecisionComment {
            number: MoveNumber(number),
            seat,
            mark: Some(DecisionMark::Blunder),
            worth,
            words: Vec::new(),
        };
        let comments = vec![comment(2, one, 0.5), comment(5, other, 0.25), comment(9, one, 0.75)];
        let said = Commentary { comments, ..Commentary::default() };
        for (number, eyes, seen) in [
            (2, None, true),
            (2, Some(one), true),
            (2, Some(other), false),
            (5, Some(other), true),
            (5, super::super::spectator(2), false),
            (3, None, false),
        ] {
            assert_eq!(said.on(MoveNumber(number), eyes).is_some(), seen, "{number} {eyes:?}");
        }
        let chances = |seat, number| said.chances(seat, MoveNumber(number));
        assert_eq!([chances(one, 1), chances(one, 2), chances(one, 8)], [None, Some(0.5), Some(0.5)]);
        assert_eq!([chances(one, 9), chances(other, 4), chances(other, 99)], [Some(0.75), None, Some(0.25)]);
    }
}
