//! The state machine: offers, answers, strikes, dismissals.

mod live;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use maumau_engine::{Game, Phase, Rules, Verdict, agent_seed};
use maumau_protocol::fault::ConductFault;
use maumau_protocol::limits::{
    CLOSING_TICKS, COUNT_TICKS, MAX_IDLE_ANSWERS, MAX_IDLE_REACTIONS, MAX_LINES_PER_ASK, MAX_NOTES_BYTES_PER_GAME,
    MAX_NOTES_PER_GAME, MAX_VOIDS_PER_ASK, MAX_VOIDS_PER_GAME, POINT_OF_ORDER_TICKS,
};
use maumau_protocol::message::{
    Act, ArenaMessage, AskId, ClockMode, Fault, GameId, GameResult, Note, Over, Ready, Start, TimeControl, Want, What,
};
use maumau_protocol::record::{
    ActEntry, DismissedEntry, ElapseEntry, Entry, FaultEntry, Header, Meta, Missed, NoteEntry, RECORD_FORMAT,
    StandEntry,
};
use maumau_protocol::seed::commitment;
use maumau_protocol::{Action, Elapse, Event, EventNumber, Reason, RuleFault, Seat, SeatSet, Seed, Stand, Verb, View};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::fault_table::{ActRuling, IdState, refusal, rule_act, sentence};
use crate::lines::{AskLine, LegalList, SeenBy, write_line, write_message};
use crate::log::{GameLog, Logged};
use crate::places::result_of;
use live::Live;
pub use live::Timer;

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name shown to the other seats and in the record.
    pub name: String,
    /// What the agent said in its handshake, or why it never came to one.
    pub ready: Result<Ready, String>,
}

/// Everything that one game is.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The name of the game.
    pub id: GameId,
    /// The rules, ready for as many seats as there are players.
    pub rules: Arc<Rules>,
    /// The game's seed.
    pub seed: Seed,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How actions are put in order.
    pub clock: ClockMode,
    /// Whether the seed may be told when the game is over.
    pub reveal_seed: bool,
    /// 32 bytes that no agent can know, from which the ids of asks are made.
    pub id_key: [u8; 32],
}

/// Something that happened to the game from outside.
#[derive(Clone, Debug)]
pub enum Input {
    /// A seat answered.
    Act {
        /// Who.
        seat: Seat,
        /// The message.
        act: Act,
        /// Times of the answer.
        meta: Meta,
    },
    /// A seat wants something in the record.
    Note {
        /// Who.
        seat: Seat,
        /// The message.
        note: Note,
    },
    /// A seat sent something that is no answer.
    Wrong {
        /// Who.
        seat: Seat,
        /// What it is; [`ConductFault::Gone`] and [`ConductFault::NotStarted`] where the agent is lost.
        fault: ConductFault,
        /// In words.
        message: String,
    },
    /// A time of a live game has run out.
    Timer {
        /// Which.
        timer: Timer,
        /// Times of the turn, where it is the turn's.
        meta: Meta,
        /// Who made it run out, where it is the turn's.
        blame: Blame,
    },
    /// The deadline of an ask has passed.
    Deadline {
        /// Whose.
        seat: Seat,
        /// Which ask; an old one changes nothing.
        id: AskId,
        /// Times of the ask.
        meta: Meta,
        /// Who made it pass.
        blame: Blame,
    },
}

/// Who is to blame for a missed deadline, as far as it can be told from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The agent: it had its time.
    Agent,
    /// The host, which did not let it run, or came late itself. The ask is void (SPEC 5.9): the seat is asked again with a
    /// fresh deadline, at no cost, up to [`MAX_VOIDS_PER_ASK`] times in a row and [`MAX_VOIDS_PER_GAME`] in all.
    Host,
}

/// Something to do for whoever moves bytes and arms timers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a line, newline included: this part of [`Effects::bytes`].
    Send {
        /// To whom.
        seat: Seat,
        /// Where it stands.
        line: Range<usize>,
    },
    /// Start the one deadline of a seat, from when its line has been written.
    StartDeadline {
        /// Whose.
        seat: Seat,
        /// Of which ask.
        id: AskId,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a seat's deadline.
    StopDeadline {
        /// Whose.
        seat: Seat,
    },
    /// Start a time of a live game; one of the kind that runs is replaced.
    StartTimer {
        /// Which.
        timer: Timer,
        /// Milliseconds.
        ms: u64,
    },
    /// Stop a time of a live game.
    StopTimer {
        /// Which.
        timer: Timer,
    },
    /// The agent plays no further part in this game.
    Dismiss {
        /// Whose.
        seat: Seat,
        /// Why.
        fault: ConductFault,
    },
    /// The game is over; take it with [`Referee::finish`].
    Finished,
}

/// What is to be done, in order. Used again from call to call, so that a move allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What to do.
    pub list: Vec<Effect>,
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
}

impl Effects {
    /// Forgets what has been done.
    pub fn clear(&mut self) {
        self.list.clear();
        self.bytes.clear();
    }

    fn send(&mut self, seat: Seat, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.list.push(Effect::Send { seat, line: start..self.bytes.len() });
    }
}

/// What is counted of one seat in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Faults by name, conduct and rule faults alike.
    pub faults: BTreeMap<&'static str, u32>,
    /// Asks answered in time.
    pub answers: u64,
    /// Answers that came after their deadline and were dropped.
    pub late: u64,
    /// Deadlines that did not count, because the host was to blame.
    pub void: u64,
    /// Notes dropped because there were too many.
    pub notes_dropped: u32,
    /// Microseconds from asks to answers or deadlines, all together.
    pub took_us: u64,
}

struct SeatState {
    wants: Wants,
    /// The first event not yet sent.
    cursor: usize,
    strikes: u8,
    dismissed: bool,
    bank_ms: u64,
    open: Option<Open>,
    /// Asks whose deadline has passed and that have not been answered since, the oldest first.
    expired: VecDeque<AskId>,
    /// Ids of asks that were void or replaced a void one, and were answered by another of their ids; the oldest first.
    replaced: VecDeque<AskId>,
    answered: [Option<AskId>; 8],
    lines: u32,
    notes: u32,
    notes_bytes: usize,
    /// Reactions since something moved.
    idle_reactions: u32,
    tally: Tally,
}

#[derive(Clone, Copy, Default)]
struct Wants {
    view: bool,
    legal: bool,
    events: bool,
    rules: bool,
    ticks: bool,
}

struct Open {
    id: AskId,
    /// The ids under which it was asked before and was void; an answer to one of them is an answer (SPEC 5.9).
    void: Vec<AskId>,
    what: What,
    answer: Option<Answer>,
}

/// What came of an ask.
enum Answer {
    Act(Action, Meta),
    Expired(Meta),
    Dismissed,
}

/// The judge of one game.
pub struct Referee {
    setup: GameSetup,
    game: Game,
    seats: Vec<SeatState>,
    /// Events that some seat has not been sent yet; the first has the number `events_from`.
    events: Vec<Event>,
    tick: u32,
    as_of: EventNumber,
    ids: ChaCha20Rng,
    log: Vec<Logged>,
    /// Deadlines that have passed since the newest entry of the log, and are told with the next.
    missed: Vec<Missed>,
    view: View,
    order: Vec<Seat>,
    finished: bool,
    /// The last reaction that was offered.
    reaction: u32,
    /// Ticks of the closing time in which nobody acted.
    quiet_ticks: u32,
    /// Ticks of a point of order.
    paused_ticks: u32,
    /// Ticks of a count of ten, the one in which it began included.
    count_ticks: u32,
    /// Ticks in which nothing moved.
    idle_answers: u32,
    /// Whether somebody has acted in this tick, speech and calls aside.
    acted: bool,
    /// Whether a call was upheld in this tick.
    upheld: bool,
    live: Live,
}

impl Referee {
    /// A game that has not begun; [`Referee::begin`] sends the first lines.
    pub fn new(setup: GameSetup) -> Referee {
        let seats = setup
            .players
            .iter()
            .map(|player| {
                let ready = player.ready.as_ref().ok();
                let wants = |want| ready.is_some_and(|ready| ready.wants.contains(&want));
                SeatState {
                    wants: Wants {
                        view: wants(Want::View),
                        legal: wants(Want::Legal),
                        events: wants(Want::Events),
                        rules: wants(Want::Rules),
                        ticks: ready.is_some_and(|ready| ready.ticks),
                    },
                    cursor: 0,
                    strikes: 0,
                    dismissed: false,
                    bank_ms: setup.time.bank_ms,
                    open: None,
                    expired: VecDeque::new(),
                    replaced: VecDeque::new(),
                    answered: [None; 8],
                    lines: 0,
                    notes: 0,
                    notes_bytes: 0,
                    idle_reactions: 0,
                    tally: Tally::default(),
                }
            })
            .collect();
        Referee {
            game: Game::new(Arc::clone(&setup.rules), &setup.seed),
            seats,
            events: Vec::new(),
            tick: 0,
            as_of: EventNumber(0),
            ids: ChaCha20Rng::from_seed(setup.id_key),
            log: Vec::new(),
            missed: Vec::new(),
            view: View::default(),
            order: Vec::new(),
            finished: false,
            reaction: 0,
            quiet_ticks: 0,
            paused_ticks: 0,
            count_ticks: 0,
            idle_answers: 0,
            acted: false,
            upheld: false,
            live: Live::default(),
            setup,
        }
    }

    /// The game's name.
    pub fn id(&self) -> &GameId {
        &self.setup.id
    }

    /// The position, for whoever watches.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the game is over.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether `seat` has been dismissed.
    pub fn is_dismissed(&self, seat: Seat) -> bool {
        self.seats[seat.index()].dismissed
    }

    /// What has been counted of `seat` so far.
    pub fn tally(&self, seat: Seat) -> &Tally {
        &self.seats[seat.index()].tally
    }

    /// Whether an answer of `seat` is waited for.
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.seats[seat.index()].open.as_ref().is_some_and(|open| open.answer.is_none())
    }

    /// Sends `start` to every seat and makes the first offer. Seats without a handshake are dismissed at once.
    pub fn begin(&mut self, effects: &mut Effects) {
        self.settle();
        for seat in Seat::all(self.seats.len()) {
            match self.setup.players[seat.index()].ready.as_ref().err().cloned() {
                Some(reason) => self.wrong(effects, seat, ConductFault::NotStarted, &reason),
                None => {
                    let start = self.start_message(seat);
                    effects.send(seat, |out| write_message(out, &ArenaMessage::Start(Box::new(start))));
                }
            }
        }
        match self.setup.clock {
            ClockMode::Lockstep => self.offer(effects),
            ClockMode::Live => self.live_begin(effects),
        }
    }

    fn start_message(&self, seat: Seat) -> Start {
        let setup = &self.setup;
        Start {
            game: setup.id.clone(),
            seat,
            names: setup.players.iter().map(|player| player.name.clone()).collect(),
            rule_set: setup.rules.set().name.clone(),
            rules: self.seats[seat.index()].wants.rules.then(|| Arc::clone(setup.rules.set())),
            rounds: setup.rules.rounds(),
            time: setup.time,
            max_strikes: setup.rules.max_strikes(),
            commitment: commitment(&setup.id.0, &setup.seed),
            seed: agent_seed(&setup.seed, &setup.id.0, seat),
        }
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input, effects: &mut Effects) {
        if self.finished {
            return;
        }
        match input {
            Input::Act { seat, act, meta } if self.setup.clock == ClockMode::Live => {
                self.live_act(effects, seat, act, meta);
            }
            Input::Act { seat, act, meta } => self.act(effects, seat, act, meta),
            Input::Note { seat, note } => self.note(effects, seat, note),
            Input::Wrong { seat, fault, message } => {
                let is_line = !matches!(fault, ConductFault::Gone | ConductFault::NotStarted);
                if !is_line || !self.flooding(effects, seat) {
                    self.wrong(effects, seat, fault, &message);
                }
            }
            Input::Timer { timer, meta, blame } => self.live_timer(effects, timer, meta, blame),
            Input::Deadline { seat, id, meta, blame } => self.deadline(effects, seat, id, meta, blame),
        }
        match self.setup.clock {
            ClockMode::Lockstep => self.take_up_answers(effects),
            ClockMode::Live => self.live_step(effects),
        }
    }

    /// Counts a line; too many of them for one ask are a flood (SPEC 6.2).
    fn flooding(&mut self, effects: &mut Effects, seat: Seat) -> bool {
        let state = &mut self.seats[seat.index()];
        state.lines += 1;
        if state.dismissed {
            return true;
        }
        let flood = state.lines > MAX_LINES_PER_ASK;
        if flood {
            let message = format!("more than {MAX_LINES_PER_ASK} lines for one ask");
            self.wrong(effects, seat, ConductFault::Flood, &message);
        }
        flood
    }

    fn act(&mut self, effects: &mut Effects, seat: Seat, act: Act, meta: Meta) {
        if self.flooding(effects, seat) {
            return;
        }
        let state = &mut self.seats[seat.index()];
        let open = state.open.as_ref().filter(|open| open.answer.is_none());
        let id = match open {
            Some(open) if open.id == act.id || open.void.contains(&act.id) => IdState::Open,
            _ if state.expired.contains(&act.id) => IdState::Expired,
            _ if state.replaced.contains(&act.id) => IdState::Replaced,
            _ if state.has_answered(act.id) => IdState::Answered,
            _ => IdState::Never,
        };
        let must_move = open.is_some_and(|open| open.what != What::React);
        match rule_act(id, act.action.verb == Verb::Wait, must_move) {
            ActRuling::Answer => {
                state.charge_time(&self.setup.time, &meta);
                if let Some(open) = &mut state.open {
                    open.answer = Some(Answer::Act(act.action, meta));
                    let replacing = std::mem::replace(&mut open.id, act.id);
                    let others = open.void.drain(..).chain([replacing]).filter(|id| *id != act.id);
                    remember(&mut state.replaced, others);
                }
                effects.list.push(Effect::StopDeadline { seat });
            }
            ActRuling::Late => {
                state.expired.retain(|id| *id != act.id);
                state.remember(act.id);
                state.tally.late += 1;
            }
            ActRuling::Dropped => {
                state.replaced.retain(|id| *id != act.id);
                state.remember(act.id);
            }
            ActRuling::Fault(fault) => {
                let message = match fault {
                    ConductFault::NotAnAnswer => "\"wait\" is no answer when a move is due".to_owned(),
                    ConductFault::StaleId => format!("ask {} has been answered", act.id),
                    _ => format!("no ask has the id {}", act.id),
                };
                self.wrong(effects, seat, fault, &message);
            }
        }
    }

    fn note(&mut self, effects: &mut Effects, seat: Seat, note: Note) {
        if self.flooding(effects, seat) {
            return;
        }
        let state = &mut self.seats[seat.index()];
        let bytes = state.notes_bytes + note.note.to_string().len();
        if state.notes >= MAX_NOTES_PER_GAME || bytes > MAX_NOTES_BYTES_PER_GAME {
            state.tally.notes_dropped += 1;
            return;
        }
        state.notes += 1;
        state.notes_bytes = bytes;
        self.keep(Entry::Note(NoteEntry { seat, note: note.note }), Meta::default());
    }

    fn deadline(&mut self, effects: &mut Effects, seat: Seat, id: AskId, meta: Meta, blame: Blame) {
        let state = &mut self.seats[seat.index()];
        let Some(open) = state.open.as_mut().filter(|open| open.id == id && open.answer.is_none()) else { return };
        if blame == Blame::Host && state.tally.may_be_void(open.void.len()) {
            state.tally.void += 1;
            self.note_missed(seat, &meta, true);
            return self.ask_again(effects, seat);
        }
        open.answer = Some(Answer::Expired(meta.clone()));
        remember(&mut state.replaced, open.void.drain(..));
        remember(&mut state.expired, [id]);
        state.bank_ms = 0;
        state.tally.took_us += meta.took_us.unwrap_or(0);
    }

    /// The deadline of `seat` has passed without an entry of its own.
    fn note_missed(&mut self, seat: Seat, meta: &Meta, void: bool) {
        let Meta { took_us, cpu_us, waited_us, .. } = *meta;
        self.missed.push(Missed { seat, took_us, cpu_us, waited_us, void });
    }

    /// The open ask of `seat` was void: the same is asked once more, under a new id. Nothing has changed since, so an answer
    /// to the old one is as good (SPEC 5.9).
    fn ask_again(&mut self, effects: &mut Effects, seat: Seat) {
        let state = &mut self.seats[seat.index()];
        let lines = state.lines;
        let Some(Open { id, mut void, what, .. }) = state.open.take() else { return };
        void.push(id);
        self.ask(effects, seat, what);
        let state = &mut self.seats[seat.index()];
        state.lines = lines;
        if let Some(open) = &mut state.open {
            open.void = void;
        }
    }

    /// A conduct fault: a strike, and at the last one, or where it alone suffices, dismissal (G-04).
    fn wrong(&mut self, effects: &mut Effects, seat: Seat, fault: ConductFault, message: &str) {
        let state = &mut self.seats[seat.index()];
        if state.dismissed {
            return;
        }
        let verdict = sentence(fault);
        state.strikes += 1;
        state.tally.count(fault.name());
        let strikes = state.strikes;
        self.keep(Entry::Fault(FaultEntry { seat, fault, message: message.to_owned(), strikes }), Meta::default());
        let last = strikes >= self.setup.rules.max_strikes();
        let open = self.seats[seat.index()].open.as_ref().filter(|open| open.answer.is_none()).map(|open| open.id);
        if !matches!(fault, ConductFault::Gone | ConductFault::NotStarted) {
            let line = Fault {
                game: Some(self.setup.id.clone()),
                id: open,
                fault: fault.name().to_owned(),
                message: message.to_owned(),
                clause: verdict.clause.to_owned(),
                cards: 0,
                strikes,
                open: open.is_some() && verdict.ask_stays_open && !last && !verdict.dismissed,
            };
            effects.send(seat, |out| write_message(out, &ArenaMessage::Fault(line)));
        }
        if last || verdict.dismissed {
            self.dismiss(effects, seat, fault, message);
        }
    }

    fn dismiss(&mut self, effects: &mut Effects, seat: Seat, fault: ConductFault, message: &str) {
        let state = &mut self.seats[seat.index()];
        state.dismissed = true;
        if let Some(open) = &mut state.open
            && open.answer.is_none()
        {
            open.answer = Some(Answer::Dismissed);
            if self.setup.clock == ClockMode::Lockstep {
                effects.list.push(Effect::StopDeadline { seat });
            }
        }
        self.keep(Entry::Dismissed(DismissedEntry { seat, fault, message: message.to_owned() }), Meta::default());
        effects.list.push(Effect::Dismiss { seat, fault });
    }

    fn keep(&mut self, entry: Entry, mut meta: Meta) {
        meta.missed = std::mem::take(&mut self.missed);
        self.log.push(Logged { entry, meta });
    }

    /// As soon as every asked seat has answered, takes the answers up in the order drawn for this tick, each judged as of
    /// the offer, and makes the next offer (DESIGN §3).
    fn take_up_answers(&mut self, effects: &mut Effects) {
        let mut asked = self.seats.iter().filter_map(|state| state.open.as_ref()).peekable();
        if asked.peek().is_none() || !asked.all(|open| open.answer.is_some()) {
            return;
        }
        let (round, progress, closing) = (self.game.round(), self.game.progress(), self.game.is_closing());
        self.acted = false;
        self.upheld = false;
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(Seat::all(self.seats.len()).filter(|seat| self.seats[seat.index()].open.is_some()));
        self.game.shuffle_answers(self.tick, &mut order);
        for seat in &order {
            let state = &mut self.seats[seat.index()];
            state.lines = 0;
            if let Some(Open { id, what, answer: Some(answer), .. }) = state.open.take() {
                if matches!(answer, Answer::Act(..)) {
                    state.remember(id);
                }
                if self.game.round() == round && !self.game.is_over() {
                    self.take_up(effects, *seat, what, answer);
                    self.settle();
                } else {
                    self.pass_over(effects, *seat, answer);
                }
            }
        }
        self.order = order;
        self.pass_time(progress, closing);
        self.tick = if self.game.round() == round { self.tick + 1 } else { 0 };
        self.offer(effects);
    }

    /// At the end of a tick: what logical time does (G-13), and the patience with a seat that moves nothing.
    fn pass_time(&mut self, progress: u64, closing: bool) {
        let quiet = closing && !self.acted;
        self.quiet_ticks = if quiet { self.quiet_ticks + 1 } else { 0 };
        if self.game.words_waited_for().is_some_and(|since| since <= self.as_of) {
            self.elapse(Elapse::Grace, self.as_of, Meta::default());
        }
        self.count_ticks = if self.game.is_counting() { self.count_ticks + 1 } else { 0 };
        if self.count_ticks > COUNT_TICKS {
            self.elapse(Elapse::CountOfTen, self.as_of, Meta::default());
        }
        if self.game.progress() != progress {
            self.idle_answers = 0;
            self.seats.iter_mut().for_each(|state| state.idle_reactions = 0);
        } else if !self.upheld {
            self.idle_answers += 1;
        }
        if self.idle_answers > MAX_IDLE_ANSWERS
            && self.game.point_of_order().is_none()
            && let Some(mover) = self.game.waits_for()
        {
            self.idle_answers = 0;
            self.be_too_slow(mover, Meta::default());
        }
    }

    /// A time that began to run with the event `as_of` is over.
    fn elapse(&mut self, what: Elapse, as_of: EventNumber, meta: Meta) {
        self.keep(Entry::Elapse(ElapseEntry { what, as_of }), meta);
        let from = self.events.len();
        self.game.elapse_as_of(what, as_of, &mut self.events);
        self.count_faults(from);
        self.settle();
    }

    /// The time of the seat to move is over: the referee acts for it, or in sets that only price slowness a turn limit has
    /// passed (G-05, G-22).
    fn be_too_slow(&mut self, seat: Seat, meta: Meta) {
        if self.setup.rules.absent_limits() == 0 {
            self.stand_in(seat, Stand::Slow, meta);
            self.settle();
        } else if self.game.waits_for() == Some(seat) {
            self.seats[seat.index()].tally.count(RuleFault::Slow.name());
            self.elapse(Elapse::TurnLimit, self.game.last_event(), meta);
        }
    }

    /// A round that is due begins at once, as it does in a replay, which knows nothing of offers; its ticks with it.
    fn settle(&mut self) {
        if self.game.phase() == Phase::BetweenRounds {
            self.game.start_round(&mut self.events);
            self.tick = 0;
        }
    }

    /// The round that `answer` was meant for is over.
    fn pass_over(&mut self, effects: &mut Effects, seat: Seat, answer: Answer) {
        match answer {
            Answer::Act(action, _) if action.verb != Verb::Wait => {
                self.tell_refusal(effects, seat, Reason::Interrupted, 0);
            }
            Answer::Act(..) | Answer::Dismissed => {}
            Answer::Expired(meta) => self.note_missed(seat, &meta, false),
        }
    }

    fn take_up(&mut self, effects: &mut Effects, seat: Seat, what: What, answer: Answer) {
        match answer {
            Answer::Act(action, _) if action.verb == Verb::Wait => {}
            Answer::Act(action, meta) => {
                self.seats[seat.index()].idle_reactions += u32::from(what == What::React);
                self.apply(effects, seat, action, meta);
            }
            // A silent seat that need not act has declined.
            Answer::Expired(meta) if what == What::React => self.note_missed(seat, &meta, false),
            Answer::Dismissed if what == What::React => {}
            Answer::Expired(meta) if self.game.waits_for() != Some(seat) => self.note_missed(seat, &meta, false),
            Answer::Expired(meta) => self.be_too_slow(seat, meta),
            Answer::Dismissed => self.stand_in(seat, Stand::Dismissed, Meta::default()),
        }
    }

    fn stand_in(&mut self, seat: Seat, why: Stand, meta: Meta) {
        if self.game.waits_for() != Some(seat) {
            return;
        }
        if why == Stand::Slow {
            self.seats[seat.index()].tally.count(RuleFault::Slow.name());
        }
        self.keep(Entry::Stand(StandEntry { seat, why }), meta);
        let from = self.events.len();
        self.game.stand_in(seat, why, &mut self.events);
        self.count_faults(from);
    }

    fn apply(&mut self, effects: &mut Effects, seat: Seat, action: Action, meta: Meta) {
        let from = self.events.len();
        let verdict = self.game.apply(seat, &action, self.as_of, &mut self.events);
        self.acted |= verdict == Verdict::Accepted && !matches!(action.verb, Verb::Say { .. } | Verb::Call { .. });
        self.upheld |= self.events[from..].iter().any(|event| matches!(event, Event::Called { upheld: true, .. }));
        self.keep(Entry::Act(ActEntry { seat, as_of: self.as_of, action }), meta);
        let cards = self.penalty_cards(from, seat);
        self.count_faults(from);
        if let Verdict::Refused(reason) = verdict {
            self.tell_refusal(effects, seat, reason, cards);
        }
    }

    fn penalty_cards(&self, from: usize, whose: Seat) -> u16 {
        let penalty = |event: &&Event| matches!(event, Event::Penalty { seat, .. } if *seat == whose);
        self.events[from..].iter().filter(penalty).count() as u16
    }

    /// Counts rule faults by what the engine charged or refused.
    fn count_faults(&mut self, from: usize) {
        for index in from..self.events.len() {
            let (seat, name) = match &self.events[index] {
                Event::Refused { seat, reason, card, .. } => match reason {
                    Reason::DoesNotFit | Reason::MayNotBeLast => (*seat, RuleFault::WrongCard.name()),
                    Reason::NotYourTurn if card.is_some() => (*seat, RuleFault::OutOfTurn.name()),
                    Reason::NotNow | Reason::NotYourTurn => (*seat, "not_now"),
                    _ => continue,
                },
                Event::Penalty { seat, fault: RuleFault::NoMau, .. } => {
                    let first = index == 0
                        || !matches!(&self.events[index - 1], Event::Penalty { seat: before, fault: RuleFault::NoMau, .. } if before == seat);
                    if !first {
                        continue;
                    }
                    (*seat, RuleFault::NoMau.name())
                }
                _ => continue,
            };
            self.seats[seat.index()].tally.count(name);
        }
    }

    fn tell_refusal(&mut self, effects: &mut Effects, seat: Seat, reason: Reason, cards: u16) {
        let (name, clause, words, conduct) = refusal(reason);
        if let Some(fault) = conduct {
            self.wrong(effects, seat, fault, words);
            return;
        }
        if self.seats[seat.index()].dismissed {
            return;
        }
        let fault = Fault {
            game: Some(self.setup.id.clone()),
            id: None,
            fault: name.to_owned(),
            message: words.to_owned(),
            clause: clause.to_owned(),
            cards,
            strikes: self.seats[seat.index()].strikes,
            open: false,
        };
        effects.send(seat, |out| write_message(out, &ArenaMessage::Fault(fault)));
    }

    /// Asks the seat that must move and every other seat that can act, all at the same moment; plays on for dismissed
    /// seats; ends the game when it is over.
    fn offer(&mut self, effects: &mut Effects) {
        loop {
            if self.seats.iter().all(|state| state.dismissed) {
                // Nobody is left to play for: the match ends as it stands.
                return self.end(effects);
            }
            if self.game.is_over() {
                return self.end(effects);
            }
            let Some(mover) = self.game.waits_for() else { return self.end(effects) };
            self.as_of = self.game.last_event();
            if self.game.point_of_order().is_some() {
                // Play rests until its caller ends it, or for so long at most (P-95, P-96).
                self.paused_ticks += 1;
                if self.paused_ticks <= POINT_OF_ORDER_TICKS && self.ask_others(effects, None) {
                    return self.forget_sent_events();
                }
                self.paused_ticks = 0;
                self.elapse(Elapse::PointOfOrder, self.as_of, Meta::default());
                continue;
            }
            self.paused_ticks = 0;
            if self.game.is_closing() {
                // Only what others may still do is waited for, and not for long.
                if self.quiet_ticks < CLOSING_TICKS && self.ask_others(effects, None) {
                    return self.forget_sent_events();
                }
                self.quiet_ticks = 0;
                self.elapse(Elapse::Closing, self.as_of, Meta::default());
                continue;
            }
            if std::mem::replace(&mut self.reaction, self.game.reaction()) != self.game.reaction()
                && self.ask_others(effects, Some(mover))
            {
                // Whoever may answer is asked before the seat to move (N-44, N-106).
                return self.forget_sent_events();
            }
            if self.seats[mover.index()].dismissed {
                self.stand_in(mover, Stand::Dismissed, Meta::default());
                self.settle();
                self.forget_sent_events();
                continue;
            }
            let must = match self.game.phase() {
                Phase::Deal | Phase::TurnUp => What::Deal,
                _ if self.game.waits_for_name().is_some() => What::Choose,
                _ => What::Turn,
            };
            self.ask(effects, mover, must);
            self.ask_others(effects, Some(mover));
            return self.forget_sent_events();
        }
    }

    /// Asks every seat but `mover` that can act or wants every tick; `false` if there is none.
    fn ask_others(&mut self, effects: &mut Effects, mover: Option<Seat>) -> bool {
        let mut asked = false;
        for seat in Seat::all(self.seats.len()).filter(|seat| Some(*seat) != mover) {
            let state = &self.seats[seat.index()];
            let can_act = || !self.game.legal(seat).is_empty() || self.game.word_owed(seat).is_some();
            // Whoever only disturbs is heard again when something has moved (SPEC 7.2).
            let heard = !state.dismissed && state.idle_reactions < MAX_IDLE_REACTIONS;
            if heard && (state.wants.ticks || can_act()) {
                self.ask(effects, seat, What::React);
                asked = true;
            }
        }
        asked
    }

    fn ask(&mut self, effects: &mut Effects, seat: Seat, what: What) {
        let id = AskId(self.ids.next_u64());
        let state = &mut self.seats[seat.index()];
        if state.wants.view {
            self.game.view_into(seat, &mut self.view);
        }
        let time_ms = match self.setup.clock {
            ClockMode::Lockstep => self.setup.time.move_ms + state.bank_ms,
            ClockMode::Live => self.setup.time.move_ms,
        };
        let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
        let legal = state.wants.legal.then(|| LegalList {
            game: &self.game,
            seat,
            legal: self.game.legal(seat),
            may_wait: what == What::React,
        });
        let line = AskLine {
            game: &self.setup.id,
            id,
            seat,
            what,
            time_ms,
            as_of: self.as_of,
            events: SeenBy { seat, events },
            view: state.wants.view.then_some(&self.view),
            legal,
        };
        effects.send(seat, |out| write_line(out, &line));
        state.cursor = self.events.len();
        state.lines = 0;
        state.open = Some(Open { id, void: Vec::new(), what, answer: None });
        match self.setup.clock {
            ClockMode::Lockstep => effects.list.push(Effect::StartDeadline { seat, id, ms: time_ms }),
            ClockMode::Live => self.live_asked(seat, id),
        }
    }

    /// Drops the events that every living seat has been sent.
    fn forget_sent_events(&mut self) {
        let wanted = |state: &&mut SeatState| state.wants.events && !state.dismissed;
        let sent = self.seats.iter_mut().filter(wanted).map(|state| state.cursor).min().unwrap_or(self.events.len());
        if sent == self.events.len() || sent >= 256 {
            self.events.drain(..sent);
            self.seats.iter_mut().for_each(|state| state.cursor = state.cursor.saturating_sub(sent));
        }
    }

    fn end(&mut self, effects: &mut Effects) {
        let result = self.result();
        for seat in Seat::all(self.seats.len()) {
            let state = &mut self.seats[seat.index()];
            if state.dismissed {
                continue;
            }
            let events = if state.wants.events { &self.events[state.cursor..] } else { &[] };
            let over = Over {
                game: self.setup.id.clone(),
                events: events.iter().map(|event| event.seen_by(seat)).collect(),
                result: result.clone(),
                seed: self.setup.reveal_seed.then(|| self.setup.seed.to_string()),
            };
            effects.send(seat, |out| write_message(out, &ArenaMessage::Over(over)));
        }
        self.finished = true;
        effects.list.push(Effect::Finished);
    }

    fn result(&self) -> GameResult {
        let dismissed = Seat::all(self.seats.len()).filter(|seat| self.seats[seat.index()].dismissed);
        result_of(&self.game, dismissed.collect::<SeatSet>())
    }

    /// The log and the counts of a finished game.
    ///
    /// # Panics
    /// If the game is not finished.
    pub fn finish(mut self) -> (GameLog, Vec<Tally>) {
        assert!(self.finished, "the game {} is not over", self.setup.id.0);
        if let Some(last) = self.log.last_mut() {
            last.meta.missed.append(&mut self.missed);
        }
        let header = Header {
            format: RECORD_FORMAT.to_owned(),
            engine: maumau_engine::VERSION.to_owned(),
            game: self.setup.id.clone(),
            names: self.setup.players.iter().map(|player| player.name.clone()).collect(),
            rules: (**self.setup.rules.set()).clone(),
            rounds: self.setup.rules.rounds(),
            seed: self.setup.seed,
            clock: self.setup.clock,
            time: self.setup.time,
        };
        let result = self.result();
        let log = GameLog { header, inputs: self.log, result, sandbox: None };
        (log, self.seats.into_iter().map(|state| state.tally).collect())
    }
}

/// Adds `ids`; whoever answers more old ones than are remembered at once has flooded the referee already.
fn remember(known: &mut VecDeque<AskId>, ids: impl IntoIterator<Item = AskId>) {
    for id in ids {
        if known.len() == MAX_LINES_PER_ASK as usize {
            known.pop_front();
        }
        known.push_back(id);
    }
}

impl Tally {
    /// Whether one more deadline may be void, `in_a_row` of the same ask having been.
    fn may_be_void(&self, in_a_row: usize) -> bool {
        in_a_row < MAX_VOIDS_PER_ASK as usize && self.void < u64::from(MAX_VOIDS_PER_GAME)
    }

    fn count(&mut self, fault: &'static str) {
        *self.faults.entry(fault).or_default() += 1;
    }
}

impl SeatState {
    /// An answer in time: what it took beyond the move time comes from the bank, and the increment goes into it.
    fn charge_time(&mut self, time: &TimeControl, meta: &Meta) {
        let took_us = meta.took_us.unwrap_or(0);
        let over_ms = (took_us / 1_000).saturating_sub(time.move_ms);
        self.bank_ms = self.bank_ms.saturating_sub(over_ms) + time.increment_ms;
        self.tally.answers += 1;
        self.tally.took_us += took_us;
    }

    /// Whether `id` was answered, be it that the answer waits for those of other seats.
    fn has_answered(&self, id: AskId) -> bool {
        let waits = |open: &Open| open.id == id && matches!(open.answer, Some(Answer::Act(..)));
        self.answered.contains(&Some(id)) || self.open.as_ref().is_some_and(waits)
    }

    fn remember(&mut self, id: AskId) {
        self.answered.rotate_right(1);
        self.answered[0] = Some(id);
    }
}
