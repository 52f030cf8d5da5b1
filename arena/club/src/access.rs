//! Who may see and do what: one function, which every address of a club asks. A thing that is not listed cannot be asked about.

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClubViewer {
    /// Somebody without a token, or with one that is not known or was revoked.
    Stranger,
    /// A member of a team.
    Author {
        /// The team.
        team: String,
        /// Its own name.
        member: String,
    },
    /// Somebody who may look and sends no bots.
    Guest {
        /// Its own name.
        member: String,
    },
    /// An organiser.
    Organiser {
        /// Its own name.
        member: String,
    },
}

impl ClubViewer {
    /// The member's name; empty for a stranger.
    pub fn member(&self) -> &str {
        match self {
            ClubViewer::Stranger => "",
            ClubViewer::Author { member, .. } | ClubViewer::Guest { member } | ClubViewer::Organiser { member } => {
                member
            }
        }
    }

    /// True for an organiser.
    pub const fn is_organiser(&self) -> bool {
        matches!(self, ClubViewer::Organiser { .. })
    }
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClubThing<'a> {
    /// The standings of the season, the queue, the events that everybody may see, games with the eyes of a spectator, how to take part.
    PublicPages {
        /// True if the club is for its members alone.
        is_private: bool,
    },
    /// A game with the eyes of a seat, and what its bot wrote.
    OwnGame {
        /// The team whose bot sits there.
        team: &'a str,
    },
    /// Who did what.
    Actors,
    /// The state of a version with its reason, and what its check said.
    Version {
        /// The team whose bot it is.
        team: &'a str,
    },
    /// To send a version of a bot.
    Upload {
        /// The team whose bot it is; `None` if the bot is new.
        owner: Option<&'a str>,
    },
    /// The events of this team alone.
    TeamEvents {
        /// The team.
        team: &'a str,
    },
    /// To pause a version, or to take it back.
    Change {
        /// The team whose bot it is.
        team: &'a str,
    },
    /// To let a paused version play again.
    Resume {
        /// The team whose bot it is.
        team: &'a str,
        /// True if the organiser has paused it.
        is_held: bool,
    },
    /// To let a version play games that are not rated.
    AskTrial {
        /// The team whose bot it is.
        team: &'a str,
    },
    /// What came of a trial.
    Trial {
        /// The team that asked for it.
        team: &'a str,
    },
    /// A team's own page: its bots.
    OwnBots,
    /// The people, all versions, what the club is asked to do: the organiser's page, and what its forms do.
    House,
    /// To invite people.
    Invite,
}

/// True if `viewer` may see or do `thing`.
pub fn may(viewer: &ClubViewer, thing: &ClubThing<'_>) -> bool {
    let is_of = |owner: &str| matches!(viewer, ClubViewer::Author { team, .. } if team == owner);
    let is_organiser = viewer.is_organiser();
    match thing {
        ClubThing::PublicPages { is_private } => !is_private || *viewer != ClubViewer::Stranger,
        ClubThing::Version { team }
        | ClubThing::OwnGame { team }
        | ClubThing::TeamEvents { team }
        | ClubThing::Change { team }
        | ClubThing::Trial { team } => is_organiser || is_of(team),
        ClubThing::AskTrial { team } => is_of(team),
        ClubThing::Resume { team, is_held } => is_organiser || (is_of(team) && !is_held),
        ClubThing::OwnBots => matches!(viewer, ClubViewer::Author { .. }),
        // An organiser's bots are those of a team of its own, so it sends them as an author.
        ClubThing::Upload { owner: None } => matches!(viewer, ClubViewer::Author { .. }),
        ClubThing::Upload { owner: Some(owner) } => is_of(owner),
        ClubThing::House | ClubThing::Invite | ClubThing::Actors => is_organiser,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_viewer_may_see_exactly_what_the_table_says() {
        let author = |team: &str| ClubViewer::Author { team: team.to_owned(), member: "m".to_owned() };
        let organiser = ClubViewer::Organiser { member: "olga".to_owned() };
        let guest = ClubViewer::Guest { member: "gil".to_owned() };
        let viewers = [ClubViewer::Stranger, author("ann"), author("bob"), organiser];
        let table = [
            (ClubThing::PublicPages { is_private: false }, [true, true, true, true]),
            (ClubThing::PublicPages { is_private: true }, [false, true, true, true]),
            (ClubThing::Version { team: "ann" }, [false, true, false, true]),
            (ClubThing::OwnGame { team: "ann" }, [false, true, false, true]),
            (ClubThing::TeamEvents { team: "ann" }, [false, true, false, true]),
            (ClubThing::Actors, [false, false, false, true]),
            (ClubThing::Upload { owner: None }, [false, true, true, false]),
            (ClubThing::Upload { owner: Some("ann") }, [false, true, false, false]),
            (ClubThing::Change { team: "ann" }, [false, true, false, true]),
            (ClubThing::Resume { team: "ann", is_held: false }, [false, true, false, true]),
            (ClubThing::Resume { team: "ann", is_held: true }, [false, false, false, true]),
            (ClubThing::AskTrial { team: "ann" }, [false, true, false, false]),
            (ClubThing::Trial { team: "ann" }, [false, true, false, true]),
            (ClubThing::OwnBots, [false, true, true, false]),
            (ClubThing::House, [false, false, false, true]),
            (ClubThing::Invite, [false, false, false, true]),
        ];
        for (thing, expected) in table {
            assert_eq!(viewers.each_ref().map(|viewer| may(viewer, &thing)), expected, "{thing:?}");
            assert_eq!(may(&guest, &thing), matches!(thing, ClubThing::PublicPages { .. }), "{thing:?}");
        }
    }
}
