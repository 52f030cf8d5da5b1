//! Asks the process that plays a run to stop, from another terminal or another machine: a file beside the run file that names
//! the process. A request that names another process, such as one that has ended, asks nobody.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::lock::{self, Holder, RunLock};
use crate::io::atomic_file;
use crate::io::bounded;

/// Maximum bytes of a request.
const MAX_BYTES: u64 = 200;

/// The place of a request to one process.
#[derive(Clone, Debug)]
pub struct StopRequest {
    file: PathBuf,
    holder: String,
}

impl StopRequest {
    /// Requests to the process that holds `lock`.
    pub(super) fn of(lock: &RunLock) -> StopRequest {
        StopRequest { file: file_of(&lock.target), holder: lock.holder.clone() }
    }

    /// Asks the process that plays the run in the file `run` to stop; returns `None` if no process plays it.
    ///
    /// # Errors
    /// The lock file cannot be read, the process is not known by name, or the request cannot be written.
    pub fn make(run: &Path) -> Result<Option<StopRequest>> {
        let holder = match Holder::of(run)? {
            Holder::Nobody => return Ok(None),
            Holder::Named(holder) => holder,
            Holder::Unknown => bail!(
                "which process plays {} cannot be read here; try again, or stop that process with Ctrl-C",
                run.display()
            ),
        };
        let target = lock::target_of(run).with_context(|| format!("the run file {}", run.display()))?;
        let request = StopRequest { file: file_of(&target), holder };
        atomic_file::write(&request.file, request.holder.as_bytes())?;
        Ok(Some(request))
    }

    /// True as long as the process that it asks plays the run in the file `run`.
    ///
    /// # Errors
    /// The lock file cannot be read.
    pub fn is_pending(&self, run: &Path) -> Result<bool> {
        Ok(Holder::of(run)? == Holder::Named(self.holder.clone()))
    }

    /// Which process it asks, in words.
    pub fn holder(&self) -> &str {
        &self.holder
    }

    /// True if somebody has asked this process to stop.
    pub fn is_made(&self) -> bool {
        // A request that cannot be read is none: Ctrl-C is still there.
        bounded::read_text(&self.file, MAX_BYTES, "a request").is_ok_and(|asked| asked == self.holder)
    }

    /// Removes the request.
    ///
    /// # Errors
    /// It is there and cannot be removed.
    pub fn withdraw(&self) -> Result<()> {
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed.with_context(|| format!("{} cannot be removed", self.file.display())),
        }
    }
}

fn file_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".stop");
    PathBuf::from(name)
}
