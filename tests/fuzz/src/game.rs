//! A game whose choices are made by the bytes. The engine's `selftest` holds it to its laws.

use std::sync::{Arc, LazyLock};

use maumau_engine::Rules;
use maumau_model_check::{ChosenGames, random_tables};

/// Choices of options for each built-in set.
const VARIANTS: u64 = 24;

/// Positions from which the games of a table begin.
const BEGINNINGS: u64 = 8;

/// Tables of every built-in set.
pub(crate) static TABLES: LazyLock<Vec<Arc<Rules>>> =
    LazyLock::new(|| random_tables(VARIANTS).expect("the built-in sets are sound"));

static GAMES: LazyLock<Vec<ChosenGames>> = LazyLock::new(|| {
    let games = |rules| ChosenGames::new(rules, BEGINNINGS).unwrap_or_else(|breach| panic!("{breach}"));
    TABLES.iter().map(games).collect()
});

/// A table, then where the game begins and what is done in it: the laws of `maumau_model_check` hold.
pub fn game(data: &[u8]) {
    let Some((table, choices)) = data.split_first() else { return };
    let table = usize::from(*table) % TABLES.len();
    if let Err(breach) = GAMES[table].play(choices) {
        let rules = &TABLES[table];
        panic!("{} at a table of {}: {breach}", rules.set().name, rules.seats());
    }
}
