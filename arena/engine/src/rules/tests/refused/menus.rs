//! Menus of which a rule cannot be added, and rules that exclude one another (G-74 to G-77).

use super::{HEAD, load_text, problems};

#[test]
fn a_menu_names_the_rule_that_cannot_be_added() {
    let menu = |entries: &str| format!("[menu]\noffer = 3\n[menu.add]\n{entries}");
    for (entries, expected) in [
        (
            "a = { about = \"\", rules = { effects.new = { cards = \"9\", skip = {} } } }",
            "my.toml:7:58: effects.new.skip: added by menu.add.a: contradicts effects.again.again on 9",
        ),
        (
            "a = { about = \"\", rules = { deal.cards = 4 } }",
            "menu.add.a.rules.deal: cannot change in the course of a match: expected calls, duties,",
        ),
        (
            "a = { about = \"\", rules = { turn.dras = 2 } }",
            "turn.dras: added by menu.add.a: unknown key; did you mean \"draws\"?",
        ),
        ("a = { about = \"\", rules = {} }", "menu.add.a.rules: expected some keys of the rules"),
        (
            "pears = { about = \"\", rules.turn.cap = 9, replaces = [\"pairs\"] }\nplums = { about = \"\", rules.turn.cap = 8 }",
            "menu.add.pears.replaces: \"pairs\" is no other rule of the menu",
        ),
    ] {
        let found = problems(&menu(entries));
        let is_there = found.len() == 1 && found[0].starts_with("my.toml:7:") && found[0].contains(expected);
        assert!(is_there, "{entries}: {found:#?}");
    }
}

#[test]
fn a_rule_of_a_menu_is_judged_beside_counts_too() {
    let text = format!(
        "{}[menu]\noffer = 1\n[menu.add]\na = {{ about = \"\", rules.together.same.cards = \"2-A\" }}",
        HEAD.replace("basic", "countdown")
    );
    let found = load_text(&text, &[]).expect_err("a set that is refused").to_string();
    let expected = "added by menu.add.a: contradicts together: cards are judged by the count of the seat to move";
    assert!(found.contains(expected), "{found}");
}

#[test]
fn a_menu_cannot_bring_in_cards_of_a_count() {
    let found = problems(
        "[menu]\noffer = 1\n[menu.add]\na = { about = \"\", rules.effects.x = { cards = \"count\", reverse = true } }",
    );
    let expected = "effects.x.cards: added by menu.add.a: \"count\" needs a count of each seat: write [count]";
    assert!(found.len() == 1 && found[0].contains(expected), "{found:#?}");
}

#[test]
fn rules_of_a_menu_that_contradict_each_other_exclude_each_other() {
    let entries = [
        "skip = { about = \"\", rules.effects.x = { cards = \"Q\", skip = {} } }",
        "again = { about = \"\", rules.effects.y = { cards = \"Q\", again = \"may\" } }",
        "free = { about = \"\", rules.effects.x = { cards = \"K\", any_time = true }, replaces = [\"skip\"] }",
        "cap = { about = \"\", rules.turn.cap = 9 }",
    ];
    let text = format!("{HEAD}[menu]\noffer = 0\n[menu.add]\n{}", entries.join("\n"));
    let set = load_text(&text, &[]).unwrap_or_else(|problems| panic!("{problems}")).set;
    let menu = set.menu.expect("a menu");
    assert_eq!(menu.can_add::<&str>(&[]), ["again", "cap", "free", "skip"]);
    assert_eq!(menu.can_add(&["skip"]), ["cap", "free"], "one has another value of the same key, and replaces it");
    assert_eq!(menu.can_add(&["free"]), ["again", "cap"]);
    assert_eq!(menu.can_add(&["cap", "again"]), ["free"]);
}
