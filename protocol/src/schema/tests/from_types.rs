//! Makes the schemas from the types, for the tests only, so that programs that use this crate do not compile code that
//! they never run. It returns the schemas; the tests beside it compare the committed files or rewrite them.
//!
//! The generator's output is rewritten where an error would say too little ("not valid under any of the schemas"), and
//! where it would be stricter or laxer than the protocol: members may be added to what the arena sends, and an absent
//! member is absent, not `null`.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::message::{Act, Ask, Bye, Fault, Hello, Note, Over, Ready, Start, Tell};
use crate::ruleset::RuleSet;

/// Name and schema of every message and of a resolved rule set.
pub(super) fn all() -> Vec<(&'static str, Value)> {
    let schemas = [
        ("hello", arena_message::<Hello>("hello")),
        ("start", arena_message::<Start>("start")),
        ("ask", arena_message::<Ask>("ask")),
        ("tell", arena_message::<Tell>("tell")),
        ("fault", arena_message::<Fault>("fault")),
        ("over", arena_message::<Over>("over")),
        ("bye", arena_message::<Bye>("bye")),
        ("ready", agent_message::<Ready>("ready")),
        ("act", agent_message::<Act>("act")),
        ("note", agent_message::<Note>("note")),
        ("ruleset", schema::<RuleSet>("ruleset", SchemaSettings::draft2020_12())),
    ];
    schemas.into_iter().map(|(name, schema)| (name, schema.to_value())).collect()
}

fn schema<T: JsonSchema>(name: &str, settings: SchemaSettings) -> Schema {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), format!("urn:maumau:1:{name}").into());
    for_each_object(schema.as_object_mut(), &mut |object| {
        plain_description(object);
        list_words(object);
        list_members(object);
        absent_is_not_null(object);
    });
    schema
}

/// Messages of the arena: the members that it always writes are required, and more may be added.
fn arena_message<T: JsonSchema>(kind: &str) -> Schema {
    let mut schema = schema::<T>(kind, SchemaSettings::draft2020_12().for_serialize());
    for_each_object(schema.as_object_mut(), &mut |object| {
        if object.get("additionalProperties") == Some(&Value::Bool(false)) {
            object.remove("additionalProperties");
        }
    });
    add_type(&mut schema, kind);
    schema
}

/// Messages of an agent: judged as [`crate::wire::read_agent_line`] does, as far as a schema can.
fn agent_message<T: JsonSchema>(kind: &str) -> Schema {
    let mut schema = schema::<T>(kind, SchemaSettings::draft2020_12());
    add_type(&mut schema, kind);
    if let Some(object) = schema.as_object_mut() {
        choose_by_verb(object);
    }
    schema
}

fn add_type(schema: &mut Schema, kind: &str) {
    let Some(object) = schema.as_object_mut() else { return };
    child(object, "properties", json!({})).insert("type".to_owned(), json!({ "const": kind }));
    require(object, "type", 0);
}

/// The object that is member `name`, made from `default` if it is missing.
fn child<'a>(object: &'a mut Map<String, Value>, name: &str, default: Value) -> &'a mut Map<String, Value> {
    let value = object.entry(name).or_insert(default);
    if !value.is_object() {
        *value = json!({});
    }
    #[allow(clippy::expect_used)]
    value.as_object_mut().expect("it was made an object")
}

fn require(object: &mut Map<String, Value>, name: &str, place: usize) {
    match object.entry("required").or_insert_with(|| json!([])) {
        Value::Array(required) => required.insert(place.min(required.len()), name.into()),
        other => *other = json!([name]),
    }
}

/// Calls `change` with every object in the schema, the outer ones first.
fn for_each_object(object: Option<&mut Map<String, Value>>, change: &mut impl FnMut(&mut Map<String, Value>)) {
    fn walk(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
        match value {
            Value::Object(object) => for_each_object(Some(object), change),
            Value::Array(values) => values.iter_mut().for_each(|value| walk(value, change)),
            _ => {}
        }
    }
    if let Some(object) = object {
        change(object);
        object.values_mut().for_each(|value| walk(value, change));
    }
}

/// Links of the source text mean nothing to readers of a schema.
fn plain_description(object: &mut Map<String, Value>) {
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.replace("[`", "`").replace("`]", "`");
    }
}

/// A choice between words becomes one list, so that an error shows them.
fn list_words(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else { return };
    let word = |branch: &Value| -> Option<(String, String)> {
        let text = |name: &str| Some(branch.get(name)?.as_str()?.to_owned());
        Some((text("const")?, text("description").unwrap_or_default()))
    };
    let Some(words) = branches.iter().map(word).collect::<Option<Vec<_>>>() else { return };
    object.remove("oneOf");
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), words.iter().map(|(word, _)| json!(word)).collect());
    describe_words(object, &words);
}

fn describe_words(object: &mut Map<String, Value>, words: &[(String, String)]) {
    let mut text = object.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    for (word, meaning) in words {
        text.push_str(&format!("\n- `{word}`: {}", meaning.replace("[`", "`").replace("`]", "`")));
    }
    object.insert("description".to_owned(), text.trim_start().into());
}

/// A choice between objects of one member each becomes one object with one of the members.
fn list_members(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else { return };
    let single = |branch: &Value| -> Option<(String, Value)> {
        let mut members = branch.get("properties")?.as_object()?.iter();
        let (name, member) = members.next().filter(|_| members.next().is_none())?;
        (branch.get("required")?.as_array()?.as_slice() == [json!(name)]).then(|| (name.clone(), member.clone()))
    };
    let Some(members) = branches.iter().map(single).collect::<Option<Vec<_>>>() else { return };
    // If other members are forbidden, the object is nothing else; otherwise it is part of a larger one.
    let whole = branches.iter().all(|branch| branch["additionalProperties"] == json!(false));
    if whole {
        object.remove("oneOf");
        object.insert("type".to_owned(), json!("object"));
        object.insert("additionalProperties".to_owned(), json!(false));
        object.insert("minProperties".to_owned(), json!(1));
        object.insert("maxProperties".to_owned(), json!(1));
    } else if let [(first, _), (second, _)] = &members[..] {
        // Exactly one of two, expressed so that an error names the missing one.
        object.remove("oneOf");
        object.insert("if".to_owned(), json!({ "required": [second] }));
        object.insert("then".to_owned(), json!({ "not": { "required": [first] } }));
        object.insert("else".to_owned(), json!({ "required": [first] }));
    } else {
        let one_of = members.iter().map(|(name, _)| json!({ "required": [name] })).collect();
        object.insert("oneOf".to_owned(), one_of);
    }
    child(object, "properties", json!({})).extend(members);
}

/// An optional member is absent, not `null`.
fn absent_is_not_null(object: &mut Map<String, Value>) {
    let required: Vec<Value> = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(&json!(name))) {
        let Value::Object(property) = property else { continue };
        if property.get("default") == Some(&Value::Null) {
            property.remove("default");
        }
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = &types[..] {
                let only = only.clone();
                property.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(branches)) = property.get_mut("anyOf") {
            branches.retain(|branch| branch["type"] != "null");
            if let [Value::Object(only)] = &branches[..] {
                let only = only.clone();
                property.remove("anyOf");
                property.extend(only);
            }
        }
    }
}

/// A second form of the same verb, which needs other members: without these it is the first one. Where that is one of two
/// members, neither of them goes with the second form.
fn add_form(first: &mut Map<String, Value>, second: Map<String, Value>) {
    let properties = first.remove("properties");
    let form = std::mem::take(first);
    first.insert("if".to_owned(), json!({ "not": { "required": second["required"] } }));
    if let (true, Some(Value::Object(members))) = (form.contains_key("if"), &properties) {
        let any_of: Vec<Value> = members.keys().map(|name| json!({ "required": [name] })).collect();
        first.insert("else".to_owned(), json!({ "not": { "anyOf": any_of } }));
    }
    first.insert("then".to_owned(), form.into());
    first.extend(properties.map(|properties| ("properties".to_owned(), properties)));
    if let Some(Value::Object(properties)) = second.get("properties") {
        let own = child(first, "properties", json!({}));
        for (name, property) in properties {
            own.entry(name.clone()).or_insert_with(|| property.clone());
        }
    }
}

/// The choice between the verbs becomes one list of names, and for each verb the members it needs: "`card` is missing"
/// rather than "fits none of eighteen forms".
fn choose_by_verb(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.remove("oneOf") else { return };
    let mut words = Vec::new();
    let mut rules = Vec::new();
    for branch in branches {
        let Value::Object(mut branch) = branch else { continue };
        let Some(verb) = child(&mut branch, "properties", json!({})).remove("do") else { continue };
        let name = verb["const"].as_str().unwrap_or_default().to_owned();
        let meaning = branch.remove("description").and_then(|text| Some(text.as_str()?.to_owned()));
        words.push((name.clone(), meaning.unwrap_or_default()));
        branch.remove("type");
        if let Some(Value::Array(required)) = branch.get_mut("required") {
            required.retain(|name| name != "do");
        }
        branch.retain(|_, part| *part != json!([]) && *part != json!({}));
        if let Some(first) =
            words.iter().position(|(word, _): &(String, String)| *word == name).filter(|first| *first + 1 < words.len())
        {
            words.pop();
            let first = rules
                .iter_mut()
                .find(|rule: &&mut Value| rule["if"]["properties"]["do"]["const"] == json!(words[first].0));
            if let Some(Value::Object(rule)) = first.map(|rule| &mut rule["then"]) {
                add_form(rule, branch);
            }
            continue;
        }
        if !branch.is_empty() {
            let named = json!({ "properties": { "do": { "const": name } }, "required": ["do"] });
            rules.push(json!({ "if": named, "then": branch }));
        }
    }
    if words.is_empty() {
        return;
    }
    let mut verb = Map::new();
    verb.insert("type".to_owned(), json!("string"));
    verb.insert("enum".to_owned(), words.iter().map(|(word, _)| json!(word)).collect());
    describe_words(&mut verb, &words);
    child(object, "properties", json!({})).insert("do".to_owned(), verb.into());
    require(object, "do", usize::MAX);
    object.insert("allOf".to_owned(), rules.into());
}
