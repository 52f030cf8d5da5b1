//! `maumau duel`: whether one bot is better than another. It writes a league file for each rule set, in which the two meet on
//! duplicate deals until a test decides; playing it is left to `tournament`, the sentence to `tournament compare`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use maumau_engine::rules::all_sets;
use maumau_protocol::MAX_SEATS;
use maumau_run::agent::{AgentCommand, agent_names};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::run_store::RunFile;
use maumau_tournament::statistics::sequential::MatchTest;

use super::agent;
use super::sandbox::SandboxArguments;
use super::tournament::{compare, play_quietly};

/// Play two bots against each other until one is shown to be better, or a budget is spent.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau duel 'python3 my_bot.py' greedy
  maumau duel 'maumau agent search --simulations 1000' search --rules skat
  maumau duel 'python3 new.py' 'python3 old.py' --rules skat --rules snap

Copies of the two fill the table in turn, and every deal is played again with the seats changed, so that luck counts little. After \
every deal a test asks whether A's score is at most 0.5 or at least --mu1; it errs in 5 % of duels at most, either way. All \
games stay in a run file in --folder: `maumau tournament show` has the tables, `maumau serve` the games.")]
pub(super) struct DuelArguments {
    /// The bot in question: a command, or the name of a built-in bot, such as greedy
    a: String,
    /// The bot that it has to beat
    b: String,
    /// Name of a built-in rule set, or path of a rule file; can be given many times, a duel each
    #[arg(long, default_value = "basic")]
    rules: Vec<String>,
    /// Seats at the table
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=MAX_SEATS as i64))]
    seats: u8,
    /// The score against B of an A that is better
    #[arg(long, value_name = "SCORE", default_value_t = 0.55)]
    mu1: f64,
    /// At most about so many games with each rule set
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    games: u64,
    /// At most about so many minutes for each rule set
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    minutes: Option<u64>,
    /// The folder for the league files and the run files
    #[arg(long, value_name = "DIR", default_value = "maumau-duels")]
    folder: PathBuf,
    /// Show no progress, only the results
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

pub(super) fn run(arguments: DuelArguments) -> Result<CommandOutcome> {
    let DuelArguments { a, b, rules, seats, mu1, games, minutes, folder, quiet, sandbox } = arguments;
    ensure!(0.5 < mu1 && mu1 < 1.0, usage(format!("--mu1 {mu1}: expected a score above 0.5 and below 1")));
    let commands = [command_of(&a), command_of(&b)];
    let parsed = commands.iter().map(|command| AgentCommand::parse(command)).collect::<Result<Vec<_>>>()?;
    let names = agent_names(&parsed);
    std::fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    for rules in rules {
        let (league, run) = free_names(&folder, &names, &rules)?;
        let stop = Stop { mu1, games, minutes };
        let text = league_text([(&names[0], &commands[0]), (&names[1], &commands[1])], &rules, seats, &stop)?;
        std::fs::write(&league, text).with_context(|| format!("{} cannot be written", league.display()))?;
        let outcome = play_quietly(league, &run, sandbox.clone(), quiet)?;
        // What was played before Ctrl-C counts too.
        if run.exists() {
            let test = MatchTest { mu0: 0.5, mu1, alpha: 0.05, beta: 0.05 };
            print(&format!("{rules}: {}", compare::in_a_line(&RunFile::open(&run)?, &names[0], &names[1], test)?))?;
        }
        if outcome != CommandOutcome::Done {
            return Ok(outcome);
        }
    }
    Ok(CommandOutcome::Done)
}

/// The command of a built-in bot, if it is the name of one.
fn command_of(word: &str) -> String {
    match agent::names().any(|name| name == word) {
        true => format!("maumau agent {word}"),
        false => word.to_owned(),
    }
}

/// When a duel ends.
struct Stop {
    mu1: f64,
    games: u64,
    minutes: Option<u64>,
}

fn league_text(agents: [(&String, &String); 2], rules: &str, seats: u8, stop: &Stop) -> Result<String> {
    let rules = rules_of(rules)?;
    let deal = u64::from(seats);
    let games = stop.games.div_ceil(deal) * deal;
    let mut text = format!(
        "# Written by `maumau duel`. Commands are run in the folder where maumau is started.\nname = \"duel\"\nrules = {}\nseats = {seats}\n\
         games_per_pairing = {games}\n\n[schedule]\nformat = \"match\"\n\n[stop]\ndecision = {{ mu0 = 0.5, mu1 = {} }}\ngames = {games}\n",
        quoted(&rules),
        stop.mu1
    );
    if let Some(minutes) = stop.minutes {
        text += &format!("minutes = {minutes}\n");
    }
    for (name, command) in agents {
        text += &format!("\n[[agent]]\nname = {}\ncommand = {}\n", quoted(name), quoted(command));
    }
    Ok(text)
}

/// The set called `rules`, or the whole path of the rule file at this one, for a league file in any folder.
pub(super) fn rules_of(rules: &str) -> Result<String> {
    if all_sets().any(|set| set.name == rules) {
        return Ok(rules.to_owned());
    }
    let path = Path::new(rules).canonicalize().map_err(|error| usage(format!("--rules {rules}: {error}")))?;
    Ok(path.to_str().with_context(|| format!("--rules {rules}: its path is not UTF-8"))?.to_owned())
}

/// As a string in TOML.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The league file and the run file of a new duel: `new-old-basic.toml`, or the first free `new-old-basic-2`, ….
fn free_names(folder: &Path, names: &[String], rules: &str) -> Result<(PathBuf, PathBuf)> {
    let rules = Path::new(rules).file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let stem: String = format!("{}-{}-{rules}", names[0], names[1]).chars().map(plain).collect();
    for number in 1..10_000 {
        let name = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
        let (league, run) = (folder.join(format!("{name}.toml")), folder.join(format!("{name}.maumau")));
        if !league.exists() && !run.exists() {
            return Ok((league, run));
        }
    }
    anyhow::bail!("{} holds too many duels; remove some", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duel_ends_as_its_options_say() {
        let stop_of = |games, minutes| {
            let [new, old] = ["python3 \"new bot.py\"".to_owned(), "maumau agent greedy".to_owned()];
            let names = ["new".to_owned(), "old".to_owned()];
            let stop = Stop { mu1: 0.55, games, minutes };
            let text = league_text([(&names[0], &new), (&names[1], &old)], "skat", 4, &stop).expect("a league file");
            let league: toml::Table = text.parse().expect("TOML");
            assert_eq!(league["agent"][0]["command"].as_str(), Some(new.as_str()));
            assert_eq!(league["games_per_pairing"], league["stop"]["games"]);
            (league["stop"]["games"].as_integer(), league["stop"].get("minutes").and_then(toml::Value::as_integer))
        };
        assert_eq!(stop_of(400, None), (Some(400), None));
        assert_eq!(stop_of(401, Some(7)), (Some(404), Some(7)), "a deal is played once for each rotation");
    }
}
