//! The discard pile: the top card, the suit to be served in its place, and therefore which cards fit.
//!
//! Only this file touches its members, so the set of fitting cards is always up to date. It does not know requests, which
//! bind cards that lie nowhere, or who may play a card that fits.

use crate::reuse::clone_in_place;
use maumau_protocol::{Card, CardSet, Suit};

use super::way::{PlayGround, PlayWay};
use crate::rules::Rules;

/// The discard pile of a round.
#[derive(Debug, PartialEq)]
pub(super) struct Pile {
    /// Bottom to top.
    cards: Vec<Card>,
    /// The suit to be served, if the top card's player could name one.
    suit: Option<Suit>,
    /// The top card waits for a suit to be stated.
    suit_open: bool,
    /// Anything may be played (option `shortage=top_card`).
    anything: bool,
    /// The card for which the top card stands (G-79).
    stands_for: Option<Card>,
    /// The cards that fit, apart from requests.
    fits: CardSet,
    run: Run,
}

clone_in_place!(Pile { cards, suit, suit_open, anything, stands_for, fits, run });

/// Cards of one kind played one after another as interjections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Run {
    /// The number of cards, the first one included.
    cards: u8,
    interjections: u8,
}

impl Default for Pile {
    fn default() -> Pile {
        let (cards, run) = (Vec::new(), Run::default());
        Pile { cards, suit: None, suit_open: false, anything: false, stands_for: None, fits: CardSet::ALL, run }
    }
}

impl Pile {
    /// Makes it ready for a round.
    pub(super) fn clear(&mut self) {
        *self = Pile { cards: self.lend(), ..Pile::default() };
    }

    /// Makes room for `cards` cards.
    pub(super) fn reserve(&mut self, cards: usize) {
        self.cards.reserve(cards);
    }

    /// Lends its empty list of cards, as long as no card lies there.
    pub(super) fn lend(&mut self) -> Vec<Card> {
        let mut cards = std::mem::take(&mut self.cards);
        cards.clear();
        cards
    }

    /// Takes back the list that was lent.
    pub(super) fn give_back(&mut self, mut cards: Vec<Card>) {
        cards.clear();
        self.cards = cards;
    }

    /// Puts `cards`, bottom to top, on it, of which the last may stand for another; for positions that are set up.
    pub(super) fn set_up(&mut self, cards: &[Card], stands_for: Option<Card>, rules: &Rules) {
        self.cards.extend_from_slice(cards);
        self.stands_for = stands_for;
        self.refit(rules);
    }

    /// The cards, bottom to top.
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The top card, or the one for which it stands (G-79).
    #[inline]
    pub(super) fn top(&self) -> Option<Card> {
        self.stands_for.or_else(|| self.cards.last().copied())
    }

    /// The topmost card that counts: cards that are treated as absent are looked through (N-36, N-40).
    #[inline]
    pub(super) fn visible_top(&self, rules: &Rules) -> Option<Card> {
        if rules.transparent.is_empty() {
            return self.top();
        }
        self.visible_below(0, rules)
    }

    /// The topmost card that counts below the `above` cards on top.
    pub(super) fn visible_below(&self, above: usize, rules: &Rules) -> Option<Card> {
        self.cards.iter().rev().skip(above).copied().find(|card| !rules.transparent.contains(*card))
    }

    /// The cards that fit, apart from requests.
    #[inline(always)]
    pub(super) fn fits(&self, rules: &Rules) -> CardSet {
        debug_assert_eq!(self.fits, self.fits_on_top(rules), "what fits was not kept up to date");
        self.fits
    }

    /// Whether anything may be played (option `shortage=top_card`).
    #[inline(always)]
    pub(super) fn takes_anything(&self) -> bool {
        self.anything
    }

    /// The card for which the top card stands.
    pub(super) fn stands_for(&self) -> Option<Card> {
        self.stands_for
    }

    /// The suit to be served, if the top card's player could name one.
    pub(super) fn suit(&self) -> Option<Suit> {
        self.suit
    }

    /// Whether the top card waits for a suit to be stated.
    pub(super) fn waits_for_suit(&self) -> bool {
        self.suit_open
    }

    /// The cards of the top card's kind that lie in a row; all but the first were interjections.
    pub(super) fn twins(&self) -> u8 {
        self.run.cards
    }

    /// The interjections among these.
    pub(super) fn interjections(&self) -> u8 {
        self.run.interjections
    }

    /// The first card is turned up.
    pub(super) fn turn_up(&mut self, card: Card, rules: &Rules) {
        self.cards.push(card);
        self.refit(rules);
    }

    /// `card` is played; [`Pile::serve_card`] or [`Pile::serve`] then says what is to be served.
    #[inline(always)]
    pub(super) fn add(&mut self, card: Card) {
        self.cards.push(card);
        self.anything = false;
        self.stands_for = None;
    }

    /// The card that has just been played stands for `card`.
    pub(super) fn top_stands_for(&mut self, card: Card) {
        self.stands_for = Some(card);
    }

    /// `card` is played as a free card, after which its own suit counts.
    pub(super) fn play_free(&mut self, card: Card, rules: &Rules) {
        self.cards.push(card);
        self.serve_suit(None, rules);
    }

    /// Extends the run of cards of one kind by an interjection, or begins a new one with any other card.
    pub(super) fn extend_run(&mut self, way: PlayWay) {
        let Run { cards, interjections } = self.run;
        self.run = match way {
            PlayWay::Interjection => {
                Run { cards: cards.saturating_add(1), interjections: interjections.saturating_add(1) }
            }
            _ => Run { cards: 1, interjections: 0 },
        };
    }

    /// `card`, which lies on top, is not looked through and names nothing, is to be served.
    #[inline(always)]
    pub(super) fn serve_card(&mut self, card: Card, rules: &Rules) {
        self.suit_open = false;
        self.suit = None;
        self.fits = rules.fits[card.index()];
    }

    /// `suit` is to be served, if there is one; `open` if one has yet to be stated.
    pub(super) fn serve(&mut self, suit: Option<Suit>, open: bool, rules: &Rules) {
        self.suit = suit;
        self.suit_open = open;
        self.refit(rules);
    }

    /// As [`Pile::serve`], but whether a suit has yet to be stated does not change.
    pub(super) fn serve_suit(&mut self, suit: Option<Suit>, rules: &Rules) {
        self.serve(suit, self.suit_open, rules);
    }

    /// Takes the top card off, after which anything may be played (G-07).
    pub(super) fn take_top(&mut self, rules: &Rules) -> Option<Card> {
        let card = self.cards.pop()?;
        self.anything = true;
        self.stands_for = None;
        self.serve(None, false, rules);
        Some(card)
    }

    /// The number of cards under the one that counts. Cards that are looked through stay with it (N-126).
    pub(super) fn under_top(&self, rules: &Rules) -> usize {
        let stays = self.cards.iter().rev().position(|card| !rules.transparent.contains(*card));
        stays.map_or(0, |above| self.cards.len() - above - 1)
    }

    /// Takes out the lowest `count` cards.
    pub(super) fn take_lowest(&mut self, count: usize) -> impl Iterator<Item = Card> {
        self.cards.drain(..count)
    }

    /// Updates the cards that fit, for the lying cards by `rules`.
    pub(super) fn refit(&mut self, rules: &Rules) {
        self.fits = self.fits_on_top(rules);
    }

    /// Why `card`, one of those that fit, fits: by the cases of [`Pile::refit`].
    #[cold]
    pub(super) fn ground(&self, card: Card, rules: &Rules) -> PlayGround {
        let Some(top) = self.visible_top(rules).filter(|_| !self.anything) else { return PlayGround::Anything };
        let also = || match rules.any_time.contains(card) {
            true => PlayGround::AnyTime,
            false => PlayGround::ByRule,
        };
        match self.suit {
            Some(suit) if card.suit() == Some(suit) && top.suit() == Some(suit) => PlayGround::SameSuit,
            Some(suit) if card.suit() == Some(suit) => PlayGround::NamedSuit,
            Some(_) => also(),
            None if self.suit_open => also(),
            None if card == top => PlayGround::SameCard,
            None if card.suit().is_some() && card.suit() == top.suit() => PlayGround::SameSuit,
            None if card.rank().is_some() && card.rank() == top.rank() => PlayGround::SameRank,
            None if rules.fits[top.index()] == CardSet::ALL => PlayGround::Anything,
            None => also(),
        }
    }

    #[inline]
    fn fits_on_top(&self, rules: &Rules) -> CardSet {
        let Some(top) = self.visible_top(rules).filter(|_| !self.anything) else { return CardSet::ALL };
        match self.suit {
            Some(suit) => CardSet::suit(suit).union(rules.also_fits[top.index()]),
            // P-30: until a suit is stated nothing fits.
            None if self.suit_open => rules.any_time,
            None => rules.fits[top.index()],
        }
    }
}
