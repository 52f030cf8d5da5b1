//! Setups of scenarios that no game could reach are refused. Positions that can be set up are tested by the scenarios
//! themselves.

use maumau_engine::rules::BuiltIn;
use maumau_model_check::scenario;

#[test]
fn a_setup_that_cannot_stand_is_an_error_with_its_place() {
    let error = |ruleset: &str, top: &str, pending: &str| {
        let text = format!(
            r#"{{"name": "n", "ruleset": "{ruleset}", "players": 2, "steps": [],
                "setup": {{"dealer": 1, "hands": [["9C", "9D"], ["TC", "TD"]], "pile": ["{top}"], "draw": [],
                           "direction": "cw", "turn": 0, "pending": {pending}}}}}"#
        );
        scenario::run(&text, &BuiltIn).expect_err("a setup that cannot stand").0
    };
    assert_eq!(error("basic", "AD", r#"{"again": 1}"#), "setup: pending: again: seat 0 is to move");
    assert_eq!(error("basic", "AD", r#"{"draw": 2}"#), "setup: pending: draw: by these rules nothing is owed so");
    assert_eq!(
        error("basic", "7D", r#"{"draw": 2, "draw_kind": "9"}"#),
        "setup: pending: draw: by these rules nothing is owed so"
    );
    assert_eq!(
        error("basic", "8D", r#"{"skip_victim": 1}"#),
        "setup: pending: skip_victim: by these rules nobody is threatened"
    );
    assert_eq!(error("snap", "8D", r#"{"skip_victim": 0}"#), "setup: pending: skip_victim: seat 0 is to move");
    assert_eq!(error("snap", "8D", r#"{"skip": 1}"#), "setup: pending: skip: by these rules nobody faces a suspension");
    assert_eq!(
        error("snap", "8D", r#"{"request": {"rank": "9", "by": 1}}"#),
        "setup: pending: request: by these rules nobody makes one of this kind"
    );
}
