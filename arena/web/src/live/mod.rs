//! Games and standings while they move: what is told to whom, and how much is kept of it. How it travels is the server's matter,
//! where it comes from the arena's.

mod game;
mod tables;

pub(crate) use game::ViewerNews;
pub use game::{LiveGame, Viewing};
pub use tables::{LiveTable, LiveTables};

/// Where a server has the script of pages that move.
pub(crate) const LIVE_SCRIPT_PATH: &str = "/assets/live.js";

/// Where a server has the script of tables that can be sorted.
pub(crate) const TABLES_SCRIPT_PATH: &str = "/assets/tables.js";

/// The script of the pages that move. It sorts tables as well, since they do not lose their order when they are filled anew.
pub(crate) fn live_script() -> String {
    crate::page::joined(&[TABLES, LIVE])
}

/// The script of tables that can be sorted.
pub(crate) fn tables_script() -> String {
    crate::page::joined(&[TABLES])
}

const TABLES: &str = include_str!("../viewer/tables.js");
const LIVE: &str = include_str!("../viewer/live.js");
