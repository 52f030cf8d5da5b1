//! Scenarios by house rules that join what no built-in set joins. They have no folder of their own, since no rule
//! set has them.

use maumau_engine::rules::{BuiltIn, NoRuleText, RuleFiles, RuleText};
use maumau_model_check::scenario;

/// The built-in sets, and one file of house rules.
struct House<'a>(&'a str);

impl RuleFiles for House<'_> {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "house" => Ok(RuleText { file: "house".to_owned(), text: self.0.to_owned() }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// Runs `steps` by house rules that add `rules` to the set `extends`.
fn check(extends: &str, rules: &str, setup: &str, steps: &str) {
    let rules = format!("format = 1\nname = \"house\"\nextends = \"{extends}\"\n{rules}");
    let text = format!(r#"{{"name": "n", "ruleset": "house", {setup}, "steps": [{steps}]}}"#);
    let report = scenario::run(&text, &House(&rules)).unwrap_or_else(|error| panic!("{rules}: {error}"));
    let failures: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{rules}: {failures:#?}");
}

/// The turn in which seats change places is none of the turns that end the exchange (N-31, N-33).
#[test]
fn a_three_that_also_skips_does_not_count_as_the_turn_of_its_own_player() {
    check(
        "snap",
        "[effects.three]\nskip = {}",
        r#""players": 2, "setup": {"dealer": 1, "hands": [["3H", "7C", "7H"], ["6H", "QS", "4H"]], "pile": ["9S", "4H"],
            "draw": ["4C", "6C", "7C", "KC"], "direction": "cw", "turn": 0}"#,
        r#"{"by": 0, "action": {"do": "play", "card": "3H"}, "expect": {"ok": true, "turn": 1}},
            {"by": 1, "action": {"do": "draw"}, "expect": {"ok": true, "turn": 0, "no_events": ["swap_back"]}},
            {"by": 0, "action": {"do": "draw"}, "expect": {"ok": true, "events": ["swap_back"]}}"#,
    );
}

/// G-67: the one who is found out draws all that is owed, however much that is.
#[test]
fn a_challenge_finds_out_a_debt_of_hundreds_of_cards() {
    let cards = "RBGY"
        .chars()
        .flat_map(|colour| (1..=9).map(move |number| format!("\"{number}{colour}\"")))
        .collect::<Vec<_>>();
    let draw = cards.into_iter().cycle().take(320).collect::<Vec<_>>().join(", ");
    check(
        "colours",
        "[deck]\npacks = 8",
        &format!(
            r#""options": {{"stack": "same"}}, "players": 2, "setup": {{"dealer": 1, "hands": [["W4", "5R", "1G"], ["7G", "8B"]], "pile": ["3R", "W4"], "draw": [{draw}],
                "direction": "cw", "turn": 0, "pending": {{"draw": 296, "draw_kind": "draw", "suit": "R"}}}}"#
        ),
        r#"{"by": 0, "action": {"do": "play", "card": "W4", "choose": {"suit": "G"}}, "expect": {"ok": true, "turn": 1, "pending": {"draw": 300}}},
            {"by": 1, "action": {"do": "challenge"}, "expect": {"ok": true, "turn": 1, "penalty": {"0": 300}, "pending": {"draw": 0}}}"#,
    );
}

/// D-42, D-48, D-58: a card that serves a request only serves, even where its own effect names a suit in some way.
#[test]
fn a_card_that_serves_a_request_names_no_suit() {
    for how in ["may", "must", "new", "spoken"] {
        let rules = format!("[effects.nine]\ncards = \"9\"\nchoose_suit = \"{how}\"");
        for request in [r#"{"rank": "9", "by": 2}"#, r#"{"suit": "H", "by": 2}"#] {
            check(
                "deluxe",
                &rules,
                &format!(
                    r#""players": 3, "setup": {{"dealer": 2, "hands": [["9H", "7C", "8C"], ["9D", "QS", "8D"], ["KS", "KD"]],
                        "pile": ["JS"], "draw": ["8S", "TC", "7D", "KC"], "direction": "cw", "turn": 0,
                        "pending": {{"request": {request}}}}}"#
                ),
                &format!(
                    r#"{{"by": 0, "action": {{"do": "play", "card": "9H", "choose": {{"suit": "C"}}}}, "expect": {{"ok": false, "turn": 0}}}},
                       {{"by": 0, "action": {{"do": "play", "card": "9H"}},
                         "expect": {{"ok": true, "turn": 1, "penalty": {{}}, "pending": {{"suit": null, "suit_open": false, "request": {request}}}}}}}"#
                ),
            );
        }
    }
}
