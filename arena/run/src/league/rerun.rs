//! Plays games of a run once more beside it, with the same cards, seats and agents. Nothing of the run changes: what came of a game is
//! given back, to be compared with what the run holds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use maumau_referee::record::{MoveCount, MoveNumber};
use maumau_referee::{GameLog, Logged};
use maumau_tournament::PlannedGame;
use tokio::sync::watch;

use super::play_options::PlayOptions;
use super::queue::{GameQueue, Taken};
use super::unit_play::{UnitPlay, play_units};
use crate::agent::Sandbox;
use crate::run_store::{RunPlan, StoredGame};
use crate::runner::{RunState, ShutdownSignal, with_signals};

/// Games in order, each once.
struct EachOnce(Mutex<VecDeque<PlannedGame>>);

impl GameQueue for EachOnce {
    fn take(&self) -> Taken {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.pop_front().map_or(Taken::Over, Taken::Game)
    }

    /// The run decides when a seed is published.
    fn is_last_of_deal(&self, _: &PlannedGame) -> bool {
        false
    }
}

/// Plays `games` of `plan` in `sandbox`, also those of agents that have retired; in the order in which they ended. Fewer if it was
/// interrupted.
///
/// # Errors
/// A command cannot be read, or the machine failed.
pub fn rerun(
    plan: &Arc<RunPlan>,
    games: Vec<PlannedGame>,
    play_options: &PlayOptions,
    sandbox: &Arc<Sandbox>,
) -> Result<Vec<StoredGame>> {
    let (_no_news, news) = watch::channel(0);
    let shutdown = ShutdownSignal::default();
    let work = UnitPlay {
        plan: Arc::clone(plan),
        agents: plan.agents(sandbox)?,
        queue: Arc::new(EachOnce(Mutex::new(games.into()))),
        news,
        shutdown: shutdown.clone(),
    };
    let mut played = Vec::new();
    let (ended, _) = with_signals(&shutdown, None, || {
        play_units(work, play_options, |game| {
            played.push(game);
            Ok(())
        })
    })?;
    if shutdown.state() == RunState::On {
        ended?;
    }
    Ok(played)
}

/// The move at which two games of the same deal begin to differ; `None` if they are the same.
pub fn first_difference(one: &GameLog, other: &GameLog) -> Option<MoveNumber> {
    let mut moves = MoveCount::default();
    let mut others = other.inputs.iter().map(|logged| &logged.entry);
    for Logged { entry, .. } in &one.inputs {
        let of = moves.of(entry);
        if others.next() != Some(entry) {
            return Some(of);
        }
    }
    others.next().map(|entry| moves.of(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_differ_from_the_move_at_which_one_has_another_entry_or_none() {
        let whole = crate::trial::game_with_a_fault();
        assert_eq!(first_difference(&whole, &whole), None);
        let mut moves = MoveCount::default();
        for (at, logged) in whole.inputs.iter().enumerate() {
            let of = moves.of(&logged.entry);
            let (mut short, mut other) = (whole.clone(), whole.clone());
            short.inputs.truncate(at);
            other.inputs.remove(at);
            assert_eq!(first_difference(&whole, &short), Some(of), "entry {at}");
            assert_eq!(first_difference(&short, &whole), Some(of), "entry {at}");
            assert!(first_difference(&whole, &other).is_some_and(|found| found >= of), "entry {at}");
        }
    }
}
