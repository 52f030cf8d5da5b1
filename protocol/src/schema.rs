//! The JSON Schemas (draft 2020-12) of the protocol: the files of `protocol/schema/`, which a test makes from the
//! types. It only holds their text; validators are compiled by their users.

#[cfg(test)]
mod tests;

use serde_json::Value;

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../schema/", $name, ".json")))),*] };
}

/// Name and text of the schema of every message and of a resolved rule set.
pub const FILES: [(&str, &str); 11] =
    files!("hello" "start" "ask" "tell" "fault" "over" "bye" "ready" "act" "note" "ruleset");

/// Name and schema of every message and of a resolved rule set.
///
/// # Panics
/// Never: that the files are schemas is tested.
pub fn all() -> Vec<(&'static str, Value)> {
    #[allow(clippy::expect_used)]
    let read = |text| serde_json::from_str(text).expect("a committed schema is JSON");
    FILES.iter().map(|(name, text)| (*name, read(text))).collect()
}
