//! What people are shown: games as text, tables.

mod game;
mod standings;
mod tables;

pub(crate) use game::{Narrator, result_lines};
