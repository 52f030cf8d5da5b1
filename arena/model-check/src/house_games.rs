//! Random games by house rules that join what no built-in set joins, held to the same laws. What such rules say is tested
//! by scenarios.

use std::sync::Arc;

use maumau_engine::ChoiceStream;
use maumau_engine::rules::{BuiltIn, NoRuleText, RuleFiles, RuleText, load};

use super::{play, tables};

/// The built-in sets, and one file of house rules.
struct House(String);

impl RuleFiles for House {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "house" => Ok(RuleText { file: "house".to_owned(), text: self.0.clone() }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// Plays random games by house rules that add `rules` to the set `extends`.
fn check(extends: &str, rules: &str) {
    let house = House(format!("format = 1\nname = \"house\"\nextends = \"{extends}\"\nturn.cap = 80\n{rules}"));
    let set = load(&house, "house", &[]).unwrap_or_else(|problems| panic!("{rules}: {problems}")).set;
    let set = Arc::new(set);
    let mut legal = 0;
    for number in 0..150 {
        let mut dice = ChoiceStream::new(&[number]);
        let table = tables::random_table(&set, &mut dice);
        match play(&table, &mut dice) {
            Ok(played) => legal += played.legal,
            Err(breach) => panic!("{rules}: game {number} at a table of {}: {breach}", table.seats()),
        }
    }
    assert!(legal > 500, "{rules}: {legal} positions");
}

/// Cards that serve a request were listed without a suit and refused without one (D-48).
#[test]
fn games_in_which_cards_that_name_a_suit_serve_requests_are_lawful() {
    for how in ["may", "must", "new", "spoken"] {
        check("deluxe", &format!("[effects.nine]\ncards = \"8 9\"\nchoose_suit = \"{how}\""));
    }
}
