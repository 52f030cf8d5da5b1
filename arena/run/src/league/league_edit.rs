//! Small edits of a league file's text: an agent more, another command, an agent that retires. The rest of the text stays as it is.
//! The caller checks whether the result is a league.

/// An agent as a command describes it.
pub struct NewAgent<'a> {
    /// Its name in tables.
    pub name: &'a str,
    /// The command that starts it.
    pub command: &'a str,
    /// Where it is started; by default beside the league file.
    pub directory: Option<&'a str>,
    /// Who wrote it.
    pub author: Option<&'a str>,
}

/// The text with the agent at its end.
pub fn add(text: &str, agent: &NewAgent<'_>) -> String {
    let mut text = format!("{}\n\n[[agent]]\n", text.trim_end());
    let keys = [
        ("name", Some(agent.name)),
        ("command", Some(agent.command)),
        ("directory", agent.directory),
        ("author", agent.author),
    ];
    for (key, value) in keys {
        text += &value.map(|value| line(key, value.into())).unwrap_or_default();
    }
    text
}

/// The text in which the table of the agent has `value` for `key`; `None` if there is no table `[[agent]]` with that `name`.
pub fn set(text: &str, name: &str, key: &str, value: toml::Value) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for written in text.split_inclusive('\n') {
        let is_header = written.trim_start().starts_with('[') && !written.trim_start().starts_with("[agent.");
        match parts.last_mut() {
            Some(part) if !is_header => part.push_str(written),
            _ => parts.push(written.to_owned()),
        }
    }
    let part = parts.iter_mut().find(|part| is_table_of(part, name))?;
    let is_key = |written: &&str| written.split_once('=').is_some_and(|(before, _)| before.trim() == key);
    let new = line(key, value);
    *part = match part.split_inclusive('\n').find(is_key) {
        Some(written) => part.replacen(written, &new, 1),
        None => {
            let (header, keys) = part.split_once('\n')?;
            format!("{header}\n{new}{keys}")
        }
    };
    Some(parts.concat())
}

fn line(key: &str, value: toml::Value) -> String {
    format!("{key} = {value}\n")
}

fn is_table_of(part: &str, name: &str) -> bool {
    let Ok(table) = part.parse::<toml::Table>() else { return false };
    let named = |agent: &toml::Value| agent.get("name").and_then(toml::Value::as_str) == Some(name);
    part.trim_start().starts_with("[[agent]]")
        && table.get("agent").and_then(toml::Value::as_array).is_some_and(|agents| agents.iter().any(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAGUE: &str = "seats = 2 # two\n\n[[agent]]\nname = \"a\" # first\ncommand = \"x\"\n\n[[agent]]\ncommand = \"y\"\n\
                          name = \"b\"\n[agent.env]\nK = \"v\"\n\n[stop]\ngames = 4\n";

    #[test]
    fn an_edit_changes_its_line_and_nothing_else() {
        let retired = set(LEAGUE, "b", "retired", true.into()).expect("a table");
        assert_eq!(retired, LEAGUE.replace("[[agent]]\ncommand", "[[agent]]\nretired = true\ncommand"));
        assert_eq!(set(&retired, "b", "retired", false.into()), Some(retired.replace("= true", "= false")));
        assert_eq!(
            set(LEAGUE, "a", "command", "say \"x\"".into()),
            Some(LEAGUE.replace("command = \"x\"", "command = 'say \"x\"'"))
        );
        assert_eq!(set(LEAGUE, "c", "retired", true.into()), None);
        let agent = NewAgent { name: "c", command: "z 1", directory: None, author: Some("ann") };
        assert_eq!(
            add(LEAGUE, &agent),
            format!("{LEAGUE}\n[[agent]]\nname = \"c\"\ncommand = \"z 1\"\nauthor = \"ann\"\n")
        );
    }
}
