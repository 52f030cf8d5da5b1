//! What is overdue before a turn action: a warning of the last card, takes, and a threat that was not answered (B-14, N-42,
//! N-106). Each of them is kept in a file of its own.

use maumau_protocol::Seat;

use crate::game::{Game, Witness};

impl Game {
    /// Before a turn action of `seat`: what is overdue is settled (B-14, N-42, N-106). A free card is no turn action.
    #[inline(always)]
    pub(in crate::game) fn settle_turn<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        self.settle_mau(witness);
        self.settle_orders::<PLAIN, _>(witness, seat);
    }

    /// Takes of others that are overdue are carried out, and a threat that was not answered comes true.
    #[inline(always)]
    pub(in crate::game) fn settle_orders<const PLAIN: bool, W: Witness>(&mut self, witness: &mut W, seat: Seat) {
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
