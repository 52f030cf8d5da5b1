//! Tables of all sizes with all options.

use std::sync::Arc;

use maumau_protocol::ruleset::{OptionValue, RuleSet};

use super::dice::Dice;
use crate::rules::{OptionDefinition, Rules, load_built_in};

/// A rule set with some of its options, and what was chosen.
pub(super) fn random_set(name: &str, options: &[OptionDefinition], dice: &mut Dice<'_>) -> (Arc<RuleSet>, String) {
    loop {
        let mut settings: Vec<(String, OptionValue)> = Vec::new();
        for option in options.iter().filter(|option| !["rounds", "turn_cap"].contains(&option.name.as_str())) {
            if dice.often(35) {
                settings.push((option.name.clone(), dice.pick(&option.samples()).clone()));
            }
        }
        settings.push(("rounds".to_owned(), OptionValue::Int(1 + dice.below(3) as i64)));
        settings.push(("turn_cap".to_owned(), OptionValue::Int(*dice.pick(&[1, 20, 80, 200]))));
        // Some options exclude one another, and some leave too few cards for any table.
        if let Ok(loaded) = load_built_in(name, &settings) {
            let set = Arc::new(loaded.set);
            let shown: Vec<String> = settings.iter().map(|(name, value)| format!("--set {name}={value}")).collect();
            if sizes(&set).next().is_some() {
                return (set, format!("{name} {}", shown.join(" ")));
            }
        }
    }
}

/// The numbers of seats for which the set provides.
fn sizes(set: &Arc<RuleSet>) -> impl Iterator<Item = Rules> {
    (set.seats.min..=set.seats.max).filter_map(|seats| Rules::for_table(set, seats.into(), None).ok())
}

/// The set made ready for some table that it provides for.
pub(super) fn random_table(set: &Arc<RuleSet>, dice: &mut Dice<'_>) -> Arc<Rules> {
    loop {
        // Small tables more often than large ones.
        let most = set.seats.max - set.seats.min + 1;
        let beyond = dice.below(most.into()).min(dice.below(most.into()));
        if let Ok(rules) = Rules::for_table(set, set.seats.min as usize + beyond, None) {
            return Arc::new(rules);
        }
    }
}
