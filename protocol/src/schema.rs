//! The JSON Schemas (draft 2020-12) of the protocol, made from the types and committed in `protocol/schema/`.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::message::{Act, Ask, Bye, Fault, Hello, Note, Over, Ready, Start, Tell};
use crate::ruleset::RuleSet;

/// Name and schema of every message and of a resolved rule set; the file of `ask` is `ask.json`.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("hello", message::<Hello>("hello")),
        ("start", message::<Start>("start")),
        ("ask", message::<Ask>("ask")),
        ("tell", message::<Tell>("tell")),
        ("fault", message::<Fault>("fault")),
        ("over", message::<Over>("over")),
        ("bye", message::<Bye>("bye")),
        ("ready", message::<Ready>("ready")),
        ("act", message::<Act>("act")),
        ("note", message::<Note>("note")),
        ("ruleset", schema::<RuleSet>("ruleset")),
    ]
}

fn schema<T: JsonSchema>(name: &str) -> Schema {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), format!("urn:maumau:1:{name}").into());
    schema
}

/// The schema of a message: the members of `T` and the constant `type`.
fn message<T: JsonSchema>(kind: &str) -> Schema {
    let mut schema = schema::<T>(kind);
    if let Some(properties) = schema.get_mut("properties").and_then(|p| p.as_object_mut()) {
        properties.insert("type".to_owned(), serde_json::json!({ "const": kind }));
    }
    match schema.get_mut("required").and_then(|r| r.as_array_mut()) {
        Some(required) => required.insert(0, "type".into()),
        None => {
            schema.insert("required".to_owned(), serde_json::json!(["type"]));
        }
    }
    schema
}
