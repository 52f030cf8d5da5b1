//! What seats send to a referee, and what times run out.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{Act, AgentMessage, AskId, ClockMode, GameId, Note, PROTOCOL, Ready, TimeControl, Want};
use maumau_protocol::record::Meta;
use maumau_protocol::wire::read_agent_line;
use maumau_protocol::{Action, Seat, Seed, Verb};
use maumau_referee::{Blame, Effect, Effects, GameSetup, Input, Player, Referee, Timer, verify};

use super::bytes::{Bytes, mixed};
use super::game::TABLES;

/// One game and what its host knows.
struct Table {
    referee: Referee,
    effects: Effects,
    clock: ClockMode,
    seats: Vec<SeatState>,
    timers: Vec<Timer>,
    finished: bool,
}

#[derive(Clone)]
struct SeatState {
    /// The last ask and the one before it.
    asks: [AskId; 2],
    /// The deadline that runs.
    deadline: Option<AskId>,
    dismissed: bool,
}

/// A table, who sits at it, then what happens. Effects contradict one another never; a game whose seats are all gone is
/// over; and the log of a game that is over is a sound record.
pub fn referee(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut table = Table::new(&mut bytes);
    while !bytes.is_spent() && !table.finished {
        table.happen(&mut bytes);
    }
    for seat in Seat::all(table.seats.len()) {
        table.input(Input::Wrong { seat, fault: ConductFault::Gone, message: "gone".to_owned() });
    }
    assert!(table.finished, "nobody is left, and the game goes on");
    if mixed(data).is_multiple_of(32) {
        let (log, tallies) = table.referee.finish();
        assert_eq!(tallies.len(), log.header.names.len());
        let (record, digest) = log.to_record().expect("a log leads to its result");
        let verified = verify(&record).expect("a sound record");
        assert_eq!((&verified.log, &verified.digest), (&log, &digest));
    }
}

impl Table {
    fn new(bytes: &mut Bytes<'_>) -> Table {
        let rules: &Arc<Rules> = &TABLES[usize::from(bytes.byte()) % TABLES.len()];
        let flags = bytes.byte();
        let clock = if flags & 1 == 1 { ClockMode::Live } else { ClockMode::Lockstep };
        let players = (0..rules.seats()).map(|seat| {
            let wants = bytes.byte();
            let bit = |bit: u8| wants >> bit & 1 == 1;
            let all = [Want::View, Want::Legal, Want::Events, Want::Rules].into_iter().enumerate();
            let ready = Ready {
                protocol: PROTOCOL.to_owned(),
                name: String::new(),
                version: String::new(),
                wants: all.filter(|(index, _)| bit(*index as u8)).map(|(_, want)| want).collect(),
                ticks: bit(4),
                games: 1,
            };
            let ready = if wants > 0xf0 { Err("it did not start".to_owned()) } else { Ok(ready) };
            Player { name: format!("bot {seat}"), ready }
        });
        let players: Vec<Player> = players.collect();
        let nobody = SeatState { asks: [AskId(0); 2], deadline: None, dismissed: false };
        let seats = vec![nobody; players.len()];
        let referee = Referee::new(GameSetup {
            id: GameId("g".into()),
            rules: Arc::clone(rules),
            seed: Seed::from_number(u64::from(flags >> 4)),
            players,
            time: TimeControl { bank_ms: 100, increment_ms: 10, ..TimeControl::default() },
            clock,
            reveal_seed: flags & 2 == 2,
            id_key: [7; 32],
        });
        let (effects, timers) = (Effects::default(), Vec::new());
        let mut table = Table { referee, effects, clock, seats, timers, finished: false };
        table.referee.begin(&mut table.effects);
        table.check_effects();
        table
    }

    /// The next thing that the bytes say.
    fn happen(&mut self, bytes: &mut Bytes<'_>) {
        let op = bytes.byte();
        // Mostly somebody who is asked.
        let asked: Vec<Seat> = Seat::all(self.seats.len()).filter(|seat| self.referee.is_asked(*seat)).collect();
        let seat = match asked.as_slice() {
            asked @ [_, ..] if op & 7 < 6 => asked[usize::from(op >> 3 & 7) % asked.len()],
            _ => Seat::new(bytes.below(self.seats.len())).expect("a seat of the table"),
        };
        let state = &self.seats[seat.index()];
        let meta = Meta { took_us: Some(u64::from(op) << 12), ..Meta::default() };
        let blame = if op & 0x30 == 0x30 { Blame::Host } else { Blame::Agent };
        let input = match op & 15 {
            0..=4 | 8..=11 => {
                let legal = self.referee.game().legal(seat);
                let verb = (!legal.is_empty()).then(|| legal.nth(bytes.below(legal.len()))).flatten();
                let verb = verb.filter(|_| op < 0xc0).unwrap_or(Verb::Wait);
                let say = self.referee.game().words_due(seat, &verb);
                let id = state.asks[usize::from(op == 0xbb)];
                Input::Act { seat, act: Act { game: GameId("g".into()), id, action: Action { verb, say } }, meta }
            }
            5 | 12 => match read_agent_line(bytes.line()) {
                None => return,
                Some(Ok(AgentMessage::Act(act))) => {
                    let id = if op < 0x80 { state.asks[0] } else { act.id };
                    Input::Act { seat, act: Act { id, ..act }, meta }
                }
                Some(Ok(AgentMessage::Note(note))) => Input::Note { seat, note },
                Some(Ok(AgentMessage::Ready(_))) => {
                    Input::Wrong { seat, fault: ConductFault::OutOfPlace, message: "again".to_owned() }
                }
                Some(Err(error)) => Input::Wrong { seat, fault: error.fault, message: error.message },
            },
            6 | 13 => {
                let id = state.deadline.filter(|_| op < 0xe0).unwrap_or(state.asks[1]);
                self.seats[seat.index()].deadline.take_if(|running| *running == id);
                Input::Deadline { seat, id, meta, blame }
            }
            7 if !self.timers.is_empty() => {
                let timer = self.timers.remove(bytes.below(self.timers.len()));
                Input::Timer { timer, meta, blame }
            }
            14 => Input::Note { seat, note: Note { game: GameId("g".into()), note: op.into() } },
            _ => Input::Wrong { seat, fault: bytes.pick(&ConductFault::ALL), message: "wrong".to_owned() },
        };
        self.input(input);
    }

    fn input(&mut self, input: Input) {
        self.effects.clear();
        self.referee.handle(input, &mut self.effects);
        self.check_effects();
    }

    fn check_effects(&mut self) {
        let effects = std::mem::take(&mut self.effects);
        let mut written = 0;
        for effect in &effects.list {
            assert!(!self.finished, "after the end: {effect:?}");
            match effect {
                Effect::Send { seat, line } => {
                    assert_eq!(line.start, written, "the bytes are the lines, one after another");
                    written = line.end;
                    self.receive(*seat, &effects.bytes[line.clone()]);
                }
                Effect::StartDeadline { seat, id, .. } => {
                    let state = &mut self.seats[seat.index()];
                    assert_eq!(state.asks[0], *id, "a deadline is that of the ask just sent");
                    assert_eq!(state.deadline.replace(*id), None, "one deadline a seat");
                }
                Effect::StopDeadline { seat } => {
                    let stopped = self.seats[seat.index()].deadline.take();
                    assert!(stopped.is_some(), "no deadline of seat {seat} to stop");
                }
                Effect::StartTimer { timer, .. } => {
                    assert!(!self.timers.contains(timer), "{timer:?} runs already");
                    self.timers.push(*timer);
                }
                Effect::StopTimer { timer } => self.timers.retain(|running| running != timer),
                Effect::Dismiss { seat, .. } => {
                    let dismissed = std::mem::replace(&mut self.seats[seat.index()].dismissed, true);
                    assert!(!dismissed && self.referee.is_dismissed(*seat), "dismissed once");
                }
                Effect::Finished => self.finished = true,
            }
        }
        assert_eq!(written, effects.bytes.len(), "no bytes but those of lines");
        assert_eq!(self.finished, self.referee.is_finished());
        if self.clock == ClockMode::Lockstep && !self.finished {
            for seat in Seat::all(self.seats.len()) {
                let armed = self.seats[seat.index()].deadline.is_some();
                assert_eq!(self.referee.is_asked(seat), armed, "seat {seat}: a deadline runs while it is waited for");
            }
        }
        self.effects = effects;
    }

    fn receive(&mut self, seat: Seat, line: &[u8]) {
        let state = &mut self.seats[seat.index()];
        assert!(!state.dismissed, "seat {seat} is out of the game");
        assert!(line.len() <= MAX_LINE_BYTES, "{} bytes", line.len());
        assert_eq!(line.iter().position(|byte| *byte == b'\n'), Some(line.len() - 1), "one line");
        if let Some(ask) = line.strip_prefix(br#"{"type":"ask","game":"g","id":""#) {
            let id = ask.first_chunk::<16>().and_then(|id| AskId::parse(std::str::from_utf8(id).ok()?));
            state.asks = [id.expect("an ask has an id"), state.asks[0]];
        }
    }
}
