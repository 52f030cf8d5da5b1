//! Agents as subprocesses: starting, reading, writing, stopping. Knows bytes and processes, nothing of games.

mod agent_names;
mod command;
mod ears;
mod excerpt;
mod family;
mod hint;
mod line_reader;
pub(crate) mod orphans;
mod outbox;
mod permits;
mod process;
mod rein;
pub(crate) mod room;
mod sandbox;
mod transcript;
mod usage;

pub(crate) use agent_names::agent_names;
pub(crate) use command::AgentCommand;
pub(crate) use ears::Ears;
use excerpt::Excerpt;
pub(crate) use excerpt::last_words;
pub(crate) use family::Family;
pub(crate) use hint::hint;
pub(crate) use line_reader::{LineEvent, LineReader};
pub(crate) use outbox::Outbox;
pub(crate) use permits::{Grant, Permits, check_variable};
pub(crate) use process::{Process, QUOTED_BYTES, Testimony};
#[cfg(target_os = "linux")]
pub(crate) use sandbox::{Held, examine, what_is_tried};
pub(crate) use sandbox::{Sandbox, SandboxSettings, SandboxWishes, launched};
pub(crate) use usage::{Spending, Spent, Usage};
