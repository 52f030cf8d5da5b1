//! The race of a run: the places of its agents after a growing share of the games, to be played. It uses the courses of the scores,
//! which are computed anyway, so it costs as much for a million games as for a hundred.

use maud::{Markup, html};

use super::words::{count, score};
use super::{Links, RunReport, section};
use crate::chart::{CoursePoint, RACE_ROW, race, race_class};

/// The most agents that are drawn.
const MOST: usize = 20;
/// The most steps.
const MOST_STEPS: usize = 200;

/// An agent in the race.
struct Runner<'a> {
    name: &'a str,
    /// Its scores at the steps, as far as it had played.
    scores: Vec<Option<f64>>,
    /// Its rows, the first one 0, and its places, which agents with the same score share.
    rows: Vec<Option<(usize, usize)>>,
}

/// The section; nothing where there is no race.
pub(super) fn race_of(report: &RunReport, links: Links) -> Markup {
    // In a knock-out those who are out play no more, and scores are of different games.
    if matches!(report.setting.format.as_str(), "knock-out" | "double") {
        return html! {};
    }
    let (at, runners) = runners(report);
    if at.len() < 2 || runners.len() < 2 {
        return html! {};
    }
    let of = report.setting.games;
    let games: Vec<u64> = at.iter().map(|at| (at * of as f64).round() as u64).collect();
    let rows: Vec<Vec<Option<usize>>> =
        runners.iter().map(|runner| runner.rows.iter().map(|row| row.map(|(row, _)| row)).collect()).collect();
    let joined = |values: Vec<String>| values.join(" ");
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let last = at.len() - 1;
    let lead = format!(
        "Places by mean score after a growing share of the {} games, in the order of the plan, in {} steps. Early places are a matter of \
         chance, and the last ones need not be those of the standings, which weigh who met whom.",
        count(of),
        at.len()
    );
    section(
        "race",
        "The race",
        &lead,
        html! {
            div.race data-games=(joined(games.iter().map(ToString::to_string).collect())) {
                div.controls hidden {
                    button.play type="button" { "Play" }
                    input.step type="range" min="0" max=(last) value=(last) aria-label="Games of the race";
                    output.after { "after " (count(of)) " games" }
                }
                div.track { (race(&at, &rows)) }
                ol.places style=(format!("height:{}px", runners.len() * RACE_ROW)) aria-label="Places" {
                    @for (runner, agent) in runners.iter().enumerate() {
                        @let place = |step: usize| or_none(agent.rows[step].map(|(_, place)| (place + 1).to_string()));
                        @let value = |step: usize| or_none(agent.scores[step].map(score));
                        @let row = |step: usize| or_none(agent.rows[step].map(|(row, _)| row.to_string()));
                        li data-runner=(runner) style=(format!("--row:{}", agent.rows[last].map_or(runner, |(row, _)| row)))
                            data-rows=(joined((0..=last).map(row).collect()))
                            data-places=(joined((0..=last).map(place).collect()))
                            data-scores=(joined((0..=last).map(value).collect())) {
                            span.place { (place(last)) }
                            svg class=(format!("swatch {}", race_class(runner))) width="14" height="4" aria-hidden="true" { line x1="0" x2="14" y1="2" y2="2" {} }
                            span.name { (links.name(agent.name)) }
                            span.number { (value(last)) }
                        }
                    }
                }
            }
            @if report.agents.len() > runners.len() {
                p.note { "Drawn are the first " (runners.len()) " of " (count(report.agents.len() as u64)) " agents, with their places among themselves." }
            }
        },
    )
}

/// The shares of the games at the steps, and the agents.
fn runners(report: &RunReport) -> (Vec<f64>, Vec<Runner<'_>>) {
    let known = report.agents.iter().filter(|agent| !agent.is_disqualified && !agent.course.0.is_empty()).take(MOST);
    let agents: Vec<_> = known.collect();
    // Who has played goes on having a score, so the longest course has all steps.
    let longest = agents.iter().map(|agent| &agent.course.0).max_by_key(|points| points.len());
    let all: Vec<f64> = longest.into_iter().flatten().map(|point| point.at).collect();
    // The last step is one in any case.
    let stride = all.len().div_ceil(MOST_STEPS).max(1);
    let at: Vec<f64> = all.iter().rev().step_by(stride).rev().copied().collect();
    let score_at =
        |points: &[CoursePoint], at: f64| points.iter().find(|point| point.at == at).map(|point| point.value);
    let scores: Vec<Vec<Option<f64>>> =
        agents.iter().map(|agent| at.iter().map(|at| score_at(&agent.course.0, *at)).collect()).collect();
    let row = |runner: usize, step: usize| {
        let own = scores[runner][step]?;
        let better = scores.iter().filter(|other| other[step].is_some_and(|score| score > own)).count();
        let same_before = scores[..runner].iter().filter(|other| other[step] == Some(own)).count();
        Some((better + same_before, better))
    };
    let rows: Vec<Vec<Option<(usize, usize)>>> =
        (0..agents.len()).map(|runner| (0..at.len()).map(|step| row(runner, step)).collect()).collect();
    let runners = agents.into_iter().zip(scores.clone()).zip(rows);
    let runners = runners.map(|((agent, scores), rows)| Runner { name: &agent.name, scores, rows }).collect();
    (at, runners)
}
