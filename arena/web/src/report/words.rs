//! Numbers and lists as words, the way a paper sets them.

use maumau_tournament::fixed;
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::ratings::{Bound, Rating};

/// A whole number in groups of three digits.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 game`, `2 games`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with a real minus sign.
pub(super) fn number(value: f64, decimals: usize) -> String {
    fixed(value, decimals).replace('-', "\u{2212}")
}

/// A score: three decimals.
pub(super) fn score(value: f64) -> String {
    fixed(value, 3)
}

/// A share in whole percent.
pub(super) fn percent(share: f64) -> String {
    number(share * 100.0, 0)
}

/// An interval with a dash.
pub(super) fn interval(interval: Interval, decimals: usize) -> String {
    format!("{}\u{2013}{}", number(interval.low, decimals), number(interval.high, decimals))
}

/// The interval of a rating; only one end of it may be known.
pub(super) fn rating_interval(rating: &Rating) -> String {
    match (rating.interval, rating.bound) {
        (None, _) => String::new(),
        (Some(interval), Some(Bound::Low)) => format!("at least {}", number(interval.low, 0)),
        (Some(interval), Some(Bound::High)) => format!("at most {}", number(interval.high, 0)),
        (Some(both), None) => interval(both, 0),
    }
}

/// A range of places: `3` or `2–5`.
pub(super) fn places((best, worst): (usize, usize)) -> String {
    if best == worst { best.to_string() } else { format!("{best}\u{2013}{worst}") }
}

/// `a, b and c`; after the first `most` names only how many there are.
pub(super) fn list(names: &[&str], most: usize) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        names if names.len() > most => {
            format!("{} and {} others", names[..most].join(", "), names.len() - most)
        }
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A probability: `p = 0.031`, or a bound for small ones.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {}", fixed(p, 3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_are_set_as_in_a_paper() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(number(-0.25, 2), "\u{2212}0.25");
        assert_eq!(interval(Interval { low: -3.0, high: 4.0 }, 0), "\u{2212}3\u{2013}4");
        assert_eq!([list(&["a"], 3), list(&["a", "b"], 3), list(&["a", "b", "c"], 3)], ["a", "a and b", "a, b and c"]);
        assert_eq!(list(&["a", "b", "c", "d", "e"], 2), "a, b and 3 others");
        assert_eq!([probability(0.0004), probability(0.25)], ["p < 0.001", "p = 0.250"]);
    }
}
