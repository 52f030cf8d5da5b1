//! One running agent: its pipes, its stderr, its end. Knows lines only as bytes, nothing of games. It starts and ends
//! the processes of one agent; whether it deserves that is decided by its callers.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::process::Stdio;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use maumau_referee::record::Silence;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::cpu_time::ran_ns;
use super::freezer::{Freeze, Freezer};
use super::hint::{Clues, hint};
use super::pipes::{AgentStdin, AgentStdout, StderrPipe};
use super::process_group::{EndedBy, ProcessGroup, ended_by};
use super::reaper::{self, Started};
use super::transcript::Transcript;
use super::{AgentCommand, Grant, Outbox, ProcessLook, ProcessTree, StderrTail, Usage, silence};
use crate::io::untrusted::Untrusted;
use crate::log::{self, Instrument, Span};
use maumau_sandbox::{Group, PreparedAgent, Sandbox};

/// How often removing a control group is tried, and the pause between tries: killed processes take a moment to go.
const GROUP_REMOVALS: u32 = 1_000;
const GROUP_PAUSE: Duration = Duration::from_millis(1);
/// How long a stopped agent and what it left in the system is waited for.
const REMOVAL: Duration = Duration::from_secs(2);
/// How many bytes of a faulty line are quoted.
pub const QUOTED_BYTES: usize = 400;

/// The most that a pipe holds, by pieces of what is read at once.
const STDERR_READS: u32 = 16;
const STDERR_PIECE: usize = 4 * 1024;

/// How an agent's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit(pub String, pub(super) EndedBy);

/// What is kept of an agent for its fault report; all of it is safe to show on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The last lines both ways.
    pub lines: String,
    /// The kept part of its stderr.
    pub stderr: String,
    /// Who ended it and how, if it has ended.
    pub exit: Option<String>,
    /// What its author can do, by its last words and its end.
    pub hint: Option<String>,
}

/// A started agent. Dropping it kills its process group.
#[derive(Debug)]
pub struct Process {
    processes: ProcessGroup,
    /// Lines to the agent.
    pub outbox: Rc<Outbox>,
    /// Bytes from the agent; reading them never waits.
    stdout: AgentStdout,
    stderr_pipe: Rc<StderrPipe>,
    stderr: Rc<RefCell<StderrTail>>,
    /// Holds the secrets that must not be shown.
    grant: Arc<Grant>,
    transcript: RefCell<Transcript>,
    exit: watch::Receiver<Option<Exit>>,
    /// True once nothing is left of it in the system, which takes some milliseconds after its end.
    cleared: watch::Receiver<bool>,
    /// True if the arena has killed it.
    killed: Rc<Cell<bool>>,
    command: AgentCommand,
    group: Option<Rc<Group>>,
    /// True if the process that was started is the agent's guard and not the agent.
    has_guard: bool,
    /// Its processes when last looked up.
    known: RefCell<Vec<i32>>,
    freezer: Freezer,
    /// Its place in the log.
    span: Span,
}

impl Process {
    /// Starts `command`; must be called inside a local task set.
    ///
    /// # Errors
    /// The program does not exist or cannot be run, or the machine has no room for it.
    pub fn start(command: &AgentCommand) -> Result<Process> {
        let failed = || format!("{command} cannot be started");
        let PreparedAgent { process, has_guard, group } = command.to_start().with_context(failed)?;
        let group = group.map(Rc::new);
        let mut starter = Command::from(process);
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let ((mut child, processes), started) = reaper::start(|| {
            let child = starter.spawn().with_context(failed)?;
            let processes = ProcessGroup::of(&child)?;
            let pid = processes.leader();
            Ok(((child, processes), pid))
        })?;
        let stdin = AgentStdin::new(child.stdin.take().context("no stdin")?)?;
        let stdout = AgentStdout::new(child.stdout.take().context("no stdout")?)?;
        let stderr = Rc::new(StderrPipe::new(child.stderr.take().context("no stderr")?)?);
        let stderr_tail = Rc::new(RefCell::new(StderrTail::default()));
        tokio::task::spawn_local(keep_stderr(Rc::clone(&stderr), Rc::clone(&stderr_tail)));
        let (report, exit) = watch::channel(None);
        let (report_cleared, cleared) = watch::channel(false);
        let sandbox = command.sandbox();
        log::agent_started(started.pid as u64, Untrusted::new(command.program()), sandbox.level().to_string());
        let span = log::here();
        let killed = Rc::<Cell<bool>>::default();
        let leaves = Leaves { processes: processes.clone(), group: group.clone(), killed: Rc::clone(&killed) };
        let sandbox = Arc::clone(sandbox);
        let reaped = async move {
            report.send_replace(Some(reap(child, started, &leaves, &sandbox).await));
            if let Some(group) = &leaves.group {
                remove(group).await;
            }
            report_cleared.send_replace(true);
        };
        tokio::task::spawn_local(reaped.instrument(span.clone()));
        Ok(Process {
            processes,
            outbox: Outbox::new(stdin),
            stdout,
            stderr_pipe: stderr,
            stderr: stderr_tail,
            grant: Arc::clone(command.grant()),
            transcript: RefCell::new(Transcript::new()),
            exit,
            cleared,
            killed,
            command: command.clone(),
            group,
            has_guard,
            known: RefCell::default(),
            freezer: Freezer::default(),
            span,
        })
    }

    /// Its place in the log.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Sends lines.
    pub fn send(&self, bytes: &[u8]) {
        self.transcript.borrow_mut().add(true, bytes);
        self.outbox.send(bytes);
    }

    /// Reads what has come, without waiting; 0 bytes at the end.
    ///
    /// # Errors
    /// `WouldBlock` if nothing has come yet.
    pub fn read(&self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stdout.read(buffer)?;
        if count > 0 {
            self.transcript.borrow_mut().add(false, &buffer[..count]);
        }
        Ok(count)
    }

    /// The output that [`Process::read`] reads, to wait until something has come.
    pub fn stdout(&self) -> &AgentStdout {
        &self.stdout
    }

    /// What is left of it for a fault report.
    pub fn evidence(&self) -> Evidence {
        Evidence {
            lines: self.transcript.borrow().text(&self.grant),
            stderr: self.stderr(),
            exit: self.exit().map(|Exit(how, by)| format!("{by}, with {how}")),
            hint: self.hint(),
        }
    }

    /// A line that it wrote, without the secrets that it must not reveal.
    pub fn without_secrets<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        self.grant.hidden().hide_line(line)
    }

    /// The beginning of a line that it wrote, in printable form.
    pub fn quoted(&self, line: &[u8]) -> String {
        let hide = |shown: String, is_cut| match is_cut {
            true => self.grant.hidden().hide_cut_end(&shown),
            false => self.grant.hidden().hide(&shown).into_owned(),
        };
        Untrusted::new(line).beginning_without(QUOTED_BYTES, hide)
    }

    /// The kept part of its stderr, in printable form.
    pub fn stderr(&self) -> String {
        self.stderr.borrow().text(&self.grant)
    }

    /// What it has written to stderr since this was last called, all that it wrote before it sent what was read last, if
    /// anything; bounded, without its secrets.
    pub fn take_stderr(&self) -> Option<String> {
        let mut kept = self.stderr.borrow_mut();
        let mut buffer = [0; STDERR_PIECE];
        for _ in 0..STDERR_READS {
            // An error counts as the end.
            let Ok(count @ 1..) = self.stderr_pipe.read(&mut buffer) else { break };
            kept.add(&buffer[..count]);
        }
        kept.take(&self.grant)
    }

    /// What its author can do, by its last words and its end.
    pub fn hint(&self) -> Option<String> {
        self.hint_after(self.exit().as_ref(), &self.stderr())
    }

    /// The same, if this was its end before the arena ended it, and `stderr` is what explains it.
    pub fn hint_after(&self, exit: Option<&Exit>, stderr: &str) -> Option<String> {
        let exit = exit.filter(|exit| exit.1 != EndedBy::Arena);
        let (stdout, has_heard_over) = self.transcript.borrow().end_of_agent();
        hint(&Clues {
            stderr,
            stdout: &stdout,
            exit: exit.map(|exit| exit.0.as_str()),
            has_heard_over,
            ..Clues::of(&self.command)
        })
    }

    /// What it is seen to do while an answer is waited for; `unfinished` is its line that has not ended.
    pub fn silence(&self, unfinished: &[u8]) -> Option<Silence> {
        if self.exit.borrow().is_some() {
            return None;
        }
        let processes = ProcessTree::now().tree(self.processes.leader());
        silence::seen(unfinished, &self.outbox, &processes[usize::from(self.has_guard).min(processes.len())..])
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.exit.borrow().clone()
    }

    /// Waits until it has ended, at most `patience`; `None` if it has not.
    pub async fn wait(&self, patience: Duration) -> Option<Exit> {
        let mut exit = self.exit.clone();
        let ended = exit.wait_for(Option::is_some);
        match tokio::time::timeout(patience, ended).await {
            Ok(Ok(exit)) => exit.clone(),
            Ok(Err(_)) | Err(_) => self.exit(),
        }
    }

    /// A future that waits until it has ended, without borrowing it.
    pub fn ended(&self) -> impl Future<Output = ()> + use<> {
        let mut exit = self.exit.clone();
        async move {
            // An error means that nobody waits for the process any more, so its end cannot be reported either.
            let _ = exit.wait_for(Option::is_some).await;
        }
    }

    /// The processor time that it and its children have used, if the system publishes it.
    pub fn usage(&self) -> Option<Usage> {
        Some(Usage::of(self.processes.leader())?.counted_by_group(self.group.as_ref().and_then(|group| group.ran_ns())))
    }

    /// What the system says of it, if it has not ended.
    pub fn look(&self) -> Option<ProcessLook> {
        self.exit.borrow().is_none().then(|| ProcessLook::at(self.processes.leader(), self.has_guard)).flatten()
    }

    /// Looks up its processes.
    pub fn know(&self, tree: &ProcessTree) {
        *self.known.borrow_mut() = tree.tree(self.processes.leader()).split_off(usize::from(self.has_guard));
    }

    /// Takes the processes looked up last, so that they can be frozen.
    pub fn track_processes(&self) {
        if self.exit.borrow().is_none() {
            self.freezer.track(&self.known.borrow());
        }
    }

    /// The processor time of the processes looked up last, and of their children that have ended; `None` if none have been
    /// looked up, or the system does not publish it.
    pub fn known_ran(&self) -> Option<Duration> {
        let of_group = self.group.as_ref().and_then(|group| group.ran_ns());
        of_group.or_else(|| ran_ns(&self.known.borrow())).map(Duration::from_nanos)
    }

    /// Stops every process that was taken last.
    pub fn freeze(&self) {
        self.freezer.freeze();
    }

    /// Lets them continue.
    pub fn thaw(&self) {
        self.freezer.thaw();
    }

    /// When they were stopped last, if they ever were.
    pub fn frozen(&self) -> Option<Freeze> {
        self.freezer.last()
    }

    /// Kills it and every process of its groups at once. Does nothing once it has ended: that has been done by then, and its
    /// number may belong to another process.
    pub fn kill(&self) {
        if self.exit.borrow().is_none() {
            self.killed.set(true);
            self.processes.kill();
            if let Some(group) = &self.group {
                group.kill();
            }
        }
    }

    /// Ends it: closes its stdin, waits for `grace`, then kills it and everything it has left behind.
    pub async fn stop(&self, grace: Duration) {
        if let Some(look) = log::looks_at_agents().then(|| self.look()).flatten() {
            self.span.in_scope(|| log::agent_used(look.memory_kib, look.ran_ms, look.threads, look.children));
        }
        self.outbox.close();
        self.wait(grace).await;
        self.kill();
        let mut cleared = self.cleared.clone();
        // What is not cleared away by then is logged by the task that does it.
        let _ = tokio::time::timeout(REMOVAL, cleared.wait_for(|cleared| *cleared)).await;
        reaper::sweep().await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.outbox.close();
        self.kill();
    }
}

/// Reads stderr to its end, so that a chatty agent never waits for a reader.
async fn keep_stderr(pipe: Rc<StderrPipe>, tail: Rc<RefCell<StderrTail>>) {
    let mut buffer = vec![0; 16 * 1024];
    // An error counts as the end.
    while let Ok(count @ 1..) = pipe.next(&mut buffer).await {
        tail.borrow_mut().add(&buffer[..count]);
        tokio::task::yield_now().await;
    }
}

/// What has to be cleaned up after an agent's end, and what has to be known for it.
struct Leaves {
    processes: ProcessGroup,
    group: Option<Rc<Group>>,
    killed: Rc<Cell<bool>>,
}

/// Waits for the agent's end, says how it came, and kills what the agent left running.
async fn reap(mut child: Child, started: Started, leaves: &Leaves, sandbox: &Sandbox) -> Exit {
    let began = Instant::now();
    let (exit, by) = match (child.wait().await, leaves.group.as_ref().and_then(|group| group.verdict())) {
        (Ok(status), Some(verdict)) => {
            log::sandbox_verdict(Untrusted::new(&verdict));
            (format!("{status}: {verdict}"), EndedBy::Outside)
        }
        (Ok(status), None) => (sandbox.ended(status), ended_by(status, leaves.killed.get())),
        (Err(error), _) => (format!("unknown: {error}"), EndedBy::Outside),
    };
    log::agent_ended(Untrusted::new(&exit), began.elapsed().as_millis() as u64);
    leaves.processes.kill_rest();
    reaper::forget(started);
    Exit(exit, by)
}

/// Removes a control group, killing what is left in it and dropping what it left in memory.
async fn remove(group: &Group) {
    let mut forget = Some(group.forget());
    for _ in 0..GROUP_REMOVALS {
        group.kill();
        if let Some(forget) = if group.is_empty() { forget.take() } else { None } {
            let forgotten = tokio::task::spawn_blocking(forget).await.map_err(std::io::Error::other).flatten();
            if let Err(error) = forgotten {
                log::group_not_forgotten(Untrusted::new(&error.to_string()));
            }
        }
        if group.try_remove() {
            return;
        }
        tokio::time::sleep(GROUP_PAUSE).await;
    }
    log::group_not_removed(Untrusted::new(&format!("{:?}", group.folders())));
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use nix::sys::wait::{Id, WaitPidFlag, waitid};

    use super::*;
    use crate::agent::on_a_loop;

    #[test]
    fn what_has_come_is_read_though_the_loop_has_not_been_woken() {
        on_a_loop(async {
            let command = AgentCommand::parse("printf answer").expect("a command");
            let process = Process::start(&command).expect("it can be started");
            // The loop's thread does nothing meanwhile, as if it were held up.
            let leader = nix::unistd::Pid::from_raw(process.processes.leader());
            waitid(Id::Pid(leader), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).expect("a child");
            let mut buffer = [0; 64];
            let count = process.read(&mut buffer).expect("it has come");
            assert_eq!(&buffer[..count], b"answer");
        });
    }

    #[test]
    fn what_an_agent_does_while_it_is_silent_is_seen() {
        for (line, unfinished, expected) in [
            ("sh -c 'read line; read line'", "", Silence::Reads),
            ("sh -c 'read line; sleep 60'", "", Silence::HasRead),
            // It reads a pipe, but another one.
            ("sh -c 'read line; x=$(sleep 60)'", "", Silence::HasRead),
            ("sleep 60", "", Silence::Unread),
            ("sleep 60", r#"{"type":"ready"}"#, Silence::NoNewline),
            ("sleep 60", r#"{"type":"ready""#, Silence::PartOfLine),
            ("sleep 60", "Your name? ", Silence::PartOfLine),
        ] {
            on_a_loop(async {
                let process = Process::start(&AgentCommand::parse(line).expect("a command")).expect("it starts");
                process.send(b"a line\n");
                let end = Instant::now() + Duration::from_secs(20);
                while process.silence(unfinished.as_bytes()) != Some(expected) {
                    let seen = process.silence(unfinished.as_bytes());
                    assert!(Instant::now() < end, "{line}, {unfinished:?}: {seen:?}");
                    tokio::task::yield_now().await;
                }
            });
        }
    }
}
