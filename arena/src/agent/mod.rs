//! Agents as subprocesses: starting, reading, writing, stopping. Knows bytes and processes, nothing of games.

mod agent_names;
mod command;
mod cpu_time;
pub(crate) mod diagnosis;
mod freezer;
mod hint;
mod line_reader;
mod outbox;
mod permits;
mod poller;
mod process;
mod process_tree;
pub(crate) mod reaper;
pub(crate) mod resource_limits;
mod sandbox;
mod stderr_tail;
mod transcript;

pub(crate) use agent_names::agent_names;
pub(crate) use command::AgentCommand;
pub(crate) use cpu_time::{Spending, Spent, Usage};
pub(crate) use hint::hint;
pub(crate) use line_reader::{LineEvent, LineReader};
pub(crate) use outbox::Outbox;
pub(crate) use permits::{Grant, Permits, check_variable};
pub(crate) use poller::Poller;
pub(crate) use process::{Evidence, Process, QUOTED_BYTES};
pub(crate) use process_tree::ProcessTree;
#[cfg(target_os = "linux")]
pub(crate) use sandbox::{Held, examine, what_is_tried};
pub(crate) use sandbox::{Sandbox, SandboxSettings, SandboxWishes, launched};
use stderr_tail::StderrTail;
pub(crate) use stderr_tail::last_words;
