//! Cards that stand for others (G-79): what their player may name for them, and how they are played. A card that has been
//! named is judged, and takes effect, in the files of all other cards; only the card itself moves from the hand to the pile.

use maumau_protocol::{Card, CardSet, Choice, Reason, Say, Seat};

use super::play::Admitted;
use crate::game::{Facing, Game, Phase, Verdict, Witness};

impl Game {
    /// The cards for which `card`, held by the seat to move, may stand now; none if it stands for no other.
    pub(in crate::game) fn may_stand_for(&self, seat: Seat, card: Card) -> CardSet {
        self.without_barred(seat, self.fitting_as(seat, card))
    }

    /// As [`Game::may_stand_for`], whether they may be the last card or not.
    fn fitting_as(&self, seat: Seat, card: Card) -> CardSet {
        if !self.rules.stand_ins.contains(card) || seat != self.table.seating.turn() {
            return CardSet::EMPTY;
        }
        let allowed = match self.table.facing {
            Facing::Ordinary { last: Some(last), .. } if self.rules.plays_drawn_only => match last == card {
                true => self.matching(),
                false => CardSet::EMPTY,
            },
            Facing::Ordinary { drawn, .. } if drawn > 0 && self.rules.plays_drawn_only => CardSet::EMPTY,
            Facing::Owed(owed) => match owed.rescuing() {
                Some(rescuing) if rescuing == card => self.answers_to(owed.passed_on()),
                Some(_) => CardSet::EMPTY,
                None => self.answers_to(owed),
            },
            _ => self.allowed_cards(),
        };
        let named = allowed.intersect(self.rules.stands_for);
        if named.intersect(self.rules.choosy).is_empty() {
            return named;
        }
        named.iter().filter(|card| !self.is_barred_here(*card)).collect()
    }

    /// The cards in the hand of the seat to move that may be played as others.
    #[inline]
    pub(in crate::game) fn playable_stand_ins(&self, seat: Seat) -> CardSet {
        if self.features.stand_ins { self.held_stand_ins(seat) } else { CardSet::EMPTY }
    }

    #[cold]
    fn held_stand_ins(&self, seat: Seat) -> CardSet {
        let held = self.hand(seat).kinds().intersect(self.rules.stand_ins).iter();
        held.filter(|card| !self.may_stand_for(seat, *card).is_empty()).collect()
    }

    /// `seat` plays `card` as `named`.
    #[cold]
    pub(in crate::game) fn play_as<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        card: Card,
        named: Card,
        choose: Option<Choice>,
        say: &Say,
    ) -> Verdict {
        if self.phase != Phase::Play {
            return self.refuse_untimely(witness, seat);
        }
        if !self.hand(seat).contains(card) {
            return self.refuse(witness, seat, Some(card), Reason::NotInHand);
        }
        if !(self.rules.stand_ins.contains(card) && self.rules.stands_for.contains(named)) {
            return self.refuse(witness, seat, Some(card), Reason::ChoiceWrong);
        }
        let said_mau = self.says_mau(say);
        let choice = self.judge_choice(seat, named, choose);
        let judge = |game: &Game| game.judge_as(seat, card, named, said_mau);
        match self.admit_whole(witness, seat, (card, card), choice, judge) {
            Err(verdict) => verdict,
            Ok(()) => {
                self.table.patience.acted();
                if self.features.challenges {
                    self.note_doubt(seat, named);
                }
                if self.features.runs {
                    self.note_run(seat, named);
                }
                let (stands_for, admitted) = (Some(named), Admitted::ORDINARY);
                self.place_admitted::<false, _>(witness, seat, card, stands_for, choose, say, admitted)
            }
        }
    }

    /// Whether `seat` may play `card` as `named` now.
    pub(super) fn may_play_as(&self, seat: Seat, card: Card, named: Card, said_mau: bool) -> bool {
        self.hand(seat).contains(card) && self.judge_as(seat, card, named, said_mau).is_ok()
    }

    /// As [`Game::may_play_as`], for a card that `seat` holds.
    fn judge_as(&self, seat: Seat, card: Card, named: Card, said_mau: bool) -> Result<(), Reason> {
        if seat != self.table.seating.turn() {
            return Err(Reason::NotYourTurn);
        }
        if self.table.facing == Facing::Naming {
            return Err(Reason::NotNow);
        }
        match self.fitting_as(seat, card).contains(named) {
            true if self.may_be_last(seat, named, said_mau) => Ok(()),
            true => Err(Reason::MayNotBeLast),
            false => Err(Reason::DoesNotFit),
        }
    }
}
