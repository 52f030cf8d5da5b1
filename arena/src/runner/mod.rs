//! Playing: one single-threaded loop a processor, its agents beside it, games and their deadlines.

mod connection;
mod deadlines;
mod event_loop;
mod game_config;
mod game_host;
mod idle_cpu;
mod missed_deadline;
mod placement;
mod pool;
mod shutdown;
mod stall_detector;
mod start_failure;
mod transport;

pub(crate) use connection::{Came, Connection};
pub(crate) use event_loop::EventLoop;
pub(crate) use game_config::GameConfig;
pub(crate) use game_host::{GameHost, Played};
pub(crate) use placement::{on_each_processor, processors};
pub(crate) use pool::AgentSpec;
pub(crate) use shutdown::{LAST_GAMES, RunState, ShutdownSignal, with_signals};
pub(crate) use start_failure::{Stage, StartFailure};
pub(crate) use transport::{Clock, Transport, VirtualClock};
