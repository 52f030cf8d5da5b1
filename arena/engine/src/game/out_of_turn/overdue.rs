//! Duties that are overdue before a turn action: a warning of the last card, takes, and a threat that was not answered
//! (B-14, N-42, N-106). Each of them has its own file. It only calls them, in their order.

use maumau_protocol::Seat;

use crate::game::{Game, Witness};

impl Game {
    /// The game after the takes that others owe, which a turn action of `seat` settles before it does anything itself (N-106), for
    /// those who show it as a moment of its own. `None` if no other seat owes one.
    pub fn settled_before(&self, seat: Seat, witness: &mut impl Witness) -> Option<Game> {
        if !self.table.takes.others_owe(seat) {
            return None;
        }
        let mut game = self.clone();
        game.settle_mau(witness);
        game.settle_takes(witness, seat);
        Some(game)
    }

    /// Before a turn action of `seat`: settles overdue duties (B-14, N-42, N-106). Playing a free card is no turn action.
    #[inline(always)]
    pub(in crate::game) fn settle_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.settle_mau(witness);
        self.settle_orders::<PLAIN, _>(witness, seat);
    }

    /// Carries out overdue takes of other seats; a threat that was not answered comes true.
    #[inline(always)]
    fn settle_orders<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.table.patience.acted();
        if self.features::<PLAIN>().orders && (!self.table.takes.is_empty() || self.table.threat.victim().is_some()) {
            self.settle_overdue(witness, seat);
        }
    }

    #[cold]
    fn settle_overdue<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.settle_takes(witness, seat);
        self.settle_threat(witness, seat);
    }
}
