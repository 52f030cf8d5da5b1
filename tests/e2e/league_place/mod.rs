//! A folder with a league in it, and the real binary that acts on it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const LEAGUE: &str = r#"public_seed = true
name = "small"
rules = "skat"
seats = 2
games_per_pairing = 40
seed = 7

[[agent]]
name = "greedy"
command = "maumau agent greedy"

[[agent]]
name = "first"
command = "maumau agent first"

[[agent]]
name = "random"
command = "maumau agent random"
"#;

/// A folder with a league in it, and the commands that act on it.
pub(crate) struct Place(pub(crate) TempDir);

impl Place {
    pub(crate) fn new(league: &str) -> Place {
        let place = Place(tempfile::tempdir().expect("a temporary folder"));
        place.write("league.toml", league);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file can be written");
    }

    pub(crate) fn tournament(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
        command.current_dir(self.0.path()).arg("tournament").args(arguments.split(' '));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command and checks its exit code; returns its stdout and stderr.
    pub(crate) fn check(&self, arguments: &str, exit_code: i32) -> (String, String) {
        let Output { status, stdout, stderr } = self.tournament(arguments).output().expect("maumau runs");
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!(status.code(), Some(exit_code), "{arguments}\n{stdout}\n{stderr}");
        (stdout, stderr)
    }

    /// Starts a run and waits until it has announced `games` games.
    pub(crate) fn start(&self, arguments: &str, games: usize) -> Child {
        let mut run = self.tournament(&format!("{arguments} --announce")).spawn().expect("maumau runs");
        let mut announced = BufReader::new(run.stdout.take().expect("a pipe")).lines();
        let seen = announced.by_ref().take(games).filter_map(Result::ok).count();
        assert_eq!(seen, games, "games before the run ended");
        // Its remaining output has to be read.
        std::thread::spawn(move || announced.count());
        run
    }

    /// The standings of an uninterrupted run of the same league.
    pub(crate) fn standings_of_another_run(&self) -> String {
        self.check("run league.toml --run other.maumau --quiet --format json --cpus 1", 0);
        self.check("show other.maumau --format json", 0).0
    }

    pub(crate) fn games(&self) -> u64 {
        let shown = self.tournament("show league.maumau --format json").output().expect("maumau runs");
        let report: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap_or_default();
        report["standings"]["games"].as_u64().unwrap_or(0)
    }
}

/// Two agents, one of which is slow, so that the run lasts about as long as needed.
pub(crate) fn slow_league(games: u64) -> String {
    waiting_league(games, "sleep 0.002")
}

/// As [`slow_league`], where the slow agent runs `wait`, a line for the shell, before each answer.
pub(crate) fn waiting_league(games: u64, wait: &str) -> String {
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/shell/first.sh");
    let bot = bot.canonicalize().expect("the shell bot");
    LEAGUE.replace("games_per_pairing = 40", &format!("games_per_pairing = {games}")).replace(
        "maumau agent first",
        // Every answer passes through a second process.
        &format!("sh -c 'sh $0 | while read -r line; do {wait}; echo \\\"$line\\\"; done' {}", bot.display()),
    )
}

/// What a command prints as JSON.
pub(crate) fn json(place: &Place, arguments: &str) -> Value {
    serde_json::from_str(&place.check(arguments, 0).0).expect("JSON")
}

/// The games of a run by name: agents with their places.
pub(crate) fn games(place: &Place, run: &str) -> Vec<Value> {
    let list = json(place, &format!("show {run} --games --format json"));
    list["games"].as_array().expect("games").clone()
}

/// The names in the tables with their numbers of games, in the order of the names.
pub(crate) fn rows(place: &Place, run: &str) -> Vec<(String, u64)> {
    let report = json(place, &format!("show {run} --format json"));
    let rows = report["standings"]["rows"].as_array().expect("rows").iter();
    let mut rows: Vec<_> = rows
        .map(|row| (row["name"].as_str().expect("a name").to_owned(), row["games"].as_u64().expect("a number")))
        .collect();
    rows.sort();
    rows
}

pub(crate) fn signal(child: &Child, signal: nix::sys::signal::Signal) {
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, signal).expect("the process is there");
}

pub(crate) fn wait(mut child: Child) -> (Option<i32>, String) {
    let status = child.wait().expect("maumau ends");
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
    (status.code(), stderr)
}
