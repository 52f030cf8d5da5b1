//! Messages, and the blocks that are made of them.

use fearless_simd::prelude::*;
use fearless_simd::{Avx512, u8x64, u32x16, u64x8};

use crate::record::DIGEST_BYTES;
use crate::record::sealed::Known;

/// Bytes of a block, and of its last one those before the length of the message (FIPS 180-4, 5.1.1).
pub(super) const BLOCK: usize = 64;
const BEFORE_LENGTH: usize = 56;
/// Hexadecimal digits of a digest.
pub(super) const DIGITS: usize = 2 * DIGEST_BYTES;

/// The state before the first block (5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// How a block is begun.
#[derive(Clone, Copy)]
pub(super) enum Begin {
    /// With the state after the block before it.
    GoOn,
    /// As the first of a message.
    Message,
    /// With a digest before the text, all of it zero.
    AfterZeros,
    /// With the digest before the text of the message that the lane had before.
    AfterDigest,
}

/// What that means for the state and for the words of the block.
#[repr(align(64))]
pub(super) struct Beginning {
    /// Where the text stands.
    is_text: [u32; BLOCK / 4],
    /// What is kept of the state, what comes in its place, and what of the digest stands in the block.
    pub(super) kept: [u32; 4],
    pub(super) abef: [u32; 4],
    pub(super) cdgh: [u32; 4],
    pub(super) head: [u32; 4],
}

/// In the order of [`Begin`].
pub(super) static BEGINNINGS: [Beginning; 4] = {
    const ALL: u32 = !0;
    const BEHIND_A_DIGEST: [u32; BLOCK / 4] = [0, 0, 0, 0, 0, 0, 0, 0, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL];
    let [a, b, c, d, e, f, g, h] = INITIAL;
    let (abef, cdgh) = ([f, e, b, a], [h, g, d, c]);
    [
        Beginning { is_text: [ALL; 16], kept: [ALL; 4], abef: [0; 4], cdgh: [0; 4], head: [0; 4] },
        Beginning { is_text: [ALL; 16], kept: [0; 4], abef, cdgh, head: [0; 4] },
        Beginning { is_text: BEHIND_A_DIGEST, kept: [0; 4], abef, cdgh, head: [0; 4] },
        Beginning { is_text: BEHIND_A_DIGEST, kept: [0; 4], abef, cdgh, head: [ALL; 4] },
    ]
};

/// What stands in the blocks of a message behind its text.
struct Behind {
    /// All bits where the text stands. The block in which N bytes of text are left is at place `BLOCK - N`, N from -2 to
    /// `BLOCK`.
    is_text: [u8; WINDOW],
    bytes: [u8; WINDOW],
    /// With no more bytes left than these there is room for the length too.
    most: isize,
}

const WINDOW: usize = 2 * BLOCK + 2;

/// The bit that ends a message, by itself and behind the brace that closes an entry.
static END: Behind = Behind::new(b"\x80");
static BRACE_AND_END: Behind = Behind::new(b"}\x80");

impl Behind {
    const fn new(ending: &[u8]) -> Behind {
        let most = (BEFORE_LENGTH - ending.len()) as isize;
        let mut behind = Behind { is_text: [0; WINDOW], bytes: [0; WINDOW], most };
        let mut at = 0;
        while at < BLOCK {
            behind.is_text[at] = 0xff;
            at += 1;
        }
        while at < BLOCK + ending.len() {
            behind.bytes[at] = ending[at - BLOCK];
            at += 1;
        }
        behind
    }
}

/// In each word the bytes of its four from the last to the first.
const BIG_ENDIAN: [u8; BLOCK] = {
    let (mut places, mut at) = ([0; BLOCK], 0);
    while at < BLOCK {
        places[at] = (at % 16) as u8 ^ 3;
        at += 1;
    }
    places
};
/// Where in a last block the length of the message stands.
const LENGTH: [u64; BLOCK / 8] = [0, 0, 0, 0, 0, 0, 0, !0];
/// A message as far as its blocks have been put together: a piece of a text, and maybe a digest before it and a brace
/// behind it.
#[derive(Clone, Copy)]
pub(in crate::record) struct Message<'a> {
    text: &'a [u8],
    /// Where in `text` the next block would begin if a digest before it stood there too: maybe before its beginning.
    at: isize,
    /// Bytes up to the end of the piece that are left, the digest included; fewer than none where the next block begins
    /// behind that.
    left: isize,
    /// Bits of the whole message.
    bits: u64,
    behind: &'static Behind,
    /// How the next block is begun.
    begin: Begin,
    known: Known,
    /// Ends with the digits that are known.
    pub(super) digits: &'a [u8; DIGITS],
    pub(super) is_done: bool,
}

impl<'a> Message<'a> {
    /// No message.
    pub(super) const NONE: Message<'static> = Message {
        text: &[],
        at: 0,
        left: 0,
        bits: 0,
        behind: &END,
        begin: Begin::GoOn,
        known: Known::Nothing,
        digits: &[0; DIGITS],
        is_done: true,
    };

    /// What stands in `text` from `start` to `end`.
    #[inline(always)]
    pub(in crate::record) fn new(text: &'a [u8], start: usize, end: usize) -> Message<'a> {
        Message {
            text,
            at: start as isize,
            left: (end - start) as isize,
            bits: 8 * (end - start) as u64,
            begin: Begin::Message,
            is_done: false,
            ..Message::NONE
        }
    }

    /// With what the digest is known to be, digits in `text` before `end`.
    #[inline(always)]
    pub(in crate::record) fn is(mut self, known: Known, end: usize) -> Message<'a> {
        self.known = known;
        // Digits that stand nowhere are those of no digest.
        self.digits = self.text.get(..end).and_then(<[u8]>::last_chunk).unwrap_or(&[0; DIGITS]);
        self
    }

    /// With a digest before it: that of the message which its lane had before, or for the first one zeros.
    #[inline(always)]
    pub(in crate::record) fn after_digest(mut self, is_first: bool) -> Message<'a> {
        self.begin = if is_first { Begin::AfterZeros } else { Begin::AfterDigest };
        self.at -= DIGEST_BYTES as isize;
        self.left += DIGEST_BYTES as isize;
        self.bits += 8 * DIGEST_BYTES as u64;
        self
    }

    /// With a closing brace behind it.
    #[inline(always)]
    pub(in crate::record) fn with_brace(mut self) -> Message<'a> {
        self.behind = &BRACE_AND_END;
        self.bits += 8;
        self
    }

    /// What stands in the text where the next block begins.
    #[inline(always)]
    pub(super) fn here<'b>(&'b self, room: &'b mut [u8; BLOCK]) -> &'b [u8; BLOCK] {
        match self.text.get(self.at as usize..).and_then(<[u8]>::first_chunk) {
            Some(text) => text,
            None => self.near_an_end(room),
        }
    }

    /// The same where a block does not fit into the text, with zeros where that does not reach.
    #[cold]
    #[inline(never)]
    fn near_an_end<'b>(&self, room: &'b mut [u8; BLOCK]) -> &'b [u8; BLOCK] {
        room.fill(0);
        let before = usize::try_from(-self.at).unwrap_or_default();
        let rest = self.text.get(usize::try_from(self.at).unwrap_or_default()..).unwrap_or_default();
        for (byte, there) in room.iter_mut().skip(before).zip(rest) {
            *byte = *there;
        }
        room
    }

    /// Puts the next block together, without a choice that depends on the message. `here` is what stands in the text
    /// where it begins.
    #[inline(always)]
    pub(super) fn next(&mut self, avx512: Avx512, here: u8x64<Avx512>, block: &mut Block<'a>) {
        let from = (BLOCK as isize - self.left).clamp(0, (WINDOW - BLOCK) as isize) as usize;
        let window = |bytes: &[u8; WINDOW]| u8x64::from_slice(avx512, &bytes[from..from + BLOCK]);
        let bytes = here & window(&self.behind.is_text) | window(&self.behind.bytes);
        let words: u32x16<Avx512> = bytes.swizzle_dyn_within_blocks(u8x64::from_slice(avx512, &BIG_ENDIAN)).bitcast();
        let is_text = u32x16::from_slice(avx512, &BEGINNINGS[self.begin as usize].is_text);
        self.is_done = self.left <= self.behind.most;
        let bits = if self.is_done { self.bits } else { 0 };
        let length = u64x8::splat(avx512, bits.rotate_left(32)) & u64x8::from_slice(avx512, &LENGTH);
        (words & is_text | length.bitcast::<u32x16<Avx512>>()).store_slice(&mut block.words);
        block.begin = std::mem::replace(&mut self.begin, Begin::GoOn);
        block.known = if self.is_done { self.known } else { Known::Nothing };
        block.digits = self.digits;
        self.at += BLOCK as isize;
        self.left -= BLOCK as isize;
    }
}

/// A block that has been put together.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Block<'a> {
    pub(super) words: [u32; BLOCK / 4],
    pub(super) begin: Begin,
    /// What is known of the digest that it comes to.
    pub(super) known: Known,
    pub(super) digits: &'a [u8; DIGITS],
}
