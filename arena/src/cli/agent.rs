//! `maumau agent`: the built-in bots, a seat for a person, and the beginnings of new bots. It only passes the name on:
//! `maumau-agents` and `maumau-terminal` play. Of language models it knows only the command.

mod languages;
mod llm;
mod new;

use std::io::IsTerminal;

use anyhow::Result;

use super::terminal_look;

use crate::pages::web_agent;

use maumau_agents::{BotRunError, NAMES, SearchOptions, Thinking};
use maumau_places::suggestion;
use maumau_run::agent::AgentCommand;
use maumau_run::error::{CommandOutcome, usage};
use maumau_terminal::ScreenStyle;

/// The name of a person's seat.
const HUMAN: &str = "human";

/// Run a built-in bot, or the seat of a person, on stdin and stdout, as the arena starts it.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  maumau agent greedy
  maumau agent llm --endpoint http://localhost:11434/v1 --model qwen3
  maumau play --seat 'maumau agent greedy' --seat 'maumau agent random'
  maumau agent search --simulations 1000

human shows the table on the terminal and takes its moves from the keyboard; `maumau play --seat human` starts it. web plays for a \
person on a page; `maumau play --serve --seat web` starts it.

net was trained for tables of two by the built-in rule sets; at other tables it plays as greedy does."
)]
pub struct AgentArguments {
    /// random, first, greedy, net, careful, sample, ismcts or search, the weakest first; drawer or clown, which do not try to win;
    /// human or web
    #[arg(required = true)]
    name: Option<String>,
    /// How many games at once the bot offers to play [default: 64; sample 4, ismcts and search 1]
    #[arg(long)]
    games: Option<u32>,
    #[arg(long, help = simulations_help(), value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    simulations: Option<u32>,
    /// search: infers nothing from what others do
    #[arg(long)]
    no_inference: bool,
    /// A bot: take as long as a person, half a second to two seconds, before each action. `maumau play` gives it to built-in bots that
    /// play with people on the live clock
    #[arg(long)]
    human_pace: bool,
    /// human: no colours
    #[arg(long)]
    no_colours: bool,
    /// human: letters in place of the signs of suits
    #[arg(long)]
    letters: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    Llm(Box<llm::AgentLlmArguments>),
    New(new::AgentNewArguments),
    Languages(languages::AgentLanguagesArguments),
}

/// The help of `--simulations`, with what the bots do by themselves.
fn simulations_help() -> String {
    let [sample, ismcts, search] = [Thinking::SAMPLE, Thinking::ISMCTS, Thinking::SEARCH];
    format!(
        "sample, ismcts and search: playouts for a choice, all actions together [default: {}, {} and {}; where seats act between \
         turns, as in snap and spam, {}, {} and {}]",
        sample.simulations, ismcts.simulations, search.simulations, sample.in_races, ismcts.in_races, search.in_races
    )
}

/// Plays until stdin ends, or does what the subcommand says.
///
/// # Errors
/// No built-in bot has the name, or stdin or stdout fail.
pub fn run(arguments: AgentArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Some(Command::Llm(arguments)) => return llm::run(*arguments),
        Some(Command::New(arguments)) => return new::run(arguments),
        Some(Command::Languages(arguments)) => return languages::run(&arguments),
        None => {}
    }
    let name = arguments.name.unwrap_or_default();
    if name == web_agent::NAME {
        return web_agent::play().map(|()| CommandOutcome::Done);
    }
    if name == HUMAN {
        return sit(arguments.no_colours, arguments.letters);
    }
    let options = SearchOptions { simulations: arguments.simulations, no_inference: arguments.no_inference };
    match maumau_agents::run(&name, arguments.games, options, arguments.human_pace) {
        Ok(()) => Ok(CommandOutcome::Done),
        Err(error @ BotRunError::UnknownName { .. }) => Err(usage(unknown(&error, &name))),
        Err(error) if error.exit_status() == 2 => Err(usage(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Gives the seat to the person at the terminal.
fn sit(no_colours: bool, letters: bool) -> Result<CommandOutcome> {
    if std::io::stdin().is_terminal() {
        return Err(usage(
            "human is a seat that the arena starts; to sit down at a table: maumau play --seat human --seat 'maumau agent greedy'",
        ));
    }
    let look = terminal_look::look();
    let look = ScreenStyle { colours: look.colours && !no_colours, signs: look.signs && !letters, ..look };
    maumau_terminal::person::sit(std::io::stdin(), std::io::stdout(), HUMAN, look)?;
    Ok(CommandOutcome::Done)
}

/// The names of the built-in bots, the weakest first, and of the seats for a person.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let of_people = [HUMAN, web_agent::NAME];
    NAMES.map(|(name, _)| name).into_iter().chain(of_people)
}

/// The bots that try to win, the weakest first, and what each does.
pub(super) fn opponents() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES.into_iter().filter(|(_, about)| !about.starts_with("a control"))
}

/// The message for a name that no built-in bot has, in one line: it may be the last one that a bot says.
pub(super) fn unknown(error: &BotRunError, name: &str) -> String {
    format!("{error}{}", suggestion(name, names()))
}

/// What to write where the name of a bot of this program stands for its command.
pub(super) fn of_this_program(command: &AgentCommand) -> Option<String> {
    let is_named = NAMES.iter().any(|(name, _)| *name == command.program());
    (is_named && command.arguments().is_empty())
        .then(|| format!("{0} is a bot of this program: write --seat 'maumau agent {0}'", command.program()))
}
