//! `maumau tournament check`: plays one deal with every agent of a league, and estimates what all its games will take.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_report::{PUBLIC_SEED, Sheet, TableLook};
use maumau_run::agent::Sandbox;
use maumau_run::error::CommandOutcome;
use maumau_run::io::entropy;
use maumau_run::io::format::{self, counted};
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::league::{self, LeagueFile, PlayOptions};
use maumau_run::run_store::{AgentSettings, RunFile, RunWriter, SeatTimes};
use maumau_run::runner::processors;
use maumau_tournament::power::{Power, budget, in_steps, power};
use maumau_tournament::statistics::ratings::{POINTS, RatedGames, RatingOptions, rate};
use maumau_tournament::{Format, League, StopRules, fixed};
use serde_json::{Value, json};

use super::made_for::ensure_made_for;
use super::status::duration;
use super::wanted::read_league;
use crate::cli::sandbox::{SandboxArguments, print_shell_words};

/// Bytes of a game in a run file besides its log, about.
const BESIDE_LOG: u64 = 200;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament check my-league.toml
  maumau tournament check my-league.toml --format json
  maumau tournament check my-league.toml --effect 20

Plays one deal with every agent, in all rotations, of cards that the league will not deal. Then it says how long all games of the \
league will take on this machine and how large their run file will be: an estimate from a few games. No run file is made. The exit \
code is 1 if an agent did not play to the end of its games.")]
pub(super) struct TournamentCheckArguments {
    /// The league file
    league: PathBuf,
    /// Simulate stop rules with agents that lie so many rating points apart, one after the other, instead of with the
    /// differences that the games show
    #[arg(long, value_name = "POINTS")]
    effect: Option<f64>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = format::OutputFormat::Text)]
    format: format::OutputFormat,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// What was seen of one agent.
#[derive(Default)]
struct Seen {
    games: u64,
    times: SeatTimes,
    faults: BTreeMap<String, u64>,
    /// Why it was dismissed, the first time.
    dismissed: Option<String>,
}

/// What was seen of all games.
#[derive(Default)]
struct Sums {
    games: u64,
    took_us: u64,
    bytes: u64,
}

/// The results of all games, by the places of the agents that play.
struct Results {
    games: RatedGames,
    tables: u64,
}

impl Results {
    /// Adds those of a table, by the places of its agents.
    fn add(&mut self, run: &RunFile, table: &[usize]) -> Result<()> {
        // Deals of different tables are different.
        self.tables += 1;
        let first = self.tables << 32;
        run.for_each_result(|plan, finished| {
            let agents = plan.game(finished.index).agents;
            let seats = agents.iter().map(|agent| table[agent.index()]).zip(finished.result.places.iter().copied());
            self.games.add(first + plan.deal_of(finished.index).0, seats);
        })
    }
}

pub(super) fn run(
    TournamentCheckArguments { league: path, effect, sandbox, format }: TournamentCheckArguments,
) -> Result<CommandOutcome> {
    let private = vec![path.clone(), path.with_extension("maumau")];
    let league = read_league(&path, &sandbox, &private)?;
    if league.league.cards_may_be_known() && format == format::OutputFormat::Text {
        print_stderr!("maumau: {PUBLIC_SEED}");
    }
    let settings = league.league.sandbox;
    let sandbox = sandbox.ready(settings, private, format == format::OutputFormat::Json)?;
    let playing: Vec<&AgentSettings> = league.league.agents.iter().filter(|agent| !agent.life.retired).collect();
    print_shell_words(&playing.iter().filter_map(|agent| agent.parsed_command().ok()).collect::<Vec<_>>());
    let specs = playing.iter().map(|agent| agent.spec(&sandbox)).collect::<Result<Vec<_>>>()?;
    ensure_made_for(&league, &specs, false)?;
    let folder = tempfile::Builder::new().prefix("maumau-check-").tempdir().context("a folder for the games")?;
    let (mut seen, mut sums) = (BTreeMap::new(), Sums::default());
    let mut results = Results { games: RatedGames::new(playing.len()), tables: 0 };
    let tables = tables(playing.len(), league.league.seats);
    let progress = ProgressLine::new("trying tables", tables.len() as u64);
    for (number, table) in tables.into_iter().enumerate() {
        let agents = table.iter().map(|place| playing[*place].clone()).collect();
        let run = folder.path().join(format!("table-{number}.maumau"));
        if play_a_deal(&league, agents, &sandbox, &run, &mut seen, &mut sums)? {
            progress.end();
            return Ok(CommandOutcome::Interrupted);
        }
        results.add(&RunFile::open(&run)?, &table)?;
        let dismissed = seen.values().filter(|seen| seen.dismissed.is_some()).count();
        progress.is_at(number as u64 + 1, dismissed as u64);
    }
    progress.end();

    let mut whole = league.settings(entropy::fresh_seed()?).league;
    whole.agents.retain(|agent| !agent.life.retired);
    let schedule = whole.for_schedule();
    let games = schedule.most_games().unwrap_or(0).max(whole.pairings()?.len());
    let forecast = forecast(&schedule, &results.games, effect);
    let at_once = league.concurrency.unwrap_or_else(|| processors().len()) as f64;
    let seconds = seconds_for(games, (sums.took_us, sums.games), at_once);
    let bytes = sums.bytes as f64 / sums.games.max(1) as f64 * games as f64;
    let all_played = seen.values().all(|seen: &Seen| seen.dismissed.is_none());
    let rows = playing.iter().filter_map(|agent| Some((agent.name.as_str(), seen.get(&agent.name)?)));
    print(&match format {
        format::OutputFormat::Json => {
            let agents = rows.map(|(name, seen)| {
                json!({
                    "name": name, "games": seen.games, "answers": seen.times.answers, "took_us": seen.times.took_us,
                    "faults": seen.faults, "dismissed": seen.dismissed,
                })
            });
            let report = json!({
                "schema": "maumau-league-check/1",
                "league": league.league.name,
                "agents": agents.collect::<Vec<_>>(),
                "played": sums.games,
                "games": games,
                "games_at_once": at_once,
                "seconds": seconds,
                "bytes": bytes,
                "stop_rules": forecast.as_ref().map(Forecast::json),
            });
            untrusted::json(&report)? + "\n"
        }
        format::OutputFormat::Text => {
            let mut sheet = Sheet::default();
            sheet.text_column("agent").number_column("games").number_column("ms/answer").text_column("what went wrong");
            sheet.wrap_last();
            for (name, Seen { games, times, faults, dismissed }) in rows {
                let faults =
                    faults.iter().map(|(fault, count)| format!("{count} {fault}")).collect::<Vec<_>>().join(" ");
                let per_answer = times.took_us as f64 / 1e3 / times.answers.max(1) as f64;
                let wrong = dismissed.clone().unwrap_or(faults);
                sheet.row(vec![name.to_owned(), games.to_string(), fixed(per_answer, 3), wrong]);
            }
            let all = format!(
                "{}: {} played of other cards\nall {} of the league take about {} here, {} at once, and about {} in the run \
                 file\n",
                Untrusted::new(&league.league.name).terminal(),
                counted(sums.games, "game"),
                counted(games, "game"),
                duration(seconds),
                at_once,
                size(bytes)
            );
            let forecast = forecast.as_ref().map(Forecast::text).unwrap_or_default();
            format!("{}\n{all}{forecast}", sheet.draw(TableLook::for_stdout()))
        }
    })?;
    Ok(if all_played { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// How long `games` will take, of which so many are played at once, if they are like some that took so many microseconds of answers.
pub(super) fn seconds_for(games: u64, (took_us, played): (u64, u64), at_once: f64) -> f64 {
    took_us as f64 / played.max(1) as f64 / 1e6 * games as f64 / at_once
}

/// Every agent at a table: as many tables as it takes, of whom comes next in the list; the last one is filled with those before.
fn tables(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    let first = |table: usize| (table * seats).min(agents - seats);
    (0..agents.div_ceil(seats)).map(|table| (first(table)..first(table) + seats).collect()).collect()
}

/// Plays one deal of the league with `agents` into the run file `run`, and adds what was seen. Returns whether it was interrupted.
fn play_a_deal(
    league: &LeagueFile,
    agents: Vec<AgentSettings>,
    sandbox: &Arc<Sandbox>,
    run: &Path,
    seen: &mut BTreeMap<String, Seen>,
    sums: &mut Sums,
) -> Result<bool> {
    // The seeds of the league's own deals are not shown to agents before they play them.
    let mut settings = league.settings(entropy::fresh_seed()?);
    settings.league.games_per_pairing = settings.league.seats as u64;
    settings.league.format = Format::RoundRobin;
    settings.league.stop = StopRules::default();
    settings.league.agents = agents;
    let play_options = PlayOptions {
        cpus: processors(),
        concurrency: league.concurrency,
        quiet: true,
        fault_reports: run.with_extension("fault-reports"),
        announce: false,
        gives_up: false,
        tap: None,
        lender: None,
    };
    let (writer, plan) = RunWriter::open(run, |_| Ok(settings))?;
    if league::play(writer, &Arc::new(plan), &play_options, sandbox, &|_, _| anyhow::bail!("this run is a check"))?
        .end
        .is_none()
    {
        return Ok(true);
    }
    let file = RunFile::open(run)?;
    file.for_each_game(|game| {
        sums.games += 1;
        sums.bytes += game.log.len() as u64 + BESIDE_LOG;
        for (seat, agent) in game.planned.seating() {
            let one = seen.entry(file.plan.pairings.name(agent).to_owned()).or_default();
            let times = game.times[seat.index()];
            one.games += 1;
            one.times.answers += times.answers;
            one.times.took_us += times.took_us;
            sums.took_us += times.took_us;
            for (fault, count) in game.faults[seat.index()].iter() {
                *one.faults.entry(fault.name().to_owned()).or_default() += count;
            }
            if let Some(dismissal) = game.dismissal(seat)? {
                let why = || format!("{}: {}", dismissal.fault.name(), dismissal.message);
                one.dismissed.get_or_insert_with(why);
            }
        }
        Ok(())
    })?;
    Ok(false)
}

/// A size for people.
fn size(bytes: f64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let steps = (0..UNITS.len() - 1).take_while(|step| bytes >= 1024_f64.powi(*step as i32 + 1)).count();
    format!("{} {}", fixed(bytes / 1024_f64.powi(steps as i32), usize::from(steps > 0)), UNITS[steps])
}

/// Leagues that are simulated for each answer.
const LEAGUES: u64 = 10;
/// Games at which they are given up.
const MOST_GAMES: u64 = 20_000;

/// What simulated leagues came to.
struct Forecast {
    /// Which differences were assumed, in words.
    assumed: String,
    /// The games that the league has at most, if a number is known.
    budget: Option<u64>,
    /// The games that were simulated at most.
    most: u64,
    power: Power,
}

/// Forecasts for `league`: with the differences of `games`, which its agents have played, or `effect` rating points between
/// neighbours. `None` if its stop rules ask for nothing.
fn forecast(league: &League, games: &RatedGames, effect: Option<f64>) -> Option<Forecast> {
    if !league.stop.wants_evidence() {
        return None;
    }
    let (assumed, strengths) = match effect {
        Some(points) => (format!("neighbours {} points apart", fixed(points, 0)), in_steps(league, points / POINTS)),
        None => {
            let ratings = rate(games, &RatingOptions::default());
            ("the differences of these few games".to_owned(), ratings.agents.iter().map(|agent| agent.logit).collect())
        }
    };
    let budget = budget(league);
    let most = budget.unwrap_or(MOST_GAMES).min(MOST_GAMES);
    Some(Forecast { assumed, budget, most, power: power(league, &strengths, most, LEAGUES, 1) })
}

impl Forecast {
    /// True if most leagues do not show what is asked for within the budget.
    fn is_doubtful(&self) -> bool {
        2 * self.power.shown < self.power.leagues && self.budget.is_some_and(|budget| budget <= self.most)
    }

    /// In sentences.
    fn text(&self) -> String {
        let Power { leagues, shown, games } = self.power;
        let within = counted(self.most, "game");
        let mut text = format!(
            "with {}, {shown} of {leagues} simulated leagues show what [stop] asks for within {within}; they end after about {}\n",
            self.assumed,
            counted(games.round() as u64, "game")
        );
        if self.is_doubtful() {
            text += "the league will probably end undecided: have more games, or ask for less\n";
        }
        text
    }

    fn json(&self) -> Value {
        let Power { leagues, shown, games } = self.power;
        json!({
            "assumed": self.assumed, "games_at_most": self.most, "leagues": leagues, "shown": shown, "mean_games": games,
            "doubtful": self.is_doubtful(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_sits_at_a_table() {
        for (agents, seats) in [(2, 2), (5, 2), (7, 4), (16, 16), (1_024, 3)] {
            let tables = tables(agents, seats);
            assert!(tables.iter().all(|table| table.len() == seats));
            let mut there: Vec<usize> = tables.into_iter().flatten().collect();
            there.sort_unstable();
            there.dedup();
            assert_eq!(there.len(), agents);
        }
    }

    #[test]
    fn a_size_has_a_unit() {
        for (bytes, text) in [(0.0, "0 bytes"), (1_000.0, "1000 bytes"), (1_536.0, "1.5 KiB"), (5e12, "4656.6 GiB")] {
            assert_eq!(size(bytes), text);
        }
    }
}
