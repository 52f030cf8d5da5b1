//! SHA-256 (FIPS 180-4) of four messages at once.
//!
//! The steps within one SHA-256 wait for one another. Those of messages that have nothing to do with each other need not:
//! taken in turn, they are in the processor side by side. A message here is a text of a record where it stands; only the
//! block in hand is put together.

#[cfg(target_arch = "x86_64")]
mod in_step;

use sha2::block_api::compress256;

/// Messages side by side.
pub(super) const LANES: usize = 4;
/// Bytes of a block, and of it those before the length of the message (5.1.1).
const BLOCK: usize = 64;
const BEFORE_LENGTH: usize = 56;
/// Bytes of a digest.
const DIGEST: usize = 32;
/// The bit that ends a message, by itself and behind the brace that closes an entry.
const END: &[u8] = b"\x80";
const BRACE_AND_END: &[u8] = b"}\x80";

/// The state between two blocks, and after the last one the digest.
pub(super) type State = [u32; 8];

/// The state before the first block (5.3.3).
const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// A message as far as it has been hashed.
#[derive(Clone, Copy)]
pub(super) struct Message<'a> {
    state: State,
    /// The text, with what stands before and behind it in memory.
    text: &'a [u8],
    /// Where in `text` the next block would begin if `head` stood there too: maybe before its beginning.
    at: isize,
    /// Bytes up to the end of the text that are left, `head` included; fewer than none where the next block begins behind
    /// that.
    left: isize,
    /// What stands behind the text.
    ending: &'static [u8],
    /// What stands before the text, if the next block begins with that.
    head: State,
    has_head: bool,
    is_done: bool,
    /// Bits of the whole message.
    bits: u64,
}

impl<'a> Message<'a> {
    /// What stands in `text` from `start` to `end`.
    #[inline]
    pub(super) fn new(text: &'a [u8], start: usize, end: usize) -> Message<'a> {
        Message {
            state: INITIAL,
            text,
            at: start as isize,
            left: (end - start) as isize,
            ending: END,
            head: INITIAL,
            has_head: false,
            is_done: false,
            bits: 8 * (end - start) as u64,
        }
    }

    /// With the bytes of a digest before it.
    #[inline]
    pub(super) fn after(mut self, head: State) -> Message<'a> {
        (self.head, self.has_head) = (head, true);
        self.at -= DIGEST as isize;
        self.left += DIGEST as isize;
        self.bits += 8 * DIGEST as u64;
        self
    }

    /// With a closing brace behind it.
    #[inline]
    pub(super) fn with_brace(mut self) -> Message<'a> {
        self.ending = BRACE_AND_END;
        self.bits += 8;
        self
    }

    /// The state, which is the digest when all has been hashed.
    #[inline]
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Goes on to the block behind the next one.
    #[inline(always)]
    fn advance(&mut self) {
        self.has_head = false;
        self.is_done = self.left + self.ending.len() as isize <= BEFORE_LENGTH as isize;
        self.at += BLOCK as isize;
        self.left -= BLOCK as isize;
    }

    /// Hashes the next block.
    fn step(&mut self) {
        let Message { at, left, has_head, .. } = *self;
        self.advance();
        let head = if has_head { DIGEST } else { 0 };
        let text = self.text.get((at + head as isize) as usize..).unwrap_or_default();
        if let (0, true, Some(block)) = (head, left >= BLOCK as isize, text.first_chunk()) {
            return compress256(&mut self.state, std::slice::from_ref(block));
        }
        let mut block = [0; BLOCK];
        if has_head {
            block[..DIGEST].copy_from_slice(&bytes_of(&self.head));
        }
        let end = left.clamp(head as isize, BLOCK as isize) as usize;
        block[head..end].copy_from_slice(&text[..end - head]);
        for (place, byte) in (left..).zip(self.ending) {
            if let Some(there) = usize::try_from(place).ok().and_then(|place| block.get_mut(place)) {
                *there = *byte;
            }
        }
        if self.is_done {
            block[BEFORE_LENGTH..].copy_from_slice(&self.bits.to_be_bytes());
        }
        compress256(&mut self.state, &[block]);
    }

    /// Its digest.
    pub(super) fn finish(mut self) -> State {
        while !self.is_done {
            self.step();
        }
        self.state
    }
}

/// The bytes of a digest.
#[inline(always)]
pub(super) fn bytes_of(state: &State) -> [u8; DIGEST] {
    let mut bytes = [0; DIGEST];
    for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
        *four = word.to_be_bytes();
    }
    bytes
}

/// Hashes messages, [`LANES`] of them at a time. `next` is called for each lane, and again whenever its message has been
/// hashed: it puts the lane's next message in the place of the last one, or says with `false` that there is none.
pub(super) fn hash_all<'a>(mut next: impl FnMut(usize, &mut Message<'a>) -> bool) {
    let mut messages = [Message::new(&[], 0, 0); LANES];
    let mut busy = 0;
    for (lane, message) in messages.iter_mut().enumerate() {
        busy |= u32::from(next(lane, message)) << lane;
    }
    while busy > 0 {
        step(&mut messages, busy);
        for (lane, message) in messages.iter_mut().enumerate() {
            if message.is_done && busy & 1 << lane > 0 && !next(lane, message) {
                busy &= !(1 << lane);
            }
        }
    }
}

/// Hashes the next block of each message of the lanes in `busy`.
fn step(messages: &mut [Message<'_>; LANES], busy: u32) {
    #[cfg(target_arch = "x86_64")]
    if let (Some(avx512), true) = (fearless_simd::Level::new().as_avx512(), busy.count_ones() > 1) {
        return in_step::step(avx512, messages);
    }
    for (lane, message) in messages.iter_mut().enumerate() {
        if busy & 1 << lane > 0 {
            message.step();
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// What a message's digest is by the library.
    fn expected(head: &[u8], text: &[u8], behind: &[u8]) -> State {
        let digest = Sha256::digest([head, text, behind].concat());
        std::array::from_fn(|word| u32::from_be_bytes(std::array::from_fn(|byte| digest[4 * word + byte])))
    }

    /// Messages at all distances from the ends of a text and of all lengths up to three blocks, with their digests.
    fn messages(text: &[u8]) -> Vec<(Message<'_>, State)> {
        let head = State::from([1, 2, 3, 0x8000_0004, 5, 6, 7, 8]);
        let bytes = bytes_of(&head);
        let mut messages = Vec::new();
        for (start, end) in (0..text.len()).flat_map(|at| [(0, at), (at, text.len()), (at / 2, at / 2 + at / 3)]) {
            let (message, text) = (Message::new(text, start, end), &text[start..end]);
            messages.push((message, expected(b"", text, b"")));
            messages.push((message.with_brace(), expected(b"", text, b"}")));
            messages.push((message.after(head), expected(&bytes, text, b"")));
            messages.push((message.with_brace().after(head), expected(&bytes, text, b"}")));
        }
        messages
    }

    #[test]
    fn messages_of_every_length_are_hashed_as_by_the_library() {
        let text: Vec<u8> = (0..200_u32).map(|number| (number * 167 + 13) as u8).collect();
        for (number, (message, expected)) in messages(&text).into_iter().enumerate() {
            assert_eq!(message.finish(), expected, "message {number}");
        }
    }

    #[test]
    fn messages_side_by_side_are_hashed_as_by_the_library() {
        let text: Vec<u8> = (0..200_u32).map(|number| (number * 167 + 13) as u8).collect();
        let messages = messages(&text);
        // With none, with fewer than lanes, and with lanes that are refilled while others are not.
        for count in [0, 1, LANES - 1, LANES, LANES + 1, messages.len()] {
            let (mut begun, mut in_hand, mut found) = (0, [None; LANES], vec![None; count]);
            hash_all(|lane, message| {
                if let Some(number) = in_hand[lane] {
                    found[number] = Some(*message.state());
                }
                if begun == count {
                    return false;
                }
                *message = messages[begun].0;
                in_hand[lane] = Some(begun);
                begun += 1;
                true
            });
            for (number, (found, (_, expected))) in found.into_iter().zip(&messages).enumerate() {
                assert_eq!(found, Some(*expected), "message {number} of {count}");
            }
        }
    }
}
