//! Tests what a person's seat learns that it can do, from scripted messages. No client and no arena takes part.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{all_sets, load_built_in};
use maumau_protocol::message::{ArenaMessage, AskId, ClockMode};
use maumau_protocol::{Card, CardSet, Choice, RuleFault, Seat, Suit, Verb, wire};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;
use maumau_referee::story::{Line, SeatStoryWriter, frames};
use serde_json::{Value, json};

use super::{PersonGame, PersonNews, PlayCost, When, ready};

fn message(value: Value) -> ArenaMessage {
    wire::read_arena_line(&value.to_string()).expect("a message").expect("a known one")
}

fn start() -> Value {
    let time = json!({"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000});
    json!({"type": "start", "game": "g", "seat": 0, "names": ["me", "b", "c"], "rule_set": "x", "rounds": 1, "time": time,
        "max_strikes": 3, "commitment": "0", "seed": "00"})
}

fn ask(id: u64, what: &str, events: Value, legal: Value) -> Value {
    let view = json!({"hand": ["7H", "8S", "JC"], "top": "7C", "hands": [3, 1, 4], "turn": 0, "draw_pile": 9});
    json!({"type": "ask", "game": "g", "id": format!("{id:016x}"), "seat": 0, "what": what, "time_ms": 5000, "as_of": 3,
        "events": events, "view": view, "legal": legal})
}

fn at(clock: ClockMode, messages: &[Value]) -> PersonGame {
    let mut table = PersonGame::new(clock);
    messages.iter().zip(1..).for_each(|(value, count)| _ = table.hear(message(value.clone()), 1_000 * count));
    table
}

fn card(code: &str) -> Card {
    Card::from_code(code).expect("a card")
}

fn turn() -> Value {
    json!([
        {"do": "play", "card": "7H", "say": ["mau"]},
        {"do": "play", "card": "JC"},
        {"do": "play", "card": "JC", "choose": {"suit": "S"}, "say": ["mau", "spades"]},
        {"do": "draw"}
    ])
}

#[test]
fn a_turn_lifts_legal_cards_and_offers_words_that_nobody_says_for_the_person() {
    let mut table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    assert!(table.must_move());
    let choices: Vec<_> = table.hand().into_iter().map(|held| (held.card, held.choices)).collect();
    let spades = Some(Choice::Suit(Suit::Spades));
    assert_eq!(choices, [(card("JC"), vec![None, spades]), (card("7H"), vec![None]), (card("8S"), vec![])]);
    assert_eq!(table.moves(), [Verb::Draw]);
    let words = table.words();
    let due: Vec<_> = words.iter().map(|word| (word.text.as_str(), word.when)).collect();
    let both = CardSet::of(card("7H")).union(CardSet::of(card("JC")));
    assert_eq!(due, [("mau", When::With(both)), ("spades", When::With(CardSet::of(card("JC"))))]);

    let silent = table.play(card("7H"), None).expect("held");
    assert!(silent.say.is_silent());
    table.toggle(&words[0].text);
    assert!(table.words()[0].is_chosen);
    let act = table.play(card("7H"), None).and_then(|action| table.answer(action)).expect("an answer");
    assert_eq!((act.id, act.action.say.texts()[0].as_str()), (AskId(7), "mau"));
    assert!(table.tongue().is_empty());
    assert!(!table.must_move() && table.answer(Verb::Draw.into()).is_none(), "an ask is answered once");
}

#[test]
fn any_card_of_the_hand_may_be_tried_and_no_other() {
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    assert!(table.play(card("8S"), None).is_some(), "the referee judges it");
    assert!(table.play(card("9S"), None).is_none());
}

#[test]
fn on_the_live_clock_a_choice_is_judged_by_what_was_shown_when_it_was_made() {
    let legal = || json!([{"do": "play", "card": "7H"}]);
    let asks = [start(), ask(7, "react", json!([]), legal()), ask(8, "react", json!([]), legal())];
    for (clock, seen, answered) in [
        (ClockMode::Live, Some(7), 7),
        (ClockMode::Live, Some(8), 8),
        (ClockMode::Live, Some(9), 8),
        (ClockMode::Live, None, 8),
        (ClockMode::Lockstep, Some(7), 8),
    ] {
        let mut table = at(clock, &asks);
        let action = table.play(card("7H"), None).expect("held");
        let act = table.answer_having_seen(action, seen.map(AskId)).expect("an answer");
        assert_eq!(act.id, AskId(answered), "{clock:?}, {seen:?}");
    }
    let mut again = at(ClockMode::Live, &asks);
    again.hear(message(start()), 9_000);
    again.hear(message(ask(9, "react", json!([]), legal())), 9_000);
    let action = again.play(card("7H"), None).expect("held");
    assert_eq!(again.answer_having_seen(action, Some(AskId(8))).expect("an answer").id, AskId(9), "another game");
}

#[test]
fn a_fault_that_leaves_the_ask_open_may_be_mended() {
    let mut table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    table.answer(Verb::Draw.into()).expect("an answer");
    let fault = |id: u64, open: bool| {
        message(json!({"type": "fault", "game": "g", "id": format!("{id:016x}"), "fault": "wrong_card", "message": "m",
            "clause": "B-36", "cards": 2, "strikes": 0, "open": open}))
    };
    assert!(matches!(&table.hear(fault(7, false), 0)[..], [PersonNews::Fault(fault)] if fault.clause == "B-36"));
    let late = message(
        json!({"type": "fault", "game": "g", "fault": "interrupted", "message": "m", "clause": "G-03", "cards": 0,
        "strikes": 0, "open": false}),
    );
    assert_eq!(table.hear(late, 0).len(), 0, "an event says it to all");
    assert!(!table.must_move());
    table.hear(fault(6, true), 0);
    assert!(!table.must_move(), "another ask");
    table.hear(fault(7, true), 0);
    assert!(table.must_move());
}

#[test]
fn in_lockstep_nothing_is_waited_for_where_nothing_can_be_done() {
    let wait = json!([{"do": "wait"}]);
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "react", json!([]), wait.clone())]);
    assert_eq!(table.idle(), Some(Verb::Wait.into()));
    let some = json!([{"do": "say", "text": "mau"}, {"do": "call", "against": 1, "fault": "no_mau"}, {"do": "wait"}]);
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "react", json!([]), some.clone())]);
    assert_eq!(table.idle(), None);
    assert!(table.may_decline() && table.may_interject());
    assert_eq!(table.words()[0].when, When::Now);
    let calls: Vec<_> = table.calls().into_iter().map(|(seat, fault)| (seat.index(), fault)).collect();
    assert_eq!(calls.iter().map(|(seat, fault)| (*seat, fault.as_str())).collect::<Vec<_>>(), [(1, "no_mau")]);
    let live = at(ClockMode::Live, &[start(), ask(7, "react", json!([]), wait)]);
    assert!(live.idle().is_none() && !live.may_decline() && !live.may_interject());
}

#[test]
fn what_is_owed_comes_first() {
    let legal = json!([{"do": "play", "card": "7H"}, {"do": "draw"}, {"do": "take", "from": 1}]);
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), legal)]);
    assert_eq!(table.owed_take().map(Seat::index), Some(1));
    assert!(matches!(table.moves()[..], [Verb::Take { .. }, Verb::Draw]), "{:?}", table.moves());
    assert_eq!(at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]).owed_take(), None);
}

#[test]
fn a_suit_that_anybody_may_state_is_offered_to_everybody() {
    let open = |turn: u8, what: &str| {
        let mut ask = ask(7, what, json!([]), json!([{"do": "draw"}]));
        ask["view"]["pending"] = json!({"suit_open": true});
        ask["view"]["turn"] = json!(turn);
        at(ClockMode::Live, &[start(), ask]).moves()
    };
    let chosen = open(0, "turn");
    assert_eq!(chosen[1..], Suit::ALL.map(|suit| Verb::Choose(Choice::Suit(suit))), "in one's turn (P-26)");
    let said = open(1, "react");
    assert_eq!(said[1..], Suit::ALL.map(|suit| Verb::Say { text: suit.name().try_into().expect("short") }));
    assert_eq!(at(ClockMode::Live, &[start(), ask(7, "turn", json!([]), turn())]).moves(), [Verb::Draw]);
}

#[test]
fn only_mistakes_of_the_rule_set_are_listed() {
    let listed = |set: &str| {
        let rules = maumau_engine::rules::load_built_in(set, &[]).expect("a rule set").set;
        let mut start = start();
        start["rules"] = serde_json::to_value(rules).expect("JSON");
        at(ClockMode::Live, &[start]).callable().map(RuleFault::name).collect::<Vec<_>>()
    };
    assert_eq!(listed("basic"), ["wrong_card", "out_of_turn", "slow", "no_mau"]);
    assert_eq!(listed("skat"), ["wrong_card", "out_of_turn", "slow", "no_mau"]);
    assert!(listed("snap").contains(&"no_snap") && !listed("snap").contains(&"no_spade"), "{:?}", listed("snap"));
    assert!(listed("spam").contains(&"no_wonderful") && !listed("spam").contains(&"no_snap"), "{:?}", listed("spam"));
    assert_eq!(at(ClockMode::Live, &[start()]).callable().count(), RuleFault::ALL.len(), "rules that are not known");
}

#[test]
fn on_the_live_clock_the_newest_ask_is_answered_again_and_again() {
    let mut table = at(ClockMode::Live, &[start(), ask(7, "turn", json!([]), turn())]);
    for _ in 0..2 {
        let act = table.answer(table.with_words(Verb::Say { text: "x".try_into().expect("short") }));
        assert_eq!(act.map(|act| act.id), Some(AskId(7)));
    }
    assert!(!table.must_move(), "the person has acted");
    table.hear(message(ask(8, "turn", json!([]), turn())), 0);
    assert!(table.must_move());
    assert_eq!(table.answer(Verb::Draw.into()).map(|act| act.id), Some(AskId(8)));
}

#[test]
fn the_time_of_the_turn_runs_from_the_last_movement() {
    let mut table = at(ClockMode::Live, &[start(), ask(7, "turn", json!([]), turn())]);
    let left = |table: &PersonGame| table.running(4_000).map(|running| running.left_ms);
    assert_eq!(left(&table), Some(3_000));
    let said = json!([{"event": "said", "seat": 1, "text": "mau"}]);
    table.hear(message(ask(8, "turn", said, turn())), 3_500);
    assert_eq!(left(&table), Some(3_000), "talk moves nothing");
    let drew = json!([{"event": "drew", "seat": 1, "why": "turn"}]);
    table.hear(message(json!({"type": "tell", "game": "g", "events": drew})), 3_500);
    assert_eq!(left(&table), Some(4_500));
    assert_eq!(at(ClockMode::Live, &[start()]).running(0), None);
}

#[test]
fn a_hint_is_what_a_bot_would_do_and_changes_nothing() {
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    assert_eq!(table.hint("first").expect("a bot"), Some(table.legal()[0].clone()));
    assert!(table.hint("nobody").is_err());
    assert!(table.must_move());
    assert_eq!(PersonGame::new(ClockMode::Live).hint("first").expect("a bot"), None);
}

#[test]
fn advice_says_why_by_what_the_person_can_see() {
    let why = |hand: &[&str], top: &str, pending: Value, legal: Value| {
        let mut ask = ask(7, "turn", json!([]), legal);
        ask["view"]["hand"] = json!(hand);
        ask["view"]["top"] = json!(top);
        ask["view"]["hands"] = json!([hand.len(), 3, 4]);
        ask["view"]["pending"] = pending;
        let advice = at(ClockMode::Lockstep, &[start(), ask]).advice("first").expect("a bot").expect("an ask");
        advice.reasons.join(" ")
    };
    let play = |card: &str| json!([{"do": "play", "card": card}, {"do": "draw"}]);
    for (hand, top, pending, legal, expected) in [
        (
            &["7H", "8S", "7D", "JC"][..],
            "7C",
            json!({}),
            play("7H"),
            "7♥ has the value of 7♣, 1 of the 3 cards that you keep share its suit or value.",
        ),
        (
            &["7H", "8S"],
            "9H",
            json!({}),
            play("7H"),
            "7♥ is of the suit of 9♥, the card that you keep shares neither its suit nor its value.",
        ),
        (&["7H"], "9H", json!({}), play("7H"), "7♥ is your last card."),
        (
            &["7H", "8H"],
            "JC",
            json!({"suit": "H"}),
            play("7H"),
            "7♥ is of the suit that is asked for, hearts, the card that you keep shares its suit or value.",
        ),
        (
            &["JC", "8S", "9S", "8H"],
            "7D",
            json!({}),
            json!([{"do": "play", "card": "JC", "choose": {"suit": "S"}}]),
            "J♣ may be played on 7♦ whatever its suit and value. You hold 2 of spades, more than of any other suit.",
        ),
        (&["8S"], "7D", json!({}), json!([{"do": "draw"}]), "No card of yours may be played."),
        (
            &["8S"],
            "7D",
            json!({"draw": 4}),
            json!([{"do": "draw"}]),
            "You owe 4 cards. No card of yours may be played.",
        ),
    ] {
        assert_eq!(why(hand, top, pending, legal), expected);
    }
    assert_eq!(PersonGame::new(ClockMode::Live).advice("first").expect("a bot"), None);
}

#[test]
fn advice_counts_what_came_of_actions_in_deals_that_agree_with_what_the_seat_has_seen() {
    for (seats, wins) in [(2, "with all playing on as greedy does, it wins "), (3, "as greedy does, it beats ")] {
        let set = Arc::new(load_built_in("skat", &[]).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, seats, Some(1)).expect("a table"));
        let mut game = LocalGame::begin(setup(rules, 5, (0..seats).map(|_| Ok(ready("human")))));
        let mut tables: Vec<PersonGame> = (0..seats).map(|_| PersonGame::new(ClockMode::Lockstep)).collect();
        let mut advised = 0;
        while let Some((asked, id)) = game.next_asked() {
            for (seat, line) in game.lines() {
                let line = std::str::from_utf8(line).expect("UTF-8");
                let came = wire::read_arena_line(line).expect("a message").expect("a known one");
                _ = tables[seat.index()].hear(came, 0);
            }
            let table = &tables[asked.index()];
            if table.must_move() && table.legal().len() > 1 {
                let advice = table.advice("greedy").expect("a bot").expect("an ask");
                assert!(table.legal().contains(&advice.action));
                let counted = advice.reasons.last().expect("reasons");
                assert!(counted.starts_with("In 200 deals") && counted.contains(wins), "{counted}");
                advised += 1;
            }
            if advised == 2 {
                break;
            }
            let action = table.hint("first").expect("a bot").expect("an ask");
            game.act(asked, id, action, Meta::default());
        }
        assert_eq!(advised, 2);
    }
}

#[test]
fn a_seat_learns_why_others_played_as_a_replay_of_the_game_says() {
    let mut reasons = 0;
    for set in all_sets() {
        let set = Arc::new(load_built_in(set.name, &[]).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, 3, Some(2)).expect("a table"));
        let mut game = LocalGame::begin(setup(rules, 5, (0..3).map(|_| Ok(ready("human")))));
        let mut tables: Vec<PersonGame> = (0..3).map(|_| PersonGame::new(ClockMode::Lockstep)).collect();
        let mut writer = SeatStoryWriter::new(Arc::clone(&set), 3);
        let mut lines: Vec<Line> = Vec::new();
        loop {
            for (seat, line) in game.lines() {
                let line = std::str::from_utf8(line).expect("UTF-8");
                let Some(came) = wire::read_arena_line(line).expect("a message") else { continue };
                let news = tables[seat.index()].hear(came, 0);
                if seat == Seat::FIRST {
                    let plays = tables[0].seen_plays().iter();
                    writer.expect(plays.map(|play| (&play.before, play.seat, &play.action, &play.after)));
                    for news in news {
                        if let PersonNews::Happened(event) = news {
                            lines.extend(writer.line(&event));
                        }
                    }
                }
            }
            let Some((asked, id)) = game.next_asked() else { break };
            let action = tables[asked.index()].hint("first").expect("a bot").expect("an ask");
            game.act(asked, id, action, Meta::default());
        }
        let log = game.finish().0;
        let because = |line: &Line| {
            let names = &log.header.names;
            line.ground.map(|ground| format!("{}: {} {}", line.text(names), ground.name(), line.because_text(names)))
        };
        let story = frames(&log, Some(Seat::FIRST)).expect("a sound log");
        let expected: Vec<String> = story.iter().flat_map(|frame| &frame.lines).filter_map(because).collect();
        let lines: Vec<String> = lines.iter().filter_map(because).collect();
        assert_eq!(lines, expected, "{}", set.name);
        reasons += lines.len();
    }
    assert!(reasons > 50);
}

#[test]
fn the_table_stands_at_the_end_as_the_last_card_left_it() {
    for clock in [ClockMode::Lockstep, ClockMode::Live] {
        let mut table = at(clock, &[start(), ask(7, "turn", json!([]), turn())]);
        let over = json!({"type": "over", "game": "g", "events": [
            {"event": "played", "seat": 0, "card": "7H"},
            {"event": "round_over", "winners": [0], "end": "won"},
            {"event": "scored", "seat": 0, "hand": [], "points": 0, "total": 0},
            {"event": "scored", "seat": 1, "hand": ["9S"], "points": 9, "total": 9},
            {"event": "scored", "seat": 2, "hand": ["TH", "8D"], "points": 18, "total": 18},
            {"event": "match_over", "winners": [0]}],
            "result": {"places": [1, 2, 3], "points": [0, 9, 18], "wins": [1, 0, 0], "rounds": 1}});
        table.hear(message(over), 0);
        let view = table.view();
        assert_eq!((view.top, &view.hands[..], view.turn), (Some(card("7H")), &[0, 1, 2][..], None));
        assert!(view.hand.is_empty() && table.hand().is_empty());
        assert_eq!((&view.points[..], &view.wins[..]), (&[0, 9, 18][..], &[1, 0, 0][..]));
    }
}

#[test]
fn the_end_is_shown_once_and_closes_the_seat() {
    let mut table = at(ClockMode::Live, &[start(), ask(7, "turn", json!([]), turn())]);
    let over = json!({"type": "over", "game": "g", "events": [{"event": "match_over", "winners": [0]}],
        "result": {"places": [1, 2, 3], "points": [0, 1, 2], "wins": [1, 0, 0], "rounds": 1}});
    let news = table.hear(message(over), 0);
    assert!(matches!(&news[..], [PersonNews::Happened(_), PersonNews::Over]), "{news:?}");
    assert!(table.over().is_some() && table.answer(Verb::Draw.into()).is_none());
    assert_eq!(table.hear(message(json!({"type": "bye", "reason": "done"})), 0), [PersonNews::Bye("done".to_owned())]);
    assert_eq!(table.hear(message(start()), 0), [PersonNews::Started]);
    assert!(table.over().is_none());
}

#[test]
fn a_person_wants_to_know_everything() {
    let ready = ready("human");
    assert!(ready.ticks && ready.wants.len() == 4 && ready.games == 1);
}

#[test]
fn at_a_table_with_plays_of_several_cards_their_words_can_be_said_too() {
    let rules = maumau_engine::rules::load_built_in("makao", &[]).expect("a set").set;
    let mut start = start();
    start["rules"] = serde_json::to_value(&rules).expect("JSON");
    let legal = json!([{"do": "play", "card": "7H"}, {"do": "draw"}]);
    let table = at(ClockMode::Lockstep, &[start, ask(7, "turn", json!([]), legal.clone())]);
    assert!(table.plays_several());
    let words: Vec<_> = table.words().into_iter().map(|word| (word.text.as_str().to_owned(), word.when)).collect();
    assert_eq!(words, [("makao".to_owned(), When::Leaving(1))]);
    let table = at(ClockMode::Lockstep, &[self::start(), ask(7, "turn", json!([]), legal)]);
    assert!(!table.plays_several() && table.words().is_empty());
}

/// A turn by `rules` with this hand, top card and legal plays.
fn turn_by(rules: &str, hand: &[&str], top: &str, pending: Value, legal: Value) -> PersonGame {
    let mut start = start();
    start["rules"] = serde_json::to_value(load_built_in(rules, &[]).expect("a set").set).expect("JSON");
    let mut asked = ask(7, "turn", json!([]), legal);
    (asked["view"]["hand"], asked["view"]["top"], asked["view"]["pending"]) = (json!(hand), json!(top), pending);
    at(ClockMode::Lockstep, &[start, asked])
}

#[test]
fn what_a_play_costs_that_the_rules_allow_is_known_before_it() {
    let cost = |rules, hand: &[&str], top, pending, legal| {
        let table = turn_by(rules, hand, top, pending, legal);
        table.hand().into_iter().find(|held| held.card == card(hand[0])).expect("held").cost
    };
    let play = |card: &str| json!([{"do": "play", "card": card}]);
    let wild = || json!([{"do": "play", "card": "W4", "choose": {"suit": "G"}}]);
    for (rules, hand, top, pending, legal, expected) in [
        ("pesten", &["7H"][..], "7S", json!({}), play("7H"), Some(PlayCost::AsLast(5))),
        ("pesten", &["7H", "3S"], "7S", json!({}), play("7H"), None),
        ("pesten", &["9H"], "9S", json!({}), play("9H"), None),
        ("pesten", &["7H"], "9S", json!({}), json!([{"do": "draw"}]), None),
        ("waterfall", &["MR"], "3R", json!({}), play("MR"), Some(PlayCost::AsLast(1))),
        ("colours", &["W4", "5R", "5B"], "3R", json!({}), wild(), Some(PlayCost::IfChallenged(4, Suit::Red))),
        ("colours", &["W4", "5B"], "3R", json!({}), wild(), None),
        ("colours", &["W4", "5B"], "W0", json!({"suit": "B"}), wild(), Some(PlayCost::IfChallenged(4, Suit::Blue))),
        ("colours", &["W4"], "3R", json!({}), wild(), None),
    ] {
        assert_eq!(cost(rules, hand, top, pending, legal), expected, "{rules}: {hand:?} on {top}");
    }
    let deluxe = turn_by("deluxe", &["JC", "9H"], "TC", json!({}), play("JC"));
    let naming = |choice: Value| deluxe.naming_costs(card("JC"), serde_json::from_value(choice).expect("a choice"));
    assert_eq!((naming(json!({"rank": "9"})), naming(json!({"rank": "8"}))), (0, 5));
    assert_eq!(naming(json!({"rank": "J"})), 5, "the jack itself has left the hand");
    let colours = turn_by("colours", &["5B"], "W4", json!({"draw": 4}), json!([{"do": "challenge"}]));
    assert_eq!((colours.challenge_costs(), deluxe.challenge_costs()), (Some(6), None));
}

#[test]
fn whether_several_cards_may_be_played_together_is_known_as_long_as_the_game_is_followed() {
    let mut judged = [0; 2];
    for rules in ["makao", "switch", "waterfall"] {
        let set = Arc::new(load_built_in(rules, &[]).expect("a set").set);
        let rules = Arc::new(Rules::for_table(&set, 2, Some(1)).expect("a table"));
        let mut game = LocalGame::begin(setup(rules, 5, (0..2).map(|_| Ok(ready("human")))));
        let mut tables: Vec<PersonGame> = (0..2).map(|_| PersonGame::new(ClockMode::Lockstep)).collect();
        while let Some((asked, id)) = game.next_asked() {
            for (seat, line) in game.lines() {
                let line = std::str::from_utf8(line).expect("UTF-8");
                let came = wire::read_arena_line(line).expect("a message").expect("a known one");
                _ = tables[seat.index()].hear(came, 0);
            }
            let table = &mut tables[asked.index()];
            let hand: Vec<Card> = table.view().hand.clone();
            let pairs =
                hand.iter().enumerate().flat_map(|(at, one)| hand[at + 1..].iter().map(move |two| [*one, *two]));
            for cards in pairs.filter(|_| table.must_move()).collect::<Vec<_>>() {
                let action = table.play_together(cards.to_vec(), None, true).expect("held");
                let truth = game.referee().game().play_ground(asked, &action.verb, &action.say).is_some();
                assert_eq!(table.may_play(&action), Some(truth), "{}: {action:?}", set.name);
                judged[usize::from(truth)] += 1;
            }
            let action = table.hint("first").expect("a bot").expect("an ask");
            game.act(asked, id, action, Meta::default());
        }
    }
    assert!(judged[0] > 20 && judged[1] > 5, "{judged:?}");
    let mut unknown = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    let action = unknown.play_together(vec![card("7H"), card("8S")], None, true).expect("held");
    assert_eq!(unknown.may_play(&action), None, "no rules are known");
}

#[test]
fn at_a_table_with_open_runs_a_run_can_be_left_open() {
    for (name, leaves_open) in [("makao", false), ("waterfall", true)] {
        let rules = maumau_engine::rules::load_built_in(name, &[]).expect("a set").set;
        let mut start = start();
        start["rules"] = serde_json::to_value(&rules).expect("JSON");
        let table = at(ClockMode::Lockstep, &[start, ask(7, "turn", json!([]), json!([{"do": "draw"}]))]);
        assert!(table.plays_several() && table.leaves_open() == leaves_open, "{name}");
    }
}

#[test]
fn what_is_named_with_the_last_of_several_cards_is_known_where_it_may_not_be_played_by_itself() {
    let rules = maumau_engine::rules::load_built_in("makao", &[]).expect("a set").set;
    let mut start = start();
    start["rules"] = serde_json::to_value(&rules).expect("JSON");
    let legal = json!([{"do": "play", "card": "7H"}, {"do": "draw"}]);
    let mut asked = ask(7, "turn", json!([]), legal);
    asked["view"]["hand"] = json!(["7H", "8S", "JC", "AC"]);
    let table = at(ClockMode::Lockstep, &[start.clone(), asked.clone()]);
    let cards: Vec<_> = table.hand().into_iter().map(|held| held.card).collect();
    assert_eq!(cards, ["JC", "AC", "7H", "8S"].map(card), "by suit, then by value");
    let named: Vec<_> = table.hand().into_iter().map(|held| held.as_last).collect();
    assert_eq!(named[2..], [vec![None], vec![None]]);
    let requests: String =
        named[0].iter().flatten().map(|choice| serde_json::to_string(choice).expect("JSON")).collect();
    assert!(named[0][0].is_none() && requests.starts_with(r#"{"rank":"5"}"#) && named[0].len() == 7, "{requests}");
    assert_eq!(named[1], Suit::ALL.map(|suit| Some(Choice::Suit(suit))));
    asked["view"]["pending"] = json!({"request": {"by": 1, "rank": "7", "served": []}});
    let table = at(ClockMode::Lockstep, &[start, asked]);
    assert_eq!(table.hand()[1].as_last, [None], "a card that serves names nothing");
}

#[test]
fn several_cards_are_played_only_as_often_as_they_are_held() {
    let table = at(ClockMode::Lockstep, &[start(), ask(7, "turn", json!([]), turn())]);
    let play = |codes: &[&str], close| {
        let cards = codes.iter().map(|code| card(code)).collect();
        table.play_together(cards, None, close).map(|action| serde_json::to_string(&action).expect("JSON"))
    };
    assert_eq!(play(&["7H", "8S"], true).as_deref(), Some(r#"{"do":"play","cards":["7H","8S"]}"#));
    assert_eq!(play(&["7H"], true).as_deref(), Some(r#"{"do":"play","card":"7H"}"#));
    assert!(play(&["7H"], false).is_some_and(|text| text.contains(r#""close":false"#)));
    assert_eq!((play(&["7H", "7H"], true), play(&[], true)), (None, None));
}
