//! What a bot's folder says about itself: `bot.toml`, or what can be guessed from the names of its files. A command names programs of
//! the system and files of the folder, and no other file: what a command names, the sandbox lets a bot read.

use serde::{Deserialize, Deserializer};

/// Characters of a bot's name at most.
const MAX_NAME: usize = 32;
/// Bytes of a command at most.
const MAX_RUN: usize = 1_000;

/// Commands of a build at most.
const MAX_BUILD: usize = 8;

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
    /// There are too many commands.
    #[error("build: expected at most {MAX_BUILD} commands")]
    Commands,
    /// A command has quotes.
    #[error(
        "{0}: {1:?} has a quote or a backslash; words are separated by blanks alone, and a script such as sh build.sh may have both"
    )]
    Quotes(&'static str, String),
    /// A command leads out of the folder.
    #[error(
        "{0}: {1:?} leads out of the bot's folder; name programs of the system by their bare names, and files from the folder or below /usr"
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
    /// The commands that make the bot of what was sent, once and one after the other; words as in `run`. The file may have one as a text.
    #[serde(default, deserialize_with = "one_or_more")]
    pub build: Vec<String>,
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
        Ok(BotManifest { name: None, build: Vec::new(), run: format!("{program} {file}") })
    }

    fn checked(self) -> Result<BotManifest, ManifestError> {
        if self.build.len() > MAX_BUILD {
            return Err(ManifestError::Commands);
        }
        self.build.iter().try_for_each(|build| check_command("build", build))?;
        check_command("run", &self.run)?;
        Ok(self)
    }
}

/// A text, or a list of texts.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a command, or a list of commands")]
    enum Commands {
        One(String),
        More(Vec<String>),
    }
    Ok(match Commands::deserialize(deserializer)? {
        Commands::One(command) => vec![command],
        Commands::More(commands) => commands,
    })
}

/// Refuses what is no command of a bot; `key` is where it stands.
fn check_command(key: &'static str, command: &str) -> Result<(), ManifestError> {
    if command.trim().is_empty() || command.len() > MAX_RUN {
        return Err(ManifestError::Length(key));
    }
    if let Some(word) = command.split_whitespace().find(|word| word.contains(['"', '\'', '\\'])) {
        return Err(ManifestError::Quotes(key, word.to_owned()));
    }
    let leads_out = command.split_whitespace().find(|word| {
        // The files of the system are for all to read.
        let word = if word.starts_with("/usr/") { &word[1..] } else { word }.replace(":/usr/", ":");
        word.contains("..") || word.starts_with(['/', '~']) || word.contains("=/") || word.contains(":/")
    });
    leads_out.map_or(Ok(()), |word| Err(ManifestError::LeadsOut(key, word.to_owned())))
}

/// True for what a bot, a member or a team may be called: 1 to 32 lower-case ASCII letters, digits and hyphens, a letter first.
pub fn is_bot_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && is_class_name(name)
}

/// True for what a class may be called: the same, but for its first letter.
pub fn is_class_name(name: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_usual)
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
            ("java -cp first.jar:/usr/share/java/gson.jar Bot", true),
            ("cat /usr/../srv/club/club.db", false),
            ("java -cp a:/usr/x:/srv/club Bot", false),
            ("", false),
        ] {
            let text = format!("run = {}\n", toml::Value::from(run));
            assert_eq!(BotManifest::parse(&text).is_ok(), is_good, "{run}");
            let build = format!("run = \"./bot\"\nbuild = {}\n", toml::Value::from(run));
            assert_eq!(BotManifest::parse(&build).is_ok(), is_good, "{run}");
        }
        let built = |build: &str| BotManifest::parse(&format!("run = \"./bot\"\nbuild = {build}")).map(|bot| bot.build);
        assert_eq!(built("\"make\""), Ok(vec!["make".to_owned()]));
        assert_eq!(built("[\"cc -c a.c\", \"cc a.o\"]").map(|build| build.len()), Ok(2));
        assert!(matches!(built("[\"make\", \"cat /etc/passwd\"]"), Err(ManifestError::LeadsOut("build", _))));
        assert!(matches!(built("3"), Err(ManifestError::Toml(why)) if why.contains("a list of commands")));
        assert!(matches!(built(&format!("{:?}", ["make"; MAX_BUILD + 1])), Err(ManifestError::Commands)));
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
        assert!(!is_bot_name(&"a".repeat(33)) && !is_class_name(&"1".repeat(33)));
        assert!(is_class_name("10b") && !is_bot_name("10b") && !is_class_name("10 b") && !is_class_name(""));
    }
}
