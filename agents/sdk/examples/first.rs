//! Plays the first legal action. Rust without a crate: it cuts values out of lines of JSON, and echoes them.
//!
//!     rustc -O agents/sdk/examples/first.rs

use std::io::Write;

/// The value of a member of an object, which is not looked for in members of members; an empty text if there is none.
fn member<'a>(object: &'a str, name: &str) -> &'a str {
    let mut rest = object.trim_start().strip_prefix('{').unwrap_or_default();
    while !rest.is_empty() {
        let (key, after) = value(rest);
        let (found, after) = value(after.trim_start().trim_start_matches(':'));
        if key.trim_matches('"') == name {
            return found;
        }
        rest = after.trim_start().strip_prefix(',').unwrap_or_default();
    }
    ""
}

/// The value at the beginning of `text`, and what follows it.
fn value(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    let ends = |sign: char| matches!(sign, ',' | ':' | '}' | ']') || sign.is_ascii_whitespace();
    for (at, sign) in text.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            _ if depth == 0 && ends(sign) => return text.split_at(at),
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    (text, "")
}

/// Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position.
fn choose(ask: &str) -> &str {
    value(member(ask, "legal").strip_prefix('[').unwrap_or_default()).0
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lines() {
        let line = line?;
        let answer = match member(&line, "type") {
            "\"ask\"" if choose(&line).starts_with('{') => {
                let (game, id) = (member(&line, "game"), member(&line, "id"));
                format!("{{\"type\":\"act\",\"game\":{game},\"id\":{id},{}", &choose(&line)[1..])
            }
            "\"hello\"" => {
                let protocol = member(&line, "protocol").trim_matches('"');
                if protocol != "maumau/1" && !protocol.starts_with("maumau/1.") {
                    eprintln!("{line}");
                    std::process::exit(2);
                }
                r#"{"type":"ready","protocol":"maumau/1","name":"first.rs","games":64}"#.to_owned()
            }
            "\"fault\"" => {
                eprintln!("{line}");
                continue;
            }
            "\"bye\"" => return Ok(()),
            _ => continue,
        };
        // The arena waits for each line.
        writeln!(out, "{answer}").and_then(|()| out.flush())?;
    }
    Ok(())
}
