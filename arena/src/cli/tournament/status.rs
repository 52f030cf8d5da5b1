//! `maumau tournament status` and `stop`: how far a run is, from its file alone, and its end from another terminal.

mod stop_rules;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use maumau_report::RATED_GAMES;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::{OutputFormat, counted};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{Holder, LeagueSettings, RunFile, StopRequest};
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, rate};
use maumau_tournament::{Standings, Tally, fixed};
use serde_json::{Map, Value, json};
use stop_rules::Needs;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament status my-league.maumau
  maumau tournament status my-league.maumau --format json

Reads the run file alone, which another process may be writing. Pairs are separated as the ranks of the ratings are: by Holm's \
procedure, at 5 % over all pairs. In a league of several rule sets there is a line for each. Below stand the stop rules, each with what \
it still needs.")]
pub(super) struct StatusArguments {
    /// The run file
    run: PathBuf,
    /// Count the pairs in doubt for however many games; up to 100,000 are read in any case
    #[arg(long)]
    ratings: bool,
    /// How to show it
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau tournament stop my-league.maumau

The process that plays the run begins no more games, finishes those in play and ends. The command returns when it has ended. What \
is missing is played by the same `maumau tournament run` as before. The exit code is 1 if no process plays the run.")]
pub(super) struct Stop {
    /// The run file
    run: PathBuf,
}

/// How often a process that has been asked to stop is looked for.
const EVERY: Duration = Duration::from_millis(100);

pub(super) fn status(StatusArguments { run, ratings, format }: StatusArguments) -> Result<CommandOutcome> {
    let file = RunFile::open(&run)?;
    let (tally, _) = file.tally()?;
    let standings = file.plan.standings(&tally);
    let league = &file.plan.settings.league;
    let missing = standings.planned - standings.games;
    let player = match Holder::of(&run)? {
        Holder::Nobody => None,
        Holder::Unknown => Some("another process".to_owned()),
        Holder::Named(holder) => Some(holder),
    };
    let speed = file.session()?.and_then(|session| session.games_per_second(standings.games));
    let left_s = speed.filter(|_| missing > 0).map(|speed| missing as f64 / speed);
    let is_read = ratings || standings.games <= RATED_GAMES;
    let needs = if league.has_rounds() && is_read { Needs::of(&file, &standings)? } else { Needs::default() };

    let results = if is_read { Some(file.results()?) } else { None };
    let doubt = DoubtReport::of(&standings, results.as_ref(), league);
    let by_rules = DoubtReport::by_rules(&file, &tally, is_read)?;

    if format == OutputFormat::Json {
        let report = json!({
            "schema": "maumau-status/1",
            "league": league.name,
            "games": standings.games,
            "planned": standings.planned,
            "playing": player,
            "games_per_second": speed,
            "seconds_left": left_s,
            "rounds_unwon": standings.rounds_unwon,
            "widest_interval": doubt.widest_json(),
            "pairs": doubt.pairs,
            "undecided_pairs": doubt.undecided,
            "by_rules": by_rules.iter().map(|(rules, doubt)| (rules.clone(), doubt.json())).collect::<Map<_, _>>(),
            "stop_rules": needs.json(speed),
            "over": needs.over,
        });
        print(&(untrusted::json(&report)? + "\n"))?;
        return Ok(CommandOutcome::Done);
    }
    let shown = |text: &str| Untrusted::new(text).terminal();
    let state = match (missing, needs.over) {
        (0, Some(false)) => "more rounds follow".to_owned(),
        (0, _) => "complete".to_owned(),
        (missing, _) => format!("{missing} missing"),
    };
    let mut text = format!(
        "{}: {} of {} ({state}) in {}\n",
        shown(&league.name),
        standings.games,
        counted(standings.planned, "game"),
        run.display()
    );
    text += &match &player {
        Some(holder) => format!("played by {}", shown(holder)),
        None => "played by no process now".to_owned(),
    };
    let verb = if player.is_some() { "" } else { " when it was played last" };
    text += &speed.map(|speed| format!(", {} games/s{verb}", fixed(speed, 1))).unwrap_or_default();
    let of_what = if needs.over == Some(false) { " for the games planned so far" } else { "" };
    text += &left_s.map(|left| format!(", about {} left{of_what}", duration(left))).unwrap_or_default();
    text.push('\n');
    if standings.rounds_unwon > 0 {
        text += &format!("won by nobody: {}\n", counted(standings.rounds_unwon, "round"));
    }
    text += &match &doubt.widest {
        Some((width, agent)) => format!("widest interval of a score: {} ({})\n", fixed(*width, 3), shown(agent)),
        None => "no interval of a score yet: it takes two deals\n".to_owned(),
    };
    text += &match doubt.undecided {
        Some(undecided) => format!("undecided: {undecided} of {}\n", counted(doubt.pairs, "pair")),
        None => "--ratings also counts the undecided pairs, for which all games are read\n".to_owned(),
    };
    by_rules.iter().for_each(|(rules, doubt)| text += &doubt.line(&shown(rules)));
    needs.lines(speed).iter().for_each(|line| text += &format!("{line}\n"));
    print(&text)?;
    Ok(CommandOutcome::Done)
}

/// A time for people, such as `2 h 5 min`.
pub(in crate::cli) fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{} {hours} h", counted(days, "day")),
    }
}

pub(super) fn stop(Stop { run }: Stop) -> Result<CommandOutcome> {
    if !run.is_file() {
        return Err(usage(format!("there is no run file {}", run.display())));
    }
    let Some(request) = StopRequest::make(&run)? else {
        print_stderr!("maumau: no process plays {} now", run.display());
        return Ok(CommandOutcome::NotRight);
    };
    print_stderr!("waiting for {} to finish the games in play", Untrusted::new(request.holder()).terminal());
    while request.is_pending(&run)? {
        std::thread::sleep(EVERY);
    }
    // It may have ended before it looked.
    request.withdraw()?;
    let file = RunFile::open(&run)?;
    let standings = file.plan.standings(&file.tally()?.0);
    print(&format!("stopped: {} of {} in {}\n", standings.games, counted(standings.planned, "game"), run.display()))?;
    Ok(CommandOutcome::Done)
}

/// What is still in doubt, in a run or in its games by one rule set.
struct DoubtReport {
    games: u64,
    planned: u64,
    /// The width of the widest interval of a score, and whose it is.
    widest: Option<(f64, String)>,
    /// Pairs of agents that play.
    pairs: u64,
    /// Those that are not separated; `None` if the games were not read.
    undecided: Option<u64>,
}

impl DoubtReport {
    /// That of the games in `standings`, which are `results` if they were read.
    fn of(standings: &Standings, results: Option<&RatedGames>, league: &LeagueSettings) -> DoubtReport {
        let plays = |name: &str| league.agents.iter().any(|agent| agent.name == name && !agent.life.retired);
        let rows = standings.rows.iter().filter(|row| plays(&row.name));
        let widths = rows.filter_map(|row| row.interval.map(|interval| (interval.high - interval.low, &row.name)));
        let widest = widths.max_by(|one, other| one.0.total_cmp(&other.0).then_with(|| other.1.cmp(one.1)));
        let playing = league.agents.iter().filter(|agent| !agent.life.retired).count();
        let pairs = playing * playing.saturating_sub(1) / 2;
        let undecided = match (standings.games, results) {
            (0, _) => Some(pairs),
            (_, Some(results)) => {
                let ratings = rate(results, &RatingOptions::default());
                Some(pairs - ratings.decided(|agent| !league.agents[agent].life.retired))
            }
            (_, None) => None,
        };
        DoubtReport {
            games: standings.games,
            planned: standings.planned,
            widest: widest.map(|(width, agent)| (width, agent.to_string())),
            pairs: pairs as u64,
            undecided: undecided.map(|undecided| undecided as u64),
        }
    }

    /// Those of a run by rule set, in the order of the league; none if it has one rule set. Games are read for pairs if `is_read`.
    fn by_rules(file: &RunFile, tally: &Tally, is_read: bool) -> Result<Vec<(String, DoubtReport)>> {
        let settings = &file.plan.settings;
        if settings.rules.len() == 1 {
            return Ok(Vec::new());
        }
        let results = if is_read { file.results_by_rules()? } else { Vec::new() };
        let names = settings.rule_names().into_iter().enumerate();
        let doubt =
            |set: usize| DoubtReport::of(&file.plan.standings_by(tally, set), results.get(set), &settings.league);
        Ok(names.map(|(set, name)| (name, doubt(set))).collect())
    }

    fn widest_json(&self) -> Option<Value> {
        self.widest.as_ref().map(|(width, agent)| json!({"agent": agent, "width": width}))
    }

    fn json(&self) -> Value {
        json!({
            "games": self.games,
            "planned": self.planned,
            "widest_interval": self.widest_json(),
            "undecided_pairs": self.undecided,
        })
    }

    /// A line for the games by one of several rule sets.
    fn line(&self, rules: &str) -> String {
        let mut line = format!("{rules}: {} of {}", self.games, counted(self.planned, "game"));
        if let Some((width, agent)) = &self.widest {
            line += &format!(", widest interval {} ({})", fixed(*width, 3), Untrusted::new(agent).terminal());
        }
        if let Some(undecided) = self.undecided {
            line += &format!(", undecided: {undecided} of {}", counted(self.pairs, "pair"));
        }
        line + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_two_units_at_most() {
        for (seconds, text) in [
            (0.2, "1 s"),
            (59.0, "59 s"),
            (61.0, "1 min 1 s"),
            (7_500.0, "2 h 5 min"),
            (90_000.0, "1 day 1 h"),
            (200_000.0, "2 days 7 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
