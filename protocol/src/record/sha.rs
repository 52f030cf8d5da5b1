//! SHA-256 of two messages at once.
//!
//! The steps within one SHA-256 wait for one another. Those of two that have nothing to do with each other need not: taken
//! in turn, block by block, they are in the processor side by side. Messages here are short, so each block is put together
//! where it is used.

use sha2::block_api::compress256;

/// The state before the first block (FIPS 180-4, 5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// Bytes of a block, and of it those before the length of the message (5.1.1).
const BLOCK: usize = 64;
const BEFORE_LENGTH: usize = 56;

/// A message of two parts, as far as it has been hashed.
pub(super) struct Message<'a> {
    state: [u32; 8],
    bits: u64,
    head: &'a [u8],
    body: &'a [u8],
    /// Whether the bit behind the message has been set.
    ended: bool,
    done: bool,
}

impl<'a> Message<'a> {
    /// The message `head` and then `body`; `head` is shorter than a block.
    pub(super) fn new(head: &'a [u8], body: &'a [u8]) -> Message<'a> {
        debug_assert!(head.len() < BLOCK);
        let bits = 8 * (head.len() + body.len()) as u64;
        Message { state: INITIAL, bits, head, body, ended: false, done: false }
    }

    /// Hashes the next block, unless there is none.
    #[inline]
    fn step(&mut self) {
        if let (true, Some((block, rest))) = (self.head.is_empty(), self.body.split_first_chunk::<BLOCK>()) {
            self.body = rest;
            return compress256(&mut self.state, std::slice::from_ref(block));
        }
        if self.done {
            return;
        }
        let mut block = [0; BLOCK];
        let head = self.head.len();
        block[..head].copy_from_slice(self.head);
        self.head = &[];
        let (part, rest) = self.body.split_at(self.body.len().min(BLOCK - head));
        self.body = rest;
        let end = head + part.len();
        block[head..end].copy_from_slice(part);
        let mut padded = end;
        if end < BLOCK && !self.ended {
            block[end] = 0x80;
            self.ended = true;
            padded += 1;
        }
        if self.ended && padded <= BEFORE_LENGTH {
            block[BEFORE_LENGTH..].copy_from_slice(&self.bits.to_be_bytes());
            self.done = true;
        }
        compress256(&mut self.state, &[block]);
    }

    /// Hashes what is left.
    pub(super) fn finish(mut self) -> [u8; 32] {
        while !self.done {
            self.step();
        }
        self.digest()
    }

    fn digest(&self) -> [u8; 32] {
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }
}

/// Hashes what is left of both.
pub(super) fn finish_both(mut one: Message<'_>, mut other: Message<'_>) -> [[u8; 32]; 2] {
    while !(one.done && other.done) {
        one.step();
        other.step();
    }
    [one.digest(), other.digest()]
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn messages_of_every_length_are_hashed_as_by_the_library() {
        let bytes: Vec<u8> = (0..300_u32).map(|number| (number * 167 + 13) as u8).collect();
        let expected = |head: &[u8], body: &[u8]| <[u8; 32]>::from(Sha256::digest([head, body].concat()));
        for head in [&bytes[..0], &bytes[..1], &bytes[..32], &bytes[..63]] {
            for end in 0..bytes.len() {
                let (body, other) = (&bytes[..end], &bytes[end..]);
                assert_eq!(Message::new(head, body).finish(), expected(head, body), "{} and {end}", head.len());
                let both = finish_both(Message::new(head, body), Message::new(&[], other));
                assert_eq!(both, [expected(head, body), expected(&[], other)], "{} and {end}", head.len());
            }
        }
    }
}
