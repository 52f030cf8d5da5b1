//! The orders in which seats draw: makes them some places ahead and gives the next card. It takes its random words from
//! `seat_streams`; which seats may draw, and when, is not known here.

use crate::reuse::clone_in_place;
use maumau_protocol::{Card, Seat};

use super::key_stream::BLOCK;
use super::seat_streams::{GROUP, GROUPS, SeatStreams};
use super::{Chance, Stream, number_below};

/// Each seat's random order of the cards of a pile; a card is identified by its number in the pile (SPEC 8.8).
///
/// Each seat has a window on its order: the places made from one block of its words. The cards still in the pile are set
/// bits; when a seat takes a card, its bit is cleared in the windows of all seats. So a seat's next card is at its first
/// set bit, found without a search: other seats take cards at random, so the branches of a search would be mispredicted.
#[derive(Debug, Default)]
pub(crate) struct DrawOrders {
    /// Seats at the table, and groups of them.
    seats: usize,
    groups: u16,
    /// The number of cards of the pile, and the room that each group has for them, in whole blocks.
    cards: usize,
    room: u16,
    /// Whether a card of this pile has been drawn, so that all seats have a window.
    begun: bool,
    /// For each group, the card number at each place of its seats' orders.
    numbers: Vec<[u16; GROUP]>,
    /// For each group and each card, all bits except that of its place in the seats' windows.
    others: Vec<[u16; GROUP]>,
    windows: [Windows; GROUPS],
    streams: SeatStreams,
}

clone_in_place!(DrawOrders { seats, groups, cards, room, begun, numbers, others, windows, streams });

/// The windows of the seats of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Windows {
    /// The places whose cards are still in the pile, the first one as the lowest bit.
    there: [u16; GROUP],
    /// Where in `numbers` the window begins.
    from: [u16; GROUP],
    /// The number of places that each seat has made so far, and of words that it has read for them.
    made: [u16; GROUP],
    read: [u16; GROUP],
}

impl DrawOrders {
    /// Forgets what was made ahead: it came from other streams.
    pub(crate) fn forget(&mut self) {
        self.clear(self.seats);
    }

    /// Makes ready for a round of `seats`.
    pub(crate) fn clear(&mut self, seats: usize) {
        (self.seats, self.groups) = (seats, seats.div_ceil(GROUP) as u16);
        self.streams.clear(self.groups.into());
    }

    /// Takes the memory for piles of up to `cards` cards, for as many seats as it was made ready for.
    pub(crate) fn reserve(&mut self, cards: usize) {
        let room = usize::from(self.groups) * cards.next_multiple_of(BLOCK);
        if self.numbers.len() < room {
            self.numbers.reserve_exact(room - self.numbers.len());
            self.others.reserve_exact(room - self.others.len());
        }
    }

    /// The stream of the deal that begins a round, after which `left` cards remain for the first pile.
    pub(crate) fn deal<'a>(&mut self, chance: &'a Chance, left: usize) -> Stream<'a> {
        self.streams.deal(chance, left)
    }

    /// Begins the orders of draw pile number `pile` of the round, counted from 1, which has `cards` cards.
    pub(crate) fn restart(&mut self, pile: u32, cards: usize) {
        (self.cards, self.room, self.begun) = (cards, cards.next_multiple_of(BLOCK) as u16, false);
        let (groups, room) = (usize::from(self.groups), usize::from(self.groups * self.room));
        if self.numbers.len() < room {
            self.numbers.resize(room, [0; _]);
            self.others.resize(room, [0; _]);
        }
        self.windows[..groups].fill(Windows::default());
        self.streams.restart(pile, cards);
    }

    /// Takes the next card of `seat` out of all orders and returns its number. `pool` holds the remaining cards, at least
    /// one.
    #[inline(always)]
    pub(crate) fn take(&mut self, chance: &Chance, seat: Seat, pool: &[Option<Card>]) -> usize {
        if self.cards == 1 {
            return 0;
        }
        let (group, lane) = (seat.index() / GROUP, seat.index() % GROUP);
        if self.windows[group].there[lane] == 0 {
            self.look_ahead(chance, group, lane, pool);
        }
        let Windows { there, from, .. } = &self.windows[group];
        let number = usize::from(self.numbers[usize::from(from[lane]) + there[lane].trailing_zeros() as usize][lane]);
        let (groups, room) = (usize::from(self.groups), usize::from(self.room));
        for (group, windows) in self.windows[..groups].iter_mut().enumerate() {
            let others = &self.others[group * room + number];
            for (there, others) in windows.there.iter_mut().zip(others) {
                *there &= others;
            }
        }
        number
    }

    /// Moves the window of a seat on to the next place whose card is still in the pile.
    #[inline(never)]
    fn look_ahead(&mut self, chance: &Chance, group: usize, lane: usize, pool: &[Option<Card>]) {
        if !self.begun {
            self.begun = true;
            for group in 0..usize::from(self.groups) {
                match self.seats - GROUP * group {
                    1 => self.begin::<1>(chance, group),
                    2 => self.begin::<2>(chance, group),
                    _ => self.begin::<GROUP>(chance, group),
                }
            }
        }
        while self.windows[group].there[lane] == 0 {
            self.go_on(chance, group, lane, pool);
        }
    }

    /// Makes the first windows of the first `SEATS` of a group, while no card has been taken yet.
    #[inline(always)]
    fn begin<const SEATS: usize>(&mut self, chance: &Chance, group: usize) {
        let (cards, room) = (self.cards, usize::from(self.room));
        let first = group * room;
        let numbers = self.numbers[first..][..room].as_chunks_mut::<BLOCK>().0;
        let others = self.others[first..][..room].as_chunks_mut::<BLOCK>().0;
        for (block, (numbers, others)) in numbers.iter_mut().zip(others).enumerate() {
            *numbers = std::array::from_fn(|place| [(BLOCK * block + place) as u16; _]);
            *others = [[u16::MAX; _]; _];
        }
        let numbers = &mut self.numbers[first..][..cards];
        let others = &mut self.others[first..][..cards];
        let (mut place, mut stopped) = (0, 0);
        // The last card is forced, so the word drawn for it is ignored.
        'rows: for words in self.streams.quad(chance, group, 0).take(cards) {
            let choices = (cards - place) as u32;
            for (lane, word) in words[..SEATS].iter().enumerate() {
                let product = u64::from(*word) * u64::from(choices);
                if (product as u32) < choices {
                    // This word may have to be rejected: each seat continues by itself.
                    stopped = lane;
                    break 'rows;
                }
                bring(numbers, others, lane, place, (product >> 32) as u32, place);
            }
            place += 1;
        }
        let made = std::array::from_fn(|lane| (place + usize::from(lane < stopped)) as u16);
        let there = made.map(|made| ((1u32 << made) - 1) as u16);
        self.windows[group] = Windows { there, from: [first as u16; _], made, read: made };
    }

    /// Makes the next window of a seat, as far as its block of words reaches.
    #[inline(never)]
    fn go_on(&mut self, chance: &Chance, group: usize, lane: usize, pool: &[Option<Card>]) {
        let of_group = group * usize::from(self.room);
        let numbers = &mut self.numbers[of_group..][..self.cards];
        let others = &mut self.others[of_group..][..self.cards];
        let windows = &mut self.windows[group];
        let first = usize::from(windows.made[lane]);
        let (mut place, mut there) = (first, 0);
        // A single card is forced, so any word will do.
        let read = if self.cards - first > 1 { usize::from(windows.read[lane]) } else { 0 };
        for words in self.streams.quad(chance, group, (read / BLOCK) as u16).skip(read % BLOCK) {
            windows.read[lane] += 1;
            if let Some(choice) = number_below((self.cards - place) as u32, words[lane]) {
                let number = bring(numbers, others, lane, place, choice, place - first);
                there |= u16::from(pool[number].is_some()) << (place - first);
                place += 1;
            }
            if place == self.cards {
                break;
            }
        }
        windows.there[lane] = there;
        windows.from[lane] = (of_group + first) as u16;
        windows.made[lane] = place as u16;
    }
}

/// Swaps the card that is `choice` places further on into this place of the order of the seat in `lane`, where it has a bit
/// of the window. Returns its number.
#[inline(always)]
fn bring(
    numbers: &mut [[u16; GROUP]],
    others: &mut [[u16; GROUP]],
    lane: usize,
    place: usize,
    choice: u32,
    bit: usize,
) -> usize {
    let from = place + choice as usize;
    let number = numbers[from][lane];
    numbers[from][lane] = numbers[place][lane];
    numbers[place][lane] = number;
    others[usize::from(number)][lane] = !(1 << bit);
    number.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;
    use crate::seed_of_number;
    use maumau_protocol::MAX_SEATS;

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
        let mut chance = Chance::new(&seed_of_number(7));
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
