//! Chapters of a season. Each is a league file and a run file; when a chapter ends, both stay as they are in `past`, and the next begins
//! with those that play then and with deals of its own: with another version of the engine, when the run has no place for more agents, or
//! because the organiser wants it, also by other rules. A kill at any moment leaves the chapter before or the one after.

use anyhow::{Context, Result};
use maumau_run::error::usage;
use maumau_run::io::atomic_file;
use maumau_run::league::LeagueFile;
use maumau_run::run_store::RunFile;

use super::answers::LadderRow;
use super::folder::{ClubFolder, season_text};
use super::season;
use super::store::{ClubDecision, ClubStore, WantedChapter};
use super::upkeep;

/// Agents of a league file at which a chapter ends: a run has place for 1,024.
const MAX_AGENTS: usize = 1_000;
/// The ladder of a chapter that is over, as JSON.
const LADDER: &str = "ladder.json";

/// A chapter that is over.
pub(crate) struct PastChapter {
    /// Its number, the first one 1.
    pub(crate) number: u32,
    /// What was played, such as `basic, 2 seats`.
    pub(crate) game: String,
    /// How it ended.
    pub(crate) ladder: Vec<LadderRow>,
}

/// Wants another chapter, which begins as soon as the club is served and the games in play are over.
///
/// # Errors
/// Its rules or seats cannot be played, or the database fails.
pub(crate) fn want_chapter(folder: &ClubFolder, wanted: &WantedChapter, who: &str) -> Result<()> {
    next_text(folder, wanted)?;
    let wanted = WantedChapter { number: folder.chapter() + 1, ..wanted.clone() };
    let what = format!("chapter {} of the season is about to begin", wanted.number);
    let text = serde_json::to_string(&wanted)?;
    ClubStore::open(&folder.database())?.rule(ClubDecision::Chapter, Some(&text), (who, &what))?;
    Ok(())
}

/// Why the chapter in play has to end, if it has to.
///
/// # Errors
/// The database, the league file or the run file cannot be read.
pub(crate) fn due(folder: &ClubFolder, store: &ClubStore) -> Result<Option<WantedChapter>> {
    if let Some(wanted) = store.wanted_chapter()? {
        return Ok(Some(wanted));
    }
    let is_old = || -> Result<bool> {
        Ok(season::has_begun(&folder.run())?
            && RunFile::open(&folder.run())?.plan.settings.engine != maumau_engine::VERSION)
    };
    let by_itself = WantedChapter { number: folder.chapter() + 1, ..WantedChapter::default() };
    Ok((is_full(folder)? || is_old()?).then_some(by_itself))
}

/// True if the run has hardly place for more agents.
///
/// # Errors
/// The league file cannot be read.
pub(crate) fn is_full(folder: &ClubFolder) -> Result<bool> {
    let text = std::fs::read_to_string(folder.league()).context("the league file of the season")?;
    Ok(text.lines().filter(|line| line.trim() == "[[agent]]").count() >= MAX_AGENTS)
}

/// Ends the chapter in play, which nobody plays now, and begins `wanted`.
///
/// # Errors
/// A file or the database fails.
pub(crate) fn begin(folder: &ClubFolder, store: &mut ClubStore, wanted: &WantedChapter) -> Result<()> {
    // It has begun already if the club was killed before it was noted.
    if folder.chapter() < wanted.number {
        let next = folder.next_season();
        std::fs::create_dir_all(&next).context("the folder of the next chapter")?;
        let text = next_text(folder, wanted)?;
        atomic_file::write(&next.join("season.toml"), text.as_bytes())?;
        let ladder = serde_json::to_vec(&season::ladder(&folder.run())?)?;
        atomic_file::write(&folder.part("season").join(LADDER), &ladder)?;
        let past = folder.past(folder.chapter());
        let name = folder.frozen().file_name().context("a run file")?.to_owned();
        // What everybody sees stands still until the organiser shows it again; at each moment it lies in the season's folder.
        upkeep::remove(&next.join(&name))?;
        if folder.frozen().exists() {
            std::fs::hard_link(folder.frozen(), next.join(&name))
                .or_else(|_| std::fs::copy(folder.frozen(), next.join(&name)).map(drop))
                .context("the ladder that is shown")?;
        }
        std::fs::rename(folder.part("season"), &past).context("a chapter cannot be ended")?;
        std::fs::rename(&next, folder.part("season")).context("the next chapter cannot begin")?;
        upkeep::remove(&past.join(&name))?;
    }
    store.chapter_began(wanted.number, wanted.is_other_game())
}

/// The league file of the next chapter.
fn next_text(folder: &ClubFolder, wanted: &WantedChapter) -> Result<String> {
    let file = LeagueFile::read(&folder.league())?;
    let text = std::fs::read_to_string(folder.league()).context("the league file of the season")?;
    let text = if wanted.is_other_game() {
        let league: toml::Table = toml::from_str(&text).context("the league file of the season")?;
        let rules = league.get("rules").and_then(toml::Value::as_str).unwrap_or_default();
        let rules = wanted.rules.as_deref().unwrap_or(rules);
        let seats = wanted.seats.or_else(|| u8::try_from(league.get("seats")?.as_integer()?).ok());
        let level = folder.settings()?.sandbox;
        season_text(&file.league.name, rules, seats.unwrap_or(2), level)
    } else {
        let playing = file.league.agents.iter().filter(|agent| !agent.life.retired);
        let playing: Vec<String> = playing.map(|agent| agent.name.clone()).collect();
        let mut league: toml::Table = toml::from_str(&text).context("the league file of the season")?;
        let agents = season::league_with(&text, &playing)?;
        // Its deals are others; all else is as before.
        league.remove("seed");
        if let Some(agents) = agents.get("agent") {
            league.insert("agent".to_owned(), agents.clone());
        }
        toml::to_string(&league).context("the league file of the next chapter")?
    };
    let shown = folder.league().display().to_string();
    match LeagueFile::parse(&shown, &folder.part("season"), &text) {
        Ok(_) => Ok(text),
        Err(problems) => Err(usage(format!("the next chapter cannot be played: {problems}"))),
    }
}

/// The chapters that are over, the last one first.
///
/// # Errors
/// A file of one cannot be read.
pub(crate) fn past(folder: &ClubFolder) -> Result<Vec<PastChapter>> {
    (1..folder.chapter()).rev().map(|number| past_one(folder, number)).collect()
}

fn past_one(folder: &ClubFolder, number: u32) -> Result<PastChapter> {
    let place = folder.past(number);
    let shown = || format!("chapter {number}");
    let ladder = std::fs::read(place.join(LADDER)).with_context(shown)?;
    let league: toml::Table =
        toml::from_str(&std::fs::read_to_string(place.join("season.toml")).with_context(shown)?).with_context(shown)?;
    let rules = league.get("rules").and_then(toml::Value::as_str).unwrap_or_default();
    let seats = league.get("seats").and_then(toml::Value::as_integer).unwrap_or_default();
    let ladder = serde_json::from_slice(&ladder).with_context(shown)?;
    Ok(PastChapter { number, game: format!("{rules}, {seats} seats"), ladder })
}

#[cfg(test)]
mod tests {
    use maumau_protocol::SandboxLevel;

    use super::super::folder::NewClub;
    use super::*;

    fn club(place: &std::path::Path) -> (ClubFolder, ClubStore) {
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        let folder = ClubFolder::make(&place.join("club"), &new).expect("a club");
        let store = ClubStore::open(&folder.database()).expect("a database");
        (folder, store)
    }

    #[test]
    fn a_chapter_begins_with_those_that_play_and_the_one_before_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, mut store) = club(place.path());
        let text = std::fs::read_to_string(folder.league()).expect("a file");
        let agent = |name: &str, more: &str| {
            format!("\n[[agent]]\nname = \"{name}\"\nauthor = \"ann\"\ncommand = \"maumau agent first\"\n{more}")
        };
        let own = format!("{text}{}{}", agent("a@1", "retired = true\n"), agent("a@2", ""));
        std::fs::write(folder.league(), own.replace("round_games = 64", "round_games = 32")).expect("a file");
        assert_eq!(due(&folder, &store).expect("an answer"), None);
        want_chapter(&folder, &WantedChapter::default(), "olga").expect("it can be played");
        let wanted = due(&folder, &store).expect("an answer").expect("it is due");
        assert_eq!((wanted.number, wanted.is_other_game()), (2, false));
        std::fs::write(folder.frozen(), "shown").expect("a file");
        begin(&folder, &mut store, &wanted).expect("a chapter");
        let names = |path: &std::path::Path| -> Vec<String> {
            let file = LeagueFile::read(path).expect("a league");
            file.league.agents.iter().map(|agent| agent.name.clone()).collect()
        };
        assert_eq!(names(&folder.league()), ["greedy", "careful", "random", "a@2"]);
        assert!(std::fs::read_to_string(folder.league()).expect("a file").contains("round_games = 32"));
        assert_eq!(names(&folder.past(1).join("season.toml")).len(), 5);
        assert_eq!(std::fs::read(folder.frozen()).expect("it stays frozen"), b"shown");
        assert!(!folder.past(1).join("frozen.maumau").exists());
        let over = past(&folder).expect("chapters");
        assert_eq!(
            over.iter().map(|chapter| (chapter.number, &*chapter.game)).collect::<Vec<_>>(),
            [(1, "basic, 2 seats")]
        );
        // It was killed before it was noted: nothing begins twice.
        begin(&folder, &mut store, &wanted).expect("it has begun");
        assert_eq!((folder.chapter(), due(&folder, &store).expect("an answer")), (2, None));
    }

    #[test]
    fn a_club_that_is_killed_between_two_chapters_goes_on_with_the_second() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, store) = club(place.path());
        let wanted = WantedChapter { rules: Some("skat".to_owned()), seats: Some(3), ..WantedChapter::default() };
        want_chapter(&folder, &wanted, "").expect("it can be played");
        let wanted = due(&folder, &store).expect("an answer").expect("it is due");
        std::fs::create_dir(folder.next_season()).expect("a folder");
        std::fs::write(folder.next_season().join("season.toml"), next_text(&folder, &wanted).expect("a text"))
            .expect("a file");
        std::fs::write(folder.part("season").join(LADDER), "[]").expect("a file");
        std::fs::rename(folder.part("season"), folder.past(1)).expect("a chapter");
        let folder = ClubFolder::open(&place.path().join("club")).expect("a club");
        let league = LeagueFile::read(&folder.league()).expect("a league").league;
        assert_eq!((league.seats, folder.chapter()), (3, 2));
    }

    #[test]
    fn rules_that_cannot_be_played_begin_no_chapter() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, store) = club(place.path());
        let wanted = WantedChapter { rules: Some("chess".to_owned()), ..WantedChapter::default() };
        let error = want_chapter(&folder, &wanted, "").expect_err("there is no such set").to_string();
        assert!(error.contains("chess"), "{error}");
        assert_eq!(due(&folder, &store).expect("an answer"), None);
    }
}
