//! What is wrong with a file, each problem with its place, and the nearest name to a mistyped one. What is checked is not known
//! here.

use std::fmt;

use serde::Serialize;

use crate::{Node, SourcePlace};

/// The most problems that are listed.
const MAX_PROBLEMS: usize = 100;

/// One thing that is wrong with a file or a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file as it was named, or the setting.
    pub file: String,
    /// The line, counted from 1; 0 if there is none, as in settings.
    pub line: u32,
    /// The column in characters, counted from 1; 0 if there is none.
    pub column: u32,
    /// The dotted path of the key, as in `effects.seven.owe.cards`; empty if it is about the whole file.
    pub key: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is wrong with a file or a setting, at least one problem; printed one per line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Collects problems, each once.
#[derive(Debug, Default)]
pub struct ProblemCollector(Vec<Problem>);

impl ProblemCollector {
    /// A problem with `key`, written at `place`.
    pub fn add(&mut self, place: &SourcePlace, key: &str, message: impl Into<String>) {
        let (file, key, message) = (place.file.to_string(), key.to_owned(), message.into());
        self.take(Problem { file, line: place.line, column: place.column, key, message });
    }

    /// A problem that has its place.
    pub fn take(&mut self, problem: Problem) {
        if self.0.len() < MAX_PROBLEMS && !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// A problem with the value at `path` of `tree`, or with the table that lacks it; if only the common options made that
    /// table, it is not the file's, and the problem is that the file itself lacks it.
    pub fn add_in(&mut self, tree: &Node, path: &str, message: impl Into<String>) {
        match tree.nearest(path) {
            (node, true) if node.as_table().is_none() => self.add(&node.at, path, message),
            (node, _) if node.key_at.layer > 0 => self.add(&node.key_at, path, message),
            _ => self.add(&tree.key_at, path, message),
        }
    }

    /// Whether a problem with this key is already listed.
    pub fn mentions(&self, key: &str) -> bool {
        self.0.iter().any(|problem| problem.key == key)
    }

    /// The first problem that was found.
    pub fn first(&self) -> Option<&Problem> {
        self.0.first()
    }

    /// Whether no problem has been found so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lists the problems in the order of their places, settings last.
    ///
    /// # Errors
    /// The problems, if there are any.
    pub fn into_result(mut self) -> Result<(), Problems> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort_by_cached_key(|problem| (problem.line == 0, problem.file.clone(), problem.line, problem.column));
        Err(Problems(self.0))
    }
}

/// The one of `known` that `name` is probably meant to be: at most a third of its letters differ.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let near = known
        .into_iter()
        .map(|other| (distance(other), other))
        .filter(|(distance, other)| *distance <= other.chars().count().max(name.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance);
    near.map(|(_, other)| other)
}

/// `; did you mean "x"? (known: "x", "y")`, or as much of it as applies.
pub fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let list = quoted(&known);
    match nearest(name, known.iter().copied()) {
        _ if known.is_empty() => String::new(),
        Some(near) => format!("; did you mean \"{near}\"? (known: {list})"),
        None => format!(" (known: {list})"),
    }
}

/// The names in quotes, separated by commas.
fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// `a, b or c`, where `last` is the word before the last one.
pub fn list(items: &[String], last: &str) -> String {
    match items {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [front @ .., end] => format!("{} {last} {end}", front.join(", ")),
    }
}
