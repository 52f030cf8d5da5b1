//! Tests which plays of several cards are proposed, and that the rules allow them all.

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{ChoiceStream, Game, Phase, Position, Rules, Unseen, Verdict, seed_of_number};
use maumau_protocol::ruleset::OptionValue;
use maumau_protocol::{Action, Card, Seat, Verb};

use crate::greedy::several_plays;
use crate::table::CardValues;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| Card::from_code(card).expect("a card")).collect()
}

fn rules(set: &str, options: &[(&str, &str)], seats: usize) -> Arc<Rules> {
    let option = |(name, value): &(&str, &str)| {
        let value = match *value {
            "true" => OptionValue::Bool(true),
            word => OptionValue::Text(word.to_owned()),
        };
        ((*name).to_owned(), value)
    };
    let options: Vec<(String, OptionValue)> = options.iter().map(option).collect();
    let set = Arc::new(load_built_in(set, &options).expect("a set").set);
    Arc::new(Rules::for_table(&set, seats, Some(1)).expect("a table"))
}

/// `verb` as in `5D 5C:H open`: its cards, what is named, and whether a run stays open.
fn shown(verb: &Verb) -> String {
    let Verb::PlayTogether { cards, choose, close } = verb else { return format!("{verb:?}") };
    let mut text = cards.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    if let Some(choose) = choose {
        let named = serde_json::to_value(choose).expect("JSON");
        let named = named.as_object().and_then(|named| named.values().next()).and_then(|named| named.as_str());
        text = format!("{text}:{}", named.expect("a name"));
    }
    if *close { text } else { text + " open" }
}

#[test]
fn each_card_that_can_lie_on_top_is_proposed() {
    let me = Seat::new(0).expect("a seat");
    for (set, top, hand, expected) in [
        ("makao", "9C", "9H 9S 9D 6D", "9D 9H 9S, 9D 9S 9H, 9H 9S 9D"),
        // A value named with the last jack.
        ("makao", "9H", "JH JS 6D 7D TC", "JH JS, JH JS:5, JH JS:6, JH JS:7, JH JS:8, JH JS:9, JH JS:T"),
        ("switch", "5S", "5C 6C 6H 7H 9D", "5C 6C, 5C 6C 6H, 5C 6C 6H 7H"),
        // The direction of a row holds, also round the ace; the suit named with an ace is the longest.
        ("switch", "KS", "KC AC 3H QC TH", "AC KC, AC KC QC, KC AC:H, KC QC"),
        ("waterfall", "9R", "FR 3R PR 1B", "FR 3R PR, FR 3R PR open, FR PR 3R, FR PR 3R open"),
    ] {
        let position = Position {
            hands: vec![cards(hand), cards(if set == "waterfall" { "4B 4B" } else { "4H 4S" })],
            pile: cards(top),
            draw: cards(if set == "waterfall" { "7B 8B" } else { "8S TS" }),
            ..Position::default()
        };
        let game = Game::from_position(rules(set, &[], 2), &position, &seed_of_number(1)).expect("a position");
        let table = CardValues::of(game.rules().set(), 2);
        let mut found: Vec<String> =
            several_plays(&table, &game, me, &game.legal(me), usize::MAX).iter().map(shown).collect();
        found.sort();
        let mut expected: Vec<&str> = expected.split(", ").collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{set}: {hand} on {top}");
    }
}

#[test]
fn the_rules_allow_what_is_proposed() {
    for (set, options) in [
        ("waterfall", &[][..]),
        ("makao", &[]),
        ("makao", &[("together", "three"), ("play_on", "true")]),
        ("makao", &[("all_war", "true"), ("after_word", "due")]),
        ("switch", &[]),
        ("switch", &[("counts", "all"), ("last_trick", "refused"), ("mix", "true")]),
        ("switch", &[("runs", "ranks")]),
        ("prsi", &[("together", "on")]),
    ] {
        let rules = rules(set, options, 3);
        let table = CardValues::of(rules.set(), 3);
        let mut proposed = 0;
        for number in 0..30 {
            let mut game = Game::new(Arc::clone(&rules), &seed_of_number(number));
            let mut dice = ChoiceStream::new(&[number]);
            game.deal(&mut Unseen);
            game.turn_up(&mut Unseen);
            for _ in 0..150 {
                let Some(seat) = game.waits_for().filter(|_| game.phase() == Phase::Play) else { break };
                let legal = game.legal(seat);
                let mut verbs = several_plays(&table, &game, seat, &legal, usize::MAX);
                for verb in &verbs {
                    let action = Action::from(verb.clone());
                    let verdict = game.clone().apply(seat, &action, game.last_event(), &mut Unseen);
                    assert_eq!(verdict, Verdict::Accepted, "{set} {options:?}: {verb:?} in {:?}", game.view(seat));
                }
                proposed += verbs.len();
                if verbs.is_empty() || dice.below(3) == 0 {
                    verbs = legal.iter().collect();
                }
                let action = Action::from(verbs.swap_remove(dice.below(verbs.len())));
                game.apply(seat, &action, game.last_event(), &mut Unseen);
            }
        }
        assert!(proposed > 100, "{set} {options:?}: only {proposed}");
    }
}

#[test]
fn what_could_have_been_played_too_is_known() {
    for (set, options, played, expected) in [
        ("makao", &[][..], "7H", "7C 7D 7H 7S"),
        ("makao", &[], "7H 7S", "7C 7D 7H 7S"),
        // Two at once are never allowed, and nothing is where one is the most.
        ("makao", &[("together", "three")], "7H", ""),
        ("makao", &[("together", "three")], "7H 7S", "7C 7D 7H 7S"),
        ("makao", &[("together", "off")], "7H", ""),
        ("switch", &[], "5C 6C", "6C 6D 6H 6S"),
        ("waterfall", &[], "3R", ""),
        ("waterfall", &[], "MB", ""),
    ] {
        let rules = rules(set, options, 2);
        let found = CardValues::of(rules.set(), 2).several.joining(&cards(played));
        let found: Vec<String> = found.iter().map(|card| card.to_string()).collect();
        assert_eq!(found.join(" "), expected, "{set} {options:?}: {played}");
    }
    let waterfall = rules("waterfall", &[], 2);
    let found = CardValues::of(waterfall.set(), 2).several.joining(&cards("FR"));
    assert!(cards("3R PR VR").into_iter().all(|card| found.contains(card)) && !found.contains(cards("3B")[0]));
}
