//! A game with the agent at one seat. The others answer at once with random legal actions. It knows no process: lines
//! come in and go out as values.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use maumau_engine::ChoiceStream;
use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{Act, ArenaMessage, Ask, AskId, ClockMode, GameId, Ready, TimeControl, Want, What};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Action, Event, Seat, Verb};
use maumau_referee::local_game::LocalGame;
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{Blame, GameSetup, Input, Player};

/// A line for the agent that is tested.
pub(super) struct Letter {
    pub(super) line: Vec<u8>,
    pub(super) is_ask: bool,
}

/// A game in progress.
pub(super) struct TestGame {
    pub(super) id: GameId,
    game: LocalGame,
    us: Seat,
    dice: ChoiceStream<'static>,
    /// Lines for the agent that have not been sent yet.
    pub(super) letters: VecDeque<Letter>,
    /// The last line with an ask, as it was sent.
    pub(super) asked: Option<Vec<u8>>,
    /// The first question to the agent.
    pub(super) begins_with: Option<What>,
    others: VecDeque<(Seat, AskId, Box<Ask>)>,
    /// Refusals with a penalty since the last look.
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
    /// What it answered, as JSON, in the order of its answers.
    pub(super) answers: Vec<u8>,
}

impl Met {
    pub(super) fn add(&mut self, other: &Met) {
        for (what, count) in &other.asks {
            *self.asks.entry(what).or_default() += count;
        }
        self.penalties += other.penalties;
        self.unsaid += other.unsaid;
        self.skipped += other.skipped;
        self.answers.extend(&other.answers);
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
            public_seed: false,
            hidden_names: false,
            id_key,
        };
        let mut table = TestGame {
            id,
            game: LocalGame::begin(setup),
            us: Seat::all(seats).nth(us).unwrap_or(Seat::FIRST),
            dice: ChoiceStream::new(&[number]),
            letters: VecDeque::new(),
            asked: None,
            begins_with: None,
            others: VecDeque::new(),
            refused: Vec::new(),
            met: Met::default(),
        };
        table.deliver();
        table.let_others_answer();
        table
    }

    /// The actions with which the open ask could be answered now, as a list.
    pub(super) fn legal(&self) -> String {
        let game = self.game.referee().game();
        let legal = game.legal(self.us);
        let with_words = |verb: Verb| Action { say: game.words_due(self.us, &verb), verb };
        let actions = legal.iter().map(|verb| serde_json::to_string(&with_words(verb)).unwrap_or_default());
        let wait = (game.waits_for() != Some(self.us)).then(|| r#"{"do":"wait"}"#.to_owned());
        wait.into_iter().chain(actions).collect::<Vec<_>>().join(", ")
    }

    /// The agent answers the open ask.
    pub(super) fn answer(&mut self, act: Act) {
        self.met.answers.extend(serde_json::to_vec(&act.action).unwrap_or_default());
        self.give(Input::Act { seat: self.us, act, meta: Meta::default() });
        self.let_others_answer();
    }

    /// Treats the agent's answer as unreadable.
    pub(super) fn garble(&mut self) {
        let message = "this is part of the check: the line is treated as if it could not be read".to_owned();
        let fault = maumau_protocol::fault::ConductFault::NotJson;
        self.give(Input::Wrong { seat: self.us, fault, message, line: None });
        self.refused.clear();
        self.let_others_answer();
    }

    /// The deadline of the open ask passes; returns the ask's id.
    pub(super) fn miss(&mut self) -> Option<AskId> {
        let (id, _) = self.game.pass_deadline(self.us)?;
        self.give(Input::Deadline { seat: self.us, id, meta: Meta::default(), blame: Blame::Agent });
        self.let_others_answer();
        Some(id)
    }

    fn let_others_answer(&mut self) {
        while let Some((seat, id, ask)) = self.others.pop_front() {
            if ask.legal.is_empty() {
                continue;
            }
            let action = self.dice.pick(&ask.legal).clone();
            let act = Act { game: self.id.clone(), id, crash: None, action };
            self.give(Input::Act { seat, act, meta: Meta::default() });
        }
    }

    fn give(&mut self, input: Input) {
        self.game.give(input);
        self.deliver();
    }

    /// Delivers the lines of the last step.
    fn deliver(&mut self) {
        for (seat, line) in self.game.lines() {
            let text = String::from_utf8_lossy(line);
            let message = read_arena_line(text.trim_end()).ok().flatten();
            if seat != self.us {
                if let Some(ArenaMessage::Ask(ask)) = message {
                    self.others.push_back((seat, ask.id, ask));
                }
                continue;
            }
            let is_ask = matches!(message, Some(ArenaMessage::Ask(_)));
            match message {
                Some(ArenaMessage::Ask(ask)) => {
                    self.begins_with.get_or_insert(ask.what);
                    *self.met.asks.entry(ask.what.name()).or_default() += 1;
                }
                Some(ArenaMessage::Fault(fault))
                    if fault.cards > 0 || !["interrupted", "not_upheld"].contains(&fault.fault.as_str()) =>
                {
                    self.refused.push(format!("{} ({}): {}", fault.fault, fault.clause, fault.message));
                }
                _ => {}
            }
            self.letters.push_back(Letter { line: line.to_owned(), is_ask });
        }
    }

    /// The ask that is open for the agent.
    pub(super) fn open(&self) -> Option<AskId> {
        self.game.watch().deadline(self.us).map(|(id, _)| id)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.game.referee().is_finished()
    }

    /// What the agent has met with in this game, which is over.
    pub(super) fn end(self) -> Met {
        let TestGame { mut met, us, game, .. } = self;
        if !game.referee().is_finished() {
            return met;
        }
        let (log, _) = game.finish();
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
        // The log was written by this engine.
        debug_assert!(counted.is_ok(), "{counted:?}");
        met
    }
}

/// The words of a player that plays at random.
pub(super) fn lot() -> Ready {
    Ready::new("by lot", vec![Want::Legal])
}
