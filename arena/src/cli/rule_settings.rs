//! The options that change a rule set, and the rules that they make at a table. Loads what `--set` says, and shows nothing.

use std::sync::Arc;

use anyhow::Result;
use maumau_engine::Rules;
use maumau_engine::rules::{LoadedRules, hindering, load, parse_setting};
use maumau_protocol::ruleset::{OptionValue, RuleSet};
use maumau_run::error::usage;
use maumau_run::io::rule_files::{OnDisk, listed};

/// Options of a table.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct RuleSettings {
    /// A table option, or a key of the rules with a dot in it; can be given many times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

impl RuleSettings {
    /// Loads the rule set `name` with these settings.
    pub(super) fn load(&self, name: &str) -> Result<LoadedRules> {
        load(&OnDisk, name, &self.parsed()?)
            .map_err(|problems| usage(format!("the rules cannot be used:\n{}", listed(&problems))))
    }

    /// The rule set `name` with these settings at a table of `seats`, for a match of `rounds`; absent = as the set says.
    pub(super) fn table(&self, name: &str, seats: usize, rounds: Option<u32>) -> Result<Arc<Rules>> {
        table(self.load(name)?.set, seats, rounds).map_err(|error| {
            let settings = self.parsed().unwrap_or_default();
            match hindering(&OnDisk, name, &settings, seats) {
                Some((key, value)) => {
                    usage(format!("{error}; without --set {key}={value} there is a table for {seats}"))
                }
                None => error,
            }
        })
    }

    fn parsed(&self) -> Result<Vec<(String, OptionValue)>> {
        self.settings.iter().map(|text| parse_setting(text).map_err(usage)).collect()
    }
}

/// The rules of `set` at a table of `seats`, for a match of `rounds`; absent = as the set says.
pub(super) fn table(set: RuleSet, seats: usize, rounds: Option<u32>) -> Result<Arc<Rules>> {
    let rules = Rules::for_table(&Arc::new(set), seats, rounds).map_err(|error| usage(error.to_string()))?;
    Ok(Arc::new(rules))
}
