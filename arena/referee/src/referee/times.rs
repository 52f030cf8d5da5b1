//! The times that run in a live game (SPEC 7.14), derived from its positions: for the referee, which has them armed,
//! and for the check of a record, in which they have run out. It says which run and since when; it measures none and
//! arms none.

use maumau_engine::Game;
use maumau_protocol::limits::POINT_OF_ORDER_MS;
use maumau_protocol::message::TimeControl;
use maumau_protocol::{EventNumber, Seat, Verb};

use super::Timer;

/// What happens to a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeChange {
    /// It begins to run, or restarts, for this many milliseconds.
    Start(Timer, u64),
    /// It stops.
    Stop(Timer),
}

/// The running times, and what they were last set for.
#[derive(Clone, Default)]
pub(crate) struct RunningTimes {
    /// Each with the last event before it began.
    running: Vec<(Timer, EventNumber)>,
    /// The last reaction that time was given for.
    reaction: u32,
    /// The state of play that the turn's time runs for.
    progress: Option<u64>,
}

impl RunningTimes {
    /// True if a time runs.
    pub(crate) fn runs(&self, timer: Timer) -> bool {
        self.since(timer).is_some()
    }

    /// The last event before a running time began.
    pub(crate) fn since(&self, timer: Timer) -> Option<EventNumber> {
        self.running.iter().find(|(running, _)| *running == timer).map(|(_, since)| *since)
    }

    /// A time has run out; returns the last event before it began, or `None` if it was not running.
    pub(crate) fn pass(&mut self, timer: Timer) -> Option<EventNumber> {
        let since = self.since(timer)?;
        self.running.retain(|(running, _)| *running != timer);
        if timer == Timer::Turn {
            // It restarts whatever happens next.
            self.progress = None;
        }
        Some(since)
    }

    /// Updates the times for a position in which `mover` is waited for, and reports each change to `report`. Returns whether a
    /// card has moved or a turn passed, so that the time of a turn begins.
    pub(crate) fn follow(
        &mut self,
        game: &Game,
        mover: Seat,
        time: &TimeControl,
        report: &mut impl FnMut(TimeChange),
    ) -> bool {
        let paused = game.point_of_order().is_some();
        self.run_while(game, paused, Timer::PointOfOrder, POINT_OF_ORDER_MS, report);
        if paused {
            // Every other clock stands still (P-97).
            self.progress = None;
            [Timer::Turn, Timer::Grace, Timer::Closing].into_iter().for_each(|timer| self.stop(timer, report));
            return false;
        }
        let (closing, progress) = (game.is_closing(), Some(game.progress()));
        let moves = !closing && self.progress != progress;
        if closing {
            // No seat has to move any more.
            self.progress = None;
            self.stop(Timer::Turn, report);
        } else if moves {
            self.progress = progress;
            self.start(game, Timer::Turn, time.move_ms, report);
        }
        let due = game.words_waited_for();
        if due.zip(self.since(Timer::Grace)).is_some_and(|(due, since)| due > since) {
            // The words it began for have been said, and others have become due, which have a time of their own.
            self.stop(Timer::Grace, report);
        }
        self.run_while(game, due.is_some(), Timer::Grace, time.grace_ms, report);
        self.run_while(game, closing, Timer::Closing, time.closing_ms, report);
        self.run_while(game, game.is_counting(), Timer::CountOfTen, time.count_ms, report);
        if self.reaction != game.reaction() {
            self.reaction = game.reaction();
            let mut others = Seat::all(game.rules().seats()).filter(|seat| *seat != mover);
            if others.any(|seat| !game.legal(seat).is_empty()) {
                self.start(game, Timer::Reaction, time.reaction_ms, report);
                if !closing {
                    // The seat to move cannot act before that, so its time is extended by as much.
                    self.start(game, Timer::Turn, time.move_ms + time.reaction_ms, report);
                }
            } else {
                self.stop(Timer::Reaction, report);
            }
        }
        moves
    }

    /// An action was accepted that is neither speech nor a call: the closing time restarts, and with it the ten of a count.
    pub(crate) fn acted(&mut self, game: &Game, verb: &Verb, report: &mut impl FnMut(TimeChange)) {
        if game.is_closing() {
            self.stop(Timer::Closing, report);
        }
        if matches!(verb, Verb::Count) {
            self.stop(Timer::CountOfTen, report);
        }
    }

    fn run_while(&mut self, game: &Game, wanted: bool, timer: Timer, ms: u64, report: &mut impl FnMut(TimeChange)) {
        match (wanted, self.runs(timer)) {
            (true, false) => self.start(game, timer, ms, report),
            (false, true) => self.stop(timer, report),
            _ => {}
        }
    }

    fn start(&mut self, game: &Game, timer: Timer, ms: u64, report: &mut impl FnMut(TimeChange)) {
        self.stop(timer, report);
        self.running.push((timer, game.last_event()));
        report(TimeChange::Start(timer, ms));
    }

    fn stop(&mut self, timer: Timer, report: &mut impl FnMut(TimeChange)) {
        if self.runs(timer) {
            self.running.retain(|(running, _)| *running != timer);
            report(TimeChange::Stop(timer));
        }
    }
}
