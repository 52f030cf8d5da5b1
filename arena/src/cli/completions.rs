//! `maumau completions`: what a shell needs to complete commands. It reads only the definitions of the arguments.

use anyhow::Result;
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use maumau_run::error::CommandOutcome;
use maumau_run::io::stdout::print;

use super::agent::names;

/// Write a shell's completions to stdout.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau completions bash > ~/.local/share/bash-completion/completions/maumau
  maumau completions zsh > _maumau
  maumau completions fish > ~/.config/fish/completions/maumau.fish

zsh finds _maumau in the folders of $fpath.")]
pub(super) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &CompletionsArguments) -> Result<CommandOutcome> {
    print(&script(arguments.shell)?)?;
    Ok(CommandOutcome::Done)
}

fn script(shell: Shell) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(super::CommandLine::command()), "maumau", &mut script);
    Ok(String::from_utf8(script)?)
}

/// The same command, which completes the names of built-in bots too. Elsewhere they are texts, so that a wrong one gets one
/// message wherever it stands.
fn with_names(command: clap::Command) -> clap::Command {
    let agents = || PossibleValuesParser::new(names());
    let stats = |stats: clap::Command| stats.mut_arg("bots", |bots| bots.value_parser(agents()));
    let command = command.mut_subcommand("agent", |agent| agent.mut_arg("name", |name| name.value_parser(agents())));
    command.mut_subcommand("rules", |rules| rules.mut_subcommand("stats", stats))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use maumau_run::io::untrusted::Untrusted;

    #[test]
    fn every_shell_gets_every_command_and_nothing_that_stdout_would_escape() {
        for shell in Shell::value_variants() {
            let script = script(*shell).expect("a script");
            for word in
                ["tournament", "export", "replay", "positions", "doctor", "completions", "greedy", "search", "web"]
            {
                assert!(script.contains(word), "{shell}: {word}");
            }
            assert_eq!(Untrusted::new(&script).lines(""), script, "{shell}");
        }
    }
}
