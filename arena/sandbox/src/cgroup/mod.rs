//! Control groups: memory, processes and processor share of a whole agent. It creates and removes folders below the
//! arena's own group and knows no commands. Version 2 is used if it has been delegated to the arena, version 1 if the
//! arena may create groups there, and both if the system divides the controllers.
//!
//! Groups are created below the arena's own group, so that the limits of the arena also limit its agents. Agents cannot see the
//! tree: a process that can write there can raise its own limits.

mod group;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};

pub use group::Group;
use tree::{Hierarchy, Version};

use super::limits::PROCESSES;

/// bubblewrap's own processes, which count as the agent's.
const OF_BUBBLEWRAP: u64 = 2;

/// The prefix of group names; the number of the arena's process and of the group follow.
const PREFIX: &str = "maumau-";

/// How to get what is missing.
const HOW: &str = "Start the arena in a control group of its own: systemd-run --scope -p Delegate=yes maumau …, and with --user \
                   after systemd-run where you are not root; in a container give it a writable /sys/fs/cgroup";

static MADE: AtomicU64 = AtomicU64::new(0);

/// Where groups of agents are created.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Groups {
    hierarchies: Vec<Hierarchy>,
    memory_mib: u64,
}

impl Groups {
    /// Looks for the controllers, and removes the groups of arenas that were killed.
    ///
    /// # Errors
    /// What is missing and how to get it.
    pub(super) fn found(memory_mib: u64) -> Result<Groups> {
        let hierarchies = tree::hierarchies().map_err(with_how)?;
        let groups = Groups { hierarchies, memory_mib };
        groups.hierarchies.iter().for_each(|hierarchy| clear_away(&hierarchy.base));
        Ok(groups)
    }

    /// A new group with its limits set.
    ///
    /// # Errors
    /// It cannot be created, or a limit cannot be set.
    pub(super) fn make(&self) -> Result<Group> {
        let name = format!("{PREFIX}{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let memory = self.hierarchies.iter().find(|hierarchy| hierarchy.has("memory"));
        let memory = memory.context("no hierarchy counts memory")?.base.join(&name);
        let mut group = Group { folders: Vec::new(), memory, memory_mib: self.memory_mib };
        for hierarchy in &self.hierarchies {
            let folder = hierarchy.base.join(&name);
            std::fs::create_dir(&folder)
                .with_context(|| format!("the control group {} cannot be made", folder.display()))
                .map_err(with_how)?;
            group.folders.push(folder.clone());
            self.bound(hierarchy, &folder).map_err(with_how)?;
        }
        Ok(group)
    }

    /// Sets the limits of this hierarchy. The processor is shared by default: each group counts as one process.
    fn bound(&self, hierarchy: &Hierarchy, folder: &Path) -> Result<()> {
        let set = |name: &str, value: &str| {
            let file = folder.join(name);
            std::fs::write(&file, value).with_context(|| format!("{} cannot be set to {value}", file.display()))
        };
        let bytes = (self.memory_mib << 20).to_string();
        if hierarchy.has("memory") {
            match hierarchy.version {
                Version::One => {
                    set("memory.limit_in_bytes", &bytes)?;
                    if folder.join("memory.memsw.limit_in_bytes").exists() {
                        set("memory.memsw.limit_in_bytes", &bytes)?;
                    }
                }
                Version::Two => {
                    set("memory.max", &bytes)?;
                    set("memory.oom.group", "1")?;
                    if folder.join("memory.swap.max").exists() {
                        set("memory.swap.max", "0")?;
                    }
                }
            }
        }
        if hierarchy.has("pids") {
            set("pids.max", &(PROCESSES + OF_BUBBLEWRAP).to_string())?;
        }
        Ok(())
    }
}

/// What went wrong, and how to get what is missing.
fn with_how(error: anyhow::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}. {HOW}")
}

/// Removes the groups of arenas that are no longer running.
fn clear_away(base: &Path) {
    let Ok(entries) = std::fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let arena = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse::<u32>().ok());
        if arena.is_some_and(|arena| !PathBuf::from(format!("/proc/{arena}")).exists()) {
            drop(Group { folders: vec![entry.path()], memory: entry.path(), memory_mib: 0 });
        }
    }
}
