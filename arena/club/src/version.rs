//! The states of a version, from its upload to its last rated game, and what leads from one to the next. A verdict about the bot
//! refuses it; what fails on this side puts it back, and never counts against its author.

/// How often a version is put back before it waits for the organiser.
pub const MAX_TRIES: u32 = 3;

/// Where a version stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VersionState {
    /// It waits for its build, if it has one, and its check.
    Waiting,
    /// It is being built.
    Building,
    /// It is being checked.
    Checking,
    /// It has passed the check, and joins the season next.
    Ready,
    /// It plays rated games.
    Playing,
    /// It leaves the ladder until it is resumed; its games stay.
    Paused,
    /// A later version of the bot plays; its games stay.
    Retired,
    /// It was taken back, and leaves the ladder for good; its games stay.
    Withdrawn,
    /// The organiser has disqualified it: it leaves the ladder for good, and ratings leave its games out.
    Disqualified,
    /// The build failed, or the check found a fault of the bot.
    Refused,
    /// The club could not build or check it [`MAX_TRIES`] times; not the bot's fault.
    Failed,
}

/// What happened to a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionNews {
    /// Its build began.
    BuildBegan,
    /// Its check began, after its build if it has one.
    CheckBegan,
    /// The build failed, by its own fault.
    BuildFailed,
    /// The check passed it.
    Passed,
    /// The check found a fault of the bot.
    FoundFaulty,
    /// The build or the check did not come to a verdict, or the club was killed meanwhile; the n-th time.
    PutBack {
        /// How often that has happened, this time included.
        tries: u32,
    },
    /// It is in the league file of the season.
    Joined,
    /// A later version of the bot has joined.
    Replaced,
    /// Its team or the organiser pauses it.
    Paused,
    /// It is to play again.
    Resumed,
    /// Its team or the organiser takes it back.
    Withdrawn,
    /// The organiser disqualifies it.
    Disqualified,
    /// A season with other rules has begun, by which it is checked again.
    SeasonBegan,
    /// The same files were sent once more.
    SentAgain,
}

impl VersionNews {
    /// True for what people decide; all else is what the club finds.
    pub const fn is_decided_by_people(self) -> bool {
        matches!(self, VersionNews::Paused | VersionNews::Resumed | VersionNews::Withdrawn | VersionNews::Disqualified)
    }
}

impl VersionState {
    /// All states.
    pub const ALL: [VersionState; 11] = [
        VersionState::Waiting,
        VersionState::Building,
        VersionState::Checking,
        VersionState::Ready,
        VersionState::Playing,
        VersionState::Paused,
        VersionState::Retired,
        VersionState::Withdrawn,
        VersionState::Disqualified,
        VersionState::Refused,
        VersionState::Failed,
    ];

    /// The word for it, in the database, in answers and on pages.
    pub const fn name(self) -> &'static str {
        match self {
            VersionState::Waiting => "waiting",
            VersionState::Building => "building",
            VersionState::Checking => "checking",
            VersionState::Ready => "ready",
            VersionState::Playing => "playing",
            VersionState::Paused => "paused",
            VersionState::Retired => "retired",
            VersionState::Withdrawn => "withdrawn",
            VersionState::Disqualified => "disqualified",
            VersionState::Refused => "refused",
            VersionState::Failed => "failed",
        }
    }

    /// The state with this name.
    pub fn named(name: &str) -> Option<VersionState> {
        VersionState::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The state that follows; `None` if the news cannot be about a version in this state.
    pub fn after(self, news: VersionNews) -> Option<VersionState> {
        match (self, news) {
            (VersionState::Waiting, VersionNews::BuildBegan) => Some(VersionState::Building),
            (VersionState::Waiting | VersionState::Building, VersionNews::CheckBegan) => Some(VersionState::Checking),
            (VersionState::Building, VersionNews::BuildFailed) => Some(VersionState::Refused),
            (VersionState::Checking, VersionNews::Passed) => Some(VersionState::Ready),
            (VersionState::Checking, VersionNews::FoundFaulty) => Some(VersionState::Refused),
            (VersionState::Building | VersionState::Checking, VersionNews::PutBack { tries }) => {
                Some(if tries >= MAX_TRIES { VersionState::Failed } else { VersionState::Waiting })
            }
            (VersionState::Ready, VersionNews::Joined) => Some(VersionState::Playing),
            (VersionState::Playing | VersionState::Paused, VersionNews::Replaced) => Some(VersionState::Retired),
            (VersionState::Ready | VersionState::Playing, VersionNews::Paused) => Some(VersionState::Paused),
            (VersionState::Paused, VersionNews::Resumed) => Some(VersionState::Ready),
            (VersionState::Ready | VersionState::Playing | VersionState::Paused, VersionNews::SeasonBegan) => {
                Some(VersionState::Waiting)
            }
            // It was not its fault; what else is sent again is as it was.
            (VersionState::Failed, VersionNews::SentAgain) => Some(VersionState::Waiting),
            (state, VersionNews::SentAgain) => Some(state),
            // What waits, or is over, has nothing to do with the season before.
            (state, VersionNews::SeasonBegan) => Some(state),
            (state, VersionNews::Withdrawn) if state.can_be_withdrawn() => Some(VersionState::Withdrawn),
            (state, VersionNews::Disqualified) if state.can_be_disqualified() => Some(VersionState::Disqualified),
            // It was paused, taken back or disqualified while it was built, checked or let in.
            (VersionState::Paused, VersionNews::Joined) => Some(VersionState::Paused),
            (VersionState::Withdrawn | VersionState::Disqualified, news) if !news.is_decided_by_people() => Some(self),
            _ => None,
        }
    }

    /// True if there is something to take back.
    pub const fn can_be_withdrawn(self) -> bool {
        self.is_on_its_way() || matches!(self, VersionState::Playing | VersionState::Paused)
    }

    /// True if it may have played, or is about to.
    pub const fn can_be_disqualified(self) -> bool {
        self.can_be_withdrawn() || matches!(self, VersionState::Retired | VersionState::Withdrawn)
    }

    /// True if it may be in the league file of the season and plays no more: the club sees to it that it leaves.
    pub const fn is_out(self) -> bool {
        matches!(self, VersionState::Paused | VersionState::Withdrawn | VersionState::Disqualified)
    }

    /// True if nothing follows.
    pub const fn is_over(self) -> bool {
        !self.can_be_withdrawn()
    }

    /// True if the upload counts against its author's quota: all but those that failed on this side.
    pub const fn is_charged(self) -> bool {
        !matches!(self, VersionState::Failed)
    }

    /// True if the club still has something to do before the version plays.
    pub const fn is_on_its_way(self) -> bool {
        matches!(self, VersionState::Waiting | VersionState::Building | VersionState::Checking | VersionState::Ready)
    }

    /// True if it has joined the season, or was taken back and may have.
    pub const fn may_have_joined(self) -> bool {
        self.is_out() || matches!(self, VersionState::Playing | VersionState::Retired)
    }

    /// What a club that was killed does at its next start about a version in this state, which was tried so often before. A kill is no try.
    pub const fn at_start(self, tries: u32) -> Option<VersionNews> {
        match self {
            VersionState::Building | VersionState::Checking => Some(VersionNews::PutBack { tries }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEWS: [VersionNews; 14] = [
        VersionNews::BuildBegan,
        VersionNews::CheckBegan,
        VersionNews::BuildFailed,
        VersionNews::Passed,
        VersionNews::FoundFaulty,
        VersionNews::PutBack { tries: 1 },
        VersionNews::Joined,
        VersionNews::Replaced,
        VersionNews::Paused,
        VersionNews::Resumed,
        VersionNews::Withdrawn,
        VersionNews::Disqualified,
        VersionNews::SeasonBegan,
        VersionNews::SentAgain,
    ];

    #[test]
    fn each_state_has_exactly_the_followers_of_this_table() {
        // What follows the news of NEWS, in their order.
        let table = [
            (VersionState::Waiting, "building checking - - - - - - - - withdrawn disqualified waiting waiting"),
            (VersionState::Building, "- checking refused - - waiting - - - - withdrawn disqualified building building"),
            (VersionState::Checking, "- - - ready refused waiting - - - - withdrawn disqualified checking checking"),
            (VersionState::Ready, "- - - - - - playing - paused - withdrawn disqualified waiting ready"),
            (VersionState::Playing, "- - - - - - - retired paused - withdrawn disqualified waiting playing"),
            (VersionState::Paused, "- - - - - - paused retired - ready withdrawn disqualified waiting paused"),
            (VersionState::Retired, "- - - - - - - - - - - disqualified retired retired"),
            (
                VersionState::Withdrawn,
                "withdrawn withdrawn withdrawn withdrawn withdrawn withdrawn withdrawn withdrawn - - - disqualified withdrawn withdrawn",
            ),
            (
                VersionState::Disqualified,
                "disqualified disqualified disqualified disqualified disqualified disqualified disqualified disqualified - - - - disqualified disqualified",
            ),
            (VersionState::Refused, "- - - - - - - - - - - - refused refused"),
            (VersionState::Failed, "- - - - - - - - - - - - failed waiting"),
        ];
        assert_eq!(table.map(|(state, _)| state), VersionState::ALL);
        for (state, expected) in table {
            let found = NEWS.map(|news| state.after(news).map_or("-", VersionState::name));
            assert_eq!(found.join(" "), expected, "{state:?}");
            assert_eq!(VersionState::named(state.name()), Some(state));
        }
    }

    #[test]
    fn no_state_is_a_limbo_after_a_kill() {
        for state in VersionState::ALL {
            let after = state.at_start(0).map_or(Some(state), |news| state.after(news));
            assert!(
                after.is_some_and(|after| !matches!(after, VersionState::Building | VersionState::Checking)),
                "{state:?}"
            );
        }
    }

    #[test]
    fn what_fails_on_this_side_is_tried_three_times_and_is_never_charged() {
        let mut state = VersionState::Checking;
        for tries in 1..=MAX_TRIES {
            let news = VersionNews::PutBack { tries };
            state = VersionState::Checking.after(news).expect("it is put back");
            assert!(state != VersionState::Refused);
        }
        assert_eq!((state, state.is_charged()), (VersionState::Failed, false));
        assert!(VersionState::Refused.is_charged());
    }
}
