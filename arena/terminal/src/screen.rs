//! The terminal itself: taken over for a screen, given back as it was; its keys and its size. It is the only place that reads
//! and writes a terminal.
//!
//! A screen is on `/dev/tty` and not on the standard streams, which belong to the protocol when an agent has one. The arena
//! starts agents in process groups of their own, so that one has to come to the foreground before it may read keys.

use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui_crossterm::crossterm::{cursor, execute, terminal};

use crate::key::Key;

/// The file of the terminal that controls this process.
const TERMINAL: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

/// Why there is no screen.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// No terminal controls this process.
    #[error("there is no terminal: {TERMINAL} cannot be opened ({0})")]
    NoTerminal(#[source] io::Error),
    /// The terminal refuses.
    #[error("the terminal cannot be used: {0}")]
    Refused(#[from] io::Error),
}

/// What came from the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenInput {
    /// A key.
    Key(Key),
    /// It has another size now.
    Resized,
}

/// A terminal that has been taken over. Dropping it gives the terminal back.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<File>>,
    file: File,
    #[cfg(unix)]
    foreground: Option<foreground::Foreground>,
}

/// Whether this process can have a screen at all.
pub fn exists() -> bool {
    File::options().read(true).write(true).open(TERMINAL).is_ok()
}

impl Screen {
    /// Takes over the terminal. Nothing may have been started that reads keys; with `to_foreground` the process group of this
    /// process becomes the one that may.
    ///
    /// # Errors
    /// There is none, or it refuses.
    pub fn open(to_foreground: bool) -> Result<Screen, ScreenError> {
        let file = File::options().read(true).write(true).open(TERMINAL).map_err(ScreenError::NoTerminal)?;
        #[cfg(unix)]
        let foreground = to_foreground.then(|| foreground::Foreground::take(&file)).transpose()?;
        #[cfg(not(unix))]
        let _ = to_foreground;
        terminal::enable_raw_mode()?;
        let terminal = Terminal::new(CrosstermBackend::new(file.try_clone()?))?;
        let mut screen = Screen {
            terminal,
            file,
            #[cfg(unix)]
            foreground,
        };
        // Where the cursor is cannot be asked: the answer would come between keys, the question go to stdout.
        let clear = terminal::Clear(terminal::ClearType::All);
        execute!(screen.file, terminal::EnterAlternateScreen, clear, cursor::Hide)?;
        Ok(screen)
    }

    /// Draws a new picture; what has not changed is not written again.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer, Rect)) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let area = frame.area();
            draw(frame.buffer_mut(), area);
        })?;
        Ok(())
    }

    /// Waits at most `patience` for something from the terminal; `None` if nothing comes.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn wait(&self, patience: Duration) -> io::Result<Option<ScreenInput>> {
        Ok(if event::poll(patience)? { input(event::read()?) } else { None })
    }

    /// Starts a thread that hands everything that comes to `hand_on`, until that returns `false` or the terminal is gone, which
    /// is handed on as `None`.
    pub fn read_apart(&self, mut hand_on: impl FnMut(Option<ScreenInput>) -> bool + Send + 'static) {
        std::thread::spawn(move || {
            while let Ok(event) = event::read() {
                if input(event).is_some_and(|input| !hand_on(Some(input))) {
                    return;
                }
            }
            hand_on(None);
        });
    }

    /// Gives the terminal back and leaves `text` on it.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn close(self, text: &str) -> io::Result<()> {
        let mut file = self.file.try_clone()?;
        drop(self);
        file.write_all(text.as_bytes())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = execute!(self.file, terminal::LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
        #[cfg(unix)]
        if let Some(foreground) = &self.foreground {
            foreground.give_back(&self.file);
        }
    }
}

fn input(event: Event) -> Option<ScreenInput> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => self::key(key).map(ScreenInput::Key),
        Event::Resize(..) => Some(ScreenInput::Resized),
        _ => None,
    }
}

fn key(key: KeyEvent) -> Option<Key> {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if ctrl => Key::Interrupt,
        KeyCode::Char(_) if ctrl || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    })
}

/// The state of a terminal, kept while others use it: a process that is killed does not give it back.
pub struct TerminalState {
    #[cfg(unix)]
    file: File,
    #[cfg(unix)]
    mode: nix::sys::termios::Termios,
}

#[cfg(unix)]
impl TerminalState {
    /// Keeps the state of the terminal; `None` if there is none.
    pub fn new() -> Option<TerminalState> {
        let file = File::options().read(true).write(true).open(TERMINAL).ok()?;
        let mode = nix::sys::termios::tcgetattr(&file).ok()?;
        Some(TerminalState { file, mode })
    }

    /// Gives the terminal the state that it had, if nobody else has.
    pub fn restore(mut self) {
        use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
        // A terminal that is gone needs nothing back.
        let _ = foreground::Foreground::take(&self.file);
        if tcgetattr(&self.file).is_ok_and(|mode| mode != self.mode) {
            let _ = execute!(self.file, terminal::LeaveAlternateScreen, cursor::Show);
            let _ = tcsetattr(&self.file, SetArg::TCSANOW, &self.mode);
        }
    }
}

#[cfg(not(unix))]
impl TerminalState {
    /// There is nothing to keep on this system.
    pub fn new() -> Option<TerminalState> {
        None
    }

    /// Does nothing.
    pub fn restore(self) {}
}

#[cfg(unix)]
mod foreground {
    //! Which process group may read keys. It knows no screen.

    use std::fs::File;
    use std::io;

    use nix::sys::signal::{SigSet, Signal};
    use nix::unistd::{Pid, getpgrp, tcgetpgrp, tcsetpgrp};

    /// The foreground, taken from the process group that had it.
    pub(super) struct Foreground(Pid);

    impl Foreground {
        /// Puts this process's group into the foreground. A group in the background would be stopped by that, unless the signals
        /// are blocked: here, and in threads that are started later.
        pub(super) fn take(terminal: &File) -> io::Result<Foreground> {
            let signals: SigSet = [Signal::SIGTTOU, Signal::SIGTTIN].into_iter().collect();
            signals.thread_block()?;
            let before = tcgetpgrp(terminal)?;
            tcsetpgrp(terminal, getpgrp())?;
            Ok(Foreground(before))
        }

        /// Puts the group back that was there before, unless it has ended.
        pub(super) fn give_back(&self, terminal: &File) {
            let _ = tcsetpgrp(terminal, self.0);
        }
    }
}
