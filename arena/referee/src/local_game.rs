//! Games of a referee in this process, without pipes and clocks: the caller gives the inputs, reads the lines and lets
//! deadlines pass. Used by `maumau rules stats`, `maumau check`, the environment, benchmarks, fuzzers and tests.

mod watch;

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::{Game, Rules, seed_of_number};
use maumau_protocol::message::{Act, AgentMessage, AskId, ClockMode, GameId, Ready, TimeControl, Want};
use maumau_protocol::wire::read_agent_line_among;
use maumau_protocol::{Action, Say, Seat, Verb, write_json};

use crate::log::GameLog;
use crate::record::Meta;
use crate::referee::{Effects, GameSetup, Input, Player, Referee, RefereeEffect, SeatTally, Timer};

pub use watch::{BrokenPromise, EffectChecker};

/// An ordinary lockstep game with one seat for each of `handshakes` and seed number `number`.
pub fn setup(rules: Arc<Rules>, number: u64, handshakes: impl IntoIterator<Item = Result<Ready, String>>) -> GameSetup {
    let player = |(index, ready): (usize, Result<Ready, String>)| Player {
        name: format!("bot {index}"),
        ready: ready.map(Arc::new),
    };
    GameSetup {
        id: GameId("g1".into()),
        rules,
        seed: seed_of_number(number),
        players: handshakes.into_iter().enumerate().map(player).collect(),
        time: TimeControl::default(),
        clock: ClockMode::Lockstep,
        reveal_seed: false,
        public_seed: false,
        hidden_names: false,
        id_key: [7; 32],
    }
}

/// A game that has begun, and its referee's latest effects.
#[derive(Clone)]
pub struct LocalGame {
    referee: Referee,
    effects: Effects,
    /// Asks whose deadlines run, oldest first.
    asked: VecDeque<(Seat, AskId)>,
    watch: Option<EffectChecker>,
}

impl LocalGame {
    /// Begins a game that checks at each step what every referee promises.
    pub fn begin(setup: GameSetup) -> LocalGame {
        let watch = EffectChecker::new(setup.players.len(), setup.clock);
        LocalGame::new(setup, Some(watch))
    }

    /// Begins a game without [`LocalGame::watch`], to measure what a referee costs.
    pub fn begin_unwatched(setup: GameSetup) -> LocalGame {
        LocalGame::new(setup, None)
    }

    fn new(setup: GameSetup, watch: Option<EffectChecker>) -> LocalGame {
        let referee = Referee::new(setup);
        let mut game = LocalGame { referee, effects: Effects::default(), asked: VecDeque::new(), watch };
        game.referee.begin(&mut game.effects);
        game.follow();
        game
    }

    /// Gives an input.
    ///
    /// # Panics
    /// If the referee breaks a promise, which would be a bug in the referee.
    pub fn give(&mut self, input: Input) {
        self.effects.clear();
        self.referee.handle(input, &mut self.effects);
        self.follow();
    }

    /// The agent at `seat` has written `text` to stderr.
    pub fn hear_stderr(&mut self, seat: Seat, text: &str) {
        self.referee.hear_stderr(seat, text.to_owned());
    }

    /// Gives an answer of `seat` to one of its asks.
    pub fn act(&mut self, seat: Seat, id: AskId, action: impl Into<Action>, meta: Meta) {
        let act = Act { game: self.referee.id().clone(), id, crash: None, action: action.into() };
        self.give(Input::Act { seat, act, meta });
    }

    fn follow(&mut self) {
        for effect in &self.effects.list {
            match effect {
                RefereeEffect::StartDeadline { seat, id, .. } => self.asked.push_back((*seat, *id)),
                RefereeEffect::StopDeadline { seat } => self.asked.retain(|(asked, _)| asked != seat),
                _ => {}
            }
        }
        if let Some(watch) = &mut self.watch
            && let Err(breach) = watch.follow(&self.referee, &self.effects)
        {
            panic!("{breach}");
        }
    }

    /// The judge.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The referee's effects of the last step.
    pub fn effects(&self) -> &[RefereeEffect] {
        &self.effects.list
    }

    /// The lines that were sent at the last step, newlines included.
    pub fn lines(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        self.effects.list.iter().filter_map(|effect| match effect {
            RefereeEffect::Send { seat, line, .. } => Some((*seat, &self.effects.bytes[line.clone()])),
            _ => None,
        })
    }

    /// Asks whose deadlines run, oldest first.
    pub fn asked(&self) -> impl Iterator<Item = (Seat, AskId)> {
        self.asked.iter().copied()
    }

    /// The oldest ask whose deadline runs.
    pub fn next_asked(&self) -> Option<(Seat, AskId)> {
        self.asked().next()
    }

    /// What a host knows of the game.
    ///
    /// # Panics
    /// If the game was begun without one.
    pub fn watch(&self) -> &EffectChecker {
        let Some(watch) = &self.watch else { panic!("a game that was begun unwatched") };
        watch
    }

    /// Lets the deadline of `seat` pass and reports it to the referee; returns the ask and the milliseconds it had.
    pub fn pass_deadline(&mut self, seat: Seat) -> Option<(AskId, u64)> {
        let passed = self.watch.as_mut()?.pass_deadline(seat)?;
        self.asked.retain(|(asked, _)| *asked != seat);
        Some(passed)
    }

    /// Lets a time of a live game run out and reports it to the referee; `false` if it is not running.
    pub fn pass_timer(&mut self, timer: Timer) -> bool {
        self.watch.as_mut().is_some_and(|watch| watch.pass_timer(timer))
    }

    /// A copy of this game at another position, for example one in which only cards that a seat may not know differ.
    pub fn at(&self, position: Game) -> LocalGame {
        let mut other = self.clone();
        other.referee = other.referee.at(position);
        other
    }

    /// The log and the counts of a finished game.
    ///
    /// # Panics
    /// If the game is not finished.
    pub fn finish(self) -> (GameLog, Vec<SeatTally>) {
        self.referee.finish()
    }
}

/// Games in which every seat takes the first entry of the legal list of its ask.
pub struct FirstLegal {
    rules: Arc<Rules>,
    wants: Vec<Want>,
    line: Vec<u8>,
    /// Answers so far.
    pub moves: u64,
    /// Bytes written for the seats so far.
    pub bytes: u64,
}

impl FirstLegal {
    /// Games under `rules`; every seat subscribes to `wants`.
    pub fn new(rules: Arc<Rules>, wants: Vec<Want>) -> FirstLegal {
        FirstLegal { rules, wants, line: Vec::new(), moves: 0, bytes: 0 }
    }

    /// Plays game number `number`.
    ///
    /// # Errors
    /// An answer could not be read, which would be a bug in this program.
    pub fn play(&mut self, number: u64) -> Result<(GameLog, Vec<SeatTally>), BrokenPromise> {
        let ready = Ready::new("first", self.wants.clone());
        let setup = GameSetup {
            id: GameId(format!("bench-{number}").into()),
            players: vec![Player { name: "first".to_owned(), ready: Ok(ready.into()) }; self.rules.seats()],
            reveal_seed: true,
            public_seed: false,
            ..setup(Arc::clone(&self.rules), number, [])
        };
        let mut game = LocalGame::begin_unwatched(setup);
        let broken = |why| Err(BrokenPromise(why));
        loop {
            self.bytes += game.lines().map(|(_, line)| line.len() as u64).sum::<u64>();
            if game.referee().is_finished() {
                return Ok(game.finish());
            }
            let Some((seat, id)) = game.next_asked() else { return broken(format!("game {number} waits for nobody")) };
            let name = game.referee().id();
            let act = Act { game: name.clone(), id, crash: None, action: first_action(game.referee(), seat) };
            self.line.clear();
            write_json(&mut self.line, &AgentMessage::Act(act)).map_err(|error| BrokenPromise(error.to_string()))?;
            match read_agent_line_among(&self.line, |read| (read == name.0.as_bytes()).then(|| name.clone())) {
                Some(Ok(AgentMessage::Act(act))) => {
                    self.moves += 1;
                    game.give(Input::Act { seat, act, meta: Meta::default() });
                }
                other => return broken(format!("an answer was read as {other:?}")),
            }
        }
    }
}

/// The first entry of the legal list in the ask of `seat`.
fn first_action(referee: &Referee, seat: Seat) -> Action {
    let game = referee.game();
    let legal = game.legal(seat);
    let must_act = game.waits_for() == Some(seat) || legal.musts() > 0;
    if let (false, Some(text)) = (legal.musts() > 0, game.word_owed(seat)) {
        return Verb::Say { text }.into();
    }
    let verb = if must_act { legal.nth(0) } else { None }.unwrap_or(Verb::Wait);
    let say = if verb == Verb::Wait { Say::Nothing } else { game.words_due(seat, &verb) };
    Action { verb, say }
}
