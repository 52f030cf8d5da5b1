//! The rules in words, made from the resolved data, for people who do not know the game.
//!
//! What is said here follows from the rule set alone; clause ids come from the set, or are those of the conventions (G)
//! that hold for every set.

mod noticed;
mod page;
mod sections;
mod special;
mod talk;
mod words;

use std::collections::BTreeMap;

use maumau_protocol::ruleset::{BySeats, RuleSet};

use super::load::Loaded;
use super::options::OptionDefinition;
use page::Page;

/// The rules of `set` in words, for a table of `seats` or for all tables, in lines of at most 100 characters.
///
/// What only the rule file knows, the other values of the options and the clauses of the sections, is not there; see
/// [`Loaded::explain`].
pub fn explain(set: &RuleSet, seats: Option<usize>) -> String {
    Explainer { set, seats, clauses: &BTreeMap::new(), options: &[] }.text()
}

impl Loaded {
    /// The rules in words, for a table of `seats` or for all tables, in lines of at most 100 characters.
    pub fn explain(&self, seats: Option<usize>) -> String {
        Explainer { set: &self.set, seats, clauses: &self.clauses, options: &self.options }.text()
    }
}

struct Explainer<'a> {
    set: &'a RuleSet,
    seats: Option<usize>,
    clauses: &'a BTreeMap<String, Vec<String>>,
    options: &'a [OptionDefinition],
}

impl Explainer<'_> {
    fn text(&self) -> String {
        let mut page = Page::default();
        page.title(&format!("{} ({})", self.set.title, self.set.name));
        page.paragraph(&self.set.about);
        self.players(&mut page);
        self.deal(&mut page);
        self.turn(&mut page);
        self.special_cards(&mut page);
        self.interjections(&mut page);
        self.mau(&mut page);
        self.said(&mut page);
        self.talk(&mut page);
        self.mistakes(&mut page);
        self.ending(&mut page);
        self.scoring(&mut page);
        self.table_options(&mut page);
        page.finish()
    }

    /// The clauses of some sections, each once.
    fn cited(&self, sections: &[&str]) -> String {
        let mut ids: Vec<&str> = Vec::new();
        for id in sections.iter().filter_map(|section| self.clauses.get(*section)).flatten() {
            if !ids.contains(&id.as_str()) {
                ids.push(id);
            }
        }
        words::cite(&ids)
    }

    /// A value that may depend on the number of seats, `say`d for each number that matters here.
    fn by_seats<T>(&self, value: &BySeats<T>, say: impl Fn(&T) -> String) -> String {
        match (value, self.seats) {
            (BySeats::All(value), _) => say(value),
            (BySeats::Rows(_), Some(seats)) => value.get(seats).map_or_else(|| "nothing laid down".to_owned(), say),
            (BySeats::Rows(rows), None) => {
                let parts: Vec<String> =
                    rows.iter().map(|row| format!("{} with {}", say(&row.is), words::players(row.seats))).collect();
                words::list(&parts, "and")
            }
        }
    }
}
