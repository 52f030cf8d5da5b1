//! Playing: one single-threaded loop a processor, its agents beside it, games and their deadlines.

mod blame;
mod deadlines;
mod desk;
mod floor;
mod link;
mod placement;
mod pool;
mod restraint;
mod service;
mod shard;
mod start_failure;
mod stop;
mod table;

pub(crate) use desk::{Came, Desk};
pub(crate) use floor::{Floor, Played};
pub(crate) use link::{Clock, Link, VirtualClock};
pub(crate) use placement::{on_each_processor, processors};
pub(crate) use pool::AgentSpec;
pub(crate) use shard::Shard;
pub(crate) use start_failure::{Stage, StartFailure};
pub(crate) use stop::{Go, LAST_GAMES, Switch, with_signals};
pub(crate) use table::TableSetup;
