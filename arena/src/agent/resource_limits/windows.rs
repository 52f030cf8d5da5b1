//! Limits and their errors on Windows, which limits open files by memory alone. It reads error codes and sets nothing.

use std::io;

use windows_sys::Win32::Foundation::{
    ERROR_COMMITMENT_LIMIT, ERROR_NO_SYSTEM_RESOURCES, ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY,
    ERROR_TOO_MANY_OPEN_FILES,
};

/// The errors that mean there is no room left.
pub(super) const USED_UP: [i32; 5] = [
    ERROR_TOO_MANY_OPEN_FILES as i32,
    ERROR_NOT_ENOUGH_MEMORY as i32,
    ERROR_OUTOFMEMORY as i32,
    ERROR_NO_SYSTEM_RESOURCES as i32,
    ERROR_COMMITMENT_LIMIT as i32,
];

/// There is nothing to raise.
pub(super) fn allow_many_files() -> io::Result<()> {
    Ok(())
}

/// On Windows a thread has the priority of its process.
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(())
}
