//! The built-in rule sets, and that of a run, in words.

use maumau_engine::rules::{all_sets, load_built_in};
use maumau_protocol::message::TimeControl;
use maumau_protocol::ruleset::RuleSet;
use maumau_rulebook::{Passage, Rulebook};
use maumau_web::shown::{NotShown, RulePassage, RulesPage};

/// The names and titles of the built-in sets.
pub(super) fn built_in_sets() -> Vec<(String, String)> {
    let loaded = all_sets().filter_map(|set| load_built_in(set.name, &[]).ok());
    loaded.map(|loaded| (loaded.set.name.to_string(), loaded.set.title.to_string())).collect()
}

/// The same, after the set that is played, which may differ from the built-in one of its name.
pub(super) fn with_own(own: &RuleSet) -> Vec<(String, String)> {
    let others = built_in_sets().into_iter().filter(|(name, _)| *name != *own.name);
    [(own.name.to_string(), own.title.to_string())].into_iter().chain(others).collect()
}

/// A built-in set, if one has this name.
pub(super) fn built_in_set(name: &str) -> Result<Option<RulesPage>, NotShown> {
    if !all_sets().any(|set| set.name == name) {
        return Ok(None);
    }
    let loaded = load_built_in(name, &[]).map_err(|problems| NotShown(problems.to_string()))?;
    Ok(Some(page(&loaded.set, Rulebook::of_file(&loaded, None).passages())))
}

/// A set as it was played, at a table of `seats`.
pub(super) fn played(set: &RuleSet, time: &TimeControl, seats: usize) -> RulesPage {
    page(set, Rulebook::new(set, time, Some(seats)).passages())
}

fn page(set: &RuleSet, passages: Vec<Passage>) -> RulesPage {
    let passage = |passage: Passage| match passage {
        // It is that of the page.
        Passage::Title(_) => None,
        Passage::Heading(heading) => Some(RulePassage::Heading(heading)),
        Passage::Paragraph(said) => Some(RulePassage::Paragraph(said)),
        Passage::Item(said) => Some(RulePassage::Item(said)),
    };
    RulesPage { title: set.title.to_string(), passages: passages.into_iter().filter_map(passage).collect() }
}
