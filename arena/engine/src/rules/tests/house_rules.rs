//! Tests sets that extend other sets: which layer decides a value. Files that are refused are in `refused`.

use serde_json::{Value, json};

use super::{Files, load_text, settings};
use crate::rules::load;

const HEAD: &str = "format = 1\nname = \"my\"\nextends = \"basic\"\n";

#[test]
fn a_files_own_word_goes_before_inherited_defaults_and_a_choice_before_both() {
    let check = |text: &str, set: &[&str], expected: &[(&str, Value)]| {
        let loaded = load_text(&format!("{HEAD}{text}"), set).unwrap_or_else(|problems| panic!("{text}: {problems}"));
        let json = serde_json::to_value(&loaded.set).expect("json");
        for (pointer, value) in expected {
            assert_eq!(json.pointer(pointer).unwrap_or(&Value::Null), value, "{text} {set:?} {pointer}");
        }
    };
    check("", &[], &[("/name", json!("my")), ("/title", json!("my")), ("/deal/cards", json!(5))]);
    check("title = \"Mine\"", &[], &[("/title", json!("Mine"))]);
    check("deal.cards = 7", &[], &[("/deal/cards", json!(7)), ("/deck/packs/0/is", json!(1))]);
    check("prices.misplay.cards = 3", &[], &[("/prices/misplay/cards", json!(3)), ("/options/misplay", json!(3))]);
    check(
        "prices.misplay.cards = 3",
        &["misplay=1"],
        &[("/prices/misplay/cards", json!(1)), ("/options/misplay", json!(1))],
    );
    check(
        "[options.misplay]\ndefault = 3",
        &[],
        &[("/prices/misplay/cards", json!(3)), ("/options/misplay", json!(3))],
    );
    check("deck.cards = \"2-A\"", &[], &[("/options/deck", json!(52))]);
    check("deck.cards = \"6-A\"", &[], &[("/options/deck", json!("custom"))]);
    check(
        "deck.cards = \"6-A\"",
        &["deck=32"],
        &[("/deck/cards", json!("7 8 9 T J Q K A")), ("/options/deck", json!(32))],
    );
    check(
        "deal.next_dealer = \"winner\"",
        &[],
        &[("/deal/next_dealer", json!("winner")), ("/options/next_dealer", json!("winner"))],
    );
    check("[options.next_dealer]\ndefault = \"winner\"", &[], &[("/deal/next_dealer", json!("winner"))]);
    check(
        "[options.next_dealer]\noff = true",
        &[],
        &[("/options/next_dealer", Value::Null), ("/deal/next_dealer", json!("left"))],
    );
    check("[effects.eight]\noff = true", &[], &[("/effects/eight/off", json!(true))]);
    check("", &["deal.cards=7"], &[("/deal/cards", json!(7))]);
    check(
        "",
        &["effects.eight.cards=9,KH", "effects.again.cards=A", "effects.king_of_hearts.off=true"],
        &[("/effects/eight/cards", json!("9 KH"))],
    );
    check("", &["effects.eight.cards=9", "effects.again.off=true"], &[("/effects/eight/cards", json!("9"))]);
    check("", &["deal.cards=4", "deal.cards=6"], &[("/deal/cards", json!(6))]);
    check(
        "[options.hand]\nabout = \"Cards.\"\ndefault = 5\nkey = \"deal.cards\"\nrange = [3, 7]",
        &["hand=7"],
        &[("/deal/cards", json!(7)), ("/options/hand", json!(7))],
    );
}

#[test]
fn a_chain_of_files_is_laid_over_one_another() {
    let files = Files(&[
        ("a.toml", "format = 1\nname = \"a\"\nextends = \"b.toml\"\ndeal.cards = 4"),
        ("b.toml", "format = 1\nname = \"b\"\nextends = \"skat\"\ndeal.cards = 6\ndeal.first_card = \"plain\""),
    ]);
    let loaded = load(&files, "a.toml", &settings(&[])).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(loaded.files, ["a.toml", "b.toml", "built-in skat.toml"]);
    let json = serde_json::to_value(&loaded.set).expect("json");
    let deal = json!({
        "cards": 4,
        "leave_each": 0,
        "first_card": "plain",
        "next_dealer": "left",
        "by": "referee",
        "order": "fixed",
        "look": "dealt",
        "direction_carries": false,
    });
    assert_eq!(json["deal"], deal);
}
