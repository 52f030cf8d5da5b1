//! What sets an agent apart on Unix: a process group of its own, and on Linux a tie to the arena's life.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// The environment variables that an agent is given, if they are set; everything else is taken away.
pub(crate) const ENVIRONMENT: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

/// Makes it the leader of a process group of its own, which Ctrl-C does not reach, and ends it with the arena.
pub(crate) fn set_apart(command: &mut Command) {
    command.process_group(0);
    die_with_the_arena(command);
}

/// However the arena ends, the agent is killed: it may be deaf to the end of its stdin. The kernel ties this to the thread
/// that starts the agent, which is that of its loop and lives as long as its agents. What loses its parent among the agent's
/// processes falls to the agent, not to the arena, and is counted as its own.
#[cfg(target_os = "linux")]
fn die_with_the_arena(command: &mut Command) {
    let ask = || {
        nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
        Ok(nix::sys::prctl::set_child_subreaper(true)?)
    };
    // SAFETY: between fork and exec nothing is done but two calls of prctl(2), which neither allocate nor lock.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(ask);
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_the_arena(_: &mut Command) {}
