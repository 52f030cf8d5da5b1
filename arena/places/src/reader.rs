//! Takes typed values from the tables of a tree. What a key holds instead of the expected value is reported, and read as absent.
//! The keys are named by the caller.

use crate::{Node, ProblemCollector, SourcePlace, Value, suggestion};

/// A value with its place.
#[derive(Clone, Debug, Default)]
pub struct At<T> {
    /// The value.
    pub is: T,
    /// Where it was written.
    pub at: SourcePlace,
}

/// One table of a file.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    node: &'a Node,
    path: String,
}

impl<'a> Reader<'a> {
    /// The table `node`, which is at `path` from the top of the file; empty if it is no table.
    pub fn new(node: &'a Node, path: impl Into<String>) -> Reader<'a> {
        Reader { node, path: path.into() }
    }

    /// Where the table begins, to report missing keys.
    pub fn place(&self) -> &'a SourcePlace {
        &self.node.at
    }

    /// The full name of `key`, from the top of the file.
    pub fn path(&self, key: &str) -> String {
        crate::join(&self.path, key)
    }

    /// The value of `key`, whatever it is.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.node.as_table()?.get(key)
    }

    /// Every key with its value.
    pub fn values(&self) -> impl Iterator<Item = (&'a String, &'a Node)> + use<'a> {
        self.node.as_table().into_iter().flatten()
    }

    /// Reports keys that are not among `known`, each with the nearest known one.
    pub fn refuse_unknown(&self, known: &[&str], report: &mut ProblemCollector) {
        for (key, value) in self.values().filter(|(key, _)| !known.contains(&key.as_str())) {
            let name: String = key.chars().take(60).collect();
            let message = format!("unknown key{}", suggestion(&name, known.iter().copied()));
            report.add(&value.key_at, &self.path(&name), message);
        }
    }

    /// Reports that `key` holds `found`, and not what is `expected`.
    fn refuse(&self, key: &str, expected: &str, found: &Node, report: &mut ProblemCollector) {
        report.add(&found.at, &self.path(key), format!("expected {expected}, found {}", found.value.kind()));
    }

    /// A text of at most `max` characters.
    pub fn text(&self, key: &str, max: usize, report: &mut ProblemCollector) -> Option<At<String>> {
        self.text_of(self.get(key)?, key, max, report)
    }

    fn text_of(&self, node: &Node, key: &str, max: usize, report: &mut ProblemCollector) -> Option<At<String>> {
        match &node.value {
            Value::Text(text) if text.chars().count() <= max => Some(At { is: text.clone(), at: node.at.clone() }),
            Value::Text(_) => {
                report.add(&node.at, &self.path(key), format!("expected at most {max} characters"));
                None
            }
            _ => {
                self.refuse(key, "a text in quotes", node, report);
                None
            }
        }
    }

    /// A list of texts of at most `max` characters each; empty if absent.
    pub fn texts(&self, key: &str, max: usize, report: &mut ProblemCollector) -> Vec<At<String>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let Value::List(items) = &node.value else {
            self.refuse(key, "a list of texts [\"...\"]", node, report);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.text_of(item, key, max, report)).collect()
    }

    /// A text of at most `max` characters, or a number as text.
    pub fn text_or_number(&self, key: &str, max: usize, report: &mut ProblemCollector) -> Option<At<String>> {
        let node = self.get(key)?;
        match &node.value {
            Value::Int(number) => Some(At { is: number.to_string(), at: node.at.clone() }),
            Value::Number(number) => Some(At { is: number.clone(), at: node.at.clone() }),
            _ => self.text_of(node, key, max, report),
        }
    }

    /// A whole number within `low..=high`.
    pub fn number(&self, key: &str, low: u64, high: u64, report: &mut ProblemCollector) -> Option<At<u64>> {
        let node = self.get(key)?;
        let Value::Int(number) = node.value else {
            self.refuse(key, "a whole number", node, report);
            return None;
        };
        let is = u64::try_from(number).ok().filter(|number| (low..=high).contains(number));
        if is.is_none() {
            let message = format!("expected a number from {low} to {high}, found {number}");
            report.add(&node.at, &self.path(key), message);
        }
        Some(At { is: is?, at: node.at.clone() })
    }

    /// A number, whole or with a fraction.
    pub fn real(&self, key: &str, report: &mut ProblemCollector) -> Option<At<f64>> {
        let node = self.get(key)?;
        let number = match &node.value {
            Value::Int(number) => Some(*number as f64),
            Value::Number(number) => number.parse::<f64>().ok().filter(|number| number.is_finite()),
            _ => None,
        };
        if number.is_none() {
            self.refuse(key, "a number such as 0.05", node, report);
        }
        Some(At { is: number?, at: node.at.clone() })
    }

    /// `true` or `false`.
    pub fn flag(&self, key: &str, report: &mut ProblemCollector) -> Option<bool> {
        let node = self.get(key)?;
        if let Value::Bool(flag) = node.value {
            return Some(flag);
        }
        self.refuse(key, "true or false", node, report);
        None
    }

    /// A table.
    pub fn table(&self, key: &str, report: &mut ProblemCollector) -> Option<Reader<'a>> {
        let (node, path) = (self.get(key)?, self.path(key));
        if node.as_table().is_none() {
            self.refuse(key, &format!("a table [{path}]"), node, report);
            return None;
        }
        Some(Reader { node, path })
    }

    /// A list of tables, as in `[[agent]]`; empty if absent.
    pub fn tables(&self, key: &str, report: &mut ProblemCollector) -> Vec<Reader<'a>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let path = self.path(key);
        let expected = format!("tables [[{path}]]");
        let Value::List(items) = &node.value else {
            self.refuse(key, &expected, node, report);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.value {
                Value::Table(_) => tables.push(Reader { node: item, path: format!("{path}[{index}]") }),
                _ => self.refuse(key, &expected, item, report),
            }
        }
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TextForm, parse};

    const FORM: TextForm = TextForm { key_problem: |_| None, text_problem: |_| None, fractions: true };

    /// Reads `text` with `read`; the problems, or none.
    fn check(text: &str, read: impl FnOnce(&Reader<'_>, &mut ProblemCollector), expected: &[&str]) {
        let mut report = ProblemCollector::default();
        let tree = parse("f.toml", 0, text, FORM, &mut report);
        read(&Reader::new(&tree, ""), &mut report);
        let found = report.into_result().map_or_else(|problems| problems.to_string(), |()| String::new());
        assert_eq!(found, expected.join("\n"), "{text}");
    }

    #[test]
    fn a_problem_names_the_line_and_the_column_of_what_is_wrong() {
        check("a = 1\n", |top, report| drop(top.number("a", 1, 9, report)), &[]);
        check(
            "\n  a = 10\n",
            |top, report| drop(top.number("a", 1, 9, report)),
            &["f.toml:2:7: a: expected a number from 1 to 9, found 10"],
        );
        check(
            "a = 1.5",
            |top, report| drop(top.number("a", 1, 9, report)),
            &["f.toml:1:5: a: expected a whole number, found the number 1.5"],
        );
        check("\"ä\" = \"ö\"; b", |_, _| {}, &["f.toml:1:10: unexpected key or value, expected newline, `#`"]);
        check(
            "l = [\"ö\", 7, \"long\"]",
            |top, report| drop(top.texts("l", 3, report)),
            &[
                "f.toml:1:11: l: expected a text in quotes, found the number 7",
                "f.toml:1:14: l: expected at most 3 characters",
            ],
        );
        check(
            "[[t]]\nx = true\n  [[t]]\n  y = 1\n",
            |top, report| top.tables("t", report).iter().for_each(|table| table.refuse_unknown(&["x"], report)),
            &["f.toml:4:3: t[1].y: unknown key (known: \"x\")"],
        );
        check(
            "t = { x = 2024-01-01 }",
            |top, report| drop(top.table("t", report)),
            &["f.toml:1:11: t.x: expected no date, found 2024-01-01"],
        );
    }

    #[test]
    fn values_come_as_they_were_written() {
        let mut report = ProblemCollector::default();
        let tree = parse("f.toml", 0, "n = 0x10\nbig = 18446744073709551615\nr = 1e3\nw = 2\n", FORM, &mut report);
        let top = Reader::new(&tree, "");
        let texts = ["n", "big"].map(|key| top.text_or_number(key, 9, &mut report).map(|text| text.is));
        assert_eq!(texts, [Some("16".to_owned()), Some("18446744073709551615".to_owned())]);
        let reals = ["r", "w"].map(|key| top.real(key, &mut report).map(|number| number.is));
        assert_eq!(reals, [Some(1_000.0), Some(2.0)]);
        assert!(report.is_empty() && top.flag("absent", &mut report).is_none());
    }
}
