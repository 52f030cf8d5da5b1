//! The forms in which a command writes. Names only; each command writes its own.

/// Whether the output is for people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputFormat {
    #[default]
    Text,
    Json,
}
