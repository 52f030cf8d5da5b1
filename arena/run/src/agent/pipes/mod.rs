//! The pipes of an agent, which never block the event loop. Knows bytes, not lines.
//!
//! On Linux the pipes themselves are non-blocking (`direct`). On other systems each has a thread that blocks on it
//! (`threaded`), which costs a thread switch each way.

#[cfg(target_os = "linux")]
mod direct;
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(dead_code, unreachable_pub, reason = "only tests use it there"))]
pub(super) mod threaded;

#[cfg(target_os = "linux")]
pub(super) use direct::{AgentStdin, AgentStdout, StderrPipe};
#[cfg(not(target_os = "linux"))]
pub(super) use threaded::{AgentStdin, AgentStdout, StderrPipe};
