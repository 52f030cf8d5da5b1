//! What could spoil a comparison: seats that are not alike, results that ratings do not explain, deals that are played in vain.

use maud::{Markup, html};
use maumau_tournament::fixed;
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::luck::{FEWEST_DEALS, Luck, LuckShares};

use super::standings::whisker;
use super::words::{count, counted, interval, number, percent, probability, score};
use super::{Links, RunReport, section, wide};
use crate::address::GameFilter;
use crate::chart::{Scale, axis, intervals};

/// The most pairs in the table of misfits.
const PAIRS: usize = 5;

/// The score of every seat.
pub(super) fn seats(report: &RunReport, links: Links) -> Markup {
    let seats = &report.seats;
    let drawn = seats.seats.iter().flat_map(|estimate| {
        let ends = estimate.interval.map(|Interval { low, high }| [low, high]);
        ends.into_iter().flatten().chain([estimate.mean])
    });
    let scale = Scale::around(drawn.chain([0.5]));
    let ticks = scale.ticks(5);
    let table = html! {
        table.plots {
            thead {
                tr {
                    th.number scope="col" { "Seat" }
                    th.plot scope="col" { span.unseen { "Score, drawn" } (axis(&ticks)) }
                    @for name in ["Score", "95 %", "Advantage"] { th.number scope="col" { (name) } }
                }
            }
            tbody {
                @for (seat, estimate) in seats.seats.iter().enumerate() {
                    @let advantage = estimate.mean - 0.5;
                    tr {
                        th.number scope="row" { (seat) }
                        td.plot { (intervals(scale, &ticks, Some(0.5), Some(whisker(estimate.mean, estimate.interval)))) }
                        @let won = GameFilter { seat: seat.to_string(), place: "1".to_owned(), ..GameFilter::default() };
                        td.number { (links.to(&won, html! { b { (score(estimate.mean)) } })) }
                        td.number { @if let Some(known) = estimate.interval { (interval(known, 3)) } }
                        td.number { @if advantage > 0.0 { "+" } (number(advantage, 3)) }
                    }
                }
            }
        }
    };
    let left_out = match seats.left_out {
        0 => String::new(),
        left_out => {
            format!(" {} with agents that did not sit everywhere equally often left out.", counted(left_out, "deal"))
        }
    };
    section(
        "seats",
        "Seats",
        &format!(
            "The mean score of each seat over {}; 0.5 is no advantage. Seat 0 deals the first round of a game.{left_out}",
            counted(seats.deals, "deal")
        ),
        html! { @if !seats.seats.is_empty() { (wide("Seats", table)) } },
    )
}

/// Misfits, what duplicates saved, and how much the deal explains.
pub(super) fn checks(report: &RunReport, links: Links) -> Markup {
    let pairs = report.misfits.len() as u64;
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Agent" }
                    th scope="col" { "Against" }
                    @for name in ["Expected", "Found", "z", "p"] { th.number scope="col" { (name) } }
                }
            }
            tbody {
                @for misfit in report.misfits.iter().take(PAIRS) {
                    @let (one, other) = misfit.agents;
                    @let found = report.encounters.get(one).and_then(|row| (*row.get(other)?).as_ref());
                    tr {
                        @let both = GameFilter { against: report.name(other).to_owned(), ..GameFilter::of(report.name(one)) };
                        td { (links.name(report.name(one))) }
                        td { (links.name(report.name(other))) }
                        td.number { (score(misfit.expected)) }
                        td.number { @if let Some(found) = found { (links.to(&both, html! { (score(found.score)) })) } }
                        td.number { (number(misfit.z, 1)) }
                        td.number { (probability(misfit.p).trim_start_matches("p = ").trim_start_matches("p ")) }
                    }
                }
            }
        }
    };
    section(
        "checks",
        "Checks",
        &format!(
            "Misfit: how far a pair’s result is from what the ratings expect, in standard errors (z); p is for the largest of {}. A small \
             one means that one number an agent is not enough, as where A beats B, B beats C and C beats A.",
            counted(pairs, "pair")
        ),
        html! {
            @if pairs > 0 { (wide("Misfit", table)) }
            @if pairs > PAIRS as u64 { p.note { "Shown are the " (PAIRS) " largest of " (count(pairs)) "." } }
            p {
                b { "Duplicates. " }
                @match (report.duplicates.factor, report.duplicates.std_error) {
                    (Some(factor), Some(error)) => {
                        "Every deal was played in every rotation. With a new deal for each game, the same certainty about the difference of
                         two agents would have taken " b { (fixed(factor, 2)) " ± " (fixed(error, 2)) } " times as many games ("
                        (counted(report.duplicates.deals, "deal")) " compared)."
                    }
                    _ => {
                        "Whether playing every deal in every rotation saved games is not known: it takes at least three deals of the same
                         agents that differ."
                    }
                }
            }
            @if let Some(sentence) = luck(&report.luck) { p { b { "Luck. " } (sentence) } }
        },
    )
}

/// How much of a result the deal explains; `None` if each was played once.
pub(super) fn luck(luck: &Luck) -> Option<Markup> {
    Some(match luck.shares {
        None if luck.deals == 0 => return None,
        None if luck.compared < FEWEST_DEALS => html! {
            "How much the deal explains is not known: it takes " (FEWEST_DEALS) " deals that the same agents played in every rotation, and \
             there are " (luck.compared) "."
        },
        None => html! { "All games ended alike, so there is nothing for the deal to explain." },
        Some(LuckShares { deal, interval, agents, .. }) => html! {
            "Of the variance of a seat’s score the deal explains " b { (percent(deal)) " %" }
            @if let Some(known) = interval { " (95 %: " (percent(known.low)) "–" (percent(known.high)) " %)" }
            ", and who sits where " (percent(agents)) " %; the rest is decisions and what follows from them ("
            (counted(luck.compared, "deal")) " compared)."
        },
    })
}
