//! `maumau feed`: a recorded seat's lines sent to an agent once more, the clock off, and its answers compared.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_protocol::limits::MAX_MS;
use maumau_protocol::message::{AgentMessage, PROTOCOL, What};
use maumau_protocol::record::MoveNumber;
use maumau_protocol::wire::read_agent_line;
use maumau_protocol::{Action, Seat};
use maumau_referee::{GameLog, Retold, Story, retell};

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

An ask that was answered with \"wait\" is not in a record and is not sent again. The ids of asks are new. The exit code is 1
where an answer differs.")]
pub(super) struct Arguments {
    /// A record as JSON lines
    record: PathBuf,
    /// The seat whose lines are sent
    #[arg(long)]
    seat: usize,
    /// Send the asks up to the move with this number, as replays and fault reports count; by default all of them
    #[arg(long, value_name = "MOVE")]
    until: Option<u32>,
    /// Milliseconds after which an agent that does not answer is given up
    #[arg(long, default_value_t = 600_000, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    patience_ms: u64,
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
        patience: Duration::from_millis(arguments.patience_ms),
    };
    let cpu = processors().into_iter().next().context("no processor to run on")?;
    let outcomes = on_each_processor(&[cpu], |_| feed.run(&command))?;
    outcomes.into_iter().next().context("nothing was sent")
}

struct Feed<'a> {
    log: &'a GameLog,
    seat: Seat,
    until: MoveNumber,
    patience: Duration,
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
        let ready = match peer.greet(&hello(PROTOCOL), self.patience).await {
            Ok(ready) => ready,
            Err(problem) => anyhow::bail!("{problem}"),
        };
        let Story { start, asks, over } = retell(self.log, self.seat, &ready)?;
        peer.send(&start).await;
        let (mut same, mut different) = (0, 0);
        for ask in asks.iter().take_while(|ask| ask.number <= self.until) {
            peer.send(&ask.line).await;
            let (now, is_same) = match self.answer(peer, ask).await? {
                Ok(action) => (said(&action), ask.answer.as_ref() == Some(&action)),
                Err(what) => (what, false),
            };
            let place = format!("move {} ({}, after event {})", ask.number, word(ask.what), ask.as_of.0);
            if is_same {
                same += 1;
                print(&format!("{place}: {now}\n"))?;
            } else {
                different += 1;
                let then = match &ask.answer {
                    Some(action) => said(action),
                    None => "no answer in time".to_owned(),
                };
                let took = ask.took_us.map_or(String::new(), |us| format!(" after {} ms", us / 1_000));
                print(&format!("{place}: DIFFERENT\n  recorded: {then}{took}\n  now:      {now}\n"))?;
            }
        }
        if same + different == asks.len() {
            peer.send(&over).await;
        }
        peer.part(true, Duration::from_millis(500)).await;
        print(&format!(
            "{} of {} asks sent: {same} answers the same, {different} different\n",
            same + different,
            asks.len()
        ))?;
        Ok(if different == 0 { Outcome::Done } else { Outcome::NotRight })
    }

    /// The answer to `ask`, or what came in its place. Notes are passed over.
    async fn answer(&self, peer: &mut Peer, ask: &Retold) -> Result<Result<Action, String>> {
        loop {
            let line = match peer.hear(self.patience).await {
                Some(Heard::Line(line)) => line,
                Some(Heard::TooLong) => return Ok(Err("a line over 65536 bytes".to_owned())),
                Some(Heard::End(how)) => anyhow::bail!("the agent is gone: {how}"),
                None => return Ok(Err(format!("no answer within {} ms", self.patience.as_millis()))),
            };
            let shown = || Untrusted::new(&line[..line.len().min(400)]).terminal();
            match read_agent_line(&line) {
                None | Some(Ok(AgentMessage::Note(_))) => {}
                Some(Ok(AgentMessage::Act(act))) if act.id == ask.id => return Ok(Ok(act.action)),
                Some(Ok(_)) => return Ok(Err(format!("no answer to this ask: {}", shown()))),
                Some(Err(error)) => {
                    let message = Untrusted::new(&error.message).terminal();
                    return Ok(Err(format!("{}: {message}: {}", error.fault.name(), shown())));
                }
            }
        }
    }
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
