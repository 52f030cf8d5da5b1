//! Records as a server shows them. Each is checked when it is looked at, and one that is wrong is shown up to that place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use maumau_referee::{FigureCounter, sound_part, verify};
use maumau_web::game::{Hands, Story, WantedMoment, moment_picture};
use maumau_web::shown::{
    GameFilter, GameRow, GamesBeside, GamesPage, Highlight, LoadedGame, NotShown, Overview, PageSource, RulesPage,
    SeedsPage,
};

use super::games::{PAGE_GAMES, is_wanted, row, worth_watching};
use super::{judged, rules};

/// Records by name.
pub(crate) struct Records {
    files: RwLock<Vec<(String, PathBuf)>>,
    /// Reads a record's file.
    read: fn(&Path) -> Result<Vec<u8>, String>,
}

impl Records {
    /// Shows these files, in this order, under their names without ending; names that occur twice get numbers.
    pub(crate) fn new(files: Vec<PathBuf>, read: fn(&Path) -> Result<Vec<u8>, String>) -> Records {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let named = |file: PathBuf| {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let count = seen.entry(stem.clone()).or_default();
            *count += 1;
            (if *count == 1 { stem } else { format!("{stem}~{count}") }, file)
        };
        Records { files: RwLock::new(files.into_iter().map(named).collect()), read }
    }

    /// Shows one more, first of all, and no more than `most`; those that are not shown any more.
    pub(crate) fn add(&self, name: String, file: PathBuf, most: usize) -> Vec<PathBuf> {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.insert(0, (name, file));
        let kept = most.min(files.len());
        files.drain(kept..).map(|(_, file)| file).collect()
    }

    fn files(&self) -> Vec<(String, PathBuf)> {
        self.files.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn find(&self, name: &str) -> Option<PathBuf> {
        self.files().into_iter().find(|(known, _)| known == name).map(|(_, file)| file)
    }

    /// The row of a game.
    fn row(&self, name: &str, file: &Path) -> GameRow {
        let read = || -> Result<GameRow, String> {
            let log = verify(&(self.read)(file)?).map_err(|mismatch| mismatch.to_string())?.log;
            let agents: Vec<&str> = log.header.names.iter().map(String::as_str).collect();
            let faults = log.faults().map_err(|error| error.to_string())?;
            let figures = FigureCounter::default().count(&log).map_err(|error| error.to_string())?;
            let row = row(name, &log.header.rules.name, &agents, &log.result, &faults);
            Ok(GameRow { figures: Some(figures), ..row })
        };
        read().unwrap_or_else(|why| GameRow {
            name: name.to_owned(),
            rules: String::new(),
            unwon: 0,
            figures: None,
            seats: Err(why),
        })
    }
}

impl PageSource for Records {
    fn overview(&self) -> Result<Overview, NotShown> {
        Ok(if self.files().is_empty() { Overview::Nothing } else { Overview::Records })
    }

    fn games(&self, filter: &GameFilter) -> Result<GamesPage, NotShown> {
        let files = self.files();
        let mut page = GamesPage { looked_at: (0, files.len() as u64), ..GamesPage::default() };
        let first = usize::try_from(filter.from).unwrap_or(usize::MAX);
        let accepts = filter.accepts_figures();
        for (at, (name, file)) in files.iter().enumerate().skip(first) {
            if page.looked_at.0 == PAGE_GAMES as u64 {
                page.next = Some(at as u64);
                break;
            }
            page.looked_at.0 += 1;
            let row = self.row(name, file);
            let is_accepted = accepts(&row.figures.unwrap_or_default());
            page.games.extend(Some(row).filter(|row| is_accepted && is_wanted(filter, row)));
        }
        if filter.from == 0 && page.next.is_none() {
            let won = page.games.iter().filter(|row| row.unwon == 0);
            let counted = won.filter_map(|row| Some((row.name.as_str(), row.figures?)));
            let found = worth_watching(counted).into_iter();
            let highlight =
                |(figure, game, figures): (_, &str, _)| Highlight { figure, game: game.to_owned(), figures };
            page.highlights = found.map(highlight).collect();
        }
        let seats = page.games.iter().filter_map(|game| game.seats.as_ref().ok()).flatten();
        page.agents = seats.clone().map(|seat| seat.agent.clone()).collect();
        page.faults = seats.flat_map(|seat| &seat.faults).map(|(fault, _)| fault.clone()).collect();
        page.rules = page.games.iter().map(|game| game.rules.clone()).filter(|rules| !rules.is_empty()).collect();
        for names in [&mut page.agents, &mut page.faults, &mut page.rules] {
            names.sort();
            names.dedup();
        }
        Ok(page)
    }

    fn game(&self, name: &str) -> Result<Option<LoadedGame>, NotShown> {
        let Some(file) = self.find(name) else { return Ok(None) };
        let record = (self.read)(&file).map_err(NotShown)?;
        let (log, wrong, said) = match verify(&record) {
            Ok(verified) => (Some(verified.log), None, judged(&file, verified.digest)),
            Err(mismatch) => (sound_part(&record), Some(mismatch.to_string()), None),
        };
        let Some(log) = log else {
            return Ok(Some(LoadedGame { story: Err(wrong.unwrap_or_default()), wrong: None, rules: None }));
        };
        let set = log.header.rules.name.to_string();
        let rules = rules::built_in_sets().into_iter().map(|(name, _)| name).find(|name| *name == set);
        let story = Story::new(&log).map_err(|error| error.to_string()).map(|mut story| {
            if wrong.is_some() {
                story.places.clear();
            }
            story.commented(said.as_ref())
        });
        Ok(Some(LoadedGame { story, wrong, rules }))
    }

    fn picture(&self, name: &str, moment: WantedMoment) -> Result<Option<String>, NotShown> {
        let Some(file) = self.find(name) else { return Ok(None) };
        let log = verify(&(self.read)(&file).map_err(NotShown)?).map_err(|wrong| NotShown(wrong.to_string()))?.log;
        moment_picture(&log, Hands::Open, moment).map(Some).map_err(|error| NotShown(error.to_string()))
    }

    fn beside(&self, name: &str) -> Result<GamesBeside, NotShown> {
        let files = self.files();
        let Some(at) = files.iter().position(|(known, _)| known == name) else { return Ok(GamesBeside::default()) };
        let called = |at: usize| files.get(at).map(|(name, _)| name.clone());
        let before = at.checked_sub(1).and_then(called);
        Ok(GamesBeside { before, after: called(at + 1), same_deal: Vec::new() })
    }

    fn record(&self, name: &str) -> Result<Option<Vec<u8>>, NotShown> {
        self.find(name).map(|file| (self.read)(&file).map_err(NotShown)).transpose()
    }

    fn seeds(&self, _: u64) -> Result<Option<SeedsPage>, NotShown> {
        Ok(None)
    }

    fn rule_sets(&self) -> Vec<(String, String)> {
        rules::built_in_sets()
    }

    fn rules(&self, set: &str) -> Result<Option<RulesPage>, NotShown> {
        rules::built_in_set(set)
    }
}

#[cfg(test)]
mod tests {
    use maumau_web::shown::GameFilter;

    use super::*;
    use crate::trial::game_with_a_fault;

    #[test]
    fn a_wrong_record_is_shown_up_to_the_place_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let (record, _) = game_with_a_fault().to_record().expect("a sound log");
        let text = String::from_utf8(record).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("sound.jsonl"), &text).expect("written");
        std::fs::write(path("torn.jsonl"), lines[..lines.len() / 2].join("\n")).expect("written");
        std::fs::write(path("other.jsonl"), "a shopping list\n").expect("written");
        let read = |file: &Path| std::fs::read(file).map_err(|error| error.to_string());
        let records = Records::new(["sound.jsonl", "torn.jsonl", "other.jsonl"].map(path).to_vec(), read);

        let list = records.games(&GameFilter::default()).expect("a list");
        let shown: Vec<(&str, bool)> = list.games.iter().map(|row| (row.name.as_str(), row.seats.is_ok())).collect();
        assert_eq!(shown, [("sound", true), ("torn", false), ("other", false)]);
        let load = |name: &str| records.game(name).expect("it can be read").expect("it is there");
        let frames = |loaded: &LoadedGame| loaded.story.as_ref().map(|story| story.len()).unwrap_or_default();
        let (sound, torn, other) = (load("sound"), load("torn"), load("other"));
        assert!(sound.wrong.is_none() && torn.wrong.is_some());
        assert!(frames(&torn) > 1 && frames(&torn) < frames(&sound), "{} of {}", frames(&torn), frames(&sound));
        assert!(other.story.is_err());
        let places = |loaded: &LoadedGame| loaded.story.as_ref().map(|story| story.places.len()).unwrap_or_default();
        assert_eq!((places(&sound), places(&torn)), (2, 0), "nobody knows how a torn game has ended");
        assert!(records.game("../sound").expect("no file is read").is_none());

        assert_eq!(records.add("new".to_owned(), path("sound.jsonl"), 3), [path("other.jsonl")]);
        let list = records.games(&GameFilter::default()).expect("a list");
        let shown: Vec<&str> = list.games.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(shown, ["new", "sound", "torn"], "the newest is first, and the last one makes room");
    }
}
