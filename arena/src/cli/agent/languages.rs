//! `maumau agent languages`: what a new bot can be written in, and what that needs. It holds the kits and the beginnings of
//! bots, which are embedded in the program; what is written of them is in `new`.

use std::path::Path;

use anyhow::{Context, Result};
use maumau_run::error::CommandOutcome;
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use serde::Deserialize;

/// List the languages in which a new bot can begin.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau agent languages
  maumau agent languages --format json

A kit does the handshake, many games at once, faults and notes; a starter is a page without one. Packages are those of Debian.")]
pub(super) struct AgentLanguagesArguments {
    /// Text or JSON
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// A language, as `agents/languages.toml` describes it.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    /// As it is given to `--language`.
    pub(super) name: String,
    /// As people write it.
    pub(super) title: String,
    /// Other names that are taken for it.
    #[serde(default)]
    also: Vec<String>,
    /// Whether there is a kit.
    #[serde(default)]
    pub(super) kit: bool,
    files: Vec<String>,
    /// Programs, and the packages that have them.
    needs: Vec<(String, String)>,
    /// Further packages.
    #[serde(default)]
    libraries: Vec<String>,
    /// Commands that compile it.
    #[serde(default)]
    pub(super) build: Vec<String>,
    /// The command of the bot.
    pub(super) run: String,
    /// How a club builds and starts it, if not as at home.
    club: Option<ClubCommands>,
    /// The level of the sandbox that it needs, if not the usual one.
    pub(super) sandbox: Option<String>,
    /// The command that feeds it a recorded game.
    pub(super) test: Option<String>,
    /// The command of the bot where a debugger waits for an editor.
    pub(super) debug: Option<String>,
    /// How that debugger is installed.
    pub(super) debugger: Option<String>,
    /// How Visual Studio Code attaches itself.
    pub(super) launch: Option<serde_json::Value>,
}

/// How a club, which has no network, builds and starts a bot.
#[derive(Clone, Debug, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct ClubCommands {
    #[serde(default)]
    build: Vec<String>,
    run: String,
}

#[derive(Deserialize)]
struct Languages {
    language: Vec<Language>,
}

macro_rules! embedded {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("../../../../agents/", $name)))),*] };
}

const LANGUAGES: &str = include_str!("../../../../agents/languages.toml");

const FILES: [(&str, &str); 51] = embedded!(
    "python/maumau_kit.py" "python/template/bot.py" "python/template/test_bot.py"
    "javascript/maumau.mjs" "javascript/maumau.d.mts" "javascript/template/bot.mjs" "javascript/template/bot.test.mjs"
    "typescript/template/my_bot.mts" "typescript/template/bot.mts" "typescript/template/my_bot.test.mjs"
    "typescript/template/tsconfig.json"
    "sdk/template/src/main.rs" "sdk/template/Cargo.toml.template"
    "go/maumau.go" "go/go.mod" "go/template/bot.go" "go/template/bot_test.go" "go/template/go.mod"
    "java/maumau/Maumau.java" "java/template/MyBot.java" "java/template/MyBotTest.java"
    "csharp/Maumau.cs" "csharp/template/MyBot.cs" "csharp/template/MyBotTest.cs"
    "cpp/maumau.hpp" "cpp/template/bot.hpp" "cpp/template/bot.cpp" "cpp/template/bot_test.cpp"
    "ruby/maumau.rb" "ruby/maumau.rbs" "ruby/template/bot.rb" "ruby/template/bot_test.rb"
    "c/first.c" "d/first.d" "elixir/first.ex" "erlang/first.escript" "haskell/First.hs" "jq/first.jq" "kotlin/first.kt"
    "lisp/first.lisp" "lua/first.lua" "nim/first.nim" "ocaml/first.ml" "pascal/first.pas" "perl/first.pl" "php/first.php"
    "prolog/first.pl" "r/first.R" "scheme/first.scm" "shell/first.sh" "tcl/first.tcl"
);

/// All languages, kits first.
///
/// # Errors
/// The embedded list cannot be read, which is tested.
pub(super) fn all() -> Result<Vec<Language>> {
    let languages: Languages = toml::from_str(LANGUAGES).context("agents/languages.toml")?;
    Ok(languages.language)
}

impl Language {
    /// The commands with which a club builds it.
    pub(super) fn club_build(&self) -> &[String] {
        self.club.as_ref().map_or(&self.build, |club| &club.build)
    }

    /// The command with which a club starts it.
    pub(super) fn club_run(&self) -> &str {
        self.club.as_ref().map_or(&self.run, |club| &club.run)
    }

    /// True if people call it so, in whatever case.
    pub(super) fn is_called(&self, word: &str) -> bool {
        let names = [&self.name, &self.title].into_iter().chain(&self.also);
        names.into_iter().any(|name| name.eq_ignore_ascii_case(word))
    }

    /// The files of a new bot, each with its path there and its text.
    ///
    /// # Errors
    /// One of them is not embedded, which is tested.
    pub(super) fn files(&self) -> Result<Vec<(&str, &'static str)>> {
        let read = |entry: &String| FILES.iter().find(|(name, _)| *name == source(entry)).map(|(_, text)| *text);
        self.files
            .iter()
            .map(|entry| Ok((target(entry), read(entry).with_context(|| format!("{entry} is not embedded"))?)))
            .collect()
    }

    /// Lines that the author writes or reads first: all but those of the kit.
    fn lines(&self) -> Result<usize> {
        let own = self.files.iter().zip(self.files()?).filter(|(entry, (path, _))| {
            let is_source = !path.contains("est") && !path.ends_with(".mod") && !path.ends_with(".json");
            !self.kit || (entry.contains("template/") && is_source)
        });
        Ok(own.map(|(_, (_, text))| text.lines().count()).sum())
    }

    /// Packages that are not installed. Of libraries only Debian's own list knows; elsewhere they are taken to be there.
    pub(super) fn missing(&self) -> Vec<&str> {
        let programs =
            self.needs.iter().filter(|(program, _)| !is_installed(program)).map(|(_, package)| package.as_str());
        let libraries = self.libraries.iter().map(String::as_str).filter(|package| !is_unpacked(package));
        programs.chain(libraries).collect()
    }
}

/// The path in the folder of the kits.
fn source(entry: &str) -> &str {
    entry.split(" => ").next().unwrap_or(entry)
}

/// The path in the folder of the new bot.
fn target(entry: &str) -> &str {
    let named = entry.split_once(" => ").map(|(_, target)| target);
    let in_template = entry.split_once("/template/").map(|(_, rest)| rest);
    let in_folder = entry.split_once('/').map(|(_, rest)| rest);
    named.or(in_template).or(in_folder).unwrap_or(entry)
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| {
        folder.join(program).is_file() || folder.join(program).with_extension(std::env::consts::EXE_EXTENSION).is_file()
    })
}

fn is_unpacked(package: &str) -> bool {
    let folder = Path::new("/var/lib/dpkg/info");
    let list = |ending: &str| folder.join(format!("{package}{ending}.list"));
    let architectures = ["", ":amd64", ":arm64", ":i386", ":armhf", ":riscv64"];
    !folder.is_dir() || architectures.iter().any(|architecture| list(architecture).is_file())
}

pub(super) fn run(arguments: &AgentLanguagesArguments) -> Result<CommandOutcome> {
    let languages = all()?;
    if arguments.format == OutputFormat::Json {
        let mut listed = Vec::new();
        for language in &languages {
            let mut value = serde_json::to_value(language)?;
            value["missing"] = language.missing().into();
            value["lines"] = language.lines()?.into();
            listed.push(value);
        }
        print(&format!("{:#}\n", serde_json::Value::from(listed)))?;
        return Ok(CommandOutcome::Done);
    }
    let width = languages.iter().map(|language| language.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for language in &languages {
        let kind = if language.kit { "kit" } else { "starter" };
        let state = match language.missing() {
            missing if missing.is_empty() => "ready".to_owned(),
            missing => format!("apt-get install {}", missing.join(" ")),
        };
        text += &format!("{:width$}  {kind:7}  {state}\n", language.name);
    }
    print(&text)?;
    Ok(CommandOutcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_call_a_language_leads_to_it_and_to_no_other() {
        let languages = all().expect("the list");
        for (word, name) in [
            ("C#", "csharp"),
            ("py", "python"),
            ("Python", "python"),
            ("c++", "cpp"),
            ("JS", "javascript"),
            ("ts", "typescript"),
        ] {
            let found: Vec<&str> = languages.iter().filter(|one| one.is_called(word)).map(|one| &*one.name).collect();
            assert_eq!(found, [name], "{word}");
        }
        for word in languages.iter().flat_map(|one| one.also.iter().chain([&one.name, &one.title])) {
            assert_eq!(languages.iter().filter(|one| one.is_called(word)).count(), 1, "{word}");
        }
    }

    #[test]
    fn every_file_of_every_language_is_embedded_and_every_embedded_one_is_used() {
        let languages = all().expect("the list");
        let mut used = Vec::new();
        for language in &languages {
            language.files().unwrap_or_else(|error| panic!("{}: {error}", language.name));
            used.extend(language.files.iter().map(|entry| source(entry)));
        }
        let unused: Vec<&str> = FILES.iter().map(|(name, _)| *name).filter(|name| !used.contains(name)).collect();
        assert_eq!(unused, [""; 0]);
        let kits: Vec<&str> =
            languages.iter().filter(|language| language.kit).map(|language| &*language.name).collect();
        assert_eq!(kits, ["python", "javascript", "typescript", "rust", "go", "java", "csharp", "cpp", "ruby"]);
        assert!(languages.iter().filter(|language| language.kit).all(|language| language.test.is_some()));
    }

    #[test]
    fn files_go_where_the_list_says() {
        for (entry, wanted) in [
            ("python/maumau_kit.py", "maumau_kit.py"),
            ("java/maumau/Maumau.java", "maumau/Maumau.java"),
            ("sdk/template/src/main.rs", "src/main.rs"),
            ("go/go.mod => maumau/go.mod", "maumau/go.mod"),
        ] {
            assert_eq!(target(entry), wanted);
        }
    }
}
