//! Requests: a value or suit that binds the whole table while no card has an effect (D-41 to D-61).

use maumau_protocol::ruleset::{Named, Request, RequestEnds};
use maumau_protocol::{Card, CardSet, Choice, DrawReason, Event, Seat, SeatSet};

use crate::game::{Game, Witness};

/// A request that binds the whole table (D-45).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Standing {
    pub(in crate::game) names: Choice,
    pub(in crate::game) by: Seat,
    pub(in crate::game) ends: RequestEnds,
    /// The turn in which it was made.
    pub(in crate::game) made: u32,
    /// Seats that have served it.
    pub(in crate::game) served: SeatSet,
    /// Seats that have had a turn at it.
    pub(in crate::game) had_turn: SeatSet,
    /// Turns in a row in which no seat served it and none could draw.
    pub(in crate::game) fruitless: usize,
}

impl Standing {
    /// The cards that serve it.
    pub(in crate::game) fn serving(&self) -> CardSet {
        match self.names {
            Choice::Suit(suit) => CardSet::suit(suit),
            Choice::Rank(rank) => CardSet::rank(rank),
        }
    }
}

/// The request that stands, and what the seat to move has done about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct RequestState {
    pub(in crate::game) standing: Option<Standing>,
    /// Whether the seat to move has served the request or taken a card in this turn.
    pub(in crate::game) fruitful: bool,
}

impl Game {
    /// The request that `card` makes, if it makes one.
    #[inline]
    pub(in crate::game) fn requests(&self, card: Card) -> Option<Request> {
        self.rules.faces[card.index()].request
    }

    /// Whether `choice` is one that `request` can name (D-52).
    pub(in crate::game) fn can_name(&self, request: Request, choice: Choice) -> bool {
        match (request.names, choice) {
            (Named::Rank, Choice::Rank(rank)) => self.rules.has_rank(rank),
            (Named::Suit, Choice::Suit(_)) => true,
            _ => false,
        }
    }

    /// Under a request: the cards that `seat` may lay, in hand or not: what serves it, and cards that revoke it as long as
    /// no seat has served it (D-43, D-46, D-48, D-49, D-53, D-56, D-57, D-58, D-59).
    pub(super) fn layable_under(&self, standing: &Standing, seat: Seat) -> CardSet {
        let revoking = match standing.names {
            _ if !standing.served.is_empty() || standing.by == seat => CardSet::EMPTY,
            Choice::Rank(_) => self.rules.request_ranks,
            Choice::Suit(_) => self.rules.request_suits,
        };
        standing.serving().union(revoking)
    }

    /// Whether `card`, laid now, would only serve the request that stands.
    #[inline]
    pub(super) fn serves(&self, card: Card) -> bool {
        self.table.request.standing.is_some_and(|standing| standing.serving().contains(card))
    }

    /// `seat` has served the request: the card has no effect (D-42, D-55, D-82).
    pub(super) fn note_served(&mut self, seat: Seat) {
        if let Some(standing) = &mut self.table.request.standing {
            standing.served.insert(seat);
        }
        self.table.request.fruitful = true;
    }

    /// A request begins; naming what one does not hold costs cards (D-41, D-47, D-50, D-51, D-54, D-60).
    pub(super) fn begin_request<W: Witness>(&mut self, witness: &mut W, by: Seat, request: Request, names: Choice) {
        if self.table.request.standing.is_some() {
            self.tell(witness, Event::Revoked { by });
        }
        let standing = Standing {
            names,
            by,
            ends: request.ends,
            made: self.table.turns,
            served: SeatSet::EMPTY,
            had_turn: SeatSet::EMPTY,
            fruitless: 0,
        };
        self.table.request.standing = Some(standing);
        if self.hand(by).kinds().intersect(standing.serving()).is_empty() {
            self.draw_cards(witness, by, u16::from(request.unheld_costs), DrawReason::Owed);
        }
    }

    /// At the end of a turn: who has had it, and whether the request is over with it (D-38, D-44, D-45).
    #[inline]
    pub(super) fn request_at_turn_end<W: Witness>(&mut self, witness: &mut W) {
        if self.table.request.standing.is_some() {
            self.count_turn_of_request(witness);
        }
    }

    fn count_turn_of_request<W: Witness>(&mut self, witness: &mut W) {
        let (turns, turn, fruitful) = (self.table.turns, self.table.turn, self.table.request.fruitful);
        let seats = self.seats();
        let Some(standing) = &mut self.table.request.standing else { return };
        if standing.made == turns {
            return;
        }
        standing.had_turn.insert(turn);
        standing.fruitless = if fruitful { 0 } else { standing.fruitless + 1 };
        let over = match standing.ends {
            RequestEnds::AllServed => standing.served.len() == seats || standing.fruitless >= seats,
            RequestEnds::Lap => standing.had_turn.len() == seats,
        };
        if over {
            self.table.request.standing = None;
            self.tell(witness, Event::RequestOver);
        }
    }
}
