//! Rows about the command itself: a program that is not found or cannot be run, and words that only a shell understands.
//! It looks for files and the first line of a script, and starts nothing.

use std::io::Read;
use std::path::{Path, PathBuf};

use maumau_places::nearest;

use super::Clues;
use crate::agent::{AgentCommand, check_variable};
use crate::io::untrusted::Untrusted;

/// Programs that run a script, by the ending of its name.
const INTERPRETERS: [(&str, &str); 12] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("cjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("lua", "lua"),
    ("php", "php"),
    ("sh", "sh"),
    ("jar", "java -jar"),
    ("R", "Rscript"),
    ("jl", "julia"),
];

/// Words of a shell that are no programs.
const OF_THE_SHELL: [&str; 10] = ["cd", "source", ".", "export", "exec", "ulimit", "set", "alias", "if", "for"];

/// Words between commands, which mean something to a shell alone.
const BETWEEN: [&str; 13] =
    ["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>", "2>/dev/null", ">/dev/null"];

/// A note about words of the command that only a shell understands: the agent gets them as arguments.
pub fn shell_words(command: &AgentCommand) -> Option<String> {
    let word = command.arguments().iter().find(|word| BETWEEN.contains(&word.as_str()))?;
    let as_typed = |word: &str| match BETWEEN.contains(&word) {
        true => word.to_owned(),
        false => shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into),
    };
    let line = std::iter::once(command.program()).chain(command.arguments().iter().map(String::as_str)).map(as_typed);
    let line = Untrusted::new(&line.collect::<Vec<_>>().join(" ")).terminal();
    let advice = match word.contains(['|', '>']) && !word.starts_with('2') && word != "||" {
        true => "its standard output is for the arena, so write a log to standard error".to_owned(),
        false => {
            format!("with a shell it is sh -c {}", shlex::try_quote(&line).map_or_else(|_| line.clone(), Into::into))
        }
    };
    let program = Untrusted::new(command.program()).quoted();
    Some(format!("no shell reads the command, so {program} gets {word:?} as an argument; {advice}"))
}

/// The words of a path that stands in the command without quotes.
pub(super) fn path_with_a_space(clues: &Clues<'_>) -> Option<String> {
    let is_lost = clues.refused.is_some() || clues.exit.is_some_and(|exit| exit != "exit status: 0");
    if !is_lost {
        return None;
    }
    let command = clues.command;
    let folder = command.directory().unwrap_or(Path::new(""));
    let words: Vec<&str> =
        std::iter::once(command.program()).chain(command.arguments().iter().map(String::as_str)).collect();
    let is_file = |name: &str| folder.join(name).is_file();
    let path = (0..words.len()).find_map(|first| {
        let starts = words[first].contains(['/', '.']) || first > 0;
        let longer = (first + 2..=words.len()).map(|end| words[first..end].join(" "));
        longer.filter(|_| starts && !is_file(words[first])).find(|path| is_file(path))
    })?;
    Some(format!("the file {path:?} has a space in its name: put it in quotes inside the command, as in '\"{path}\"'"))
}

/// `NAME=value program`.
pub(super) fn variable_before_the_program(clues: &Clues<'_>) -> Option<String> {
    clues.refused?;
    let (name, value) = clues.command.program().split_once('=')?;
    check_variable(name).ok()?;
    Some(format!(
        "no shell reads the command: --sandbox-env {name}={value} (env = {{ {name} = {value:?} }}) sets a variable"
    ))
}

/// `cd folder && …`.
pub(super) fn word_of_the_shell(clues: &Clues<'_>) -> Option<String> {
    clues.refused?;
    let word = OF_THE_SHELL.iter().find(|word| **word == clues.command.program())?;
    Some(format!("{word} is a word of the shell and no program; no shell reads the command, unless it is sh -c '…'"))
}

/// A program without a path, which lies in the agent's folder and not in PATH.
pub(super) fn program_lies_beside(clues: &Clues<'_>) -> Option<String> {
    clues.refused?;
    let program = clues.command.program();
    if program.contains('/') {
        return None;
    }
    let path = clues.command.directory().unwrap_or(Path::new("")).join(program);
    let advice = match (path.is_file(), is_executable(&path), interpreter(program)) {
        (false, ..) => return None,
        (true, false, Some(interpreter)) => format!("{interpreter} {program}"),
        (true, true, _) => format!("./{program}"),
        (true, false, None) => format!("./{program}, after chmod +x {program}"),
    };
    Some(format!("a file {program:?} lies here, and programs are looked for in PATH: write {advice}"))
}

/// A program whose name is nearly that of one in PATH.
pub(super) fn misspelt_program(clues: &Clues<'_>) -> Option<String> {
    clues.refused?;
    let program = clues.command.program();
    if program.contains('/') || in_path(clues).any(|path| path.file_name().is_some_and(|name| name == program)) {
        return None;
    }
    let names: Vec<String> = in_path(clues).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    let interpreters = INTERPRETERS.iter().map(|(_, program)| *program);
    // What bots are written in comes first: other programs are near to any short name.
    let known = interpreters.filter(|program| names.iter().any(|name| name == program));
    let near = nearest(program, known).or_else(|| {
        let long = names.iter().map(String::as_str).filter(|name| name.len() >= 5);
        nearest(program, long).filter(|_| program.len() >= 5)
    })?;
    Some(format!("did you mean {near:?}?"))
}

/// A file that may not be run.
pub(super) fn not_executable(clues: &Clues<'_>) -> Option<String> {
    clues.refused?;
    let program = clues.command.program();
    let path = clues.command.directory().unwrap_or(Path::new("")).join(program);
    if !program.contains('/') || is_executable(&path) {
        return None;
    }
    let shown = Untrusted::path(&path).terminal();
    match (path.is_dir(), path.is_file(), interpreter(program)) {
        (true, ..) => Some(format!("{shown} is a folder")),
        (_, false, _) => None,
        (_, true, Some(interpreter)) => {
            Some(format!("{shown} is not executable: write {interpreter} {program}, or chmod +x it"))
        }
        (_, true, None) => Some(format!("{shown} is not executable: chmod +x {program}")),
    }
}

/// A script whose first line names a program that is not there; a carriage return at its end counts as a part of the name.
pub(super) fn interpreter_of_the_first_line(clues: &Clues<'_>) -> Option<String> {
    let path = ran(clues)?;
    let mut first = [0; 256];
    let count = std::fs::File::open(path).ok()?.read(&mut first).ok()?;
    let line = first[..count].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let program = line.trim_start_matches(' ').split([' ', '\t']).next()?;
    if line.ends_with('\r') {
        return Some(
            "the first line of the script ends in a carriage return, as editors on Windows write it, which counts as a part of \
             the interpreter's name: convert the file (dos2unix)"
                .to_owned(),
        );
    }
    let is_there = Path::new(program).exists();
    (!is_there).then(|| format!("the first line of the script names {program:?}, which is not here"))
}

/// A file that the system does not know how to run.
pub(super) fn no_program(clues: &Clues<'_>) -> Option<String> {
    let is_no_program = |text: &str| text.contains("Exec format error");
    if !clues.refused.is_some_and(is_no_program) && !clues.last_line().is_some_and(is_no_program) {
        return None;
    }
    let program = clues.command.program();
    Some(match interpreter(program) {
        Some(interpreter) => format!("a script needs its interpreter: write {interpreter} {program}"),
        None => "it is no program of this machine: a script needs a first line that names its interpreter, such as #!/bin/sh"
            .to_owned(),
    })
}

/// The program's own file, if it was found and could not be run.
fn ran(clues: &Clues<'_>) -> Option<PathBuf> {
    let program = clues.command.program();
    let is_cause = |text: &str| text.contains("cannot be started: No such file") || text.contains("os error 2");
    if !clues.refused.is_some_and(is_cause) && !clues.last_line().is_some_and(is_cause) {
        return None;
    }
    match program.contains('/') {
        true => Some(clues.command.directory().unwrap_or(Path::new("")).join(program)),
        false => in_path(clues).find(|path| path.file_name().is_some_and(|name| name == program)),
    }
}

/// The files of the folders of PATH.
fn in_path(clues: &Clues<'_>) -> impl Iterator<Item = PathBuf> + use<> {
    let path = (clues.variable)("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.into_iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten().map(|file| file.path())
}

/// What runs a script of this name.
fn interpreter(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    INTERPRETERS.iter().find(|(known, _)| *known == ending).map(|(_, interpreter)| *interpreter)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
