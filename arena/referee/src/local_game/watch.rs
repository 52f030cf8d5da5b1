//! The promises that every referee keeps to the code that carries out its effects. It follows the effects of one referee
//! and returns the promise that is broken.

use maumau_protocol::Seat;
use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{AskId, ClockMode};

use crate::referee::{Effects, Referee, RefereeEffect, Timer};

/// What a host knows of one game from the effects alone. It reads and checks them as they come: effects never contradict one
/// another, each ask is followed by its deadline, and no seat is sent anything after the game is over for it.
#[derive(Clone)]
pub struct EffectChecker {
    clock: ClockMode,
    seats: Vec<Watched>,
    timers: Vec<Timer>,
    finished: bool,
}

#[derive(Clone, Default)]
struct Watched {
    /// The last ask and the one before it.
    asks: [Option<AskId>; 2],
    deadline: Option<(AskId, u64)>,
    dismissed: bool,
}

/// A promise of the referee that does not hold: a bug, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenPromise(pub String);

/// Returns an error unless the condition holds.
macro_rules! hold {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(BrokenPromise(format!($($words)+)));
        }
    };
}

impl EffectChecker {
    /// Of a game that has not begun.
    pub fn new(seats: usize, clock: ClockMode) -> EffectChecker {
        EffectChecker { clock, seats: vec![Watched::default(); seats], timers: Vec::new(), finished: false }
    }

    /// Reads the effects of [`Referee::begin`] or one [`Referee::handle`].
    ///
    /// # Errors
    /// The broken promise.
    pub fn follow(&mut self, referee: &Referee, effects: &Effects) -> Result<(), BrokenPromise> {
        let mut written = 0;
        for effect in &effects.list {
            hold!(!self.finished, "after the end: {effect:?}");
            match effect {
                RefereeEffect::Send { seat, line, ask } => {
                    hold!(line.start == written, "the bytes are not the lines, one after another");
                    written = line.end;
                    self.receive(*seat, &effects.bytes[line.clone()], *ask)?;
                }
                RefereeEffect::StartDeadline { seat, id, ms } => {
                    let watched = &mut self.seats[seat.index()];
                    hold!(watched.asks[0] == Some(*id), "the deadline of seat {seat} is not that of its last ask");
                    hold!(watched.deadline.replace((*id, *ms)).is_none(), "seat {seat} has two deadlines");
                }
                RefereeEffect::StopDeadline { seat } => {
                    let stopped = self.seats[seat.index()].deadline.take();
                    hold!(stopped.is_some(), "seat {seat} has no deadline to stop");
                }
                RefereeEffect::StartTimer { timer, .. } => {
                    self.timers.retain(|running| running != timer);
                    self.timers.push(*timer);
                }
                RefereeEffect::StopTimer { timer } => self.timers.retain(|running| running != timer),
                RefereeEffect::Dismiss { seat, .. } => {
                    let already = std::mem::replace(&mut self.seats[seat.index()].dismissed, true);
                    hold!(!already && referee.is_dismissed(*seat), "seat {seat} is dismissed twice or not at all");
                }
                RefereeEffect::Finished => self.finished = true,
            }
        }
        hold!(written == effects.bytes.len(), "there are bytes besides the lines");
        hold!(self.finished == referee.is_finished(), "the end is reported when the game is over");
        if self.clock == ClockMode::Lockstep && !self.finished {
            for (seat, watched) in Seat::all(self.seats.len()).zip(&self.seats) {
                let (asked, armed) = (referee.is_asked(seat), watched.deadline.is_some());
                hold!(asked == armed, "seat {seat}: waited for is {asked}, a deadline runs is {armed}");
            }
        }
        Ok(())
    }

    fn receive(&mut self, seat: Seat, line: &[u8], ask: Option<AskId>) -> Result<(), BrokenPromise> {
        let watched = &mut self.seats[seat.index()];
        hold!(!watched.dismissed, "seat {seat} is out of the game and is sent a line");
        hold!(line.len() <= MAX_LINE_BYTES, "a line of {} bytes", line.len());
        let text = line.strip_suffix(b"\n");
        hold!(
            text.is_some_and(|text| !text.contains(&b'\n')),
            "it is not one line: {:?}",
            String::from_utf8_lossy(line)
        );
        let id = line.windows(6).position(|part| part == br#""id":""#).and_then(|at| line.get(at + 6..at + 22));
        let sent = line.starts_with(br#"{"type":"ask","#).then(|| id.and_then(AskId::from_digits));
        hold!(sent == ask.map(Some), "it is sent as ask {ask:?}: {:?}", String::from_utf8_lossy(line));
        if ask.is_some() {
            watched.asks = [ask, watched.asks[0]];
        }
        Ok(())
    }

    /// True if the game is over.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The newest ask of `seat` and the one before it.
    pub fn asks(&self, seat: Seat) -> [Option<AskId>; 2] {
        self.seats[seat.index()].asks
    }

    /// The running deadline of `seat`: the id of its ask, and its milliseconds.
    pub fn deadline(&self, seat: Seat) -> Option<(AskId, u64)> {
        self.seats[seat.index()].deadline
    }

    /// Lets the deadline of `seat` pass; the caller then reports it to the referee. Returns the same as [`EffectChecker::deadline`] did before.
    pub fn pass_deadline(&mut self, seat: Seat) -> Option<(AskId, u64)> {
        self.seats[seat.index()].deadline.take()
    }

    /// The running times of a live game.
    pub fn timers(&self) -> &[Timer] {
        &self.timers
    }

    /// Lets a time run out; the caller then reports it to the referee. `false` if it is not running.
    pub fn pass_timer(&mut self, timer: Timer) -> bool {
        let before = self.timers.len();
        self.timers.retain(|running| *running != timer);
        self.timers.len() < before
    }
}
