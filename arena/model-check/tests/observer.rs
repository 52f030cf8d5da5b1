//! Random games under the eyes of observers: whatever the seats do, a sample of what a seat knows shows it what the game
//! shows, and plays on. The games, and what is compared, are those of `maumau_model_check`.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a test may report what failed")]

use std::ops::Range;

use maumau_engine::rules::all_sets;
use maumau_model_check::{Manners, SelfTest, Watched};

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

/// Watches `games` lawful games of `set`, and as many with any manners; both must give more than so many `samples`.
fn check_with_all_manners(set: &str, games: u64, samples: u64) {
    std::thread::scope(|scope| {
        for manners in [Manners::Lawful, Manners::Any] {
            scope.spawn(move || {
                let all = check(set, 8, manners, 0..games);
                assert!(all.samples > samples, "{all:?}");
            });
        }
    });
}

fn check_all(manners: Manners, games: u64) {
    std::thread::scope(|scope| {
        for set in all_sets() {
            scope.spawn(move || {
                let all = check(set.name, 8, manners, 0..games);
                assert!(all.samples > 2_000, "{}: {all:?}", set.name);
            });
        }
    });
}

#[test]
fn samples_of_lawful_games_agree_with_what_a_seat_has_seen() {
    check_all(Manners::Lawful, 32);
}

#[test]
fn samples_agree_with_what_a_seat_has_seen_whatever_the_seats_do() {
    check_all(Manners::Any, 32);
}

/// Cards that go from hand to hand, sealed or not: a card that was yet to be taken was believed to lie in two hands, and one
/// that another seat played to come from the observer's own.
#[test]
fn no_card_is_lost_where_cards_go_from_hand_to_hand() {
    std::thread::scope(|scope| {
        for manners in [Manners::Lawful, Manners::Any] {
            scope.spawn(move || check("snap", 8, manners, 60..240));
        }
    });
}

/// A word by itself before a jack with a word that names its suit was believed to be said with the jack.
#[test]
fn words_of_one_seat_in_a_row_may_belong_to_several_actions() {
    check("spam", 1, Manners::Any, 347..348);
}

/// *Mau*, or a word for a card, was believed to be said with the card before which it was said by itself (G-24, P-59).
#[test]
fn a_word_apart_is_no_word_with_a_card() {
    for (set, game) in [("basic", 4206), ("skat", 2806), ("spam", 11637), ("spam", 11647)] {
        check(set, 1, Manners::Any, game..game + 1);
    }
}

/// What the referee names for a seat was not followed where penalty cards were drawn before it, nor a price that was paid with the
/// top card (D-50, D-60, G-05).
#[test]
fn the_price_of_naming_is_followed_for_seats_and_referee() {
    for game in [2933, 3249, 5033, 6913, 7427, 7933, 9185] {
        check("deluxe", 1, Manners::Any, game..game + 1);
    }
}

/// A second wrong card was taken back to the position before the first (N-68).
#[test]
fn a_wrong_card_after_another_is_taken_back() {
    check("snap", 1, Manners::Any, 5819..5820);
    check("spam", 1, Manners::Any, 3843..3844);
}

/// Two sealed cards were taken from a large hand (N-106), a copy of the card that is played next was, and a card that a dismissed
/// seat takes and plays was believed to be in its hand before.
#[test]
fn cards_that_are_taken_and_played_at_once_are_followed() {
    check("snap", 1, Manners::Any, 6657..6658);
    check("snap", 1, Manners::Any, 8557..8558);
    for game in [29, 68, 84, 107, 394] {
        let manners = if game % 4 == 0 { Manners::Lawful } else { Manners::Any };
        check("snap", 5, manners, game..game + 1);
    }
}

/// A dealt card that the observer had guessed by chance was not known to be seen.
#[test]
fn a_right_guess_becomes_knowledge_when_the_hand_is_seen() {
    check("snap", 1, Manners::Any, 7611..7612);
}

/// Runs that are begun, left open, gone on with and ended (G-73).
#[test]
fn runs_that_stay_open_are_followed() {
    check_with_all_manners("waterfall", 40, 3_000);
}

/// What challenges show of a hand, to the challenger and to others, and what a play that a hand allows shows (G-67).
#[test]
fn what_a_challenge_shows_is_followed() {
    check_with_all_manners("colours", 60, 5_000);
}

/// The rules that others are offered and add are those of the observer's game too (G-74, G-75).
#[test]
fn rules_that_are_added_are_followed() {
    check_with_all_manners("bartok", 40, 3_000);
}

/// Several hidden cards, each of which was known not to be some, could be the one that is played: it was not the one at whose place
/// it was looked for.
#[test]
fn a_card_that_was_played_from_another_place_than_was_thought_is_followed() {
    for game in [129, 130, 131, 133, 134, 139] {
        check("colours", 28, Manners::Any, game..game + 1);
    }
    check("tschau-sepp", 28, Manners::Any, 341..344);
}

/// Whether a round ends the match depends on points that only a count of all hands shows.
#[test]
fn rounds_that_might_have_ended_the_match_are_followed() {
    check("colours", 28, Manners::Any, 142..143);
    for game in [113, 122, 127] {
        check("mau-mau", 28, Manners::Any, game..game + 1);
    }
}

/// A name that costs nothing, for what its seat does not hold, was counted as a pass with nothing left to draw, so the end of a
/// blocked round depended on a hand that nobody had seen (G-46).
#[test]
fn a_name_without_a_price_is_no_pass() {
    for game in [70, 71, 79, 167, 173, 177, 179, 185, 189, 190] {
        check("makao", 28, Manners::Any, game..game + 1);
    }
}

/// A card that was refused was thought to be the one just drawn, although another one was played as that (G-54).
#[test]
fn a_card_that_was_shown_need_not_be_the_one_that_was_drawn() {
    check("bartok", 28, Manners::Any, 278..279);
}

/// Hidden cards of which each could lie only where another one lay were not exchanged in a ring; and where no card could be at a
/// place any more, what ruled it out was that a card had been played from another place than was thought (G-53, G-67).
#[test]
fn what_hands_cannot_hold_leaves_a_place_for_every_card() {
    check("tschau-sepp", 28, Manners::Any, 1866..1867);
    check("colours", 28, Manners::Any, 186..187);
}

/// A card that has to be played if it was drawn was thought to have been drawn, without the other card beside which it may not be
/// (G-54, G-67).
#[test]
fn who_draws_on_may_have_drawn_a_card_that_its_hand_forbids() {
    for game in [261, 269] {
        check("colours", 28, Manners::Any, game..game + 1);
    }
}

/// The card on top, which a seat gets where nothing is left to draw, was not taken for the one just drawn (G-07, G-54).
#[test]
fn the_card_on_top_is_the_one_just_drawn_where_no_other_is_left() {
    for game in [1155, 1158, 1175] {
        check("pesten", 30, Manners::Any, game..game + 1);
    }
}

/// A card played after a draw for which nothing was left was thought to be the one drawn in the turn before (G-07, G-54).
#[test]
fn a_card_of_a_later_turn_was_not_drawn_in_the_one_before() {
    check("pesten", 4711, Manners::Lawful, 5200..5201);
}
