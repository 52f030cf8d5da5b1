//! Rule sets in words, each clause with an anchor and a link to the law. It does not know where the words come from.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::documents::{LAW_ADDRESS, clause_address};
use crate::address::in_path;
use crate::shown::{RulePassage, RulesPage};

/// All rule sets.
pub(crate) fn rule_sets(sets: &[(String, String)]) -> Markup {
    html! {
        main.text {
            h1 { "Rules" }
            p { "Every rule is a clause of " a href=(LAW_ADDRESS) { "the law" } ". Each set in words:" }
            ul { @for (name, title) in sets { li { a href=(format!("/rules/{}", in_path(name))) { (title) } " – " code { (name) } } } }
        }
    }
}

/// One rule set.
pub(crate) fn rules(rules: &RulesPage) -> Markup {
    let mut anchored = BTreeSet::new();
    html! {
        main.text {
            h1 { (rules.title) }
            @for passage in &rules.passages {
                @match passage {
                    RulePassage::Heading(heading) => h2.rule { (heading) },
                    RulePassage::Paragraph(said) => p.rule { (sentences(said, &mut anchored)) },
                    RulePassage::Item(said) => p.rule.item { (sentences(said, &mut anchored)) },
                }
            }
        }
    }
}

/// Sentences with their clauses, which stand once after several sentences in a row that state the same. An address leads to the
/// first place where a clause stands.
fn sentences<'a>(said: &'a [(String, Vec<String>)], anchored: &mut BTreeSet<&'a str>) -> Markup {
    html! {
        @for (at, (text, clauses)) in said.iter().enumerate() {
            (text) " "
            @if said.get(at + 1).is_none_or(|(_, next)| next != clauses) {
                @for clause in clauses {
                    a.clause id=[anchored.insert(clause).then_some(clause)] href=[clause_address(clause)] { (clause) } " "
                }
            }
        }
    }
}
