//! The Linux reaper: kills every direct child of the arena that the arena did not start. Knows the process tree,
//! nothing of pipes and lines. It waits for children that have ended and kills nothing but orphans.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::Started;
use crate::agent::ProcessTree;

/// The time limit of one sweep.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long to wait for killed processes.
const PAUSE: Duration = Duration::from_millis(2);
/// How often new orphans are looked for without a pause: in a chain of processes that each fork and exit, every one is gone
/// sooner than a pause ends.
const MOST_LOOKS: u32 = 100;
/// The minimum time between two sweeps caused by the end of a child.
const AT_MOST_EVERY: Duration = Duration::from_millis(100);

/// The direct children of the arena that are not orphans.
struct Children {
    /// By number, each with its start time, since numbers are reused.
    agents: BTreeMap<i32, u64>,
    starts: u64,
    /// Those that existed before the first agent: the program that started the arena may have left it some.
    before: Option<BTreeSet<i32>>,
}

static CHILDREN: Mutex<Children> = Mutex::new(Children { agents: BTreeMap::new(), starts: 0, before: None });

fn children() -> MutexGuard<'static, Children> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child; no sweep runs meanwhile.
pub(in crate::agent) fn start<T>(spawn: impl FnOnce() -> Result<(T, i32)>) -> Result<(T, Started)> {
    let mut children = children();
    if children.before.is_none() {
        children.before = Some(below_us(&ProcessTree::now()));
        become_their_parent();
    }
    let (child, pid) = spawn()?;
    children.starts += 1;
    let started = Started { pid, number: children.starts };
    children.agents.insert(pid, started.number);
    Ok((child, started))
}

pub(in crate::agent) fn forget(child: Started) {
    let mut children = children();
    if children.agents.get(&child.pid) == Some(&child.number) {
        children.agents.remove(&child.pid);
    }
}

/// Kills every orphan, until there are none.
pub async fn sweep() {
    let began = Instant::now();
    while kill_all() > 0 && began.elapsed() < PATIENCE {
        tokio::time::sleep(PAUSE).await;
    }
}

/// Sweeps whenever a child of the arena ends.
///
/// # Errors
/// Signals cannot be listened to.
pub fn watch() -> Result<()> {
    let mut ended = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child())?;
    hear_of_ends_only()?;
    tokio::task::spawn_local(async move {
        while ended.recv().await.is_some() {
            sweep().await;
            tokio::time::sleep(AT_MOST_EVERY).await;
        }
    });
    Ok(())
}

/// Asks not to be notified when a child is stopped or continues.
fn hear_of_ends_only() -> Result<()> {
    // SAFETY: reads the action of this signal and sets it again with one flag more; its handler stays the same.
    unsafe {
        let mut action: nix::libc::sigaction = std::mem::zeroed();
        nix::errno::Errno::result(nix::libc::sigaction(nix::libc::SIGCHLD, std::ptr::null(), &raw mut action))?;
        action.sa_flags |= nix::libc::SA_NOCLDSTOP;
        nix::errno::Errno::result(nix::libc::sigaction(nix::libc::SIGCHLD, &raw const action, std::ptr::null_mut()))?;
    }
    Ok(())
}

/// Kills the present orphans until there are no new ones, waits for those that have ended, and returns the number of those that
/// have not.
fn kill_all() -> usize {
    let children = children();
    let Some(before) = &children.before else { return 0 };
    let mut killed = BTreeSet::new();
    let mut left = 0;
    for _ in 0..MOST_LOOKS {
        let family = ProcessTree::now();
        let known = killed.len();
        left = 0;
        for orphan in below_us(&family) {
            if children.agents.contains_key(&orphan) || before.contains(&orphan) {
                continue;
            }
            for pid in family.tree(orphan) {
                if killed.insert(pid) {
                    // It may have ended since it was seen; then there is nothing to kill.
                    let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
                }
            }
            // An error means that it no longer exists, or is not ours: there is nothing to wait for.
            let end = waitpid(Pid::from_raw(orphan), Some(WaitPidFlag::WNOHANG));
            left += usize::from(end == Ok(WaitStatus::StillAlive));
        }
        if killed.len() == known {
            break;
        }
    }
    left
}

fn below_us(family: &ProcessTree) -> BTreeSet<i32> {
    family.children(nix::unistd::getpid().as_raw()).into_iter().collect()
}

fn become_their_parent() {
    if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
        crate::log::orphans_not_found(crate::io::untrusted::Untrusted::new(&error.to_string()));
    }
}
