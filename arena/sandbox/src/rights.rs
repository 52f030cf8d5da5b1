//! Privileges that the launcher gives up: capabilities, gaining new ones by running other programs, leaving its own
//! session. Each function changes the process that calls it, for good; their order is decided in `launcher`.

use std::os::fd::RawFd;

use anyhow::{Context, Result, bail, ensure};
use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid};

/// How many file numbers are closed one by one if the kernel cannot close them all at once.
const MOST_FILES: i32 = 65_536;

/// Its own user namespace: there the user's limits count for this agent alone, and other agents of the same user can neither be
/// looked into nor traced.
///
/// # Errors
/// The kernel has none, or refuses them to this user.
pub(super) fn enter_user_namespace() -> Result<()> {
    let (uid, gid) = (Uid::effective(), Gid::effective());
    // A process that has changed its user does not own its files in /proc until it makes itself dumpable.
    nix::sys::prctl::set_dumpable(true).context("PR_SET_DUMPABLE")?;
    unshare(CloneFlags::CLONE_NEWUSER).context("a user namespace")?;
    for (file, text) in
        [("setgroups", "deny".to_owned()), ("uid_map", format!("{uid} {uid} 1")), ("gid_map", format!("{gid} {gid} 1"))]
    {
        std::fs::write(format!("/proc/self/{file}"), text).with_context(|| format!("/proc/self/{file}"))?;
    }
    Ok(())
}

/// Its own network, which is empty: the connections of this machine cannot be read in `/proc/self/net`.
///
/// # Errors
/// This process may not create one: it needs its own user namespace, or to be root.
pub(super) fn enter_empty_network() -> Result<()> {
    unshare(CloneFlags::CLONE_NEWNET).context("a network namespace")
}

/// Gives up every capability, for this process and all its descendants.
pub(super) fn drop_capabilities() -> Result<()> {
    if Uid::effective().is_root() {
        // After the last capability that this kernel knows the answer is EINVAL.
        for capability in 0..64 {
            match prctl(libc::PR_CAPBSET_DROP, capability) {
                Ok(()) => {}
                Err(Errno::EINVAL) => break,
                Err(error) => bail!("the capability {capability} cannot be given up: {error}"),
            }
        }
    }
    #[repr(C)]
    struct Head {
        version: u32,
        pid: i32,
    }
    // _LINUX_CAPABILITY_VERSION_3: two sets of three words, all empty.
    let (head, none) = (Head { version: 0x2008_0522, pid: 0 }, [0_u32; 6]);
    // SAFETY: both point to data of the layout that this version has, and outlive the call.
    let answer = unsafe { libc::syscall(libc::SYS_capset, &raw const head, none.as_ptr()) };
    Errno::result(answer).context("the capabilities cannot be given up")?;
    Ok(())
}

/// No program run from here on gains privileges.
pub(super) fn no_new_privileges() -> Result<()> {
    nix::sys::prctl::set_no_new_privs().context("PR_SET_NO_NEW_PRIVS")
}

/// Dies when the thread that started it does, `parent` being its process. Must come after every change of the user.
pub(super) fn die_with(parent: u32) -> Result<()> {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).context("PR_SET_PDEATHSIG")?;
    ensure!(nix::unistd::getppid().as_raw() == parent as i32, "the arena has ended");
    Ok(())
}

/// Orphans among this process's descendants are reparented to it, and not to the arena, so they count as this agent's.
pub(super) fn keep_orphans() -> Result<()> {
    nix::sys::prctl::set_child_subreaper(true).context("PR_SET_CHILD_SUBREAPER")
}

/// If the machine runs out of memory, this process and its descendants are killed before others.
pub(super) fn be_ended_first() {
    // If /proc cannot be written to, the kernel chooses, which takes the largest.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

/// Closes every file but 0, 1, 2 and `kept`.
pub(super) fn close_all_but(kept: &[RawFd]) -> Result<()> {
    let mut kept = kept.to_vec();
    kept.sort_unstable();
    let mut from = 3;
    for number in kept {
        close_from(from, number - 1)?;
        from = number + 1;
    }
    close_from(from, i32::MAX)
}

/// Closes the files `first` to `last`.
fn close_from(first: RawFd, last: RawFd) -> Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: nothing in this process uses these files after this.
    let answer = unsafe { libc::syscall(libc::SYS_close_range, first as u32, last as u32, 0_u32) };
    match Errno::result(answer) {
        Ok(_) => Ok(()),
        Err(Errno::ENOSYS) => {
            for fd in first..=last.min(MOST_FILES) {
                // SAFETY: as above. Most of them are not open, and that error has no meaning.
                unsafe { libc::close(fd) };
            }
            Ok(())
        }
        Err(error) => Err(error).context("close_range"),
    }
}

fn prctl(option: i32, value: u64) -> nix::Result<()> {
    // SAFETY: these options take one number and no pointer.
    Errno::result(unsafe { libc::prctl(option, value, 0, 0, 0) }).map(drop)
}
