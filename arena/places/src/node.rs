//! The tree of a file: values that know the file, line and column they come from, and how trees are laid over one another. What
//! the keys mean is not known here.

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_protocol::ruleset::OptionValue;

/// Where a value was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file as people know it, or the setting.
    pub file: Arc<str>,
    /// Counted from 1; 0 if there are no lines, as in settings.
    pub line: u32,
    /// Counted in characters from 1.
    pub column: u32,
    /// Which of the trees that are laid over one another it comes from: a file lies above what it extends, a setting above all
    /// files.
    pub layer: u32,
}

impl SourcePlace {
    /// The layer of settings.
    pub const SETTINGS: u32 = u32::MAX;

    /// A file as a whole.
    pub fn whole(file: &str) -> SourcePlace {
        SourcePlace { file: file.into(), line: 0, column: 0, layer: 0 }
    }

    /// A setting, which has a name and no lines.
    pub fn setting(name: &str) -> SourcePlace {
        SourcePlace { file: name.into(), line: 0, column: 0, layer: SourcePlace::SETTINGS }
    }
}

/// A value and its places.
#[derive(Clone, Debug)]
pub struct Node {
    /// What was written.
    pub value: Value,
    /// Where the value is.
    pub at: SourcePlace,
    /// Where its key is; the same as `at` if it has none.
    pub key_at: SourcePlace,
}

/// The values of files.
#[derive(Clone, Debug)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number, as it was written; only where [`TextForm::fractions`](crate::TextForm) allows it.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Members by their keys.
    Table(BTreeMap<String, Node>),
}

impl Value {
    /// The kind of value, in words.
    pub fn kind(&self) -> String {
        match self {
            Value::Text(text) => format!("the text {:?}", text.chars().take(40).collect::<String>()),
            Value::Int(number) => format!("the number {number}"),
            Value::Number(number) => format!("the number {number}"),
            Value::Bool(value) => value.to_string(),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
        }
    }
}

impl Node {
    /// A value at one place.
    pub fn new(value: Value, at: SourcePlace) -> Node {
        Node { value, key_at: at.clone(), at }
    }

    /// The tree of a JSON value, all of it at one place; `None` if it has numbers that are not whole, or `null` in a list.
    /// Members that are `null` count as absent.
    pub fn of_json(json: serde_json::Value, at: &SourcePlace) -> Option<Node> {
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
    pub fn in_layer(&self, layer: u32) -> Node {
        let value = match &self.value {
            Value::List(items) => Value::List(items.iter().map(|item| item.in_layer(layer)).collect()),
            Value::Table(table) => {
                Value::Table(table.iter().map(|(key, node)| (key.clone(), node.in_layer(layer))).collect())
            }
            value => value.clone(),
        };
        let place = |place: &SourcePlace| SourcePlace { layer, ..place.clone() };
        Node { value, at: place(&self.at), key_at: place(&self.key_at) }
    }

    /// A tree that holds only `leaf`, at the dotted `path`.
    pub fn nested(path: &str, leaf: Node) -> Node {
        path.rsplit('.').fold(leaf, |inner, key| {
            let at = inner.key_at.clone();
            Node::new(Value::Table(BTreeMap::from([(key.to_owned(), inner)])), at)
        })
    }

    /// The value of an option as a tree.
    pub fn of_option(value: &OptionValue, at: SourcePlace) -> Node {
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
    pub fn as_option(&self) -> Option<OptionValue> {
        match &self.value {
            Value::Bool(value) => Some(OptionValue::Bool(*value)),
            Value::Int(value) => Some(OptionValue::Int(*value)),
            Value::Text(text) => Some(OptionValue::Text(text.clone())),
            Value::List(items) => {
                items.iter().map(|item| item.as_text().map(str::to_owned)).collect::<Option<_>>().map(OptionValue::List)
            }
            Value::Number(_) | Value::Table(_) => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self.value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The members, if it is a table.
    pub fn as_table(&self) -> Option<&BTreeMap<String, Node>> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Removes the member `key` from a table and returns it.
    pub fn take(&mut self, key: &str) -> Option<Node> {
        match &mut self.value {
            Value::Table(table) => table.remove(key),
            _ => None,
        }
    }

    /// The node at a dotted path; items of lists are numbered from 0.
    pub fn get(&self, path: &str) -> Option<&Node> {
        match self.nearest(path) {
            (node, true) => Some(node),
            _ => None,
        }
    }

    /// The last node on the way to `path`, and whether that is the whole way.
    pub fn nearest(&self, path: &str) -> (&Node, bool) {
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
    pub fn overlay(&mut self, over: Node) {
        match (&mut self.value, over.value) {
            (Value::Table(under), Value::Table(table)) => {
                if over.key_at.layer > self.key_at.layer && over.key_at.layer < SourcePlace::SETTINGS {
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
    pub fn write(&mut self, path: &str, node: Node) {
        let (nearest, whole) = self.nearest(path);
        if whole || nearest.as_table().is_some() {
            self.overlay(Node::nested(path, node));
        }
    }

    /// The paths and nodes of everything in this tree that is not a table with members.
    pub fn leaves(&self) -> Vec<(String, &Node)> {
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
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => (*value).into(),
            Value::Number(number) => number.parse::<f64>().ok().into(),
            Value::Text(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Node::to_json).collect(),
            Value::Table(table) => table.iter().map(|(key, node)| (key.clone(), node.to_json())).collect(),
        }
    }
}

/// `path.key`, or `key` at the root.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { [path, ".", key].concat() }
}
