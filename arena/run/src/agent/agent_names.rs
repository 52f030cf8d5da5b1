//! Names for agents without one, made from their commands. A pure function of the commands; names that an organiser
//! gives are checked elsewhere.

use std::path::Path;

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::steers;

use super::{AgentCommand, look};

/// A name for each of `commands`: the short name of its command; if several have the same one, with what distinguishes them,
/// the words of the command or the folder of the program; and equal commands, and names that look alike, with a number.
pub fn agent_names(commands: &[AgentCommand]) -> Vec<String> {
    let short: Vec<String> = commands.iter().map(AgentCommand::short_name).collect();
    let mut names: Vec<String> = Vec::new();
    for (command, name) in commands.iter().zip(&short) {
        let alike: Vec<&AgentCommand> =
            commands.iter().zip(&short).filter(|(_, other)| *other == name).map(|(command, _)| command).collect();
        let parts = [name.clone(), what_is_its_own(command, &alike)];
        let name = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        let name: String = name.chars().filter(|c| !steers(*c)).take(MAX_NAME_CHARS - " 16".len()).collect();
        let free = (2..).map(|number| format!("{name} {number}"));
        let mut free = std::iter::once(name.clone()).chain(free);
        let free = free.find(|name| !names.iter().any(|other| look(other) == look(name)));
        names.push(free.unwrap_or(name));
    }
    names
}

/// The words of `command` that not all of `alike` have; a file is named by its folder.
fn what_is_its_own(command: &AgentCommand, alike: &[&AgentCommand]) -> String {
    let own: Vec<&str> =
        words(command).filter(|word| !alike.iter().all(|other| words(other).any(|w| w == *word))).collect();
    let shown = own.iter().map(|word| match (Path::new(word).file_name(), Path::new(word).parent()) {
        (Some(file), Some(folder)) if is_name_of(&file.to_string_lossy(), command) => {
            folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
        }
        _ => (*word).to_owned(),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// True if the short name of `command` comes from this file.
fn is_name_of(file: &str, command: &AgentCommand) -> bool {
    file.split('.').next() == command.short_name().split('.').next()
}

/// The words of a command, without an interpreter's name.
fn words(command: &AgentCommand) -> impl Iterator<Item = &str> {
    let file = Path::new(command.program()).file_name().unwrap_or_default();
    let program = Some(command.program()).filter(|_| is_name_of(&file.to_string_lossy(), command));
    program.into_iter().chain(command.arguments().iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(commands: &[&str], expected: &[&str]) {
        let parsed: Vec<_> = commands.iter().map(|line| AgentCommand::parse(line).expect("a command")).collect();
        assert_eq!(agent_names(&parsed), expected, "{commands:?}");
    }

    #[test]
    fn programs_of_one_name_differ_by_their_arguments_or_folders() {
        check(&["maumau agent greedy", "python3 bot.py"], &["greedy", "bot"]);
        check(&["python3 bot.py --level 3", "python3 bot.py --level 5"], &["bot 3", "bot 5"]);
        check(&["python3 bot.py", "python3 bot.py --deep", "maumau agent first"], &["bot", "bot --deep", "first"]);
        check(&["python3 old/bot.py", "python3 new/bot.py"], &["bot old", "bot new"]);
        check(&["python3 bot.py", "python3 new/bot.py"], &["bot", "bot new"]);
        check(&["old/bot --fast", "/a/new/bot --fast"], &["bot old", "bot new"]);
        check(&["python3 a/bot.py", "node b/bot.mjs"], &["bot a", "bot b"]);
    }

    #[test]
    fn equal_commands_are_numbered_and_no_name_comes_twice() {
        check(&["maumau agent first", "maumau agent first", "maumau agent first"], &["first", "first 2", "first 3"]);
        check(&["./bot a", "./bot b", "./bot a"], &["bot a", "bot b", "bot a 2"]);
        check(&["./bot 2", "./bot", "./bot"], &["bot 2", "bot", "bot 3"]);
        let long = format!("./{}", "x".repeat(100));
        check(&[&long, &long], &[&"x".repeat(61), &format!("{} 2", "x".repeat(61))]);
    }

    #[test]
    fn names_that_look_alike_are_numbered() {
        check(&["./bot", "./b\u{43e}t"], &["bot", "b\u{43e}t 2"]);
    }

    #[test]
    fn sixteen_agents_have_names_that_a_record_may_hold() {
        let commands = vec![AgentCommand::parse(&format!("./{}", "x".repeat(100))).expect("a command"); 16];
        let names = agent_names(&commands);
        assert!(names.iter().all(|name| name.chars().count() <= MAX_NAME_CHARS), "{names:?}");
    }
}
