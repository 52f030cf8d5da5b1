//! Tests that the pages of the rules say something of each part that an effect can have.

use maumau_engine::rules::{BuiltIn, NoRuleText, RuleFiles, RuleText, effect_keys, load};
use maumau_rulebook::Rulebook;

/// A rule file of the test, beside the built-in ones.
struct Mine(String);

impl RuleFiles for Mine {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "my.toml" => Ok(RuleText { file: name.to_owned(), text: self.0.clone() }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// One way to write each part, after `cards = "9"`.
const SAMPLES: &[(&str, &str)] = &[
    ("stands_for", "stands_for = \"2-A\""),
    ("any_time", "any_time = true"),
    ("only_without", "only_without = \"suit\""),
    ("out_of_turn", "out_of_turn = true"),
    ("transparent", "transparent = true"),
    ("also_on", "also_on = \"9\""),
    ("also_on_value", "also_on_value = true"),
    ("not_on", "not_on = \"8\""),
    ("not_on_own_suit", "not_on_own_suit = true"),
    ("free_on", "free_on = \"8\""),
    ("open_to_all", "open_to_all = true"),
    ("followed_by", "followed_by = \"2-5\""),
    ("race", "race = true"),
    ("swap_next", "swap_next = true"),
    ("take", "take = \"from_next\""),
    ("hands", "hands = \"rotate\""),
    ("draw", "draw = { cards = 1, who = \"others\" }"),
    ("choose_suit", "choose_suit = \"must\""),
    ("owe", "owe = { cards = 2, kind = \"nine\", then = \"turn_over\" }"),
    ("skip", "skip = {}"),
    ("reverse", "reverse = true"),
    ("again", "again = \"may\""),
    (
        "brings_back",
        "brings_back = true\nowe = { cards = 2, kind = \"nine\", then = \"turn_over\" }\n[ending]\ngoes_on = \"places\"",
    ),
    ("request", "request = { names = \"suit\" }"),
    ("never_last", "never_last = true"),
    ("last_costs", "last_costs = true\nnever_last = true"),
    ("last_multiplies", "last_multiplies = 2"),
];

#[test]
fn each_part_of_an_effect_has_a_sentence() {
    let sampled: Vec<&str> = SAMPLES.iter().map(|(key, _)| *key).collect();
    assert_eq!(effect_keys(), sampled, "add a sample of the new part to SAMPLES of this test");
    for (key, text) in SAMPLES {
        let base = if ["free_on", "take"].contains(key) { "snap" } else { "crazy-eights" };
        let (cards, deck) = if *key == "stands_for" { ("XX", "deck.jokers = 1\n") } else { ("9", "") };
        let head = format!("format = 1\nname = \"my\"\nextends = \"{base}\"\n{deck}");
        let file = format!("{head}[effects.new]\ncards = \"{cards}\"\n{text}");
        let loaded = load(&Mine(file), "my.toml", &[]).unwrap_or_else(|problems| panic!("{problems}"));
        let path = format!("effects.new.{key}");
        let says =
            |from: &String| from.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        assert!(
            Rulebook::of_file(&loaded, None)
                .sentences()
                .iter()
                .any(|sentence| sentence.follows_from().iter().any(says)),
            "no sentence is `.from(\".{key}\")`: write one in the paragraph of effects"
        );
    }
}
