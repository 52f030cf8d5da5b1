//! Ratings and ranks with their intervals.

use maud::{Markup, html};
use maumau_tournament::fixed;
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::ratings::{Bound, Rating};

use super::words::{places, rating_interval, score};
use super::{AgentSummary, Links, RunReport, section, wide};
use crate::address::GameFilter;
use crate::chart::{Scale, Whisker, axis, intervals, ranks};

/// The rating and the rank of every agent.
pub(super) fn ratings(report: &RunReport, links: Links) -> Markup {
    let rated = report.agents.iter().filter_map(|agent| agent.rating.as_ref());
    let scale = Scale::around(rated.flat_map(|rating| {
        let Whisker { low, value, high } = whisker(rating);
        [low, Some(value), high].into_iter().flatten()
    }));
    let ticks = scale.ticks(6);
    let count = report.agents.len();
    // The best first, whatever orders the other tables.
    let mut order: Vec<(usize, &AgentSummary, &Rating)> = report
        .agents
        .iter()
        .enumerate()
        .filter_map(|(place, agent)| Some((place, agent, agent.rating.as_ref()?)))
        .collect();
    order.sort_by(|(.., a), (.., b)| b.logit.total_cmp(&a.logit));
    let table = html! {
        table.plots {
            thead {
                tr {
                    th.number scope="col" { "Rank" }
                    th.rank scope="col" { span.unseen { "Ranks that are possible" } }
                    th scope="col" { "Agent" }
                    th.plot scope="col" { span.unseen { "Rating, drawn" } (axis(&ticks)) }
                    th.number scope="col" { "Rating" }
                    th.number scope="col" { "95 %" }
                    th.number scope="col" { "Deals" }
                    th.number scope="col" { "Expected" }
                }
            }
            tbody {
                @for (place, agent, rating) in order {
                    @let own = GameFilter::of(&agent.name);
                    tr {
                        td.number { (places(rating.ranks)) }
                        td.rank { (ranks(count, rating.ranks.0, rating.ranks.1, place + 1)) }
                        th.name scope="row" { (links.name(&agent.name)) }
                        td.plot { (intervals(scale, &ticks, None, Some(whisker(rating)))) }
                        td.number { (links.to(&own, html! { b { (fixed(rating.rating, 0)) } })) }
                        td.number { (rating_interval(rating)) }
                        td.number { (links.to(&own, html! { (rating.deals) })) }
                        td.number { (score(rating.expected_score)) }
                    }
                }
            }
        }
    };
    section(
        "ratings",
        "Ratings and ranks",
        "Joint ratings from all games with 95 % intervals. The bar beside the rank covers the ranks that the games do not rule out; \
         the dot is the place in the standings. Expected: the score against all others.",
        html! { (wide("Ratings and ranks", table)) (parts(report)) },
    )
}

/// What is known of a rating.
fn whisker(rating: &Rating) -> Whisker {
    let (low, high) = match rating.interval {
        Some(Interval { low, high }) => (Some(low), Some(high)),
        None => (Some(rating.rating), Some(rating.rating)),
    };
    match rating.bound {
        Some(Bound::Low) => Whisker { low, value: rating.rating, high: None },
        Some(Bound::High) => Whisker { low: None, value: rating.rating, high },
        None => Whisker { low, value: rating.rating, high },
    }
}

/// Which agents never met.
fn parts(report: &RunReport) -> Markup {
    html! {
        @if report.parts.len() > 1 {
            p { "Between these no game was played, so their ratings cannot be compared:" }
            ul {
                @for part in &report.parts {
                    li { (part.iter().map(|place| report.name(*place)).collect::<Vec<_>>().join(", ")) }
                }
            }
        }
    }
}
