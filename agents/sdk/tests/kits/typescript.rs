//! The messages in TypeScript, for JavaScript's declarations.

use crate::model::{Kind, Model};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for (name, words) in &model.words {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        text += &format!("export type {name} =\n  | {};\n", words.join("\n  | "));
    }
    for record in &model.records {
        text += "\n";
        if !record.about.is_empty() {
            text += &format!("/** {} */\n", record.about);
        }
        text += &format!("export interface {} {{\n", record.name);
        if let Some(wire) = record.wire {
            text += &format!("  type: \"{wire}\";\n");
        }
        for member in &record.members {
            if !member.about.is_empty() {
                text += &format!("  /** {} */\n", member.about);
            }
            let maybe = if member.is_required { "" } else { "?" };
            text += &format!("  {}{maybe}: {};\n", member.name, kind(&member.kind));
        }
        text += "}\n";
    }
    text
}

/// What the kit itself has to know: all verbs.
pub(crate) fn verbs(model: &Model) -> String {
    let lines: Vec<String> = model.verb_lines("  ", 100);
    format!("const VERBS = new Set([\n{}\n]);\n", lines.join("\n"))
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".to_owned(),
        Kind::Word(name) | Kind::Record(name) => name.clone(),
        Kind::Number => "number".to_owned(),
        Kind::Flag => "boolean".to_owned(),
        Kind::Object => "Record<string, any>".to_owned(),
        Kind::List(item) => format!("{}[]", self::kind(item)),
    }
}
