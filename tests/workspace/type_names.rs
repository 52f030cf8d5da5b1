//! One meaning for each type name: a second type of one name that others can use is refused, in all crates of the workspace.
//! Tests of a crate may use its names for what they build. And one word: `tell` is a message of the protocol, and nothing else.

use std::collections::BTreeMap;

use crate::tree::{files, members, read};

/// One file of several is compiled, by the kind of system or by a feature.
const ONE_IS_COMPILED: &str = "alternatives";
/// Two words of the wire, each with its own place in a message or a rule set.
const ON_THE_WIRE: &str = "names of the wire";

/// Names that more than one type has, and why.
const REPEATED: [(&str, usize, &str); 12] = [
    ("AgentStdin", 2, ONE_IS_COMPILED),
    ("AgentStdout", 2, ONE_IS_COMPILED),
    ("Attention", 2, ONE_IS_COMPILED),
    ("ClusterArguments", 2, ONE_IS_COMPILED),
    ("Freezer", 2, ONE_IS_COMPILED),
    ("Group", 2, ONE_IS_COMPILED),
    ("Interrupts", 2, ONE_IS_COMPILED),
    ("LevelFindings", 2, ONE_IS_COMPILED),
    ("Poller", 2, ONE_IS_COMPILED),
    ("ProcessGroup", 2, ONE_IS_COMPILED),
    ("Request", 2, ON_THE_WIRE),
    ("StderrPipe", 2, ONE_IS_COMPILED),
];

/// The name of the type that a line defines for others: `pub`, `pub(crate)` and the like before a word that defines a type.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = if rest.starts_with('(') { &rest[rest.find(')')? + 1..] } else { rest };
    let (word, rest) = rest.trim_start().split_once(' ')?;
    if !["enum", "struct", "trait", "type", "union"].contains(&word) {
        return None;
    }
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty())
}

#[test]
fn a_line_that_defines_a_type_for_others_is_found() {
    let table = [
        ("pub struct Table {", Some("Table")),
        ("    pub(super) enum Held<'a> {", Some("Held")),
        ("pub(in crate::game) trait Rules: Send {", Some("Rules")),
        ("pub type Delivery = (u64, Input);", Some("Delivery")),
        ("pub struct Ended;", Some("Ended")),
        ("struct Private {", None),
        ("pub fn table() -> Table {", None),
        ("/// pub struct Told {", None),
        ("pub struct $name {", None),
    ];
    for (line, name) in table {
        assert_eq!(public_type(line), name, "{line}");
    }
}

#[test]
fn no_two_types_for_others_have_one_name() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let sources: Vec<String> = members().iter().map(|member| format!("{}/src/", member.folder)).collect();
    for file in files("rs").iter().filter(|file| sources.iter().any(|folder| file.starts_with(folder))) {
        for (at, line) in read(file).lines().enumerate() {
            if let Some(name) = public_type(line) {
                found.entry(name.to_owned()).or_default().push(format!("{file}:{}", at + 1));
            }
        }
    }
    assert!(found.len() > 500, "{} names are found", found.len());
    let mut wrong = Vec::new();
    let mut repeated: Vec<_> = found.iter().filter(|(_, places)| places.len() > 1).collect();
    repeated.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    for (name, places) in repeated {
        if !REPEATED.iter().any(|(allowed, times, _)| allowed == name && *times == places.len()) {
            wrong.push(format!("{name} is the name of {} types:\n  {}", places.len(), places.join("\n  ")));
        }
    }
    for (name, times, _) in REPEATED {
        if found.get(name).map_or(0, Vec::len) != times {
            wrong.push(format!("REPEATED lists {name} {times} times: correct the list"));
        }
    }
    assert!(
        wrong.is_empty(),
        "give each of these a name of its own (the glossary is in ARCHITECTURE.md):\n{}",
        wrong.join("\n")
    );
}

/// The name of the function that a line defines.
fn function(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("fn ")?;
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().filter(|name| !name.is_empty())
}

#[test]
fn only_functions_of_the_message_are_called_tell() {
    let is_of_message = |name: &str, line: &str| line.contains("Tell") || name == "write_tells";
    let (mut found, mut wrong) = (0, Vec::new());
    for file in files("rs") {
        for (at, line) in read(&file).lines().enumerate() {
            let Some(name) = function(line) else { continue };
            let tells = name.split('_').any(|word| ["tell", "tells", "telling", "told"].contains(&word));
            if tells && is_of_message(name, line) {
                found += 1;
            } else if tells && name != "only_functions_of_the_message_are_called_tell" {
                wrong.push(format!("{file}:{}: {name}: say what it does: print, describe, send, emit", at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found > 4, "{found} functions of the message");
}
