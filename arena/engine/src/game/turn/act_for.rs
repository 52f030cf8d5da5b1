//! The referee acts in a seat's place (G-05, G-21). Keeps how often the seat to move was refused or too slow in a row;
//! the callers decide when the referee acts.

use maumau_protocol::{Action, DrawReason, Event, RuleFault, Say, Seat, Stand, Verb};

use crate::game::{Facing, Game, Phase, Verdict, Witness};

/// How long the seat to move has kept the others waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::game) struct MoverDelay {
    /// Its refused actions in this turn.
    refusals: u8,
    /// Turn limits that have passed without the awaited action.
    limits_passed: u8,
}

impl MoverDelay {
    /// The awaited action has been done.
    #[inline(always)]
    pub(in crate::game) fn acted(&mut self) {
        self.limits_passed = 0;
    }

    /// An action was refused; returns the number of refusals in this turn.
    pub(in crate::game) fn refuse(&mut self) -> u8 {
        self.refusals += 1;
        self.refusals
    }

    /// A turn limit has passed; returns the number of limits passed in a row.
    pub(in crate::game) fn pass_limit(&mut self) -> u8 {
        self.limits_passed += 1;
        self.limits_passed
    }

    /// Clears the traces that a refusal may leave.
    pub(in crate::game) fn forget_refusals(&mut self) {
        self.refusals = 0;
    }
}

impl Game {
    /// Acts for the seat to move: draws owed cards, accepts a skip, or else draws one card and passes; names a suit that is
    /// due. Slowness and too many refusals cost `slow_cards` in addition (G-05, G-21, B-48, K-66). A dismissed seat is played
    /// on by its first legal action, with the words due (G-04). Does nothing if it is not this seat's turn.
    pub fn act_for<W: Witness>(&mut self, seat: Seat, why: Stand, witness: &mut W) {
        if self.waits_for() != Some(seat) || self.rests() {
            return;
        }
        self.emit(witness, Event::ActedFor { seat, why });
        self.table.patience.acted();
        if why == Stand::Dismissed && self.play_on(witness, seat) {
            return;
        }
        if self.phase == Phase::ChooseRule {
            return self.choose_rule_for(witness, seat);
        }
        if self.phase != Phase::Play {
            return self.deal_for(witness, seat);
        }
        self.settle_turn::<false, _>(witness, seat);
        if matches!(self.table.facing, Facing::Ordinary { .. } | Facing::Race { .. }) {
            self.close_turn(seat);
        }
        if self.race().is_some() {
            self.settle_race(witness, seat);
        }
        let facing = self.table.facing;
        match facing {
            Facing::Ordinary { .. } if self.is_dry() => self.count_pass(),
            Facing::Ordinary { drawn: 0, .. } => {
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
            }
            Facing::Again(again) if again.must => {
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
            }
            Facing::Owed(owed) => self.draw_all_owed(witness, owed),
            Facing::Ordinary { .. }
            | Facing::Skipped { .. }
            | Facing::Again(_)
            | Facing::Naming
            | Facing::Race { .. } => {}
        }
        let priced = matches!(why, Stand::Slow | Stand::Refusals);
        if priced && self.rules.set.prices.slow_cards > 0 {
            self.penalise(witness, seat, self.rules.set.prices.slow_cards.into(), RuleFault::Slow);
        }
        match facing {
            Facing::Ordinary { .. } | Facing::Again(_) | Facing::Race { .. } => self.end_turn(witness, 1),
            Facing::Owed(owed) => self.after_owed(witness, owed),
            Facing::Skipped { skip, count } => self.suffer_skip(witness, skip, count),
            Facing::Naming => {
                // G-05: the first legal one in the order C, D, H, S, or 2 to ace.
                let choice = self.first_choice();
                self.emit(witness, Event::Named { seat, choose: choice });
                self.name(witness, choice);
            }
        }
    }

    /// The first legal action of a dismissed seat (G-04); `false` if cards are not being played, or there is none.
    fn play_on<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> bool {
        if self.phase != Phase::Play {
            return false;
        }
        let Some(mut verb) = self.legal(seat).nth(0) else { return false };
        let takes_come_first = matches!(verb, Verb::Play { card, .. } if !self.is_free(card));
        if takes_come_first && self.table.takes.overdue_from(seat) > 0 {
            // N-106: they might draw this very card.
            self.settle_takes(witness, seat);
            let Some(left) = self.legal(seat).nth(0) else { return false };
            verb = left;
        }
        let say = if self.may_owe_words(seat) { self.words_due(seat, &verb) } else { Say::Nothing };
        // What is listed is accepted (G-25).
        self.apply_verb(seat, &verb, &say, self.last_event(), witness) == Verdict::Accepted
    }

    /// As [`Game::act_for`] for a dismissed seat whose first legal action is known to be `action`: that of a true hand, of which
    /// this game has another.
    pub fn act_for_by<W: Witness>(&mut self, seat: Seat, action: &Action, witness: &mut W) {
        self.emit(witness, Event::ActedFor { seat, why: Stand::Dismissed });
        self.table.patience.acted();
        self.apply(seat, action, self.last_event(), witness);
    }
}
