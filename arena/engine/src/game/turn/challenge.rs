//! Challenges (G-67): a card that is allowed only without a suit was perhaps played beside a card of it, and the player who owes
//! cards for it says so instead of drawing them. Keeps what is needed to judge the hand as it was; who may play such a card
//! where nobody can challenge it is judged here too.

use maumau_protocol::ruleset::ShownTo;
use maumau_protocol::{Card, CardSet, DrawReason, Event, Reason, RuleFault, Say, Seat, SeatSet, Suit};

use crate::game::{Facing, Game, Verdict, Witness};
use crate::hand::Hand;

/// A card that may have been played wrongly.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::game) struct DoubtfulPlay {
    by: Seat,
    /// The suit that counted when it was played.
    suit: Option<Suit>,
    /// What its player has drawn since.
    since: Hand,
}

impl DoubtfulPlay {
    /// Its player has drawn `card`.
    pub(in crate::game) fn add(&mut self, seat: Seat, card: Card) {
        if seat == self.by {
            self.since.add(card);
        }
    }

    /// Whose card it is, and how many cards its player has drawn since.
    pub(in crate::game) fn player(&self) -> (Seat, usize) {
        (self.by, self.since.len().into())
    }

    /// The player's hand is `hand` from now on, of which `newest` were drawn since if they are known; otherwise any of it.
    pub(in crate::game) fn exchange(&mut self, hand: &Hand, newest: Option<&[Card]>) {
        let count = usize::from(self.since.len());
        let among = |cards: &Hand| cards.kinds().iter().all(|card| cards.copies(card) <= hand.copies(card));
        match newest {
            Some(newest) if newest.len() == count => self.since = newest.iter().copied().collect(),
            _ if among(&self.since) => {}
            _ => self.since = hand.cards().take(count).collect(),
        }
    }

    /// What its player held right after playing it, of what is `hand` now.
    fn held_then(&self, hand: &Hand) -> Hand {
        let mut held = hand.clone();
        for card in self.since.cards() {
            held.remove(card);
        }
        held
    }

    /// Whether it was wrong to play it beside `held`.
    fn was_wrong(&self, held: &Hand) -> bool {
        !held.kinds().intersect(self.kinds()).is_empty()
    }

    /// The cards beside which it was wrong to play it.
    fn kinds(&self) -> CardSet {
        self.suit.map_or(CardSet::EMPTY, CardSet::suit)
    }
}

impl Game {
    /// `seat` plays `card`, which it still holds: from now on it may be challenged, or nothing may.
    pub(in crate::game) fn note_doubt(&mut self, seat: Seat, card: Card) {
        let doubtful = self.rules.only_without.contains(card) && self.hand(seat).len() > 1;
        let suit = self.suit_on_top();
        self.table.doubt = doubtful.then(|| Box::new(DoubtfulPlay { by: seat, suit, since: Hand::EMPTY }));
    }

    /// The seat that may challenge now: the one that owes cards for a card in doubt and has drawn none of them.
    pub(in crate::game) fn challenger(&self) -> Option<Seat> {
        let doubt = self.table.doubt.as_ref()?;
        match self.table.facing {
            Facing::Owed(owed) if !owed.is_begun() && owed.by() == doubt.by => self.turn(),
            _ => None,
        }
    }

    /// What a challenge now would be about: whose hand it was, the cards that it may not have held, and how many cards have come
    /// to it since.
    pub fn in_doubt(&self) -> Option<(Seat, CardSet, usize)> {
        self.challenger()?;
        let doubt = self.table.doubt.as_ref()?;
        let (by, since) = doubt.player();
        Some((by, doubt.kinds(), since))
    }

    /// Whether the seat to move may not play `card` because it holds a card of the suit that counts, and nobody could challenge it.
    #[inline]
    pub(in crate::game) fn is_barred_by_hand(&self, card: Card) -> bool {
        self.rules.enforced.contains(card) && self.holds_suit_on_top()
    }

    #[cold]
    fn holds_suit_on_top(&self) -> bool {
        let hand = self.hand(self.table.seating.turn());
        let suit = self.suit_on_top().map_or(CardSet::EMPTY, CardSet::suit);
        !hand.kinds().intersect(suit).is_empty()
    }

    /// The cards of which a seat that plays `card` now shows that it holds none.
    pub fn shown_without(&self, card: Card) -> CardSet {
        match self.rules.enforced.contains(card) {
            true => self.suit_on_top().map_or(CardSet::EMPTY, CardSet::suit),
            false => CardSet::EMPTY,
        }
    }

    /// `seat` challenges the card that it owes cards for.
    #[cold]
    pub(in crate::game) fn challenge<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if seat != self.table.seating.turn() {
            return self.refuse(witness, seat, None, Reason::NotYourTurn);
        }
        if self.challenger() != Some(seat) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.settle_turn::<false, _>(witness, seat);
        self.record_speech(witness, seat, say);
        let Facing::Owed(owed) = self.table.facing else { return Verdict::Accepted };
        let Some(doubt) = self.table.doubt.take() else { return Verdict::Accepted };
        let (against, held) = (doubt.by, doubt.held_then(self.hand(doubt.by)));
        let upheld = self.was_seen_upheld().unwrap_or_else(|| doubt.was_wrong(&held));
        self.emit(witness, Event::Challenged { by: seat, against, upheld });
        let (shows, failed) =
            self.rules.set.challenge.as_ref().map_or((ShownTo::Nobody, 0), |rule| (rule.shows, rule.failed));
        let to: SeatSet = match shows {
            ShownTo::Challenger => [seat].into_iter().collect(),
            ShownTo::Table => Seat::all(self.seats()).filter(|other| *other != against).collect(),
            ShownTo::Nobody => SeatSet::EMPTY,
        };
        if !to.is_empty() {
            let cards = Some(held.cards().collect());
            self.emit(witness, Event::Shown { seat: against, to, cards });
        }
        self.note_demand();
        match upheld {
            true => {
                self.table.facing = Facing::FRESH;
                self.penalise(witness, against, owed.cards(), RuleFault::WrongCard);
            }
            false => {
                self.draw_cards(witness, seat, owed.cards(), DrawReason::Owed);
                self.penalise(witness, seat, failed.into(), RuleFault::FalseCall);
                self.after_owed(witness, owed);
            }
        }
        self.on_speech(witness, seat, say);
        Verdict::Accepted
    }
}
