//! Suits and values that are named apart from a card.

use maumau_protocol::{Choice, Event, EventNumber, Reason, Say, Seat};

use crate::game::way::Way;
use crate::game::{Facing, Game, Verdict, Witness};

impl Game {
    /// Names what is waited for.
    pub(in crate::game) fn choose<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        choice: Choice,
        say: &Say,
        as_of: EventNumber,
    ) -> Verdict {
        if seat != self.table.turn {
            return self.refuse_out_of_turn(witness, seat, as_of);
        }
        match (self.table.facing, choice) {
            (_, Choice::Suit(suit)) if self.table.pile.waits_for_suit() => {
                self.record_speech(witness, seat, say);
                self.state_suit(witness, seat, suit);
                Verdict::Accepted
            }
            (Facing::Naming, _) if self.may_name(choice) => {
                self.record_speech(witness, seat, say);
                self.tell(witness, Event::Chose { seat, choose: choice });
                self.name(witness, choice);
                Verdict::Accepted
            }
            (Facing::Naming, Choice::Suit(_)) if self.names_new_suit() => self.refuse_suit(witness, seat),
            (Facing::Naming, _) => self.refuse(witness, seat, None, Reason::ChoiceWrong),
            _ => self.refuse(witness, seat, None, Reason::NotNow),
        }
    }

    /// Names what was waited for; the card then has its other effects (K-10).
    pub(in crate::game) fn name<W: Witness>(&mut self, witness: &mut W, choice: Choice) {
        let (seat, card) = (self.table.turn, self.top());
        let request = card.and_then(|card| self.requests(card));
        match (card, choice, request) {
            (_, choice, Some(request)) => {
                self.begin_request(witness, seat, request, choice);
                self.end_turn(witness, 1);
            }
            (Some(card), Choice::Suit(suit), None) => {
                self.table.pile.serve_suit(Some(suit), &self.rules);
                self.run_effects(witness, seat, card, Way::Turn);
            }
            _ => self.end_turn(witness, 1),
        }
    }
}
