//! The real binary in a pseudo terminal: keys go in, the screen comes out as a person would see it. It knows no game.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::AsFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{Winsize, openpty};

/// A program in a terminal of its own.
pub(crate) struct PseudoTerminal {
    master: File,
    child: Child,
    screen: vt100::Parser,
    began: Instant,
    /// How long it may run.
    patience: Duration,
}

impl PseudoTerminal {
    /// Starts the binary in a terminal of 80 columns and 24 rows; what it writes to stdout can be read from a pipe with
    /// `apart`.
    pub(crate) fn start(arguments: &[&str], variables: &[(&str, &str)], apart: bool) -> PseudoTerminal {
        let (rows, columns) = (24, 80);
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).expect("a pseudo terminal");
        let cells = |count: u16| NonZero::new(count).expect("more than none");
        let terminal = || Stdio::from(pty.slave.try_clone().expect("a descriptor"));
        // setsid makes its stdin the terminal that controls the program.
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_maumau")])
            .args(arguments)
            .env_remove("NO_COLOR")
            .env_remove("LC_ALL")
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm-256color")
            .envs(variables.iter().copied())
            .stdin(terminal())
            .stderr(terminal())
            .stdout(if apart { Stdio::piped() } else { terminal() })
            .spawn()
            .expect("setsid of util-linux");
        PseudoTerminal {
            master: pty.master.into(),
            child,
            screen: vt100::Parser::new(cells(rows), cells(columns), 0),
            began: Instant::now(),
            patience: Duration::from_secs(180),
        }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// The screen as text.
    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// True if the program has the whole screen and gives it back when it ends.
    pub(crate) fn is_taken_over(&self) -> bool {
        self.screen.screen().alternate_screen()
    }

    /// Reads what comes within `patience`; `false` if nothing came.
    pub(crate) fn read(&mut self, patience: Duration) -> bool {
        let wait = PollTimeout::try_from(patience).expect("a short time");
        let mut polled = [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)];
        if poll(&mut polled, wait).expect("a descriptor") == 0 {
            return false;
        }
        let mut bytes = [0; 65_536];
        // Once nobody has the terminal open any more, reading it fails.
        match self.master.read(&mut bytes) {
            Ok(count @ 1..) => self.screen.process(&bytes[..count]),
            Ok(0) | Err(_) => return false,
        }
        true
    }

    /// Reads until nothing has come for a moment.
    pub(crate) fn settle(&mut self) {
        while self.read(Duration::from_millis(40)) {
            self.check_patience();
        }
    }

    /// Reads until the screen shows `text`.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while !self.text().contains(text) {
            self.check_patience();
            assert!(self.exited().is_none(), "it ended without {text:?}:\n{}", self.text());
            self.read(Duration::from_millis(100));
        }
    }

    /// How it ended, if it has.
    pub(crate) fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child")
    }

    /// Waits for its end; what it has written to stdout, if that was kept apart.
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        let status = loop {
            if let Some(status) = self.exited() {
                break status;
            }
            self.check_patience();
            self.read(Duration::from_millis(50));
        };
        while self.read(Duration::from_millis(10)) {}
        let mut written = String::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout.read_to_string(&mut written).expect("text");
        }
        (status, written)
    }

    fn check_patience(&mut self) {
        assert!(self.began.elapsed() < self.patience, "it takes too long; the screen:\n{}", self.text());
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // It has ended already, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
