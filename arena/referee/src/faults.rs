//! The fault table (SPEC §6): what each fault is called, what it costs, what becomes of the ask and what is counted. Pure
//! functions, walked whole by tests. What a rule fault costs in cards is the rule set's business and is carried out by the engine.

use maumau_protocol::fault::ConductFault;
use maumau_protocol::{Event, Reason, RuleFault, Seat};

/// The name under which failures of the author's code are counted beside the faults (SPEC 6.16).
pub const CRASH: &str = "crash";

/// What a conduct fault leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The agent is dismissed at once, whatever its strikes.
    pub dismissed: bool,
    /// The ask that is open, if one is, stays open until its own deadline, so that the agent may still answer it.
    pub ask_stays_open: bool,
    /// The clause that says so.
    pub clause: &'static str,
}

/// The sentence for a conduct fault. Every one is a strike; the last strike dismisses (G-04).
pub const fn sentence(fault: ConductFault) -> Sentence {
    let (clause, ask_stays_open) = match fault {
        ConductFault::LineTooLong => ("SPEC 6.1", true),
        ConductFault::Flood => ("SPEC 6.2", false),
        ConductFault::NotJson => ("SPEC 6.3", true),
        ConductFault::WrongShape => ("SPEC 6.4", true),
        ConductFault::UnknownVerb => ("G-04", true),
        ConductFault::OutOfPlace => ("SPEC 6.6", true),
        ConductFault::UnknownGame => ("SPEC 6.7", true),
        ConductFault::StaleId => ("SPEC 6.8", true),
        ConductFault::UnknownId => ("SPEC 6.9", true),
        ConductFault::NotInHand | ConductFault::WrongChoice => ("G-04", false),
        ConductFault::NotAnAnswer => ("SPEC 6.12", true),
        ConductFault::Gone => ("SPEC 6.13", false),
        ConductFault::NotStarted => ("SPEC 6.14", false),
        ConductFault::Silent => ("SPEC 6.15", false),
    };
    Sentence { dismissed: fault.dismisses(), ask_stays_open, clause }
}

/// The name, the clause and the meaning of a refusal for the `fault` line; the conduct fault that it is as well, if it is
/// one.
pub const fn refusal(reason: Reason) -> (&'static str, &'static str, &'static str, Option<ConductFault>) {
    match reason {
        Reason::DoesNotFit => ("wrong_card", "B-36", "the card does not fit", None),
        Reason::MayNotBeLast => {
            ("wrong_card", "K-42", "the card may not be the last one, or the warning before it is missing", None)
        }
        Reason::NotYourTurn => ("out_of_turn", "B-36", "it is another seat's turn", None),
        Reason::Interrupted => ("interrupted", "G-03", "another action came first; nothing is charged", None),
        Reason::NotInHand => ("not_in_hand", "G-04", "the card is not in the hand", Some(ConductFault::NotInHand)),
        Reason::ChoiceMissing => ("wrong_choice", "G-04", "a suit must be named", Some(ConductFault::WrongChoice)),
        Reason::ChoiceWrong => ("wrong_choice", "G-04", "that cannot be named here", Some(ConductFault::WrongChoice)),
        Reason::NotNow => ("not_now", "G-02", "this cannot be done now", None),
        Reason::SuitBarred => ("no_suit", "N-54", "that suit may not be named: it must be a new one", None),
        Reason::Rests => ("not_now", "P-96", "play rests", None),
        Reason::NotLooked => ("not_now", "P-05", "you have not looked at your cards yet", None),
        Reason::LookInPause => ("look_in_po", "P-83", "nobody looks at cards during a point of order", None),
        Reason::PauseBarred => ("illegal_po", "P-92", "a point of order may not be called now", None),
        Reason::Sealed => ("sealed", "N-103", "the card is sealed until a turn of its owner is over", None),
        Reason::NothingToTake => ("not_now", "N-130", "no card orders you to take from that hand", None),
        Reason::NotYours => ("not_now", "N-111", "it is another seat's part to do this", None),
        Reason::NotUpheld => ("not_upheld", "G-12", "the call is not upheld", None),
    }
}

/// The rule faults among the `events` of one input, by what the engine charged or refused, each with the seat whose it is.
pub(crate) fn rule_faults(events: &[Event]) -> impl Iterator<Item = (Seat, &'static str)> + '_ {
    let missing_mau = |event: &Event| match event {
        Event::Penalty { seat, fault: RuleFault::NoMau, .. } => Some(*seat),
        _ => None,
    };
    events.iter().enumerate().filter_map(move |(index, event)| match event {
        Event::Refused { seat, reason, card, .. } => match reason {
            Reason::DoesNotFit | Reason::MayNotBeLast => Some((*seat, RuleFault::WrongCard.name())),
            Reason::NotYourTurn if card.is_some() => Some((*seat, RuleFault::OutOfTurn.name())),
            Reason::NotNow | Reason::NotYourTurn => Some((*seat, refusal(Reason::NotNow).0)),
            _ => None,
        },
        event => {
            // Each card of the penalty is an event.
            let seat = missing_mau(event)?;
            let is_first = index == 0 || missing_mau(&events[index - 1]) != Some(seat);
            is_first.then_some((seat, RuleFault::NoMau.name()))
        }
    })
}

/// How an id in an answer relates to the seat's asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdState {
    /// The ask that is open.
    Open,
    /// The ask whose deadline passed last, not yet answered.
    Expired,
    /// Another id of an ask that was void, answered by then (SPEC 5.9); not yet answered itself.
    Replaced,
    /// An ask that has been answered.
    Answered,
    /// Never given.
    Never,
}

/// What becomes of an `act` line that is well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActRuling {
    /// It is the answer.
    Answer,
    /// It came after its deadline, which has been paid for: dropped.
    Late,
    /// It answers once more what the host had asked twice: dropped.
    Dropped,
    /// A conduct fault.
    Fault(ConductFault),
}

/// Rules on a well-formed `act`: by its id, then by whether it is an answer at all to what was asked.
pub const fn rule_act(id: IdState, is_wait: bool, must_move: bool) -> ActRuling {
    match id {
        IdState::Open if is_wait && must_move => ActRuling::Fault(ConductFault::NotAnAnswer),
        IdState::Open => ActRuling::Answer,
        IdState::Expired => ActRuling::Late,
        IdState::Replaced => ActRuling::Dropped,
        IdState::Answered => ActRuling::Fault(ConductFault::StaleId),
        IdState::Never => ActRuling::Fault(ConductFault::UnknownId),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_conduct_faults_is_this() {
        use ConductFault::*;
        let table = [
            // fault, dismissed at once, ask stays open, clause
            (LineTooLong, false, true, "SPEC 6.1"),
            (Flood, true, false, "SPEC 6.2"),
            (NotJson, false, true, "SPEC 6.3"),
            (WrongShape, false, true, "SPEC 6.4"),
            (UnknownVerb, false, true, "G-04"),
            (OutOfPlace, false, true, "SPEC 6.6"),
            (UnknownGame, false, true, "SPEC 6.7"),
            (StaleId, false, true, "SPEC 6.8"),
            (UnknownId, false, true, "SPEC 6.9"),
            (NotInHand, false, false, "G-04"),
            (WrongChoice, false, false, "G-04"),
            (NotAnAnswer, false, true, "SPEC 6.12"),
            (Gone, true, false, "SPEC 6.13"),
            (NotStarted, true, false, "SPEC 6.14"),
            (Silent, true, false, "SPEC 6.15"),
        ];
        assert_eq!(table.map(|row| row.0), ConductFault::ALL);
        for (fault, dismissed, ask_stays_open, clause) in table {
            assert_eq!(sentence(fault), Sentence { dismissed, ask_stays_open, clause }, "{}", fault.name());
        }
    }

    #[test]
    fn an_act_is_ruled_on_by_its_id_first() {
        use ActRuling::*;
        for (id, is_wait, must_move, ruling) in [
            (IdState::Open, false, true, Answer),
            (IdState::Open, false, false, Answer),
            (IdState::Open, true, false, Answer),
            (IdState::Open, true, true, Fault(ConductFault::NotAnAnswer)),
            (IdState::Expired, true, true, Late),
            (IdState::Expired, false, true, Late),
            (IdState::Replaced, true, true, Dropped),
            (IdState::Replaced, false, false, Dropped),
            (IdState::Answered, false, true, Fault(ConductFault::StaleId)),
            (IdState::Never, false, true, Fault(ConductFault::UnknownId)),
        ] {
            assert_eq!(rule_act(id, is_wait, must_move), ruling, "{id:?} {is_wait} {must_move}");
        }
    }

    #[test]
    fn the_table_of_refusals_is_this() {
        use ConductFault::{NotInHand, WrongChoice};
        let table = [
            // reason, name, clause, conduct fault
            (Reason::DoesNotFit, "wrong_card", "B-36", None),
            (Reason::MayNotBeLast, "wrong_card", "K-42", None),
            (Reason::NotYourTurn, "out_of_turn", "B-36", None),
            (Reason::Interrupted, "interrupted", "G-03", None),
            (Reason::NotInHand, "not_in_hand", "G-04", Some(NotInHand)),
            (Reason::ChoiceMissing, "wrong_choice", "G-04", Some(WrongChoice)),
            (Reason::ChoiceWrong, "wrong_choice", "G-04", Some(WrongChoice)),
            (Reason::NotNow, "not_now", "G-02", None),
            (Reason::SuitBarred, "no_suit", "N-54", None),
            (Reason::Rests, "not_now", "P-96", None),
            (Reason::NotLooked, "not_now", "P-05", None),
            (Reason::LookInPause, "look_in_po", "P-83", None),
            (Reason::PauseBarred, "illegal_po", "P-92", None),
            (Reason::Sealed, "sealed", "N-103", None),
            (Reason::NothingToTake, "not_now", "N-130", None),
            (Reason::NotYours, "not_now", "N-111", None),
            (Reason::NotUpheld, "not_upheld", "G-12", None),
        ];
        for (reason, name, clause, conduct) in table {
            let (said, cites, meaning, fault) = refusal(reason);
            assert_eq!((said, cites, fault), (name, clause, conduct), "{reason:?}");
            assert!(!meaning.is_empty(), "{reason:?}");
            assert!(conduct.is_none_or(|conduct| conduct.name() == name), "{reason:?}: one name for one fault");
        }
        let mut rows: Vec<usize> = table.iter().map(|row| row.0 as usize).collect();
        rows.sort_unstable();
        let every_reason: Vec<usize> = (0..=Reason::PauseBarred as usize).collect();
        assert_eq!(rows, every_reason, "one row for each reason");
    }
}
