//! Tests the bots' answers in given positions. No game is played and no line is read; `tests/e2e` plays games.

use std::collections::BTreeSet;

use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Verb};
use maumau_sdk::Agent;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{BotRunError, First, Greedy, NAMES, Random, SearchOptions, player, player_with, run};

fn parsed<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("well formed")
}

fn start(seed: u64, rules: Option<Value>) -> Start {
    let time = json!({"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000});
    parsed(json!({"game": "g", "seat": 0, "names": ["a", "b", "c"], "rule_set": "x", "rules": rules, "rounds": 1,
        "time": time, "max_strikes": 3, "commitment": "0", "seed": format!("{seed:016x}")}))
}

fn with_effects(points: Value, effects: Value) -> Option<Value> {
    Some(json!({"format": 1, "name": "x", "title": "x", "seats": {"min": 2, "max": 8}, "deck": {"cards": "2-A"},
        "deal": {"cards": 5}, "scoring": {"points": points}, "effects": effects}))
}

/// Effects and points as in the games that name a suit.
fn rules(points: Value, jack_may_be_last: bool) -> Option<Value> {
    let then = "turn_over";
    with_effects(
        points,
        json!({
        "seven": {"cards": "7", "owe": {"cards": 2, "kind": "7", "answers": "7", "then": then}},
        "eight": {"cards": "8", "skip": {}},
        "ace": {"cards": "A", "again": "may"},
        "jack": {"cards": "J", "any_time": true, "choose_suit": "may", "never_last": !jack_may_be_last},
        "ten_at_large_tables": {"cards": "T", "seats": [4, 16], "any_time": true},
        "king_switched_off": {"cards": "K", "off": true, "any_time": true}}),
    )
}

/// Requests, cards that go from hand to hand, and free cards.
fn rare_effects() -> Option<Value> {
    with_effects(
        json!({}),
        json!({
        "jack": {"cards": "J", "request": {"names": "rank", "unheld_costs": 5, "ends": "lap"}, "never_last": true},
        "eight": {"cards": "8", "skip": {"answers": "8", "threat": true}},
        "ace": {"cards": "A", "take": "from_player"},
        "ten": {"cards": "T", "take": "from_next"},
        "king": {"cards": "K", "free_on": "Q"}}),
    )
}

/// Actions as texts: `7H`, `JS:D` with a suit or value named, `choose:D`, `6C:1` with a seat chosen, otherwise the verb; after `+` a word that is due.
fn action(text: &str) -> Action {
    let named = |name: &str| match name.parse::<u8>() {
        Ok(seat @ 0..=2) => json!({"seat": seat}),
        _ => json!({if "CDHS".contains(name) { "suit" } else { "rank" }: name}),
    };
    let (text, word) = text.split_once('+').unwrap_or((text, ""));
    let mut value = match text.split_once(':') {
        Some(("choose", suit)) => json!({"do": "choose", "suit": suit}),
        Some((card, name)) => json!({"do": "play", "card": card, "choose": named(name)}),
        None if text.len() == 2 => json!({"do": "play", "card": text}),
        None => json!({"do": text, "against": 1, "fault": "no_mau", "at": 1, "from": 1, "for": "draw", "to": [1],
            "text": "x"}),
    };
    if !word.is_empty() {
        value["say"] = json!([word]);
    }
    parsed(value)
}

fn ask(what: &str, hand: &str, others: [u16; 2], legal: &str) -> Ask {
    let hand: Vec<&str> = hand.split_whitespace().collect();
    let view = json!({"hand": hand, "top": "QC", "hands": [hand.len(), others[0], others[1]],
        "draw_pile": 20});
    let mut ask: Ask = parsed(json!({"game": "g", "id": "0000000000000001", "seat": 0, "what": what, "time_ms": 5000,
        "as_of": 3, "view": view}));
    ask.legal = legal.split_whitespace().map(action).collect();
    ask
}

const SCORED: fn() -> Option<Value> =
    || rules(json!({"J": 20, "A": 11, "T": 10, "9": 9, "8": 8, "7": 7, "K": 3, "Q": 3}), true);
const COUNTED: fn() -> Option<Value> = || rules(json!({}), true);

#[test]
fn greedy_takes_what_looks_best() {
    for (rules, what, hand, others, legal, best) in [
        // Plays rather than draws or passes, whatever it has to play.
        (COUNTED(), "turn", "QC 9D 9S", [5, 5], "draw QC", "QC"),
        (COUNTED(), "turn", "JC 9D 9S", [5, 5], "draw pass JC:C JC:D", "JC:D"),
        (COUNTED(), "turn", "9D 9S 9H", [5, 5], "draw", "draw"),
        (COUNTED(), "turn", "9D 9S 9H", [5, 5], "draw pass", "pass"),
        // Wins if it can, even with a jack.
        (SCORED(), "turn", "JC", [5, 5], "draw JC:C", "JC:C"),
        (COUNTED(), "react", "JC", [5, 5], "wait JC:C", "JC:C"),
        // Keeps jacks, unless they would soon count against it because a seat is nearly out.
        (SCORED(), "turn", "JC QC 9D", [5, 5], "JC:C JC:D QC draw", "QC"),
        (SCORED(), "turn", "JC QC 9D TD", [5, 1], "JC:C JC:D QC draw", "JC:D"),
        (COUNTED(), "turn", "JC QC 9D", [5, 1], "JC:C JC:D QC draw", "QC"),
        // A jack that may not be the last card goes before it must.
        (rules(json!({}), false), "turn", "JC QC", [5, 5], "QC JC:C", "JC:C"),
        // Expensive cards first.
        (SCORED(), "turn", "9C TC QD", [5, 5], "9C TC draw", "TC"),
        // Attacks, especially when the next seat is nearly out.
        (COUNTED(), "turn", "9C 7C QD", [5, 5], "9C 7C draw", "7C"),
        (SCORED(), "turn", "TC 8C AD", [5, 5], "TC 8C", "8C"),
        (SCORED(), "turn", "AC 7C 9D", [2, 5], "AC 7C", "7C"),
        (SCORED(), "turn", "AC 7C 9D", [5, 2], "AC 7C", "AC"),
        // An ace is worth more where another card can follow it.
        (COUNTED(), "turn", "AC KC AD KD", [5, 5], "KC AC", "AC"),
        // Names the suit of which it holds most, not counting jacks and the card it plays.
        (COUNTED(), "turn", "JD JC 9H QH 9S", [5, 5], "JD:C JD:D JD:H JD:S", "JD:H"),
        (COUNTED(), "choose", "JD JC 9H QH 9S", [5, 5], "choose:C choose:D choose:H choose:S", "choose:H"),
        // Between turns it plays whatever card it may.
        (COUNTED(), "react", "JD 9C QC", [5, 5], "wait JD:C", "JD:C"),
        (COUNTED(), "react", "JD 9C QC", [5, 5], "wait 9C", "9C"),
        // Tens fit anything at larger tables only; kings do not at all.
        (COUNTED(), "turn", "TC 9D TS", [5, 5], "9D TC", "TC"),
        (COUNTED(), "turn", "KC 9D KS", [5, 5], "9D KC", "KC"),
        // Requests what it holds, and would rather draw than request anything else.
        (rare_effects(), "turn", "JC 9D 9S 8D", [5, 5], "JC:8 JC:9 JC:K draw", "JC:9"),
        (rare_effects(), "turn", "JC 9D 9S", [5, 5], "JC:8 JC:K draw", "draw"),
        // Sheds cards that may not be the last one while it has others.
        (rare_effects(), "turn", "9C TC JC", [5, 5], "9C TC JC:9", "JC:9"),
        // Does as it is ordered, and answers what it can.
        (rare_effects(), "react", "9C KC", [5, 5], "wait KC take", "take"),
        (rare_effects(), "react", "9C 8C", [5, 5], "wait 8C+mau pass", "8C+mau"),
        // Gives rather than takes, and plays free cards first of all.
        (rare_effects(), "turn", "9C TC AC", [5, 5], "9C TC AC", "AC"),
        (rare_effects(), "turn", "9C KC 8C", [5, 5], "9C KC 8C", "KC"),
        // Calls before it does anything else.
        (COUNTED(), "turn", "9C QC", [5, 5], "QC call draw", "call"),
        (COUNTED(), "react", "QC", [5, 5], "call wait QC", "call"),
        // Says the words it owes rather than wait.
        (COUNTED(), "react", "QC", [5, 5], "wait say", "say"),
        // For actions that it does not rate: the first legal one.
        (COUNTED(), "deal", "", [0, 0], "deal turn_up", "deal"),
        (COUNTED(), "turn", "9C QC", [5, 5], "glare reach", "glare"),
    ] {
        let legal: Vec<&str> = legal.split(' ').collect();
        let ask = ask(what, hand, others, &legal.join(" "));
        assert_eq!(Greedy::new(&start(1, rules)).choose(&ask), action(best), "{hand} with {legal:?}");
    }
}

/// Several cards at once (G-40, G-73): all that go with a card, with the word for the card that is left.
#[test]
fn greedy_plays_all_cards_that_go_together() {
    for (rules, hand, pending, legal, cards, word) in [
        ("makao", "9H 9S 5D 6C 8C", json!({}), "5D 9H draw", "9H 9S", None),
        ("makao", "9H 9S 5D", json!({}), "5D 9H draw", "9H 9S", Some("makao")),
        // An owed card is answered by one.
        ("makao", "2H 2S 5D", json!({"draw": 2}), "2H draw", "2H", None),
        // The card that acts comes last, one that asks for a further card before it.
        ("waterfall", "FR 3R PR MR 5B 6B", json!({}), "3R FR PR draw", "FR MR 3R PR", None),
        ("waterfall", "WF 3R 5R 1B", json!({}), "WF draw", "WF 3R 5R", Some("last card")),
        ("waterfall", "3R 5R 1B 4B", json!({}), "3R draw", "3R", None),
        ("waterfall", "3R 5R 1B 4B", json!({"run": {"suit": "R", "by": 1}}), "3R draw", "3R 5R", None),
        // A more does not win as the last card.
        ("waterfall", "FR MR", json!({}), "FR MR draw", "MR", None),
    ] {
        let mut ask = ask("turn", hand, [5, 5], legal);
        let view = ask.view.as_mut().expect("a view");
        view.turn = Some(ask.seat);
        view.top = maumau_protocol::Card::from_code(if rules == "makao" { "QC" } else { "9R" });
        view.pending = parsed(pending);
        let rules = maumau_engine::rules::load_built_in(rules, &[]).expect("a set").set;
        let rules = Some(serde_json::to_value(&rules).expect("JSON"));
        let cards: Vec<&str> = cards.split(' ').collect();
        let mut best = json!({"do": "play", "cards": cards});
        if let Some(word) = word {
            best["say"] = json!([word]);
        }
        assert_eq!(Greedy::new(&start(1, rules)).choose(&ask), parsed::<Action>(best), "{hand}");
    }
}

/// Something that falls on a chosen seat (G-59).
#[test]
fn greedy_chooses_the_seat_with_the_fewest_cards() {
    let rules = with_effects(
        json!({}),
        json!({
        "six": {"cards": "6", "draw": {"cards": 1, "who": "chosen"}},
        "jack": {"cards": "J", "hands": "swap_chosen"}}),
    );
    for (hand, others, legal, best) in [
        ("6C 9D 9S", [5, 4], "6C:1 6C:2 draw", "6C:2"),
        ("JC 9D 9S TH 8S KD", [5, 3], "9C JC:1 JC:2 draw", "JC:2"),
        // It keeps a small hand.
        ("JC 9C 9S", [5, 3], "9C JC:1 JC:2 draw", "9C"),
    ] {
        let ask = ask("turn", hand, others, legal);
        assert_eq!(Greedy::new(&start(1, rules.clone())).choose(&ask), action(best), "{hand}");
    }
}

#[test]
fn greedy_names_the_longest_suit_without_rules_too() {
    let ask = ask("turn", "JD JC 9H QH 9S", [5, 5], "JD:C JD:D JD:H JD:S");
    assert_eq!(Greedy::new(&start(1, None)).choose(&ask), action("JD:H"));
}

#[test]
fn greedy_keeps_debts_that_nobody_can_pay() {
    // Two bots that play sevens or nines on each other with an empty draw pile would never stop.
    let mut ask = ask("turn", "7C 9C QD", [5, 5], "7C 9C draw");
    let mut bot = Greedy::new(&start(1, COUNTED()));
    assert_eq!(bot.choose(&ask), action("7C"));
    ask.view.as_mut().expect("a view").draw_pile = 3;
    assert_eq!(bot.choose(&ask), action("9C"));
}

#[test]
fn greedy_binds_nobody_to_a_value_while_it_can_draw() {
    let mut ask = ask("turn", "JC 9D 9S", [5, 5], "JC:9 draw");
    let rules = with_effects(json!({}), json!({"jack": {"cards": "J", "request": {"names": "rank"}}}));
    let mut bot = Greedy::new(&start(1, rules));
    assert_eq!(bot.choose(&ask), action("draw"));
    ask.view.as_mut().expect("a view").draw_pile = 0;
    assert_eq!(bot.choose(&ask), action("JC:9"));
}

/// A card that only a hand without its suit may play, after which cards are owed (G-67).
#[test]
fn greedy_challenges_whom_another_seat_hurried() {
    // Seat 2 played it, to whom seats 0 and 1 were the others.
    for (hands, best) in [([5, 5], "draw"), ([5, 1], "draw"), ([1, 5], "challenge")] {
        let ask = ask("turn", "7C 9C QD", hands, "draw challenge");
        assert_eq!(Greedy::new(&start(1, None)).choose(&ask), action(best), "{hands:?}");
    }
    let last_but_one = ask("turn", "7C", [5, 5], "draw challenge");
    assert_eq!(Greedy::new(&start(1, None)).choose(&last_but_one), action("challenge"));
}

#[test]
fn greedy_reads_the_rules_that_are_added() {
    let mut start = start(1, rules(json!({}), true));
    let set = start.rules.as_mut().expect("rules");
    let menu = json!({"offer": 0, "add": {"kings": {"about": "Kings fit anything.", "rules": {"effects": {"king": {"cards": "K", "any_time": true}}}}}});
    std::sync::Arc::make_mut(set).menu = parsed(menu);
    let mut ask = ask("turn", "KC 9D QC", [5, 5], "KC 9D");
    let mut bot = Greedy::new(&start);
    assert_eq!(bot.choose(&ask), action("KC"));
    ask.view.as_mut().expect("a view").rules = vec!["kings".try_into().expect("a name")];
    assert_eq!(bot.choose(&ask), action("9D"), "a king that fits anything is kept");
}

#[test]
fn first_takes_the_first() {
    let ask = ask("turn", "9C QC 7D", [5, 5], "draw 9C");
    assert_eq!(First.choose(&ask), Verb::Draw.into());
}

#[test]
fn random_reaches_every_legal_action_and_follows_its_seed() {
    let ask = ask("turn", "9C QC 7D", [5, 5], "9C QC draw pass");
    let play = |seed| {
        let mut bot = Random::new(&start(seed, None));
        (0..100).map(|_| bot.choose(&ask).verb.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
    let names: BTreeSet<String> = play(1).into_iter().collect();
    assert_eq!(names, ["draw", "pass", "play"].map(String::from).into());
}

#[test]
fn random_draws_the_card_before_the_suit() {
    let ask = ask("turn", "9C JC 7D", [5, 5], "JC JC:C JC:D JC:H JC:S draw");
    let mut bot = Random::new(&start(1, None));
    let chosen: Vec<Action> = (0..1_000).map(|_| bot.choose(&ask)).collect();
    let count = |wanted: &str| chosen.iter().filter(|chosen| **chosen == action(wanted)).count();
    assert!((440..560).contains(&count("draw")), "{}", count("draw"));
    assert!((60..140).contains(&count("JC:H")), "{}", count("JC:H"));
}

#[test]
fn every_bot_answers_from_legal_alone_and_says_what_stands_there() {
    let everything = Verb::NAMES.into_iter().filter(|name| !matches!(*name, "play" | "choose"));
    let legal = format!("{} 9C+mau JD:H+snap choose:S", everything.collect::<Vec<_>>().join(" "));
    for rules in [None, SCORED(), COUNTED()] {
        let start = start(3, rules);
        let bots = NAMES.iter().filter(|(name, _)| *name != "clown");
        let bots = bots.map(|(name, _)| player(name, &start).expect("a built-in bot"));
        for mut bot in bots {
            for what in ["turn", "react", "choose", "deal"] {
                for hand in ["9C JD", "9C JD 8S"] {
                    let mut ask = ask(what, hand, [1, 5], &legal);
                    for _ in 0..ask.legal.len() {
                        assert!(ask.legal.contains(&bot.choose(&ask)), "{what} with {hand}");
                        ask.legal.rotate_left(1);
                    }
                    ask.view = None;
                    assert!(ask.legal.contains(&bot.choose(&ask)), "{what} without a view");
                    ask.legal.clear();
                    assert!(matches!(bot.choose(&ask).verb, Verb::Draw | Verb::Wait), "{what} without a list");
                }
            }
        }
    }
}

#[test]
fn the_controls_draw_and_break_the_rules_whenever_they_can() {
    let [mut drawer, mut clown] = ["drawer", "clown"].map(|name| player(name, &start(1, None)).expect("a control"));
    let first = |listed: &str| action(listed.split(' ').next().expect("an action"));
    for (what, hand, listed, drawn, broken) in [
        ("turn", "9C 8S JD", "9C JD draw", "draw", Some("8S")),
        ("turn", "9C JD", "9C JD draw", "draw", None),
        ("turn", "9C 8S", "9C pass", "9C", Some("8S")),
        ("react", "9C 8S", "9C wait", "9C", None),
        ("react", "9C 8S", "9C draw wait", "draw", None),
        ("choose", "9C 8S", "choose:C choose:D", "choose:C", None),
    ] {
        let ask = ask(what, hand, [3, 5], listed);
        assert_eq!(drawer.choose(&ask), action(drawn), "{what} with {hand}: {listed}");
        assert_eq!(clown.choose(&ask), broken.map_or_else(|| first(listed), action), "{what} with {hand}: {listed}");
    }
}

#[test]
fn an_unknown_bot_is_refused_by_its_name() {
    let error = run("clever", Some(1), SearchOptions::default(), false).expect_err("no such bot");
    assert!(matches!(error, BotRunError::UnknownName { .. }));
    assert_eq!(error.exit_status(), 2);
    assert!(error.to_string().contains("\"clever\""), "{error}");
}

#[test]
fn only_bots_that_think_ahead_take_its_settings() {
    let start = start(1, None);
    let options = |simulations, no_inference| SearchOptions { simulations, no_inference };
    for (name, options, refused) in [
        ("sample", options(Some(10), false), None),
        ("ismcts", options(Some(10), false), None),
        ("search", options(Some(10), true), None),
        ("sample", options(None, true), Some("--no-inference")),
        ("ismcts", options(None, true), Some("--no-inference")),
        ("greedy", options(Some(10), false), Some("--simulations")),
        ("careful", options(None, true), Some("--no-inference")),
    ] {
        let error = player_with(name, &start, options).err().map(|error| error.to_string());
        assert_eq!(error.is_some(), refused.is_some(), "{name}: {error:?}");
        assert!(refused.is_none_or(|setting| error.is_some_and(|error| error.contains(setting))), "{name}");
    }
}
