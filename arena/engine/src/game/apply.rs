//! One action of one seat: judged in the present position, then accepted or refused as a whole (G-02). The effect of
//! each kind of action is in its own file. Here its speech is recorded and its refusals are counted.

use maumau_protocol::ruleset::{DealtBy, Look, Loud};
use maumau_protocol::{Action, Card, Event, EventNumber, Reason, Say, Seat, Stand, Text, Verb};

use super::{Game, Phase, Verdict, Witness};

impl Game {
    /// Takes up `action` of `seat`, which had seen events up to `as_of`.
    ///
    /// The price that the rules put on a refused action is charged here and stands in the events; whether the action is also
    /// a conduct fault is for the referee to decide.
    pub fn apply<W: Witness>(&mut self, seat: Seat, action: &Action, as_of: EventNumber, witness: &mut W) -> Verdict {
        self.apply_verb(seat, &action.verb, &action.say, as_of, witness)
    }

    /// As [`Game::apply`], with the action in its two parts, so that a verb made by [`Legal::nth`](super::Legal::nth) need
    /// not be moved.
    #[inline(always)]
    pub fn apply_verb<W: Witness>(
        &mut self,
        seat: Seat,
        verb: &Verb,
        say: &Say,
        as_of: EventNumber,
        witness: &mut W,
    ) -> Verdict {
        self.table.changes.act_as_of(as_of);
        if self.table.changes.act_is_of_earlier_round() {
            // G-03: what was decided in an earlier round is not carried out in this one.
            return self.refuse(witness, seat, None, Reason::Interrupted);
        }
        match (verb, self.is_plain) {
            (Verb::Play { card, choose }, true) => self.play::<true, _>(witness, seat, *card, *choose, say),
            (Verb::Play { card, choose }, _) => self.play::<false, _>(witness, seat, *card, *choose, say),
            (Verb::Draw, true) => self.draw::<true, _>(witness, seat, say),
            (Verb::Draw, _) => self.draw::<false, _>(witness, seat, say),
            (Verb::Pass, true) => self.pass::<true, _>(witness, seat, say),
            (Verb::Pass, _) => self.pass::<false, _>(witness, seat, say),
            _ => self.apply_rare(seat, verb, say, as_of, witness),
        }
    }

    /// Refuses a play, draw or pass while no cards are played, or while play rests.
    #[cold]
    pub(in crate::game) fn refuse_untimely<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        let reason = if self.phase == Phase::Play { Reason::Rests } else { Reason::NotNow };
        self.refuse(witness, seat, None, reason)
    }

    /// Like [`Game::apply_verb`], for the verbs other than play, draw and pass.
    #[cold]
    fn apply_rare<W: Witness>(
        &mut self,
        seat: Seat,
        verb: &Verb,
        say: &Say,
        as_of: EventNumber,
        witness: &mut W,
    ) -> Verdict {
        if !self.knows(verb) {
            return self.refuse_unknown(witness, seat);
        }
        match (verb, self.phase) {
            (Verb::PlayTogether { cards, choose, close }, _) => match cards.as_slice() {
                // A single card is one of several only where it goes on with a run and leaves it open (G-73).
                [card] if *close || !self.goes_on(seat, *card) => {
                    self.play::<false, _>(witness, seat, *card, *choose, say)
                }
                cards => self.play_together(witness, seat, cards, *choose, *close, say),
            },
            (Verb::PlayAs { card, stands_for, choose }, _) => {
                self.play_as(witness, seat, *card, *stands_for, *choose, say)
            }
            (Verb::ChooseRule { rule }, _) => self.choose_rule(witness, seat, rule, say),
            (Verb::Choose(_), Phase::Play) if self.rests() => self.refuse(witness, seat, None, Reason::Rests),
            (Verb::Choose(choice), Phase::Play) => self.choose(witness, seat, *choice, say),
            (Verb::Challenge, Phase::Play) => self.challenge(witness, seat, say),
            (Verb::Take { from }, Phase::Play) => self.take(witness, seat, *from, say),
            (Verb::Look, Phase::Play) if self.sealed(seat) > 0 => self.look_at_sealed(witness, seat),
            (Verb::Look, _) => self.look(witness, seat, say),
            // G-19: every seat may speak and call in every phase.
            (Verb::Say { text }, _) => {
                say.texts().iter().chain([text]).for_each(|text| self.record_text(witness, seat, text, true));
                self.on_speech(witness, seat, say);
                self.on_text(witness, seat, text);
                Verdict::Accepted
            }
            (Verb::Call { against, fault }, _) => {
                self.speak(witness, seat, say);
                self.call(witness, seat, *against, fault, as_of)
            }
            (Verb::PointOfOrder, _) => self.pause(witness, seat, say),
            (Verb::EndPointOfOrder, _) => self.unpause(witness, seat, say),
            (Verb::Glare { at }, _) => self.glare(witness, seat, *at, say),
            (Verb::Reach { r#for }, _) => self.reach(witness, seat, *r#for, say),
            (Verb::Deal { to }, _) => self.deal_cards(witness, seat, to, say),
            (Verb::DealPenalties, _) => self.deal_penalties(witness, seat, say),
            (Verb::Count, _) => self.count(witness, seat, say),
            (Verb::PickUp, _) => self.pick_up(witness, seat, say),
            (Verb::Choose(choice), Phase::Deal | Phase::TurnUp) => self.choose_proper(witness, seat, *choice, say),
            (Verb::TurnUp, Phase::Deal | Phase::TurnUp) => self.turn_up_by(witness, seat, say),
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// Whether any seat could ever do `verb` by these rules; at no other time is a verb unknown.
    pub(in crate::game) fn knows(&self, verb: &Verb) -> bool {
        let (rules, set) = (&self.rules, &self.rules.set);
        // A position may be set up in a deal that the referee would have dealt.
        let deals = set.deal.by == DealtBy::Dealer || matches!(self.phase, Phase::Deal | Phase::TurnUp);
        match verb {
            Verb::PlayTogether { .. } => !rules.together.is_empty(),
            Verb::PlayAs { .. } => rules.features.stand_ins,
            Verb::Pass => rules.passes,
            Verb::Challenge => rules.features.challenges,
            Verb::Choose(_) => !rules.naming.is_empty() || self.deals_freely(),
            Verb::ChooseRule { .. } => self.menu.is_some(),
            Verb::Take { .. } => rules.takes,
            Verb::Deal { .. } => deals,
            Verb::DealPenalties | Verb::Count | Verb::PickUp => deals && !self.deals_freely(),
            Verb::Look => set.deal.look != Look::Dealt || set.point_of_order.is_some() || set.prices.sealed,
            Verb::Glare { .. } => set.talk.as_ref().is_some_and(|talk| talk.loud != Loud::Off),
            Verb::Reach { .. } => self.conduct.is_some(),
            Verb::PointOfOrder | Verb::EndPointOfOrder => set.point_of_order.is_some(),
            Verb::Play { .. } | Verb::Draw | Verb::Say { .. } | Verb::Call { .. } | Verb::TurnUp | Verb::Wait => true,
        }
    }

    /// Refuses a verb that the rule set does not know: whatever has happened, it was never right.
    #[cold]
    pub(in crate::game) fn refuse_unknown<W: Witness>(&mut self, witness: &mut W, seat: Seat) -> Verdict {
        self.emit(witness, Event::Refused { seat, card: None, reason: Reason::NotNow, shown: false });
        if !self.rests() {
            self.count_refusal(witness, seat);
        }
        Verdict::Refused(Reason::NotNow)
    }

    /// `seat` says `say` before the effects of an action that is accepted and that no words are due with (G-11).
    pub(in crate::game) fn speak<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        say.texts().iter().for_each(|text| self.record_text(witness, seat, text, true));
        self.on_speech(witness, seat, say);
    }

    /// `seat` says `say` with an action that words may be due with.
    #[inline(always)]
    pub(in crate::game) fn record_speech<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        if !matches!(say, Say::Nothing) {
            self.record_texts(witness, seat, say);
        }
    }

    /// `seat` says `say` with one card or several that it plays: whether that is the warning depends on the cards that are then left.
    #[inline(always)]
    pub(in crate::game) fn record_words_of_play<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        say: &Say,
        announcements: bool,
    ) {
        for text in say.texts() {
            self.emit(witness, Event::Said { seat, text: text.clone(), apart: false });
            if announcements {
                self.hear_announcement(seat, text.as_str());
            }
        }
    }

    fn record_texts<W: Witness>(&mut self, witness: &mut W, seat: Seat, say: &Say) {
        say.texts().iter().for_each(|text| self.record_text(witness, seat, text, false));
    }

    /// `seat` says `text`, by itself or with an action other than a card that is played.
    fn record_text<W: Witness>(&mut self, witness: &mut W, seat: Seat, text: &Text, apart: bool) {
        self.emit(witness, Event::Said { seat, text: text.clone(), apart });
        self.hear_mau(seat, text.as_str());
        if self.rules.false_mau_costs && self.warnings_in(text.as_str()).mau {
            self.charge_false_mau(witness, seat);
        }
        if self.features.announcements {
            self.hear_announcement(seat, text.as_str());
        }
    }

    /// Refuses an action without a price: as interrupted if something the seat had not seen made it wrong (G-03). Refusals
    /// of the seat to move are counted, so that it cannot hold up the game (G-21).
    #[cold]
    pub(in crate::game) fn refuse<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Option<Card>,
        reason: Reason,
    ) -> Verdict {
        let reason = self.unless_interrupted(seat, card, reason);
        self.emit(witness, Event::Refused { seat, card, reason, shown: false });
        if !matches!(reason, Reason::Interrupted | Reason::Rests) && !self.rests() {
            self.count_refusal(witness, seat);
        }
        Verdict::Refused(reason)
    }

    pub(in crate::game) fn count_refusal<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let to_move = matches!(self.phase, Phase::Play | Phase::ChooseRule) && self.waits_for() == Some(seat);
        if to_move && self.table.patience.refuse() >= self.rules.set.turn.max_refusals {
            self.act_for(seat, Stand::Refusals, witness);
        }
    }
}
