//! The real binary, run in its own folder and with a mark by which everything that it starts can be found. It starts
//! and ends processes and judges nothing.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// A seat that does nothing wrong.
pub(crate) const HONEST: &str = "maumau agent first";

/// The command of a bot of tests/torture/bots.
pub(crate) fn bad_bot(family: &str, kind: &str) -> String {
    format!("python3 {}/../tests/torture/bots/{family}.py {kind}", env!("CARGO_MANIFEST_DIR"))
}

/// The binary and a folder. Agents inherit `TMPDIR`, so the folder's name in a process's environment marks it as ours.
pub(crate) struct Arena {
    folder: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Run {
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Arena {
    pub(crate) fn new() -> Arena {
        Arena { folder: TempDir::with_prefix("maumau-e2e-").expect("a folder") }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        self.folder().join(name).display().to_string()
    }

    /// Runs a command to its end, for at most three minutes: a disk that is slow to write must not look like a command that hangs.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let child = Command::new(env!("CARGO_BIN_EXE_maumau"))
            .args(arguments)
            .env("TMPDIR", self.folder())
            .env("LC_ALL", "C.UTF-8")
            .env_remove("MAUMAU_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena can be started");
        let pid = Pid::from_raw(child.id() as i32);
        let (sender, ended) = mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = ended.recv_timeout(Duration::from_secs(180)) else {
            kill(pid, Signal::SIGKILL).expect("it is there, since nobody has waited for it");
            panic!("the arena does not end: {arguments:?}");
        };
        let Output { status, stdout, stderr } = output.expect("a child");
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        Run { code: status.code(), stdout, stderr }
    }

    /// A command with all that it wrote, for a snapshot: without the paths of this machine.
    pub(crate) fn shown(&self, arguments: &[&str], run: &Run) -> String {
        let quoted: Vec<_> = arguments.iter().map(|word| shlex::try_quote(word).expect("no NUL")).collect();
        let code = run.code.expect("it was not killed");
        let text = format!("$ maumau {}\n{}{}exit code {code}\n", quoted.join(" "), run.stdout, run.stderr);
        let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");
        let text = text.replace(&*self.folder().to_string_lossy(), "FOLDER").replace(tests, "TESTS");
        let version = concat!("\"arena\":\"", env!("CARGO_PKG_VERSION"), "\"");
        text.replace(env!("CARGO_BIN_EXE_maumau"), "maumau").replace(version, "\"arena\":\"VERSION\"")
    }

    /// Runs a command; as [`Arena::shown`].
    pub(crate) fn run_shown(&self, arguments: &[&str]) -> String {
        self.shown(arguments, &self.run(arguments))
    }

    /// `maumau play`, its record in `game.jsonl`.
    pub(crate) fn play(&self, arguments: &[&str]) -> Run {
        let record = self.path("game.jsonl");
        self.run(&[&["play", "--record", &record], arguments].concat())
    }

    /// Processes that carry the mark, by number and name.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("TMPDIR={}", self.folder().display()).into_bytes();
        let entries = std::fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
        let ours = entries.filter(|path| {
            let environment = std::fs::read(path.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark)
        });
        ours.map(|path| {
            format!("{}: {}", path.display(), std::fs::read_to_string(path.join("comm")).unwrap_or_default().trim())
        })
        .collect()
    }
}
