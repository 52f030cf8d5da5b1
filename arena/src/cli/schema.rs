//! `maumau schema`: the published schemas. It only prints; the schemas belong to the crates whose messages and files they
//! describe.

use anyhow::Result;
use maumau_engine::rules;
use maumau_places::suggestion;
use maumau_protocol::schema;
use maumau_report::{ANALYSIS_SCHEMA, PUZZLES_SCHEMA, REPLAY_SCHEMA, RUN_ANALYSIS_SCHEMA};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::league;
use serde_json::Value;

use super::check::CHECK_PUZZLES_SCHEMA;
use crate::club::CLUB_SCHEMA;
use crate::conformance::CHECK_SCHEMA;

/// Print the JSON Schema of a message or a file, or list all that have one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau schema
  maumau schema act
  maumau schema rules-file > rules-file.schema.json

The schemas of messages are those of protocol/schema, in draft 2020-12; SPEC.md says what no schema can. replay, analysis, run-analysis, \
check and check-puzzles are those of what `maumau replay`, `maumau analyse` and `maumau check` write with --format json, puzzles that of what \
`maumau puzzles` writes, club those of what a club answers. rules-file and league-file, in draft 7, are for editors: a TOML file whose first line is

  #:schema ./rules-file.schema.json

is completed and checked by taplo, and by the extension Even Better TOML of Visual Studio Code.")]
pub(super) struct SchemaArguments {
    /// The message or file, such as ask, act or rules-file; by default all are listed
    message: Option<String>,
}

/// The schemas of files and of what commands write, by name.
const OF_FILES: [(&str, &str); 9] = [
    ("replay", REPLAY_SCHEMA),
    ("analysis", ANALYSIS_SCHEMA),
    ("run-analysis", RUN_ANALYSIS_SCHEMA),
    ("puzzles", PUZZLES_SCHEMA),
    ("check", CHECK_SCHEMA),
    ("check-puzzles", CHECK_PUZZLES_SCHEMA),
    ("club", CLUB_SCHEMA),
    ("rules-file", rules::FILE_SCHEMA),
    ("league-file", league::FILE_SCHEMA),
];

pub(super) fn run(arguments: SchemaArguments) -> Result<CommandOutcome> {
    let all: Vec<(&str, &str)> = schema::FILES.into_iter().chain(OF_FILES).collect();
    let Some(wanted) = arguments.message else {
        let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let mut listed = String::new();
        for (name, text) in all {
            let schema: Value = serde_json::from_str(text)?;
            let about = schema.get("description").and_then(|text| text.as_str()?.lines().next()).unwrap_or_default();
            listed += &format!("{name:width$}  {about}\n");
        }
        print(&listed)?;
        return Ok(CommandOutcome::Done);
    };
    match all.iter().find(|(name, _)| *name == wanted) {
        Some((_, text)) => print(text)?,
        None => {
            let known = suggestion(&wanted, all.iter().map(|(name, _)| *name));
            return Err(usage(format!("there is no schema {wanted:?}{known}")));
        }
    }
    Ok(CommandOutcome::Done)
}
