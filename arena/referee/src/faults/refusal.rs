//! Refusals of actions that came in time: their names, what they cost, and what is counted. Only names and look-ups:
//! the engine refuses the action and takes the cards.

use maumau_protocol::fault::{ConductFault, CountedFault, FreeFault};
use maumau_protocol::{Event, Reason, RuleFault, Seat};

/// What a refused action costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Nothing by this protocol.
    Nothing,
    /// The rule set's price for a wrong card, `prices.misplay`.
    Misplay,
    /// The same for a card; free for anything else.
    MisplayOfCard,
    /// What the rule set says: a price, or a mistake that others may call.
    BySet,
    /// A strike: it is a conduct fault.
    Strike(ConductFault),
}

/// A row of the table of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The name in the `fault` line.
    pub name: &'static str,
    /// The clause of the rules.
    pub clause: &'static str,
    /// What it means, for the author of the agent.
    pub words: &'static str,
    /// What it costs.
    pub cost: Cost,
}

impl Refusal {
    /// The conduct fault that it is as well, if it is one.
    pub const fn conduct(self) -> Option<ConductFault> {
        match self.cost {
            Cost::Strike(fault) => Some(fault),
            Cost::Nothing | Cost::Misplay | Cost::MisplayOfCard | Cost::BySet => None,
        }
    }
}

/// The row of `reason`.
pub const fn refusal(reason: Reason) -> Refusal {
    use Cost::{BySet, Misplay, MisplayOfCard, Nothing, Strike};
    let (name, clause, words, cost) = match reason {
        Reason::DoesNotFit => ("wrong_card", "B-36", "the card does not fit", Misplay),
        Reason::MayNotBeLast => {
            ("wrong_card", "K-42", "the card may not be the last one, or the warning before it is missing", Misplay)
        }
        Reason::NotYourTurn => ("out_of_turn", "B-36", "it is another seat's turn", MisplayOfCard),
        Reason::Interrupted => ("interrupted", "G-03", "another action came first; nothing is charged", Nothing),
        Reason::NotInHand => ("not_in_hand", "G-04", "the card is not in the hand", Strike(ConductFault::NotInHand)),
        Reason::ChoiceMissing => ("wrong_choice", "G-04", "a suit must be named", Strike(ConductFault::WrongChoice)),
        Reason::ChoiceWrong => ("wrong_choice", "G-04", "that cannot be named here", Strike(ConductFault::WrongChoice)),
        Reason::NotNow => ("not_now", "G-02", "this cannot be done now", Nothing),
        Reason::SuitBarred => ("no_suit", "N-54", "that suit may not be named: it must be a new one", BySet),
        Reason::Rests => ("not_now", "P-96", "play rests", Nothing),
        Reason::NotLooked => ("not_now", "P-05", "you have not looked at your cards yet", Nothing),
        Reason::LookInPause => ("look_in_po", "P-83", "nobody looks at cards during a point of order", BySet),
        Reason::PauseBarred => ("illegal_po", "P-92", "a point of order may not be called now", BySet),
        Reason::Sealed => ("sealed", "N-103", "the card is sealed until a turn of its owner is over", BySet),
        Reason::NothingToTake => ("not_now", "N-130", "no card orders you to take from that hand", Nothing),
        Reason::NotYours => ("not_now", "N-111", "it is another seat's part to do this", Nothing),
        Reason::NotUpheld => ("not_upheld", "G-12", "the call is not upheld", Nothing),
    };
    Refusal { name, clause, words, cost }
}

/// What a refusal is counted as for its seat; `None` if it is not counted, or is counted as a conduct fault or through the
/// engine's own events.
const fn counted_as(reason: Reason, is_card: bool) -> Option<CountedFault> {
    match refusal(reason).cost {
        Cost::Misplay => Some(CountedFault::Rule(RuleFault::WrongCard)),
        Cost::MisplayOfCard if is_card => Some(CountedFault::Rule(RuleFault::OutOfTurn)),
        Cost::MisplayOfCard => Some(CountedFault::Free(FreeFault::NotNow)),
        Cost::Nothing if matches!(reason, Reason::NotNow) => Some(CountedFault::Free(FreeFault::NotNow)),
        Cost::Nothing | Cost::BySet | Cost::Strike(_) => None,
    }
}

/// The rule faults among the `events` of one input (what the engine charged or refused), each with the place of its event and the
/// seat that committed it.
pub(crate) fn rule_faults(events: &[Event]) -> impl Iterator<Item = (usize, Seat, CountedFault)> + '_ {
    let missing_mau = |event: &Event| match event {
        Event::Penalty { seat, fault: RuleFault::NoMau, .. } => Some(*seat),
        _ => None,
    };
    events.iter().enumerate().filter_map(move |(index, event)| match event {
        Event::Refused { seat, reason, card, .. } => {
            counted_as(*reason, card.is_some()).map(|name| (index, *seat, name))
        }
        event => {
            // Each card of the penalty is an event of its own.
            let seat = missing_mau(event)?;
            let is_first = index == 0 || missing_mau(&events[index - 1]) != Some(seat);
            is_first.then_some((index, seat, RuleFault::NoMau.into()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_protocol::Card;

    #[test]
    fn what_is_charged_like_a_wrong_card_is_counted_and_so_is_what_cannot_be_done_now() {
        for (reason, of_card, of_anything_else) in [
            (Reason::DoesNotFit, Some("wrong_card"), Some("wrong_card")),
            (Reason::MayNotBeLast, Some("wrong_card"), Some("wrong_card")),
            (Reason::NotYourTurn, Some("out_of_turn"), Some("not_now")),
            (Reason::NotNow, Some("not_now"), Some("not_now")),
            (Reason::Interrupted, None, None),
            (Reason::NotInHand, None, None),
            (Reason::Rests, None, None),
            (Reason::Sealed, None, None),
            (Reason::NotUpheld, None, None),
        ] {
            let counted_as = |is_card| counted_as(reason, is_card).map(CountedFault::name);
            assert_eq!(counted_as(true), of_card, "{reason:?} of a card");
            assert_eq!(counted_as(false), of_anything_else, "{reason:?} of anything else");
        }
    }

    #[test]
    fn a_penalty_for_a_missing_mau_is_one_fault_however_many_cards_it_has() {
        let [first, second] = [Seat::FIRST, Seat::new(1).expect("a seat")];
        let card = |seat, fault| Event::Penalty { seat, card: Some(Card::JOKER), fault, sealed: false };
        let forgot = |seat| card(seat, RuleFault::NoMau);
        for (events, expected) in [
            (vec![forgot(first)], vec![(0, first)]),
            (vec![forgot(first), forgot(first), forgot(first)], vec![(0, first)]),
            (vec![forgot(first), forgot(first), forgot(second), forgot(second)], vec![(0, first), (2, second)]),
            (vec![forgot(first), card(first, RuleFault::Slow), forgot(first)], vec![(0, first), (2, first)]),
            (vec![card(first, RuleFault::Slow), card(first, RuleFault::WrongCard)], vec![]),
        ] {
            let counted: Vec<_> = rule_faults(&events).collect();
            let expected: Vec<_> = expected.into_iter().map(|(at, seat)| (at, seat, RuleFault::NoMau.into())).collect();
            assert_eq!(counted, expected, "{events:?}");
        }
    }
}
