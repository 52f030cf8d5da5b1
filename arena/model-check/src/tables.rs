//! Tables of all sizes with all options. It loads built-in sets with random options and settings; it plays nothing.

use std::sync::Arc;

use maumau_engine::rules::{OptionDefinition, Problems, load_built_in, parse_setting};
use maumau_engine::{ChoiceStream, Rules};
use maumau_protocol::ruleset::{DealtBy, OptionValue, RuleSet};

/// Settings that no option of a built-in set makes: some tables of every set that allows them have one of these groups.
const HOUSE: [&[&str]; 13] = [
    &["deal.direction=ccw"],
    &["scoring.decides=most_points", "scoring.collects=true", "scoring.points.K=4", "scoring.points.J=20"],
    &[
        "scoring.decides=most_points",
        "scoring.collects=true",
        "scoring.points.7=7",
        "turn.reshuffle=false",
        "turn.shortage=pass",
        "ending.blocked_after=0",
        "ending.blocked=lowest",
    ],
    &["turn.reshuffle=false", "turn.shortage=pass", "ending.blocked_after=1", "ending.blocked=lowest"],
    &["scoring.target=2", "scoring.rounds=0"],
    &["duties.mau.false_costs=2"],
    &["duties.mau.if_missing=called", "duties.mau.callable_until=next_action"],
    &["effects.jack.never_last=true", "effects.jack.last_costs=3"],
    &["deal.first_card=plain", "deal.first_effects=J 7 8"],
    &["deal.first_card=effect", "deal.first_names=first_player"],
    &["deal.first_card=effect", "deal.first_reverse=dealer", "effects.ten.cards=T", "effects.ten.reverse=true"],
    &["duties.last.word=mau mau", "duties.last.cards=2"],
    &[
        "duties.last.word=out",
        "duties.last.cards=1",
        "duties.mau.false_costs=1",
        "effects.eight.never_last=true",
        "effects.eight.last_costs=1",
        "effects.ace.never_last=true",
        "effects.ace.last_costs=2",
    ],
];

/// A built-in rule set and the choices that it offers.
pub(super) struct Choices {
    name: String,
    options: Vec<OptionDefinition>,
    /// The option and the value with which the dealer deals by its own actions, if there is one.
    dealt_by_dealer: Option<(String, OptionValue)>,
}

impl Choices {
    pub(super) fn of(name: &str) -> Result<Choices, Problems> {
        let options = load_built_in(name, &[])?.options;
        let settings =
            options.iter().flat_map(|option| option.samples().into_iter().map(|value| (option.name.clone(), value)));
        let deals = |setting: &(String, OptionValue)| {
            load_built_in(name, std::slice::from_ref(setting)).is_ok_and(|loaded| loaded.set.deal.by == DealtBy::Dealer)
        };
        let dealt_by_dealer = settings.into_iter().find(deals);
        Ok(Choices { name: name.to_owned(), options, dealt_by_dealer })
    }

    /// The house rules of set number `number`: four of each eight pairs have some, unless the set does not allow them.
    fn house(&self, number: u64) -> Vec<(String, OptionValue)> {
        let Some(place) = [0, 1, 2, 5].iter().position(|at| *at == number / 2 % 8) else { return Vec::new() };
        let group = HOUSE[(number / 16 * 4) as usize % HOUSE.len()..].iter().chain(&HOUSE).nth(place);
        self.allowed(group.copied().unwrap_or_default())
    }

    /// The settings of `group`, or none if the set does not allow them.
    fn allowed(&self, group: &[&str]) -> Vec<(String, OptionValue)> {
        let settings: Vec<_> = group.iter().filter_map(|setting| parse_setting(setting).ok()).collect();
        if load_built_in(&self.name, &settings).is_ok() { settings } else { Vec::new() }
    }

    /// The rule set with some of its options, and what was chosen. Every second one, by `number`, is dealt by the dealer's
    /// own actions if the set has that option; the others are not.
    pub(super) fn random_set(&self, number: u64, dice: &mut ChoiceStream<'_>) -> (Arc<RuleSet>, String) {
        let by_dealer = self.dealt_by_dealer.as_ref().filter(|_| number % 2 == 1);
        let is_left = |option: &OptionDefinition, value: &OptionValue| match &self.dealt_by_dealer {
            Some((name, dealer)) if *name == option.name => by_dealer.is_none() && value != dealer,
            _ => true,
        };
        let house = self.house(number);
        loop {
            let mut settings: Vec<(String, OptionValue)> = Vec::new();
            let free = |option: &&OptionDefinition| !["rounds", "turn_cap"].contains(&option.name.as_str());
            for option in self.options.iter().filter(free) {
                let chosen = dice.often(35).then(|| dice.pick(&option.samples()).clone());
                settings
                    .extend(chosen.filter(|value| is_left(option, value)).map(|value| (option.name.clone(), value)));
            }
            settings.extend(by_dealer.cloned());
            settings.extend(house.iter().cloned());
            if !house.iter().any(|(key, _)| key == "scoring.rounds") {
                settings.push(("rounds".to_owned(), OptionValue::Int(1 + dice.below(3) as i64)));
            }
            settings.push(("turn_cap".to_owned(), OptionValue::Int(*dice.pick(&[1, 20, 80, 200]))));
            // Some options exclude one another, and some leave too few cards for any table.
            if let Ok(loaded) = load_built_in(&self.name, &settings) {
                let set = Arc::new(loaded.set);
                let shown: Vec<String> = settings.iter().map(|(name, value)| format!("--set {name}={value}")).collect();
                if sizes(&set).next().is_some() {
                    return (set, format!("{} {}", self.name, shown.join(" ")));
                }
            }
        }
    }
}

/// The numbers of seats that the set provides for.
fn sizes(set: &Arc<RuleSet>) -> impl Iterator<Item = Rules> {
    (set.seats.min..=set.seats.max).filter_map(|seats| Rules::for_table(set, seats.into(), None).ok())
}

/// The set, ready for some table that it provides for.
pub(super) fn random_table(set: &Arc<RuleSet>, dice: &mut ChoiceStream<'_>) -> Arc<Rules> {
    loop {
        // Chooses small tables more often than large ones.
        let most = set.seats.max - set.seats.min + 1;
        let beyond = dice.below(most.into()).min(dice.below(most.into()));
        if let Ok(rules) = Rules::for_table(set, set.seats.min as usize + beyond, None) {
            return Arc::new(rules);
        }
    }
}

#[cfg(test)]
mod tests {
    use maumau_engine::rules::{BuiltInSet, built_in};

    use super::*;

    #[test]
    fn every_group_of_house_rules_is_allowed_by_some_set() {
        for group in HOUSE {
            let allowed = |set: &BuiltInSet| {
                let choices = Choices::of(set.name).expect("a built-in set");
                !choices.allowed(group).is_empty()
            };
            assert!(built_in().iter().any(allowed), "no set allows {group:?}");
        }
    }

    #[test]
    fn every_second_set_is_dealt_by_the_dealer_where_that_can_be_chosen() {
        for (name, possible) in [("snap", true), ("spam", true), ("skat", false), ("deluxe", false), ("basic", false)] {
            let choices = Choices::of(name).expect("a built-in set");
            for number in 0..20 {
                let (set, shown) = choices.random_set(number, &mut ChoiceStream::new(&[number]));
                let by_dealer = set.deal.by == DealtBy::Dealer;
                assert_eq!(by_dealer, possible && number % 2 == 1, "{shown}");
            }
        }
    }
}
