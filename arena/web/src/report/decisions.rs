//! Where agents lose: what their decisions cost by what they were about, by the part of the round and by the cards held, and the
//! worst of them with ways to the replay. The figures were measured elsewhere.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, counted, number, percent};
use super::{Links, MOST, RunReport, section, wide};

/// What the decisions of a run's agents cost, as far as they were judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionReport {
    /// Why what is kept of the run's games is not shown.
    pub problem: Option<String>,
    /// The name of the effort.
    pub effort: String,
    /// Playouts for a decision.
    pub simulations: u32,
    /// The same where seats act between turns.
    pub in_races: u32,
    /// Games that were judged.
    pub games: u64,
    /// Finished games.
    pub of: u64,
    /// The agents in the order of their names.
    pub agents: Vec<AgentDecisions>,
}

/// What the decisions of one agent cost.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDecisions {
    /// All of them; the name is the agent's.
    pub total: LossRow,
    /// By the questions that authors ask.
    pub groups: Vec<DecisionGroup>,
    /// Those that cost most, the worst first.
    pub worst: Vec<WorstDecision>,
}

/// Decisions by one question.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionGroup {
    /// The question: `About`, `Part`, `Cards held`.
    pub title: String,
    /// A row for each answer that occurs.
    pub rows: Vec<LossRow>,
}

/// Some decisions with a choice, in sums.
#[derive(Clone, Debug, PartialEq)]
pub struct LossRow {
    /// Which.
    pub name: String,
    /// How many.
    pub choices: u32,
    /// The mean loss: a share of the other seats.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// The share of all that the agent lost, if it lost anything.
    pub share: Option<f64>,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
}

/// A decision that cost much. Texts are text, never markup.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstDecision {
    /// The name of the game.
    pub game: String,
    /// The move.
    pub number: u32,
    /// What it was about.
    pub about: String,
    /// The part of the round.
    pub part: String,
    /// The cards that the seat held.
    pub held: u16,
    /// What was done.
    pub taken: String,
    /// What would have been best.
    pub best: String,
    /// What was lost.
    pub loss: f64,
    /// The standard error of that.
    pub error: f64,
    /// Its mark.
    pub mark: String,
}

/// The section of a run whose games were judged; nothing of others.
pub(super) fn decisions(report: &RunReport, links: Links) -> Markup {
    let Some(judged) = &report.decisions else { return html! {} };
    if let Some(problem) = &judged.problem {
        let lead = format!("What is kept of the judged decisions cannot be shown: {problem}");
        return section("decisions", "Decisions", &lead, html! {});
    }
    let lead = format!(
        "{} of {} finished games were judged by maumau analyse ({}: {} playouts for a decision, {} where seats act between turns). A loss \
         is the share of the other seats that the action taken beats less than the best one, from what the seat knew, if all play on as \
         the bot greedy does; ± is the standard error of a mean over choices. Inaccuracies lose 0.05 or more, mistakes 0.10, blunders \
         0.20, even if the loss is two standard errors smaller; they are counted per 100 choices.",
        count(judged.games),
        count(judged.of),
        judged.effort,
        count(judged.simulations.into()),
        count(judged.in_races.into())
    );
    let all = judged.agents.iter().map(|agent| &agent.total);
    let shown = &judged.agents[..judged.agents.len().min(MOST)];
    section(
        "decisions",
        "Decisions: where agents lose",
        &lead,
        html! {
            (wide("Decisions by agent", rows("Agent", all, false)))
            @for agent in shown {
                details {
                    summary { "Where " bdi { (agent.total.name) } " loses" }
                    div.losses {
                        @for group in &agent.groups {
                            (wide(&format!("{}, by {}", agent.total.name, group.title), rows(&group.title, group.rows.iter(), true)))
                        }
                    }
                    (worst(agent, links))
                }
            }
            @if judged.agents.len() > shown.len() {
                p.note { "Shown in detail are the first " (shown.len()) " of " (count(judged.agents.len() as u64)) " agents; maumau analyse --agent shows each." }
            }
        },
    )
}

fn rows<'a>(first: &str, rows: impl Iterator<Item = &'a LossRow>, shares: bool) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { (first) }
                    th.number scope="col" { "Choices" }
                    th.number scope="col" { "Mean loss" }
                    @if shares { th.number scope="col" { "Of all" } }
                    @for name in ["Inaccuracies", "Mistakes", "Blunders"] { th.number scope="col" { (name) } }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        th.name scope="row" { bdi { (row.name) } }
                        td.number { (count(row.choices.into())) }
                        td.number { b { (number(row.mean, 4)) } " ± " (fixed(row.error, 4)) }
                        @if shares { td.number { @if let Some(share) = row.share { (percent(share)) " %" } } }
                        @for marks in row.marks { td.number { (fixed(100.0 * f64::from(marks) / f64::from(row.choices.max(1)), 1)) } }
                    }
                }
            }
        }
    }
}

fn worst(agent: &AgentDecisions, links: Links) -> Markup {
    if agent.worst.is_empty() {
        return html! { p.note { "No decision lost enough to be marked." } };
    }
    let table = html! {
        table.worst {
            caption { "The " (counted(agent.worst.len() as u64, "decision")) " that lost most" }
            thead {
                tr {
                    @for name in ["Game and move", "Mark", "Loss", "About", "Cards", "Taken", "Best"] { th scope="col" { (name) } }
                }
            }
            tbody {
                @for decision in &agent.worst {
                    @let place = html! { (decision.game) ", move " (decision.number) };
                    tr {
                        th scope="row" {
                            (links.replay(&decision.game, decision.number, place))
                        }
                        td { (decision.mark) }
                        td.number { (fixed(decision.loss, 2)) " ± " (fixed(decision.error, 2)) }
                        td { (decision.about) ", " (decision.part) }
                        td.number { (decision.held) }
                        td { bdi { (decision.taken) } }
                        td { bdi { (decision.best) } }
                    }
                }
            }
        }
    };
    wide(&format!("The worst decisions of {}", agent.total.name), table)
}
