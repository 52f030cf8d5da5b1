//! Every bot in the documents and the kits passes `maumau check`. It takes the bots from the pages as they stand; what
//! the pages say about them is not tested.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::arena::Arena;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn read(path: &str) -> String {
    let path = Path::new(ROOT).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of every block of a Markdown page that is fenced as `language`.
fn fenced(page: &str, language: &str) -> Vec<String> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let of_language = blocks.filter_map(|block| block.split_once('\n')).filter(|(kind, _)| *kind == language);
    of_language.map(|(_, text)| format!("{text}\n")).collect()
}

/// The first run of lines with this prefix, without it; blank lines in between belong to it.
fn indented(text: &str, indent: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(indent));
    let block = lines.take_while(|line| line.starts_with(indent) || line.trim_matches(['*', ' ']).is_empty());
    block.map(|line| format!("{}\n", line.strip_prefix(indent).unwrap_or_default())).collect()
}

/// A folder of its own with a bot of a document and copies of the files that it uses.
fn folder_of(name: &str, bot: (&str, &str), kit: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bots-of-the-documents").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(bot.0), bot.1).expect("a file");
    for file in kit {
        std::fs::write(folder.join(Path::new(file).file_name().expect("a file")), read(file)).expect("a file");
    }
    folder
}

/// A bot of a document in its own folder, together with the kit that it uses; returns its command.
fn set_up(name: &str, text: &str, kit: &str) -> String {
    let (bot, interpreter) = if kit.ends_with(".py") { ("bot.py", "python3") } else { ("bot.mjs", "node") };
    let folder = folder_of(name, (bot, text), &[kit]);
    format!("{interpreter} {}", folder.join(bot).display())
}

fn check(command: &str) {
    // A machine that compiles beside the tests can keep a process from its own pages for seconds.
    let run = Arena::new().run(&["check", "--games", "1", "--move-ms", "30000", "--", command]);
    assert_eq!(run.code, Some(0), "{command}: {run:?}");
    assert!(run.stdout.contains(" passed, 0 failed"), "{command}: {run:?}");
}

#[test]
fn the_python_bots_of_the_documents_pass_check() {
    const KIT: &str = "agents/python/maumau_kit.py";
    let of_pages = ["arena/docs/tour.md", "agents/README.md"].map(|page| fenced(&read(page), "python")).concat();
    assert_eq!(of_pages.len(), 3, "with a kit, without one, one that counts");
    for (number, text) in of_pages.iter().enumerate() {
        check(&set_up(&format!("page-{number}"), text, KIT));
    }
    let docstring = indented(&read(KIT), "    ");
    assert!(docstring.contains("run(MyBot"), "{docstring}");
    check(&set_up("docstring-python", &docstring, KIT));
}

#[test]
fn the_javascript_bot_of_its_kit_passes_check() {
    const KIT: &str = "agents/javascript/maumau.mjs";
    let docstring = indented(&read(KIT), " *     ");
    assert!(docstring.contains("run(() => new MyBot()"), "{docstring}");
    check(&set_up("docstring-javascript", &docstring, KIT));
}

#[test]
fn the_typescript_bot_of_the_page_compiles_as_the_page_says_and_passes_check() {
    if !Command::new("tsc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("left out: tsc cannot be run");
        return;
    }
    let page = read("agents/README.md");
    let [text] = fenced(&page, "ts").try_into().expect("one bot in TypeScript");
    let compile = page.split('`').find(|word| word.starts_with("tsc ")).expect("how it is compiled");
    assert!(compile.contains(" --strict "), "{compile}");
    let compile = |name: &str, text: &str| {
        let folder =
            folder_of(name, ("bot.mts", text), &["agents/javascript/maumau.mjs", "agents/javascript/maumau.d.mts"]);
        let output = Command::new("tsc").args(compile.split(' ').skip(1)).current_dir(&folder).output().expect("tsc");
        (folder, output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (folder, is_compiled, errors) = compile("page-typescript", &text);
    assert!(is_compiled, "{errors}");
    check(&format!("node {}", folder.join("bot.mjs").display()));
    // The types of the kit are looked at.
    let (_, is_compiled, errors) = compile("page-typescript-wrong", &text.replace("legal = []", "legal"));
    assert!(!is_compiled && errors.contains("undefined"), "{errors}");
}

#[test]
fn the_bots_beside_the_kits_pass_check() {
    for (folder, ending, interpreter) in [
        ("agents/python", "_bot.py", "python3"),
        ("agents/javascript", "_bot.mjs", "node"),
        ("agents/shell", ".sh", "sh"),
    ] {
        let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder").flatten();
        let bots: Vec<_> = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(ending)).collect();
        assert!(!bots.is_empty(), "{folder}");
        for bot in bots {
            check(&format!("{interpreter} {}", bot.path().display()));
        }
    }
    for name in ["drawer", "random", "first", "greedy", "net", "careful"] {
        check(&format!("maumau agent {name}"));
    }
    for name in ["sample", "ismcts", "search"] {
        check(&format!("maumau agent {name} --simulations 16"));
    }
}

#[test]
fn the_bots_that_are_compiled_pass_check() {
    // The bot in the documentation of the Rust kit is this example; tests/run says with BUILT=1 that it is compiled already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder of everything that is built");
    let run = |command: &mut Command| assert!(command.status().expect("a compiler").success(), "{command:?}");
    if std::env::var_os("BUILT").is_none() {
        let cargo = ["build", "--quiet", "--package", "maumau-sdk", "--example", "my_bot", "--target-dir"];
        run(Command::new(env!("CARGO")).args(cargo).arg(target).current_dir(ROOT));
    }
    check(&target.join("debug/examples/my_bot").display().to_string());
    let first = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first-in-c");
    run(Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&first)
        .arg(Path::new(ROOT).join("agents/c/first.c")));
    check(&first.display().to_string());
}
