//! Asks the process that plays a run to read its league file again for one agent, from another terminal: a file beside the run file
//! that names the process, and one with the answer. A request that names another process asks nobody. What is asked is not judged
//! here.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::lock::{self, Holder, RunLock};
use crate::io::atomic_file;
use crate::io::bounded;

/// Maximum bytes of a request or an answer.
const MAX_BYTES: u64 = 65_536;

/// What an agent shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// Join, or play again after it had retired.
    Add,
    /// Play no more.
    Retire,
    /// Play as a new version of itself.
    Replace,
}

/// A change that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RosterChange {
    /// What the agent shall do.
    pub kind: ChangeKind,
    /// Its name in the league file.
    pub agent: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    holder: String,
    change: RosterChange,
}

/// What came of a change: a sentence for people, or why it was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeAnswer {
    /// It holds from now on.
    Done(String),
    /// Nothing has changed.
    Refused(String),
}

/// The place of requests to one process.
#[derive(Clone, Debug)]
pub struct ChangeRequest {
    file: PathBuf,
    answer: PathBuf,
    holder: String,
}

impl ChangeRequest {
    /// Requests to the process that holds `lock`.
    pub(super) fn of(lock: &RunLock) -> ChangeRequest {
        ChangeRequest::at(&lock.target, lock.holder.clone())
    }

    fn at(target: &Path, holder: String) -> ChangeRequest {
        let beside = |ending: &str| {
            let mut name = target.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        ChangeRequest { file: beside(".change"), answer: beside(".changed"), holder }
    }

    /// Asks the process that plays the run in the file `run`; returns `None` if no process plays it.
    ///
    /// # Errors
    /// The lock file cannot be read, the process is not known by name, another change is waiting, or the request cannot be written.
    pub fn make(run: &Path, change: RosterChange) -> Result<Option<ChangeRequest>> {
        let holder = match Holder::of(run)? {
            Holder::Nobody => return Ok(None),
            Holder::Named(holder) => holder,
            Holder::Unknown => bail!("which process plays {} cannot be read here; try again", run.display()),
        };
        let target = lock::target_of(run).with_context(|| format!("the run file {}", run.display()))?;
        let request = ChangeRequest::at(&target, holder);
        if request.pending().is_some() {
            bail!("another change of {} is waiting for the end of a round; try again after it", run.display());
        }
        remove(&request.answer)?;
        let text = serde_json::to_vec(&Request { holder: request.holder.clone(), change })?;
        atomic_file::write(&request.file, &text)?;
        Ok(Some(request))
    }

    /// What this process is asked for.
    pub fn pending(&self) -> Option<RosterChange> {
        // A request that cannot be read is none.
        let text = bounded::read_text(&self.file, MAX_BYTES, "a request").ok()?;
        let Request { holder, change } = serde_json::from_str(&text).ok()?;
        (holder == self.holder).then_some(change)
    }

    /// Answers the request, which is over.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn answer(&self, answer: &ChangeAnswer) -> Result<()> {
        atomic_file::write(&self.answer, &serde_json::to_vec(answer)?)?;
        remove(&self.file)
    }

    /// The answer, if there is one.
    pub fn answered(&self) -> Option<ChangeAnswer> {
        let text = bounded::read_text(&self.answer, MAX_BYTES, "an answer").ok()?;
        serde_json::from_str(&text).ok()
    }

    /// True as long as the process that it asks plays the run in the file `run`.
    ///
    /// # Errors
    /// The lock file cannot be read.
    pub fn is_heard(&self, run: &Path) -> Result<bool> {
        Ok(Holder::of(run)? == Holder::Named(self.holder.clone()))
    }

    /// Removes request and answer.
    ///
    /// # Errors
    /// They are there and cannot be removed.
    pub fn withdraw(&self) -> Result<()> {
        remove(&self.file).and_then(|()| remove(&self.answer))
    }
}

fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("{} cannot be removed", file.display())),
    }
}
