//! Tables of all sizes with all options.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{OptionDefinition, load_built_in};
use maumau_protocol::ruleset::{OptionValue, RuleSet};

use crate::dice::Dice;

/// The rule sets that are played. A set that is added to the engine is added here.
pub(crate) const SETS: [&str; 2] = ["basic", "skat"];

/// A rule set with some of its options, and what was chosen.
pub(crate) fn random_set(name: &str, options: &[OptionDefinition], dice: &mut Dice) -> (Arc<RuleSet>, String) {
    loop {
        let mut settings: Vec<(String, OptionValue)> = Vec::new();
        for option in options.iter().filter(|option| !["rounds", "turn_cap"].contains(&option.name.as_str())) {
            if dice.often(35) {
                settings.push((option.name.clone(), dice.pick(&option.samples()).clone()));
            }
        }
        settings.push(("rounds".to_owned(), OptionValue::Int(1 + dice.below(3) as i64)));
        settings.push(("turn_cap".to_owned(), OptionValue::Int(*dice.pick(&[1, 20, 80, 300]))));
        // Some options exclude one another.
        if let Ok(loaded) = load_built_in(name, &settings) {
            let shown: Vec<String> = settings.iter().map(|(name, value)| format!("--set {name}={value}")).collect();
            return (Arc::new(loaded.set), format!("{name} {}", shown.join(" ")));
        }
    }
}

/// The set made ready for some table that it provides for; `None` where its cards are too few for this one.
pub(crate) fn random_table(set: &Arc<RuleSet>, dice: &mut Dice) -> Option<Arc<Rules>> {
    let seats = set.seats.min as usize + dice.below((set.seats.max - set.seats.min) as usize + 1);
    Rules::for_table(set, seats, None).ok().map(Arc::new)
}
