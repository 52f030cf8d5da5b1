//! What agents of one author gain when they sit at one table: tables of more than two invite collusion.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, probability};
use super::{Author, Links, RunReport, section, wide};
use crate::address::GameFilter;

/// Pairs of agents whose games are linked, at most.
const MOST_PAIRS: usize = 10;

/// A row for each author with several agents; nothing if there is none. A server's leads to the games in which two of them sat at
/// one table.
pub(super) fn authors(report: &RunReport, links: Links) -> Markup {
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
                    @if links == Links::Games { th scope="col" { "Games together" } }
                }
            }
            tbody {
                @for Author { name, agents, gain } in &report.authors {
                    tr {
                        th.name scope="row" { (name) }
                        td.number { (count(gain.together)) }
                        td.number { (count(gain.alone)) }
                        td.number { @if let Some(effect) = gain.effect { b { (signed(effect)) } } }
                        td.number { @if let Some(known) = gain.interval { (signed(known.low)) " to " (signed(known.high)) } }
                        td.number { @if let Some(p) = gain.p { (probability(p)) } }
                        @if links == Links::Games { td { (pairs(report, agents, links)) } }
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

/// Every two of these agents, who lead to the games that they met in.
fn pairs(report: &RunReport, agents: &[usize], links: Links) -> Markup {
    let pairs =
        agents.iter().enumerate().flat_map(|(at, one)| agents[at + 1..].iter().map(move |other| (*one, *other)));
    html! {
        @for (at, (one, other)) in pairs.take(MOST_PAIRS).enumerate() {
            @let (one, other) = (report.name(one), report.name(other));
            @if at > 0 { ", " }
            (links.to(&GameFilter { against: other.to_owned(), ..GameFilter::of(one) }, html! { (one) " with " (other) }))
        }
        @if agents.len() * (agents.len() - 1) / 2 > MOST_PAIRS { ", …" }
    }
}
