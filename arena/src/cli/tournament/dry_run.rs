//! `maumau tournament run --dry-run`: what would be played. Starts no agent and changes no file.

use std::path::Path;

use anyhow::Result;
use maumau_tournament::PlannedGame;
use serde_json::json;

use super::{Format, RunArguments, again_game, wanted};
use crate::error::{Outcome, usage};
use crate::io::stdout::print;
use crate::io::untrusted::{self, Untrusted};
use crate::league::LeagueFile;
use crate::report::{Look, Sheet, counted};
use crate::run_store::{RunFile, RunPlan};

/// Tells what a run of `league` into the file `run` would play.
///
/// # Errors
/// As the run itself: the league would make other games than those of the run file, or that cannot be read.
pub(super) fn tell(arguments: &RunArguments, league: &LeagueFile, run: &Path) -> Result<Outcome> {
    let stored = if run.exists() { Some(RunFile::open(run)?) } else { None };
    let settings = stored.as_ref().map(|stored| &stored.plan.settings);
    let (settings, roster) = wanted::wanted(arguments, league, settings, run)?;
    if let Some(stored) = &stored {
        again_game::find(stored, &arguments.again_game, &settings)?;
    }
    let plan = RunPlan::new(settings)?;
    let finished = stored.map(|stored| stored.tally().map(|(tally, _)| (stored.plan, tally))).transpose()?;
    // A game keeps its name, but not its number.
    let is_finished = |game: &PlannedGame| {
        let counted = |(before, tally): &(RunPlan, maumau_tournament::Tally)| {
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

    let agents = &plan.settings.league.agents;
    let mut sheet = Sheet::default();
    sheet.text_column("agent").number_column("games");
    (0..pairings.seats()).for_each(|seat| _ = sheet.number_column(&format!("seat {seat}")));
    sheet.number_column("files").text_column("command");
    for (agent, seats) in agents.iter().zip(&seats).filter(|(agent, _)| !agent.life.retired) {
        let mut row = vec![agent.name.clone(), seats.iter().sum::<u64>().to_string()];
        row.extend(seats.iter().map(ToString::to_string));
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
                Format::Markdown => Look::Markdown,
                _ => Look::for_stdout(),
            };
            let shown = |text: &str| look.shown(Untrusted::new(text));
            let mut text = format!(
                "{} would be played: {} of {} at tables of {}, {groups}, {} of a group{}; the run file is {}\n",
                counted(games, "game"),
                shown(&plan.settings.league.name),
                shown(&rules),
                pairings.seats(),
                counted(plan.settings.league.games_per_pairing, "game"),
                if plan.settings.rules.len() > 1 { " by each rule set" } else { "" },
                shown(&run.display().to_string())
            );
            if let (Some(first), Some(last)) = (first, last) {
                text += &format!("from {} to {}\n", first.0, last.0);
            }
            if league.league.has_rounds() {
                text += "more games follow from rounds, which are decided while they are played\n";
            }
            roster.news.iter().for_each(|news| text += &format!("{}\n", shown(news)));
            text.push('\n');
            text + &sheet.draw(look)
        }
    };
    print(&text)?;
    Ok(Outcome::Done)
}
