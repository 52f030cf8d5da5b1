//! Denies the agent files through Landlock, if this kernel has it. It is not the only barrier: before version 9
//! Landlock does not cover sockets in the file tree and datagrams, which the system call filter refuses instead. It
//! restricts the process that calls it, for good; `reach` says which files stay open.

use std::path::PathBuf;

use anyhow::{Context, Result};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

/// The newest version whose rights are requested; an older kernel provides what it has.
const VERSION: ABI = ABI::V6;

/// Denies everything except `reads`, the names in `lists`, `writes`, this program's own file and this process's own part of
/// `/proc`; also denies the network, abstract sockets, and signals to others. With `network` the agent can connect, but not
/// listen. `false` if the kernel has no Landlock.
///
/// # Errors
/// The kernel has it, but refused.
pub(super) fn close_but(reads: &[PathBuf], lists: &[PathBuf], writes: &[PathBuf], network: bool) -> Result<bool> {
    let read = AccessFs::from_read(VERSION);
    let own = PathFd::new("/proc/self/exe").context("this program's own file")?;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(if network { AccessNet::BindTcp.into() } else { AccessNet::from_all(VERSION) })?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rule(PathBeneath::new(own, AccessFs::Execute | AccessFs::ReadFile))?
        .add_rules(path_beneath_rules(reads, read))?
        .add_rules(path_beneath_rules(["/proc/self"], read))?
        .add_rules(path_beneath_rules(lists, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(writes, AccessFs::from_all(VERSION)))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}

/// The version of Landlock that this kernel has; 0 = none.
pub(super) fn kernel_version() -> i32 {
    const ASK_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the kernel reads nothing; null and 0 are what it asks for.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, ASK_VERSION)
    };
    version.max(0) as i32
}
