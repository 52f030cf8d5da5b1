//! Random numbers that nobody can predict, from a key of the operating system; the arena's only source of entropy. It
//! reads the system once for each thread; what the numbers are for is not known here.

use std::cell::RefCell;

use anyhow::{Context, Result};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use maumau_protocol::Seed;

thread_local! {
    /// The stream of a key that the operating system has given once.
    static STREAM: RefCell<Option<ChaCha20Rng>> = const { RefCell::new(None) };
}

/// 32 bytes that nobody can predict.
///
/// # Errors
/// The operating system gives none.
pub fn fresh() -> Result<[u8; 32]> {
    STREAM.with_borrow_mut(|stream| {
        let mut bytes = [0; 32];
        let stream = match stream {
            Some(stream) => stream,
            None => {
                getrandom::fill(&mut bytes).context("the operating system gives no random numbers")?;
                stream.insert(ChaCha20Rng::from_seed(bytes))
            }
        };
        stream.fill_bytes(&mut bytes);
        Ok(bytes)
    })
}

/// A seed that nobody can predict.
///
/// # Errors
/// As [`fresh`].
pub fn fresh_seed() -> Result<Seed> {
    fresh().map(Seed)
}
