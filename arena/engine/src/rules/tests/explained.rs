//! The rules in words.

use super::{load_text, settings};
use crate::rules::{built_in, explain, load_built_in};

#[test]
fn every_effect_and_its_clauses_are_told_in_lines_of_a_hundred_characters() {
    for set in built_in() {
        for seats in [None, Some(2), Some(4), Some(7)] {
            let loaded = load_built_in(set.name, &[]).expect("a set");
            let text = loaded.explain(seats);
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for (name, effect) in loaded.set.effects.iter().filter(|(_, effect)| !effect.clauses.is_empty()) {
                let here = seats
                    .is_none_or(|n| effect.seats.is_none_or(|[low, high]| (low.into()..=high.into()).contains(&n)));
                let rules = words.split("TABLE OPTIONS").next().unwrap_or_default();
                let told = rules.contains(&format!("[{}]", effect.clauses.join(", ")));
                assert_eq!(told, here && !effect.off, "{} {name} {seats:?}", set.name);
            }
            for clause in loaded.clauses.values().flatten() {
                assert!(words.contains(clause), "{} {clause}", set.name);
            }
            for option in &loaded.options {
                assert!(words.contains(&option.about), "{} {}", set.name, option.name);
            }
        }
    }
}

/// The text for these settings contains the sentence, line ends aside.
fn check(name: &str, set: &[&str], seats: Option<usize>, sentence: &str) {
    let loaded = load_built_in(name, &settings(set)).unwrap_or_else(|problems| panic!("{problems}"));
    let text = explain(&loaded.set, seats).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(sentence), "{sentence:?} is not in: {text}");
}

#[test]
fn the_text_follows_from_the_resolved_rules() {
    check("basic", &[], None, "Each player gets five cards.");
    check("basic", &[], None, "Sevens. The next player must draw two cards, which is the whole turn");
    check("basic", &[], None, "one pack with 2 to 5 players and two packs with 6 to 10 players");
    check("basic", &[], Some(6), "In the game: two packs.");
    check("basic", &["deck=52"], None, "52 cards, two to ace of the four suits");
    check("basic", &["again_ranks=A"], None, "Aces. Whoever lays one may at once lay a further card");
    check("basic", &["play_after_draw=true"], None, "may lay the card just drawn, if it fits, but no other");
    check("basic", &["kh_chooses=true"], None, "The king of hearts. Whoever lays one may name a suit.");
    check(
        "basic",
        &["function_any=out_of_turn"],
        None,
        "Sevens, eights, nines, jacks, aces and the king of hearts. They may be",
    );
    check("basic", &["mau=called"], None, "any other player may call it");
    check("basic", &["mau=called", "strict=true"], None, "the referee makes the player draw two cards");
    check("basic", &["first_card=effect"], None, "It counts as just laid by the dealer");
    check("basic", &["jack_last=forbidden"], None, "They may not be laid as the last card.");
    check("basic", &["misplay=0"], None, "costs nothing. In turn, the turn is kept");
    check("basic", &["next_dealer=winner"], None, "The winner of a round deals the next one");
    check("basic", &["shortage=top_card"], None, "the drawer also takes the top card");
    check("basic", &["rounds=12"], None, "A match has twelve rounds.");
    check("skat", &[], None, "The king of hearts. Only with 4 or more players.");
    check(
        "skat",
        &[],
        Some(4),
        "The king of hearts. The next player must draw four cards, and then has an ordinary turn.",
    );
    check("skat", &["extra_rules=on"], None, "Tens. The direction of play turns round");
    check("skat", &["kh_ends_turn=true"], Some(4), "must draw four cards, which is the whole turn");
    check("skat", &["seven_replaces_draw=true"], None, "a turn in which these cards count as the draw");
    check("skat", &["every_victim_may_answer=true"], None, "Each of them may answer in turn.");
    check("skat", &["match=wins"], None, "Whoever has won most rounds wins the match");
    check("skat", &["king_points=4"], None, "seven 7, king 4 and queen 3");
    check("skat", &["deal=by_players"], None, "seven cards with 2 players, six cards with 3 players");
    check("skat", &["mau_any_time=true"], None, "before or with it");
    check("skat", &["last_card_effects=draw_first"], None, "are drawn before hands are counted");
    let deluxe = |set: &[&str], sentence: &str| check("deluxe", set, None, sentence);
    deluxe(&[], "Jacks. Whoever lays one must name a value of the pack with it. That is a request");
    deluxe(&[], "until every player, the one who made it too, has laid such a card");
    deluxe(&[], "Naming what is not left in one's own hand costs five cards");
    deluxe(&[], "a requested value with a jack and a requested suit with a queen");
    deluxe(&[], "Aces. Whoever lays one must at once lay a further card that fits");
    deluxe(&[], "They may not be laid as the last card, except to serve a request.");
    deluxe(&[], "until the next-but-one player, by turns actually taken, makes the following move");
    deluxe(&[], "laid as the further card after an ace, Mau must have been said");
    deluxe(&[], "Everybody begins the match with 40 chips.");
    deluxe(&[], "as soon as somebody has no chip left the match is over");
    deluxe(&["request_ends=lap"], "for one lap, in which every player has one turn");
    deluxe(&["jack_wild=true"], "unless cards are owed, an answer is due or a request stands");
    deluxe(&["ace_strict=true"], "or, only without a card that fits, draw one");
    deluxe(&["per_card_draw=true"], "Owed cards are drawn one at a time");
    deluxe(
        &["last_special=natural"],
        "draws one card after an ace, five cards after a jack and five cards after a queen",
    );
    deluxe(&["debt_after_wrong=passes"], "cards that are owed are owed by the next player");
    deluxe(&["debt=negative"], "as soon as somebody is below zero the match is over");
    deluxe(&["tie=extra_round"], "a further round is played");
    let snap = |set: &[&str], seats: Option<usize>, sentence: &str| check("snap", set, seats, sentence);
    snap(&[], None, "a direction that was turned round lasts, from round to round too");
    snap(&[], None, "Fives. In one's own turn they may be laid on any card");
    snap(&[], None, "Once laid they are as if they were not there");
    snap(&[], None, "They may not be laid on a jack or a card of their own suit.");
    snap(&[], None, "neither its own nor that of the card before");
    snap(&[], None, "Kings. On a queen of the same suit they are free");
    snap(&[], None, "Aces. The next player must take a card, at random, from the hand of whoever laid one.");
    snap(&[], None, "Tens. Whoever lays one must take a card, at random, from the next player's hand.");
    snap(&[], None, "having forgotten it is a mistake (\"must\") that costs two penalty cards");
    snap(&[], Some(2), "With two players: whoever laid it moves again");
    snap(&[], None, "the answer is possible until that one draws or lays a card");
    snap(&[], None, "says Mau before anybody else lays the next card");
    snap(&[], None, "Whoever holds no card says Mau Mau: quickly");
    snap(&[], None, "says Snap before it or with it. Cards that are looked through do not count.");
    snap(&[], None, "Penalty cards are sealed");
    snap(&[], None, "After three turn limits in a row the referee acts for the seat, at no further cost");
    snap(&[], None, "An empty hand does not win at once, but begins the closing time");
    snap(&[], None, "still has the turn to take, can only draw, and so has not won");
    snap(&["inturn_free_finish=win"], None, "A last card laid free in the own turn counts like any other.");
    snap(&["musts=auto"], None, "The referee carries it out at once.");
    snap(&["strict=true"], None, "(\"no_snap\") that costs two penalty cards; the referee notices it.");
    snap(
        &["false_call_costs=true"],
        None,
        "A wrong call is a mistake itself (\"false_call\") and costs two penalty cards.",
    );
    snap(&["mau_mau_double=true"], None, "Not quickly and not before the next card are two mistakes.");
    snap(&["illegal=stands"], None, "lies like a right one, with its effect");
    snap(&["slow=called"], None, "(\"slow\") that costs two penalty cards if another player calls it");
    snap(&["dealing=dealer"], None, "The dealer deals the cards one by one");
}

#[test]
fn a_house_rule_is_told_too() {
    let text = "format = 1\nname = \"my\"\nextends = \"skat\"\ndeck.jokers = 2\n[effects.queen]\ncards = \"Q XX 2C\"\nreverse = true";
    let text = load_text(text, &[]).unwrap_or_else(|problems| panic!("{problems}")).explain(None);
    assert!(text.contains("Queens, the two of clubs and jokers. The direction of play turns round"), "{text}");
    assert!(text.contains("and two jokers"), "{text}");
}
