//! Exchanges hidden cards so that each lies where it may: what the seat sees of a hand puts a card at a place, rules kinds out
//! there, or makes them likely, and what lay there goes to another place of its batch. It moves no card from hand to hand.

use maumau_engine::ChoiceStream;
use maumau_protocol::{Card, CardSet, Seat};

use super::{CardPlaces, Certainty, HeldCard};

/// A place of a hidden card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A card of a hand, by seat and place in it.
    Hand(usize, usize),
    /// A card of the draw pile.
    Pile(usize),
}

impl CardPlaces {
    /// `seat` is seen to hold `card`, open or sealed.
    pub(crate) fn show(&mut self, seat: Seat, card: Card, sealed: bool, dice: &mut ChoiceStream<'_>) -> bool {
        let Some(at) = self.find(seat, card, sealed, dice) else { return false };
        self.hands[seat.index()][at].know();
        self.settle(dice);
        true
    }

    /// `seat` is seen to hold all of `cards`, open, each as often as it stands there.
    pub(crate) fn show_all(&mut self, seat: Seat, cards: &[Card], dice: &mut ChoiceStream<'_>) {
        let who = seat.index();
        // A card that has been found is set aside, so that a second copy is another one.
        let mut found = Vec::new();
        for card in cards {
            let Some(at) = self.find(seat, *card, false, dice) else { break };
            let mut held = self.hands[who].remove(at);
            held.know();
            found.push(held);
        }
        self.hands[who].extend(found);
        self.settle(dice);
    }

    /// The card that `seat` drew last in a turn of its own is `card`.
    pub(crate) fn make_last(&mut self, seat: Seat, card: Card, dice: &mut ChoiceStream<'_>) {
        let who = seat.index();
        if let Some(last) = Self::last_place(&self.hands[who]).filter(|at| self.hands[who][*at].is_hidden()) {
            if self.obtain(Place::Hand(who, last), card, dice) {
                self.hands[who][last].know();
            }
            self.settle(dice);
        }
    }

    /// Each hidden card of `seat`, except the `played` one, is `factor` times as likely to be of these kinds.
    pub(crate) fn suspect_beside(
        &mut self,
        seat: Seat,
        played: Option<Card>,
        kinds: CardSet,
        factor: f32,
        dice: &mut ChoiceStream<'_>,
    ) {
        let played = played.and_then(|card| self.find(seat, card, false, dice));
        let places = (0..self.hands[seat.index()].len()).filter(|at| Some(*at) != played);
        self.weigh(seat, &places.collect::<Vec<_>>(), kinds, factor, dice);
    }

    /// No card of `seat` is of these kinds, the `newest` ones that came last aside.
    pub(crate) fn bar_older(&mut self, seat: Seat, newest: usize, kinds: CardSet, dice: &mut ChoiceStream<'_>) {
        let older = self.hands[seat.index()].len().saturating_sub(newest);
        self.weigh(seat, &(0..older).collect::<Vec<_>>(), kinds, 0.0, dice);
    }

    /// The card that `seat` drew last in a turn of its own is of none of these kinds.
    pub(crate) fn bar_last(&mut self, seat: Seat, kinds: CardSet, dice: &mut ChoiceStream<'_>) {
        let last = Self::last_place(&self.hands[seat.index()]);
        self.weigh(seat, last.as_slice(), kinds, 0.0, dice);
    }

    /// The hidden cards at these `places` of a hand are `factor` times as likely to be of these kinds.
    fn weigh(&mut self, seat: Seat, places: &[usize], kinds: CardSet, factor: f32, dice: &mut ChoiceStream<'_>) {
        let hand = &mut self.hands[seat.index()];
        let places: Vec<usize> = places.iter().copied().filter(|at| hand[*at].is_hidden()).collect();
        places.iter().for_each(|at| hand[*at].weigh(kinds, factor));
        self.settle(dice);
        // Where no card can be any more, a card that was played had lain there, and not at the place from which it was taken: of what
        // lies there now only this is known.
        let hand = &mut self.hands[seat.index()];
        let stuck = places.iter().filter(|at| !hand[**at].may_be(hand[**at].card));
        let stuck: Vec<usize> = stuck.copied().collect();
        for at in &stuck {
            hand[*at].odds = None;
            hand[*at].weigh(kinds, factor);
        }
        if !stuck.is_empty() {
            self.settle(dice);
        }
    }

    /// `seat` holds some card of these kinds.
    pub(crate) fn require(&mut self, seat: Seat, kinds: CardSet, dice: &mut ChoiceStream<'_>) {
        self.needs.push((seat, kinds));
        self.meet_needs(dice);
    }

    pub(super) fn batch_cards(&self, batch: u32) -> impl Iterator<Item = Card> {
        let held = self.hands.iter().flatten().filter(move |held| held.is_hidden() && held.batch == batch);
        let pile = self.pile.iter().filter(move |_| self.batch == batch);
        held.map(|held| held.card).chain(pile.copied())
    }

    fn at(&self, place: Place) -> Card {
        match place {
            Place::Hand(seat, index) => self.hands[seat][index].card,
            Place::Pile(index) => self.pile[index],
        }
    }

    fn put(&mut self, place: Place, card: Card) {
        match place {
            Place::Hand(seat, index) => self.hands[seat][index].card = card,
            Place::Pile(index) => self.pile[index] = card,
        }
    }

    fn accepts(&self, place: Place, card: Card) -> bool {
        match place {
            Place::Hand(seat, index) => self.hands[seat][index].may_be(card),
            Place::Pile(_) => true,
        }
    }

    /// The places of hidden cards that `fits`, in a fixed order; of one batch only, if one is given.
    fn hidden(&self, batch: Option<u32>, fits: impl Fn(Card) -> bool) -> Vec<Place> {
        let mut places = Vec::new();
        if batch.is_none_or(|batch| batch == self.batch) {
            places.extend((0..self.pile.len()).filter(|at| fits(self.pile[*at])).map(Place::Pile));
        }
        for (seat, hand) in self.hands.iter().enumerate() {
            for (index, held) in hand.iter().enumerate() {
                if held.is_hidden() && batch.is_none_or(|batch| batch == held.batch) && fits(held.card) {
                    places.push(Place::Hand(seat, index));
                }
            }
        }
        places
    }

    /// Exchanges cards so that the hidden one at `place` is `card`, preferring places of its own batch that may hold the
    /// card which `place` gives up; false if `card` is nowhere hidden.
    pub(super) fn obtain(&mut self, place: Place, card: Card, dice: &mut ChoiceStream<'_>) -> bool {
        let mine = self.at(place);
        if mine == card {
            return true;
        }
        let batch = match place {
            Place::Hand(seat, index) => self.hands[seat][index].batch,
            Place::Pile(_) => self.batch,
        };
        let there = |other: Card| other == card;
        let mut found = self.hidden(Some(batch), there);
        if found.iter().any(|other| self.accepts(*other, mine)) {
            found.retain(|other| self.accepts(*other, mine));
        }
        if found.is_empty() {
            found = self.hidden(None, there);
        }
        if !found.is_empty() {
            let other = *dice.pick(&found);
            self.put(other, mine);
            self.put(place, card);
            return true;
        }
        // A card that was seen in another hand, and has gone from there unseen.
        for (seat, hand) in self.hands.iter_mut().enumerate() {
            let own = matches!(place, Place::Hand(whose, _) if whose == seat);
            let has_gone = |held: &&mut HeldCard| held.certainty == Certainty::Likely && held.card == card && !own;
            if let Some(held) = hand.iter_mut().find(has_gone) {
                (held.card, held.certainty, held.batch) = (mine, Certainty::Hidden, batch);
                self.put(place, card);
                return true;
            }
        }
        if let Some(other) = self.under.iter_mut().find(|other| **other == card) {
            *other = mine;
            self.put(place, card);
            return true;
        }
        false
    }

    /// The place among the open or the sealed cards of `seat` that gives up `card`: a known card, a hidden one that is this
    /// card here, or one that might be it, exchanged for it. `None` if that cannot be.
    pub(super) fn find(&mut self, seat: Seat, card: Card, sealed: bool, dice: &mut ChoiceStream<'_>) -> Option<usize> {
        let who = seat.index();
        let is_here = |held: &HeldCard| held.sealed == sealed;
        for certainty in [Certainty::Known, Certainty::Likely, Certainty::Hidden] {
            let same = |held: &HeldCard| is_here(held) && held.certainty == certainty && held.card == card;
            if let Some(at) = self.hands[who].iter().position(same) {
                return Some(at);
            }
        }
        // In which batch it was is as likely as the batch holds it.
        let chances: Vec<f32> = self.hands[who]
            .iter()
            .map(|held| match is_here(held) && held.is_hidden() {
                true => {
                    let (of_kind, all) = self
                        .batch_cards(held.batch)
                        .fold((0, 0), |(of_kind, all), other| (of_kind + usize::from(other == card), all + 1));
                    held.odds_of(card) * of_kind as f32 / all.max(1) as f32
                }
                false => 0.0,
            })
            .collect();
        let unknown = |certainty| move |held: &HeldCard| is_here(held) && held.certainty == certainty;
        // A card that was seen there, and has gone from there unseen, leaves its place to another.
        let at = draw_from(&chances, dice)
            .or_else(|| self.hands[who].iter().position(unknown(Certainty::Hidden)))
            .or_else(|| self.hands[who].iter().rposition(unknown(Certainty::Likely)))?;
        self.hands[who][at].certainty = Certainty::Hidden;
        self.obtain(Place::Hand(who, at), card, dice).then_some(at)
    }

    pub(super) fn met(&mut self, seat: Seat, card: Card) {
        self.needs.retain(|(whose, kinds)| *whose != seat || !kinds.contains(card));
    }

    pub(super) fn meet_needs(&mut self, dice: &mut ChoiceStream<'_>) {
        for at in 0..self.needs.len() {
            let (seat, kinds) = self.needs[at];
            self.meet_need(seat, kinds, dice);
        }
    }

    /// Exchanges hidden cards so that `seat` has one of `kinds`.
    fn meet_need(&mut self, seat: Seat, kinds: CardSet, dice: &mut ChoiceStream<'_>) {
        let who = seat.index();
        if self.hands[who].iter().any(|held| kinds.contains(held.card)) {
            return;
        }
        let mut ways = Vec::new();
        for same_batch in [true, false] {
            if !ways.is_empty() {
                break;
            }
            for spot in (0..self.hands[who].len()).filter(|at| self.hands[who][*at].is_hidden()) {
                let held = &self.hands[who][spot];
                let batch = same_batch.then_some(held.batch);
                let mut places = self.hidden(batch, |card| kinds.contains(card) && held.may_be(card));
                places.retain(|place| self.accepts(*place, held.card));
                ways.extend(places.into_iter().map(|place| (spot, place)));
            }
        }
        if !ways.is_empty() {
            let (spot, place) = *dice.pick(&ways);
            let (mine, other) = (self.hands[who][spot].card, self.at(place));
            self.put(place, mine);
            self.hands[who][spot].card = other;
        }
    }

    /// Exchanges hidden cards until none is at a place where it cannot be.
    pub(super) fn settle(&mut self, dice: &mut ChoiceStream<'_>) {
        for who in 0..self.hands.len() {
            for at in 0..self.hands[who].len() {
                let held = &self.hands[who][at];
                if !held.is_hidden() || held.may_be(held.card) {
                    continue;
                }
                let mine = held.card;
                // Copies of a card in several batches: perhaps the wrong one was thought to have been played.
                for batch in [Some(held.batch), None] {
                    let held = &self.hands[who][at];
                    let mut places = self.hidden(batch, |card| held.may_be(card));
                    places.retain(|place| self.accepts(*place, mine));
                    if !places.is_empty() {
                        let place = *dice.pick(&places);
                        let other = self.at(place);
                        self.put(place, mine);
                        self.hands[who][at].card = other;
                        break;
                    }
                }
            }
        }
        if !self.needs.is_empty() {
            self.meet_needs(dice);
        }
    }
}

/// A place in `chances`, each as likely as its entry says; `None` if all are 0.
fn draw_from(chances: &[f32], dice: &mut ChoiceStream<'_>) -> Option<usize> {
    let all: f32 = chances.iter().sum();
    if all <= 0.0 {
        return None;
    }
    let mut left = dice.part() * all;
    for (at, chance) in chances.iter().enumerate() {
        left -= chance;
        if *chance > 0.0 && left < 0.0 {
            return Some(at);
        }
    }
    chances.iter().rposition(|chance| *chance > 0.0)
}
