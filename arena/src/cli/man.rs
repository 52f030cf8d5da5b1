//! `maumau man`: a manual page for each command. It reads the definitions of the arguments and writes files only into
//! the folder that it is given.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use maumau_places::suggestion;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::format::counted;
use maumau_run::io::stdout::print;

/// The program, whose name all pages begin with.
const NAME: &str = "maumau";

/// Write manual pages: all of them to a folder, or one to stdout.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau man --to man1
  maumau man tournament run | man -l -")]
pub(super) struct ManArguments {
    /// The folder for all pages, one for each command; created if it does not exist
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    to: Option<PathBuf>,
    /// The command whose page is written to stdout, as words or as the name of the page, such as tournament-run; by default
    /// maumau itself
    command: Vec<String>,
}

pub(super) fn run(arguments: &ManArguments) -> Result<CommandOutcome> {
    let program = program();
    let Some(folder) = &arguments.to else {
        print(&page(find(&program, &arguments.command)?)?)?;
        return Ok(CommandOutcome::Done);
    };
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let pages = write(&program, folder)?;
    print(&format!("{} in {}\n", counted(pages, "page"), folder.display()))?;
    Ok(CommandOutcome::Done)
}

fn program() -> Command {
    let mut program = super::CommandLine::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The command of these words, or of a page such as `tournament-run` or `maumau-tournament-run`.
fn find<'a>(program: &'a Command, words: &[String]) -> Result<&'a Command> {
    let wanted = words.join("-");
    let wanted = wanted.strip_prefix(NAME).map_or(&*wanted, |name| name.trim_start_matches('-'));
    let all = commands(program);
    let short = |command: &'a Command| name(command).trim_start_matches(NAME).trim_start_matches('-');
    all.iter().find(|command| short(command) == wanted).copied().ok_or_else(|| {
        let known = suggestion(wanted, all.iter().map(|command| short(command)).filter(|name| !name.is_empty()));
        usage(format!("there is no command {wanted:?}{known}"))
    })
}

/// A command and those below it.
fn commands(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(commands)).collect()
}

/// The name of a command's page.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Writes the pages of a command and of those below it; gives their number.
fn write(command: &Command, folder: &Path) -> Result<u64> {
    let all = commands(command);
    for command in &all {
        atomic_file::write(&folder.join(format!("{}.1", name(command))), page(command)?.as_bytes())?;
    }
    Ok(all.len() as u64)
}

fn page(command: &Command) -> Result<String> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_every_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let pages = write(&program(), folder.path()).expect("pages");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count() as u64, pages);
        for (name, words) in [
            ("maumau.1", &[r"maumau\-tournament(1)", "Exit codes"][..]),
            ("maumau-play.1", &["maumau\\-play", "\\-\\-record", "Examples"]),
            ("maumau-tournament-run.1", &["maumau\\-tournament\\-run", "\\-\\-announce"]),
            ("maumau-rules-explain.1", &["maumau\\-rules\\-explain"]),
        ] {
            let page = read(name);
            for word in words {
                assert!(page.contains(word), "{name}: no {word} in {page}");
            }
        }
    }

    #[test]
    fn no_help_shows_how_a_text_is_written_in_the_source() {
        let program = program();
        for command in commands(&program) {
            let help = command.clone().render_long_help().to_string();
            // A backslash at the end of a line goes on with a shell's command.
            let lines = help.lines().filter(|line| line.trim_end_matches('\\').contains('\\'));
            assert_eq!(lines.collect::<Vec<_>>(), Vec::<&str>::new(), "{}", name(command));
        }
    }

    #[test]
    fn a_command_is_found_by_its_words() {
        let program = program();
        let page_of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            find(&program, &words).and_then(page).map_err(|error| error.to_string())
        };
        for words in [&["tournament", "run"][..], &["tournament-run"], &["maumau-tournament-run"]] {
            assert!(page_of(words).is_ok_and(|page| page.contains("announce")), "{words:?}");
        }
        for words in [&[][..], &["maumau"]] {
            assert!(page_of(words).is_ok_and(|page| page.contains("completions")), "{words:?}");
        }
        let error = page_of(&["tournament", "rnu"]).expect_err("no such command");
        assert!(error.contains("did you mean \"tournament-run\"?"), "{error}");
    }
}
