//! `maumau feed`: a recorded seat's lines sent to an agent once more, the clock off, and its answers compared. It
//! starts one agent; the lines come from `maumau_referee::replay_seat`, and no game is played.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_MS;
use maumau_protocol::message::{AgentMessage, ArenaMessage, AskId, Bye, Fault, GameId, PROTOCOL, Ready, Want, What};
use maumau_protocol::wire::{LineError, read_agent_line};
use maumau_protocol::{Action, SandboxLevel, Seat, Verb};
use maumau_referee::faults::{ActRuling, Flood, IdState, LineCount, Misconduct, rule_act, sentence};
use maumau_referee::record::{FaultEntry, MoveCount, MoveNumber};
use maumau_referee::{GameLog, Recorded, ReplayedAsk, SeatReplay, replay_seat, write_message};
use maumau_run::agent::{AgentCommand, SandboxSettings};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{Untrusted, json};
use maumau_run::runner::on_one_processor;

use super::sandbox::print_shell_words;
use super::{SandboxArguments, verify};
use crate::conformance::{AgentUnderTest, ConformanceProblem, Heard, hello};

/// Send an agent the lines of a recorded seat again, without deadlines, and compare its answers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau feed game.jsonl --seat 0 -- python3 my_bot.py
  maumau feed game.jsonl --seat 2 --until 7 -- ./my_bot --verbose
  maumau feed game.jsonl --seat 0 --any-answer -- python3 my_bot.py
  maumau feed game.jsonl --seat 1 --lines > lines.jsonl

An ask that was answered with \"wait\" is not in a record and is not sent again, unless the author's code failed at it or a \
faulty line came. The ask at which an agent was lost is sent too, so a crash happens again. The ids of asks are new. The exit \
code is 1 if an answer differs, with --any-answer if one is faulty or does not come.")]
pub(super) struct FeedArguments {
    /// A record as JSON lines
    record: PathBuf,
    /// The seat whose lines are sent
    #[arg(long)]
    seat: usize,
    /// Send the asks up to the move with this number, as in replays and fault reports; by default all of them
    #[arg(long, value_name = "MOVE", value_parser = clap::value_parser!(u32).range(1..))]
    until: Option<u32>,
    /// Milliseconds to wait for an answer; by default 600000, but as long as the game did where the record has a missed
    /// deadline, and the time of a move where it has a faulty line without an answer
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    patience_ms: Option<u64>,
    /// Wait for the agent as long as it takes, at its start too, and by default without a sandbox, so that a debugger can
    /// hold it
    #[arg(long, conflicts_with = "patience_ms")]
    wait: bool,
    /// Start no agent: print the lines that the seat was sent, with views, legal actions, events and rules
    #[arg(long, conflicts_with_all = ["wait", "until", "patience_ms", "command"])]
    lines: bool,
    /// Show answers that differ, and end with 1 only if one is faulty or does not come
    #[arg(long, conflicts_with = "lines")]
    any_answer: bool,
    /// The agent's command
    #[arg(last = true, required_unless_present = "lines", value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

pub(super) fn run(arguments: FeedArguments) -> Result<CommandOutcome> {
    let shown = Untrusted::path(&arguments.record).terminal();
    let record = verify::read(&arguments.record).map_err(|error| usage(format!("{shown}: {error}")))?;
    let log = maumau_referee::verify(&record)
        .map_err(|mismatch| usage(format!("{shown}: {}", Untrusted::new(&mismatch.to_string()).terminal())))?
        .log;
    let seats = log.header.names.len();
    let seat = Seat::new(arguments.seat)
        .filter(|seat| seat.index() < seats)
        .ok_or_else(|| usage(format!("--seat {}: the game has the seats 0 to {}", arguments.seat, seats - 1)))?;
    let mut moves = MoveCount::default();
    let last = log.inputs.iter().map(|logged| moves.of(&logged.entry)).max().unwrap_or(MoveNumber(0));
    if let Some(until) = arguments.until.filter(|until| *until > last.0) {
        return Err(usage(format!("--until {until}: the last move of the game has the number {last}")));
    }
    if arguments.lines {
        return print_lines(&log, seat);
    }
    let private = vec![arguments.record.clone()];
    let settings = match arguments.wait {
        true => SandboxSettings { level: SandboxLevel::None, ..SandboxSettings::USUAL },
        false => SandboxSettings::USUAL,
    };
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(settings), private, true)?;
    let command = AgentCommand::of_words(arguments.command)?.in_sandbox(&sandbox).granted(arguments.sandbox.grant()?);
    print_shell_words([&command]);
    let feed = Feed {
        log: &log,
        seat,
        until: MoveNumber(arguments.until.unwrap_or(u32::MAX)),
        any_answer: arguments.any_answer,
        patience: match arguments.wait {
            true => Some(Duration::from_millis(MAX_MS)),
            false => arguments.patience_ms.map(Duration::from_millis),
        },
    };
    if arguments.wait {
        print_stderr!("maumau: the agent is started, and waited for as long as it takes");
    }
    on_one_processor(|| feed.run(&command))
}

/// Prints what `seat` was sent, for an agent that wants everything.
fn print_lines(log: &GameLog, seat: Seat) -> Result<CommandOutcome> {
    let ready = Ready {
        protocol: PROTOCOL.to_owned(),
        name: String::new(),
        version: String::new(),
        wants: vec![Want::View, Want::Legal, Want::Events, Want::Rules],
        ticks: false,
        games: 1,
        plays: None,
    };
    let SeatReplay { start, asks, over } = replay_seat(log, seat, &ready)?;
    let mut bye = Vec::new();
    write_message(&mut bye, &ArenaMessage::Bye(Bye { reason: "the record is over".to_owned() }));
    let lines =
        [hello(PROTOCOL), start].into_iter().chain(asks.into_iter().map(|ask| ask.line)).chain(over).chain([bye]);
    print(&String::from_utf8(lines.flatten().collect())?)?;
    Ok(CommandOutcome::Done)
}

/// Prints what the agent has written to stderr, if anything.
fn print_stderr_of(text: Option<String>) -> Result<()> {
    let Some(text) = text else { return Ok(()) };
    print(&format!("  stderr | {}\n", Untrusted::new(text.trim_end()).lines("  stderr | ")))
}

/// How long an answer is waited for, unless the command says otherwise.
const USUAL_PATIENCE: Duration = Duration::from_secs(600);
/// After so long a line says that an answer is waited for.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

struct Feed<'a> {
    log: &'a GameLog,
    seat: Seat,
    until: MoveNumber,
    /// As the command says.
    patience: Option<Duration>,
    /// Whether an answer may differ from the recorded one.
    any_answer: bool,
}

impl Feed<'_> {
    async fn run(&self, command: &AgentCommand) -> Result<CommandOutcome> {
        let mut peer = match AgentUnderTest::start(command) {
            Ok(peer) => peer,
            Err(problem) => anyhow::bail!("{problem}"),
        };
        let outcome = self.feed(&mut peer).await;
        print_stderr_of(peer.end_and_take().await)?;
        outcome
    }

    async fn feed(&self, peer: &mut AgentUnderTest) -> Result<CommandOutcome> {
        let ready = match peer.greet(&hello(PROTOCOL), self.patience.unwrap_or(USUAL_PATIENCE)).await {
            Ok(ready) => ready,
            Err(problem) => anyhow::bail!("{problem}"),
        };
        let SeatReplay { start, asks, over } = replay_seat(self.log, self.seat, &ready)?;
        peer.send(&start).await;
        let (mut same, mut different, mut right) = (0, 0, true);
        let mut is_there = true;
        let mut met = Met::default();
        for ask in asks.iter().take_while(|ask| ask.number <= self.until) {
            met.asked.push(ask.id);
            met.is_new = false;
            peer.send(&ask.line).await;
            let now = self.answer(peer, ask, &mut met).await?;
            let place = format!("move {} ({}, after event {})", ask.number, ask.what, ask.as_of.0);
            let is_same = now.is_as_recorded(ask) && !met.is_new;
            right &= is_same || self.any_answer && matches!(now, Now::Act(_, None)) && !met.is_new;
            if is_same {
                same += 1;
                print(&format!("{place}: {now}{}\n", now.remark()))?;
            } else {
                different += 1;
                let took = ask.took_us.map_or(String::new(), |us| format!(" after {} ms", us / 1_000));
                print(&format!("{place}: DIFFERENT\n  recorded: {}{took}\n  now:      {now}\n", recorded(ask)))?;
            }
            print_stderr_of(peer.take_stderr())?;
            if matches!(now, Now::Gone(_)) {
                is_there = false;
                break;
            }
        }
        for entry in &met.expected {
            if entry.fault != ConductFault::Gone && same + different == asks.len() {
                let (fault, message) = (entry.fault.name(), Untrusted::new(&entry.message).terminal());
                print(&format!("recorded, and not sent now: {fault}: {message}\n"))?;
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
        Ok(if right { CommandOutcome::Done } else { CommandOutcome::NotRight })
    }

    /// How long the answer to `ask` is waited for: after a faulty line that no answer followed in the record, as long as the agent
    /// had in the game.
    fn patience(&self, ask: &ReplayedAsk, after_fault: bool) -> Duration {
        let then = ask.took_us.filter(|_| ask.answer == Recorded::Silence).map(Duration::from_micros);
        let time = &self.log.header.time;
        let in_game = Duration::from_millis(time.move_ms + time.bank_ms);
        let has_answer = matches!(ask.answer, Recorded::Act(_));
        let usual = if after_fault && !has_answer { in_game } else { USUAL_PATIENCE };
        self.patience.or(then).unwrap_or(usual)
    }

    /// What comes of `ask`. Notes are passed over; a faulty line is shown, and where it leaves the ask open, as it did in the
    /// game, the answer is waited for.
    async fn answer(&self, peer: &mut AgentUnderTest, ask: &ReplayedAsk, met: &mut Met) -> Result<Now> {
        met.expected.extend(ask.faults.iter().cloned());
        let mut patience = self.patience(ask, false);
        let mut lines = LineCount::default();
        loop {
            let heard = self.hear(peer, ask, patience).await;
            if lines.add() {
                return Ok(Now::Fault(ConductFault::Flood, Flood::Lines.to_string(), String::new()));
            }
            let (Misconduct { fault, message: what }, line) = match heard {
                Some(Heard::Line(line)) => match self.ruling(&line, ask, met) {
                    Ruling::Passed => continue,
                    Ruling::Act(action, crash) => return Ok(Now::Act(action, crash)),
                    Ruling::Fault(wrong) => (wrong, Some(line)),
                },
                Some(Heard::TooLong) => (LineError::too_long(None).into(), None),
                Some(Heard::End(how)) => return Ok(Now::Gone(how)),
                None => {
                    met.late.push(ask.id);
                    return Ok(Now::Silent(patience));
                }
            };
            let then = met.expected.front().filter(|entry| entry.fault == fault).cloned();
            let recorded = if then.is_some() { "as recorded" } else { "not in the record" };
            let what = format!("{}: {what}", fault.name());
            let line = line.map_or(String::new(), |line| format!("\n  the agent sent {}", peer.quoted(&line)));
            match &then {
                Some(_) => drop(met.expected.pop_front()),
                None => met.is_new = true,
            }
            let is_last = then.is_some() && met.expected.is_empty() && ask.answer == Recorded::Dismissed(fault);
            if is_last || !sentence(fault).ask_stays_open() {
                return Ok(Now::Fault(fault, what, line));
            }
            met.strikes = met.strikes.saturating_add(1);
            print(&format!("move {}: {}, {recorded}{line}\n", ask.number, Untrusted::new(&what).terminal()))?;
            let entry = then.unwrap_or(FaultEntry { seat: self.seat, fault, message: what, strikes: met.strikes });
            peer.send(&fault_line(self.log, ask, &entry)).await;
            patience = self.patience(ask, true);
        }
    }

    /// The next line; after a while a message says that it is waited for.
    async fn hear(&self, peer: &mut AgentUnderTest, ask: &ReplayedAsk, patience: Duration) -> Option<Heard> {
        let quiet = patience.min(SHOWN_AFTER);
        if let Some(heard) = peer.hear(quiet).await {
            return Some(heard);
        }
        let rest = patience.saturating_sub(quiet);
        if !rest.is_zero() {
            print_stderr!(
                "maumau: move {}: no answer yet; it is waited for {} ms in all (--patience-ms)",
                ask.number,
                patience.as_millis()
            );
        }
        peer.hear(rest).await
    }

    /// What a line is in a game in which `ask` is open.
    fn ruling(&self, line: &[u8], ask: &ReplayedAsk, met: &Met) -> Ruling {
        let is_other = |game: &GameId| *game != self.log.header.game;
        let other = |game: &GameId| is_other(game).then(|| Ruling::Fault(Misconduct::unknown_game(game)));
        let act = match read_agent_line(line) {
            None => return Ruling::Passed,
            Some(Ok(AgentMessage::Note(note))) => return other(&note.game).unwrap_or(Ruling::Passed),
            Some(Ok(AgentMessage::Act(act))) => act,
            Some(Ok(AgentMessage::Ready(_))) => return Ruling::Fault(Misconduct::second_ready()),
            Some(Err(error)) => return Ruling::Fault(error.into()),
        };
        if let Some(fault) = other(&act.game) {
            return fault;
        }
        let id = match act.id {
            id if id == ask.id => IdState::Open,
            id if met.late.contains(&id) => IdState::Expired,
            id if met.asked.contains(&id) => IdState::Answered,
            _ => IdState::Never,
        };
        match rule_act(id, act.action.verb == Verb::Wait, ask.what != What::React) {
            ActRuling::Answer => Ruling::Act(act.action, act.crash),
            ActRuling::Late | ActRuling::Dropped => Ruling::Passed,
            ActRuling::Fault(fault) => {
                // The ids of asks are new, so which of the two a wrong id is can be known from the record alone.
                let wrong_id = |fault| matches!(fault, ConductFault::StaleId | ConductFault::UnknownId);
                let then = met.expected.front().map(|entry| entry.fault).filter(|then| wrong_id(*then));
                let fault = then.filter(|_| wrong_id(fault)).unwrap_or(fault);
                let message = format!("no answer to the ask that is open, {}", ask.id);
                Ruling::Fault(Misconduct { fault, message })
            }
        }
    }
}

/// What has happened so far.
#[derive(Default)]
struct Met {
    /// Asks so far, the open one included.
    asked: Vec<AskId>,
    /// Those that were not answered.
    late: Vec<AskId>,
    /// Faulty lines of the record that have not come yet: a line that was sent after an answer may come with the next ask.
    expected: VecDeque<FaultEntry>,
    strikes: u8,
    /// Whether a faulty line has come at this ask that is not in the record.
    is_new: bool,
}

/// What a line of the agent is.
enum Ruling {
    /// Nothing to the game.
    Passed,
    Act(Action, Option<Box<str>>),
    Fault(Misconduct),
}

/// What comes of an ask that is sent again.
enum Now {
    Act(Action, Option<Box<str>>),
    /// A line that ended its game, in words, and the line as it can be shown.
    Fault(ConductFault, String, String),
    Silent(Duration),
    /// The agent is lost.
    Gone(String),
}

impl Now {
    /// Whether the same stands in the record. Of two failures the texts may differ: they may hold addresses.
    fn is_as_recorded(&self, ask: &ReplayedAsk) -> bool {
        match (self, &ask.answer) {
            (Now::Act(now, crash), Recorded::Act(then)) => now == then && crash.is_some() == ask.crash.is_some(),
            (Now::Act(_, crash), Recorded::Unknown) => crash.is_some() == ask.crash.is_some(),
            (Now::Fault(now, ..), Recorded::Dismissed(then)) => now == then,
            (Now::Silent(_), Recorded::Silence) | (Now::Gone(_), Recorded::Dismissed(ConductFault::Gone)) => true,
            _ => false,
        }
    }

    /// What is to be said of it where it is as recorded.
    fn remark(&self) -> String {
        match self {
            Now::Act(_, None) => String::new(),
            Now::Fault(_, _, line) => format!(", as recorded{line}"),
            Now::Act(_, Some(_)) | Now::Silent(_) | Now::Gone(_) => ", as recorded".to_owned(),
        }
    }
}

impl std::fmt::Display for Now {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Now::Act(action, crash) => f.write_str(&with_crash(&said(action), crash.as_deref())),
            Now::Fault(_, what, _) => f.write_str(&Untrusted::new(what).terminal()),
            Now::Silent(patience) => write!(f, "no answer within {} ms", patience.as_millis()),
            Now::Gone(how) => write!(f, "the agent is gone: {how}"),
        }
    }
}

/// What the record says of an ask.
fn recorded(ask: &ReplayedAsk) -> String {
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

/// The line that reported a fault to the agent, after which it could answer again.
fn fault_line(log: &GameLog, ask: &ReplayedAsk, entry: &FaultEntry) -> Vec<u8> {
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

/// An action as it stands on the wire.
pub(super) fn said(action: &Action) -> String {
    json(action).unwrap_or_else(|error| error.to_string())
}

impl std::fmt::Display for ConformanceProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Untrusted::new(&self.what).terminal())?;
        match &self.line {
            Some(line) => write!(f, ": {}", Untrusted::new(&line[..line.len().min(400)]).terminal()),
            None => Ok(()),
        }
    }
}
