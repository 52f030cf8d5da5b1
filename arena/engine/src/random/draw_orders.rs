//! The orders in which seats draw (SPEC 8.8): each seat has a random order of its own of the cards of a pile, made place by place as
//! it draws.

use crate::reuse::clone_in_place;
use maumau_protocol::{Card, MAX_SEATS, Seat};

use super::key_stream::{BLOCK, QUADS, Quad, WORDS, Words};
use super::{Chance, Purpose, clearly_below, number_below};

/// Seats whose blocks form a quad, so that their words are made together.
const GROUP: usize = 4;

/// Each seat's random order of the cards of a pile; a card is identified by its number in the pile.
#[derive(Debug, Default)]
pub(crate) struct DrawOrders {
    seats: usize,
    /// The number of the draw pile in the round, counted from 1, and how many cards it has.
    pile: u32,
    cards: usize,
    /// Of each seat; the order of seat s begins at `s * cards`. Each number is kept as its difference (XOR) from its place, so that
    /// zeros are the order in which the cards lie.
    numbers: Vec<u16>,
    /// How many places of its order each seat has made, and how many words it has read for them.
    made: [u16; MAX_SEATS],
    read: [u16; MAX_SEATS],
    /// Words of each group of seats.
    batches: Vec<QuadBatch>,
}

clone_in_place!(DrawOrders { seats, pile, cards, numbers, made, read, batches });

/// Quads of one group that were made together, as many as the processor makes at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuadBatch {
    /// The number of the first quad; one that no pile reaches if none is made.
    first: u16,
    words: Words,
}

impl DrawOrders {
    /// Forgets what was made ahead: it came from other streams.
    pub(crate) fn forget(&mut self) {
        self.clear(self.seats);
    }

    /// Makes ready for a round of `seats`.
    pub(crate) fn clear(&mut self, seats: usize) {
        self.seats = seats;
        let groups = seats.div_ceil(GROUP);
        self.batches.reserve_exact(groups.saturating_sub(self.batches.len()));
        self.batches.resize(groups, QuadBatch::EMPTY);
        self.batches.iter_mut().for_each(QuadBatch::forget);
    }

    /// Takes the memory for piles of up to `cards` cards, for as many seats as it was made ready for.
    pub(crate) fn reserve(&mut self, cards: usize) {
        self.numbers.reserve_exact((self.seats * cards).saturating_sub(self.numbers.len()));
    }

    /// Begins the orders of draw pile number `pile` of the round, counted from 1, which has `cards` cards.
    pub(crate) fn restart(&mut self, pile: u32, cards: usize) {
        (self.pile, self.cards) = (pile, cards);
        (self.made, self.read) = ([0; _], [0; _]);
        self.batches.iter_mut().for_each(QuadBatch::forget);
        self.numbers.clear();
        self.numbers.resize(self.seats * cards, 0);
    }

    /// Takes the next card of `seat` out of all orders and returns its number. `pool` holds the remaining cards, at least
    /// one.
    #[inline]
    pub(crate) fn take(&mut self, chance: &Chance, seat: Seat, pool: &[Option<Card>]) -> usize {
        let (seat, cards) = (seat.index(), self.cards);
        let numbers = &mut self.numbers[seat * cards..][..cards];
        let batch = &mut self.batches[seat / GROUP];
        let mut place = self.made[seat];
        let number = loop {
            let left = cards as u32 - u32::from(place);
            let choice = match batch.made(chance, seat, self.read[seat]).and_then(|word| clearly_below(left, word)) {
                _ if left == 1 => 0,
                Some(choice) => {
                    self.read[seat] += 1;
                    choice
                }
                None => batch.choose(chance, self.pile, seat, left, &mut self.read[seat]),
            };
            let chosen = place + choice as u16;
            let number = usize::from(numbers[usize::from(chosen)] ^ chosen);
            // Nothing before the next place is looked at again, so what is exchanged is needed on one side only.
            numbers[usize::from(chosen)] = numbers[usize::from(place)] ^ place ^ chosen;
            place += 1;
            if pool[number].is_some() {
                break number;
            }
        };
        self.made[seat] = place;
        number
    }
}

impl QuadBatch {
    const NONE: u16 = u16::MAX / 2;
    pub(super) const EMPTY: QuadBatch = QuadBatch { first: QuadBatch::NONE, words: [0; WORDS] };

    fn forget(&mut self) {
        self.first = QuadBatch::NONE;
    }

    /// Word `k` of `seat` for `pile`: word `k mod 16` of block `16 * (k / 16) + seat` of its stream (SPEC 8.8).
    pub(super) fn word(&mut self, chance: &Chance, pile: u32, seat: usize, k: u16) -> u32 {
        loop {
            match self.made(chance, seat, k) {
                Some(word) => return word,
                None => self.make(chance, pile, seat, k / BLOCK as u16),
            }
        }
    }

    /// Word `k` of `seat` if it has been made.
    #[inline(always)]
    fn made(&self, chance: &Chance, seat: usize, k: u16) -> Option<u32> {
        let quad = (k / BLOCK as u16).wrapping_sub(self.first);
        let place = 16 * (usize::from(k) % BLOCK) + GROUP * (usize::from(quad) % QUADS) + seat % GROUP;
        (quad < chance.blocks.at_once() as u16).then_some(self.words[place])
    }

    /// A number below `left` for `seat`, from its words from number `k` on.
    #[cold]
    fn choose(&mut self, chance: &Chance, pile: u32, seat: usize, left: u32, k: &mut u16) -> u32 {
        loop {
            let word = self.word(chance, pile, seat, *k);
            *k += 1;
            if let Some(choice) = number_below(left, word) {
                return choice;
            }
        }
    }

    /// Makes the quads from number `first` on of the group of `seat` for `pile`.
    fn make(&mut self, chance: &Chance, pile: u32, seat: usize, first: u16) {
        self.first = first;
        let quad = |at: usize| Quad {
            stream: chance.number(Purpose::Draw, pile),
            block: (MAX_SEATS * (usize::from(first) + at) + seat / GROUP * GROUP) as u64,
        };
        chance.make(&std::array::from_fn(quad), &mut self.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed_of_number;

    /// The orders as SPEC 8.8 describes them: a list, a place and words of its own for each seat.
    struct Lists {
        lists: Vec<(Vec<usize>, usize)>,
        words: Vec<Vec<u32>>,
        is_drawn: Vec<bool>,
    }

    impl Lists {
        /// The words of seat s of the pile are `words(k, s)` for k = 0, 1, …
        fn new(seats: usize, cards: usize, words: impl Fn(usize, usize) -> u32) -> Lists {
            let words = (0..seats).map(|seat| (0..2 * cards + 64).rev().map(|k| words(k, seat)).collect()).collect();
            Lists { lists: vec![((0..cards).collect(), 0); seats], words, is_drawn: vec![false; cards] }
        }

        fn draw(&mut self, seat: usize) -> usize {
            let (list, place) = &mut self.lists[seat];
            loop {
                let below = loop {
                    let word = self.words[seat].pop().expect("a word is left");
                    if let Some(number) = number_below((list.len() - *place) as u32, word) {
                        break number;
                    }
                };
                list.swap(*place, *place + below as usize);
                let number = list[*place];
                *place += 1;
                if !std::mem::replace(&mut self.is_drawn[number], true) {
                    return number;
                }
            }
        }
    }

    /// Seats draw all cards, evenly by chance or one seat most of the time, and get the cards of the lists.
    fn check(orders: &mut DrawOrders, lists: &mut Lists, chance: &Chance, mut random: u64) {
        let (seats, cards) = (lists.lists.len(), lists.is_drawn.len());
        let mut pool: Vec<_> = (0..cards).map(|number| Card::from_index((number % Card::KINDS) as u8)).collect();
        let greedy = random.is_multiple_of(3);
        for turn in 0..cards {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let seat = if greedy && random >> 61 > 0 { 0 } else { (random >> 33) as usize % seats };
            let number = orders.take(chance, Seat::new(seat).expect("a seat"), &pool);
            assert_eq!(number, lists.draw(seat), "draw {turn} of {cards}, by seat {seat} of {seats}");
            assert!(pool[number].take().is_some(), "card {number} was drawn twice");
        }
    }

    #[test]
    fn seats_draw_as_by_lists_of_their_own() {
        for mut chance in Chance::in_all_ways(&seed_of_number(7)) {
            for (round, seats) in [1, 2, 3, 4, 5, 8, 13, MAX_SEATS].into_iter().enumerate() {
                let mut orders = DrawOrders::default();
                chance.enter_round(round as u32);
                orders.clear(seats);
                for (pile, cards) in (1..).zip([31, 1, 2, 3, 15, 16, 17, 18, 32, 33, 34, 104, 9, 220]) {
                    orders.restart(pile, cards);
                    let mut stream = chance.stream(Purpose::Draw, pile);
                    let stream: Vec<u32> = (0..16 * 16 * 40).map(|_| stream.below(1 << 31)).collect();
                    // Bounds are small, so the lowest bit of a word makes no difference in a test of so few words.
                    let word = |k: usize, seat: usize| stream[16 * (16 * (k / 16) + seat) + k % 16] << 1;
                    check(&mut orders, &mut Lists::new(seats, cards, word), &chance, u64::from(pile));
                }
            }
        }
    }

    /// One word in four is a multiple of 2^30 here, which many bounds reject and others seem to reject.
    #[test]
    fn words_that_are_drawn_again_are_left_out() {
        fn word(k: usize, seat: usize) -> u32 {
            let mixed = (k as u32 + 1).wrapping_mul(0x9e37_79b9) ^ (seat as u32 + 1).wrapping_mul(0x85eb_ca6b);
            if mixed >> 13 & 3 == 0 { mixed & 0xc000_0000 } else { mixed }
        }
        let mut chance = Chance::new(&seed_of_number(8));
        chance.blocks.given =
            Some(|block, row| word(BLOCK * (block as usize / MAX_SEATS) + row, block as usize % MAX_SEATS));
        let mut orders = DrawOrders::default();
        for seats in [2, 4, 7] {
            for cards in [2, 3, 12, 16, 17, 31, 45] {
                orders.clear(seats);
                orders.restart(1, cards);
                check(&mut orders, &mut Lists::new(seats, cards, word), &chance, cards as u64);
            }
        }
    }
}
