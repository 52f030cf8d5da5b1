//! Tests the form of the rules in words, and that they follow from the resolved rules. That each sentence is true is
//! checked by `explained.rs` beside it.

use maumau_engine::rules::{
    BuiltIn, LoadedRules, NoRuleText, RuleFiles, RuleText, all_sets, load, load_built_in, parse_setting,
};
use maumau_protocol::ruleset::OptionValue;
use maumau_rulebook::Rulebook;

/// Files written in the test itself, in addition to the built-in ones.
struct Files<'a>(&'a [(&'a str, &'a str)]);

impl RuleFiles for Files<'_> {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((file, text)) => Ok(RuleText { file: (*file).to_owned(), text: (*text).to_owned() }),
            None => BuiltIn.text(name, from),
        }
    }
}

fn settings(texts: &[&str]) -> Vec<(String, OptionValue)> {
    texts.iter().map(|text| parse_setting(text).expect("a setting")).collect()
}

/// The page of a loaded set.
fn text_of(loaded: &LoadedRules, seats: Option<usize>) -> String {
    Rulebook::of_file(loaded, seats).text(100)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_have_lines_of_the_width_asked_for_and_explain_every_option() {
    for set in all_sets() {
        for (seats, width) in [(None, 100), (Some(2), 80), (Some(4), 50), (Some(7), 200)] {
            let loaded = load_built_in(set.name, &[]).expect("a set");
            let text = Rulebook::of_file(&loaded, seats).text(width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(
                widest.is_some_and(|widest| (width - 10..=width).contains(&widest)),
                "{widest:?} of {width}: {text}"
            );
            for option in &loaded.options {
                assert!(one_line(&text).contains(&option.about), "{} {}", set.name, option.name);
            }
        }
    }
}

/// The page for these settings contains the sentence with its clauses, line ends aside.
fn check(name: &str, set: &[&str], seats: Option<usize>, sentence: &str) {
    let loaded = load_built_in(name, &settings(set)).unwrap_or_else(|problems| panic!("{problems}"));
    let text = one_line(&text_of(&loaded, seats));
    assert!(text.contains(sentence), "{sentence:?} is not in: {text}");
}

#[test]
fn the_text_follows_from_the_resolved_rules() {
    let basic = |set: &[&str], sentence: &str| check("basic", set, None, sentence);
    basic(&[], "Each player gets five cards [B-02].");
    basic(&[], "played with one pack (2 to 5 players) or two packs (6 to 10 players) [B-01, B-38].");
    basic(&[], "owed cards are drawn as usual, otherwise one card is drawn");
    basic(&["packs=1"], "2 to 5 players can play");
    basic(&["again_ranks=A"], "Aces. A player who plays one may at once play a further card that fits");
    basic(
        &[],
        "again_ranks = 9 A: The cards after which one may play another. Possible: cards, as in \"A\" or \"9 A\"",
    );
    basic(&["first_card=effect"], "the first that is possible of clubs, diamonds, hearts and spades [G-05");
    check("basic", &[], Some(6), "The game is played with two packs");
    check("skat", &[], Some(4), "The king of hearts. The next player must draw four cards");
    check(
        "skat",
        &[],
        None,
        "Tens. Only with 4 or more players; with fewer they are plain cards [K-51]. The direction of play turns round [K-56].",
    );
    check("skat", &["extra_rules=on"], None, "turns round [K-56]. With two players that changes nobody's turn [K-55].");
    check("skat", &["extra_rules=on"], None, "the player on the dealer's other side has it [K-09, K-56].");
    check("skat", &["king_points=4"], None, "seven 7; king 4; queen 3 [K-44, K-45, K-46].");
    check("deluxe", &[], None, "Maumau is the winner's courtesy [D-33].");
    check("deluxe", &["deck=32"], None, "2 to 4 players can play");
    check(
        "deluxe",
        &["last_special=natural"],
        None,
        "one card after an ace, five cards after a jack and five cards after a queen",
    );
    check("snap", &["illegal=stands"], None, "A card that does not fit and is played in turn lies like a right one");
    check("snap", &["dealing=dealer"], None, "singly, in the direction of play, beginning with the next player");
    check("snap", &["strict=true", "dealing=dealer"], None, "every mistake by itself, a false deal aside");
    check("spam", &["deal_count=dealer"], None, "in any order and as many cards as the dealer likes");
    check("spam", &["illegal=stands"], None, "A card that does not fit, or comes out of turn, lies like a right one");
    check("spam", &[], None, "A card drawn out of turn is kept and changes nothing else");
    check(
        "spam",
        &[],
        None,
        "in turn \"wrong_card\" or \"incorrect_play\", out of turn \"out_of_turn\" or \"out_of_order\"",
    );
    check("spam", &[], None, "Cards that the last card made somebody owe are not drawn then [P-20].");
    check("spam", &[], None, "grace time, for words that are due: 2 seconds; one tick");
    check("spam", &[], None, "Possible: words in small letters between spaces, or \"built-in\" [P-");
}

#[test]
fn the_further_games_are_explained_to_those_who_know_only_their_names() {
    let check = |set: &str, sentence: &str| check(set, &[], None, sentence);
    check("bartok", "The winner of a round adds a rule. PLAYERS");
    check("colours", "is possible of blue, green, red and yellow [G-05");
    check("colours", "A pack has 108 cards in blue, green, red and yellow: noughts,");
    check("countdown", "must be of that suit or one that goes on any card.");
    check("eights", "you may pass only when nothing is left to draw [G-56]. A draw pile");
    check("makao", "with a king of hearts that fits the top card instead");
    check("makao", "only cards of the named value may be played");
    check("pesten", "says \"laatste kaart\": with that card");
    check(
        "prsi",
        "A pack has 32 cards, seven to ace of the four suits. Its suits are acorns (♣, written C), bells (◉, written D)",
    );
    check("prsi", "unders (U) are written J and obers (O) are written Q [G-80].");
    check(
        "tschau-sepp",
        "shields (▼, written S); banners (10) are written T, unders (U) are written J and obers (O) are written Q",
    );
    check("tschau-sepp", "The one who played it moves again. With 3 or more players: The direction");
    check(
        "waterfall",
        "One that is played as the last card stays on the pile, but does not win: its player draws one card, and the turn is over.",
    );
}

#[test]
fn games_with_a_coloured_pack_speak_of_colours() {
    for (set, says_suit) in [("colours", false), ("waterfall", false), ("switch", true)] {
        let text = text_of(&load_built_in(set, &[]).expect("a set"), None);
        assert_eq!((text.contains("suit"), text.contains("colour")), (says_suit, !says_suit), "{set}: {text}");
    }
}

#[test]
fn cards_with_other_faces_have_no_french_names() {
    for set in ["prsi", "tschau-sepp"] {
        let text = text_of(&load_built_in(set, &[]).expect("a set"), None);
        for french in ["jack", "queen", "club", "diamond", "spade"] {
            assert!(!text.contains(french), "{set} has a {french}: {text}");
        }
    }
}

#[test]
fn jokers_are_explained_where_the_pack_has_some() {
    for (set, jokers) in [("makao", "jokers=2"), ("tschau-sepp", "jokers=1"), ("mau-mau", "jokers=1")] {
        let names_jokers = |options: &[&str]| {
            let text = text_of(&load_built_in(set, &settings(options)).expect("a set"), None);
            let rules = text.split("TABLE OPTIONS").next().unwrap_or_default().to_lowercase();
            rules.contains("joker")
        };
        assert!(names_jokers(&[jokers]) && !names_jokers(&[]), "{set}");
    }
}

#[test]
fn what_the_referee_deals_is_no_mistake_of_the_dealer() {
    let words = |set: &[&str]| one_line(&text_of(&load_built_in("snap", &settings(set)).expect("a set"), None));
    for id in ["N-111", "N-114", "N-119"] {
        assert!(!words(&[]).contains(id) && words(&["dealing=dealer"]).contains(id), "{id}");
    }
}

fn house(text: &str, set: &[&str]) -> LoadedRules {
    let text = format!("format = 1\nname = \"my\"\nextends = \"skat\"\n{text}");
    load(&Files(&[("my.toml", &text)]), "my.toml", &settings(set)).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn an_option_without_a_clause_is_explained_without_one() {
    let house = house("[options.flood]\nabout = \"Cards.\"\ndefault = 5\nkey = \"deal.cards\"\nrange = [3, 7]\n", &[]);
    let text = one_line(&text_of(&house, None));
    assert!(
        text.contains("flood = 5: Cards. Possible: a whole number from 3 to 7. ") && !text.contains("[]"),
        "{text}"
    );
}

#[test]
fn a_house_rule_is_explained_too() {
    let text = text_of(&house("deck.jokers = 2\n[effects.queen]\ncards = \"Q XX 2C\"\nreverse = true", &[]), None);
    let text = one_line(&text);
    assert!(text.contains("House rules that change Mau-Mau with a skat pack (skat)."), "{text}");
    assert!(text.contains("Queens, the two of clubs and jokers. The direction of play turns round."), "{text}");
    assert!(text.contains("and two jokers"), "{text}");
}

#[test]
fn a_card_that_does_something_else_at_another_table_is_explained_once() {
    let check = |text: &str, seats: Option<usize>, expected: &[&str]| {
        let page = one_line(&text_of(&house(text, &[]), seats));
        let paragraphs: Vec<&str> = page.match_indices(" Tens").map(|(at, _)| &page[at + 1..]).collect();
        assert_eq!(paragraphs.len(), expected.len(), "{page}");
        for (found, expected) in paragraphs.iter().zip(expected) {
            assert!(found.starts_with(expected), "expected {expected:?}, found {found:?}");
        }
    };
    let split = "[effects.ten_of_few]\ncards = \"T\"\nseats = [2, 3]\nskip = {}";
    let few = "The next player misses a turn and can do nothing about it.";
    let two = "With two players, the one who played it moves again.";
    check(
        split,
        None,
        &[&format!(
            "Tens. With 2 to 3 players: {few} {two} With 4 or more players [K-51]: The direction of play turns"
        )],
    );
    check(split, Some(2), &[&format!("Tens. {few} {two} ")]);
    check(split, Some(5), &["Tens. The direction of play turns round [K-56]. "]);
    // One ten does something at small tables, so tens are not plain there.
    let one = "[effects.one_ten]\ncards = \"TH\"\nseats = [2, 3]\nskip = {}";
    check(one, None, &["Tens. Only with 4 or more players [K-51]. The direction of play turns"]);
    // Two effects of the same cards at the same tables have a paragraph each.
    let both = "[effects.ten_too]\ncards = \"T\"\nseats = [2, 5]\nlast_multiplies = 2";
    check(both, None, &["Tens. Only with 4 or more players [K-51]. The", "Tens. Only with 5 players at most."]);
}

#[test]
fn a_rule_that_a_file_has_changed_cites_no_clause() {
    let check = |text: &str, set: &[&str], sentences: &[&str]| {
        let page = one_line(&text_of(&house(text, set), None));
        for sentence in sentences {
            assert!(page.contains(sentence), "{sentence:?} is not in: {page}");
        }
    };
    check("", &[], &["Each player gets five cards [K-04"]);
    check("deal.cards = 6", &[], &["Each player gets six cards. The rest"]);
    check("", &["deal.cards=6"], &["Each player gets six cards. The rest"]);
    check(
        "",
        &["deal=by_players"],
        &["seven cards (6 players), six cards (7 players) or five cards (8 players) [K-04"],
    );
    check(
        "effects.seven.owe.cards = 3",
        &[],
        &["must draw three cards, and then has a whole turn, with a draw of its own. That", "played against it [K-32]"],
    );
    check(
        "effects.seven.cards = \"6\"\neffects.seven.owe.answers = \"6\"",
        &[],
        &["Sixes. The next player must draw two cards, and then has a whole turn, with a draw of its own. That"],
    );
    check(
        "[effects.queen]\ncards = \"Q\"\nagain = \"may\"",
        &[],
        &[
            "Queens. A player who plays one may at once play a further card that fits, or pass; drawing instead is not possible.",
        ],
    );
    check("", &["misplay=1"], &["costs one penalty card [K-42, K-50]"]);
}

#[test]
fn a_rule_file_of_a_rule_file_names_the_one_that_it_changes() {
    let files = Files(&[
        ("a.toml", "format = 1\nname = \"a\"\nextends = \"b.toml\"\nabout = \"Ours.\""),
        ("b.toml", "format = 1\nname = \"b\"\ntitle = \"Bee\"\nextends = \"skat\""),
    ]);
    let loaded = load(&files, "a.toml", &[]).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(
        text_of(&loaded, None).contains("  House rules that change Bee (b). Ours.\n"),
        "{}",
        text_of(&loaded, None)
    );
}
