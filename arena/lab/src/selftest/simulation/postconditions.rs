//! The laws of a finished game. It reads a finished game and what its seats were sent, and changes nothing.

use maumau_engine::{Game, commitment};
use maumau_model_check::{Breach, EventLedger};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::{Elapse, Event, RuleFault, Seat, Stand};
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{GameLog, Replay, verify};
use maumau_run::runner::Played;

use super::conditions::Conditions;
use super::script::ScriptKind;
use super::seat_ledger::{SeatLedger, hold};

/// A finished game, and everything known about it from elsewhere.
pub(super) struct Postconditions<'a> {
    pub(super) conditions: &'a Conditions,
    pub(super) played: &'a Played,
    /// By seat.
    pub(super) kinds: Vec<ScriptKind>,
    /// True if the seed is published at the end.
    pub(super) reveals_seed: bool,
}

/// What the log says about one seat.
#[derive(Debug, Default)]
struct SeatResult {
    strikes: u8,
    conduct: [u64; ConductFault::ALL.len()],
    /// True if its last fault dismisses it.
    is_due: bool,
    dismissed: bool,
    last_words: u8,
    void: u64,
}

impl Postconditions<'_> {
    /// Checks the game against the `ledgers` of its seats.
    pub(super) fn check(&self, mut ledgers: Vec<SeatLedger>) -> Result<(), Breach> {
        let log = &self.played.log;
        let mut recorded: Vec<SeatResult> = self.kinds.iter().map(|_| SeatResult::default()).collect();
        let mut missed = 0;
        for input in &log.inputs {
            self.check_times(&input.meta, is_missed(&input.entry))?;
            for deadline in &input.meta.missed {
                missed += u64::from(!deadline.void);
                recorded[deadline.seat.index()].void += u64::from(deadline.void);
            }
            missed += u64::from(is_missed(&input.entry) && input.meta.took_us.is_some());
            follow(&mut recorded, &input.entry, log.header.rules.turn.max_strikes)?;
            if let Entry::Act(act) = &input.entry {
                let taken_up = ledgers[act.seat.index()].process_answer(act.as_of, &act.action);
                taken_up.map_err(|Breach(why)| Breach(format!("seat {}: {why}", act.seat)))?;
            }
        }
        let (game, events) = play_again(log)?;
        for (seat, recorded) in Seat::all(recorded.len()).zip(&recorded) {
            hold!(recorded.dismissed == recorded.is_due, "seat {seat} was to be dismissed: {}", recorded.is_due);
            let ledger = &ledgers[seat.index()];
            let checked = self.check_seat(seat, recorded, ledger).and_then(|()| self.check_sent(seat, ledger, &events));
            checked.map_err(|Breach(why)| Breach(format!("seat {seat}: {why}")))?;
        }
        check_places(log, &game, &recorded)?;
        if !self.conditions.is_live() {
            self.check_verdicts(missed, &recorded, &ledgers)?;
        }
        Ok(())
    }

    /// Deadlines are judged at their moment, and clocks only stand still while the arena is stopped.
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

    fn check_seat(&self, seat: Seat, recorded: &SeatResult, ledger: &SeatLedger) -> Result<(), Breach> {
        let (kind, tally) = (self.kinds[seat.index()], &self.played.tallies[seat.index()]);
        let counted = ConductFault::ALL.map(|fault| tally.faults.get(fault));
        hold!(counted == recorded.conduct, "the record has {:?}, counted are {:?}", recorded.conduct, tally.faults);
        hold!(tally.void == recorded.void, "{} void deadlines, the record has {}", tally.void, recorded.void);
        let untold = [ConductFault::Gone, ConductFault::NotStarted].map(|fault| tally.faults.get(fault));
        let heard = counted.iter().sum::<u64>() - untold.iter().sum::<u64>();
        hold!(u64::from(ledger.strikes) <= heard, "{} strikes were reported, {heard} counted", ledger.strikes);
        if kind.is_good() {
            hold!(
                counted.iter().all(|count| *count == 0) && !recorded.dismissed,
                "a good agent has the faults {:?}",
                tally.faults
            );
            hold!(tally.faults.get(RuleFault::Slow) == 0, "a good agent was slow");
            hold!(ledger.over.is_some(), "a good agent was not sent the result");
        }
        if kind != ScriptKind::Starved && !self.conditions.stalls {
            hold!(tally.void == 0, "{} deadlines were void, and the host did nothing", tally.void);
        }
        Ok(())
    }

    /// A seat is sent exactly what happens in the game, and its end is the result.
    fn check_sent(&self, seat: Seat, ledger: &SeatLedger, events: &[Event]) -> Result<(), Breach> {
        let happened = events.iter().map(|event| event.seen_by(seat));
        let sent = &ledger.events;
        hold!(happened.take(sent.len()).eq(sent.iter().cloned()), "sent what did not happen: {sent:?}");
        let header = &self.played.log.header;
        if let Some(sent) = &ledger.commitment {
            hold!(*sent == commitment(&header.game.0, &header.seed), "another seed was promised");
        }
        if let Some(over) = &ledger.over {
            let (heard, all) = (sent.len(), events.len());
            hold!(heard == if ledger.wants_events { all } else { 0 }, "sent {heard} of {all} events");
            hold!(over.result == self.played.log.result, "another result was sent: {over:?}");
            let seed = self.reveals_seed.then(|| header.seed.to_string());
            hold!(over.seed == seed, "the seed sent is {:?}, where it was to be {seed:?}", over.seed);
        }
        Ok(())
    }

    /// Every ask was answered, missed, void, or open when its seat was dismissed.
    fn check_verdicts(&self, missed: u64, recorded: &[SeatResult], ledgers: &[SeatLedger]) -> Result<(), Breach> {
        let asks: u64 = ledgers.iter().map(|ledger| ledger.asks).sum();
        let answers: u64 = self.played.tallies.iter().map(|tally| tally.answers + tally.void).sum();
        let dismissed = recorded.iter().filter(|recorded| recorded.dismissed).count() as u64;
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

/// Replays a game and keeps a second ledger of its cards and points; returns its final state and all its events.
fn play_again(log: &GameLog) -> Result<(Game, Vec<Event>), Breach> {
    let breach = |error: &dyn std::fmt::Display| Breach(format!("played again: {error}"));
    let mut replay = Replay::new(&log.header).map_err(|error| breach(&error))?;
    let mut ledger = EventLedger::new(replay.game().rules());
    let mut events: Vec<Event> = Vec::new();
    let mut follow = |replay: &mut Replay, events: &mut Vec<Event>| {
        let before = events.len();
        events.extend(replay.drain_events().map(|(_, event)| event));
        ledger.follow(replay.game(), &events[before..])
    };
    follow(&mut replay, &mut events)?;
    for input in &log.inputs {
        replay.take(&input.entry).map_err(|error| breach(&error))?;
        follow(&mut replay, &mut events)?;
    }
    let (game, result) = (replay.game().clone(), &log.result);
    let stand = (game.points(), game.wins(), game.round());
    let recorded = (&result.points[..], &result.wins[..], result.rounds);
    hold!(stand == recorded, "points, wins and rounds are {stand:?}, the result says {recorded:?}");
    Ok((game, events))
}

/// A seat with the better standing has the better place, and dismissed seats come after all others.
fn check_places(log: &GameLog, game: &Game, recorded: &[SeatResult]) -> Result<(), Breach> {
    let seats = || Seat::all(recorded.len());
    let dismissed: Vec<Seat> = seats().filter(|seat| recorded[seat.index()].dismissed).collect();
    hold!(log.result.dismissed == dismissed, "dismissed are {dismissed:?}, recorded are {:?}", log.result.dismissed);
    for (one, other) in seats().flat_map(|one| seats().map(move |other| (one, other))) {
        let places = log.result.places[one.index()].cmp(&log.result.places[other.index()]);
        let out = recorded[one.index()].dismissed.cmp(&recorded[other.index()].dismissed);
        let expected = out.then(game.ranking(other).cmp(&game.ranking(one)));
        hold!(places == expected, "seats {one} and {other} have the wrong places: {:?}", log.result);
    }
    Ok(())
}

fn follow(recorded: &mut [SeatResult], entry: &Entry, max_strikes: u8) -> Result<(), Breach> {
    match entry {
        Entry::Act(act) => {
            let seat = &mut recorded[act.seat.index()];
            // An answer given before the dismissal is still taken up.
            seat.last_words += u8::from(seat.dismissed);
            hold!(seat.last_words <= 1, "seat {} acts after its dismissal", act.seat);
        }
        Entry::Fault(fault) => {
            let seat = &mut recorded[fault.seat.index()];
            seat.strikes += 1;
            hold!(!seat.dismissed && seat.strikes == fault.strikes, "strike {} is reported as {fault:?}", seat.strikes);
            hold!(!seat.is_due, "it should have been dismissed: {fault:?}");
            let alone = ["flood", "gone", "not_started", "silent"].contains(&fault.fault.name());
            seat.is_due = seat.strikes >= max_strikes || alone;
            seat.conduct[fault.fault as usize] += 1;
        }
        Entry::Dismissed(dismissed) => {
            let seat = &mut recorded[dismissed.seat.index()];
            hold!(!std::mem::replace(&mut seat.dismissed, true), "seat {} is dismissed twice", dismissed.seat);
            hold!(seat.is_due, "seat {} is dismissed after {} strikes", dismissed.seat, seat.strikes);
        }
        _ => {}
    }
    Ok(())
}

/// The record of the game is sound, and its inputs give back its log.
pub(super) fn check_record(log: &GameLog) -> Result<(), Breach> {
    let breach = |error: &dyn std::fmt::Display| Breach(format!("the record: {error}"));
    let (record, digest) = log.to_record().map_err(|error| breach(&error))?;
    let verified = verify(&record).map_err(|error| breach(&error))?;
    hold!(verified.log == *log && verified.digest == digest, "the record leads to another log");
    Ok(())
}
