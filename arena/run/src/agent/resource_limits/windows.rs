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

/// The error that says that this process may open no other file.
pub(super) const OWN_FILES_USED_UP: Option<i32> = Some(ERROR_TOO_MANY_OPEN_FILES as i32);

/// No error says that no process may.
pub(super) const FILES_USED_UP: Option<i32> = None;

/// A file that can be opened while any can.
pub(super) const ALWAYS_THERE: &str = "NUL";

/// There is no limit but memory.
pub(super) fn open_files() -> Option<u64> {
    None
}

/// There is nothing to raise.
pub(super) fn allow_many_files() -> io::Result<()> {
    Ok(())
}

/// On Windows a thread has the priority of its process.
pub(super) fn lower_priority() -> io::Result<()> {
    Ok(())
}
