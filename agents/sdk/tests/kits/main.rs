//! The typed messages of every kit are made here from the protocol's schemas, so no kit has a hand-kept copy. Each kit holds
//! them between two marks; a test compares, and with `MAUMAU_UPDATE=1 cargo test -p maumau-sdk --test kits` it rewrites them.

#![allow(clippy::expect_used, reason = "a test")]

mod cpp;
mod csharp;
mod go;
mod java;
mod model;
mod python;
mod ruby;
mod typescript;

use std::path::{Path, PathBuf};

use model::Model;

/// A file that holds messages, and what writes them.
type Kit = (&'static str, fn(&Model) -> String);

const KITS: [Kit; 9] = [
    ("python/maumau_kit.py", python::messages),
    ("javascript/maumau.d.mts", typescript::messages),
    ("javascript/maumau.mjs", typescript::verbs),
    ("go/maumau.go", go::messages),
    ("java/maumau/Maumau.java", java::messages),
    ("csharp/Maumau.cs", csharp::messages),
    ("cpp/maumau.hpp", cpp::messages),
    ("ruby/maumau.rb", ruby::verbs),
    ("ruby/maumau.rbs", ruby::signatures),
];

/// In the lines that begin and end the part of a file that is made here.
const BEGIN: &str = "<messages> made from the protocol's types";
const END: &str = "</messages>";

fn agents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the folder of the kits")
}

/// `text` with `part` between its marks; `None` if it has no marks.
fn with_part(text: &str, part: &str) -> Option<String> {
    let begin = text.find(BEGIN)?;
    let begin = begin + text[begin..].find('\n')? + 1;
    let end = begin + text[begin..].find(END)?;
    let end = text[..end].rfind('\n')? + 1;
    Some(format!("{}{part}{}", &text[..begin], &text[end..]))
}

#[test]
fn the_messages_of_every_kit_are_those_of_the_protocol() {
    let model = Model::read();
    let mut stale = Vec::new();
    for (name, write) in KITS {
        let path = agents().join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let wanted = with_part(&text, &write(&model)).unwrap_or_else(|| panic!("{name} has no part `{BEGIN}`"));
        if text == wanted {
            continue;
        }
        if std::env::var_os("MAUMAU_UPDATE").is_some() {
            std::fs::write(&path, wanted).expect("the kit can be written");
        } else {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "{stale:?} differ: run MAUMAU_UPDATE=1 cargo test -p maumau-sdk --test kits");
}

#[test]
fn a_part_is_replaced_between_its_marks_and_nothing_else() {
    let text = format!("a\n# {BEGIN}\nold\n  # {END}\nb\n");
    assert_eq!(with_part(&text, "new\n"), Some(format!("a\n# {BEGIN}\nnew\n  # {END}\nb\n")));
    assert_eq!(with_part("nothing", "new"), None);
}

#[test]
fn every_member_of_every_message_is_in_the_model() {
    let model = Model::read();
    for (name, schema) in maumau_protocol::schema::all() {
        let Some(record) = model.records.iter().find(|record| record.wire == Some(name)) else {
            assert!(["ready", "act", "note", "ruleset"].contains(&name), "{name} has no type in the kits");
            continue;
        };
        let properties = schema["properties"].as_object().expect("members");
        assert_eq!(record.members.len(), properties.len() - 1, "{name}, but for `type`");
    }
}
