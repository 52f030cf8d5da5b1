//! Tests that leaving out a family of rules without an effect changes nothing, in plain turns or elsewhere. They
//! compare whole games; what a rule does is tested by scenarios.

use std::sync::Arc;

use maumau_protocol::{Elapse, Say};

use crate::rules::{Features, load_built_in, parse_setting};
use crate::{Game, Rules, seed_of_number};

/// The number of inputs after which an unfinished game is compared.
const MOST_INPUTS: usize = 1_000;

/// All families of rules except the closing time, since nothing else says whether a table has one.
fn all_features(rules: &Rules) -> Features {
    Features {
        choosy_cards: true,
        transparent_cards: true,
        stated_suits: true,
        out_of_turn: true,
        free_cards: true,
        interjections: true,
        orders: true,
        races: true,
        closing: rules.features.closing,
        rests: true,
        covered_hands: true,
        standing_mistakes: true,
        announcements: true,
        speech: true,
        movements: true,
        requests: true,
        exchanges: true,
        sealed_cards: true,
        turns_lost: true,
        places: rules.features.places,
        runs: true,
        challenges: true,
        counts: true,
    }
}

/// A game of random legal actions, warnings of the last card and the occasional refused action, by its events.
fn story(rules: &Arc<Rules>, number: u64, change: impl Fn(&mut Game)) -> String {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 32) as usize % bound
    };
    let (mut game, mut events) = (Game::new(Arc::clone(rules), &seed_of_number(number)), Vec::new());
    change(&mut game);
    for _ in 0..MOST_INPUTS {
        if game.is_over() {
            break;
        }
        let Some(seat) = game.waits_for() else {
            game.start_round(&mut events);
            continue;
        };
        let legal = game.legal(seat);
        if legal.is_empty() || below(100) == 0 {
            game.elapse(Elapse::Closing, &mut events);
            game.elapse(Elapse::TurnLimit, &mut events);
            continue;
        }
        let verb = legal.nth(below(legal.len())).expect("an action that is listed");
        let say = if below(4) == 0 { Say::word("mau") } else { Say::Nothing };
        let actor = if below(40) == 0 { seat.step(game.direction(), 1, rules.seats()) } else { seat };
        game.apply_verb(actor, &verb, &say, game.last_event(), &mut events);
    }
    format!("{events:?}")
}

fn table(name: &str, settings: &[&str], seats: usize) -> Arc<Rules> {
    let settings: Vec<_> = settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
    let set = Arc::new(load_built_in(name, &settings).expect("a built-in set").set);
    Arc::new(Rules::for_table(&set, seats, Some(2)).expect("a table"))
}

#[test]
fn plain_games_go_as_by_any_rules() {
    let sets: [(&str, &[&str]); 5] = [
        ("basic", &[]),
        ("basic", &["mau=called"]),
        ("skat", &[]),
        ("crazy-eights", &[]),
        ("crazy-eights", &["special_cards=true", "reshuffle=true"]),
    ];
    for (name, settings) in sets {
        for seats in [2, 4] {
            let rules = table(name, settings, seats);
            assert!(rules.features.are_plain(), "{name} is not plain, so nothing is compared");
            for number in 0..20 {
                let plain = story(&rules, number, |_| {});
                assert_eq!(plain, story(&rules, number, |game| game.is_plain = false), "{name}, game {number}");
            }
        }
    }
}

#[test]
fn families_of_rules_without_an_effect_can_be_left_out() {
    for name in ["basic", "crazy-eights", "deluxe", "skat", "snap", "spam"] {
        for seats in [2, 4] {
            let rules = table(name, &[], seats);
            for number in 0..20 {
                let left_out = story(&rules, number, |_| {});
                let all = story(&rules, number, |game| game.adopt(all_features(&rules)));
                assert_eq!(left_out, all, "{name}, game {number}");
            }
        }
    }
}
