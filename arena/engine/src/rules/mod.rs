//! Rule sets: reading them from files, checking them, compiling them for a table. Nothing here touches
//! a game in progress.
//!
//! A name becomes rules in this order: `library` gives the texts, `source` reads them into trees with places, `load` lays
//! the trees, the `options` and the settings over one another, `draft` reads the result as data, `check` and `agree` refuse
//! sets that make no sense, and `compiled` makes the result ready for a table with a given number of seats.

mod active_effects;
mod agree;
mod bounds;
mod check;
mod compiled;
mod counts;
mod draft;
mod effect_parts;
mod effects;
mod examined;
mod face;
mod features;
pub mod law;
mod library;
mod load;
mod menu;
mod options;
mod plays;
mod resolved;
mod setting;
mod source;
mod stand_ins;
#[cfg(test)]
mod tests;
mod together;
mod vocabulary;
mod words;

pub use active_effects::holds;
pub use compiled::{Rules, TableError};
pub use effect_parts::{EffectEvent, effect_keys, rests_on};
pub(crate) use face::{Debt, DebtMove, Face};
pub(crate) use features::Features;
pub use library::{BuiltIn, BuiltInSet, FILE_SCHEMA, NoRuleText, RuleFiles, RuleText, all_sets, built_in, family};
pub use load::{LoadedRules, hindering, load, load_built_in, load_thoroughly};
pub use maumau_places::{Problem, Problems};
pub use options::OptionDefinition;
pub use resolved::check_resolved;
pub use setting::{SettingError, parse_setting, parse_value};
pub use source::MAX_FILE_BYTES;
pub(crate) use together::SeveralAtOnce;
pub use vocabulary::Vocabulary;
