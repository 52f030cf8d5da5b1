//! Cards that cannot stand for others (G-79).

use super::{HEAD, load_text};

const JOKER: &str = "deck.jokers = 1\n[effects.joker]\ncards = \"XX\"\nstands_for = \"7-A\"\n";

/// The only problem with `text`, without its place.
fn problem(text: &str) -> String {
    let problems = match load_text(&format!("{HEAD}{text}"), &[]) {
        Ok(_) => panic!("nothing was wrong with {text:?}"),
        Err(problems) => problems.to_string(),
    };
    let [problem] = problems.lines().collect::<Vec<_>>()[..] else { panic!("{text:?}: {problems}") };
    problem.split_once(": ").map(|(_, problem)| problem.to_owned()).unwrap_or_default()
}

#[test]
fn only_cards_without_a_suit_stand_for_cards_with_one() {
    let suited = "effects.king = { cards = \"KS\", stands_for = \"7-A\" }";
    assert_eq!(problem(suited), "effects.king.cards: KS has a suit; only cards without one stand for others");
    let joker = "deck.jokers = 1\neffects.joker = { cards = \"XX\", stands_for = \"7-A XX\" }";
    assert_eq!(problem(joker), "effects.joker.stands_for: expected cards with a suit, which XX has not");
}

#[test]
fn a_card_that_stands_for_others_has_no_effect_of_its_own_and_is_played_by_itself_in_turn() {
    for (more, expected) in [
        (
            "reverse = true",
            "effects.joker.reverse: contradicts effects.joker.stands_for on XX, which has the effects of the card for which it stands",
        ),
        (
            "[effects.any]\ncards = \"Q XX\"\nany_time = true",
            "effects.any.any_time: contradicts effects.joker.stands_for on XX, which has the effects of the card for which it stands",
        ),
        (
            "[effects.queen]\ncards = \"Q\"\nrace = true",
            "effects.joker.stands_for: contradicts effects.queen.race: a card that stands for another is played in turn, and lies open",
        ),
        (
            "[prices]\nsealed = true",
            "effects.joker.stands_for: contradicts prices.sealed, which asks what a card itself is",
        ),
    ] {
        assert_eq!(problem(&format!("{JOKER}{more}")), expected, "{more}");
    }
    let coloured = "format = 1\nname = \"my\"\nextends = \"colours\"\n[effects.joker]\ncards = \"WK\"\nstands_for = \"0-9\"\n\
                    [effects.other]\ncards = \"WF\"\nstands_for = \"0-8\"";
    let problems = load_text(coloured, &[]).err().map(|problems| problems.to_string()).unwrap_or_default();
    assert!(
        problems.contains("contradicts effects.joker.stands_for: all of them stand for the same cards"),
        "{problems}"
    );
}
