//! Reads a TOML file so that every problem names its line and key. Knows no keys of its own. It is given the text and
//! only collects problems.

use maumau_engine::rules::{Problem, Problems, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Collects the problems of one file.
pub(super) struct Report<'a> {
    file: String,
    text: &'a str,
    line_starts: Vec<usize>,
    problems: Vec<Problem>,
}

/// The maximum number of problems that are listed.
const MAX_PROBLEMS: usize = 50;

impl<'a> Report<'a> {
    pub(super) fn new(file: &str, text: &'a str) -> Report<'a> {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        Report { file: file.to_owned(), text, line_starts, problems: Vec::new() }
    }

    /// The line, from 1, of a byte of the text.
    pub(super) fn line(&self, offset: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// The text of a line.
    pub(super) fn text(&self, line: u32) -> &'a str {
        self.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
    }

    /// A problem with `key` in `line`; line 0 if it concerns the whole file.
    pub(super) fn add(&mut self, line: u32, key: &str, message: impl Into<String>) {
        let column = u32::from(line > 0);
        self.take(Problem { file: self.file.clone(), line, column, key: key.to_owned(), message: message.into() });
    }

    /// A problem that has its own place, in this file or another.
    pub(super) fn take(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The problems in the order of their lines.
    pub(super) fn into_problems(mut self) -> Problems {
        self.problems.sort_by_key(|problem| problem.line);
        Problems(self.problems)
    }
}

/// A value with its line.
#[derive(Clone, Debug, Default)]
pub(super) struct At<T> {
    pub(super) is: T,
    pub(super) line: u32,
}

/// One table of the file; reading an invalid key reports it and returns nothing.
pub(super) struct Reader<'a> {
    table: &'a DeTable<'a>,
    path: String,
    line: u32,
}

impl<'a> Reader<'a> {
    /// The whole document.
    pub(super) fn document(table: &'a DeTable<'a>) -> Reader<'a> {
        Reader { table, path: String::new(), line: 0 }
    }

    /// A table in a list.
    pub(super) fn within(table: &'a DeTable<'a>, path: String, line: u32) -> Reader<'a> {
        Reader { table, path, line }
    }

    /// The items of a list; `None` if `key` is absent or holds something else.
    pub(super) fn items(&self, key: &str, report: &Report<'_>) -> Option<Vec<At<&'a DeValue<'a>>>> {
        let DeValue::Array(items) = self.get(key, report)?.is else { return None };
        Some(items.iter().map(|item| At { is: item.get_ref(), line: report.line(item.span().start) }).collect())
    }

    /// The line of the table's first key, to report missing keys.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// The full name of `key`, from the top of the file.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Reports keys that are not among `known`, each with the nearest known one.
    pub(super) fn refuse_unknown(&self, known: &[&str], report: &mut Report<'_>) {
        for key in self.table.keys() {
            let name: String = key.get_ref().chars().take(60).collect();
            if !known.contains(&name.as_str()) {
                let line = report.line(key.span().start);
                let message = format!("unknown key{}", suggestion(&name, known.iter().copied()));
                report.add(line, &self.path(&name), message);
            }
        }
    }

    fn get(&self, key: &str, report: &Report<'_>) -> Option<At<&'a DeValue<'a>>> {
        let value: &Spanned<DeValue<'a>> = self.table.get(key)?;
        Some(At { is: value.get_ref(), line: report.line(value.span().start) })
    }

    /// A text of at most `max` characters.
    pub(super) fn text(&self, key: &str, max: usize, report: &mut Report<'_>) -> Option<At<String>> {
        let value = self.get(key, report)?;
        match value.is {
            DeValue::String(text) if text.chars().count() > max => {
                report.add(value.line, &self.path(key), format!("expected at most {max} characters"));
                None
            }
            DeValue::String(text) => Some(At { is: text.to_string(), line: value.line }),
            other => {
                report.add(value.line, &self.path(key), format!("expected a text in quotes, found {}", kind(other)));
                None
            }
        }
    }

    /// A whole number within `low..=high`.
    pub(super) fn number(&self, key: &str, low: u64, high: u64, report: &mut Report<'_>) -> Option<At<u64>> {
        let value = self.get(key, report)?;
        let number = match value.is {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            other => {
                report.add(value.line, &self.path(key), format!("expected a whole number, found {}", kind(other)));
                return None;
            }
        };
        match number.filter(|number| (low..=high).contains(number)) {
            Some(number) => Some(At { is: number, line: value.line }),
            None => {
                let shown = if let DeValue::Integer(number) = value.is { number.as_str() } else { "" };
                let message = format!("expected a number from {low} to {high}, found {shown}");
                report.add(value.line, &self.path(key), message);
                None
            }
        }
    }

    /// A number, whole or with a fraction.
    pub(super) fn real(&self, key: &str, report: &mut Report<'_>) -> Option<f64> {
        let value = self.get(key, report)?;
        let number = match value.is {
            DeValue::Float(number) => number.as_str().parse::<f64>().ok().filter(|number| number.is_finite()),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
            }
            _ => None,
        };
        if number.is_none() {
            report.add(
                value.line,
                &self.path(key),
                format!("expected a number such as 0.05, found {}", kind(value.is)),
            );
        }
        number
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, key: &str, report: &mut Report<'_>) -> Option<bool> {
        let value = self.get(key, report)?;
        match value.is {
            DeValue::Boolean(flag) => Some(*flag),
            other => {
                report.add(value.line, &self.path(key), format!("expected true or false, found {}", kind(other)));
                None
            }
        }
    }

    /// A list of texts of at most `max` characters each; empty if absent.
    pub(super) fn texts(&self, key: &str, max: usize, report: &mut Report<'_>) -> Vec<At<String>> {
        let Some(value) = self.get(key, report) else { return Vec::new() };
        let path = self.path(key);
        let DeValue::Array(items) = value.is else {
            report.add(value.line, &path, format!("expected a list of texts [\"...\"], found {}", kind(value.is)));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            let line = report.line(item.span().start);
            match item.get_ref() {
                DeValue::String(text) if text.chars().count() <= max => texts.push(At { is: text.to_string(), line }),
                DeValue::String(_) => report.add(line, &path, format!("expected at most {max} characters")),
                other => report.add(line, &path, format!("expected a text in quotes, found {}", kind(other))),
            }
        }
        texts
    }

    /// A text, or a whole number as text.
    pub(super) fn text_or_number(&self, key: &str, report: &mut Report<'_>) -> Option<At<String>> {
        match self.get(key, report) {
            Some(At { is: DeValue::Integer(number), line }) => Some(At { is: number.as_str().to_owned(), line }),
            _ => self.text(key, 200, report),
        }
    }

    /// A table.
    pub(super) fn table(&self, key: &str, report: &mut Report<'_>) -> Option<Reader<'a>> {
        let value = self.get(key, report)?;
        match value.is {
            DeValue::Table(table) => Some(Reader { table, path: self.path(key), line: value.line }),
            other => {
                let message = format!("expected a table [{}], found {}", self.path(key), kind(other));
                report.add(value.line, &self.path(key), message);
                None
            }
        }
    }

    /// A list of tables, as in `[[agent]]`; empty if absent.
    pub(super) fn tables(&self, key: &str, report: &mut Report<'_>) -> Vec<Reader<'a>> {
        let Some(value) = self.get(key, report) else { return Vec::new() };
        let path = self.path(key);
        let DeValue::Array(items) = value.is else {
            report.add(value.line, &path, format!("expected tables [[{path}]], found {}", kind(value.is)));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let line = report.line(item.span().start);
            match item.get_ref() {
                DeValue::Table(table) => tables.push(Reader { table, path: format!("{path}[{index}]"), line }),
                other => report.add(line, &path, format!("expected tables [[{path}]], found {}", kind(other))),
            }
        }
        tables
    }

    /// Every key with its value as text, and its line; tables are not values.
    pub(super) fn values(&self, report: &mut Report<'_>) -> Vec<(String, At<&'a DeValue<'a>>)> {
        let line = |offset| report.line(offset);
        let entries = self.table.iter().map(|(key, value)| {
            (key.get_ref().to_string(), At { is: value.get_ref(), line: line(value.span().start) })
        });
        entries.collect()
    }
}

/// The type of a value, in words.
pub(super) fn kind(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            let shown: String = text.chars().take(40).collect();
            format!("the text {shown:?}")
        }
        DeValue::Integer(number) => format!("the number {}", number.as_str()),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
