//! A game that is played by the bytes.

use std::sync::{Arc, LazyLock};

use maumau_engine::Rules;
use maumau_engine::selftest::{play_chosen, random_tables};

/// Choices of options for each built-in set.
const VARIANTS: u64 = 24;

/// Tables of every built-in set.
pub(crate) static TABLES: LazyLock<Vec<Arc<Rules>>> =
    LazyLock::new(|| random_tables(VARIANTS).expect("the built-in sets are sound"));

/// A table, then what is done at it: the laws of `maumau_engine::selftest` hold.
pub fn game(data: &[u8]) {
    let Some((table, choices)) = data.split_first() else { return };
    let rules = &TABLES[usize::from(*table) % TABLES.len()];
    if let Err(breach) = play_chosen(rules, choices) {
        panic!("{} at a table of {}: {breach}", rules.set().name, rules.seats());
    }
}
