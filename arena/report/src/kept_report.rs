//! The report of a run, kept in a file beside the run file with the digest of the games that it was computed from, so that a run of
//! a million games need not be read again to be shown. A file that is of other games, or of another version, is as good as none.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_run::io::{atomic_file, bounded};
use maumau_run::run_store::RunFile;
use maumau_web::report::RunReport;
use serde::{Deserialize, Serialize};

/// What the file begins with; a report that is computed in another way gets another number.
const FORMAT: &str = "maumau-kept-report/3";

/// The largest file: the cross-table of a thousand agents fits.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<R> {
    format: String,
    /// The version of this program.
    version: String,
    /// Of the run, as [`RunFile::state`] says it.
    digest: String,
    report: R,
}

/// The report that is kept of `run` as it is now, if there is one.
///
/// # Errors
/// The run file cannot be read.
pub fn kept(run: &RunFile) -> Result<Option<RunReport>> {
    let digest = run.state()?;
    let Ok(bytes) = bounded::read(&file_of(run.path()), MAX_BYTES, "a kept report") else { return Ok(None) };
    let read = serde_json::from_slice::<Kept<RunReport>>(&bytes).ok();
    let is_of_now =
        |kept: &Kept<_>| kept.format == FORMAT && kept.version == env!("CARGO_PKG_VERSION") && kept.digest == digest;
    Ok(read.filter(is_of_now).map(|kept| kept.report))
}

/// Keeps `report`, which was computed from `run` when [`RunFile::state`] said `digest`.
///
/// # Errors
/// The file beside the run file cannot be written.
pub fn keep(run: &RunFile, digest: String, report: &RunReport) -> Result<()> {
    let kept = Kept { format: FORMAT.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), digest, report };
    let bytes = serde_json::to_vec(&kept).context("a report cannot be written as JSON")?;
    atomic_file::write(&file_of(run.path()), &bytes)
}

fn file_of(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".report");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial_report;
    use crate::trial;
    use maumau_run::run_store::{RunStore, RunWriter};

    #[test]
    fn a_report_is_kept_for_as_long_as_the_run_has_the_same_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let games = trial::games(6);
        let add = |games| RunWriter::open(&path, |_| Ok(trial::settings()))?.0.add(games);
        add(&games[..4]).expect("games");
        let run = RunFile::open(&path).expect("a run");
        let report = partial_report(&run).expect("a report");
        let read = || kept(&RunFile::open(&path)?);
        assert!(read().expect("a run").is_none());
        keep(&run, run.state().expect("a digest"), &report).expect("a file");
        assert_eq!(read().expect("a run").expect("it is kept").page(), report.page());
        add(&games[4..]).expect("more games");
        assert!(read().expect("a run").is_none(), "it is of fewer games");
        keep(&run, run.state().expect("a digest"), &report).expect("a file");
        let file = file_of(&path);
        let bytes = std::fs::read(&file).expect("a file");
        std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("a file");
        assert!(read().expect("a run").is_none(), "it is torn");
    }
}
