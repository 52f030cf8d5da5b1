//! Trials: a version plays against others because its team asks for it. Each has a run file of its own with deals of its own, so nothing
//! of it is rated, and nothing of the season is learned from it. A game of the season that the organiser wants played again is one, too:
//! it has the same deal, and only once no other game is to be played of that. One is played at a time, on one processor beside the season's.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::http::StatusCode;
use maumau_club::{ClubThing, ClubViewer, MAX_TRIAL_GAMES, TrialState, WaitingVersion, in_turn, may};
use maumau_run::error::{UsageError, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::untrusted::Untrusted;
use serde::Deserialize;

use super::answers::TrialAnswer;
use super::folder::ClubFolder;
use super::games::FinishedGame;
use super::open_club::Club;
use super::requests::{Refused, only};
use super::season;
use super::store::{ClubStore, PastGame, StoredTrial};

/// How often there may be something new.
const EVERY: Duration = Duration::from_millis(200);
/// The longest trial.
const PLAYED_WITHIN: Duration = Duration::from_secs(1_800);
/// What is said of a run file that another process plays, how long that one is waited for, and how often.
const IN_USE: &str = "is in use by";
const HELD_FOR: Duration = Duration::from_secs(1);
const MAX_HELD: u32 = 60;
/// Characters of a reason.
const MAX_REASON: usize = 400;

/// What a team asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedTrial {
    /// The number of its own version.
    pub(super) version: i64,
    /// The others, by their names in the season.
    pub(super) against: Vec<String>,
    /// How many games.
    pub(super) games: u32,
}

/// What an organiser asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedRerun {
    /// The name of the game.
    pub(crate) game: String,
    /// Its chapter; by default the one in play.
    pub(crate) chapter: Option<u32>,
}

/// Keeps that a game is to be played again, and returns the number of the trial.
///
/// # Errors
/// There is no such game, or its deal is not done; or the club fails.
pub(crate) fn ask_rerun(folder: &ClubFolder, wanted: &WantedRerun) -> Result<i64> {
    let (game, agents) = find(folder, wanted)?;
    Ok(ClubStore::open(&folder.database())?.ask_rerun("", &game, &agents)?.id)
}

/// The game that is to be played again, and its agents.
///
/// # Errors
/// There is no such game, or its deal is not done; or its run file cannot be read.
fn find(folder: &ClubFolder, wanted: &WantedRerun) -> Result<(PastGame, Vec<String>)> {
    let chapter = wanted.chapter.unwrap_or_else(|| folder.chapter());
    let (name, run) = (Untrusted::new(&wanted.game).terminal(), folder.run_of(chapter));
    let game = if season::has_begun(&run)? { FinishedGame::find(&run, &wanted.game)? } else { None };
    let game = game.ok_or_else(|| usage(format!("chapter {chapter} has no finished game {name}")))?;
    anyhow::ensure!(
        game.is_open,
        usage(format!("other games of the deal of {name} are still to be played; ask again after them"))
    );
    Ok((PastGame { chapter, name: wanted.game.clone() }, game.agents()))
}

impl Club {
    /// Keeps that an organiser wants a game played again.
    pub(super) fn ask_rerun(&self, viewer: &ClubViewer, wanted: &WantedRerun) -> Result<TrialAnswer, Refused> {
        only(viewer, &ClubThing::House)?;
        // A long season takes a while to read, and holds up nobody.
        let (game, agents) = find(&self.folder, wanted).map_err(|error| match error.is::<UsageError>() {
            true => Refused::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}")),
            false => Refused::from(error),
        })?;
        let trial = self.store().ask_rerun(viewer.member(), &game, &agents)?;
        self.announce()?;
        Ok(TrialAnswer::of(&trial, Vec::new()))
    }

    /// The record of the game that the trial with this number has played again, if `viewer` may see it.
    pub(super) fn rerun_record(&self, id: i64, viewer: &ClubViewer) -> Result<PathBuf, Refused> {
        let trial = self.stored_trial(id, viewer)?;
        let gone = || Refused::new(StatusCode::NOT_FOUND, "no game was played again there");
        let game = trial.rerun.as_ref().filter(|_| trial.state == TrialState::Done).ok_or_else(gone)?;
        let record = self.reruns(&trial).join(format!("{}.jsonl", game.name));
        // A copy of a club has no trials.
        if record.exists() { Ok(record) } else { Err(gone()) }
    }

    /// Keeps what a team asks for.
    pub(super) fn ask_trial(&self, viewer: &ClubViewer, wanted: &WantedTrial) -> Result<TrialAnswer, Refused> {
        let wrong = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
        let version = self.version(wanted.version, viewer)?;
        if !may(viewer, &ClubThing::AskTrial { team: &version.team }) {
            return Err(Refused::stranger(viewer));
        }
        if !(1..=MAX_TRIAL_GAMES).contains(&wanted.games) {
            return Err(wrong(format!("games: expected 1 to {MAX_TRIAL_GAMES}")));
        }
        let agents: Vec<String> = [version.agent()].into_iter().chain(wanted.against.iter().cloned()).collect();
        let season = self.season_text()?;
        trial_league(&season, &agents, wanted.games).map_err(|error| wrong(format!("{error:#}")))?;
        let asked = self.store().ask_trial(&version.team, &agents, wanted.games)?;
        let trial = asked.ok_or_else(|| Refused {
            retry_s: Some(10),
            ..Refused::new(
                StatusCode::TOO_MANY_REQUESTS,
                "a trial of your team is on its way; a team has one at a time",
            )
        })?;
        Ok(TrialAnswer::of(&trial, Vec::new()))
    }

    fn stored_trial(&self, id: i64, viewer: &ClubViewer) -> Result<StoredTrial, Refused> {
        let found = self.store().trials()?.into_iter().find(|trial| trial.id == id);
        let seen = found.filter(|trial| may(viewer, &ClubThing::Trial { team: &trial.team }));
        seen.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such trial, or it is not your team's"))
    }

    /// The trial with this number, if `viewer` may see it.
    pub(super) fn trial(&self, id: i64, viewer: &ClubViewer) -> Result<TrialAnswer, Refused> {
        let trial = self.stored_trial(id, viewer)?;
        let ladder = season::ladder(&self.run_of(&trial))?;
        Ok(TrialAnswer::of(&trial, ladder))
    }

    fn season_text(&self) -> Result<String> {
        std::fs::read_to_string(self.folder.league()).context("the league file of the season")
    }

    fn run_of(&self, trial: &StoredTrial) -> PathBuf {
        self.folder.part("trials").join(format!("{}.maumau", trial.id))
    }

    /// Where the record of a game is that was played again.
    fn reruns(&self, trial: &StoredTrial) -> PathBuf {
        self.folder.part("trials").join(trial.id.to_string())
    }
}

/// The league file of a trial: the season's rules, times and sandbox, and of its agents these.
fn trial_league(season: &str, agents: &[String], games: u32) -> Result<String> {
    let mut league = season::league_with(season, agents)?;
    let seats = league.get("seats").and_then(toml::Value::as_integer).context("the season's seats")?;
    anyhow::ensure!(
        agents.len() as i64 == seats,
        "against: tables of the season have {seats} seats, so expected {} others, found {}",
        seats - 1,
        agents.len() - 1
    );
    for (at, name) in agents.iter().enumerate() {
        anyhow::ensure!(!agents[..at].contains(name), "against: {name} is there twice");
    }
    let games = i64::from(games).unsigned_abs().next_multiple_of(seats.unsigned_abs());
    league.insert("name".to_owned(), "trial".into());
    league.insert("games_per_pairing".to_owned(), i64::try_from(games)?.into());
    toml::to_string(&league).context("the league file of a trial")
}

/// Plays trials, one after the other, until `stop` is set; teams take turns.
pub(super) fn play_all(club: &Club, stop: &AtomicBool) -> Result<()> {
    let mut held = 0;
    while !stop.load(Ordering::Relaxed) {
        let trials = club.store().trials()?;
        // What was played when the club was stopped goes on first.
        let begun = trials.iter().find(|trial| trial.state == TrialState::Playing);
        let waiting = trials.iter().filter(|trial| trial.state == TrialState::Waiting);
        let waiting: Vec<_> = waiting.map(|trial| WaitingVersion { id: trial.id, team: trial.team.clone() }).collect();
        let first = in_turn(&waiting).first().copied();
        let Some(trial) = begun.or_else(|| trials.iter().find(|trial| Some(trial.id) == first)) else {
            season::rest(stop, EVERY);
            continue;
        };
        if trial.state == TrialState::Waiting {
            club.store().trial_is(trial, TrialState::Playing, "")?;
        }
        let (state, reason) = match play(club, trial, stop) {
            // It goes on at the next start.
            Ok(None) if stop.load(Ordering::Relaxed) => return Ok(()),
            Ok(None) => (TrialState::Failed, format!("it took more than {} s", PLAYED_WITHIN.as_secs())),
            // A game that is not the same again has been played.
            Ok(Some(said)) if trial.rerun.is_some() && matches!(said.status.code(), Some(0 | 1)) => {
                (TrialState::Done, said.stdout.trim().to_owned())
            }
            Ok(Some(said)) if said.status.success() => (TrialState::Done, String::new()),
            // One that a killed club has left has not ended quite yet.
            Ok(Some(said)) if said.stderr.contains(IN_USE) && held < MAX_HELD => {
                held += 1;
                season::rest(stop, HELD_FOR);
                continue;
            }
            Ok(Some(said)) => (TrialState::Failed, said.stderr.trim().to_owned()),
            Err(error) => (TrialState::Failed, format!("{error:#}")),
        };
        held = 0;
        let reason: String = reason.chars().take(MAX_REASON).collect();
        club.store().trial_is(trial, state, &reason)?;
        club.announce()?;
    }
    Ok(())
}

fn play(club: &Club, trial: &StoredTrial, stop: &AtomicBool) -> Result<Option<season::Said>> {
    if let Some(PastGame { chapter, name }) = &trial.rerun {
        let run = club.folder.run_of(*chapter);
        return season::play_again((&run, name), &club.reruns(trial), PLAYED_WITHIN, stop);
    }
    let league = club.run_of(trial).with_extension("toml");
    let text = trial_league(&club.season_text()?, &trial.agents, trial.games)?;
    atomic_file::write(&league, text.as_bytes())?;
    // One that a killed club has left plays it still.
    season::ask_to_end(&club.run_of(trial))?;
    season::play_to_end(&league, PLAYED_WITHIN, stop)
}

#[cfg(test)]
mod tests {
    use maumau_run::league::LeagueFile;

    use super::*;

    const SEASON: &str = "name = \"s\"\nrules = \"basic\"\nseats = 2\nseed = \"00\"\nanchor = { greedy = 1500 }\n[schedule]\nformat = \"ladder\"\n\
                          [[agent]]\nname = \"greedy\"\ncommand = \"maumau agent greedy\"\n\
                          [[agent]]\nname = \"a@1\"\ncommand = \"maumau agent first\"\nretired = true\n";

    #[test]
    fn a_trial_has_the_rules_of_the_season_and_deals_of_its_own() {
        let agents = ["a@1", "greedy"].map(str::to_owned);
        let text = trial_league(SEASON, &agents, 3).expect("a league");
        let league = LeagueFile::parse("trial.toml", std::path::Path::new(""), &text);
        let league = league.unwrap_or_else(|problems| panic!("{problems}: {text}")).league;
        assert_eq!(league.agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>(), ["a@1", "greedy"]);
        assert!(league.agents.iter().all(|agent| !agent.life.retired) && league.games_per_pairing == 4);
        assert!(!text.contains("seed") && !text.contains("anchor"), "{text}");
    }

    #[test]
    fn a_trial_that_cannot_be_played_is_refused_with_the_reason() {
        for (agents, expected) in [
            (vec!["a@1"], "2 seats, so expected 1 others, found 0"),
            (vec!["a@1", "greedy", "greedy"], "2 seats"),
            (vec!["a@1", "a@1"], "a@1 is there twice"),
            (vec!["a@1", "b@7"], "b@7 has not joined the season"),
        ] {
            let agents: Vec<String> = agents.into_iter().map(str::to_owned).collect();
            let error = trial_league(SEASON, &agents, 3).expect_err("it is refused").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
