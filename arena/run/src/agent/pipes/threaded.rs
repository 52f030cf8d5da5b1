//! Pipes that threads block on: for systems on which a pipe cannot be both non-blocking and polled together with
//! others. Knows threads, no system. It starts a thread for each pipe, which ends with the pipe.
//!
//! That the reader is gone is only noticed when something is written.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::Notify;

/// The maximum number of buffered bytes in either direction, as in a pipe of the usual size.
const ROOM: usize = 64 * 1024;

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().spawn(work).map(drop)
}

/// The writing side of an agent's stdin. Bytes written before it is dropped are still passed on.
#[derive(Debug)]
pub struct AgentStdin(Arc<Outgoing>);

#[derive(Debug, Default)]
struct Outgoing {
    state: Mutex<Written>,
    /// There is something to pass on, or the input was dropped.
    more: Condvar,
    /// There is room, or the reader is gone.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Written {
    bytes: Vec<u8>,
    is_dropped: bool,
    is_closed: bool,
}

impl AgentStdin {
    /// For a process that was just started.
    ///
    /// # Errors
    /// The system has no room for a thread.
    pub fn new(stdin: ChildStdin) -> io::Result<AgentStdin> {
        #[cfg(unix)]
        let pipe = stdin.into_owned_fd()?;
        #[cfg(windows)]
        let pipe = stdin.into_owned_handle()?;
        AgentStdin::of(std::fs::File::from(pipe))
    }

    /// Passes bytes on to `sink`.
    ///
    /// # Errors
    /// The system has no room for a thread.
    pub fn of(sink: impl Write + Send + 'static) -> io::Result<AgentStdin> {
        let outgoing = Arc::<Outgoing>::default();
        let passed_on = Arc::clone(&outgoing);
        start(move || passed_on.pass_on(sink))?;
        Ok(AgentStdin(outgoing))
    }

    /// True if the agent has read all that was written, which is not known here.
    pub fn is_read(&self) -> Option<bool> {
        None
    }

    /// True if `link` is the kernel's name of this pipe, which is not known here.
    pub fn is_called(&self, _: &std::path::Path) -> bool {
        false
    }

    /// Writes as much of `bytes` as there is room for.
    ///
    /// # Errors
    /// `WouldBlock` if there is none; any other error means that the reader is gone.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = lock(&self.0.state);
        let count = bytes.len().min(ROOM.saturating_sub(state.bytes.len()));
        if state.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if count == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.bytes.extend_from_slice(&bytes[..count]);
        self.0.more.notify_one();
        Ok(count)
    }

    /// Waits until there is room, or the reader is gone.
    ///
    /// # Errors
    /// Never fails.
    pub async fn writable(&self) -> io::Result<()> {
        self.0.until(|state| state.is_closed || state.bytes.len() < ROOM).await;
        Ok(())
    }

    /// Waits until the reader is gone.
    pub async fn closed(&self) {
        self.0.until(|state| state.is_closed).await;
    }
}

impl Drop for AgentStdin {
    fn drop(&mut self) {
        lock(&self.0.state).is_dropped = true;
        self.0.more.notify_one();
    }
}

impl Outgoing {
    async fn until(&self, is_so: impl Fn(&Written) -> bool) {
        while !is_so(&lock(&self.state)) {
            self.changed.notified().await;
        }
    }

    fn pass_on(&self, mut sink: impl Write) {
        loop {
            let waiting = |state: &mut Written| state.bytes.is_empty() && !state.is_dropped;
            let mut state = self.more.wait_while(lock(&self.state), waiting).unwrap_or_else(PoisonError::into_inner);
            let bytes = std::mem::take(&mut state.bytes);
            drop(state);
            if bytes.is_empty() {
                return;
            }
            let is_closed = sink.write_all(&bytes).is_err();
            lock(&self.state).is_closed = is_closed;
            self.changed.notify_one();
            if is_closed {
                return;
            }
        }
    }
}

/// The reading side of an agent's stdout.
#[derive(Clone, Debug)]
pub struct AgentStdout(Arc<Incoming>);

#[derive(Debug, Default)]
struct Incoming {
    state: Mutex<Come>,
    /// There is room.
    room: Condvar,
}

#[derive(Debug, Default)]
struct Come {
    bytes: VecDeque<u8>,
    /// Its end, if it has ended.
    end: Option<Result<(), ErrorKind>>,
    /// Notified when something comes.
    bell: Option<Arc<Bell>>,
}

impl AgentStdout {
    /// For a process that was just started.
    ///
    /// # Errors
    /// The system has no room for a thread.
    pub fn new(stdout: ChildStdout) -> io::Result<AgentStdout> {
        #[cfg(unix)]
        let pipe = stdout.into_owned_fd()?;
        #[cfg(windows)]
        let pipe = stdout.into_owned_handle()?;
        AgentStdout::of(std::fs::File::from(pipe))
    }

    /// Reads from `source` to its end.
    ///
    /// # Errors
    /// The system has no room for a thread.
    pub fn of(source: impl Read + Send + 'static) -> io::Result<AgentStdout> {
        let incoming = Arc::<Incoming>::default();
        let filled = Arc::clone(&incoming);
        start(move || filled.fill(source))?;
        Ok(AgentStdout(incoming))
    }

    /// Reads what has come; 0 bytes at the end.
    ///
    /// # Errors
    /// `WouldBlock` if nothing has come yet.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = lock(&self.0.state);
        match state.end {
            _ if !state.bytes.is_empty() => {}
            None => return Err(ErrorKind::WouldBlock.into()),
            Some(Ok(())) => return Ok(0),
            Some(Err(kind)) => return Err(kind.into()),
        }
        let count = state.bytes.read(buffer)?;
        self.0.room.notify_one();
        Ok(count)
    }

    /// True if [`AgentStdout::read`] would not block.
    pub(in crate::agent) fn is_readable(&self) -> bool {
        let state = lock(&self.0.state);
        !state.bytes.is_empty() || state.end.is_some()
    }

    /// Rings `bell` whenever something comes; something may have come before.
    pub(in crate::agent) fn ring(&self, bell: Option<Arc<Bell>>) {
        lock(&self.0.state).bell = bell;
    }

    /// True if this and `other` are the same.
    pub(in crate::agent) fn is(&self, other: &AgentStdout) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Incoming {
    fn fill(&self, mut source: impl Read) {
        let mut buffer = vec![0; ROOM];
        loop {
            let read = source.read(&mut buffer);
            let mut state = lock(&self.state);
            match read {
                Ok(0) => state.end = Some(Ok(())),
                Ok(count) => state.bytes.extend(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => state.end = Some(Err(error.kind())),
            }
            if let Some(bell) = &state.bell {
                bell.ring();
            }
            if state.end.is_some() {
                return;
            }
            drop(self.room.wait_while(state, |state| state.bytes.len() >= ROOM));
        }
    }
}

/// The reading side of an agent's stderr.
#[derive(Debug)]
pub(crate) struct StderrPipe(tokio::sync::Mutex<ChildStderr>);

impl StderrPipe {
    /// For a process that was just started.
    ///
    /// # Errors
    /// None here.
    pub(crate) fn new(stderr: ChildStderr) -> io::Result<StderrPipe> {
        Ok(StderrPipe(tokio::sync::Mutex::new(stderr)))
    }

    /// Waits until something has come, and reads it; 0 bytes at the end.
    ///
    /// # Errors
    /// The pipe cannot be read.
    pub(crate) async fn next(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().await.read(buffer).await
    }

    /// Reads nothing: what has come is known only to [`StderrPipe::next`].
    ///
    /// # Errors
    /// Always `WouldBlock`.
    pub(crate) fn read(&self, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::WouldBlock.into())
    }
}

/// Wakes a loop because something has come, whether it waits as a task or as a thread.
#[derive(Debug, Default)]
pub(in crate::agent) struct Bell {
    has_rung: Mutex<bool>,
    thread: Condvar,
    task: Notify,
}

impl Bell {
    fn ring(&self) {
        *lock(&self.has_rung) = true;
        self.thread.notify_one();
        self.task.notify_one();
    }

    /// Forgets the rings so far.
    pub(in crate::agent) fn reset(&self) {
        *lock(&self.has_rung) = false;
    }

    /// Blocks the thread until it rings, at most until `end`; returns whether it has rung.
    pub(in crate::agent) fn hold_until(&self, end: Instant) -> bool {
        let patience = end.saturating_duration_since(Instant::now());
        let waited = self.thread.wait_timeout_while(lock(&self.has_rung), patience, |has_rung| !*has_rung);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until it rings; returns at once if it has rung since the last wait.
    pub(in crate::agent) async fn rung(&self) {
        self.task.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::on_a_loop;

    #[test]
    fn what_was_written_arrives_though_the_input_is_dropped() {
        let (mut output, sink) = std::io::pipe().expect("a pipe");
        let input = AgentStdin::of(sink).expect("a thread");
        assert_eq!(input.try_write(b"bye\n").expect("room"), 4);
        drop(input);
        let mut all = Vec::new();
        output.read_to_end(&mut all).expect("an end");
        assert_eq!(all, b"bye\n");
    }

    #[test]
    fn a_reader_that_does_not_read_leaves_no_room_until_it_does() {
        on_a_loop(async {
            let (output, sink) = std::io::pipe().expect("a pipe");
            let input = AgentStdin::of(sink).expect("a thread");
            let bytes = vec![b'x'; ROOM];
            let mut sent = 0;
            // The bytes that the thread has taken, those in the pipe, and those in the buffer.
            while sent <= 3 * ROOM {
                match input.try_write(&bytes) {
                    Ok(count) => sent += count,
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::WouldBlock);
                        break;
                    }
                }
            }
            assert!(sent <= 3 * ROOM, "{sent}");
            std::thread::spawn(move || std::io::copy(&mut { output }, &mut std::io::sink()));
            input.writable().await.expect("room");
            assert!(input.try_write(b"x").is_ok());
        });
    }

    #[test]
    fn a_reader_that_is_gone_is_noticed_by_what_is_written() {
        on_a_loop(async {
            let (output, sink) = std::io::pipe().expect("a pipe");
            let input = AgentStdin::of(sink).expect("a thread");
            drop(output);
            assert_eq!(input.try_write(b"hello\n").expect("room"), 6);
            input.closed().await;
            assert_eq!(input.try_write(b"x").expect_err("nobody").kind(), ErrorKind::BrokenPipe);
        });
    }

    #[test]
    fn an_output_is_read_to_its_end_however_long_it_is() {
        let (source, mut sink) = std::io::pipe().expect("a pipe");
        let output = AgentStdout::of(source).expect("a thread");
        let bell = Arc::<Bell>::default();
        output.ring(Some(Arc::clone(&bell)));
        std::thread::spawn(move || sink.write_all(&vec![b'x'; 10 * ROOM]));
        let (mut buffer, mut total) = (vec![0; 1_000], 0);
        loop {
            match output.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => total += count,
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    bell.hold_until(Instant::now() + std::time::Duration::from_secs(10));
                    bell.reset();
                }
            }
        }
        assert_eq!(total, 10 * ROOM);
    }
}
