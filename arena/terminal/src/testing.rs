//! Screens as text for tests, and games to show on them. Only tests use it.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::load_built_in;
use maumau_referee::GameLog;
use maumau_referee::testing::FirstLegal;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::look::Look;

/// A terminal with signs and without colours.
pub(crate) const LOOK: Look = Look { colours: false, signs: true, escape: str::to_owned };

/// A game by a built-in set among agents that take the first legal action.
pub(crate) fn game(set: &str, seats: usize, rounds: u32) -> GameLog {
    let loaded = load_built_in(set, &[]).expect("a built-in set").set;
    let rules = Rules::for_table(&Arc::new(loaded), seats, Some(rounds)).expect("a table");
    let mut log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
    let names = ["ada", "bo", "cleo", "dora", "emil", "fay", "gus", "hal"];
    log.header.names = names.into_iter().take(seats).map(str::to_owned).collect();
    log
}

/// A screen of this size as text, without blanks at the ends of rows.
pub(crate) fn text((columns, rows): (u16, u16), draw: impl FnOnce(&mut Buffer, Rect)) -> String {
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    draw(&mut buffer, area);
    let row = |y: u16| {
        let row: String = (0..columns).map(|x| buffer[(x, y)].symbol()).collect();
        row.trim_end().to_owned() + "\n"
    };
    (0..rows).map(row).collect()
}
