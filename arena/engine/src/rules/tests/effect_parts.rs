//! Tests that nothing of a rule file is open by default: each number has its bounds.

use maumau_protocol::ruleset::Effect;
use serde_json::Value;

use super::load_text;
use crate::rules::bounds;
use crate::rules::effect_parts::parts;

#[test]
fn a_part_that_a_file_denies_is_not_missing() {
    let none = Effect::default();
    for part in parts(&none).iter().filter(|part| part.can_be_denied()) {
        let no = if ["stands_for", "also_on", "not_on", "free_on", "followed_by"].contains(&part.key) {
            "\"\""
        } else {
            "false"
        };
        let file =
            format!("format = 1\nname = \"my\"\nextends = \"skat\"\n[effects.new]\ncards = \"9\"\n{} = {no}", part.key);
        assert!(load_text(&file, &[]).is_ok(), "{file}");
    }
}

/// Collects the paths of all numbers that a rule set can hold, with `0` for an item of a list and `any` for a key of the
/// author's own.
fn numbers(schema: &Value, path: &str, whole: &Value, found: &mut Vec<String>) {
    let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let inner = |key: &str| schema.get(key).into_iter();
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let pointer = name.strip_prefix('#').expect("a place in the same schema");
        numbers(whole.pointer(pointer).expect("a definition"), path, whole, found);
    }
    let types: Vec<&Value> =
        inner("type").flat_map(|kind| kind.as_array().map_or(vec![kind], |all| all.iter().collect())).collect();
    if types.iter().any(|kind| *kind == "integer" || *kind == "number") {
        found.push(path.to_owned());
    }
    for (key, member) in inner("properties").filter_map(Value::as_object).flatten() {
        numbers(member, &join(key), whole, found);
    }
    inner("additionalProperties").for_each(|member| numbers(member, &join("any"), whole, found));
    inner("items")
        .chain(inner("prefixItems").filter_map(Value::as_array).flatten())
        .for_each(|member| numbers(member, &join("0"), whole, found));
    for choice in ["anyOf", "oneOf", "allOf"].iter().flat_map(|key| inner(key)).filter_map(Value::as_array).flatten() {
        numbers(choice, path, whole, found);
    }
}

#[test]
fn each_number_of_a_rule_file_has_bounds() {
    let schemas = maumau_protocol::schema::all();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "ruleset").expect("the schema of rule sets");
    let mut found = Vec::new();
    numbers(schema, "", schema, &mut found);
    found.sort();
    found.dedup();
    // A setting of an option changes a key, whose bounds hold.
    let open: Vec<&String> = found.iter().filter(|path| *path != "options.any" && bounds::of(path).is_none()).collect();
    assert!(found.len() > 25, "{found:?}");
    assert!(open.is_empty(), "without bounds: {open:?}; add a row in `bounds`, or to the part in `effect_parts`");
}
