//! The smallest and largest number that each key may hold, in one table.

use maumau_protocol::MAX_SEATS;
use maumau_protocol::limits::{MAX_JOKERS_PER_PACK, MAX_PACKS, MAX_ROUNDS};

use super::problem::Report;
use super::tree::{Node, Value, join};

/// Paths with their smallest and largest number; `*` stands for any one key. Values that depend on the number of seats
/// are bounded in every row.
const BOUNDS: [(&str, i64, i64); 31] = [
    ("format", 1, 1),
    ("seats.min", 2, MAX_SEATS as i64),
    ("seats.max", 2, MAX_SEATS as i64),
    ("deck.packs", 1, MAX_PACKS as i64),
    ("deck.jokers", 0, MAX_JOKERS_PER_PACK as i64),
    ("deal.cards", 1, 52),
    ("deal.leave_each", 0, 20),
    ("turn.draws", 1, 20),
    ("turn.max_refusals", 1, 100),
    ("turn.max_strikes", 1, 100),
    ("turn.absent_limits", 0, 100),
    ("turn.cap", 1, 100_000),
    ("turn.cards_cap", 1, 100_000),
    ("ending.blocked_after", 0, MAX_SEATS as i64),
    ("effects.*.seats.*", 2, MAX_SEATS as i64),
    ("effects.*.owe.cards", 1, 20),
    ("effects.*.request.unheld_costs", 0, 20),
    ("effects.*.last_multiplies", 1, 10),
    ("duties.*.cards", 0, 20),
    ("duties.words.*.left", 0, 20),
    ("duties.words.*.interjection", 0, 20),
    ("duties.done.without_number", 0, 1_000),
    ("point_of_order.max", 0, 100),
    ("prices.slow_cards", 0, 20),
    ("prices.misplay.cards", 0, 20),
    ("calls.cards", 0, 20),
    ("scoring.chips", 0, 10_000),
    ("scoring.rounds", 1, MAX_ROUNDS as i64),
    ("scoring.points.*", 0, 200),
    ("deck.*.*.seats.*", 2, MAX_SEATS as i64),
    ("deal.*.*.seats.*", 2, MAX_SEATS as i64),
];

/// The bounds of the number at `path`, if it has some.
pub(crate) fn of(path: &str) -> Option<(i64, i64)> {
    let keys: Vec<&str> = path.split('.').collect();
    let whole = match keys.as_slice() {
        [front @ .., row, "is"] if row.bytes().all(|byte| byte.is_ascii_digit()) => front,
        keys => keys,
    };
    let fits = |pattern: &str| {
        let pattern: Vec<&str> = pattern.split('.').collect();
        pattern.len() == whole.len() && pattern.iter().zip(whole).all(|(wanted, key)| *wanted == "*" || wanted == key)
    };
    BOUNDS.iter().find(|(pattern, ..)| fits(pattern)).map(|(_, low, high)| (*low, *high))
}

/// What a number has to be.
pub(crate) fn phrase((low, high): (i64, i64)) -> String {
    if low == high { format!("the number {low}") } else { format!("a whole number from {low} to {high}") }
}

/// Reports every number of `tree` that is out of its bounds.
pub(crate) fn check(tree: &Node, report: &mut Report) {
    walk(tree, "", report);
}

fn walk(node: &Node, path: &str, report: &mut Report) {
    match &node.value {
        Value::Table(table) => table.iter().for_each(|(key, inner)| walk(inner, &join(path, key), report)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(i, inner)| walk(inner, &join(path, &i.to_string()), report));
        }
        Value::Int(number) => {
            if let Some(bounds) = of(path).filter(|(low, high)| !(low..=high).contains(&number)) {
                report.add(&node.at, path, format!("expected {}, found {number}", phrase(bounds)));
            }
        }
        Value::Bool(_) | Value::Text(_) => {}
    }
}
