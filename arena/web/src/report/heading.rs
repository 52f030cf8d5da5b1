//! The top of the report, which says what was played, and its end, which says how the numbers are made.

use maud::{Markup, html};

use super::words::{count, counted};
use super::{Links, RunReport};
use crate::address::GameFilter;

/// The title and the facts of the run.
pub(super) fn heading(report: &RunReport, links: Links) -> Markup {
    let setting = &report.setting;
    let games = match setting.games == setting.planned {
        true => count(setting.games),
        false => format!("{} of {}", count(setting.games), count(setting.planned)),
    };
    let rounds = match setting.rounds[..] {
        [rounds, ref others @ ..] if others.iter().all(|other| *other == rounds) => counted(rounds.into(), "round"),
        [ref others @ .., last] => {
            format!("{} and {last} rounds", others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        [] => String::new(),
    };
    let options: Vec<String> = setting.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    html! {
        header {
            p.kind { "Tournament report" }
            h1 { (report.league) }
            dl.facts {
                (fact(if setting.rounds.len() == 1 { "Rule set" } else { "Rule sets" }, &setting.rules))
                (fact("Format", &setting.format))
                (fact("Tables", &format!("{} seats", setting.seats)))
                (fact("Agents", &count(report.agents.len() as u64)))
                div { dt { "Games" } dd { (links.to(&GameFilter::default(), html! { (games) })) ", " (rounds) " each" } }
                (fact("Deals", &format!("{}, each in every rotation", count(setting.deals))))
                @if !options.is_empty() {
                    div.long { dt { "Options" } dd { (options.join(", ")) } }
                }
            }
        }
    }
}

/// How the agents were run, which only organisers and authors ask for.
pub(super) fn conditions(report: &RunReport, links: Links) -> Markup {
    let setting = &report.setting;
    html! {
        section aria-labelledby="conditions" {
            h2 id="conditions" { "How it was played" }
            dl.facts {
                (fact("Time", &setting.time))
                (fact("Sandbox", &setting.sandbox))
                (fact("Engine", &setting.engine))
                div.long {
                    dt { "Seed" }
                    dd {
                        @match &setting.seed {
                            Some(seed) => code { (seed) },
                            None => "drawn, and not shown: the cards of games that are still to be played follow from it",
                        }
                        @if links == Links::Games { "; " a href="/seeds" { "the seeds of deals that are done" } }
                    }
                }
                @for (name, permits) in &setting.permits {
                    div.long { dt { "Permitted" } dd { (name) ": " (permits) } }
                }
            }
        }
    }
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// How the numbers are made.
pub(super) fn methods(report: &RunReport) -> Markup {
    html! {
        section.methods aria-labelledby="methods" {
            h2 id="methods" { "How the numbers are made" }
            p {
                b { "Score." } " The share of the other seats of a table that an agent left behind, a tie counting half. The games of one deal
                are dealt alike and are not independent, so the deal is the sampling unit. Intervals are Wilson's, with as
                many deals as the variance between deals stands for; they hold 95 % and are never of width 0."
            }
            p {
                b { "Rating." } " Bradley–Terry by paired comparisons inside games: every two seats are compared, with weight
                1/(seats − 1), and one drawn game against a rating of 0 keeps perfect records finite. "
                @match &report.setting.anchor {
                    Some((agent, rating)) => { (agent) " is " (rating) "; " }
                    None => "The mean of these agents is 1500; ",
                }
                "400 points are odds of 10 to 1 to be ahead. Errors are leave-one-deal-out (CR3) with Student’s quantile. "
                b { "Rank." } " The ranks that the games do not rule out: every two agents are compared, by Holm’s procedure at 5 % over
                all pairs together."
            }
            p {
                b { "Seats." } " Only deals count in which every agent sat equally often at every seat, so a seat’s score does not depend on
                who sat there. "
                b { "Duplicates." } " Each deal is played in every rotation. The saving is the variance that new deals would
                have, over the one found, with its standard error (jackknife over deals). "
                b { "Luck." } " The variance of a seat’s score has a part that goes with who sits where, a part that goes with the deal,
                no matter which agent sits there (one-way random effects over deals of the same agents; the interval is the jackknife’s), and a rest. "
                b { "Misfit." } " A pair’s residuals, deal by deal, in their standard errors; p is corrected for the number of pairs
                (Bonferroni)."
            }
            p.made {
                "Made by maumau " (report.setting.engine) " from the run file alone: equal games give an equal page, except for the times. "
                "The games and seats behind it: " code { "maumau tournament export RUN --games-to games.csv --seats-to seats.csv" } "."
            }
        }
    }
}
