//! `maumau agent new`: a folder with a bot that plays, its test, a league and a page. It writes files and plays one game to
//! have a record; the files of each language are in `languages`.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use maumau_places::suggestion;
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use serde_json::json;

use super::languages::{Language, all};

/// Begin a new bot: a folder with a bot that plays every rule set, its test, a league and a page.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau agent new my-bot
  maumau agent new my-go-bot --language go

`maumau agent languages` lists the languages and what they need.")]
pub(super) struct AgentNewArguments {
    /// The name of the bot and of its folder, which must not exist: small letters, digits and hyphens
    name: String,
    /// The language
    #[arg(long, default_value = "python")]
    language: String,
}

/// The name that stands in the templates.
const PLACEHOLDER: &str = "my-bot";

pub(super) fn run(arguments: AgentNewArguments) -> Result<CommandOutcome> {
    let AgentNewArguments { name, language } = arguments;
    let languages = all()?;
    let Some(language) = languages.iter().find(|one| one.is_called(&language)) else {
        let known = suggestion(&language, languages.iter().map(|one| &*one.name));
        return Err(usage(format!(
            "there is nothing to begin with in {language:?}{known}: see `maumau agent languages`"
        )));
    };
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if !begins || !name.chars().all(is_plain) || name.len() > 60 {
        return Err(usage(format!(
            "{name:?} is no name for a bot: write up to 60 small letters, digits and hyphens, a letter first"
        )));
    }
    let folder = Path::new(&name);
    if folder.exists() {
        return Err(usage(format!("{name} exists already: choose another name, or move it away")));
    }
    write_all(folder, &name, language)?;
    record_game(folder)?;
    print(&next_steps(&name, language))?;
    Ok(CommandOutcome::Done)
}

fn write_all(folder: &Path, name: &str, language: &Language) -> Result<()> {
    for (path, text) in language.files()? {
        write(folder, path, &filled(text, name))?;
    }
    write(folder, "README.md", &page(name, language))?;
    write(folder, "league.toml", &league(name, language))?;
    write_manifest(folder, name, language)?;
    if let (Some(debug), Some(launch)) = (&language.debug, &language.launch) {
        let mut configuration = json!({ "name": "choose, in a recorded game", "preLaunchTask": "maumau feed" });
        if let (Some(all), Some(own)) = (configuration.as_object_mut(), launch.as_object()) {
            all.extend(own.clone());
        }
        let configuration: serde_json::Value = filled(&configuration.to_string(), name).parse()?;
        let launch = json!({ "version": "0.2.0", "configurations": [configuration] });
        write(folder, ".vscode/launch.json", &format!("{launch:#}\n"))?;
        let mut commands = language.build.clone();
        commands.push(format!("maumau feed game.jsonl --seat 0 --wait -- {debug}"));
        let task = json!({
            "label": "maumau feed",
            "type": "shell",
            "command": filled(&commands.join(" && "), name),
            "isBackground": true,
            "problemMatcher": {
                "pattern": { "regexp": "^never$" },
                "background": { "activeOnStart": true, "beginsPattern": "^$", "endsPattern": "waited for as long as it takes" }
            }
        });
        let tasks = json!({ "version": "2.0.0", "tasks": [task] });
        write(folder, ".vscode/tasks.json", &format!("{tasks:#}\n"))?;
    }
    Ok(())
}

/// How a club builds and starts the bot. A command with quotes stands in a script.
fn write_manifest(folder: &Path, name: &str, language: &Language) -> Result<()> {
    let mut build: Vec<String> = language.club_build().iter().map(|line| filled(line, name)).collect();
    if build.iter().any(|line| line.contains(['"', '\''])) {
        write(folder, "build.sh", &format!("set -e\n{}\n", build.join("\n")))?;
        build = vec!["sh build.sh".to_owned()];
    }
    let mut text = format!("name = {}\n", json!(name));
    match &build[..] {
        [] => {}
        [only] => text += &format!("build = {}\n", json!(only)),
        more => text += &format!("build = {}\n", json!(more)),
    }
    text += &format!("run = {}\n", json!(filled(language.club_run(), name)));
    write(folder, "bot.toml", &text)
}

fn write(folder: &Path, path: &str, text: &str) -> Result<()> {
    let path = folder.join(path);
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).with_context(|| format!("the folder {} cannot be made", parent.display()))?;
    std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// A template with the bot's name, and where it says so the folders of the crates in Rust.
fn filled(text: &str, name: &str) -> String {
    let text = text.replace(PLACEHOLDER, name);
    if !text.contains("SDK") {
        return text;
    }
    // As long as the sources from which this program was built are there; else the published crates.
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = [("{ path = \"PROTOCOL\" }", "protocol"), ("{ path = \"SDK\" }", "agents/sdk")];
    crates.iter().fold(text, |text, (mark, folder)| {
        let place = sources.join(folder).canonicalize();
        let wanted = match place {
            Ok(place) => format!("{{ path = {:?} }}", place.display().to_string()),
            Err(_) => format!("{:?}", env!("CARGO_PKG_VERSION")),
        };
        text.replace(mark, &wanted)
    })
}

/// Plays a game of built-in bots, so that there is a record to feed the new one with, and writes what a seat was sent.
fn record_game(folder: &Path) -> Result<()> {
    let play = ["play", "--rules", "skat", "--rounds", "2", "--seed", "1", "--quiet", "--record", "game.jsonl"];
    maumau(folder, &[&play[..], &["--seat", "maumau agent greedy", "--seat", "maumau agent random"]].concat())?;
    let lines = maumau(folder, &["feed", "game.jsonl", "--seat", "0", "--lines"])?;
    std::fs::write(folder.join("lines.jsonl"), lines).context("lines.jsonl cannot be written")
}

/// Runs this program in the new folder; returns what it prints.
fn maumau(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let program = std::env::current_exe().context("the program's own file is unknown")?;
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "`maumau {}` failed in {}: {}",
        arguments.join(" "),
        folder.display(),
        stderr.trim()
    );
    Ok(output.stdout)
}

/// The commands of every day, in the order of their use.
fn commands(name: &str, language: &Language) -> Vec<(&'static str, String)> {
    let run = filled(&language.run, name);
    let sandbox = language.sandbox.as_ref().map_or(String::new(), |level| format!("--sandbox {level} "));
    vec![
        ("play", format!("maumau play --rules basic {sandbox}--seat '{run}' --seat 'maumau agent greedy'")),
        ("check", format!("maumau check {sandbox}-- {run}")),
        ("feed", format!("maumau feed game.jsonl --seat 0 --any-answer {sandbox}-- {run}")),
        ("league", "maumau tournament run league.toml".to_owned()),
    ]
}

fn page(name: &str, language: &Language) -> String {
    let title = &language.title;
    let mut text =
        format!("# {name}\n\nA bot for the Mau-Mau arena in {title}. Look for \"Think here\" in its source.\n\n");
    if !language.build.is_empty() {
        text += "Build it, after every change:\n\n";
        language.build.iter().for_each(|line| text += &format!("    {}\n", filled(line, name)));
        text += "\n";
    }
    let about = [
        ("play", "Play a game against a built-in bot:"),
        ("check", "Check that it does what the protocol asks, in every rule set:"),
        (
            "feed",
            "Feed it the asks of a recorded game; each answer that differs from that of the player then is shown:",
        ),
        ("league", "Play a league against three built-in bots:"),
    ];
    for ((_, command), (_, about)) in commands(name, language).iter().zip(about) {
        text += &format!("{about}\n\n    {command}\n\n");
    }
    if let Some(test) = &language.test {
        text += &format!(
            "Its test feeds it the lines of that game too, in one process, and expects legal answers:\n\n    {test}\n\n"
        );
    }
    if let Some(debug) = &language.debug {
        let install = language.debugger.as_ref().map_or(String::new(), |how| format!(" (`{how}`)"));
        text += &format!(
            "To stop in it with a debugger{install}: in Visual Studio Code set a breakpoint and press F5. In any other editor, start\n\
             this and attach yourself to the port:\n\n    maumau feed game.jsonl --seat 0 --wait -- {}\n\n",
            filled(debug, name)
        );
    }
    text.trim_end().to_owned() + "\n"
}

fn league(name: &str, language: &Language) -> String {
    let run = json!(filled(&language.run, name));
    let mut text = format!(
        "# {name} against three built-in bots. In this folder: maumau tournament run league.toml\n\nname = \"{name}\"\nrules = \"basic\"\nseats \
         = 2\ngames_per_pairing = 40\n\n[[agent]]\nname = \"{name}\"\ncommand = {run}\n"
    );
    if let Some(level) = &language.sandbox {
        text = text.replace("\n[[agent]]", &format!("\n[sandbox]\nlevel = \"{level}\"\n\n[[agent]]"));
    }
    for rung in ["greedy", "first", "random"] {
        text += &format!("\n[[agent]]\nname = \"{rung}-rung\"\ncommand = \"maumau agent {rung}\"\n");
    }
    text
}

/// The text that is printed: the next commands, and what has to be installed before.
fn next_steps(name: &str, language: &Language) -> String {
    let mut text = format!("{name}: a bot in {} that plays. What comes next:\n\n", language.title);
    let missing = language.missing();
    if !missing.is_empty() {
        text += &format!("  apt-get install {}\n", missing.join(" "));
    }
    text += &format!("  cd {name}\n");
    language.build.iter().for_each(|line| text += &format!("  {}\n", filled(line, name)));
    commands(name, language).iter().for_each(|(_, command)| text += &format!("  {command}\n"));
    text
}
