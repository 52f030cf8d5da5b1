//! Deals many times, with progress; `ShuffleTest` judges whether the cards are evenly spread.

use maumau_model_check::{Evenness, ShuffleTest};
use maumau_run::io::progress::ProgressLine;

/// Deals between two looks at the clock.
const BLOCK: u64 = 10_000;

/// Deals this many times and reports how evenly the cards are distributed.
pub(crate) fn deal_many(seed: u64, deals: u64) -> Evenness {
    let mut test = ShuffleTest::new(seed);
    let progress = ProgressLine::new("shuffle", deals);
    for number in 0..deals {
        test.deal(number);
        if (number + 1) % BLOCK == 0 {
            progress.is_at(number + 1, 0);
        }
    }
    progress.end();
    test.evenness()
}
