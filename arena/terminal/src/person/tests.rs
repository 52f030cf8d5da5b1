//! Sits at a table by scripted messages and keys, and holds screens to files; no terminal and no arena take part.

use maumau_engine::rules::load_built_in;
use maumau_protocol::{Verb, wire};
use serde_json::{Value, json};

use super::press::Pressed;
use super::*;
use crate::key::Key;
use crate::testing::{LOOK, check, text};

fn message(value: &Value) -> ArenaMessage {
    wire::read_arena_line(&value.to_string()).expect("a message").expect("a known one")
}

fn start() -> Value {
    let rules = load_built_in("skat", &[]).expect("a built-in set").set;
    let time = json!({"move_ms": 300_000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000});
    json!({"type": "start", "game": "g", "seat": 0, "names": ["human", "greedy", "random"], "rule_set": "skat", "rounds": 3,
        "rules": rules, "time": time, "max_strikes": 3, "commitment": "0", "seed": "00"})
}

fn ask(id: u64, what: &str, events: Value, legal: Value) -> Value {
    let view = json!({"hand": ["JC", "7H", "8H", "TS"], "top": "7C", "hands": [4, 1, 6], "turn": 0, "draw_pile": 9, "round": 2,
        "rounds": 3, "dealer": 1, "points": [4, 0, 12], "wins": [0, 1, 0], "mau_said": [1], "pending": {"draw": 2}});
    json!({"type": "ask", "game": "g", "id": format!("{id:016x}"), "seat": 0, "what": what, "time_ms": 300_000, "as_of": 3,
        "events": events, "view": view, "legal": legal})
}

fn turn() -> Value {
    let events = json!([
        {"event": "round_started", "round": 2, "dealer": 1, "direction": "cw"},
        {"event": "said", "seat": 1, "text": "mau"},
        {"event": "played", "seat": 1, "card": "7C"},
        {"event": "penalty", "seat": 0, "card": "8H", "fault": "no_mau"},
    ]);
    let legal = json!([
        {"do": "call", "against": 2, "fault": "no_mau"},
        {"do": "play", "card": "7H", "say": ["mau"]},
        {"do": "play", "card": "JC", "choose": {"suit": "H"}},
        {"do": "play", "card": "JC", "choose": {"suit": "S"}},
        {"do": "draw"},
    ]);
    ask(7, "turn", events, legal)
}

fn seat(messages: &[Value]) -> PersonSeat {
    let mut seat = PersonSeat::new(ClockMode::Live, LOOK);
    messages.iter().for_each(|value| _ = seat.hear(message(value), 1_000));
    seat
}

fn shown(seat: &PersonSeat) -> String {
    text((80, 24), |buffer, area| seat.draw(buffer, area, 21_000))
}

/// Presses keys that send nothing.
fn pressed(seat: &mut PersonSeat, keys: &str) {
    for c in keys.chars() {
        assert_eq!(seat.press(Key::Char(c)), Pressed::Nothing, "{c:?}");
    }
}

fn act(pressed: Pressed) -> Action {
    match pressed {
        Pressed::Act(action) => action,
        other => panic!("{other:?}"),
    }
}

#[test]
fn screens_of_both_sizes_are_as_they_were() {
    let mut seat = seat(&[start(), turn()]);
    check("person-80x24", &shown(&seat));
    check("person-200x50", &text((200, 50), |buffer, area| seat.draw(buffer, area, 21_000)));
    assert_eq!(seat.press(Key::Enter), Pressed::Nothing);
    check("person-names-80x24", &shown(&seat));
    let mut ascii = PersonSeat::new(ClockMode::Live, ScreenStyle { signs: false, ..LOOK });
    [start(), turn()].iter().for_each(|value| _ = ascii.hear(message(value), 0));
    assert!(text((80, 24), |buffer, area| ascii.draw(buffer, area, 0)).is_ascii());
}

#[test]
fn a_word_is_said_only_if_it_was_chosen() {
    let mut one = seat(&[start(), turn()]);
    one.press(Key::Right);
    assert!(act(one.press(Key::Enter)).say.is_silent(), "forgetting it is part of the game");
    let mut one = seat(&[start(), turn()]);
    one.press(Key::Right);
    pressed(&mut one, "1");
    assert!(shown(&one).contains("1 ✓\"mau\""), "{}", shown(&one));
    assert_eq!(act(one.press(Key::Enter)).say.texts()[0].as_str(), "mau");
}

#[test]
fn a_card_that_may_not_be_played_is_played_at_the_second_try() {
    let mut one = seat(&[start(), turn()]);
    one.press(Key::End);
    assert_eq!(one.press(Key::Enter), Pressed::Nothing);
    assert!(shown(&one).contains("10♠ may not be played now"), "{}", shown(&one));
    assert!(matches!(act(one.press(Key::Enter)).verb, Verb::Play { .. }));
}

#[test]
fn what_a_play_costs_that_the_rules_allow_is_said_before_it() {
    let by = |rules: &str, hand: Value, legal: Value| {
        let mut start = start();
        start["rules"] = serde_json::to_value(load_built_in(rules, &[]).expect("a set").set).expect("JSON");
        let mut asked = ask(8, "turn", json!([]), legal);
        (asked["view"]["hand"], asked["view"]["pending"], asked["view"]["top"]) = (hand, json!({}), json!("TC"));
        seat(&[start, asked])
    };
    let mut last = by("pesten", json!(["7C"]), json!([{"do": "play", "card": "7C"}]));
    assert!(!last.is_lifted(&last.table.hand()[0]));
    assert_eq!(last.press(Key::Enter), Pressed::Nothing);
    assert!(shown(&last).contains("7♣ does not win as your last card and costs 5 cards"), "{}", shown(&last));
    act(last.press(Key::Enter));
    let named = |rank: &str| json!({"do": "play", "card": "JC", "choose": {"rank": rank}});
    let mut jack = by("deluxe", json!(["JC", "9H"]), json!([named("9"), named("8")]));
    jack.press(Key::Enter);
    assert!(shown(&jack).contains("nines  "), "{}", shown(&jack));
    assert!(shown(&jack).contains("eights, costs 5 cards: you hold none"), "{}", shown(&jack));
}

#[test]
fn words_say_with_which_cards_they_are_due() {
    let one = seat(&[start(), turn()]);
    assert!(shown(&one).contains("1 \"mau\" with 7♥"), "{}", shown(&one));
}

#[test]
fn a_suit_is_asked_for_where_one_may_be_named() {
    let mut one = seat(&[start(), turn()]);
    one.press(Key::Enter);
    assert!(shown(&one).contains("With J♣ you name"));
    let spades = act(one.press(Key::Char('s')));
    assert_eq!(serde_json::to_string(&spades).expect("JSON"), r#"{"do":"play","card":"JC","choose":{"suit":"S"}}"#);
    let mut one = seat(&[start(), turn()]);
    one.press(Key::Enter);
    assert_eq!(one.press(Key::Escape), Pressed::Nothing);
    assert_eq!(act(one.press(Key::Char('d'))), Verb::Draw.into());
}

#[test]
fn while_a_card_must_first_be_taken_no_card_is_lifted_and_one_that_is_played_asks_once() {
    let mut one = seat(&[start()]);
    let legal = json!([{"do": "play", "card": "7H"}, {"do": "draw"}, {"do": "take", "from": 1}]);
    let mut asked = ask(8, "turn", json!([]), legal);
    asked["view"]["hand"] = json!(["JC", "7H"]);
    one.hear(message(&asked), 2_000);
    assert!(!one.table.hand().iter().any(|held| one.is_lifted(held)));
    one.press(Key::Tab);
    assert_eq!(one.chosen, 0, "no card is lifted");
    one.press(Key::Right);
    assert_eq!(one.press(Key::Enter), Pressed::Nothing);
    assert!(shown(&one).contains("First take a card from greedy: "), "{}", shown(&one));
    assert!(shown(&one).contains("first take a card from greedy: enter once more plays it"), "{}", shown(&one));
    assert!(matches!(act(one.press(Key::Enter)).verb, Verb::Play { card, .. } if card.pretty() == "7♥"));
}

#[test]
fn what_it_costs_to_leave_what_is_owed_is_said() {
    let mut start = start();
    start["rules"] = serde_json::to_value(load_built_in("snap", &[]).expect("a set").set).expect("JSON");
    let one = seat(&[start, ask(8, "turn", json!([]), json!([{"do": "draw"}, {"do": "take", "from": 1}]))]);
    assert!(shown(&one).contains("First take a card from greedy (else 2 cards, if called): "), "{}", shown(&one));
}

#[test]
fn mistakes_are_called_from_the_list_or_by_name() {
    let mut one = seat(&[start(), turn()]);
    pressed(&mut one, "c");
    assert!(shown(&one).contains("call random: Mau was not said"), "{}", shown(&one));
    assert!(matches!(act(one.press(Key::Enter)).verb, Verb::Call { .. }));
    let mut one = seat(&[start(), turn()]);
    pressed(&mut one, "c2");
    assert!(shown(&one).contains("Whose mistake?"));
    pressed(&mut one, "1");
    assert!(shown(&one).contains("Which mistake?") && shown(&one).contains("out of turn"));
    let called = act(one.press(Key::Enter));
    assert_eq!(serde_json::to_string(&called).expect("JSON"), r#"{"do":"call","against":1,"fault":"wrong_card"}"#);
}

#[test]
fn anything_can_be_said() {
    let mut one = seat(&[start(), turn()]);
    pressed(&mut one, "shello");
    assert!(shown(&one).contains("hello_"));
    assert_eq!(act(one.press(Key::Enter)).verb, Verb::Say { text: "hello".try_into().expect("short") });
}

#[test]
fn a_hint_chooses_the_card_and_says_what_a_bot_would_do() {
    let mut one = seat(&[start(), turn()]);
    pressed(&mut one, "h");
    assert!(shown(&one).contains("greedy would call random: Mau was not said"), "{}", shown(&one));
    let legal = json!([{"do": "play", "card": "7H", "say": ["mau"]}, {"do": "draw"}]);
    one.hear(message(&ask(8, "turn", json!([]), legal)), 2_000);
    pressed(&mut one, "h");
    assert!(shown(&one).contains("greedy would play 7♥ and say \"mau\""), "{}", shown(&one));
    assert!(matches!(act(one.press(Key::Enter)).verb, Verb::Play { card, .. } if card.pretty() == "7♥"));
}

#[test]
fn penalties_and_faults_are_shown_with_their_clause() {
    let mut one = seat(&[start(), turn()]);
    assert!(one.last_lines(9).contains("Mau was not said"), "{}", one.last_lines(9));
    let fault = json!({"type": "fault", "game": "g", "id": format!("{:016x}", 7), "fault": "wrong_card",
        "message": "TS does not fit", "clause": "B-36", "cards": 2, "strikes": 0, "open": false});
    one.hear(message(&fault), 2_000);
    let lines = one.last_lines(2);
    assert!(lines.contains("! TS does not fit (B-36), 2 penalty cards"), "{lines}");
    assert!(one.last_lines(3).contains("(K-"), "{}", one.last_lines(3));
}

#[test]
fn a_question_about_a_card_that_can_be_played_no_more_is_withdrawn() {
    let asked = |hand: Value, legal: Value| {
        let mut one = seat(&[start(), turn()]);
        one.press(Key::Enter);
        let mut next = ask(9, "react", json!([]), legal);
        next["view"]["hand"] = hand;
        one.hear(message(&next), 2_000);
        shown(&one)
    };
    let play = json!({"do": "play", "card": "JC", "choose": {"suit": "H"}});
    assert!(asked(json!(["JC", "7H"]), json!([play, {"do": "wait"}])).contains("you name"));
    // The card has gone, or another seat has acted first.
    for hand in [json!(["7H"]), json!(["JC", "7H"])] {
        let shown = asked(hand, json!([{"do": "wait"}]));
        assert!(!shown.contains("you name") && shown.contains("something happened meanwhile"), "{shown}");
    }
}

#[test]
fn leaving_is_asked_for_twice() {
    let mut one = seat(&[start(), turn()]);
    pressed(&mut one, "qn");
    assert!(!shown(&one).contains("Leave the game?"));
    one.press(Key::Interrupt);
    assert!(shown(&one).contains("Leave the game?"));
    assert_eq!(one.press(Key::Char('y')), Pressed::Leave);
}

#[test]
fn in_lockstep_nothing_is_pressed_where_nothing_can_be_done() {
    let mut one = PersonSeat::new(ClockMode::Lockstep, LOOK);
    one.hear(message(&start()), 0);
    let (answer, _) = one.hear(message(&ask(7, "react", json!([]), json!([{"do": "wait"}]))), 0);
    assert_eq!(answer, Some(Verb::Wait.into()));
    let legal = json!([{"do": "say", "text": "mau"}, {"do": "wait"}]);
    let (answer, _) = one.hear(message(&ask(8, "react", json!([]), legal)), 0);
    assert_eq!(answer, None);
    assert!(shown(&one).contains("The table waits for you"), "{}", shown(&one));
    assert_eq!(act(one.press(Key::Char('w'))), Verb::Wait.into());
}

#[test]
fn a_hand_that_is_too_long_for_boxes_is_shown_as_texts() {
    let mut long = turn();
    long["view"]["hand"] = json!(vec!["7H"; 40]);
    let one = seat(&[start(), long]);
    let shown = shown(&one);
    let words = "with 7♥";
    assert_eq!(shown.matches("7♥").count() - shown.matches(words).count(), 40, "{shown}");
    for size in [(10, 3), (50, 20), (79, 23)] {
        text(size, |buffer, area| one.draw(buffer, area, 0));
    }
}

/// A reaction that leaves no choice: the picture of the table after `events`, in round `round`.
fn idle(id: u64, top: &str, events: Value) -> Value {
    let mut ask = ask(id, "react", events, json!([{"do": "wait"}]));
    ask["view"]["top"] = json!(top);
    ask
}

fn played(seat: u8, card: &str) -> Value {
    json!([{"event": "played", "seat": seat, "card": card}])
}

#[test]
fn in_lockstep_what_others_do_is_shown_one_move_after_another() {
    let mut one = PersonSeat::new(ClockMode::Lockstep, LOOK);
    one.hear(message(&start()), 0);
    for (id, seat, card) in [(1, 1, "8C"), (2, 2, "9C")] {
        let (answer, _) = one.hear(message(&idle(id, card, played(seat, card))), 100);
        assert_eq!(answer, Some(Verb::Wait.into()), "the referee is not kept waiting");
    }
    one.hear(message(&ask(3, "turn", played(1, "7C"), json!([{"do": "draw"}]))), 100);
    let lines = |seat: &PersonSeat| seat.last_lines(9).lines().count();
    assert_eq!((lines(&one), one.wait_ms(100)), (1, Some(700)));
    assert_eq!(one.press(Key::Char('d')), Pressed::Nothing, "what has not been shown cannot be answered");
    assert!(shown(&one).contains("still being shown: . hurries"), "{}", shown(&one));
    one.pass(799);
    assert_eq!(lines(&one), 1);
    one.pass(800);
    assert_eq!((lines(&one), one.wait_ms(900)), (2, Some(600)));
    pressed(&mut one, ".");
    assert_eq!((lines(&one), one.wait_ms(900)), (3, None));
    assert_eq!(act(one.press(Key::Char('d'))), Verb::Draw.into());
}

#[test]
fn moves_that_come_with_one_ask_are_shown_one_after_another_and_the_table_last() {
    let mut one = PersonSeat::new(ClockMode::Lockstep, LOOK);
    one.hear(message(&start()), 0);
    one.hear(message(&ask(1, "turn", json!([]), json!([{"do": "draw"}]))), 0);
    one.press(Key::Char('d'));
    let events = json!([
        {"event": "played", "seat": 1, "card": "8C"},
        {"event": "drew", "seat": 2, "why": "turn"},
        {"event": "drew", "seat": 2, "why": "turn"},
        {"event": "passed", "seat": 2},
        {"event": "played", "seat": 1, "card": "9C"},
    ]);
    let mut next = ask(2, "turn", events, json!([{"do": "draw"}]));
    next["view"]["top"] = json!("9C");
    one.hear(message(&next), 10_000);
    let lines = |seat: &PersonSeat| seat.last_lines(9).lines().count();
    for (now_ms, expected, is_new) in [(10_000, 1, false), (10_700, 4, false), (11_400, 5, true)] {
        one.pass(now_ms);
        assert_eq!(lines(&one), expected, "{}", one.last_lines(9));
        assert_eq!(shown(&one).contains("9♣│"), is_new, "{}", shown(&one));
        assert_eq!(one.wait_ms(now_ms).is_none(), is_new);
    }
}

#[test]
fn the_pace_can_be_changed_and_many_moves_are_shown_within_ten_seconds() {
    let mut one = PersonSeat::new(ClockMode::Lockstep, LOOK);
    one.hear(message(&start()), 0);
    (0..101).for_each(|id| _ = one.hear(message(&idle(id, "8C", played(1, "8C"))), 0));
    assert_eq!(one.wait_ms(0), Some(100));
    pressed(&mut one, "vv");
    assert!(shown(&one).contains("pace of what the others do: none"), "{}", shown(&one));
    one.pass(0);
    assert_eq!(one.wait_ms(0), None);
}

#[test]
fn a_round_ends_with_its_scores_until_a_key_is_pressed() {
    for clock in [ClockMode::Lockstep, ClockMode::Live] {
        let mut one = PersonSeat::new(clock, LOOK);
        one.hear(message(&start()), 0);
        let events = json!([
            {"event": "played", "seat": 2, "card": "7C"},
            {"event": "round_over", "winners": [2], "end": "won"},
            {"event": "scored", "seat": 0, "points": 31, "total": 35, "hand": ["JC"]},
            {"event": "scored", "seat": 1, "points": 2, "total": 2, "hand": ["7H"]},
            {"event": "round_started", "round": 3, "dealer": 2, "direction": "cw"},
        ]);
        one.hear(message(&ask(4, "turn", events, json!([{"do": "draw"}]))), 0);
        let sheet = shown(&one);
        assert!(sheet.contains("random wins the round") && sheet.contains("any key goes on"), "{sheet}");
        assert!(sheet.contains("        31      35  human"), "{sheet}");
        assert_eq!(one.press(Key::Enter), Pressed::Nothing);
        one.pass(1_000);
        assert!(!shown(&one).contains("any key goes on"), "{}", shown(&one));
        assert_eq!(act(one.press(Key::Char('d'))), Verb::Draw.into());
    }
}

/// A seat at a table of `name` that holds `hand`, of which the first card may be played.
fn seat_at(name: &str, hand: &[&str]) -> PersonSeat {
    let mut start = start();
    start["rules"] = serde_json::to_value(load_built_in(name, &[]).expect("a set").set).expect("JSON");
    let mut asked = ask(8, "turn", json!([]), json!([{"do": "play", "card": hand[0]}, {"do": "draw"}]));
    asked["view"]["hand"] = json!(hand);
    asked["view"]["hands"] = json!([hand.len(), 1, 6]);
    asked["view"]["pending"] = json!({});
    seat(&[start, asked])
}

/// Picks these cards of the hand one after another; one that was picked no longer is.
fn pick(one: &mut PersonSeat, codes: &[&str]) {
    for code in codes {
        one.chosen = one.table.hand().iter().position(|held| held.card.to_string() == *code).expect("held");
        pressed(one, "a");
    }
}

#[test]
fn several_cards_are_picked_in_their_order_and_played_at_once() {
    let mut one = seat_at("makao", &["8H", "9C", "8S", "JC", "JD"]);
    pick(&mut one, &["8H", "JD", "JD"]);
    one.press(Key::End);
    pressed(&mut one, "a");
    assert!(shown(&one).contains("Enter plays 8♥ 8♠"), "{}", shown(&one));
    check("person-several-80x24", &shown(&one));
    let played = act(one.press(Key::Enter));
    assert_eq!(serde_json::to_string(&played).expect("JSON"), r#"{"do":"play","cards":["8H","8S"]}"#);
    pick(&mut one, &["8H"]);
    one.press(Key::Escape);
    assert!(matches!(act(one.press(Key::Enter)).verb, Verb::Play { .. }), "what was picked is given up");
}

#[test]
fn something_is_named_with_the_last_of_several_cards() {
    let mut one = seat_at("makao", &["JH", "JC", "9C"]);
    pick(&mut one, &["JH", "JC"]);
    assert_eq!(one.press(Key::Enter), Pressed::Nothing);
    assert!(shown(&one).contains("With J♣ you name") && shown(&one).contains("6 sixes"), "{}", shown(&one));
    let played = act(one.press(Key::Char('6')));
    let json = serde_json::to_string(&played).expect("JSON");
    assert_eq!(json, r#"{"do":"play","cards":["JH","JC"],"choose":{"rank":"6"}}"#);
}

#[test]
fn a_run_is_closed_or_left_open() {
    for (key, expected) in
        [('c', r#"{"do":"play","cards":["FB","3B"]}"#), ('o', r#"{"do":"play","cards":["FB","3B"],"close":false}"#)]
    {
        let mut one = seat_at("waterfall", &["FB", "3B", "9R"]);
        pick(&mut one, &["FB", "3B"]);
        assert_eq!(one.press(Key::Enter), Pressed::Nothing);
        assert!(shown(&one).contains("leave it open"), "{}", shown(&one));
        assert_eq!(serde_json::to_string(&act(one.press(Key::Char(key)))).expect("JSON"), expected);
    }
}

#[test]
fn a_player_is_named_by_name() {
    let mut one = seat_at("colours", &["7B", "3B"]);
    let legal = json!([{"do": "play", "card": "7B", "choose": {"seat": 1}}, {"do": "play", "card": "7B", "choose": {"seat": 2}}]);
    let mut asked = ask(9, "turn", json!([]), legal);
    asked["view"]["hand"] = json!(["7B", "3B"]);
    one.hear(message(&asked), 2_000);
    one.chosen = 1;
    one.press(Key::Enter);
    assert!(shown(&one).contains("1 greedy") && shown(&one).contains("2 random"), "{}", shown(&one));
}

#[test]
fn what_a_challenge_costs_is_read_on_the_narrowest_screen() {
    let mut one = seat_at("colours", &["W4", "3B"]);
    let legal = json!([{"do": "play", "card": "W4", "choose": {"suit": "B"}}, {"do": "draw"}, {"do": "challenge"}]);
    let mut asked = ask(9, "turn", json!([]), legal);
    asked["view"]["hand"] = json!(["W4", "3B"]);
    asked["view"]["pending"] = json!({"draw": 128, "challenge": 1});
    one.hear(message(&asked), 2_000);
    let screen = shown(&one);
    assert!(screen.contains("d draw 128 owed cards") && screen.contains("x challenge the card"), "{screen}");
    assert!(screen.contains("Challenge: if the card was right, you draw 130"), "{screen}");
}
