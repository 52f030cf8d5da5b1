//! `maumau tournament run --dry-run`: what would be played. Starts no agent and changes no file.

use std::path::Path;

use anyhow::Result;
use maumau_report::{PUBLIC_SEED, Sheet, TableLook};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::league::LeagueFile;
use maumau_run::run_store::{RunFile, RunPlan, RunSettings, TimeTotals};
use maumau_run::runner::processors;
use maumau_tournament::{GameBounds, PlannedGame, Tally, fixed};
use serde_json::json;

use super::{Format, RunArguments, again_game, check, duration, wanted};
use crate::cli::{rule_settings, rules_stats};

/// Shows what a run of `league` into the file `run` would play.
///
/// # Errors
/// As the run itself: the league would make other games than those of the run file, or that cannot be read.
pub(super) fn show(arguments: &RunArguments, league: &LeagueFile, run: &Path) -> Result<CommandOutcome> {
    let stored = if run.exists() { Some(RunFile::open(run)?) } else { None };
    let settings = stored.as_ref().map(|stored| &stored.plan.settings);
    let (settings, roster) = wanted::wanted(arguments, league, settings, run)?;
    if let Some(stored) = &stored {
        again_game::find(stored, &arguments.again_game, &settings)?;
    }
    if settings.league.cards_may_be_known() && !arguments.quiet {
        print_stderr!("maumau: {PUBLIC_SEED}");
    }
    let plan = RunPlan::new(settings)?;
    let finished =
        stored.map(|stored| stored.tally().map(|(tally, totals)| (stored.plan, tally, totals))).transpose()?;
    // A game keeps its name, but not its number.
    let is_finished = |game: &PlannedGame| {
        let counted = |(before, tally, _): &(RunPlan, Tally, TimeTotals)| {
            before.pairings.game_called(&game.id().0).is_some_and(|same| tally.is_counted(same.index))
        };
        let is_again = game.is_of_any(&roster.again) || arguments.again_game.iter().any(|name| *name == *game.id().0);
        finished.as_ref().is_some_and(counted) && !is_again
    };
    let pairings = &plan.pairings;
    let (mut games, mut first, mut last) = (0_u64, None, None);
    let mut seats = vec![vec![0_u64; pairings.seats()]; pairings.agents().len()];
    for game in (0..pairings.len()).map(|number| pairings.game(number)) {
        if plan.is_open(&game) && !is_finished(&game) {
            games += 1;
            game.seating().for_each(|(seat, agent)| seats[agent.index()][seat.index()] += 1);
            first.get_or_insert_with(|| game.id());
            last = Some(game.id());
        }
    }

    let expected = Expected::of(&plan, games, finished.as_ref(), league)?;
    let agents = &plan.settings.league.agents;
    let mut sheet = Sheet::default();
    sheet.text_column("agent");
    if games > 0 {
        sheet.number_column("games");
        (0..pairings.seats()).for_each(|seat| _ = sheet.number_column(&format!("seat {seat}")));
    }
    sheet.number_column("files").text_column("command");
    for (agent, seats) in agents.iter().zip(&seats).filter(|(agent, _)| !agent.life.retired) {
        let mut row = vec![agent.name.clone()];
        if games > 0 {
            row.push(seats.iter().sum::<u64>().to_string());
            row.extend(seats.iter().map(ToString::to_string));
        }
        row.push(agent.life.fingerprint.as_ref().map_or(0, |fingerprint| fingerprint.files()).to_string());
        row.push(agent.command.clone());
        sheet.row(row);
    }
    let (groups, rules) = (counted(pairings.groups(), "group"), plan.settings.rule_names().join(", "));
    let text = match arguments.tables.format {
        Format::Json => {
            let agents = agents.iter().zip(&seats).map(|(agent, seats)| {
                json!({"name": agent.name, "retired": agent.life.retired, "command": agent.command, "games_by_seat": seats})
            });
            let report = json!({
                "schema": "maumau-dry-run/1",
                "league": plan.settings.league.name,
                "run": run.display().to_string(),
                "rules": plan.settings.rule_names(),
                "groups": pairings.groups(),
                "games_of_a_group": plan.settings.league.games_per_pairing,
                "games": games,
                "games_least": expected.least,
                "games_most": expected.most,
                "seconds_least": expected.seconds(Some(expected.least)),
                "seconds_most": expected.seconds(expected.most),
                "asks_of_a_game": expected.played.is_none().then_some(expected.asks),
                "round_games": expected.of_round,
                "first": first.map(|id| id.0.to_string()),
                "last": last.map(|id| id.0.to_string()),
                "news": roster.news,
                "agents": agents.collect::<Vec<_>>(),
            });
            untrusted::json(&report)? + "\n"
        }
        Format::Csv => sheet.csv(),
        Format::Html => return Err(usage("--dry-run has no page; write --format table, markdown, csv or json")),
        format => {
            let look = match format {
                Format::Markdown => TableLook::Markdown,
                _ => TableLook::for_stdout(),
            };
            let shown = |text: &str| look.shown(Untrusted::new(text));
            let mut text = format!(
                "{} would be played{}: {} of {} at tables of {}, {groups}, {} of a {}{}; the run file is {}\n",
                expected.games_in_words(),
                if expected.most.is_some() { "" } else { " until [stop] ends the run, or you do" },
                shown(&plan.settings.league.name),
                shown(&rules),
                pairings.seats(),
                counted(plan.settings.league.games_per_pairing, "game"),
                if league.league.has_rounds() { "meeting" } else { "group" },
                if plan.settings.rules.len() > 1 { " by each rule set" } else { "" },
                shown(&run.display().to_string())
            );
            if let (Some(first), Some(last)) = (first, last) {
                text += &format!("from {} to {}\n", first.0, last.0);
            }
            text += &format!("{}\n", expected.time_in_words(&shown(&arguments.league.display().to_string())));
            if let Some(of_round) = expected.of_round {
                text += &format!(
                    "rounds of {}, each decided when the one before has been played\n",
                    counted(of_round, "game")
                );
            } else if league.league.has_rounds() {
                text += "rounds are decided while they are played\n";
            }
            if let Some(minutes) = plan.settings.league.stop.minutes {
                text += &format!("no round begins after {} of play\n", counted(minutes, "minute"));
            }
            roster.news.iter().for_each(|news| text += &format!("{}\n", shown(news)));
            text.push('\n');
            text + &sheet.draw(look)
        }
    };
    print(&text)?;
    Ok(CommandOutcome::Done)
}

/// Milliseconds in which an agent may answer that thinks a little.
const USUAL_MS: u64 = 10;

/// What is left to play, and how long games have taken so far.
struct Expected {
    least: u64,
    /// Without a budget, nothing says when the run ends.
    most: Option<u64>,
    /// Of a sample or a ladder: the games of a round.
    of_round: Option<u64>,
    /// Microseconds of all answers in the games that are played, and how many these are.
    played: Option<(u64, u64)>,
    /// How often agents are asked in a game, as built-in bots play it, where nothing is played yet.
    asks: f64,
    move_ms: u64,
    at_once: f64,
}

/// How often all agents of a table together are asked in a game of these rules, each rule set as often as the others.
fn asks_of_a_game(settings: &RunSettings) -> Result<f64> {
    let sets = settings.rules.iter().zip(&settings.league.rounds);
    let asks = sets.map(|(set, rounds)| {
        let rules = rule_settings::table(set.clone(), settings.league.seats, Some(1))?;
        Ok(rules_stats::asks_of_a_round(&rules)? * f64::from(*rounds))
    });
    Ok(asks.sum::<Result<f64>>()? / settings.rules.len().max(1) as f64)
}

impl Expected {
    /// Of `plan`, of which `open` games are known already; `finished` is what has been played.
    fn of(
        plan: &RunPlan,
        open: u64,
        finished: Option<&(RunPlan, Tally, TimeTotals)>,
        league: &LeagueFile,
    ) -> Result<Expected> {
        let settings = &plan.settings.league;
        let games = finished.map_or(0, |(before, tally, _)| before.standings(tally).games);
        let took_us = finished.map_or(0, |(.., totals)| totals.agents().iter().map(|times| times.took_us).sum());
        let schedule = settings.for_schedule();
        let (least, most) = match settings.has_rounds() {
            false => (open, Some(open)),
            true => {
                let GameBounds { least, most } = schedule.game_bounds();
                let left = |all: u64| all.saturating_sub(games).max(open);
                (left(least), most.map(left))
            }
        };
        let is_new = games == 0;
        Ok(Expected {
            least,
            most,
            of_round: schedule.has_open_pool().then(|| schedule.round_games(settings.playing().len())),
            played: (!is_new).then_some((took_us, games)),
            asks: if is_new { asks_of_a_game(&plan.settings)? } else { 0.0 },
            move_ms: settings.time.move_ms,
            at_once: league.concurrency.unwrap_or_else(|| processors().len()) as f64,
        })
    }

    fn games_in_words(&self) -> String {
        match (self.least, self.most) {
            (least, Some(most)) if least == most => counted(most, "game"),
            (0, Some(most)) => format!("up to {}", counted(most, "game")),
            (least, Some(most)) => format!("{least} to {}", counted(most, "game")),
            (0, None) => "games".to_owned(),
            (least, None) => format!("{} or more", counted(least, "game")),
        }
    }

    fn seconds(&self, games: Option<u64>) -> Option<f64> {
        Some(check::seconds_for(games?, self.played?, self.at_once))
    }

    /// Before a game has been played.
    fn time_of_asks(&self, league: &str) -> String {
        let each = |ms: u64| self.asks * ms as f64 / 1e3 / self.at_once;
        let time = match self.most {
            Some(most) => {
                let of_all = |ms: u64| duration(each(ms) * most as f64);
                let up_to = if self.least < most { "up to " } else { "" };
                format!(
                    "{up_to}{} if each is answered within {USUAL_MS} ms, {} if each takes its whole {} ms",
                    of_all(USUAL_MS),
                    of_all(self.move_ms),
                    self.move_ms
                )
            }
            None => {
                format!("{} games/s if each is answered within {USUAL_MS} ms", fixed(1.0 / each(USUAL_MS).max(1e-9), 1))
            }
        };
        format!(
            "about {} asks a game, {} at once here: {time}; `maumau tournament check {league}` measures it",
            fixed(self.asks, 0),
            self.at_once
        )
    }

    fn time_in_words(&self, league: &str) -> String {
        let Some((took_us, played)) = self.played else { return self.time_of_asks(league) };
        let basis = format!("{} at once, as the {} so far took", self.at_once, counted(played, "game"));
        let seconds = |games: u64| duration(self.seconds(Some(games)).unwrap_or_default());
        match (self.least, self.most) {
            (_, None) => {
                let each = took_us as f64 / played as f64 / 1e6 / self.at_once;
                format!("about {} games/s here, {basis}", fixed(1.0 / each.max(1e-6), 1))
            }
            (_, Some(0)) => "nothing is left to play".to_owned(),
            (0, Some(most)) => format!("up to about {} here, {basis}", seconds(most)),
            (least, Some(most)) if least == most => format!("about {} here, {basis}", seconds(most)),
            (least, Some(most)) => format!("about {} to {} here, {basis}", seconds(least), seconds(most)),
        }
    }
}
