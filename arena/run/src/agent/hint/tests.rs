//! For each row of the table what brings it, and for each thing that must not bring a hint that it brings none.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use maumau_protocol::SandboxLevel;

use super::{Clues, TABLE, shell_words};
use crate::agent::{AgentCommand, PermitSettings};

/// A folder with a bot, and what lies around it.
struct Place {
    folder: tempfile::TempDir,
    variables: BTreeMap<&'static str, OsString>,
    /// Names in the folder that the agent may not read.
    closed: BTreeSet<&'static str>,
}

const FAILED: Option<&str> = Some("exit status: 1");
const BASIC: SandboxLevel = SandboxLevel::Basic;

impl Place {
    fn new() -> Place {
        let folder = tempfile::TempDir::new().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        for (name, text) in [
            ("bot/bot.py", "import kit"),
            ("bot/maumau_kit.py", ""),
            ("bot/my bots/a.py", ""),
            ("bot/data.csv", ""),
            ("bot/tool", "#!/bin/sh\n"),
            ("bot/crlf.sh", "#!/bin/sh\r\nexit\r\n"),
            ("bot/lost.sh", "#!/nowhere/python3\n"),
            ("paths/numpy/__init__.py", ""),
            ("store/pkg/__init__.py", ""),
            ("home/.local/lib/python3.11/site-packages/torch/__init__.py", ""),
            ("home/secret.txt", ""),
            ("programs/python3", ""),
        ] {
            write(name, text);
        }
        std::os::unix::fs::symlink(folder.path().join("store/pkg"), folder.path().join("bot/pkg")).expect("a link");
        for name in ["bot/crlf.sh", "bot/lost.sh", "programs/python3"] {
            use std::os::unix::fs::PermissionsExt;
            let rights = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.path().join(name), rights).expect("rights");
        }
        let variables = [("PATH", "programs"), ("HOME", "home"), ("PYTHONPATH", "paths"), ("MY_TOKEN", "x")];
        let variables = variables.map(|(name, place)| (name, folder.path().join(place).into_os_string()));
        Place { folder, variables: variables.into(), closed: ["store", "home", "paths"].into() }
    }

    fn command(&self, line: &str) -> AgentCommand {
        AgentCommand::parse(line).expect("a command").in_directory(self.folder.path().join("bot"))
    }

    /// The row that the clues bring, and its hint.
    fn hint<'a>(
        &'a self,
        command: &'a AgentCommand,
        more: impl FnOnce(Clues<'a>) -> Clues<'a>,
    ) -> Option<(&'static str, String)> {
        let root = self.folder.path().canonicalize().expect("a folder");
        let clues = more(Clues {
            level: BASIC,
            variable: Box::new(|name| self.variables.get(name).cloned()),
            may_read: Box::new(move |path| {
                let inside = path.strip_prefix(&root).unwrap_or(path);
                !self.closed.iter().any(|closed| inside.starts_with(closed))
            }),
            ..Clues::of(command)
        });
        TABLE.iter().find_map(|(name, row)| Some((*name, row(&clues)?)))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder").join(name)
    }
}

/// Lines of a trace of Python that ends in `error`, raised in `file`.
fn trace(file: &str, error: &str) -> String {
    format!("Traceback (most recent call last):\n  File \"bot.py\", line 3, in <module>\n    x()\n  {file}\n{error}\n")
}

#[test]
fn every_row_is_brought_by_its_evidence() {
    let place = Place::new();
    let own = trace("File \"bot.py\", line 9, in x", "");
    let environ = |name: &str| trace("File \"<frozen os>\", line 679, in __getitem__", &format!("KeyError: '{name}'"));
    let mut brought = BTreeSet::new();
    // How it ended, its stderr, the row, and what the hint must name.
    let linked = format!("--sandbox-read {}", place.path("store/pkg").display());
    let on_path = format!(
        "--sandbox-env PYTHONPATH (secrets = [\"PYTHONPATH\"]) --sandbox-read {}",
        place.path("paths").display()
    );
    let installed = place.path("home/.local/lib/python3.11/site-packages").display().to_string();
    for (level, stderr, exit, row, hint) in [
        (
            BASIC,
            &*environ("MY_TOKEN"),
            FAILED,
            "variable",
            "--sandbox-env MY_TOKEN (secrets = [\"MY_TOKEN\"]) hands MY_TOKEN on",
        ),
        (SandboxLevel::None, &environ("MY_TOKEN"), FAILED, "variable", "hands MY_TOKEN on"),
        (
            BASIC,
            &environ("OTHER_TOKEN"),
            FAILED,
            "variable",
            "OTHER_TOKEN is not set here; once it is, --sandbox-env OTHER_TOKEN",
        ),
        (
            BASIC,
            "openai.OpenAIError: The api_key client option must be set or the OPENAI_API_KEY environment variable",
            FAILED,
            "variable",
            "--sandbox-env OPENAI_API_KEY",
        ),
        (BASIC, "ModuleNotFoundError: No module named 'pkg'", FAILED, "module", &linked),
        (SandboxLevel::Strict, "ModuleNotFoundError: No module named 'pkg.inner'", FAILED, "module", &linked),
        (BASIC, "ModuleNotFoundError: No module named 'numpy'", FAILED, "module", &on_path),
        (
            SandboxLevel::None,
            "ModuleNotFoundError: No module named 'numpy'",
            FAILED,
            "module",
            "which PYTHONPATH names",
        ),
        (BASIC, "ModuleNotFoundError: No module named 'torch'", FAILED, "module", &installed),
        (
            BASIC,
            "ModuleNotFoundError: No module named 'maumau_kti'",
            FAILED,
            "misspelt module",
            "did you mean \"maumau_kit\"?",
        ),
        (BASIC, "Error: Cannot find module './bto.py'", FAILED, "misspelt module", "did you mean \"bot\"?"),
        (BASIC, "Error: getaddrinfo EAI_AGAIN api.example.org", FAILED, "network", "--sandbox-network"),
        (BASIC, "java.net.UnknownHostException: api.example.org", FAILED, "network", "--sandbox-network"),
        (BASIC, "dial tcp: lookup api.example.org: no such host", FAILED, "network", "--sandbox-network"),
        (BASIC, "Error: listen EPERM: operation not permitted 127.0.0.1:9229", FAILED, "network", "a debugger's"),
        (
            BASIC,
            &trace(
                "File \"/usr/lib/python3.11/socket.py\", line 232, in __init__",
                "PermissionError: [Errno 1] Operation not permitted",
            ),
            FAILED,
            "network",
            "--sandbox-network",
        ),
        (BASIC, "RuntimeError: can't start new thread", FAILED, "threads", "64 processes"),
        (BASIC, "sh: 1: fork: Resource temporarily unavailable", FAILED, "threads", "64 processes"),
        (BASIC, &format!("{own}MemoryError"), FAILED, "memory", "--sandbox-memory"),
        (BASIC, "java.lang.OutOfMemoryError: Java heap space", FAILED, "memory", "--sandbox-memory"),
        (
            BASIC,
            "memory allocation of 1073741824 bytes failed",
            Some("signal: 6 (SIGABRT)"),
            "memory",
            "--sandbox-memory",
        ),
        (
            SandboxLevel::StrictCgroup,
            "",
            Some("signal: 9 (SIGKILL): the limit of 64 MiB of memory killed 1 of its processes"),
            "memory",
            "--sandbox-memory",
        ),
        (BASIC, "PermissionError: [Errno 13] Permission denied: 'log.txt'", FAILED, "file", "it may write nothing"),
        (SandboxLevel::Strict, "OSError: [Errno 30] Read-only file system: 'log.txt'", FAILED, "file", "/var/tmp only"),
        (BASIC, "Error: EACCES: permission denied, open 'log.txt'", FAILED, "file", "it may write nothing"),
        (BASIC, "panic: open log.txt: permission denied", FAILED, "file", "it may write nothing"),
        (BASIC, "java.io.FileNotFoundException: log.txt (Permission denied)", FAILED, "file", "it may write nothing"),
        (
            BASIC,
            "PermissionError: [Errno 13] Permission denied: '../home/secret.txt'",
            FAILED,
            "file",
            "home/secret.txt\"]) lets it",
        ),
        (
            BASIC,
            "PermissionError: [Errno 13] Permission denied: 'pkg/__init__.py'",
            FAILED,
            "file",
            &format!("{linked} "),
        ),
        (BASIC, "cat: ../home/secret.txt: Permission denied", FAILED, "file", "--sandbox-read"),
        (
            SandboxLevel::Strict,
            "FileNotFoundError: [Errno 2] No such file or directory: '../home/secret.txt'",
            FAILED,
            "file",
            "--sandbox-read",
        ),
        (BASIC, "x: Operation not permitted", FAILED, "call", "a system call was refused"),
        (BASIC, "EOFError: EOF when reading a line", FAILED, "input is over", "no person types here"),
    ] {
        let command = place.command("python3 bot.py");
        let given = place.hint(&command, |clues| Clues { level, stderr, exit, ..clues });
        let (name, text) = given.unwrap_or_else(|| panic!("{row}: no hint at {stderr}"));
        assert_eq!(name, row, "{stderr}: {text}");
        assert!(text.contains(hint), "{stderr}: no {hint:?} in {text}");
        brought.insert(name);
    }
    // What cannot be started, and why.
    let (absent, denied) = ("there is no program", "cannot be started: Permission denied (os error 13)");
    let missing = "cannot be started: No such file or directory (os error 2)";
    for (line, refused, row, hint) in [
        ("tool", absent, "program lies beside", "./tool, after chmod +x tool"),
        ("lost.sh", absent, "program lies beside", "write ./lost.sh"),
        ("bot.py", absent, "program lies beside", "write python3 bot.py"),
        ("./bot.py", denied, "not executable", "write python3 ./bot.py, or chmod +x it"),
        ("./tool", denied, "not executable", "chmod +x ./tool"),
        ("./pkg", denied, "not executable", "is a folder"),
        ("pyhton3 bot.py", absent, "misspelt program", "did you mean \"python3\"?"),
        ("KEY=1 python3 bot.py", absent, "variable before the program", "--sandbox-env KEY=1"),
        ("cd bot", absent, "word of the shell", "cd is a word of the shell"),
        ("./my bots/a.py", missing, "path with a space", "'\"./my bots/a.py\"'"),
        ("./crlf.sh", missing, "interpreter of the first line", "carriage return"),
        ("./lost.sh", missing, "interpreter of the first line", "names \"/nowhere/python3\", which is not here"),
        ("./x", "./x cannot be started: Exec format error (os error 8)", "no program", "#!/bin/sh"),
    ] {
        let command = place.command(line);
        let given = place.hint(&command, |clues| Clues { refused: Some(refused), ..clues });
        let (name, text) = given.unwrap_or_else(|| panic!("{row}: no hint at {line}"));
        assert_eq!(name, row, "{line}: {text}");
        assert!(text.contains(hint), "{line}: no {hint:?} in {text}");
        brought.insert(name);
    }
    let command = place.command("python3 my bots/a.py");
    let stderr = "python3: can't open file '/x/my': [Errno 2] No such file or directory";
    let given = place.hint(&command, |clues| Clues { stderr, exit: Some("exit status: 2"), ..clues });
    assert!(given.is_some_and(|(name, hint)| name == "path with a space" && hint.contains("'\"my bots/a.py\"'")));
    let command = place.command("python3 bot.py");
    for stdout in [
        "Error occurred during initialization of VM\nCould not reserve enough space for object heap\n",
        "#\n# There is insufficient memory for the Java Runtime Environment to continue.\n",
    ] {
        assert_eq!(place.hint(&command, |clues| Clues { stdout, ..clues }).expect("a hint").0, "memory");
    }
    let stdout = "{\"type\":\"note\",\"game\":\"g\",\"note\":\"insufficient memory\"}\n";
    assert_eq!(place.hint(&command, |clues| Clues { stdout, ..clues }), None, "a message of its own");
    let over = place.hint(&command, |clues| Clues { has_heard_over: true, exit: Some("exit status: 0"), ..clues });
    let (name, hint) = over.expect("a hint");
    assert!(name == "first over" && hint.contains("\"bye\""), "{hint}");
    brought.insert(name);
    let rows: BTreeSet<&str> = TABLE.iter().map(|(name, _)| *name).collect();
    assert_eq!(rows.difference(&brought).collect::<Vec<_>>(), Vec::<&&str>::new(), "rows without a test");
}

#[test]
fn what_is_no_evidence_brings_no_hint() {
    let place = Place::new();
    let own = |error: &str| trace("File \"bot.py\", line 9, in x", error);
    let env = [("MY_TOKEN".to_owned(), "x".to_owned())].into();
    let granted = PermitSettings { network: true, env, ..PermitSettings::default() };
    for (what, level, stderr, exit) in [
        ("a KeyError of its own", BASIC, own("KeyError: 'J'"), FAILED),
        ("a KeyError of its own in capitals", BASIC, own("KeyError: 'API_KEY'"), FAILED),
        ("a KeyError after a variable was read", BASIC, own("KeyError: 'os.environ'"), FAILED),
        ("a misspelt import", BASIC, own("ModuleNotFoundError: No module named 'numppyy'"), FAILED),
        ("a name that is not in a module", BASIC, own("ImportError: cannot import name 'Bott' from 'maumau'"), FAILED),
        ("a module that it may read", BASIC, own("ModuleNotFoundError: No module named 'maumau.kit'"), FAILED),
        ("an index", BASIC, own("IndexError: list index out of range"), FAILED),
        (
            "a file that is not there",
            SandboxLevel::Strict,
            own("FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'"),
            FAILED,
        ),
        (
            "a closed file that is there, where closed files are seen",
            BASIC,
            own("FileNotFoundError: [Errno 2] No such file or directory: '../home/secret.txt'"),
            FAILED,
        ),
        ("a word without a path", BASIC, "move denied\nPermission denied\n".to_owned(), Some("exit status: 7")),
        (
            "what was logged before",
            BASIC,
            format!("Permission denied: 'log.txt'\n{}{}", "move\n".repeat(50), own("ValueError: x")),
            FAILED,
        ),
        (
            "a connection without a sandbox",
            SandboxLevel::None,
            "Error: getaddrinfo EAI_AGAIN api.example.org".to_owned(),
            FAILED,
        ),
        ("memory without a sandbox", SandboxLevel::None, own("MemoryError"), FAILED),
        ("a read that would wait", BASIC, own("BlockingIOError: [Errno 11] Resource temporarily unavailable"), FAILED),
        ("a call that another one explains", BASIC, "x: Operation not permitted\nValueError: y\n".to_owned(), FAILED),
        ("its own word for memory", BASIC, "I have no memory of this card\n".to_owned(), FAILED),
        ("a crash", BASIC, String::new(), Some("signal: 11 (SIGSEGV)")),
        ("an end", BASIC, String::new(), Some("exit status: 0")),
    ] {
        let command = place.command("python3 bot.py");
        let given = place.hint(&command, |clues| Clues { level, stderr: &stderr, exit, ..clues });
        assert_eq!(given, None, "{what}: {stderr}");
    }
    // What it has been granted is not missing.
    let command = place.command("python3 bot.py").granted(granted.grant());
    let refused = trace("File \"<frozen os>\", line 679, in __getitem__", "KeyError: 'MY_TOKEN'");
    for stderr in ["Error: getaddrinfo EAI_AGAIN api.example.org", &*refused] {
        assert_eq!(place.hint(&command, |clues| Clues { stderr, exit: FAILED, ..clues }), None, "{stderr}");
    }
    // A bot that fails is not reminded of "bye", nor is one that may end.
    let command = place.command("python3 bot.py");
    assert_eq!(place.hint(&command, |clues| Clues { has_heard_over: true, exit: FAILED, ..clues }), None);
    let (absent, missing) = ("there is no program", "cannot be started: No such file or directory (os error 2)");
    for (line, refused) in
        [("no-such-program", absent), ("./nowhere", missing), ("/nowhere/bot", missing), ("fx bot.py", absent)]
    {
        let command = place.command(line);
        assert_eq!(place.hint(&command, |clues| Clues { refused: Some(refused), ..clues }), None, "{line}");
    }
}

#[test]
fn words_for_a_shell_are_pointed_out() {
    let note = |line: &str| shell_words(&AgentCommand::parse(line).expect("a command"));
    for (line, word, advice) in [
        ("python3 mine.py | tee log", "|", "write a log to standard error"),
        ("python3 mine.py > log", ">", "write a log to standard error"),
        ("./build.sh && ./bot", "&&", "sh -c './build.sh && ./bot'"),
        ("./build.sh || ./bot", "||", "sh -c './build.sh || ./bot'"),
        ("python3 mine.py 2> err.txt", "2>", "sh -c 'python3 mine.py 2> err.txt'"),
    ] {
        let given = note(line).unwrap_or_else(|| panic!("no note at {line}"));
        assert!(given.contains(&format!("{word:?}")) && given.contains(advice), "{line}: {given}");
    }
    for line in ["sh -c 'python3 mine.py | tee log'", "python3 mine.py a|b", "./bot --more-than >5", "./bot --level 3"]
    {
        assert_eq!(note(line), None, "{line}");
    }
}
