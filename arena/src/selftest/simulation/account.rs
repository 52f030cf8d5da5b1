//! A second account of one seat in one game, kept from the lines it is sent and the time they are sent at.

use std::time::Instant;

use maumau_engine::selftest::Breach;
use maumau_protocol::message::{ArenaMessage, Ask, Fault, GameResult, TimeControl};
use maumau_referee::Tally;

/// Fails with a [`Breach`] unless the condition holds.
macro_rules! hold {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(maumau_engine::selftest::Breach(format!($($words)+)));
        }
    };
}
pub(super) use hold;

/// One seat in one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    started: bool,
    pub(super) asks: u64,
    last_ask: Option<(Instant, u64)>,
    /// What was counted when it was asked last.
    before: Counts,
    bank_ms: u64,
    pub(super) strikes: u8,
    pub(super) over: Option<GameResult>,
}

/// The parts of a [`Tally`] that an ask may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    answers: u64,
    void: u64,
    took_us: u64,
}

impl Counts {
    fn of(tally: &Tally) -> Counts {
        Counts { answers: tally.answers, void: tally.void, took_us: tally.took_us }
    }
}

impl Account {
    /// The seat is sent `message` at `now`; `tally` is what the referee counts of it, while the game goes on in lockstep.
    pub(super) fn hear(
        &mut self,
        message: &ArenaMessage,
        time: &TimeControl,
        now: Instant,
        tally: Option<&Tally>,
    ) -> Result<(), Breach> {
        hold!(self.over.is_none(), "a line after the end: {message:?}");
        hold!(
            self.started != matches!(message, ArenaMessage::Start(_)),
            "the game begins twice, or not at all: {message:?}"
        );
        match message {
            ArenaMessage::Start(_) => {
                self.started = true;
                self.bank_ms = time.bank_ms;
            }
            ArenaMessage::Ask(ask) => {
                if let Some(tally) = tally {
                    self.settle(Counts::of(tally), time, now)?;
                    self.check_time(ask, time)?;
                }
                self.asks += 1;
                self.last_ask = Some((now, ask.time_ms));
            }
            ArenaMessage::Fault(fault) => self.fault(fault)?,
            ArenaMessage::Over(over) => self.over = Some(over.result.clone()),
            ArenaMessage::Tell(_) => {}
            ArenaMessage::Hello(_) | ArenaMessage::Bye(_) => hold!(false, "not a line of a game: {message:?}"),
        }
        Ok(())
    }

    /// The ask before has come to one end, and the bank shows which.
    fn settle(&mut self, counts: Counts, time: &TimeControl, now: Instant) -> Result<(), Breach> {
        let before = std::mem::replace(&mut self.before, counts);
        let Some((asked, _)) = self.last_ask else {
            hold!(counts == Counts::default(), "something is counted before the first ask: {counts:?}");
            return Ok(());
        };
        let took_us = counts.took_us - before.took_us;
        let passed_us = (now - asked).as_micros() as u64;
        hold!(took_us <= passed_us, "an ask took {took_us} us, and only {passed_us} us have passed");
        match (counts.answers - before.answers, counts.void - before.void) {
            (1, 0) => {
                let over_ms = (took_us / 1_000).saturating_sub(time.move_ms);
                self.bank_ms = self.bank_ms.saturating_sub(over_ms) + time.increment_ms;
            }
            (0, 1) => hold!(took_us == 0, "a void ask cost {took_us} us"),
            (0, 0) => self.bank_ms = 0,
            (answers, void) => hold!(false, "one ask came to {answers} answers and {void} void deadlines"),
        }
        Ok(())
    }

    fn check_time(&self, ask: &Ask, time: &TimeControl) -> Result<(), Breach> {
        let expected = time.move_ms + self.bank_ms;
        hold!(ask.time_ms == expected, "asked with {} ms, and the clock holds {expected} ms", ask.time_ms);
        Ok(())
    }

    fn fault(&mut self, fault: &Fault) -> Result<(), Breach> {
        let one_more = fault.strikes == self.strikes + 1;
        hold!(one_more || fault.strikes == self.strikes, "after {} strikes: {fault:?}", self.strikes);
        self.strikes = fault.strikes;
        Ok(())
    }
}
