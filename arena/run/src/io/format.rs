//! The forms in which commands write.

/// Whether the output is for people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[expect(missing_docs, reason = "help would show them, and the names say all")]
pub enum OutputFormat {
    #[default]
    Text,
    Json,
}

/// A number with its noun: `1 game`, `2 games`.
pub fn counted(count: impl Into<u128>, noun: &str) -> String {
    match count.into() {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
