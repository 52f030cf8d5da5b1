//! The messages in Java: classes with fields, each read from a map of JSON and, where a bot makes one, written as a map.

use crate::model::{Kind, Member, Model, Record, one_of, pascal};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for record in &model.records {
        text += &self::record(model, record);
    }
    let lines = model.verb_lines("            ", 100).join("\n");
    let lines = lines.trim_end_matches(',');
    text + &format!("\n    private static final Set<String> VERBS = Set.of(\n{lines});\n")
}

fn record(model: &Model, record: &Record) -> String {
    let name = &record.name;
    let about = if record.about.is_empty() { "A part of messages." } else { &record.about };
    let mut text = format!("\n    /** {about} */\n    public static final class {name} {{\n");
    for member in &record.members {
        let words = match &member.kind {
            Kind::Word(name) => format!(" ({})", one_of(model, name)),
            _ => String::new(),
        };
        let absent = if member.is_required { "" } else { " May be absent: null." };
        text += &format!("        /** {}{words}{absent} */\n", member.about);
        text += &format!("        public {} {};\n", kind(&member.kind, !member.is_required), field(&member.name));
    }
    if name == "Choice" || name == "Action" {
        text += &format!("\n        public {name}() {{}}\n");
        if name == "Action" {
            text += "\n        /** An action without further members, such as {@code draw}. */\n";
            text += "        public Action(String do_) {\n            this.do_ = do_;\n        }\n";
        }
    }
    text += &format!("\n        {name}(Map<String, Object> json) {{\n");
    for member in &record.members {
        text += &format!("            {} = {};\n", field(&member.name), read(member));
    }
    text += "        }\n";
    if name == "Choice" || name == "Action" {
        text += "\n        /** As it goes to the arena. */\n        public Map<String, Object> json() {\n            var json = new LinkedHashMap<String, Object>();\n";
        for member in &record.members {
            let value = if matches!(member.kind, Kind::Record(_)) { ".json()" } else { "" };
            let (name, field) = (&member.name, field(&member.name));
            text += &format!("            if ({field} != null) json.put(\"{name}\", {field}{value});\n");
        }
        text += "            return json;\n        }\n";
        text += "\n        @Override\n        public String toString() {\n            return Json.write(json());\n        }\n";
    }
    text + "    }\n"
}

fn field(name: &str) -> String {
    let camel = camel(name);
    if ["do", "for"].contains(&name) { format!("{camel}_") } else { camel }
}

fn kind(kind: &Kind, boxed: bool) -> String {
    match kind {
        Kind::Text | Kind::Word(_) => "String".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Number => if boxed { "Integer" } else { "int" }.to_owned(),
        Kind::Flag => if boxed { "Boolean" } else { "boolean" }.to_owned(),
        Kind::Object => "Map<String, Object>".to_owned(),
        Kind::List(item) => format!("List<{}>", self::kind(item, true)),
    }
}

fn read(member: &Member) -> String {
    let value = format!("json.get(\"{}\")", member.name);
    match (&member.kind, member.is_required) {
        (Kind::Text | Kind::Word(_), _) => format!("text({value})"),
        (Kind::Number, true) => format!("number({value}, 0)"),
        (Kind::Number, false) => format!("number({value}, null)"),
        (Kind::Flag, true) => format!("Boolean.TRUE.equals({value})"),
        (Kind::Flag, false) => format!("flag({value})"),
        (Kind::Object, _) => format!("{value} instanceof Map ? object({value}) : null"),
        (Kind::Record(name), _) => format!("{value} instanceof Map ? new {name}(object({value})) : null"),
        (Kind::List(item), _) => match &**item {
            Kind::Number => format!("numbers({value})"),
            Kind::Record(name) => format!("records({value}, item -> new {name}(object(item)))"),
            _ => format!("texts({value})"),
        },
    }
}

/// `draw_pile` as `drawPile`.
fn camel(name: &str) -> String {
    let pascal = pascal(name);
    pascal[..1].to_lowercase() + &pascal[1..]
}
