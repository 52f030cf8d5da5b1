//! A replay of a game from its inputs that checks each against what a referee does. It keeps a game of its own and its
//! account of each seat.
//!
//! What follows from the inputs is derived: which refusals are faults, how strikes add up, who is dismissed and when, which
//! times of the rules have run out. What does not follow, for example who sent garbage, is checked for being possible
//! (SPEC 9.8). Knows nothing of lines, hashes and events.

mod lockstep;

use crate::record::{
    ActEntry, DismissedEntry, ElapseEntry, Entry, FaultEntry, Frozen, Header, Meta, NoteEntry, StandEntry,
};
use maumau_engine::{Game, Verdict, Witness};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::{MAX_MISSED_IN_A_ROW, MAX_NOTE_BYTES, MAX_NOTES_BYTES_PER_GAME, MAX_NOTES_PER_GAME};
use maumau_protocol::message::{ClockMode, GameResult, TimeControl};
use maumau_protocol::{Elapse, EventNumber, MAX_SEATS, Seat, SeatSet, Seed, Stand, Verb};

use crate::faults::{refusal, sentence};
use crate::log::{ReplayError, Rerun};
use crate::referee::{RunningTimes, Timer};
use lockstep::Offers;

/// A replay that checks every input.
#[derive(Clone)]
pub(crate) struct Audit {
    rerun: Rerun,
    time: TimeControl,
    clock: Clock,
    /// True if anything except agents that did not start has been recorded.
    begun: bool,
    dismissed: SeatSet,
    seats: [Account; MAX_SEATS],
    /// The entry that has to come next.
    due: Option<Due>,
}

/// The order of the game's actions so far.
#[derive(Clone)]
enum Clock {
    Lockstep(Offers),
    /// The running times, and every event that was the last one between two inputs.
    Live(RunningTimes, Vec<EventNumber>),
}

/// The counts of a seat.
#[derive(Clone, Copy, Default)]
struct Account {
    strikes: u8,
    /// Deadlines missed since the last answer to an ask that demanded one, as far as known.
    missed: u32,
    notes: u32,
    notes_bytes: usize,
    /// The stamp of an answer that may have been given before the seat was dismissed.
    last_words: Option<EventNumber>,
    /// True if the referee has acted for it since all seats were dismissed.
    is_done: bool,
}

/// An entry that follows from the one before.
#[derive(Clone)]
enum Due {
    Fault { seat: Seat, fault: ConductFault, message: &'static str },
    Dismissal { seat: Seat, fault: ConductFault, message: String },
}

/// Fails with a message unless the condition holds.
macro_rules! hold {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err($crate::log::ReplayError(format!($($words)+)));
        }
    };
}
use hold;

impl Audit {
    /// A game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub(crate) fn new(header: &Header) -> Result<Audit, ReplayError> {
        Ok(Audit {
            rerun: Rerun::new(header)?,
            time: header.time,
            clock: Clock::new(header.clock),
            begun: false,
            dismissed: SeatSet::EMPTY,
            seats: [Account::default(); MAX_SEATS],
            due: None,
        })
    }

    /// The same, for another game with the same rules, the same times and the same clock.
    pub(crate) fn restart(&mut self, seed: &Seed) {
        let Audit { rerun, time: _, clock, begun, dismissed, seats, due } = self;
        rerun.restart(seed);
        *clock = match clock {
            Clock::Lockstep(_) => Clock::new(ClockMode::Lockstep),
            Clock::Live(..) => Clock::new(ClockMode::Live),
        };
        (*begun, *dismissed, *due) = (false, SeatSet::EMPTY, None);
        seats.fill(Account::default());
    }

    /// The position.
    pub(crate) fn game(&self) -> &Game {
        self.rerun.game()
    }

    /// A round that is due begins without an input.
    pub(crate) fn begin_round(&mut self, witness: &mut impl Witness) {
        self.rerun.begin_round(witness);
    }

    /// Takes an input, a fault, a dismissal or a note.
    ///
    /// # Errors
    /// A referee would not have written it here.
    pub(crate) fn take(&mut self, entry: &Entry, meta: &Meta, witness: &mut impl Witness) -> Result<(), ReplayError> {
        // They had passed before.
        self.count_missed(meta)?;
        let late = match entry {
            Entry::Stand(StandEntry { seat, why: Stand::Slow }) => Some(*seat),
            Entry::Elapse(ElapseEntry { what: Elapse::TurnLimit, .. }) => self.game().waits_for(),
            _ => None,
        };
        late.map_or(Ok(()), |seat| check_served(seat, meta.frozen))?;
        if let Entry::Act(act) = entry {
            return self.act(act, witness);
        }
        self.meet_due(entry)?;
        // A fault that follows from what was taken up, and a dismissal, belong to it; agents that did not start are found
        // before anything is done; in all other cases the seats were informed first.
        let belongs = match entry {
            Entry::Dismissed(_) => true,
            Entry::Fault(fault) => {
                self.due.is_some() || matches!(fault.fault, ConductFault::Silent | ConductFault::NotStarted)
            }
            _ => false,
        };
        if !belongs {
            self.settle(matches!(entry, Entry::Stand(stand) if stand.why == Stand::Dismissed))?;
        }
        match entry {
            Entry::Stand(stand) => self.check_stand(stand)?,
            Entry::Elapse(elapse) => self.check_elapse(elapse)?,
            Entry::Fault(fault) => self.check_fault(fault)?,
            Entry::Dismissed(dismissed) => self.check_dismissed(dismissed)?,
            Entry::Note(note) => self.check_note(note)?,
            _ => hold!(false, "this is no input of a game"),
        }
        self.rerun.take(entry, witness)
    }

    /// Takes an action.
    ///
    /// # Errors
    /// As [`Audit::take`].
    #[inline]
    pub(crate) fn act(&mut self, act: &ActEntry, witness: &mut impl Witness) -> Result<(), ReplayError> {
        let ActEntry { seat, as_of, .. } = *act;
        self.rerun.check(seat)?;
        hold!(self.due.is_none(), "{}", self.missing());
        hold!(!self.game().is_over(), "an action after the end of the match");
        hold!(act.action.verb != Verb::Wait, "\"wait\" is never taken up");
        match &mut self.clock {
            Clock::Lockstep(offers) => {
                offers.act(self.rerun.game(), seat, as_of, self.dismissed)?;
                let account = &mut self.seats[seat.index()];
                if account.missed > 0 && as_of == self.rerun.game().last_event() && must_move(self.rerun.game(), seat) {
                    account.missed = 0;
                }
            }
            Clock::Live(..) => {
                self.settle(false)?;
                let Clock::Live(_, boundaries) = &self.clock else { return Ok(()) };
                hold!(boundaries.binary_search(&as_of).is_ok(), "no seat was asked as of event {}", as_of.0);
            }
        }
        if self.dismissed.contains(seat) {
            // An answer given before the dismissal is still taken up (SPEC 9.6).
            let last_words = self.seats[seat.index()].last_words.take();
            hold!(last_words == Some(as_of), "an action of seat {seat}, which was dismissed before");
        }
        self.begun = true;
        let verdict = self.rerun.act(act, witness)?;
        match (verdict, &mut self.clock) {
            (Verdict::Accepted, Clock::Live(times, _))
                if !matches!(act.action.verb, Verb::Say { .. } | Verb::Call { .. }) =>
            {
                times.acted(self.rerun.game(), &act.action.verb, &mut |_| ());
            }
            (Verdict::Accepted, _) => {}
            (Verdict::Refused(reason), _) => {
                let refusal = refusal(reason);
                let fault = refusal.conduct().filter(|_| !self.dismissed.contains(seat));
                self.due = fault.map(|fault| Due::Fault { seat, fault, message: refusal.words });
            }
        }
        Ok(())
    }

    /// The result as things stand, if the match may end.
    ///
    /// # Errors
    /// The match goes on.
    pub(crate) fn result(&self) -> Result<GameResult, ReplayError> {
        hold!(self.due.is_none(), "{}", self.missing());
        hold!(self.game().is_over() || self.is_deserted(), "the record has a result, and the match goes on");
        Ok(self.rerun.result())
    }

    /// True if all seats are dismissed, so that the match ends as it stands.
    fn is_deserted(&self) -> bool {
        self.dismissed.len() == self.game().rules().seats()
    }

    /// Checks an entry against the one that is due, if any is.
    fn meet_due(&self, entry: &Entry) -> Result<(), ReplayError> {
        let is_it = match (&self.due, entry) {
            (None, _) => true,
            (Some(Due::Fault { seat, fault, message }), Entry::Fault(found)) => {
                found.seat == *seat && found.fault == *fault && found.message == *message
            }
            (Some(Due::Dismissal { seat, fault, message }), Entry::Dismissed(found)) => {
                found.seat == *seat && found.fault == *fault && found.message == *message
            }
            _ => false,
        };
        hold!(is_it, "{}", self.missing());
        Ok(())
    }

    /// On the live clock: the referee has done what it does by itself, every seat has been informed, and times run as they follow
    /// from the position. `stands` if it goes on to act for a dismissed seat.
    fn settle(&mut self, stands: bool) -> Result<(), ReplayError> {
        let Clock::Live(times, boundaries) = &mut self.clock else { return Ok(()) };
        let game = self.rerun.game();
        if boundaries.last() != Some(&game.last_event()) {
            boundaries.push(game.last_event());
        }
        let Some(mover) = game.waits_for() else { return Ok(()) };
        times.follow(game, mover, &self.time, &mut |_| ());
        let waits = game.is_closing() || game.point_of_order().is_some() || times.runs(Timer::Reaction);
        let is_due = self.dismissed.contains(mover) && !waits;
        hold!(stands || !is_due, "seat {mover} is to move and was dismissed: the referee acts for it first");
        Ok(())
    }

    /// The missing entry, in words.
    fn missing(&self) -> String {
        match &self.due {
            Some(Due::Fault { seat, fault, .. }) => {
                format!("the fault {} of seat {seat} follows from the action before, and is not here", fault.name())
            }
            Some(Due::Dismissal { seat, fault, .. }) => {
                format!("seat {seat} is dismissed with the fault {} before, which is not here", fault.name())
            }
            None => "nothing is missing".to_owned(),
        }
    }

    fn check_stand(&mut self, stand: &StandEntry) -> Result<(), ReplayError> {
        let StandEntry { seat, why } = *stand;
        self.rerun.check(seat)?;
        let game = self.rerun.game();
        hold!(game.waits_for() == Some(seat), "the referee acts for seat {seat}, which is not to move");
        let out = self.dismissed.contains(seat);
        match why {
            Stand::Slow => {
                hold!(!out, "seat {seat} is slow, which was dismissed before");
                hold!(game.rules().absent_limits() == 0, "by these rules slowness is a turn limit that passes");
                self.seats[seat.index()].missed += 1;
            }
            Stand::Dismissed => hold!(out, "the referee acts for seat {seat} as dismissed, which it is not"),
            Stand::Refusals | Stand::Absent => hold!(false, "this follows by itself, and is no input"),
        }
        match &mut self.clock {
            Clock::Lockstep(offers) => offers.stand(self.rerun.game().last_event()),
            Clock::Live(times, _) => {
                let runs = times.runs(Timer::Turn);
                hold!(why == Stand::Dismissed || runs, "the time of the turn does not run");
                if why == Stand::Slow {
                    times.pass(Timer::Turn);
                }
            }
        }
        if self.is_deserted() {
            // From here on the referee only acts for missing answers that were waited for.
            let is_done = std::mem::replace(&mut self.seats[seat.index()].is_done, true);
            let lockstep = matches!(self.clock, Clock::Lockstep(_));
            hold!(lockstep && !is_done, "all seats are dismissed, and the match goes on");
        }
        self.begun = true;
        Ok(())
    }

    fn check_elapse(&mut self, elapse: &ElapseEntry) -> Result<(), ReplayError> {
        let ElapseEntry { what, as_of } = *elapse;
        let game = self.rerun.game();
        let mover = game.waits_for().filter(|mover| !self.dismissed.contains(*mover));
        let (now, rests) = (game.last_event(), game.point_of_order().is_some());
        let runs = match what {
            Elapse::Grace => game.words_waited_for().is_some_and(|since| since <= as_of),
            Elapse::Closing => game.is_closing() && !rests,
            Elapse::CountOfTen => game.is_counting(),
            Elapse::PointOfOrder => rests,
            Elapse::TurnLimit => game.rules().absent_limits() > 0 && mover.is_some(),
            Elapse::Reaction => true,
        };
        hold!(runs, "no time of the kind {} runs here", name(what));
        match &mut self.clock {
            Clock::Lockstep(offers) => offers.elapse(game, what, as_of)?,
            Clock::Live(times, _) => {
                let timer = timer_of(what);
                let since = times.pass(timer);
                hold!(since.is_some(), "no time of the kind {} runs here", name(what));
                let since = if timer == Timer::Turn { Some(now) } else { since };
                hold!(since == Some(as_of), "the time {} began with event {}", name(what), since.map_or(0, |s| s.0));
            }
        }
        if let (Elapse::TurnLimit, Some(mover)) = (what, mover) {
            self.seats[mover.index()].missed += 1;
        }
        self.begun = true;
        Ok(())
    }

    fn check_fault(&mut self, found: &FaultEntry) -> Result<(), ReplayError> {
        let FaultEntry { seat, fault, strikes, ref message } = *found;
        self.rerun.check(seat)?;
        hold!(!self.dismissed.contains(seat), "a fault of seat {seat}, which was dismissed before");
        let game = self.rerun.game();
        let account = &mut self.seats[seat.index()];
        let follows = self.due.take().is_some();
        let lockstep = matches!(self.clock, Clock::Lockstep(_));
        let possible = match fault {
            ConductFault::NotInHand | ConductFault::WrongChoice => follows,
            ConductFault::NotStarted => !self.begun,
            ConductFault::Silent => account.missed >= MAX_MISSED_IN_A_ROW,
            ConductFault::StaleId => lockstep,
            ConductFault::NotAnAnswer => lockstep && must_move(game, seat),
            ConductFault::LineTooLong
            | ConductFault::Flood
            | ConductFault::NotJson
            | ConductFault::WrongShape
            | ConductFault::UnknownVerb
            | ConductFault::OutOfPlace
            | ConductFault::UnknownGame
            | ConductFault::UnknownId
            | ConductFault::Gone => true,
        };
        hold!(possible, "the fault {} of seat {seat} cannot be here", fault.name());
        let expected = account.strikes + 1;
        hold!(strikes == expected, "strike {strikes} of seat {seat}; expected strike {expected}");
        account.strikes = strikes;
        let in_tick = follows || fault == ConductFault::Silent;
        hold!(in_tick || !game.is_over(), "a fault after the end of the match");
        if !in_tick && fault != ConductFault::NotStarted {
            self.wait_at_offer()?;
        }
        if strikes >= self.rerun.game().rules().max_strikes() || sentence(fault).dismisses() {
            self.due = Some(Due::Dismissal { seat, fault, message: message.clone() });
            let waits = lockstep && !in_tick && self.begun;
            self.seats[seat.index()].last_words = waits.then(|| self.rerun.game().last_event());
        }
        Ok(())
    }

    fn check_dismissed(&mut self, found: &DismissedEntry) -> Result<(), ReplayError> {
        self.rerun.check(found.seat)?;
        hold!(self.due.take().is_some(), "seat {} is dismissed without a fault that does so", found.seat);
        self.dismissed.insert(found.seat);
        Ok(())
    }

    fn check_note(&mut self, found: &NoteEntry) -> Result<(), ReplayError> {
        let NoteEntry { seat, ref note } = *found;
        self.rerun.check(seat)?;
        hold!(!self.dismissed.contains(seat), "a note of seat {seat}, which was dismissed before");
        hold!(!self.game().is_over(), "a note after the end of the match");
        let bytes = note.to_string().len();
        let account = &mut self.seats[seat.index()];
        account.notes += 1;
        account.notes_bytes += bytes;
        let within = account.notes <= MAX_NOTES_PER_GAME && account.notes_bytes <= MAX_NOTES_BYTES_PER_GAME;
        hold!(within && bytes <= MAX_NOTE_BYTES, "seat {seat} has more notes than are kept");
        self.wait_at_offer()
    }

    /// A line came while answers were waited for.
    fn wait_at_offer(&mut self) -> Result<(), ReplayError> {
        self.begun = true;
        match &mut self.clock {
            Clock::Lockstep(offers) => offers.wait(self.rerun.game(), self.dismissed),
            Clock::Live(..) => Ok(()),
        }
    }

    /// Deadlines without an entry of their own.
    fn count_missed(&mut self, meta: &Meta) -> Result<(), ReplayError> {
        for missed in &meta.missed {
            self.rerun.check(missed.seat)?;
            if !missed.void {
                check_served(missed.seat, missed.frozen)?;
            }
            self.seats[missed.seat.index()].missed += u32::from(!missed.void);
        }
        Ok(())
    }
}

impl Clock {
    fn new(mode: ClockMode) -> Clock {
        match mode {
            ClockMode::Lockstep => Clock::Lockstep(Offers::default()),
            ClockMode::Live => Clock::Live(RunningTimes::default(), Vec::new()),
        }
    }
}

/// A deadline that counts is that of an agent that was free to answer all the while (SPEC 5.11).
fn check_served(seat: Seat, frozen: Option<Frozen>) -> Result<(), ReplayError> {
    let was_served = frozen.is_none_or(|frozen| !frozen.while_asked());
    hold!(was_served, "the deadline of seat {seat} counts, and the arena had stopped its agent while it was asked");
    Ok(())
}

/// True if the game waits for an action of `seat`.
fn must_move(game: &Game, seat: Seat) -> bool {
    game.waits_for() == Some(seat) && !game.is_closing() && game.point_of_order().is_none()
}

fn timer_of(what: Elapse) -> Timer {
    match what {
        Elapse::Grace => Timer::Grace,
        Elapse::Reaction => Timer::Reaction,
        Elapse::TurnLimit => Timer::Turn,
        Elapse::Closing => Timer::Closing,
        Elapse::CountOfTen => Timer::CountOfTen,
        Elapse::PointOfOrder => Timer::PointOfOrder,
    }
}

fn name(what: Elapse) -> &'static str {
    match what {
        Elapse::Grace => "grace",
        Elapse::Reaction => "reaction",
        Elapse::TurnLimit => "turn_limit",
        Elapse::Closing => "closing",
        Elapse::CountOfTen => "count_of_ten",
        Elapse::PointOfOrder => "point_of_order",
    }
}
