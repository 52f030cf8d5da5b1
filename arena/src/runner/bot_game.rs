//! One game between built-in bots, in this process and through the referee: no agent is started, no deadline runs and no record
//! is stored. What is counted in it is up to its callers.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use maumau_agents::{Agent, player, profile};
use maumau_engine::Rules;
use maumau_protocol::message::{Act, ArenaMessage, GameId, Ready};
use maumau_protocol::wire::read_arena_line;
use maumau_referee::record::Meta;
use maumau_referee::testing::{LocalGame, setup};
use maumau_referee::{GameSetup, Input};

/// A game that is over.
pub struct BotGame {
    /// The game.
    pub game: LocalGame,
    /// How often bots were asked.
    pub asks: u64,
    /// Lines that told a bot of a fault.
    pub faults: u64,
}

/// Plays the game named `id` with the seed of `number` and, at each seat, the built-in bot of that place in `bots`.
///
/// # Errors
/// There is no such bot, or the game does not go on, which would be a bug.
///
/// # Panics
/// There are not as many bots as seats.
pub fn play_bots(rules: &Arc<Rules>, bots: &[&str], id: String, number: u64) -> Result<BotGame> {
    assert_eq!(bots.len(), rules.seats(), "a bot for each seat");
    let handshakes = bots.iter().map(|bot| Ok(Ok(ready(bot)?))).collect::<Result<Vec<_>>>()?;
    let setup = GameSetup { id: GameId(id.into()), ..setup(Arc::clone(rules), number, handshakes) };
    let mut over = BotGame { game: LocalGame::begin_unwatched(setup), asks: 0, faults: 0 };
    let mut agents: Vec<Option<Box<dyn Agent>>> = Vec::new();
    agents.resize_with(bots.len(), || None);
    let mut answers = VecDeque::new();
    loop {
        for (seat, line) in over.game.lines() {
            let agent = &mut agents[seat.index()];
            match read_arena_line(std::str::from_utf8(line)?)? {
                Some(ArenaMessage::Start(start)) => *agent = Some(player(bots[seat.index()], &start)?),
                Some(ArenaMessage::Ask(ask)) => {
                    let agent = agent.as_mut().context("an ask before the start")?;
                    let act = Act { game: ask.game.clone(), id: ask.id, crash: None, action: agent.choose(&ask) };
                    answers.push_back(Input::Act { seat, act, meta: Meta::default() });
                    over.asks += 1;
                }
                Some(ArenaMessage::Tell(tell)) => {
                    if let Some(agent) = agent {
                        agent.tell(&tell);
                    }
                }
                Some(ArenaMessage::Fault(_)) => over.faults += 1,
                _ => {}
            }
        }
        if over.game.referee().is_finished() {
            return Ok(over);
        }
        let Some(answer) = answers.pop_front() else { bail!("nobody is asked, and the game is not over") };
        over.game.give(answer);
    }
}

/// What the bot says when it is greeted.
fn ready(bot: &str) -> Result<Ready> {
    let introduced = profile(bot)?;
    Ok(Ready { version: introduced.version, ticks: introduced.ticks, ..Ready::new(introduced.name, introduced.wants) })
}
