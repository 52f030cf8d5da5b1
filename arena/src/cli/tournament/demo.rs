//! A tournament without configuration: built-in bots against bots in other languages, if those are installed. It looks
//! for interpreters and writes a league file; playing it is left to `play`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

const AGENT_FILES: [(&str, &str); 5] = [
    ("maumau_kit.py", include_str!("../../../../agents/python/maumau_kit.py")),
    ("careful_bot.py", include_str!("../../../../agents/python/careful_bot.py")),
    ("random_bot.py", include_str!("../../../../agents/python/random_bot.py")),
    ("maumau.mjs", include_str!("../../../../agents/javascript/maumau.mjs")),
    ("greedy_bot.mjs", include_str!("../../../../agents/javascript/greedy_bot.mjs")),
];

/// The rule sets in which the dealer can deal by actions of its own, with the option that enables it.
const DEALT_BY_DEALER: [(&str, &str, &str); 2] = [("snap", "dealing", "dealer"), ("spam", "deal_count", "dealer")];

/// A demonstration, ready to run.
#[derive(Clone, Debug)]
pub(super) struct Demo {
    /// Its league file, freshly written.
    pub(super) league: PathBuf,
    /// Its run file, which does not exist yet.
    pub(super) run: PathBuf,
    /// Languages whose bots do not play, since their interpreter was not found.
    pub(super) missing: Vec<&'static str>,
}

/// Writes a league of about `games` games by the built-in set `rules`, and its bots, into `folder`, under names that are not
/// taken. If that set has the option, the dealer deals by actions of its own.
///
/// # Errors
/// The files cannot be written.
pub(super) fn set_up(folder: &Path, games: u64, rules: &str) -> Result<Demo> {
    let agents_folder = folder.join("agents");
    std::fs::create_dir_all(&agents_folder)
        .with_context(|| format!("the folder {} cannot be made", agents_folder.display()))?;
    for (name, text) in AGENT_FILES {
        let path = agents_folder.join(name);
        // Another demonstration may be running these files.
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
    }
    let script = |file: &str| shown(&agents_folder.join(file));
    let mut agents: Vec<(&str, String)> =
        ["random", "first", "greedy"].map(|name| (name, format!("maumau agent {name}"))).into();
    let mut missing = Vec::new();
    if runs("python3") {
        agents.push(("careful.py", format!("python3 {}", script("careful_bot.py"))));
        agents.push(("random.py", format!("python3 {}", script("random_bot.py"))));
    } else {
        missing.push("Python (python3)");
    }
    if runs("node") {
        agents.push(("greedy.mjs", format!("node {}", script("greedy_bot.mjs"))));
    } else {
        missing.push("JavaScript (node)");
    }
    let (league, run) = free_names(folder)?;
    let text = league_text(&agents, games, rules);
    std::fs::write(&league, text).with_context(|| format!("{} cannot be written", league.display()))?;
    Ok(Demo { league, run, missing })
}

fn league_text(agents: &[(&str, String)], games: u64, rules: &str) -> String {
    let seats = agents.len().min(4) as u64;
    let groups = (0..seats).fold(1, |groups, place| groups * (agents.len() as u64 - place) / (place + 1));
    let deals = games.div_ceil(groups * seats).max(1);
    let mut text = format!(
        "# Written by `maumau tournament demo`. Commands are run in the folder where maumau is started.\n\
         name = \"demo\"\nrules = {}\nseats = {seats}\ngames_per_pairing = {}\n\
         # A number, so that everybody sees the same games: none of these bots looks for it. With bots of others leave both out.\n\
         public_seed = true\nseed = 1\n",
        quoted(rules),
        deals * seats
    );
    if let Some((_, option, value)) = DEALT_BY_DEALER.iter().find(|(set, ..)| *set == rules) {
        text += &format!("options = {{ {option} = {} }}\n", quoted(value));
    }
    for (name, command) in agents {
        text += &format!("\n[[agent]]\nname = {}\ncommand = {}\n", quoted(name), quoted(command));
    }
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A path as a word of a command line.
fn shown(path: &Path) -> String {
    let path = path.display().to_string();
    shlex::try_quote(&path).map(Into::into).unwrap_or(path)
}

/// `demo.toml` and `demo.maumau`, or the first free `demo-2`, `demo-3`, ….
fn free_names(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    for number in 1..10_000 {
        let name = if number == 1 { "demo".to_owned() } else { format!("demo-{number}") };
        let (league, run) = (folder.join(format!("{name}.toml")), folder.join(format!("{name}.maumau")));
        if !league.exists() && !run.exists() {
            return Ok((league, run));
        }
    }
    anyhow::bail!("{} holds too many demonstrations; remove some", folder.display())
}

/// True if `program` can be run.
fn runs(program: &str) -> bool {
    let status = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
