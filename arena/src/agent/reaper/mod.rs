//! What agents leave behind: children that left their group, daemons that left their parents. Knows processes by their numbers,
//! nothing of pipes and lines.
//!
//! On Linux the arena makes itself the one to whom processes fall whose parent has ended, so whatever an agent starts
//! stays below it. A process directly below the arena that it did not start itself is such an orphan; it is killed with
//! everything below it as soon as it is noticed: when an agent is ended, and when any child ends. A process that begets
//! faster than it can be found may live a little longer, but not beyond the patience of the last sweep; where that is not
//! enough, a sandbox with processes of its own is. On other systems only an agent's group is killed (`agent::process_group`).

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub use system::{sweep, watch};
// `start` begins a child by a function that gives it with its number; its errors are those of this function. Whatever the arena
// starts in any other way while agents run is taken for an orphan. `forget` is for a child that has been waited for.
pub(super) use system::{forget, start};

/// A child that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) pid: i32,
    number: u64,
}
