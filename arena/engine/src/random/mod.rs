//! Everything random, from one 256-bit seed (SPEC §8, G-09): streams of numbers, and the orders in which seats draw.
//!
//! The generator is ChaCha20 (RFC 8439's block function with a 64-bit counter and a 64-bit stream number), its key is
//! HMAC-SHA-256 of the game's seed. Every purpose in every round has a stream of its own, so what happens in one round
//! cannot change the cards of another. Nothing here comes from the operating system.
//!
//! The rest of the engine knows only [`Chance`], [`Stream`] and [`DrawOrders`]. How many blocks are made at once, and for
//! which purpose, is decided inside and changes no number.

mod draw_orders;
mod key_stream;
#[cfg(test)]
mod tests;

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use key_stream::{BLOCK, BlockMaker, QUADS, Quad, WORDS, Words};
use maumau_protocol::seed::hex;
use maumau_protocol::{Seat, Seed};
use sha2::{Digest, Sha256};

pub(crate) use draw_orders::DrawOrders;

/// The purpose of a stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The deal of a round; the count is 0.
    Deal = 1,
    /// The order in which seats draw; the count is the number of the draw pile in the round.
    Draw = 2,
    /// The order in which the answers of one tick are taken up; the count is the tick.
    Order = 3,
    /// A card taken from another hand; the count is the number of takes in the round.
    Take = 4,
    /// The rules of the menu that are offered after a round; the count is 0.
    Menu = 5,
}

/// The source of one game's random streams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chance {
    key: [u32; 8],
    round: u32,
    blocks: BlockMaker,
}

impl Chance {
    pub(crate) fn new(game_seed: &Seed) -> Chance {
        let bytes = keyed_hash(game_seed, &[b"maumau/1 chance"]);
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Chance { key, round: 0, blocks: BlockMaker::default() }
    }

    /// Streams that follow from `key`, in the same round as these.
    pub(crate) fn with_key(&self, key: [u64; 4]) -> Chance {
        let mut words = [0; 8];
        for (words, number) in words.as_chunks_mut::<2>().0.iter_mut().zip(key) {
            *words = [number as u32, (number >> 32) as u32];
        }
        Chance { key: words, ..*self }
    }

    pub(crate) fn enter_round(&mut self, round: u32) {
        self.round = round;
    }

    /// The stream of `purpose` and `count` in this round, from its first word.
    pub(crate) fn stream(&self, purpose: Purpose, count: u32) -> Stream<'_> {
        Stream { chance: self, number: self.number(purpose, count), words: [0; WORDS], read: 0, there: 0, blocks: 0 }
    }

    /// Makes the blocks of the first of `quads`, as many as are made at once.
    fn make(&self, quads: &[Quad; QUADS], words: &mut Words) {
        self.blocks.make(&self.key, quads, words);
    }

    fn number(&self, purpose: Purpose, count: u32) -> u64 {
        u64::from(self.round) << 32 | (purpose as u64) << 28 | u64::from(count & 0x0fff_ffff)
    }
}

/// Shuffles `pack` as for the deal of round number `round` of the game with this seed.
pub fn shuffle_for_deal<T>(game_seed: &Seed, round: u32, pack: &mut [T]) {
    let mut chance = Chance::new(game_seed);
    chance.enter_round(round);
    chance.stream(Purpose::Deal, 0).shuffle_front(pack, pack.len());
}

/// One stream of random words.
pub(crate) struct Stream<'a> {
    chance: &'a Chance,
    number: u64,
    words: Words,
    /// How many of `words` have been read, and how many there are.
    read: usize,
    there: usize,
    /// Blocks made so far.
    blocks: u64,
}

impl Stream<'_> {
    /// A number below `bound`, each with the same probability.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a number below 0 was asked for");
        loop {
            let word = self.next();
            if let Some(number) = number_below(bound, word) {
                return number;
            }
        }
    }

    fn next(&mut self) -> u32 {
        if self.read == self.there {
            let quad = |quad| Quad { stream: self.number, block: self.blocks + 4 * quad as u64 };
            self.chance.make(&std::array::from_fn(quad), &mut self.words);
            self.blocks += 4 * self.chance.blocks.at_once() as u64;
            (self.read, self.there) = (0, 4 * BLOCK * self.chance.blocks.at_once());
        }
        let (block, word) = (self.read / 16, self.read % 16);
        self.read += 1;
        self.words[16 * word + block]
    }

    /// Puts `count` of `items` in random order at the front: step i swaps item i with one of the items from i on.
    pub(crate) fn shuffle_front<T>(&mut self, items: &mut [T], count: usize) {
        let len = items.len();
        for place in 0..count.min(len.saturating_sub(1)) {
            let from = place + self.below((len - place) as u32) as usize;
            items.swap(place, from);
        }
    }
}

/// Multiply-and-reject (Lemire 2019): the high word of `word * bound`; `None` if the low word is below `2^32 mod bound`, so
/// that another word must be drawn.
#[inline(always)]
pub(crate) fn number_below(bound: u32, word: u32) -> Option<u32> {
    let product = u64::from(word) * u64::from(bound);
    let low = product as u32;
    (low >= bound || low >= bound.wrapping_neg() % bound).then_some((product >> 32) as u32)
}

/// As [`number_below`], but `None` also for words of which it takes a division to see that they serve: few, if the bound is small.
#[inline(always)]
fn clearly_below(bound: u32, word: u32) -> Option<u32> {
    let product = u64::from(word) * u64::from(bound);
    (product as u32 >= bound).then_some((product >> 32) as u32)
}

/// HMAC-SHA-256 of `parts`, each followed by a zero byte, under `key`.
fn keyed_hash(key: &Seed, parts: &[&[u8]]) -> [u8; 32] {
    #[allow(clippy::expect_used)]
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key.0).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(part);
        mac.update(b"\0");
    }
    mac.finalize().into_bytes().into()
}

/// The seed that a whole number stands for: SHA-256 of the text `maumau seed N` (SPEC 8.1).
pub fn seed_of_number(number: u64) -> Seed {
    Seed(Sha256::digest(format!("maumau seed {number}")).into())
}

/// A text that is no seed; says what a seed looks like.
#[derive(Debug)]
pub struct SeedTextError;

impl fmt::Display for SeedTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a seed: write 64 hexadecimal digits, or a whole number from 0 to 2^64-1")
    }
}

impl std::error::Error for SeedTextError {}

/// Reads a seed as people write it: 64 hexadecimal digits, or a decimal number as in [`seed_of_number`].
///
/// # Errors
/// The text is neither of these.
pub fn parse_seed(text: &str) -> Result<Seed, SeedTextError> {
    if text.len() == 64 {
        return text.parse().map_err(|_| SeedTextError);
    }
    // A number has no sign.
    let number = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    number.and_then(|number| number.parse().ok()).map(seed_of_number).ok_or(SeedTextError)
}

/// The seed of a deal of a run: revealing one seed says nothing about the others.
pub fn deal_seed(master: &Seed, deal: &str) -> Seed {
    Seed(keyed_hash(master, &[b"maumau/1 deal", deal.as_bytes()]))
}

/// The name under which agents know a game, 16 hexadecimal digits that reveal nothing about `planned`, its name in the run:
/// names must not show which games share a deal.
pub fn game_id(master: &Seed, planned: &str) -> String {
    hex(&keyed_hash(master, &[b"maumau/1 game", planned.as_bytes()])[..8])
}

/// The seed that an agent is given for its own use, 16 hexadecimal digits.
pub fn agent_seed(game_seed: &Seed, game: &str, seat: Seat) -> String {
    hex(&keyed_hash(game_seed, &[b"maumau/1 agent", game.as_bytes(), seat.to_string().as_bytes()])[..8])
}

/// The commitment that `start` publishes: SHA-256 of `maumau/1 commitment`, a zero byte, the game id, a zero byte and the
/// 32 bytes of the seed, as 64 hexadecimal digits (SPEC 8.10). The game id is in it so that nobody can see that two games
/// are of one deal.
pub fn commitment(game: &str, seed: &Seed) -> String {
    let hasher = Sha256::new().chain_update(b"maumau/1 commitment\0").chain_update(game).chain_update(b"\0");
    hex(&hasher.chain_update(seed.0).finalize())
}
