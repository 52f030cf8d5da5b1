//! The operating system's random numbers; the only place where the arena takes any.

use std::io::Read;

use anyhow::{Context, Result};
use maumau_protocol::Seed;

/// 32 bytes that nobody can know.
///
/// # Errors
/// The operating system gives none.
pub(crate) fn fresh() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context("the operating system gives no random numbers")?;
    Ok(bytes)
}

/// A seed that nobody can know.
///
/// # Errors
/// As [`fresh`].
pub(crate) fn fresh_seed() -> Result<Seed> {
    fresh().map(Seed)
}
