//! Playing a card: whether it may be played, and what happens to one that may not. It judges the play; `place_card` moves
//! the card, and `effects` says what it does.

use maumau_protocol::ruleset::DebtAfterWrong;
use maumau_protocol::{Card, CardSet, Choice, Event, Reach, Reason, RuleFault, Say, Seat, SeatSet, Suit};

use crate::game::speech::PlayedCards;
use crate::game::way::{PlayGround, PlayWay};
use crate::game::{Facing, Game, Phase, Verdict, Witness};

/// A card that may be played, or that lies until it is called.
pub(super) struct Admitted {
    way: PlayWay,
    free: bool,
    /// The suit that was stated with it for the card before.
    suit_said: Option<Suit>,
    /// Why it is wrong.
    stands: Option<Reason>,
}

impl Admitted {
    /// A fitting card played in turn without a word.
    pub(super) const ORDINARY: Admitted = Admitted { way: PlayWay::Turn, free: false, suit_said: None, stands: None };
}

impl Game {
    /// `seat` plays a card.
    #[inline(never)]
    pub(in crate::game) fn play<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
    ) -> Verdict {
        if matches!(say, Say::Nothing) && self.is_ordinary::<PLAIN>(seat, card, choose) {
            self.table.patience.acted();
            return self.place_admitted::<PLAIN, _>(
                witness,
                seat,
                card,
                None,
                choose,
                &Say::Nothing,
                Admitted::ORDINARY,
            );
        }
        self.play_judged(witness, seat, card, choose, say)
    }

    /// As [`Game::play`], for a card that needs the full judgement.
    #[inline(never)]
    fn play_judged<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
    ) -> Verdict {
        if self.phase != Phase::Play {
            return self.refuse_untimely(witness, seat);
        }
        match self.admit(witness, seat, card, choose, say) {
            Ok(admitted) => self.place_admitted::<false, _>(witness, seat, card, None, choose, say, admitted),
            Err(verdict) => verdict,
        }
    }

    /// Plays a card that was admitted, by itself or as the one for which it stands.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) fn place_admitted<const PLAIN: bool, W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        stands_for: Option<Card>,
        choose: Option<Choice>,
        say: &Say,
        Admitted { way, free, suit_said, stands }: Admitted,
    ) -> Verdict {
        let features = self.features::<PLAIN>();
        self.record_words_of_play(witness, seat, say, features.announcements);
        if let Some(suit) = suit_said {
            self.state_suit(witness, seat, suit);
        }
        if features.announcements {
            self.settle_announcements(witness, seat);
        }
        if way == PlayWay::Race {
            self.settle_race(witness, seat);
        }
        let turn = self.table.turns;
        if stands == Some(Reason::NotYourTurn) || way == PlayWay::Interjection {
            // P-58, P-88: this is no ordinary turn, and movements are cut short.
            self.forget_movements();
        } else if !free {
            self.close_turn(seat);
            if features.movements {
                self.finish_movement(witness, seat, Reach::Play);
            }
        }
        self.emit_with(witness, || Event::Played { seat, card, stands_for, choose });
        match free {
            true => self.place_free_card(witness, seat, card, say),
            false => self.place_card::<PLAIN, _>(witness, seat, card, stands_for, choose, say, way),
        }
        if features.speech {
            self.owe_calls(PlayedCards { seat, kinds: CardSet::of(card), way, turn, first: false });
            self.state_chosen(witness, seat, choose);
            self.on_speech(witness, seat, say);
        }
        Verdict::Accepted
    }

    /// Whether `card` may be played in turn because it fits and nothing else matters: most plays by most rule sets are of
    /// this kind. [`Game::admit`] judges all others.
    #[inline(always)]
    fn is_ordinary<const PLAIN: bool>(&self, seat: Seat, card: Card, choose: Option<Choice>) -> bool {
        self.phase == Phase::Play
            && seat == self.table.seating.turn()
            && (PLAIN || self.judges_by_fit)
            && self.table.mau.owing().is_empty()
            && self.fits_in_turn(seat, card, choose)
    }

    /// Whether `seat` holds `card`, it fits, and the choice named with it is right.
    #[inline(always)]
    fn fits_in_turn(&self, seat: Seat, card: Card, choose: Option<Choice>) -> bool {
        let hand = self.hand(seat);
        hand.kinds().intersect(self.allowed_cards()).holds(card)
            && (hand.len() > 1 || !self.rules.bars_last)
            && self.judge_choice(seat, card, choose).is_ok()
    }

    /// The suit that `seat` states with the very card that needs it, if one is awaited (P-30).
    #[inline(always)]
    pub(super) fn suit_stated_with(&self, seat: Seat, way: PlayWay, say: &Say) -> Option<Suit> {
        let open = self.table.pile.waits_for_suit();
        if open && way == PlayWay::Turn && seat == self.table.seating.turn() { self.suit_said(say) } else { None }
    }

    /// Judges `card` by all rules, in turn or out of turn; settles overdue duties before it is played. If it may not be played,
    /// it is refused at its price.
    fn admit<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        choose: Option<Choice>,
        say: &Say,
    ) -> Result<Admitted, Verdict> {
        // P-05, P-96: a seat that may not play any card does not learn whether it holds this one.
        if self.rests() {
            return Err(self.refuse(witness, seat, Some(card), Reason::Rests));
        }
        if !self.has_looked(seat) {
            return Err(self.refuse(witness, seat, Some(card), Reason::NotLooked));
        }
        // G-04: something that is no possible play at all is no rule fault.
        if !self.hand(seat).contains(card) {
            if self.table.sealed.of(seat).contains(card) {
                return Err(self.misplay(witness, seat, card, Reason::Sealed));
            }
            return Err(self.refuse(witness, seat, Some(card), Reason::NotInHand));
        }
        let choice = self.judge_choice(seat, card, choose);
        if let Err(Reason::ChoiceWrong) = choice {
            return Err(self.refuse(witness, seat, Some(card), Reason::ChoiceWrong));
        }
        let way = self.way(seat, card, say);
        if way == PlayWay::Overtaken {
            return Err(self.refuse(witness, seat, Some(card), Reason::Interrupted));
        }
        let said_mau = self.says_mau(say);
        let suit_said = self.suit_stated_with(seat, way, say);
        if suit_said.is_some() {
            self.table.pile.serve_suit(suit_said, &self.rules);
        }
        let judged = self.judge_play(seat, card, said_mau, way);
        let lies = judged.is_ok() || judged.is_err_and(|reason| self.may_stand(reason));
        if (judged.is_err() || choice.is_err()) && suit_said.is_some() {
            self.table.pile.serve_suit(None, &self.rules);
        }
        if let (Err(reason), true) = (choice, lies) {
            // Only a card that may lie needs its choice: any other is a wrong card anyway.
            return Err(self.refuse(witness, seat, Some(card), reason));
        }
        if let Err(reason) = judged
            && (reason == Reason::NotNow || self.unless_interrupted(seat, Some(card), reason) != reason)
        {
            return Err(self.refuse(witness, seat, Some(card), reason));
        }
        let free = self.is_free(card);
        let in_turn = seat == self.table.seating.turn();
        // B-14, D-29: a wrong card that ends the turn is a move, too.
        let moves = judged.is_ok() || (in_turn && (lies || self.rules.set.prices.misplay.ends_turn));
        let mut judged = judged;
        if moves && !self.table.mau.owing().is_empty() {
            self.settle_mau(witness);
            judged = self.judge_play(seat, card, said_mau, way);
        }
        let stands = judged.is_err_and(|reason| self.may_stand(reason));
        if (judged.is_ok() || stands) && !free {
            self.settle_takes(witness, seat);
            if !self.hand(seat).contains(card) {
                // An overdue take has just drawn this very card; a threat stays as it was (G-02).
                return Err(self.refuse(witness, seat, Some(card), Reason::Interrupted));
            }
            self.table.patience.acted();
            self.settle_threat(witness, seat);
        }
        let stands = match judged {
            Err(reason) if !stands => return Err(self.misplay(witness, seat, card, reason)),
            Err(reason) => {
                self.let_stand(witness, seat, reason);
                Some(reason)
            }
            Ok(()) => {
                self.forget_wrong_card();
                None
            }
        };
        if self.features.challenges {
            self.note_doubt(seat, card);
        }
        if self.features.runs {
            self.note_run(seat, card);
        }
        Ok(Admitted { way, free, suit_said, stands })
    }

    /// Whether the choice named with `card` is one that the card allows (G-04, D-52). A card that serves a request, or is
    /// powerless under it, names nothing (D-48, D-58).
    #[inline(always)]
    pub(super) fn judge_choice(&self, seat: Seat, card: Card, choose: Option<Choice>) -> Result<(), Reason> {
        if choose.is_none() && !self.rules.naming.contains(card) {
            return Ok(());
        }
        if self.table.request.stands() && (self.serves(card) || self.is_powerless(card)) {
            return if choose.is_none() { Ok(()) } else { Err(Reason::ChoiceWrong) };
        }
        if self.rules.chooses_seat.contains(card) {
            return self.judge_chosen(seat, choose);
        }
        match (choose, self.requests(card)) {
            (None, Some(request)) if !request.may_decline => Err(Reason::ChoiceMissing),
            (Some(choice), Some(request)) => self.can_name(request, choice).then_some(()).ok_or(Reason::ChoiceWrong),
            (None, Some(_)) => Ok(()),
            (None, None) if self.rules.must_choose.contains(card) => Err(Reason::ChoiceMissing),
            (None, None) => Ok(()),
            // N-57: naming a forbidden suit is a mistake by the rules, not by the protocol.
            (Some(Choice::Suit(suit)), None)
                if self.rules.chooses.union(self.rules.spoken).contains(card) && self.knows_suit(suit) =>
            {
                Ok(())
            }
            (Some(_), None) => Err(Reason::ChoiceWrong),
        }
    }

    /// Whether `seat` chooses another seat that still plays (G-59).
    #[cold]
    fn judge_chosen(&self, seat: Seat, choose: Option<Choice>) -> Result<(), Reason> {
        match choose {
            None => Err(Reason::ChoiceMissing),
            Some(Choice::Seat(chosen)) if self.may_be_chosen(seat).contains(chosen) => Ok(()),
            Some(_) => Err(Reason::ChoiceWrong),
        }
    }

    /// The seats that `seat` may choose.
    pub(in crate::game) fn may_be_chosen(&self, seat: Seat) -> SeatSet {
        Seat::all(self.seats()).filter(|other| *other != seat && !self.table.places.is_out(*other)).collect()
    }

    #[inline]
    pub(in crate::game) fn says_mau(&self, say: &Say) -> bool {
        self.rules.mau.is_some() && say.texts().iter().any(|text| self.warnings_in(text.as_str()).mau)
    }

    /// Whether `seat` may play `card`, which it holds, in the present position.
    fn judge_play(&self, seat: Seat, card: Card, said_mau: bool, way: PlayWay) -> Result<(), Reason> {
        self.judge_play_by(seat, card, said_mau, way).map(drop)
    }

    /// As [`Game::judge_play`], with the ground on which it may be played; `None` stands for an ordinary card in turn, whose
    /// ground `ground` finds. Inlined, so that nothing is left of the ground where only the judgement is asked for.
    #[inline(always)]
    pub(super) fn judge_play_by(
        &self,
        seat: Seat,
        card: Card,
        said_mau: bool,
        way: PlayWay,
    ) -> Result<Option<PlayGround>, Reason> {
        let in_turn = seat == self.table.seating.turn();
        if self.table.facing == Facing::Naming {
            // G-26: nothing is played before something has been named.
            return Err(if in_turn { Reason::NotNow } else { Reason::NotYourTurn });
        }
        if self.is_free(card) {
            return Ok(Some(PlayGround::Free));
        }
        if !self.may_play_while_closing(seat) {
            return Err(Reason::NotNow);
        }
        if self.table.threat.victim() == Some(seat) {
            // N-41, N-69: the turn is another seat's already, so anything but an answer comes out of turn.
            let answers = self.answers_of(seat).contains(card);
            return answers.then_some(Some(PlayGround::AnswersSkip)).ok_or(Reason::NotYourTurn);
        }
        let ground = if matches!(way, PlayWay::Interjection | PlayWay::Race) {
            // P-33, P-41: the card has no other condition to meet.
            Some(if way == PlayWay::Race { PlayGround::WonRace } else { PlayGround::Twin })
        } else if in_turn {
            if !self.allowed_cards().contains(card) || self.is_barred_here(card) {
                return Err(Reason::DoesNotFit);
            }
            None
        } else if self.rules.out_of_turn.contains(card) && self.open_between_turns() {
            Some(PlayGround::BetweenTurns)
        } else {
            return Err(Reason::NotYourTurn);
        };
        self.may_be_last(seat, card, said_mau).then_some(ground).ok_or(Reason::MayNotBeLast)
    }

    /// Whether nothing bars `card` from being the last one, if it is (K-38, K-42).
    #[inline]
    pub(in crate::game) fn may_be_last(&self, seat: Seat, card: Card, said_mau: bool) -> bool {
        self.hand(seat).len() > 1 || self.may_finish_with(seat, card, said_mau)
    }

    /// Whether nothing bars `card` from being the last one of the hand.
    #[inline]
    pub(super) fn may_finish_with(&self, seat: Seat, card: Card, said_mau: bool) -> bool {
        if !self.rules.bars_last || self.mau_is_charged_first(seat) {
            return true;
        }
        // D-78, D-79: what a last card costs is no way out while a request stands.
        let costs = !self.rules.faces[card.index()].last_costs.is_nothing() && !self.table.request.stands();
        let barred = self.rules.never_last.contains(card) && !costs;
        (!barred || self.serves(card)) && self.may_finish(seat, said_mau)
    }

    /// A wrong card goes back to the hand, at its price (B-36, B-49, K-50, K-68).
    pub(in crate::game) fn misplay<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        reason: Reason,
    ) -> Verdict {
        let price = self.rules.set.prices.misplay;
        let shown = self.rules.set.calls.cards > 0;
        self.emit(witness, Event::Refused { seat, card: Some(card), reason, shown });
        if reason == Reason::Sealed {
            self.penalise(witness, seat, price.cards.into(), RuleFault::Sealed);
            self.count_refusal(witness, seat);
        } else if seat != self.table.seating.turn() {
            self.penalise(witness, seat, price.out_of_turn.unwrap_or(price.cards).into(), RuleFault::OutOfTurn);
            if price.called {
                // P-74, P-103: the card goes back at once, its price waits for a call.
                self.note(witness, seat, RuleFault::OutOfTurn);
            }
        } else if !price.ends_turn {
            self.penalise(witness, seat, price.cards.into(), RuleFault::WrongCard);
            if price.called {
                self.note(witness, seat, RuleFault::WrongCard);
            }
            self.count_refusal(witness, seat);
        } else {
            // N-42: the seat after the threatened one has acted, though in vain.
            self.suffer_threat(witness);
            let facing = self.table.facing;
            let passes_on = price.debt == DebtAfterWrong::Passes;
            if let (Facing::Owed(owed), false) = (facing, passes_on) {
                self.draw_all_owed(witness, owed);
            }
            self.penalise(witness, seat, price.cards.into(), RuleFault::WrongCard);
            match facing {
                Facing::Skipped { skip, count } => self.suffer_skip(witness, skip, count),
                // D-74: the seat on which the rest falls has not begun to draw.
                Facing::Owed(owed) if passes_on => self.pass_turn_facing(witness, 1, Facing::Owed(owed.passed_on())),
                Facing::Owed(owed) => self.end_turn(witness, self.steps_after(owed)),
                _ => self.end_turn(witness, 1),
            }
        }
        Verdict::Refused(reason)
    }
}
