//! `maumau feed`: a recorded seat's lines sent to an agent once more, the clock off, and its answers compared.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_MS;
use maumau_protocol::message::{AgentMessage, ArenaMessage, Fault, PROTOCOL, What};
use maumau_protocol::record::{FaultEntry, MoveNumber};
use maumau_protocol::wire::read_agent_line;
use maumau_protocol::{Action, Seat};
use maumau_referee::fault_table::sentence;
use maumau_referee::{GameLog, Recorded, Retold, Story, retell, write_message};

use super::{Outcome, SandboxArguments, print, usage, verify};
use crate::check::{Heard, Peer, Problem, hello};
use crate::host::{AgentCommand, SandboxSettings};
use crate::run::{on_each_processor, processors};
use crate::untrusted::{Untrusted, json};

/// Send an agent the lines of a recorded seat again, without deadlines, and compare its answers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau feed game.jsonl --seat 0 -- python3 my_bot.py
  maumau feed game.jsonl --seat 2 --until 17 -- ./my_bot --verbose

An ask that was answered with \"wait\" is not in a record and is not sent again, unless the author's code failed at it. The \
ask at which an agent was lost is sent too, so a crash happens again. The ids of asks are new. The exit code is 1 where an \
answer differs.")]
pub(super) struct Arguments {
    /// A record as JSON lines
    record: PathBuf,
    /// The seat whose lines are sent
    #[arg(long)]
    seat: usize,
    /// Send the asks up to the move with this number, as replays and fault reports count; by default all of them
    #[arg(long, value_name = "MOVE")]
    until: Option<u32>,
    /// Milliseconds after which an agent that does not answer is given up; by default 600000, and where it missed its deadline
    /// in the record, as long as it had then
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    patience_ms: Option<u64>,
    #[command(flatten)]
    sandbox: SandboxArguments,
    /// The agent's command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn run(arguments: Arguments) -> Result<Outcome> {
    let shown = Untrusted::path(&arguments.record).terminal();
    let record = verify::read(&arguments.record).map_err(|error| usage(format!("{shown}: {error}")))?;
    let log = maumau_referee::verify(&record)
        .map_err(|mismatch| usage(format!("{shown}: {}", Untrusted::new(&mismatch.to_string()).terminal())))?
        .log;
    let seats = log.header.names.len();
    let seat = Seat::new(arguments.seat)
        .filter(|seat| seat.index() < seats)
        .ok_or_else(|| usage(format!("--seat {}: the game has the seats 0 to {}", arguments.seat, seats - 1)))?;
    let private = vec![arguments.record.clone()];
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), private, true)?;
    let command = AgentCommand::of_words(arguments.command)?.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
    let feed = Feed {
        log: &log,
        seat,
        until: MoveNumber(arguments.until.unwrap_or(u32::MAX)),
        patience: arguments.patience_ms.map(Duration::from_millis),
    };
    let cpu = processors().into_iter().next().context("no processor to run on")?;
    let outcomes = on_each_processor(&[cpu], |_| feed.run(&command))?;
    outcomes.into_iter().next().context("nothing was sent")
}

/// How long an answer is waited for, unless the command says otherwise.
const USUAL_PATIENCE: Duration = Duration::from_secs(600);

struct Feed<'a> {
    log: &'a GameLog,
    seat: Seat,
    until: MoveNumber,
    /// As the command says.
    patience: Option<Duration>,
}

impl Feed<'_> {
    async fn run(&self, command: &AgentCommand) -> Result<Outcome> {
        let mut peer = match Peer::start(command) {
            Ok(peer) => peer,
            Err(problem) => anyhow::bail!("{problem}"),
        };
        let outcome = self.feed(&mut peer).await;
        let stderr = peer.end().await;
        if !stderr.is_empty() {
            print(&format!("the end of its stderr:\n  | {}\n", Untrusted::new(&stderr).lines("  | ")))?;
        }
        outcome
    }

    async fn feed(&self, peer: &mut Peer) -> Result<Outcome> {
        let ready = match peer.greet(&hello(PROTOCOL), self.patience.unwrap_or(USUAL_PATIENCE)).await {
            Ok(ready) => ready,
            Err(problem) => anyhow::bail!("{problem}"),
        };
        let Story { start, asks, over } = retell(self.log, self.seat, &ready)?;
        peer.send(&start).await;
        let (mut same, mut different) = (0, 0);
        let mut is_there = true;
        for ask in asks.iter().take_while(|ask| ask.number <= self.until) {
            peer.send(&ask.line).await;
            let now = self.answer(peer, ask).await?;
            let place = format!("move {} ({}, after event {})", ask.number, word(ask.what), ask.as_of.0);
            if now.is_as_recorded(ask) {
                same += 1;
                print(&format!("{place}: {now}{}\n", now.remark()))?;
            } else {
                different += 1;
                let took = ask.took_us.map_or(String::new(), |us| format!(" after {} ms", us / 1_000));
                print(&format!("{place}: DIFFERENT\n  recorded: {}{took}\n  now:      {now}\n", recorded(ask)))?;
            }
            if matches!(now, Now::Gone(_)) {
                is_there = false;
                break;
            }
        }
        if is_there {
            if let Some(over) = over.filter(|_| same + different == asks.len()) {
                peer.send(&over).await;
            }
            peer.part(true, Duration::from_millis(500)).await;
        }
        print(&format!(
            "{} of {} asks sent: {same} answers the same, {different} different\n",
            same + different,
            asks.len()
        ))?;
        Ok(if different == 0 { Outcome::Done } else { Outcome::NotRight })
    }

    /// How long the answer to `ask` is waited for.
    fn patience(&self, ask: &Retold) -> Duration {
        let then = ask.took_us.filter(|_| ask.answer == Recorded::Silence).map(Duration::from_micros);
        self.patience.or(then).unwrap_or(USUAL_PATIENCE)
    }

    /// What comes of `ask`. Notes are passed over; a line that was a fault in the record too is shown and told to be one, and
    /// the ask stays open as it did then.
    async fn answer(&self, peer: &mut Peer, ask: &Retold) -> Result<Now> {
        let is_last = |fault: &FaultEntry| ask.answer == Recorded::Dismissed(fault.fault);
        let mut faults = ask.faults.iter();
        let patience = self.patience(ask);
        loop {
            let (fault, what) = match peer.hear(patience).await {
                Some(Heard::Line(line)) => {
                    let (fault, what) = match read_agent_line(&line) {
                        None | Some(Ok(AgentMessage::Note(_))) => continue,
                        Some(Ok(AgentMessage::Act(act))) if act.id == ask.id => {
                            return Ok(Now::Act(act.action, act.crash));
                        }
                        // The ids of asks are new, so which of the two it was is what the record says.
                        Some(Ok(AgentMessage::Act(_))) => {
                            let then = faults.as_slice().first().map(|entry| entry.fault);
                            let fault =
                                then.filter(|fault| matches!(fault, ConductFault::StaleId | ConductFault::UnknownId));
                            (fault, fault.map_or("no answer to this ask", ConductFault::name).to_owned())
                        }
                        Some(Ok(_)) => (None, "no answer to this ask".to_owned()),
                        Some(Err(error)) => (Some(error.fault), format!("{}: {}", error.fault.name(), error.message)),
                    };
                    (fault, format!("{what}: {}", String::from_utf8_lossy(&line[..line.len().min(400)])))
                }
                Some(Heard::TooLong) => (Some(ConductFault::LineTooLong), "a line over 65536 bytes".to_owned()),
                Some(Heard::End(how)) => return Ok(Now::Gone(how)),
                None => return Ok(Now::Silent(patience)),
            };
            match faults.next() {
                Some(entry) if fault == Some(entry.fault) && !is_last(entry) => {
                    print(&format!("move {}: {}, as recorded\n", ask.number, Untrusted::new(&what).terminal()))?;
                    peer.send(&fault_line(self.log, ask, entry)).await;
                }
                _ => return Ok(Now::Fault(fault, what)),
            }
        }
    }
}

/// What comes of an ask that is sent again.
enum Now {
    Act(Action, Option<Box<str>>),
    /// A line that is no answer, in words.
    Fault(Option<ConductFault>, String),
    Silent(Duration),
    /// The agent is lost.
    Gone(String),
}

impl Now {
    /// Whether the same stands in the record. Of two failures the texts may differ: they may hold addresses.
    fn is_as_recorded(&self, ask: &Retold) -> bool {
        match (self, &ask.answer) {
            (Now::Act(now, crash), Recorded::Act(then)) => now == then && crash.is_some() == ask.crash.is_some(),
            (Now::Act(_, crash), Recorded::Unknown) => crash.is_some() == ask.crash.is_some(),
            (Now::Fault(Some(now), _), Recorded::Dismissed(then)) => now == then,
            (Now::Silent(_), Recorded::Silence) | (Now::Gone(_), Recorded::Dismissed(ConductFault::Gone)) => true,
            _ => false,
        }
    }

    /// What is to be said of it where it is as recorded.
    fn remark(&self) -> &'static str {
        match self {
            Now::Act(_, None) => "",
            Now::Act(_, Some(_)) | Now::Fault(..) | Now::Silent(_) | Now::Gone(_) => ", as recorded",
        }
    }
}

impl std::fmt::Display for Now {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Now::Act(action, crash) => f.write_str(&with_crash(&said(action), crash.as_deref())),
            Now::Fault(_, what) => f.write_str(&Untrusted::new(what).terminal()),
            Now::Silent(patience) => write!(f, "no answer within {} ms", patience.as_millis()),
            Now::Gone(how) => write!(f, "the agent is gone: {how}"),
        }
    }
}

/// What the record says of an ask.
fn recorded(ask: &Retold) -> String {
    let answer = match &ask.answer {
        Recorded::Act(action) => said(action),
        Recorded::Unknown => "an answer that is not in the record".to_owned(),
        Recorded::Silence => "no answer in time".to_owned(),
        Recorded::Dismissed(fault) => format!("dismissed: {}", fault.name()),
    };
    with_crash(&answer, ask.crash.as_deref())
}

fn with_crash(answer: &str, crash: Option<&str>) -> String {
    match crash {
        Some("") => format!("its code failed; it answers {answer}"),
        Some(crash) => format!("its code failed: {}; it answers {answer}", Untrusted::new(crash).terminal()),
        None => answer.to_owned(),
    }
}

/// The line that told the agent of a fault, after which it could answer again.
fn fault_line(log: &GameLog, ask: &Retold, entry: &FaultEntry) -> Vec<u8> {
    let mut line = Vec::new();
    let fault = Fault {
        game: Some(log.header.game.clone()),
        id: Some(ask.id),
        fault: entry.fault.name().to_owned(),
        message: entry.message.clone(),
        clause: sentence(entry.fault).clause.to_owned(),
        cards: 0,
        strikes: entry.strikes,
        open: true,
    };
    write_message(&mut line, &ArenaMessage::Fault(fault));
    line
}

fn word(what: What) -> &'static str {
    match what {
        What::Turn => "turn",
        What::React => "react",
        What::Choose => "choose",
        What::Deal => "deal",
    }
}

/// An action as it stands on the wire.
fn said(action: &Action) -> String {
    json(action).unwrap_or_else(|error| error.to_string())
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Untrusted::new(&self.what).terminal())?;
        match &self.line {
            Some(line) => write!(f, ": {}", Untrusted::new(&line[..line.len().min(400)]).terminal()),
            None => Ok(()),
        }
    }
}
