//! The effects of a card that was played, one small piece each, and the turn that follows. Changes what the next seat
//! faces; whether the card could be played was judged in `play`.

use maumau_protocol::ruleset::{DrawAtOnce, Drawers};
use maumau_protocol::{Card, DrawReason, Event, RoundEnd, Seat};

use crate::game::out_of_turn::OwedTurn;
use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Witness};
use crate::rules::Face;

use super::{DryPasses, MoverDelay};

impl Game {
    /// Carries out the effect of `card`, which `seat` has just played, on the seat that was `chosen` with it if it asks for one,
    /// and passes the turn on.
    pub(in crate::game) fn run_effects<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        way: PlayWay,
        chosen: Option<Seat>,
    ) {
        let faced = self.table.facing;
        self.stay_with(seat);
        let Face { moves_others, race, again, brings_back, owe, skip, .. } = self.rules.faces[card.index()];
        if let Facing::Owed(owed) = faced
            && let Some(how) = owed.rule(&self.rules).moved_by(card)
        {
            return self.move_debt(witness, seat, owed, how, again);
        }
        if moves_others {
            self.move_others(witness, seat, card, chosen);
        }
        if race {
            self.open_race(witness, seat);
        } else if let Some(again) = again.filter(|_| !self.table.places.is_out(seat)) {
            // B-22, D-62, K-35: the turn stays.
            self.table.facing = Facing::Again(again);
            self.note_turn();
        } else if brings_back
            && let Some(debt) = owe
            && let Some(back) = self.may_come_back()
        {
            // G-71
            let cards = self.owed_with(self.debt_answered(faced, debt), debt);
            self.come_back(witness, back, cards);
            self.end_turn(witness, 1);
        } else if let Some(debt) = owe.filter(|_| !self.is_dry()) {
            self.owe(witness, seat, faced, debt, way, chosen);
        } else if let Some(skip) = skip {
            if self.rules.skips[skip as usize].threat {
                self.threaten(witness, seat, skip);
            } else if self.rules.skips[skip as usize].answers.is_empty() {
                // B-19, B-20: lost at once; P-49: each card of a run skips one.
                let run = if way == PlayWay::Interjection { self.twins_that_skip() } else { 1 };
                for step in 1..=run {
                    let victim = self.after(seat, step);
                    self.emit_with(witness, || Event::Skipped { seat: victim });
                }
                self.end_turn(witness, 1 + run);
            } else {
                // K-23, K-24: the next player may answer; each answer adds one, or only passes it on (G-27).
                let before = match faced {
                    Facing::Skipped { count, .. } if self.rules.skips[skip as usize].adds => count,
                    _ => 0,
                };
                self.pass_turn_facing(witness, 1, Facing::Skipped { skip, count: before + 1 });
            }
        } else {
            self.end_turn(witness, 1);
        }
    }

    /// What `card`, which `seat` has just played, does before the turn passes on: to the direction, to hands and to who draws.
    fn move_others<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, chosen: Option<Seat>) {
        let Face { reverse, swap_next, take, draw, hands, .. } = self.rules.faces[card.index()];
        if reverse {
            // K-55, K-56: with two seats only the recorded direction changes.
            self.reverse(witness);
        }
        if swap_next {
            self.swap_next(witness, seat);
        }
        if let Some(take) = take {
            self.order_take(witness, seat, take);
        }
        if let Some(draw) = draw {
            self.draw_at_once(witness, seat, draw, chosen);
        }
        if let Some(how) = hands {
            self.move_hands(witness, seat, how, chosen);
        }
    }

    /// Others, or `seat` itself, draw because of the card that it has played; nobody's turn changes (G-35).
    pub(super) fn draw_at_once<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        DrawAtOnce { cards, who }: DrawAtOnce,
        chosen: Option<Seat>,
    ) {
        let others = self.playing() - usize::from(!self.table.places.is_out(seat));
        let drawers: Vec<Seat> = match who {
            Drawers::Others => (1..=others).map(|steps| self.after(seat, steps)).collect(),
            Drawers::Previous => vec![self.before(seat)],
            Drawers::Next => vec![self.after(seat, 1)],
            Drawers::Chosen => chosen.into_iter().collect(),
            Drawers::Oneself => vec![seat],
        };
        let out = self.table.places.seats();
        for drawer in drawers.into_iter().filter(|drawer| !out.contains(*drawer)) {
            self.draw_cards(witness, drawer, u16::from(cards), DrawReason::Effect);
        }
    }

    /// Gives `seat`, which has played a card, the turn that ends with it or continues.
    #[inline]
    pub(super) fn stay_with(&mut self, seat: Seat) {
        self.give_turn(seat);
        self.table.facing = Facing::FRESH;
    }

    /// Ends the turn; the seat `steps` places later moves next.
    #[inline]
    pub(in crate::game) fn end_turn<W: Witness>(&mut self, witness: &mut W, steps: usize) {
        self.pass_turn_facing(witness, steps, Facing::FRESH);
    }

    /// Ends the turn; the seat `steps` places later moves next and faces `facing`.
    pub(in crate::game) fn pass_turn_facing<W: Witness>(&mut self, witness: &mut W, steps: usize, facing: Facing) {
        match self.is_plain {
            true => self.hand_on::<true, _>(witness, steps, facing),
            false => self.hand_on::<false, _>(witness, steps, facing),
        }
    }

    /// As [`Game::pass_turn_facing`], in a turn that is known to be `PLAIN`, or in any turn.
    #[inline(always)]
    pub(super) fn hand_on<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, steps: usize, facing: Facing) {
        let features = self.features::<PLAIN>();
        let seat = self.table.seating.turn();
        self.mau_at_turn_end(seat);
        if features.requests {
            self.request_at_turn_end(witness);
        }
        if self.table.turns > 0 {
            // The turn-up is no turn of the dealer (N-17).
            if features.exchanges {
                self.note_turn_of(seat);
            }
            if features.sealed_cards {
                self.unseal(witness, seat);
            }
        }
        let steps = match features.turns_lost && facing == Facing::FRESH {
            true => self.past_lost_turns(witness, steps),
            false => steps,
        };
        self.pass_turn::<PLAIN, _>(witness, steps);
        self.table.facing = facing;
        self.end_if_capped(witness);
    }

    /// Ends a round that has lasted too long, or in which nothing can be done any more.
    #[inline(always)]
    fn end_if_capped<W: Witness>(&mut self, witness: &mut W) {
        if self.table.turns > self.rules.turn_cap || self.table.played >= self.rules.played_cap {
            self.finish_round(witness, self.table.places.winner(), RoundEnd::TurnCap, self.table.places.times());
        } else if self.is_blocked() {
            self.finish_blocked(witness);
        }
    }

    /// A card has been drawn in place of a further one, and the turn goes on. Few cards could go round in it without end: such draws count
    /// as turns do (G-23).
    #[cold]
    pub(super) fn count_further_draw<W: Witness>(&mut self, witness: &mut W) {
        self.table.further_draws += 1;
        if self.table.turns + self.table.further_draws > self.rules.turn_cap {
            self.finish_round(witness, self.table.places.winner(), RoundEnd::TurnCap, self.table.places.times());
        }
    }

    /// A card has been played.
    #[inline(always)]
    pub(in crate::game) fn count_played(&mut self) {
        self.table.played += 1;
        self.table.dry_passes = DryPasses::default();
    }

    /// Passes the turn on and does nothing else.
    #[inline(always)]
    pub(in crate::game) fn pass_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, steps: usize) {
        let features = self.features::<PLAIN>();
        self.step_turn::<PLAIN, _>(witness, steps);
        if features.free_cards {
            self.table.owed_turn = OwedTurn::default();
        }
        if features.requests {
            self.table.request.begin_turn();
        }
        self.lapse_at_turn_of(self.table.seating.turn());
        self.table.facing = Facing::FRESH;
        self.table.turns += 1;
        self.table.changes.progress();
        self.table.patience = MoverDelay::default();
        self.note_turn();
    }
}
