//! Explains an agent's last words when the sandbox is the likely cause, and says how to allow what it needs. It reads
//! only the given text; whether the agent was lost, and why, is decided elsewhere.

use std::path::Path;

use maumau_protocol::SandboxLevel;

use crate::io::untrusted::Untrusted;

/// Signs in what a program writes on stderr, or in how it ended, and what they mean in a sandbox.
struct Row {
    /// Below this level the sandbox is not the cause.
    from: SandboxLevel,
    signs: &'static [&'static str],
    means: &'static str,
}

const NETWORK: &str = "it cannot connect: --sandbox-network (network = true at its [[agent]] in a league file) lets it; sockets of \
                       this machine, such as a debugger's, stay closed";
const READ: &str = "it reads only its own folder, and of a home folder or /tmp only the files that its command names: keep it in a \
                    folder of its own, or permit more with --sandbox-read PATH (read = [\"PATH\"]). To write it has /var/tmp from \
                    strict on, and nothing at basic";
const MODULE: &str = "it reads only its own folder, and of a home folder or /tmp only the files that its command names, and to find \
                      what it imports it must read the whole folder: keep it in a folder of its own, or permit the folder of what it \
                      imports with --sandbox-read FOLDER (read = [\"FOLDER\"]); a permit for the file alone is not enough";
const VARIABLE: &str = "of your environment it has only PATH, HOME, LANG and their like: --sandbox-env NAME (secrets = [\"NAME\"]) \
                        hands a variable on";

/// The first row with a sign in the text counts, so specific rows come before general ones.
#[rustfmt::skip]
const ROWS: [Row; 9] = [
    Row { from: SandboxLevel::Basic, signs: &["KeyError: '", "environment variable", "API_KEY", "api_key"], means: VARIABLE },
    Row { from: SandboxLevel::Basic, signs: &["name resolution", "Name or service not known", "getaddrinfo", "ENOTFOUND", "EAI_AGAIN", "UnknownHost",
                   "Could not resolve", "resolve host", "ENETUNREACH", "Network is unreachable", "urlopen error", "ConnectionError",
                   "SocketException", "socket.py", "socket: operation not permitted", "dial tcp", "connect EPERM", "listen EPERM"],
          means: NETWORK },
    Row { from: SandboxLevel::Basic, signs: &["ModuleNotFoundError", "ImportError", "Cannot find module", "ERR_MODULE_NOT_FOUND", "cannot load such file",
                   "ClassNotFoundException", "NoClassDefFoundError", "Could not find or load main class", "Failed opening required",
                   "no file './", "error while loading shared libraries", "Could not load file or assembly"],
          means: MODULE },
    Row { from: SandboxLevel::Basic, signs: &["MemoryError", "bad_alloc", "Cannot allocate memory", "OutOfMemoryError", "heap out of memory",
                   "Could not reserve enough space", "out of memory"],
          means: "its memory is limited: --sandbox-memory MIB ([sandbox] memory_mib) gives it more" },
    Row { from: SandboxLevel::Basic, signs: &["can't start new thread", "Resource temporarily unavailable", "EAGAIN", "unable to create native thread",
                   "pthread_create"],
          means: "it may have 64 processes and threads at once: have its libraries start fewer (OMP_NUM_THREADS and their like, with \
                  --sandbox-env NAME=VALUE)" },
    Row { from: SandboxLevel::Basic, signs: &["Exec format error", "exit status: 126"],
          means: "it is no program: a script needs a first line that names its interpreter, such as #!/bin/sh" },
    Row { from: SandboxLevel::Basic, signs: &["Permission denied", "EACCES", "AccessDenied", "Read-only file system", "EROFS"], means: READ },
    // Up to basic a file that cannot be read still exists.
    Row { from: SandboxLevel::Strict, signs: &["No such file or directory", "ENOENT", "FileNotFound"], means: READ },
    Row { from: SandboxLevel::Basic, signs: &["Operation not permitted", "EPERM"],
          means: "a system call was refused; arena/docs/sandbox.md says which ones are" },
];

/// A sentence about an agent that runs the file `script`, wrote `stderr` and ended like this at this level, if the sandbox is
/// the likely reason.
pub fn hint(level: SandboxLevel, stderr: &str, exit: Option<&str>, script: Option<&Path>) -> Option<String> {
    let is_missing = |path: &Path| path.try_exists().is_ok_and(|exists| !exists);
    if level == SandboxLevel::None || script.is_some_and(is_missing) {
        return None;
    }
    let has = |sign: &&str| stderr.contains(*sign) || exit.is_some_and(|exit| exit.contains(*sign));
    let row = ROWS.iter().find(|row| row.signs.iter().any(has))?;
    let folder = script.and_then(Path::parent).filter(|folder| folder.file_name().is_some());
    let means = match folder {
        Some(folder) if row.means == MODULE => row.means.replace("FOLDER", &Untrusted::path(folder).terminal()),
        _ => row.means.to_owned(),
    };
    (level >= row.from).then(|| format!("perhaps the sandbox ({level}): {means}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_point_at_what_allows_it() {
        let ended = Some("exit status: 1");
        for (stderr, exit, expected) in [
            ("Traceback\nModuleNotFoundError: No module named 'maumau_kit'", ended, "--sandbox-read"),
            ("Error: Cannot find module '/tmp/kit.js'", ended, "--sandbox-read"),
            ("lua5.4: first.lua:1: module 'kit' not found:\n\tno file './kit.lua'", ended, "--sandbox-read"),
            ("PermissionError: [Errno 13] Permission denied: 'log.txt'", ended, "To write"),
            ("OSError: [Errno 30] Read-only file system: '/x'", ended, "To write"),
            (
                "File \"/usr/lib/python3.11/socket.py\", line 232\nPermissionError: [Errno 1]",
                ended,
                "--sandbox-network",
            ),
            ("Error: getaddrinfo EAI_AGAIN api.example.org", ended, "--sandbox-network"),
            ("java.net.UnknownHostException: api.example.org", ended, "--sandbox-network"),
            ("dial tcp: lookup api.example.org", ended, "--sandbox-network"),
            ("Error: listen EPERM: operation not permitted 127.0.0.1:9229", ended, "a debugger's"),
            ("KeyError: 'API_KEY'", ended, "--sandbox-env"),
            ("RuntimeError: can't start new thread", ended, "64 processes"),
            ("java.lang.OutOfMemoryError: Java heap space", ended, "--sandbox-memory"),
            ("maumau: bot cannot be started: Exec format error", Some("exit status: 126"), "first line"),
            ("x: Operation not permitted", ended, "a system call"),
            ("IndexError: list index out of range", ended, ""),
            ("FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'", ended, ""),
            ("", Some("signal: 11 (SIGSEGV)"), ""),
        ] {
            let told = hint(SandboxLevel::Basic, stderr, exit, None);
            assert_eq!(told.is_some(), !expected.is_empty(), "{stderr}");
            assert!(told.unwrap_or_default().contains(expected), "{stderr}");
            assert_eq!(hint(SandboxLevel::None, stderr, exit, None), None, "{stderr}");
        }
    }
    #[test]
    fn a_script_that_is_not_there_is_no_matter_of_the_sandbox() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let stderr = "ImportError: No such file or directory";
        let told = |level, file| hint(level, stderr, None, Some(&folder.join(file)));
        assert_eq!(told(SandboxLevel::Strict, "nowhere.py"), None);
        let read = told(SandboxLevel::Basic, "Cargo.toml").expect("a module that may not be read");
        assert!(read.contains(&format!("--sandbox-read {}", folder.display())), "{read}");
        let file = |level| hint(level, "No such file or directory", None, None);
        assert_eq!((file(SandboxLevel::Basic), file(SandboxLevel::Strict).is_some()), (None, true));
    }
}
