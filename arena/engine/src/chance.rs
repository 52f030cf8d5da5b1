//! Everything random, from one 256-bit seed (SPEC §8, G-09).
//!
//! The generator is ChaCha20 (RFC 8439's block function with a 64-bit counter and a 64-bit stream number), its key is
//! HMAC-SHA-256 of the game's seed. Every purpose in every round has a stream of its own, so what happens in one round
//! cannot change the cards of another. Nothing here comes from the operating system.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hmac::{Hmac, KeyInit, Mac};
use maumau_protocol::{MAX_SEATS, Seat, Seed};
use sha2::Sha256;

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

/// The seed of a deal of a run: one revealed seed tells nothing of the others.
pub fn deal_seed(master: &Seed, deal: &str) -> Seed {
    Seed(keyed_hash(master, &[b"maumau/1 deal", deal.as_bytes()]))
}

/// The name under which agents know a game, 16 hexadecimal digits that tell nothing of `planned`, its name in the run:
/// which games share a deal must not be seen from their names.
pub fn game_id(master: &Seed, planned: &str) -> String {
    let hash = keyed_hash(master, &[b"maumau/1 game", planned.as_bytes()]);
    maumau_protocol::seed::hex(&hash[..8])
}

/// The seed that an agent is given for its own use, 16 hexadecimal digits.
pub fn agent_seed(game_seed: &Seed, game: &str, seat: Seat) -> String {
    let hash = keyed_hash(game_seed, &[b"maumau/1 agent", game.as_bytes(), seat.to_string().as_bytes()]);
    maumau_protocol::seed::hex(&hash[..8])
}

/// What a stream of random numbers is for.
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
}

/// The source of one game's random streams.
#[derive(Debug)]
pub(crate) struct Chance {
    rng: ChaCha20Rng,
    round: u32,
}

impl Clone for Chance {
    /// Where the generator stands is not copied: every stream is read from its first word, or from a block that is named.
    fn clone(&self) -> Chance {
        Chance { rng: ChaCha20Rng::from_seed(self.rng.get_seed()), round: self.round }
    }
}

impl Chance {
    pub(crate) fn new(game_seed: &Seed) -> Chance {
        let key = keyed_hash(game_seed, &[b"maumau/1 chance"]);
        Chance { rng: ChaCha20Rng::from_seed(key), round: 0 }
    }

    pub(crate) fn enter_round(&mut self, round: u32) {
        self.round = round;
    }

    /// The stream of `purpose` and `count` in this round, from its first word.
    pub(crate) fn stream(&mut self, purpose: Purpose, count: u32) -> Stream<'_> {
        self.select(purpose, count, 0);
        Stream(&mut self.rng)
    }

    fn select(&mut self, purpose: Purpose, count: u32, block: u32) {
        let number = u64::from(self.round) << 32 | (purpose as u64) << 28 | u64::from(count & 0x0fff_ffff);
        // In this order: a stream begins with its first block.
        self.rng.set_stream(number);
        self.rng.set_block_pos(u64::from(block));
    }
}

/// One stream of random words.
pub(crate) struct Stream<'a>(&'a mut ChaCha20Rng);

impl Stream<'_> {
    /// A number below `bound`, each with the same chance.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.0.next_u32())
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

/// Multiply-and-reject (Lemire 2019): the high word of `word * bound`, drawn again while the low word is below
/// `2^32 mod bound`.
#[inline]
fn below(bound: u32, mut next: impl FnMut() -> u32) -> u32 {
    assert!(bound > 0, "a number below 0 was asked for");
    loop {
        let product = u64::from(next()) * u64::from(bound);
        let low = product as u32;
        if low >= bound || low >= bound.wrapping_neg() % bound {
            return (product >> 32) as u32;
        }
    }
}

/// The draw streams of all seats for one draw pile. Word k of seat s is word `k mod 16` of block `16 * (k / 16) + s`, so
/// that one call of the generator serves four seats.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatStreams {
    seats: [SeatWords; MAX_SEATS],
    count: u32,
}

/// The words of one seat that are made already.
#[derive(Clone, Debug, Default)]
struct SeatWords {
    /// The block that was made last.
    block: [u32; 16],
    /// How many words of it are left; they are its last ones.
    left: usize,
    /// Blocks made so far.
    made: u32,
}

impl SeatStreams {
    /// Starts the streams of draw pile number `count` of the round.
    pub(crate) fn restart(&mut self, count: u32) {
        for words in &mut self.seats {
            (words.left, words.made) = (0, 0);
        }
        self.count = count;
    }

    /// A number below `bound` from the stream of `seat`.
    #[inline]
    pub(crate) fn below(&mut self, chance: &mut Chance, seat: Seat, bound: u32) -> u32 {
        below(bound, || self.next(chance, seat.index()))
    }

    #[inline]
    fn next(&mut self, chance: &mut Chance, seat: usize) -> u32 {
        if self.seats[seat].left == 0 {
            self.make(chance, seat);
        }
        let words = &mut self.seats[seat];
        let place = words.block.len() - words.left;
        words.left -= 1;
        words.block[place % 16]
    }

    /// Makes the next block of `seat`, which has used up those before it, and of each of its neighbours that is as far.
    #[cold]
    fn make(&mut self, chance: &mut Chance, seat: usize) {
        let (number, group) = (self.seats[seat].made, seat & !3);
        chance.select(Purpose::Draw, self.count, number * 16 + group as u32);
        let mut bytes = [0; 4 * 64];
        chance.rng.fill_bytes(&mut bytes);
        for (words, block) in self.seats[group..].iter_mut().zip(bytes.as_chunks::<64>().0) {
            if words.made == number && words.left == 0 {
                for (word, bytes) in words.block.iter_mut().zip(block.as_chunks().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
                words.left = words.block.len();
                words.made = number + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut chance = Chance::new(&Seed::from_number(1));
        let mut stream = chance.stream(Purpose::Deal, 0);
        let mut counts = [0u32; 52];
        for _ in 0..520_000 {
            counts[stream.below(52) as usize] += 1;
        }
        let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!((20.0..100.0).contains(&chi_square), "chi-square of 51 degrees of freedom: {chi_square}");
    }

    #[test]
    fn streams_do_not_depend_on_what_was_drawn_before() {
        let mut chance = Chance::new(&Seed::from_number(2));
        let first = chance.stream(Purpose::Order, 3).below(1 << 30);
        chance.stream(Purpose::Deal, 0).below(7);
        assert_eq!(chance.stream(Purpose::Order, 3).below(1 << 30), first);
        chance.enter_round(1);
        assert_ne!(chance.stream(Purpose::Order, 3).below(1 << 30), first);
    }

    #[test]
    fn a_seats_draws_do_not_depend_on_the_other_seats() {
        let draws = |others: usize| {
            let mut chance = Chance::new(&Seed::from_number(3));
            let mut streams = SeatStreams::default();
            let [me, other] = [1, 2].map(|index| Seat::new(index).expect("a small seat"));
            (0..40)
                .map(|_| {
                    for _ in 0..others {
                        streams.below(&mut chance, other, 9);
                    }
                    streams.below(&mut chance, me, 1000)
                })
                .collect::<Vec<u32>>()
        };
        assert_eq!(draws(0), draws(3));
    }
}
