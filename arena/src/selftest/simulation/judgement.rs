//! What must be true of a game that is over.

use std::collections::BTreeMap;

use maumau_engine::selftest::Breach;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::record::{Entry, Meta};
use maumau_protocol::{Elapse, Seat, Stand};
use maumau_referee::{GameLog, verify};

use super::account::{Account, hold};
use super::conditions::Conditions;
use super::script::Kind;
use crate::run::Played;

/// One game that is over, and all that is known of it from elsewhere.
pub(super) struct Judgement<'a> {
    pub(super) conditions: &'a Conditions,
    pub(super) played: &'a Played,
    /// By seat.
    pub(super) kinds: Vec<Kind>,
    /// By seat.
    pub(super) accounts: &'a [Account],
}

/// What the log tells of one seat.
#[derive(Debug, Default)]
struct Told {
    strikes: u8,
    conduct: BTreeMap<&'static str, u32>,
    dismissed: bool,
    last_words: u8,
    void: u64,
}

impl Judgement<'_> {
    pub(super) fn check(&self) -> Result<(), Breach> {
        let log = &self.played.log;
        let mut told: Vec<Told> = self.kinds.iter().map(|_| Told::default()).collect();
        let mut missed = 0;
        for input in &log.inputs {
            self.check_times(&input.meta, is_missed(&input.entry))?;
            for deadline in &input.meta.missed {
                missed += u64::from(!deadline.void);
                told[deadline.seat.index()].void += u64::from(deadline.void);
            }
            missed += u64::from(is_missed(&input.entry) && input.meta.took_us.is_some());
            follow(&mut told, &input.entry)?;
        }
        for (seat, told) in Seat::all(told.len()).zip(&told) {
            self.check_seat(seat, told).map_err(|Breach(why)| Breach(format!("seat {seat}: {why}")))?;
        }
        self.check_places(log, &told)?;
        if !self.conditions.is_live() {
            self.check_verdicts(missed, &told)?;
        }
        Ok(())
    }

    /// Deadlines are judged at their moment, and clocks stand still only where the arena was stopped.
    fn check_times(&self, meta: &Meta, is_missed: bool) -> Result<(), Breach> {
        let own = (meta.took_us.filter(|_| is_missed), meta.stalled_us);
        let others = meta.missed.iter().map(|missed| (missed.took_us.filter(|_| !missed.void), missed.stalled_us));
        for (took_us, stalled_us) in others.chain([own]) {
            let early = took_us.is_some_and(|took_us| took_us < self.conditions.time.move_ms * 1_000);
            hold!(!early || stalled_us.is_some(), "a deadline was judged after {took_us:?} us");
            if !self.conditions.stalls {
                hold!(stalled_us.is_none(), "the arena was never stopped, and gives back {stalled_us:?} us");
                let late = took_us.is_some_and(|took_us| !took_us.is_multiple_of(1_000));
                hold!(!late, "a deadline was judged {took_us:?} us after the ask");
            }
        }
        Ok(())
    }

    fn check_seat(&self, seat: Seat, told: &Told) -> Result<(), Breach> {
        let (kind, tally, account) =
            (self.kinds[seat.index()], &self.played.tallies[seat.index()], &self.accounts[seat.index()]);
        let conduct = |name: &str| ConductFault::ALL.iter().any(|fault| fault.name() == name);
        let counted: BTreeMap<&'static str, u32> =
            tally.faults.iter().filter(|(name, _)| conduct(name)).map(|(name, count)| (*name, *count)).collect();
        hold!(counted == told.conduct, "the record tells of {:?}, counted are {counted:?}", told.conduct);
        hold!(tally.void == told.void, "{} void deadlines, the record tells of {}", tally.void, told.void);
        let silent = [ConductFault::Gone.name(), ConductFault::NotStarted.name()];
        let heard: u32 = counted.iter().filter(|(name, _)| !silent.contains(*name)).map(|(_, count)| count).sum();
        hold!(u32::from(account.strikes) <= heard, "{} strikes were told, {heard} counted", account.strikes);
        if kind.is_good() {
            hold!(counted.is_empty() && !told.dismissed, "a good agent has the faults {counted:?}");
            hold!(!tally.faults.contains_key("slow"), "a good agent was slow");
            hold!(account.over.as_ref() == Some(&self.played.log.result), "a good agent was not told the result");
        }
        if kind != Kind::Starved && !self.conditions.stalls {
            hold!(tally.void == 0, "{} deadlines were void, and the host did nothing", tally.void);
        }
        Ok(())
    }

    fn check_places(&self, log: &GameLog, told: &[Told]) -> Result<(), Breach> {
        let dismissed: Vec<Seat> = Seat::all(told.len()).filter(|seat| told[seat.index()].dismissed).collect();
        hold!(
            log.result.dismissed == dismissed,
            "dismissed are {dismissed:?}, the result says {:?}",
            log.result.dismissed
        );
        let place = |seat: Seat| log.result.places[seat.index()];
        for (seat, told) in Seat::all(told.len()).zip(told) {
            let better = dismissed.iter().any(|other| place(*other) <= place(seat));
            hold!(told.dismissed || !better, "a dismissed agent is not behind seat {seat}: {:?}", log.result);
        }
        Ok(())
    }

    /// Every ask was answered, or missed, or void, or open when its seat was dismissed.
    fn check_verdicts(&self, missed: u64, told: &[Told]) -> Result<(), Breach> {
        let asks: u64 = self.accounts.iter().map(|account| account.asks).sum();
        let answers: u64 = self.played.tallies.iter().map(|tally| tally.answers + tally.void).sum();
        let dismissed = told.iter().filter(|told| told.dismissed).count() as u64;
        let verdicts = answers + missed;
        hold!(
            verdicts <= asks && asks <= verdicts + dismissed,
            "{asks} asks of which {answers} were answered or void, {missed} missed, with {dismissed} seats dismissed"
        );
        Ok(())
    }
}

fn is_missed(entry: &Entry) -> bool {
    match entry {
        Entry::Stand(stand) => stand.why == Stand::Slow,
        Entry::Elapse(elapse) => elapse.what == Elapse::TurnLimit,
        _ => false,
    }
}

fn follow(told: &mut [Told], entry: &Entry) -> Result<(), Breach> {
    match entry {
        Entry::Act(act) => {
            let seat = &mut told[act.seat.index()];
            // An answer that was given before the dismissal is taken up all the same.
            seat.last_words += u8::from(seat.dismissed);
            hold!(seat.last_words <= 1, "seat {} acts after its dismissal", act.seat);
        }
        Entry::Fault(fault) => {
            let seat = &mut told[fault.seat.index()];
            seat.strikes += 1;
            hold!(!seat.dismissed && seat.strikes == fault.strikes, "strike {} is told as {fault:?}", seat.strikes);
            *seat.conduct.entry(fault.fault.name()).or_default() += 1;
        }
        Entry::Dismissed(dismissed) => {
            let seat = &mut told[dismissed.seat.index()];
            hold!(!std::mem::replace(&mut seat.dismissed, true), "seat {} is dismissed twice", dismissed.seat);
        }
        _ => {}
    }
    Ok(())
}

/// The record of the game is sound, and leads back to its log.
pub(super) fn check_record(log: &GameLog) -> Result<(), Breach> {
    let breach = |error: &dyn std::fmt::Display| Breach(format!("the record: {error}"));
    let (record, digest) = log.to_record().map_err(|error| breach(&error))?;
    let verified = verify(&record).map_err(|error| breach(&error))?;
    hold!(verified.log == *log && verified.digest == digest, "the record leads to another log");
    Ok(())
}
