//! Random games under the eyes of observers: whatever the seats do, a sample of what a seat knows shows it what the game
//! shows, and plays on. The games, and what is compared, are those of `maumau_engine::selftest`.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a test may report what failed")]

use std::ops::Range;

use maumau_engine::rules::built_in;
use maumau_engine::selftest::{Manners, SelfTest, Watched};

/// Watches games of `set` that follow from `seed`.
fn check(set: &str, seed: u64, manners: Manners, games: Range<u64>) -> Watched {
    let mut test = SelfTest::new(set, seed).expect("a built-in set");
    let mut all = Watched::default();
    for number in games {
        match test.watch(number, manners) {
            Ok(watched) => {
                all.steps += watched.steps;
                all.samples += watched.samples;
            }
            Err(breach) => panic!("{} (game {number}): {breach}", test.table()),
        }
    }
    all
}

fn check_all(manners: Manners, games: u64) {
    std::thread::scope(|scope| {
        for set in built_in() {
            scope.spawn(move || {
                let all = check(set.name, 8, manners, 0..games);
                assert!(all.samples > 5_000, "{}: {all:?}", set.name);
            });
        }
    });
}

#[test]
fn samples_of_lawful_games_agree_with_what_a_seat_has_seen() {
    check_all(Manners::Lawful, 60);
}

#[test]
fn samples_agree_with_what_a_seat_has_seen_whatever_the_seats_do() {
    check_all(Manners::Any, 60);
}

/// Cards that go from hand to hand, sealed or not: a card that was yet to be taken was believed to lie in two hands, and one
/// that another seat laid to come from the observer's own.
#[test]
fn no_card_is_lost_where_cards_go_from_hand_to_hand() {
    check("snap", 8, Manners::Lawful, 60..240);
    check("snap", 8, Manners::Any, 60..240);
}

/// A word by itself before a jack with a word that names its suit was believed to be said with the jack.
#[test]
fn words_of_one_seat_in_a_row_may_belong_to_several_actions() {
    check("spam", 1, Manners::Any, 347..348);
}
