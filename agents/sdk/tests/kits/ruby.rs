//! The messages in Ruby: hashes with symbols as keys, whose types stand in a file of signatures (RBS).

use crate::model::{Kind, Model};

pub(crate) fn signatures(model: &Model) -> String {
    let mut text = String::new();
    for (name, words) in &model.words {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        text += &format!("  type {} = {}\n", snake(name), words.join(" | "));
    }
    for record in &model.records {
        text += "\n";
        if !record.about.is_empty() {
            text += &format!("  # {}\n", record.about);
        }
        let mut members: Vec<String> = record.wire.iter().map(|wire| format!("type: \"{wire}\"")).collect();
        for member in &record.members {
            let maybe = if member.is_required { "" } else { "?" };
            members.push(format!("{maybe}{}: {}", member.name, kind(&member.kind)));
        }
        text += &format!("  type {} = {{\n    {}\n  }}\n", snake(&record.name), members.join(",\n    "));
    }
    text
}

/// What the kit itself has to know: all verbs.
pub(crate) fn verbs(model: &Model) -> String {
    let lines = model.verb_lines("    ", 100).join("\n");
    format!("  VERBS = Set[\n{}\n  ].freeze\n", lines.trim_end_matches(','))
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Text => "String".to_owned(),
        Kind::Word(name) | Kind::Record(name) => snake(name),
        Kind::Number => "Integer".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Object => "Hash[Symbol, untyped]".to_owned(),
        Kind::List(item) => format!("Array[{}]", self::kind(item)),
    }
}

/// `DrawReason` as `draw_reason`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && place > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
