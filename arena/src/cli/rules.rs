//! `maumau rules`: rule sets, their files and their scenarios. It prints; rules are read, checked and explained by the
//! engine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;
use maumau_engine::rules::{BuiltInSet, LoadedRules, OptionDefinition, built_in, family, law, load, load_thoroughly};
use maumau_model_check::scenario;
use maumau_protocol::ruleset::SeatRange;
use maumau_report::{Sheet, TableLook, stdout_width};
use maumau_rulebook::{Passage, Rulebook};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::bounded;
use maumau_run::io::rule_files::{InFolder, OnDisk, listed};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use serde::Serialize;

use super::rule_settings::RuleSettings;
use super::{rules_new, rules_stats};

/// Files in a folder of scenarios, at most.
const MAX_FILES: usize = 100_000;
/// Bytes of a scenario file.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau rules list
  maumau rules explain skat --set extra_rules=on
  maumau rules new sunday --extends skat
  maumau rules check my-rules.toml
  maumau rules test tests/scenarios/basic")]
pub(super) struct RulesArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the built-in rule sets and further games of the family
    #[command(after_help = "Examples:\n  maumau rules list\n  maumau rules list --format json")]
    List {
        /// Output format; json has the built-in sets with all table options
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Show the resolved rules of a set as JSON
    #[command(after_help = "Examples:\n  maumau rules show skat\n  maumau rules show skat --set extra_rules=on")]
    Show(RuleSetChoice),
    /// Begin a rule file that changes another set
    New(rules_new::RulesNewArguments),
    /// Check a rule file with every value of each of its options
    #[command(after_help = "Example:\n  maumau rules check my-rules.toml")]
    Check {
        /// Rule files or names of built-in sets
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Explain the rules of a set in words
    #[command(
        after_help = "Examples:\n  maumau rules explain skat\n  maumau rules explain snap --seats 4\n  maumau rules explain my-rules.toml\n  maumau rules explain basic --clauses\n  maumau rules explain --clauses B-14"
    )]
    Explain {
        /// Name of a built-in set, or path of a rule file
        #[arg(value_name = "SET", required_unless_present = "clauses")]
        rules: Option<String>,
        #[command(flatten)]
        settings: RuleSettings,
        /// For a table of this many seats
        #[arg(long)]
        seats: Option<usize>,
        /// Print each clause of the law under the first sentence that rests on it;
        /// without a set, print only the clauses with these ids, or all of them
        #[arg(long, value_name = "ID", num_args = 0..)]
        clauses: Option<Vec<String>>,
    },
    /// Show how long games between built-in bots are and what happens in them
    #[command(
        after_help = "Examples:\n  maumau rules stats\n  maumau rules stats snap --bots greedy --games 1000\n  maumau rules stats my-rules.toml --seats 3"
    )]
    Stats(rules_stats::RulesStatsArguments),
    /// Run rule scenarios and report every step that is not as expected
    #[command(
        after_help = "Example:\n  maumau rules test tests/scenarios\n\nThe path of a rule file in a scenario is relative to the scenario's folder."
    )]
    Test {
        /// Scenario files, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

/// A rule set and the options of a table.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct RuleSetChoice {
    /// Name of a built-in set, or path of a rule file
    #[arg(value_name = "SET")]
    rules: String,
    #[command(flatten)]
    settings: RuleSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Json,
}

pub(super) fn run(arguments: RulesArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Command::List { format } => list(format),
        Command::Show(choice) => {
            let loaded = choice.settings.load(&choice.rules)?;
            print(&format!("{}\n", untrusted::json_pretty(&loaded.set)?))?;
            Ok(CommandOutcome::Done)
        }
        Command::New(arguments) => rules_new::run(&arguments),
        Command::Check { files } => check(&files),
        Command::Stats(arguments) => rules_stats::run(&arguments),
        Command::Explain { rules, settings, seats, clauses } => {
            let Some(rules) = rules else {
                print(&clauses_alone(&clauses.unwrap_or_default(), stdout_width())?)?;
                return Ok(CommandOutcome::Done);
            };
            if let Some(id) = clauses.iter().flatten().next() {
                let id = Untrusted::new(id).terminal();
                return Err(usage(format!("a clause is printed alone: leave out the rule set: --clauses {id}")));
            }
            let loaded = settings.load(&rules)?;
            if let Some(seats) = seats {
                settings.table(&rules, seats, None)?;
            }
            let book = Rulebook::of_file(&loaded, seats);
            match clauses {
                Some(_) => print(&with_clauses(book.passages(), stdout_width()))?,
                None => print(&book.text(stdout_width()))?,
            }
            Ok(CommandOutcome::Done)
        }
        Command::Test { paths } => test(&paths),
    }
}

/// A rule set as programs read it.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    /// Whether it is one of the further games of the family.
    further: bool,
    title: &'a str,
    about: &'a str,
    seats: SeatRange,
    options: &'a [OptionDefinition],
}

impl Listed<'_> {
    fn new(LoadedRules { set, options, .. }: &LoadedRules, further: bool) -> Listed<'_> {
        Listed { name: &set.name, further, title: &set.title, about: &set.about, seats: set.seats, options }
    }
}

fn list(format: Format) -> Result<CommandOutcome> {
    let loaded = |sets: &[BuiltInSet]| {
        let sets = sets.iter().map(|set| load(&OnDisk, set.name, &[]));
        sets.collect::<Result<Vec<LoadedRules>, _>>().map_err(|problems| usage(listed(&problems)))
    };
    let (sets, further) = (loaded(built_in())?, loaded(family())?);
    match format {
        Format::Json => {
            let further = further.iter().map(|loaded| Listed::new(loaded, true));
            let shown = sets.iter().map(|loaded| Listed::new(loaded, false)).chain(further);
            print(&format!("{}\n", untrusted::json_pretty(&shown.collect::<Vec<_>>())?))?;
        }
        Format::Table => {
            let look = TableLook::for_stdout();
            let [sets, further] = [sets, further].map(|sets| sheet_of(&sets).draw(look));
            print(&format!("{sets}\nFurther games of the family:\n\n{further}"))?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// A row for each of `sets`.
fn sheet_of(sets: &[LoadedRules]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.text_column("set").text_column("title").text_column("seats").number_column("options");
    for LoadedRules { set, options, .. } in sets {
        let seats = format!("{} to {}", set.seats.min, set.seats.max);
        sheet.row(vec![set.name.clone(), set.title.clone(), seats, options.len().to_string()]);
    }
    sheet
}

fn check(files: &[String]) -> Result<CommandOutcome> {
    let mut wrong = 0;
    for file in files {
        match load_thoroughly(&OnDisk, file) {
            Ok(loaded) => {
                let title = Untrusted::new(&loaded.set.title).terminal();
                print(&format!("{file}: good ({title}, {} options)\n", loaded.options.len()))?;
            }
            Err(problems) => {
                wrong += 1;
                print(&format!("{}\n", listed(&problems)))?;
            }
        }
    }
    Ok(if wrong == 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// The rules in words, and under the first sentence that rests on a clause that clause.
fn with_clauses(passages: Vec<Passage>, width: usize) -> String {
    let (mut page, mut printed) = (String::new(), BTreeSet::new());
    for passage in passages {
        let (said, [first, rest]) = match passage {
            Passage::Title(title) => {
                page += &format!("{title}\n{}\n", "=".repeat(title.chars().count()));
                continue;
            }
            Passage::Heading(heading) => {
                page += &format!("\n{heading}\n");
                continue;
            }
            Passage::Paragraph(said) => (said, ["  ", "  "]),
            Passage::Item(said) => (said, ["  - ", "    "]),
        };
        let mut indent = first;
        for together in said.chunk_by(|(_, before), (_, after)| before == after) {
            let text: Vec<&str> = together.iter().map(|(text, _)| text.as_str()).collect();
            let ids = &together[0].1;
            let cited = if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) };
            page += &filled(&(text.join(" ") + &cited), width, [indent, rest]);
            indent = rest;
            for clause in ids.iter().filter_map(|id| law::clause(id)).filter(|clause| printed.insert(clause.id)) {
                let said = format!("{}: {}", clause.id, clause.text());
                page += &filled(&said, width, ["      ", "            "]);
            }
        }
    }
    page
}

/// The clauses of these ids, or all of them, each with its place in the law.
fn clauses_alone(ids: &[String], width: usize) -> Result<String> {
    let found: Vec<&law::Clause> = match ids {
        [] => law::clauses().iter().collect(),
        ids => ids.iter().map(|id| law::clause(id).ok_or_else(|| no_clause(id))).collect::<Result<_>>()?,
    };
    let written = found.into_iter().map(|clause| {
        let heading = format!("{} · {} · {} · {}\n", clause.id, clause.status, clause.set, clause.topic);
        heading + &filled(&clause.text(), width, ["  ", "  "])
    });
    Ok(written.collect::<Vec<_>>().join("\n"))
}

fn no_clause(id: &str) -> anyhow::Error {
    let shown = Untrusted::new(id).terminal();
    let letter = id.split_once('-').map(|(letter, _)| letter.to_ascii_uppercase());
    let own = law::clauses().iter().filter(|clause| clause.id.split('-').next() == letter.as_deref()).count();
    match letter {
        Some(letter) if own > 0 => {
            usage(format!("there is no clause {shown}: they are {letter}-01 to {letter}-{own:02}"))
        }
        _ => usage(format!(
            "{shown} is no clause id such as B-14; a rule set comes first: maumau rules explain {shown} --clauses"
        )),
    }
}

/// `text` in lines of at most `width` characters, the first one and the others with their indent.
fn filled(text: &str, width: usize, [first, rest]: [&str; 2]) -> String {
    let options = textwrap::Options::new(width).initial_indent(first).subsequent_indent(rest).break_words(false);
    // An id such as B-14 stays whole.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options) + "\n"
}

fn test(paths: &[PathBuf]) -> Result<CommandOutcome> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let (mut passed, mut failed) = (0, 0);
    for file in &files {
        let shown = Untrusted::path(file).terminal();
        match run_one(file) {
            Ok(failures) if failures.is_empty() => passed += 1,
            Ok(failures) => {
                failed += 1;
                let line = |failure: &String| format!("{shown}: {}\n", Untrusted::new(failure).lines("  | "));
                print(&failures.iter().map(line).collect::<String>())?;
            }
            Err(error) => {
                failed += 1;
                print(&format!("{shown}: {}\n", Untrusted::new(&error).lines("  | ")))?;
            }
        }
    }
    print(&format!("{passed} passed, {failed} failed\n"))?;
    Ok(if failed == 0 && passed > 0 { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// The differences from what the scenario in `file` expects; the rule file that it names is looked up beside it.
fn run_one(file: &Path) -> Result<Vec<String>, String> {
    let text = bounded::read_text(file, MAX_BYTES, "a scenario")?;
    let beside = InFolder(file.parent().unwrap_or(Path::new("")));
    let report = scenario::run(&text, &beside).map_err(|error| error.to_string())?;
    Ok(report.failures.iter().map(ToString::to_string).collect())
}

/// Finds scenario files: `path` itself, or every `.json` file under it, in the order of their names.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let kind = std::fs::metadata(path).map_err(|error| usage(format!("{}: {error}", path.display())))?;
    if !kind.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut inside = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    inside.sort();
    for entry in inside {
        if entry.is_dir() {
            collect(&entry, files)?;
        } else if entry.extension().is_some_and(|extension| extension == "json") {
            files.push(entry);
        }
        if files.len() > MAX_FILES {
            return Err(usage(format!("more than {MAX_FILES} scenario files under {}", path.display())));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_stand_under_the_first_sentence_that_rests_on_them() {
        let said = |text: &str, ids: &[&str]| (text.to_owned(), ids.iter().map(ToString::to_string).collect());
        let passages = vec![
            Passage::Title("A game".to_owned()),
            Passage::Heading("DEAL".to_owned()),
            Passage::Paragraph(vec![
                said("Each player gets five cards.", &["B-02"]),
                said("That is all.", &["B-02"]),
                said("Pay.", &[]),
            ]),
            Passage::Item(vec![said("A jack may be played at any time.", &["B-02", "B-25", "of-the-house"])]),
        ];
        let expected = "\
A game
======

DEAL
  Each player gets five cards. That is all. (B-02)
      B-02: Every player gets five cards.
  Pay.
  - A jack may be played at any time. (B-02, B-25,
    of-the-house)
      B-25: A jack fits on a jack as well and names
            the suit again. Why: jacks can always be
            played.
";
        assert_eq!(with_clauses(passages, 54), expected);
    }

    #[test]
    fn a_scenario_finds_its_rule_file_in_its_own_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let scenarios = folder.path().join("scenarios");
        std::fs::create_dir(&scenarios).expect("a folder");
        let rules = "format = 1\nname = \"mine\"\nextends = \"base.toml\"\n";
        let base = "format = 1\nname = \"base\"\nextends = \"basic\"\ndeal.cards = 6\n";
        std::fs::write(folder.path().join("mine.toml"), rules).expect("a rule file");
        std::fs::write(folder.path().join("base.toml"), base).expect("a rule file");
        for (ruleset, expected) in [
            ("../mine.toml", Ok(Vec::new())),
            ("basic", Ok(vec!["step 1: hands of seat 0: expected 6, was 5".to_owned()])),
            ("mine.toml", Err(format!("{}: ", scenarios.join("mine.toml").display()))),
        ] {
            let text = format!(
                r#"{{"name": "n", "ruleset": "{ruleset}", "players": 2,
                    "setup": {{"dealer": 0, "hands": [[], []], "pile": [], "draw": [], "direction": "cw", "turn": null,
                               "phase": "new_match"}},
                    "steps": [{{"by": "referee", "action": {{"do": "new_round"}}, "expect": {{"ok": true, "hands": {{"0": 6}}}}}}]}}"#
            );
            let file = scenarios.join("s.json");
            std::fs::write(&file, text).expect("a scenario");
            match (run_one(&file), expected) {
                (Err(found), Err(expected)) => assert!(found.contains(&expected), "expected {expected}, found {found}"),
                (found, expected) => assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn a_clause_alone_says_where_it_stands() {
        let expected = "\
B-12 · plain · B: basic · Mau
  A player who is down to one card says \"Mau\".

G-16 · ruling · G: all sets · Seats, order and time
  Copies of a card are interchangeable.
";
        assert_eq!(clauses_alone(&["b-12".to_owned(), "G-16".to_owned()], 60).expect("both"), expected);
        assert_eq!(clauses_alone(&[], 60).expect("all").matches("\n\n").count() + 1, law::clauses().len());
    }

    #[test]
    fn what_is_no_clause_is_answered_with_what_there_is() {
        for (id, expected) in [
            ("B-7", "there is no clause B-7: they are B-01 to B-49"),
            ("n-1", "there is no clause n-1: they are N-01 to N-132"),
            ("skat", "skat is no clause id such as B-14; a rule set comes first: maumau rules explain skat --clauses"),
        ] {
            assert_eq!(no_clause(id).to_string(), expected);
        }
    }
}
