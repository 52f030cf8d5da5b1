//! The real binary, run in a folder of its own and with a mark by which everything that it starts can be found.
#![allow(dead_code, reason = "each test of this folder uses its part")]

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Run {
    /// `None` where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The most memory that the arena's own process held.
    pub(crate) peak_kib: u64,
}

/// A command that is running.
pub(crate) struct Running {
    child: Child,
    peak_kib: u64,
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

    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        let child = Command::new(env!("CARGO_BIN_EXE_maumau"))
            .args(arguments)
            .env("TMPDIR", self.folder())
            .env_remove("MAUMAU_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena can be started");
        Running { child, peak_kib: 0 }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.start(arguments).wait()
    }

    /// `maumau play`, its record in `game.jsonl`.
    pub(crate) fn play(&self, arguments: &[&str]) -> Run {
        let record = self.path("game.jsonl");
        self.run(&[&["play", "--record", &record], arguments].concat())
    }

    /// Processes that carry the mark, as number and name.
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

    /// Two seconds after the end of the arena none of its processes may be there.
    pub(crate) fn assert_nothing_left(&self, what: &str) {
        let patience = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(patience.elapsed() < Duration::from_secs(2), "{what}: still running: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Running {
    /// Waits for the end, at most a minute.
    pub(crate) fn wait(mut self) -> Run {
        let read = |stream: Option<Box<dyn Read + Send>>| {
            let mut stream = stream.expect("a pipe");
            std::thread::spawn(move || {
                let mut text = String::new();
                stream.read_to_string(&mut text).map(|_| text).expect("text")
            })
        };
        let stdout = read(self.child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
        let stderr = read(self.child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
        let patience = Instant::now();
        let status = loop {
            self.look_at_memory();
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if patience.elapsed() > Duration::from_secs(60) {
                self.child.kill().expect("a running child");
                panic!("the arena does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |reader: std::thread::JoinHandle<String>| reader.join().expect("a reader");
        Run { code: status.code(), stdout: text(stdout), stderr: text(stderr), peak_kib: self.peak_kib }
    }

    fn look_at_memory(&mut self) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        self.peak_kib = self.peak_kib.max(peak.unwrap_or(0));
    }
}
