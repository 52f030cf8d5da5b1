//! The cross-table as a heat map.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::count;
use super::{EncounterRow, Links, RunReport, section, wide};
use crate::address::GameFilter;

/// The most agents in the table: it has the square of them in cells.
const MOST: usize = 40;
/// With more agents the cells stand closer.
const ROOMY: usize = 14;

/// Every agent's score against every other.
pub(super) fn encounters(report: &RunReport, links: Links) -> Markup {
    let shown = report.agents.len().min(MOST);
    let table = html! {
        table.heat.dense[shown > ROOMY] {
            thead {
                tr {
                    th.number scope="col" { "#" }
                    th.name scope="col" { "Agent" }
                    @for place in 1..=shown { th scope="col" { (place) } }
                }
            }
            tbody {
                @for (place, row) in report.encounters.iter().take(shown).enumerate() {
                    tr {
                        td.number { (place + 1) }
                        th.name scope="row" { (links.name(report.name(place))) }
                        @for (other, encounter) in row.iter().take(shown).enumerate() {
                            @match encounter {
                                Some(encounter) => (cell(encounter, links, &GameFilter { against: report.name(other).to_owned(), ..GameFilter::of(report.name(place)) })),
                                None if other == place => td.self { "–" },
                                None => td {},
                            }
                        }
                    }
                }
            }
        }
    };
    section(
        "encounters",
        "Each against each other",
        "The score of the row’s agent against the column’s, in percent of their games, a tie counting half, with its 95 % interval. \
         Blue is ahead, orange behind; bold where the interval leaves out 50.",
        html! {
            (wide("Each agent against each other", table))
            @if report.agents.len() > shown {
                p.note {
                    "The table shows the first " (count(shown as u64)) " of " (count(report.agents.len() as u64)) " agents; "
                    code { "maumau tournament show RUN --format json" } " has all of them."
                }
            }
        },
    )
}

/// A score, which leads to the games of the two.
fn cell(encounter: &EncounterRow, links: Links, games: &GameFilter) -> Markup {
    let EncounterRow { score, interval } = encounter;
    // Nearly all scores lie between 1/4 and 3/4, so colours are full there.
    let depth = ((score - 0.5).abs() * 4.0).min(1.0);
    let is_sure = interval.is_some_and(|interval| interval.low > 0.5 || interval.high < 0.5);
    let percent = |value: f64| fixed(value * 100.0, 0);
    html! {
        td.ahead[*score > 0.5].behind[*score < 0.5].sure[is_sure] style={ "--d:" (fixed(depth, 2)) } {
            (links.to(games, html! {
                (percent(*score))
                @if let Some(interval) = interval {
                    small { (percent(interval.low)) "–" (percent(interval.high)) }
                }
            }))
        }
    }
}
