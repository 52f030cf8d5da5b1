//! The rule sets of a league file: read from `rules` and `[options]`, loaded, and checked against its tables. Who plays by them is
//! not known here.

use std::path::Path;
use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{hindering, load};
use maumau_places::{At, Node, Problem, ProblemCollector, Reader, SourcePlace, Value};
use maumau_protocol::limits::MAX_ROUNDS;
use maumau_protocol::ruleset::{OptionValue, RuleSet};

use crate::io::rule_files::{OnDisk, is_path};

/// Maximum characters of a rule set's name, or of the path of its file.
const MAX_CHARS: usize = 4_000;

/// The keys of a rule set in braces.
pub(super) const KEYS: [&str; 3] = ["set", "rounds", "options"];

/// An option with its value.
pub(super) type OptionDraft = (String, At<OptionValue>);

/// One rule set as written.
#[derive(Default)]
pub(super) struct RulesDraft {
    /// Its name, or its file.
    set: String,
    /// Its place.
    pub(super) at: SourcePlace,
    /// Rounds of a game, if they are its own.
    rounds: Option<At<u64>>,
    /// Its own options, which come after those of the league.
    options: Vec<OptionDraft>,
    /// The name of the key, for messages.
    key: String,
}

impl RulesDraft {
    /// The name of its set or its file, and its settings: those that are `shared`, and its own.
    fn to_load(&self, shared: &[OptionDraft], folder: &Path) -> (String, Vec<(String, OptionValue)>) {
        let name = if is_path(&self.set) { folder.join(&self.set).display().to_string() } else { self.set.clone() };
        let is_own = |name: &str| self.options.iter().any(|(own, _)| own == name);
        let options = shared.iter().filter(|(name, _)| !is_own(name)).chain(&self.options);
        (name, options.map(|(name, value)| (name.clone(), value.is.clone())).collect())
    }
}

/// `rules`: a name, or a list of names and tables.
pub(super) fn read_rules(top: &Reader<'_>, report: &mut ProblemCollector) -> Vec<RulesDraft> {
    let named = |set: At<String>, key: &str| RulesDraft {
        set: set.is,
        at: set.at,
        key: key.to_owned(),
        ..RulesDraft::default()
    };
    let Some(Node { value: Value::List(items), .. }) = top.get("rules") else {
        return top.text("rules", MAX_CHARS, report).map(|set| named(set, "rules")).into_iter().collect();
    };
    let mut sets = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let key = format!("rules[{number}]");
        match &item.value {
            Value::Text(text) if text.chars().count() <= MAX_CHARS => {
                sets.push(named(At { is: text.clone(), at: item.at.clone() }, &key));
            }
            Value::Table(_) => {
                let table = Reader::new(item, key.clone());
                table.refuse_unknown(&KEYS, report);
                let Some(set) = table.text("set", MAX_CHARS, report) else {
                    report.add(&item.at, &table.path("set"), "this key is required: set = \"skat\"");
                    continue;
                };
                let options = table.table("options", report);
                sets.push(RulesDraft {
                    at: item.at.clone(),
                    rounds: table.number("rounds", 1, MAX_ROUNDS.into(), report),
                    options: options.map(|options| read_options(&options, report)).unwrap_or_default(),
                    ..named(set, &key)
                });
            }
            other => {
                let message =
                    format!("expected the name of a rule set, or {{ set = \"skat\" }}, found {}", other.kind());
                report.add(&item.at, &key, message);
            }
        }
    }
    sets
}

/// A table of options.
pub(super) fn read_options(table: &Reader<'_>, report: &mut ProblemCollector) -> Vec<OptionDraft> {
    let mut options = Vec::new();
    for (name, node) in table.values() {
        match node.as_option() {
            Some(is) => options.push((name.clone(), At { is, at: node.at.clone() })),
            None => {
                let expected = "expected true, false, a whole number, a text or a list of texts";
                report.add(&node.at, &table.path(name), format!("{expected}, found {}", node.value.kind()));
            }
        }
    }
    options
}

/// Loads the rule sets, each with the `shared` options and its own; files are looked up relative to `folder`. `None` if something
/// is wrong, which is reported.
pub(super) fn load_rules(
    drafts: &[RulesDraft],
    shared: &[OptionDraft],
    folder: &Path,
    report: &mut ProblemCollector,
) -> Option<Vec<RuleSet>> {
    let mut sets: Vec<RuleSet> = Vec::new();
    let mut all_fine = !drafts.is_empty();
    for draft in drafts {
        let (name, settings) = draft.to_load(shared, folder);
        match load(&OnDisk, &name, &settings) {
            Ok(loaded) if sets.contains(&loaded.set) => {
                let message =
                    format!("{:?} stands there twice; leave one of them out, or give it other options", draft.set);
                report.add(&draft.at, &draft.key, message);
                all_fine = false;
            }
            Ok(loaded) => sets.push(loaded.set),
            Err(problems) => {
                problems.0.into_iter().for_each(|problem| place(problem, draft, shared, drafts.len() > 1, report));
                all_fine = false;
            }
        }
    }
    all_fine.then_some(sets)
}

/// A problem with the rules: in a rule file it has its own place; otherwise it belongs to a place in this file.
fn place(problem: Problem, draft: &RulesDraft, shared: &[OptionDraft], are_many: bool, report: &mut ProblemCollector) {
    if problem.line > 0 {
        return report.take(problem);
    }
    let find = |options: &[OptionDraft]| {
        options.iter().find(|(name, _)| *name == problem.key).map(|(name, value)| (name.clone(), value.at.clone()))
    };
    let of = if are_many { format!("{}: ", draft.set) } else { String::new() };
    if let Some((name, at)) = find(&draft.options) {
        return report.add(&at, &format!("{}.options.{name}", draft.key), problem.message);
    }
    if let Some((name, at)) = find(shared) {
        let where_else = if are_many {
            format!("; an option of one rule set stands there: {{ set = {:?}, options = {{ … }} }}", draft.set)
        } else {
            String::new()
        };
        return report.add(&at, &format!("options.{name}"), format!("{of}{}{where_else}", problem.message));
    }
    let message =
        if problem.key.is_empty() { problem.message } else { format!("{}: {}", problem.key, problem.message) };
    report.add(&draft.at, &draft.key, message);
}

/// The rounds of a game by each of `sets`, of whom `usual` are what the league says; `None` if one does not provide for such tables,
/// which is reported.
pub(super) fn rounds_of(
    sets: &[RuleSet],
    drafts: &[RulesDraft],
    (shared, folder): (&[OptionDraft], &Path),
    seats: &At<u64>,
    usual: Option<u32>,
    report: &mut ProblemCollector,
) -> Option<Vec<u32>> {
    let mut rounds = Vec::new();
    for (set, draft) in sets.iter().zip(drafts) {
        let own = draft.rounds.as_ref().map(|rounds| rounds.is as u32).or(usual);
        match Rules::for_table(&Arc::new(set.clone()), seats.is as usize, own) {
            Ok(table) => rounds.push(table.rounds()),
            Err(error) => {
                let (name, settings) = draft.to_load(shared, folder);
                let option = hindering(&OnDisk, &name, &settings, seats.is as usize);
                let option = option.map_or(String::new(), |(key, value)| {
                    format!("; without the option {key} = {value} there is a table for {}", seats.is)
                });
                match sets.len() {
                    1 => report.add(&seats.at, "seats", format!("{error}{option}")),
                    _ => {
                        let set = &draft.set;
                        let message = format!("{error}{option}; leave {set:?} out, or change the number of seats");
                        report.add(&draft.at, &draft.key, message);
                    }
                }
            }
        }
    }
    (rounds.len() == sets.len()).then_some(rounds)
}
