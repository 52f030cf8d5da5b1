//! Hands that go from seat to seat (G-44), are shown (G-62) or are dealt while a round goes on (G-72). Moves whole hands; single
//! cards are taken in `out_of_turn::takes`.

use maumau_protocol::ruleset::HandsMove;
use maumau_protocol::{Direction, DrawReason, Event, Seat};

use crate::game::{Game, Witness};

impl Game {
    /// The hands of those that still play move on by one seat, or `seat` exchanges its hand with the next player's, or with that of
    /// the seat `chosen`. Each of these
    /// seats sees its new hand.
    pub(super) fn move_hands<W: Witness>(&mut self, witness: &mut W, seat: Seat, how: HandsMove, chosen: Option<Seat>) {
        let next = match how {
            HandsMove::SwapChosen => chosen.unwrap_or(seat),
            HandsMove::Rotate | HandsMove::SwapNext | HandsMove::ShowNext => self.after(seat, 1),
        };
        if self.table.places.is_out(seat) || next == seat {
            return;
        }
        let moved = match how {
            HandsMove::ShowNext => return self.show_to_all(witness, next),
            HandsMove::Rotate => {
                let direction = self.table.seating.direction();
                self.emit(witness, Event::HandsRotated { direction });
                self.in_order(direction)
            }
            HandsMove::SwapNext | HandsMove::SwapChosen => {
                self.emit(witness, Event::HandsSwapped { seats: [seat, next].into_iter().collect() });
                vec![seat, next]
            }
        };
        // Each hand goes to the next of these seats, the last one's to the first.
        for pair in moved.windows(2).rev() {
            self.table.hands.swap(pair[0].index(), pair[1].index());
        }
        self.note_taken();
        self.table.changes.progress();
        for holder in moved {
            self.forget_mau(holder);
            if self.hand(holder).len() == 1 {
                self.one_card_left(holder, false);
                if holder != seat {
                    self.mau_at_turn_end(holder);
                }
            }
            self.show_hand(witness, holder);
        }
    }

    /// Everybody sees the hand of `seat` (G-62).
    fn show_to_all<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        let to = Seat::all(self.rules.seats()).filter(|other| *other != seat).collect();
        let cards = Some(self.hand(seat).cards().collect());
        self.emit(witness, Event::Shown { seat, to, cards });
    }

    /// The new count of `seat`, whose hand is empty, if the round goes on with a new one: it ends neither the match nor for want of
    /// cards (G-72).
    pub(super) fn counts_on(&self, seat: Seat) -> Option<i32> {
        let count = self.rules.set.count.as_ref().filter(|count| !count.redeal)?;
        let total = self.points[seat.index()] + i32::from(count.on_win);
        (total != i32::from(count.match_at) && self.left_to_draw() > 0).then_some(total)
    }

    /// `seat`, whose hand is empty, has counted to `total`, and draws so many cards (G-72).
    pub(super) fn take_new_hand<W: Witness>(&mut self, witness: &mut W, seat: Seat, total: i32) {
        self.points[seat.index()] = total;
        self.emit(witness, Event::Counted { seat, total });
        self.draw_cards(witness, seat, u16::try_from(total).unwrap_or(0), DrawReason::Effect);
        self.table.changes.progress();
    }

    /// The seats that still play, in the direction of play.
    pub fn in_order(&self, direction: Direction) -> Vec<Seat> {
        let seats = Seat::all(self.rules.seats()).filter(|seat| !self.table.places.is_out(*seat));
        match direction {
            Direction::Clockwise => seats.collect(),
            Direction::Counterclockwise => {
                let mut seats: Vec<Seat> = seats.collect();
                seats.reverse();
                seats
            }
        }
    }
}
