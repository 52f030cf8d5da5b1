//! Playing: one single-threaded loop per processor, with its agents, games and deadlines. It starts processes and
//! threads and stores nothing: games come from a [`GameSource`] and go back to it.

mod connection;
mod event_loop;
mod game_config;
mod game_host;
mod game_source;
mod idle_cpu;
mod idle_watch;
mod interrupts;
mod live_tap;
mod missed_deadline;
mod placement;
mod pool;
mod processors;
mod shutdown;
mod start_failure;
mod transport;

pub use connection::{Connection, ReadOutcome};
pub use event_loop::{EventLoop, ONE_GAME};
pub use game_config::GameConfig;
pub use game_host::{GameHost, Played};
pub use game_source::{GameSource, NewGame, NextGame, Occupancy};
pub use live_tap::{Feed, GameInPlay, LiveTap};
pub use placement::{on_each_processor, on_one_processor};
pub use pool::AgentSpec;
pub use processors::processors;
pub use shutdown::{LAST_GAMES, RunState, ShutdownSignal, with_signals};
pub use start_failure::{StartFailure, StartStage};
pub use transport::{Clock, Transport, VirtualClock};
