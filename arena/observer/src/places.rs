//! Where every card of a round is, as far as one seat knows: cards that it has seen at their places, and all others at
//! places where they may be. It moves cards by the events.
//!
//! Cards that are hidden together form a batch: those of the deal and the first draw pile, then those of each pile that
//! was made again. A hidden card keeps its batch wherever it goes, so within a batch cards may be exchanged freely, and
//! between batches never: that is the memory of what lay on the discard pile when it was turned over.

mod exchange;

use maumau_engine::{ChoiceStream, Hand};
use maumau_protocol::{Card, CardSet, Seat};

use super::spots::{HiddenPlace, Home};
use exchange::Place;

/// How likely each kind of card is at a place, as a factor; 0 for a kind that cannot be there.
pub(super) type Odds = [f32; Card::PLACES];

/// What the seat knows of a card in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// It may be any card of its batch that is nowhere else.
    Hidden,
    /// It was seen in this hand or in one from which a card has come here, and since then a card has gone from there unseen.
    Likely,
    /// It is this card.
    Known,
}

/// A card in a hand.
#[derive(Clone, Debug)]
pub(super) struct HeldCard {
    pub(super) card: Card,
    batch: u32,
    sealed: bool,
    certainty: Certainty,
    /// It is the card that its owner drew last in a turn of its own.
    drawn: bool,
    /// It was seen in the hand after the card that its owner drew last had come there, and which of the hand's cards it is was not.
    is_shown: bool,
    odds: Option<Box<Odds>>,
}

impl HeldCard {
    fn new(card: Card, batch: u32, sealed: bool, certainty: Certainty) -> HeldCard {
        HeldCard { card, batch, sealed, certainty, drawn: false, is_shown: false, odds: None }
    }

    fn odds_of(&self, card: Card) -> f32 {
        self.odds.as_ref().map_or(1.0, |odds| odds[card.index()])
    }

    fn may_be(&self, card: Card) -> bool {
        self.odds_of(card) > 0.0
    }

    fn is_hidden(&self) -> bool {
        self.certainty == Certainty::Hidden
    }

    fn is_known(&self) -> bool {
        self.certainty == Certainty::Known
    }

    /// The seat has seen that it is this card.
    fn know(&mut self) {
        (self.certainty, self.is_shown, self.odds) = (Certainty::Known, false, None);
    }

    /// The seat has seen this card in the hand, but not at which place of it.
    fn show(&mut self) {
        self.is_shown = self.is_shown || !self.is_known();
        (self.certainty, self.odds) = (Certainty::Known, None);
    }

    /// It may be any card.
    fn hide(&mut self) {
        (self.certainty, self.is_shown) = (Certainty::Hidden, false);
    }

    /// Weighs `kinds` by `factor`.
    fn weigh(&mut self, kinds: CardSet, factor: f32) {
        let odds = self.odds.get_or_insert_with(|| Box::new([1.0; Card::PLACES]));
        kinds.iter().for_each(|card| odds[card.index()] *= factor);
    }
}

/// All cards of a round.
#[derive(Clone, Debug)]
pub(super) struct CardPlaces {
    hands: Vec<Vec<HeldCard>>,
    /// The draw pile without the cards under it, in any order; all of one batch.
    pile: Vec<Card>,
    /// Cards under the pile, the next one last.
    under: Vec<Card>,
    discard: Vec<Card>,
    batch: u32,
    /// Seats that were seen to hold some card of these kinds, until one of them plays or gives one.
    needs: Vec<(Seat, CardSet)>,
}

impl CardPlaces {
    /// No cards, at a table of `seats`.
    pub(super) fn new(seats: usize) -> CardPlaces {
        let (hands, pile, under) = (vec![Vec::new(); seats], Vec::new(), Vec::new());
        CardPlaces { hands, pile, under, discard: Vec::new(), batch: 0, needs: Vec::new() }
    }

    /// A round begins: all cards are in the draw pile.
    pub(super) fn begin(&mut self, deck: &[Card]) {
        *self = CardPlaces { pile: deck.to_vec(), ..CardPlaces::new(self.hands.len()) };
    }

    /// A deal is void: all cards are in the draw pile again.
    pub(super) fn void_deal(&mut self) {
        let hands = self.hands.iter_mut().flat_map(|hand| hand.drain(..)).map(|held| held.card);
        self.pile.extend(hands);
        self.pile.append(&mut self.under);
        self.batch += 1;
        self.needs.clear();
    }

    /// The number of open cards of `seat`.
    pub(super) fn open(&self, seat: Seat) -> usize {
        self.hands[seat.index()].iter().filter(|held| !held.sealed).count()
    }

    /// The card that `seat` drew last in a turn of its own, otherwise the one that came to it last.
    pub(super) fn last_of(&self, seat: Seat) -> Option<Card> {
        let hand = &self.hands[seat.index()];
        Self::last_place(hand).map(|at| hand[at].card)
    }

    fn last_place(hand: &[HeldCard]) -> Option<usize> {
        hand.iter().rposition(|held| held.drawn).or_else(|| hand.len().checked_sub(1))
    }

    /// The card that came to `seat` last was drawn in its turn.
    pub(super) fn note_drawn(&mut self, seat: Seat) {
        let hand = &mut self.hands[seat.index()];
        hand.iter_mut().for_each(|held| (held.drawn, held.is_shown) = (false, false));
        if let Some(last) = hand.last_mut() {
            last.drawn = true;
        }
    }

    /// The cards of the pile in the order in which they are drawn, the next one last, with those of `next` as the next ones
    /// after `before` others.
    pub(super) fn pile_with(&self, next: Option<Card>, before: usize) -> Vec<Card> {
        let mut pile = self.pile.clone();
        if let Some(at) = next.and_then(|card| pile.iter().position(|other| *other == card)) {
            let last = pile.len() - 1;
            pile.swap(at, last.saturating_sub(before));
        }
        pile
    }

    /// The cards under the pile, the next one last.
    pub(super) fn under(&self) -> &[Card] {
        &self.under
    }

    /// The open and the sealed hand of each seat.
    pub(super) fn hands(&self) -> Vec<(Hand, Hand)> {
        let hand = |held: &Vec<HeldCard>, sealed| {
            held.iter().filter(|held| held.sealed == sealed).map(|held| held.card).collect()
        };
        self.hands.iter().map(|held| (hand(held, false), hand(held, true))).collect()
    }

    /// Whether the open cards of `seat` are known to be `cards`, which are in order.
    pub(super) fn knows_hand(&self, seat: Seat, cards: &[Card]) -> bool {
        let open = || self.hands[seat.index()].iter().filter(|held| !held.sealed);
        open().all(HeldCard::is_known)
            && open().map(|held| held.card).collect::<Hand>().cards().eq(cards.iter().copied())
    }

    /// The cards that came to `seat` last, so many of them.
    pub(super) fn newest_of(&self, seat: Seat, count: usize) -> Vec<Card> {
        let hand = &self.hands[seat.index()];
        hand[hand.len().saturating_sub(count)..].iter().map(|held| held.card).collect()
    }

    /// The open cards of `seat` are exactly `cards`, those that came last aside.
    pub(super) fn reveal_older(&mut self, seat: Seat, cards: &[Card], dice: &mut ChoiceStream<'_>) -> bool {
        let hand = &self.hands[seat.index()];
        let open: Vec<usize> = (0..hand.len()).filter(|at| !hand[*at].sealed).take(cards.len()).collect();
        self.reveal_at(seat, open, cards, dice)
    }

    /// The open cards of `seat` (or the sealed ones) are exactly `cards`.
    pub(super) fn reveal(&mut self, seat: Seat, cards: &[Card], sealed: bool, dice: &mut ChoiceStream<'_>) -> bool {
        let hand = &self.hands[seat.index()];
        let open = (0..hand.len()).filter(|at| hand[*at].sealed == sealed).collect();
        self.reveal_at(seat, open, cards, dice)
    }

    /// The cards of `seat` at the places `open` of its hand are exactly `cards`.
    fn reveal_at(&mut self, seat: Seat, mut open: Vec<usize>, cards: &[Card], dice: &mut ChoiceStream<'_>) -> bool {
        let who = seat.index();
        let mut left: Vec<Card> = cards.to_vec();
        if open.len() != left.len() {
            return false;
        }
        // Cards that are right already, the known ones first.
        for certainty in [Certainty::Known, Certainty::Likely, Certainty::Hidden] {
            open.retain(|at| {
                let held = &self.hands[who][*at];
                let is_so = held.certainty == certainty;
                let right = is_so.then(|| left.iter().position(|card| *card == held.card)).flatten();
                if let Some(place) = right {
                    left.swap_remove(place);
                    self.hands[who][*at].show();
                }
                right.is_none()
            });
        }
        for (at, card) in open.into_iter().zip(left) {
            if !self.obtain(Place::Hand(who, at), card, dice) {
                return false;
            }
            self.hands[who][at].show();
        }
        self.settle(dice);
        true
    }

    /// A card goes from the draw pile to `seat`; which one is seen if there is a `card`.
    pub(super) fn draw(&mut self, seat: Seat, card: Option<Card>, sealed: bool, dice: &mut ChoiceStream<'_>) -> bool {
        let batch = self.batch;
        let known = card.is_some();
        let card = match (self.pile.is_empty(), card) {
            (true, Some(card)) => {
                // The cards under the pile come last, in their order.
                match self.under.last().copied() {
                    Some(last) if last == card => self.under.pop(),
                    Some(last) => {
                        self.under.pop();
                        self.pile.push(last);
                        let got = self.obtain(Place::Pile(0), card, dice);
                        self.pile.pop();
                        got.then_some(card)
                    }
                    None => None,
                }
            }
            (true, None) => self.under.pop(),
            (false, None) => Some(self.pile.swap_remove(dice.below(self.pile.len()))),
            (false, Some(card)) => {
                let at = self.pile.iter().position(|other| *other == card).unwrap_or(0);
                let got = self.obtain(Place::Pile(at), card, dice);
                got.then(|| self.pile.swap_remove(at))
            }
        };
        let Some(card) = card else { return false };
        let certainty = if known { Certainty::Known } else { Certainty::Hidden };
        self.hands[seat.index()].push(HeldCard::new(card, batch, sealed, certainty));
        if known {
            self.settle(dice);
        }
        true
    }

    /// The first card is turned up.
    pub(super) fn turn_up(&mut self, card: Card, dice: &mut ChoiceStream<'_>) -> bool {
        let Some(at) = self.make_next(card, dice) else { return false };
        self.discard.push(self.pile.swap_remove(at));
        true
    }

    /// Makes sure that `card` is in the pile; its place there.
    pub(super) fn make_next(&mut self, card: Card, dice: &mut ChoiceStream<'_>) -> Option<usize> {
        if self.pile.is_empty() {
            self.pile.extend(self.under.pop());
        }
        let at = self.pile.iter().position(|other| *other == card).or((!self.pile.is_empty()).then_some(0))?;
        let got = self.obtain(Place::Pile(at), card, dice);
        self.settle(dice);
        got.then_some(at)
    }

    /// `seat` plays `card`.
    pub(super) fn play(&mut self, seat: Seat, card: Card, dice: &mut ChoiceStream<'_>) -> bool {
        let Some(at) = self.find(seat, card, false, dice) else { return false };
        self.hands[seat.index()].remove(at);
        self.met(seat, card);
        self.discard.push(card);
        self.settle(dice);
        true
    }

    /// `seat` takes the top card of the discard pile.
    pub(super) fn take_top(&mut self, seat: Seat) -> bool {
        let Some(card) = self.discard.pop() else { return false };
        let (batch, certainty) = (self.batch, Certainty::Known);
        self.hands[seat.index()].push(HeldCard::new(card, batch, false, certainty));
        true
    }

    /// The lowest `count` cards of the discard pile become the draw pile.
    pub(super) fn turn_over(&mut self, count: usize) {
        self.batch += 1;
        self.pile = self.discard.drain(..count.min(self.discard.len())).collect();
    }

    /// A card goes from the open or the sealed cards of `from` to the hand of `by`; seen if there is a `card`.
    pub(super) fn take(
        &mut self,
        by: Seat,
        from: Seat,
        card: Option<Card>,
        sealed: bool,
        dice: &mut ChoiceStream<'_>,
    ) -> bool {
        let at = match card {
            Some(card) => self.find(from, card, sealed, dice),
            None => {
                let hand = self.hands[from.index()].iter().enumerate();
                let among: Vec<usize> = hand.filter(|(_, held)| held.sealed == sealed).map(|(at, _)| at).collect();
                (!among.is_empty()).then(|| *dice.pick(&among))
            }
        };
        let Some(at) = at else { return false };
        let mut held = self.hands[from.index()].remove(at);
        match card {
            Some(card) => {
                held.know();
                self.met(from, card);
            }
            // It may have been any of them.
            None => {
                self.needs.retain(|(whose, _)| *whose != from);
                let left = self.hands[from.index()].iter_mut().filter(|held| held.sealed == sealed);
                let seen = left.chain([&mut held]).filter(|held| held.is_known());
                seen.for_each(|held| held.certainty = Certainty::Likely);
            }
        }
        (held.sealed, held.drawn, held.is_shown) = (false, false, false);
        self.hands[by.index()].push(held);
        self.settle(dice);
        true
    }

    /// The hand of each of `seats` has gone to the next of them, the last one's to the first.
    pub(super) fn move_hands(&mut self, seats: &[Seat]) {
        for pair in seats.windows(2).rev() {
            self.hands.swap(pair[0].index(), pair[1].index());
        }
        let place = |seat: Seat| seats.iter().position(|other| *other == seat);
        for (whose, _) in &mut self.needs {
            if let Some(at) = place(*whose) {
                *whose = seats[(at + 1) % seats.len()];
            }
        }
        self.hands.iter_mut().flatten().for_each(|held| (held.drawn, held.is_shown) = (false, false));
    }

    /// The sealed cards of `seat` are open from now on.
    pub(super) fn unseal(&mut self, seat: Seat) {
        self.hands[seat.index()].iter_mut().for_each(|held| held.sealed = false);
    }

    /// A card of `seat` goes under the draw pile; seen if there is a `card`.
    pub(super) fn put_under(&mut self, seat: Seat, card: Option<Card>, dice: &mut ChoiceStream<'_>) -> bool {
        let at = match card {
            Some(card) => self.find(seat, card, false, dice),
            None => self.hands[seat.index()].iter().rposition(|held| !held.sealed),
        };
        let Some(at) = at else { return false };
        let held = self.hands[seat.index()].remove(at);
        self.under.insert(0, held.card);
        self.settle(dice);
        true
    }

    /// What seats were seen to hold some of.
    pub(super) fn needs(&self) -> &[(Seat, CardSet)] {
        &self.needs
    }

    /// The cards that are known, by seat: open and sealed.
    pub(super) fn known_hands(&self) -> Vec<(Hand, Hand)> {
        let hand = |held: &Vec<HeldCard>, sealed| {
            held.iter().filter(|held| !held.is_hidden() && held.sealed == sealed).map(|held| held.card).collect()
        };
        self.hands.iter().map(|held| (hand(held, false), hand(held, true))).collect()
    }

    /// Lists the places of hidden cards by batch, what lies there, where each batch ends, and the odds that differ from 1.
    /// Returns for each seat the place in the list of the hidden card that came to it last.
    pub(super) fn fill(
        &self,
        spots: &mut Vec<HiddenPlace>,
        cards: &mut Vec<Card>,
        ends: &mut Vec<usize>,
        odds: &mut Vec<Odds>,
    ) -> Vec<Option<usize>> {
        let mut last = vec![None; self.hands.len()];
        let mut hidden: Vec<(Seat, bool, &HeldCard)> = Vec::new();
        for (seat, hand) in Seat::all(self.hands.len()).zip(&self.hands) {
            let newest = Self::last_place(hand);
            let of_the_hand = hand.iter().enumerate().filter(|(_, held)| held.is_hidden());
            hidden.extend(of_the_hand.map(|(at, held)| (seat, Some(at) == newest, held)));
        }
        hidden.sort_by_key(|(.., held)| held.batch);
        for of_batch in hidden.chunk_by(|(.., one), (.., next)| one.batch == next.batch) {
            for (seat, is_newest, held) in of_batch {
                if *is_newest {
                    last[seat.index()] = Some(spots.len());
                }
                let home = if held.sealed { Home::Sealed(*seat) } else { Home::Open(*seat) };
                let number = held.odds.as_ref().map(|own| {
                    odds.push(**own);
                    (odds.len() - 1) as u16
                });
                spots.push(HiddenPlace { home, odds: number });
                cards.push(held.card);
            }
            // The draw pile is of the newest batch.
            if of_batch.iter().any(|(.., held)| held.batch != self.batch) {
                ends.push(spots.len());
            }
        }
        spots.extend(self.pile.iter().map(|_| HiddenPlace { home: Home::Pile, odds: None }));
        cards.extend(&self.pile);
        if ends.last().copied().unwrap_or(0) < spots.len() {
            ends.push(spots.len());
        }
        last
    }
}
