//! What an author can do about an agent that cannot be started or has ended: one table from evidence to hint. A row needs
//! something specific (an error number, a path, a variable, a limit), and looks it up where it can; without that it says
//! nothing. It reads files, links and variables that the evidence names, and changes nothing.
//!
//! Whether the agent was lost, and why, is decided elsewhere. What a silence hints at stands in `story::diagnosis` of the
//! referee, since records show it too; what a line that is no JSON hints at in `wire::diagnosis` of the protocol, since the
//! agent reads it.

mod commands;
mod modules;
mod signs;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use maumau_protocol::SandboxLevel;

use super::AgentCommand;
use crate::io::untrusted::Untrusted;

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
    /// True if it was sent that a game is over, and has sent nothing since.
    pub has_heard_over: bool,
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
    ("file", file),
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
            has_heard_over: false,
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

/// What languages write for EACCES, EPERM and EROFS.
const DENIED: [&str; 6] =
    ["Permission denied", "permission denied", "EACCES", "AccessDenied", "Read-only file system", "EROFS"];

/// What they write for ENOENT.
const NOT_THERE: [&str; 5] = ["No such file or directory", "no such file", "ENOENT", "FileNotFound", "NoSuchFile"];

/// A file that exists and may not be read, or one that may not be written.
fn file(clues: &Clues<'_>) -> Option<String> {
    if !clues.is_confined() {
        return None;
    }
    let of = |line: &str, signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let fault = clues.last_words().find_map(|line| {
        let (is_denied, is_missing) = (of(line, &DENIED), of(line, &NOT_THERE));
        let found = paths(line).into_iter().flat_map(|path| clues.folders().into_iter().map(move |at| at.join(&path)));
        let mut found = found.filter(|_| is_denied || is_missing);
        found.find_map(|path| match path.canonicalize() {
            // A file that the arena cannot read either is closed by somebody else.
            Ok(real) if !(clues.may_read)(&real) && opens(&real) => {
                // Up to basic a file that cannot be read still exists.
                let is_cause = is_denied || clues.level >= SandboxLevel::Strict;
                is_cause.then(|| read(&path, real))
            }
            Ok(real) if is_denied && is_closed_to_others(&real) => Some(let_read(&real)),
            Ok(_) if is_denied && is_place_to_write(&path) => Some(write(clues.level)),
            Err(_) if is_denied && path.parent().is_some_and(Path::is_dir) => Some(write(clues.level)),
            _ => None,
        })
    })?;
    Some(clues.sandbox(&fault))
}

/// The hint at `path`, which is `real` without links: if a link leads there, it is the link's whole target that helps.
fn read(path: &Path, real: PathBuf) -> String {
    let target = path.ancestors().find(|place| place.is_symlink()).and_then(|link| link.canonicalize().ok());
    let target = target.filter(|target| real.starts_with(target)).unwrap_or(real);
    let target = Untrusted::path(&target).terminal();
    format!("it may not read {target}: --sandbox-read {target} (read = [\"{target}\"]) lets it")
}

/// Whether agents, which are users of their own if root starts the arena, may not read `real` by its mode.
#[cfg(unix)]
fn is_closed_to_others(real: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS_READ: u32 = 0o004;
    let is_closed = |file: std::fs::Metadata| file.permissions().mode() & OTHERS_READ == 0;
    nix::unistd::Uid::effective().is_root() && std::fs::metadata(real).is_ok_and(is_closed)
}

/// Only Unix has users of their own.
#[cfg(not(unix))]
fn is_closed_to_others(_: &Path) -> bool {
    false
}

fn let_read(real: &Path) -> String {
    let shown = Untrusted::path(real).terminal();
    format!("it runs as a user of its own, who may not read {shown}: let everybody read it (chmod o+r {shown})")
}

fn write(level: SandboxLevel) -> String {
    let where_to = match level >= SandboxLevel::Strict {
        true => "it may write in /var/tmp only, which is its own",
        false => "it may write nothing; from strict on it has /var/tmp",
    };
    format!("{where_to}. What it writes on standard error is kept")
}

fn opens(path: &Path) -> bool {
    if path.is_dir() { std::fs::read_dir(path).is_ok() } else { std::fs::File::open(path).is_ok() }
}

fn is_place_to_write(path: &Path) -> bool {
    !path.starts_with("/proc") && !path.starts_with("/sys") && !path.starts_with("/dev")
}

/// The words of a line that may be paths: what stands in quotes, and words with a dot or a slash.
fn paths(line: &str) -> Vec<PathBuf> {
    let mut found: Vec<&str> =
        ['\'', '"', '`'].iter().flat_map(|quote| line.split(*quote).skip(1).step_by(2)).collect();
    let separators = |c: char| c.is_whitespace() || matches!(c, ':' | '(' | ')' | ',' | '\'' | '"' | '`' | '[' | ']');
    found.extend(line.split(separators).filter(|word| word.contains(['/', '.'])));
    found.retain(|word| !word.is_empty() && !word.ends_with('.') && word.len() < 4096);
    found.into_iter().map(PathBuf::from).collect()
}
