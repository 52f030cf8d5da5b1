//! Stops all processes of an agent and lets them continue. Knows processes by their numbers, not why they are stopped.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Freezer;
#[cfg(target_os = "linux")]
pub(super) use linux::Freezer;
