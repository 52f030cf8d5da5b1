//! What agents leave behind: children that left their group, daemons that left their parents.
//!
//! On Linux the arena makes itself the one to whom processes fall whose parent has ended, so whatever an agent starts
//! stays below it. A process directly below the arena that it did not start itself is such an orphan; it is killed with
//! everything below it as soon as it is noticed: when an agent is ended, and when any child ends. A process that begets
//! faster than it can be found may live a little longer, but not beyond the patience of the last sweep; where that is not
//! enough, a sandbox with processes of its own is. On other systems only an agent's group is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// How long one sweep may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long to wait for what was killed.
const PAUSE: Duration = Duration::from_millis(2);
/// The least time between two sweeps that the end of a child asks for.
const AT_MOST_EVERY: Duration = Duration::from_millis(100);

/// The direct children of the arena that are no orphans.
struct Children {
    /// By number; with which start it was, since a number may be used again.
    agents: BTreeMap<i32, u64>,
    starts: u64,
    /// Those that were there before the first agent: whoever started the arena may have left it some.
    before: Option<BTreeSet<i32>>,
}

static CHILDREN: Mutex<Children> = Mutex::new(Children { agents: BTreeMap::new(), starts: 0, before: None });

/// A child that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) pid: Pid,
    number: u64,
}

fn children() -> MutexGuard<'static, Children> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child by `spawn`, which gives it with its number. No sweep takes place meanwhile. Whatever the arena starts in
/// any other way while agents run is taken for an orphan.
///
/// # Errors
/// Those of `spawn`.
pub(super) fn start<T>(spawn: impl FnOnce() -> Result<(T, Pid)>) -> Result<(T, Started)> {
    let mut children = children();
    if children.before.is_none() {
        children.before = Some(below_us(&processes()));
        become_their_parent();
    }
    let (child, pid) = spawn()?;
    children.starts += 1;
    let started = Started { pid, number: children.starts };
    children.agents.insert(pid.as_raw(), started.number);
    Ok((child, started))
}

/// The child has ended and has been waited for.
pub(super) fn forget(child: Started) {
    let mut children = children();
    if children.agents.get(&child.pid.as_raw()) == Some(&child.number) {
        children.agents.remove(&child.pid.as_raw());
    }
}

/// Kills every orphan, until there are none.
pub(crate) async fn sweep() {
    let began = Instant::now();
    while kill_all() > 0 && began.elapsed() < PATIENCE {
        tokio::time::sleep(PAUSE).await;
    }
}

/// Sweeps whenever a child of the arena ends.
///
/// # Errors
/// Signals cannot be listened to.
pub(crate) fn watch() -> Result<()> {
    let mut ended = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child())?;
    tokio::task::spawn_local(async move {
        while ended.recv().await.is_some() {
            sweep().await;
            tokio::time::sleep(AT_MOST_EVERY).await;
        }
    });
    Ok(())
}

/// Kills the orphans that there are, waits for those that have ended, and gives the number of those that have not.
fn kill_all() -> usize {
    let children = children();
    let Some(before) = &children.before else { return 0 };
    let processes = processes();
    let orphans = below_us(&processes);
    let orphans = orphans.iter().filter(|pid| !children.agents.contains_key(pid) && !before.contains(pid));
    orphans
        .map(|pid| {
            let pid = Pid::from_raw(*pid);
            for below in tree(&processes, pid.as_raw()) {
                // It may have ended since it was seen; then there is nothing to kill.
                let _ = kill(Pid::from_raw(below), Signal::SIGKILL);
            }
            // An error means that it is not there any more, or not ours: nothing is left to be waited for.
            !matches!(waitpid(pid, Some(WaitPidFlag::WNOHANG)), Ok(nix::sys::wait::WaitStatus::StillAlive))
        })
        .filter(|ended| !ended)
        .count()
}

/// `pid` and everything below it.
fn tree(processes: &BTreeMap<i32, i32>, pid: i32) -> Vec<i32> {
    let mut found = vec![pid];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(processes.iter().filter(|(_, above)| **above == parent).map(|(below, _)| *below));
        next += 1;
    }
    found
}

fn below_us(processes: &BTreeMap<i32, i32>) -> BTreeSet<i32> {
    let us = nix::unistd::getpid().as_raw();
    processes.iter().filter(|(_, parent)| **parent == us).map(|(pid, _)| *pid).collect()
}

#[cfg(target_os = "linux")]
fn become_their_parent() {
    if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
        tracing::warn!(%error, "what agents leave behind in sessions of their own cannot be found");
    }
}

#[cfg(not(target_os = "linux"))]
fn become_their_parent() {}

/// All processes with their parents; none where `/proc` is not there.
fn processes() -> BTreeMap<i32, i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return BTreeMap::new() };
    let process = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // `PID (name) state parent …`, and the name may hold anything.
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        Some((pid, parent))
    };
    entries.flatten().filter_map(process).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_found_whatever_the_order_of_the_numbers() {
        let processes = BTreeMap::from([(1, 0), (5, 1), (9, 5), (3, 9), (4, 3), (7, 1)]);
        let mut found = tree(&processes, 5);
        found.sort_unstable();
        assert_eq!(found, [3, 4, 5, 9]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_among_the_processes() {
        let us = nix::unistd::getpid().as_raw();
        assert_eq!(processes().get(&us), Some(&nix::unistd::getppid().as_raw()));
    }
}
