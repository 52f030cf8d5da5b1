//! Freezing an agent's processes is only implemented on Linux: where processor times are not published, computing out
//! of turn is not detected. Its functions do nothing.

use super::Freeze;

/// The processes of one agent, none of which are ever stopped.
#[derive(Debug, Default)]
pub(in crate::agent) struct Freezer;

impl Freezer {
    pub(in crate::agent) fn track(&self, _: &[i32]) {}

    pub(in crate::agent) fn freeze(&self) {}

    pub(in crate::agent) fn thaw(&self) {}

    pub(in crate::agent) fn last(&self) -> Option<Freeze> {
        None
    }
}
