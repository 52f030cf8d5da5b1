//! A second ledger of one seat in one game, kept from the lines sent to it and their times. It never looks at the game
//! itself.

use std::collections::BTreeMap;
use std::time::Instant;

use maumau_model_check::Breach;
use maumau_protocol::limits::{MAX_MISSED_IN_A_ROW, MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME};
use maumau_protocol::message::{Act, ArenaMessage, Ask, Fault, Over, TimeControl, Want, What};
use maumau_protocol::{Action, DrawReason, Event, EventNumber, Hidden, Seat, SeenEvent};
use maumau_referee::{Player, SeatTally};

/// Fails with a [`Breach`] unless the condition holds.
macro_rules! hold {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(maumau_model_check::Breach(format!($($words)+)));
        }
    };
}
pub(super) use hold;

/// One seat in one game.
#[derive(Clone, Debug)]
pub(super) struct SeatLedger {
    seat: Seat,
    pub(super) wants_events: bool,
    /// True if the host cannot be to blame for a deadline that it misses.
    has_its_time: bool,
    pub(super) commitment: Option<String>,
    max_strikes: u8,
    pub(super) asks: u64,
    /// The time and kind of its last ask.
    last_ask: Option<(Instant, What)>,
    /// The counts at its last ask.
    before: Counts,
    bank_ms: u64,
    voids_in_a_row: u32,
    /// Deadlines of moves missed since its last answer to such an ask.
    missed_in_a_row: u32,
    pub(super) strikes: u8,
    /// True if it was sent that it is dismissed.
    is_out: bool,
    /// What it was sent of the game, if it subscribes to that.
    pub(super) events: Vec<SeenEvent>,
    /// The stamps of its asks, by id.
    stamps: BTreeMap<u64, EventNumber>,
    /// Its answers to them, by stamp.
    written: BTreeMap<EventNumber, Vec<Action>>,
    pub(super) over: Option<Over>,
}

/// The parts of a [`SeatTally`] that an ask may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    answers: u64,
    void: u64,
    took_us: u64,
}

impl Counts {
    fn of(tally: &SeatTally) -> Counts {
        Counts { answers: tally.answers, void: tally.void, took_us: tally.took_us }
    }
}

impl SeatLedger {
    /// For a game that has not begun.
    pub(super) fn new(seat: Seat, player: &Player, has_its_time: bool) -> SeatLedger {
        SeatLedger {
            seat,
            wants_events: player.ready.as_ref().is_ok_and(|ready| ready.wants.contains(&Want::Events)),
            has_its_time,
            commitment: None,
            max_strikes: 0,
            asks: 0,
            last_ask: None,
            before: Counts::default(),
            bank_ms: 0,
            voids_in_a_row: 0,
            missed_in_a_row: 0,
            strikes: 0,
            is_out: false,
            events: Vec::new(),
            stamps: BTreeMap::new(),
            written: BTreeMap::new(),
            over: None,
        }
    }

    /// The seat has written an answer; one to an ask that it was never sent does not count.
    pub(super) fn write(&mut self, act: Act) {
        if let Some(stamp) = self.stamps.get(&act.id.0) {
            self.written.entry(*stamp).or_default().push(act.action);
        }
    }

    /// An action of the seat was taken up: the seat must have written it in answer to an ask with this stamp, at least as often
    /// as it was taken up.
    pub(super) fn process_answer(&mut self, stamp: EventNumber, action: &Action) -> Result<(), Breach> {
        let written = self.written.get_mut(&stamp);
        let place = written.as_ref().and_then(|written| written.iter().position(|known| known == action));
        let (Some(written), Some(place)) = (written, place) else {
            return Err(Breach(format!("{action:?} was taken up as of {stamp:?}, and was not sent as such")));
        };
        written.swap_remove(place);
        Ok(())
    }

    /// The seat is sent `message` at `now`; `tally` is the referee's count for it, while the game goes on in lockstep.
    pub(super) fn hear(
        &mut self,
        message: &ArenaMessage,
        time: &TimeControl,
        now: Instant,
        tally: Option<&SeatTally>,
    ) -> Result<(), Breach> {
        hold!(self.over.is_none(), "a line after the end: {message:?}");
        hold!(!self.is_out, "a line after the dismissal: {message:?}");
        hold!(
            self.commitment.is_some() != matches!(message, ArenaMessage::Start(_)),
            "the game begins twice, or not at all: {message:?}"
        );
        match message {
            ArenaMessage::Start(start) => {
                hold!(start.seat == self.seat, "seat {} is sent that it is {}", self.seat, start.seat);
                self.commitment = Some(start.commitment.clone());
                self.max_strikes = start.max_strikes;
                self.bank_ms = time.bank_ms;
            }
            ArenaMessage::Ask(ask) => {
                if let Some(tally) = tally {
                    self.settle(Counts::of(tally), time, now)?;
                    self.check_time(ask, time)?;
                    let silent = self.has_its_time && self.missed_in_a_row >= MAX_MISSED_IN_A_ROW;
                    hold!(!silent, "asked again after {} missed deadlines in a row", self.missed_in_a_row);
                }
                self.hear_events(&ask.events)?;
                let heard = self.events.len() as u32;
                hold!(!self.wants_events || heard == ask.as_of.0, "sent {heard} events of {:?}", ask.as_of);
                hold!(self.stamps.insert(ask.id.0, ask.as_of).is_none(), "two asks have the id {}", ask.id);
                self.asks += 1;
                self.last_ask = Some((now, ask.what));
            }
            ArenaMessage::Fault(fault) => self.fault(fault, tally.is_some())?,
            ArenaMessage::Over(over) => {
                self.hear_events(&over.events)?;
                self.over = Some(over.clone());
            }
            ArenaMessage::Tell(tell) => {
                hold!(!tell.events.is_empty(), "sent nothing");
                self.hear_events(&tell.events)?;
            }
            ArenaMessage::Hello(_) | ArenaMessage::Bye(_) => hold!(false, "not a line of a game: {message:?}"),
        }
        Ok(())
    }

    /// The previous ask has had exactly one outcome, and the bank shows which.
    fn settle(&mut self, counts: Counts, time: &TimeControl, now: Instant) -> Result<(), Breach> {
        let before = std::mem::replace(&mut self.before, counts);
        let Some((asked, _)) = self.last_ask else {
            hold!(counts == Counts::default(), "something is counted before the first ask: {counts:?}");
            return Ok(());
        };
        let took_us = counts.took_us - before.took_us;
        let passed_us = (now - asked).as_micros() as u64;
        hold!(took_us <= passed_us, "an ask took {took_us} us, and only {passed_us} us have passed");
        let must_move = self.last_ask.is_some_and(|(_, what)| what != What::React);
        let verdict = (counts.answers - before.answers, counts.void - before.void);
        self.voids_in_a_row = if verdict == (0, 1) { self.voids_in_a_row + 1 } else { 0 };
        hold!(self.voids_in_a_row <= MAX_VOIDS_PER_ASK, "{} void asks in a row", self.voids_in_a_row);
        hold!(counts.void <= u64::from(MAX_VOIDS_PER_GAME), "{} void asks", counts.void);
        match verdict {
            (1, 0) => {
                self.missed_in_a_row = if must_move { 0 } else { self.missed_in_a_row };
                let over_ms = (took_us / 1_000).saturating_sub(time.move_ms);
                self.bank_ms = self.bank_ms.saturating_sub(over_ms) + time.increment_ms;
            }
            (0, 1) => hold!(took_us == 0, "a void ask cost {took_us} us"),
            (0, 0) => {
                self.missed_in_a_row += u32::from(must_move);
                self.bank_ms = 0;
            }
            (answers, void) => hold!(false, "one ask came to {answers} answers and {void} void deadlines"),
        }
        Ok(())
    }

    fn check_time(&self, ask: &Ask, time: &TimeControl) -> Result<(), Breach> {
        let expected = time.move_ms + self.bank_ms;
        hold!(ask.time_ms == expected, "asked with {} ms, and the clock holds {expected} ms", ask.time_ms);
        Ok(())
    }

    /// The events that it is sent: only if it subscribes to them, and without others' cards.
    fn hear_events(&mut self, events: &[SeenEvent]) -> Result<(), Breach> {
        hold!(self.wants_events || events.is_empty(), "sent events that it does not want: {events:?}");
        for event in events {
            hold!(!shows_hidden_cards(event, self.seat), "seat {} is shown {event:?}", self.seat);
        }
        self.events.extend_from_slice(events);
        Ok(())
    }

    fn fault(&mut self, fault: &Fault, in_lockstep: bool) -> Result<(), Breach> {
        let one_more = fault.strikes == self.strikes + 1;
        hold!(one_more || fault.strikes == self.strikes, "after {} strikes: {fault:?}", self.strikes);
        self.strikes = fault.strikes;
        let is_silent = fault.fault == "silent";
        if is_silent && in_lockstep {
            // The last of them is not settled yet.
            let missed = self.missed_in_a_row + u32::from(self.last_ask.is_some_and(|(_, what)| what != What::React));
            let exact = missed == MAX_MISSED_IN_A_ROW || (!self.has_its_time && missed > MAX_MISSED_IN_A_ROW);
            hold!(exact, "silent after {missed} missed deadlines in a row");
        }
        self.is_out = one_more && (fault.strikes >= self.max_strikes || is_silent || fault.fault == "flood");
        hold!(!(self.is_out && fault.open), "dismissed, and may answer: {fault:?}");
        Ok(())
    }
}

/// True if an event shows `seat` a card that it may not know (G-08).
fn shows_hidden_cards(event: &SeenEvent, seat: Seat) -> bool {
    match event {
        Event::Drew { why: DrawReason::Shortage, .. } => false,
        Event::Drew { seat: whose, card, sealed, .. }
        | Event::Penalty { seat: whose, card, sealed, .. }
        | Event::Returned { seat: whose, card, sealed } => !card.is_absent() && (*whose != seat || *sealed),
        Event::Dealt { seat: whose, cards, sealed, .. } => !cards.is_absent() && (*whose != seat || *sealed),
        Event::HandShown { seat: whose, cards } | Event::Unsealed { seat: whose, cards, .. } => {
            !cards.is_absent() && *whose != seat
        }
        Event::Shown { seat: whose, to, cards } => !cards.is_absent() && *whose != seat && !to.contains(seat),
        Event::Taken { by, from, card, .. } => !card.is_absent() && seat != *by && seat != *from,
        Event::Refused { seat: whose, card, shown, .. } => !card.is_absent() && *whose != seat && !shown,
        _ => false,
    }
}
