//! What agents of one author gain when they sit at one table: tables of more than two invite collusion.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, probability};
use super::{RunReport, section, wide};

/// A row for each author with several agents; nothing if there is none.
pub(super) fn authors(report: &RunReport) -> Markup {
    if report.authors.is_empty() {
        return html! {};
    }
    let signed = |value: f64| format!("{}{}", if value < 0.0 { "" } else { "+" }, fixed(value, 3));
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Author" }
                    @for name in ["Deals together", "Deals alone", "Gain", "95 %", "p"] { th.number scope="col" { (name) } }
                }
            }
            tbody {
                @for (author, gain) in &report.authors {
                    tr {
                        th.name scope="row" { (author) }
                        td.number { (count(gain.together)) }
                        td.number { (count(gain.alone)) }
                        td.number { @if let Some(effect) = gain.effect { b { (signed(effect)) } } }
                        td.number { @if let Some(known) = gain.interval { (signed(known.low)) " to " (signed(known.high)) } }
                        td.number { @if let Some(p) = gain.p { (probability(p)) } }
                    }
                }
            }
        }
    };
    section(
        "authors",
        "Agents of one author together",
        "Gain: the score against others where two or more agents of the author sat at a table, less what the ratings expect, minus the \
         same where one of them sat alone. p: the probability of such a gain if sitting together changed nothing.",
        wide("Agents of one author together", table),
    )
}
