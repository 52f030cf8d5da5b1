//! Reads TOML into a tree in which every value knows its place. It is given the text and opens no file.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Node, ProblemCollector, SourcePlace, Value, join};

/// The greatest depth of nested tables and lists.
const MAX_NESTING: usize = 12;

/// What a kind of files may hold.
#[derive(Clone, Copy, Debug)]
pub struct TextForm {
    /// What is wrong with a key, if anything.
    pub key_problem: fn(&str) -> Option<String>,
    /// What is wrong with a text, if anything.
    pub text_problem: fn(&str) -> Option<String>,
    /// Whether numbers may have fractions.
    pub fractions: bool,
}

/// Reads `text`, which people know as `file`, into a tree of the given layer. Problems go to `report`; values with a problem are
/// left out of the tree, and it is empty if the text is no TOML.
pub fn parse(file: &str, layer: u32, text: &str, form: TextForm, report: &mut ProblemCollector) -> Node {
    let file: Arc<str> = file.into();
    let start = SourcePlace { file: Arc::clone(&file), line: 1, column: 1, layer };
    let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
    let inside = text.bytes().enumerate().filter(|(_, byte)| byte & 0xc0 == 0x80).map(|(index, _)| index).collect();
    let mut source = Source { file, layer, line_starts, inside, form, report };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let place = source.place(error.span().map_or(0, |span| span.start));
        source.report.add(&place, "", error.message());
    }
    if errors.is_empty() {
        source.table(document.get_ref(), &start, "", 0)
    } else {
        Node::new(Value::Table(Default::default()), start)
    }
}

struct Source<'a> {
    file: Arc<str>,
    layer: u32,
    line_starts: Vec<usize>,
    /// Continuation bytes: all bytes of each character but the first.
    inside: Vec<usize>,
    form: TextForm,
    report: &'a mut ProblemCollector,
}

impl Source<'_> {
    fn place(&self, offset: usize) -> SourcePlace {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let inside = |end: usize| self.inside.partition_point(|index| *index < end);
        let column = offset - start - (inside(offset) - inside(start)) + 1;
        SourcePlace { file: Arc::clone(&self.file), line: line as u32, column: column as u32, layer: self.layer }
    }

    fn table(&mut self, table: &DeTable<'_>, at: &SourcePlace, path: &str, depth: usize) -> Node {
        let mut members = std::collections::BTreeMap::new();
        for (key, value) in table {
            let key_at = self.place(key.span().start);
            let name = key.get_ref().to_string();
            if let Some(problem) = (self.form.key_problem)(&name) {
                self.report.add(&key_at, path, problem);
                continue;
            }
            let inner = join(path, &name);
            if let Some(mut node) = self.value(value, &inner, depth + 1) {
                if node.as_table().is_some() {
                    node.at = key_at.clone();
                }
                node.key_at = key_at;
                members.insert(name, node);
            }
        }
        Node::new(Value::Table(members), at.clone())
    }

    fn value(&mut self, spanned: &Spanned<DeValue<'_>>, path: &str, depth: usize) -> Option<Node> {
        let at = self.place(spanned.span().start);
        if depth > MAX_NESTING {
            self.report.add(&at, path, format!("more than {MAX_NESTING} tables and lists within one another"));
            return None;
        }
        let value = match spanned.get_ref() {
            DeValue::String(text) => match (self.form.text_problem)(text) {
                Some(problem) => {
                    self.report.add(&at, path, problem);
                    return None;
                }
                None => Value::Text(text.to_string()),
            },
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Int(number),
                Err(_) if self.form.fractions => Value::Number(number.as_str().to_owned()),
                Err(_) => {
                    self.report.add(&at, path, format!("the number {} is out of all bounds", number.as_str()));
                    return None;
                }
            },
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                Value::List(
                    items.filter_map(|(i, item)| self.value(item, &join(path, &i.to_string()), depth + 1)).collect(),
                )
            }
            DeValue::Table(table) => return Some(self.table(table, &at, path, depth)),
            DeValue::Float(number) if self.form.fractions => Value::Number(number.as_str().to_owned()),
            DeValue::Float(number) => {
                self.report.add(&at, path, format!("expected a whole number, found {}", number.as_str()));
                return None;
            }
            DeValue::Datetime(date) => {
                self.report.add(&at, path, format!("expected no date, found {date}"));
                return None;
            }
        };
        Some(Node::new(value, at))
    }
}
