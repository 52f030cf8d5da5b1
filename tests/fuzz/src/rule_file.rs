//! A rule file and the settings of a table. It must be refused with its problems, or make games that keep the laws; no
//! file is read.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{BuiltIn, NoRuleText, RuleFiles, RuleText, check_resolved, load, parse_setting};
use maumau_model_check::ChosenGames;
use maumau_protocol::ruleset::RuleSet;
use maumau_rulebook::Rulebook;

use super::bytes::mixed;

/// Settings of one table that are looked at.
const MOST_SETTINGS: usize = 8;

/// The input as a file beside the built-in ones.
struct Files<'a>(&'a str);

impl RuleFiles for Files<'_> {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "fuzzed" => Ok(RuleText { file: "fuzzed.toml".to_owned(), text: self.0.to_owned() }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// The text of a rule file, then settings behind a NUL, one a line; an empty file stands for one that extends `basic`. What
/// is refused has problems that name their place; what is accepted is the same set when it is written and read again, still
/// accepted there, can be explained, and its games are lawful.
pub fn rule_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (file, settings) = text.split_once('\0').unwrap_or((text, ""));
    let settings: Vec<_> = settings.lines().take(MOST_SETTINGS).filter_map(|line| parse_setting(line).ok()).collect();
    let loaded = match file {
        "" => load(&BuiltIn, "basic", &settings),
        _ => load(&Files(file), "fuzzed", &settings),
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(problems) => {
            assert!(!problems.0.is_empty(), "a refusal has a reason");
            assert!(problems.0.iter().all(|problem| !problem.message.is_empty()), "{problems}");
            return;
        }
    };
    let chance = mixed(data);
    if chance.is_multiple_of(8) {
        let written = serde_json::to_vec(&loaded.set).expect("a rule set has a JSON form");
        let again: RuleSet = serde_json::from_slice(&written).expect("it reads back");
        assert_eq!(again, loaded.set);
        assert_eq!(check_resolved(&again), Ok(()));
        assert!(!Rulebook::of_file(&loaded, None).text(100).is_empty());
    }
    let set = Arc::new(loaded.set);
    let (min, max) = (usize::from(set.seats.min), usize::from(set.seats.max));
    let seats = min + chance as usize % (max - min + 1);
    if let Ok(rules) = Rules::for_table(&set, seats, None)
        && let games = ChosenGames::new(&Arc::new(rules), 1)
        && let Err(breach) = games.and_then(|games| games.play(&data[data.len().saturating_sub(24)..]))
    {
        panic!("at a table of {seats}: {breach}");
    }
}
