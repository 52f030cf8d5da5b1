//! How agents behaved: faults by kind, and the time they used.

use maud::{Markup, html};
use maumau_tournament::fixed;

use super::words::{count, counted};
use super::{AgentSummary, Links, RunReport, section, wide};
use crate::address::GameFilter;
use crate::chart::{Scale, Whisker, axis, intervals};

/// How a list of games is asked for those in which an agent was dismissed.
const DISMISSED: &str = "dismissed";

/// The games in which an agent, or anybody, committed a fault.
fn with_fault(agent: &str, fault: &str) -> GameFilter {
    GameFilter { fault: fault.to_owned(), ..GameFilter::of(agent) }
}

/// Faults by agent and kind.
pub(super) fn faults(report: &RunReport, links: Links) -> Markup {
    let faulty: Vec<&AgentSummary> =
        report.agents.iter().filter(|agent| agent.faults.iter().any(|count| *count > 0)).collect();
    let sum = |kind: usize| -> u64 { report.agents.iter().map(|agent| agent.faults[kind]).sum() };
    let most = faulty.iter().flat_map(|agent| &agent.faults).copied().max().unwrap_or(1).max(1) as f64;
    let dismissals: u64 = report.agents.iter().map(|agent| agent.dismissals).sum();
    let table = html! {
        table.faults {
            thead {
                tr {
                    th scope="col" { "Agent" }
                    @for kind in &report.faults { th.number scope="col" { (kind) } }
                    th.number scope="col" { "dismissed" }
                }
            }
            tbody {
                @for agent in &faulty {
                    tr {
                        th.name scope="row" { (links.name(&agent.name)) }
                        @for (kind, number) in report.faults.iter().zip(&agent.faults) {
                            (bar(*number, *number as f64 / most, links, &with_fault(&agent.name, kind)))
                        }
                        td.number { (linked(agent.dismissals, links, &with_fault(&agent.name, DISMISSED))) }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" { "all" }
                    @for (kind, name) in report.faults.iter().enumerate() {
                        td.number { (linked(sum(kind), links, &with_fault("", name))) }
                    }
                    td.number { (linked(dismissals, links, &with_fault("", DISMISSED))) }
                }
            }
        }
    };
    let lead = match report.agents.len() - faulty.len() {
        _ if faulty.is_empty() => format!("No agent committed a fault in {}.", counted(report.setting.games, "game")),
        0 => "Faults by kind, as the referee names them.".to_owned(),
        1 => "Faults by kind, as the referee names them. One agent committed none.".to_owned(),
        without => format!("Faults by kind, as the referee names them. {without} agents committed none."),
    };
    section("faults", "Faults", &lead, html! { @if !faulty.is_empty() { (wide("Faults", table)) } })
}

/// A number as a link to the games behind it; nothing if there are none.
fn linked(number: u64, links: Links, games: &GameFilter) -> Markup {
    html! { @if number > 0 { (links.to(games, html! { (count(number)) })) } }
}

/// A number with a bar behind it.
fn bar(number: u64, share: f64, links: Links, games: &GameFilter) -> Markup {
    html! {
        @if number == 0 {
            td.number {}
        } @else {
            td.number.bar style={ "--b:" (fixed((share * 100.0).max(2.0), 0)) "%" } { (linked(number, links, games)) }
        }
    }
}

/// The time of answers.
pub(super) fn times(report: &RunReport, links: Links) -> Markup {
    let known = report.agents.iter().filter_map(|agent| agent.times.answer_ms);
    let scale = Scale::logarithmic(known.flatten());
    let ticks = scale.ticks(5);
    let has = |number: fn(&AgentSummary) -> u64| report.agents.iter().any(|agent| number(agent) > 0);
    let (late, void) = (has(|agent| agent.times.late), has(|agent| agent.times.void));
    let table = html! {
        table.plots {
            thead {
                tr {
                    th scope="col" { "Agent" }
                    th.plot scope="col" { span.unseen { "Milliseconds an answer, drawn" } (axis(&ticks)) }
                    @for name in ["ms an answer", "Answers", "Seconds"] { th.number scope="col" { (name) } }
                    @if late { th.number scope="col" { "Late" } }
                    @if void { th.number scope="col" { "Void" } }
                }
            }
            tbody {
                @for agent in &report.agents {
                    @let times = &agent.times;
                    @let whisker = times.answer_ms.map(|[low, value, high]| Whisker { low: Some(low), value, high: Some(high) });
                    tr {
                        th.name scope="row" { (links.name(&agent.name)) }
                        td.plot { (intervals(scale, &ticks, None, whisker)) }
                        td.number { b { (fixed(times.seconds * 1e3 / times.answers.max(1) as f64, 3)) } }
                        td.number { (links.to(&GameFilter::of(&agent.name), html! { (count(times.answers)) })) }
                        td.number { (fixed(times.seconds, 2)) }
                        @if late { td.number { @if times.late > 0 { (count(times.late)) } } }
                        @if void { td.number { @if times.void > 0 { (count(times.void)) } } }
                    }
                }
            }
        }
    };
    section(
        "times",
        "Time used",
        "Milliseconds from the ask to the answer, on a logarithmic scale: the median game, and the range of nine games in ten. Times depend on \
         the machine, everything above on the games alone. Void: deadlines that did not count, since the host was to blame.",
        wide("Time used", table),
    )
}
