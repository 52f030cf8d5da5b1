//! Games of a real referee whose seats sit in this very process: everything of a move but pipes, processes and clocks.
//! Every answer is written as a line and read as one. The same from run to run, so its instructions can be counted.

use std::collections::VecDeque;
use std::sync::Arc;

use maumau_engine::{Rules, seed_of_number};
use maumau_protocol::message::{Act, AgentMessage, AskId, ClockMode, GameId, PROTOCOL, Ready, TimeControl, Want};
use maumau_protocol::wire::read_agent_line_among;
use maumau_protocol::{Action, Say, Seat, Verb, write_json};

use crate::log::GameLog;
use crate::referee::{Effect, Effects, GameSetup, Input, Player, Referee, Tally};

/// Games in which every seat takes the first entry of the legal list of its ask.
pub struct FirstLegal {
    rules: Arc<Rules>,
    wants: Vec<Want>,
    effects: Effects,
    asks: VecDeque<(Seat, AskId)>,
    line: Vec<u8>,
    /// Answers so far.
    pub moves: u64,
    /// Bytes written for the seats so far.
    pub bytes: u64,
}

impl FirstLegal {
    /// Games under `rules`; every seat wants `wants`.
    pub fn new(rules: Arc<Rules>, wants: Vec<Want>) -> FirstLegal {
        let effects = Effects::default();
        FirstLegal { rules, wants, effects, asks: VecDeque::new(), line: Vec::new(), moves: 0, bytes: 0 }
    }

    /// Plays game number `number`.
    ///
    /// # Errors
    /// An answer could not be read, which would be a mistake of this program.
    pub fn play(&mut self, number: u64) -> Result<(GameLog, Vec<Tally>), String> {
        let ready = Ready {
            protocol: PROTOCOL.to_owned(),
            name: "first".to_owned(),
            version: String::new(),
            wants: self.wants.clone(),
            ticks: false,
            games: 1,
        };
        let mut referee = Referee::new(GameSetup {
            id: GameId(format!("bench-{number}").into()),
            rules: Arc::clone(&self.rules),
            seed: seed_of_number(number),
            players: vec![Player { name: "first".to_owned(), ready: Ok(ready.into()) }; self.rules.seats()],
            time: TimeControl::default(),
            clock: ClockMode::Lockstep,
            reveal_seed: true,
            id_key: [7; 32],
        });
        self.effects.clear();
        self.asks.clear();
        referee.begin(&mut self.effects);
        loop {
            self.bytes += self.effects.bytes.len() as u64;
            self.asks.extend(self.effects.list.iter().filter_map(|effect| match effect {
                Effect::StartDeadline { seat, id, .. } => Some((*seat, *id)),
                _ => None,
            }));
            if referee.is_finished() {
                return Ok(referee.finish());
            }
            let Some((seat, id)) = self.asks.pop_front() else { return Err(format!("game {number} waits for nobody")) };
            let act = Act { game: referee.id().clone(), id, crash: None, action: first_action(&referee, seat) };
            self.line.clear();
            write_json(&mut self.line, &AgentMessage::Act(act)).map_err(|error| error.to_string())?;
            let known = |name: &[u8]| (name == referee.id().0.as_bytes()).then(|| referee.id().clone());
            match read_agent_line_among(&self.line, known) {
                Some(Ok(AgentMessage::Act(act))) => {
                    self.moves += 1;
                    self.effects.clear();
                    referee.handle(Input::Act { seat, act, meta: Default::default() }, &mut self.effects);
                }
                other => return Err(format!("an answer was read as {other:?}")),
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
