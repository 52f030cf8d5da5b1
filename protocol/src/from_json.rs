//! Reads the large types from JSON. A crate that reads them here does not compile their readers once more. Lines are
//! read in `wire`, which also bounds them.

use crate::action::Action;
use crate::event::SeenEvent;
use crate::message::{Ask, Over, Start, Tell};
use crate::ruleset::RuleSet;
use crate::view::View;

/// A type that this crate reads from JSON. `serde_json::from_str` reads it too, but then the calling crate compiles the
/// readers of everything inside it once more.
pub trait FromJson: Sized {
    /// Reads `text`.
    ///
    /// # Errors
    /// The text is no JSON, or is not the JSON of this type.
    fn from_json(text: &str) -> Result<Self, serde_json::Error>;
}

macro_rules! from_json {
    ($($type:ident)*) => {
        $(impl FromJson for $type {
            fn from_json(text: &str) -> Result<$type, serde_json::Error> {
                serde_json::from_str(text)
            }
        })*
    };
}

from_json!(Action Ask Over RuleSet SeenEvent Start Tell View);
