//! A game with the agent at one seat. The others answer at once, by lot, with what is legal.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{
    Act, ArenaMessage, Ask, AskId, ClockMode, GameId, PROTOCOL, Ready, TimeControl, Want, What,
};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Action, Event, Seat, Verb};
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{Blame, Effect, Effects, GameSetup, Input, Player, Referee};

/// A game that is being played.
pub(super) struct TestGame {
    pub(super) id: GameId,
    referee: Referee,
    us: Seat,
    effects: Effects,
    dice: u64,
    /// Lines for the agent that have not been sent yet.
    pub(super) letters: VecDeque<Vec<u8>>,
    /// The ask that is open for the agent.
    pub(super) open: Option<AskId>,
    /// The last line with an ask, as it was sent.
    pub(super) asked: Option<Vec<u8>>,
    /// What it asks the agent first.
    pub(super) begins_with: Option<What>,
    others: VecDeque<(Seat, AskId, Box<Ask>)>,
    pub(super) finished: bool,
    pub(super) dismissed: bool,
    /// Refusals that cost something since this was looked at last.
    pub(super) refused: Vec<String>,
    pub(super) met: Met,
}

/// What an agent has met with in games.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    pub(super) asks: BTreeMap<&'static str, u32>,
    pub(super) penalties: u32,
    pub(super) unsaid: u32,
    pub(super) skipped: u32,
}

impl Met {
    pub(super) fn add(&mut self, other: &Met) {
        for (what, count) in &other.asks {
            *self.asks.entry(what).or_default() += count;
        }
        self.penalties += other.penalties;
        self.unsaid += other.unsaid;
        self.skipped += other.skipped;
    }
}

impl TestGame {
    /// A game number `number` under these rules, the agent at `us`.
    pub(super) fn new(rules: Arc<Rules>, us: usize, number: u64, ready: &Ready, time: TimeControl) -> TestGame {
        let id = GameId(format!("check-{number}").into());
        let seats = rules.seats();
        let player = |seat| match seat == us {
            true => Player { name: "you".to_owned(), ready: Ok(ready.clone().into()) },
            false => Player { name: format!("by lot {seat}"), ready: Ok(lot().into()) },
        };
        let mut id_key = [7; 32];
        id_key[..8].copy_from_slice(&number.to_le_bytes());
        let setup = GameSetup {
            id: id.clone(),
            rules,
            seed: seed_of_number(number),
            players: (0..seats).map(player).collect(),
            time,
            clock: ClockMode::Lockstep,
            reveal_seed: true,
            id_key,
        };
        let mut table = TestGame {
            id,
            referee: Referee::new(setup),
            us: Seat::all(seats).nth(us).unwrap_or(Seat::FIRST),
            effects: Effects::default(),
            dice: number,
            letters: VecDeque::new(),
            open: None,
            asked: None,
            begins_with: None,
            others: VecDeque::new(),
            finished: false,
            dismissed: false,
            refused: Vec::new(),
            met: Met::default(),
        };
        table.step(None);
        table.let_others_answer();
        table
    }

    /// The actions with which the open ask could be answered now, as a list.
    pub(super) fn legal(&self) -> String {
        let game = self.referee.game();
        let legal = game.legal(self.us);
        let with_words = |verb: Verb| Action { say: game.words_due(self.us, &verb), verb };
        let actions = legal.iter().map(|verb| serde_json::to_string(&with_words(verb)).unwrap_or_default());
        let wait = (game.waits_for() != Some(self.us)).then(|| r#"{"do":"wait"}"#.to_owned());
        wait.into_iter().chain(actions).collect::<Vec<_>>().join(", ")
    }

    /// The agent answers the open ask.
    pub(super) fn answer(&mut self, act: Act) {
        self.step(Some(Input::Act { seat: self.us, act, meta: Meta::default() }));
        self.let_others_answer();
    }

    /// The agent's answer is treated as if it had not been readable.
    pub(super) fn garble(&mut self) {
        let message = "this is part of the check: the line is treated as if it could not be read".to_owned();
        let fault = maumau_protocol::fault::ConductFault::NotJson;
        self.step(Some(Input::Wrong { seat: self.us, fault, message, line: None }));
        self.refused.clear();
        self.let_others_answer();
    }

    /// The deadline of the open ask passes; gives its id.
    pub(super) fn miss(&mut self) -> Option<AskId> {
        let id = self.open.take()?;
        self.step(Some(Input::Deadline { seat: self.us, id, meta: Meta::default(), blame: Blame::Agent }));
        self.let_others_answer();
        Some(id)
    }

    fn let_others_answer(&mut self) {
        while let Some((seat, id, ask)) = self.others.pop_front() {
            self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = (self.dice >> 33) as usize % ask.legal.len().max(1);
            let Some(action) = ask.legal.get(index).cloned() else { continue };
            let act = Act { game: self.id.clone(), id, crash: None, action };
            self.step(Some(Input::Act { seat, act, meta: Meta::default() }));
        }
    }

    fn step(&mut self, input: Option<Input>) {
        let mut effects = std::mem::take(&mut self.effects);
        effects.clear();
        match input {
            None => self.referee.begin(&mut effects),
            Some(input) => self.referee.handle(input, &mut effects),
        }
        for effect in &effects.list {
            match effect {
                Effect::Send { seat, line } => self.deliver(*seat, &effects.bytes[line.clone()]),
                Effect::StartDeadline { seat, id, .. } if *seat == self.us => self.open = Some(*id),
                Effect::StopDeadline { seat } if *seat == self.us => self.open = None,
                Effect::Dismiss { seat, .. } if *seat == self.us => self.dismissed = true,
                Effect::Finished => self.finished = true,
                _ => {}
            }
        }
        self.effects = effects;
    }

    fn deliver(&mut self, seat: Seat, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let message = read_arena_line(text.trim_end()).ok().flatten();
        match (seat == self.us, message) {
            (true, message) => {
                match message {
                    Some(ArenaMessage::Ask(ask)) => {
                        self.begins_with.get_or_insert(ask.what);
                        *self.met.asks.entry(name(ask.what)).or_default() += 1;
                    }
                    Some(ArenaMessage::Fault(fault))
                        if fault.cards > 0 || !["interrupted", "not_upheld"].contains(&fault.fault.as_str()) =>
                    {
                        self.refused.push(format!("{} ({}): {}", fault.fault, fault.clause, fault.message));
                    }
                    _ => {}
                }
                self.letters.push_back(line.to_owned());
            }
            (false, Some(ArenaMessage::Ask(ask))) => self.others.push_back((seat, ask.id, ask)),
            (false, _) => {}
        }
    }

    /// What the agent has met with in this game, which is over.
    pub(super) fn end(self) -> Met {
        let TestGame { mut met, us, referee, .. } = self;
        if !referee.is_finished() {
            return met;
        }
        let (log, _) = referee.finish();
        let counted = log.expand(|entry, _| {
            let Entry::Event(entry) = entry else { return };
            match &entry.event {
                Event::Penalty { seat, fault, .. } if *seat == us => {
                    met.penalties += 1;
                    met.unsaid += u32::from(fault.name().starts_with("no_"));
                }
                Event::Skipped { seat } if *seat == us => met.skipped += 1,
                _ => {}
            }
        });
        // The log was written by this very engine.
        debug_assert!(counted.is_ok(), "{counted:?}");
        met
    }
}

/// What somebody says who plays by lot.
pub(super) fn lot() -> Ready {
    Ready {
        protocol: PROTOCOL.to_owned(),
        name: "by lot".to_owned(),
        version: String::new(),
        wants: vec![Want::Legal],
        ticks: false,
        games: 1,
    }
}

fn name(what: What) -> &'static str {
    match what {
        What::Turn => "turn",
        What::React => "react",
        What::Choose => "choose",
        What::Deal => "deal",
    }
}
