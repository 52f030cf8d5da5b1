//! Playing: one single-threaded loop a processor, its agents beside it, games and their deadlines.

mod blame;
mod deadlines;
mod desk;
mod floor;
mod link;
mod placement;
mod pool;
mod shard;
mod stop;

pub(crate) use desk::{Came, Desk};
pub(crate) use floor::{Floor, Played};
pub(crate) use link::{Clock, Link};
pub(crate) use placement::{on_each_processor, processors};
pub(crate) use pool::AgentSpec;
pub(crate) use shard::{Shard, TableSetup};
pub(crate) use stop::{Go, LAST_GAMES, Switch, with_signals};
