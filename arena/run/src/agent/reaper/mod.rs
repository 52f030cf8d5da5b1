//! Kills what agents leave behind: children that left their group, daemons that left their parents. Knows processes by their
//! numbers, nothing of pipes and lines.
//!
//! On Linux the arena makes itself the subreaper: processes whose parent has ended become its children, so whatever an agent
//! starts stays below it. A direct child that the arena did not start itself is such an orphan; it is killed with everything
//! below it as soon as it is noticed: when an agent is ended, and when any child ends. Processes that fork faster than they can
//! be found may live a little longer, but not beyond the time limit of the last sweep; if that is not enough, a sandbox with
//! processes of its own is. On other systems only an agent's group is killed (`agent::process_group`).

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub use system::{sweep, watch};
// `start` starts a child through a function that returns it with its number; its errors are those of this function. Anything
// that the arena starts in another way while agents run is taken for an orphan. `forget` is for a child that has been waited
// for.
pub(super) use system::{forget, start};

/// A child that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) pid: i32,
    number: u64,
}
