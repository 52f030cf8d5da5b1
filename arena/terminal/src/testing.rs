//! Screens as text for tests, and games to show on them. Only tests use it.

use std::path::Path;
use std::sync::{Arc, Mutex};

use maumau_engine::Rules;
use maumau_engine::rules::load_built_in;
use maumau_protocol::Faces;
use maumau_referee::GameLog;
use maumau_referee::local_game::FirstLegal;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use crate::look::ScreenStyle;

/// A terminal with signs and without colours.
pub(crate) const LOOK: ScreenStyle =
    ScreenStyle { colours: false, signs: true, faces: Faces::French, escape: str::to_owned };

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

/// The page that shows screens: each in a block after a line such as `<!-- screen viewer-80x24 -->`.
const PAGE: &str = "../docs/terminal.md";

/// Holds a screen to the file of this name, and to its block in [`PAGE`] if it has one; with `MAUMAU_UPDATE=1` both are written.
pub(crate) fn check(name: &str, text: &str) {
    static UPDATING: Mutex<()> = Mutex::new(());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("screens").join(name).with_extension("txt");
    let update = std::env::var_os("MAUMAU_UPDATE").is_some();
    let _alone = update.then(|| UPDATING.lock().expect("no screen that failed to be written"));
    if update {
        std::fs::write(&file, text).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; MAUMAU_UPDATE=1 makes it", file.display()));
    assert_eq!(text, kept, "{} differs; if it should, look at it and run this with MAUMAU_UPDATE=1", file.display());
    let page = std::fs::read_to_string(folder.join(PAGE)).expect("the page");
    let Some((_, block)) = page.split_once(&format!("<!-- screen {name} -->\n\n```text\n")) else { return };
    let (shown, after) = block.split_once("```\n").expect("the end of the block");
    if update {
        let before = &page[..page.len() - block.len()];
        std::fs::write(folder.join(PAGE), format!("{before}{text}```\n{after}")).expect("the page can be written");
    } else {
        assert_eq!(shown, text, "{PAGE} shows another screen; MAUMAU_UPDATE=1 mends it");
    }
}

#[test]
fn the_page_shows_screens_that_there_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(folder.join(PAGE)).expect("the page");
    let names: Vec<&str> =
        page.split("<!-- screen ").skip(1).map(|part| part.split(" -->").next().unwrap_or_default()).collect();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        assert!(folder.join("screens").join(name).with_extension("txt").is_file(), "{name}");
    }
}
