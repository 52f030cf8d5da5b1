//! What becomes of an `act` on the lockstep clock that is a message: its id decides, then whether it answers at all.

use maumau_protocol::fault::ConductFault;

/// How an id in an answer relates to the seat's asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdState {
    /// The ask that is open.
    Open,
    /// The ask whose deadline passed last, not yet answered.
    Expired,
    /// Another id of an ask that was void and has been answered since (SPEC 5.9); not yet answered itself.
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
}
