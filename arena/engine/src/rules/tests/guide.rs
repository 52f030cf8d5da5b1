//! Tests the guide for authors of rule files: it names every key and word, and its examples load. Whether it explains
//! them well no test can judge.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::rules::built_in;

const GUIDE: &str = include_str!("../../../rules/README.md");

/// The names of all members, and the words of all enumerations, in a schema.
fn names(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                found.extend(properties.keys().cloned());
            }
            let words = members.get("enum").and_then(Value::as_array).into_iter().flatten();
            found.extend(words.chain(members.get("const")).filter_map(Value::as_str).map(str::to_owned));
            members.values().for_each(|inner| names(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| names(inner, found)),
        _ => {}
    }
}

#[test]
fn every_key_and_word_of_rule_files_is_in_the_guide() {
    let schemas = maumau_protocol::schema::all();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "ruleset").expect("the schema of rule sets");
    let mut found = BTreeSet::new();
    names(schema, &mut found);
    found.extend(
        ["extends", "clauses", "clause", "about", "default", "key", "range", "values", "off"].map(str::to_owned),
    );
    let tokens: BTreeSet<&str> = GUIDE.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let missing: Vec<&String> = found.iter().filter(|name| !tokens.contains(name.as_str())).collect();
    assert!(found.len() > 50 && missing.is_empty(), "rules/README.md says nothing about {missing:?}");
}

#[test]
fn every_example_of_the_guide_is_a_rule_set_or_changes_one() {
    let examples: Vec<&str> =
        GUIDE.split("```toml\n").skip(1).map(|rest| rest.split("```").next().expect("its end")).collect();
    assert!(examples.len() > 3 && examples[0].contains("extends"), "{examples:?}");
    for example in examples {
        let bases = built_in().iter().map(|set| format!("format = 1\nname = \"my\"\nextends = \"{}\"\n", set.name));
        let texts = std::iter::once(String::new()).chain(bases).map(|base| base + example);
        let problems: Vec<String> =
            texts.filter_map(|text| Some(super::load_text(&text, &[]).err()?.to_string())).collect();
        assert!(problems.len() <= built_in().len(), "{example}\n{}", problems.join("\n\n"));
    }
}
