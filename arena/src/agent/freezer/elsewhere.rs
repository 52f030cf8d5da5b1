//! Stopping the processes of an agent, which only Linux does here: nobody is found to compute out of turn where processor times
//! are not told.

/// The processes of one agent, none of which are ever stopped.
#[derive(Debug, Default)]
pub(in crate::agent) struct Freezer;

impl Freezer {
    pub(in crate::agent) fn track(&self, _: &[i32]) {}

    pub(in crate::agent) fn freeze(&self) {}

    pub(in crate::agent) fn thaw(&self) {}
}
