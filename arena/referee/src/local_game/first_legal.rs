//! Games in which every seat takes the first legal action: all the work of a move except pipes, processes and clocks.
//! Every answer is written as a line and read as one. The same from run to run, so its instructions can be counted. The
//! referee is the real one; nothing is measured here.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_protocol::message::{Act, AgentMessage, GameId, Ready, Want};
use maumau_protocol::wire::read_agent_line_among;
use maumau_protocol::{Action, Say, Seat, Verb, write_json};

use super::{BrokenPromise, LocalGame, setup};
use crate::log::GameLog;
use crate::record::Meta;
use crate::referee::{GameSetup, Input, Player, Referee, SeatTally};

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
