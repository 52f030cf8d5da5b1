//! Agents as subprocesses: starting, reading, writing, stopping. Knows bytes and processes, nothing of games.

mod agent_names;
mod command;
mod cpu_time;
pub mod diagnosis;
mod freezer;
mod hint;
mod line_reader;
mod outbox;
mod permits;
mod poller;
mod process;
mod process_tree;
pub mod reaper;
pub mod resource_limits;
mod sandbox;
mod stderr_tail;
mod transcript;

pub use agent_names::agent_names;
pub use command::AgentCommand;
pub use cpu_time::{Spending, Spent, Usage};
pub use hint::hint;
pub use line_reader::{LineEvent, LineReader};
pub use outbox::Outbox;
pub use permits::{Grant, Permits, check_variable};
pub use poller::Poller;
pub use process::{Evidence, Process, QUOTED_BYTES};
pub use process_tree::ProcessTree;
#[cfg(target_os = "linux")]
pub use sandbox::{Held, examine, what_is_tried};
pub use sandbox::{Sandbox, SandboxSettings, SandboxWishes, launched};
use stderr_tail::StderrTail;
pub use stderr_tail::last_words;
