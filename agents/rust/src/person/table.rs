//! What a person's seat knows: the game, the newest ask, the position, the clock, and the words that the person is about to
//! say. It follows the messages of the arena and writes none; what can be done now is read off in `options`.

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::{Game, Rules};
use maumau_observer::{Observer, SeenStep};
use maumau_protocol::message::{Act, ArenaMessage, Ask, AskId, ClockMode, Fault, Over, Start, What};
use maumau_protocol::{Action, Card, Choice, Pending, Say, Seat, SeenEvent, Text, Verb, View};

/// The name of the refusal of an action that another one came before (SPEC 6).
const TOO_LATE: &str = "interrupted";

/// Asks that can still be answered on the live clock, at most: far fewer than the referee remembers.
const KEPT_ASKS: usize = 64;

/// Something to show the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonNews {
    /// A game has begun; everything before it is over.
    Started,
    /// Something happened at the table.
    Happened(SeenEvent),
    /// A round is over; the position as it ended. What was counted has [`PersonNews::Happened`] before.
    RoundOver(Box<View>),
    /// Something that the person did was wrong, with its price and its clause.
    Fault(Fault),
    /// The game is over; the result is in [`PersonGame::over`].
    Over,
    /// The arena says good-bye, and why.
    Bye(String),
}

/// A play that the seat has seen, and the game around it. Only what is public of the games is true.
#[derive(Clone, Debug)]
pub struct SeenPlay {
    /// Before it.
    pub before: Game,
    /// Whose play it is.
    pub seat: Seat,
    /// What was played, with the words that were said with it.
    pub action: Action,
    /// After it.
    pub after: Game,
}

/// The time that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// Whose it is.
    pub seat: Seat,
    /// Milliseconds that are left.
    pub left_ms: u64,
    /// Milliseconds that there were.
    pub of_ms: u64,
}

/// A game as a person's seat sees it.
#[derive(Clone, Debug)]
pub struct PersonGame {
    clock: ClockMode,
    start: Option<Start>,
    ask: Option<Box<Ask>>,
    /// The newest asks, the last one being `ask`.
    asked: VecDeque<AskId>,
    /// Whether the newest ask still waits for an answer; on the live clock, whether the person has not acted since.
    is_open: bool,
    view: View,
    /// What the seat has seen of the game.
    seen: Vec<SeenEvent>,
    /// Follows the game by them, as long as they can be explained.
    observer: Option<Box<Observer>>,
    /// The plays that came with the newest message.
    plays: Vec<SeenPlay>,
    tongue: Vec<Text>,
    /// When the time began that runs now.
    since_ms: u64,
    over: Option<Over>,
}

impl PersonGame {
    /// A seat before its first game. `clock` is what `hello` says.
    pub fn new(clock: ClockMode) -> PersonGame {
        PersonGame {
            clock,
            start: None,
            ask: None,
            asked: VecDeque::new(),
            is_open: false,
            view: View::default(),
            seen: Vec::new(),
            observer: None,
            plays: Vec::new(),
            tongue: Vec::new(),
            since_ms: 0,
            over: None,
        }
    }

    /// Takes a message that came at `now_ms`, on any clock that is never set back, and says what is new.
    pub fn hear(&mut self, message: ArenaMessage, now_ms: u64) -> Vec<PersonNews> {
        self.plays.clear();
        match message {
            ArenaMessage::Hello(hello) => {
                self.clock = hello.clock;
                Vec::new()
            }
            ArenaMessage::Start(start) => {
                let observer = observer(&start);
                *self = PersonGame { start: Some(*start), observer, since_ms: now_ms, ..PersonGame::new(self.clock) };
                vec![PersonNews::Started]
            }
            ArenaMessage::Ask(mut ask) => {
                let events = std::mem::take(&mut ask.events);
                if (self.seen.len() + events.len()) as u64 != u64::from(ask.as_of.0) {
                    // Events with gaps between them cannot be explained, and to find that out may take long.
                    self.observer = None;
                }
                if self.clock == ClockMode::Lockstep || events.iter().any(moves) || self.ask.is_none() {
                    self.since_ms = now_ms;
                }
                let news = self.happened(events);
                if let Some(view) = &ask.view {
                    self.view = view.clone();
                    self.view.hand.sort_by_key(|card| card.order_in_hand());
                }
                self.asked.push_back(ask.id);
                if self.asked.len() > KEPT_ASKS {
                    self.asked.pop_front();
                }
                self.ask = Some(ask);
                self.is_open = true;
                news
            }
            ArenaMessage::Tell(tell) => {
                if tell.events.iter().any(moves) {
                    self.since_ms = now_ms;
                }
                self.happened(tell.events)
            }
            ArenaMessage::Fault(fault) => {
                if fault.open && fault.id.is_some() && fault.id == self.ask.as_ref().map(|ask| ask.id) {
                    self.is_open = true;
                }
                // Who is only too late has done nothing wrong, and an event says so to all, or the end of the round does.
                if fault.fault == TOO_LATE { Vec::new() } else { vec![PersonNews::Fault(fault)] }
            }
            ArenaMessage::Over(mut over) => {
                let events = std::mem::take(&mut over.events);
                let mut news = self.happened(events);
                (self.view.turn, self.view.pending) = (None, Pending::default());
                self.view.points.clone_from(&over.result.points);
                self.view.wins.clone_from(&over.result.wins);
                self.over = Some(over);
                (self.ask, self.is_open) = (None, false);
                news.push(PersonNews::Over);
                news
            }
            ArenaMessage::Bye(bye) => {
                (self.ask, self.is_open) = (None, false);
                vec![PersonNews::Bye(bye.reason)]
            }
        }
    }

    /// What the seat has seen of the game, in order.
    pub(super) fn seen(&self) -> &[SeenEvent] {
        &self.seen
    }

    /// The plays that the newest message tells of, in their order, as far as the game can be followed: it is by all that came
    /// before, where the rules are known.
    pub fn seen_plays(&self) -> &[SeenPlay] {
        &self.plays
    }

    /// Whether the seat may play what `action` says, as far as the game can be followed: no ask lists plays of several cards.
    /// `None` if that is not known.
    pub fn may_play(&mut self, action: &Action) -> Option<bool> {
        let seat = self.seat();
        let game = self.observer.as_mut()?.position().ok()?;
        let mut own = game.view(seat).hand;
        own.sort_by_key(|card| card.order_in_hand());
        let is_known = own == self.view.hand && game.turn() == self.view.turn;
        is_known.then(|| game.play_ground(seat, &action.verb, &action.say).is_some())
    }

    fn watch(&mut self, events: &[SeenEvent]) {
        let Some(observer) = &mut self.observer else { return };
        events.iter().for_each(|event| observer.see(event));
        let plays = &mut self.plays;
        // A play that cannot be explained is shown without a reason.
        _ = observer.catch_up_showing(|SeenStep { before, seat, action, after }| {
            if action.verb.plays() {
                plays.push(SeenPlay { before: before.clone(), seat, action: action.clone(), after: after.clone() });
            }
        });
    }

    /// Follows what happens after the newest view, as far as it shows how a round ends: no ask follows its last card.
    fn happened(&mut self, events: Vec<SeenEvent>) -> Vec<PersonNews> {
        let mut news = Vec::new();
        self.seen.extend(events.iter().cloned());
        self.watch(&events);
        // Hands are counted after the end of the round; what comes after that belongs to the next one.
        let mut is_counted = false;
        for event in events {
            if is_counted && !matches!(event, SeenEvent::Scored { .. }) {
                news.push(PersonNews::RoundOver(Box::new(self.view.clone())));
                is_counted = false;
            }
            is_counted |= matches!(event, SeenEvent::RoundOver { .. });
            match &event {
                SeenEvent::Played { card, .. } => (self.view.top, self.view.visible) = (Some(*card), None),
                SeenEvent::Scored { seat, hand, total, .. } => {
                    if let Some(points) = self.view.points.get_mut(seat.index()) {
                        *points = *total;
                    }
                    if let Some(count) = self.view.hands.get_mut(seat.index()) {
                        *count = hand.len() as u16;
                    }
                    if *seat == self.seat() {
                        self.view.hand = hand.to_vec();
                        self.view.hand.sort_by_key(|card| card.order_in_hand());
                    }
                    self.view.sealed.clear();
                }
                _ => {}
            }
            news.push(PersonNews::Happened(event));
        }
        if is_counted {
            news.push(PersonNews::RoundOver(Box::new(self.view.clone())));
        }
        news
    }

    /// The clock by which the game is played.
    pub fn clock(&self) -> ClockMode {
        self.clock
    }

    /// What the game began with; `None` before it.
    pub fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// The person's seat.
    pub fn seat(&self) -> Seat {
        self.start.as_ref().map_or(Seat::FIRST, |start| start.seat)
    }

    /// The position as the seat saw it last.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The newest ask, without its events; `None` if nothing can be answered.
    pub fn ask(&self) -> Option<&Ask> {
        let can_answer = self.is_open || self.clock == ClockMode::Live;
        self.ask.as_deref().filter(|_| can_answer)
    }

    /// The result; `None` while the game is played.
    pub fn over(&self) -> Option<&Over> {
        self.over.as_ref()
    }

    /// Whether the game waits for this seat to move.
    pub fn must_move(&self) -> bool {
        self.is_open && self.ask.as_ref().is_some_and(|ask| ask.what != What::React)
    }

    /// Whether the table waits until the seat says what it does, or that it does nothing; never so on the live clock.
    pub fn may_decline(&self) -> bool {
        let waits = |ask: &Ask| ask.what == What::React;
        self.clock == ClockMode::Lockstep && self.is_open && self.ask.as_deref().is_some_and(waits)
    }

    /// The answer to an ask that leaves the person no choice, to be sent at once: in lockstep, `wait` where nothing else is
    /// possible.
    pub fn idle(&self) -> Option<Action> {
        let nothing = |ask: &Ask| ask.legal.iter().all(|action| action.verb == Verb::Wait);
        (self.may_decline() && self.ask().is_some_and(nothing)).then(|| Verb::Wait.into())
    }

    /// The time that runs, and for whom: that of this seat if it must move, else that of the seat to move. The referee's clock
    /// decides; this one is for the eye, since it knows only when lines came.
    pub fn running(&self, now_ms: u64) -> Option<Running> {
        let ask = self.ask.as_ref()?;
        let seat = if self.must_move() { self.seat() } else { self.view.turn? };
        let is_known = self.must_move() || self.clock == ClockMode::Live;
        let left_ms = (self.since_ms + ask.time_ms).saturating_sub(now_ms);
        is_known.then_some(Running { seat, left_ms, of_ms: ask.time_ms })
    }

    /// The words that go with the next action, in the order in which they were chosen.
    pub fn tongue(&self) -> &[Text] {
        &self.tongue
    }

    /// Puts a word on the tongue, or takes it back.
    pub fn toggle(&mut self, word: &Text) {
        match self.tongue.iter().position(|said| said == word) {
            Some(at) => _ = self.tongue.remove(at),
            None => self.tongue.push(word.clone()),
        }
    }

    /// Playing `card` and naming `choose`, with the words on the tongue. It need not be legal: the referee judges. `None` if the
    /// seat does not hold the card, which no person can mean.
    pub fn play(&self, card: Card, choose: Option<Choice>) -> Option<Action> {
        let holds = self.view.hand.contains(&card) || self.plays().any(|(played, _)| played == card);
        holds.then(|| self.with_words(Verb::Play { card, choose }))
    }

    /// `verb` with the words on the tongue.
    pub fn with_words(&self, verb: Verb) -> Action {
        let say = match self.tongue.as_slice() {
            [] => Say::Nothing,
            [one] => Say::One(one.clone()),
            many => Say::Many(many.into()),
        };
        Action { verb, say }
    }

    /// The message that does `action` as an answer to the newest ask; `None` if nothing can be answered now. What was on the
    /// tongue has been said.
    pub fn answer(&mut self, action: Action) -> Option<Act> {
        self.answer_having_seen(action, None)
    }

    /// The same for a person to whom the ask `seen` was shown last. On the live clock it is judged by what that ask had told: a card that
    /// another was faster with meanwhile is late and not wrong (SPEC 7.12).
    pub fn answer_having_seen(&mut self, action: Action, seen: Option<AskId>) -> Option<Act> {
        let (game, newest) = self.ask().map(|ask| (ask.game.clone(), ask.id))?;
        let id = seen.filter(|seen| self.clock == ClockMode::Live && self.asked.contains(seen)).unwrap_or(newest);
        self.is_open = false;
        self.tongue.clear();
        Some(Act { game, id, crash: None, action })
    }
}

/// Whether the time of the turn starts again after it (SPEC 7.7, 7.13).
fn moves(event: &SeenEvent) -> bool {
    !matches!(
        event,
        SeenEvent::Said { .. }
            | SeenEvent::Called { .. }
            | SeenEvent::Refused { .. }
            | SeenEvent::Mistake { .. }
            | SeenEvent::Penalty { .. }
            | SeenEvent::Glared { .. }
            | SeenEvent::Reached { .. }
            | SeenEvent::Counting { .. }
    )
}

/// Follows a game that begins so; `None` if its rules are not known or do not provide for its table.
fn observer(start: &Start) -> Option<Box<Observer>> {
    let rules = Rules::for_table(start.rules.as_ref()?, start.names.len(), Some(start.rounds)).ok()?;
    Some(Box::new(Observer::new(Arc::new(rules), start.seat)))
}
