//! The random words by which each seat draws. It knows how many cards a pile has; `draw_orders` turns the words into
//! orders. It makes them ahead, a group of seats at a time, and keeps what it made last for each group.

use crate::reuse::clone_in_place;
use maumau_protocol::MAX_SEATS;

use super::key_stream::{BLOCK, QUADS, Quad, WORDS, Words};
use super::{Chance, Purpose, Stream};

/// Seats whose blocks form a quad, so that their words lie side by side.
pub(super) const GROUP: usize = 4;

/// Groups at the largest table.
pub(super) const GROUPS: usize = MAX_SEATS / GROUP;

/// The draw streams of all seats for the draw piles of a round (SPEC 8.8). Word k of seat s is word `k mod 16` of block
/// `16 * (k / 16) + s` of the pile's stream, so that a group of four seats reads a quad of blocks.
///
/// Quads are made in batches of as many as the processor makes in the time of one. A batch begins with the quad that is
/// wanted; the others are those that the group will probably want next, from this pile and later ones. Only the last batch
/// of each group is kept: a quad of an earlier one, which is rarely wanted again, is made again.
#[derive(Debug, Default)]
pub(super) struct SeatStreams {
    /// Of each group.
    batches: Vec<Batch>,
    /// The number of this draw pile in the round, counted from 1.
    pile: u32,
    /// How many quads each group has wanted from this pile, how many it will probably want from a pile, and the most that
    /// it can want from this one.
    wanted: [u16; GROUPS],
    likely: [u16; GROUPS],
    most: u16,
}

clone_in_place!(SeatStreams { batches, pile, wanted, likely, most });

/// Quads that were made together.
#[derive(Clone, Copy, Debug)]
struct Batch {
    names: [Name; QUADS],
    words: Words,
}

impl Batch {
    const EMPTY: Batch = Batch { names: [Name::NONE; QUADS], words: [0; WORDS] };
}

/// The name of a quad: the number of the pile in the upper half, then its number in the stream of its group, then the
/// number of the group. Pile 0 marks a place without a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name(u64);

/// The most quads that a group needs for a pile of `cards` cards: one word for each card except the last, not counting the
/// rare rejected word.
fn quads_for(cards: usize) -> u16 {
    cards.saturating_sub(1).div_ceil(BLOCK).max(1) as u16
}

impl SeatStreams {
    /// Makes ready for a round at a table with this many groups.
    pub(crate) fn clear(&mut self, groups: usize) {
        self.batches.iter_mut().for_each(|batch| batch.names = [Name::NONE; _]);
        if self.batches.len() < groups {
            self.batches.reserve_exact(groups - self.batches.len());
            self.batches.resize(groups, Batch::EMPTY);
        }
        (self.pile, self.wanted) = (0, [0; _]);
    }

    /// The stream of the round's deal, after which a pile of `cards` cards is left: a batch has room for both.
    pub(crate) fn deal<'a>(&mut self, chance: &'a Chance, cards: usize) -> Stream<'a> {
        let mut stream = chance.stream(Purpose::Deal, 0);
        (self.likely[0], self.most) = (quads_for(cards), quads_for(cards));
        let mut names = self.names_from(Name::new(1, 0, 0), chance.blocks.at_once() - 1);
        names.rotate_right(1);
        let batch = &mut self.batches[0];
        batch.make(chance, names, |name| match name {
            Name::NONE => Quad { stream: stream.number, block: 0 },
            _ => name.quad(chance),
        });
        stream.words = batch.words;
        (stream.there, stream.blocks) = (GROUP * BLOCK, GROUP as u64);
        stream
    }

    /// Starts the streams of draw pile number `pile` of the round, counted from 1, which has `cards` cards.
    pub(crate) fn restart(&mut self, pile: u32, cards: usize) {
        (self.pile, self.most) = (pile, quads_for(cards));
        for (likely, wanted) in self.likely.iter_mut().zip(&mut self.wanted) {
            *likely = if *wanted > 0 { *wanted } else { self.most };
            *wanted = 0;
        }
    }

    /// Quad number `number` of `group` in the stream of this pile: its sixteen rows of words, one of each seat.
    #[inline]
    pub(crate) fn quad(&mut self, chance: &Chance, group: usize, number: u16) -> impl Iterator<Item = &[u32; GROUP]> {
        self.wanted[group] = self.wanted[group].max(number + 1);
        let name = Name::new(self.pile, number, group);
        let quad = self.batches[group].place_of(name).unwrap_or_else(|| {
            self.make_from(chance, name);
            0
        });
        let rows = self.batches[group].words.as_chunks().0.as_chunks::<QUADS>().0;
        rows.iter().map(move |quads| &quads[quad])
    }

    /// Makes the batch that begins with the quad `name`.
    #[inline(never)]
    fn make_from(&mut self, chance: &Chance, name: Name) {
        let names = self.names_from(name, chance.blocks.at_once());
        self.batches[name.group()].make(chance, names, |name| name.quad(chance));
    }

    /// The quad `first` and those that its group will probably want after it: `count` in total.
    fn names_from(&self, first: Name, count: usize) -> [Name; QUADS] {
        let (group, likely) = (first.group(), self.likely[first.group()]);
        // If a pile takes more than expected, nothing says how many more.
        let own = if first.number() < likely { likely } else { self.most };
        let mut next = first;
        let mut names = [Name::NONE; QUADS];
        for name in &mut names[..count] {
            *name = next;
            let quads = if name.pile() == first.pile() { own } else { likely };
            next = match name.number() + 1 < quads {
                true => Name::new(name.pile(), name.number() + 1, group),
                false => Name::new(name.pile() + 1, 0, group),
            };
        }
        names
    }
}

impl Batch {
    /// The place of a quad. Compares all names: a branch here would be mispredicted.
    #[inline]
    fn place_of(&self, name: Name) -> Option<usize> {
        let names = self.names.iter().enumerate();
        names.fold(None, |found, (place, other)| if *other == name { Some(place) } else { found })
    }

    /// Makes the quads `names` in the place of those before.
    fn make(&mut self, chance: &Chance, names: [Name; QUADS], quad: impl Fn(Name) -> Quad) {
        self.names = names;
        chance.make(&names.map(quad), &mut self.words);
    }
}

impl Name {
    const NONE: Name = Name(0);

    fn new(pile: u32, number: u16, group: usize) -> Name {
        Name(u64::from(pile) << 32 | u64::from(number) << 16 | group as u64)
    }

    fn pile(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn number(self) -> u16 {
        (self.0 >> 16) as u16
    }

    fn group(self) -> usize {
        usize::from(self.0 as u16)
    }

    /// Its place in the key stream.
    fn quad(self, chance: &Chance) -> Quad {
        let block = MAX_SEATS * usize::from(self.number()) + GROUP * self.group();
        Quad { stream: chance.number(Purpose::Draw, self.pile()), block: block as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed_of_number;

    /// Checks quads of this pile, in any order of demand, against the words of the whole stream.
    fn check(streams: &mut SeatStreams, chance: &Chance, pile: u32, wanted: &[(usize, u16)]) {
        let mut stream = chance.stream(Purpose::Draw, pile);
        let words: Vec<u32> = (0..16 * 16 * 16).map(|_| stream.next()).collect();
        for (group, number) in wanted {
            let rows: Vec<[u32; GROUP]> = streams.quad(chance, *group, *number).copied().collect();
            assert_eq!(rows.len(), BLOCK);
            for (word, row) in rows.iter().enumerate() {
                for (lane, found) in row.iter().enumerate() {
                    let block = 16 * usize::from(*number) + GROUP * group + lane;
                    assert_eq!(*found, words[16 * block + word], "word {word} of block {block}, pile {pile}");
                }
            }
        }
    }

    /// Quads that are there and such as are made again, of piles that are used up early or late.
    #[test]
    fn the_words_of_a_seat_are_those_of_its_blocks() {
        for mut chance in Chance::in_all_ways(&seed_of_number(4)) {
            let mut streams = SeatStreams::default();
            for round in 1..3 {
                chance.enter_round(round);
                streams.clear(GROUPS);
                for (pile, cards) in (1..).zip([31, 3, 11, 200, 18, 1, 17, 52, 16, 9]) {
                    streams.restart(pile, cards);
                    let needed = quads_for(cards);
                    let groups = |number| (0..GROUPS).rev().map(move |group| (group, number));
                    // In the order in which they are wanted, then once more.
                    let wanted: Vec<_> = (0..needed).chain([0]).flat_map(groups).collect();
                    check(&mut streams, &chance, pile, &wanted);
                    assert_eq!(streams.batches.len(), GROUPS, "more than the last batch of each group is kept");
                }
            }
        }
    }

    #[test]
    fn the_deal_and_the_first_pile_share_a_batch_and_keep_their_words() {
        let chances = Chance::in_all_ways(&seed_of_number(5));
        for (mut chance, cards) in chances.flat_map(|chance| [1, 31, 200].map(|cards| (chance.clone(), cards))) {
            chance.enter_round(1);
            let mut streams = SeatStreams::default();
            streams.clear(GROUPS);
            let mut shared = streams.deal(&chance, cards);
            let mut alone = chance.stream(Purpose::Deal, 0);
            for word in 0..400 {
                assert_eq!(shared.next(), alone.next(), "word {word} of the deal");
            }
            streams.restart(1, cards);
            let place = streams.batches[0].place_of(Name::new(1, 0, 0));
            assert_eq!(place, (chance.blocks.at_once() > 1).then_some(1), "the first quad is not beside the deal");
            check(&mut streams, &chance, 1, &[(0, 0)]);
            for pile in 2..5 {
                check(&mut streams, &chance, pile - 1, &[(0, 1), (0, 2), (0, 0)]);
                streams.restart(pile, cards);
            }
        }
    }

    #[test]
    fn what_is_likely_to_be_wanted_is_there() {
        for chance in Chance::in_all_ways(&seed_of_number(6)) {
            let mut streams = SeatStreams::default();
            streams.clear(GROUPS);
            let mut made = 0;
            // The same number from each pile as from the one before, so that a batch of four serves two piles.
            for pile in 1..9 {
                streams.restart(pile, 31);
                for number in 0..2 {
                    made += usize::from(streams.batches[0].place_of(Name::new(pile, number, 0)).is_none());
                    check(&mut streams, &chance, pile, &[(0, number)]);
                }
            }
            assert_eq!(made, 16 / chance.blocks.at_once(), "{:?}", chance.blocks);
        }
    }
}
