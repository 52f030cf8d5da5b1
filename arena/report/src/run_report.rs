//! Gathers what the page about a run shows: reads the run file once, game by game. How the page looks is not known here.

use std::collections::BTreeMap;

use maumau_engine::rules::load_built_in;
use maumau_protocol::fault::CountedFault;
use maumau_protocol::message::{ClockMode, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{RunFile, RunSettings, SeatTimes, StoredGame};
use maumau_tournament::statistics::authors::Together;
use maumau_tournament::statistics::ratings::RatedGames;
use maumau_tournament::{Row, Tally, TournamentResult};
use maumau_web::chart::{Course, CoursePoint};
use maumau_web::report::{
    AgentByRules, AgentSummary, Author, EncounterRow, RuleSetReport, RunReport, Setting, UsedTime,
};

use super::PUBLIC_SEED;
use super::estimates::Estimates;
use super::ranking::{disqualified, ranked, remark, tournament_of};
use super::run_analysis::decision_report;

/// How many points a course has.
const POINTS: u64 = 40;

/// The page about a run, as HTML. Judged decisions say what seats held, so they are shown only if all games have been played.
///
/// # Errors
/// The run file cannot be read, or is damaged.
pub fn html_report(run: &RunFile) -> anyhow::Result<String> {
    let progress = ProgressLine::new("reading games", run.games()?);
    let report = run_report(run, Some(progress))?;
    let is_complete = report.setting.games == report.setting.planned;
    Ok(if is_complete { with_decisions(report, run)? } else { report }.page())
}

/// What that page shows, with the standings alone: quick, since they are kept with the games.
///
/// # Errors
/// As [`html_report`].
pub fn partial_report(run: &RunFile) -> anyhow::Result<RunReport> {
    let mut gathered = Gathered::new(run, 0, None);
    let (tally, times) = run.tally()?;
    (gathered.tally, gathered.times) = (tally, times.agents().to_vec());
    Ok(RunReport { is_partial: true, ..gathered.report(run, tournament_of(run)?) })
}

/// What that page shows but for judged decisions, see [`with_decisions`]; `progress` is called with how much of the run has been read.
///
/// # Errors
/// As [`html_report`].
pub fn run_report(run: &RunFile, progress: Option<ProgressLine>) -> anyhow::Result<RunReport> {
    let mut gathered = Gathered::new(run, run.games()?, progress);
    run.for_each_game(|game| gathered.add(&game))?;
    Ok(gathered.report(run, tournament_of(run)?))
}

/// `report` with what is kept of the run's judged decisions: for readers who may see all hands.
///
/// # Errors
/// As [`html_report`].
pub fn with_decisions(report: RunReport, run: &RunFile) -> anyhow::Result<RunReport> {
    Ok(RunReport { decisions: decision_report(run)?, ..report })
}

/// What is gathered from the games. Agents are numbered as in the league.
struct Gathered {
    tally: Tally,
    games: RatedGames,
    /// By rule set.
    games_by_rules: Vec<RatedGames>,
    /// Finished games in all, as far as is known before they are read.
    expected: u64,
    /// The games after which points of the courses are taken.
    every: u64,
    courses: Vec<Vec<CoursePoint>>,
    times: Vec<SeatTimes>,
    /// Mean milliseconds of an answer, by game.
    answer_ms: Vec<Vec<f32>>,
    lengths: BTreeMap<u32, u64>,
    done: u64,
    progress: Option<ProgressLine>,
}

impl Gathered {
    fn new(run: &RunFile, expected: u64, progress: Option<ProgressLine>) -> Gathered {
        let (plan, agents) = (run.plan.pairings.clone(), run.plan.pairings.agents().len());
        // Whole deals, if there are enough.
        let deals = expected / plan.seats() as u64;
        Gathered {
            games: RatedGames::new(agents),
            games_by_rules: vec![RatedGames::new(agents); plan.league().rule_sets],
            expected,
            every: deals.div_ceil(POINTS).max(1) * plan.seats() as u64,
            courses: vec![Vec::new(); agents],
            times: vec![SeatTimes::default(); agents],
            answer_ms: vec![Vec::new(); agents],
            lengths: BTreeMap::new(),
            done: 0,
            progress,
            tally: Tally::new(plan),
        }
    }

    fn add(&mut self, game: &StoredGame) -> anyhow::Result<()> {
        self.tally.add(&game.finished())?;
        let plan = self.tally.plan();
        self.games.add_planned(plan, game.number(), &game.result.places);
        if let [_, _, ..] = self.games_by_rules[..] {
            let set = plan.rule_set(game.number());
            self.games_by_rules[set].add_planned(plan, game.number(), &game.result.places);
        }
        *self.lengths.entry(game.actions()?).or_default() += 1;
        for (agent, seat) in game.planned.agents.iter().zip(&game.times) {
            let total = &mut self.times[agent.index()];
            total.answers += seat.answers;
            total.took_us += seat.took_us;
            total.late += seat.late;
            total.void += seat.void;
            if seat.answers > 0 {
                self.answer_ms[agent.index()].push(seat.took_us as f32 / 1e3 / seat.answers as f32);
            }
        }
        self.done += 1;
        let done = self.done;
        if done.is_multiple_of(self.every) || done == self.expected {
            self.take_points(done);
        }
        self.progress.iter().for_each(|progress| progress.is_at(done, 0));
        Ok(())
    }

    /// Takes a point of each course, after `done` games.
    fn take_points(&mut self, done: u64) {
        for row in &self.tally.standings().rows {
            let agent = self.number(row);
            let Some(value) = row.mean_score else { continue };
            let interval = row.interval.map(|interval| (interval.low, interval.high));
            self.courses[agent].push(CoursePoint { at: done as f64 / self.expected.max(done) as f64, value, interval });
        }
    }

    fn number(&self, row: &Row) -> usize {
        let plan = self.tally.plan();
        plan.agents().position(|agent| plan.name(agent) == row.name).unwrap_or_default()
    }

    /// The report of each rule set by itself; empty if there is only one. `agents` are those of the report's rows.
    fn by_rules(&self, settings: &RunSettings, agents: &[usize]) -> Vec<RuleSetReport> {
        if settings.rules.len() == 1 {
            return Vec::new();
        }
        let of_set = |(set, name): (usize, String)| {
            let standings = self.tally.standings_by(set);
            let estimates = Estimates::of(&self.games_by_rules[set], &settings.league);
            let of_agent = |agent: &usize| {
                let row = standings.rows.iter().find(|row| self.number(row) == *agent);
                AgentByRules {
                    score: row.and_then(|row| row.mean_score),
                    interval: row.and_then(|row| row.interval),
                    rating: estimates.as_ref().map(|estimates| estimates.rating(*agent).clone()),
                }
            };
            RuleSetReport {
                rules: Untrusted::new(&name).terminal(),
                games: standings.games,
                deals: standings.deals,
                agents: agents.iter().map(of_agent).collect(),
                luck: estimates.as_ref().map(|estimates| estimates.luck).unwrap_or_default(),
            }
        };
        settings.rule_names().into_iter().enumerate().map(of_set).collect()
    }

    fn report(mut self, run: &RunFile, tournament: Option<TournamentResult>) -> RunReport {
        self.progress.iter().for_each(ProgressLine::end);
        let settings = &run.plan.settings;
        let estimates = Estimates::of(&self.games, &settings.league).map(|known| known.by(settings.rules.len()));
        let ratings = estimates.as_ref().map(|estimates| &estimates.ratings);
        let standings = ranked(self.tally.standings(), &settings.league, ratings, tournament.as_ref());
        // The agent of each row, and the row of each agent.
        let agents: Vec<usize> = standings.rows.iter().map(|row| self.number(row)).collect();
        let mut rows = vec![0; agents.len()];
        agents.iter().enumerate().for_each(|(row, agent)| rows[*agent] = row);
        let kinds: std::collections::BTreeSet<CountedFault> =
            standings.rows.iter().flat_map(|row| row.faults.iter()).map(|(fault, _)| fault).collect();
        let shown = |text: &str| Untrusted::new(text).terminal();
        let encounter = |agent: usize, other: usize| {
            let estimate = estimates.as_ref()?.encounters.estimate(agent, other)?;
            Some(EncounterRow { score: estimate.mean, interval: estimate.interval })
        };
        // Who is disqualified has none.
        let counts = |agent: usize| !settings.league.agents[agent].life.disqualified;
        let rating = |agent: usize| {
            estimates.as_ref().filter(|_| counts(agent)).map(|estimates| estimates.rating(agent).clone())
        };
        let mut remarks: Vec<String> =
            remark(standings.ranked_by, settings.league.ranked_by()).map(str::to_owned).into_iter().collect();
        remarks.extend(disqualified(&settings.league, |name| shown(name)));
        remarks.extend(settings.league.cards_may_be_known().then(|| PUBLIC_SEED.to_owned()));
        let permitted = settings.league.agents.iter().filter(|agent| !agent.permits.is_empty());
        RunReport {
            league: shown(&settings.league.name),
            setting: Setting {
                rules: shown(&settings.rule_names().join(", ")),
                options: options(settings),
                format: run.plan.pairings.league().format.name().to_owned(),
                seats: settings.league.seats,
                rounds: settings.league.rounds.clone(),
                games: standings.games,
                planned: standings.planned,
                deals: standings.deals,
                anchor: settings.league.anchor.as_ref().map(|anchor| (shown(&anchor.agent), anchor.rating)),
                seed: settings.league.public_seed.then(|| settings.seed.to_string()),
                time: time(&settings.league.time, settings.league.clock),
                sandbox: settings.league.sandbox.level.to_string(),
                permits: permitted
                    .map(|agent| (shown(&agent.name), shown(&agent.permits.named().to_string())))
                    .collect(),
                engine: shown(&settings.engine),
            },
            order_remarks: remarks,
            tournament: tournament.map(|result| result.renumbered(|agent| rows[agent])),
            by_rules: self.by_rules(settings, &agents),
            authors: estimates.as_ref().map_or(Vec::new(), |estimates| {
                let (names, of_agents) = settings.league.authors();
                let author = |gain: &Together| Author {
                    name: shown(&names[gain.author]),
                    agents: agents
                        .iter()
                        .enumerate()
                        .filter(|(_, agent)| {
                            of_agents[**agent].is_some_and(|author| usize::from(author) == gain.author)
                        })
                        .map(|(row, _)| row)
                        .collect(),
                    gain: gain.clone(),
                };
                estimates.together.iter().map(author).collect()
            }),
            encounters: agents
                .iter()
                .map(|agent| agents.iter().map(|other| encounter(*agent, *other)).collect())
                .collect(),
            parts: estimates.as_ref().map_or(Vec::new(), |estimates| {
                estimates.ratings.parts.iter().map(|part| part.iter().map(|agent| rows[*agent]).collect()).collect()
            }),
            seats: estimates.as_ref().map(|estimates| estimates.seats.clone()).unwrap_or_default(),
            duplicates: estimates.as_ref().map(|estimates| estimates.duplicates.all).unwrap_or_default(),
            luck: estimates.as_ref().map(|estimates| estimates.luck).unwrap_or_default(),
            misfits: estimates.as_ref().map_or(Vec::new(), |estimates| {
                let mut misfits = estimates.misfits.clone();
                misfits.iter_mut().for_each(|pair| pair.agents = (rows[pair.agents.0], rows[pair.agents.1]));
                misfits
            }),
            faults: kinds.iter().map(|kind| shown(kind.name())).collect(),
            agents: standings
                .rows
                .iter()
                .zip(&agents)
                .map(|(row, agent)| AgentSummary {
                    name: shown(&row.name),
                    games: row.games,
                    wins: row.wins,
                    score: row.mean_score,
                    interval: row.interval,
                    points: row.mean_points,
                    rounds: (row.rounds, row.rounds_won),
                    rounds_unwon: row.rounds_unwon,
                    rating: rating(*agent),
                    course: Course(std::mem::take(&mut self.courses[*agent])),
                    faults: kinds.iter().map(|kind| row.faults.get(*kind)).collect(),
                    dismissals: row.dismissals,
                    is_disqualified: !counts(*agent),
                    times: times(self.times[*agent], std::mem::take(&mut self.answer_ms[*agent])),
                })
                .collect(),
            lengths: self.lengths,
            decisions: None,
            is_partial: false,
        }
    }
}

/// The options of all rule sets, each after the name of its set if there are several.
fn options(settings: &RunSettings) -> Vec<(String, String)> {
    let names = settings.rule_names();
    let of_set = |(set, name): (&RuleSet, &String)| {
        let prefix = if names.len() > 1 { format!("{}: ", Untrusted::new(name).terminal()) } else { String::new() };
        options_of(set).into_iter().map(move |(option, value)| (format!("{prefix}{option}"), value)).collect::<Vec<_>>()
    };
    settings.rules.iter().zip(&names).flat_map(of_set).collect()
}

/// The options that differ from those of the built-in set of that name; all of them if there is none.
fn options_of(rules: &RuleSet) -> Vec<(String, String)> {
    let usual = load_built_in(&rules.name, &[]).map(|loaded| loaded.set.options).unwrap_or_default();
    let shown = |text: &str| Untrusted::new(text).terminal();
    let differing = rules.options.iter().filter(|(name, value)| usual.get(*name) != Some(value));
    differing.map(|(name, value)| (shown(name), shown(&value.to_string()))).collect()
}

fn times(total: SeatTimes, mut answer_ms: Vec<f32>) -> UsedTime {
    answer_ms.sort_by(f32::total_cmp);
    let quantile = |share: f64| answer_ms.get(((answer_ms.len().max(1) - 1) as f64 * share).round() as usize).copied();
    let quantiles = [0.05, 0.5, 0.95].map(|share| quantile(share).unwrap_or_default().into());
    UsedTime {
        answers: total.answers,
        seconds: total.took_us as f64 / 1e6,
        late: total.late,
        void: total.void,
        answer_ms: (!answer_ms.is_empty()).then_some(quantiles),
    }
}

/// `1 second a move`, `1.5 seconds a move` or `400 ms a move`, with bank and increment if there are any.
fn time(time: &TimeControl, clock: ClockMode) -> String {
    let mut text = match time.move_ms {
        1_000 => "1 second a move".to_owned(),
        ms if ms > 1_000 => format!("{} seconds a move", ms as f64 / 1_000.0),
        ms => format!("{ms} ms a move"),
    };
    if time.bank_ms > 0 {
        text += &format!(", bank {} ms", time.bank_ms);
    }
    if time.increment_ms > 0 {
        text += &format!(" + {} ms", time.increment_ms);
    }
    if clock == ClockMode::Live {
        text += &format!(". {}", super::LIVE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_for_a_move_is_said_in_seconds_where_it_is_longer_than_one() {
        for (move_ms, said) in [
            (400, "400 ms a move"),
            (1_000, "1 second a move"),
            (1_500, "1.5 seconds a move"),
            (300_000, "300 seconds a move"),
        ] {
            let control = TimeControl { move_ms, bank_ms: 0, increment_ms: 0, ..TimeControl::default() };
            assert_eq!(time(&control, ClockMode::Lockstep), said);
        }
    }
}
