//! What others have done, shown one moment after another, so that a person can follow. The referee is not slowed by it: what has
//! happened waits here. The clock is the caller's.

use std::collections::VecDeque;

use maumau_protocol::{Seat, SeatSet, View};
use ratatui_core::text::Span;

/// The paces, by name: milliseconds a moment. The first one is the usual one.
const PACES: [(&str, u64); 4] = [("usual", 700), ("quick", 300), ("none", 0), ("calm", 1_400)];

/// However much has happened, it is shown within this time.
const MOST_MS: u64 = 10_000;

/// Something that has happened, with its lines.
pub(super) struct SeenMoment {
    pub(super) lines: Vec<Vec<Span<'static>>>,
    /// How the table lies after it, if that is known.
    pub(super) view: Option<Box<View>>,
    /// The scores, if a round is over.
    pub(super) sheet: Option<ScoreSheet>,
}

/// The scores of a round that is over.
#[derive(Debug, Default)]
pub(super) struct ScoreSheet {
    pub(super) winners: SeatSet,
    /// Points of this round and in all; nothing of a seat whose hand was not counted.
    pub(super) points: Vec<(Seat, i32, i32)>,
}

/// What waits to be shown.
#[derive(Default)]
pub(super) struct MomentQueue {
    waiting: VecDeque<SeenMoment>,
    /// When the last moment with a table was shown.
    last_ms: Option<u64>,
    /// The place of the pace.
    pace: usize,
}

impl MomentQueue {
    pub(super) fn add(&mut self, moment: SeenMoment) {
        self.waiting.push_back(moment);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// When the next moment is due.
    pub(super) fn due_ms(&self) -> Option<u64> {
        let first = self.waiting.front()?;
        let views = self.waiting.iter().filter(|moment| moment.view.is_some()).count() as u64;
        let pause = if first.view.is_none() { 0 } else { PACES[self.pace].1.min(MOST_MS / views.max(1)) };
        Some(self.last_ms.map_or(0, |last| last + pause))
    }

    /// The next moment, if it is due at `now_ms`.
    pub(super) fn next(&mut self, now_ms: u64) -> Option<SeenMoment> {
        self.due_ms().filter(|due| *due <= now_ms)?;
        let moment = self.waiting.pop_front()?;
        if moment.view.is_some() {
            self.last_ms = Some(now_ms);
        }
        Some(moment)
    }

    /// The next moment, due or not.
    pub(super) fn hurried(&mut self) -> Option<SeenMoment> {
        self.waiting.pop_front()
    }

    /// Chooses the next pace; its name.
    pub(super) fn change(&mut self) -> &'static str {
        self.pace = (self.pace + 1) % PACES.len();
        PACES[self.pace].0
    }
}
