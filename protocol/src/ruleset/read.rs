//! Reads a rule set from a JSON value, and says where what cannot be read stands.

use serde::ser::Serializer;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use serde_path_to_error::{Deserializer as Tracked, Path, Segment, Track};

use super::RuleSet;

/// What is wrong with the JSON of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{message}", path, if path.is_empty() { "" } else { ": " })]
pub struct RuleSetError {
    /// The member that cannot be read, as in `effects.seven.draw`; empty for the set itself.
    pub path: String,
    /// Serde's sentence about it.
    pub message: String,
}

impl RuleSet {
    /// Reads a rule set.
    ///
    /// # Errors
    /// The value is not the JSON of a rule set: names the first member that cannot be read.
    pub fn from_value(value: &Value) -> Result<RuleSet, RuleSetError> {
        let mut track = Track::new();
        let read: Result<_, serde_json::Error> = RuleSet::deserialize(Tracked::new(value, &mut track));
        read.map_err(|error| RuleSetError { path: dotted(&track.path()), message: error.to_string() })
    }
}

/// By way of a JSON value: so the readers of everything in a rule set are compiled once, here, instead of once for each
/// format in each crate that reads a message or a record.
impl<'de> Deserialize<'de> for RuleSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleSet, D::Error> {
        RuleSet::from_value(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for RuleSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RuleSet::serialize(self, serializer)
    }
}

fn dotted(path: &Path) -> String {
    let keys = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    keys.collect::<Vec<_>>().join(".")
}
