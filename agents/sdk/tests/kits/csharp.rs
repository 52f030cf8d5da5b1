//! The messages in C#: classes with fields, each read from a dictionary of JSON and, where a bot makes one, written as one.

use crate::model::{Kind, Member, Model, Record, one_of, pascal};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for record in &model.records {
        text += &self::record(model, record);
    }
    let lines = model.verb_lines("            ", 100).join("\n");
    text + &format!(
        "\n    static class Verbs\n    {{\n        internal static readonly HashSet<string> All = new HashSet<string> {{\n{lines}\n        }};\n    }}\n"
    )
}

fn record(model: &Model, record: &Record) -> String {
    let name = &record.name;
    let about = if record.about.is_empty() { "A part of messages." } else { &record.about };
    let about = escaped(about);
    let mut text = format!("\n    /// <summary>{about}</summary>\n    public sealed class {name}\n    {{\n");
    for member in &record.members {
        let words = match &member.kind {
            Kind::Word(name) => format!(" ({})", one_of(model, name)),
            _ => String::new(),
        };
        let absent = if member.is_required { "" } else { " May be absent: null." };
        text += &format!("        /// <summary>{}{words}{absent}</summary>\n", escaped(&member.about));
        text += &format!("        public {} {};\n", kind(&member.kind, !member.is_required), field(name, &member.name));
    }
    if name == "Choice" || name == "Action" {
        text += &format!("\n        public {name}() {{ }}\n");
        if name == "Action" {
            text += "\n        /// <summary>An action without further members, such as draw.</summary>\n";
            text += "        public Action(string verb) { Do = verb; }\n";
        }
    }
    text += &format!("\n        internal {name}(Dictionary<string, object> json)\n        {{\n");
    for member in &record.members {
        text += &format!("            {} = {};\n", field(name, &member.name), read(member));
    }
    text += "        }\n";
    if name == "Choice" || name == "Action" {
        text += "\n        internal Dictionary<string, object> ToJson()\n        {\n            var json = new Dictionary<string, object>();\n";
        for member in &record.members {
            let value = if matches!(member.kind, Kind::Record(_)) { ".ToJson()" } else { "" };
            let (wire, field) = (&member.name, field(name, &member.name));
            text += &format!("            if ({field} != null) json[\"{wire}\"] = {field}{value};\n");
        }
        text += "            return json;\n        }\n";
        text += "\n        public override string ToString() { return Json.Write(ToJson()); }\n";
    }
    text + "    }\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A member may not have the name of its class.
fn field(record: &str, name: &str) -> String {
    match (record, name) {
        ("Fault", "fault") => "Name".to_owned(),
        ("Event", "event") => "Kind".to_owned(),
        _ => pascal(name),
    }
}

fn kind(kind: &Kind, nullable: bool) -> String {
    match kind {
        Kind::Text | Kind::Word(_) => "string".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Number => if nullable { "int?" } else { "int" }.to_owned(),
        Kind::Flag => if nullable { "bool?" } else { "bool" }.to_owned(),
        Kind::Object => "Dictionary<string, object>".to_owned(),
        Kind::List(item) => format!("List<{}>", self::kind(item, false)),
    }
}

fn read(member: &Member) -> String {
    let value = format!("Json.Get(json, \"{}\")", member.name);
    match (&member.kind, member.is_required) {
        (Kind::Text | Kind::Word(_), _) => format!("{value} as string"),
        (Kind::Number, true) => format!("Json.Number({value}) ?? 0"),
        (Kind::Number, false) => format!("Json.Number({value})"),
        (Kind::Flag, true) => format!("{value} as bool? ?? false"),
        (Kind::Flag, false) => format!("{value} as bool?"),
        (Kind::Object, _) => format!("{value} as Dictionary<string, object>"),
        (Kind::Record(name), _) => format!("Json.One({value}, o => new {name}(o))"),
        (Kind::List(item), _) => match &**item {
            Kind::Number => format!("Json.Numbers({value})"),
            Kind::Record(name) => format!("Json.Many({value}, o => new {name}(o))"),
            _ => format!("Json.Texts({value})"),
        },
    }
}
