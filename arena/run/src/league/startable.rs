//! Whether the agents of a run can start: looked up before its first game, and seen in its games. It starts nothing, and reads
//! commands and results only.

use anyhow::{Result, ensure};
use maumau_protocol::fault::ConductFault;
use maumau_tournament::Standings;

use crate::error::usage;
use crate::io::untrusted::Untrusted;
use crate::run_store::StoredGame;
use crate::runner::AgentSpec;

/// An agent counts as one that does not start after this many games.
const ENOUGH_GAMES: u64 = 2;

/// Agents whose programs or files cannot be found or reached, a sentence each.
pub fn look_up(agents: &[AgentSpec]) -> Vec<String> {
    let problem = |agent: &AgentSpec| {
        let error = agent.command.sandbox().check(&agent.command).err()?;
        let [name, why] = [&agent.name, &format!("{error:#}")].map(|text| Untrusted::new(text).terminal());
        Some(format!("{name} cannot start here: {why}"))
    };
    agents.iter().filter_map(problem).collect()
}

/// Whether a run of so many `agents` may begin with these `problems` of some.
///
/// # Errors
/// They are those of most.
pub fn ensure_most_can_start(problems: &[String], agents: usize) -> Result<()> {
    ensure!(
        !are_most(problems.len(), agents),
        usage(format!(
            "{} of the {agents} agents cannot start, so nothing is played\n{}",
            problems.len(),
            problems.join("\n")
        ))
    );
    Ok(())
}

/// Whether a run in which `games` were just played should go on; `standings` are those of all its games.
///
/// # Errors
/// Most agents have never started; or a game cannot be read.
pub(super) fn ensure_most_started(games: &[StoredGame], standings: impl FnOnce() -> Standings) -> Result<()> {
    let mut reason = None;
    for game in games {
        for seat in game.result.dismissed.iter() {
            let dismissal = game.dismissal(*seat)?.filter(|dismissal| dismissal.fault == ConductFault::NotStarted);
            reason = dismissal.map(|dismissal| dismissal.message).or(reason);
        }
    }
    let Some(reason) = reason else { return Ok(()) };
    let standings = standings();
    let never = standings
        .rows
        .iter()
        .filter(|row| row.games >= ENOUGH_GAMES && row.faults.get(ConductFault::NotStarted) == row.games);
    let never: Vec<String> = never.map(|row| Untrusted::new(&row.name).terminal()).collect();
    ensure!(
        !are_most(never.len(), standings.rows.len()),
        usage(format!(
            "{} of the {} agents have not started in any game, so the run has stopped: {}. The last reason: {}. The games that were \
             played are kept. Mend the agents, then give the same command with --again NAME for each of them: their games are played \
             again",
            never.len(),
            standings.rows.len(),
            never.join(", "),
            Untrusted::new(&reason).terminal(),
        ))
    );
    Ok(())
}

fn are_most(some: usize, all: usize) -> bool {
    some * 2 > all
}
