//! The settings of a run that an organiser may change from one command to the next. Data only; they change no game.

use std::path::PathBuf;

use crate::runner::LiveTap;

/// How a run is played; nothing here changes a game.
#[derive(Clone)]
pub(crate) struct PlayOptions {
    /// The processors to play on.
    pub(crate) cpus: Vec<usize>,
    /// Games at once in all; absent = automatic.
    pub(crate) concurrency: Option<usize>,
    /// True to show no progress.
    pub(crate) quiet: bool,
    /// The folder for fault reports.
    pub(crate) fault_reports: PathBuf,
    /// True to write the name and digest of each game to stdout once it is durable.
    pub(crate) announce: bool,
    /// True to stop once most agents have turned out not to start.
    pub(crate) gives_up: bool,
    /// Through which others watch the games.
    pub(crate) tap: Option<LiveTap>,
}
