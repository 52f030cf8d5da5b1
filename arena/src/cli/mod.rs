//! The command line: one file a command. Nothing else knows it. It reads the arguments, starts the log and turns the
//! outcome into an exit code.

pub mod agent;
mod analyse;
mod check;
mod club;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod doctor;
mod duel;
mod feed;
mod learn;
mod lend;
mod lobby;
mod man;
#[cfg(feature = "cluster")]
mod nats_access;
mod people;
mod play;
mod puzzles;
mod replay;
mod rule_settings;
mod rules;
mod rules_new;
mod rules_stats;
mod sandbox;
mod schema;
mod serve;
mod submit;
mod terminal_look;
mod tournament;
mod verify;
mod watch;
#[cfg(not(feature = "cluster"))]
mod without_cluster;

pub use rules_stats::{BotGame, play_bots};
pub use sandbox::SandboxArguments;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use maumau_run::agent::resource_limits;
use maumau_run::error::{CommandOutcome, exit_code};
use maumau_run::log::{self, LogArguments};
#[cfg(not(feature = "cluster"))]
use without_cluster as cluster;

/// Referee and arena for bots that play card games of the Mau-Mau family.
#[derive(Parser)]
#[command(name = "maumau", version, propagate_version = true, after_help = EXAMPLES)]
struct CommandLine {
    #[command(flatten)]
    log: LogArguments,
    #[command(subcommand)]
    command: Command,
}

/// Columns that an example of a help text has at most.
const EXAMPLE_WIDTH: u16 = 80;

const EXAMPLES: &str = "\
Examples:
  maumau tournament demo
  maumau play --seat 'maumau agent greedy' --seat 'python3 my_bot.py'
  maumau rules explain basic
  maumau replay game.jsonl

Exit codes: 0 done, 1 the thing checked is not right, 2 wrong usage or input, 3 environment, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    /// Play one match and show it.
    Play(play::PlayArguments),
    /// Learn a rule set by playing small positions.
    Learn(learn::LearnArguments),
    /// Play two bots against each other until one is shown to be better.
    Duel(duel::DuelArguments),
    /// Run tournaments and show their tables.
    Tournament(tournament::TournamentArguments),
    /// Play a run on many machines.
    Cluster(cluster::ClusterArguments),
    /// Run a standing place for bots: people send them, they are checked, and climb on a ladder.
    Club(club::ClubArguments),
    /// Check a bot, send it to a club, and follow it to its first rated game.
    Submit(submit::SubmitArguments),
    /// List, show, check, explain and test rule sets.
    Rules(rules::RulesArguments),
    /// Check records and run files by replaying their games.
    Verify(verify::VerifyArguments),
    /// Show a recorded game.
    Replay(replay::ReplayArguments),
    /// Judge the decisions of a recorded game or of a run.
    Analyse(analyse::AnalyseArguments),
    /// Write puzzles from the judged games of a run.
    Puzzles(puzzles::PuzzlesArguments),
    /// Watch a run in progress: how far it is, the standings, what went wrong.
    Watch(watch::WatchArguments),
    /// Show a run or records as pages in a browser; without a file, let people play there.
    Serve(serve::ServeCommandArguments),
    /// Check that an agent does what the protocol asks of it.
    Check(check::CheckArguments),
    /// Print the JSON Schemas of the protocol.
    Schema(schema::SchemaArguments),
    /// Send an agent the lines of a recorded seat again and compare its answers.
    Feed(feed::FeedArguments),
    /// Run a built-in bot on stdin and stdout.
    Agent(agent::AgentArguments),
    /// Test what each sandbox level restricts on this machine.
    Doctor(doctor::DoctorArguments),
    /// Write a shell's completions to stdout.
    Completions(completions::CompletionsArguments),
    /// Write manual pages: all of them to a folder, or one to stdout.
    Man(man::ManArguments),
}

/// Reads the arguments, runs the command, reports its error.
pub fn main() -> ExitCode {
    let outcome = match parse() {
        Ok(arguments) => log::start(&arguments.log).and_then(|()| run(arguments.command)),
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => print_help(&help),
    };
    exit_code(outcome)
}

/// The arguments of this process; help and the version are errors.
fn parse() -> Result<CommandLine, clap::Error> {
    let mut command = CommandLine::command();
    if terminal_size::terminal_size().is_some_and(|(width, _)| width.0 < EXAMPLE_WIDTH) {
        // A line that the terminal breaks is one line when it is copied; broken here, an example would be two commands.
        command = command.term_width(EXAMPLE_WIDTH.into());
    }
    let mut matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(with_substitute)?;
    CommandLine::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// What is gone, and what does the same.
const SUBSTITUTES: [(&str, &str); 3] = [
    ("report", "maumau tournament show RUN --format html > FILE"),
    ("--step", "maumau replay FILE on a terminal, and --positions"),
    ("--serve", "--serve --addr ADDRESS:PORT"),
];

/// Names the substitute of what is gone.
fn with_substitute(mut error: clap::Error) -> clap::Error {
    let named = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].into_iter().find_map(|kind| error.get(kind));
    let Some(ContextValue::String(named)) = named else { return error };
    if let Some((_, substitute)) = SUBSTITUTES.iter().find(|(gone, _)| gone == named) {
        let tip = StyledStr::from(format!("instead of it there is now: {substitute}"));
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Writes what was asked for instead of a command to stdout.
fn print_help(help: &clap::Error) -> Result<CommandOutcome> {
    help.print()?;
    std::io::stdout().flush()?;
    Ok(CommandOutcome::Done)
}

fn run(command: Command) -> Result<CommandOutcome> {
    resource_limits::allow_many_files();
    match command {
        Command::Play(arguments) => play::run(arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Duel(arguments) => duel::run(arguments),
        Command::Tournament(arguments) => tournament::run(arguments),
        Command::Cluster(arguments) => cluster::run(arguments),
        Command::Club(arguments) => club::run(arguments),
        Command::Submit(arguments) => submit::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Watch(arguments) => watch::run(arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Feed(arguments) => feed::run(arguments),
        Command::Agent(arguments) => agent::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    /// Calls `look` with every command and its path, such as `maumau rules list`.
    fn walk(command: &Command, path: &str, look: &mut impl FnMut(&Command, &str)) {
        look(command, path);
        let parts = command.get_subcommands().filter(|part| part.get_name() != "help" && !part.is_hide_set());
        parts.for_each(|part| walk(part, &format!("{path} {}", part.get_name()), look));
    }

    fn after_help(command: &Command) -> String {
        command.get_after_help().map(ToString::to_string).unwrap_or_default()
    }

    /// The examples of a command's help: `maumau` and what follows, but for the shell's part.
    fn examples(command: &Command) -> Vec<String> {
        let help = after_help(command).replace("\\\n      ", "");
        let lines = help.lines().filter(|line| line.starts_with("  maumau ") || line.starts_with("  sudo maumau "));
        lines.map(|line| line.trim().split(['>', '|']).next().expect("a part").to_owned()).collect()
    }

    #[test]
    fn only_the_terminal_breaks_lines_of_help_and_none_of_an_example() {
        walk(&super::CommandLine::command(), "maumau", &mut |command, path| {
            let help = after_help(command);
            for (line, next) in help.lines().zip(help.lines().skip(1).chain([""])) {
                let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
                assert!(
                    !is_text(line) || !is_text(next) || line.ends_with(':'),
                    "{path}: {line:?} goes on in {next:?}"
                );
                let width = usize::from(super::EXAMPLE_WIDTH);
                assert!(is_text(line) || line.chars().count() <= width, "{path}: {line:?} is over {width} columns");
            }
            // A remark would be read by the command.
            assert!(examples(command).iter().all(|line| !line.contains("   ") && !line.contains('#')), "{path}");
        });
    }

    #[test]
    fn options_of_sandbox_pages_and_log_stand_under_their_headings_and_no_others_do() {
        walk(&super::CommandLine::command(), "maumau", &mut |command, path| {
            for option in command.get_arguments().filter(|option| !option.is_positional()) {
                let id = option.get_long().unwrap_or_default();
                let heading = match id {
                    _ if id.starts_with("sandbox") => Some("Sandbox"),
                    _ if id.starts_with("log") => Some("Log"),
                    "serve" => Some("Pages"),
                    "help" | "version" | "quiet" | "format" | "seat" | "to" | "run" => None,
                    _ => continue,
                };
                assert_eq!(option.get_help_heading(), heading, "{path} --{id}");
            }
        });
    }

    #[test]
    fn the_help_of_every_command_has_an_example() {
        walk(&super::CommandLine::command(), "maumau", &mut |command, path| {
            let own = examples(command).iter().any(|example| example.contains(path));
            assert!(own || command.has_subcommands(), "{path} --help has no example");
        });
    }

    /// All of it, so that a wrong word next to a right one fails.
    #[cfg(feature = "cluster")]
    #[test]
    fn the_help_of_every_command_is_the_one_that_was_reviewed() {
        let mut program = super::CommandLine::command().term_width(100).disable_help_subcommand(true);
        program.build();
        let mut pages = String::new();
        walk(&program, "maumau", &mut |command, path| {
            let help = command.clone().bin_name(path).render_long_help();
            pages += &format!("# {path} --help\n\n{help}\n");
        });
        insta::assert_snapshot!("help", pages);
    }

    #[test]
    fn every_example_is_a_command_line_that_can_be_read() {
        super::CommandLine::command().debug_assert();
        let mut read = 0;
        walk(&super::CommandLine::command(), "maumau", &mut |command, path| {
            for example in examples(command) {
                let words = shlex::split(example.trim_start_matches("sudo ")).expect("quotes in pairs");
                if let Err(error) = super::CommandLine::command().try_get_matches_from(words) {
                    panic!("the help of {path}: {example}\n{error}");
                }
                read += 1;
            }
        });
        assert!(read > 20, "{read} examples were found");
    }
}
