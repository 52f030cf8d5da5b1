//! `maumau schema`: the published schemas. It only prints; the schemas are part of `maumau-protocol` and `report`.

use anyhow::Result;
use maumau_places::suggestion;
use maumau_protocol::schema;
use maumau_report::REPLAY_SCHEMA;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;

/// Print the JSON Schema of a message, or list the messages that have one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau schema
  maumau schema act

These are the schemas of protocol/schema, in draft 2020-12, and that of the lines of `maumau replay --format json`. SPEC.md says \
what no schema can.")]
pub(super) struct SchemaArguments {
    /// The message, such as ask or act; by default all are listed
    message: Option<String>,
}

pub(super) fn run(arguments: SchemaArguments) -> Result<CommandOutcome> {
    let mut all = schema::all();
    all.push(("replay", serde_json::from_str(REPLAY_SCHEMA)?));
    let Some(wanted) = arguments.message else {
        let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        let lines = all.iter().map(|(name, schema)| {
            let about = schema.get("description").and_then(|text| text.as_str()?.lines().next()).unwrap_or_default();
            format!("{name:width$}  {about}\n")
        });
        print(&lines.collect::<String>())?;
        return Ok(CommandOutcome::Done);
    };
    match all.iter().position(|(name, _)| *name == wanted) {
        Some(index) => print(schema::FILES.get(index).map_or(REPLAY_SCHEMA, |(_, text)| text))?,
        None => {
            let known = suggestion(&wanted, all.iter().map(|(name, _)| *name));
            return Err(usage(format!("there is no schema {wanted:?}{known}")));
        }
    }
    Ok(CommandOutcome::Done)
}
