//! Runs the commands of README, of the tour and of the pages about bots and about rules as printed, in a folder with the files that the pages show; the
//! binary's folder in `PATH` stands for an install. Also checks the demo's output, which README shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Commands that install or build the program, run all tests, serve until they are stopped or wait for a person, and commands that the page says
/// are needed once.
const NOT_RUN: [&str; 12] = [
    "cargo run ",
    "tests/run ",
    "cargo install ",
    "pip install ",
    "uvx ",
    "export PATH=",
    "maumau serve ",
    "maumau tournament run my-league.toml --serve",
    "maumau play --serve",
    "maumau learn ",
    "maumau play --rules skat --seat human ",
    "maumau play --rules river.toml --seat human ",
];

/// Commands that take long, and how they are shortened.
const SHORTER: [(&str, &str); 1] = [("maumau rules stats", "--games 2")];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(path: &str) -> String {
    fs::read_to_string(repository().join(path)).expect("a page")
}

/// True if the interpreters of the bots in the pages and in the demo are installed.
fn can_run(programs: &[&str]) -> bool {
    let runs = |program: &&str| {
        let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let missing: Vec<_> = programs.iter().filter(|program| !runs(program)).collect();
    if !missing.is_empty() {
        eprintln!("left out: {missing:?} cannot be run");
    }
    missing.is_empty()
}

/// Runs a shell line in `folder`, with the binary's folder in `PATH`.
fn shell(folder: &TempDir, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_maumau"));
    let path = std::env::var("PATH").expect("PATH");
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder.path()).stdin(Stdio::null());
    shell.env("PATH", format!("{}:{path}", program.parent().expect("a folder").display()));
    shell.output().expect("a shell")
}

fn check(folder: &TempDir, line: &str) -> String {
    let Output { status, stdout, stderr } = shell(folder, line);
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert!(status.success(), "{line}: {status}\n{stdout}\n{stderr}");
    stdout
}

/// Goes through a page from the top: a block that begins with `# NAME.ENDING` is that file, one that begins with `# At the end of
/// NAME.ENDING` is added to it; a line of a shell block or one that is indented by four spaces is a command. Returns how many commands were run.
fn follow(page: &str, folder: &TempDir, is_command: impl Fn(&str) -> bool) -> usize {
    let mut fence: Option<(String, Vec<&str>)> = None;
    let mut run = 0;
    for line in page.lines() {
        match (&mut fence, line.strip_prefix("```")) {
            (None, Some(language)) => fence = Some((language.to_owned(), Vec::new())),
            (Some(_), Some(_)) => {
                let (language, lines) = fence.take().expect("it is open");
                let head = lines.first().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
                let (begun, name) = match head.strip_prefix("At the end of ") {
                    Some(name) => (fs::read_to_string(folder.path().join(name)).expect("it is there already"), name),
                    None => (String::new(), head),
                };
                match Some(name).filter(|name| name.contains('.') && !name.contains(' ')) {
                    Some(name) => {
                        fs::write(folder.path().join(name), begun + &lines.join("\n") + "\n").expect("a file");
                    }
                    None if language == "sh" => {
                        run +=
                            lines.iter().filter(|line| is_command(line)).map(|line| follow_one(line, folder)).count();
                    }
                    None => {}
                }
            }
            (Some((_, lines)), None) => lines.push(line),
            (None, None) => {
                if let Some(command) = line.strip_prefix("    ").filter(|line| is_command(line)) {
                    follow_one(command, folder);
                    run += 1;
                }
            }
        }
    }
    run
}

fn follow_one(command: &str, folder: &TempDir) {
    let shorter = SHORTER.iter().find(|(start, _)| command.starts_with(start));
    let line = match shorter {
        Some((_, option)) if std::env::var_os("MAUMAU_FULL").is_none() => {
            format!("{} {option}", command.split('#').next().unwrap_or_default())
        }
        _ => command.to_owned(),
    };
    check(folder, &line);
}

#[test]
fn every_command_of_the_readme_the_tour_and_the_page_of_rules_works_as_it_is_printed() {
    if !can_run(&["python3"]) {
        return;
    }
    let pages = [("README.md", 9), ("arena/docs/tour.md", 22), ("arena/docs/own-game.md", 11)]
        .map(|(path, least)| (path, page(path), least));
    for (path, page, least) in &pages {
        let folder = tempfile::tempdir().expect("a folder");
        let run = follow(page, &folder, |line| !NOT_RUN.iter().any(|start| line.starts_with(start)));
        assert!(run >= *least, "{path}: {run} commands");
    }
    let commands = pages.iter().flat_map(|(_, page, _)| page.lines().filter_map(|line| line.strip_prefix("    ")));
    let commands: Vec<&str> = commands.collect();
    for start in NOT_RUN.iter().chain(SHORTER.iter().map(|(start, _)| start)) {
        assert!(commands.iter().any(|command| command.starts_with(start)), "no page has {start:?} any more");
    }
}

#[test]
fn the_first_bot_of_the_agents_page_plays() {
    if !can_run(&["python3"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(repository().join("agents/python/maumau_kit.py"), folder.path().join("maumau_kit.py")).expect("the kit");
    // The others need the folder of the repository; `maumau check` on the bots in these pages has its own tests.
    let run = follow(&page("agents/README.md"), &folder, |line| line.starts_with("maumau play "));
    assert!(run >= 1, "{run} commands");
}

#[test]
fn the_demo_ends_with_the_table_of_the_readme_and_with_commands_that_work() {
    if !can_run(&["python3", "node"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // By its path, as `cargo run` starts it.
    let program = env!("CARGO_BIN_EXE_maumau");
    let demo = Command::new(program).args(["tournament", "demo"]).current_dir(folder.path()).output().expect("it runs");
    let stdout = String::from_utf8(demo.stdout).expect("UTF-8");
    assert!(demo.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&demo.stderr));

    let trimmed = |text: &str| text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let readme = page("README.md");
    let shown = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a table in README");
    let (standings, _) = stdout.split_once("\nScore: ").expect("a table");
    assert_eq!(
        trimmed(shown),
        trimmed(standings),
        "README shows the second table from now on:\n{}\n",
        trimmed(standings)
    );
    assert!(
        stdout.lines().all(|line| line.starts_with(&format!("  {program}")) || line.trim_end().len() <= 80),
        "{stdout}"
    );

    let (_, commands) = stdout.split_once("Go on with:\n").expect("what to do next");
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert!(commands.len() == 3 && commands.iter().all(|command| command.starts_with(program)), "{stdout}");
    for command in commands {
        check(&folder, command);
    }
}
