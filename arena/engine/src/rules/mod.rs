//! Rule sets: reading them from files, checking them, making them ready for a table.

mod compiled;

pub use compiled::{Rules, TableError};
