//! Random games under the eyes of an observer: whatever the seats do, a sample of what a seat knows shows it what the game
//! shows, and plays on. The games, and what is compared, are those of `maumau_engine::selftest`.

use maumau_engine::rules::built_in;
use maumau_engine::selftest::{Manners, SelfTest, Watched};

/// Watches `games` games of `set`; also returns how many of them were lost track of.
fn check(set: &str, manners: Manners, games: u64) -> (Watched, u64) {
    let mut test = SelfTest::new(set, 8).expect("a built-in set");
    let (mut all, mut lost) = (Watched::default(), 0);
    for number in 0..games {
        match test.watch(number, manners) {
            Ok(watched) => {
                all.steps += watched.steps;
                all.samples += watched.samples;
                lost += u64::from(watched.lost);
            }
            Err(breach) => panic!("{} (game {number}): {breach}", test.table()),
        }
    }
    (all, lost)
}

#[test]
fn samples_of_lawful_games_agree_with_what_a_seat_has_seen() {
    std::thread::scope(|scope| {
        for set in built_in() {
            scope.spawn(move || {
                let (all, _) = check(set.name, Manners::Lawful, 300);
                assert!(all.samples > 5_000, "{}: {all:?}", set.name);
            });
        }
    });
}

#[test]
fn samples_are_right_whatever_the_seats_do_and_hardly_a_game_is_lost_track_of() {
    std::thread::scope(|scope| {
        for set in built_in() {
            scope.spawn(move || {
                let (all, lost) = check(set.name, Manners::Any, 200);
                assert!(all.samples > 5_000, "{}: {all:?}", set.name);
                assert!(lost <= 4, "{}: {lost} of 200 games", set.name);
            });
        }
    });
}
