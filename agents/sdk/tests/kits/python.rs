//! The messages in Python: dictionaries with typed members, which cost nothing when a bot runs.

use crate::model::{Kind, Model, Record};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for (name, words) in &model.words {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        text += &wrapped(&format!("{name} = Literal["), &words, "]");
    }
    for record in &model.records {
        text += &format!("\n{}\n", self::record(record).trim_end());
    }
    let types: String =
        text.lines().map(|line| if line.is_empty() { "\n".into() } else { format!("    {line}\n") }).collect();
    let names: Vec<&str> = model.records.iter().map(|record| record.name.as_str()).collect();
    let mut text = format!("if TYPE_CHECKING:\n{types}\nelse:  # which costs nothing at the start of a bot\n");
    for names in names.chunks(8) {
        text += &format!("    {} = dict\n", names.join(" = "));
    }
    let verbs = model.words["Verb"].join(" ");
    text += "\n_VERBS = frozenset(\n";
    let mut lines = vec![String::new()];
    for verb in verbs.split(' ') {
        if lines.last().expect("a line").len() + verb.len() > 92 {
            lines.push(String::new());
        }
        lines.last_mut().expect("a line").push_str(&format!("{verb} "));
    }
    let count = lines.len();
    for (number, line) in lines.iter().enumerate() {
        let line = if number + 1 == count { line.trim_end() } else { line };
        text += &format!("    \"{line}\"\n");
    }
    // As the formatter wants it.
    let last = text.trim_end().to_owned();
    format!("{last}.split()\n)\n")
}

/// A list that is broken where it is too long for a line.
fn wrapped(begin: &str, items: &[String], end: &str) -> String {
    let line = format!("{begin}{}{end}\n", items.join(", "));
    if line.len() <= 96 {
        return line;
    }
    let items: String = items.iter().map(|item| format!("    {item},\n")).collect();
    format!("{begin}\n{items}{end}\n")
}

/// Whether a member's name is a word of the language.
fn is_keyword(name: &str) -> bool {
    ["from", "for"].contains(&name)
}

fn record(record: &Record) -> String {
    let Record { name, about, members, .. } = record;
    let about = about.replace('"', "'");
    if members.iter().any(|member| is_keyword(&member.name)) {
        let items: String =
            members.iter().map(|m| format!("        \"{}\": \"{}\",\n", m.name, kind(&m.kind))).collect();
        return format!("{name} = TypedDict(\n    \"{name}\",\n    {{\n{items}    }},\n    total=False,\n)\n");
    }
    let lines = |required: bool| -> String {
        let some = members.iter().filter(|member| member.is_required == required);
        some.map(|m| format!("    {}: {}\n", m.name, kind(&m.kind))).collect()
    };
    let (always, maybe) = (lines(true), lines(false));
    let about = if about.is_empty() { String::new() } else { format!("    \"\"\"{about}\"\"\"\n\n") };
    match (always.is_empty(), maybe.is_empty()) {
        (_, true) => format!("class {name}(TypedDict):\n{about}{always}"),
        (true, _) => format!("class {name}(TypedDict, total=False):\n{about}{maybe}"),
        _ => format!("class _{name}(TypedDict):\n{always}\n\nclass {name}(_{name}, total=False):\n{about}{maybe}"),
    }
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Text => "str".to_owned(),
        Kind::Word(name) | Kind::Record(name) => name.clone(),
        Kind::Number => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Object => "dict[str, Any]".to_owned(),
        Kind::List(item) => format!("list[{}]", self::kind(item)),
    }
}
