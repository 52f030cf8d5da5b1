//! What is refused, with the whole text of what is said about it.

use super::{Files, load_text, settings};
use crate::rules::{MAX_FILE_BYTES, load, parse_setting};

const HEAD: &str = "format = 1\nname = \"my\"\nextends = \"basic\"\n";

fn check(text: &str, set: &[&str], expected: &[&str]) {
    check_whole(&format!("{HEAD}{text}"), set, expected);
}

fn check_whole(text: &str, set: &[&str], _expected: &[&str]) {
    match load_text(text, set) {
        Ok(_) => println!("CASE {text:?} {set:?} ######### NOTHING"),
        Err(problems) => println!("CASE {text:?} {set:?}\n{problems}\n"),
    };
}
#[test]
fn scratch() {
    let x = &["x"][..];
    check("dael.cards = 5", &[], x);
    check("[effects.seven.owe]\ncrads = 2", &[], x);
    check("extend = \"skat\"", &[], x);
    check("\"a b\" = 1", &[], x);
    check("[clauses]\ndael = []\ndeal = 5", &[], x);
    check("[effects.seven.owe]\ncards = \"two\"\n[duties.mau]\nif_missing = \"shouted\"\n[deal]\ncards = 0", &[], x);
    check("effects.seven.owe.cards = 300\nturn.draws = -1", &[], x);
    check("effects.seven.owe.cards = 2.5\ndeal.cards = 1979-05-27", &[], x);
    check("effects.jack.any_time = \"yes\"\ndeal.first_card = 5\nturn = 7\n", &[], x);
    check("deck.packs = [{ seats = [2, 9], is = 20 }, {seats = [3], is = 1}]", &[], x);
    check("deck.packs = [{ seats = [5, 2], is = 2 }, {seats = [3, 4], is = 1}, {seats=[4,6], is = 1}]", &[], x);
    check("effects.seven.cards = \"joker\"\neffects.seven.clauses = \"B\"", &[], x);
    check("effects.new = { cards = \"Q\" }", &[], x);
    check("effects.new = { cards = \"\", reverse = true }", &[], x);
    check("effects.new = { cards = \"Q\", owe = { kind = \"Q\" } }", &[], x);
    check("effects.new = { cards = \"Q\", owe = { cards = 1, kind = \"Q\", answers = \"K\", then = \"turn_over\" }, again = \"may\" }", &[], x);
    check("effects.eight.skip.answers = \"7 8\"", &[], x);
    check("effects.new = { cards = \"8 9\", owe = { cards = 1, kind = \"x\", then = \"turn_over\" } }", &[], x);
    check("effects.new = { cards = \"7\", owe = { cards = 1, kind = \"x\", then = \"turn_over\" } }", &[], x);
    check("effects.all = { cards = \"2-A\", never_last = true }", &[], x);
    check("duties.mau = { word = \"!\", if_missing = \"bars_last_card\" }", &[], x);
    check("duties.mau = { word = \"Last Card!\", any_time = true }", &[], x);
    check("scoring.points = { X = 3, 10 = 5 }", &[], x);
    check("deal.cards = 20", &[], x);
    check("seats = { min = 8, max = 3 }", &[], x);
    check("seats = { min = 1, max = 30 }", &[], x);
    check("turn.draws = 3\nturn.cap = 0", &[], x);
    check("deck.jokers = 9", &[], x);
    check("title = \"\"", &[], x);
    check("[options.hand]\ndefault = 4\nkey = \"deal.cards\"\nrange = [5, 7]\nvalue = 3", &[], x);
    check("[options.hand]\nabout = \"x\"\ndefault = \"b\"\nvalues.a = { deal.cards = 4 }\nvalues.c = 7", &[], x);
    check("[options.hand]\nabout = \"x\"\ndefault = \"a\"", &[], x);
    check("[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.crads = 4 }", &[], x);
    check("deal.cards = 4\n[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.cards = 6 }", &[], x);
    check("", &["decks=52"], x);
    check("", &["deck=40", "misplay=11", "mau=on", "again_ranks=joker"], x);
    check("", &["deal.crads=4", "deal.cards=x", "deal.cards.more=3", "options.deck=52", "deal.=4"], x);
    check("", &["nonsense.x=1"], x);
    check_whole("name = \"my\"\nextends = \"basic\"", &[], x);
    check_whole("format = 2\nname = \"My Rules\"\nextends = \"basic\"", &[], x);
    check_whole("format = 1\nextends = \"basic\"", &[], x);
    check_whole("format = 1\nname = \"my\"", &[], x);
    check_whole("format = 1\nname = \"my\"\nextends = \"baisc\"", &[], x);
    check_whole("format = 1\nname = \"my\"\nextends = \"my.toml\"", &[], x);
    check_whole("format = 1\nname = \"my\"\nextends = 3", &[], x);
    check_whole("format = 1\nname = my\nextends = [\n", &[], x);
    check_whole("format = 1\nformat = 1\n", &[], x);
    check_whole("", &[], x);
    check_whole(&format!("a = {}1{}", "[".repeat(20), "]".repeat(20)), &[], x);
    check_whole(&format!("a = {}1{}", "[".repeat(2000), "]".repeat(2000)), &[], x);
    let _ = (Files(&[]), settings(&[]), MAX_FILE_BYTES);
    let _ = (load, parse_setting);
}
