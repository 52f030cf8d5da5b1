//! The messages in C++: structures, each read from JSON and, where a bot makes one, written as JSON.

use crate::model::{Kind, Member, Model, Record, one_of};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for record in &model.records {
        text += &self::record(model, record);
    }
    let lines = model.verb_lines("        ", 100).join("\n");
    text + &format!(
        "\ninline bool is_verb(const std::string& word) {{\n    static const std::set<std::string> verbs = {{\n{lines}\n    }};\n    return verbs.count(word) > 0;\n}}\n"
    )
}

fn record(model: &Model, record: &Record) -> String {
    let name = &record.name;
    let about = if record.about.is_empty() { "A part of messages." } else { &record.about };
    let mut text = format!("\n/// {about}\nstruct {name} {{\n");
    for member in &record.members {
        let words = match &member.kind {
            Kind::Word(name) => format!(" ({})", one_of(model, name)),
            _ => String::new(),
        };
        text += &format!("    /// {}{words}\n", member.about);
        text += &format!("    {} {}{};\n", kind(member), field(&member.name), default(member));
    }
    text += &format!("\n    {name}() = default;\n");
    if name == "Action" {
        text += "    /// An action without further members, such as `draw`.\n";
        text += "    explicit Action(const char* verb) : do_(verb) {}\n";
    }
    text += &format!("    explicit {name}(const Json& json) {{\n");
    for member in &record.members {
        text += &format!("        detail::read(json, \"{}\", {});\n", member.name, field(&member.name));
    }
    text += "    }\n";
    if name == "Choice" || name == "Action" {
        text += "\n    Json json() const {\n        Json json = Json::object();\n";
        for member in &record.members {
            text += &format!("        detail::write(json, \"{}\", {});\n", member.name, field(&member.name));
        }
        text += "        return json;\n    }\n";
    }
    text + "};\n"
}

fn field(name: &str) -> String {
    if ["do", "for"].contains(&name) { format!("{name}_") } else { name.to_owned() }
}

fn kind(member: &Member) -> String {
    let plain = plain(&member.kind);
    let is_list = matches!(member.kind, Kind::List(_));
    if member.is_required || is_list { plain } else { format!("std::optional<{plain}>") }
}

fn default(member: &Member) -> &'static str {
    match (&member.kind, member.is_required) {
        (Kind::Number, true) => " = 0",
        (Kind::Flag, true) => " = false",
        _ => "",
    }
}

fn plain(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Word(_) => "std::string".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Number => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Object => "Json".to_owned(),
        Kind::List(item) => format!("std::vector<{}>", self::plain(item)),
    }
}
