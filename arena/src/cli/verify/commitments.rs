//! Lists of commitments that somebody kept or published, and what games say to them. It reads a list; the games are checked by its
//! caller.
//!
//! A list is what `maumau tournament export --seeds` writes, as CSV or JSON lines; or an author's own, from the `start` lines of a
//! bot, kept as they came.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use maumau_engine::commitment;
use maumau_protocol::Seed;
use maumau_run::error::usage;
use maumau_run::io::bounded;
use serde_json::Value;

/// Bytes of a list, at most: some two hundred a game.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// What a list says of a game.
#[derive(Clone, Debug, PartialEq)]
struct Listed {
    line: usize,
    commitment: String,
    seed: Option<Seed>,
    is_found: bool,
}

/// A list of commitments, by the names of games as agents know them.
#[derive(Debug, Default)]
pub(super) struct Commitments(BTreeMap<String, Listed>);

impl Commitments {
    /// Reads a list.
    ///
    /// # Errors
    /// It cannot be read, has nothing in it, or a line of it is not like that: which, and what was expected.
    pub(super) fn read(path: &Path) -> Result<Commitments> {
        let of_list = |error: String| usage(format!("{}: {error}", path.display()));
        let text = bounded::read_text(path, MAX_BYTES, "a list of commitments").map_err(of_list)?;
        Commitments::parse(&text).map_err(|error| of_list(format!("{error:#}")))
    }

    fn parse(text: &str) -> Result<Commitments> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
        let mut list = Commitments::default();
        let is_json = lines.peek().is_some_and(|(_, line)| line.trim_start().starts_with('{'));
        let columns: Vec<&str> =
            if is_json { Vec::new() } else { lines.next().map_or("", |(_, line)| line).split(',').collect() };
        let place = |name: &str| columns.iter().position(|column| column.trim() == name);
        let places = [place("id"), place("commitment"), place("seed")];
        anyhow::ensure!(
            is_json || matches!(places, [Some(_), Some(_), _]),
            "expected what `maumau tournament export --seeds` writes: columns id and commitment, and seed if it is known; or JSON lines"
        );
        for (number, line) in lines {
            let of_line = || format!("line {}", number + 1);
            let [id, commitment, seed] = match is_json {
                true => {
                    let value: Value = serde_json::from_str(line).with_context(of_line)?;
                    let member = |name: &str| value[name].as_str().map(str::to_owned);
                    match value["type"].as_str() {
                        None => ["id", "commitment", "seed"].map(member),
                        // The member `seed` of a start is one for the agent's own use.
                        Some("start") => [member("game"), member("commitment"), None],
                        Some(_) => continue,
                    }
                }
                false => {
                    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
                    places.map(|place| Some((*cells.get(place?)?).to_owned()))
                }
            };
            list.add(number + 1, id, commitment, seed.filter(|seed| !seed.is_empty())).with_context(of_line)?;
        }
        anyhow::ensure!(!list.0.is_empty(), "there is no commitment in it");
        Ok(list)
    }

    fn add(&mut self, line: usize, id: Option<String>, commitment: Option<String>, seed: Option<String>) -> Result<()> {
        let id = id.filter(|id| !id.is_empty()).context("it does not name a game")?;
        let is_hash = |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let commitment = commitment.filter(is_hash).context("its commitment is not 64 hexadecimal digits")?;
        let seed = seed.map(|seed| seed.parse().ok().context("its seed is not 64 hexadecimal digits")).transpose()?;
        let listed = Listed { line, commitment: commitment.to_ascii_lowercase(), seed, is_found: false };
        if let Some(before) = self.0.get(&id) {
            let is_same = before.commitment == listed.commitment;
            anyhow::ensure!(is_same, "the game {id} has another commitment than in line {}", before.line);
            // Where one of two lines has a seed, it is kept.
            if listed.seed.is_none() || before.seed.is_some() && before.seed == listed.seed {
                return Ok(());
            }
            anyhow::ensure!(before.seed.is_none(), "the game {id} has another seed than in line {}", before.line);
        }
        self.0.insert(id, listed);
        Ok(())
    }

    /// Takes a sound game with this name and seed; returns whether it is in the list.
    ///
    /// # Errors
    /// The arena was committed to another seed, or has published another one: in words.
    pub(super) fn take(&mut self, id: &str, seed: &Seed) -> Result<bool, String> {
        let Some(listed) = self.0.get_mut(id) else { return Ok(false) };
        listed.is_found = true;
        let (line, found) = (listed.line, commitment(id, seed));
        if found != listed.commitment {
            let why = "another seed than the arena was committed to";
            return Err(format!("{why}: line {line} says {}, and this one is {found}", listed.commitment));
        }
        match listed.seed {
            Some(published) if published != *seed => Err(format!("line {line} has another seed than the game")),
            _ => Ok(true),
        }
    }

    /// The games of the list that nobody has taken, with their lines, by line.
    pub(super) fn missing(&self) -> Vec<(usize, &str)> {
        let mut missing: Vec<(usize, &str)> =
            self.0.iter().filter(|(_, listed)| !listed.is_found).map(|(id, listed)| (listed.line, &**id)).collect();
        missing.sort_unstable();
        missing
    }
}

#[cfg(test)]
mod tests {
    use maumau_engine::seed_of_number;

    use super::*;

    fn row(id: &str, number: u64, with_seed: bool) -> String {
        let seed = seed_of_number(number);
        let shown = if with_seed { seed.to_string() } else { String::new() };
        format!("{id},g000-d0000-r0,{},{shown}\n", commitment(id, &seed))
    }

    const HEAD: &str = "id,game,commitment,seed\n";

    #[test]
    fn a_list_finds_games_with_other_seeds_and_games_that_are_missing() {
        let text = format!("{HEAD}{}{}{}", row("a", 1, true), row("b", 2, false), row("c", 3, true));
        for text in [text.clone(), text.replace('\n', "\r\n"), text.replace("id,game", " id , game ")] {
            let mut list = Commitments::parse(&text).expect("a list");
            assert_eq!(list.take("a", &seed_of_number(1)), Ok(true));
            assert_eq!(list.take("x", &seed_of_number(1)), Ok(false), "it is not in the list");
            let other = list.take("b", &seed_of_number(1)).expect_err("another seed");
            assert!(other.starts_with("another seed than the arena was committed to: line 3 says "), "{other}");
            assert_eq!(list.missing(), [(4, "c")]);
        }
        // A seed that does not belong to its commitment was published.
        let forged = format!(
            "{HEAD}{}",
            row("a", 1, true).replace(&seed_of_number(1).to_string(), &seed_of_number(2).to_string())
        );
        let mut list = Commitments::parse(&forged).expect("a list");
        assert_eq!(list.take("a", &seed_of_number(1)), Err("line 2 has another seed than the game".to_owned()));
    }

    #[test]
    fn a_list_may_be_json_lines_and_the_starts_that_a_bot_kept() {
        let hash = commitment("a", &seed_of_number(1));
        for line in [
            format!("{{\"id\":\"a\",\"commitment\":\"{hash}\"}}"),
            format!("{{\"id\":\"a\",\"commitment\":\"{hash}\",\"seed\":\"{}\"}}", seed_of_number(1)),
            format!(
                "{{\"type\":\"start\",\"game\":\"a\",\"commitment\":\"{hash}\",\"seed\":\"00\"}}\n{{\"type\":\"ask\"}}"
            ),
        ] {
            let mut list = Commitments::parse(&line).expect("a list");
            assert_eq!((list.take("a", &seed_of_number(1)), list.missing().len()), (Ok(true), 0), "{line}");
        }
    }

    #[test]
    fn what_is_no_list_is_refused_with_its_line() {
        let (one, again) = (row("a", 1, true), row("a", 2, true));
        for (text, expected) in [
            ("", "expected what `maumau tournament export --seeds` writes"),
            ("game,seed\n", "expected what `maumau tournament export --seeds` writes"),
            (HEAD, "there is no commitment in it"),
            (&*format!("{HEAD}a,b\n"), "line 2: its commitment is not 64 hexadecimal digits"),
            (&*format!("{HEAD},b,c\n"), "line 2: it does not name a game"),
            (&*format!("{HEAD}{one}x"), "line 3: its commitment"),
            (&*format!("{HEAD}{}", one.replace(&seed_of_number(1).to_string(), "7")), "line 2: its seed is not 64"),
            (&*format!("{HEAD}{one}{again}"), "line 3: the game a has another commitment than in line 2"),
            ("{\"id\":1}", "line 1: it does not name a game"),
            ("{", "line 1: "),
        ] {
            let said = format!("{:#}", Commitments::parse(text).expect_err("no list"));
            assert!(said.contains(expected), "{said}");
        }
    }
}
