//! Four blocks by the processor's instructions for SHA-256, each step of all four before the next.
//!
//! Every processor that has vectors of 512 bits as [`Avx512`](fearless_simd::Level::as_avx512) means them has these too.

use std::arch::x86_64::{
    _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_setzero_si128, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32,
    _mm_sha256rnds2_epu32, _mm_shuffle_epi32,
};

use fearless_simd::prelude::*;
use fearless_simd::{Avx512, kernel, u8x64, u32x4, u32x8, u32x16, u64x8};

use super::{BLOCK, BRACE_AND_END, END, LANES, Message};

/// What is added in each round: the first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
const ROUNDS: [u32; 64] = {
    let (mut rounds, mut found, mut number) = ([0; 64], 0, 2_u128);
    while found < rounds.len() {
        let mut divisor = 2;
        while number % divisor != 0 {
            divisor += 1;
        }
        if divisor == number {
            // The cube root of `number` in units of 2^-32, bit by bit.
            let (mut root, mut bit) = (0_u128, 1 << 35);
            while bit > 0 {
                let more = root + bit;
                if more * more * more <= number << 96 {
                    root = more;
                }
                bit >>= 1;
            }
            rounds[found] = root as u32;
            found += 1;
        }
        number += 1;
    }
    rounds
};

/// What stands in the blocks of a message behind its text, and where: the block in which N bytes of text are left is at
/// place `BLOCK - N`, N from -2 to `BLOCK`.
struct Behind {
    /// All bits where the text stands.
    is_text: [u8; WINDOW],
    bytes: [u8; WINDOW],
}

const WINDOW: usize = 2 * BLOCK + 2;

/// In the order of their lengths.
static BEHIND: [Behind; 2] = [Behind::new(END), Behind::new(BRACE_AND_END)];

impl Behind {
    const fn new(ending: &[u8]) -> Behind {
        let mut behind = Behind { is_text: [0; WINDOW], bytes: [0; WINDOW] };
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
/// The words of a block where a digest stands, if the block begins with one.
static HEAD: [[u32; BLOCK / 4]; 2] = [[0; 16], [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0]];
/// The words where the length of the message stands, if the block is the last one.
static LENGTH: [[u32; BLOCK / 4]; 2] = [[0; 16], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, !0, !0]];

impl Message<'_> {
    /// The words of the next block, found without a choice that depends on the message.
    #[inline(always)]
    fn next(&mut self, avx512: Avx512) -> u32x16<Avx512> {
        let text = match usize::try_from(self.at).ok().and_then(|at| self.text.get(at..)?.first_chunk::<BLOCK>()) {
            Some(text) => u8x64::from_slice(avx512, text),
            None => u8x64::from_slice(avx512, &self.near_an_end()),
        };
        let from = (BLOCK as isize - self.left).clamp(0, (WINDOW - BLOCK) as isize) as usize;
        let behind = &BEHIND[self.ending.len() - 1];
        let window = |bytes: &[u8; WINDOW]| u8x64::from_slice(avx512, &bytes[from..from + BLOCK]);
        let bytes = text & window(&behind.is_text) | window(&behind.bytes);
        let words: u32x16<Avx512> = bytes.swizzle_dyn_within_blocks(u8x64::from_slice(avx512, &BIG_ENDIAN)).bitcast();

        let half = |words: &[u32]| u32x4::from_slice(avx512, words);
        let head = half(&self.head[..4]).combine(half(&self.head[4..])).combine(u32x8::splat(avx512, 0));
        let is_head = u32x16::from_slice(avx512, &HEAD[usize::from(self.has_head)]);
        self.advance();
        let length = u64x8::splat(avx512, self.bits.rotate_left(32)).bitcast::<u32x16<Avx512>>();
        let is_length = u32x16::from_slice(avx512, &LENGTH[usize::from(self.is_done)]);
        words & !is_head | head & is_head | length & is_length
    }

    /// What stands in the text where the next block begins, where a block does not fit into it.
    #[cold]
    fn near_an_end(&self) -> [u8; BLOCK] {
        let mut bytes = [0; BLOCK];
        let before = usize::try_from(-self.at).unwrap_or_default();
        let rest = self.text.get(usize::try_from(self.at).unwrap_or_default()..).unwrap_or_default();
        let count = rest.len().min(BLOCK - before);
        bytes[before..before + count].copy_from_slice(&rest[..count]);
        bytes
    }
}

kernel!(
    /// Hashes the next block of each message.
    pub(super) fn step(avx512: Avx512, messages: &mut [Message<'_>; LANES]) {
        let zero = _mm_setzero_si128();
        // The order in which the instructions want the eight words of a state.
        let (mut abef, mut cdgh) = ([zero; LANES], [zero; LANES]);
        let mut words = [[zero; 4]; LANES];
        for lane in 0..LANES {
            let (low, high) = messages[lane].next(avx512).split();
            let ((first, second), (third, fourth)) = (low.split(), high.split());
            words[lane] = [first.into(), second.into(), third.into(), fourth.into()];
            let (abcd, efgh) = messages[lane].state.split_at(4);
            let cdab = _mm_shuffle_epi32(u32x4::from_slice(avx512, abcd).into(), 0xb1);
            let efgh = _mm_shuffle_epi32(u32x4::from_slice(avx512, efgh).into(), 0x1b);
            abef[lane] = _mm_alignr_epi8(cdab, efgh, 8);
            cdgh[lane] = _mm_blend_epi16(efgh, cdab, 0xf0);
        }
        let before = (abef, cdgh);
        let mut sums = [zero; LANES];
        // Four rounds from the words at one place, which are replaced by those that come sixteen later.
        macro_rules! step {
            ($rounds:expr, $at:literal, $more:expr) => {
                let rounds = u32x4::from_slice(avx512, &$rounds[4 * $at..4 * $at + 4]).into();
                for lane in 0..LANES {
                    sums[lane] = _mm_add_epi32(words[lane][$at], rounds);
                    cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], sums[lane]);
                }
                if $more {
                    for words in &mut words {
                        let [second, third, fourth] = [1, 2, 3].map(|ahead| words[($at + ahead) % 4]);
                        let sum = _mm_alignr_epi8(fourth, third, 4);
                        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(words[$at], second), sum);
                        words[$at] = _mm_sha256msg2_epu32(sum, fourth);
                    }
                }
                for lane in 0..LANES {
                    let behind = _mm_shuffle_epi32(sums[lane], 0x0e);
                    abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], behind);
                }
            };
        }
        macro_rules! steps {
            ($from:literal, $more:literal) => {
                step!(ROUNDS[$from..], 0, $more);
                step!(ROUNDS[$from..], 1, $more);
                step!(ROUNDS[$from..], 2, $more);
                step!(ROUNDS[$from..], 3, $more);
            };
        }
        steps!(0, true);
        steps!(16, true);
        steps!(32, true);
        steps!(48, false);
        for lane in 0..LANES {
            let feba = _mm_shuffle_epi32(_mm_add_epi32(abef[lane], before.0[lane]), 0x1b);
            let dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh[lane], before.1[lane]), 0xb1);
            let halves = [_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)];
            for (words, half) in messages[lane].state.chunks_exact_mut(4).zip(halves) {
                u32x4::simd_from(avx512, half).store_slice(words);
            }
        }
    }
);
