//! Checks every line of a check against the published schemas. The arena reads lines with readers of its own: if the
//! two ever differ, one of them is wrong, or the schema cannot express what is wrong with the line. It compiles and
//! applies the schemas; which line was expected is not known here.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use maumau_protocol::schema;
use maumau_protocol::wire::read_arena_line;
use serde_json::Value;

/// The schemas by the type of their message.
pub(super) struct Schemas(BTreeMap<&'static str, MessageSchema>);

/// A schema, which is compiled for the first line that needs it: a bot that ends at once needs none.
struct MessageSchema {
    schema: Value,
    compiled: OnceLock<Result<Validator, String>>,
}

impl MessageSchema {
    /// What is wrong with `value`, and where; or with the schema.
    fn error(&self, value: &Value) -> Option<String> {
        let compile =
            || jsonschema::draft202012::new(&self.schema).map_err(|error| format!("it is no schema: {error}"));
        match self.compiled.get_or_init(compile) {
            Ok(validator) => {
                let error = validator.validate(value).err()?;
                Some(format!("{}: {error}", error.instance_path()))
            }
            Err(why) => Some(why.clone()),
        }
    }
}

/// A schema's verdict on a line.
enum Opinion {
    Allowed,
    /// What is wrong, and where.
    Refused(String),
}

impl Schemas {
    /// The schemas of the protocol.
    pub(super) fn new() -> Schemas {
        let of = |(name, schema)| (name, MessageSchema { schema, compiled: OnceLock::new() });
        Schemas(schema::all().into_iter().map(of).collect())
    }

    /// For a line of the agent that was read as a message: the schema's objection, if any.
    pub(super) fn against_good(&self, line: &[u8]) -> Option<String> {
        match self.of(line)? {
            (_, Opinion::Allowed) => None,
            (path, Opinion::Refused(what)) => Some(format!(
                "an error of maumau: the arena takes this line, and {path} does not: {what}: {}",
                String::from_utf8_lossy(line)
            )),
        }
    }

    /// For a line of the agent that was not read as a message: whether its schema would allow it.
    pub(super) fn for_bad(&self, line: &[u8]) -> Option<String> {
        match self.of(line)? {
            (path, Opinion::Allowed) => Some(format!("{path} would allow it: a schema cannot say what is wrong here")),
            (_, Opinion::Refused(_)) => None,
        }
    }

    /// For a line of the arena: the objection of its schema or of the kits' reader, if any.
    pub(super) fn against_arena(&self, line: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(line);
        if let Err(error) = read_arena_line(text.trim_end()) {
            return Some(format!("an error of maumau: its line cannot be read: {error}: {text}"));
        }
        match self.of(line)? {
            (_, Opinion::Allowed) => None,
            (path, Opinion::Refused(what)) => Some(format!("an error of maumau: {path} has {what} against {text}")),
        }
    }

    /// The path of a line's schema, and its verdict; `None` if the line has no schema.
    fn of(&self, line: &[u8]) -> Option<(String, Opinion)> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let kind = value.get("type")?.as_str()?;
        let opinion = self.0.get(kind)?.error(&value).map_or(Opinion::Allowed, Opinion::Refused);
        Some((format!("protocol/schema/{kind}.json"), opinion))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_where_reader_and_schema_differ_is_there_anything_to_say() {
        let schemas = Schemas::new();
        let act = |more: &str| format!(r#"{{"type":"act","game":"g","id":"00000000000000ff","do":"draw"{more}}}"#);
        assert_eq!(schemas.against_good(act("").as_bytes()), None);
        let difference = schemas.against_good(act(r#","say":7"#).as_bytes()).expect("a difference");
        assert!(difference.contains("protocol/schema/act.json") && difference.contains("/say"), "{difference}");
        assert_eq!(schemas.for_bad(act(r#","say":7"#).as_bytes()), None);
        // A duplicate member is lost before a schema sees it.
        let difference = schemas.for_bad(act(r#","do":"draw""#).as_bytes()).expect("a difference");
        assert!(difference.starts_with("protocol/schema/act.json would allow it"), "{difference}");
        assert_eq!(schemas.for_bad(b"no JSON"), None);
        assert_eq!(schemas.against_arena(b"{\"type\":\"bye\",\"reason\":\"over\"}\n"), None);
        assert!(schemas.against_arena(br#"{"type":"bye"}"#).is_some());
    }
}
