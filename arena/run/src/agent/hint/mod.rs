//! What an author can do about an agent that cannot be started or has ended: one table from evidence to hint. A row needs
//! something specific (an error number, a path, a variable, a limit), and looks it up where it can; without that it says
//! nothing. It reads files, links and variables that the evidence names, and changes nothing.
//!
//! Whether the agent was lost, and why, is decided elsewhere. What a silence hints at stands in `story::diagnosis` of the
//! referee, since records tell it too; what a line that is no JSON hints at in `wire::diagnosis` of the protocol, since the
//! agent is told it.

mod commands;
mod files;
mod modules;
mod signs;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;

use maumau_protocol::SandboxLevel;

use super::AgentCommand;
pub use commands::shell_words;

/// The values of variables.
type Variables<'a> = Box<dyn Fn(&str) -> Option<OsString> + 'a>;

/// The evidence about one agent.
pub struct Clues<'a> {
    /// Its command.
    pub command: &'a AgentCommand,
    /// The level of its sandbox.
    pub level: SandboxLevel,
    /// Why it cannot be started; then there is nothing else.
    pub refused: Option<&'a str>,
    /// What is kept of its stderr.
    pub stderr: &'a str,
    /// What it wrote last on its stdout.
    pub stdout: &'a str,
    /// How it ended.
    pub exit: Option<&'a str>,
    /// True if it was told that a game is over, and has sent nothing since.
    pub is_told_over: bool,
    /// A variable of the arena's environment.
    pub variable: Variables<'a>,
    /// Whether the agent may read a place that exists.
    pub may_read: Box<dyn Fn(&Path) -> bool + 'a>,
}

/// A row of the table: its name, and the hint if the evidence brings it.
type Row = (&'static str, fn(&Clues<'_>) -> Option<String>);

/// The first row with evidence counts, so rows that need more come before rows that need less.
const TABLE: [Row; 18] = [
    ("path with a space", commands::path_with_a_space),
    ("variable before the program", commands::variable_before_the_program),
    ("word of the shell", commands::word_of_the_shell),
    ("program lies beside", commands::program_lies_beside),
    ("misspelt program", commands::misspelt_program),
    ("not executable", commands::not_executable),
    ("interpreter of the first line", commands::interpreter_of_the_first_line),
    ("no program", commands::no_program),
    ("variable", signs::variable),
    ("module", modules::module),
    ("network", signs::network),
    ("threads", signs::threads),
    ("memory", signs::memory),
    ("file", files::file),
    ("call", signs::call),
    ("input is over", signs::input_is_over),
    ("first over", signs::first_over),
    ("misspelt module", modules::misspelt_module),
];

/// The hint that the evidence brings, if it brings one.
pub fn hint(clues: &Clues<'_>) -> Option<String> {
    TABLE.iter().find_map(|(_, row)| row(clues))
}

/// How many lines of a stderr count as last words: errors with long traces are among them, and what was logged before is not.
const LAST_LINES: usize = 40;

impl<'a> Clues<'a> {
    /// The surroundings of an agent with this command, and no evidence yet.
    pub fn of(command: &'a AgentCommand) -> Clues<'a> {
        Clues {
            command,
            level: command.sandbox().level(),
            refused: None,
            stderr: "",
            stdout: "",
            exit: None,
            is_told_over: false,
            variable: Box::new(|name| std::env::var_os(name)),
            may_read: Box::new(|path| command.sandbox().may_read(command, path)),
        }
    }

    /// The lines that are its last words.
    fn last_words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let lines = self.stderr.lines();
        let left_out = lines.clone().count().saturating_sub(LAST_LINES);
        lines.skip(left_out)
    }

    /// The line in which it says what it ended with: the last one that is neither indented nor empty.
    fn last_line(&self) -> Option<&'a str> {
        self.last_words().filter(|line| !line.is_empty() && !line.starts_with([' ', '\t'])).last()
    }

    /// True if one of its last words, or the way it ended, has one of the signs.
    fn has(&self, signs: &[&str]) -> bool {
        let has = |text: &str| signs.iter().any(|sign| text.contains(sign));
        self.last_words().any(has) || self.exit.is_some_and(has)
    }

    /// True if it has a sandbox, which may be the cause.
    fn is_confined(&self) -> bool {
        self.level != SandboxLevel::None
    }

    /// The words of a hint at the sandbox.
    fn sandbox(&self, means: &str) -> String {
        format!("perhaps the sandbox ({}): {means}", self.level)
    }

    /// The folder of its script and its working directory, in which it looks for files.
    fn folders(&self) -> Vec<std::path::PathBuf> {
        let script = self.command.script();
        let beside = script.as_deref().and_then(Path::parent).map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new(".").to_owned(),
            false => folder.to_owned(),
        });
        let working = self.command.directory().unwrap_or(Path::new(".")).to_owned();
        beside.into_iter().chain([working]).collect()
    }
}
