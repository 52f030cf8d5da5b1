//! Blocks of the generator's key stream, made side by side, as many as the processor's vectors hold. It fills the
//! caller's buffers; which stream serves what is not known here.
//!
//! In one block each step waits for the one before, so a processor that makes blocks one after another mostly waits. Here
//! word n of several blocks is one vector, and several blocks, of any streams of one key, take the time of one: sixteen
//! with AVX-512, eight with AVX2, four with less. This module knows no seats, piles or purposes.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};

/// The number of blocks in a batch.
const BLOCKS: usize = 16;

/// The number of quads in a batch.
pub(super) const QUADS: usize = BLOCKS / 4;

/// The number of words in a block.
pub(super) const BLOCK: usize = 16;

/// The number of words in a batch.
pub(super) const WORDS: usize = BLOCKS * BLOCK;

/// The words of a batch: word w of block b is at place `16 * w + b`, so the next word of a block is [`BLOCKS`] places
/// later.
pub(super) type Words = [u32; WORDS];

/// Four neighbouring blocks of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quad {
    /// The number of the stream.
    pub(crate) stream: u64,
    /// The number of its first block.
    pub(crate) block: u64,
}

/// Makes blocks with the vectors of one instruction level.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockMaker {
    level: Level,
    /// Quads made in the time of one: as many as the vectors hold.
    at_once: u8,
    /// The words of each block, by their numbers in it, instead of random ones.
    #[cfg(test)]
    pub(super) given: Option<fn(u64, usize) -> u32>,
}

impl Default for BlockMaker {
    /// With the best level that this processor has.
    fn default() -> BlockMaker {
        BlockMaker::with(Level::new())
    }
}

impl BlockMaker {
    fn with(level: Level) -> BlockMaker {
        #[inline(always)]
        fn lanes<S: Simd>(_: S) -> usize {
            S::u32s::LEN
        }
        BlockMaker {
            level,
            at_once: (dispatch!(level, simd => lanes(simd)) / 4) as u8,
            #[cfg(test)]
            given: None,
        }
    }

    /// The number of quads made in the time of one: 1 to [`QUADS`].
    #[inline]
    pub(crate) fn at_once(self) -> usize {
        self.at_once.into()
    }

    /// Makes the blocks of the first [`BlockMaker::at_once`] of `quads` under `key`: ChaCha20 with a 64-bit counter of
    /// blocks and a 64-bit stream number (SPEC §8.5; the rounds are those of RFC 8439, section 2.3).
    pub(crate) fn make(self, key: &[u32; 8], quads: &[Quad; QUADS], words: &mut Words) {
        let blocks = 4 * self.at_once();
        #[cfg(test)]
        if let Some(given) = self.given {
            let block = |lane: usize| quads[lane / 4].block + (lane % 4) as u64;
            *words = std::array::from_fn(|place| given(block(place % BLOCKS), place / BLOCKS));
            return;
        }
        let mut places = [[0; BLOCKS]; 4];
        for lane in 0..blocks {
            let Quad { stream, block } = quads[lane / 4];
            let block = block + (lane % 4) as u64;
            let parts = [block as u32, (block >> 32) as u32, stream as u32, (stream >> 32) as u32];
            for (row, part) in places.iter_mut().zip(parts) {
                row[lane] = part;
            }
        }
        dispatch!(self.level, simd => side_by_side(simd, key, &places, blocks, words));
    }
}

/// Makes the first `blocks` blocks, where `places` are the last four rows of words before the first round.
#[inline(always)]
fn side_by_side<S: Simd>(simd: S, key: &[u32; 8], places: &[[u32; BLOCKS]; 4], blocks: usize, words: &mut Words) {
    const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
    let lanes = const {
        assert!(BLOCKS.is_multiple_of(S::u32s::LEN), "a batch is made in whole passes");
        S::u32s::LEN
    };
    for from in (0..blocks).step_by(lanes) {
        let mut start = [S::u32s::splat(simd, 0); 16];
        for (row, word) in start.iter_mut().zip(CONSTANTS.iter().chain(key)) {
            *row = S::u32s::splat(simd, *word);
        }
        for (row, place) in start[12..].iter_mut().zip(places) {
            *row = S::u32s::from_slice(simd, &place[from..from + lanes]);
        }
        let mut state = start;
        for _ in 0..10 {
            for column in 0..4 {
                quarter_round::<S>(&mut state, [column, column + 4, column + 8, column + 12]);
            }
            for column in 0..4 {
                let diagonal = [column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4];
                quarter_round::<S>(&mut state, diagonal);
            }
        }
        for (row, words) in words.chunks_exact_mut(BLOCKS).enumerate() {
            (state[row] + start[row]).store_slice(&mut words[from..from + lanes]);
        }
    }
}

#[inline(always)]
fn quarter_round<S: Simd>(state: &mut [S::u32s; 16], [a, b, c, d]: [usize; 4]) {
    state[a] += state[b];
    state[d] = rotate_left::<S>(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = rotate_left::<S>(state[b] ^ state[c], 12);
    state[a] += state[b];
    state[d] = rotate_left::<S>(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = rotate_left::<S>(state[b] ^ state[c], 7);
}

#[inline(always)]
fn rotate_left<S: Simd>(words: S::u32s, by: u32) -> S::u32s {
    (words << by) | (words >> (32 - by))
}

#[cfg(test)]
impl BlockMaker {
    /// Makers of every level that this processor has, each with every number of quads at once, whatever its vectors hold.
    /// This also tests what other processors do, apart from their own instructions.
    pub(crate) fn all() -> Vec<BlockMaker> {
        let best = Level::new();
        let mut levels = vec![best];
        #[cfg(target_arch = "x86_64")]
        levels.extend(
            [
                best.as_sse2().map(Level::Sse2),
                best.as_sse4_2().map(Level::Sse4_2),
                best.as_avx2().map(Level::Avx2),
                best.as_avx512().map(Level::Avx512),
            ]
            .into_iter()
            .flatten(),
        );
        let all = levels
            .iter()
            .flat_map(|level| [1, 2, QUADS as u8].map(|at_once| BlockMaker { level: *level, at_once, given: None }));
        // At least fills the vectors.
        all.filter(|maker| maker.at_once >= BlockMaker::with(maker.level).at_once).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, section 2.3.2: its counter of 32 bits is the low word of ours, its nonce the other three.
    #[test]
    fn a_block_is_that_of_the_standard() {
        let key = std::array::from_fn(|word| u32::from_le_bytes(std::array::from_fn(|byte| (4 * word + byte) as u8)));
        let quad = Quad { stream: 0x4a00_0000, block: 0x0900_0000_0000_0001 };
        let expected = [
            0xe4e7_f110,
            0x1559_3bd1,
            0x1fdd_0f50,
            0xc471_20a3,
            0xc7f4_d1c7,
            0x0368_c033,
            0x9aaa_2204,
            0x4e6c_d4c3,
            0x4664_82d2,
            0x09aa_9f07,
            0x05d7_c214,
            0xa202_8bd9,
            0xd19c_12b5,
            0xb94e_16de,
            0xe883_d0cb,
            0x4e3c_50a2,
        ];
        for maker in BlockMaker::all() {
            for place in 0..maker.at_once() {
                let mut quads = [Quad::default(); QUADS];
                quads[place] = quad;
                let mut words = [0; WORDS];
                maker.make(&key, &quads, &mut words);
                let block: Vec<u32> = words.iter().skip(4 * place).step_by(16).copied().collect();
                assert_eq!(block, expected, "{maker:?}, quad {place}");
            }
        }
    }
}
