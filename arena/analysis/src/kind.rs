//! What a decision was about, and when in its round it was taken: by what authors ask where a bot loses. It measures nothing.

use maumau_protocol::message::What;
use maumau_protocol::{Action, Verb};

/// What a decision was about: what set the action taken apart from its strongest rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecisionKind {
    /// Which card to play.
    Card,
    /// What to name with a card, or after it.
    Name,
    /// To play or to draw or pass, with nothing owed.
    PlayOrDraw,
    /// To answer a debt or a suspension with a card, or to take it.
    AnswerOrTake,
    /// What to say with the same action.
    Words,
    /// To act or keep silent between turns: calls, interjections, races.
    CallOrSilence,
    /// Anything against a deadline that passed.
    InTime,
    /// All else, such as from whom to take a card.
    Other,
}

impl DecisionKind {
    /// All of them, in the order of tables.
    pub const ALL: [DecisionKind; 8] = [
        DecisionKind::Card,
        DecisionKind::Name,
        DecisionKind::PlayOrDraw,
        DecisionKind::AnswerOrTake,
        DecisionKind::Words,
        DecisionKind::CallOrSilence,
        DecisionKind::InTime,
        DecisionKind::Other,
    ];

    /// The name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            DecisionKind::Card => "card",
            DecisionKind::Name => "name",
            DecisionKind::PlayOrDraw => "play or draw",
            DecisionKind::AnswerOrTake => "answer or take",
            DecisionKind::Words => "words",
            DecisionKind::CallOrSilence => "call or silence",
            DecisionKind::InTime => "in time",
            DecisionKind::Other => "other",
        }
    }

    /// What a decision was about in which `taken` was done and `rival` was the strongest alternative; `owes` if cards are owed or a turn is to be missed.
    pub(crate) fn of(what: What, owes: bool, taken: Option<&Action>, rival: Option<&Action>) -> DecisionKind {
        let (Some(taken), Some(rival)) = (taken, rival) else { return DecisionKind::InTime };
        match (&taken.verb, &rival.verb) {
            (one, other) if one == other => DecisionKind::Words,
            _ if what == What::React => DecisionKind::CallOrSilence,
            (Verb::Choose(_), Verb::Choose(_)) => DecisionKind::Name,
            (one, other) if one.single_card().is_some_and(|card| other.single_card() == Some(card)) => {
                DecisionKind::Name
            }
            (one, other) if one.plays() && other.plays() => DecisionKind::Card,
            (play, Verb::Draw | Verb::Pass) | (Verb::Draw | Verb::Pass, play) if play.plays() => {
                if owes {
                    DecisionKind::AnswerOrTake
                } else {
                    DecisionKind::PlayOrDraw
                }
            }
            _ => DecisionKind::Other,
        }
    }
}

/// When in its round a decision was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundPart {
    /// It was one of the seat's first three decisions of the round.
    Opening,
    /// Neither of the others.
    Middle,
    /// Some seat held at most two cards.
    End,
}

/// Decisions of a seat that are its opening.
const OPENING: u32 = 3;
/// Cards in some hand from which on the round is in its end.
const FEW_CARDS: u16 = 2;

impl RoundPart {
    /// All of them, in order.
    pub const ALL: [RoundPart; 3] = [RoundPart::Opening, RoundPart::Middle, RoundPart::End];

    /// The name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            RoundPart::Opening => "opening",
            RoundPart::Middle => "middle",
            RoundPart::End => "end",
        }
    }

    /// The part of a decision before which the seat took `before` others in the round, with `hands` on the table.
    pub(crate) fn of(hands: &[u16], before: u32) -> RoundPart {
        if hands.iter().any(|cards| *cards <= FEW_CARDS) {
            RoundPart::End
        } else if before < OPENING {
            RoundPart::Opening
        } else {
            RoundPart::Middle
        }
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::{Card, Choice, Say, Seat, Suit};

    use super::*;

    fn play(card: &str, suit: Option<Suit>) -> Action {
        let card: Card = card.parse().expect("a card");
        Verb::Play { card, choose: suit.map(Choice::Suit) }.into()
    }

    #[test]
    fn a_decision_is_about_what_sets_the_action_apart_from_its_strongest_rival() {
        use DecisionKind::{AnswerOrTake, CallOrSilence, Card, InTime, Name, Other, PlayOrDraw, Words};
        let (seven, jack) = (play("7H", None), play("JC", Some(Suit::Hearts)));
        let spades = play("JC", Some(Suit::Spades));
        let choose = |suit| Action::from(Verb::Choose(Choice::Suit(suit)));
        let (draw, pass) = (Action::from(Verb::Draw), Action::from(Verb::Pass));
        let with_word = Action { say: Say::word("Mau"), ..seven.clone() };
        let take = |seat| Action::from(Verb::Take { from: Seat::new(seat).expect("a seat") });
        for (what, owes, taken, rival, kind) in [
            (What::Turn, false, Some(&seven), Some(&jack), Card),
            (What::Turn, true, Some(&seven), Some(&jack), Card),
            (What::Turn, false, Some(&jack), Some(&spades), Name),
            (What::Choose, false, Some(&choose(Suit::Clubs)), Some(&choose(Suit::Hearts)), Name),
            (What::Turn, false, Some(&draw), Some(&jack), PlayOrDraw),
            (What::Turn, false, Some(&seven), Some(&pass), PlayOrDraw),
            (What::Turn, true, Some(&draw), Some(&seven), AnswerOrTake),
            (What::Turn, true, Some(&seven), Some(&draw), AnswerOrTake),
            (What::Turn, false, Some(&seven), Some(&with_word), Words),
            (What::React, false, Some(&seven), Some(&Verb::Wait.into()), CallOrSilence),
            (What::Turn, false, None, Some(&seven), InTime),
            (What::Turn, false, Some(&seven), None, InTime),
            (What::Turn, false, Some(&take(0)), Some(&take(1)), Other),
        ] {
            assert_eq!(DecisionKind::of(what, owes, taken, rival), kind, "{taken:?} against {rival:?}");
        }
    }

    #[test]
    fn a_round_has_an_opening_a_middle_and_an_end() {
        for (hands, before, part) in [
            (&[5, 5][..], 0, RoundPart::Opening),
            (&[5, 5], 2, RoundPart::Opening),
            (&[3, 3], 3, RoundPart::Middle),
            (&[9, 2], 0, RoundPart::End),
            (&[1, 7], 8, RoundPart::End),
        ] {
            assert_eq!(RoundPart::of(hands, before), part, "{hands:?} after {before}");
        }
    }
}
