//! The report of a run, kept in a file beside the run file with the digest of the games that it was computed from, so that a run of
//! a million games need not be read again to be shown. A file that is of other games, or of another version, is as good as none.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_web::report::RunReport;
use serde::{Deserialize, Serialize};

use crate::io::{atomic_file, bounded};
use crate::run_store::RunFile;

/// What the file begins with; a report that is computed in another way gets another number.
const FORMAT: &str = "maumau-kept-report/1";

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
pub(crate) fn kept(run: &RunFile) -> Result<Option<RunReport>> {
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
pub(crate) fn keep(run: &RunFile, digest: String, report: &RunReport) -> Result<()> {
    let kept = Kept { format: FORMAT.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), digest, report };
    let bytes = serde_json::to_vec(&kept).context("a report cannot be written as JSON")?;
    atomic_file::write(&file_of(run.path()), &bytes)
}

fn file_of(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".report");
    PathBuf::from(name)
}
