//! The report of a run: what was played, who is better, by how much, how sure. One page that loads nothing and needs no script.
//!
//! Owns the page and its sections, a file each. The estimates come from the tournament crate; where the games are stored is not
//! known here, and nothing is computed from them but what a drawing needs.

mod authors;
mod bracket;
mod checks;
mod conduct;
mod decisions;
mod encounters;
mod findings;
mod heading;
mod race;
mod ratings;
mod standings;
mod tournament;
mod words;

use std::collections::BTreeMap;

use maud::{Markup, html};
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::authors::Together;
use maumau_tournament::statistics::duplicates::Saved;
use maumau_tournament::statistics::goodness_of_fit::PairMisfit;
use maumau_tournament::statistics::luck::Luck;
use maumau_tournament::statistics::ratings::Rating;
use maumau_tournament::statistics::seats::SeatScores;
use maumau_tournament::{TournamentResult, fixed};
use serde::{Deserialize, Serialize};
use words::{count, counted, interval, places, score};

use crate::address::{GameFilter, replay_address};
use crate::chart::{BarLink, Course, Histogram, Scale, course, histogram};
use crate::page;

pub use decisions::{AgentDecisions, DecisionGroup, DecisionReport, LossRow, WorstDecision};
pub(crate) use tournament::small_bracket;

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
    /// What each rule set alone shows; empty if there is only one.
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
    /// How much of a result the deal explains; nothing of several rule sets together.
    pub luck: Luck,
    /// How far the results of pairs are from what the ratings expect, the largest first.
    pub misfits: Vec<PairMisfit>,
    /// The kinds of faults, in the order of [`AgentSummary::faults`].
    pub faults: Vec<String>,
    /// How many games had how many actions that were taken up.
    pub lengths: BTreeMap<u32, u64>,
    /// What decisions cost, if games were judged and all hands may be seen. It is kept in files of its own.
    #[serde(skip)]
    pub decisions: Option<DecisionReport>,
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

/// What the games by one rule set show.
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
    /// How much of a result the deal explains.
    pub luck: Luck,
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
                    (by_rules(self, links))
                    (conduct::faults(self, links))
                } @else {
                    (findings::findings(self))
                }
                @if self.setting.games > 0 && !self.is_partial {
                    (tournament::tournament(self, links))
                    (ratings::ratings(self, links))
                    (standings::standings(self, links))
                    (by_rules(self, links))
                    (encounters::encounters(self, links))
                    (race::race_of(self, links))
                    (courses(self, links))
                    (decisions::decisions(self, links))
                    (checks::seats(self, links))
                    (checks::checks(self, links))
                    (authors::authors(self, links))
                    (lengths(self, links))
                    (conduct::faults(self, links))
                    (conduct::times(self, links))
                }
                (heading::conditions(self, links))
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

/// Where numbers lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// To the list of the games that a server has, and to their replays.
    Games,
    /// Only to replays.
    Replays,
    /// Nowhere.
    None,
}

impl Links {
    /// A number or a name, and the games behind it.
    fn to(self, wanted: &GameFilter, shown: Markup) -> Markup {
        match self {
            Links::Games => html! { a href=(wanted.address()) { (shown) } },
            Links::Replays | Links::None => shown,
        }
    }

    /// The replay of a game at a move.
    fn replay(self, game: &str, number: u32, shown: Markup) -> Markup {
        match self {
            Links::Games | Links::Replays => html! { a href=(replay_address(game, number)) { (shown) } },
            Links::None => shown,
        }
    }

    /// The name of an agent, which leads to all its games.
    fn name(self, agent: &str) -> Markup {
        self.to(&GameFilter::of(agent), html! { (agent) })
    }
}

/// A game as it is listed, each part as plain text.
#[derive(Clone, Debug)]
pub struct ListedGame {
    /// The place of the agent whose games are listed, if only those are.
    pub place: Option<u8>,
    /// The name of the game.
    pub game: String,
    /// The agents by place, and what went wrong.
    pub places: String,
}

/// The page that lists `games` of a league; `agent` if only its games are listed.
pub fn game_list(league: &str, agent: Option<&str>, games: &[ListedGame]) -> String {
    let table = html! {
        main {
            h1 { (league) }
            table {
                thead {
                    tr {
                        @if let Some(agent) = agent { th { (agent) } }
                        th { "game" }
                        th { "places, and what went wrong" }
                    }
                }
                tbody {
                    @for ListedGame { place, game, places } in games {
                        tr {
                            @if let Some(place) = place { td { (place) } }
                            td { (game) }
                            td { (places) }
                        }
                    }
                }
            }
        }
    };
    page::offline(&format!("{league} – games"), table).into_string()
}

/// The most agents that are drawn.
const MOST: usize = 60;
/// The share of the games after which intervals count for the scale: the first ones are as wide as they can be.
const SETTLED: f64 = 0.2;

/// A small drawing for each agent.
fn courses(report: &RunReport, links: Links) -> Markup {
    let shown = &report.agents[..report.agents.len().min(MOST)];
    let settled = shown.iter().flat_map(|agent| agent.course.0.iter().filter(|point| point.at >= SETTLED));
    let all = Scale::around(settled.flat_map(|point| {
        let ends = point.interval.map(|(low, high)| [low, high]);
        ends.into_iter().flatten().chain([point.value, 0.5])
    }));
    let (low, high) = all.ends();
    let scale = Scale::new(low.max(0.0), high.min(1.0));
    let lead = format!(
        "The mean score and its 95 % interval after a growing share of the {} games, in the order of the plan, all on one scale from {} \
         to {}. The dashed line is 0.5; the number is the final score.",
        count(report.setting.games),
        fixed(low.max(0.0), 2),
        fixed(high.min(1.0), 2)
    );
    section(
        "courses",
        "How the scores settled",
        &lead,
        html! {
            div.courses {
                @for agent in shown {
                    figure {
                        figcaption {
                            span.name { (links.name(&agent.name)) }
                            @if let Some(value) = agent.score { span.number { (score(value)) } }
                        }
                        (course(scale, 0.5, &agent.course))
                    }
                }
            }
            @if report.agents.len() > shown.len() {
                p.note { "Drawn are the first " (shown.len()) " of " (count(report.agents.len() as u64)) " agents." }
            }
        },
    )
}

/// A column group for each rule set; nothing if there is only one.
fn by_rules(report: &RunReport, links: Links) -> Markup {
    if report.by_rules.is_empty() {
        return html! {};
    }
    let table = html! {
        table {
            thead {
                tr {
                    th rowspan="2" scope="col" { "Agent" }
                    @for set in &report.by_rules {
                        th colspan="4" scope="colgroup" {
                            (set.rules) ": " (links.to(&GameFilter { rules: set.rules.clone(), ..GameFilter::default() }, html! { (counted(set.games, "game")) })) ", " (count(set.deals)) " deals"
                        }
                    }
                }
                tr {
                    @for _ in &report.by_rules {
                        @for name in ["Score", "95 %", "Rating", "Rank"] { th.number scope="col" { (name) } }
                    }
                }
            }
            tbody {
                @for (place, agent) in report.agents.iter().enumerate() {
                    tr {
                        th.name scope="row" { (links.name(&agent.name)) }
                        @for set in &report.by_rules {
                            @let own = &set.agents[place];
                            @let games = GameFilter { rules: set.rules.clone(), ..GameFilter::of(&agent.name) };
                            td.number { @if let Some(value) = own.score { (links.to(&games, html! { b { (score(value)) } })) } }
                            td.number { @if let Some(known) = own.interval { (interval(known, 3)) } }
                            td.number { @if let Some(rating) = &own.rating { (links.to(&games, html! { (fixed(rating.rating, 0)) })) } }
                            td.number { @if let Some(rating) = &own.rating { (places(rating.ranks)) } }
                        }
                    }
                }
            }
        }
    };
    section(
        "by-rules",
        "By rule set",
        "The same from the games by each rule set alone; every group of agents played as many deals by each. Ratings of different rule \
         sets are not compared: each has a scale of its own.",
        html! {
            (wide("By rule set", table))
            @for set in &report.by_rules {
                @if let Some(sentence) = checks::luck(&set.luck) { p { b { "Luck in " (set.rules) ". " } (sentence) } }
            }
        },
    )
}

/// The share of the games that is drawn.
const DRAWN: f64 = 0.99;

/// The lengths of all games, in actions.
fn lengths(report: &RunReport, links: Links) -> Markup {
    let games: u64 = report.lengths.values().sum();
    // The length of the game that stands at this share of all, by length.
    let at = |share: f64| {
        let place = (games.max(1) - 1) as f64 * share;
        let mut before = 0;
        let found = report.lengths.iter().find(|(_, count)| {
            before += **count;
            before as f64 > place.round()
        });
        found.map_or(0, |(length, _)| *length)
    };
    let [least, low, median, high, most] = [0.0, 0.05, 0.5, 0.95, 1.0].map(at);
    let between = |least: u32, most: u32| GameFilter { moves: format!("{least}-{most}"), ..GameFilter::default() };
    let address = |least, most| between(least, most).address();
    let bar_links = (links == Links::Games).then_some((&address as BarLink<'_>, "games", "actions"));
    let of = |length: u32| links.to(&between(length, length), html! { (count(length.into())) });
    let most_games = links.to(&between(low, high), html! { (count(low.into())) " to " (count(high.into())) });
    // A few very long games would leave no room for the others.
    let edge = at(DRAWN);
    let drawn = report.lengths.range(..=edge).map(|(length, count)| (*length, *count)).collect();
    let Some(bars) = Histogram::of(&drawn) else { return html! {} };
    let a_bar = match bars.width() {
        1 => String::new(),
        width => format!(" A bar stands for {width} lengths."),
    };
    let beyond = match games - drawn.values().sum::<u64>() {
        0 => String::new(),
        beyond => format!(" {} beyond the right edge.", counted(beyond, "game")),
    };
    section(
        "lengths",
        "Length of games",
        &format!(
            "Games by the number of actions that were taken up, those of the referee for a seat included.{a_bar}{beyond} The dashed line is the median; the highest bar is {}.",
            counted(bars.most(), "game")
        ),
        html! {
            figure { (histogram(&bars, f64::from(median) + if bars.width() == 1 { 0.5 } else { 0.0 }, bar_links)) }
            p {
                "Median " b { (of(median)) } " actions; nine games in ten have " (most_games)
                ", the shortest " (of(least)) ", the longest " (of(most)) "."
            }
        },
    )
}
