//! One sentence of the rules in words, and what makes it true. It knows no rules and no page; `tests/explained.rs`
//! holds each sentence to what it names.

use std::panic::Location;

/// A sentence of the rules in words.
///
/// Besides its text it lists the clauses it states, in any rule set, the values of the rules that its words follow from,
/// and the scenarios that play it, unless those named after its clauses do. A test (`tests/explained.rs`) holds every
/// sentence that can be printed to that.
#[derive(Clone, Debug)]
pub struct Sentence {
    text: String,
    clauses: Vec<String>,
    follows_from: Vec<String>,
    played_by: &'static str,
    rendered: bool,
    part: String,
    /// The clauses that it may cite; `None` = all of the set.
    may_cite: Option<Vec<String>>,
    written_at: &'static Location<'static>,
}

impl Sentence {
    #[track_caller]
    pub(super) fn new(text: String, part: &str, may_cite: Option<Vec<String>>) -> Sentence {
        Sentence {
            text,
            clauses: Vec::new(),
            follows_from: Vec::new(),
            played_by: "",
            rendered: false,
            part: part.to_owned(),
            may_cite,
            written_at: Location::caller(),
        }
    }

    /// The clauses that it states, of all rule sets, between spaces.
    pub(super) fn states(&mut self, clauses: &str) -> &mut Sentence {
        self.clauses.extend(clauses.split_whitespace().map(str::to_owned));
        self
    }

    /// As [`Sentence::states`], with clauses that a rule file names.
    pub(super) fn states_all(&mut self, clauses: &[String]) -> &mut Sentence {
        self.clauses.extend_from_slice(clauses);
        self
    }

    /// The keys of the rules whose values its words follow from, between spaces; a key that begins with a dot belongs to
    /// the part that the paragraph is about.
    pub(super) fn from(&mut self, keys: &str) -> &mut Sentence {
        let whole = |key: &str| match key.strip_prefix('.') {
            Some(key) => format!("{}.{key}", self.part),
            None => key.to_owned(),
        };
        let keys: Vec<String> = keys.split_whitespace().map(whole).collect();
        self.follows_from.extend(keys);
        self
    }

    /// It says only values of the rules: a number, cards, words of a file.
    pub(super) fn rendered(&mut self) -> &mut Sentence {
        self.rendered = true;
        self
    }

    /// The scenarios that play it, with `skat/K-30` for all whose names begin like that, or a test as `fn name`.
    pub(super) fn played(&mut self, scenarios: &'static str) -> &mut Sentence {
        self.played_by = scenarios;
        self
    }

    /// Its text, without the clauses.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The clauses that it states, of all rule sets.
    pub fn clauses(&self) -> &[String] {
        &self.clauses
    }

    /// The clauses that it may cite; `None` = all of the set.
    pub(super) fn may_cite(&self) -> Option<&[String]> {
        self.may_cite.as_deref()
    }

    /// The keys of the rules whose values its words follow from; those that begin with `time.` are times of a table.
    pub fn follows_from(&self) -> &[String] {
        &self.follows_from
    }

    /// What plays it besides the scenarios that are named after its clauses: beginnings of their names, and `fn name`.
    pub fn played_by(&self) -> impl Iterator<Item = &'static str> {
        self.played_by.split(',').map(str::trim).filter(|name| !name.is_empty())
    }

    /// Whether it says only values of the rules.
    pub fn is_rendered(&self) -> bool {
        self.rendered
    }

    /// Its place in the source, which distinguishes sentences whatever numbers and cards are in them.
    pub fn written_at(&self) -> &'static Location<'static> {
        self.written_at
    }

    /// Whether it is about the part of the rules that `key` belongs to, or follows from its value.
    pub(super) fn depends_on(&self, key: &str) -> bool {
        let inside = |outer: &str, inner: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let own = |name: &str| !self.part.is_empty() && key == format!("{}.{name}", self.part);
        own("cards") || own("seats") || self.follows_from.iter().any(|from| inside(from, key) || inside(key, from))
    }
}
