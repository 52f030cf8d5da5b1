//! The separation of an agent on Unix: its own process group, and on Linux a tie to the arena's life. Changes only the
//! command to be started; what the agent may do beyond that is set by its level.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// The environment variables that are passed to an agent if they are set; all others are removed.
pub(crate) const ENVIRONMENT: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

/// Makes it the leader of its own process group, which Ctrl-C does not reach, and ends it with the arena.
pub(crate) fn set_apart(command: &mut Command) {
    command.process_group(0);
    die_with_the_arena(command);
}

/// The agent is killed however the arena ends, since it may ignore the end of its stdin. The kernel ties this to the thread
/// that starts the agent, which is that of its loop and lives as long as its agents. Orphans among the agent's processes are
/// reparented to the agent, not to the arena, and are counted as its own.
#[cfg(target_os = "linux")]
fn die_with_the_arena(command: &mut Command) {
    let ask = || {
        nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
        Ok(nix::sys::prctl::set_child_subreaper(true)?)
    };
    // SAFETY: between fork and exec there are only two calls of prctl(2), which neither allocate nor lock.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(ask);
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_the_arena(_: &mut Command) {}
