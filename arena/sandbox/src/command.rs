//! The command of an agent, as a person would type it, and how it is turned into a process to start. It knows nothing
//! of how a level is set up.

use std::ffi::OsString;
use std::path::{Path, PathBuf, is_separator};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::steers;

use super::apart::{ENVIRONMENT, set_apart};
use super::{Grant, PreparedAgent, Sandbox};

/// Interpreters: programs that run the file given to them, without version numbers.
const INTERPRETERS: [&str; 25] = [
    "Rscript", "bash", "bun", "dash", "deno", "dotnet", "guile", "java", "julia", "ksh", "lua", "luajit", "mono",
    "node", "nodejs", "perl", "php", "pypy", "python", "racket", "ruby", "sh", "tclsh", "ts-node", "zsh",
];

/// A command line split into program and arguments; no shell is involved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommand {
    program: String,
    arguments: Vec<String>,
    directory: Option<PathBuf>,
    sandbox: Arc<Sandbox>,
    grant: Arc<Grant>,
    builds: bool,
}

/// The values of those variables that are set.
pub(crate) fn environment() -> impl Iterator<Item = (&'static str, OsString)> {
    ENVIRONMENT.iter().filter_map(|name| std::env::var_os(name).map(|value| (*name, value)))
}

impl AgentCommand {
    /// Splits `line` into words like a shell, including quotes.
    ///
    /// # Errors
    /// The line is empty or a quote is not closed.
    pub fn parse(line: &str) -> Result<AgentCommand> {
        let words =
            shlex::split(line).with_context(|| format!("the command {line:?} has a quote that is not closed"))?;
        let mut words = words.into_iter();
        let Some(program) = words.next() else { bail!("the command of an agent is empty") };
        Ok(AgentCommand::new(program, words.collect()))
    }

    fn new(program: String, arguments: Vec<String>) -> AgentCommand {
        AgentCommand {
            program,
            arguments,
            directory: None,
            sandbox: Sandbox::none(),
            grant: Arc::default(),
            builds: false,
        }
    }

    /// The command from words that a shell has split already; a single one is split as [`AgentCommand::parse`] does.
    ///
    /// # Errors
    /// There are no words, or a single one cannot be split.
    pub fn of_words(words: Vec<String>) -> Result<AgentCommand> {
        match words.as_slice() {
            [line] => AgentCommand::parse(line),
            _ => {
                let mut words = words.into_iter();
                let program = words.next().context("the command of an agent is empty")?;
                Ok(AgentCommand::new(program, words.collect()))
            }
        }
    }

    /// The same command, run in `directory`.
    pub fn in_directory(mut self, directory: PathBuf) -> AgentCommand {
        self.directory = Some(directory);
        self
    }

    /// The last part of the program or of its script, in printable form, and with room for a number after it; see `agent_names`
    /// of the arena.
    pub fn short_name(&self) -> String {
        let base = |word: &str| {
            let file = file_of(word);
            file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
        };
        let name = match (self.interpreted(), self.program.as_str()) {
            (Some(script), _) => base(script),
            (_, "maumau") => self.arguments.iter().find(|word| *word != "agent").cloned().unwrap_or_default(),
            _ => base(&self.program),
        };
        name.chars().filter(|c| !steers(*c)).take(MAX_NAME_CHARS - " 16".len()).collect()
    }

    /// The file that the program interprets, if it is an interpreter and is given one.
    pub(crate) fn interpreted(&self) -> Option<&str> {
        let file = file_of(&self.program);
        let file = file.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(file);
        let language = file.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        // The words of `sh -c` are not a file, and `run` is a subcommand of deno and bun.
        let is_file = |word: &&String| !word.starts_with('-') && !word.contains(char::is_whitespace) && *word != "run";
        let script = self.arguments.iter().find(is_file).map(String::as_str);
        script.filter(|_| INTERPRETERS.contains(&language))
    }

    /// The file that the command runs, found as the agent finds it; absent if it is looked up in PATH, or is a part of this
    /// program.
    pub fn script(&self) -> Option<PathBuf> {
        let program = Some(self.program.as_str()).filter(|program| program.contains(is_separator));
        // A name with neither is a class or a module.
        let file = self.interpreted().filter(|file| file.contains('.') || file.contains(is_separator)).or(program)?;
        Some(self.directory.as_deref().unwrap_or(Path::new("")).join(file))
    }

    /// The same command, run in `sandbox`.
    pub fn in_sandbox(mut self, sandbox: &Arc<Sandbox>) -> AgentCommand {
        self.sandbox = Arc::clone(sandbox);
        self
    }

    /// The same command as a build: it may write in its own folder, and has the limits of one. Only from `strict` on.
    pub fn building(mut self) -> AgentCommand {
        self.builds = true;
        self
    }

    /// True for a build.
    pub(crate) fn is_build(&self) -> bool {
        self.builds
    }

    /// The same command with this grant.
    pub fn granted(mut self, grant: Grant) -> AgentCommand {
        self.grant = Arc::new(grant);
        self
    }

    /// Its grant.
    pub fn grant(&self) -> &Arc<Grant> {
        &self.grant
    }

    /// The program as it was typed; `maumau` stands for this very binary, wherever it is installed.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// True if it is one of the agents that this program brings along.
    pub fn is_built_in(&self) -> bool {
        self.program == "maumau" && self.arguments.first().is_some_and(|word| word == "agent")
    }

    /// The arguments as they were typed.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The same command with one more argument at its end.
    #[must_use]
    pub fn with_argument(&self, argument: &str) -> AgentCommand {
        let mut command = self.clone();
        command.arguments.push(argument.to_owned());
        command
    }

    /// Its working directory; absent = the current one.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Ready to be started in its sandbox: its environment is cleared except for a few variables and its grant, and it leads
    /// its own process group.
    ///
    /// # Errors
    /// The program cannot be found or run, or may not be read in the sandbox.
    pub fn to_start(&self) -> Result<PreparedAgent> {
        self.sandbox.start_of(self)
    }

    /// The sandbox that it is run in.
    pub fn sandbox(&self) -> &Arc<Sandbox> {
        &self.sandbox
    }

    /// Ready to be started without a sandbox.
    pub fn bare_process(&self) -> Result<Command> {
        let program = match self.program.as_str() {
            "maumau" => std::env::current_exe().context("this program cannot find its own file")?,
            other => PathBuf::from(other),
        };
        let mut command = Command::new(program);
        command.args(&self.arguments).env_clear().envs(environment()).envs(self.grant.variables());
        set_apart(&mut command);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Ok(command)
    }
}

/// The last part of a path.
fn file_of(path: &str) -> &str {
    path.rsplit(is_separator).next().unwrap_or(path)
}

impl std::fmt::Display for AgentCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = std::iter::once(&self.program).chain(&self.arguments).map(String::as_str);
        match shlex::try_join(words) {
            Ok(line) => f.write_str(&line),
            Err(_) => f.write_str(&self.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        let command = AgentCommand::parse(r#"python3 "my bots/a b.py" --level 3"#).expect("a command");
        assert_eq!(command.program, "python3");
        assert_eq!(command.arguments, ["my bots/a b.py", "--level", "3"]);
        for wrong in ["", "   ", "\"open"] {
            assert!(AgentCommand::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_agent_is_named_after_its_script() {
        for (line, name) in [
            ("python3 -u bots/careful_bot.py --level 3", "careful_bot"),
            ("maumau agent greedy", "greedy"),
            ("./target/mybot --fast", "mybot"),
            ("node bot.mjs", "bot"),
            ("php bots/fast.php", "fast"),
            ("ruby3.1 -W0 quick.rb", "quick"),
            ("/usr/bin/perl -w slow.pl", "slow"),
            ("deno run --quiet wise.ts", "wise"),
            ("sh -c 'exec ./bot.sh --fast'", "sh"),
            ("'./a\n\u{2028}b'", "ab"),
            (&format!("./{}", "x".repeat(100)), &"x".repeat(61)),
        ] {
            assert_eq!(AgentCommand::parse(line).expect("a command").short_name(), name);
        }
    }
}
