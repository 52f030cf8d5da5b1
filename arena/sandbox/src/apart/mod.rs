//! The environment of every agent, and its separation from the arena's own process, without any sandbox. Knows a
//! command that is about to be started, nothing of agents. It changes that command before it starts.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{ENVIRONMENT, set_apart};
#[cfg(windows)]
pub(crate) use windows::{ENVIRONMENT, set_apart};
