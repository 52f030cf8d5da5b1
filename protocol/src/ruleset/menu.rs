//! A menu of rules that the winners of rounds add in the course of a match. Keys and values only; the engine lays a
//! fragment over the rules, and says which can stand together.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Rules that can be added to a set: after a round its winner chooses one of an offer (G-74).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Menu {
    /// The clauses that it states.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// How many rules are offered after a round; 0: all that can be added (G-75).
    pub offer: u8,
    /// The rules, by name.
    pub add: BTreeMap<String, MenuEntry>,
}

/// One rule of a menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MenuEntry {
    /// The clauses that it states.
    #[serde(default)]
    pub clauses: Vec<String>,
    /// The rule in a sentence.
    pub about: String,
    /// The keys that it writes over the rules of the set.
    pub rules: RuleFragment,
    /// The rules of the menu that it puts an end to (G-77).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
    /// The rules of the menu with which it cannot stand, in alphabetical order (G-76). Those that contradict it are among
    /// them once a file has been read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// The set does not have this rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// Some keys of a rule set with their values, as a file writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleFragment(
    /// The keys, each with its value.
    pub serde_json::Map<String, serde_json::Value>,
);

#[cfg(test)]
impl JsonSchema for RuleFragment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RuleFragment".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "some keys of a rule set with their values", "type": "object" })
    }
}

impl Menu {
    /// The names of the rules that can be added while those of `held` hold, in alphabetical order (G-76, G-77).
    pub fn can_add<S: AsRef<str>>(&self, held: &[S]) -> Vec<&str> {
        let stands = |name: &str, entry: &MenuEntry, held: &str| {
            let other = self.add.get(held).is_some_and(|other| other.excludes.iter().any(|excluded| excluded == name));
            let excluded = other || entry.excludes.iter().any(|excluded| excluded == held);
            name != held && (!excluded || entry.replaces.iter().any(|replaced| replaced == held))
        };
        let open = self
            .add
            .iter()
            .filter(|(name, entry)| !entry.off && held.iter().all(|held| stands(name, entry, held.as_ref())));
        open.map(|(name, _)| name.as_str()).collect()
    }
}
