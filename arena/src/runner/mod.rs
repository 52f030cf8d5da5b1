//! Playing: one single-threaded loop per processor, with its agents, games and deadlines. It starts processes and
//! threads and stores nothing: games come from a [`GameSource`] and go back to it.

mod connection;
mod deadlines;
mod event_loop;
mod game_config;
mod game_host;
mod game_source;
mod idle_cpu;
mod idle_watch;
mod interrupts;
mod missed_deadline;
mod placement;
mod pool;
mod processors;
mod shutdown;
mod stall_detector;
mod start_failure;
mod transport;
mod window;

pub use connection::{Came, Connection};
pub use event_loop::{EventLoop, ONE_GAME};
pub use game_config::GameConfig;
pub use game_host::{GameHost, Played};
pub use game_source::{GameSource, NewGame, Next, Occupancy};
pub use placement::{on_each_processor, on_one_processor};
pub use pool::AgentSpec;
pub use processors::processors;
pub use shutdown::{LAST_GAMES, RunState, ShutdownSignal, with_signals};
pub use start_failure::{Stage, StartFailure};
pub use transport::{Clock, Transport, VirtualClock};
pub use window::{Feed, InPlay as GameInPlay, Window};
