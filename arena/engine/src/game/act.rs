//! One action of one seat: judged against the position as it is, then accepted or refused as a whole (G-02).

use maumau_protocol::ruleset::{AfterDraw, DebtAfterWrong};
use maumau_protocol::{
    Action, Card, CardSet, Choice, DrawReason, Event, EventNumber, Reach, Reason, RuleFault, Say, Seat, Stand, Text,
    Verb,
};

use super::calls::Laid;
use super::interject::Way;
use super::{Facing, Game, Phase, Verdict, Witness};
use crate::speech;

impl Game {
    /// Takes up `action` of `seat`, who had seen events up to `as_of`.
    ///
    /// What a refused action costs by the rules is charged here and told in the events; whether it is a conduct fault as
    /// well is the referee's business.
    pub fn apply<W: Witness>(&mut self, seat: Seat, action: &Action, as_of: EventNumber, witness: &mut W) -> Verdict {
        self.table.acting_as_of = as_of;
        let say = &action.say;
        match (self.phase, &action.verb) {
            (_, Verb::Say { text }) => {
                self.hear(witness, seat, say);
                self.hear_text(witness, seat, text);
                self.heed(witness, seat, say);
                self.heed_text(witness, seat, text);
                Verdict::Accepted
            }
            (_, Verb::Call { against, fault }) => {
                self.hear(witness, seat, say);
                self.heed(witness, seat, say);
                self.call(witness, seat, *against, fault, as_of)
            }
            (_, Verb::PointOfOrder) => self.pause(witness, seat),
            (_, Verb::EndPointOfOrder) => self.unpause(witness, seat),
            (_, Verb::Glare { at }) => self.glare(witness, seat, *at),
            (_, Verb::Reach { r#for }) => self.reach(witness, seat, *r#for),
            (_, Verb::Deal { to }) => self.deal_cards(witness, seat, to),
            (_, Verb::DealPenalties) => self.deal_penalties(witness, seat),
            (_, Verb::Count) => self.count(witness, seat),
            (_, Verb::PickUp) => self.pick_up(witness, seat),
            (Phase::Deal | Phase::TurnUp, Verb::Choose(choice)) => self.choose_proper(witness, seat, *choice),
            (Phase::Deal | Phase::TurnUp, Verb::TurnUp) => self.turn_up_by(witness, seat, say),
            (Phase::Play, Verb::Look) if self.sealed(seat) > 0 => self.look_at_sealed(witness, seat),
            (_, Verb::Look) => self.look(witness, seat),
            (Phase::Play, Verb::Draw | Verb::Pass | Verb::Choose(_)) if self.rests() => {
                self.refuse(witness, seat, None, Reason::Rests)
            }
            (Phase::Play, Verb::Take { from }) => self.take(witness, seat, *from),
            (Phase::Play, Verb::Draw) if seat != self.table.turn && self.may_draw_apart(seat, as_of) => {
                self.draw_apart(witness, seat, say)
            }
            (Phase::Play, Verb::Play { card, choose }) => self.play(witness, seat, *card, *choose, say, as_of),
            (Phase::Play, Verb::Pass) if seat != self.table.turn && self.table.threat.is_some() => {
                self.decline(witness, seat)
            }
            (Phase::Play, Verb::Draw | Verb::Pass | Verb::Choose(_)) if seat != self.table.turn => {
                let interrupted = as_of < self.table.last_change;
                self.refuse(witness, seat, None, if interrupted { Reason::Interrupted } else { Reason::NotYourTurn })
            }
            (Phase::Play, Verb::Draw) if as_of < self.table.last_change && !self.may_draw_while_closing() => {
                self.refuse(witness, seat, None, Reason::Interrupted)
            }
            (Phase::Play, Verb::Draw) => self.draw(witness, seat, say),
            (Phase::Play, Verb::Pass) => self.pass(witness, seat, say),
            (Phase::Play, Verb::Choose(Choice::Suit(suit))) if self.table.suit_open => {
                self.hear(witness, seat, say);
                self.state_suit(witness, seat, *suit);
                Verdict::Accepted
            }
            (Phase::Play, Verb::Choose(choice)) => self.choose(witness, seat, *choice, say),
            _ if as_of < self.table.last_change => self.refuse(witness, seat, None, Reason::Interrupted),
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    #[inline]
    pub(super) fn hear<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        for text in say.texts() {
            self.hear_text(witness, seat, text);
        }
    }

    fn hear_text<W: Witness>(&mut self, witness: &mut W, seat: Seat, text: &Text) {
        self.tell(witness, Event::Said { seat, text: text.clone() });
        self.hear_mau(seat, text.as_str());
        if self.announces() {
            self.hear_announcement(seat, text.as_str());
        }
    }

    /// Refuses an action for nothing. The seat to move is counted, so that it cannot hold the game up (G-21).
    pub(super) fn refuse<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Option<Card>,
        reason: Reason,
    ) -> Verdict {
        // G-03: what the seat had not seen made it wrong, so it is nobody's fault.
        let overtaken = self.table.acting_as_of < self.table.last_change
            && matches!(
                reason,
                Reason::NotNow
                    | Reason::NotYourTurn
                    | Reason::NothingToTake
                    | Reason::NotInHand
                    | Reason::NotYours
                    | Reason::Rests
            );
        let reason = if overtaken { Reason::Interrupted } else { reason };
        self.tell(witness, Event::Refused { seat, card, reason, shown: false });
        if !matches!(reason, Reason::Interrupted | Reason::Rests) && !self.rests() {
            self.count_refusal(witness, seat);
        }
        Verdict::Refused(reason)
    }

    fn count_refusal<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if self.phase == Phase::Play && self.table.turn == seat {
            self.table.refusals += 1;
            if self.table.refusals >= self.rules.set.turn.max_refusals {
                self.stand_in(seat, Stand::Refusals, witness);
            }
        }
    }

    fn play<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
        as_of: EventNumber,
    ) -> Verdict {
        // P-05, P-96: who may not lay any card is not told whether it holds this one.
        if self.rests() {
            return self.refuse(witness, seat, Some(card), Reason::Rests);
        }
        if !self.table.looked.contains(seat) {
            return self.refuse(witness, seat, Some(card), Reason::NotLooked);
        }
        // G-04: what is not a possible play at all is no rule fault.
        if !self.hand(seat).contains(card) {
            if self.table.sealed[seat.index()].contains(card) {
                return self.misplay(witness, seat, card, Reason::Sealed);
            }
            return self.refuse(witness, seat, Some(card), Reason::NotInHand);
        }
        if let Err(reason) = self.judge_choice(card, choose) {
            return self.refuse(witness, seat, Some(card), reason);
        }
        let way = self.way(seat, card, say, as_of);
        if way == Way::Overtaken {
            return self.refuse(witness, seat, Some(card), Reason::Interrupted);
        }
        let said_mau = self.says_mau(say);
        // P-30: a suit that waits to be stated may be stated with the very card that needs it.
        let open = self.table.suit_open;
        let suit_said = if open && way == Way::Turn && seat == self.table.turn { self.suit_said(say) } else { None };
        self.table.suit = suit_said.or(self.table.suit);
        let judged = self.judge_play(seat, card, said_mau, way);
        if judged.is_err() && suit_said.is_some() {
            self.table.suit = None;
        }
        if judged.is_err() && as_of < self.table.last_change {
            // G-03: what the seat had not seen made the play wrong.
            return self.refuse(witness, seat, Some(card), Reason::Interrupted);
        }
        let free = self.is_free(card);
        if self.table.facing == Facing::Naming || (self.is_closing() && !free && !self.is_answer(seat)) {
            // G-03: a hand that has become empty meanwhile is nobody's fault.
            let overtaken = as_of < self.table.last_change;
            let reason = if overtaken { Reason::Interrupted } else { Reason::NotNow };
            return self.refuse(witness, seat, Some(card), reason);
        }
        let in_turn = seat == self.table.turn;
        let mut judged = judged;
        if ((in_turn && !free) || judged.is_ok()) && !self.table.mau_open.is_empty() {
            self.settle_mau(witness);
            judged = self.judge_play(seat, card, said_mau, way);
        }
        let stands = judged.is_err_and(|reason| self.may_stand(reason));
        if (judged.is_ok() || stands) && !free {
            self.settle_orders(witness, seat);
            if !self.hand(seat).contains(card) {
                // An overdue take has just drawn this very card.
                return self.refuse(witness, seat, Some(card), Reason::Interrupted);
            }
        }
        let stands = match judged {
            Err(reason) if !stands => return self.misplay(witness, seat, card, reason),
            Err(reason) => {
                self.let_stand(witness, seat, reason);
                Some(reason)
            }
            Ok(()) => {
                self.forget_wrong_card();
                None
            }
        };
        for text in say.texts() {
            self.tell(witness, Event::Said { seat, text: text.clone() });
            if self.announces() {
                self.hear_announcement(seat, text.as_str());
            }
        }
        if let Some(suit) = suit_said {
            self.state_suit(witness, seat, suit);
        }
        if self.announces() {
            self.settle_announcements(witness, seat);
        }
        if way == Way::Race {
            self.settle_race(witness, seat);
        }
        let turn = self.table.turns;
        if stands == Some(Reason::NotYourTurn) || way == Way::Interjection {
            // P-58, P-88: no ordinary turn, and movements are cut short.
            self.forget_movements();
        } else if !free {
            self.close_turn(seat);
            if self.conduct.is_some() {
                self.finish_movement(witness, seat, Reach::Play);
            }
        }
        self.tell(witness, Event::Played { seat, card, choose });
        match free {
            true => self.lay_free(witness, seat, card, say),
            false => self.lay(witness, seat, card, choose, say, way),
        }
        if !self.rules.is_deaf {
            self.owe_calls(Laid { seat, card, way, turn, first: false });
            self.state_chosen(witness, seat, choose);
            self.heed(witness, seat, say);
        }
        Verdict::Accepted
    }

    /// Whether what is named with `card` is what the card asks for (G-04, D-48, D-52, D-58).
    #[inline]
    fn judge_choice(&self, card: Card, choose: Option<Choice>) -> Result<(), Reason> {
        let request = self.requests(card).filter(|_| !self.serves(card));
        match (choose, request) {
            (None, Some(_)) => Err(Reason::ChoiceMissing),
            (Some(choice), Some(request)) => self.can_name(request, choice).then_some(()).ok_or(Reason::ChoiceWrong),
            (None, None) if self.rules.must_choose.contains(card) => Err(Reason::ChoiceMissing),
            (None, None) => Ok(()),
            // N-57: a suit that may not be named is a mistake of the rules, not of the protocol.
            (Some(Choice::Suit(_)), None) if self.rules.chooses.union(self.rules.spoken).contains(card) => Ok(()),
            (Some(_), None) => Err(Reason::ChoiceWrong),
        }
    }

    #[inline]
    pub(super) fn says_mau(&self, say: &Say) -> bool {
        match &self.rules.mau {
            Some(mau) => say.texts().iter().any(|text| speech::contains(text.as_str(), &mau.word)),
            None => false,
        }
    }

    /// Whether `seat` may lay `card`, which it holds, as things stand.
    fn judge_play(&self, seat: Seat, card: Card, said_mau: bool, way: Way) -> Result<(), Reason> {
        if self.is_free(card) {
            return Ok(());
        }
        if self.table.threat.is_some_and(|threat| threat.victim == seat) {
            return self.answers_of(seat).contains(card).then_some(()).ok_or(Reason::DoesNotFit);
        }
        if matches!(way, Way::Interjection | Way::Race) {
            // P-33, P-41: nothing else is asked of the card.
        } else if seat == self.table.turn {
            if !self.layable().contains(card) || self.is_barred_here(card) {
                return Err(Reason::DoesNotFit);
            }
        } else if !(self.rules.out_of_turn.contains(card) && self.open_between_turns()) {
            return Err(Reason::NotYourTurn);
        }
        self.may_be_last(seat, card, said_mau).then_some(()).ok_or(Reason::MayNotBeLast)
    }

    /// Whether function cards may come in between: nobody owes, answers or is in the middle of a turn (B-33, B-18).
    pub(super) fn open_between_turns(&self) -> bool {
        matches!(self.table.facing, Facing::Ordinary { drawn: 0, .. })
    }

    /// Whether nothing bars `card` from being the last one, should it be (K-38, K-42).
    #[inline]
    pub(super) fn may_be_last(&self, seat: Seat, card: Card, said_mau: bool) -> bool {
        if !self.rules.bars_last || self.hand(seat).len() > 1 || self.mau_is_charged_first(seat) {
            return true;
        }
        let barred = self.rules.never_last.contains(card) && !self.rules.faces[card.index()].last_costs;
        (!barred || self.serves(card)) && self.may_finish(seat, said_mau)
    }

    /// The card leaves the hand for the pile, and does what it does.
    fn lay<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
        way: Way,
    ) {
        let serves = self.serves(card);
        let under = if self.announces() { self.visible_top() } else { None };
        let hand = &mut self.table.hands[seat.index()];
        hand.remove(card);
        let left = hand.len();
        self.table.pile.push(card);
        self.table.progress += 1;
        self.count_laid();
        self.table.anything = false;
        self.table.suit_open = self.rules.spoken.contains(card);
        self.table.run.extend(way);
        if way == Way::Interjection {
            self.tell(witness, Event::Interjected { seat, count: self.table.run.interjections });
        }
        // B-24, B-26, K-19: a wish lasts until the next card; without one the card's own suit counts.
        let named = self.new_suit(card, choose);
        if self.announces() {
            self.note_identical(card, under);
            let (said_mau, said_mau_mau) = (self.says_mau(say), self.says_mau_mau(say));
            self.announce_with_card(seat, said_mau, said_mau_mau);
        }
        self.table.suit = match choose {
            _ if self.rules.transparent.contains(card) => self.table.suit,
            _ if self.rules.new_suit.contains(card) => named,
            _ if serves || !self.rules.chooses.contains(card) => None,
            Some(Choice::Suit(suit)) => Some(suit),
            _ => card.suit(),
        };
        self.refill(witness);
        if left == 1 {
            let said_mau = self.says_mau(say);
            self.one_card_left(seat, said_mau);
        }
        let face = &self.rules.faces[card.index()];
        let wins = left == 0 && !self.rules.closes && (serves || !face.last_costs);
        match (face.request, choose) {
            _ if wins => self.win_round(witness, seat, card, serves),
            _ if serves => {
                self.note_served(seat);
                self.end_turn(witness, 1);
            }
            (Some(request), Some(choice)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            _ if self.rules.new_suit.contains(card) && named.is_none() => self.ask_for_suit(witness, seat),
            _ if left == 0 && !self.rules.closes => {
                // D-78, option `last_special=natural`: an ace without a follower draws one.
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
                self.end_turn(witness, 1);
            }
            _ => self.land(witness, seat, card, way),
        }
    }

    /// A wrong card: back to the hand, at its price (B-36, B-49, K-50, K-68).
    fn misplay<W: Witness>(&mut self, witness: &mut W, seat: Seat, card: Card, reason: Reason) -> Verdict {
        let price = self.rules.set.prices.misplay;
        let shown = self.rules.set.calls.cards > 0;
        self.tell(witness, Event::Refused { seat, card: Some(card), reason, shown });
        if reason == Reason::Sealed {
            self.penalise(witness, seat, price.cards, RuleFault::Sealed);
            self.count_refusal(witness, seat);
        } else if seat != self.table.turn {
            self.penalise(witness, seat, price.cards, RuleFault::OutOfTurn);
            if price.called {
                // P-74, P-103: the card goes back at once, its price waits for a call.
                self.note(witness, seat, RuleFault::OutOfTurn);
            }
        } else if !price.ends_turn {
            self.penalise(witness, seat, price.cards, RuleFault::WrongCard);
            if price.called {
                self.note(witness, seat, RuleFault::WrongCard);
            }
            self.count_refusal(witness, seat);
        } else {
            let facing = self.table.facing;
            let passes_on = price.debt == DebtAfterWrong::Passes;
            if let (Facing::Owed { cards, .. }, false) = (facing, passes_on) {
                self.draw_cards(witness, seat, cards, DrawReason::Owed);
            }
            self.penalise(witness, seat, price.cards, RuleFault::WrongCard);
            match facing {
                Facing::Skipped { skip, count } => self.suffer_skip(witness, skip, count),
                Facing::Owed { .. } if passes_on => self.pass_turn_facing(witness, 1, facing),
                _ => self.end_turn(witness, 1),
            }
        }
        Verdict::Refused(reason)
    }

    fn draw<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        if !self.may_draw_while_closing() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        match self.table.facing {
            Facing::Ordinary { drawn, .. } if drawn < self.rules.set.turn.draws && !self.is_dry() => {
                self.settle_turn(witness, seat);
                self.hear(witness, seat, say);
                self.close_turn(seat);
                self.finish_movement(witness, seat, Reach::Draw);
                let last = self.draw_cards(witness, seat, 1, DrawReason::Turn);
                if last.is_none() || self.table.anything || !self.rules.may_play_after_draw() {
                    // B-10; and G-07: a draw that nothing is left for counts as a pass.
                    self.end_turn(witness, 1);
                } else {
                    self.table.facing = Facing::Ordinary { drawn: drawn + 1, last };
                }
                self.heed(witness, seat, say);
                Verdict::Accepted
            }
            Facing::Race { .. } => self.draw_apart(witness, seat, say),
            Facing::Owed { debt, cards, live, drawn, own, .. } => {
                self.settle_turn(witness, seat);
                self.hear(witness, seat, say);
                let one_by_one = self.rules.set.turn.owed_one_by_one;
                let taken = if one_by_one { 1 } else { cards };
                self.finish_movement(witness, seat, Reach::Draw);
                let last = self.draw_cards(witness, seat, taken, DrawReason::Owed);
                let got = u16::from(last.is_some());
                if one_by_one && cards > 1 && last.is_some() {
                    let (drawn, own) = (drawn + 1, own + 1);
                    self.table.facing = Facing::Owed { debt, cards: cards - 1, begun: true, live, drawn, own };
                } else {
                    self.owe_done(seat, own + got);
                    self.after_owed(witness, self.rules.debts[debt as usize].then);
                }
                self.heed(witness, seat, say);
                Verdict::Accepted
            }
            Facing::Again { must: true } if self.may_draw_instead(seat) => {
                self.settle_turn(witness, seat);
                self.hear(witness, seat, say);
                self.draw_cards(witness, seat, 1, DrawReason::Turn);
                self.end_turn(witness, 1);
                Verdict::Accepted
            }
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    fn pass<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) -> Verdict {
        let facing = self.table.facing;
        if !self.may_pass() {
            return self.refuse(witness, seat, None, Reason::NotNow);
        }
        self.settle_turn(witness, seat);
        self.hear(witness, seat, say);
        self.tell(witness, Event::Passed { seat });
        match facing {
            Facing::Skipped { skip, count } => self.suffer_skip(witness, skip, count),
            _ => {
                self.count_pass();
                self.end_turn(witness, 1);
            }
        }
        Verdict::Accepted
    }

    /// Whether a further card that must be laid may be drawn for instead (D-64, D-65).
    pub(super) fn may_draw_instead(&self, seat: Seat) -> bool {
        self.rules.set.turn.again_may_draw || self.playable(seat).is_empty()
    }

    /// Whether the seat to move may pass: after its draws (K-16, B-30), after an ace or nine (B-22, K-35), or facing a
    /// skip (K-23).
    #[inline]
    pub(super) fn may_pass(&self) -> bool {
        match self.table.facing {
            Facing::Ordinary { drawn, .. } => {
                (self.rules.may_play_after_draw() && drawn >= self.rules.set.turn.draws) || self.is_dry()
            }
            Facing::Skipped { .. } | Facing::Again { must: false } => true,
            Facing::Owed { .. } | Facing::Again { must: true } | Facing::Naming | Facing::Race { .. } => false,
        }
    }

    fn choose<W: Witness>(&mut self, witness: &mut W, seat: Seat, choice: Choice, say: &Say) -> Verdict {
        match (self.table.facing, choice) {
            (Facing::Naming, _) if self.may_name(choice) => {
                self.hear(witness, seat, say);
                self.tell(witness, Event::Chose { seat, choose: choice });
                self.name(witness, choice);
                Verdict::Accepted
            }
            (Facing::Naming, Choice::Suit(_)) if self.names_new_suit() => self.refuse_suit(witness, seat),
            (Facing::Naming, _) => self.refuse(witness, seat, None, Reason::ChoiceWrong),
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// What was waited for is named; the card then does what else it does (K-10).
    pub(super) fn name<W: Witness>(&mut self, witness: &mut W, choice: Choice) {
        let (seat, card) = (self.table.turn, self.top());
        let request = card.and_then(|card| self.requests(card));
        match (card, choice, request) {
            (_, choice, Some(request)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            (Some(card), Choice::Suit(suit), None) => {
                self.table.suit = Some(suit);
                self.land(witness, seat, card, Way::Turn);
            }
            _ => self.end_turn(witness, 1),
        }
    }

    /// The cards that the seat to move may lay, whatever it holds: by suit or value, a wished suit, at any time, or as an
    /// answer (B-05, B-17, B-18, B-23, K-13, K-18, K-28, K-32, K-60).
    #[inline]
    pub(super) fn layable(&self) -> CardSet {
        match self.table.facing {
            Facing::Owed { begun: true, .. } => CardSet::EMPTY,
            Facing::Owed { debt, .. } => self.rules.debts[debt as usize].answers,
            Facing::Skipped { skip, .. } => self.rules.skips[skip as usize].answers,
            Facing::Naming => CardSet::EMPTY,
            Facing::Race { .. } => CardSet::ALL,
            Facing::Ordinary { drawn: 1.., last } if self.rules.set.turn.after_draw == AfterDraw::DrawnCard => {
                last.map_or(CardSet::EMPTY, CardSet::of).intersect(self.matching())
            }
            Facing::Ordinary { .. } | Facing::Again { .. } => self.matching(),
        }
    }

    #[inline]
    fn matching(&self) -> CardSet {
        let Some(top) = self.visible_top() else { return CardSet::ALL };
        if self.table.anything {
            return CardSet::ALL;
        }
        if let Some(standing) = &self.table.request {
            return self.layable_under(standing, self.table.turn);
        }
        let fits = match self.table.suit {
            Some(suit) => CardSet::suit(suit),
            // P-30: until a suit is stated nothing fits.
            None if self.table.suit_open => CardSet::EMPTY,
            None => self.rules.fits[top.index()],
        };
        fits.union(self.rules.any_time)
    }
}
