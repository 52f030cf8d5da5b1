//! Stops all processes of an agent and lets them continue. Knows processes by their numbers, not why they are stopped.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

use std::time::Instant;

/// A time in which processes were stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// When they were stopped.
    pub from: Instant,
    /// When they continued; `None` while they are stopped.
    pub to: Option<Instant>,
}

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Freezer;
#[cfg(target_os = "linux")]
pub(super) use linux::Freezer;
