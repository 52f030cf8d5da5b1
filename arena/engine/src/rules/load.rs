//! From names and files to a resolved rule set: the files it extends, its options, the settings of the table. What a
//! key means is judged later, by `draft` and `check`.
//!
//! A set is a stack of trees, each laid over the one before: the options common to all sets, the file at the root of the
//! `extends` chain, the files that extend it, the defaults of options, chosen options, direct settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maumau_places::{Node, ProblemCollector, Problems, SourcePlace, Value, join, suggestion};
use maumau_protocol::ruleset::{OptionValue, RuleSet};

use super::check;
use super::compiled::Rules;
use super::draft;
use super::library::{BuiltIn, COMMON, RuleFiles};
use super::menu;
use super::options::{self, OptionDefinition};
use super::source;
use super::words;

/// The most files that may extend one another.
const MAX_EXTENDS: usize = 8;
/// The sections whose clauses a file can name.
pub(super) const SECTIONS: [&str; 8] = ["seats", "deck", "deal", "turn", "prices", "calls", "ending", "scoring"];

/// A rule set and what its file says about it beyond the rules.
#[derive(Clone, Debug)]
pub struct LoadedRules {
    /// The resolved rules.
    pub set: RuleSet,
    /// The table options that it offers, by name.
    pub options: Vec<OptionDefinition>,
    /// The clauses that the sections state, by section.
    pub clauses: BTreeMap<String, Vec<String>>,
    /// The files that it is made of, its own first, by the names that people know.
    pub files: Vec<String>,
    /// The title and name of the set that its file extends.
    pub base: Option<String>,
    /// The keys whose value does not come from the file that names the clauses of their section, but from another file or a
    /// setting.
    pub changed: BTreeSet<String>,
}

/// Loads the rule set `name` from `files`, with the chosen `settings`: a table option or, with a dot in the name, a key of
/// the rules. Options are laid over the set in the order of their names, then keys in the order given; of two settings with
/// the same name the later one wins.
///
/// # Errors
/// Lists every problem with its place.
pub fn load(files: &dyn RuleFiles, name: &str, settings: &[(String, OptionValue)]) -> Result<LoadedRules, Problems> {
    let mut report = ProblemCollector::default();
    let chain = read_chain(files, name, &mut report);
    let shown: Vec<String> = chain.iter().map(|node| node.at.file.to_string()).collect();
    let Some(own) = chain.first().cloned().filter(|_| report.is_empty()) else {
        report.into_result()?;
        return Err(Problems(Vec::new()));
    };
    let base = chain.get(1).map(heading_of);
    let mut tree = source::parse(&COMMON.file(), 0, COMMON.text, &mut report);
    for file in chain.into_iter().rev() {
        tree.overlay(file);
    }
    check_heading(&own, &mut tree, &mut report);
    let named_in = clause_layers(&tree);
    let clauses = tree.take("clauses").map(|node| read_clauses(&node, &mut report)).unwrap_or_default();
    let definitions = tree.take("options").map(|node| options::read(&node, &mut report)).unwrap_or_default();
    let chosen = apply(&definitions, settings, &mut tree, &mut report);
    let changed = changed_keys(&tree, &definitions, &named_in);
    let set = draft::read(&tree, &mut report).map(words::resolve);
    let set = set.inspect(|set| check::check(set, &tree, Some(&definitions), &mut report));
    let set = set.map(|mut set| {
        let excluded = menu::check(&set, &tree, &mut report);
        menu::exclude(&mut set, excluded);
        set
    });
    let Some(mut set) = set.filter(|_| report.is_empty()) else {
        report.into_result()?;
        return Err(Problems(Vec::new()));
    };
    set.options = definitions
        .iter()
        .map(|option| {
            let value = chosen.get(&option.name).cloned().unwrap_or_else(|| option.standing(&tree));
            (option.name.clone(), value)
        })
        .collect();
    Ok(LoadedRules { set, options: definitions, clauses, files: shown, base, changed })
}

/// `Title (name)` of a file.
fn heading_of(file: &Node) -> String {
    let text = |key: &str| file.get(key).and_then(Node::as_text).map(str::to_owned);
    match (text("title"), text("name")) {
        (Some(title), Some(name)) => format!("{title} ({name})"),
        (title, name) => title.or(name).unwrap_or_default(),
    }
}

/// The layer of the file that names the clauses of each section and part, by the key of the section or part.
fn clause_layers(tree: &Node) -> Vec<(String, u32)> {
    let leaves = tree.leaves();
    let parts = leaves.iter().filter_map(|(path, node)| {
        let section = path.strip_prefix("clauses.").or_else(|| path.strip_suffix(".clauses"))?;
        Some((section.to_owned(), node.at.layer))
    });
    parts.collect()
}

/// The keys written by a setting, or by another file than the one that names their clauses. A number that an option writes
/// belongs to the option.
fn changed_keys(tree: &Node, options: &[OptionDefinition], named_in: &[(String, u32)]) -> BTreeSet<String> {
    let by_option = |path: &str, layer: u32| {
        layer == SourcePlace::SETTINGS && options.iter().any(|option| option.key.as_deref() == Some(path))
    };
    let leaves = tree.leaves();
    let changed = leaves.iter().filter(|(path, node)| {
        let inside = |part: &str| path.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'));
        let layer = node.at.layer;
        named_in.iter().any(|(part, named)| inside(part) && layer > *named) && !by_option(path, layer)
    });
    changed.map(|(path, _)| path.clone()).collect()
}

/// The one of `settings` without which this rule set could be played at such a table, if there is one.
pub fn hindering<'a>(
    files: &dyn RuleFiles,
    name: &str,
    settings: &'a [(String, OptionValue)],
    seats: usize,
) -> Option<&'a (String, OptionValue)> {
    settings.iter().enumerate().find_map(|(left_out, setting)| {
        let others = settings.iter().enumerate().filter(|(at, _)| *at != left_out);
        let others: Vec<_> = others.map(|(_, setting)| setting.clone()).collect();
        let loaded = load(files, name, &others).ok()?;
        Rules::for_table(&Arc::new(loaded.set), seats, None).ok().map(|_| setting)
    })
}

/// As [`load`], for a set that is part of the program.
///
/// # Errors
/// As [`load`].
pub fn load_built_in(name: &str, settings: &[(String, OptionValue)]) -> Result<LoadedRules, Problems> {
    load(&BuiltIn, name, settings)
}

/// Loads a rule set once for each value of each of its options, to make sure that a file is valid whatever is chosen.
///
/// # Errors
/// Lists every problem with its place, whichever choice causes it.
pub fn load_thoroughly(files: &dyn RuleFiles, name: &str) -> Result<LoadedRules, Problems> {
    let loaded = load(files, name, &[])?;
    let mut problems = Vec::new();
    for option in &loaded.options {
        for value in option.samples() {
            if let Err(Problems(found)) = load(files, name, &[(option.name.clone(), value.clone())]) {
                for mut problem in found {
                    problem.message = format!("with {}={value}: {}", option.name, problem.message);
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { Ok(loaded) } else { Err(Problems(problems)) }
}

/// The trees of the requested file and of all that it extends, in this order.
fn read_chain(files: &dyn RuleFiles, name: &str, report: &mut ProblemCollector) -> Vec<Node> {
    let mut chain: Vec<Node> = Vec::new();
    let mut next = (name.to_owned(), SourcePlace::setting("rules"), String::new());
    loop {
        let (name, place, key) = &next;
        let from = chain.last().map(|node: &Node| node.at.file.to_string());
        let text = match files.text(name, from.as_deref()) {
            Ok(text) => text,
            Err(error) => {
                report.add(place, key, error.to_string());
                return chain;
            }
        };
        if chain.iter().any(|node| *node.at.file == *text.file) {
            report.add(place, key, format!("{name:?} is extended already: the files go round in a circle"));
            return chain;
        }
        if chain.len() == MAX_EXTENDS {
            report.add(place, key, format!("more than {MAX_EXTENDS} files extend one another"));
            return chain;
        }
        let layer = (MAX_EXTENDS - chain.len()) as u32;
        let mut tree = source::parse(&text.file, layer, &text.text, report);
        if report.is_empty() && tree.get("format").is_none() {
            report.add(&tree.at, "format", "this key is required: format = 1");
        }
        let base = tree.take("extends");
        chain.push(tree);
        next = match base.as_ref().map(|base| (base.as_text(), base)) {
            None => return chain,
            Some((Some(name), base)) => (name.to_owned(), base.at.clone(), "extends".to_owned()),
            Some((None, base)) => {
                report.add(&base.at, "extends", "expected the name of a rule set or file, as in \"skat\"");
                return chain;
            }
        };
    }
}

/// A file that extends a set is another game and needs another name; its title is its own or its name, and it inherits no
/// description.
fn check_heading(own: &Node, tree: &mut Node, report: &mut ProblemCollector) {
    if let (None, Some(inherited)) = (own.get("about"), tree.get("about").cloned()) {
        tree.overlay(Node::nested("about", Node { value: Value::Text(String::new()), ..inherited }));
    }
    match (own.get("name"), own.get("title")) {
        (None, _) => {
            report.add(&own.at, "name", "this key is required: a name of the set's own, as in name = \"my-rules\"")
        }
        (Some(name), None) if tree.get("title").is_some() => tree.overlay(Node::nested("title", name.clone())),
        _ => {}
    }
}

fn read_clauses(node: &Node, report: &mut ProblemCollector) -> BTreeMap<String, Vec<String>> {
    let mut clauses = BTreeMap::new();
    let Some(table) = node.as_table() else {
        report.add(&node.at, "clauses", "expected a table with a list of clause ids for each section");
        return clauses;
    };
    for (section, node) in table {
        let path = join("clauses", section);
        match node.as_option() {
            _ if !SECTIONS.contains(&section.as_str()) => {
                report.add(&node.key_at, &path, format!("unknown key{}", suggestion(section, SECTIONS)));
            }
            Some(OptionValue::List(ids)) => {
                clauses.insert(section.clone(), ids);
            }
            _ => report.add(&node.at, &path, "expected a list of clause ids, as in [\"B-01\"]"),
        }
    }
    clauses
}

/// Lays options and settings over the tree; returns the chosen values.
fn apply(
    definitions: &[OptionDefinition],
    settings: &[(String, OptionValue)],
    tree: &mut Node,
    report: &mut ProblemCollector,
) -> BTreeMap<String, OptionValue> {
    let (keys, options): (Vec<_>, Vec<_>) = settings.iter().partition(|(name, _)| name.contains('.'));
    let options: BTreeMap<&str, &OptionValue> =
        options.into_iter().map(|(name, value)| (name.as_str(), value)).collect();
    let files = tree.clone();
    for option in definitions.iter().filter(|option| !options.contains_key(option.name.as_str())) {
        option.apply_default(&files, tree, report);
    }
    let mut chosen = BTreeMap::new();
    for (name, value) in options {
        let place = SourcePlace::setting(&format!("setting {name}"));
        let Some(option) = definitions.iter().find(|option| option.name == name) else {
            let known = suggestion(name, definitions.iter().map(|option| option.name.as_str()));
            report.add(&SourcePlace::setting("setting"), name, format!("no such table option{known}"));
            continue;
        };
        match option.choose(value, &place) {
            Ok(choice) => {
                for (path, leaf) in choice.writes.iter().flat_map(Node::leaves) {
                    tree.write(&path, leaf.clone());
                }
                chosen.insert(name.to_owned(), choice.value);
            }
            Err(message) => report.add(&SourcePlace::setting("setting"), name, message),
        }
    }
    for (path, value) in keys {
        set_key(path, value, tree, report);
    }
    chosen
}

/// Writes a value straight to a key of the rules.
fn set_key(path: &str, value: &OptionValue, tree: &mut Node, report: &mut ProblemCollector) {
    let place = SourcePlace::setting("setting");
    let (front, _) = path.rsplit_once('.').unwrap_or(("", path));
    let (there, whole) = tree.nearest(front);
    if path.split('.').any(str::is_empty) || path.split('.').count() > 8 {
        report.add(&place, path, "expected a key of the rules, as in deal.cards");
    } else if path.starts_with("options.") {
        report.add(&place, path, "a table option is chosen by its name alone, as in deck=52");
    } else if there.as_table().is_none() {
        let what = if whole { "holds a value" } else { "leads through a value" };
        report.add(&place, path, format!("cannot be written: {front} {what}, not further keys"));
    } else {
        let model = tree.get(path).and_then(|node| match &node.value {
            // A list of cards can be given as a text, and a text of cards may look like a number.
            Value::List(_) => Some(OptionValue::Text(String::new())),
            _ => node.as_option(),
        });
        let value = model.map_or_else(|| value.clone(), |model| options::like(&model, value));
        tree.write(path, Node::of_option(&value, place));
    }
}
