//! What an agent is seen to do while an answer is waited for: by what it has sent of a line, by what it has left unread,
//! and by the system call that it is in. It only looks; what that means is said in `story::diagnosis` of the referee.

use std::path::Path;

use maumau_referee::record::Silence;
use serde::de::IgnoredAny;

use super::Outbox;

/// What is seen of the agent with these processes, whose line has begun with `unfinished`.
pub(super) fn seen(unfinished: &[u8], outbox: &Outbox, processes: &[i32]) -> Option<Silence> {
    if !unfinished.is_empty() {
        let is_whole =
            unfinished.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(unfinished).is_ok();
        return Some(if is_whole { Silence::NoNewline } else { Silence::PartOfLine });
    }
    match outbox.is_read()? {
        false => Some(Silence::Unread),
        true if processes.iter().any(|process| reads(*process, outbox)) => Some(Silence::Reads),
        true => Some(Silence::HasRead),
    }
}

/// True if a thread of the process waits in a read of the pipe of `outbox`.
fn reads(process: i32, outbox: &Outbox) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads.flatten().filter_map(|thread| read_file(&thread.path())).any(|number| {
        std::fs::read_link(format!("/proc/{process}/fd/{number}")).is_ok_and(|link| outbox.is_called(&link))
    })
}

/// The number of the file that a thread waits to read, if that is what it does.
#[cfg(target_os = "linux")]
fn read_file(thread: &Path) -> Option<u64> {
    let call = std::fs::read_to_string(thread.join("syscall")).ok()?;
    file_of_read(&call)
}

/// Only Linux shows it.
#[cfg(not(target_os = "linux"))]
fn read_file(_: &Path) -> Option<u64> {
    None
}

/// The file of a line of the kernel (`number argument argument …`), if the call is a read.
#[cfg(target_os = "linux")]
fn file_of_read(call: &str) -> Option<u64> {
    let mut words = call.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let file = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    [nix::libc::SYS_read, nix::libc::SYS_readv].contains(&number).then_some(file)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_known_among_other_calls() {
        use nix::libc::{SYS_read, SYS_readv, SYS_write};
        let read = |number, file| file_of_read(&format!("{number} {file} 0x5614b21feca0 0x2000 0x7fe1\n"));
        assert_eq!(read(SYS_read, "0x0"), Some(0));
        assert_eq!(read(SYS_readv, "0x1f"), Some(31));
        assert_eq!(read(SYS_write, "0x0"), None);
        for other in ["running\n", "", "-1 0x7ffd 0x7fe1\n"] {
            assert_eq!(file_of_read(other), None, "{other}");
        }
    }
}
