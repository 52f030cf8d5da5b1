//! Four messages by the processor's instructions for SHA-256, each step of all four before the next.
//!
//! The steps within one SHA-256 wait for one another. Those of messages that have nothing to do with each other need not:
//! taken in turn, they are in the processor side by side. While it is busy with a block of each message, their next blocks
//! are put together, so that these steps wait for nothing else.
//!
//! Every processor that has vectors of 512 bits as [`Avx512`](fearless_simd::Level::as_avx512) means them has these
//! instructions too.

mod message;

use std::arch::x86_64::{
    _mm_add_epi32, _mm_alignr_epi8, _mm_blend_epi16, _mm_setzero_si128, _mm_sha256msg1_epu32, _mm_sha256msg2_epu32,
    _mm_sha256rnds2_epu32, _mm_shuffle_epi32,
};

use fearless_simd::prelude::*;
use fearless_simd::{Avx512, kernel, u8x32, u8x64, u16x32, u32x4};

use super::sealed::Known;
use message::{BEGINNINGS, BLOCK, Begin, Block, DIGITS};

pub(super) use message::Message;

/// Messages side by side.
pub(super) const LANES: usize = 4;
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

/// Which of the digits before a place are those that are known.
#[repr(C, align(64))]
struct Places {
    /// All bits of those.
    is_known: [u8; DIGITS],
    /// For each of them the byte of which it is a digit, in a state in the order in which the instructions want it.
    bytes: [u8; DIGITS],
}

/// In the order of [`Known`].
static PLACES: [Places; 4] =
    [Places::of(Known::Nothing), Places::of(Known::Check), Places::of(Known::Hash), Places::of(Known::All)];

impl Places {
    const fn of(known: Known) -> Places {
        const WORDS: [usize; 8] = [3, 2, 7, 6, 1, 0, 5, 4];
        let mut places = Places { is_known: [0; DIGITS], bytes: [0; DIGITS] };
        let mut digit = 0;
        while digit < 2 * known.bytes() {
            let (at, byte) = (DIGITS - 2 * known.bytes() + digit, digit / 2);
            places.is_known[at] = 0xff;
            places.bytes[at] = (4 * WORDS[byte / 4] + 3 - byte % 4) as u8;
            digit += 1;
        }
        places
    }
}

/// The digits, for each quarter of a vector.
const HEXADECIMAL: &[u8; 64] = b"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

#[repr(align(64))]
struct Lanes<'a> {
    /// In the order in which the instructions want it.
    states: [[u32; 8]; LANES],
    blocks: [Block<'a>; LANES],
    messages: [Message<'a>; LANES],
    /// In what a digest was not what is known of it.
    wrong: [u8; DIGITS],
    /// For what stands near the end of a text.
    room: [[u8; BLOCK]; LANES],
}

/// Whether all messages come to what is known of their digests. Each lane hashes what `next` has for it, one message after
/// the other, until that is nothing; then it stays so.
pub(super) fn are_right<'a>(avx512: Avx512, mut next: impl FnMut(usize) -> Option<Message<'a>>) -> bool {
    let block =
        Block { words: [0; BLOCK / 4], begin: Begin::Message, known: Known::Nothing, digits: Message::NONE.digits };
    let mut lanes = Lanes {
        states: [[0; 8]; LANES],
        blocks: [block; LANES],
        messages: [Message::NONE; LANES],
        wrong: [0; DIGITS],
        room: [[0; BLOCK]; LANES],
    };
    let mut is_over = false;
    while !is_over {
        is_over = true;
        for (lane, message) in lanes.messages.iter_mut().enumerate() {
            if message.is_done {
                *message = next(lane).unwrap_or(Message::NONE);
            }
            is_over &= message.is_done;
        }
        // With nothing to put together there still are the last blocks.
        step(avx512, &mut lanes);
    }
    lanes.wrong == [0; DIGITS]
}

kernel!(
    /// Hashes the block of each lane, and puts the next block of its message in its place.
    fn step(avx512: Avx512, lanes: &mut Lanes<'_>) {
        let messages = &mut lanes.messages;
        let load = |words: &[u32]| u32x4::from_slice(avx512, words);
        let [first, second, third, fourth] = &mut lanes.room;
        let here =
            [messages[0].here(first), messages[1].here(second), messages[2].here(third), messages[3].here(fourth)]
                .map(|text| u8x64::from_slice(avx512, text));
        let zero = _mm_setzero_si128();
        let (mut abef, mut cdgh) = ([zero; LANES], [zero; LANES]);
        let mut words = [[zero; 4]; LANES];
        for lane in 0..LANES {
            let (state, block) = (&lanes.states[lane], &lanes.blocks[lane]);
            let beginning = &BEGINNINGS[block.begin as usize];
            let (old_abef, old_cdgh, kept) = (load(&state[..4]), load(&state[4..]), load(&beginning.kept));
            abef[lane] = (old_abef & kept | load(&beginning.abef)).into();
            cdgh[lane] = (old_cdgh & kept | load(&beginning.cdgh)).into();
            let abef = _mm_shuffle_epi32(old_abef.into(), 0x1b);
            let ghcd = _mm_shuffle_epi32(old_cdgh.into(), 0xb1);
            let abcd = u32x4::simd_from(avx512, _mm_blend_epi16(abef, ghcd, 0xf0));
            let efgh = u32x4::simd_from(avx512, _mm_alignr_epi8(ghcd, abef, 8));
            let head = load(&beginning.head);
            words[lane] = [
                (load(&block.words[..4]) | abcd & head).into(),
                (load(&block.words[4..8]) | efgh & head).into(),
                load(&block.words[8..12]).into(),
                load(&block.words[12..]).into(),
            ];
        }
        let before = (abef, cdgh);
        // Four rounds from the words at one place, which are replaced by those that come sixteen later.
        macro_rules! step {
            ($rounds:expr, $at:literal, $more:expr) => {
                let rounds = load(&$rounds[4 * $at..4 * $at + 4]).into();
                for lane in 0..LANES {
                    let sum = _mm_add_epi32(words[lane][$at], rounds);
                    cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], sum);
                    abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], _mm_shuffle_epi32(sum, 0x0e));
                    if $more {
                        let words = &mut words[lane];
                        let [second, third, fourth] = [1, 2, 3].map(|ahead| words[($at + ahead) % 4]);
                        let sum = _mm_alignr_epi8(fourth, third, 4);
                        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(words[$at], second), sum);
                        words[$at] = _mm_sha256msg2_epu32(sum, fourth);
                    }
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
        let hexadecimal = u8x64::from_slice(avx512, HEXADECIMAL);
        let mut wrong = u8x64::from_slice(avx512, &lanes.wrong);
        for lane in 0..LANES {
            let abef = u32x4::simd_from(avx512, _mm_add_epi32(abef[lane], before.0[lane]));
            let cdgh = u32x4::simd_from(avx512, _mm_add_epi32(cdgh[lane], before.1[lane]));
            let state = abef.combine(cdgh);
            state.store_slice(&mut lanes.states[lane]);
            let block = &lanes.blocks[lane];
            let places = &PLACES[block.known as usize];
            let bytes: u8x32<Avx512> = state.bitcast();
            let twice: u16x32<Avx512> =
                bytes.combine(bytes).swizzle_dyn(u8x64::from_slice(avx512, &places.bytes)).bitcast();
            let nibbles = twice >> 4 & u16x32::splat(avx512, 0x000f) | twice & u16x32::splat(avx512, 0x0f00);
            let digits = hexadecimal.swizzle_dyn_within_blocks(nibbles.bitcast::<u8x64<Avx512>>());
            wrong |= (digits ^ u8x64::from_slice(avx512, block.digits)) & u8x64::from_slice(avx512, &places.is_known);
        }
        wrong.store_slice(&mut lanes.wrong);
        for lane in 0..LANES {
            messages[lane].next(avx512, here[lane], &mut lanes.blocks[lane]);
        }
    }
);

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::record::DIGEST_BYTES;
    use crate::seed::hex;

    /// What stands before the text of a message.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Before {
        Nothing,
        Zeros,
        Digest,
    }

    /// A message as a piece of a text of which the digits of its digest are the end.
    #[derive(Clone, Debug)]
    struct Sample {
        text: Vec<u8>,
        start: usize,
        end: usize,
        has_brace: bool,
        before: Before,
    }

    impl Sample {
        fn message(&self, known: Known) -> Message<'_> {
            let message = Message::new(&self.text, self.start, self.end).is(known, self.text.len());
            let message = if self.has_brace { message.with_brace() } else { message };
            match self.before {
                Before::Nothing => message,
                Before::Zeros => message.after_digest(true),
                Before::Digest => message.after_digest(false),
            }
        }
    }

    /// Messages at all distances from the ends of a text and of all lengths up to three blocks, in the order in which one
    /// lane has them. Of each digest as many digits stand in the text as are known.
    fn samples(known: Known) -> Vec<Sample> {
        let body: Vec<u8> = (0..200_u32).map(|number| (number * 167 + 13) as u8).collect();
        let (mut samples, mut last) = (Vec::new(), [0; DIGEST_BYTES]);
        for (start, end) in (0..body.len()).flat_map(|at| [(0, at), (at, body.len()), (at / 2, at / 2 + at / 3)]) {
            for before in [Before::Nothing, Before::Zeros, Before::Digest] {
                for has_brace in [false, true] {
                    let head = match before {
                        Before::Nothing => &[][..],
                        Before::Zeros => &[0; DIGEST_BYTES],
                        Before::Digest => &last,
                    };
                    let brace = if has_brace { "}" } else { "" };
                    last = Sha256::digest([head, &body[start..end], brace.as_bytes()].concat()).into();
                    let text = [&body[..], hex(&last[..known.bytes()]).as_bytes()].concat();
                    samples.push(Sample { text, start, end, has_brace, before });
                }
            }
        }
        samples
    }

    /// Whether all are right if each lane has those of one list; nothing where the processor lacks the instructions.
    fn are_right_in(lanes: [&[Sample]; LANES], known: Known) -> Option<bool> {
        let mut lanes = lanes.map(<[Sample]>::iter);
        let avx512 = fearless_simd::Level::new().as_avx512()?;
        Some(are_right(avx512, |lane| lanes[lane].next().map(|sample| sample.message(known))))
    }

    #[test]
    fn messages_of_every_length_come_to_what_the_library_says() {
        for known in [Known::Check, Known::Hash, Known::All] {
            let samples = samples(known);
            let (some, few, none) = (&samples[..samples.len() / 2], &samples[..1], &samples[..0]);
            for lanes in
                [[&samples[..]; LANES], [none; LANES], [&samples, some, few, none], [few, none, none, &samples]]
            {
                assert_ne!(are_right_in(lanes, known), Some(false), "{known:?}");
            }
        }
    }

    #[test]
    fn every_digit_that_is_known_is_looked_at_and_no_other() {
        for known in [Known::Nothing, Known::Check, Known::Hash, Known::All] {
            let sound = &samples(known)[702..708];
            for (lane, digit) in (0..LANES).flat_map(|lane| (0..DIGITS).map(move |digit| (lane, digit))) {
                let mut changed = sound.to_vec();
                // Of what stands behind the message: not what is hashed, but what it comes to.
                let Sample { text, end, .. } = &mut changed[1];
                let at = text.len() - 1 - digit;
                assert!(at >= *end);
                text[at] ^= 1;
                let mut lanes = [sound; LANES];
                lanes[lane] = &changed;
                let expected = digit >= 2 * known.bytes();
                assert!(
                    are_right_in(lanes, known).is_none_or(|found| found == expected),
                    "{known:?}, lane {lane}, digit {digit} from the end"
                );
            }
        }
    }
}
