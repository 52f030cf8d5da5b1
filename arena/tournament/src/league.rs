//! An organiser's decisions about a league, as written and before they are checked. It lists what is wrong with them;
//! [`Plan`](crate::Plan) makes the games, and files are read by the arena.

mod problem;

use std::collections::{BTreeMap, BTreeSet};

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::{MAX_SEATS, steers};
use serde::{Deserialize, Serialize};

use crate::agent_id::AgentId;
use crate::combinations::choose;
use crate::format::{Allocation, Format, MatchTest, RankedBy, StopRules};
use crate::planned_game::DealId;
use problem::counted;
pub use problem::{LeagueProblem, LeagueProblems};

/// The maximum number of agents in one league. The cross-table has the square of it in cells.
pub const MAX_AGENTS: usize = 1_024;

/// The maximum number of games in one league.
pub const MAX_GAMES: u64 = 10_000_000;

/// The maximum number of rule sets in one league.
pub const MAX_RULE_SETS: usize = 16;

/// The maximum number of rounds of a Swiss tournament.
const MAX_SWISS_ROUNDS: u32 = 1_000;

/// A league as an organiser writes it.
///
/// A draft; [`crate::Plan::new`] checks it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// The names of the agents, no two alike.
    pub agents: Vec<String>,
    /// Seats at a table, from 2 to [`MAX_SEATS`].
    pub seats: usize,
    /// Games that a group of agents plays whenever it meets. A deal is played once in every rotation, so this is a multiple of
    /// `seats`.
    pub games_per_pairing: u64,
    /// How many rule sets are played, from 1 to [`MAX_RULE_SETS`]. A group plays `games_per_pairing` games by each of them.
    #[serde(default = "one")]
    pub rule_sets: usize,
    /// By agent, the number of its author, if agents of one author never sit at one table; empty if they may. Agents without an
    /// author may meet everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_apart: Vec<Option<u16>>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// How the rounds of a sample or a ladder are filled.
    #[serde(default)]
    pub allocation: Allocation,
    /// When the run ends before its format does.
    #[serde(default)]
    pub stop: StopRules,
}

impl Default for League {
    /// A league of one rule set and nobody to play it.
    fn default() -> League {
        League {
            agents: Vec::new(),
            seats: 0,
            games_per_pairing: 0,
            rule_sets: 1,
            kept_apart: Vec::new(),
            format: Format::default(),
            allocation: Allocation::default(),
            stop: StopRules::default(),
        }
    }
}

fn one() -> usize {
    1
}

impl League {
    /// Every problem of the league.
    pub(crate) fn problems(&self) -> Vec<LeagueProblem> {
        let mut problems = self.name_problems();
        let (agents, seats) = (self.agents.len(), self.seats);
        if agents > MAX_AGENTS {
            problems.push(LeagueProblem::TooManyAgents { agents });
        }
        if !(2..=MAX_SEATS).contains(&seats) {
            problems.push(LeagueProblem::Seats { seats });
            return problems;
        }
        if seats > agents && self.format != Format::Match {
            problems.push(LeagueProblem::TooFewAgents { agents, seats });
        }
        if !(1..=MAX_RULE_SETS).contains(&self.rule_sets) {
            problems.push(LeagueProblem::RuleSets { sets: self.rule_sets });
            return problems;
        }
        let games = self.games_per_pairing;
        let rotations = self.rotations();
        if games == 0 {
            problems.push(LeagueProblem::NoGames { rotations });
        } else if !games.is_multiple_of(rotations) {
            problems.push(LeagueProblem::NotEveryRotation { games, rotations });
        }
        self.check_format(&mut problems);
        self.check_apart(&mut problems);
        self.check_stop(&mut problems);
        if let Some(all) = self.most_games()
            && all > MAX_GAMES
        {
            problems.push(LeagueProblem::TooManyGames { games, all, agents, seats });
        }
        problems
    }

    /// The number of groups: the ways to choose a table out of all agents; `u64::MAX` if it does not fit.
    pub fn groups(&self) -> u64 {
        if self.kept_apart.is_empty() {
            return choose(self.agents.len() as u64, self.seats as u64);
        }
        // By seats taken, the ways to take them: of each author nobody or one of its agents.
        let mut ways = vec![0_u64; self.seats + 1];
        ways[0] = 1;
        for agents in self.authors_of(0..self.agents.len()).values() {
            for seats in (1..=self.seats).rev() {
                ways[seats] = ways[seats].saturating_add(ways[seats - 1].saturating_mul(*agents));
            }
        }
        ways[self.seats]
    }

    /// True if two agents may sit at one table.
    pub(crate) fn may_meet(&self, one: usize, other: usize) -> bool {
        let author = |agent: usize| self.kept_apart.get(agent).copied().flatten();
        author(one).is_none_or(|author_of_one| author(other) != Some(author_of_one))
    }

    /// How many of these agents each author has; an agent without an author is alone.
    fn authors_of(&self, agents: impl Iterator<Item = usize>) -> BTreeMap<(Option<u16>, usize), u64> {
        let mut authors = BTreeMap::new();
        for agent in agents {
            let author = self.kept_apart.get(agent).copied().flatten();
            let alone = if author.is_some() { 0 } else { agent };
            *authors.entry((author, alone)).or_insert(0) += 1;
        }
        authors
    }

    /// What keeps agents of one author from being kept apart.
    fn check_apart(&self, problems: &mut Vec<LeagueProblem>) {
        if self.kept_apart.is_empty() {
            return;
        }
        let (agents, seats) = (self.agents.len(), self.seats);
        let mut wrong =
            |message: String| problems.push(LeagueProblem::Format { key: "schedule.one_author_per_table", message });
        let authors = |of: &mut dyn Iterator<Item = usize>| self.authors_of(of).len();
        match &self.format {
            Format::RoundRobin if choose(agents as u64, seats as u64) > MAX_GAMES => {
                wrong(
                    "there are too many groups of agents for a complete round-robin; write format = \"sample\""
                        .to_owned(),
                );
            }
            Format::RoundRobin | Format::Sample | Format::Ladder => {
                let different = authors(&mut (0..agents));
                if different < seats {
                    let have = match different {
                        1 => "all agents have one author".to_owned(),
                        _ => format!("the agents have {different} different authors"),
                    };
                    wrong(format!(
                        "{have}, and a table of {seats} seats needs {seats}; have fewer seats, or more agents of other authors"
                    ));
                }
            }
            Format::Gauntlet { challengers } => {
                for challenger in challengers {
                    let is_free = |agent: &usize| {
                        challengers.iter().all(|other| other.index() != *agent)
                            && self.may_meet(challenger.index(), *agent)
                    };
                    let different = authors(&mut (0..agents).filter(is_free));
                    if different + 1 < seats {
                        wrong(format!(
                            "the field has {} other than that of {:?}, and a table of {seats} seats needs {}",
                            counted(different, "author"),
                            self.agents[challenger.index()],
                            seats - 1
                        ));
                    }
                }
            }
            Format::Match | Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. } => wrong(format!(
                "in the format {} results decide who meets; write format = \"round-robin\", \"sample\", \"gauntlet\" or \
                 \"ladder\", or leave this key out",
                self.format.name()
            )),
        }
    }

    /// What an order of all agents follows from: their scores only where all play the same opponents equally often.
    pub fn ranked_by(&self) -> RankedBy {
        match self.format.ranked_by() {
            RankedBy::Score if !self.kept_apart.is_empty() => RankedBy::Rating,
            by => by,
        }
    }

    /// True if rounds depend on results, or the end does.
    pub fn needs_results(&self) -> bool {
        let by_format = match self.format {
            Format::RoundRobin | Format::Sample | Format::Gauntlet { .. } | Format::Match => false,
            Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. } | Format::Ladder => true,
        };
        by_format || self.stop.wants_evidence()
    }

    /// True if agents may join and leave between rounds.
    pub fn has_open_pool(&self) -> bool {
        matches!(self.format, Format::Sample | Format::Ladder)
    }

    /// True if the format or a stop rule says how long the run is, and not how many games a pairing plays.
    pub fn has_own_length(&self) -> bool {
        match self.format {
            Format::Sample | Format::Ladder => true,
            Format::Match => self.stop.wants_evidence() || self.stop.games.is_some(),
            _ => false,
        }
    }

    /// Games of a deal: the rotations of a table that differ. An even number of copies of two agents looks alike again after two
    /// steps.
    pub fn rotations(&self) -> u64 {
        match self.format {
            Format::Match if self.seats.is_multiple_of(2) => 2,
            _ => self.seats as u64,
        }
    }

    /// The deals of a meeting: deal after deal by the next rule set, so that all of them are played equally often.
    pub(crate) fn deals_of_meeting(&self) -> u64 {
        self.games_per_pairing / self.rotations() * self.rule_sets as u64
    }

    /// The games of a meeting, by all rule sets together; `u64::MAX` if the number does not fit.
    pub(crate) fn games_of_meeting(&self) -> u64 {
        self.games_per_pairing.saturating_mul(self.rule_sets as u64)
    }

    /// By which of the rule sets a deal is played, from 0.
    pub fn rule_set_of(&self, deal: DealId) -> usize {
        deal.deal as usize % self.rule_sets
    }

    /// How many games the format has, if results do not decide that; `u64::MAX` if the number does not fit.
    pub(crate) fn games_of_format(&self) -> Option<u64> {
        let (agents, seats) = (self.agents.len() as u64, self.seats as u64);
        let tables = match &self.format {
            Format::RoundRobin => self.groups(),
            // A budget says when a sample ends; without one each pair meets about once.
            Format::Sample if self.stop.games.is_some() => return None,
            Format::Sample => (agents * agents.saturating_sub(1)).div_ceil(seats * (seats - 1)),
            Format::Gauntlet { challengers } => {
                let field = agents.saturating_sub(challengers.len() as u64);
                challengers.len() as u64 * field.div_ceil(seats - 1)
            }
            Format::Match if self.has_own_length() => return None,
            Format::Match => 1,
            Format::Swiss { rounds } => u64::from(*rounds) * (agents / seats),
            Format::KnockOut { .. } | Format::Double { .. } | Format::Ladder => return None,
        };
        Some(tables.saturating_mul(self.games_of_meeting()))
    }

    /// How many games there will be at most, as far as that is known; `u64::MAX` if the number does not fit.
    pub fn most_games(&self) -> Option<u64> {
        // A match or a sample that is to show something goes on until it does.
        let goes_on = self.stop.wants_evidence()
            && matches!(self.format, Format::Sample | Format::Gauntlet { .. } | Format::Match);
        let of_format = self.games_of_format().filter(|_| !goes_on);
        of_format.into_iter().chain(self.budget()).min()
    }

    /// The budget of games as it can be kept: whole deals by each rule set.
    pub fn budget(&self) -> Option<u64> {
        self.stop.games.map(|games| games - games % self.least_games())
    }

    /// The games of a round of a sample or a ladder among `agents` that play: whole tables.
    pub fn round_games(&self, agents: usize) -> u64 {
        self.allocation.of_round(agents).next_multiple_of(self.least_games())
    }

    /// The games of the smallest part of a run that has a meaning: a deal, by each rule set where tables play all of them in turn.
    pub fn least_games(&self) -> u64 {
        match self.format {
            Format::RoundRobin => self.seats as u64,
            _ => self.rotations() * self.rule_sets as u64,
        }
    }

    /// How many games are planned, if results do not decide that.
    pub(crate) fn planned_games(&self) -> Option<u64> {
        let by_results =
            self.stop.wants_evidence() || matches!(self.format, Format::KnockOut { .. } | Format::Double { .. });
        if by_results { None } else { self.most_games() }
    }

    fn check_format(&self, problems: &mut Vec<LeagueProblem>) {
        let (agents, seats) = (self.agents.len(), self.seats);
        let mut wrong = |key, message: String| problems.push(LeagueProblem::Format { key, message });
        match &self.format {
            Format::RoundRobin | Format::Sample | Format::Ladder => {}
            Format::Gauntlet { challengers } => {
                if challengers.is_empty() {
                    wrong("schedule.challengers", "a gauntlet needs a challenger; write its name".to_owned());
                }
                let field = agents.saturating_sub(challengers.len());
                if field + 1 < seats {
                    let message = format!(
                        "the field has {}, and a table of {seats} seats needs {} of them",
                        counted(field, "agent"),
                        seats - 1
                    );
                    wrong("schedule.challengers", message);
                }
            }
            Format::Match if agents != 2 => {
                wrong("schedule.format", format!("a match has two agents, and there are {agents}; try a gauntlet"));
            }
            Format::Match => {}
            Format::Swiss { rounds } => {
                if !(1..=MAX_SWISS_ROUNDS).contains(rounds) {
                    wrong("schedule.rounds", format!("expected a number from 1 to {MAX_SWISS_ROUNDS}"));
                }
            }
            Format::KnockOut { advance, seeds } | Format::Double { advance, seeds } => {
                if !(1..seats).contains(advance) {
                    let message =
                        format!("{advance} of a heat of {seats} cannot go on; write a number from 1 to {}", seats - 1);
                    wrong("schedule.advance", message);
                }
                let is_twice = |(place, seed): (usize, &AgentId)| seeds[..place].contains(seed);
                if seeds.iter().any(|seed| seed.index() >= agents) || seeds.iter().enumerate().any(is_twice) {
                    wrong("schedule.seeds", "expected agents of the league, none of them twice".to_owned());
                }
            }
        }
    }

    fn check_stop(&self, problems: &mut Vec<LeagueProblem>) {
        let agents = self.agents.len();
        let mut wrong = |key, message: String| problems.push(LeagueProblem::Format { key, message });
        let StopRules { width, top, decision, games, minutes, .. } = &self.stop;
        if width.is_some_and(|width| !(0.001..1.0).contains(&width)) {
            wrong(
                "stop.width",
                "expected a number from 0.001 to 0.999, the widest interval of a score to stop at".to_owned(),
            );
        }
        if top.is_some_and(|top| top == 0 || top >= agents) {
            let most = agents.saturating_sub(1);
            wrong("stop.top", format!("expected a number from 1 to {most}: there are {agents} agents"));
        }
        let least = self.rotations() * self.rule_sets as u64;
        if games.is_some_and(|games| games < least) {
            let deal = if self.rule_sets == 1 { "one deal, which is" } else { "one deal by each rule set, which are" };
            wrong("stop.games", format!("not enough for {deal} {least} games"));
        }
        let Allocation { round_games, floor, by_wait: _, equal } = self.allocation;
        if round_games == Some(0) {
            wrong("schedule.round_games", "expected a number from 1: nothing would be played".to_owned());
        }
        if !(0.0..=1.0).contains(&floor) {
            wrong(
                "schedule.floor",
                "expected a number from 0 to 1, the share of tables for those that have waited longest".to_owned(),
            );
        }
        if !(0.0..=400.0).contains(&equal) {
            wrong("schedule.equal", "expected a number of rating points from 0 to 400".to_owned());
        }
        if *minutes == Some(0) {
            wrong("stop.minutes", "expected a number from 1: nothing would be played".to_owned());
        }
        let Some(decision) = decision else { return };
        let MatchTest { mu0, mu1, alpha, beta } = decision.test;
        if self.format != Format::Match {
            wrong(
                "stop.decision",
                "only a match of two agents is decided; write format = \"match\" in [schedule]".to_owned(),
            );
        }
        let is_sound = |low: f64, high: f64| 0.0 < low && low < high && high < 1.0;
        if !is_sound(mu0, mu1) {
            wrong("stop.decision", "expected two mean scores with 0 < mu0 < mu1 < 1".to_owned());
        }
        if ![alpha, beta].into_iter().all(|error| (1e-6..0.5).contains(&error)) {
            wrong(
                "stop.decision",
                "alpha and beta are error rates; expected numbers from 0.000001 to 0.499".to_owned(),
            );
        }
    }

    fn name_problems(&self) -> Vec<LeagueProblem> {
        let mut problems = Vec::new();
        let mut seen = BTreeSet::new();
        for (place, name) in self.agents.iter().enumerate() {
            if name.trim().is_empty() {
                problems.push(LeagueProblem::NoName { place });
            } else if name.chars().count() > MAX_NAME_CHARS {
                problems.push(LeagueProblem::LongName { place });
            } else if name.chars().any(steers) {
                problems.push(LeagueProblem::ControlInName { place });
            } else if !seen.insert(name) {
                problems.push(LeagueProblem::NameTwice { place, name: name.clone() });
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(agents: &[&str], seats: usize, games_per_pairing: u64, expected: &[&str]) {
        let agents = agents.iter().map(ToString::to_string).collect();
        let league = League { agents, seats, games_per_pairing, ..League::default() };
        let said: Vec<String> = league.problems().iter().map(ToString::to_string).collect();
        assert_eq!(said, expected, "{league:?}");
    }

    #[test]
    fn a_league_that_can_be_planned_has_no_problems() {
        check(&["a", "b"], 2, 2, &[]);
        check(&["a", "b", "c", "d"], 3, 300, &[]);
    }

    #[test]
    fn a_problem_says_what_to_write_instead() {
        check(
            &["a", "b", "c"],
            3,
            10,
            &["games_per_pairing = 10: not a multiple of 3. A deal is played 3 times, so that every agent plays \
               every seat of it; write 9 or 12"],
        );
        check(&["a", "b"], 2, 0, &["games_per_pairing = 0: nothing would be played; write 2 or a multiple of it"]);
        check(&["a", "b"], 17, 2, &["seats = 17: a table has from 2 to 16 seats"]);
        check(
            &["a", "b"],
            2,
            10_000_002,
            &[
                "games_per_pairing = 10000002: with 2 agents at tables of 2 that makes 10000002 games in all, and the limit is \
               10000000; have fewer games for a pairing, fewer agents or another format",
            ],
        );
    }

    #[test]
    fn every_problem_is_listed_at_once() {
        check(
            &["a", " ", "a", "b\u{2028}", &"x".repeat(65)],
            16,
            1,
            &[
                "agent[1]: the name is empty",
                "agent[2]: the name \"a\" is taken by an agent before it; give each agent a name of its own",
                "agent[3]: the name holds a control character, or one that breaks a line or turns its direction",
                "agent[4]: the name has more than 64 characters",
                "seats = 16: there are only 5 agents, and an agent takes one seat at a table",
                "games_per_pairing = 1: not a multiple of 16. A deal is played 16 times, so that every agent \
                 plays every seat of it; write 16",
            ],
        );
    }

    #[test]
    fn an_absurd_league_is_refused_without_counting_its_games() {
        let agents = (0..1_024).map(|number| format!("a{number}")).collect();
        let league = League { agents, seats: 16, games_per_pairing: u64::MAX - 15, ..League::default() };
        assert!(matches!(league.problems()[..], [LeagueProblem::TooManyGames { all: u64::MAX, .. }]));
    }

    #[test]
    fn a_league_file_with_an_unknown_key_is_refused() {
        let file = "agents = [\"a\", \"b\"]\nseats = 2\ngames_per_pairing = 4\n";
        assert!(toml::from_str::<League>(file).is_ok());
        assert!(toml::from_str::<League>(&format!("{file}games = 4\n")).is_err());
    }
}
