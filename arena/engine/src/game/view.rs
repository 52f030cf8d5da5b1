//! The position as one seat may know it (G-08). It only reads the position. What a seat sees of events is decided by
//! `Event::seen_by`.

use std::sync::Arc;

use maumau_protocol::{Pending, Race, Request, Seat, SeatSet, View};

use super::{Facing, Game, Phase};

impl Game {
    /// The position as `seat` may see it.
    pub fn view(&self, seat: Seat) -> View {
        let mut view = View::default();
        self.view_into(seat, &mut view);
        view
    }

    /// As [`Game::view`], into a value whose lists are reused.
    pub fn view_into(&self, seat: Seat, view: &mut View) {
        let table = &self.table;
        view.hand.clear();
        if !self.is_covered(seat) {
            self.hand(seat).append_to(&mut view.hand);
        }
        view.top = self.pile().last().copied();
        view.turn = self.turn();
        view.direction = table.seating.direction();
        view.hands.clear();
        view.hands.extend(self.held_by_each());
        view.sealed.clear();
        if self.rules.set.prices.sealed {
            view.sealed.extend(self.sealed_of_each());
        }
        view.out = table.places.seats();
        view.turns_lost.clear();
        if self.features.turns_lost {
            view.turns_lost.extend(Seat::all(self.seats()).map(|seat| self.turns_lost(seat)));
        }
        view.visible = self.visible_top().filter(|card| Some(*card) != view.top);
        view.draw_pile = self.draw_pile.len() as u16;
        self.pending_into(&mut view.pending);
        view.mau_said = self.mau_said(&view.hands);
        view.round = self.round;
        view.rounds = self.rules.rounds;
        view.dealer = (self.round > 0).then_some(table.dealer);
        view.points.clear();
        view.points.extend_from_slice(&self.points);
        view.wins.clear();
        view.wins.extend_from_slice(&self.wins);
        view.not_looked = table.looked.missing(self.seats());
        view.point_of_order = self.point_of_order();
        view.rules.clear();
        if self.menu.is_some() {
            view.rules.extend_from_slice(self.added_rules());
        }
    }

    /// What the seat to move faces instead of an ordinary turn; public.
    pub fn pending(&self) -> Pending {
        let mut pending = Pending::default();
        self.pending_into(&mut pending);
        pending
    }

    #[inline(always)]
    fn pending_into(&self, pending: &mut Pending) {
        *pending = Pending::default();
        if self.phase != Phase::Play {
            pending.choose_rule = self.rule_choice().cloned().map(Box::new);
            return;
        }
        pending.suit = self.table.pile.suit();
        pending.suit_open = self.table.pile.waits_for_suit();
        pending.request = self.table.request.named().map(|(names, by)| Request { names, by });
        pending.anything = self.table.pile.takes_anything();
        pending.skip_victim = self.table.threat.victim();
        pending.take = self.table.takes.first();
        pending.snap = self.table.announcements.snap_is_due();
        pending.owed_turn = self.table.owed_turn.is_owed().then_some(self.table.seating.turn());
        pending.closing = self.is_closing();
        if self.features.runs {
            pending.run = self.open_run();
        }
        match self.table.facing {
            Facing::Ordinary { drawn, .. } => pending.drawn = u16::from(drawn),
            Facing::Race { by } => pending.joker = Some(Race { by }),
            Facing::Owed(owed) => {
                pending.challenge = self.challenger();
                pending.draw = owed.cards();
                pending.sevens = if self.rules.set.turn.owed_one_by_one { owed.live() } else { 0 };
                pending.draw_kind = Some(Arc::clone(&owed.rule(&self.rules).kind));
            }
            Facing::Skipped { count, .. } => pending.skip = count,
            Facing::Again(_) => pending.again = Some(self.table.seating.turn()),
            Facing::Naming => pending.choose = Some(self.table.seating.turn()),
        }
    }

    /// Seats that hold one card and have said so in time; `held` is the number of cards that each seat holds.
    fn mau_said(&self, held: &[u16]) -> SeatSet {
        if self.rules.mau.is_none() {
            return SeatSet::EMPTY;
        }
        let seats = Seat::all(held.len()).zip(held);
        let with_one: SeatSet = seats.filter(|(_, held)| **held == 1).map(|(seat, _)| seat).collect();
        if with_one.is_empty() { with_one } else { self.have_said_mau(with_one) }
    }

    /// Those of `seats` that have said the word for the hand that they hold. Kept apart because most views do not need it.
    #[inline(never)]
    fn have_said_mau(&self, seats: SeatSet) -> SeatSet {
        let said = |seat: &Seat| match self.mau_due_before_card() {
            true => self.table.announcements.of(*seat).mau,
            false => self.has_said_mau(*seat),
        };
        seats.iter().filter(said).collect()
    }
}
