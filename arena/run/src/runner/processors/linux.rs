//! Processors according to Linux CPU sets. It reads and changes the set of the calling thread; what runs there is not
//! known here.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use super::counted;
use crate::io::untrusted::Untrusted;
use crate::log;

/// The processors that this process may use.
pub fn processors() -> Vec<usize> {
    let this = Pid::from_raw(0);
    match sched_getaffinity(this) {
        Ok(set) => (0..CpuSet::count()).filter(|cpu| set.is_set(*cpu).unwrap_or(false)).collect(),
        Err(_) => counted(),
    }
}

pub(in crate::runner) fn bind_to(cpu: usize) {
    let mut set = CpuSet::new();
    let bound = set.set(cpu).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    if let Err(error) = bound {
        log::not_bound(cpu as u64, Untrusted::new(&error.to_string()));
    }
}
