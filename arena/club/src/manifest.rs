//! What a bot's folder says about itself: `bot.toml`, or what can be guessed from the names of its files. A command names programs of
//! the system and files of the folder, and no other file: what a command names, the sandbox lets a bot read.

use serde::Deserialize;

/// Characters of a bot's name at most.
const MAX_NAME: usize = 32;
/// Bytes of a command at most.
const MAX_RUN: usize = 1_000;

/// The files that a command is guessed from, the first that is there, and the program that runs it.
const GUESSES: [(&str, &str); 6] = [
    ("bot.py", "python3"),
    ("main.py", "python3"),
    ("bot.mjs", "node"),
    ("bot.js", "node"),
    ("bot.rb", "ruby"),
    ("bot.sh", "sh"),
];

/// What is wrong with a bot's folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is not the TOML that is expected.
    #[error("bot.toml: {0}")]
    Toml(String),
    /// There is no `bot.toml`, and nothing to guess from.
    #[error("expected bot.toml with run = \"COMMAND\", or one of the files {files}; found none of them", files = GUESSES.map(|(file, _)| file).join(", "))]
    NothingToRun,
    /// A command is empty or too long.
    #[error("{0}: expected a command of 1 to {MAX_RUN} bytes")]
    Length(&'static str),
    /// A command leads out of the folder.
    #[error(
        "{0}: {1:?} leads out of the bot's folder; name programs of the system by their bare names, and files from the folder"
    )]
    LeadsOut(&'static str, String),
}

/// How a bot is started.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotManifest {
    /// The bot's name, unless the sender gives one.
    #[serde(default)]
    pub name: Option<String>,
    /// The command that makes the bot of what was sent, once; words as in `run`.
    #[serde(default)]
    pub build: Option<String>,
    /// The command: words that are separated by blanks, without quotes; started in the folder.
    pub run: String,
}

impl BotManifest {
    /// Reads `bot.toml`.
    ///
    /// # Errors
    /// It is not the TOML that is expected, or the command leads out of the folder.
    pub fn parse(text: &str) -> Result<BotManifest, ManifestError> {
        let manifest: BotManifest =
            toml::from_str(text).map_err(|error| ManifestError::Toml(error.message().to_owned()))?;
        manifest.checked()
    }

    /// Guesses from the names of the files at the top of the folder.
    ///
    /// # Errors
    /// There is nothing to guess from.
    pub fn guess<'a>(files: impl IntoIterator<Item = &'a str>) -> Result<BotManifest, ManifestError> {
        let files: Vec<&str> = files.into_iter().collect();
        let found = GUESSES.iter().find(|(file, _)| files.contains(file));
        let (file, program) = found.ok_or(ManifestError::NothingToRun)?;
        Ok(BotManifest { name: None, build: None, run: format!("{program} {file}") })
    }

    fn checked(self) -> Result<BotManifest, ManifestError> {
        if let Some(build) = &self.build {
            check_command("build", build)?;
        }
        check_command("run", &self.run)?;
        Ok(self)
    }
}

/// Refuses what is no command of a bot; `key` is where it stands.
fn check_command(key: &'static str, command: &str) -> Result<(), ManifestError> {
    if command.trim().is_empty() || command.len() > MAX_RUN {
        return Err(ManifestError::Length(key));
    }
    let leads_out = command.split_whitespace().find(|word| {
        let word = word.trim_matches(['"', '\'']);
        word.contains("..")
            || word.starts_with(['/', '~'])
            || word.contains("=/")
            || word.contains(":/")
            || word.contains(['"', '\'', '\\'])
    });
    leads_out.map_or(Ok(()), |word| Err(ManifestError::LeadsOut(key, word.to_owned())))
}

/// True for what a bot, a member or a team may be called: 1 to 32 lower-case ASCII letters, digits and hyphens, a letter first.
pub fn is_bot_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_names_files_of_others_is_refused() {
        for (run, is_good) in [
            ("python3 bot.py", true),
            ("./bot --fast --weights=net.bin", true),
            ("python3 ../other/bot.py", false),
            ("cat /etc/passwd", false),
            ("python3 bot.py --data=/srv/club/club.db", false),
            ("java -cp lib:/srv/club Bot", false),
            ("python3 '/srv/club/club.db'", false),
            ("python3 a\"\"/../b", false),
            ("sh ~/x", false),
            ("", false),
        ] {
            let text = format!("run = {}\n", toml::Value::from(run));
            assert_eq!(BotManifest::parse(&text).is_ok(), is_good, "{run}");
            let build = format!("run = \"./bot\"\nbuild = {}\n", toml::Value::from(run));
            assert_eq!(BotManifest::parse(&build).is_ok(), is_good, "{run}");
        }
        assert!(matches!(BotManifest::parse("run = 1"), Err(ManifestError::Toml(_))));
        assert!(matches!(BotManifest::parse("run = \"x\"\nbulid = \"make\""), Err(ManifestError::Toml(_))));
    }

    #[test]
    fn a_folder_without_a_manifest_is_guessed_from_or_refused() {
        let guessed = BotManifest::guess(["README.md", "bot.py"]).map(|manifest| manifest.run);
        assert_eq!(guessed.as_deref(), Ok("python3 bot.py"));
        assert_eq!(BotManifest::guess(["x.c"]), Err(ManifestError::NothingToRun));
    }

    #[test]
    fn names_are_plain_so_that_no_two_look_alike() {
        for (name, is_good) in [
            ("ann", true),
            ("my-bot-2", true),
            ("", false),
            ("Ann", false),
            ("2x", false),
            ("a@2", false),
            ("a/b", false),
        ] {
            assert_eq!(is_bot_name(name), is_good, "{name}");
        }
        assert!(!is_bot_name(&"a".repeat(33)));
    }
}
