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
        self.hands[seat.index()][at].show();
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
            held.show();
            found.push(held);
        }
        self.hands[who].extend(found);
        self.settle(dice);
    }

    /// The card that `seat` drew last in a turn of its own is `card`.
    pub(crate) fn make_last(&mut self, seat: Seat, card: Card, dice: &mut ChoiceStream<'_>) {
        let who = seat.index();
        let Some(last) = Self::last_place(&self.hands[who]) else { return };
        let held = &self.hands[who][last];
        if held.card != card && !held.is_hidden() {
            self.displace(who, last, CardSet::of(card), dice);
        }
        if !self.hands[who][last].is_hidden() {
            return;
        }
        // Since the draw the hand was seen to hold it: it is that one.
        let same = |held: &HeldCard| held.is_shown && held.card == card;
        let shown = self.hands[who].iter().position(same);
        if let Some(shown) = shown {
            self.hands[who][shown].hide();
        }
        if self.obtain(Place::Hand(who, last), card, dice) {
            self.hands[who][last].know();
        }
        self.settle(dice);
    }

    /// The card that was seen in a hand and thought to lie at this place lies at another one, where it exchanges a card, best one of
    /// `kinds`: where it lay was not seen.
    fn displace(&mut self, who: usize, at: usize, kinds: CardSet, dice: &mut ChoiceStream<'_>) {
        let hand = &mut self.hands[who];
        let (seen, sealed, batch) = (hand[at].card, hand[at].sealed, hand[at].batch);
        if !hand[at].is_shown {
            return;
        }
        let other_shown = |held: &HeldCard| held.is_shown && held.sealed == sealed && kinds.contains(held.card);
        if let Some(other) = hand.iter().position(other_shown) {
            (hand[at].card, hand[other].card) = (hand[other].card, seen);
            return;
        }
        let is_open = |held: &HeldCard| held.is_hidden() && held.sealed == sealed && held.may_be(seen);
        let mut others: Vec<usize> = (0..hand.len()).filter(|other| *other != at && is_open(&hand[*other])).collect();
        dice.shuffle(&mut others);
        others.sort_by_key(|other| hand[*other].batch != batch);
        hand[at].hide();
        let found = others.into_iter().find(|other| self.obtain(Place::Hand(who, *other), seen, dice));
        let now_known = found.unwrap_or(at);
        self.hands[who][now_known].show();
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
        if let Some(last) = last.filter(|last| kinds.contains(self.hands[seat.index()][*last].card)) {
            self.displace(seat.index(), last, CardSet::ALL.without(kinds), dice);
        }
        self.weigh(seat, last.as_slice(), kinds, 0.0, dice);
    }

    /// If the card that `seat` drew last in a turn of its own is one of `kinds`, the hand holds one of the kinds `beside` it: best it is
    /// thought to be another card.
    pub(crate) fn excuse_last(&mut self, seat: Seat, kinds: CardSet, beside: CardSet, dice: &mut ChoiceStream<'_>) {
        let who = seat.index();
        let Some(last) = Self::last_place(&self.hands[who]) else { return };
        let held = &self.hands[who][last];
        if !kinds.contains(held.card) || self.hands[who].iter().any(|held| beside.contains(held.card)) {
            return;
        }
        let mut places = Vec::new();
        if held.is_hidden() {
            places = self.hidden(Some(held.batch), |card| !kinds.contains(card) && held.may_be(card));
            places.retain(|place| self.accepts(*place, held.card));
        }
        match places.as_slice() {
            [] => self.meet_need(seat, beside, dice),
            places => self.exchange(Place::Hand(who, last), *dice.pick(places)),
        }
    }

    /// The hidden cards at these `places` of a hand are `factor` times as likely to be of these kinds.
    fn weigh(&mut self, seat: Seat, places: &[usize], kinds: CardSet, factor: f32, dice: &mut ChoiceStream<'_>) {
        let hand = &mut self.hands[seat.index()];
        if factor <= 0.0 {
            // What was seen there has gone from there unseen.
            let gone = |held: &HeldCard| held.certainty == Certainty::Likely && kinds.contains(held.card);
            let gone: Vec<usize> = places.iter().copied().filter(|at| gone(&hand[*at])).collect();
            gone.into_iter().for_each(|at| hand[at].hide());
        }
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
            stuck.iter().for_each(|at| self.give_way(seat.index(), *at, &places, dice));
        }
    }

    /// If no card can be at this place of a hand, one that can comes from another place, which `fixed` ones of the hand are not:
    /// there too a card that was played had lain, and nothing is known of what lies there now.
    fn give_way(&mut self, who: usize, at: usize, fixed: &[usize], dice: &mut ChoiceStream<'_>) {
        let held = &self.hands[who][at];
        if held.may_be(held.card) {
            return;
        }
        for batch in [Some(held.batch), None] {
            let mut places = self.hidden(batch, |card| held.may_be(card));
            places.retain(|place| !matches!(place, Place::Hand(seat, index) if *seat == who && fixed.contains(index)));
            if places.is_empty() {
                continue;
            }
            let place = *dice.pick(&places);
            self.exchange(Place::Hand(who, at), place);
            if let Place::Hand(seat, index) = place {
                self.hands[seat][index].odds = None;
            }
            return;
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

    fn exchange(&mut self, one: Place, other: Place) {
        let (here, there) = (self.at(one), self.at(other));
        self.put(one, there);
        self.put(other, here);
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
            self.exchange(place, *dice.pick(&found));
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
            self.exchange(Place::Hand(who, spot), place);
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
                let batch = held.batch;
                // Copies of a card in several batches: perhaps the wrong one was thought to have been played.
                let _ = self.exchange_well(who, at, Some(batch), dice)
                    || self.rotate(who, at, batch)
                    || self.exchange_well(who, at, None, dice);
            }
        }
        if !self.needs.is_empty() {
            self.meet_needs(dice);
        }
    }

    /// Exchanges the card at this place of a hand for one that may be there, and it where that one was.
    fn exchange_well(&mut self, who: usize, at: usize, batch: Option<u32>, dice: &mut ChoiceStream<'_>) -> bool {
        let held = &self.hands[who][at];
        let mut places = self.hidden(batch, |card| held.may_be(card));
        places.retain(|place| self.accepts(*place, held.card));
        if places.is_empty() {
            return false;
        }
        let place = *dice.pick(&places);
        self.exchange(Place::Hand(who, at), place);
        true
    }

    /// As [`CardPlaces::exchange_well`], among more than two places of `batch`: the card goes to one, what lay there to the next, and
    /// what lay at the last comes here.
    fn rotate(&mut self, who: usize, at: usize, batch: u32) -> bool {
        let here = Place::Hand(who, at);
        let mut left = self.hidden(Some(batch), |_| true);
        left.retain(|place| *place != here);
        // The places that have been reached, each with the number of the one whose card goes there.
        let mut reached = vec![(here, 0)];
        let mut next = 0;
        while next < reached.len() {
            let card = self.at(reached[next].0);
            if next > 0 && self.accepts(here, card) {
                let steps =
                    std::iter::successors(Some(next), |step| Some(reached[*step].1)).take_while(|step| *step > 0);
                let way: Vec<Place> = steps.map(|step| reached[step].0).collect();
                way.into_iter().rev().for_each(|place| self.exchange(here, place));
                return true;
            }
            left.retain(|place| {
                let goes = self.accepts(*place, card);
                reached.extend(goes.then_some((*place, next)));
                !goes
            });
            next += 1;
        }
        false
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
