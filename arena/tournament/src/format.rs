//! Formats and stop rules as an organiser chooses them, and what orders their agents: data alone, checked with the league they belong to.

use serde::{Deserialize, Serialize};

use crate::agent_id::AgentId;

/// Who meets whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Every group of agents plays the same number of games.
    #[default]
    RoundRobin,
    /// Some of the groups, as evenly as possible; with a stop rule about ranks, the most informative ones.
    Sample,
    /// At each table one challenger and the field; challengers never meet.
    Gauntlet {
        /// The challengers; all other agents are the field.
        challengers: Vec<AgentId>,
    },
    /// Two agents whose copies fill the table.
    Match,
    /// Rounds in which agents with equal scores meet.
    Swiss {
        /// How many rounds of tables.
        rounds: u32,
    },
    /// Heats; the best of each go on.
    KnockOut {
        /// How many of each heat go on.
        advance: usize,
        /// The best agents, the best first; the others follow by lot.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seeds: Vec<AgentId>,
    },
    /// As [`Format::KnockOut`], but an agent is out only after the second heat in which it did not go on.
    Double {
        /// How many of each heat go on.
        advance: usize,
        /// As in [`Format::KnockOut`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seeds: Vec<AgentId>,
    },
    /// A run without an end: agents come and go, and play those against whom their rating is most in doubt.
    Ladder,
}

impl Format {
    /// The names in league files, in the order of the variants.
    pub const NAMES: [&str; 8] =
        ["round-robin", "sample", "gauntlet", "match", "swiss", "knock-out", "double", "ladder"];

    /// The name in league files.
    pub fn name(&self) -> &'static str {
        let place = match self {
            Format::RoundRobin => 0,
            Format::Sample => 1,
            Format::Gauntlet { .. } => 2,
            Format::Match => 3,
            Format::Swiss { .. } => 4,
            Format::KnockOut { .. } => 5,
            Format::Double { .. } => 6,
            Format::Ladder => 7,
        };
        Format::NAMES[place]
    }

    /// What an order of all agents follows from.
    pub(crate) fn ranked_by(&self) -> RankedBy {
        match self {
            Format::RoundRobin | Format::Match => RankedBy::Score,
            Format::Sample | Format::Gauntlet { .. } | Format::Ladder => RankedBy::Rating,
            Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. } => RankedBy::Tournament,
        }
    }
}

/// What the order of a table of agents follows from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankedBy {
    /// The mean score, which compares agents that have met the same opponents.
    #[default]
    Score,
    /// The rating, which also compares agents that have met others.
    Rating,
    /// The rules of the tournament: a knock-out or a Swiss tournament.
    Tournament,
}

/// When a run ends before its format does. A budget ends it as soon as it is used up; what is to be shown ends it once all of
/// that has been shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StopRules {
    /// To be shown: every agent's 95 % interval of the score is at most this wide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// To be shown: which agents are the best so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// To be shown: the rank of every agent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ranking: bool,
    /// To be shown: whether the first agent of a match is better than the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRule>,
    /// Budget: no table begins with which there would be more games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Budget: no round begins after so many minutes of play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
}

impl StopRules {
    /// True if something is to be shown, so that the end depends on results.
    pub fn wants_evidence(&self) -> bool {
        self.width.is_some() || self.top.is_some() || self.ranking || self.decision.is_some()
    }

    /// True if ranks are to be shown.
    pub(crate) fn wants_ranks(&self) -> bool {
        self.top.is_some() || self.ranking
    }
}

/// How the rounds of a sample or a ladder are filled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Allocation {
    /// Games of a round, rounded up to whole tables; `None`: four for each agent that plays, at least 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_games: Option<u64>,
    /// The share of tables, where they follow from doubt, that go to the agents that have waited longest, from 0 to 1.
    pub floor: f64,
    /// False in runs that began when those tables went to the agents that had played least: their rounds follow from that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_wait: bool,
    /// Two agents whose ratings lie surely closer than so many points count as equal: their order is not asked for any more. 0:
    /// never.
    pub equal: f64,
}

impl Default for Allocation {
    fn default() -> Allocation {
        Allocation { round_games: None, floor: 0.25, by_wait: true, equal: 10.0 }
    }
}

impl Allocation {
    /// Fewer games leave processors waiting between rounds.
    const LEAST_GAMES: u64 = 64;
    /// Each agent has about as many tables in a round.
    const GAMES_OF_AGENT: u64 = 4;

    /// The games of a round among `agents` agents.
    pub(crate) fn of_round(&self, agents: usize) -> u64 {
        self.round_games.unwrap_or((Allocation::GAMES_OF_AGENT * agents as u64).max(Allocation::LEAST_GAMES))
    }
}

/// The hypotheses of a match test: a mean of at most `mu0`, or one of at least `mu1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchTest {
    /// The mean of a challenger that is not better.
    pub mu0: f64,
    /// The mean of a challenger that is better.
    pub mu1: f64,
    /// The probability of a wrong "better".
    pub alpha: f64,
    /// The probability of a wrong "not better".
    pub beta: f64,
}

/// How a match is decided: by a test that may be looked at after every deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionRule {
    /// The hypotheses and the errors.
    #[serde(flatten)]
    pub test: MatchTest,
    /// The test.
    #[serde(default)]
    pub method: Method,
}

/// A test of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// By betting: its errors hold for deals of any kind (Waudby-Smith and Ramdas, JRSS B 86, 2024).
    #[default]
    Betting,
    /// The ratio test on counts of deals, for comparison with chess; approximate.
    Gsprt,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_does_not_say_who_has_the_floor_began_when_those_had_it_that_played_least() {
        let stored: Allocation = serde_json::from_str(r#"{"floor":0.3,"equal":10.0}"#).expect("as runs hold it");
        assert!(!stored.by_wait && Allocation::default().by_wait);
        let now = serde_json::to_string(&Allocation::default()).expect("JSON");
        assert_eq!(serde_json::from_str::<Allocation>(&now).expect("JSON"), Allocation::default());
    }
}
