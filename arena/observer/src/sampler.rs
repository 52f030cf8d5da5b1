//! Deals the hidden cards of a position again, each to a place where it may be, as likely as the places say. Made once for
//! each position; it knows no rules and no events.

use maumau_engine::{ChoiceStream, Game, Hand};
use maumau_protocol::{Card, CardSet, Seat};

use super::places::{CardPlaces, Odds};
use super::spots::{HiddenPlace, Home};

/// The hidden cards of a position and the places where they may be.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    /// The cards that are known, by seat: open and sealed.
    known: Vec<(Hand, Hand)>,
    /// The places of the hidden cards, those of one batch side by side, with a card that may be there.
    spots: Vec<HiddenPlace>,
    cards: Vec<Card>,
    /// Where each batch ends.
    ends: Vec<usize>,
    odds: Vec<Odds>,
    needs: Vec<(Seat, CardSet)>,
    under: Vec<Card>,
    /// The place of the card that the seat to move has just drawn, and the card if it is known.
    last: Option<Last>,
    /// The sample, its hands and its pile.
    dealt: Vec<Card>,
    hands: Vec<(Hand, Hand)>,
    pile: Vec<Card>,
}

/// The card that a seat has just drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    /// It is this card.
    Known(Card),
    /// It is at the spot of this number.
    Hidden(usize),
}

/// How often each place with odds is offered another card.
const SWEEPS: usize = 4;

impl Sampler {
    /// For the cards as they are believed to be, when `mover` is to move.
    pub(super) fn new(places: &CardPlaces, mover: Option<Seat>) -> Sampler {
        let mut sampler = Sampler {
            known: places.known_hands(),
            spots: Vec::new(),
            cards: Vec::new(),
            ends: Vec::new(),
            odds: Vec::new(),
            needs: places.needs().to_vec(),
            under: places.under().to_vec(),
            last: None,
            dealt: Vec::new(),
            hands: Vec::new(),
            pile: Vec::new(),
        };
        let last = places.fill(&mut sampler.spots, &mut sampler.cards, &mut sampler.ends, &mut sampler.odds);
        sampler.last = mover.and_then(|mover| match last[mover.index()] {
            Some(spot) => Some(Last::Hidden(spot)),
            None => places.last_of(mover).map(Last::Known),
        });
        sampler.hands = sampler.known.clone();
        sampler
    }

    /// Puts a sample into `game`.
    pub(super) fn deal(&mut self, game: &mut Game, dice: &mut ChoiceStream<'_>) {
        self.dealt.clone_from(&self.cards);
        let mut from = 0;
        for end in &self.ends {
            let batch = &mut self.dealt[from..*end];
            dice.shuffle(batch);
            from = *end;
        }
        if !self.odds.is_empty() {
            self.weigh(dice);
        }
        self.meet_needs(dice);
        if !self.is_possible() {
            // The cards as they are believed to be are always possible.
            self.dealt.clone_from(&self.cards);
        }
        self.hands.clone_from(&self.known);
        self.pile.clear();
        for (spot, card) in self.spots.iter().zip(&self.dealt) {
            match spot.home {
                Home::Open(seat) => self.hands[seat.index()].0.add(*card),
                Home::Sealed(seat) => self.hands[seat.index()].1.add(*card),
                Home::Pile => self.pile.push(*card),
            }
        }
        dice.shuffle(&mut self.pile);
        let hands = self.hands.iter().map(|(open, sealed)| (open, sealed));
        game.retrace().place_cards(hands, self.pile.iter().copied(), self.under.iter().copied());
        game.retrace().change_chance([dice.any(), dice.any(), dice.any(), dice.any()]);
        if let Some(last) = self.last.filter(|_| game.holds_drawn_card()) {
            game.retrace().place_last_drawn(match last {
                Last::Known(card) => card,
                Last::Hidden(spot) => self.dealt[spot],
            });
        }
    }

    fn odds_at(&self, spot: usize, card: Card) -> f32 {
        self.spots[spot].odds.map_or(1.0, |odds| self.odds[usize::from(odds)][card.index()])
    }

    /// Exchanges cards at random so that each place holds each kind as often as its odds say: a step of Metropolis and
    /// Hastings for each place in each sweep.
    fn weigh(&mut self, dice: &mut ChoiceStream<'_>) {
        for _ in 0..SWEEPS {
            let mut from = 0;
            for at in 0..self.ends.len() {
                let end = self.ends[at];
                for spot in from..end {
                    if self.spots[spot].odds.is_none() {
                        continue;
                    }
                    let other = from + dice.below(end - from);
                    let (mine, theirs) = (self.dealt[spot], self.dealt[other]);
                    let now = self.odds_at(spot, mine) * self.odds_at(other, theirs);
                    let then = self.odds_at(spot, theirs) * self.odds_at(other, mine);
                    if then >= now || dice.part() * now < then {
                        self.dealt.swap(spot, other);
                    }
                }
                from = end;
            }
        }
        // What cannot be at a place goes to another one.
        let mut from = 0;
        for at in 0..self.ends.len() {
            let end = self.ends[at];
            for spot in from..end {
                if self.odds_at(spot, self.dealt[spot]) > 0.0 {
                    continue;
                }
                let first = dice.below(end - from);
                let others = (0..end - from).map(|step| from + (first + step) % (end - from));
                let fits = |other: &usize| {
                    let (mine, theirs) = (self.dealt[spot], self.dealt[*other]);
                    self.odds_at(spot, theirs) > 0.0 && self.odds_at(*other, mine) > 0.0
                };
                if let Some(other) = others.into_iter().find(fits) {
                    self.dealt.swap(spot, other);
                }
            }
            from = end;
        }
    }

    fn holds(&self, seat: Seat, kinds: CardSet) -> bool {
        let (open, sealed) = &self.known[seat.index()];
        let is_home = |home: Home| home == Home::Open(seat) || home == Home::Sealed(seat);
        let mut hidden = self.spots.iter().zip(&self.dealt).filter(|(spot, _)| is_home(spot.home));
        !open.kinds().union(sealed.kinds()).intersect(kinds).is_empty() || hidden.any(|(_, card)| kinds.contains(*card))
    }

    fn meet_needs(&mut self, dice: &mut ChoiceStream<'_>) {
        for need in 0..self.needs.len() {
            let (seat, kinds) = self.needs[need];
            if self.holds(seat, kinds) {
                continue;
            }
            let mut ways = Vec::new();
            let mut from = 0;
            for end in &self.ends {
                for spot in (from..*end).filter(|spot| self.spots[*spot].home == Home::Open(seat)) {
                    let others = (from..*end).filter(|other| {
                        let (mine, theirs) = (self.dealt[spot], self.dealt[*other]);
                        kinds.contains(theirs) && self.odds_at(spot, theirs) > 0.0 && self.odds_at(*other, mine) > 0.0
                    });
                    ways.extend(others.map(|other| (spot, other)));
                }
                from = *end;
            }
            if !ways.is_empty() {
                let (spot, other) = *dice.pick(&ways);
                self.dealt.swap(spot, other);
            }
        }
    }

    fn is_possible(&self) -> bool {
        let odds = self.odds.is_empty() || (0..self.spots.len()).all(|spot| self.odds_at(spot, self.dealt[spot]) > 0.0);
        odds && self.needs.iter().all(|(seat, kinds)| self.holds(*seat, *kinds))
    }
}
