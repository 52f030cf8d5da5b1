//! The order and the rounds of a knock-out or a Swiss tournament.

use maud::{Markup, html};
use maumau_tournament::{Placed, PlacedBy, RoundResult, TournamentResult, fixed};

use super::bracket::bracket;
use super::words::score;
use super::{Links, RunReport, section, wide};

/// Everybody's place, the rounds, and the bracket of a knock-out; nothing in other formats.
pub(super) fn tournament(report: &RunReport, links: Links) -> Markup {
    let Some(result) = &report.tournament else { return html! {} };
    let is_swiss = is_swiss(result);
    html! {
        (order(report, result, is_swiss, links))
        @if !result.rounds.is_empty() {
            (section(
                "rounds",
                "Rounds",
                if is_swiss { "Each round with its tables. Score: the share of the other seats left behind at that table, 1 = all of them." } else {
                    "Each round with its heats: who went on, who was out, who went on without playing. Score: the share of the other seats left \
                     behind in the heat, 1 = all of them; equal ones where it matters play further deals, then the lot decides."
                },
                html! {
                    @if !is_swiss { (wide("Bracket", bracket(report, result))) }
                    (wide("Rounds", rounds(report, result, is_swiss, links)))
                },
            ))
        }
    }
}

/// The bracket of a knock-out whose first round has at most so many heats and agents without one; `None` in other formats.
pub(crate) fn small_bracket(report: &RunReport, most: usize) -> Option<Markup> {
    let result = report.tournament.as_ref().filter(|result| !is_swiss(result))?;
    let first = result.rounds.first()?;
    (first.tables.len() + first.byes.len() <= most).then(|| bracket(report, result))
}

fn is_swiss(result: &TournamentResult) -> bool {
    result.order.iter().any(|placed| matches!(placed.by, PlacedBy::Points { .. }))
}

fn order(report: &RunReport, result: &TournamentResult, is_swiss: bool, links: Links) -> Markup {
    let table = html! {
        table {
            thead {
                tr {
                    th.number scope="col" { "#" }
                    th scope="col" { "Agent" }
                    @if is_swiss {
                        th.number scope="col" { "Points" }
                        th.number scope="col" { "Points of opponents" }
                    } @else {
                        th scope="col" { "Result" }
                    }
                }
            }
            tbody {
                @for (place, Placed { agent, by }) in result.order.iter().enumerate() {
                    tr {
                        td.number { @if *by == PlacedBy::Disqualified { "–" } @else { (place + 1) } }
                        th.name scope="row" { (links.name(report.name(*agent))) }
                        @match by {
                            PlacedBy::Points { points, opponents } => {
                                td.number { b { (fixed(*points, 3)) } }
                                td.number { (fixed(*opponents, 3)) }
                            }
                            PlacedBy::Final if place == 0 => td { b { (by.words(place)) } },
                            by if is_swiss => { td.number { (by.words(place)) } td {} },
                            by => td { (by.words(place)) },
                        }
                    }
                }
            }
        }
    };
    let lead = match is_swiss {
        true => {
            "Points: the sum of the scores of the rounds, 1/2 for one without play. Equal ones are ordered by the mean points of the \
             opponents met, then the rating, then a lot."
        }
        false => {
            "The final, then those who are still in, then those who went out, the last round first; in one round by their scores in the \
             heat, then by the seeding."
        }
    };
    section(
        "order",
        if result.is_over { "Order of the tournament" } else { "Order of the tournament so far" },
        lead,
        wide("Order", table),
    )
}

fn rounds(report: &RunReport, result: &TournamentResult, is_swiss: bool, links: Links) -> Markup {
    html! {
        table.rounds {
            thead {
                tr {
                    th.number scope="col" { "Round" }
                    th.number scope="col" { (if is_swiss { "Table" } else { "Heat" }) }
                    th scope="col" { "Agent" }
                    th.number scope="col" { "Score" }
                    th scope="col" { span.unseen { "What it meant" } }
                }
            }
            @for (number, round) in result.rounds.iter().enumerate() {
                tbody {
                    @for (at, table) in round.tables.iter().enumerate() {
                        @for (place, seated) in table.agents.iter().enumerate() {
                            tr.first[place == 0] {
                                td.number { @if at == 0 && place == 0 { b { (number + 1) } } }
                                td.number { @if place == 0 { @if table.is_final { "final" } @else { (at + 1) } } }
                                td.name { (links.name(report.name(seated.agent))) }
                                td.number { @if let Some(value) = seated.score { (score(value)) } }
                                td { (table.words(place)) }
                            }
                        }
                    }
                    (free(report, round, links))
                }
            }
        }
    }
}

/// Those who did not play.
fn free(report: &RunReport, round: &RoundResult, links: Links) -> Markup {
    html! {
        @for (agents, what) in [(&round.byes, "did not play"), (&round.waiting, "waited for others")] {
            @for (place, agent) in agents.iter().enumerate() {
                tr.first[place == 0] {
                    td {}
                    td {}
                    td.name { (links.name(report.name(*agent))) }
                    td {}
                    td { (what) }
                }
            }
        }
    }
}
