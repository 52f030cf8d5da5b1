//! What people are shown: games as text, tables.

mod game;
mod standings;
mod tables;

pub(crate) use game::{Narrator, result_lines};
pub(crate) use standings::Report;
pub(crate) use tables::Look;
