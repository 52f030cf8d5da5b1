//! Agents as subprocesses: starting, reading, writing, stopping. Knows bytes and processes, nothing of games. It
//! starts, measures and kills processes.

mod agent_names;
mod cpu_time;
mod fingerprint;
mod freezer;
mod hint;
mod line_reader;
mod look;
mod outbox;
mod pipes;
mod poller;
mod process;
mod process_group;
pub mod reaper;
pub mod resource_limits;
mod silence;
mod stderr_tail;
mod transcript;

pub use agent_names::agent_names;
pub use cpu_time::{Spending, Spent, Usage};
pub use fingerprint::Fingerprint;
pub use freezer::Freeze;
pub use hint::{Clues, hint, shell_words};
pub use line_reader::{LineEvent, LineReader};
pub use look::{look, spelled};
pub use maumau_sandbox::{
    AgentCommand, Files, Grant, PermitError, PermitSettings, ProcessLook, ProcessTree, Sandbox, SandboxSettings,
    SandboxWishes, TOO_SHORT, check_host, check_variable, is_of_system, launched,
};
pub use maumau_sandbox::{LevelFindings, examine, what_is_tried};
pub use outbox::Outbox;
pub use poller::Poller;
pub use process::{Evidence, Process, QUOTED_BYTES};
use stderr_tail::StderrTail;
pub use stderr_tail::{last_lines, last_words};

/// Does `work` as a loop would, for tests.
#[cfg(test)]
pub fn on_a_loop<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    tokio::task::LocalSet::new().block_on(&runtime, work)
}
