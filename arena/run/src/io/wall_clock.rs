//! The wall clock, for texts that people read: no limit and no verdict follows from it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}
