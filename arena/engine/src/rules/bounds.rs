//! The smallest and largest number that each key may hold, in one table; and the form of keys and texts everywhere.
//! What the keys mean is not known here. It reads the tree and only adds problems.

use maumau_places::{Node, ProblemCollector, Value};
use maumau_protocol::MAX_SEATS;
use maumau_protocol::limits::{MAX_COPIES, MAX_JOKERS_PER_PACK, MAX_PACKS, MAX_ROUNDS, MAX_TOGETHER};

use super::effect_parts;

/// The most characters in one text.
pub(crate) const MAX_TEXT_CHARS: usize = 2_000;
/// The most characters in a key.
const MAX_KEY_CHARS: usize = 64;

/// Paths with their smallest and largest number; `*` stands for any one key. In values that depend on the number of seats,
/// every row is bounded. The numbers of effects are in `effect_parts`.
const BOUNDS: [(&str, i64, i64); 39] = [
    ("format", 1, 1),
    ("seats.min", 2, MAX_SEATS as i64),
    ("seats.max", 2, MAX_SEATS as i64),
    ("deck.packs", 1, MAX_PACKS as i64),
    ("deck.copies", 1, MAX_COPIES as i64),
    ("deck.jokers", 0, MAX_JOKERS_PER_PACK as i64),
    ("deal.cards", 1, 52),
    ("deal.leave_each", 0, 20),
    ("turn.draws", 0, 20),
    ("turn.max_refusals", 1, 100),
    ("turn.max_strikes", 1, 100),
    ("turn.absent_limits", 0, 100),
    ("turn.cap", 1, 100_000),
    ("turn.cards_cap", 1, 100_000),
    ("ending.blocked_after", 0, MAX_SEATS as i64),
    ("effects.*.seats.*", 2, MAX_SEATS as i64),
    ("together.*.sizes.*", 2, MAX_TOGETHER as i64),
    ("duties.last.cards", 1, 20),
    ("duties.*.cards", 0, 20),
    ("duties.*.false_costs", 0, 20),
    ("duties.words.*.left", 0, 20),
    ("duties.words.*.interjection", 0, 20),
    ("duties.done.without_number", 0, 1_000),
    ("point_of_order.max", 0, 100),
    ("prices.slow_cards", 0, 20),
    ("prices.misplay.cards", 0, 20),
    ("prices.misplay.out_of_turn", 0, 20),
    ("challenge.failed", 0, 20),
    ("calls.cards", 0, 20),
    ("count.start", 1, 13),
    ("count.on_win", -13, 13),
    ("count.match_at", 0, 14),
    ("scoring.chips", 0, 10_000),
    ("scoring.rounds", 0, MAX_ROUNDS as i64),
    ("scoring.target", 0, 100_000),
    ("scoring.points.*", 0, 200),
    ("deck.*.*.seats.*", 2, MAX_SEATS as i64),
    ("deal.*.*.seats.*", 2, MAX_SEATS as i64),
    ("scoring.*.*.seats.*", 2, MAX_SEATS as i64),
];

/// Paths of tables, as in [`BOUNDS`]: a list there would be read as the values of its members, in their order.
const TABLES: [&str; 28] = [
    "seats",
    "deck",
    "deck.*.*",
    "deal",
    "deal.*.*",
    "turn",
    "effects",
    "effects.*",
    "effects.*.draw",
    "effects.*.owe",
    "effects.*.skip",
    "effects.*.request",
    "together",
    "together.*",
    "duties",
    "duties.*",
    "duties.words.*",
    "interject",
    "challenge",
    "talk",
    "point_of_order",
    "prices",
    "prices.misplay",
    "calls",
    "count",
    "ending",
    "scoring",
    "scoring.*.*",
];

/// Whether `path` is one of those that `pattern` stands for.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut keys) = (pattern.split('.'), path.split('.'));
    loop {
        match (wanted.next(), keys.next()) {
            (None, None) => return true,
            (Some(wanted), Some(key)) if wanted == "*" || wanted == key => {}
            _ => return false,
        }
    }
}

/// The bounds of the number at `path`, if it has any.
pub(crate) fn of(path: &str) -> Option<(i64, i64)> {
    let row = path.strip_suffix(".is").and_then(|front| front.rsplit_once('.'));
    let whole = match row {
        Some((front, row)) if row.bytes().all(|byte| byte.is_ascii_digit()) => front,
        _ => path,
    };
    let of_effect = || effect_parts::bounds(whole.strip_prefix("effects.")?.split_once('.')?.1);
    BOUNDS.iter().find(|(pattern, ..)| fits(pattern, whole)).map(|(_, low, high)| (*low, *high)).or_else(of_effect)
}

/// What a number must be.
pub(crate) fn phrase((low, high): (i64, i64)) -> String {
    if low == high { format!("the number {low}") } else { format!("a whole number from {low} to {high}") }
}

/// What is wrong with a key, if anything.
pub(crate) fn key_problem(key: &str) -> Option<String> {
    let well_formed = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    (!well_formed || key.is_empty() || key.len() > MAX_KEY_CHARS).then(|| {
        let shown: String = key.chars().take(40).collect();
        format!("{shown:?} is no key: letters, digits, - and _, at most {MAX_KEY_CHARS}")
    })
}

/// What is wrong with a text, if anything.
pub(crate) fn text_problem(text: &str) -> Option<String> {
    (text.len() > MAX_TEXT_CHARS && text.chars().count() > MAX_TEXT_CHARS)
        .then(|| format!("a text has at most {MAX_TEXT_CHARS} characters"))
}

/// Reports every number of `tree` that is out of its bounds, every text that is too long, every list where a table belongs
/// and every invalid key.
pub(crate) fn check(tree: &Node, report: &mut ProblemCollector) {
    walk(tree, &mut String::new(), report);
}

fn walk(node: &Node, path: &mut String, report: &mut ProblemCollector) {
    match &node.value {
        Value::Table(table) => {
            for (key, inner) in table {
                match key_problem(key) {
                    Some(problem) => report.add(&inner.key_at, path, problem),
                    None => walk_member(inner, key, path, report),
                }
            }
        }
        Value::List(_) if TABLES.iter().any(|table| fits(table, path)) => {
            report.add(&node.at, path, "expected a table, found a list".to_owned());
        }
        Value::List(items) => {
            items.iter().enumerate().for_each(|(i, inner)| walk_member(inner, &i.to_string(), path, report));
        }
        Value::Int(number) => {
            if let Some(bounds) = of(path).filter(|(low, high)| !(low..=high).contains(&number)) {
                report.add(&node.at, path, format!("expected {}, found {number}", phrase(bounds)));
            }
        }
        Value::Text(text) => {
            if let Some(problem) = text_problem(text) {
                report.add(&node.at, path, problem);
            }
        }
        Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Walks the member `key` of `path`, which is unchanged afterwards.
fn walk_member(node: &Node, key: &str, path: &mut String, report: &mut ProblemCollector) {
    let end = path.len();
    if end > 0 {
        path.push('.');
    }
    path.push_str(key);
    walk(node, path, report);
    path.truncate(end);
}
