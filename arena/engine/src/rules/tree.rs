//! The tree of a rule file: values that know the file, line and column they come from, and how trees are laid over one
//! another. This module does not know what the keys mean. It only holds them; reading and judging is done by its
//! callers.

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_protocol::ruleset::OptionValue;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file as people know it, or the setting.
    pub(crate) file: Arc<str>,
    /// Counted from 1; 0 if there are no lines, as in settings.
    pub(crate) line: u32,
    /// Counted in characters from 1.
    pub(crate) column: u32,
    /// How near to the requested game: a file lies above what it extends, a setting above all files.
    pub(crate) layer: u32,
}

impl Place {
    /// The layer of settings.
    pub(crate) const SETTINGS: u32 = u32::MAX;

    /// A setting, which has a name and no lines.
    pub(crate) fn setting(name: &str) -> Place {
        Place { file: name.into(), line: 0, column: 0, layer: Place::SETTINGS }
    }
}

/// A value and its places.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    /// Where the value is.
    pub(crate) at: Place,
    /// Where its key is; the same as `at` if it has none.
    pub(crate) key_at: Place,
}

/// The values of rule files.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Node>),
    Table(BTreeMap<String, Node>),
}

impl Node {
    /// A value at one place.
    pub(crate) fn new(value: Value, at: Place) -> Node {
        Node { value, key_at: at.clone(), at }
    }

    /// The tree of a JSON value, all of it at one place; `None` if it has numbers that are not whole, or `null` in a list.
    /// Members that are `null` count as absent.
    pub(crate) fn of_json(json: serde_json::Value, at: &Place) -> Option<Node> {
        let value = match json {
            serde_json::Value::Null => return None,
            serde_json::Value::Bool(value) => Value::Bool(value),
            serde_json::Value::Number(number) => Value::Int(number.as_i64()?),
            serde_json::Value::String(text) => Value::Text(text),
            serde_json::Value::Array(items) => {
                Value::List(items.into_iter().map(|item| Node::of_json(item, at)).collect::<Option<_>>()?)
            }
            serde_json::Value::Object(members) => {
                let members = members.into_iter().filter(|(_, value)| !value.is_null());
                let nodes = members.map(|(key, value)| Some((key, Node::of_json(value, at)?)));
                Value::Table(nodes.collect::<Option<_>>()?)
            }
        };
        Some(Node::new(value, at.clone()))
    }

    /// The same tree in another layer.
    pub(crate) fn in_layer(&self, layer: u32) -> Node {
        let value = match &self.value {
            Value::List(items) => Value::List(items.iter().map(|item| item.in_layer(layer)).collect()),
            Value::Table(table) => {
                Value::Table(table.iter().map(|(key, node)| (key.clone(), node.in_layer(layer))).collect())
            }
            value => value.clone(),
        };
        let place = |place: &Place| Place { layer, ..place.clone() };
        Node { value, at: place(&self.at), key_at: place(&self.key_at) }
    }

    /// A tree that holds only `leaf`, at the dotted `path`.
    pub(crate) fn nested(path: &str, leaf: Node) -> Node {
        path.rsplit('.').fold(leaf, |inner, key| {
            let at = inner.key_at.clone();
            Node::new(Value::Table(BTreeMap::from([(key.to_owned(), inner)])), at)
        })
    }

    /// The value of an option as a tree.
    pub(crate) fn of_option(value: &OptionValue, at: Place) -> Node {
        let value = match value {
            OptionValue::Bool(value) => Value::Bool(*value),
            OptionValue::Int(value) => Value::Int(*value),
            OptionValue::Text(text) => Value::Text(text.clone()),
            OptionValue::List(texts) => {
                Value::List(texts.iter().map(|text| Node::new(Value::Text(text.clone()), at.clone())).collect())
            }
        };
        Node::new(value, at)
    }

    /// The value of an option, if this is one.
    pub(crate) fn as_option(&self) -> Option<OptionValue> {
        match &self.value {
            Value::Bool(value) => Some(OptionValue::Bool(*value)),
            Value::Int(value) => Some(OptionValue::Int(*value)),
            Value::Text(text) => Some(OptionValue::Text(text.clone())),
            Value::List(items) => {
                items.iter().map(|item| item.as_text().map(str::to_owned)).collect::<Option<_>>().map(OptionValue::List)
            }
            Value::Table(_) => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub(crate) fn as_int(&self) -> Option<i64> {
        match self.value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The members, if it is a table.
    pub(crate) fn as_table(&self) -> Option<&BTreeMap<String, Node>> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Removes the member `key` from a table and returns it.
    pub(crate) fn take(&mut self, key: &str) -> Option<Node> {
        match &mut self.value {
            Value::Table(table) => table.remove(key),
            _ => None,
        }
    }

    /// The node at a dotted path; items of lists are numbered from 0.
    pub(crate) fn get(&self, path: &str) -> Option<&Node> {
        match self.nearest(path) {
            (node, true) => Some(node),
            _ => None,
        }
    }

    /// The last node on the way to `path`, and whether that is the whole way.
    pub(crate) fn nearest(&self, path: &str) -> (&Node, bool) {
        let mut node = self;
        for key in path.split('.').filter(|key| !key.is_empty()) {
            let next = match &node.value {
                Value::Table(table) => table.get(key),
                Value::List(items) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => return (node, false),
            }
        }
        (node, true)
    }

    /// Lays `over` on this tree: tables are merged, any other value replaces what was there. The place of a table is then
    /// that in the nearest file.
    pub(crate) fn overlay(&mut self, over: Node) {
        match (&mut self.value, over.value) {
            (Value::Table(under), Value::Table(table)) => {
                if over.key_at.layer > self.key_at.layer && over.key_at.layer < Place::SETTINGS {
                    (self.at, self.key_at) = (over.at, over.key_at);
                }
                for (key, node) in table {
                    match under.get_mut(&key) {
                        Some(there) => there.overlay(node),
                        None => {
                            under.insert(key, node);
                        }
                    }
                }
            }
            (_, value) => *self = Node { value, at: over.at, key_at: over.key_at },
        }
    }

    /// Writes `node` at `path`, unless a value without members is in the way; that value is itself an error, and must stay
    /// so that it is reported.
    pub(crate) fn write(&mut self, path: &str, node: Node) {
        let (nearest, whole) = self.nearest(path);
        if whole || nearest.as_table().is_some() {
            self.overlay(Node::nested(path, node));
        }
    }

    /// The paths and nodes of everything in this tree that is not a table with members.
    pub(crate) fn leaves(&self) -> Vec<(String, &Node)> {
        fn collect<'a>(node: &'a Node, path: &str, found: &mut Vec<(String, &'a Node)>) {
            match node.as_table() {
                Some(table) if !table.is_empty() => {
                    for (key, inner) in table {
                        collect(inner, &join(path, key), found);
                    }
                }
                _ if path.is_empty() => {}
                _ => found.push((path.to_owned(), node)),
            }
        }
        let mut found = Vec::new();
        collect(self, "", &mut found);
        found
    }

    /// The values without their places.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => (*value).into(),
            Value::Text(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Node::to_json).collect(),
            Value::Table(table) => table.iter().map(|(key, node)| (key.clone(), node.to_json())).collect(),
        }
    }
}

/// `path.key`, or `key` at the root.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
