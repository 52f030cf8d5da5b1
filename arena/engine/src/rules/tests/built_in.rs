//! Tests the built-in sets as data: that they hold with every option, can be played at every table they name, and have
//! the options their clauses name. How they play is tested by scenarios.

use std::sync::Arc;

use maumau_protocol::ruleset::{BySeats, Effect, OptionValue, RuleSet};
use serde_json::{Value, json};

use super::settings;
use crate::rules::{BuiltIn, Rules, built_in, check_resolved, family, load_built_in, load_thoroughly};

#[test]
fn every_set_holds_with_every_value_of_every_option() {
    for set in built_in().iter().chain(family()) {
        if let Err(problems) = load_thoroughly(&BuiltIn, set.name) {
            panic!("{problems}");
        }
    }
}

#[test]
fn a_resolved_set_is_held_to_what_a_file_is_held_to() {
    for set in built_in().iter().chain(family()) {
        let options = load_built_in(set.name, &[]).expect("a set").options;
        let choices =
            options.iter().flat_map(|option| option.samples().into_iter().map(|value| (option.name.clone(), value)));
        for choice in choices.map(|choice| vec![choice]).chain([vec![]]) {
            let loaded = load_built_in(set.name, &choice).expect("a set");
            assert_eq!(check_resolved(&loaded.set), Ok(()), "{} {choice:?}", set.name);
        }
    }
    let check = |name: &str, change: &dyn Fn(&mut RuleSet), expected: &str| {
        let mut set = load_built_in(name, &[]).expect("a set").set;
        change(&mut set);
        let problems = check_resolved(&set).expect_err(expected).to_string();
        assert_eq!(problems, format!("rules: {expected}"));
    };
    check(
        "basic",
        &|set| set.scoring.rounds = 10_001,
        "scoring.rounds: expected a whole number from 0 to 10000, found 10001",
    );
    check(
        "basic",
        &|set| set.deck.packs = BySeats::All(200),
        "deck.packs: expected a whole number from 1 to 8, found 200",
    );
    check("basic", &|set| set.seats.min = 1, "seats.min: expected a whole number from 2 to 16, found 1");
    check("basic", &|set| set.about = "x".repeat(2001), "about: a text has at most 2000 characters");
    check("basic", &|set| set.title.clear(), "title: expected a title of 1 to 100 characters");
    let effect = |set: &RuleSet| set.effects.values().next().expect("an effect").clone();
    check(
        "basic",
        &|set| _ = set.effects.insert("\n".to_owned(), effect(set)),
        "effects: \"\\n\" is no key: letters, digits, - and _, at most 64",
    );
    check(
        "basic",
        &|set| set.effects.extend((0..65).map(|i| (format!("e{i}"), Effect::default()))),
        "effects: 72 effects are too many: at most 64",
    );
}

#[test]
fn every_set_can_be_played_at_every_table_that_it_names() {
    for (name, low, high) in [("basic", 2, 10), ("deluxe", 2, 7), ("skat", 2, 8), ("snap", 2, 16)] {
        let set = Arc::new(load_built_in(name, &[]).expect("a set").set);
        for seats in 1..=16 {
            assert_eq!(Rules::for_table(&set, seats, None).is_ok(), (low..=high).contains(&seats), "{name} {seats}");
        }
    }
}

#[test]
fn a_choice_is_in_the_rules_and_in_the_record() {
    let check = |name: &str, set: &[&str], pointer: &str, value: Value| {
        let loaded = load_built_in(name, &settings(set)).unwrap_or_else(|problems| panic!("{set:?}: {problems}"));
        let json = serde_json::to_value(&loaded.set).expect("json");
        assert_eq!(json.pointer(pointer).unwrap_or(&Value::Null), &value, "{name} {set:?} {pointer}");
    };
    check("basic", &[], "/options/deck", json!(32));
    check("basic", &["deck=52"], "/options/deck", json!(52));
    check("basic", &["deck=52"], "/deck/cards", json!("2 3 4 5 6 7 8 9 T J Q K A"));
    check("basic", &["deck=\"52\""], "/options/deck", json!(52));
    check("basic", &["packs=2"], "/deck/packs", json!(2));
    check("basic", &["packs=1"], "/deck/packs", json!([{ "seats": [2, 5], "is": 1 }]));
    check("basic", &["again_ranks=A"], "/effects/again/cards", json!("A"));
    check("basic", &["again_ranks=9"], "/effects/again/cards", json!("9"));
    check("basic", &["again_ranks=A,9"], "/effects/again/cards", json!("9 A"));
    check("basic", &["again_ranks="], "/effects/again/cards", json!(""));
    check("basic", &["play_after_draw=true"], "/turn/after_draw", json!("drawn_card"));
    check("basic", &["kh_chooses=true"], "/effects/wish_of_king_of_hearts/off", Value::Null);
    check("basic", &["function_any=own_turn"], "/effects/function_cards/out_of_turn", Value::Null);
    check("basic", &["function_any=out_of_turn"], "/effects/function_cards/out_of_turn", json!(true));
    check("basic", &["mau=called"], "/duties/mau/if_missing", json!("called"));
    check("basic", &["mau=called", "strict=true"], "/duties/mau/if_missing", json!("charged"));
    check("basic", &["mau=called", "strict=true"], "/options/mau", json!("called"));
    check("basic", &["strict=true"], "/options/mau", json!("referee"));
    check("skat", &["strict=true"], "/duties/mau/if_missing", json!("bars_last_card"));
    check("basic", &["first_card=effect"], "/deal/first_card", json!("effect"));
    check("basic", &["jack_last=forbidden"], "/effects/jack/never_last", json!(true));
    let misplay = |cards: u8, ends_turn: bool| json!({ "cards": cards, "ends_turn": ends_turn, "debt": "taken" });
    check("basic", &["misplay=0"], "/prices/misplay", misplay(0, false));
    check("basic", &["misplay=4"], "/prices/misplay", misplay(4, true));
    check("skat", &["deal=by_players"], "/deal/cards/0/is", json!(7));
    check("skat", &["extra_rules=on"], "/effects/ten/seats", json!([2, 16]));
    check("skat", &["extra_rules=off"], "/effects/ten/off", json!(true));
    check("skat", &["match=wins"], "/scoring/decides", json!("rounds_won"));
    check("skat", &["king_points=4"], "/scoring/points/K", json!(4));
    check("skat", &["every_victim_may_answer=true"], "/effects/eight/skip/every_victim_may_answer", json!(true));
    check("skat", &["seven_replaces_draw=true"], "/turn/owed_counts_as_draw", json!(true));
    check("skat", &["last_card_effects=draw_first"], "/ending/last_card_effects", json!("draw_first"));
    check("skat", &["mau_any_time=true"], "/duties/mau/any_time", json!(true));
    check("skat", &["kh_ends_turn=true"], "/effects/king_of_hearts/owe/then", json!("turn_over"));
    check("skat", &["rounds=7"], "/scoring/rounds", json!(7));
    check("skat", &["next_dealer=winner"], "/deal/next_dealer", json!("winner"));
    check("skat", &["shortage=top_card"], "/turn/shortage", json!("top_card"));
    check("skat", &["slow_cards=0"], "/prices/slow_cards", json!(0));
    check("skat", &["max_refusals=5"], "/turn/max_refusals", json!(5));
    check("skat", &["max_strikes=1"], "/turn/max_strikes", json!(1));
    check("skat", &["turn_cap=50"], "/turn/cap", json!(50));
    check("deluxe", &["deck=32"], "/deck/cards/0/seats", json!([2, 4]));
    check("deluxe", &["deck=52"], "/deck/cards", json!("2 3 4 5 6 7 8 9 T J Q K A"));
    check("deluxe", &["first_card=effect"], "/deal/first_card", json!("effect"));
    check("deluxe", &["debt=negative"], "/scoring/debt", json!("negative"));
    check("deluxe", &["tie=extra_round"], "/scoring/tie", json!("extra_round"));
    check("deluxe", &["mau_notice=referee"], "/duties/mau/if_missing", json!("charged"));
    check("deluxe", &["strict=true"], "/duties/mau/if_missing", json!("charged"));
    check("deluxe", &["debt_after_wrong=passes"], "/prices/misplay/debt", json!("passes"));
    check("deluxe", &["jack_wild=true"], "/effects/jack/any_time", json!(true));
    check("deluxe", &["request_ends=lap"], "/effects/jack/request/ends", json!("lap"));
    check("deluxe", &["request_ends=lap"], "/effects/queen/request/ends", json!("lap"));
    check("deluxe", &["ace_strict=true"], "/turn/again_may_draw", json!(false));
    check("deluxe", &["per_card_draw=true"], "/turn/owed_one_by_one", json!(true));
    check("deluxe", &["last_special=natural"], "/effects/last_special/off", Value::Null);
    check("deluxe", &["last_special=natural"], "/effects/last_special/last_costs", json!(true));
    check("deluxe", &["next_dealer=winner"], "/deal/next_dealer", json!("winner"));
    check("snap", &["decks=1"], "/deck/packs", json!(1));
    check("snap", &[], "/deck/packs/3", json!({ "seats": [16, 16], "is": 5 }));
    check("snap", &["points=count"], "/scoring/points/A", json!(1));
    check("snap", &["slow=called"], "/calls/slow", json!("seats"));
    check("snap", &["illegal=stands"], "/prices/illegal", json!("stands"));
    check("snap", &["false_call_costs=true"], "/calls/false_call", json!("cards"));
    check("snap", &["mau_mau_double=true"], "/duties/mau_mau/double", json!(true));
    check("snap", &["musts=auto"], "/turn/musts_at_once", json!(true));
    check("snap", &["three_two_players=ignored"], "/effects/three/seats", json!([3, 16]));
    check("snap", &["inturn_free_finish=win"], "/ending/free_card_wins_in_turn", json!(true));
    check("snap", &["dealing=dealer"], "/deal/by", json!("dealer"));
    check("snap", &["absent_limits=5"], "/turn/absent_limits", json!(5));
    check("snap", &["strict=true"], "/calls/notice", json!("referee"));
    check("snap", &[], "/prices/slow_cards", json!(0));
}

#[test]
fn every_set_has_the_options_that_its_clauses_name() {
    let common = ["max_refusals", "max_strikes", "rounds", "shortage", "strict", "turn_cap"];
    // Snap has its own rules about slowness and the next dealer (N-108, N-124).
    let slow_and_dealer = ["next_dealer", "slow_cards"];
    let own: [(&str, &[&str]); 4] = [
        (
            "basic",
            &[
                "deck",
                "packs",
                "again_ranks",
                "play_after_draw",
                "kh_chooses",
                "function_any",
                "mau",
                "first_card",
                "jack_last",
                "misplay",
            ],
        ),
        (
            "deluxe",
            &[
                "deck",
                "first_card",
                "debt",
                "tie",
                "mau_notice",
                "debt_after_wrong",
                "jack_wild",
                "request_ends",
                "ace_strict",
                "per_card_draw",
                "last_special",
            ],
        ),
        (
            "snap",
            &[
                "absent_limits",
                "decks",
                "points",
                "slow",
                "illegal",
                "false_call_costs",
                "mau_mau_double",
                "musts",
                "three_two_players",
                "inturn_free_finish",
                "dealing",
            ],
        ),
        (
            "skat",
            &[
                "deal",
                "extra_rules",
                "jack_last",
                "match",
                "king_points",
                "every_victim_may_answer",
                "seven_replaces_draw",
                "last_card_effects",
                "mau_any_time",
                "kh_ends_turn",
                "misplay",
            ],
        ),
    ];
    for (name, own) in own {
        let loaded = load_built_in(name, &[]).expect("a set");
        let mut expected: Vec<&str> = common.iter().chain(own).copied().collect();
        if name != "snap" {
            expected.extend(slow_and_dealer);
        }
        expected.sort_unstable();
        assert_eq!(loaded.set.options.keys().collect::<Vec<_>>(), expected, "{name}");
        for option in &loaded.options {
            assert_eq!(loaded.set.options[&option.name], option.default, "{name} {}", option.name);
            assert_ne!(option.default, OptionValue::Text("custom".to_owned()));
        }
    }
}

#[test]
fn a_resolved_set_reads_back_from_json() {
    for set in built_in() {
        let set = load_built_in(set.name, &[]).expect("a set").set;
        let json = serde_json::to_value(&set).expect("json");
        assert_eq!(serde_json::from_value::<RuleSet>(json).expect("a rule set"), set);
    }
}
