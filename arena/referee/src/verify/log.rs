//! Checks a log as its record would be checked, without making the record: the game is played once, each line is written only to be
//! hashed, and an input is taken as a reader of its line would take it. Knows no text of a record but the line that it is at.

use maumau_engine::Witness;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::{Event, EventNumber, Seat, Verb, write_json};

use super::audit::Audit;
use super::{Known, RecordMismatch, Sound, Verifier, json_of};
use crate::log::{FaultCounter, GameLog, Logged};
use crate::record::{ActEntry, BEFORE_META, Chain, Entry, Meta};
use crate::record::{expect_json, read_act, read_body, shown, write_entry, write_event};

impl Verifier {
    /// Checks a log: as [`Verifier::check`] does with its record, several times as fast. Returns the faults of each seat as well, as
    /// [`GameLog::faults`] counts them.
    ///
    /// # Errors
    /// As [`Verifier::check`]; the line is the one that the record would have.
    pub fn check_log(&mut self, log: &GameLog) -> Result<(Sound, Vec<FaultCounts>), RecordMismatch> {
        let mut pen = Pen {
            chain: Chain::default(),
            at: 1,
            line: std::mem::take(&mut self.written),
            last_event: EventNumber(0),
            events: Vec::new(),
        };
        let found = self.begin(log, &mut pen).and_then(|known| pen.game(log, &mut known.game));
        let Pen { chain, at, line, .. } = pen;
        self.written = line;
        let faults = found.map_err(|message| RecordMismatch { line: at, message })?;
        let end = chain.end();
        let sound =
            Sound { game: log.header.game.clone(), seed: log.header.seed, lines: end.lines, digest: end.digest };
        Ok((sound, faults))
    }

    /// Writes the header and sets the known game to its state before the first input.
    fn begin(&mut self, log: &GameLog, pen: &mut Pen) -> Result<&mut Known, String> {
        let GameLog { header, .. } = log;
        match self.known.as_mut().filter(|known| known.header.begins_like(header)) {
            Some(known) => {
                header.check().map_err(|error| error.to_string())?;
                known.game.restart(&header.seed);
                known.header = header.clone();
            }
            None => {
                pen.line.clear();
                write_entry(&Entry::Header(Box::new(header.clone())), &mut pen.line);
                pen.line.pop();
                let (known, ..) = Known::new(&pen.line)?;
                self.known = Some(known);
            }
        }
        let known = self.known.as_mut().ok_or("the rules of the header are not known")?;
        let own = json_of(&header.own_members());
        pen.chain.take_after(&known.digest, &own[1..own.len() - 1]);
        Ok(known)
    }
}

/// Writes the lines of a record, one over the other, and keeps what follows from them.
struct Pen {
    chain: Chain,
    /// The number of the line of the last input, or of the result after them.
    at: usize,
    line: Vec<u8>,
    last_event: EventNumber,
    /// The events since the last input.
    events: Vec<Event>,
}

impl Witness for Pen {
    fn see(&mut self, event: Event) {
        self.last_event.0 += 1;
        self.line.clear();
        write_event(self.last_event, &event, &mut self.line);
        self.line.pop();
        self.chain.take(&self.line);
        self.events.push(event);
    }
}

impl Pen {
    fn next_line(&self) -> usize {
        self.chain.lines() as usize + 1
    }

    /// Plays everything up to the result, which must be that of the log; returns the faults of each seat.
    fn game(&mut self, log: &GameLog, game: &mut Audit) -> Result<Vec<FaultCounts>, String> {
        let mut faults = FaultCounter::new(log.header.names.len());
        let mut act = ActEntry { seat: Seat::FIRST, as_of: EventNumber(0), action: Verb::Pass.into() };
        game.begin_round(self);
        for input in &log.inputs {
            self.at = self.next_line();
            faults.before(input, game.game());
            match self.write(input, &mut act)? {
                None => game.act(&act, self),
                Some((entry, meta)) => game.take(&entry, &meta, self),
            }
            .map_err(|error| error.0)?;
            faults.after(&self.events);
            self.events.clear();
        }
        self.at = self.next_line();
        let result = game.result().map_err(|error| error.0)?;
        if result != log.result {
            return Err(format!(
                "the inputs lead to {}, but the log says {}",
                shown(&Entry::Result(result)),
                shown(&Entry::Result(log.result.clone()))
            ));
        }
        self.line.clear();
        write_entry(&Entry::Result(result), &mut self.line);
        self.line.pop();
        self.chain.take(&self.line);
        Ok(faults.counts())
    }

    /// Writes the line of an input and reads it: into `act` if it is a usual one, else it is returned.
    fn write(&mut self, Logged { entry, meta }: &Logged, act: &mut ActEntry) -> Result<Option<(Entry, Meta)>, String> {
        self.line.clear();
        write_entry(entry, &mut self.line);
        self.line.pop();
        let end = self.line.len();
        let is_usual = Meta { took_us: None, ..meta.clone() }.is_empty() && read_act(&self.line, act).is_some();
        let read = if is_usual {
            None
        } else {
            if !meta.is_empty() {
                self.line.extend_from_slice(BEFORE_META);
                expect_json(write_json(&mut self.line, meta));
            }
            let (entry, meta, _) = read_body(&self.line).map_err(|damage| damage.to_string())?;
            Some((entry, meta))
        };
        self.chain.take(&self.line[..end]);
        Ok(read)
    }
}
