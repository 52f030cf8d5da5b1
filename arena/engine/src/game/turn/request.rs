//! Requests: a value or suit that binds the whole table while no card has an effect (D-41 to D-61). Keeps the request;
//! which cards fit without one is known by `game/pile`.

use maumau_protocol::ruleset::{Named, Request, RequestEnds, Revocable};
use maumau_protocol::{Card, CardSet, Choice, DrawReason, Event, Seat, SeatSet};

use crate::game::{Game, Witness};
use crate::rules::Rules;

/// A request that binds the whole table (D-45).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Standing {
    names: Choice,
    by: Seat,
    ends: RequestEnds,
    revocable: Revocable,
    /// The turn in which it was made.
    made: u32,
    /// Seats that have served it.
    served: SeatSet,
    /// Seats that have had a turn under it.
    had_turn: SeatSet,
    /// Turns in a row in which no seat served it and none could draw.
    fruitless: usize,
}

impl Standing {
    fn new(names: Choice, by: Seat, Request { ends, revocable, .. }: Request, made: u32) -> Standing {
        Standing { names, by, ends, revocable, made, served: SeatSet::EMPTY, had_turn: SeatSet::EMPTY, fruitless: 0 }
    }

    /// Whether the lap is over with a turn of `seat`, where `out` of all `seats` do not play any more: the one that made the request
    /// has the last turn.
    fn lap_is_over(&self, seat: Seat, out: SeatSet, seats: usize) -> bool {
        seat == self.by || self.had_turn.union(out).len() == seats
    }

    /// The cards that serve it.
    fn serving(&self) -> CardSet {
        match self.names {
            Choice::Suit(suit) => CardSet::suit(suit),
            Choice::Rank(rank) => CardSet::rank(rank),
            Choice::Seat(_) => CardSet::EMPTY,
        }
    }
}

/// The current request, and what the seat to move has done about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct RequestState {
    standing: Option<Standing>,
    /// Whether the seat to move has served the request or drawn a card in this turn.
    fruitful: bool,
}

impl RequestState {
    /// For positions that are set up: a request made in the first turn, which no seat has served.
    pub(in crate::game) fn set_up(names: Choice, by: Seat, request: Request) -> RequestState {
        RequestState { standing: Some(Standing::new(names, by, request, 1)), fruitful: false }
    }

    /// Whether there is a request.
    #[inline(always)]
    pub(in crate::game) fn stands(&self) -> bool {
        self.standing.is_some()
    }

    /// The choice that is requested, and the requesting seat.
    pub(in crate::game) fn named(&self) -> Option<(Choice, Seat)> {
        self.standing.map(|standing| (standing.names, standing.by))
    }

    /// The cards that serve the request; none if there is no request.
    #[inline]
    pub(in crate::game) fn serving(&self) -> CardSet {
        self.standing.as_ref().map_or(CardSet::EMPTY, Standing::serving)
    }

    /// The cards that `seat` may play under the request, whether it holds them or not: cards that serve it, and cards that
    /// revoke it, which may be only while no seat has served it (D-43, D-46, D-48, D-49, D-53, D-56, D-57, D-58, D-59, G-81).
    pub(super) fn allowed_cards(&self, seat: Seat, rules: &Rules) -> CardSet {
        let Some(standing) = &self.standing else { return CardSet::EMPTY };
        let unserved = standing.served.is_empty() && standing.by != seat;
        let revoking = match standing.names {
            _ if !unserved && standing.revocable == Revocable::Unserved => CardSet::EMPTY,
            Choice::Rank(_) => rules.request_ranks,
            Choice::Suit(_) => rules.request_suits,
            Choice::Seat(_) => CardSet::EMPTY,
        };
        standing.serving().union(revoking)
    }

    /// A turn begins.
    #[inline(always)]
    pub(super) fn begin_turn(&mut self) {
        self.fruitful = false;
    }

    /// The seat to move has served the request or drawn a card.
    #[inline(always)]
    pub(super) fn bear_fruit(&mut self) {
        self.fruitful = true;
    }
}

impl Game {
    /// The request that `card` makes, if any.
    #[inline]
    pub(in crate::game) fn requests(&self, card: Card) -> Option<Request> {
        self.rules.faces[card.index()].request
    }

    /// Whether `choice` is one that `request` can name (D-52).
    pub(in crate::game) fn can_name(&self, request: Request, choice: Choice) -> bool {
        match (request.names, choice) {
            (Named::Rank, Choice::Rank(rank)) => self.rules.can_request(rank),
            (Named::Suit, Choice::Suit(suit)) => self.knows_suit(suit),
            _ => false,
        }
    }

    /// Whether `card`, played now, would only serve the current request.
    #[inline]
    pub(super) fn serves(&self, card: Card) -> bool {
        self.table.request.serving().contains(card)
    }

    /// Whether `card`, played now by the seat to move, neither serves nor revokes the current request: it has no effect then, and
    /// names nothing (D-42, D-49, D-53, D-55, D-59). Only where anything may be played is it played at all (G-07).
    #[inline]
    pub(in crate::game) fn is_powerless(&self, card: Card) -> bool {
        self.table.request.stands() && self.powerless().contains(card)
    }

    /// The cards that are powerless under the current request.
    #[inline]
    pub(in crate::game) fn powerless(&self) -> CardSet {
        if self.plays_anything() { self.not_asked_for() } else { CardSet::EMPTY }
    }

    /// The cards that neither serve nor revoke the current request.
    #[cold]
    fn not_asked_for(&self) -> CardSet {
        let allowed = self.table.request.allowed_cards(self.table.seating.turn(), &self.rules);
        CardSet::ALL.without(allowed).without(self.rules.stand_ins)
    }

    /// `seat` has served the request: the card has no effect (D-42, D-55, D-82).
    pub(super) fn note_served(&mut self, seat: Seat) {
        if let Some(standing) = &mut self.table.request.standing {
            standing.served.insert(seat);
        }
        self.table.request.bear_fruit();
    }

    /// A request begins; naming something one does not hold costs cards (D-41, D-47, D-50, D-51, D-54, D-60).
    pub(super) fn begin_request<W: Witness>(&mut self, witness: &mut W, by: Seat, request: Request, names: Choice) {
        if self.table.request.stands() {
            self.emit(witness, Event::Revoked { by });
        }
        let standing = Standing::new(names, by, request, self.table.turns);
        self.table.request.standing = Some(standing);
        self.note_demand();
        let held = || !self.hand(by).kinds().intersect(standing.serving()).is_empty();
        // G-43: a seat that has gone out with it pays nothing.
        if !self.table.places.is_out(by) && !self.was_seen_to_hold().unwrap_or_else(held) {
            self.draw_cards(witness, by, u16::from(request.unheld_costs), DrawReason::Owed);
        }
    }

    /// `by` has played a card that could have made `request`, and names nothing: if it may do so, a request that stands is revoked (G-39).
    pub(super) fn decline_request<W: Witness>(&mut self, witness: &mut W, by: Seat, request: Option<Request>) {
        if request.is_some_and(|request| request.may_decline) && self.table.request.stands() {
            self.emit(witness, Event::Revoked { by });
            self.end_request(witness);
        }
    }

    fn end_request<W: Witness>(&mut self, witness: &mut W) {
        self.table.request.standing = None;
        self.emit(witness, Event::RequestOver);
        self.note_demand();
    }

    /// At the end of a turn: notes which seat has had it, and whether the request has ended with it (D-38, D-44, D-45).
    #[inline]
    pub(super) fn request_at_turn_end<W: Witness>(&mut self, witness: &mut W) {
        if self.table.request.stands() {
            self.count_turn_of_request(witness);
        }
    }

    fn count_turn_of_request<W: Witness>(&mut self, witness: &mut W) {
        let (turns, turn, fruitful) = (self.table.turns, self.table.seating.turn(), self.table.request.fruitful);
        let (seats, out) = (self.seats(), self.table.places.seats());
        let Some(standing) = &mut self.table.request.standing else { return };
        if standing.made == turns {
            return;
        }
        standing.had_turn.insert(turn);
        standing.fruitless = if fruitful { 0 } else { standing.fruitless + 1 };
        let over = match standing.ends {
            RequestEnds::AllServed => {
                standing.served.union(out).len() == seats || standing.fruitless + out.len() >= seats
            }
            RequestEnds::NextTurn => true,
            RequestEnds::Lap => standing.lap_is_over(turn, out, seats),
        };
        if over {
            self.end_request(witness);
        }
    }

    /// `seat` has lost a turn: in the lap of a request that was its turn (G-37).
    pub(super) fn lose_turn_of_request<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let (seats, out) = (self.seats(), self.table.places.seats());
        let Some(standing) = &mut self.table.request.standing else { return };
        standing.had_turn.insert(seat);
        if standing.ends == RequestEnds::Lap && standing.lap_is_over(seat, out, seats) {
            self.end_request(witness);
        }
    }
}
