//! A turn without a card: drawing or passing. Judges both and passes the turn on; the cards are moved in `draw`.

use maumau_protocol::ruleset::{AfterDraw, Again, AgainDraws, MayDraw};
use maumau_protocol::{DrawReason, Event, Reach, Reason, Say, Seat};

use crate::game::{Facing, Game, Phase, Verdict, Witness};

impl Game {
    /// `seat` draws.
    #[inline(never)]
    pub(in crate::game) fn draw<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
    ) -> Verdict {
        let features = self.features::<PLAIN>();
        if self.phase != Phase::Play || (features.rests && self.rests()) {
            return self.refuse_untimely(witness, seat);
        }
        match self.table.facing {
            Facing::Ordinary { drawn, .. } if seat == self.table.seating.turn() && self.may_draw::<PLAIN>(seat) => {
                self.draw_in_turn::<PLAIN, _>(witness, seat, say, drawn)
            }
            _ => self.draw_otherwise(witness, seat, say),
        }
    }

    /// As [`Game::draw`], out of turn, or in turn because of the top card: in a race, for a debt, or in place of a further
    /// card.
    #[cold]
    fn draw_otherwise<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if seat != self.table.seating.turn() {
            return match self.may_draw_apart(seat) {
                true => self.draw_apart(witness, seat, say),
                false => self.refuse(witness, seat, None, Reason::NotYourTurn),
            };
        }
        if !self.may_draw::<false>(seat) {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        if let Facing::Race { .. } = self.table.facing {
            return self.draw_apart(witness, seat, say);
        }
        self.settle_turn::<false, _>(witness, seat);
        self.record_speech(witness, seat, say);
        match self.table.facing {
            Facing::Owed(owed) => self.draw_owed(witness, seat, say, owed),
            // Of the remaining cases, only a further card that must be played may be replaced by a draw.
            facing => {
                let drawn = self.draw_cards(witness, seat, 1, DrawReason::Turn);
                let draws = match facing {
                    Facing::Again(again) => again.draws,
                    _ => AgainDraws::One,
                };
                match draws {
                    AgainDraws::UntilFits if drawn.is_some() => self.count_further_draw(witness),
                    // G-60
                    AgainDraws::AsTurn if drawn.is_some() && self.rules.may_play_after_draw() => {
                        self.table.facing = Facing::Ordinary { drawn: self.rules.draws, last: drawn };
                        self.count_further_draw(witness);
                    }
                    _ => self.end_turn(witness, 1),
                }
            }
        }
        Verdict::Accepted
    }

    /// `seat`, which has drawn `drawn` cards in its turn and may draw one more, does so.
    #[inline(always)]
    fn draw_in_turn<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
        drawn: u8,
    ) -> Verdict {
        let features = self.features::<PLAIN>();
        self.settle_turn::<PLAIN, _>(witness, seat);
        self.record_speech(witness, seat, say);
        self.close_turn(seat);
        if features.movements {
            self.finish_movement(witness, seat, Reach::Draw);
        }
        let last = self.draw_for_turn::<PLAIN, _>(witness, seat);
        if last.is_none() || self.table.pile.takes_anything() || !self.rules.may_play_after_draw() {
            // B-10; and G-07: a draw for which nothing is left counts as a pass.
            self.hand_on::<PLAIN, _>(witness, 1, Facing::FRESH);
        } else {
            // Without a limit the number stays below it (G-56).
            let drawn = if drawn + 1 == u8::MAX { drawn } else { drawn + 1 };
            self.table.facing = Facing::Ordinary { drawn, last };
        }
        if features.speech {
            self.on_speech(witness, seat, say);
        }
        Verdict::Accepted
    }

    /// `seat` passes.
    #[inline(never)]
    pub(in crate::game) fn pass<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
    ) -> Verdict {
        if !self.rules.passes {
            return self.refuse_unknown(witness, seat);
        }
        if self.phase != Phase::Play || (self.features::<PLAIN>().rests && self.rests()) {
            return self.refuse_untimely(witness, seat);
        }
        if seat != self.table.seating.turn() {
            return match self.table.threat.victim() {
                Some(_) => self.decline(witness, seat, say),
                None => self.refuse(witness, seat, None, Reason::NotYourTurn),
            };
        }
        let facing = self.table.facing;
        if !self.may_pass() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.settle_turn::<PLAIN, _>(witness, seat);
        self.record_speech(witness, seat, say);
        self.emit_with(witness, || Event::Passed { seat });
        match facing {
            Facing::Skipped { skip, count } => self.suffer_skip(witness, skip, count),
            _ => {
                self.count_pass();
                self.hand_on::<PLAIN, _>(witness, 1, Facing::FRESH);
            }
        }
        Verdict::Accepted
    }

    /// Whether the seat to move may draw: as often as a turn allows while there are cards, for a debt, in a race, or in
    /// place of a further card; in the closing time only as far as that allows.
    #[inline(always)]
    pub(in crate::game) fn may_draw<const PLAIN: bool>(&self, seat: Seat) -> bool {
        let draws = match self.table.facing {
            Facing::Ordinary { drawn, .. } => self.may_draw_after(seat, drawn),
            Facing::Owed(_) | Facing::Race { .. } => true,
            Facing::Again(again) => again.must && self.may_draw_instead(seat, again),
            Facing::Skipped { .. } | Facing::Naming => false,
        };
        draws && (!self.features::<PLAIN>().closing || self.may_draw_while_closing())
    }

    /// As [`Game::may_draw`], in an ordinary turn in which `drawn` cards have been drawn and closing time has not begun.
    #[inline(always)]
    fn may_draw_after(&self, seat: Seat, drawn: u8) -> bool {
        drawn < self.rules.draws && !self.is_dry() && !(self.rules.must_play && self.must_play_instead(seat, drawn))
    }

    /// As [`Game::may_pass`], in an ordinary turn in which `drawn` cards have been drawn.
    #[inline(always)]
    fn may_pass_after(&self, drawn: u8) -> bool {
        let passes = (self.rules.may_play_after_draw() && drawn >= self.rules.draws) || self.is_dry();
        passes && !(self.rules.must_play && self.must_play_drawn(drawn))
    }

    /// Whether `seat`, which is to move, may draw, and whether it may pass.
    #[inline(always)]
    pub(in crate::game) fn may_draw_or_pass<const PLAIN: bool>(&self, seat: Seat) -> (bool, bool) {
        match self.table.facing {
            Facing::Ordinary { drawn, .. } if PLAIN => (self.may_draw_after(seat, drawn), self.may_pass_after(drawn)),
            _ => (self.may_draw::<PLAIN>(seat), self.may_pass()),
        }
    }

    /// Whether `seat`, which is to move and has drawn `drawn` cards in its turn, may not draw because it can play (G-53), or can
    /// play the card just drawn (G-54).
    #[cold]
    fn must_play_instead(&self, seat: Seat, drawn: u8) -> bool {
        let turn = &self.rules.set.turn;
        let has_to = turn.may_draw == MayDraw::Unable || (drawn > 0 && turn.after_draw == AfterDraw::DrawnCardMust);
        has_to && self.can_play(seat)
    }

    /// Whether the seat to move must play the card that it has drawn, because it fits (G-54).
    #[cold]
    fn must_play_drawn(&self, drawn: u8) -> bool {
        let must = drawn > 0 && self.rules.set.turn.after_draw == AfterDraw::DrawnCardMust;
        must && self.can_play(self.table.seating.turn())
    }

    /// Whether the seat may draw in place of a further card that it must play (D-64, D-65, G-38).
    fn may_draw_instead(&self, seat: Seat, again: Again) -> bool {
        self.draws_although_one_fits(again) || !self.can_play(seat)
    }

    /// Whether a further card that must be played may be replaced by a draw although one fits.
    pub(in crate::game) fn draws_although_one_fits(&self, again: Again) -> bool {
        again.draws != AgainDraws::UntilFits && self.rules.set.turn.again_may_draw
    }

    /// Whether the seat to move may pass: after its draws (K-16, B-30), unless it must play the card drawn (G-54); after an ace
    /// or nine (B-22, K-35); or facing a skip (K-23).
    #[inline(always)]
    pub(in crate::game) fn may_pass(&self) -> bool {
        match self.table.facing {
            Facing::Ordinary { drawn, .. } => self.may_pass_after(drawn),
            Facing::Skipped { .. } => true,
            Facing::Again(again) => !again.must,
            Facing::Owed(_) | Facing::Naming | Facing::Race { .. } => false,
        }
    }
}
