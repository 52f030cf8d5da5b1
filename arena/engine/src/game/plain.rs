//! The usual turn by plain rules, by which a turn leaves nothing for later ones but a debt, a lost turn, a suit to be served
//! and the warning of the last card. What is done here is what [`Game::play`], [`Game::draw`], [`Game::pass`] and
//! [`Game::pass_turn_facing`] come to where nothing else can be there; everything else takes their way.

use maumau_protocol::{Card, Choice, DrawReason, Event, EventNumber, RoundEnd, Say, Seat, SeatSet, Suit};

use super::interject::Way;
use super::{Facing, Game, Phase, Verdict, Witness};

impl Game {
    /// Whether `seat`, which says nothing, is to move, and nobody owes the warning of the last card.
    #[inline(always)]
    fn may_act_plainly(&self, seat: Seat, say: &Say) -> bool {
        self.phase == Phase::Play
            && seat == self.table.turn
            && matches!(say, Say::Nothing)
            && self.table.mau_open.is_empty()
    }

    /// `seat` lays a card.
    #[inline(never)]
    pub(super) fn play_plainly<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
        as_of: EventNumber,
    ) -> Verdict {
        if !(self.may_act_plainly(seat, say) && self.fits_in_turn(seat, card, choose)) {
            return self.play(witness, seat, card, choose, say, as_of);
        }
        self.table.limits_passed = 0;
        self.close_turn(seat);
        self.tell_of(witness, || Event::Played { seat, card, choose });
        let hand = &mut self.table.hands[seat.index()];
        hand.remove(card);
        let left = hand.len();
        self.table.pile.push(card);
        self.table.progress += 1;
        self.count_laid();
        self.table.anything = false;
        let named = self.suit_under(card, choose, false);
        self.refill(witness);
        if left == 1 {
            self.one_card_left(seat, false);
        }
        if left > 0 && self.rules.faces[card.index()].plain {
            self.pass_turn_plainly(witness, 1, Facing::FRESH);
        } else {
            self.take_effect_plainly(witness, seat, card, choose, named);
        }
        Verdict::Accepted
    }

    #[inline(never)]
    fn take_effect_plainly<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        named: Option<Suit>,
    ) {
        self.take_effect(witness, seat, card, choose, named, false, Way::Turn);
    }

    /// `seat` draws a card.
    #[inline(never)]
    pub(super) fn draw_plainly<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
        as_of: EventNumber,
    ) -> Verdict {
        let drawn = match self.table.facing {
            Facing::Ordinary { drawn, .. } if drawn < self.rules.set.turn.draws => drawn,
            _ => return self.draw(witness, seat, say, as_of),
        };
        if !self.may_act_plainly(seat, say) || self.draw_pile.is_empty() {
            return self.draw(witness, seat, say, as_of);
        }
        self.table.limits_passed = 0;
        self.close_turn(seat);
        self.table.dry_passes = 0;
        let last = self.draw_pile.draw_at_once(&self.chance, seat);
        if let Some(card) = last {
            self.table.hands[seat.index()].add(card);
            self.table.progress += 1;
            self.forget_mau(seat);
            self.tell_of(witness, || Event::Drew { seat, card: last, why: DrawReason::Turn, sealed: false });
        }
        self.refill(witness);
        if self.table.anything || !self.rules.may_play_after_draw() {
            self.pass_turn_plainly(witness, 1, Facing::FRESH);
        } else {
            self.table.facing = Facing::Ordinary { drawn: drawn + 1, last };
        }
        Verdict::Accepted
    }

    /// `seat` passes.
    #[inline(never)]
    pub(super) fn pass_plainly<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
        as_of: EventNumber,
    ) -> Verdict {
        let ordinary = matches!(self.table.facing, Facing::Ordinary { .. });
        if !(ordinary && self.may_act_plainly(seat, say) && self.may_pass()) {
            return self.pass(witness, seat, say, as_of);
        }
        self.tell_of(witness, || Event::Passed { seat });
        self.count_pass();
        self.pass_turn_plainly(witness, 1, Facing::FRESH);
        Verdict::Accepted
    }

    /// Ends the turn; the seat `steps` places on moves next, and faces `facing`.
    #[inline(always)]
    pub(super) fn pass_turn_plainly<W: Witness>(&mut self, witness: &mut W, steps: usize, facing: Facing) {
        self.mau_at_turn_end(self.table.turn);
        let turn = self.table.turn.step(self.table.direction, steps, self.seats());
        self.lapse_at_turn_of(turn);
        let events = self.events;
        let table = &mut self.table;
        (table.turn, table.turn_place, table.facing) = (turn, turn, facing);
        table.limits_passed = 0;
        table.refusals = 0;
        table.turns += 1;
        table.progress += 1;
        table.last_change = events;
        self.end_if_capped(witness);
    }

    /// Ends a round that has gone on for too long, or in which nobody can do anything.
    #[inline(always)]
    pub(super) fn end_if_capped<W: Witness>(&mut self, witness: &mut W) {
        if self.table.turns > self.rules.turn_cap || self.table.laid >= self.rules.laid_cap {
            self.finish_round(witness, SeatSet::EMPTY, RoundEnd::TurnCap, 1);
        } else if self.is_blocked() {
            self.finish_round(witness, SeatSet::EMPTY, RoundEnd::Blocked, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_protocol::{Say, Seed};

    use crate::rules::{load_built_in, parse_setting};
    use crate::{Game, Phase, Rules};

    /// A game by random legal actions, words of warning and now and then an action that is refused; as events tell it.
    fn story(rules: &Arc<Rules>, number: u64, plainly: bool) -> String {
        let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |bound: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 32) as usize % bound
        };
        let (mut game, mut events) = (Game::new(Arc::clone(rules), &Seed::from_number(number)), Vec::new());
        game.is_plain &= plainly;
        while !game.is_over() {
            let Some(seat) = game.turn().filter(|_| game.phase() == Phase::Play) else {
                game.start_round(&mut events);
                continue;
            };
            let legal = game.legal(seat);
            let index = below(legal.len());
            let verb = legal.nth(index).expect("an action that is listed");
            let say = if below(4) == 0 { Say::word("mau") } else { Say::Nothing };
            let actor = if below(40) == 0 { seat.step(game.direction(), 1, rules.seats()) } else { seat };
            game.apply_verb(actor, &verb, &say, game.last_event(), &mut events);
        }
        format!("{events:?}")
    }

    #[test]
    fn plain_games_go_as_by_any_rules() {
        let sets: [(&str, &[&str]); 5] = [
            ("basic", &[]),
            ("basic", &["mau=called"]),
            ("skat", &[]),
            ("crazy-eights", &[]),
            ("crazy-eights", &["special_cards=true", "reshuffle=true"]),
        ];
        for (name, settings) in sets {
            let settings: Vec<_> = settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
            let set = Arc::new(load_built_in(name, &settings).expect("a built-in set").set);
            for seats in [2, 4] {
                let rules = Arc::new(Rules::for_table(&set, seats, Some(2)).expect("a table"));
                assert!(rules.is_plain, "{name} is not plain, so nothing is compared");
                for number in 0..20 {
                    assert_eq!(story(&rules, number, true), story(&rules, number, false), "{name}, game {number}");
                }
            }
        }
    }
}
