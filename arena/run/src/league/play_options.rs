//! The settings of a run that an organiser may change from one command to the next. Data only; they change no game.

use std::path::PathBuf;
use std::sync::Arc;

use super::lending::Lender;
use crate::runner::LiveTap;

/// How a run is played; nothing here changes a game.
#[derive(Clone)]
pub struct PlayOptions {
    /// The processors to play on.
    pub cpus: Vec<usize>,
    /// Games at once in all; absent = automatic.
    pub concurrency: Option<usize>,
    /// True to show no progress.
    pub quiet: bool,
    /// The folder for fault reports.
    pub fault_reports: PathBuf,
    /// True to write the name and digest of each game to stdout once it is durable.
    pub announce: bool,
    /// True to stop once most agents have turned out not to start.
    pub gives_up: bool,
    /// Through which others watch the games.
    pub tap: Option<LiveTap>,
    /// Who has games played elsewhere, beside those that are played here.
    pub lender: Option<Arc<dyn Lender>>,
}
