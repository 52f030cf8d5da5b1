//! What the referee keeps of one seat. Data of one seat, changed by its neighbours; hands and rules are the engine's.

use std::collections::VecDeque;

use crate::record::Meta;
use maumau_protocol::Action;
use maumau_protocol::limits::{MAX_LINES_PER_ASK, MAX_STDERR_BYTES_PER_GAME};
use maumau_protocol::message::{AskId, TimeControl, Want, What};

use super::{Player, SeatTally};
use crate::faults::LineCount;

#[derive(Clone)]
pub(super) struct SeatState {
    pub(super) wants: Wants,
    /// The first event not yet sent.
    pub(super) cursor: usize,
    pub(super) strikes: u8,
    pub(super) dismissed: bool,
    pub(super) bank_ms: u64,
    pub(super) ask: Option<OpenAsk>,
    /// Asks whose deadline has passed and that are still unanswered, oldest first.
    pub(super) expired: VecDeque<AskId>,
    /// Ids of asks that were void or replaced a void one, and were answered under another of their ids; oldest first.
    pub(super) replaced: VecDeque<AskId>,
    pub(super) answered: [Option<AskId>; 8],
    pub(super) lines: LineCount,
    /// Deadlines missed by its own fault while the game waited for it, since its last answer to such an ask.
    pub(super) missed_in_a_row: u32,
    pub(super) notes: u32,
    pub(super) notes_bytes: usize,
    /// Bytes of its stderr that may still be kept; `None` once some were left out.
    pub(super) stderr_room: Option<usize>,
    /// Reactions since something moved.
    pub(super) idle_reactions: u8,
    pub(super) tally: SeatTally,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Wants {
    pub(super) view: bool,
    pub(super) legal: bool,
    pub(super) events: bool,
    pub(super) rules: bool,
    pub(super) ticks: bool,
}

/// The newest ask, until its answer is taken up.
#[derive(Clone)]
pub(super) struct OpenAsk {
    pub(super) id: AskId,
    /// The earlier ids of the same ask, which were void; an answer to one of them is an answer (SPEC 5.9).
    pub(super) void: Vec<AskId>,
    pub(super) what: What,
    pub(super) answer: Option<Answer>,
}

/// The result of an ask.
#[derive(Clone)]
pub(super) enum Answer {
    Act(Action, Meta),
    Expired(Meta),
    Dismissed,
}

impl SeatState {
    /// Before its first ask.
    pub(super) fn new(player: &Player, time: &TimeControl) -> SeatState {
        let ready = player.ready.as_ref().ok();
        let wants = |want| ready.is_some_and(|ready| ready.wants.contains(&want));
        SeatState {
            wants: Wants {
                view: wants(Want::View),
                legal: wants(Want::Legal),
                events: wants(Want::Events),
                rules: wants(Want::Rules),
                ticks: ready.is_some_and(|ready| ready.ticks),
            },
            cursor: 0,
            strikes: 0,
            dismissed: false,
            bank_ms: time.bank_ms,
            ask: None,
            expired: VecDeque::new(),
            replaced: VecDeque::new(),
            answered: [None; 8],
            lines: LineCount::default(),
            missed_in_a_row: 0,
            notes: 0,
            notes_bytes: 0,
            stderr_room: Some(MAX_STDERR_BYTES_PER_GAME),
            idle_reactions: 0,
            tally: SeatTally::default(),
        }
    }

    /// An answer in time: the time beyond the move time is taken from the bank, and the increment is added to it.
    pub(super) fn charge_time(&mut self, time: &TimeControl, meta: &Meta) {
        let took_us = meta.took_us.unwrap_or(0);
        let over_ms = (took_us / 1_000).saturating_sub(time.move_ms);
        self.bank_ms = self.bank_ms.saturating_sub(over_ms) + time.increment_ms;
        self.tally.answers += 1;
        self.tally.took_us += took_us;
    }

    /// True if `id` was answered, even if the answer still waits for those of other seats.
    pub(super) fn has_answered(&self, id: AskId) -> bool {
        let waits = |ask: &OpenAsk| ask.id == id && matches!(ask.answer, Some(Answer::Act(..)));
        self.answered.contains(&Some(id)) || self.ask.as_ref().is_some_and(waits)
    }

    pub(super) fn remember(&mut self, id: AskId) {
        self.answered.rotate_right(1);
        self.answered[0] = Some(id);
    }
}

/// Adds `ids`; a seat that answers more old ones at once than are remembered has flooded the referee already.
pub(super) fn remember(known: &mut VecDeque<AskId>, ids: impl IntoIterator<Item = AskId>) {
    for id in ids {
        if known.len() == MAX_LINES_PER_ASK as usize {
            known.pop_front();
        }
        known.push_back(id);
    }
}
