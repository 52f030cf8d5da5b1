//! What a seat sees of an event.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DrawReason, Event};
use crate::seat::Seat;

/// An event as one seat may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(transparent)]
pub struct SeenEvent(Event);

impl Event {
    /// The event without what `seat` may not know (G-08).
    pub fn seen_by(&self, seat: Seat) -> SeenEvent {
        SeenEvent(match self {
            Event::Dealt { seat: whose, count, cards, sealed } => Event::Dealt {
                seat: *whose,
                count: *count,
                cards: cards.clone().filter(|_| *whose == seat && !sealed),
                sealed: *sealed,
            },
            Event::Drew { why: DrawReason::Shortage, .. } => self.clone(),
            Event::Drew { seat: whose, card, why, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Drew { seat: *whose, card, why: *why, sealed: *sealed }
            }
            Event::Penalty { seat: whose, card, fault, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Penalty { seat: *whose, card, fault: *fault, sealed: *sealed }
            }
            Event::Returned { seat: whose, card, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Returned { seat: *whose, card, sealed: *sealed }
            }
            Event::HandShown { seat: whose, cards } => {
                Event::HandShown { seat: *whose, cards: cards.clone().filter(|_| *whose == seat) }
            }
            Event::Taken { by, from, card } => {
                Event::Taken { by: *by, from: *from, card: card.filter(|_| seat == *by || seat == *from) }
            }
            Event::Unsealed { seat: whose, count, cards } => {
                Event::Unsealed { seat: *whose, count: *count, cards: cards.clone().filter(|_| *whose == seat) }
            }
            Event::Refused { seat: whose, card, reason, shown } => Event::Refused {
                seat: *whose,
                card: card.filter(|_| *whose == seat || *shown),
                reason: *reason,
                shown: *shown,
            },
            public => public.clone(),
        })
    }
}

impl SeenEvent {
    /// The event; hidden members are `None`.
    pub fn event(&self) -> &Event {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;

    #[test]
    fn others_see_that_a_card_was_drawn_but_not_which() {
        let [me, other] = [0, 1].map(|index| Seat::new(index).expect("a small seat"));
        let drew = Event::Drew { seat: me, card: Card::from_code("7H"), why: DrawReason::Turn, sealed: false };
        assert_eq!(
            serde_json::to_string(&drew.seen_by(other)).expect("json"),
            r#"{"event":"drew","seat":0,"why":"turn"}"#
        );
        assert_eq!(
            serde_json::to_string(&drew.seen_by(me)).expect("json"),
            r#"{"event":"drew","seat":0,"card":"7H","why":"turn"}"#
        );
    }

    /// N-23, N-50.
    #[test]
    fn a_card_from_hand_to_hand_is_seen_by_the_two_only() {
        let [by, from, other] = [0, 1, 2].map(|index| Seat::new(index).expect("a small seat"));
        let taken = Event::Taken { by, from, card: Card::from_code("7H") };
        let seen = |seat| serde_json::to_string(&taken.seen_by(seat)).expect("json");
        let whole = r#"{"event":"taken","by":0,"from":1,"card":"7H"}"#;
        assert_eq!([seen(by), seen(from), seen(other)], [whole, whole, r#"{"event":"taken","by":0,"from":1}"#]);
    }
}
