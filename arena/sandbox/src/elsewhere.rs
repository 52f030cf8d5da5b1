//! What stands in the place of control groups and of the doctor on systems other than Linux, where there is no level above
//! `none`. Knows nothing of any system.

use std::convert::Infallible;
use std::path::PathBuf;

use anyhow::Result;
use maumau_protocol::SandboxLevel;

use super::{Sandbox, SandboxWishes};

/// A control group, of which there is none here.
#[derive(Debug)]
pub struct Group(Infallible);

impl Group {
    /// The time that is counted.
    pub fn ran_ns(&self) -> Option<u64> {
        match self.0 {}
    }

    /// What limits did.
    pub fn verdict(&self) -> Option<String> {
        match self.0 {}
    }

    /// Kills what is in it.
    pub fn kill(&self) {
        match self.0 {}
    }

    /// Its folders.
    pub fn folders(&self) -> &[PathBuf] {
        match self.0 {}
    }

    /// Removes it.
    pub fn try_remove(&self) -> bool {
        match self.0 {}
    }
}

/// What was found out about a level.
pub struct Held {
    /// What it does not hold here by nature, in a sentence each.
    pub remarks: Vec<String>,
    /// By row of [`what_is_tried`].
    pub rows: Vec<(Option<bool>, String)>,
}

/// The rows of the table: none, since no level holds anything here.
pub fn what_is_tried() -> impl Iterator<Item = (&'static str, SandboxLevel)> {
    std::iter::empty()
}

/// What `level` has on this system.
///
/// # Errors
/// It is another level than `none`, which this system does not have.
pub fn examine(level: SandboxLevel, user: Option<String>) -> Result<Held> {
    let user = user.filter(|_| level > SandboxLevel::None);
    Sandbox::ready(&SandboxWishes { level, user, memory_mib: 0, private: Vec::new() })?;
    let group = if cfg!(windows) { "job object" } else { "process group" };
    let remark = format!("agents run with your rights; each is ended with the {group} that it runs in");
    Ok(Held { remarks: vec![remark], rows: Vec::new() })
}
