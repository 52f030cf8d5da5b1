//! Replaces control groups and the doctor on systems other than Linux, where there is no level above `none`. Knows
//! nothing of any system. It starts nothing.

use std::convert::Infallible;
use std::path::PathBuf;

use anyhow::Result;
use maumau_protocol::SandboxLevel;

use super::{Sandbox, SandboxWishes};

/// A control group; none exists here.
#[derive(Debug)]
pub struct Group(Infallible);

impl Group {
    /// The processor time it counts.
    pub fn ran_ns(&self) -> Option<u64> {
        match self.0 {}
    }

    /// What the limits did.
    pub fn verdict(&self) -> Option<String> {
        match self.0 {}
    }

    /// Kills its processes.
    pub fn kill(&self) {
        match self.0 {}
    }

    /// True if no process is left in it.
    pub fn is_empty(&self) -> bool {
        match self.0 {}
    }

    /// Drops what it left in memory.
    pub fn forget(&self) -> fn() -> std::io::Result<()> {
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

/// The findings about a level.
pub struct LevelFindings {
    /// What it does not restrict here by nature, one sentence each.
    pub remarks: Vec<String>,
    /// By row of [`what_is_tried`].
    pub rows: Vec<(Option<bool>, String)>,
}

/// The rows of the table: none, since no level restricts anything here.
pub fn what_is_tried() -> impl Iterator<Item = (&'static str, SandboxLevel)> {
    std::iter::empty()
}

/// The findings about `level` on this system.
///
/// # Errors
/// The level is not `none`, so this system does not have it.
pub fn examine(level: SandboxLevel, user: Option<String>) -> Result<LevelFindings> {
    let user = user.filter(|_| level > SandboxLevel::None);
    Sandbox::ready(&SandboxWishes {
        level,
        user,
        memory_mib: 0,
        private: Vec::new(),
        files_alone: false,
        in_memory: Vec::new(),
    })?;
    let group = if cfg!(windows) { "job object" } else { "process group" };
    let remark = format!("agents run with your rights; each is ended with the {group} that it runs in");
    Ok(LevelFindings { remarks: vec![remark], rows: Vec::new() })
}
