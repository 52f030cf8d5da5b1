//! Scores and ratings by each rule set alone, side by side, in leagues of several.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, counted, interval, places, score};
use super::{Links, RunReport, section, wide};
use crate::address::GameFilter;

/// A column group for each rule set; nothing if there is only one.
pub(super) fn by_rules(report: &RunReport, links: Links) -> Markup {
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
        wide("By rule set", table),
    )
}
