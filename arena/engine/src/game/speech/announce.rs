//! Words that are due before the next card: Mau, Mau Mau, and the word for two identical cards (N-72 to N-87, N-132).
//! Keeps what was announced and when; the warning after a card is in `mau`, and prices are charged by `calls`.

use maumau_protocol::ruleset::MauDue;
use maumau_protocol::{Card, EventNumber, RuleFault, Say, Seat, SeatSet};

use crate::game::calls::Until;
use crate::game::{Game, Witness};
use crate::speech::{self, Warnings};

/// How a Mau Mau is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lateness {
    /// The grace time is over.
    NotQuick = 0,
    /// The next card has been played.
    NextCard = 1,
}

/// How a seat stands with the words for its last cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Announced {
    pub(crate) mau: bool,
    pub(crate) mau_mau: bool,
    /// A missing Mau for the present hand is in the ledger.
    pub(crate) mau_noted: bool,
    /// A Mau Mau that was not quick is in the ledger; one that was not before the next card is in it.
    pub(crate) mau_mau_noted: [bool; 2],
}

/// The words due before the next card, of all seats.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::game) struct Announcements {
    /// The seat that plays the next card owes the word for two identical cards.
    snap_due: bool,
    snap_said: SeatSet,
    /// The event since which that word is due.
    snap_since: EventNumber,
    /// The seats of which each member of [`Announced`] holds.
    mau: SeatSet,
    mau_mau: SeatSet,
    mau_noted: SeatSet,
    mau_mau_noted: [SeatSet; 2],
}

impl Announcements {
    /// For positions that are set up: the word for two identical cards is due.
    pub(in crate::game) fn set_up_snap(&mut self, due: bool) {
        self.snap_due = due;
    }

    /// For positions that are set up: `seat` has said its Mau.
    pub(in crate::game) fn set_up_mau(&mut self, seat: Seat) {
        self.mau.insert(seat);
    }

    /// For positions that are set up: a missing Mau of `seat` can no longer be called.
    pub(in crate::game) fn set_up_lapsed(&mut self, seat: Seat) {
        self.mau_noted.insert(seat);
    }

    /// Whether the seat that plays the next card owes the word for two identical cards.
    pub(in crate::game) fn snap_is_due(&self) -> bool {
        self.snap_due
    }

    /// How `seat` stands with the words for its last cards.
    pub(in crate::game) fn of(&self, seat: Seat) -> Announced {
        Announced {
            mau: self.mau.contains(seat),
            mau_mau: self.mau_mau.contains(seat),
            mau_noted: self.mau_noted.contains(seat),
            mau_mau_noted: self.mau_mau_noted.map(|noted| noted.contains(seat)),
        }
    }

    /// Notes for the hand that `seat` has now which words were said for it.
    fn note(&mut self, seat: Seat, mau: bool, mau_mau: bool) {
        if mau {
            self.mau.insert(seat);
        }
        if mau_mau {
            self.mau_mau.insert(seat);
        }
    }

    /// Nothing has been said for the hand of `seat`.
    pub(in crate::game) fn forget(&mut self, seat: Seat) {
        let Announcements { mau, mau_mau, mau_noted, mau_mau_noted: [quick, card], .. } = self;
        for seats in [mau, mau_mau, mau_noted, quick, card] {
            seats.remove(seat);
        }
    }
}

impl Game {
    /// The warnings of last cards that `text` gives (N-79).
    pub(in crate::game) fn warnings_in(&self, text: &str) -> Warnings {
        let duties = &self.rules.set.duties;
        let mau = self.rules.mau.as_ref().map(|duty| duty.word.as_str());
        speech::warnings(text, mau, duties.mau_mau.as_ref().map(|duty| duty.word.as_str()))
    }

    /// `seat` has said `text`.
    pub(in crate::game) fn hear_announcement(&mut self, seat: Seat, text: &str) {
        let identical = self.rules.set.duties.identical.as_ref();
        if self.table.announcements.snap_due && identical.is_some_and(|duty| speech::contains(text, &duty.word)) {
            self.table.announcements.snap_said.insert(seat);
        }
        let Warnings { mau, mau_mau } = self.warnings_in(text);
        let held = self.held(seat);
        self.table.announcements.note(seat, mau && held == 1, mau_mau && held == 0);
    }

    /// The hand of `seat` has changed in size: words said for the hand before are void (N-132).
    #[inline]
    pub(in crate::game) fn hand_changed(&mut self, seat: Seat) {
        if self.features.announcements {
            self.table.announcements.forget(seat);
        }
    }

    /// `seat` has said `say` with an action that changed its hand: the warnings count for the hand that it has now.
    pub(in crate::game) fn announce(&mut self, seat: Seat, say: &Say) {
        if self.features.announcements {
            let (mau, mau_mau) = (self.says_mau(say), self.says_mau_mau(say));
            self.announce_with_card(seat, mau, mau_mau);
        }
    }

    /// Words said with the card that brought the hand of `seat` to its present size.
    pub(in crate::game) fn announce_with_card(&mut self, seat: Seat, mau: bool, mau_mau: bool) {
        let held = self.held(seat);
        self.table.announcements.forget(seat);
        self.table.announcements.note(seat, mau && held == 1, mau_mau && held == 0);
    }

    /// Before `seat` plays a card, after its words were heard: words that were due before it and were not said are a
    /// mistake.
    pub(in crate::game) fn settle_announcements<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        // Two identical cards that the seat had not seen demand nothing of it (G-03).
        let had_seen = self.table.changes.seen() >= self.table.announcements.snap_since;
        if self.table.announcements.snap_due && had_seen && !self.table.announcements.snap_said.contains(seat) {
            self.offend(witness, seat, RuleFault::NoSnap, Until::RoundEnd);
        }
        if self.mau_due_before_card() {
            self.settle_mau_before_card(witness);
        }
        self.settle_mau_mau(witness, Lateness::NextCard);
    }

    /// The next card ends the time of every seat that holds one card, including the seat that plays it (N-76).
    fn settle_mau_before_card<W: Witness>(&mut self, witness: &mut W) {
        for holder in Seat::all(self.seats()) {
            let said = self.table.announcements.of(holder);
            if self.held(holder) == 1 && !said.mau && !said.mau_noted {
                self.table.announcements.mau_noted.insert(holder);
                self.offend(witness, holder, RuleFault::NoMau, Until::OwnTurn);
            }
        }
    }

    /// Whether the warning of the last card is due before the next card is played.
    pub(in crate::game) fn mau_due_before_card(&self) -> bool {
        self.rules.set.duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard)
    }

    /// Whether `holder` would make a mistake if it were `late` now: its hand is empty and the word for that unsaid. Being
    /// late in both ways is one mistake, or two by option (N-80, N-81, N-82).
    pub(in crate::game) fn owes_mau_mau(&self, holder: Seat, late: Lateness) -> bool {
        let Some(duty) = &self.rules.set.duties.mau_mau else { return false };
        let Announced { mau_mau, mau_mau_noted: noted, .. } = self.table.announcements.of(holder);
        let most = if duty.double { 2 } else { 1 };
        let count = noted.iter().filter(|noted| **noted).count();
        self.held(holder) == 0 && !mau_mau && count < most && !noted[late as usize]
    }

    /// An empty hand without its word is a mistake: after the grace time, and before the next card.
    pub(in crate::game) fn settle_mau_mau<W: Witness>(&mut self, witness: &mut W, late: Lateness) {
        if self.rules.set.duties.mau_mau.is_none() || !self.some_hand_is_empty() {
            return;
        }
        for holder in Seat::all(self.seats()) {
            if self.owes_mau_mau(holder, late) {
                self.table.announcements.mau_mau_noted[late as usize].insert(holder);
                self.offend(witness, holder, RuleFault::NoMauMau, Until::RoundEnd);
            }
        }
    }

    /// `card` was played on `under`, the card that counted: if they are identical, the word is due (N-84). Cards that are looked
    /// through never count (N-86).
    pub(in crate::game) fn note_identical(&mut self, card: Card, under: Option<Card>) {
        self.table.announcements.snap_due = self.rules.set.duties.identical.is_some() && under == Some(card);
        self.table.announcements.snap_since = self.events;
        self.table.announcements.snap_said = Default::default();
    }
}
