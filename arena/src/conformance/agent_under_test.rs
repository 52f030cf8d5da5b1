//! The agent under test: its process, and its lines one at a time. It moves lines and waits; what a step asks of them
//! is decided in `steps` and `play`.

use std::collections::{BTreeSet, VecDeque};
use std::io::ErrorKind;
use std::time::Duration;

use anyhow::Result;
use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{AgentMessage, ArenaMessage, Bye, ClockMode, GameId, Hello, Limits, Ready};
use maumau_protocol::wire::read_agent_line;
use maumau_referee::faults::Misconduct;
use maumau_referee::write_message;

use super::report::ConformanceProblem;
use maumau_referee::record::Silence;
use maumau_referee::story::diagnosis::{self, Afterwards, CpuUse, why_not_ready};
use maumau_run::agent::{AgentCommand, Clues, LineEvent, LineReader, Poller, Process, ProcessLook, hint, last_words};

/// Most answers have come by then; the processor time of an agent that takes longer is measured.
const MEASURED_AFTER: Duration = Duration::from_millis(50);
/// How long an agent has to end once it is asked to (SPEC 2.6).
const TO_END: Duration = Duration::from_millis(500);
/// How many finished games are remembered: as many as the arena remembers.
const REMEMBERED_GAMES: usize = 64;

/// Something that came from the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line without its newline.
    Line(Vec<u8>),
    /// A line over the limit.
    TooLong,
    /// The end of its output, with what is known about it.
    End(String),
}

/// An answer that did not come.
pub(super) struct Silent {
    /// How long it was waited for.
    patience: Duration,
    /// The processor time meanwhile, if known.
    used: Option<CpuUse>,
    /// What the agent did at the end of it, if known.
    seen: Option<Silence>,
}

/// A running agent.
pub(crate) struct AgentUnderTest {
    process: Process,
    /// Its output, to wait on.
    poller: Poller,
    lines: LineReader,
    heard: VecDeque<Heard>,
    /// Asks of any game whose deadline has passed: answers to them mean nothing.
    pub(super) late: BTreeSet<u64>,
    /// The most recently finished games: a line for one of them means nothing (SPEC 6.7).
    over: VecDeque<GameId>,
    /// The line with which it was ready.
    pub(super) ready_line: Vec<u8>,
    /// Unknown members of its lines that have been reported.
    pub(super) unknown: BTreeSet<String>,
    /// True if bytes are sent in pieces.
    pub(super) in_pieces: bool,
}

impl AgentUnderTest {
    /// Starts it.
    pub(crate) fn start(command: &AgentCommand) -> Result<AgentUnderTest, ConformanceProblem> {
        let process = Process::start(command).map_err(|error| {
            let what = format!("{error:#}");
            let hint = hint(&Clues { refused: Some(&what), ..Clues::of(command) }).map(Into::into);
            ConformanceProblem { hint, ..ConformanceProblem::new(what) }
        })?;
        let poller = Poller::new().and_then(|poller| poller.add(process.stdout(), 0).map(|()| poller));
        let poller = poller.map_err(|error| ConformanceProblem::new(format!("its output cannot be read: {error}")))?;
        Ok(AgentUnderTest {
            process,
            poller,
            lines: LineReader::default(),
            heard: VecDeque::new(),
            late: BTreeSet::new(),
            over: VecDeque::new(),
            ready_line: Vec::new(),
            unknown: BTreeSet::new(),
            in_pieces: false,
        })
    }

    /// Says hello and waits for `ready`.
    pub(crate) async fn greet(&mut self, hello: &[u8], patience: Duration) -> Result<Ready, ConformanceProblem> {
        self.send(hello).await;
        loop {
            let line = match self.hear(patience).await {
                None => {
                    let what = format!("no \"ready\" within {} ms of its start", patience.as_millis());
                    let used = self.process.usage().map(|usage| usage.since_start().cpu_use());
                    let seen = self.process.silence(self.lines.unfinished());
                    let afterwards = self.dismissed().await;
                    return Err(ConformanceProblem::new(what + &why_not_ready(patience, used, seen, Some(afterwards))));
                }
                Some(Heard::TooLong) => return Err(ConformanceProblem::new("the first line is over 65536 bytes")),
                Some(Heard::End(how)) => return Err(ConformanceProblem::new(format!("{how} before it was ready"))),
                Some(Heard::Line(line)) => line,
            };
            return match read_agent_line(&line) {
                None => continue,
                Some(Ok(AgentMessage::Ready(ready))) => {
                    self.ready_line = line;
                    Ok(ready)
                }
                Some(Ok(_)) => Err(ConformanceProblem::new("the first line is not \"ready\"").with_line(&line)),
                Some(Err(error)) => {
                    let Misconduct { fault, message } = error.into();
                    let what = format!("the first line is not \"ready\": {}: {message}", fault.name());
                    Err(ConformanceProblem::new(what).with_line(&line))
                }
            };
        }
    }

    /// Sends bytes, all at once or in pieces.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        if !self.in_pieces {
            self.process.send(bytes);
            return;
        }
        for piece in bytes.chunks(bytes.len().div_ceil(3).max(1)) {
            self.process.send(piece);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// What a silence was, once it is of no consequence: asks the agent to end, to see what it does then.
    pub(super) async fn explain(&mut self, Silent { patience, used, seen }: Silent) -> String {
        let afterwards = self.dismissed().await;
        diagnosis::silence(patience, used, seen, Some(afterwards))
    }

    /// Asks it to end, and returns how it took that.
    async fn dismissed(&mut self) -> Afterwards {
        let reason = "its time is over".to_owned();
        self.send(&line_of(&ArenaMessage::Bye(Bye { reason }))).await;
        if self.answers_now().await {
            return Afterwards::AnsweredAtBye;
        }
        self.process.outbox.close();
        match (self.answers_now().await, self.process.exit()) {
            (true, _) => Afterwards::AnsweredAtEnd,
            (false, Some(_)) => Afterwards::Ended,
            (false, None) => Afterwards::Stayed,
        }
    }

    /// True if an answer comes within the time that an agent has to end.
    async fn answers_now(&mut self) -> bool {
        let Some(Heard::Line(line)) = self.hear(TO_END).await else { return false };
        matches!(read_agent_line(&line), Some(Ok(AgentMessage::Ready(_) | AgentMessage::Act(_))))
    }

    /// What comes next; if nothing comes within `patience`, what was seen of it.
    pub(super) async fn hear_or_measure(&mut self, patience: Duration) -> Result<Heard, Silent> {
        let at_once = patience.min(MEASURED_AFTER);
        if let Some(heard) = self.hear(at_once).await {
            return Ok(heard);
        }
        let before = self.process.usage();
        match self.hear(patience - at_once).await {
            Some(heard) => Ok(heard),
            None => {
                let used = before.zip(self.process.usage()).map(|(before, now)| now.since(&before).cpu_use());
                Err(Silent { patience, used, seen: self.process.silence(self.lines.unfinished()) })
            }
        }
    }

    /// These games are over.
    pub(super) fn forget(&mut self, games: impl Iterator<Item = GameId>) {
        self.over.extend(games);
        self.over.drain(..self.over.len().saturating_sub(REMEMBERED_GAMES));
    }

    /// True if `game` was over shortly before.
    pub(super) fn remembers(&self, game: &GameId) -> bool {
        self.over.contains(game)
    }

    /// What comes next; `None` if nothing comes within `patience`.
    pub(crate) async fn hear(&mut self, patience: Duration) -> Option<Heard> {
        let (mut buffer, mut numbers) = (vec![0; 64 * 1024], Vec::new());
        let end = tokio::time::Instant::now() + patience;
        loop {
            if let Some(heard) = self.heard.pop_front() {
                return Some(heard);
            }
            let broken = |error| Some(Heard::End(format!("its output cannot be read: {error}")));
            match tokio::time::timeout_at(end, self.poller.listen()).await {
                Err(_) => return None,
                Ok(Err(error)) => return broken(error),
                Ok(Ok(mut attention)) => {
                    if let Err(error) = self.poller.heard(&mut attention, 0, &mut numbers) {
                        return broken(error);
                    }
                }
            }
            match self.process.read(&mut buffer) {
                Ok(0) => {
                    let exit = self.process.wait(Duration::from_millis(200)).await;
                    let how =
                        exit.map_or("it closed its output".to_owned(), |exit| format!("it ended with {}", exit.0));
                    return Some(Heard::End(how));
                }
                Ok(count) => self.lines.feed(&buffer[..count], |event| {
                    self.heard.push_back(match event {
                        LineEvent::Line(line) => match self.process.without_secrets(line).into_owned() {
                            // In a game, too, a line that is so long without its secrets is one that is too long.
                            line if line.len() >= MAX_LINE_BYTES => Heard::TooLong,
                            line => Heard::Line(line),
                        },
                        LineEvent::TooLong | LineEvent::Endless => Heard::TooLong,
                    });
                }),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(error) => return broken(error),
            }
        }
    }

    /// The beginning of a line of it, in printable form.
    pub(crate) fn quoted(&self, line: &[u8]) -> String {
        self.process.quoted(line)
    }

    /// Closes its stdin, after `bye` if there is one to send, and waits for its end.
    pub(crate) async fn part(&mut self, bye: bool, patience: Duration) -> Option<String> {
        if bye {
            let reason = "the check is over".to_owned();
            self.send(&line_of(&ArenaMessage::Bye(Bye { reason }))).await;
        }
        self.process.outbox.close();
        self.process.wait(patience).await.map(|exit| exit.0)
    }

    /// Waits for its end.
    pub(crate) async fn ends_within(&self, patience: Duration) -> Option<String> {
        self.process.wait(patience).await.map(|exit| exit.0)
    }

    /// What it has written to stderr since this was last called, if anything.
    pub(crate) fn take_stderr(&self) -> Option<String> {
        self.process.take_stderr()
    }

    /// What the system says of it.
    pub(crate) fn look(&self) -> Option<ProcessLook> {
        self.process.look()
    }

    /// Ends it after this problem, and returns the problem with what its author can do, and the end of its stderr.
    pub(super) async fn end_after(self, problem: ConformanceProblem) -> (ConformanceProblem, String) {
        // Whether it has ended by itself is known now, and what it wrote as it ended soon.
        let exit = self.process.exit();
        self.process.stop(Duration::ZERO).await;
        let stderr = self.process.stderr();
        // Nothing that it wrote there explains a wrong line.
        let is_line = problem.line.is_some() && !problem.failed;
        let hint = self.process.hint_after(exit.as_ref(), if is_line { "" } else { &stderr }).map(Into::into);
        (ConformanceProblem { hint, ..problem }, last_words(&stderr))
    }

    /// Ends it, whatever it does, and returns what [`AgentUnderTest::take_stderr`] has not returned yet.
    pub(crate) async fn end_and_take(self) -> Option<String> {
        self.process.stop(Duration::ZERO).await;
        self.process.take_stderr()
    }

    /// Ends it, whatever it does, and returns the end of its stderr.
    pub(crate) async fn end(self) -> String {
        self.process.stop(Duration::ZERO).await;
        last_words(&self.process.stderr())
    }
}

/// The `hello` of this arena, with the protocol version `protocol`.
pub(crate) fn hello(protocol: &str) -> Vec<u8> {
    line_of(&ArenaMessage::Hello(Hello {
        protocol: protocol.to_owned(),
        arena: env!("CARGO_PKG_VERSION").to_owned(),
        limits: Limits::default(),
        clock: ClockMode::Lockstep,
    }))
}

fn line_of(message: &ArenaMessage) -> Vec<u8> {
    let mut line = Vec::new();
    write_message(&mut line, message);
    line
}
