//! The rules of a menu, laid over a set: whether each can be added, which of them exclude each other, and the rules with
//! some of them compiled. It knows trees and sets; what is offered in a match is the game's business.

use std::collections::BTreeMap;
use std::sync::Arc;

use maumau_places::{Node, ProblemCollector, join, list, suggestion};
use maumau_protocol::Text;
use maumau_protocol::ruleset::{Duties, Menu, RuleSet};
use serde_json::Value;

use super::compiled::{Rules, TableError};
use super::{check, draft, words};

/// The most rules of a menu: a check tries each pair.
const MAX_ENTRIES: usize = 32;
/// The sections in which a rule of a menu can write: nothing there decides who plays, with which cards or for what.
const OPEN: [&str; 8] = ["calls", "duties", "effects", "interject", "prices", "talk", "together", "turn"];

/// Reports every rule of the menu of `set` that cannot be added to it, and returns for each the rules with which it cannot
/// stand beside those that it names itself: together they would be refused, or they give one key two values (G-76).
pub(super) fn check(set: &RuleSet, tree: &Node, report: &mut ProblemCollector) -> BTreeMap<String, Vec<String>> {
    let Some(menu) = &set.menu else { return BTreeMap::new() };
    let mut base = tree.clone();
    base.take("menu");
    let before = report.is_empty();
    names(menu, tree, report);
    let Some(fragments) = fragments(menu, tree, report).filter(|_| before && report.is_empty()) else {
        return BTreeMap::new();
    };
    let mut sets = Vec::new();
    for (name, fragment) in &fragments {
        let mut found = ProblemCollector::default();
        sets.push(judge(&base, &[fragment], &mut found));
        if let Some(problem) = found.first() {
            let mut problem = problem.clone();
            problem.message = format!("added by menu.add.{name}: {}", problem.message);
            report.take(problem);
        }
    }
    if !report.is_empty() {
        return BTreeMap::new();
    }
    let mut excluded: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, (one, first)) in fragments.iter().enumerate() {
        for (before, (other, second)) in fragments[..at].iter().enumerate() {
            let mut found = ProblemCollector::default();
            let contradicts = contradicts(first, second);
            let joined = sets[before].as_ref().zip(sets[at].as_ref()).and_then(|(one, other)| joined(set, one, other));
            match joined.filter(|_| !contradicts) {
                _ if contradicts => {}
                Some(both) => check::check_rules(&both, &base, &mut found),
                None => drop(judge(&base, &[second, first], &mut found)),
            }
            if contradicts || !found.is_empty() {
                excluded.entry((*one).clone()).or_default().push((*other).clone());
                excluded.entry((*other).clone()).or_default().push((*one).clone());
            }
        }
    }
    together(&base, menu, &fragments, &excluded, tree, report);
    excluded
}

/// The names that the menu uses must be there, and not too many.
fn names(menu: &Menu, tree: &Node, report: &mut ProblemCollector) {
    if menu.add.is_empty() || menu.add.len() > MAX_ENTRIES {
        let count = menu.add.len();
        report.add_in(tree, "menu.add", format!("expected 1 to {MAX_ENTRIES} rules that can be added, found {count}"));
    }
    for (name, entry) in &menu.add {
        let path = join("menu.add", name);
        for (key, names) in [("replaces", &entry.replaces), ("excludes", &entry.excludes)] {
            for unknown in names.iter().filter(|other| !menu.add.contains_key(*other) || *other == name) {
                let known = suggestion(unknown, menu.add.keys().map(String::as_str));
                report.add_in(tree, &join(&path, key), format!("{unknown:?} is no other rule of the menu{known}"));
            }
        }
    }
}

/// The keys that each rule writes, if all of them may be written.
fn fragments<'a>(menu: &'a Menu, tree: &'a Node, report: &mut ProblemCollector) -> Option<Vec<(&'a String, &'a Node)>> {
    let mut fragments = Vec::new();
    for (name, _) in menu.add.iter().filter(|(_, entry)| !entry.off) {
        let path = format!("menu.add.{name}.rules");
        let node = tree.get(&path)?;
        let Some(table) = node.as_table().filter(|table| !table.is_empty()) else {
            report.add(&node.at, &path, "expected some keys of the rules, as in { turn.after_draw = \"drawn_card\" }");
            continue;
        };
        for (key, inner) in table.iter().filter(|(key, _)| !OPEN.contains(&key.as_str())) {
            let open: Vec<String> = OPEN.iter().map(|key| (*key).to_owned()).collect();
            let message = format!("cannot change in the course of a match: expected {}", list(&open, "or"));
            report.add(&inner.key_at, &join(&path, key), message);
        }
        fragments.push((name, node));
    }
    Some(fragments)
}

/// Whether two fragments give one key two values.
fn contradicts(one: &Node, other: &Node) -> bool {
    one.leaves().iter().any(|(path, leaf)| match other.nearest(path) {
        (there, true) => there.to_json() != leaf.to_json(),
        (there, false) => there.as_table().is_none(),
    })
}

/// Lists what is wrong with the rules of `base` and all of `added`, and returns them if they can be read.
fn judge(base: &Node, added: &[&Node], report: &mut ProblemCollector) -> Option<RuleSet> {
    let mut tree = base.clone();
    added.iter().for_each(|fragment| tree.overlay((*fragment).clone()));
    let set = draft::read(&tree, report).map(words::resolve)?;
    check::check_rules(&set, &tree, report);
    Some(set)
}

/// The set that differs from `base` by all in which `one` and `other` do, if that can be said without reading it from a tree: no
/// section but effects, ways to play several cards and words of duties differs in both. There are many pairs of rules, and
/// reading takes most of the time of a check.
fn joined(base: &RuleSet, one: &RuleSet, other: &RuleSet) -> Option<RuleSet> {
    let mut both = one.clone();
    for (name, effect) in other.effects.iter().filter(|(name, effect)| base.effects.get(*name) != Some(effect)) {
        (both.effects.get(name) == base.effects.get(name)).then_some(())?;
        both.effects.insert(name.clone(), effect.clone());
    }
    for (name, way) in other.together.iter().filter(|(name, way)| base.together.get(*name) != Some(way)) {
        (both.together.get(name) == base.together.get(name)).then_some(())?;
        both.together.insert(name.clone(), way.clone());
    }
    let words = &base.duties.words;
    for (name, duty) in other.duties.words.iter().filter(|(name, duty)| words.get(*name) != Some(duty)) {
        (both.duties.words.get(name) == words.get(name)).then_some(())?;
        both.duties.words.insert(name.clone(), duty.clone());
    }
    let without_words = Duties { words: words.clone(), ..other.duties.clone() };
    (without_words == base.duties).then_some(())?;
    macro_rules! take {
        ($($section:ident)+) => {$(
            if other.$section != base.$section {
                (one.$section == base.$section).then_some(())?;
                both.$section = other.$section.clone();
            }
        )+};
    }
    take!(turn interject talk prices calls);
    Some(both)
}

/// As many rules as do not exclude each other, in the order of their names, must stand together: pairs are tried one by one,
/// larger groups only so.
fn together(
    base: &Node,
    menu: &Menu,
    fragments: &[(&String, &Node)],
    excluded: &BTreeMap<String, Vec<String>>,
    tree: &Node,
    report: &mut ProblemCollector,
) {
    let excludes = |one: &String, other: &String| {
        let named =
            |one: &String, other: &String| menu.add.get(one).is_some_and(|entry| entry.excludes.contains(other));
        excluded.get(one).is_some_and(|names| names.contains(other)) || named(one, other) || named(other, one)
    };
    let mut all: Vec<(&String, &Node)> = Vec::new();
    for (name, fragment) in fragments {
        if all.iter().all(|(other, _)| !excludes(name, other)) {
            all.push((name, fragment));
        }
    }
    let mut found = ProblemCollector::default();
    judge(base, &all.iter().map(|(_, fragment)| *fragment).collect::<Vec<_>>(), &mut found);
    if let Some(problem) = found.first() {
        let names: Vec<String> = all.iter().map(|(name, _)| (*name).clone()).collect();
        let why = format!("{} cannot all hold: {}: {}", list(&names, "and"), problem.key, problem.message);
        report.add_in(tree, "menu.add", format!("{why}; say with excludes which of them cannot stand together"));
    }
}

/// Takes note of the rules that exclude each other.
pub(super) fn exclude(set: &mut RuleSet, excluded: BTreeMap<String, Vec<String>>) {
    let Some(menu) = &mut set.menu else { return };
    for (name, others) in excluded {
        if let Some(entry) = menu.add.get_mut(&name) {
            entry.excludes.extend(others);
            entry.excludes.sort();
            entry.excludes.dedup();
        }
    }
}

impl Rules {
    /// These rules with the rules `added` of their menu, in this order.
    ///
    /// # Errors
    /// The menu has none of such a name, or it does not fit these rules.
    pub fn with_added(&self, added: &[Text]) -> Result<Rules, TableError> {
        let refuse = |message: String| TableError(format!("{}: {message}", self.set.name));
        let mut json = serde_json::to_value(&*self.set).map_err(|error| refuse(error.to_string()))?;
        for name in added {
            let entry = self.set.menu.as_ref().and_then(|menu| menu.add.get(name.as_str()));
            let entry = entry.ok_or_else(|| refuse(format!("its menu has no {:?}", name.as_str())))?;
            overlay(&mut json, &Value::Object(entry.rules.0.clone()));
        }
        let set = RuleSet::from_value(&json).map_err(|error| refuse(error.to_string()))?;
        Rules::for_table(&Arc::new(words::resolve(set)), self.seats, Some(self.rounds))
    }
}

/// Lays `over` on `under`, as files are laid over one another.
fn overlay(under: &mut Value, over: &Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                match under.get_mut(key) {
                    Some(there) => overlay(there, value),
                    None => {
                        under.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        (under, over) => *under = over.clone(),
    }
}
