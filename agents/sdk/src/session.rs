//! The conversation without its pipes: a line of the arena goes in, lines for the arena come out. It knows no streams
//! and no clock. It holds the author's agents and calls them, one for each game.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Arguments;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use maumau_protocol::limits::{MAX_CRASH_CHARS, MAX_NOTE_BYTES};
use maumau_protocol::message::{
    Act, AgentMessage, ArenaMessage, Ask, AskId, Fault, GameId, Over, PROTOCOL, Ready, Start, Tell,
};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::wire::{self, QuickAsk};
use maumau_protocol::{Action, FromJson, Reason, SeenEvent, View, seed, write_json};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::agent::{Agent, Profile, ServeError, first_legal};

/// Whether the arena has more to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    GoOn,
    Bye,
}

/// One process's side of the conversation.
pub(crate) struct Session<A, M, C> {
    profile: Profile,
    make: M,
    complain: C,
    games: FxHashMap<Arc<str>, Game<A>>,
    /// A finished ask; its memory is reused.
    spare: Option<Box<Ask>>,
}

/// The author's code, and its failures.
struct Author<A> {
    /// `None` if it could not be made.
    agent: Option<A>,
    /// Failures since the last answer.
    crash: Option<Box<str>>,
}

struct Game<A> {
    id: GameId,
    author: Author<A>,
    commitment: String,
    /// The last ask, which a fault may reopen.
    asked: Option<Box<Ask>>,
}

impl<A: Agent, M: FnMut(&Start) -> A, C: FnMut(Arguments<'_>)> Session<A, M, C> {
    /// A session before its first line. `complain` receives everything that the author of the agent should know.
    pub(crate) fn new(profile: Profile, make: M, complain: C) -> Session<A, M, C> {
        Session { profile, make, complain, games: FxHashMap::default(), spare: None }
    }

    /// Takes one line without its newline and appends the answers to `out`. A line that cannot be understood is reported
    /// and skipped: trouble in one game must not end the others of this process.
    pub(crate) fn handle(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<Flow, ServeError> {
        if let Some(usual) = QuickAsk::of(line)
            && let Some(game) = self.games.get_mut(usual.game)
        {
            let mut ask = self.spare.take().unwrap_or_else(|| Box::new(Ask::of(game.id.clone())));
            if usual.read_into(&mut ask) {
                ask.game = game.id.clone();
                self.spare = game.answer(ask, out, &mut self.complain);
                return Ok(Flow::GoOn);
            }
            self.spare = Some(ask);
        }
        // The arena writes UTF-8, and one broken line is no reason to lose the others.
        let line = &*match str::from_utf8(line) {
            Ok(line) => Cow::Borrowed(line),
            Err(_) => String::from_utf8_lossy(line),
        };
        match wire::read_arena_line(line) {
            Ok(Some(message)) => return self.hear(message, out),
            Ok(None) => {}
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(error) => match read(line) {
                Some(Newer::Message(message)) => return self.hear(message, out),
                Some(Newer::Hello(theirs, allowed)) => self.greet(&theirs, allowed, out)?,
                Some(Newer::Answer(answer)) => write_line(out, &answer),
                None => {
                    let start: String = line.chars().take(200).collect();
                    (self.complain)(format_args!("a line of the arena was passed over: {error}: {start}"));
                }
            },
        }
        Ok(Flow::GoOn)
    }

    fn hear(&mut self, message: ArenaMessage, out: &mut Vec<u8>) -> Result<Flow, ServeError> {
        match message {
            ArenaMessage::Ask(ask) => match self.games.get_mut(&*ask.game.0) {
                Some(game) => self.spare = game.answer(ask, out, &mut self.complain),
                None => (self.complain)(format_args!(
                    "an ask of game {:?}, which never started, stays unanswered",
                    ask.game.0
                )),
            },
            ArenaMessage::Tell(tell) => {
                if let Some(game) = self.games.get_mut(&*tell.game.0) {
                    game.author.call(|agent| agent.tell(&tell));
                }
            }
            ArenaMessage::Start(start) => {
                let commitment = start.commitment.clone();
                let mut author = Author { agent: None, crash: None };
                author.agent = author.attempt(|| (self.make)(&start));
                author.call(|agent| agent.start(&start));
                let id = start.game;
                self.games.insert(Arc::clone(&id.0), Game { id, author, commitment, asked: None });
            }
            ArenaMessage::Fault(fault) => self.take_fault(&fault, out),
            ArenaMessage::Over(over) => self.end(&over),
            ArenaMessage::Hello(hello) => self.greet(&hello.protocol, hello.limits.games, out)?,
            ArenaMessage::Bye(_) => return Ok(Flow::Bye),
        }
        Ok(Flow::GoOn)
    }

    fn greet(&mut self, theirs: &str, allowed: u32, out: &mut Vec<u8>) -> Result<(), ServeError> {
        if !is_same_major(theirs) {
            return Err(ServeError::OtherProtocol(theirs.chars().take(64).collect()));
        }
        let Profile { name, version, wants, ticks, games, plays } = self.profile.clone();
        let games = games.min(allowed);
        let ready = Ready { protocol: PROTOCOL.to_owned(), name, version, wants, ticks, games, plays };
        write_line(out, &AgentMessage::Ready(ready));
        Ok(())
    }

    fn take_fault(&mut self, fault: &Fault, out: &mut Vec<u8>) {
        let Fault { fault: name, message, clause, .. } = fault;
        let Some((id, game)) = fault.game.as_ref().and_then(|id| Some((id, self.games.get_mut(&*id.0)?))) else {
            (self.complain)(format_args!("{name}: {message} ({clause})"));
            return;
        };
        // To be slower than another is no mistake of the author's (G-03).
        if *name != Reason::Interrupted.name() {
            (self.complain)(format_args!("{name} in game {}: {message} ({clause})", id.0));
        }
        let open = game.asked.as_deref().filter(|ask| fault.open && fault.id == Some(ask.id));
        let again = game.author.call(|agent| agent.fault(fault, open)).flatten();
        if let Some(ask) = open {
            let action = again.unwrap_or_else(|| first_legal(ask));
            write_act(out, &ask.game, ask.id, action, game.author.crash.take());
        }
    }

    fn end(&mut self, over: &Over) {
        let Some(mut game) = self.games.remove(&*over.game.0) else { return };
        if let Some(text) = &over.seed {
            let found = seed::unhex(text).map(|bytes| commitment(&over.game.0, bytes));
            if found.is_none_or(|found| !found.eq_ignore_ascii_case(&game.commitment)) {
                let id = &over.game.0;
                (self.complain)(format_args!("the seed of game {id} is not the one that the arena was committed to"));
            }
        }
        // No later answer can report a failure.
        game.author.call(|agent| agent.over(over));
    }
}

/// The commitment that the arena must have published if the game `game` had the seed `seed`: 64 hexadecimal digits (SPEC
/// 8.10).
pub(crate) fn commitment(game: &str, seed: [u8; 32]) -> String {
    let hasher = Sha256::new().chain_update(b"maumau/1 commitment\0").chain_update(game).chain_update(b"\0");
    seed::hex(&hasher.chain_update(seed).finalize())
}

impl<A: Agent> Author<A> {
    /// Calls the agent, if there is one; `None` if it fails.
    fn call<T>(&mut self, call: impl FnOnce(&mut A) -> T) -> Option<T> {
        let mut agent = self.agent.take()?;
        let result = self.attempt(|| call(&mut agent));
        self.agent = Some(agent);
        result
    }

    /// The result of `code`; `None` if it panics. The state that it then leaves behind is its author's concern.
    fn attempt<T>(&mut self, code: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(code)) {
            Ok(result) => Some(result),
            Err(panic) => {
                self.crash.get_or_insert_with(|| sentence(&*panic));
                None
            }
        }
    }
}

/// The message of a panic, as much of it as an act may contain.
fn sentence(panic: &(dyn Any + Send)) -> Box<str> {
    let literal = panic.downcast_ref::<&str>().copied();
    let said = literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    format!("panic: {said}").chars().take(MAX_CRASH_CHARS).collect::<String>().into()
}

impl<A: Agent> Game<A> {
    /// Answers `ask` and stores it as the last one; returns the one stored before.
    fn answer(
        &mut self,
        ask: Box<Ask>,
        out: &mut Vec<u8>,
        complain: &mut impl FnMut(Arguments<'_>),
    ) -> Option<Box<Ask>> {
        let action = self.author.call(|agent| agent.choose(&ask)).unwrap_or_else(|| first_legal(&ask));
        if let Some(note) = self.author.call(Agent::note).flatten() {
            write_note(out, &ask.game, &note, complain);
        }
        if self.author.agent.is_none() {
            self.author.crash.get_or_insert_with(|| "the agent could not be made".into());
        }
        write_act(out, &ask.game, ask.id, action, self.author.crash.take());
        self.asked.replace(ask)
    }
}

fn write_act(out: &mut Vec<u8>, game: &GameId, id: AskId, action: Action, crash: Option<Box<str>>) {
    if crash.is_some() {
        let act = Act { game: game.clone(), id, crash, action };
        return write_line(out, &AgentMessage::Act(act));
    }
    let before = out.len();
    if wire::write_act(out, game, id, &action).is_err() {
        out.truncate(before);
    }
}

fn write_note(out: &mut Vec<u8>, game: &GameId, note: &serde_json::Value, complain: &mut impl FnMut(Arguments<'_>)) {
    #[derive(Serialize)]
    #[serde(tag = "type", rename = "note")]
    struct Note<'a> {
        game: &'a GameId,
        note: &'a serde_json::Value,
    }
    match note.to_string().len() {
        0..=MAX_NOTE_BYTES => write_line(out, &Note { game, note }),
        bytes => complain(format_args!("a note of {bytes} bytes was dropped; at most {MAX_NOTE_BYTES}")),
    }
}

/// Messages have text keys and no failing writers, so they always serialise.
fn write_line(out: &mut Vec<u8>, message: &impl Serialize) {
    let before = out.len();
    match write_json(out, message) {
        Ok(()) => out.push(b'\n'),
        Err(_) => out.truncate(before),
    }
}

/// A line that could not be read as it stands.
pub(crate) enum Newer {
    /// The rest of it, without the additions.
    Message(ArenaMessage),
    /// A `hello` that announces unknown things: the protocol that it names, and the games that it allows at once.
    Hello(String, u32),
    /// An ask with no legal action that this crate knows; the first one, as a complete answer.
    Answer(Value),
}

/// Reads a line that [`maumau_protocol::wire::read_arena_line`] could not. `None` if this fails too.
pub(crate) fn read(line: &str) -> Option<Newer> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    match value.get("type")?.as_str()? {
        "hello" => {
            let allowed = value.pointer("/limits/games").and_then(Value::as_u64);
            let games = allowed.and_then(|games| games.try_into().ok()).unwrap_or(1);
            Some(Newer::Hello(value.get("protocol")?.as_str()?.to_owned(), games))
        }
        "start" => {
            leave_out_unless::<RuleSet>(&mut value, "rules");
            Some(Newer::Message(ArenaMessage::Start(Box::new(read_as::<Start>(&value)?))))
        }
        "ask" => read_ask(value),
        "tell" => {
            keep_known::<SeenEvent>(&mut value, "events");
            Some(Newer::Message(ArenaMessage::Tell(read_as::<Tell>(&value)?)))
        }
        "over" => {
            keep_known::<SeenEvent>(&mut value, "events");
            Some(Newer::Message(ArenaMessage::Over(read_as::<Over>(&value)?)))
        }
        _ => None,
    }
}

fn read_ask(mut value: Value) -> Option<Newer> {
    let first = value.get("legal").and_then(|legal| legal.get(0)).cloned();
    keep_known::<SeenEvent>(&mut value, "events");
    keep_known::<Action>(&mut value, "legal");
    leave_out_unless::<View>(&mut value, "view");
    match (read_as::<Ask>(&value), first) {
        (Some(ask), Some(_)) if !ask.legal.is_empty() => Some(Newer::Message(ArenaMessage::Ask(Box::new(ask)))),
        (Some(ask), None) => Some(Newer::Message(ArenaMessage::Ask(Box::new(ask)))),
        (_, Some(mut answer)) => {
            let members = answer.as_object_mut()?;
            members.insert("type".into(), "act".into());
            for name in ["game", "id"] {
                members.insert(name.into(), value.get_mut(name)?.take());
            }
            Some(Newer::Answer(answer))
        }
        (None, None) => None,
    }
}

fn read_as<T: FromJson>(value: &Value) -> Option<T> {
    T::from_json(&value.to_string()).ok()
}

fn keep_known<T: FromJson>(value: &mut Value, list: &str) {
    if let Some(items) = value.get_mut(list).and_then(Value::as_array_mut) {
        items.retain(|item| read_as::<T>(item).is_some());
    }
}

fn leave_out_unless<T: FromJson>(value: &mut Value, name: &str) {
    if let Some(members) = value.as_object_mut()
        && members.get(name).is_some_and(|member| read_as::<T>(member).is_none())
    {
        members.remove(name);
    }
}

/// Whether this crate can talk to an arena with protocol `theirs`: the same major version, with any minor one.
pub(crate) fn is_same_major(theirs: &str) -> bool {
    theirs.split('.').next() == Some(PROTOCOL)
}
