//! Counters for the order of offers: which seats have to be asked first, and what waits for words (G-13, N-44, N-106).

use maumau_protocol::EventNumber;

use crate::game::Game;

impl Game {
    /// Changes whenever something has happened that other seats may answer before the seat to move is asked.
    pub fn reaction(&self) -> u32 {
        self.table.reaction
    }

    /// Changes whenever a card moves or a turn passes: a seat whose answers leave it as it is holds the game up.
    pub fn progress(&self) -> u64 {
        self.table.progress
    }

    /// Something has happened that others may answer first.
    pub(super) fn open_reaction(&mut self) {
        self.table.reaction += 1;
    }

    /// The event since which words are due that the grace time would make late; `None` where it would change nothing.
    pub fn words_waited_for(&self) -> Option<EventNumber> {
        let owed = self.ledger.words_waited_for();
        let Some(duty) = &self.rules.set.duties.mau_mau else { return owed };
        let owes = |seat: maumau_protocol::Seat| {
            let said = self.table.announcements.said[seat.index()];
            self.held(seat) == 0 && !said.mau_mau && !said.mau_mau_noted[0] && (duty.double || !said.mau_mau_noted[1])
        };
        let waits = self.is_closing() && maumau_protocol::Seat::all(self.seats()).any(owes);
        owed.into_iter().chain(waits.then_some(self.table.last_change)).min()
    }
}
