//! Ways to play several cards at once, compiled for a table. It knows no game in progress.

use maumau_protocol::ruleset::{self, Counting, Step};
use maumau_protocol::{Card, CardSet, Rank, Suit};

/// A way to play several cards at once (G-40 to G-42).
#[derive(Clone, Debug)]
pub(crate) struct SeveralAtOnce {
    cards: CardSet,
    rank: bool,
    run: bool,
    wraps: bool,
    sizes: Vec<u8>,
    counts: Counting,
    /// The cards that open a run of a suit, and those that may end one whatever their suit (G-73).
    opened_by: CardSet,
    ended_by: CardSet,
    /// Whether a run may be left open.
    open: bool,
    /// The values of the pack, from the lowest up.
    ranks: Vec<Rank>,
}

impl SeveralAtOnce {
    pub(super) fn new(together: &ruleset::SeveralCards, kinds: CardSet) -> SeveralAtOnce {
        let ruleset::SeveralCards { clauses: _, cards, opened_by, ended_by, open, step, wraps, sizes, counts, off: _ } =
            together;
        let in_pack = |rank: &Rank| !kinds.intersect(CardSet::rank(*rank)).is_empty();
        SeveralAtOnce {
            cards: cards.0,
            rank: step.0.contains(&Step::Rank),
            run: step.0.contains(&Step::Run),
            wraps: *wraps,
            sizes: sizes.clone(),
            counts: *counts,
            opened_by: opened_by.0,
            ended_by: ended_by.0,
            open: *open,
            ranks: kinds.pack().ranks().into_iter().filter(in_pack).collect(),
        }
    }

    /// Whether `cards` can be one play, in this order, apart from what the first of them must fit (G-40).
    pub(crate) fn joins(&self, cards: &[Card]) -> bool {
        let of_a_size = self.sizes.is_empty() || self.sizes.iter().any(|size| usize::from(*size) == cards.len());
        of_a_size && cards.len() > 1 && cards.iter().all(|card| self.cards.contains(*card)) && self.follow(cards)
    }

    /// Whether further cards can follow `cards` in one play, apart from what the first of them must fit (G-40).
    pub(crate) fn may_go_on(&self, cards: &[Card]) -> bool {
        self.leaves_room(cards) && cards.iter().all(|card| self.cards.contains(*card)) && self.follow(cards)
    }

    /// Whether a play may have more cards than these.
    fn leaves_room(&self, cards: &[Card]) -> bool {
        self.sizes.is_empty() || self.sizes.iter().any(|size| usize::from(*size) > cards.len())
    }

    /// Whether `card` played by itself opens a run.
    pub(crate) fn opens_alone(&self, card: Card) -> bool {
        self.open && self.opened_by.contains(card)
    }

    /// If `cards`, in this order, can be part of a run of `suit`, begun by the first of them unless it `goes_on`: whether the run is
    /// then open, which its player may prevent by `close` (G-73).
    pub(crate) fn runs(&self, cards: &[Card], suit: Suit, goes_on: bool, close: bool) -> Option<bool> {
        let of_suit = |card: &Card| self.is_in_run(*card, suit);
        let (last, others) = cards.split_last()?;
        let begins = goes_on || (!others.is_empty() && self.opened_by.contains(cards[0]));
        let ends = !others.is_empty() && self.ended_by.contains(*last);
        let of_a_size = self.sizes.is_empty() || self.sizes.iter().any(|size| usize::from(*size) == cards.len());
        let follow = others.iter().all(of_suit) && (ends || of_suit(last));
        (begins && of_a_size && follow).then_some(self.open && !close && !ends)
    }

    /// Whether further cards can follow `cards` in a run of `suit`, begun by the first of them unless it `goes_on` (G-73).
    pub(crate) fn may_run_on(&self, cards: &[Card], suit: Suit, goes_on: bool) -> bool {
        let begins = goes_on || cards.first().is_some_and(|first| self.opened_by.contains(*first));
        begins && self.leaves_room(cards) && cards.iter().all(|card| self.is_in_run(*card, suit))
    }

    /// Whether `card` can be in a run of `suit` other than to end it.
    fn is_in_run(&self, card: Card, suit: Suit) -> bool {
        self.cards.contains(card) && card.suit().map_or(self.opened_by.contains(card), |own| own == suit)
    }

    /// Whether each of `cards` may follow the one before it.
    fn follow(&self, cards: &[Card]) -> bool {
        // Whether the run may still go up, and down.
        let (mut up, mut down) = (true, true);
        cards.windows(2).all(|pair| {
            if self.rank && pair[0].rank() == pair[1].rank() {
                return true;
            }
            let same_suit = pair[0].suit() == pair[1].suit();
            (up, down) = (up && self.is_next(pair[0], pair[1]), down && self.is_next(pair[1], pair[0]));
            self.run && same_suit && (up || down)
        })
    }

    /// Whether the value of `high` comes directly after that of `low` (G-40).
    fn is_next(&self, low: Card, high: Card) -> bool {
        let place = |card: Card| self.ranks.iter().position(|rank| Some(*rank) == card.rank());
        let (Some(low), Some(high)) = (place(low), place(high)) else { return false };
        high == low + 1 || (self.wraps && high == 0 && low + 1 == self.ranks.len())
    }

    /// All cards that can be part of such a play.
    pub(super) fn all(&self) -> CardSet {
        self.cards.union(self.opened_by).union(self.ended_by)
    }

    /// Whether a run may be left open.
    pub(super) fn may_stay_open(&self) -> bool {
        self.open
    }

    /// The cards that open runs.
    pub(super) fn openers(&self) -> CardSet {
        self.opened_by
    }

    /// Those of `cards`, which are one play, that have an effect (G-41).
    pub(crate) fn counting<'a>(&self, cards: &'a [Card]) -> &'a [Card] {
        let last = cards.last().and_then(|card| card.rank());
        let first = match self.counts {
            Counting::All => 0,
            Counting::LastRank => cards.iter().rposition(|card| card.rank() != last).map_or(0, |before| before + 1),
            Counting::Last => cards.len().saturating_sub(1),
        };
        &cards[first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_protocol::CardList;
    use maumau_protocol::ruleset::Steps;

    /// Whether `cards` are one play by these steps and sizes, in a pack from 7 to ace.
    fn joins(steps: &[Step], wraps: bool, sizes: &[u8], cards: &str) -> bool {
        let all = CardList::parse("7-A").expect("cards");
        let (step, sizes) = (Steps(steps.to_vec()), sizes.to_vec());
        let way = ruleset::SeveralCards { cards: all, step, wraps, sizes, ..ruleset::SeveralCards::default() };
        let cards: Vec<Card> = cards.split(' ').map(|card| Card::from_code(card).expect("a card")).collect();
        SeveralAtOnce::new(&way, all.0).joins(&cards)
    }

    /// G-40.
    #[test]
    fn a_play_has_its_size_and_its_steps() {
        let both = [Step::Rank, Step::Run];
        assert!(joins(&[Step::Rank], false, &[], "7S 7H"));
        assert!(!joins(&[Step::Rank], false, &[], "7S"));
        assert!(!joins(&[Step::Rank], false, &[3, 4], "7S 7H") && joins(&[Step::Rank], false, &[3, 4], "7S 7H 7D"));
        assert!(!joins(&[Step::Rank], false, &[], "7S 8S") && joins(&[Step::Run], false, &[], "7S 8S"));
        assert!(!joins(&[Step::Run], false, &[], "7S 7H") && joins(&both, false, &[], "8S 8H 7H"));
        assert!(joins(&[Step::Run], false, &[], "9S 8S 7S") && !joins(&[Step::Run], false, &[], "8S 9S 8S"));
        assert!(!joins(&both, false, &[], "8S 9S 9H 8H"), "up, aside and down");
        assert!(!joins(&[Step::Run], false, &[], "KS AS 7S") && joins(&[Step::Run], true, &[], "KS AS 7S"));
        assert!(joins(&[Step::Run], true, &[], "7S AS KS"));
        assert!(!joins(&[Step::Run], true, &[], "6S 7S"), "not in the pack");
    }

    /// G-41.
    #[test]
    fn some_of_the_cards_count() {
        let cards: Vec<Card> = ["7S", "8S", "8H"].map(|card| Card::from_code(card).expect("a card")).to_vec();
        for (counts, left) in [(Counting::All, 3), (Counting::LastRank, 2), (Counting::Last, 1)] {
            let way = ruleset::SeveralCards { counts, ..ruleset::SeveralCards::default() };
            assert_eq!(SeveralAtOnce::new(&way, CardSet::ALL).counting(&cards).len(), left);
        }
    }
}
