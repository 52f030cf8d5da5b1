//! Trials: games that a team asks for between a version of its own and others. They are never rated, and use no deal of the season.

/// Games of a trial at most.
pub const MAX_TRIAL_GAMES: u32 = 200;

/// Where a trial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialState {
    /// Its games have not begun.
    Waiting,
    /// It is being played.
    Playing,
    /// All its games have been played.
    Done,
    /// It could not be played.
    Failed,
}

impl TrialState {
    /// All states.
    pub const ALL: [TrialState; 4] = [TrialState::Waiting, TrialState::Playing, TrialState::Done, TrialState::Failed];

    /// The word for it, in the database, in answers and on pages.
    pub const fn name(self) -> &'static str {
        match self {
            TrialState::Waiting => "waiting",
            TrialState::Playing => "playing",
            TrialState::Done => "done",
            TrialState::Failed => "failed",
        }
    }

    /// The state with this name.
    pub fn named(name: &str) -> Option<TrialState> {
        TrialState::ALL.into_iter().find(|state| state.name() == name)
    }

    /// True if it is still to be played: a team has one such trial at a time.
    pub const fn is_on_its_way(self) -> bool {
        matches!(self, TrialState::Waiting | TrialState::Playing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_of_a_trial_has_a_name_of_its_own() {
        for state in TrialState::ALL {
            assert_eq!(TrialState::named(state.name()), Some(state));
        }
        assert_eq!(TrialState::named("over"), None);
    }
}
