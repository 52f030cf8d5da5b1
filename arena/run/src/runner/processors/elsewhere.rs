//! Processors on systems where threads are not bound: macOS has no call for it, and on Windows it is left to the
//! scheduler. They are only counted.

use super::counted;

/// The processors that this process may use.
pub fn processors() -> Vec<usize> {
    counted()
}

pub(in crate::runner) fn bind_to(_: usize) {}
