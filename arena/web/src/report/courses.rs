//! How the scores settled over the games.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, score};
use super::{Links, RunReport, section};
use crate::chart::{Scale, course};

/// The most agents that are drawn.
const MOST: usize = 60;
/// The share of the games after which intervals count for the scale: the first ones are as wide as they can be.
const SETTLED: f64 = 0.2;

/// A small drawing for each agent.
pub(super) fn courses(report: &RunReport, links: Links) -> Markup {
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
