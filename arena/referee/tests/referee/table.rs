//! A table without processes: a referee, scripted seats, and every promise about effects, checked at each step. It
//! knows what is promised to a caller, not which move is right.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use maumau_engine::Rules;
use maumau_engine::rules::{load_built_in, parse_setting};
use maumau_protocol::fault::{ConductFault, FaultCounts, FreeFault};
use maumau_protocol::message::{
    Act, ArenaMessage, Ask, AskId, ClockMode, Fault, GameId, Note, Over, Ready, Start, Tell, TimeControl, Want, What,
};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Action, Card, Event, Say, Seat, Verb};
use maumau_referee::local_game::{self, LocalGame};
use maumau_referee::record::{Digest, Entry, Meta};
use maumau_referee::{Blame, GameLog, GameSetup, Input, Referee, RefereeEffect, SeatTally, Timer};

/// The setup of a table; `Setup::default()` is two seats that subscribe to view and legal, with `basic`.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: &'static str,
    pub(crate) settings: Vec<&'static str>,
    pub(crate) rounds: u32,
    pub(crate) seed: u64,
    pub(crate) time: TimeControl,
    pub(crate) clock: ClockMode,
    pub(crate) reveal_seed: bool,
    pub(crate) public_seed: bool,
    pub(crate) hidden_names: bool,
    /// By seat: the agent's handshake, or why there was none.
    pub(crate) seats: Vec<Result<Ready, String>>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            rules: "basic",
            settings: Vec::new(),
            rounds: 1,
            seed: 1,
            time: TimeControl { move_ms: 1_000, bank_ms: 0, increment_ms: 0, start_ms: 0, ..TimeControl::default() },
            clock: ClockMode::Lockstep,
            reveal_seed: true,
            public_seed: false,
            hidden_names: false,
            seats: vec![Ok(ready()); 2],
        }
    }
}

/// An ordinary handshake.
pub(crate) fn ready() -> Ready {
    Ready::new("scripted", vec![Want::View, Want::Legal])
}

/// A handshake of an agent that subscribes to every tick.
pub(crate) fn ready_for_ticks() -> Ready {
    Ready { ticks: true, ..ready() }
}

pub(crate) fn seat(index: usize) -> Seat {
    Seat::new(index).expect("a small seat")
}

pub(crate) fn took(ms: u64) -> Meta {
    Meta { took_us: Some(ms * 1_000), ..Meta::default() }
}

/// A line that a seat was sent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    Start(Box<Start>),
    Ask(Box<Ask>),
    Fault(Fault),
    Over(Over),
    Tell(Tell),
}

/// The schema of each type of line, compiled once for all tables.
static SCHEMAS: LazyLock<BTreeMap<&'static str, Validator>> = LazyLock::new(|| {
    let schemas = maumau_protocol::schema::all().into_iter();
    schemas.map(|(name, schema)| (name, jsonschema::validator_for(&schema).expect("a sound schema"))).collect()
});

/// One game with its seats.
pub(crate) struct Table {
    game: LocalGame,
    pub(crate) setup: Setup,
    /// By seat: every line so far.
    pub(crate) lines: Vec<Vec<Line>>,
    pub(crate) dismissed: Vec<Option<ConductFault>>,
    /// The number of inputs so far.
    inputs: usize,
}

impl Table {
    /// A game that has begun.
    pub(crate) fn new(setup: Setup) -> Table {
        let settings: Vec<_> = setup.settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
        let set = Arc::new(load_built_in(setup.rules, &settings).expect("sound rules").set);
        let seats = setup.seats.len();
        let rules = Rules::for_table(&set, seats, Some(setup.rounds)).expect("a table that can play");
        let game = LocalGame::begin(GameSetup {
            time: setup.time,
            clock: setup.clock,
            reveal_seed: setup.reveal_seed,
            public_seed: setup.public_seed,
            hidden_names: setup.hidden_names,
            ..local_game::setup(Arc::new(rules), setup.seed, setup.seats.clone())
        });
        let mut table = Table { game, setup, lines: vec![Vec::new(); seats], dismissed: vec![None; seats], inputs: 0 };
        table.check_effects();
        table
    }

    /// Gives an input and checks its effects.
    pub(crate) fn input(&mut self, input: Input) {
        self.inputs += 1;
        assert!(self.inputs < 100_000, "the game does not end");
        self.game.give(input);
        self.check_effects();
    }

    fn check_effects(&mut self) {
        for (seat, line) in self.game.lines() {
            let line = Table::read(line);
            self.lines[seat.index()].push(line);
        }
        for effect in self.game.effects() {
            match effect {
                RefereeEffect::StartDeadline { seat, id, ms } => {
                    let ask = self.last_ask(seat.index());
                    assert_eq!((ask.id, ask.time_ms), (*id, *ms), "a deadline is that of the ask just sent");
                }
                RefereeEffect::Dismiss { seat, fault } => self.dismissed[seat.index()] = Some(*fault),
                _ => {}
            }
        }
    }

    pub(crate) fn referee(&self) -> &Referee {
        self.game.referee()
    }

    /// Checks a line of the arena: it matches its schema, and equals what the protocol's own type writes.
    fn read(bytes: &[u8]) -> Line {
        let text = std::str::from_utf8(bytes).expect("a line is UTF-8");
        let text = text.trim_end_matches('\n');
        let json: serde_json::Value = serde_json::from_str(text).expect("a line is JSON");
        let kind = json["type"].as_str().expect("a line has a type");
        let schema = SCHEMAS.get(kind).expect("a type with a schema");
        // To look for the errors takes several times as long as to find that there are none.
        if !schema.is_valid(&json) {
            let error = schema.validate(&json).expect_err("what is not valid has an error");
            panic!("{kind} against its schema: {error} at {}: {text}", error.instance_path());
        }
        let message = read_arena_line(text).expect("a message").expect("a known type");
        assert_eq!(serde_json::to_string(&message).expect("JSON"), text, "the same JSON as the type");
        match message {
            ArenaMessage::Start(start) => Line::Start(start),
            ArenaMessage::Ask(ask) => Line::Ask(ask),
            ArenaMessage::Fault(fault) => Line::Fault(fault),
            ArenaMessage::Over(over) => Line::Over(over),
            ArenaMessage::Tell(tell) => Line::Tell(tell),
            other => panic!("not a line of a game: {other:?}"),
        }
    }

    /// Lets a running time run out.
    pub(crate) fn time(&mut self, timer: Timer) {
        self.timer(timer, Meta::default(), Blame::Agent);
    }

    /// Lets a running time run out, with the given blame.
    pub(crate) fn timer(&mut self, timer: Timer, meta: Meta, blame: Blame) {
        assert!(self.game.pass_timer(timer), "{timer:?} does not run: {:?}", self.game.watch().timers());
        self.input(Input::Timer { timer, meta, blame });
    }

    /// True if a time runs.
    pub(crate) fn runs(&self, timer: Timer) -> bool {
        self.game.watch().timers().contains(&timer)
    }

    /// The milliseconds of a time that began to run at the last step, as set last.
    pub(crate) fn started(&self, timer: Timer) -> Option<u64> {
        self.game.effects().iter().rev().find_map(|effect| match effect {
            RefereeEffect::StartTimer { timer: started, ms } if *started == timer => Some(*ms),
            _ => None,
        })
    }

    pub(crate) fn seats(&self) -> usize {
        self.setup.seats.len()
    }

    pub(crate) fn finished(&self) -> bool {
        self.game.watch().is_finished()
    }

    /// The ask of `whose` whose deadline runs.
    pub(crate) fn deadline_of(&self, whose: usize) -> Option<AskId> {
        self.game.watch().deadline(seat(whose)).map(|(id, _)| id)
    }

    /// Lets a deadline pass; the referee learns it later.
    pub(crate) fn pass_deadline(&mut self, whose: usize) -> (AskId, u64) {
        self.game.pass_deadline(seat(whose)).expect("a deadline that runs")
    }

    /// The seats whose answers are waited for.
    pub(crate) fn asked(&self) -> Vec<usize> {
        (0..self.seats()).filter(|index| self.deadline_of(*index).is_some()).collect()
    }

    /// The seat that must move.
    pub(crate) fn mover(&self) -> usize {
        self.game.referee().game().waits_for().expect("a seat is to move").index()
    }

    pub(crate) fn asks(&self, seat: usize) -> impl DoubleEndedIterator<Item = &Ask> {
        self.lines[seat].iter().filter_map(|line| match line {
            Line::Ask(ask) => Some(&**ask),
            _ => None,
        })
    }

    pub(crate) fn last_ask(&self, seat: usize) -> Ask {
        self.asks(seat).next_back().expect("an ask").clone()
    }

    pub(crate) fn faults(&self, seat: usize) -> Vec<Fault> {
        let faults = self.lines[seat].iter().filter_map(|line| match line {
            Line::Fault(fault) => Some(fault.clone()),
            _ => None,
        });
        faults.collect()
    }

    pub(crate) fn start(&self, seat: usize) -> Start {
        match self.lines[seat].first() {
            Some(Line::Start(start)) => (**start).clone(),
            other => panic!("the first line is no start: {other:?}"),
        }
    }

    pub(crate) fn over(&self, seat: usize) -> Option<Over> {
        match self.lines[seat].last() {
            Some(Line::Over(over)) => Some(over.clone()),
            _ => None,
        }
    }

    /// Answers the open ask.
    pub(crate) fn act(&mut self, seat: usize, action: impl Into<Action>) {
        let id = self.last_ask(seat).id;
        self.answer(seat, id, action, Meta::default());
    }

    /// Answers the open ask like a kit whose author's code has failed.
    pub(crate) fn crash(&mut self, whose: usize, action: impl Into<Action>, crash: &str) {
        let (id, action, crash) = (self.last_ask(whose).id, action.into(), Some(crash.into()));
        let act = Act { game: GameId("g1".into()), id, crash, action };
        self.input(Input::Act { seat: seat(whose), act, meta: Meta::default() });
    }

    /// Answers the given ask.
    pub(crate) fn answer(&mut self, whose: usize, id: AskId, action: impl Into<Action>, meta: Meta) {
        let act = Act { game: GameId("g1".into()), id, crash: None, action: action.into() };
        self.input(Input::Act { seat: seat(whose), act, meta });
    }

    pub(crate) fn hear_stderr(&mut self, whose: usize, text: &str) {
        self.game.hear_stderr(seat(whose), text);
    }

    pub(crate) fn wrong(&mut self, whose: usize, fault: ConductFault) {
        self.input(Input::Wrong { seat: seat(whose), fault, message: "so it is".to_owned(), line: None });
    }

    pub(crate) fn note(&mut self, whose: usize, note: serde_json::Value) {
        self.input(Input::Note { seat: seat(whose), note: Note { game: GameId("g1".into()), note } });
    }

    /// Lets the deadline of the open ask pass, with the agent to blame.
    pub(crate) fn deadline(&mut self, whose: usize) {
        self.missed(whose, Blame::Agent);
    }

    /// Lets the deadline of the open ask pass.
    pub(crate) fn missed(&mut self, whose: usize, blame: Blame) {
        let (id, ms) = self.pass_deadline(whose);
        self.input(Input::Deadline { seat: seat(whose), id, meta: took(ms), blame });
    }

    /// The choice of a bot that takes the first legal action, and says its Mau.
    pub(crate) fn first_choice(&self, whose: usize) -> Action {
        let game = self.game.referee().game();
        if self.last_ask(whose).what == What::React {
            return Verb::Wait.into();
        }
        let verb = game.legal(seat(whose)).iter().next().expect("something can always be done");
        let mau = matches!(verb, Verb::Play { .. }) && game.hand(seat(whose)).len() == 2;
        Action { verb, say: if mau { Say::word("mau") } else { Say::Nothing } }
    }

    /// Every asked seat answers with its first choice.
    pub(crate) fn answer_all(&mut self) {
        for seat in self.asked() {
            let action = self.first_choice(seat);
            self.act(seat, action);
        }
    }

    /// Plays on with first choices until `done` is true or the game ends.
    pub(crate) fn play_until(&mut self, done: impl Fn(&Table) -> bool) {
        while !self.finished() && !done(self) {
            self.answer_all();
        }
    }

    pub(crate) fn play_out(&mut self) {
        self.play_until(|_| false);
        assert!(self.finished());
    }

    /// A card that `seat` holds.
    pub(crate) fn card_of(&self, whose: usize) -> Card {
        self.game.referee().game().hand(seat(whose)).cards().next().expect("a card")
    }

    pub(crate) fn is_dismissed(&self, whose: usize) -> bool {
        self.game.referee().is_dismissed(seat(whose))
    }

    /// A card that `seat` does not hold.
    pub(crate) fn card_not_held(&self, whose: usize) -> Card {
        let hand = self.game.referee().game().hand(seat(whose));
        (0..52).filter_map(Card::from_index).find(|card| !hand.contains(*card)).expect("nobody holds all cards")
    }

    /// The log, the tallies, and every line; checks that the log always leads to the same record, and that the record is sound.
    pub(crate) fn finish(self) -> Finished {
        assert!(self.finished());
        let (log, tallies) = self.game.finish();
        let (record, digest) = log.to_record().expect("a log that plays");
        assert_eq!(log.to_record().expect("a log that plays"), (record.clone(), digest), "the same twice");
        let verified = maumau_referee::verify(&record).expect("a sound record");
        assert_eq!((&verified.log, &verified.digest), (&log, &digest));
        for (tally, counted) in tallies.iter().zip(log.faults().expect("a log that plays")) {
            let but_crashes = |faults: &FaultCounts| -> Vec<_> {
                faults.iter().filter(|(fault, _)| fault.name() != FreeFault::Crash.name()).collect()
            };
            // A log has no failure of an author's code whose ask is unknown.
            assert_eq!(but_crashes(&tally.faults), but_crashes(&counted), "the faults of a log are those of its game");
        }
        let mut events = BTreeMap::new();
        let keep = |entry: &Entry, _: &Meta| {
            if let Entry::Event(entry) = entry {
                events.insert(entry.n, entry.event.clone());
            }
        };
        log.expand(keep).expect("a log that plays");
        for fault in log.committed().expect("a log that plays") {
            let says_so = |event: &Event| matches!(event, Event::Refused { seat, .. } | Event::Penalty { seat, .. } if *seat == fault.seat);
            assert!(fault.event.is_none_or(|event| says_so(&events[&event])), "{fault:?}");
        }
        for over in self.lines.iter().filter_map(|lines| match lines.last() {
            Some(Line::Over(over)) => Some(over),
            _ => None,
        }) {
            assert_eq!(over.result, log.result, "every seat is sent the result");
        }
        Finished { log, tallies, record, digest }
    }
}

/// A finished game.
pub(crate) struct Finished {
    pub(crate) log: GameLog,
    pub(crate) tallies: Vec<SeatTally>,
    pub(crate) record: Vec<u8>,
    pub(crate) digest: Digest,
}

impl Finished {
    /// Every entry of the full record but the last.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.log.expand(|entry, _| entries.push(entry.clone())).expect("a log that plays");
        entries
    }

    /// Faults of a seat by name and number.
    pub(crate) fn faults(&self, seat: usize) -> Vec<(&'static str, u32)> {
        self.tallies[seat].faults.iter().map(|(fault, count)| (fault.name(), count as u32)).collect()
    }
}
