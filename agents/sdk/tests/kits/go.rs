//! The messages in Go, with the tags that `encoding/json` reads. It is written as `gofmt` would.

use crate::model::{Kind, Member, Model, one_of, pascal};

pub(crate) fn messages(model: &Model) -> String {
    let mut text = String::new();
    for record in &model.records {
        let about = if record.about.is_empty() { "is a part of messages." } else { &record.about };
        text += &format!("\n// {}: {about}\ntype {} struct {{\n", record.name, record.name);
        let rows: Vec<[String; 4]> = record.members.iter().map(|member| row(model, member)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (names, types, tags) = (width(0), width(1), width(2));
        for [name, kind, tag, about] in &rows {
            let line = match about.is_empty() {
                true => format!("\t{name:names$} {kind:types$} {tag}"),
                false => format!("\t{name:names$} {kind:types$} {tag:tags$} // {about}"),
            };
            text += &format!("{}\n", line.trim_end());
        }
        text += "}\n";
    }
    text += "\nvar verbs = map[string]bool{\n";
    let width = model.verbs.iter().map(String::len).max().unwrap_or(0) + 3;
    for verb in &model.verbs {
        text += &format!("\t{:width$} true,\n", format!("\"{verb}\":"));
    }
    text + "}\n\n"
}

fn row(model: &Model, member: &Member) -> [String; 4] {
    let empty = if member.is_required { "" } else { ",omitempty" };
    let tag = format!("`json:\"{}{empty}\"`", member.name);
    let about = match &member.kind {
        Kind::Word(name) => format!("{} ({})", member.about, one_of(model, name)),
        _ => member.about.clone(),
    };
    [name(&member.name), kind(member), tag, about.trim().to_owned()]
}

fn name(name: &str) -> String {
    if name == "id" { "ID".to_owned() } else { pascal(name) }
}

fn kind(member: &Member) -> String {
    let plain = plain(&member.kind);
    // Seat 0 and "absent" are different things, and an absent `close` means true.
    let differs = matches!(member.kind, Kind::Number | Kind::Record(_)) || member.name == "close";
    let is_pointer = !member.is_required && differs;
    if is_pointer { format!("*{plain}") } else { plain }
}

fn plain(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Word(_) => "string".to_owned(),
        Kind::Record(name) => name.clone(),
        Kind::Number => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Object => "map[string]any".to_owned(),
        Kind::List(item) => format!("[]{}", self::plain(item)),
    }
}
