//! `maumau completions`: what a shell needs to complete commands. It reads only the definitions of the arguments.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::error::Outcome;
use crate::io::stdout::print;

/// Write a shell's completions to stdout.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau completions bash > ~/.local/share/bash-completion/completions/maumau
  maumau completions zsh > _maumau
  maumau completions fish > ~/.config/fish/completions/maumau.fish

zsh finds _maumau in the folders of $fpath.")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    print(&script(arguments.shell)?)?;
    Ok(Outcome::Done)
}

fn script(shell: Shell) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::Arguments::command(), "maumau", &mut script);
    Ok(String::from_utf8(script)?)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::io::untrusted::Untrusted;

    #[test]
    fn every_shell_gets_every_command_and_nothing_that_stdout_would_escape() {
        for shell in Shell::value_variants() {
            let script = script(*shell).expect("a script");
            for word in ["tournament", "export", "replay", "positions", "doctor", "completions"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
            assert_eq!(Untrusted::new(&script).lines(""), script, "{shell}");
        }
    }
}
