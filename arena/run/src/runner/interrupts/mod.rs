//! The ways in which a person or the system asks this program to end. Knows signals, not their consequences. It takes
//! over their handling for the whole program.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::Interrupts;
#[cfg(windows)]
pub(super) use windows::Interrupts;
