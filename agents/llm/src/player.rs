//! One game: asks the model where there is a choice, tries again within the deadline, keeps to the budget, and plays by a
//! built-in bot where the model does not. What each question cost goes into the record as a note.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use maumau_agents::{First, player};
use maumau_protocol::limits::{MAX_NOTES_BYTES_PER_GAME, MAX_NOTES_PER_GAME};
use maumau_protocol::message::{Ask, Fault, Start, Tell};
use maumau_protocol::{Action, Faces, Seat};
use maumau_sdk::Agent;
use serde::Serialize;
use serde_json::Value;

use crate::ModelSettings;
use crate::budget::Tokens;
use crate::endpoint::{ChatMessage, Endpoint, EndpointError};
use crate::prompt::{self, EventHistory};
use crate::reply::{self, Reply};
use crate::words::Names;

/// The least part of a deadline that is kept for everything but waiting; usually a tenth is kept.
const LEAST_RESERVE: Duration = Duration::from_millis(50);
/// The pause after the first answer that the endpoint is busy; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Answers that are kept.
const MAX_KEPT: usize = 4_096;

/// What all games of a process share.
#[derive(Clone)]
pub(crate) struct Shared(Rc<RefCell<State>>);

struct State {
    settings: ModelSettings,
    endpoint: Endpoint,
    spent: Tokens,
    /// Answers to questions that came before, word for word.
    kept: HashMap<String, Reply>,
    has_complained: bool,
    /// Why the endpoint takes no question from this process, once that is known.
    denied: Option<String>,
}

impl Shared {
    pub(crate) fn new(settings: ModelSettings, endpoint: Endpoint) -> Shared {
        let (spent, kept) = (Tokens::default(), HashMap::new());
        Shared(Rc::new(RefCell::new(State { settings, endpoint, spent, kept, has_complained: false, denied: None })))
    }
}

/// What goes into the record with a move for which the model was asked.
#[derive(Debug, Serialize)]
struct Note<'a> {
    model: &'a str,
    /// `model`, `kept` for an answer to the same question before, or the bot that played instead.
    by: &'a str,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    tokens: Tokens,
    cost: f64,
    tries: u32,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

/// The player of one game.
pub struct ModelPlayer {
    shared: Shared,
    names: Vec<String>,
    seat: Seat,
    faces: Faces,
    constant: String,
    history: EventHistory,
    instead: Box<dyn Agent>,
    spent: Tokens,
    note: Option<Value>,
    notes: u32,
    notes_bytes: usize,
}

/// What came of all tries.
#[derive(Default)]
struct Tried {
    reply: Option<Reply>,
    tokens: Tokens,
    tries: u32,
    trouble: Option<String>,
    /// True if the endpoint will never answer with this key.
    is_denied: bool,
}

impl ModelPlayer {
    pub(crate) fn new(start: &Start, shared: Shared) -> ModelPlayer {
        let instead = player(&shared.0.borrow().settings.instead, start).unwrap_or_else(|_| Box::new(First));
        ModelPlayer {
            names: start.names.clone(),
            seat: start.seat,
            faces: start.faces(),
            constant: prompt::constant(start),
            history: EventHistory::default(),
            instead,
            spent: Tokens::default(),
            note: None,
            notes: 0,
            notes_bytes: 0,
            shared,
        }
    }

    fn names(&self) -> Names<'_> {
        Names { names: &self.names, own: self.seat, faces: self.faces }
    }

    /// The model's choice, and what it cost.
    fn ask_model(&mut self, ask: &Ask) -> Option<Reply> {
        let time = Duration::from_millis(ask.time_ms);
        let until = Instant::now() + time.saturating_sub((time / 10).max(LEAST_RESERVE));
        let question = prompt::question(ask, &self.names(), &self.history);
        let state = &mut *self.shared.0.borrow_mut();
        let prices = state.settings.prices;
        let limits = [("game", state.settings.per_game, self.spent), ("run", state.settings.per_run, state.spent)];
        let over = limits.into_iter().find_map(|(of, limit, spent)| {
            limit.reached(spent, &prices).map(|what| format!("the budget of the {of} is spent: {what}"))
        });
        let over = state.denied.clone().or(over);
        let key = format!("{}\0{question}", self.constant);
        let (tried, by) = match (over, state.kept.get(&key)) {
            (Some(over), _) => (Tried { trouble: Some(over), ..Tried::default() }, state.settings.instead.as_str()),
            (None, Some(reply)) => (Tried { reply: Some(reply.clone()), ..Tried::default() }, "kept"),
            (None, None) => {
                let messages = vec![
                    ChatMessage { role: "system", text: self.constant.clone() },
                    ChatMessage { role: "user", text: question },
                ];
                let tried = try_often(&state.settings, &mut state.endpoint, messages, ask.legal.len(), until);
                if tried.is_denied {
                    state.denied = tried.trouble.as_ref().map(|why| format!("not asked any more after {why}"));
                }
                let by = if tried.reply.is_some() { "model" } else { state.settings.instead.as_str() };
                (tried, by)
            }
        };
        self.spent.add(tried.tokens);
        state.spent.add(tried.tokens);
        if let Some(trouble) = tried.trouble.as_ref().filter(|_| tried.reply.is_none() && !state.has_complained) {
            eprintln!("maumau agent llm: {by} plays instead: {trouble} (the record names every later case)");
            state.has_complained = true;
        }
        let note = Note {
            model: &state.settings.model,
            by,
            why: tried.reply.as_ref().map(|reply| reply.why.clone()).unwrap_or_default(),
            tokens: tried.tokens,
            cost: tried.tokens.cost(&prices),
            tries: tried.tries,
            trouble: tried.trouble,
        };
        self.note = serde_json::to_value(note).ok();
        if let (Some(reply), true) = (&tried.reply, tried.tries > 0) {
            if state.kept.len() >= MAX_KEPT {
                state.kept.clear();
            }
            state.kept.insert(key, reply.clone());
        }
        tried.reply
    }
}

/// Asks until there is a usable answer, all tries are used up, or the time is.
fn try_often(
    settings: &ModelSettings,
    endpoint: &mut Endpoint,
    mut messages: Vec<ChatMessage>,
    actions: usize,
    until: Instant,
) -> Tried {
    let mut tried = Tried::default();
    let mut pause = FIRST_PAUSE;
    let left = || until.saturating_duration_since(Instant::now());
    while tried.tries < settings.tries && !left().is_zero() {
        tried.tries += 1;
        match endpoint.ask(&messages, left().min(settings.patience)) {
            Ok(answer) => {
                tried.tokens.add(answer.tokens);
                match reply::read(&answer.text, actions) {
                    Ok(reply) => {
                        tried.reply = Some(reply);
                        return tried;
                    }
                    Err(problem) => {
                        // Only the last mistake is repeated, so that a question never grows without end.
                        messages.truncate(2);
                        let said: String = answer.text.chars().take(500).collect();
                        messages.push(ChatMessage { role: "assistant", text: said });
                        messages.push(ChatMessage { role: "user", text: prompt::correction(&problem, actions) });
                        tried.trouble = Some(problem);
                    }
                }
            }
            Err(EndpointError::Busy(wait)) => {
                tried.trouble = Some("the endpoint is busy".to_owned());
                let wait = wait.unwrap_or(pause);
                pause *= 2;
                if wait >= left() {
                    return tried;
                }
                std::thread::sleep(wait);
            }
            Err(EndpointError::Silent) => tried.trouble = Some("no answer in time".to_owned()),
            Err(EndpointError::Refused(why)) => {
                tried.trouble = Some(why);
                return tried;
            }
            Err(EndpointError::Denied(why)) => {
                (tried.trouble, tried.is_denied) = (Some(why), true);
                return tried;
            }
            Err(EndpointError::Broken(why)) => tried.trouble = Some(why),
        }
    }
    tried
}

impl Agent for ModelPlayer {
    fn start(&mut self, start: &Start) {
        self.instead.start(start);
    }

    fn choose(&mut self, ask: &Ask) -> Action {
        let names = Names { names: &self.names, own: self.seat, faces: self.faces };
        self.history.add(&ask.events, &names);
        let chosen = if ask.legal.len() > 1 { self.ask_model(ask) } else { None };
        match chosen.and_then(|reply| ask.legal.get(reply.action).cloned()) {
            Some(action) => action,
            None => self.instead.choose(ask),
        }
    }

    fn note(&mut self) -> Option<Value> {
        let note = self.note.take()?;
        let bytes = self.notes_bytes + note.to_string().len();
        let has_room = self.notes < MAX_NOTES_PER_GAME && bytes <= MAX_NOTES_BYTES_PER_GAME;
        has_room.then(|| {
            self.notes += 1;
            self.notes_bytes = bytes;
            note
        })
    }

    fn tell(&mut self, tell: &Tell) {
        let names = Names { names: &self.names, own: self.seat, faces: self.faces };
        self.history.add(&tell.events, &names);
    }

    fn fault(&mut self, _: &Fault, open: Option<&Ask>) -> Option<Action> {
        open.map(|ask| self.instead.choose(ask))
    }
}
