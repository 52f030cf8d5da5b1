//! Taking cards: draws, penalties, the reshuffle and the shortage. Moves cards between the piles and the hands; whether
//! a seat may or must draw is decided in `draw_or_pass` and by the rules that punish.

use maumau_protocol::ruleset::Shortage;
use maumau_protocol::{Card, DrawReason, Event, Reach, RuleFault, Say, Seat};

use crate::game::{Game, Verdict, Witness};

/// Passes in a row with nothing left to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct DryPasses(u32);

impl Game {
    /// Gives `seat` `count` cards from the draw pile; missing ones are waived (G-06, G-07). Returns the last card.
    pub(in crate::game) fn draw_cards<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        count: u16,
        why: DrawReason,
    ) -> Option<Card> {
        let DryPasses(dry_passes) = std::mem::take(&mut self.table.dry_passes);
        let mut last = None;
        for taken in 0..count {
            let drawn = self.draw_card::<false, _>(witness, seat, why);
            if drawn.is_none() {
                last = self.run_short(witness, seat, count - taken).or(last);
                if last.is_none() && why == DrawReason::Turn {
                    // G-07: a draw for which nothing is left counts as a pass.
                    self.table.dry_passes = DryPasses(dry_passes + 1);
                }
                return last;
            }
            last = drawn;
        }
        if count > 0 && why == DrawReason::Owed && self.draw_pile.is_empty() {
            self.table.dry_passes = DryPasses(1);
        }
        last
    }

    /// Gives `seat` the next card that it draws, if there is one.
    #[inline(always)]
    fn draw_card<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        why: DrawReason,
    ) -> Option<Card> {
        let card = self.draw_pile.draw_at_once(&self.chance, seat)?;
        self.give::<PLAIN>(seat, card);
        let features = self.features::<PLAIN>();
        let sealed = (features.covered_hands || features.rests) && self.cover(seat);
        self.emit_with(witness, || Event::Drew { seat, card: Some(card), why, sealed });
        self.refill(witness);
        Some(card)
    }

    /// As [`Game::draw_cards`], for the one card drawn in a turn.
    #[inline(always)]
    pub(super) fn draw_for_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Option<Card> {
        if self.draw_pile.is_empty() {
            return self.draw_cards(witness, seat, 1, DrawReason::Turn);
        }
        self.table.dry_passes = DryPasses::default();
        self.draw_card::<PLAIN, _>(witness, seat, DrawReason::Turn)
    }

    /// `seat` must draw `missing` more cards than there are: it gets the top card if the rules say so, and the rest is
    /// waived.
    #[cold]
    fn run_short<W: Witness>(&mut self, witness: &mut W, seat: Seat, mut missing: u16) -> Option<Card> {
        let top = self.take_top_card();
        if let Some(card) = top {
            self.give::<false>(seat, card);
            self.emit(witness, Event::Drew { seat, card: top, why: DrawReason::Shortage, sealed: false });
            self.note_top();
            missing -= 1;
        }
        if missing > 0 {
            self.emit(witness, Event::Waived { seat, count: missing });
        }
        top
    }

    /// The most cards that one draw can give: those of the draw pile and of the pile under the top card, and by option
    /// `shortage=top_card` that card.
    pub(super) fn left_to_draw(&self) -> u16 {
        let set = &self.rules.set.turn;
        let under = if set.reshuffle { self.table.pile.under_top(&self.rules) } else { 0 };
        let top = usize::from(set.shortage == Shortage::TopCard && self.top().is_some());
        (self.draw_pile.len() + under + top).min(usize::from(u16::MAX)) as u16
    }

    /// Whether nothing is left to draw, and the rules let no seat draw in this case.
    #[inline]
    pub(in crate::game) fn is_dry(&self) -> bool {
        self.draw_pile.is_empty() && self.rules.set.turn.shortage == Shortage::Pass
    }

    /// The seat to move has passed.
    pub(super) fn count_pass(&mut self) {
        let DryPasses(before) = self.table.dry_passes;
        self.table.dry_passes = DryPasses(if self.draw_pile.is_empty() { before + 1 } else { 0 });
    }

    /// Whether all seats have passed with nothing left to draw, often enough to end the round.
    #[inline(always)]
    pub(super) fn is_blocked(&self) -> bool {
        // Seats that are out do not pass.
        self.table.dry_passes.0.saturating_add(self.table.places.seats().len() as u32) >= self.rules.blocked_at
    }

    /// Gives `seat` `count` penalty cards; missing ones lapse (G-07, G-17).
    pub(in crate::game) fn penalise<W: Witness>(&mut self, witness: &mut W, seat: Seat, count: u16, fault: RuleFault) {
        if self.table.places.is_out(seat) {
            // G-43: no penalty finds a seat that is out.
            return;
        }
        let sealed = self.rules.set.prices.sealed;
        let kept = self.kept_for_deal();
        for taken in 0..count {
            let card = (self.draw_pile.len() > kept).then(|| self.draw_pile.draw(&self.chance, seat)).flatten();
            match card {
                Some(card) => {
                    match sealed {
                        true => self.table.sealed.of_mut(seat).add(card),
                        false => self.give::<false>(seat, card),
                    }
                    self.hand_changed(seat);
                    if let Some(doubt) = &mut self.table.doubt {
                        doubt.add(seat, card);
                    }
                    let sealed = self.cover(seat) || sealed;
                    self.emit(witness, Event::Penalty { seat, card: Some(card), fault, sealed });
                    self.refill(witness);
                }
                None => {
                    self.emit(witness, Event::Waived { seat, count: count - taken });
                    break;
                }
            }
        }
    }

    /// A card comes into a hand; a warning given for the hand before is void (K-64, B-47).
    #[inline(always)]
    fn give<const PLAIN: bool>(&mut self, seat: Seat, card: Card) {
        let features = self.features::<PLAIN>();
        self.table.hands[seat.index()].add(card);
        if features.requests && seat == self.table.seating.turn() {
            self.table.request.bear_fruit();
        }
        self.table.changes.progress();
        self.forget_mau(seat);
        if features.announcements {
            self.hand_changed(seat);
        }
    }

    /// Option `shortage=top_card`: gives the top card, after which anything may be played (G-07).
    fn take_top_card(&mut self) -> Option<Card> {
        if self.rules.set.turn.shortage != Shortage::TopCard {
            return None;
        }
        self.table.pile.take_top(&self.rules)
    }

    /// When the draw pile is empty, all cards under the top card become the new one (G-06, K-20).
    #[inline(always)]
    pub(in crate::game) fn refill<W: Witness>(&mut self, witness: &mut W) {
        if self.draw_pile.is_empty() {
            self.turn_pile_over(witness);
        }
    }

    #[inline(never)]
    fn turn_pile_over<W: Witness>(&mut self, witness: &mut W) {
        let under = self.table.pile.under_top(&self.rules);
        if under == 0 || !self.rules.set.turn.reshuffle {
            return;
        }
        self.draw_pile.fill(self.table.pile.take_lowest(under));
        self.emit_with(witness, || Event::Reshuffled { count: under as u16 });
    }

    /// Whether `seat` may not yet see a card that it takes now; it is shown at the end of a point of order.
    #[inline]
    fn cover(&mut self, seat: Seat) -> bool {
        self.cover_in_pause(seat);
        self.is_covered(seat)
    }

    /// Whether `seat`, which is not to move, may draw: as a neighbour in a race (P-36), or for itself alone (P-75).
    pub(super) fn may_draw_apart(&self, seat: Seat) -> bool {
        self.is_racing(seat) || (self.rules.set.turn.draw_out_of_turn && !self.table.changes.has_new_turn())
    }

    /// A draw in a race, which settles it and is the whole turn (P-36), or a draw out of turn, which changes nothing (P-75).
    pub(super) fn draw_apart<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let racing = self.is_racing(seat);
        if racing {
            self.settle_turn::<false, _>(witness, seat);
            self.settle_race(witness, seat);
            self.close_turn(seat);
            self.finish_movement(witness, seat, Reach::Draw);
        }
        self.record_speech(witness, seat, say);
        self.draw_cards(witness, seat, 1, DrawReason::Turn);
        if racing {
            self.end_turn(witness, 1);
        }
        self.on_speech(witness, seat, say);
        Verdict::Accepted
    }
}
