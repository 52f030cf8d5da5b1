//! Some thousands of the random games that `maumau-lab selftest games` plays: every rule set with random
//! options at tables of all sizes, with the laws of every card game checked at every step. It states no rule: those are
//! tested by scenarios.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a test may report what failed")]

use std::ops::Range;

use maumau_engine::rules::all_sets;
use maumau_model_check::{CheckedGame, SelfTest};

/// Plays games of `set`; a failure names the game.
fn check(set: &str, seed: u64, games: Range<u64>) -> CheckedGame {
    let mut test = SelfTest::new(set, seed).expect("a built-in set");
    let mut all = CheckedGame::default();
    for number in games {
        let command =
            Breach(format!("maumau-lab selftest games --rules {set} --seed {seed} --first {number} --games 1"));
        match test.play(number) {
            Ok(played) => {
                all.steps += played.steps;
                all.legal += played.legal;
                all.twins += played.twins;
            }
            Err(breach) => panic!("{}: {breach}", test.table()),
        }
        drop(command);
    }
    all
}

/// Says how to replay the game if it ends in a panic.
struct Breach(String);

impl Drop for Breach {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this game again: {}", self.0);
        }
    }
}

#[test]
fn whatever_the_seats_do_every_game_is_lawful_and_ends() {
    std::thread::scope(|scope| {
        for set in all_sets() {
            scope.spawn(move || {
                let all = check(set.name, 1, 0..200);
                assert!(all.steps > 4_000 && all.legal > 400 && all.twins > 400, "{}: {all:?}", set.name);
            });
        }
    });
}

/// The card of an ace turned up was taken from a hand that no event had shown yet (N-121).
#[test]
fn games_that_once_broke_a_law_are_lawful() {
    check("snap", 19, 47064..47065);
    // "spam", still due for an earlier card, made a third interjection of the next one, without its own word (P-44, P-55).
    check("spam", 1, 3078..3079);
    // The words of a play counted the hand that it gave away, and not the one that came for it (G-44).
    for game in [462, 2844, 8657] {
        check("colours", 4711, game..game + 1);
    }
    // And so did the words that a rule set lists for the cards that are left.
    check("bartok", 20_261_130, 61_780..61_781);
    // The price of a card as the last one was held to be a cost of an offered action (G-25, G-49).
    for game in [0, 1373, 1454] {
        check("pesten", 28, game..game + 1);
    }
    // A warning that was forgotten in the turn before was held to be a mistake of a last card that did not end the round (B-14).
    check("pesten", 20_261_129, 3468..3469);
    check("tschau-sepp", 20_261_129, 11_564..11_565);
}
