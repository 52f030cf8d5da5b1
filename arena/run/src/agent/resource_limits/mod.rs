//! The machine's room for agents: open files, processes, memory. When it is used up no agent is to blame. Knows errors
//! of the system, not who caused them. It changes limits, priorities and threads of this process.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io;
use std::thread::{JoinHandle, Scope, ScopedJoinHandle};

use crate::io::untrusted::Untrusted;
use crate::log;
use anyhow::{Context, Result, bail};

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// Raises this process's limit of open files to what its user may have; an agent needs four.
pub fn allow_many_files() {
    if let Err(error) = system::allow_many_files() {
        // On failure there may be less room; that is reported when it is used up.
        log::open_files_not_raised(Untrusted::new(&error.to_string()));
    }
}

/// Starts `work` on its own thread, in the caller's log span.
///
/// # Errors
/// The machine has no room for it.
pub fn start_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let span = log::here();
    std::thread::Builder::new()
        .spawn_scoped(scope, move || span.in_scope(work))
        .context("this machine has no room for another thread: end other programs, or raise its limits (ulimit -u)")
}

/// Starts `work` on its own thread called `name`, which nothing here waits for, in the caller's log span.
///
/// # Errors
/// The machine has no room for it.
pub fn start<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    let span = log::here();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || span.in_scope(work))
        .context("this machine has no room for another thread: end other programs, or raise its limits (ulimit -u)")
}

/// Lowers the priority of this thread. On systems other than Linux it does nothing: a thread has the priority of its process.
pub fn lower_priority() {
    if let Err(error) = system::lower_priority() {
        log::priority_not_lowered(Untrusted::new(&error.to_string()));
    }
}

/// True if `error` says that there is no room left, which may change as soon as something ends.
pub fn is_used_up(error: &anyhow::Error) -> bool {
    let codes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    codes.into_iter().any(|code| system::USED_UP.contains(&code))
}

/// How many files this process may have open at once, if that is limited.
pub fn open_files() -> Option<u64> {
    system::open_files()
}

/// Files that this program needs for itself and one game of two agents, at the least.
const SOME_FILES: u64 = 16;

/// # Errors
/// This process may open too few files for any game.
pub fn ensure_some_files() -> Result<()> {
    enough(open_files())
}

fn enough(most: Option<u64>) -> Result<()> {
    match most {
        Some(most) if most < SOME_FILES => {
            bail!("this program may have {most} files open at once, too few for any game: raise the limit (ulimit -n)")
        }
        _ => Ok(()),
    }
}

/// Why no file can be opened, if that is so now: libraries that open files do not always say it.
pub fn why_no_file_opens() -> Option<String> {
    let error = std::fs::File::open(system::ALWAYS_THERE).err()?;
    no_file_left(&error, open_files())
}

/// What `error` says if it says that no file is left to be opened, of which this process may have `most`.
fn no_file_left(error: &io::Error, most: Option<u64>) -> Option<String> {
    let code = error.raw_os_error()?;
    if system::OWN_FILES_USED_UP == Some(code) {
        let most = most.map_or_else(|| "all".to_owned(), |most| format!("all {most}"));
        return Some(format!(
            "{most} files that this program may have open are in use: play fewer games at once, or raise the limit (ulimit -n)"
        ));
    }
    (system::FILES_USED_UP == Some(code)).then(|| {
        "all files that this machine can have open are in use: end other programs, or play fewer games at once"
            .to_owned()
    })
}

#[cfg(all(test, unix))]
mod tests {
    use nix::errno::Errno;

    use super::*;

    #[test]
    fn a_lack_of_room_is_no_missing_program() {
        let failed =
            |code: Errno| Err::<(), _>(io::Error::from(code)).context("it cannot be started").expect_err("an error");
        assert!(is_used_up(&failed(Errno::EMFILE)));
        assert!(is_used_up(&failed(Errno::EAGAIN)));
        assert!(!is_used_up(&failed(Errno::ENOENT)));
        assert!(!is_used_up(&failed(Errno::EACCES)));
        assert!(!is_used_up(&anyhow::anyhow!("the command is empty")));
    }

    #[test]
    fn a_lack_of_files_is_named_with_its_limit_and_nothing_else_is_taken_for_it() {
        let text = |code: Errno| no_file_left(&io::Error::from(code), Some(1_024));
        assert!(
            text(Errno::EMFILE).is_some_and(|text| text.starts_with("all 1024 files") && text.contains("ulimit -n"))
        );
        assert!(text(Errno::ENFILE).is_some_and(|text| text.contains("this machine")));
        for other in [Errno::ENOENT, Errno::EACCES, Errno::ENOSPC, Errno::EAGAIN, Errno::ENOMEM] {
            assert_eq!(text(other), None, "{other}");
        }
        assert_eq!(why_no_file_opens(), None);
        assert!(enough(Some(8)).is_err_and(|error| error.to_string().contains("have 8 files open")));
        assert!([None, Some(20)].into_iter().all(|most| enough(most).is_ok()));
        assert!(open_files().is_some());
    }
}
