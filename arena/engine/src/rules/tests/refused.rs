//! Files that are refused, with the exact messages. Lists of known names are left off, except in a test of their own.
//! What a good file does is tested in its neighbours.

mod contradictions;
mod endings;
mod menus;
mod stand_ins;

use super::{Files, load_text, settings};
use crate::rules::{MAX_FILE_BYTES, load, load_built_in, load_thoroughly, parse_setting};

const HEAD: &str = "format = 1\nname = \"my\"\nextends = \"basic\"\n";

/// The problems of a file with this text after its heading, a line each.
fn problems(text: &str) -> Vec<String> {
    match load_text(&format!("{HEAD}{text}"), &[]) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.to_string().lines().map(str::to_owned).collect(),
    }
}

/// A file with this text after a heading of three lines, and with these settings, gives exactly these problems.
fn check(text: &str, set: &[&str], expected: &[&str]) {
    check_whole(&format!("{HEAD}{text}"), set, expected);
}

/// As [`check`], for a file without a heading.
fn check_whole(text: &str, set: &[&str], expected: &[&str]) {
    let problems = match load_text(text, set) {
        Ok(_) => panic!("nothing was wrong with {text:?} {set:?}"),
        Err(problems) => problems.to_string(),
    };
    let found: Vec<String> = problems.lines().filter_map(|line| line.split(" (known: ").next()).map(shown).collect();
    assert_eq!(found, expected, "{text:?} {set:?}");
}

/// The problem without line and column in a built-in file, which are no concern of these tests.
fn shown(problem: &str) -> String {
    match problem.split_once(".toml:").map(|(file, rest)| (file, rest.split_once(": "))) {
        Some((file, Some((_, rest)))) if file.starts_with("built-in ") => format!("{file}.toml: {rest}"),
        _ => problem.to_owned(),
    }
}

#[test]
fn keys_and_names_that_do_not_exist() {
    check("dael.cards = 5", &[], &["my.toml:4:1: dael: unknown key; did you mean \"deal\"?"]);
    check(
        "[effects.seven.owe]\ncrads = 2",
        &[],
        &["my.toml:5:1: effects.seven.owe.crads: unknown key; did you mean \"cards\"?"],
    );
    check("extend = \"skat\"", &[], &["my.toml:4:1: extend: unknown key; did you mean \"extends\"?"]);
    check("\"a b\" = 1", &[], &["my.toml:4:1: \"a b\" is no key: letters, digits, - and _, at most 64"]);
    check(
        "[clauses]\ndael = []\ndeal = 5",
        &[],
        &[
            "my.toml:5:1: clauses.dael: unknown key; did you mean \"deal\"?",
            "my.toml:6:8: clauses.deal: expected a list of clause ids, as in [\"B-01\"]",
        ],
    );
    check(
        "[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.crads = 4 }",
        &[],
        &["my.toml:7:19: deal.crads: unknown key; did you mean \"cards\"?"],
    );
    check("", &["decks=52"], &["setting: decks: no such table option; did you mean \"deck\"?"]);
    check(
        "",
        &["deal.crads=4", "deal.cards=x", "deal.cards.more=3", "options.deck=52", "deal.=4"],
        &[
            "setting: deal.cards.more: cannot be written: deal.cards holds a value, not further keys",
            "setting: options.deck: a table option is chosen by its name alone, as in deck=52",
            "setting: deal.: expected a key of the rules, as in deal.cards",
            "setting: deal.cards: expected a whole number from 1 to 52, found \"x\"",
            "setting: deal.crads: unknown key; did you mean \"cards\"?",
        ],
    );
    check("", &["nonsense.x=1"], &["setting: nonsense: unknown key"]);
    check_whole(
        "format = 1\nname = \"my\"\nextends = \"baisc\"",
        &[],
        &["my.toml:3:11: extends: there is no rule set \"baisc\"; did you mean \"basic\"?"],
    );
}

#[test]
fn values_of_the_wrong_shape_or_size() {
    check(
        "[effects.seven.owe]\ncards = \"two\"\n[duties.mau]\nif_missing = \"shouted\"\n[deal]\ncards = 0",
        &[],
        &[
            "my.toml:5:9: effects.seven.owe.cards: expected a whole number from 1 to 20, found \"two\"",
            "my.toml:7:14: duties.mau.if_missing: expected \"charged\", \"called\" or \"bars_last_card\", found \"shouted\"",
            "my.toml:9:9: deal.cards: expected a whole number from 1 to 52, found 0",
        ],
    );
    check(
        "effects.seven.owe.cards = 300\nturn.draws = -1",
        &[],
        &[
            "my.toml:4:27: effects.seven.owe.cards: expected a whole number from 1 to 20, found 300",
            "my.toml:5:14: turn.draws: expected a whole number from 0 to 20, found -1",
        ],
    );
    check(
        "effects.seven.owe.cards = 2.5\ndeal.cards = 1979-05-27",
        &[],
        &[
            "my.toml:4:27: effects.seven.owe.cards: expected a whole number, found 2.5",
            "my.toml:5:14: deal.cards: expected no date, found 1979-05-27",
        ],
    );
    check(
        "effects.jack.any_time = \"yes\"\ndeal.first_card = 5\nturn = 7\n",
        &[],
        &[
            "my.toml:4:25: effects.jack.any_time: expected true or false, found \"yes\"",
            "my.toml:5:19: deal.first_card: expected \"plain\" or \"effect\", found 5",
            "my.toml:6:8: turn: expected a table, found 7",
        ],
    );
    check(
        "deck.packs = [{ seats = [2, 9], is = 20 }, {seats = [3], is = 1}]",
        &[],
        &[
            "my.toml:4:38: deck.packs.0.is: expected a whole number from 1 to 8, found 20",
            "my.toml:4:53: deck.packs.1.seats: expected a list of two numbers, found a list of 1",
        ],
    );
    check(
        "effects.seven.cards = \"joker\"\neffects.seven.clauses = \"B\"",
        &[],
        &[
            "my.toml:4:23: effects.seven.cards: \"joker\" names no cards: write ranks (\"7\"), ranges (\"7-A\"), suits (\"S\"), cards (\"KH\") or the joker (\"XX\")",
            "my.toml:5:25: effects.seven.clauses: expected a list, found \"B\"",
        ],
    );
    check(
        "effects.new = { cards = \"Q\", owe = { kind = \"Q\" } }",
        &[],
        &["my.toml:4:30: effects.new.owe.cards: this key is required"],
    );
    check(
        "scoring.points = { X = 3, 10 = 5 }",
        &[],
        &[
            "my.toml:4:24: scoring.points.X: is neither a rank nor a card",
            "my.toml:4:32: scoring.points.10: is neither a rank nor a card",
        ],
    );
    check(
        "seats = { min = 1, max = 30 }",
        &[],
        &[
            "my.toml:4:17: seats.min: expected a whole number from 2 to 16, found 1",
            "my.toml:4:26: seats.max: expected a whole number from 2 to 16, found 30",
        ],
    );
    check("deck.jokers = 9", &[], &["my.toml:4:15: deck.jokers: expected a whole number from 0 to 4, found 9"]);
    check("turn.cap = 0", &[], &["my.toml:4:12: turn.cap: expected a whole number from 1 to 100000, found 0"]);
    check("deck.cards = \"7-A XX\"", &[], &["my.toml:4:14: deck.cards: jokers are counted by deck.jokers"]);
    check("deck.cards = \"\"", &[], &["my.toml:4:14: deck.cards: a pack needs cards"]);
    check("deck = 3", &[], &["my.toml:4:8: deck: expected a table, found 3"]);
    check(
        "effects.seven.owe.kind = \"\"",
        &[],
        &["my.toml:4:26: effects.seven.owe.kind: expected a name of 1 to 32 characters for the debt"],
    );
    check(
        "effects.seven.seats = [5, 3]",
        &[],
        &["my.toml:4:23: effects.seven.seats: expected the smaller number of seats first, found [5, 3]"],
    );
    check(
        "effects.jack.choose_suit = 1",
        &[],
        &["my.toml:4:28: effects.jack.choose_suit: expected \"may\", \"must\", \"spoken\" or \"new\", found 1"],
    );
    check("title = \"\"", &[], &["my.toml:4:9: title: expected a title of 1 to 100 characters"]);
}

#[test]
fn options_that_are_defined_wrongly() {
    check(
        "[options.mau]\ndefault = \"nobody\"",
        &[],
        &["my.toml:5:11: options.mau.default: expected \"referee\" or \"called\", found \"nobody\""],
    );
    check(
        "[options.hand]\ndefault = 4\nkey = \"deal.cards\"\nrange = [5, 7]\nvalue = 3",
        &[],
        &[
            "my.toml:4:10: options.hand.about: this key is required: say what is decided by it",
            "my.toml:5:11: options.hand.default: expected a whole number from 5 to 7, found 4",
            "my.toml:8:1: options.hand.value: unknown key; did you mean \"values\"?",
        ],
    );
    check(
        "[options.hand]\nabout = \"x\"\ndefault = \"b\"\nvalues.a = { deal.cards = 4 }\nvalues.c = 7",
        &[],
        &[
            "my.toml:6:11: options.hand.default: expected \"a\", found \"b\"",
            "my.toml:8:12: options.hand.values.c: expected a fragment of rules, as in { deck.packs = 2 }",
        ],
    );
    check(
        "[options.hand]\nabout = \"x\"\ndefault = \"a\"",
        &[],
        &["my.toml:4:10: options.hand: an option needs values, or a key to write its value to"],
    );
    check(
        "deal.cards = 4\n[options.hand]\nabout = \"x\"\ndefault = \"a\"\nvalues.a = { deal.cards = 6 }",
        &[],
        &["my.toml:7:11: options.hand.default: the default contradicts deal.cards in the same file"],
    );
}

#[test]
fn settings_that_do_not_fit() {
    check(
        "",
        &["turn.cap=7.5", "turn=3"],
        &[
            "setting: turn: no such table option",
            "setting: turn.cap: expected a whole number from 1 to 100000, found \"7.5\"",
        ],
    );
    check(
        "turn = 3",
        &["rounds=4", "turn.cap=10"],
        &[
            "my.toml:4:8: turn: expected a table, found 3",
            "setting: turn.cap: cannot be written: turn holds a value, not further keys",
        ],
    );
    check(
        "",
        &["deck=40", "misplay=11", "mau=on", "again_ranks=joker"],
        &[
            "setting: deck: expected 32 or 52, found 40",
            "setting: mau: expected \"referee\" or \"called\", found \"on\"",
            "setting: misplay: expected a whole number from 0 to 10, found 11",
            "setting again_ranks: effects.again.cards: \"joker\" names no cards: write ranks (\"7\"), ranges (\"7-A\"), suits (\"S\"), cards (\"KH\") or the joker (\"XX\")",
        ],
    );
}

#[test]
fn files_that_are_no_rule_sets() {
    check_whole("name = \"my\"\nextends = \"basic\"", &[], &["my.toml:1:1: format: this key is required: format = 1"]);
    check_whole(
        "format = 2\nname = \"My Rules\"\nextends = \"basic\"",
        &[],
        &["my.toml:1:10: format: expected the number 1, found 2"],
    );
    check_whole(
        "format = 1\nextends = \"basic\"",
        &[],
        &["my.toml:1:1: name: this key is required: a name of the set's own, as in name = \"my-rules\""],
    );
    check_whole(
        "format = 1\nname = \"my\"",
        &[],
        &[
            "my.toml:1:1: deal.cards: this key is required",
            "my.toml:1:1: title: this key is required",
            "my.toml:1:1: seats: this key is required",
            "my.toml:1:1: deck: this key is required",
        ],
    );
    check_whole(
        "format = 1\nname = \"my\"\nextends = \"my.toml\"",
        &[],
        &["my.toml:3:11: extends: \"my.toml\" is extended already: the files go round in a circle"],
    );
    check_whole(
        "format = 1\nname = \"my\"\nextends = 3",
        &[],
        &["my.toml:3:11: extends: expected the name of a rule set or file, as in \"skat\""],
    );
    check_whole(
        "format = 1\nname = my\nextends = [\n",
        &[],
        &[
            "my.toml:2:8: string values must be quoted, expected literal string",
            "my.toml:3:12: unclosed array, expected `]`",
        ],
    );
    check_whole("format = 1\nformat = 1\n", &[], &["my.toml:2:1: duplicate key"]);
    check_whole("", &[], &["my.toml:1:1: format: this key is required: format = 1"]);
}

#[test]
fn names_that_are_known_are_listed() {
    let problems = load_text(&format!("{HEAD}deal.crads = 4"), &[]).expect_err("a wrong key").to_string();
    let expected = "did you mean \"cards\"? (known: \"cards\", \"leave_each\", \"first_card\", \"first_effects\", \"first_names\", \"first_reverse\", \"next_dealer\", \"by\", \"order\", \"look\", \"direction_carries\", \"direction\", \"not_first\")";
    assert!(problems.ends_with(expected), "{problems}");
}

#[test]
fn files_beyond_the_limits() {
    let check = |text: &str, expected: &str| {
        let problems = load_text(text, &[]).expect_err("over a limit").to_string();
        assert!(problems.contains(expected), "{problems}");
    };
    check(&" ".repeat(MAX_FILE_BYTES + 1), "262145 bytes are too many");
    check(&format!("a = {}1{}", "[".repeat(20), "]".repeat(20)), "more than 12 tables and lists within one another");
    check(&format!("a = {}1{}", "[".repeat(2000), "]".repeat(2000)), "max recursion depth met");
    check(&format!("a = \"{}\"", "x".repeat(2001)), "a text has at most 2000 characters");
    check(&format!("{} = 1", "x".repeat(65)), "is no key");
    check("a = 99999999999999999999", "out of all bounds");
    let effects: String = (0..65).map(|i| format!("effects.e{i} = {{ cards = \"Q\", reverse = true }}\n")).collect();
    check(&format!("{HEAD}{effects}"), "72 effects are too many: at most 64");
    let many =
        |count: usize, part: &dyn Fn(usize) -> String| format!("{HEAD}{}", (0..count).map(part).collect::<String>());
    let duty = |i| format!("duties.words.w{i} = {{ say = [\"a\"], fault = \"no_suit\" }}\n");
    check(&many(65, &duty), "65 duties are too many: at most 64");
    let phrases: Vec<String> = (0..65).map(|i| format!("a{i}")).collect();
    check(&format!("{HEAD}duties.words.w = {{ say = {phrases:?}, fault = \"no_suit\" }}"), "65 phrases are too many");
    check(&format!("{HEAD}interject = {{ cards = \"Q\", say = {phrases:?} }}"), "65 phrases are too many");
    let option = |i| format!("options.o{i} = {{ about = \"x\", default = \"a\", values.a = {{}} }}\n");
    check(&many(60, &option), "options are too many: at most 64");
    let values = |i| {
        format!(
            "options.o{i} = {{ about = \"x\", default = 0, values = {{ {} }} }}\n",
            (0..60).map(|j| format!("{j} = {{}}, ")).collect::<String>().trim_end_matches(", ")
        )
    };
    check(&many(5, &values), "values are too many: at most 256 in all");
    let wrong: String = (0..5000).map(|i| format!("k{i} = 1\n")).collect();
    assert_eq!(load_text(&format!("{HEAD}{wrong}"), &[]).expect_err("many").0.len(), 100);
}

#[test]
fn files_that_extend_one_another_in_a_circle_or_without_end() {
    let text = |base: &str| format!("format = 1\nname = \"x\"\nextends = \"{base}\"");
    let circle = [("a", text("b")), ("b", text("a"))];
    let circle: Vec<(&str, &str)> = circle.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let problems = load(&Files(&circle), "a", &settings(&[])).expect_err("a circle").to_string();
    assert_eq!(problems, "b:3:11: extends: \"a\" is extended already: the files go round in a circle");
    let names: Vec<String> = (0..10).map(|i| i.to_string()).collect();
    let texts: Vec<String> = (1..11).map(|i| text(&i.to_string())).collect();
    let chain: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let problems = load(&Files(&chain), "0", &settings(&[])).expect_err("a long chain").to_string();
    assert_eq!(problems, "7:3:11: extends: more than 8 files extend one another");
}

/// A foreign file may be built to take long: it has as many of everything as fits in a file.
#[test]
fn files_that_are_built_to_take_long_are_refused_soon() {
    let fill = |head: &str, part: &dyn Fn(usize) -> String, end: &str| {
        let mut text = head.to_owned();
        for i in 0.. {
            let part = part(i);
            if text.len() + part.len() + end.len() > MAX_FILE_BYTES {
                break;
            }
            text += &part;
        }
        text + end
    };
    let word = |i| format!("\"a{i}\",");
    for text in [
        fill(HEAD, &|i| format!("[effects.e{i}]\ncards=\"Q\"\nlast_costs=true\n"), ""),
        fill(HEAD, &|i| format!("duties.words.w{i}={{say=[\"a{i}\"],fault=\"no_suit\"}}\n"), ""),
        fill(&format!("{HEAD}duties.words.w={{fault=\"no_suit\",say=["), &word, "]}"),
        fill(&format!("{HEAD}talk={{questions=["), &word, "]}"),
        fill(&format!("{HEAD}effects={{"), &|i| format!("é{i}.x=1,"), "}"),
        fill(&format!("{HEAD}x=["), &|_| "1,".to_owned(), "]"),
        fill(&format!("{HEAD}x"), &|_| ".a".to_owned(), "=1"),
        fill(HEAD, &|i| format!("k{i}=1\n"), ""),
        fill(HEAD, &|i| format!("options.o{i}={{about=\"x\",default=1,range=[0,1],key=\"deal.cards\"}}\n"), ""),
        fill(&format!("{HEAD}deck.packs=["), &|_| "{seats=[2,3],is=1},".to_owned(), "]"),
        fill(HEAD, &|i| format!("[effects.e{i}.owe]\ncards=\"x\"\n"), ""),
        fill(HEAD, &|_| "[".to_owned(), ""),
        fill(HEAD, &|_| "=\n".to_owned(), ""),
    ] {
        let found = load_thoroughly(&Files(&[("my.toml", &text)]), "my.toml");
        assert!(found.is_err_and(|problems| !problems.0.is_empty()), "{text:.200}");
    }
    // A list of words that is named repeatedly is still one list.
    let text =
        fill(&format!("{}talk.questions=[", HEAD.replace("basic", "spam")), &|_| "\"built-in\",".to_owned(), "]");
    let loaded = load(&Files(&[("my.toml", &text)]), "my.toml", &[]).expect("a good file");
    let spam = load_built_in("spam", &[]).expect("a set");
    assert_eq!(loaded.set.talk, spam.set.talk);
}

#[test]
fn columns_are_counted_in_characters() {
    check(
        "about = \"é\u{1f0a1}\"\nx = { \"ü\" = 1, y = \"é\", \"ö\" = 2 }",
        &[],
        &[
            "my.toml:5:7: x: \"ü\" is no key: letters, digits, - and _, at most 64",
            "my.toml:5:25: x: \"ö\" is no key: letters, digits, - and _, at most 64",
        ],
    );
}

#[test]
fn a_setting_is_a_name_and_a_value() {
    let check = |text: &str, expected: &str| {
        let shown = match parse_setting(text) {
            Ok((name, value)) => format!("{name} {value:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    };
    check("deck=52", "deck Int(52)");
    check(" deck = \"52\" ", "deck Text(\"52\")");
    check("strict=true", "strict Bool(true)");
    check("mau=called", "mau Text(\"called\")");
    check("again_ranks=9,A", "again_ranks List([\"9\", \"A\"])");
    check("again_ranks=9 A", "again_ranks Text(\"9 A\")");
    check("again_ranks=", "again_ranks Text(\"\")");
    check("title=\"a, b = c\"", "title Text(\"a, b = c\")");
    check("deck", "expected KEY=VALUE as in deck=52, found \"deck\"");
    check("=52", "expected a name before the \"=\" of \"=52\"");
}
