//! Tests that leaving out a family of rules without an effect changes nothing, in plain turns or elsewhere. They
//! compare whole games; what a rule does is tested by scenarios.

use std::sync::Arc;

use maumau_protocol::{Elapse, Say, Seat, Verb};

use crate::rules::{Features, all_sets, load_built_in, parse_setting};
use crate::{Game, PlayGround, Rules, seed_of_number};

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
        stand_ins: true,
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

#[test]
fn every_play_that_is_listed_has_a_ground_and_no_other_in_turn_has_one() {
    let mut met = std::collections::BTreeSet::new();
    let house: (&str, &[&str]) = ("basic", &["function_any=out_of_turn"]);
    for (name, settings) in all_sets().map(|set| (set.name, &[][..])).chain([house]) {
        for (number, seats) in [(1, 2), (2, 3), (3, 4)] {
            let rules = table(name, settings, seats);
            let (mut game, mut events) = (Game::new(Arc::clone(&rules), &seed_of_number(number)), Vec::new());
            for step in 0..400_usize {
                if game.is_over() {
                    break;
                }
                let Some(mover) = game.waits_for() else {
                    game.start_round(&mut events);
                    continue;
                };
                for seat in Seat::all(seats) {
                    let listed: Vec<Verb> = game.legal(seat).iter().collect();
                    for card in game.hand(seat).kinds().iter() {
                        let play = Verb::Play { card, choose: None };
                        // A twin in turn is an interjection by its word alone (P-55).
                        let say = game.words_due(seat, &play);
                        let ground = game.play_ground(seat, &play, &say);
                        let is_listed = |verb: &Verb| matches!(verb, Verb::Play { card: other, .. } if *other == card);
                        let is_legal = listed.iter().any(is_listed);
                        // Movements that have begun leave less on the list than may be played (P-78).
                        let moves = game.features.movements;
                        assert!(ground.is_some() || !is_legal, "{name} {seat:?} {card} {step}");
                        assert!(ground.is_none() || is_legal || moves, "{name} {seat:?} {card} {ground:?}");
                        met.extend(ground);
                    }
                }
                let legal = game.legal(mover);
                if legal.is_empty() {
                    game.elapse(Elapse::TurnLimit, &mut events);
                    continue;
                }
                let verb = legal.nth((step * 7 + 3) % legal.len()).expect("an action that is listed");
                game.apply_verb(mover, &verb, &Say::Nothing, game.last_event(), &mut events);
            }
        }
    }
    let missing: Vec<_> = PlayGround::ALL.into_iter().filter(|ground| !met.contains(ground)).collect();
    assert_eq!(missing, [], "these grounds were never met");
}
