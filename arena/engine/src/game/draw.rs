//! Taking cards: draws, debts, penalties, the reshuffle and the shortage.

use maumau_protocol::ruleset::Shortage;
use maumau_protocol::{Card, DrawReason, Event, RuleFault, Seat};

use super::{Game, Witness};

impl Game {
    /// Gives `seat` `count` cards from the draw pile; what is missing is waived (G-06, G-07). Returns the last card.
    pub(super) fn draw_cards<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        count: u16,
        why: DrawReason,
    ) -> Option<Card> {
        let mut last = None;
        for taken in 0..count {
            match self.take_card(seat) {
                Some(card) => {
                    self.tell(witness, Event::Drew { seat, card: Some(card), why });
                    self.refill(witness);
                    last = Some(card);
                }
                None => {
                    let mut missing = count - taken;
                    if let Some(card) = self.take_top_card() {
                        self.give(seat, card);
                        self.tell(witness, Event::Drew { seat, card: Some(card), why: DrawReason::Shortage });
                        missing -= 1;
                        last = Some(card);
                    }
                    if missing > 0 {
                        self.tell(witness, Event::Waived { seat, count: missing });
                    }
                    break;
                }
            }
        }
        last
    }

    /// Gives `seat` `count` penalty cards; what is missing lapses (G-07, G-17).
    pub(super) fn penalise<W: Witness>(&mut self, witness: &mut W, seat: Seat, count: u8, fault: RuleFault) {
        let sealed = self.rules.set.prices.sealed;
        for taken in 0..count {
            match self.draw_pile.draw(&mut self.chance, seat) {
                Some(card) => {
                    match sealed {
                        true => self.table.sealed[seat.index()].add(card),
                        false => self.give(seat, card),
                    }
                    self.hand_changed(seat);
                    self.tell(witness, Event::Penalty { seat, card: Some(card), fault, sealed });
                    self.refill(witness);
                }
                None => {
                    self.tell(witness, Event::Waived { seat, count: u16::from(count - taken) });
                    break;
                }
            }
        }
    }

    fn take_card(&mut self, seat: Seat) -> Option<Card> {
        let card = self.draw_pile.draw(&mut self.chance, seat)?;
        self.give(seat, card);
        Some(card)
    }

    /// A card comes into a hand; a warning given for the hand before is void (K-64, B-47).
    fn give(&mut self, seat: Seat, card: Card) {
        self.table.hands[seat.index()].add(card);
        self.table.fruitful |= seat == self.table.turn;
        self.table.progress += 1;
        self.forget_mau(seat);
        self.hand_changed(seat);
    }

    /// Option `shortage=top_card`: the top card, after which anything may be laid (G-07).
    fn take_top_card(&mut self) -> Option<Card> {
        if self.rules.set.turn.shortage != Shortage::TopCard {
            return None;
        }
        let card = self.table.pile.pop()?;
        self.table.anything = true;
        self.table.suit = None;
        self.table.last_change = self.events;
        Some(card)
    }

    /// As soon as the draw pile is empty, everything under the top card becomes the new one (G-06, K-20).
    pub(super) fn refill<W: Witness>(&mut self, witness: &mut W) {
        if !self.draw_pile.is_empty() || self.table.pile.len() < 2 {
            return;
        }
        // N-126: what is looked through stays, with the card that counts.
        let stays = self.table.pile.iter().rev().position(|card| !self.rules.transparent.contains(*card));
        let under = self.table.pile.len() - stays.map_or(self.table.pile.len(), |above| above + 1);
        if under == 0 {
            return;
        }
        self.draw_pile.fill(self.table.pile.drain(..under));
        self.tell(witness, Event::Reshuffled { count: under as u16 });
    }
}
