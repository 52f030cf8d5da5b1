//! The standings: scores with their intervals, and what was counted.

use maud::{Markup, html};
use maumau_tournament::fixed;
use maumau_tournament::statistics::Interval;

use super::words::{count, interval, score};
use super::{Links, RunReport, section, wide};
use crate::address::GameFilter;
use crate::chart::{Scale, Whisker, axis, intervals};

/// Everybody's score, wins, points and rounds.
pub(super) fn standings(report: &RunReport, links: Links) -> Markup {
    let drawn = report.agents.iter().flat_map(|agent| {
        let ends = agent.interval.map(|Interval { low, high }| [low, high]);
        ends.into_iter().flatten().chain(agent.score)
    });
    let scale = Scale::around(drawn.chain([0.5]));
    let ticks = scale.ticks(6);
    let table = html! {
        table.plots {
            thead {
                tr {
                    th.number scope="col" { "#" }
                    th scope="col" { "Agent" }
                    th.plot scope="col" { span.unseen { "Score, drawn" } (axis(&ticks)) }
                    @for name in ["Score", "95 %", "Games", "Wins", "Points", "Rounds won"] { th.number scope="col" { (name) } }
                }
            }
            tbody {
                @for (place, agent) in report.agents.iter().enumerate() {
                    @let (played, won) = agent.rounds;
                    @let own = GameFilter::of(&agent.name);
                    @let unwon = GameFilter { fault: "unwon".to_owned(), ..own.clone() };
                    @let won_by = GameFilter { place: "1".to_owned(), ..own.clone() };
                    tr {
                        td.number { @if agent.is_disqualified { "–" } @else { (place + 1) } }
                        th.name scope="row" { (links.name(&agent.name)) }
                        td.plot { (intervals(scale, &ticks, Some(0.5), agent.score.map(|value| whisker(value, agent.interval)))) }
                        td.number { @if let Some(value) = agent.score { (links.to(&own, html! { b { (score(value)) } })) } }
                        td.number { @if let Some(known) = agent.interval { (interval(known, 3)) } }
                        td.number { (links.to(&own, html! { (count(agent.games)) })) }
                        td.number {
                            @if agent.wins > 0.0 { (links.to(&won_by, html! { (fixed(agent.wins, 1)) })) } @else { (fixed(agent.wins, 1)) }
                        }
                        td.number { @if let Some(points) = agent.points { (links.to(&own, html! { (super::words::number(points, 1)) })) } }
                        td.number {
                            (links.to(&own, html! { (count(won)) " of " (count(played)) }))
                            @if agent.rounds_unwon > 0 { ", " (links.to(&unwon, html! { (count(agent.rounds_unwon)) " won by nobody" })) }
                        }
                    }
                }
            }
        }
    };
    section(
        "standings",
        if report.tournament.is_some() { "Scores of all games" } else { "Standings" },
        "Score: the share of the other seats left behind, 1 = always first; the line is 0.5. Wins: a shared first place counts its share. \
         Points: the mean of a game.",
        html! {
            @for remark in &report.order_remarks { p.remark { (remark) } }
            (wide("Standings", table))
        },
    )
}

/// A mean with its interval; without one only the point is drawn.
pub(super) fn whisker(value: f64, interval: Option<Interval>) -> Whisker {
    let (low, high) = interval.map_or((value, value), |Interval { low, high }| (low, high));
    Whisker { low: Some(low), value, high: Some(high) }
}
