//! The log of a game: its inputs, from which everything else can be derived. It reads no clock and no file: run files
//! store it, `record` writes it as text.
//!
//! A [`GameLog`] holds what the engine cannot know by itself: who did what in which order, the faults, the notes. The full
//! record with every event is written by replaying the inputs; the result is checked on the way.

use std::sync::Arc;

use maumau_engine::{Game, Phase, Rules, Verdict, Witness};
use maumau_protocol::fault::{CountedFault, FaultCounts, FreeFault};
use maumau_protocol::limits::MAX_STDERR_BYTES_PER_GAME;
use maumau_protocol::message::GameResult;
use maumau_protocol::{
    Elapse, Event, EventNumber, FromJson, Permits, RuleFault, SandboxLevel, Seat, SeatSet, Seed, Stand,
};
use serde::Serialize;

use crate::faults::rule_faults;
use crate::places::result_of;
use crate::record::{
    ActEntry, AgentStderr, Chain, Digest, Entry, EventEntry, Header, Meta, read_meta, shown, write_entry,
};

/// One input or note, with what may differ between two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Logged {
    /// The entry; never an event, a header or an end. Its members are written beside `meta`, so a note is nested no deeper here
    /// than in the line that it came in, and anything that could be read once can be read again.
    #[serde(flatten)]
    pub entry: Entry,
    /// Times.
    #[serde(skip_serializing_if = "Meta::is_empty")]
    pub meta: Meta,
}

impl FromJson for Logged {
    fn from_json(text: &str) -> Result<Logged, serde_json::Error> {
        Ok(Logged { entry: serde_json::from_str(text)?, meta: read_meta(text)? })
    }
}

/// Everything that is kept of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLog {
    /// What a replay needs to know.
    pub header: Header,
    /// Inputs, faults, dismissals and notes in order.
    pub inputs: Vec<Logged>,
    /// The result.
    pub result: GameResult,
    /// The sandbox level at which the agents ran, if the caller has named it.
    pub sandbox: Option<SandboxLevel>,
    /// The extra permissions of each seat's agent; empty if no agent had any.
    pub permits: Vec<Permits>,
    /// True if `start` said that agents may know the seed.
    pub public_seed: bool,
    /// True if `start` did not say who plays.
    pub hidden_names: bool,
    /// The seats whose bots were slowed to the pace of a person.
    pub human_pace: SeatSet,
}

impl GameLog {
    /// Keeps what the agent at `seat` wrote to stderr after its game was over, with the last entry; as much of it as the limit of a
    /// game leaves room for.
    pub fn add_stderr(&mut self, seat: Seat, text: &str) {
        let written = self.inputs.iter().flat_map(|input| &input.meta.stderr).filter(|written| written.seat == seat);
        let room = MAX_STDERR_BYTES_PER_GAME.saturating_sub(written.map(|written| written.text.len()).sum());
        let Some(last) = self.inputs.last_mut() else { return };
        let fits = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        match last.meta.stderr.iter_mut().find(|written| written.seat == seat) {
            Some(written) => written.text = format!("{}{}", written.text, &text[..fits]).into(),
            None if fits > 0 => last.meta.stderr.push(AgentStderr { seat, text: text[..fits].into() }),
            None => {}
        }
    }
}

/// A log whose inputs do not lead to its result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReplayError(pub String);

/// A replay of a game from its inputs; its events go to a caller's sink.
#[derive(Clone)]
pub(crate) struct Rerun {
    game: Game,
    dismissed: SeatSet,
}

impl Rerun {
    /// A game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub(crate) fn new(header: &Header) -> Result<Rerun, ReplayError> {
        let rules = Rules::for_table(&header.rules, header.names.len(), Some(header.rounds))
            .map_err(|error| ReplayError(error.to_string()))?;
        Ok(Rerun { game: Game::new(Arc::new(rules), &header.seed), dismissed: SeatSet::EMPTY })
    }

    /// The same, for another game with the same rules.
    pub(crate) fn restart(&mut self, seed: &Seed) {
        self.game.restart(seed);
        self.dismissed = SeatSet::EMPTY;
    }

    /// A round that is due begins without an input.
    pub(crate) fn begin_round(&mut self, witness: &mut impl Witness) {
        if self.game.phase() == Phase::BetweenRounds {
            self.game.start_round(witness);
        }
    }

    /// The position.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Takes one input; other entries change nothing.
    ///
    /// # Errors
    /// The entry names a seat that does not exist.
    pub(crate) fn take(&mut self, entry: &Entry, witness: &mut impl Witness) -> Result<(), ReplayError> {
        self.take_in_round(entry, witness)?;
        self.begin_round(witness);
        Ok(())
    }

    /// The same, but a round that is due does not begin: if it is over, the hands are those with which it ended.
    ///
    /// # Errors
    /// As [`Rerun::take`].
    pub(crate) fn take_in_round(&mut self, entry: &Entry, witness: &mut impl Witness) -> Result<(), ReplayError> {
        match entry {
            Entry::Act(act) => {
                self.check(act.seat)?;
                self.game.apply(act.seat, &act.action, act.as_of, witness);
            }
            Entry::Stand(stand) => {
                self.check(stand.seat)?;
                self.game.act_for(stand.seat, stand.why, witness);
            }
            Entry::Dismissed(dismissed) => {
                self.check(dismissed.seat)?;
                self.dismissed.insert(dismissed.seat);
            }
            Entry::Elapse(elapse) => self.game.elapse_as_of(elapse.what, elapse.as_of, witness),
            _ => {}
        }
        Ok(())
    }

    /// Takes an action.
    ///
    /// # Errors
    /// As [`Rerun::take`].
    pub(crate) fn act(&mut self, act: &ActEntry, witness: &mut impl Witness) -> Result<Verdict, ReplayError> {
        self.check(act.seat)?;
        let verdict = self.game.apply(act.seat, &act.action, act.as_of, witness);
        self.begin_round(witness);
        Ok(verdict)
    }

    /// # Errors
    /// There is no such seat at the table.
    pub(crate) fn check(&self, seat: Seat) -> Result<(), ReplayError> {
        let seats = self.game.rules().seats();
        if seat.index() < seats {
            return Ok(());
        }
        Err(ReplayError(format!("seat {seat} at a table of {seats}")))
    }

    /// The result as things stand.
    pub(crate) fn result(&self) -> GameResult {
        result_of(&self.game, self.dismissed)
    }
}

/// A replay of a game from its inputs that collects the events.
#[derive(Clone)]
pub struct Replay {
    rerun: Rerun,
    events: Vec<Event>,
}

impl Replay {
    /// A replay before its first input.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub fn new(header: &Header) -> Result<Replay, ReplayError> {
        let mut replay = Replay { rerun: Rerun::new(header)?, events: Vec::new() };
        replay.rerun.begin_round(&mut replay.events);
        Ok(replay)
    }

    /// A replay that goes on from a position; events before it are not repeated.
    pub(crate) fn at(game: Game, dismissed: SeatSet) -> Replay {
        Replay { rerun: Rerun { game, dismissed }, events: Vec::new() }
    }

    /// Takes one input; other entries change nothing.
    ///
    /// # Errors
    /// The entry names a seat that does not exist.
    pub fn take(&mut self, entry: &Entry) -> Result<(), ReplayError> {
        self.rerun.take(entry, &mut self.events)
    }

    /// As [`Replay::take`], but a round that is due waits for [`Replay::begin_round`]; until then the table stands as the round
    /// before left it.
    pub(crate) fn take_in_round(&mut self, entry: &Entry) -> Result<(), ReplayError> {
        self.rerun.take_in_round(entry, &mut self.events)
    }

    /// Begins the round that is due, if one is.
    pub(crate) fn begin_round(&mut self) {
        self.rerun.begin_round(&mut self.events);
    }

    /// The replay after what a move settles before it does anything itself, if that is a take which another seat owed (N-106). Its
    /// events are those alone.
    pub(crate) fn settled_before(&self, entry: &Entry) -> Option<Replay> {
        let seat = match entry {
            Entry::Act(act) => act.seat,
            Entry::Stand(stand) => stand.seat,
            _ => return None,
        };
        let mut events = Vec::new();
        let game = self.game().settled_before(seat, &mut events)?;
        Some(Replay { rerun: Rerun { game, dismissed: self.rerun.dismissed }, events })
    }

    /// The events since the last call, oldest first.
    pub fn drain_events(&mut self) -> impl Iterator<Item = (EventNumber, Event)> + '_ {
        let first = self.game().last_event().0 + 1 - self.events.len() as u32;
        self.events.drain(..).zip(first..).map(|(event, number)| (EventNumber(number), event))
    }

    /// The position.
    pub fn game(&self) -> &Game {
        &self.rerun.game
    }

    /// The result as things stand.
    pub fn result(&self) -> GameResult {
        self.rerun.result()
    }
}

impl GameLog {
    /// Replays the game and hands every entry of the full record to `each`, in order, all but the last line.
    ///
    /// # Errors
    /// The inputs do not lead to the result that the log holds.
    pub fn expand(&self, mut each: impl FnMut(&Entry, &Meta)) -> Result<(), ReplayError> {
        let none = Meta::default();
        let GameLog { sandbox, public_seed, hidden_names, human_pace, .. } = *self;
        let permits = self.permits.clone();
        let head = Meta { sandbox, permits, public_seed, hidden_names, human_pace, ..Meta::default() };
        each(&Entry::Header(Box::new(self.header.clone())), &head);
        let mut replay = Replay::new(&self.header)?;
        let pass_on = |replay: &mut Replay, each: &mut dyn FnMut(&Entry, &Meta)| {
            for (n, event) in replay.drain_events() {
                each(&Entry::Event(EventEntry { n, event }), &none);
            }
        };
        pass_on(&mut replay, &mut each);
        for logged in &self.inputs {
            each(&logged.entry, &logged.meta);
            replay.take(&logged.entry)?;
            pass_on(&mut replay, &mut each);
        }
        let result = replay.result();
        if result != self.result {
            return Err(ReplayError(format!(
                "the inputs lead to {}, but the log says {}",
                shown(&Entry::Result(result)),
                shown(&Entry::Result(self.result.clone()))
            )));
        }
        each(&Entry::Result(result), &none);
        Ok(())
    }

    /// The faults of each seat, as [`Tally::faults`](crate::SeatTally::faults) counts them. The log has only those failures
    /// of an author's code whose ask is known.
    ///
    /// # Errors
    /// An input names a seat that does not exist.
    pub fn faults(&self) -> Result<Vec<FaultCounts>, ReplayError> {
        let mut faults = FaultCounter::new(self.header.names.len());
        self.committed()?.into_iter().for_each(|Committed { seat, fault, .. }| faults.count(seat, fault));
        Ok(faults.counts())
    }

    /// Each fault that [`GameLog::faults`] counts, in order, with the input at which it was committed.
    ///
    /// # Errors
    /// As [`GameLog::faults`].
    pub fn committed(&self) -> Result<Vec<Committed>, ReplayError> {
        let mut replay = Replay::new(&self.header)?;
        let mut committed = Vec::new();
        for (input, logged) in self.inputs.iter().enumerate() {
            let before = faults_before(logged, replay.game());
            committed.extend(before.into_iter().map(|(seat, fault)| Committed { seat, fault, input, event: None }));
            replay.take(&logged.entry)?;
            let (numbers, events): (Vec<EventNumber>, Vec<Event>) = replay.drain_events().unzip();
            let by_rules =
                |(at, seat, fault): (usize, _, _)| Committed { seat, fault, input, event: Some(numbers[at]) };
            committed.extend(rule_faults(&events).map(by_rules));
        }
        Ok(committed)
    }

    /// The digest of its record, without writing the record.
    ///
    /// # Errors
    /// As [`GameLog::expand`].
    pub fn digest(&self) -> Result<Digest, ReplayError> {
        let mut chain = Chain::default();
        let mut json = Vec::new();
        self.expand(|entry, _| {
            json.clear();
            write_entry(entry, &mut json);
            json.pop();
            chain.take(&json);
        })?;
        Ok(chain.digest())
    }

    /// The whole record as JSON lines, and its digest.
    ///
    /// # Errors
    /// As [`GameLog::expand`].
    pub fn to_record(&self) -> Result<(Vec<u8>, Digest), ReplayError> {
        let mut chain = Chain::default();
        let mut out = Vec::new();
        self.expand(|entry, meta| chain.write(entry, meta, &mut out))?;
        let digest = chain.digest();
        chain.write_end(&mut out);
        Ok((out, digest))
    }
}

/// A fault as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Who committed it.
    pub seat: Seat,
    /// Which.
    pub fault: CountedFault,
    /// The input at which it was counted, as an index into the log.
    pub input: usize,
    /// The event that says so, for a mistake by the rules.
    pub event: Option<EventNumber>,
}

/// What an input says of faults, before `game` takes it.
fn faults_before(Logged { entry, meta }: &Logged, game: &Game) -> Vec<(Seat, CountedFault)> {
    let slow = match entry {
        Entry::Stand(stand) if stand.why == Stand::Slow => Some(stand.seat),
        Entry::Elapse(elapse) if elapse.what == Elapse::TurnLimit => game.waits_for(),
        _ => None,
    };
    let slow = slow.map(|seat| (seat, RuleFault::Slow.into()));
    let conduct = match entry {
        Entry::Fault(fault) => Some((fault.seat, fault.fault.into())),
        _ => None,
    };
    let crashes = meta.crashes.iter().map(|crash| (crash.seat, FreeFault::Crash.into()));
    slow.into_iter().chain(conduct).chain(crashes).collect()
}

/// Counts the faults of each seat while a log is replayed.
pub(crate) struct FaultCounter(Vec<FaultCounts>);

impl FaultCounter {
    /// No faults at a table of so many seats.
    pub(crate) fn new(seats: usize) -> FaultCounter {
        FaultCounter(vec![FaultCounts::default(); seats])
    }

    /// Counts what an input says, before `game` takes it.
    pub(crate) fn before(&mut self, logged: &Logged, game: &Game) {
        faults_before(logged, game).into_iter().for_each(|(seat, fault)| self.count(seat, fault));
    }

    /// Counts what came of it.
    pub(crate) fn after(&mut self, events: &[Event]) {
        rule_faults(events).for_each(|(_, seat, fault)| self.count(seat, fault));
    }

    /// The faults of each seat.
    pub(crate) fn counts(self) -> Vec<FaultCounts> {
        self.0
    }

    fn count(&mut self, seat: Seat, fault: CountedFault) {
        let faults = self.0.get_mut(seat.index());
        faults.into_iter().for_each(|faults| _ = faults.add(fault));
    }
}
