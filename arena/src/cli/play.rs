//! `maumau play`: one match, shown. It reads the options and shows the course of the game; `runner` plays it.
//!
//! A match whose agents do not all start is not played ([`refusal`]).

mod served;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use maumau_engine::parse_seed;
use maumau_protocol::fault::{ConductFault, CountedFault, FaultCounts, FreeFault};
use maumau_protocol::limits::{MAX_MS, MAX_ROUNDS};
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::{SandboxLevel, Seat, Seed};
use maumau_referee::GameLog;
use maumau_referee::record::Digest;
use maumau_report::{StoryProgress, model_uses, result_lines};
use maumau_run::agent::{AgentCommand, Grant, Sandbox, SandboxSettings, agent_names, last_lines};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::fault_report::{FailedStart, FaultReports, FaultyGame};
use maumau_run::io::format::{OutputFormat, counted};
use maumau_run::io::program_name::program_name;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::io::{atomic_file, entropy};
use maumau_run::log;
use maumau_run::runner::{
    AgentSpec, EventLoop, GameConfig, ONE_GAME, Played, RunState, ShutdownSignal, StartFailure, StartStage,
    on_one_processor, with_signals,
};
use maumau_terminal::screen::TerminalState;
use serde_json::json;
use tokio::sync::watch;

use super::people;
use super::rule_settings::RuleSettings;
use super::sandbox::{SandboxArguments, print_shell_words};
use super::serve::ServeArguments;
use crate::cli::terminal_look::print_painted;

/// How often the moves of a match that somebody watches are printed.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// Play one match and show it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau play --seat 'maumau agent greedy' --seat 'maumau agent random'
  maumau play --seat human --seat 'maumau agent greedy'
  maumau play --rules skat --set extra_rules=on --rounds 5 --seed 7 \\
      --record game.jsonl --seat 'python3 agents/python/careful_bot.py' \\
      --seat 'maumau agent greedy' --seat 'maumau agent first'

Exit codes: 0 the match was played, even if a seat was dismissed, which the last line then says. It is not played if an agent \
does not start: 1 an agent did not complete the handshake, 2 a command cannot be run.")]
pub(super) struct PlayArguments {
    /// Name of a built-in rule set, or path of a rule file
    #[arg(long, default_value = "basic")]
    rules: String,
    #[command(flatten)]
    settings: RuleSettings,
    /// Rounds of the match; by default what the rule set says
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ROUNDS)))]
    rounds: Option<u32>,
    /// 64 hexadecimal digits, or a whole number. An agent can find a whole number by trying, so use one only among your own bots. By
    /// default drawn from the operating system
    #[arg(long, value_parser = parse_seed)]
    seed: Option<Seed>,
    /// Write the record of the match here
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the record and a page about each seat with a fault to this folder; by default beside --record
    #[arg(long, value_name = "DIR")]
    fault_reports: Option<PathBuf>,
    /// An agent's command, one for each seat, in order; `human` for a person at this terminal, with --serve `web` for one who plays on
    /// a page, each with a name if it is followed by one: 'web Ann'
    #[arg(long = "seat", value_name = "COMMAND", required = true)]
    seats: Vec<String>,
    /// Milliseconds for one answer; by default 5000, and 300000 if a person plays
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    move_ms: Option<u64>,
    /// Total milliseconds that a seat may overdraw; not on the live clock
    #[arg(long, default_value_t = TimeControl::default().bank_ms, value_parser = clap::value_parser!(u64).range(0..=MAX_MS))]
    bank_ms: u64,
    /// Milliseconds that each answer adds to the bank; not on the live clock
    #[arg(long, default_value_t = TimeControl::default().increment_ms, value_parser = clap::value_parser!(u64).range(0..=MAX_MS))]
    increment_ms: u64,
    /// Milliseconds from the start of an agent to its readiness
    #[arg(long, default_value_t = TimeControl::default().start_ms, value_parser = clap::value_parser!(u64).range(1..=MAX_MS))]
    start_ms: u64,
    /// How actions are ordered: lockstep draws an order for the answers of a tick, live takes them as they arrive, in real time;
    /// by default lockstep, and live if a person plays
    #[arg(long, value_enum)]
    clock: Option<Clock>,
    /// How fast built-in bots act on the live clock: human takes half a second to two seconds, so that a person can follow and win a
    /// race; full at once. By default human if a person plays. Bots of others are never slowed
    #[arg(long, value_enum, value_name = "PACE")]
    bot_pace: Option<BotPace>,
    /// Show what agents write to stderr, before the move that follows it; the record and `replay` have it in any case
    #[arg(long, conflicts_with = "quiet")]
    stderr: bool,
    /// Show only the result
    #[arg(long, short)]
    quiet: bool,
    /// Output format: text shows the game, json gives the result as one object
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    serve: ServeArguments,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Clock {
    Lockstep,
    Live,
}

/// How fast built-in bots act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum BotPace {
    Human,
    Full,
}

pub(super) fn run(arguments: PlayArguments) -> Result<CommandOutcome> {
    let rules = arguments.settings.table(&arguments.rules, arguments.seats.len(), arguments.rounds)?;
    let private = arguments.record.iter().cloned().collect();
    let sandbox = arguments.sandbox.ready(arguments.sandbox.over(SandboxSettings::USUAL), private, true)?;
    let mut specs = agents(&arguments.seats, &sandbox, &arguments.sandbox.grant()?)?;
    let commands: Vec<AgentCommand> = specs.iter().map(|spec| spec.command.clone()).collect();
    print_shell_words(&commands);
    let with_person = people::check(&commands)?;
    let clock = arguments.clock.map(|clock| match clock {
        Clock::Lockstep => ClockMode::Lockstep,
        Clock::Live => ClockMode::Live,
    });
    let PlayArguments { bank_ms, increment_ms, start_ms, .. } = arguments;
    let with_people = with_person || served::has_people(&arguments);
    let given = people::GivenTimes { move_ms: arguments.move_ms, bank_ms, increment_ms, start_ms };
    let (clock, time) = people::times(with_people, clock, given);
    let is_slowed = match arguments.bot_pace {
        Some(pace) => pace == BotPace::Human,
        None => with_people && clock == ClockMode::Live,
    };
    ensure!(
        !is_slowed || clock == ClockMode::Live,
        usage("--bot-pace human: in lockstep no bot is faster than another; add --clock live")
    );
    let (slowed, not_slowed) = if is_slowed { people::slow_down(&mut specs) } else { Default::default() };
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => entropy::fresh_seed()?,
    };
    let table = GameConfig {
        id: GameId(maumau_engine::game_id(&seed, "play").into()),
        rules,
        seed,
        agents: (0..specs.len()).map(|agent| (agent, 0)).collect(),
        time,
        clock,
        reveal_seed: true,
        public_seed: false,
        hidden_names: false,
    };
    if let Some(record) = &arguments.record {
        atomic_file::check(record)?;
    }
    let served = served::start(&arguments, &table, &mut specs, &sandbox)?;
    // A person's screen has the terminal for itself.
    let live =
        arguments.format == OutputFormat::Text && !arguments.quiet && !with_person && std::io::stdout().is_terminal();
    let shown = Shown { live, stderr: arguments.stderr };
    if with_people {
        print_stderr!("maumau: {}", people::remark(clock, &time));
    }
    if is_slowed {
        print_stderr!("maumau: {}", people::pace_remark(&not_slowed));
    }
    let kept = with_person.then(TerminalState::new);
    let _run = log::run_span(Untrusted::new("match")).entered();
    log::run_begun(1, 1);
    let began = Instant::now();
    let shutdown = ShutdownSignal::default();
    let (ended, _) = with_signals(&shutdown, None, || {
        on_one_processor(|| play(specs.clone(), table.clone(), shown, served.clone(), shutdown.watch()))
    })?;
    served.end();
    kept.into_iter().flatten().for_each(TerminalState::restore);
    let ended = ended?;
    let (played, interrupted) = (matches!(ended, Ended::Played(_)), matches!(ended, Ended::Interrupted));
    log::run_over(u64::from(played), interrupted, began.elapsed().as_millis() as u64);
    match ended {
        Ended::Interrupted => {
            print_stderr!("maumau: interrupted; the match was not finished and nothing was recorded");
            Ok(CommandOutcome::Interrupted)
        }
        Ended::NotStarted(failures) => refuse(&arguments, &table, &specs, &sandbox, &failures),
        Ended::Played(played) => {
            let (mut played, story) = *played;
            played.log.human_pace = slowed;
            finish(&arguments, played, (!with_person).then_some(story), &sandbox)?;
            Ok(CommandOutcome::Done)
        }
    }
}

/// Records and shows a match that was played; `story` has been printed as far as somebody could watch, and is absent if somebody
/// has played it here.
fn finish(
    arguments: &PlayArguments,
    mut played: Played,
    story: Option<StoryProgress>,
    sandbox: &Sandbox,
) -> Result<()> {
    played.log.sandbox = Some(sandbox.level());
    let permits = served::permits(arguments);
    if permits.iter().any(|permits| !permits.is_empty()) {
        played.log.permits = permits.iter().map(|permits| permits.named()).collect();
    }
    let (record, digest) = played.log.to_record().map_err(|error| {
        anyhow::anyhow!(
            "the game cannot be played once more from its own log, which is an error of this program: {error}"
        )
    })?;
    let recorded = arguments.record.as_ref().map(|path| atomic_file::write(path, &record)).transpose();
    // A match that is over is shown, also where there is no room for its record.
    show(arguments, &played, story, digest, recorded.is_ok())?;
    recorded?;
    write_fault_report(arguments, played)
}

/// The folder for fault reports, where one is wanted.
fn fault_reports_folder(arguments: &PlayArguments) -> Option<PathBuf> {
    let beside = || arguments.record.as_ref().map(|record| record.with_extension("fault-reports"));
    arguments.fault_reports.clone().or_else(beside)
}

/// Prints the last words of agents that have ended or whose code has failed, and what their authors can do.
fn print_last_words(played: &Played) {
    let ended = [CountedFault::Conduct(ConductFault::Gone), CountedFault::Free(FreeFault::Crash)];
    let header = &played.log.header;
    for (seat, evidence) in &played.evidence {
        if !played.tallies[seat.index()].faults.iter().any(|(fault, _)| ended.contains(&fault)) {
            continue;
        }
        let words = last_lines(&evidence.stderr);
        let name = Untrusted::new(&header.names[seat.index()]).terminal();
        words.lines().for_each(|line| print_stderr!("{name}'s stderr: {}", Untrusted::new(line).terminal()));
        evidence.hint.iter().for_each(|hint| print_stderr!("{name}: {hint}"));
    }
}

/// Writes what there is to say about seats with faults.
fn write_fault_report(arguments: &PlayArguments, played: Played) -> Result<()> {
    if played.evidence.is_empty() {
        return Ok(());
    }
    print_last_words(&played);
    let Some(folder) = fault_reports_folder(arguments) else {
        print_stderr!(
            "maumau: --fault-reports DIR keeps what there is to know about these faults, such as the last lines and stderr"
        );
        return Ok(());
    };
    let mut reports = FaultReports::new(folder);
    reports.add(&FaultyGame {
        name: "game".to_owned(),
        faults: played.tallies.into_iter().map(|tally| tally.faults).collect(),
        commands: arguments.seats.clone(),
        permits: served::permits(arguments),
        log: played.log,
        evidence: played.evidence,
    })?;
    if let Some(text) = reports.finish().text() {
        print_stderr!("{text}");
    }
    Ok(())
}

/// How a match ended.
enum Ended {
    Played(Box<(Played, StoryProgress)>),
    /// By seat, why its agent did not start.
    NotStarted(Vec<Option<StartFailure>>),
    Interrupted,
}

/// What is shown of a match.
#[derive(Clone, Copy)]
struct Shown {
    /// Its moves as they are made, because somebody watches.
    live: bool,
    /// What agents write to stderr.
    stderr: bool,
}

/// Plays until the end or a signal, and shows the moves meanwhile where somebody watches; in any case no agent is left
/// behind.
async fn play(
    specs: Vec<AgentSpec>,
    table: GameConfig,
    shown: Shown,
    served: served::ServedMatch,
    mut state: watch::Receiver<RunState>,
) -> Result<Ended> {
    let event_loop: Rc<EventLoop> = EventLoop::new(specs)?;
    let ended = tokio::select! {
        ended = async {
            served.show(&event_loop).await;
            play_to_end(&event_loop, table, shown).await
        } => ended,
        stop = state.wait_for(|state| *state == RunState::Stop) => {
            stop.context("nobody can stop this match")?;
            Ok(Ended::Interrupted)
        }
    };
    let written = event_loop.stop().await;
    ended.map(|ended| match ended {
        Ended::Played(mut played) => {
            // At a table each seat has an agent of its own number.
            for (seat, text) in written.into_iter().filter_map(|(agent, text)| Some((Seat::new(agent)?, text))) {
                played.0.log.add_stderr(seat, &text);
            }
            Ended::Played(played)
        }
        other => other,
    })
}

async fn play_to_end(event_loop: &Rc<EventLoop>, table: GameConfig, shown: Shown) -> Result<Ended> {
    let seated = event_loop.seat(&table).await?;
    if seated.iter().any(Result::is_err) {
        return Ok(Ended::NotStarted(seated.into_iter().map(Result::err).collect()));
    }
    let mut story = None;
    let mut play = std::pin::pin!(event_loop.play(ONE_GAME, table, seated));
    let played = loop {
        tokio::select! {
            played = &mut play => break played?,
            () = tokio::time::sleep(SHOW_EVERY), if shown.live => print_more(event_loop, &mut story, shown.stderr)?,
        }
    };
    let story = story.map_or_else(|| StoryProgress::new(&played.log.header, shown.stderr), Ok)?;
    Ok(Ended::Played(Box::new((played, story))))
}

/// Prints what has happened since the last time.
fn print_more(event_loop: &EventLoop, story: &mut Option<StoryProgress>, stderr: bool) -> Result<()> {
    let more = event_loop.watch(|referee| {
        let story = match story {
            Some(story) => story,
            None => story.insert(StoryProgress::new(&referee.header(), stderr)?),
        };
        story.go_on(referee.logged())
    });
    more.map_or(Ok(()), |text| print_painted(&text?))
}

/// One agent a seat.
fn agents(seats: &[String], sandbox: &Arc<Sandbox>, grant: &Grant) -> Result<Vec<AgentSpec>> {
    let parse = |(index, line): (usize, &String)| {
        AgentCommand::parse(&people::command_of(served::command(line)))
            .map_err(|error| usage(format!("--seat number {}: {error}", index + 1)))
    };
    let commands = seats.iter().enumerate().map(parse).collect::<Result<Vec<_>>>()?;
    let mut names = agent_names(&commands);
    people::call_by_name(seats, &mut names)?;
    let named = names.into_iter().zip(commands);
    // This program's own screen needs the terminal, which no sandbox leaves to an agent.
    let of = |command: &AgentCommand| if people::sits_here(command) { Sandbox::none() } else { Arc::clone(sandbox) };
    let spec = |(name, command): (String, AgentCommand)| {
        let command = command.clone().in_sandbox(&of(&command)).granted(grant.clone());
        AgentSpec { name, command }
    };
    Ok(named.map(spec).collect())
}

fn show(
    arguments: &PlayArguments,
    played: &Played,
    story: Option<StoryProgress>,
    digest: Digest,
    recorded: bool,
) -> Result<()> {
    let log = &played.log;
    if arguments.format == OutputFormat::Json {
        let faults: Vec<_> = played.tallies.iter().map(|tally| &tally.faults).collect();
        let mut result = serde_json::json!({
            "schema": "maumau-result/1",
            "game": log.header.game,
            "rules": log.header.rules.name,
            "options": log.header.rules.options,
            "names": log.header.names,
            "seed": log.header.seed,
            "result": log.result,
            "faults": faults,
            "void": played.tallies.iter().map(|tally| tally.void).collect::<Vec<_>>(),
            "digest": digest,
            "sandbox": log.sandbox,
            "permits": log.permits,
        });
        let uses = model_uses(log);
        if !uses.is_empty() {
            result["models"] = json!(uses);
        }
        return print(&(untrusted::json(&result)? + "\n"));
    }
    let mut text = String::new();
    if let Some(mut story) = story.filter(|_| !arguments.quiet) {
        text += &story.go_on(&log.inputs)?;
        text.push('\n');
    }
    text += &result_lines(&log.header, &log.result);
    for (name, tally) in log.header.names.iter().zip(&played.tallies) {
        let faults = (!tally.faults.is_empty()).then(|| tally.faults.list(", "));
        let void = (tally.void > 0).then(|| format!("{} deadlines void, the host was to blame", tally.void));
        let counts: Vec<String> = faults.into_iter().chain(void).collect();
        if !counts.is_empty() {
            text += &format!("     {}: {}\n", Untrusted::new(name).terminal(), counts.join(", "));
        }
    }
    for used in model_uses(log) {
        text += &format!("     {}\n", used.line());
    }
    if !arguments.quiet {
        text += &format!("\nseed {}\ndigest {digest}\n", log.header.seed);
        if let Some(level) = log.sandbox {
            text += &sandbox_lines(level, log);
        }
        if let Some(path) = arguments.record.as_ref().filter(|_| recorded) {
            let (name, path) = (program_name(), path.display().to_string());
            let word = shlex::try_quote(&path).unwrap_or_else(|_| (&path).into());
            text += &format!("record {} (show it with: {name} replay {word})\n", Untrusted::new(&path).terminal());
        }
    }
    if !arguments.quiet && !arguments.stderr {
        text += &unshown_stderr(log);
    }
    let dismissed = log.result.dismissed.iter().filter_map(|seat| log.header.names.get(seat.index()));
    let dismissed: Vec<String> = dismissed.map(|name| Untrusted::new(name).terminal()).collect();
    if !dismissed.is_empty() {
        text += &format!("dismissed: {}\n", dismissed.join(", "));
    }
    print_painted(&text)
}

/// How much agents have written to stderr that was not shown.
fn unshown_stderr(log: &GameLog) -> String {
    let mut lines = vec![0; log.header.names.len()];
    for said in log.inputs.iter().flat_map(|logged| &logged.meta.stderr) {
        lines[said.seat.index()] += said.text.lines().count();
    }
    let of_agents = log.header.names.iter().zip(lines).filter(|(_, lines)| *lines > 0);
    let of_agents: Vec<String> = of_agents
        .map(|(name, lines)| format!("{} ({})", Untrusted::new(name).terminal(), counted(lines as u64, "line")))
        .collect();
    if of_agents.is_empty() {
        return String::new();
    }
    format!("written to stderr, which --stderr shows: {}\n", of_agents.join(", "))
}

/// At which level agents ran, and what was permitted to whom.
pub(super) fn sandbox_lines(level: SandboxLevel, log: &GameLog) -> String {
    let mut text = format!("sandbox {level}\n");
    for (name, permits) in log.header.names.iter().zip(&log.permits).filter(|(_, permits)| !permits.is_empty()) {
        let (name, permits) = (Untrusted::new(name).terminal(), permits.to_string());
        text += &format!("  permitted to {name}: {}\n", Untrusted::new(&permits).terminal());
    }
    text
}

/// Prints why no match is played; `failures` has one entry for each seat.
///
/// # Errors
/// stdout or a fault report cannot be written.
fn refuse(
    arguments: &PlayArguments,
    table: &GameConfig,
    agents: &[AgentSpec],
    sandbox: &Sandbox,
    failures: &[Option<StartFailure>],
) -> Result<CommandOutcome> {
    let failed =
        || Seat::all(failures.len()).zip(failures).filter_map(|(seat, failure)| Some((seat, failure.as_ref()?)));
    for (seat, failure) in failed() {
        let [name, reason] = [&agents[seat.index()].name, &failure.reason].map(|text| Untrusted::new(text).terminal());
        print_stderr!("maumau: seat {seat} ({name}) did not start: {reason}");
        failure.last_words.lines().for_each(|line| print_stderr!("  its stderr: {}", Untrusted::new(line).terminal()));
        let own = super::agent::of_this_program(&agents[seat.index()].command);
        let hint = own.or_else(|| failure.hint().map(str::to_owned));
        hint.into_iter().for_each(|hint| print_stderr!("  {hint}"));
    }
    print_stderr!("maumau: no match was played");
    if arguments.format == OutputFormat::Json {
        let count =
            |failure: &Option<StartFailure>| failure.iter().map(|_| ConductFault::NotStarted).collect::<FaultCounts>();
        let shown = |(seat, failure): (Seat, &StartFailure)| json!({"seat": seat, "reason": failure.reason, "stderr": failure.last_words});
        let refused = json!({
            "schema": "maumau-result/1",
            "game": table.id,
            "rules": table.rules.set().name,
            "options": table.rules.set().options,
            "names": agents.iter().map(|agent| &agent.name).collect::<Vec<_>>(),
            "seed": table.seed,
            "result": null,
            "faults": failures.iter().map(count).collect::<Vec<_>>(),
            "not_started": failed().map(shown).collect::<Vec<_>>(),
            "sandbox": sandbox.level(),
        });
        print(&(untrusted::json(&refused)? + "\n"))?;
    }
    if let Some(folder) = fault_reports_folder(arguments) {
        let mut reports = FaultReports::new(folder);
        for (seat, failure) in failed() {
            let (name, command) = (&agents[seat.index()].name, &arguments.seats[seat.index()]);
            let Some(evidence) = &failure.evidence else { continue };
            let (permits, start_ms) = (&arguments.sandbox.permits(), table.time.start_ms);
            let start = FailedStart { name, command, permits, reason: &failure.reason, evidence, start_ms };
            reports.add_start("game", seat, &start)?;
        }
        if let Some(text) = reports.finish().text() {
            print_stderr!("{text}");
        }
    }
    let cannot_run = failed().any(|(_, failure)| failure.stage == StartStage::Command);
    Ok(if cannot_run { CommandOutcome::Usage } else { CommandOutcome::NotRight })
}
