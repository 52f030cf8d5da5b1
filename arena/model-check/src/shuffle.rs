//! Whether every card is equally likely at every place: of a shuffled deck, and of the cards that seats draw. It counts
//! what the engine gives; no game is played.

use maumau_engine::{deal_seed, drawn_in_turn, seed_of_number, shuffle_for_deal};
use maumau_protocol::{Card, Seed};

/// Cards of the tested deck, one of each kind except the joker.
const CARDS: usize = 52;

/// Seats that draw in turn.
const SEATS: usize = 3;

/// How often each card lay at each place.
struct Counts {
    /// By place, then by card.
    cells: Vec<[u32; CARDS]>,
    decks: u32,
}

impl Counts {
    fn new() -> Counts {
        Counts { cells: vec![[0; CARDS]; CARDS], decks: 0 }
    }

    /// Counts a deck, which holds every card once.
    fn add(&mut self, deck: &[u8]) {
        self.decks += 1;
        for (place, card) in self.cells.iter_mut().zip(deck) {
            place[usize::from(*card)] += 1;
        }
    }

    /// Chi-square of all cells, as standard deviations from its mean. Rows and columns have fixed sums, so there are
    /// (n - 1)² degrees of freedom of n² cells.
    fn z(&self) -> f64 {
        let n = CARDS as f64;
        let expected = f64::from(self.decks) / n;
        let cells = self.cells.iter().flatten();
        let chi_square: f64 = cells.map(|count| (f64::from(*count) - expected) * (f64::from(*count) - expected)).sum();
        let freedom = (n - 1.0) * (n - 1.0);
        (chi_square / expected * (n - 1.0) / n - freedom) / (2.0 * freedom).sqrt()
    }
}

/// How far the cards are from an even distribution, in standard deviations. A correct shuffle is within 4, except once in
/// ten thousand times.
#[derive(Clone, Copy, Debug)]
pub struct Evenness {
    /// For the places of a deck that is shuffled for a deal.
    pub deal: f64,
    /// For the order in which seats draw from a pile.
    pub draws: f64,
}

impl Evenness {
    /// Whether chance explains both.
    pub fn is_even(&self) -> bool {
        self.deal.abs() < 4.0 && self.draws.abs() < 4.0
    }
}

/// Deals whose cards are counted by place.
pub struct ShuffleTest {
    master: Seed,
    deal: Counts,
    draws: Counts,
}

impl ShuffleTest {
    /// Deals of a run with the master seed `seed`.
    pub fn new(seed: u64) -> ShuffleTest {
        let (deal, draws) = (Counts::new(), Counts::new());
        ShuffleTest { master: seed_of_number(seed), deal, draws }
    }

    /// Deals once more, and lets some seats draw a whole pile in turn.
    pub fn deal(&mut self, number: u64) {
        let seed = deal_seed(&self.master, &number.to_string());
        let mut deck = in_order();
        shuffle_for_deal(&seed, 1, &mut deck);
        self.deal.add(&deck);
        let cards = in_order().into_iter().filter_map(Card::from_index);
        let drawn: Vec<u8> = drawn_in_turn(&seed, 1, SEATS, cards).map(|card| card.index() as u8).collect();
        self.draws.add(&drawn);
    }

    /// How even the deals so far are.
    pub fn evenness(&self) -> Evenness {
        Evenness { deal: self.deal.z(), draws: self.draws.z() }
    }
}

fn in_order() -> [u8; CARDS] {
    std::array::from_fn(|card| card as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_engine::ChoiceStream;

    const DEALS: u64 = 20_000;

    #[test]
    fn every_card_is_as_likely_at_every_place() {
        let mut test = ShuffleTest::new(1);
        (0..DEALS).for_each(|number| test.deal(number));
        assert!(test.evenness().is_even(), "{:?}", test.evenness());
    }

    /// The test detects shuffles that are known to be wrong.
    #[test]
    fn wrong_shuffles_are_seen() {
        type Shuffle = fn(&mut [u8], &mut ChoiceStream<'_>);
        let naive: Shuffle = |deck, words| {
            for place in 0..deck.len() {
                deck.swap(place, words.below(CARDS));
            }
        };
        let off_by_one: Shuffle = |deck, words| {
            for place in 0..deck.len() - 1 {
                deck.swap(place, place + 1 + words.below(deck.len() - place - 1));
            }
        };
        let byte_modulo: Shuffle = |deck, words| {
            for place in 0..deck.len() - 1 {
                deck.swap(place, place + words.below(256) % (deck.len() - place));
            }
        };
        for (name, shuffle) in [("naive", naive), ("off by one", off_by_one), ("byte modulo", byte_modulo)] {
            let mut counts = Counts::new();
            for number in 0..DEALS {
                let mut deck = in_order();
                shuffle(&mut deck, &mut ChoiceStream::new(&[number]));
                counts.add(&deck);
            }
            assert!(counts.z() > 10.0, "{name}: {}", counts.z());
        }
    }
}
