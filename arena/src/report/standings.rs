//! The tables of a tournament: standings, head-to-head results, times. It reads the run file and returns text; scores
//! and ratings are computed by `maumau-tournament`.
//!
//! Everything except the times depends on the games alone, so equal games give equal bytes; if the host made deadlines void, a
//! line says so.

use std::collections::{BTreeMap, BTreeSet};

use maumau_protocol::fault::CountedFault;
use maumau_protocol::{Permits, SandboxLevel};
use maumau_tournament::statistics::duplicates::Saved;
use maumau_tournament::statistics::ratings::{Bound, POINTS, Rating, Ratings};
use maumau_tournament::statistics::seats::SeatScores;
use maumau_tournament::statistics::{Estimate, Interval};
use maumau_tournament::{Encounter, Row, Standings, fixed};
use serde_json::json;

use super::bars::Bars;
use super::counted;
use super::estimates::Estimates;
use super::schedule::{self, ScheduleReport};
use super::tables::{Look, Sheet};
use crate::io::untrusted::{self, Untrusted};
use crate::run_store::{AgentSettings, RunFile, SeatTimes, Shard, TimeTotals};

/// Decimals of a score and of its interval.
const SCORE: usize = 3;

/// Up to this many games are rated without being asked: that takes a fraction of a second.
pub(crate) const RATED_GAMES: u64 = 100_000;

/// Pairs that are told because the ratings do not explain their results.
const UNLIKELY: f64 = 0.05;

/// A tournament as far as it has been played.
pub(crate) struct Report {
    league: String,
    rules: String,
    seats: usize,
    rounds: u32,
    sandbox: SandboxLevel,
    /// Agents with extra permissions, and those permissions.
    permits: Vec<(String, Permits)>,
    /// Agents that play no more.
    retired: Vec<String>,
    /// Which part of the games the run plays, if not all.
    shard: Option<Shard>,
    standings: Standings,
    /// Present if requested, or quick to compute.
    estimates: Option<Estimates>,
    /// Present in formats with an order of their own, and in a match.
    schedule: Option<ScheduleReport>,
    /// The agent of each row, by its number in the league.
    agents: Vec<usize>,
    /// In the order of the rows, if requested.
    times: Option<Vec<SeatTimes>>,
    /// Deadlines that did not count because the host was to blame.
    void: u64,
}

impl Report {
    /// Reads a run file; `times` only if requested, since they differ between two runs of the same games; `ratings` for any
    /// number of games.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn of(run: &RunFile, times: bool, ratings: bool) -> anyhow::Result<Report> {
        let (tally, totals) = run.tally()?;
        let standings = run.plan.standings(&tally);
        let wanted = ratings || (1..=RATED_GAMES).contains(&standings.games);
        let settings = &run.plan.settings;
        let estimates = if wanted { Estimates::of(&run.results()?, settings.league.seats) } else { None };
        let has_schedule = schedule::tells_more(&settings.league.format);
        let schedule = if wanted && has_schedule { Some(ScheduleReport::of(&run.scheduler()?)) } else { None };
        let number = |row: &Row| settings.league.agents.iter().position(|agent| agent.name == row.name);
        let agents = standings.rows.iter().filter_map(number).collect();
        let times = times.then(|| by_row(&standings, &totals, &settings.league));
        let permitted = settings.league.agents.iter().filter(|agent| !agent.permits.is_empty());
        Ok(Report {
            league: settings.league.name.clone(),
            rules: settings.rules.name.clone(),
            seats: settings.league.seats,
            rounds: settings.league.rounds,
            sandbox: settings.league.sandbox.level,
            shard: settings.league.shard,
            retired: names(&settings.league.agents, |agent| agent.life.retired),
            permits: permitted.map(|agent| (agent.name.clone(), agent.permits.named())).collect(),
            standings,
            estimates,
            schedule,
            agents,
            times,
            void: totals.agents().iter().map(|times| times.void).sum(),
        })
    }

    /// All tables, for people.
    pub(crate) fn draw(&self, look: Look) -> String {
        let Standings { games, planned, deals, .. } = &self.standings;
        let title = |text: &str| match look {
            Look::Markdown => format!("## {text}\n\n"),
            Look::Lines | Look::Ascii => format!("{text}\n\n"),
        };
        let sentence = |text: &str| format!("{text}\n\n");
        let rounds = counted(self.rounds, "round");
        let [league, rules] = [&self.league, &self.rules].map(|name| look.shown(Untrusted::new(name)));
        let progress = match games == planned {
            true => counted(*games, "game"),
            false => format!("{games} of {}", counted(*planned, "game")),
        };
        let mut text = title(&format!(
            "{league}: {progress} of {rules} at tables of {}, {rounds} a game, {}",
            self.seats,
            counted(*deals, "deal")
        ));
        text += &self.standings_sheet().draw(look);
        text.push('\n');
        for line in self.schedule.iter().flat_map(|schedule| schedule.lines(look)) {
            text += &sentence(&line);
        }
        text += &sentence(
            "Score: the share of the other seats left behind, 1 = always first.\n\
             Interval: 95 %, clustered by deal. Points: a game. Rounds: won of played.",
        );
        match &self.estimates {
            Some(Estimates { ratings, .. }) => {
                text += &title("Ratings from all games together");
                text += &self.ratings_sheet(ratings, look).draw(look);
                text.push('\n');
                text += &sentence(
                    "Rating: 1500 = mean of these agents, 400 points = odds of 10 to 1 to be ahead.\n\
                     Rank: those that the games do not rule out (Holm, 5 % for all pairs together).\n\
                     Expected: the score against all others.",
                );
                if ratings.parts.len() > 1 {
                    text += &sentence(&self.parts(ratings, look));
                }
            }
            None if *games > 0 => text += &sentence("--ratings also rates the agents, for which all games are read."),
            None => {}
        }
        if self.void > 0 {
            let was = if self.void == 1 { "was" } else { "were" };
            let what = counted(self.void, "deadline");
            text += &sentence(&format!(
                "{what} {was} void: the host was to blame, and the agents were asked again (--times tells which)."
            ));
        }
        if let Some(shard) = self.shard {
            text +=
                &sentence(&format!("Part {shard} of the games; `maumau tournament merge` puts the parts together."));
        }
        if !self.retired.is_empty() {
            let names: Vec<String> = self.retired.iter().map(|name| look.shown(Untrusted::new(name))).collect();
            text += &sentence(&format!("Retired: {}.", names.join(", ")));
        }
        for (name, permits) in &self.permits {
            let [name, permits] = [name, &permits.to_string()].map(|text| look.shown(Untrusted::new(text)));
            text += &sentence(&format!("Permitted to {name}: {permits}."));
        }
        text += &title("Score of each agent against each other");
        text += &self.cross_sheet(|encounter, _, _| Some(fixed(encounter.mean_score, SCORE))).draw(look);
        if let Some(estimates) = &self.estimates {
            text.push('\n');
            text += &title("The same in percent, 95 % intervals clustered by deal");
            text += &self.cross_sheet(|_, row, column| self.encounter_interval(estimates, row, column)).draw(look);
            text.push('\n');
            text += &title(&format!("Seats over {}", counted(estimates.seats.deals, "deal")));
            text += &seats_sheet(&estimates.seats, look).draw(look);
            text.push('\n');
            text += &sentence(&self.checks(estimates, look));
        }
        if let Some(times) = &self.times {
            if self.estimates.is_none() {
                text.push('\n');
            }
            text += &title(&format!("Time used (sandbox {})", self.sandbox));
            text += &self.times_sheet(times).draw(look);
        }
        text
    }

    /// The standings, and the times if requested, as comma-separated values: unrounded, a line for each agent.
    pub(crate) fn csv(&self) -> String {
        let faults = self.faults();
        let mut sheet = Sheet::default();
        sheet.number_column("place").text_column("agent").number_column("games").number_column("deals");
        for name in ["wins", "score", "std_error", "low", "high", "points", "rounds", "rounds_won"] {
            sheet.number_column(name);
        }
        for name in ["rating", "rating_error", "rating_low", "rating_high", "rank_best", "rank_worst"] {
            sheet.number_column(name);
        }
        faults.iter().for_each(|fault| _ = sheet.number_column(fault.name()));
        sheet.number_column("dismissals");
        if self.times.is_some() {
            ["answers", "took_us", "late", "void"].iter().for_each(|name| _ = sheet.number_column(name));
        }
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        for (place, row) in self.standings.rows.iter().enumerate() {
            let mut cells = vec![
                (place + 1).to_string(),
                row.name.clone(),
                row.games.to_string(),
                row.deals.to_string(),
                row.wins.to_string(),
                number(row.mean_score),
                number(row.std_error),
                number(row.interval.map(|interval| interval.low)),
                number(row.interval.map(|interval| interval.high)),
                number(row.mean_points),
                row.rounds.to_string(),
                row.rounds_won.to_string(),
            ];
            let rating = self.rating(place);
            cells.extend([
                number(rating.map(|rating| rating.rating)),
                number(rating.and_then(|rating| rating.std_error)),
                number(rating.and_then(|rating| rating.interval).map(|interval| interval.low)),
                number(rating.and_then(|rating| rating.interval).map(|interval| interval.high)),
                rating.map_or(String::new(), |rating| rating.ranks.0.to_string()),
                rating.map_or(String::new(), |rating| rating.ranks.1.to_string()),
            ]);
            cells.extend(faults.iter().map(|fault| row.faults.get(*fault).to_string()));
            cells.push(row.dismissals.to_string());
            if let Some(times) = &self.times {
                let SeatTimes { answers, took_us, late, void } = times[place];
                cells.extend([answers, took_us, late, void].map(|number| number.to_string()));
            }
            sheet.row(cells);
        }
        sheet.csv()
    }

    /// Everything, as one JSON object on one line.
    ///
    /// # Errors
    /// A number has no JSON form.
    pub(crate) fn json(&self) -> anyhow::Result<String> {
        let mut report = json!({
            "schema": "maumau-standings/1",
            "league": self.league,
            "rules": self.rules,
            "seats": self.seats,
            "rounds": self.rounds,
            "standings": self.standings,
            "retired": self.retired,
            "permits": self.permits.iter().cloned().collect::<BTreeMap<_, _>>(),
        });
        if let Some(schedule) = &self.schedule {
            schedule.json(&mut report);
        }
        if let Some(estimates) = &self.estimates {
            for (place, row) in self.standings.rows.iter().enumerate() {
                let Some(rating) = self.rating(place) else { continue };
                let bound = rating.bound.map(|bound| match bound {
                    Bound::Low => "low",
                    Bound::High => "high",
                });
                report["ratings"][&row.name] = json!({
                    "rating": rating.rating,
                    "std_error": rating.std_error,
                    "interval": rating.interval,
                    "only_known": bound,
                    "rank": [rating.ranks.0, rating.ranks.1],
                    "expected_score": rating.expected_score,
                    "deals": rating.deals,
                });
            }
            report["differences"] = self.differences(estimates).into();
            let seats = estimates.seats.seats.iter().enumerate();
            report["seats"] = seats
                .map(|(seat, seat_score)| {
                    let Estimate { mean, std_error, interval, .. } = seat_score;
                    json!({"seat": seat, "score": mean, "std_error": std_error, "interval": interval})
                })
                .collect();
            let Saved { deals, factor, std_error } = estimates.duplicates.all;
            report["duplicates"] = json!({"deals": deals, "factor": factor, "std_error": std_error});
        }
        if let Some(times) = &self.times {
            let rows = self.standings.rows.iter().zip(times);
            report["times"] = rows
                .map(|(row, times)| {
                    let SeatTimes { answers, took_us, late, void } = times;
                    json!({"name": row.name, "answers": answers, "took_us": took_us, "late": late, "void": void})
                })
                .collect();
        }
        Ok(untrusted::json(&report)? + "\n")
    }

    /// The faults that occurred.
    fn faults(&self) -> BTreeSet<CountedFault> {
        self.standings.rows.iter().flat_map(|row| row.faults.iter()).map(|(fault, _)| fault).collect()
    }

    fn standings_sheet(&self) -> Sheet {
        let faults = self.faults();
        let mut sheet = Sheet::default();
        sheet.number_column("#").text_column("agent");
        for name in ["games", "wins", "score", "interval", "points", "rounds"] {
            sheet.number_column(name);
        }
        faults.iter().for_each(|fault| _ = sheet.number_column(fault.name()));
        let any_dismissed = self.standings.rows.iter().any(|row| row.dismissals > 0);
        if any_dismissed {
            sheet.number_column("dismissed");
        }
        for (place, row) in self.standings.rows.iter().enumerate() {
            let score = |value| fixed(value, SCORE);
            let interval = row.interval.map(|interval| format!("{}-{}", score(interval.low), score(interval.high)));
            let mut cells = vec![
                (place + 1).to_string(),
                row.name.clone(),
                row.games.to_string(),
                fixed(row.wins, 1),
                row.mean_score.map(score).unwrap_or_default(),
                interval.unwrap_or_default(),
                row.mean_points.map(|points| fixed(points, 1)).unwrap_or_default(),
                format!("{}/{}", row.rounds_won, row.rounds),
            ];
            cells.extend(faults.iter().map(|fault| row.faults.get(*fault).to_string()));
            if any_dismissed {
                cells.push(row.dismissals.to_string());
            }
            sheet.row(cells);
        }
        sheet
    }

    /// The rating of the agent of a row.
    fn rating(&self, place: usize) -> Option<&Rating> {
        Some(self.estimates.as_ref()?.rating(*self.agents.get(place)?))
    }

    fn ratings_sheet(&self, ratings: &Ratings, look: Look) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.number_column("rank").text_column("agent");
        for name in ["rating", "interval", "deals", "expected"] {
            sheet.number_column(name);
        }
        let bars = Bars::around(look, ratings.agents.iter().map(rating_ends), 0);
        bars.iter().for_each(|bars| _ = sheet.number_column(&bars.heading()));
        for (place, row) in self.standings.rows.iter().enumerate() {
            let rating = &ratings.agents[self.agents[place]];
            let whole = |value| fixed(value, 0);
            let (best, worst) = rating.ranks;
            let interval = match (rating.interval, rating.bound) {
                (None, _) => String::new(),
                (Some(Interval { low, .. }), Some(Bound::Low)) => format!("at least {}", whole(low)),
                (Some(Interval { high, .. }), Some(Bound::High)) => format!("at most {}", whole(high)),
                (Some(Interval { low, high }), None) => format!("{}-{}", whole(low), whole(high)),
            };
            let mut cells = vec![
                if best == worst { best.to_string() } else { format!("{best}-{worst}") },
                row.name.clone(),
                whole(rating.rating),
                interval,
                rating.deals.to_string(),
                fixed(rating.expected_score, SCORE),
            ];
            cells.extend(bars.iter().map(|bars| bars.draw(rating_ends(rating))));
            sheet.row(cells);
        }
        sheet
    }

    /// The name of an agent by its number in the league.
    fn name(&self, agent: usize, look: Look) -> String {
        let place = self.agents.iter().position(|of_row| *of_row == agent);
        place.map_or(String::new(), |place| look.shown(Untrusted::new(&self.standings.rows[place].name)))
    }

    /// Which agents never met, in a sentence.
    fn parts(&self, ratings: &Ratings, look: Look) -> String {
        let part = |part: &Vec<usize>| part.iter().map(|agent| self.name(*agent, look)).collect::<Vec<_>>().join(", ");
        let parts: Vec<String> = ratings.parts.iter().map(part).collect();
        format!("Between these no game was played, so their ratings cannot be compared: {}.", parts.join(" | "))
    }

    /// What the ratings do not explain, and what duplicates saved.
    fn checks(&self, estimates: &Estimates, look: Look) -> String {
        let mut lines =
            vec!["Score of a seat: 0.5 is no advantage; every agent sat everywhere equally often.".to_owned()];
        if estimates.seats.left_out > 0 {
            lines.push(format!("Left out: {} in which they did not.", counted(estimates.seats.left_out, "deal")));
        }
        let unlikely = estimates.misfits.iter().take_while(|pair| pair.p < UNLIKELY).count();
        lines.push(match estimates.misfits.first() {
            Some(worst) if unlikely > 0 => format!(
                "Misfit: the ratings do not explain {} of {}, least {} against {} (z = {}).",
                unlikely,
                counted(estimates.misfits.len() as u64, "pair"),
                self.name(worst.agents.0, look),
                self.name(worst.agents.1, look),
                fixed(worst.z, 1)
            ),
            _ => "Misfit: none; the ratings explain the results of every pair.".to_owned(),
        });
        if let Saved { factor: Some(factor), std_error: Some(error), .. } = estimates.duplicates.all {
            let (factor, error) = (fixed(factor, 2), fixed(error, 2));
            lines.push(format!("Duplicates: new deals would take {factor} times the games (error {error})."));
        }
        lines.join("\n")
    }

    /// The interval of the score of one row's agent against another's, in percent.
    fn encounter_interval(&self, estimates: &Estimates, row: usize, column: usize) -> Option<String> {
        let estimate = estimates.encounters.estimate(self.agents[row], self.agents[column])?;
        let percent = |value: f64| fixed(value * 100.0, 0);
        estimate.interval.map(|interval| format!("{}-{}", percent(interval.low), percent(interval.high)))
    }

    /// Every pair of agents that can be compared, in rating points, and the score of the first against the second.
    fn differences(&self, estimates: &Estimates) -> Vec<serde_json::Value> {
        let name = |agent: usize| {
            let place = self.agents.iter().position(|of_row| *of_row == agent);
            place.map(|place| &self.standings.rows[place].name)
        };
        let differences = estimates.ratings.pairs.iter().map(|pair| {
            let score = estimates.encounters.estimate(pair.agents.0, pair.agents.1);
            json!({
                "agents": [name(pair.agents.0), name(pair.agents.1)],
                "points": pair.difference * POINTS,
                "std_error": pair.std_error * POINTS,
                "p": pair.p,
                "misfit": pair.misfit,
                "score": score.map(|score| score.mean),
                "score_interval": score.and_then(|score| score.interval),
            })
        });
        differences.collect()
    }

    /// The cross-table; `cell` is what stands in it for an encounter, by its row and column.
    fn cross_sheet(&self, cell: impl Fn(&Encounter, usize, usize) -> Option<String>) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.number_column("#").text_column("agent");
        (1..=self.standings.rows.len()).for_each(|place| _ = sheet.number_column(&place.to_string()));
        for (place, (row, cross)) in self.standings.rows.iter().zip(&self.standings.cross).enumerate() {
            let mut cells = vec![(place + 1).to_string(), row.name.clone()];
            cells.extend(cross.iter().enumerate().map(|(other, encounter)| match encounter {
                Some(encounter) => cell(encounter, place, other).unwrap_or_default(),
                None if other == place => "-".to_owned(),
                None => String::new(),
            }));
            sheet.row(cells);
        }
        sheet
    }

    fn times_sheet(&self, times: &[SeatTimes]) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.text_column("agent");
        for name in ["answers", "seconds", "ms/answer", "late", "void"] {
            sheet.number_column(name);
        }
        for (row, times) in self.standings.rows.iter().zip(times) {
            let per_answer = times.took_us as f64 / 1e3 / times.answers.max(1) as f64;
            sheet.row(vec![
                row.name.clone(),
                times.answers.to_string(),
                fixed(times.took_us as f64 / 1e6, 2),
                fixed(per_answer, 3),
                times.late.to_string(),
                times.void.to_string(),
            ]);
        }
        sheet
    }
}

/// The names of those agents.
fn names(agents: &[AgentSettings], which: impl Fn(&AgentSettings) -> bool) -> Vec<String> {
    agents.iter().filter(|agent| which(agent)).map(|agent| agent.name.clone()).collect()
}

/// What is known of a rating: its ends, the lower one first, and the value between.
fn rating_ends(rating: &Rating) -> [f64; 3] {
    let Interval { low, high } = rating.interval.unwrap_or(Interval { low: rating.rating, high: rating.rating });
    match rating.bound {
        Some(Bound::Low) => [low, rating.rating, f64::INFINITY],
        Some(Bound::High) => [f64::NEG_INFINITY, rating.rating, high],
        None => [low, rating.rating, high],
    }
}

fn seats_sheet(seats: &SeatScores, look: Look) -> Sheet {
    let mut sheet = Sheet::default();
    ["seat", "score", "interval"].iter().for_each(|name| _ = sheet.number_column(name));
    let ends = |estimate: &Estimate| {
        let Interval { low, high } = estimate.interval.unwrap_or(Interval { low: estimate.mean, high: estimate.mean });
        [low, estimate.mean, high]
    };
    let bars = Bars::around(look, seats.seats.iter().map(ends).chain([[0.5; 3]]), SCORE);
    bars.iter().for_each(|bars| _ = sheet.number_column(&bars.heading()));
    for (seat, estimate) in seats.seats.iter().enumerate() {
        let score = |value| fixed(value, SCORE);
        let interval = estimate.interval.map(|interval| format!("{}-{}", score(interval.low), score(interval.high)));
        let mut cells = vec![seat.to_string(), score(estimate.mean), interval.unwrap_or_default()];
        cells.extend(bars.iter().map(|bars| bars.draw(ends(estimate))));
        sheet.row(cells);
    }
    sheet
}

/// The times in the order of the standings.
fn by_row(standings: &Standings, totals: &TimeTotals, league: &crate::run_store::LeagueSettings) -> Vec<SeatTimes> {
    let time_of = |name: &str| {
        let place = league.agents.iter().position(|agent| agent.name == name);
        place.and_then(|place| totals.agents().get(place).copied()).unwrap_or_default()
    };
    standings.rows.iter().map(|row| time_of(&row.name)).collect()
}
