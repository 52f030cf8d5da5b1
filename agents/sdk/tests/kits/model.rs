//! What the schemas say, as records of members: the form from which all languages are written. An action and an event are
//! one record each, with all members that any of their kinds has.

use std::collections::BTreeMap;

use serde_json::Value;

/// The type of a member.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text,
    /// One of the words of [`Model::words`] under this name.
    Word(String),
    Number,
    Flag,
    /// Any JSON object.
    Object,
    Record(String),
    List(Box<Kind>),
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
    pub(crate) about: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The name of the type, such as `Ask`.
    pub(crate) name: String,
    /// The `type` of the message, if it is one.
    pub(crate) wire: Option<&'static str>,
    pub(crate) about: String,
    pub(crate) members: Vec<Member>,
}

pub(crate) struct Model {
    /// Each after those that it uses.
    pub(crate) records: Vec<Record>,
    /// Lists of words by name, such as `Direction`.
    pub(crate) words: BTreeMap<String, Vec<String>>,
    /// All that `do` can be.
    pub(crate) verbs: Vec<String>,
}

/// The messages that a kit reads, with the names of their types.
const MESSAGES: [(&str, &str); 7] = [
    ("hello", "Hello"),
    ("start", "Start"),
    ("ask", "Ask"),
    ("tell", "Tell"),
    ("fault", "Fault"),
    ("over", "Over"),
    ("bye", "Bye"),
];

impl Model {
    pub(crate) fn read() -> Model {
        let mut model = Model { records: Vec::new(), words: BTreeMap::new(), verbs: Vec::new() };
        let schemas: BTreeMap<_, _> = maumau_protocol::schema::all().into_iter().collect();
        for verb in schemas["act"]["properties"]["do"]["enum"].as_array().expect("verbs") {
            model.verbs.push(text(verb));
        }
        model.words.insert("Verb".to_owned(), model.verbs.clone());
        let wants = &schemas["ready"]["$defs"]["Want"]["enum"];
        model.words.insert("Want".to_owned(), wants.as_array().expect("wants").iter().map(text).collect());
        for (wire, name) in MESSAGES {
            let schema = &schemas[wire];
            let record = model.record(name, Some(wire), schema, &schema["$defs"]);
            model.records.push(record);
        }
        model
    }

    fn record(&mut self, name: &str, wire: Option<&'static str>, schema: &Value, defs: &Value) -> Record {
        let mut members = Vec::new();
        for form in schema["oneOf"].as_array().into_iter().flatten() {
            self.members(form, false, defs, &mut members);
        }
        self.members(schema, true, defs, &mut members);
        if schema["oneOf"].is_array() {
            members.sort_by(|a, b| b.is_required.cmp(&a.is_required).then_with(|| a.name.cmp(&b.name)));
        }
        Record { name: name.to_owned(), wire, about: about(schema), members }
    }

    /// Adds the members of `form` that are new, those that are always there first.
    fn members(&mut self, form: &Value, is_whole: bool, defs: &Value, members: &mut Vec<Member>) {
        let required: Vec<String> = form["required"].as_array().into_iter().flatten().map(text).collect();
        let tags = ["do", "event"];
        let mut added: Vec<Member> = Vec::new();
        for (name, member) in form["properties"].as_object().into_iter().flatten() {
            if name == "type" {
                continue;
            }
            // Kinds of one record that use a name for different things: it stays, with what both have in common.
            let kind = self.kind(name, member, defs);
            if let Some(known) = members.iter_mut().find(|known| known.name == *name) {
                if known.kind != kind {
                    known.kind = if matches!(kind, Kind::Word(_) | Kind::Text) { Kind::Text } else { kind };
                }
                continue;
            }
            let is_tag = !is_whole && tags.contains(&name.as_str());
            let is_required = is_tag || (is_whole && required.contains(name));
            let about = match (name.as_str(), about(member)) {
                _ if is_tag => "What it is.".to_owned(),
                ("rank", text) if text.is_empty() => "A value.".to_owned(),
                ("suit", text) if text.is_empty() => "A suit.".to_owned(),
                ("seat", text) if text.is_empty() => "A seat.".to_owned(),
                (_, text) => text,
            };
            added.push(Member { name: name.clone(), kind, is_required, about });
        }
        let place = |member: &Member| required.iter().position(|name| *name == member.name).unwrap_or(usize::MAX);
        added.sort_by_key(place);
        members.extend(added);
    }

    fn kind(&mut self, name: &str, member: &Value, defs: &Value) -> Kind {
        if let Some(reference) = member["$ref"].as_str() {
            let def = reference.rsplit('/').next().expect("a name");
            if def == "RuleSet" {
                return Kind::Object;
            }
            let schema = &defs[def];
            if let Some(words) = schema["enum"].as_array() {
                self.words.insert(def.to_owned(), words.iter().map(text).collect());
                return Kind::Word(def.to_owned());
            }
            if schema["properties"].is_object() || schema["oneOf"].is_array() {
                let name = if def == "SeenEvent" { "Event" } else { def };
                if !self.records.iter().any(|record| record.name == name) {
                    let record = self.record(name, None, schema, defs);
                    self.records.push(record);
                }
                return Kind::Record(name.to_owned());
            }
            return self.kind(name, schema, defs);
        }
        if let Some(branches) = member["anyOf"].as_array() {
            return self.kind(name, &branches[0], defs);
        }
        if member["const"].is_string() && name == "do" {
            return Kind::Word("Verb".to_owned());
        }
        let form = member["type"].as_str().or_else(|| member["const"].as_str().map(|_| "string"));
        match form.unwrap_or_else(|| panic!("{name}: {member}")) {
            "string" => Kind::Text,
            "integer" => Kind::Number,
            "boolean" => Kind::Flag,
            "array" => Kind::List(Box::new(self.kind(name, &member["items"], defs))),
            other => panic!("{name} is of type {other}"),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The first paragraph of a description, on one line.
fn about(schema: &Value) -> String {
    let description = schema["description"].as_str().unwrap_or_default();
    let lines = description.lines().take_while(|line| !line.is_empty() && !line.starts_with("- "));
    lines.collect::<Vec<_>>().join(" ")
}

impl Model {
    /// A list of all verbs in lines of at most `width`, each behind `indent`.
    pub(crate) fn verb_lines(&self, indent: &str, width: usize) -> Vec<String> {
        let mut lines = vec![indent.to_owned()];
        for verb in &self.verbs {
            let last = lines.last_mut().expect("a line");
            if last.len() + verb.len() + 5 > width {
                lines.push(indent.to_owned());
            }
            let last = lines.last_mut().expect("a line");
            if last.len() > indent.len() {
                last.push(' ');
            }
            last.push_str(&format!("\"{verb}\","));
        }
        lines
    }
}

/// `draw_pile` as `DrawPile`.
pub(crate) fn pascal(name: &str) -> String {
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|word| !word.is_empty()).map(upper).collect()
}

/// `DrawReason` as "one of turn, owed, shortage".
pub(crate) fn one_of(model: &Model, name: &str) -> String {
    match &model.words[name] {
        words if words.len() > 8 => format!("a word of SPEC's {name}"),
        words => words.join(", "),
    }
}
