//! The processors that this process may use, and binding a thread to one. Knows numbers of processors, not what runs
//! there. It changes where the calling thread runs.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::processors;
#[cfg(target_os = "linux")]
pub use linux::processors;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::bind_to;
#[cfg(target_os = "linux")]
pub(super) use linux::bind_to;

/// As many as can be used at once, numbered from 0.
fn counted() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}
