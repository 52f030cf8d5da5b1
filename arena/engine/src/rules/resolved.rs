//! Checking a rule set whose files are not available, for example one from a foreign record. It applies `bounds` and
//! `check` and has no checks of its own.

use maumau_places::{Node, ProblemCollector, Problems, SourcePlace};
use maumau_protocol::ruleset::RuleSet;

use super::{bounds, check, menu};

/// Checks a resolved rule set by the same standards as a rule file.
///
/// # Errors
/// Lists every problem with its key.
pub fn check_resolved(set: &RuleSet) -> Result<(), Problems> {
    let mut report = ProblemCollector::default();
    let place = SourcePlace::setting("rules");
    match serde_json::to_value(set).ok().and_then(|json| Node::of_json(json, &place)) {
        Some(tree) => {
            bounds::check(&tree, &mut report);
            if report.is_empty() {
                check::check(set, &tree, None, &mut report);
                for (name, others) in menu::check(set, &tree, &mut report) {
                    let path = format!("menu.add.{name}.excludes");
                    let known = set.menu.as_ref().and_then(|menu| menu.add.get(&name)).map(|entry| &entry.excludes);
                    if others.iter().any(|other| known.is_none_or(|known| !known.contains(other))) {
                        report.add_in(&tree, &path, format!("must name {}", others.join(", ")));
                    }
                }
            }
        }
        None => report.add(&place, "", "has something in it that no rule file can say"),
    }
    report.into_result()
}
