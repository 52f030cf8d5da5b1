//! Rewrites lines as an arena of a later minor version would write them: more members, more events, more verbs, more
//! messages (SPEC 10.1). The order that SPEC 3 promises is kept. It works on texts and knows no game.

/// Unknown content that an agent finds in a line.
const MEMBERS: &str = r#""x_new":{"deep":[1,{"er":null}]},"x_seen":3.5"#;

/// `line` with additions.
pub(super) fn with_additions(line: &str) -> String {
    let body = line.trim_end();
    let Some(kind) = body.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split('"').next()) else {
        return line.to_owned();
    };
    let mut text = body.to_owned();
    if kind == "ask" {
        text = text.replacen(r#""view":{"#, r#""view":{"x_mood":"calm","#, 1);
        if let Some(start) = text.find(r#","legal":["#) {
            text.insert_str(start, &format!(",{MEMBERS}"));
            if let Some(head) = text.strip_suffix("]}") {
                text = format!(r#"{head},{{"do":"x_juggle","balls":3}}]}}"#);
            }
        } else {
            text = with_last_member(&text);
        }
    } else {
        text = with_last_member(&text);
    }
    text = text.replacen(r#""events":[{"#, r#""events":[{"event":"x_sneezed","seat":0,"why":{"deep":[1]}},{"#, 1);
    let weather = match kind {
        "ask" | "over" => "{\"type\":\"x_weather\",\"sky\":[\"grey\"]}\n",
        _ => "",
    };
    format!("{weather}{text}\n")
}

fn with_last_member(text: &str) -> String {
    text.strip_suffix('}').map_or(text.to_owned(), |head| format!("{head},{MEMBERS}}}"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn additions_keep_the_order_that_is_promised() {
        let ask = r#"{"type":"ask","game":"g","id":"00","events":[{"event":"x"}],"view":{"hand":[]},"legal":[{"do":"draw"}]}"#;
        let text = with_additions(ask);
        let line = text.lines().last().expect("a line");
        assert!(line.starts_with(r#"{"type":"ask","game":"g","id":"00","#), "{line}");
        assert!(line.ends_with(r#""legal":[{"do":"draw"},{"do":"x_juggle","balls":3}]}"#), "{line}");
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(value["events"].as_array().map(Vec::len), Some(2));
        assert_eq!(value["view"]["x_mood"], "calm");
        assert_eq!(value["x_seen"], 3.5);
    }

    #[test]
    fn every_line_stays_json() {
        for line in [r#"{"type":"bye","reason":"x"}"#, r#"{"type":"over","game":"g","events":[{"event":"x"}]}"#] {
            for line in with_additions(line).lines() {
                let value: Value = serde_json::from_str(line).expect("JSON");
                assert!(value["type"].is_string());
            }
        }
    }
}
