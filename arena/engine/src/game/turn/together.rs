//! Several cards in one play (G-40 to G-42, G-73). It judges the play as a whole, moves the cards, and lets those of them that count
//! take effect one after another; what a single effect does is in `effects` and `debt`.

use maumau_protocol::{Card, Choice, DrawReason, Event, OpenRun, Reach, Reason, Say, Seat, Suit};

use crate::game::speech::PlayedCards;
use crate::game::way::PlayWay;
use crate::game::{Facing, Game, Phase, Verdict, Witness};
use crate::rules::SeveralAtOnce;

/// How several cards are one play.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Joined {
    /// The number of the way in the rules.
    way: usize,
    /// The suit of the run that they are part of, and whether it is open after them.
    run: Option<(Suit, bool)>,
}

impl Joined {
    /// Whether a run is open after them.
    pub(in crate::game) fn leaves_open(self) -> bool {
        self.run.is_some_and(|(_, open)| open)
    }
}

impl Game {
    /// Whether `seat` goes on with the open run by `card` alone, and may leave it open (G-73).
    pub(in crate::game) fn goes_on(&self, seat: Seat, card: Card) -> bool {
        self.phase == Phase::Play
            && seat == self.table.seating.turn()
            && self.hand(seat).contains(card)
            && self.joined(&[card], false).is_some()
    }

    /// How `cards` are one play now, apart from what the first of them must fit (G-40, G-73).
    fn joined(&self, cards: &[Card], close: bool) -> Option<Joined> {
        let ways = || self.rules.together.iter().enumerate();
        if self.features.runs {
            let begun = self.suit_begun(cards);
            let open = self.open_run().map(|run| run.suit);
            let run = |(at, way): (usize, &SeveralAtOnce)| {
                let begins = way.runs(cards, begun, false, close).map(|open| (begun, open));
                let goes_on = || open.and_then(|suit| way.runs(cards, suit, true, close).map(|open| (suit, open)));
                begins.or_else(goes_on).map(|run| Joined { way: at, run: Some(run) })
            };
            if let Some(run) = ways().find_map(run) {
                return Some(run);
            }
        }
        ways().find(|(_, way)| way.joins(cards)).map(|(way, _)| Joined { way, run: None })
    }

    /// Whether further cards can follow `cards` in one play now, apart from what the first of them must fit.
    pub(in crate::game) fn may_be_followed(&self, cards: &[Card]) -> bool {
        let open = self.open_run().map(|run| run.suit);
        let runs = |way: &SeveralAtOnce| {
            way.may_run_on(cards, self.suit_begun(cards), false)
                || open.is_some_and(|suit| way.may_run_on(cards, suit, true))
        };
        self.rules.together.iter().any(|way| way.may_go_on(cards) || (self.features.runs && runs(way)))
    }

    /// The suit of a run that `cards` begin.
    fn suit_begun(&self, cards: &[Card]) -> Suit {
        cards.first().and_then(|first| first.suit()).unwrap_or_else(|| self.suit_in_force())
    }

    /// `seat` plays `cards` at once; a run among them is closed, or left open.
    #[cold]
    pub(in crate::game) fn play_together<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        cards: &[Card],
        choose: Option<Choice>,
        close: bool,
        say: &Say,
    ) -> Verdict {
        if self.phase != Phase::Play {
            return self.refuse_untimely(witness, seat);
        }
        let (Some(first), Some(last)) = (cards.first().copied(), cards.last().copied()) else {
            return self.refuse_unknown(witness, seat);
        };
        if let Some(missing) = self.missing_of(seat, cards) {
            return self.refuse(witness, seat, Some(missing), Reason::NotInHand);
        }
        let choice = self.judge_choice(seat, last, choose);
        let said_mau = self.says_mau(say);
        let judge = |game: &Game| game.judge_together(seat, cards, close, said_mau);
        match self.admit_whole(witness, seat, (first, last), choice, judge) {
            Err(verdict) => verdict,
            Ok(joined) => {
                self.table.patience.acted();
                self.table.doubt = None;
                self.record_words_of_play(witness, seat, say, self.features.announcements);
                if self.features.announcements {
                    self.settle_announcements(witness, seat);
                }
                self.close_turn(seat);
                if self.features.movements {
                    self.finish_movement(witness, seat, Reach::Play);
                }
                let turn = self.table.turns;
                self.place_together(witness, seat, cards, choose, say, joined);
                if self.features.speech {
                    self.owe_calls(PlayedCards {
                        seat,
                        kinds: cards.iter().copied().collect(),
                        way: PlayWay::Turn,
                        turn,
                        first: false,
                    });
                }
                self.on_speech(witness, seat, say);
                Verdict::Accepted
            }
        }
    }

    /// Admits a play of `seat` that is not simply one card: of several, `first` to `last`, or of one that stands for another. `judge`
    /// says whether it may be played, `choice` whether what is named with it is right. Settles overdue duties before it is
    /// played. If it may not be played, it is refused at its price.
    pub(super) fn admit_whole<W: Witness, T>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        (first, last): (Card, Card),
        choice: Result<(), Reason>,
        judge: impl Fn(&Game) -> Result<T, Reason>,
    ) -> Result<T, Verdict> {
        if choice == Err(Reason::ChoiceWrong) {
            return Err(self.refuse(witness, seat, Some(last), Reason::ChoiceWrong));
        }
        let judged = judge(self).map(drop);
        if let (Ok(()), Err(reason)) = (judged, choice) {
            return Err(self.refuse(witness, seat, Some(last), reason));
        }
        if let Err(reason) = judged
            && (reason == Reason::NotNow || self.unless_interrupted(seat, Some(first), reason) != reason)
        {
            return Err(self.refuse(witness, seat, Some(first), reason));
        }
        let moves = judged.is_ok() || (seat == self.table.seating.turn() && self.rules.set.prices.misplay.ends_turn);
        if moves && !self.table.mau.owing().is_empty() {
            self.settle_mau(witness);
        }
        judge(self).map_err(|reason| self.misplay(witness, seat, first, reason))
    }

    /// One of `cards` that `seat` does not hold, or not so often.
    fn missing_of(&self, seat: Seat, cards: &[Card]) -> Option<Card> {
        let hand = self.hand(seat);
        cards.iter().copied().find(|card| {
            let wanted = cards.iter().filter(|other| *other == card).count();
            usize::from(hand.copies(*card)) < wanted
        })
    }

    /// Whether `seat` may begin a play with the first of `cards`, and all of them are cards that are allowed now (G-42).
    pub(in crate::game) fn may_begin_with(&self, seat: Seat, cards: &[Card]) -> bool {
        let allowed = self.allowed_cards();
        let first_fits = cards.first().is_some_and(|card| allowed.contains(*card) && !self.is_barred_here(*card));
        // Under a demand every card must meet it; what an answer must fit is asked of the first one only.
        let demanded = match self.table.facing {
            Facing::Owed(owed) => Some(owed.rule(&self.rules).answers),
            Facing::Skipped { .. } => Some(allowed),
            _ if self.table.request.stands() => Some(allowed),
            _ => None,
        };
        let meets = demanded.is_none_or(|demanded| cards.iter().all(|card| demanded.contains(*card)));
        // After a draw only the drawn card may be played.
        first_fits && meets && !self.plays_drawn_card_only(seat)
    }

    /// How `seat` may play `cards`, which it holds, in the present position (G-40).
    pub(in crate::game) fn judge_together(
        &self,
        seat: Seat,
        cards: &[Card],
        close: bool,
        said_mau: bool,
    ) -> Result<Joined, Reason> {
        if seat != self.table.seating.turn() {
            return Err(Reason::NotYourTurn);
        }
        if self.table.facing == Facing::Naming {
            return Err(Reason::NotNow);
        }
        let Some(joined) = self.joined(cards, close).filter(|_| self.may_begin_with(seat, cards)) else {
            return Err(Reason::DoesNotFit);
        };
        let empties = usize::from(self.hand(seat).len()) == cards.len();
        let may_end = |card: &Card| !empties || self.may_finish_with(seat, *card, said_mau);
        cards.last().is_some_and(may_end).then_some(joined).ok_or(Reason::MayNotBeLast)
    }

    /// Whether hands go from seat to seat by one of `cards`.
    fn moves_hands(&self, cards: &[Card]) -> bool {
        cards.iter().any(|card| self.rules.faces[card.index()].hands.is_some())
    }

    /// Moves `cards` from the hand to the pile and carries out their effects; they are one play as `joined` has it.
    fn place_together<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        cards: &[Card],
        choose: Option<Choice>,
        say: &Say,
        joined: Joined,
    ) {
        let said_mau = self.says_mau(say);
        let Some(last) = cards.last() else { return };
        let (serves, powerless) = (self.serves(*last), self.is_powerless(*last));
        self.emit(witness, Event::Together { seat, count: cards.len() as u16, open: joined.leaves_open() });
        if let Some((suit, _)) = joined.run {
            self.note_suit_before(suit);
        }
        for card in cards {
            let choose = choose.filter(|_| std::ptr::eq(card, last));
            self.emit_with(witness, || Event::Played { seat, card: *card, stands_for: None, choose });
        }
        for card in cards {
            self.table.hands[seat.index()].remove(*card);
            self.note_departure(seat, *card);
            self.table.pile.add(*card);
            self.count_played();
        }
        self.note_top();
        self.table.changes.progress();
        self.suit_under(seat, *last, choose, serves || powerless);
        if let Some((suit, true)) = joined.run {
            self.leave_open(OpenRun { suit, by: seat }, self.table.played);
        }
        if self.features.announcements {
            self.announce(seat, say);
        }
        self.refill(witness);
        let left = self.hand(seat).len();
        if left == 1 {
            self.one_card_left(seat, said_mau);
        } else if said_mau {
            self.say_mau_ahead(seat);
            if !self.moves_hands(cards) {
                self.charge_false_mau(witness, seat);
            }
        }
        // G-49: as a single last card.
        let lapses = !serves && self.is_priced_last(*last);
        if left == 0 && self.charge_last_card(witness, seat, *last, say, serves) && (lapses || powerless) {
            self.stay_with(seat);
            return self.end_turn(witness, 1);
        }
        let left = self.hand(seat).len();
        let face = &self.rules.faces[last.index()];
        let (request, multiplies) = (face.request, face.multiplies);
        let wins = left == 0 && (serves || face.last_costs.is_nothing());
        let goes_on = wins && self.features.places;
        let dies = goes_on && !self.last_card_acts();
        if goes_on && self.go_out(witness, seat, *last, if serves { 1 } else { multiplies }) {
            return;
        }
        if choose.is_none() && !serves && !dies && (goes_on || !wins) {
            self.decline_request(witness, seat, request);
        }
        match (request, choose) {
            _ if wins && !goes_on => self.win_round(witness, seat, *last, serves),
            _ if serves => {
                self.note_served(seat);
                self.end_turn(witness, 1);
            }
            _ if powerless || dies => self.end_turn(witness, 1),
            (Some(request), Some(choice)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            _ if left == 0 && !goes_on => {
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
                self.end_turn(witness, 1);
            }
            _ => {
                let rules = std::sync::Arc::clone(&self.rules);
                self.run_together(witness, seat, rules.together[joined.way].counting(cards), choose);
                if said_mau && self.moves_hands(cards) {
                    self.said_before_hands_moved(witness, seat, say);
                }
            }
        }
    }

    /// The effects of `cards`, one after another: debts and lost turns add up, every card that turns the direction turns it,
    /// and the turn passes on once; the seat that may have been chosen is chosen for the last card (G-41).
    fn run_together<W: Witness>(&mut self, witness: &mut W, seat: Seat, cards: &[Card], choose: Option<Choice>) {
        // What the next card faces, whom it falls on, and how many lose a turn at once.
        let mut faced = self.table.facing;
        let mut target = None;
        let mut skipped = 0;
        self.stay_with(seat);
        if !matches!(faced, Facing::Owed(_) | Facing::Skipped { .. }) {
            faced = Facing::FRESH;
        }
        for card in cards {
            let face = self.rules.faces[card.index()];
            if let Facing::Owed(owed) = faced
                && let Some(how) = owed.rule(&self.rules).moved_by(*card)
            {
                (faced, target) = self.moved_debt(witness, seat, owed, how);
                continue;
            }
            if face.reverse {
                self.reverse(witness);
            }
            if let Some(draw) = face.draw {
                self.draw_at_once(witness, seat, draw, None);
            }
            if let Some(how) = face.hands {
                let chosen = match choose {
                    Some(Choice::Seat(chosen)) if cards.last().is_some_and(|last| std::ptr::eq(card, last)) => {
                        Some(chosen)
                    }
                    _ => None,
                };
                self.move_hands(witness, seat, how, chosen);
            }
            if let Some(debt) = face.owe.filter(|_| !self.is_dry()) {
                (faced, target) = (self.owed_after(seat, faced, debt, PlayWay::Turn), None);
            } else if let Some(skip) = face.skip {
                let rule = &self.rules.skips[skip as usize];
                match (rule.answers.is_empty(), faced) {
                    (true, _) => skipped += 1,
                    (false, Facing::Skipped { count, .. }) if rule.adds => {
                        faced = Facing::Skipped { skip, count: count + 1 };
                    }
                    (false, _) => faced = Facing::Skipped { skip, count: 1 },
                }
            }
        }
        let brings_back = cards.iter().any(|card| self.rules.faces[card.index()].brings_back);
        if let (Facing::Owed(owed), true, Some(back)) = (faced, brings_back, self.may_come_back()) {
            // G-71
            self.come_back(witness, back, owed.cards());
            (faced, target) = (Facing::FRESH, None);
        }
        let goes_on = !self.table.places.is_out(seat);
        let again = cards.last().and_then(|card| self.rules.faces[card.index()].again).filter(|_| goes_on);
        if let (Some(again), true) = (again, faced == Facing::FRESH && skipped == 0) {
            self.table.facing = Facing::Again(again);
            return self.note_turn();
        }
        for steps in 1..=skipped {
            let victim = self.after(seat, steps);
            self.emit_with(witness, || Event::Skipped { seat: victim });
        }
        let steps = match faced {
            Facing::Owed(owed) => target.map_or_else(|| self.steps_to_debtor(owed), |target| self.steps_to(target)),
            _ => 1,
        };
        self.pass_turn_facing(witness, steps + skipped, faced);
    }
}
