//! `maumau schema`: the published schemas. It only prints; the schemas are part of `maumau-protocol` and `report`.

use anyhow::Result;
use maumau_places::suggestion;
use maumau_protocol::schema;
use maumau_report::{ANALYSIS_SCHEMA, REPLAY_SCHEMA};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;

/// Print the JSON Schema of a message, or list the messages that have one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau schema
  maumau schema act

These are the schemas of protocol/schema, in draft 2020-12, and those of what `maumau replay` and `maumau analyse` write with \
--format json. SPEC.md says what no schema can.")]
pub(super) struct SchemaArguments {
    /// The message, such as ask or act; by default all are listed
    message: Option<String>,
}

/// The schemas of what commands write.
const OF_COMMANDS: [(&str, &str); 2] = [("replay", REPLAY_SCHEMA), ("analysis", ANALYSIS_SCHEMA)];

pub(super) fn run(arguments: SchemaArguments) -> Result<CommandOutcome> {
    let mut all = schema::all();
    for (name, text) in OF_COMMANDS {
        all.push((name, serde_json::from_str(text)?));
    }
    let Some(wanted) = arguments.message else {
        let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let lines = all.iter().map(|(name, schema)| {
            let about = schema.get("description").and_then(|text| text.as_str()?.lines().next()).unwrap_or_default();
            format!("{name:width$}  {about}\n")
        });
        print(&lines.collect::<String>())?;
        return Ok(CommandOutcome::Done);
    };
    match schema::FILES.into_iter().chain(OF_COMMANDS).find(|(name, _)| *name == wanted) {
        Some((_, text)) => print(text)?,
        None => {
            let known = suggestion(&wanted, all.iter().map(|(name, _)| *name));
            return Err(usage(format!("there is no schema {wanted:?}{known}")));
        }
    }
    Ok(CommandOutcome::Done)
}
