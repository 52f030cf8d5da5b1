//! Playing: one single-threaded loop a processor, its agents beside it, games and their deadlines.

mod deadlines;
mod desk;
mod placement;
mod pool;
mod shard;

pub(crate) use placement::{on_each_processor, processors};
pub(crate) use pool::AgentSpec;
pub(crate) use shard::{Played, Shard, TableSetup};
