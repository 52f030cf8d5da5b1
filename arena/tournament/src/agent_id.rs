//! Agents by number: how plans, rounds and results name them. Names are known to the league alone.

use serde::{Deserialize, Serialize};

/// An agent's place in the list of its league, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(pub u16);

impl AgentId {
    /// The place as an index into the league's list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
