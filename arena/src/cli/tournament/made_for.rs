//! What the agents of a new run were made for, by the `plays` of their `ready` (SPEC 3.3), compared with the tables of its league.
//! It starts each agent once; an agent that does not become ready is left to its games.

use std::time::Duration;

use anyhow::{Result, ensure};
use maumau_protocol::message::{PROTOCOL, Plays};
use maumau_run::agent::AgentCommand;
use maumau_run::error::usage;
use maumau_run::io::progress::ProgressLine;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::league::LeagueFile;
use maumau_run::log::{self, Instrument};
use maumau_run::runner::{AgentSpec, on_one_processor};
use tokio::task::JoinSet;

use crate::conformance::{AgentUnderTest, hello};

/// Agents that are started at once.
const AT_ONCE: usize = 4;

/// Asks each of `agents` what it plays.
///
/// # Errors
/// An agent was not made for all tables of `league`; each of them is named, with what it does not play. Or this machine has no
/// room for a thread.
pub(super) fn ensure_made_for(league: &LeagueFile, agents: &[AgentSpec], quiet: bool) -> Result<()> {
    let patience = Duration::from_millis(league.league.time.start_ms);
    let progress = (!quiet).then(|| ProgressLine::new("asking agents what they play", agents.len() as u64));
    let _run = log::run_span(Untrusted::new(&league.league.name)).entered();
    let mut refused = Vec::new();
    for (number, some) in agents.chunks(AT_ONCE).enumerate() {
        let spans: Vec<_> = some.iter().map(|agent| log::agent_span(&agent.name)).collect();
        let mut plays: Vec<(usize, Option<Plays>)> = on_one_processor(|| async {
            let mut asked = JoinSet::new();
            for (place, (agent, span)) in some.iter().zip(&spans).enumerate() {
                let command = agent.command.clone();
                let asks = async move { (place, plays(&command, patience).await) };
                asked.spawn_local(asks.instrument(span.clone()));
            }
            Ok(asked.join_all().await)
        })?;
        plays.sort_unstable_by_key(|(place, _)| *place);
        let sets: Vec<&str> = league.rules.iter().map(|set| set.name.as_str()).collect();
        for (place, plays) in plays {
            let why = plays.and_then(|plays| unsuited(&plays, &sets, league.league.seats));
            refused.extend(why.map(|why| format!("{}: {why}", Untrusted::new(&some[place].name).terminal())));
        }
        if let Some(progress) = &progress {
            progress.is_at((number * AT_ONCE + some.len()) as u64, refused.len() as u64);
        }
    }
    if let Some(progress) = &progress {
        progress.end();
    }
    ensure!(
        refused.is_empty(),
        usage(format!(
            "this league has tables that an agent of it was not made for, so nothing is played\n{}\nLeave these agents, rule sets or \
             seats out of the league file, or change \"plays\" of the agent's \"ready\"",
            refused.join("\n")
        ))
    );
    Ok(())
}

/// What an agent says that it plays, if it says so.
async fn plays(command: &AgentCommand, patience: Duration) -> Option<Plays> {
    let mut agent = AgentUnderTest::start(command).ok()?;
    let ready = agent.greet(&hello(PROTOCOL), patience).await;
    agent.end().await;
    ready.ok()?.plays
}

/// What an agent that `plays` so does not play of these rule sets at tables of so many `seats`, in words.
fn unsuited(plays: &Plays, sets: &[&str], seats: usize) -> Option<String> {
    let known = plays.rules.as_deref();
    let missing: Vec<&str> =
        sets.iter().copied().filter(|set| known.is_some_and(|known| !known.iter().any(|name| name == set))).collect();
    let mut reasons = Vec::new();
    if let (Some(known), false) = (known, missing.is_empty()) {
        let known: Vec<String> = known.iter().map(|name| Untrusted::new(name).terminal()).collect();
        reasons.push(format!("it plays {}, not {}", listed(&known), missing.join(", ")));
    }
    if let Some(known) = plays.seats.as_ref().filter(|known| !known.iter().any(|known| usize::from(*known) == seats)) {
        let known: Vec<String> = known.iter().map(u8::to_string).collect();
        reasons.push(format!("it plays at tables of {} seats, not of {seats}", listed(&known)));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_does_not_play_is_named() {
        let check = |rules: Option<&[&str]>, seats: Option<&[u8]>, expected: Option<&str>| {
            let rules = rules.map(|rules| rules.iter().map(|name| (*name).to_owned()).collect());
            let plays = Plays { rules, seats: seats.map(<[u8]>::to_vec) };
            assert_eq!(unsuited(&plays, &["basic", "snap"], 3).as_deref(), expected, "{plays:?}");
        };
        check(None, None, None);
        check(Some(&["snap", "skat", "basic"]), Some(&[2, 3]), None);
        check(Some(&["basic"]), None, Some("it plays basic, not snap"));
        check(Some(&[]), None, Some("it plays none, not basic, snap"));
        check(None, Some(&[2, 4]), Some("it plays at tables of 2, 4 seats, not of 3"));
        check(Some(&["snap"]), Some(&[2]), Some("it plays snap, not basic; it plays at tables of 2 seats, not of 3"));
    }
}
