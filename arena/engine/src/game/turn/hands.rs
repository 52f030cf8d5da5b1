//! Hands that go from seat to seat (G-44). Moves whole hands; single cards are taken in `out_of_turn::takes`.

use maumau_protocol::ruleset::HandsMove;
use maumau_protocol::{Direction, Event, Seat};

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
