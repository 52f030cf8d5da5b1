//! Rules on a well-formed `act` on the lockstep clock: first by its id, then by whether it answers the ask at all. A
//! pure function of what the referee knows of the id; what each fault costs is in `conduct`.

use maumau_protocol::fault::ConductFault;

/// How an id in an answer relates to the seat's asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdState {
    /// The open ask.
    Open,
    /// The ask whose deadline passed last and that has not been answered.
    Expired,
    /// An earlier id of a void ask that has been answered under a later one (SPEC 5.9); not yet answered itself.
    Replaced,
    /// An ask that has been answered.
    Answered,
    /// An id that was never issued.
    Never,
}

/// What happens to a well-formed `act` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActRuling {
    /// It is the answer.
    Answer,
    /// It came after its deadline, which has already been charged: dropped.
    Late,
    /// It is a second answer to an ask that the host repeated: dropped.
    Dropped,
    /// A conduct fault.
    Fault(ConductFault),
}

/// Rules on a well-formed `act`: by its id, then by whether it is an answer to the ask at all.
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
