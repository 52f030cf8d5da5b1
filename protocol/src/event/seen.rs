//! Decides what a seat sees of an event, from the event and the seat alone; what a seat sees of the position is decided
//! in the engine (`Game::view`).
//!
//! The only place that decides it. Every event is listed with all its members, so that a new one does not compile until
//! somebody has said who may see it.

use super::{DrawReason, Event, OneSeat, Seen};
use crate::seat::Seat;

/// An event as one seat may see it.
pub type SeenEvent = Event<OneSeat>;

impl Event {
    /// The event without what `viewer` may not know (G-08).
    pub fn seen_by(&self, viewer: Seat) -> SeenEvent {
        match *self {
            // Hidden from some seats.
            Event::Dealt { seat, count, ref cards, sealed } => {
                let cards = Seen::only_if(seat == viewer && !sealed, cards);
                Event::Dealt { seat, count, cards, sealed }
            }
            Event::Drew { seat, ref card, why, sealed } => {
                // A top card that was taken lay openly.
                let open = why == DrawReason::Shortage;
                let card = Seen::only_if(open || (seat == viewer && !sealed), card);
                Event::Drew { seat, card, why, sealed }
            }
            Event::Penalty { seat, ref card, fault, sealed } => {
                let card = Seen::only_if(seat == viewer && !sealed, card);
                Event::Penalty { seat, card, fault, sealed }
            }
            Event::Returned { seat, ref card, sealed } => {
                let card = Seen::only_if(seat == viewer && !sealed, card);
                Event::Returned { seat, card, sealed }
            }
            Event::HandShown { seat, ref cards } => {
                Event::HandShown { seat, cards: Seen::only_if(seat == viewer, cards) }
            }
            Event::Shown { seat, to, ref cards } => {
                let cards = Seen::only_if(seat == viewer || to.contains(viewer), cards);
                Event::Shown { seat, to, cards }
            }
            Event::Taken { by, from, ref card, sealed, overdue } => {
                let card = Seen::only_if(by == viewer || from == viewer, card);
                Event::Taken { by, from, card, sealed, overdue }
            }
            Event::Unsealed { seat, count, ref cards } => {
                let cards = Seen::only_if(seat == viewer, cards);
                Event::Unsealed { seat, count, cards }
            }
            Event::Refused { seat, ref card, reason, shown } => {
                let card = Seen::only_if(seat == viewer || shown, card);
                Event::Refused { seat, card, reason, shown }
            }
            // Public.
            Event::RoundStarted { round, dealer, direction } => Event::RoundStarted { round, dealer, direction },
            Event::TurnedUp { card } => Event::TurnedUp { card },
            Event::Said { seat, ref text, apart } => Event::Said { seat, text: text.clone(), apart },
            Event::Together { seat, count, open } => Event::Together { seat, count, open },
            Event::Played { seat, card, stands_for, choose } => Event::Played { seat, card, stands_for, choose },
            Event::Chose { seat, choose } => Event::Chose { seat, choose },
            Event::Called { by, against, ref fault, upheld } => {
                Event::Called { by, against, fault: fault.clone(), upheld }
            }
            Event::Passed { seat } => Event::Passed { seat },
            Event::Skipped { seat } => Event::Skipped { seat },
            Event::Reversed { direction } => Event::Reversed { direction },
            Event::Reshuffled { count } => Event::Reshuffled { count },
            Event::Waived { seat, count } => Event::Waived { seat, count },
            Event::ActedFor { seat, why } => Event::ActedFor { seat, why },
            Event::Named { seat, choose } => Event::Named { seat, choose },
            Event::Revoked { by } => Event::Revoked { by },
            Event::RequestOver => Event::RequestOver,
            Event::HandsRotated { direction } => Event::HandsRotated { direction },
            Event::HandsSwapped { seats } => Event::HandsSwapped { seats },
            Event::WentOut { seat, place } => Event::WentOut { seat, place },
            Event::CameBack { seat } => Event::CameBack { seat },
            Event::Counted { seat, total } => Event::Counted { seat, total },
            Event::Challenged { by, against, upheld } => Event::Challenged { by, against, upheld },
            Event::DebtCancelled { by } => Event::DebtCancelled { by },
            Event::RuleOffered { by, ref offer } => Event::RuleOffered { by, offer: offer.clone() },
            Event::RuleAdded { by, ref rule } => Event::RuleAdded { by, rule: rule.clone() },
            Event::DebtReturned { by } => Event::DebtReturned { by },
            Event::Free { seat } => Event::Free { seat },
            Event::Swapped { seats, back } => Event::Swapped { seats, back },
            Event::Mistake { seat, fault, count } => Event::Mistake { seat, fault, count },
            Event::DealtCard { by, to } => Event::DealtCard { by, to },
            Event::PenaltiesDealt { by } => Event::PenaltiesDealt { by },
            Event::Counting { by } => Event::Counting { by },
            Event::PickedUp { by } => Event::PickedUp { by },
            Event::DealVoid => Event::DealVoid,
            Event::TakenBack { seat } => Event::TakenBack { seat },
            Event::Closed => Event::Closed,
            Event::RoundOver { winners, end } => Event::RoundOver { winners, end },
            Event::Scored { seat, ref hand, points, total } => {
                Event::Scored { seat, hand: hand.clone(), points, total }
            }
            Event::Interjected { seat, count } => Event::Interjected { seat, count },
            Event::RaceOpened { by } => Event::RaceOpened { by },
            Event::SuitStated { seat, suit } => Event::SuitStated { seat, suit },
            Event::Looked { seat } => Event::Looked { seat },
            Event::Reached { seat, r#for } => Event::Reached { seat, r#for },
            Event::Glared { seat, at } => Event::Glared { seat, at },
            Event::PointOfOrder { seat } => Event::PointOfOrder { seat },
            Event::PointOfOrderOver => Event::PointOfOrderOver,
            Event::MatchOver { winners } => Event::MatchOver { winners },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;
    use crate::event::{Reason, RuleFault};
    use crate::seat::SeatSet;

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
        let taken = Event::Taken { by, from, card: Card::from_code("7H"), sealed: false, overdue: false };
        let seen = |seat| serde_json::to_string(&taken.seen_by(seat)).expect("json");
        let whole = r#"{"event":"taken","by":0,"from":1,"card":"7H"}"#;
        assert_eq!([seen(by), seen(from), seen(other)], [whole, whole, r#"{"event":"taken","by":0,"from":1}"#]);
    }

    /// Every hidden member, sealed or not: its owner sees it unless it is sealed, nobody else does; a card that lay openly
    /// is seen by all (G-08, N-98, P-05).
    #[test]
    fn hidden_cards_are_seen_by_their_owner_alone_and_sealed_ones_by_nobody() {
        let [me, other] = [0, 1].map(|index| Seat::new(index).expect("a small seat"));
        let card = Card::from_code("7H");
        let cards: Option<Box<[Card]>> = card.map(|card| Box::from([card]));
        let (fault, reason) = (RuleFault::WrongCard, Reason::DoesNotFit);
        let with_seal = |sealed| {
            [
                Event::Dealt { seat: me, count: 1, cards: cards.clone(), sealed },
                Event::Drew { seat: me, card, why: DrawReason::Turn, sealed },
                Event::Drew { seat: me, card, why: DrawReason::Owed, sealed },
                Event::Penalty { seat: me, card, fault, sealed },
                Event::Returned { seat: me, card, sealed },
            ]
        };
        let own = [
            Event::HandShown { seat: me, cards: cards.clone() },
            Event::Shown { seat: me, to: SeatSet::of(me), cards: cards.clone() },
            Event::Unsealed { seat: me, count: 1, cards: cards.clone() },
            Event::Refused { seat: me, card, reason, shown: false },
        ];
        let open = [
            Event::Drew { seat: me, card, why: DrawReason::Shortage, sealed: false },
            Event::Shown { seat: me, to: SeatSet::of(other), cards: cards.clone() },
            Event::Refused { seat: me, card, reason, shown: true },
        ];
        let sees = |event: &Event, viewer| serde_json::to_string(&event.seen_by(viewer)).expect("json").contains("7H");
        let check = |events: &[Event], seen: [bool; 2]| {
            for event in events {
                assert_eq!([me, other].map(|viewer| sees(event, viewer)), seen, "{event:?}");
            }
        };
        check(&with_seal(true), [false, false]);
        check(&with_seal(false), [true, false]);
        check(&own, [true, false]);
        check(&open, [true, true]);
    }
}
