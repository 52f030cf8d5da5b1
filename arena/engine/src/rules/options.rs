//! Table options: what a rule file defines, what may be chosen, and what a choice writes. A choice becomes changes of
//! the tree, like lines of a file; whether the result makes sense is judged by `check`.

use maumau_places::{Node, ProblemCollector, SourcePlace, Value, join, list, suggestion};
use maumau_protocol::CardList;
use maumau_protocol::ruleset::OptionValue;
use serde::Serialize;

use super::setting::parse_value;

/// A table option of a rule set.
///
/// It writes its value to a key, or lays a fragment of rules over the set, one for each value; if both are given, the
/// fragments are for special values in addition to those of the key.
#[derive(Clone, Debug, Serialize)]
pub struct OptionDefinition {
    /// Its name, as in `--set NAME=VALUE`.
    pub name: String,
    /// The clauses that it comes from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub clause: String,
    /// The question that it decides.
    pub about: String,
    /// The value if none is chosen.
    pub default: OptionValue,
    /// The dotted path that the value is written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The smallest and largest number for the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[i64; 2]>,
    /// The values that are spelled out, in the order of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<OptionValue>,
    /// The fragments of `values`, in the same order.
    #[serde(skip)]
    fragments: Vec<Node>,
    #[serde(skip)]
    default_at: SourcePlace,
    /// The nearest file that affects what it does.
    #[serde(skip)]
    layer: u32,
}

/// The changes that a chosen value makes.
pub(crate) struct OptionChoice {
    /// The value in its usual type, for the record.
    pub(crate) value: OptionValue,
    /// The fragments of rules that it lays over the set.
    pub(crate) writes: Vec<Node>,
}

impl OptionDefinition {
    /// What may be chosen, in words: `"left" or "winner"`, `a number from 0 to 10`.
    pub fn choices(&self) -> String {
        let names: Vec<String> = self.values.iter().map(shown).collect();
        match (&self.key, self.range) {
            (Some(_), Some([low, high])) => {
                let named = self.values.iter().filter(|value| value.to_string().parse::<i64>().is_err());
                let number = format!("a whole number from {low} to {high}");
                list(&[number].into_iter().chain(named.map(shown)).collect::<Vec<_>>(), "or")
            }
            (Some(key), None) => match &self.default {
                OptionValue::Text(text) if !text.is_empty() && CardList::parse(text).is_ok() => {
                    "cards, as in \"A\" or \"9 A\" or \"7-9 KH\"".to_owned()
                }
                OptionValue::Text(_) if key.starts_with("talk.") => {
                    "words in small letters between spaces, or \"built-in\"".to_owned()
                }
                OptionValue::Bool(_) => "false or true".to_owned(),
                _ => format!("any value of {key}"),
            },
            (None, _) => list(&names, "or"),
        }
    }

    /// One value of each kind that can be chosen: all that are spelled out, the ends of the range, and the default.
    pub fn samples(&self) -> Vec<OptionValue> {
        let ends = self.range.into_iter().flatten().map(OptionValue::Int);
        let mut samples: Vec<OptionValue> = self.values.iter().cloned().chain(ends).collect();
        if !samples.contains(&self.default) {
            samples.push(self.default.clone());
        }
        samples
    }

    /// The changes that choosing `value` makes.
    ///
    /// # Errors
    /// Says what was expected and what was found.
    pub(crate) fn choose(&self, value: &OptionValue, at: &SourcePlace) -> Result<OptionChoice, String> {
        let wrong = || Err(format!("expected {}, found {}", self.choices(), shown(value)));
        let special = self.values.iter().position(|known| known.to_string() == value.to_string());
        let mut writes = Vec::new();
        let value = match (&self.key, special) {
            (None, None) => return wrong(),
            (None, Some(index)) => self.values[index].clone(),
            // A named value in addition to a range of numbers needs no number.
            (Some(_), Some(index)) if self.range.is_some() && value.to_string().parse::<i64>().is_err() => {
                self.values[index].clone()
            }
            (Some(key), _) => {
                let value = match (self.range, value) {
                    (Some([low, high]), _) => match value.to_string().parse::<i64>() {
                        Ok(number) if (low..=high).contains(&number) => OptionValue::Int(number),
                        _ => return wrong(),
                    },
                    (None, OptionValue::List(texts)) => OptionValue::Text(texts.join(" ")),
                    (None, _) => like(&self.default, value),
                };
                writes.push(Node::nested(key, Node::of_option(&value, at.clone())));
                value
            }
        };
        writes.extend(special.map(|index| self.fragments[index].clone()));
        Ok(OptionChoice { value, writes })
    }

    /// Lays the values that hold without a choice over `tree`, except where the files say otherwise: a file's own value has
    /// precedence over a default that it inherits.
    pub(crate) fn apply_default(&self, files: &Node, tree: &mut Node, report: &mut ProblemCollector) {
        let Ok(choice) = self.choose(&self.default, &self.default_at) else { return };
        for write in choice.writes {
            for (path, leaf) in write.leaves() {
                let there = files.get(&path);
                let own = there.is_some_and(|there| there.at.layer > self.layer);
                if own {
                    continue;
                }
                if let Some(there) = there.filter(|there| there.at.layer == self.layer) {
                    if !same(there, leaf) {
                        let key = format!("options.{}.default", self.name);
                        report.add(&self.default_at, &key, format!("the default contradicts {path} in the same file"));
                    }
                    continue;
                }
                tree.write(&path, leaf.clone());
            }
        }
    }

    /// The value of an option that was not chosen, now that all files are laid over one another: its default, or what a
    /// file that extends the set has put in its place; `custom` if that is none of its values.
    pub(crate) fn standing(&self, tree: &Node) -> OptionValue {
        let all =
            self.fragments.iter().flat_map(|fragment| fragment.leaves()).map(|(path, _)| path).chain(self.key.clone());
        let mut places = all.filter_map(|path| tree.get(&path)).map(|node| node.at.layer);
        if places.all(|layer| layer <= self.layer) {
            return self.default.clone();
        }
        let agrees = |index: &usize| {
            let leaves = self.fragments[*index].leaves();
            !leaves.is_empty()
                && leaves.iter().all(|(path, leaf)| tree.get(path).is_some_and(|there| same(there, leaf)))
        };
        let default = self.values.iter().position(|value| *value == self.default);
        let found = match &self.key {
            Some(key) => tree.get(key).and_then(Node::as_option),
            None => {
                let mut order = default.into_iter().chain(0..self.values.len());
                order.find(agrees).map(|index| self.values[index].clone())
            }
        };
        let neutral = default.is_some_and(|index| self.fragments[index].leaves().is_empty());
        let custom = || if neutral { self.default.clone() } else { OptionValue::Text("custom".to_owned()) };
        found.unwrap_or_else(custom)
    }
}

/// Reads the definitions from the `options` table of a rule file, in the order of their names.
pub(crate) fn read(table: &Node, report: &mut ProblemCollector) -> Vec<OptionDefinition> {
    let Some(members) = table.as_table() else {
        report.add(&table.at, "options", "expected a table of table options, as in [options.deck]");
        return Vec::new();
    };
    let mut definitions = Vec::new();
    for (name, node) in members {
        let path = join("options", name);
        match node.as_table().and_then(|table| table.get("off")).map(|off| (&off.value, off)) {
            Some((Value::Bool(true), _)) => continue,
            Some((Value::Bool(false), _)) | None => {}
            Some((_, off)) => report.add(&off.at, &join(&path, "off"), "expected true or false"),
        }
        definitions.extend(definition(name, node, &path, report));
    }
    let values: usize = definitions.iter().map(|option| option.values.len()).sum();
    for (what, count, most) in [("options", definitions.len(), MAX_OPTIONS), ("values", values, MAX_VALUES)] {
        if count > most {
            report.add(&table.at, "options", format!("{count} {what} are too many: at most {most} in all"));
        }
    }
    definitions
}

/// The most options of a set.
const MAX_OPTIONS: usize = 64;
/// The most values that all its options have together: a thorough check tries each.
const MAX_VALUES: usize = 256;

/// The keys of one option.
pub(super) const KEYS: [&str; 7] = ["clause", "about", "default", "key", "range", "values", "off"];

fn definition(name: &str, node: &Node, path: &str, report: &mut ProblemCollector) -> Option<OptionDefinition> {
    let Some(table) = node.as_table() else {
        report.add(&node.at, path, "expected a table with about, default and values or key");
        return None;
    };
    for (key, inner) in table.iter().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        report.add(&inner.key_at, &join(path, key), format!("unknown key{}", suggestion(key, KEYS)));
    }
    let mut text = |key: &str| match table.get(key).map(|node| (node.as_text(), node)) {
        Some((Some(text), _)) => Some(text.to_owned()),
        Some((None, node)) => {
            report.add(&node.at, &join(path, key), "expected a text in quotes");
            None
        }
        None => None,
    };
    let (clause, about, key) = (text("clause"), text("about"), text("key"));
    if about.is_none() && !table.contains_key("about") {
        report.add(&node.key_at, &join(path, "about"), "this key is required: say what is decided by it");
    }
    let range = table.get("range").and_then(|node| {
        let numbers: Option<Vec<i64>> = match &node.value {
            Value::List(items) => items.iter().map(Node::as_int).collect(),
            _ => None,
        };
        match numbers.as_deref() {
            Some([low, high]) if low <= high => Some([*low, *high]),
            _ => {
                report.add(&node.at, &join(path, "range"), "expected the smallest and largest number, as in [0, 10]");
                None
            }
        }
    });
    if range.is_some() && key.is_none() {
        report.add(&node.key_at, &join(path, "range"), "a range needs a key to write the number to");
    }
    let values = read_values(table.get("values"), &join(path, "values"), report);
    if values.is_empty() && key.is_none() && !report.mentions(&join(path, "values")) {
        report.add(&node.key_at, path, "an option needs values, or a key to write its value to");
        return None;
    }
    let Some(default_node) = table.get("default") else {
        report.add(&node.key_at, &join(path, "default"), "this key is required");
        return None;
    };
    let Some(default) = default_node.as_option() else {
        report.add(
            &default_node.at,
            &join(path, "default"),
            "expected a number, a text, a list of texts, true or false",
        );
        return None;
    };
    let (values, fragments): (Vec<OptionValue>, Vec<Node>) = values.into_iter().unzip();
    let leaves = fragments.iter().flat_map(Node::leaves).map(|(_, leaf)| leaf.at.layer);
    let layer = leaves.fold(default_node.at.layer, u32::max);
    let mut definition = OptionDefinition {
        name: name.to_owned(),
        clause: clause.unwrap_or_default(),
        about: about.unwrap_or_default(),
        default,
        key,
        range,
        values,
        fragments,
        default_at: default_node.at.clone(),
        layer,
    };
    match definition.choose(&definition.default, &definition.default_at) {
        Ok(choice) => definition.default = choice.value,
        Err(message) => report.add(&default_node.at, &join(path, "default"), message),
    }
    Some(definition)
}

/// The values with their fragments, in the order of the file.
fn read_values(node: Option<&Node>, path: &str, report: &mut ProblemCollector) -> Vec<(OptionValue, Node)> {
    let Some(node) = node else { return Vec::new() };
    let Some(table) = node.as_table() else {
        report.add(&node.at, path, "expected a table with a fragment of rules for each value");
        return Vec::new();
    };
    let mut members: Vec<(&String, &Node)> = table.iter().collect();
    members.sort_by_key(|(_, node)| (node.key_at.layer, node.key_at.line, node.key_at.column));
    let mut values = Vec::new();
    for (name, fragment) in members {
        match fragment.as_table() {
            Some(_) => values.push((parse_value(name), fragment.clone())),
            None => {
                report.add(&fragment.at, &join(path, name), "expected a fragment of rules, as in { deck.packs = 2 }")
            }
        }
    }
    values
}

/// `value` in the type of `model`, if it can be written in that type.
pub(crate) fn like(model: &OptionValue, value: &OptionValue) -> OptionValue {
    match (model, value) {
        (OptionValue::Text(_), OptionValue::Int(_) | OptionValue::Bool(_)) => OptionValue::Text(value.to_string()),
        (OptionValue::Int(_) | OptionValue::Bool(_), OptionValue::Text(text)) => parse_value(text),
        _ => value.clone(),
    }
}

fn same(one: &Node, other: &Node) -> bool {
    one.to_json() == other.to_json()
}

fn shown(value: &OptionValue) -> String {
    match value {
        OptionValue::Bool(_) | OptionValue::Int(_) => value.to_string(),
        OptionValue::Text(_) | OptionValue::List(_) => format!("{:?}", value.to_string()),
    }
}
