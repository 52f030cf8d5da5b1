//! Reads what a model wrote: the number of an action, however it is wrapped. It trusts nothing and knows no game.

use serde_json::Value;

/// Characters that are kept of what a model says it thinks.
const MAX_WHY_CHARS: usize = 200;
/// Braces that nothing closes, after which no object is looked for.
const MAX_OPEN: usize = 16;

/// A usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The place of the action in the list, from 0.
    pub(crate) action: usize,
    /// What the model says it thought.
    pub(crate) why: String,
}

/// The answer in `text` to a list of `actions`: a JSON object, alone or in other text, or else the last number.
///
/// # Errors
/// What is wrong with it, for the middle of a sentence.
pub(crate) fn read(text: &str, actions: usize) -> Result<Reply, String> {
    let object = objects(text).filter_map(|part| serde_json::from_str::<Value>(part).ok());
    let with_action = object.filter(|value| value.get("action").is_some()).last();
    let (number, why) = match &with_action {
        Some(value) => {
            let action = &value["action"];
            let number = action.as_u64().or_else(|| action.as_str().and_then(|digits| digits.trim().parse().ok()));
            (number.ok_or("\"action\" is not a number")?, value["why"].as_str().unwrap_or_default())
        }
        None => (last_number(text).ok_or("there is no number in it")?, text),
    };
    let action = usize::try_from(number).ok().filter(|number| (1..=actions).contains(number));
    let action = action.ok_or_else(|| format!("there is no action {number}"))? - 1;
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_WHY_CHARS).collect();
    Ok(Reply { action, why })
}

/// The parts of `text` from a brace to the one that closes it, the innermost not apart; those after the first
/// [`MAX_OPEN`] braces that nothing closes are not looked for.
fn objects(text: &str) -> impl Iterator<Item = &str> {
    let (mut rest, mut never_closed) = (text, 0);
    std::iter::from_fn(move || {
        while never_closed < MAX_OPEN {
            let from = rest.find('{')?;
            let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
            let end = rest[from..].char_indices().find_map(|(at, c)| {
                match (quoted, escaped, c) {
                    (true, true, _) => escaped = false,
                    (true, false, '\\') => escaped = true,
                    (_, _, '"') => quoted = !quoted,
                    (false, _, '{') => depth += 1,
                    (false, _, '}') => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(from + at + c.len_utf8())
            });
            match end {
                Some(end) => {
                    let part = &rest[from..end];
                    rest = &rest[end..];
                    return Some(part);
                }
                // Perhaps a later one is closed.
                None => {
                    rest = &rest[from + 1..];
                    never_closed += 1;
                }
            }
        }
        None
    })
}

fn last_number(text: &str) -> Option<u64> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.next_back().and_then(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn an_answer_is_found_however_it_is_wrapped() {
        for (text, expected) in [
            (r#"{"why": "sheds points", "action": 3}"#, Ok(2)),
            ("```json\n{\"action\": \"2\", \"why\": \"a } brace\"}\n```", Ok(1)),
            (r#"First I thought {"action": 1}. But {"why": "w", "action": 4}"#, Ok(3)),
            ("I play 2.", Ok(1)),
            ("{ never closed, but 3", Ok(2)),
            (r#"{"action": 0}"#, Err("there is no action 0")),
            (r#"{"action": 5}"#, Err("there is no action 5")),
            (r#"{"action": 99999999999999999999}"#, Err("\"action\" is not a number")),
            (r#"{"action": [1]}"#, Err("\"action\" is not a number")),
            ("99999999999999999999999", Err("there is no number in it")),
            ("no idea", Err("there is no number in it")),
            ("", Err("there is no number in it")),
        ] {
            let found = read(text, 4).map(|reply| reply.action);
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn a_deep_or_long_answer_is_read_without_harm() {
        assert!(read(&"{".repeat(1 << 20), 4).is_err());
        let long = format!(r#"{{"why": "{}", "action": 1}}"#, "ü".repeat(5_000));
        assert_eq!(read(&long, 4).map(|reply| reply.why.chars().count()), Ok(200));
    }
}
