//! The report of a run: what was played, who is better, by how much, how sure. One page that loads nothing and needs no script.
//!
//! Owns the page and its sections, a file each. The estimates come from the tournament crate; where the games are stored is not
//! known here, and nothing is computed from them but what a drawing needs.

mod authors;
mod bracket;
mod by_rules;
mod checks;
mod conduct;
mod courses;
mod encounters;
mod findings;
mod game_list;
mod heading;
mod lengths;
mod links;
mod ratings;
mod standings;
mod tournament;
mod words;

use std::collections::BTreeMap;

use maud::{Markup, html};
use maumau_tournament::TournamentResult;
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::authors::Together;
use maumau_tournament::statistics::duplicates::Saved;
use maumau_tournament::statistics::goodness_of_fit::PairMisfit;
use maumau_tournament::statistics::ratings::Rating;
use maumau_tournament::statistics::seats::SeatScores;
use serde::{Deserialize, Serialize};

use crate::chart::Course;
use crate::page;

pub use game_list::{ListedGame, game_list};
pub(crate) use links::Links;

/// The style of the report, after the one of all pages.
pub(crate) const REPORT_STYLE: &str = include_str!("report.css");

/// Everything that the report of a run shows. Texts are plain text; agents are in the order that means something in the league, and
/// other lists name them by their place there, from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunReport {
    /// The name of the league.
    pub league: String,
    /// What was played.
    pub setting: Setting,
    /// The agents, the best first.
    pub agents: Vec<AgentSummary>,
    /// What a reader must know of their order, a sentence each.
    pub order_remarks: Vec<String>,
    /// A knock-out or a Swiss tournament.
    pub tournament: Option<TournamentResult>,
    /// What each rule set alone tells; empty if there is only one.
    pub by_rules: Vec<RuleSetReport>,
    /// Authors with several agents.
    pub authors: Vec<Author>,
    /// Agents that have met, directly or through others; ratings of different parts cannot be compared.
    pub parts: Vec<Vec<usize>>,
    /// The score of the agent of a row against that of a column.
    pub encounters: Vec<Vec<Option<EncounterRow>>>,
    /// The scores of the seats.
    pub seats: SeatScores,
    /// What duplicate deals saved.
    pub duplicates: Saved,
    /// How far the results of pairs are from what the ratings expect, the largest first.
    pub misfits: Vec<PairMisfit>,
    /// The kinds of faults, in the order of [`AgentSummary::faults`].
    pub faults: Vec<String>,
    /// How many games had how many actions that were taken up.
    pub lengths: BTreeMap<u32, u64>,
    /// True while only the standings are known, and not yet what has to be computed from all games.
    pub is_partial: bool,
}

/// What was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The names of the rule sets.
    pub rules: String,
    /// Options that differ from the rule set's own, and their values.
    pub options: Vec<(String, String)>,
    /// Who meets whom.
    pub format: String,
    /// Seats at a table.
    pub seats: usize,
    /// Rounds of a game, by rule set.
    pub rounds: Vec<u32>,
    /// Finished games.
    pub games: u64,
    /// Games in the plan.
    pub planned: u64,
    /// Deals with a finished game.
    pub deals: u64,
    /// The master seed if it is public: the cards of every game follow from it, also of those that are played later.
    pub seed: Option<String>,
    /// The agent whose rating is given, and that rating.
    pub anchor: Option<(String, f64)>,
    /// The time of a seat.
    pub time: String,
    /// The level of the sandbox.
    pub sandbox: String,
    /// Permissions beyond those of all agents, by agent.
    pub permits: Vec<(String, String)>,
    /// The version of the engine that played.
    pub engine: String,
}

/// One agent and what is known of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AgentSummary {
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u64,
    /// First places; a shared one counts its share.
    pub wins: f64,
    /// Mean score, from 0 to 1.
    pub score: Option<f64>,
    /// The 95 % interval of the mean score.
    pub interval: Option<Interval>,
    /// Mean points of a game.
    pub points: Option<f64>,
    /// Rounds played and rounds won.
    pub rounds: (u64, u64),
    /// Rounds that nobody at its table has won.
    pub rounds_unwon: u64,
    /// Its joint rating; absent without games.
    pub rating: Option<Rating>,
    /// How its mean score settled.
    pub course: Course,
    /// Faults by kind.
    pub faults: Vec<u64>,
    /// Games in which it was dismissed.
    pub dismissals: u64,
    /// True if it is disqualified, so that it has no place.
    pub is_disqualified: bool,
    /// The time it used.
    pub times: UsedTime,
}

/// An author with several agents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Author {
    /// The author's name.
    pub name: String,
    /// The author's agents.
    pub agents: Vec<usize>,
    /// What they gain together.
    pub gain: Together,
}

/// What the games by one rule set tell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RuleSetReport {
    /// The rule set.
    pub rules: String,
    /// Finished games.
    pub games: u64,
    /// Deals with a finished game.
    pub deals: u64,
    /// In the order of [`RunReport::agents`].
    pub agents: Vec<AgentByRules>,
}

/// One agent by one rule set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AgentByRules {
    /// Mean score, from 0 to 1.
    pub score: Option<f64>,
    /// The 95 % interval of the mean score.
    pub interval: Option<Interval>,
    /// Its rating from these games alone.
    pub rating: Option<Rating>,
}

/// The time that an agent used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsedTime {
    /// Answers in time.
    pub answers: u64,
    /// Seconds in all.
    pub seconds: f64,
    /// Answers after their deadline.
    pub late: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
    /// Milliseconds of an answer: of the mean in each game the 5 %, 50 % and 95 % quantile.
    pub answer_ms: Option<[f64; 3]>,
}

/// One agent against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncounterRow {
    /// Mean of 1 for a better place, 1/2 for the same, 0 for a worse one.
    pub score: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

impl RunReport {
    /// The page.
    pub fn page(&self) -> String {
        page::offline_styled(&format!("{} – report", self.league), REPORT_STYLE, self.body(Links::None)).into_string()
    }

    /// What stands in the body of the page; its numbers lead where `links` says.
    pub(crate) fn body(&self, links: Links) -> Markup {
        html! {
            main.report {
                (heading::heading(self, links))
                @if self.is_partial {
                    p #partial role="status" {
                        "Ratings, the cross-table, courses and lengths are being computed from all games; they will appear here."
                    }
                    (tournament::tournament(self, links))
                    (standings::standings(self, links))
                    (by_rules::by_rules(self, links))
                    (conduct::faults(self, links))
                } @else {
                    (findings::findings(self))
                }
                @if self.setting.games > 0 && !self.is_partial {
                    (tournament::tournament(self, links))
                    (ratings::ratings(self, links))
                    (standings::standings(self, links))
                    (by_rules::by_rules(self, links))
                    (encounters::encounters(self, links))
                    (courses::courses(self, links))
                    (checks::seats(self, links))
                    (checks::checks(self, links))
                    (authors::authors(self, links))
                    (lengths::lengths(self, links))
                    (conduct::faults(self, links))
                    (conduct::times(self, links))
                }
                (heading::methods(self))
            }
        }
    }

    fn name(&self, place: usize) -> &str {
        self.agents.get(place).map_or("?", |agent| &agent.name)
    }
}

/// A section with its heading, and a sentence that says how to read what follows.
fn section(id: &str, title: &str, lead: &str, body: Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title) }
            p.lead { (lead) }
            (body)
        }
    }
}

/// Something that may be wider than the page, and scrolls by itself.
fn wide(label: &str, body: Markup) -> Markup {
    html! { div.wide role="group" aria-label=(label) tabindex="0" { (body) } }
}

#[cfg(test)]
mod tests;
