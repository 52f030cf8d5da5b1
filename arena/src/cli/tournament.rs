//! `maumau tournament`: run leagues, show their tables, give their records. It reads the options; `league` plays,
//! `run_store` keeps the games, `report` draws the tables.

mod absent_agents;
mod again_game;
mod change;
mod check;
pub(super) mod compare;
mod demo;
mod dry_run;
mod export;
mod faults;
mod made_for;
mod merge;
mod rerun;
mod served;
mod site;
mod status;
mod wanted;

pub(super) use status::duration;

use std::path::{Path, PathBuf};

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use maumau_engine::rules::all_sets;
use maumau_places::suggestion;
use maumau_report::{GameList, PUBLIC_SEED, Selection, StandingsReport, TableLook, html_report};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::fault_report;
use maumau_run::io::format::counted;
use maumau_run::io::program_name::program_name;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::{self, GivenSeed, PlayOptions, Roster};
use maumau_run::run_store::{RequestedRun, RosterChange, RunFile, RunSettings, RunWriter, Shard};
use maumau_run::runner::processors;

use super::lend::LendArguments;
use super::sandbox::{SandboxArguments, print_shell_words};
use super::serve::ServeArguments;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament demo
  maumau tournament run league.toml
  maumau tournament show league.maumau --format markdown
  maumau tournament export league.maumau --to records --games g000-d0000-r0")]
pub(super) struct TournamentArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play the games of a league that are not yet in its run file
    Run(Box<RunArguments>),
    /// Play one deal with every agent of a league, and estimate what all its games will take
    Check(check::TournamentCheckArguments),
    /// Show how far a run is, how long it will take and what is still in doubt
    Status(status::StatusArguments),
    /// End the process that plays a run, after the games in play
    Stop(status::Stop),
    /// Let an agent join a run, also while it is played
    Add(change::Add),
    /// Let an agent play no more in a run, also while it is played
    Retire(change::Retire),
    /// Let an agent that has changed play on as a new version of itself, also while its run is played
    Replace(change::Replace),
    /// Show which of two agents is better, by how much and how sure
    Compare(compare::TournamentCompareArguments),
    /// Play games of a run again beside it, and show what is different
    Rerun(rerun::TournamentRerunArguments),
    /// Put the parts of a run together that were played with --shard
    Merge(merge::TournamentMergeArguments),
    /// Show the standings and ratings of a run, or all its tables
    #[command(after_help = "Examples:
  maumau tournament show my-league.maumau
  maumau tournament show my-league.maumau --all
  maumau tournament show my-league.maumau --format markdown
  maumau tournament show my-league.maumau --format html > report.html
  maumau tournament show my-league.maumau --games --agent mine
  maumau tournament show my-league.maumau --by-author --format csv

--format html writes one page with everything: the order, the rounds and the bracket of a knock-out, ratings and ranks with intervals, \
the cross-table as a heat map, how the scores settled, seats, checks, lengths of games, faults and times. It loads nothing and needs \
no script, so it can be mailed, archived and printed.")]
    Show {
        /// The run file
        run: PathBuf,
        #[command(flatten)]
        tables: Tables,
        /// Show authors instead: the best agent of each, and sums and means of all its agents
        #[arg(long, conflicts_with_all = ["games", "times", "all"])]
        by_author: bool,
        /// List the games instead: who played, how each ended and what went wrong
        #[arg(long, conflicts_with_all = ["times", "all"])]
        games: bool,
        /// Only the games of this agent, its worst places first
        #[arg(long, requires = "games")]
        agent: Option<String>,
    },
    /// Write a run as a folder of pages that need no server
    Site(site::TournamentSiteArguments),
    /// Write everything that went wrong for one agent into a folder for its author, without hidden cards of others
    Faults(faults::TournamentFaultsArguments),
    /// Write records of a run's games, or tables of its games and seats, as files
    Export(export::TournamentExportArguments),
    /// Play a tournament of bots in several languages, without any configuration
    #[command(
        after_help = "Examples:\n  maumau tournament demo\n  maumau tournament demo --games 100 --folder first-run\n  \
                      maumau tournament demo --rules snap"
    )]
    Demo {
        /// The built-in rule set; if it lets the dealer deal, the bots do
        #[arg(long, value_name = "SET", default_value = "skat",
              value_parser = PossibleValuesParser::new(all_sets().map(|set| set.name)))]
        rules: String,
        /// About how many games
        #[arg(long, default_value_t = 480, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        games: u64,
        /// The folder for the league, its run file and its bots
        #[arg(long, value_name = "DIR", default_value = "maumau-run")]
        folder: PathBuf,
        #[command(flatten)]
        sandbox: SandboxArguments,
    },
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau tournament run my-league.toml
  maumau tournament run my-league.toml --dry-run
  maumau tournament run my-league.toml --again-game g000-d0000-r0
  maumau tournament run my-league.toml --nats nats://host:4222

A league file:

  name = \"my league\"
  rules = \"skat\"             # a built-in set, or a rule file beside this file
  seats = 2                  # seats at a table
  rounds = 1                 # of a game; by default the rule set's number
  games_per_pairing = 40     # a multiple of seats: each deal in each rotation
  seed = \"7af3…\"             # 64 hexadecimal digits; drawn by default
  public_seed = false        # true: agents may know the cards; seed = 7 will do
  concurrency = 0            # total games at once; 0 = automatic
  clock = \"lockstep\"         # or live: in real time, speed counts

  [options]                  # see: maumau rules explain skat
  misplay = 0

  [time]                     # milliseconds
  move_ms = 5000
  bank_ms = 0
  increment_ms = 0
  start_ms = 10000

  [sandbox]                  # see: arena/docs/sandbox.md
  level = \"basic\"            # none, basic or strict
  memory_mib = 512           # of one process

  [[agent]]                  # runs here unless directory says otherwise
  name = \"careful\"
  command = \"python3 agents/python/careful_bot.py\"
  env = { LEVEL = \"3\" }      # permits: environment variables
  secrets = [\"API_KEY\"]      # variables from here, never written
  read = [\"weights\"]         # files and folders to read
  network = true             # it may connect

Every key is described in arena/docs/league-files.md.

Ctrl-C finishes the games in flight; a second Ctrl-C stops at once; `maumau tournament stop` does so from elsewhere. The same command plays what is missing.

Exit codes: 0 all games are played; if an agent started in none of them, 1 it did not complete the handshake, 2 its command \
cannot be run. It is 2 as well if most agents cannot start: then nothing is played, or the run stops and keeps what was played.")]
struct RunArguments {
    /// The league file
    league: PathBuf,
    /// The run file; by default beside the league file, with the ending .maumau
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// The master seed: 64 hexadecimal digits, or a whole number where the league file has public_seed = true or all agents
    /// are built in; overrides the one in the league file
    #[arg(long)]
    seed: Option<GivenSeed>,
    /// Play all games of this agent again, for example after it was fixed; the new results replace the old ones, and its
    /// command may have changed. Can be given many times
    #[arg(long, value_name = "AGENT")]
    again: Vec<String>,
    /// Play this game again, for example after its result was disputed; the new result replaces the old one, whose record is
    /// kept beside the run file, in the folder with the ending .replaced. Can be given many times
    #[arg(long, value_name = "GAME")]
    again_game: Vec<String>,
    /// Let agents that have changed (their command, a file of theirs, their version) join as new agents, such as mine@2;
    /// the games of the old ones stay under the old names
    #[arg(long)]
    new_version: bool,
    /// Show what would be played, and play nothing: no agent is started, no file is changed
    #[arg(long)]
    dry_run: bool,
    /// Play only this part of the games, such as 2/4: the second of four parts. Each part has a run file of its own, and
    /// `maumau tournament merge` puts them together
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Processors to play on: a number, or a list such as 0,1; by default all
    #[arg(long, value_name = "N|LIST")]
    cpus: Option<String>,
    /// The folder for fault reports; by default beside the run file, with the ending .fault-reports
    #[arg(long, value_name = "DIR")]
    fault_reports: Option<PathBuf>,
    /// Show no progress, only the tables at the end
    #[arg(long, short)]
    quiet: bool,
    /// Write the name and the digest of each game to stdout as soon as it is durable, before the tables
    #[arg(long)]
    announce: bool,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    serve: ServeArguments,
    #[command(flatten)]
    sandbox: SandboxArguments,
    #[command(flatten)]
    lend: LendArguments,
}

#[derive(clap::Args, Clone, Copy)]
struct Tables {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Of the table, also show rounds, scores against each other agent, seats, checks, and each rule set alone; all
    /// other formats have them
    #[arg(long)]
    all: bool,
    /// Also show the time each agent used; it differs from run to run
    #[arg(long)]
    times: bool,
    /// Rate any number of games jointly; without it, up to 100,000
    #[arg(long)]
    ratings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Json,
    Csv,
    Markdown,
    Html,
}

pub(super) fn run(arguments: TournamentArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Command::Run(arguments) => {
            let run = arguments.run.clone().unwrap_or_else(|| arguments.league.with_extension("maumau"));
            play(&arguments, &run)
        }
        Command::Check(arguments) => check::run(arguments),
        Command::Status(arguments) => status::status(arguments),
        Command::Stop(arguments) => status::stop(arguments),
        Command::Add(arguments) => change::add(&arguments),
        Command::Retire(arguments) => change::retire(&arguments),
        Command::Replace(arguments) => change::replace(&arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Rerun(arguments) => rerun::run(&arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Show { run, tables, games, agent, by_author } => {
            if by_author {
                show_authors(&run, tables)?
            } else if games {
                list(&run, agent.as_deref(), tables.format)?
            } else {
                show(&run, tables)?
            }
            Ok(CommandOutcome::Done)
        }
        Command::Site(arguments) => site::run(&arguments),
        Command::Faults(arguments) => faults::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Demo { rules, games, folder, sandbox } => demo(&folder, games, &rules, sandbox),
    }
}

impl RunArguments {
    /// As if nothing but the files and the sandbox had been named.
    fn usual(league: PathBuf, run: PathBuf, sandbox: SandboxArguments) -> RunArguments {
        RunArguments {
            league,
            run: Some(run),
            seed: None,
            again: Vec::new(),
            again_game: Vec::new(),
            new_version: false,
            dry_run: false,
            shard: None,
            cpus: None,
            fault_reports: None,
            serve: ServeArguments::default(),
            sandbox,
            lend: LendArguments::default(),
            quiet: false,
            announce: false,
            tables: Tables { format: Format::Table, all: false, times: false, ratings: false },
        }
    }
}

/// Plays `league` into `run` and shows no tables.
pub(super) fn play_quietly(
    league: PathBuf,
    run: &Path,
    sandbox: SandboxArguments,
    quiet: bool,
) -> Result<CommandOutcome> {
    let arguments = RunArguments { quiet, ..RunArguments::usual(league, run.to_owned(), sandbox) };
    let outcome = play_games(&arguments, run)?;
    match outcome {
        CommandOutcome::Done => absent_agents::print_absentees(&arguments, run),
        CommandOutcome::Interrupted => {
            let league = arguments.league.display();
            print_stderr!(
                "maumau: interrupted; `{} tournament run {league}` goes on with what is missing",
                program_name()
            );
            Ok(outcome)
        }
        _ => Ok(outcome),
    }
}

/// Plays a league and shows its tables.
fn play(arguments: &RunArguments, run: &Path) -> Result<CommandOutcome> {
    let outcome = play_games(arguments, run)?;
    if outcome == CommandOutcome::Interrupted {
        let same = match (arguments.again.is_empty(), arguments.again_game.is_empty()) {
            (true, true) => "the same command",
            (false, true) => "the same command without --again",
            (true, false) => "the same command without --again-game",
            (false, false) => "the same command without --again and --again-game",
        };
        print_stderr!("maumau: interrupted; {same} goes on with what is missing");
    }
    if outcome != CommandOutcome::Done || arguments.dry_run {
        return Ok(outcome);
    }
    let Tables { format, all, times, .. } = arguments.tables;
    let times = times || format == Format::Markdown || (format == Format::Table && all);
    show(run, Tables { times, ..arguments.tables })?;
    absent_agents::print_absentees(arguments, run)
}

/// Plays what is missing of a league, or says what would be played.
fn play_games(arguments: &RunArguments, run: &Path) -> Result<CommandOutcome> {
    let fault_reports = arguments.fault_reports.clone().unwrap_or_else(|| run.with_extension("fault-reports"));
    let private =
        [vec![arguments.league.clone(), run.to_owned(), fault_reports.clone()], arguments.lend.private()].concat();
    let league = wanted::read_league(&arguments.league, &arguments.sandbox, &private)?;
    if let Some(groups) = league.sampled_of.filter(|_| !arguments.quiet) {
        print_stderr!(
            "maumau: the {} agents can sit together in {groups} ways, so the league is a sample of them; format = \"round-robin\" in \
             [schedule] plays all",
            league.league.agents.len()
        );
    }
    let scheduled = league.league.for_schedule();
    if let (Some(games), Some(budget), false) = (scheduled.stop.games, scheduled.budget(), arguments.quiet)
        && games != budget
    {
        let deal = scheduled.least_games();
        print_stderr!(
            "maumau: [stop] games = {games}: deals are played whole, {deal} games each time, so it ends at {budget}"
        );
    }
    if arguments.dry_run {
        return dry_run::show(arguments, &league, run);
    }
    // What the sandbox does not hold here is printed once a run.
    let sandbox = arguments.sandbox.ready(league.league.sandbox, private.clone(), arguments.quiet || run.exists())?;
    let playing = league.league.agents.iter().filter(|agent| !agent.life.retired);
    let specs = playing.map(|agent| agent.spec(&sandbox)).collect::<Result<Vec<_>>>()?;
    let problems = league::look_up(&specs);
    // A run that has begun may have nothing left to play.
    if !run.exists() {
        league::ensure_most_can_start(&problems, specs.len())?;
        made_for::ensure_made_for(&league, &specs, arguments.quiet)?;
    }
    problems.iter().filter(|_| !arguments.quiet).for_each(|problem| print_stderr!("maumau: {problem}"));
    if !run.exists() {
        let commands = league.league.agents.iter().filter_map(|agent| agent.parsed_command().ok());
        print_shell_words(&commands.collect::<Vec<_>>());
    }
    let mut play_options = PlayOptions {
        cpus: cpus(arguments.cpus.as_deref())?,
        concurrency: league.concurrency,
        quiet: arguments.quiet,
        fault_reports,
        announce: arguments.announce,
        gives_up: true,
        tap: None,
        lender: arguments.lend.lender(run)?,
    };
    let (mut roster, mut replaced) = (Roster::default(), Vec::new());
    let (writer, plan) = RunWriter::open(run, |stored| {
        let (settings, joined) = wanted::wanted(arguments, &league, stored, run)?;
        let again = joined.again.clone();
        roster = joined;
        replaced = again_game::keep(run, &arguments.again_game, &settings, &play_options.fault_reports)?;
        Ok(RequestedRun { settings, again, again_games: arguments.again_game.clone() })
    })?;
    if plan.settings.league.cards_may_be_known() && !arguments.quiet {
        print_stderr!("maumau: {PUBLIC_SEED}");
    }
    for news in roster.news.iter().filter(|_| !arguments.quiet) {
        print_stderr!("maumau: {}", Untrusted::new(news).terminal());
    }
    let again = roster.again;
    if !again.is_empty() || !replaced.is_empty() {
        let is_of_agent = |game: &str| plan.pairings.game_called(game).is_some_and(|game| game.is_of_any(&again));
        let is_gone = |game: &str| arguments.again_game.iter().any(|name| name == game) || is_of_agent(game);
        fault_report::remove(&play_options.fault_reports, is_gone)
            .context("pages about games that are played again stay")?;
    }
    let plan = Arc::new(plan);
    let pages = served::start(arguments.serve, run, (&plan.settings.league, &sandbox), &mut play_options)?;
    let reread = |settings: &RunSettings, change: &RosterChange| {
        let league = wanted::read_league(&arguments.league, &arguments.sandbox, &private)?;
        let changed = wanted::changed(&league, settings, change)?;
        if let Some(pages) = &pages {
            pages.meet(&changed.0.league, &sandbox)?;
        }
        Ok(changed)
    };
    let played = league::play(writer, &plan, &play_options, &sandbox, &reread);
    if let Some(pages) = pages {
        pages.end();
    }
    let played = played?;
    let done = played.plan.standings(&played.tally);
    if !arguments.quiet {
        let state = match played.end {
            None if done.planned == done.games => "more rounds follow".to_owned(),
            None => format!("{} missing", done.planned - done.games),
            Some(end) => end.text().to_owned(),
        };
        print_stderr!(
            "{} played, {} of {} in {} ({state}), sandbox {}",
            counted(played.new_games, "game"),
            done.games,
            done.planned,
            run.display(),
            sandbox.level()
        );
    }
    again_game::print_outcomes(run, &replaced)?;
    match played.fault_reports.map(|written| written.text()) {
        Ok(Some(text)) if !arguments.quiet => print_stderr!("{text}"),
        Ok(_) => {}
        Err(error) => print_stderr!("maumau: no more fault reports: {error:#}"),
    }
    Ok(if played.end.is_none() { CommandOutcome::Interrupted } else { CommandOutcome::Done })
}

/// The processors named by `--cpus`.
pub(super) fn cpus(wanted: Option<&str>) -> Result<Vec<usize>> {
    let all = processors();
    let Some(wanted) = wanted else { return Ok(all) };
    let number = |text: &str| {
        text.trim()
            .parse::<usize>()
            .map_err(|_| usage(format!("--cpus {wanted}: expected a number, or a list such as 0,1")))
    };
    if !wanted.contains(',') {
        return match number(wanted)? {
            count if (1..=all.len()).contains(&count) => Ok(all[..count].to_vec()),
            _ => Err(usage(format!("--cpus {wanted}: this process may use {} processors", all.len()))),
        };
    }
    let list = wanted.split(',').filter(|part| !part.trim().is_empty()).map(number).collect::<Result<Vec<_>>>()?;
    match list.iter().find(|cpu| !all.contains(cpu)) {
        Some(cpu) => {
            Err(usage(format!("--cpus {wanted}: there is no processor {cpu} for this process; there are {all:?}")))
        }
        None if list.is_empty() => Err(usage(format!("--cpus {wanted}: the list is empty"))),
        None => Ok(list),
    }
}

fn show(run: &Path, tables: Tables) -> Result<()> {
    let run = RunFile::open(run)?;
    if tables.format == Format::Html {
        return print(&html_report(&run)?);
    }
    let report = StandingsReport::of(&run, tables.times, tables.ratings)?;
    print(&match tables.format {
        Format::Table | Format::Html => {
            report.draw(TableLook::for_stdout(), if tables.all { Selection::All } else { Selection::Main })
        }
        Format::Markdown => report.draw(TableLook::Markdown, Selection::All),
        Format::Csv => report.csv(),
        Format::Json => report.json()?,
    })
}

/// Shows the authors of a run's agents.
fn show_authors(path: &Path, tables: Tables) -> Result<()> {
    let report = StandingsReport::of(&RunFile::open(path)?, false, tables.ratings)?;
    if !report.has_authors() {
        return Err(usage("no agent of this run names its author; write author = \"…\" in [[agent]]"));
    }
    print(&match tables.format {
        Format::Table => report.draw_authors(TableLook::for_stdout()),
        Format::Markdown => report.draw_authors(TableLook::Markdown),
        Format::Csv => report.authors_csv(),
        Format::Json => report.authors_json()?,
        Format::Html => {
            return Err(usage("authors have no page of their own; write --format table, markdown, csv or json"));
        }
    })
}

/// Refuses an `--agent` that `run` does not have.
fn refuse_unknown_agent(run: &RunFile, agent: &str) -> Result<()> {
    let names: Vec<&str> = run.plan.settings.league.agents.iter().map(|agent| agent.name.as_str()).collect();
    match names.contains(&agent) {
        true => Ok(()),
        false => Err(usage(format!("--agent {agent}: the run has no such agent{}", suggestion(agent, names)))),
    }
}

/// Lists the games of a run.
fn list(run: &Path, agent: Option<&str>, format: Format) -> Result<()> {
    let run = RunFile::open(run)?;
    agent.map_or(Ok(()), |agent| refuse_unknown_agent(&run, agent))?;
    let games = GameList::of(&run, agent)?;
    print(&match format {
        Format::Table => games.draw(TableLook::for_stdout()),
        Format::Markdown => games.draw(TableLook::Markdown),
        Format::Html => games.html(),
        Format::Csv => games.csv(),
        Format::Json => games.json(),
    })
}

fn demo(folder: &Path, games: u64, rules: &str, sandbox: SandboxArguments) -> Result<CommandOutcome> {
    let demo = demo::set_up(folder, games, rules)?;
    for language in &demo.missing {
        print_stderr!("{language} is not installed: its bots play no part");
    }
    print_stderr!("playing the league {} into {}", demo.league.display(), demo.run.display());
    let arguments = RunArguments::usual(demo.league, demo.run.clone(), sandbox);
    let outcome = play(&arguments, &demo.run)?;
    if outcome == CommandOutcome::Done {
        let first = RunFile::open(&demo.run)?.plan.pairings.game(0).id();
        let words = [&demo.run, &folder.join("records"), &folder.join("records").join(format!("{}.jsonl", first.0))];
        let [run, records, record] = words.map(|path| path.display().to_string());
        let name = program_name();
        let quote = |word: &str| shlex::try_quote(word).map(Into::into).unwrap_or_else(|_| word.to_owned());
        let (run, records, record) = (quote(&run), quote(&records), quote(&record));
        print(&format!(
            "\nAll games are in {run}. Go on with:\n  {name} tournament show {run}\n  \
             {name} tournament export {run} --to {records}\n  {name} replay {record}\n"
        ))
        .context("stdout")?;
    }
    Ok(outcome)
}
