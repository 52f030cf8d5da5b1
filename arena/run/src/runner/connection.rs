//! An agent's process and the games it is playing: passes each line to the game it belongs to. It moves bytes through a
//! `Transport` and counts them; deadlines and verdicts are not its business.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::ErrorKind;
use std::rc::Rc;
use std::sync::Arc;

use maumau_protocol::Seat;
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{AgentMessage, GameId, PROTOCOL, Ready};
use maumau_protocol::wire::{LineError, read_agent_line_among};
use maumau_referee::Input;
use maumau_referee::faults::{ByteCount, Candidate, Flood, LineCount, Misconduct, charged};
use maumau_referee::record::Silence;
use tokio::sync::oneshot;

use super::idle_cpu::IdleCpuGuard;
use super::start_failure::SENT;
use super::transport::Transport;
use crate::agent::{Freeze, LineEvent, LineReader};

/// How many names of finished games are kept, to distinguish a late line from one for an unknown game.
const REMEMBERED_GAMES: usize = 64;

/// Bytes that a pipe holds.
const PIPE_BYTES: usize = 64 * 1024;

/// One game that an agent is playing.
#[derive(Debug)]
pub struct AgentGame {
    pub id: GameId,
    pub game: u64,
    pub seat: Seat,
    /// How many games of the process had begun before it.
    begun: u64,
    /// The number of its open ask among the asks of the process: the smallest one is the oldest. 0 = not asked.
    asked: Cell<u64>,
    bytes: Cell<ByteCount>,
}

impl AgentGame {
    /// True if an ask of the game is open.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.get() > 0
    }

    /// Adds a line of `bytes` bytes to the count; returns the exceeded limit, if any.
    fn add(&self, bytes: usize) -> Option<Flood> {
        let mut counted = self.bytes.get();
        let flood = counted.add(bytes);
        self.bytes.set(counted);
        flood
    }

    /// Lets the agent send as much as for a new ask.
    fn renew(&self) {
        let mut counted = self.bytes.get();
        counted.renew();
        self.bytes.set(counted);
    }

    /// Renews the allowance when an ask is sent, on either clock: its answer never exceeds a limit of the game.
    pub(super) fn invite(&self) {
        let mut counted = self.bytes.get();
        counted.invite();
        self.bytes.set(counted);
    }
}

/// An agent and the games it plays.
pub struct Connection<L> {
    /// The transport to the agent.
    pub transport: L,
    handshake: RefCell<Option<oneshot::Sender<Result<Ready, String>>>>,
    /// Its handshake; absent until it has sent it.
    pub ready: RefCell<Option<Arc<Ready>>>,
    /// Ordered by the [`mark`]s of their names.
    places: RefCell<Vec<(u64, Rc<AgentGame>)>>,
    /// Games that have begun so far.
    begun: Cell<u64>,
    over: RefCell<VecDeque<GameId>>,
    lines: RefCell<LineReader>,
    /// Lines since the last ask that belong to no game.
    idle_lines: Cell<LineCount>,
    asks: Cell<u64>,
    /// Lines kept back to be sent together with others.
    gathered: RefCell<Vec<u8>>,
    /// Games it has been promised to, begun or not.
    pub load: Cell<u32>,
    /// Detects whether it computes while it is not asked.
    pub(super) idle_cpu: IdleCpuGuard,
    /// Why it can play no more.
    pub lost: RefCell<Option<Misconduct>>,
}

/// The result of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The number of bytes; there may be more.
    Bytes(usize),
    /// Nothing more for the moment.
    Nothing,
    /// The end: nothing more will come.
    End,
}

/// Something a process sent, and the game it belongs to.
pub(super) type Delivery = (u64, Input);

impl<L: Transport> Connection<L> {
    /// An agent that has sent nothing yet; `handshake` receives its first message, or why there is none.
    pub fn new(transport: L, handshake: oneshot::Sender<Result<Ready, String>>) -> Connection<L> {
        Connection {
            transport,
            handshake: RefCell::new(Some(handshake)),
            ready: RefCell::new(None),
            places: RefCell::default(),
            begun: Cell::new(0),
            over: RefCell::default(),
            lines: RefCell::default(),
            idle_lines: Cell::default(),
            asks: Cell::new(0),
            gathered: RefCell::default(),
            load: Cell::new(0),
            idle_cpu: IdleCpuGuard::default(),
            lost: RefCell::new(None),
        }
    }

    /// Games it can play at once.
    pub fn capacity(&self) -> u32 {
        self.ready.borrow().as_ref().map_or(1, |ready| ready.games)
    }

    /// Adds a game of `rounds` rounds that begins.
    pub fn enter(&self, id: GameId, game: u64, seat: Seat, rounds: u32) -> Rc<AgentGame> {
        let bytes = Cell::new(ByteCount::new(rounds));
        let begun = self.begun.replace(self.begun.get() + 1);
        let mark = mark(id.0.as_bytes());
        let place = Rc::new(AgentGame { id, game, seat, begun, asked: Cell::new(0), bytes });
        let mut places = self.places.borrow_mut();
        let index = places.partition_point(|(other, _)| *other <= mark);
        places.insert(index, (mark, Rc::clone(&place)));
        place
    }

    /// Removes a game that is over, or that the agent is out of.
    pub fn leave(&self, place: &Rc<AgentGame>) {
        let mut places = self.places.borrow_mut();
        if let Some(index) = places.iter().position(|(_, known)| Rc::ptr_eq(known, place)) {
            places.remove(index);
            let mut over = self.over.borrow_mut();
            over.push_back(place.id.clone());
            if over.len() > REMEMBERED_GAMES {
                over.pop_front();
            }
        }
    }

    /// Its games, in the order in which they began.
    pub fn places(&self) -> Vec<Rc<AgentGame>> {
        let mut places: Vec<_> = self.places.borrow().iter().map(|(_, place)| Rc::clone(place)).collect();
        places.sort_by_key(|place| place.begun);
        places
    }

    /// Keeps `bytes` until [`Connection::send_gathered`]; true if they are the first that are kept.
    pub fn gather(&self, bytes: &[u8]) -> bool {
        let mut gathered = self.gathered.borrow_mut();
        let first = gathered.is_empty();
        gathered.extend_from_slice(bytes);
        first
    }

    /// Sends the kept bytes, if any, with one write; `false` as from [`Transport::send`].
    pub fn send_gathered(&self) -> bool {
        let mut gathered = self.gathered.borrow_mut();
        let heard = gathered.is_empty() || self.transport.send(&gathered);
        gathered.clear();
        heard
    }

    /// What it is seen to do while an answer is waited for.
    pub(super) fn silence(&self) -> Option<Silence> {
        self.transport.silence(self.lines.borrow().unfinished())
    }

    /// True if it has been asked before and no ask is open. On the live clock agents may act at any time, so none is idle
    /// there.
    pub(super) fn is_idle(&self) -> bool {
        self.asks.get() > 0 && !self.places.borrow().iter().any(|(_, place)| place.is_asked())
    }

    /// From now on it is frozen while it is not asked, and never while it is.
    pub(super) fn restrain(&self) {
        self.idle_cpu.restrain();
        if self.is_idle() {
            self.transport.freeze();
        }
    }

    /// When it was frozen last, if that is any of its matter.
    pub(super) fn frozen(&self) -> Option<Freeze> {
        if self.idle_cpu.is_restrained() { self.transport.frozen() } else { None }
    }

    /// An ask of the game at `place` was sent.
    pub fn asked(&self, place: &AgentGame) {
        if self.idle_cpu.is_restrained() {
            self.transport.thaw();
        }
        self.idle_cpu.idle_ends(|| self.transport.known_ran());
        self.idle_lines.set(LineCount::default());
        self.asks.set(self.asks.get() + 1);
        place.asked.set(self.asks.get());
        place.renew();
    }

    /// Something moved in a live game, whose asks are never closed.
    pub fn moved(&self, place: &AgentGame) {
        self.idle_lines.set(LineCount::default());
        place.renew();
    }

    /// An ask of the game at `place` was answered, or is no longer open.
    pub fn answered(&self, place: &AgentGame) {
        place.asked.set(0);
        if self.idle_cpu.concern() && self.is_idle() {
            self.idle_cpu.idle_begins(|| self.transport.known_ran());
            if self.idle_cpu.is_restrained() {
                self.transport.freeze();
            }
        }
    }

    /// Reads what has come, as far as the buffer holds it, and passes on what it means.
    pub fn read(&self, buffer: &mut [u8], out: &mut Vec<Delivery>) -> ReadOutcome {
        match self.transport.read(buffer) {
            Ok(0) => {
                let rest = self.lines.borrow().unfinished().len();
                let cut =
                    if rest > 0 { format!(", {rest} bytes of an unfinished line were left") } else { String::new() };
                self.lose(Misconduct::gone(format!("the agent closed its output{cut}")), out);
                ReadOutcome::End
            }
            Ok(count) => {
                self.lines.borrow_mut().feed(&buffer[..count], |event| {
                    // From here on nobody has the secrets of the line.
                    let hidden = match event {
                        LineEvent::Line(bytes) => self.transport.without_secrets(bytes),
                        _ => Cow::default(),
                    };
                    let event = match event {
                        LineEvent::Line(_) if hidden.len() >= MAX_LINE_BYTES => LineEvent::TooLong,
                        LineEvent::Line(_) => LineEvent::Line(&hidden),
                        other => other,
                    };
                    let first = out.len();
                    self.line(event, out);
                    if let LineEvent::Line(bytes) = event {
                        self.quote(bytes, &mut out[first..]);
                    }
                });
                ReadOutcome::Bytes(count)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => ReadOutcome::Nothing,
            Err(error) if error.kind() == ErrorKind::Interrupted => ReadOutcome::Bytes(0),
            Err(error) => {
                self.lose(Misconduct::gone(format!("the agent's output cannot be read: {error}")), out);
                ReadOutcome::End
            }
        }
    }

    /// Reads everything that has come, up to what a pipe holds.
    pub fn read_all(&self, buffer: &mut [u8], out: &mut Vec<Delivery>) {
        let mut room = PIPE_BYTES;
        while let ReadOutcome::Bytes(count) = self.read(buffer, out) {
            match room.checked_sub(count) {
                Some(left) if left > 0 => room = left,
                _ => return,
            }
        }
    }

    /// The process can play no more: all its games hear of it.
    pub fn lose(&self, why: Misconduct, out: &mut Vec<Delivery>) {
        if self.lost.borrow().is_some() {
            return;
        }
        *self.lost.borrow_mut() = Some(why.clone());
        if let Some(handshake) = self.handshake.take() {
            // Nobody waits any more if the start-up allowance has passed already.
            let _ = handshake.send(Err(why.message.clone()));
        }
        out.extend(self.places().iter().map(|place| charge(place, why.clone())));
    }

    fn line(&self, line: LineEvent<'_>, out: &mut Vec<Delivery>) {
        if self.lost.borrow().is_some() {
            return;
        }
        let mut place = None;
        let (message, bytes) = match line {
            LineEvent::TooLong => (Err(LineError::too_long(None)), MAX_LINE_BYTES),
            LineEvent::Endless => return self.flood(Flood::EndlessLine, out),
            LineEvent::Line(line) => {
                let known = |name: &[u8]| {
                    place = self.place_called(name);
                    place.as_ref().map(|place| place.id.clone())
                };
                match read_agent_line_among(line, known) {
                    None => return self.idle(out),
                    Some(message) => (message, line.len() + 1),
                }
            }
        };
        if let Some(handshake) = self.handshake.take() {
            let mut answer = accept_handshake(message);
            if let (Err(reason), LineEvent::Line(bytes)) = (&mut answer, line) {
                *reason += &format!("{SENT}{}", self.transport.quoted(bytes));
            }
            if let Ok(ready) = &answer {
                *self.ready.borrow_mut() = Some(Arc::new(ready.clone()));
            }
            // As above: the start-up allowance may have passed.
            let _ = handshake.send(answer);
            return;
        }
        match message {
            Ok(AgentMessage::Act(act)) => match place.or_else(|| self.place_called(act.game.0.as_bytes())) {
                Some(place) => out.push(match place.add(bytes) {
                    Some(flood) => charge(&place, flood.into()),
                    None => (place.game, Input::Act { seat: place.seat, act, meta: Default::default() }),
                }),
                None => self.unknown_game(&act.game, out),
            },
            Ok(AgentMessage::Note(note)) => match self.place_called(note.game.0.as_bytes()) {
                Some(place) => out.push(match place.add(bytes) {
                    Some(flood) => charge(&place, flood.into()),
                    None => (place.game, Input::Note { seat: place.seat, note }),
                }),
                None => self.unknown_game(&note.game, out),
            },
            Ok(AgentMessage::Ready(_)) => self.wrong(None, Misconduct::second_ready(), out),
            Err(mut error) => {
                let game = error.game.take();
                self.wrong(game.as_ref(), error.into(), out);
            }
        }
    }

    /// Adds the line to the description of its fault.
    fn quote(&self, bytes: &[u8], found: &mut [Delivery]) {
        for (_, input) in found {
            if let Input::Wrong { fault, line, .. } = input
                && *fault != ConductFault::Flood
            {
                *line = Some(self.transport.quoted(bytes).into());
            }
        }
    }

    fn place_called(&self, name: &[u8]) -> Option<Rc<AgentGame>> {
        let wanted = mark(name);
        let places = self.places.borrow();
        let first = places.partition_point(|(mark, _)| *mark < wanted);
        let mut alike = places[first..].iter().take_while(|(mark, _)| *mark == wanted).map(|(_, place)| place);
        alike.find(|place| place.id.0.as_bytes() == name).cloned()
    }

    fn unknown_game(&self, id: &GameId, out: &mut Vec<Delivery>) {
        if self.over.borrow().contains(id) {
            return self.idle(out);
        }
        self.wrong(None, Misconduct::unknown_game(id), out);
    }

    /// A faulty line, which may name a game.
    fn wrong(&self, named: Option<&GameId>, wrong: Misconduct, out: &mut Vec<Delivery>) {
        let places = self.places.borrow();
        let candidate = |(_, place): &(u64, Rc<AgentGame>)| Candidate {
            is_named: named == Some(&place.id),
            asked: place.is_asked().then(|| place.asked.get()),
            begun: place.begun,
        };
        match charged(places.iter().map(candidate)) {
            Some(index) => out.push(charge(&places[index].1, wrong)),
            None => self.idle(out),
        }
    }

    /// A line that belongs to no game; too many of them are a flood (SPEC 6.2).
    fn idle(&self, out: &mut Vec<Delivery>) {
        let mut lines = self.idle_lines.get();
        let is_flood = lines.add();
        self.idle_lines.set(lines);
        if is_flood {
            self.flood(Flood::IdleLines, out);
        }
    }

    /// Removes the process from all its games and kills it.
    fn flood(&self, flood: Flood, out: &mut Vec<Delivery>) {
        self.lose(flood.into(), out);
        self.transport.kill();
    }
}

/// The end of a name, which quickly distinguishes it from most others.
fn mark(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(end) => u64::from_le_bytes(*end),
        None => name.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte)),
    }
}

fn charge(place: &AgentGame, wrong: Misconduct) -> Delivery {
    let Misconduct { fault, message } = wrong;
    (place.game, Input::Wrong { seat: place.seat, fault, message, line: None })
}

fn accept_handshake(message: Result<AgentMessage, LineError>) -> Result<Ready, String> {
    match message {
        Ok(AgentMessage::Ready(ready)) => {
            let major = ready.protocol.split('.').next().unwrap_or_default();
            if major == PROTOCOL {
                Ok(ready)
            } else {
                Err(format!("the agent speaks {:?}, this arena speaks {PROTOCOL:?}", ready.protocol))
            }
        }
        Ok(_) => Err("the first line was not \"ready\"".to_owned()),
        Err(error) => Err(format!("the first line was not \"ready\": {}", error.message)),
    }
}
