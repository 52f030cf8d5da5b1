//! The words by which each seat draws.

use maumau_protocol::{MAX_SEATS, Seat};

use super::key_stream::{self, QUADS, Quad, WORDS};
use super::{Chance, Purpose, Stream, below};

/// Groups of four seats at the largest table.
const GROUPS: usize = MAX_SEATS / 4;

/// The draw streams of all seats for the draw piles of a round. Word k of seat s is word `k mod 16` of block
/// `16 * (k / 16) + s` of the pile's stream, so that a group of four seats reads a quad of blocks.
///
/// One batch of a group looks ahead: it holds what a pile needs at least, and the first blocks of piles after it, since
/// most are used up before anybody needs more. Further ones go on with the pile.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatStreams {
    /// The words of all batches: first the batch of each group that looks ahead, then, again for each group, those that go
    /// on with this pile.
    words: Vec<u32>,
    ahead: [Ahead; GROUPS],
    readers: [Reader; MAX_SEATS],
    /// Groups at the table.
    groups: usize,
    /// The number of this draw pile in the round, and its cards.
    count: u32,
    cards: usize,
}

/// The batch of a group that looks ahead, and what this pile has of it.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    /// The first quad of this pile.
    from: u16,
    /// How many quads it has; none before the batch is made.
    quads: u16,
    /// How many quads the next pile has.
    then: u16,
    /// How many batches go on with it.
    further: u16,
}

/// Where a seat reads.
#[derive(Clone, Copy, Debug, Default)]
struct Reader {
    /// The place of its next word. At one that begins a block, that block is to be found first.
    place: u32,
    /// How many blocks it has begun.
    blocks: u16,
}

/// The quads of a group that a pile of so many cards needs: a choice for each card but the last one, the rare word that is
/// drawn again aside.
fn quads_for(cards: usize) -> usize {
    cards.saturating_sub(1).div_ceil(16).clamp(1, QUADS)
}

impl SeatStreams {
    /// Makes ready for a round of `seats`.
    pub(crate) fn clear(&mut self, seats: usize) {
        self.groups = seats.div_ceil(4);
        self.ahead = Default::default();
    }

    /// The stream of the round's deal, after which a pile of so many cards is left: a batch has room for both.
    pub(crate) fn deal<'a>(&mut self, chance: &'a Chance, cards: usize) -> Stream<'a> {
        let mut stream = chance.stream(Purpose::Deal, 0);
        let own = quads_for(cards).min(QUADS - 1);
        let quads = std::array::from_fn(|quad| match quad.checked_sub(1) {
            None => Quad { stream: stream.number, block: 0 },
            Some(later) => self.quad_ahead(chance, 1, own, 0, later),
        });
        self.make(chance, 0, &quads);
        self.ahead[0] = Ahead { from: 0, quads: 1, then: own as u16, further: 0 };
        stream.words.copy_from_slice(&self.words[..WORDS]);
        (stream.there, stream.blocks) = (WORDS / QUADS, 4);
        stream
    }

    /// Starts the streams of draw pile number `count` of the round, counted from 1, of so many cards.
    pub(crate) fn restart(&mut self, count: u32, cards: usize) {
        for ahead in &mut self.ahead[..self.groups] {
            let from = ahead.from + ahead.quads;
            let is_there = ahead.quads > 0 && usize::from(from) < QUADS;
            *ahead = Ahead { from, quads: if is_there { ahead.then } else { 0 }, then: 1, further: 0 };
        }
        self.readers = Default::default();
        (self.count, self.cards) = (count, cards);
    }

    /// A number below `bound` from the stream of `seat`.
    #[inline]
    pub(crate) fn below(&mut self, chance: &Chance, seat: Seat, bound: u32) -> u32 {
        below(bound, || self.next(chance, seat.index()))
    }

    #[inline]
    fn next(&mut self, chance: &Chance, seat: usize) -> u32 {
        let mut place = self.readers[seat].place;
        if place as usize % WORDS < 16 {
            place = self.begin_block(chance, seat);
        }
        self.readers[seat].place = place + 16;
        self.words[place as usize]
    }

    /// The place of the first word of the next block of `seat`, which has read those before it.
    #[inline(never)]
    fn begin_block(&mut self, chance: &Chance, seat: usize) -> u32 {
        let (group, blocks) = (seat / 4, self.readers[seat].blocks);
        if self.ahead[group].quads == 0 {
            self.look_ahead(chance, group);
        }
        let Ahead { from, quads, .. } = self.ahead[group];
        let (batch, quad) = match usize::from(blocks).checked_sub(quads.into()) {
            None => (group, usize::from(from + blocks)),
            Some(later) => (self.go_on(chance, group, later / QUADS), later % QUADS),
        };
        self.readers[seat].blocks = blocks + 1;
        (batch * WORDS + 4 * quad + seat % 4) as u32
    }

    /// Makes the first blocks of `group` for this pile and those after it.
    #[inline(never)]
    fn look_ahead(&mut self, chance: &Chance, group: usize) {
        let own = quads_for(self.cards);
        let quads = std::array::from_fn(|quad| self.quad_ahead(chance, self.count, own, group, quad));
        self.make(chance, group, &quads);
        self.ahead[group] = Ahead { from: 0, quads: own as u16, then: 1, further: 0 };
    }

    /// Quad number `number` of `group` from the first of `pile` on, which has `own` ones; the piles after it have one each.
    fn quad_ahead(&self, chance: &Chance, pile: u32, own: usize, group: usize, number: usize) -> Quad {
        match number.checked_sub(own) {
            None => self.quad(chance, pile, group, number),
            Some(later) => self.quad(chance, pile + 1 + later as u32, group, 0),
        }
    }

    /// Makes the batch with which `group` goes on with this pile for the `later`th time, unless it is there. Returns its
    /// number.
    #[inline(never)]
    fn go_on(&mut self, chance: &Chance, group: usize, later: usize) -> usize {
        let batch = self.groups * (1 + later) + group;
        let Ahead { quads, further, .. } = self.ahead[group];
        if usize::from(further) == later {
            let first = usize::from(quads) + QUADS * later;
            let quads = std::array::from_fn(|quad| self.quad(chance, self.count, group, first + quad));
            self.make(chance, batch, &quads);
            self.ahead[group].further += 1;
        }
        batch
    }

    /// Quad number `number` of `group` in the stream of `pile`.
    fn quad(&self, chance: &Chance, pile: u32, group: usize, number: usize) -> Quad {
        Quad { stream: chance.number(Purpose::Draw, pile), block: (16 * number + 4 * group) as u64 }
    }

    fn make(&mut self, chance: &Chance, batch: usize, quads: &[Quad; QUADS]) {
        if self.words.len() <= batch * WORDS {
            self.words.resize((batch + 1) * WORDS, 0);
        }
        key_stream::make(&chance.key, quads, &mut self.words.as_chunks_mut().0[batch]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_protocol::Seed;

    #[test]
    fn a_seats_draws_do_not_depend_on_the_other_seats() {
        let draws = |others: usize| {
            let chance = Chance::new(&Seed::from_number(3));
            let mut streams = SeatStreams::default();
            streams.clear(3);
            streams.restart(1, 52);
            let [me, other] = [1, 2].map(|index| Seat::new(index).expect("a small seat"));
            (0..40)
                .map(|_| {
                    for _ in 0..others {
                        streams.below(&chance, other, 9);
                    }
                    streams.below(&chance, me, 1000)
                })
                .collect::<Vec<u32>>()
        };
        assert_eq!(draws(0), draws(3));
    }

    /// Whichever batch a word comes from: of piles that are used up soon and late, whoever draws more and at any table.
    #[test]
    fn the_words_of_a_seat_are_those_of_its_blocks() {
        const HALF: u32 = 1 << 31;
        let mut chance = Chance::new(&Seed::from_number(4));
        chance.enter_round(1);
        for seats in [2, 4, 5, MAX_SEATS] {
            let mut streams = SeatStreams::default();
            streams.clear(seats);
            for (count, cards) in (1..).zip([31, 3, 11, 200, 18, 1, 17, 52, 16, 9]) {
                streams.restart(count, cards);
                let mut stream = chance.stream(Purpose::Draw, count);
                let words: Vec<u32> = (0..16 * 16 * 16).map(|_| stream.below(HALF)).collect();
                let mut read = [0; MAX_SEATS];
                for step in 0..2 * cards {
                    let seat = Seat::new(step * step % seats).expect("a seat");
                    let number = read[seat.index()];
                    read[seat.index()] += 1;
                    let block = 16 * (number / 16) + seat.index();
                    let expected = words[16 * block + number % 16];
                    assert_eq!(streams.below(&chance, seat, HALF), expected, "word {number} of {seat}, pile {count}");
                }
            }
        }
    }

    #[test]
    fn the_deal_and_the_first_pile_share_a_batch_and_keep_their_words() {
        const HALF: u32 = 1 << 31;
        let mut chance = Chance::new(&Seed::from_number(5));
        chance.enter_round(1);
        for cards in [1, 31, 200] {
            let mut streams = SeatStreams::default();
            streams.clear(4);
            let mut shared = streams.deal(&chance, cards);
            let mut alone = chance.stream(Purpose::Deal, 0);
            for word in 0..400 {
                assert_eq!(shared.next(), alone.next(), "word {word} of the deal");
            }
            for count in 1..5 {
                streams.restart(count, cards);
                let mut stream = chance.stream(Purpose::Draw, count);
                let words: Vec<u32> = (0..16 * 16 * 4).map(|_| stream.below(HALF)).collect();
                for seat in Seat::all(4) {
                    for number in 0..50 {
                        let expected = words[16 * (16 * (number / 16) + seat.index()) + number % 16];
                        assert_eq!(streams.below(&chance, seat, HALF), expected, "word {number}, pile {count}");
                    }
                }
            }
        }
    }
}
