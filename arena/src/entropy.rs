//! The operating system's random numbers; the only place where the arena takes any.

use std::fs::File;
use std::io::Read;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use maumau_protocol::Seed;

/// 32 bytes that nobody can know.
///
/// # Errors
/// The operating system gives none.
pub(crate) fn fresh() -> Result<[u8; 32]> {
    static SOURCE: OnceLock<File> = OnceLock::new();
    let read = || {
        let mut source = match SOURCE.get() {
            Some(source) => source,
            None => {
                let source = File::open("/dev/urandom")?;
                SOURCE.get_or_init(|| source)
            }
        };
        let mut bytes = [0; 32];
        source.read_exact(&mut bytes).map(|()| bytes)
    };
    read().context("the operating system gives no random numbers")
}

/// A seed that nobody can know.
///
/// # Errors
/// As [`fresh`].
pub(crate) fn fresh_seed() -> Result<Seed> {
    fresh().map(Seed)
}
