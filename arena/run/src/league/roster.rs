//! Who plays in a run: brings the agents of a league file together with those of the run that it goes on with. Reads no files.
//!
//! The run's list only grows, so that its groups of agents, its deals and its games keep their names. An agent that has changed
//! joins as a new version of itself, and the version before it retires.

use maumau_places::suggestion;
use maumau_tournament::AgentId;

use super::league_file::LeagueFile;
use crate::agent::{look, spelled};
use crate::run_store::{AgentSettings, LeagueSettings};

/// The agents of a run, and what has changed.
#[derive(Debug, Default)]
pub struct Roster {
    /// All agents in the order in which they joined.
    pub agents: Vec<AgentSettings>,
    /// Those whose games are played again.
    pub again: Vec<AgentId>,
    /// What happened to agents, a sentence each.
    pub news: Vec<String>,
    /// Agents that have changed, each with the name that its next version would have. They keep the run from going on.
    pub changed: Vec<Changed>,
    /// What else keeps the run from going on, a sentence each.
    pub problems: Vec<String>,
}

/// An agent that has changed.
#[derive(Debug)]
pub struct Changed {
    /// Its name in the league file.
    pub name: String,
    /// The name of its next version.
    pub next: String,
    /// What has changed.
    pub changes: Vec<String>,
}

/// What to do with agents that have changed.
#[derive(Clone, Copy, Debug)]
pub struct ChangePolicy<'a> {
    /// Agents whose games are played again, by their names in the league file.
    pub again: &'a [String],
    /// True if those that have changed join as new versions.
    pub new_version: bool,
    /// An agent that joins as a new version if it has changed, by its name in the league file.
    pub replaced: Option<&'a str>,
}

impl Roster {
    /// The agents of a run of `league`, which has the agents of `stored` so far.
    pub fn join(stored: Option<&LeagueSettings>, league: &LeagueFile, policy: ChangePolicy<'_>) -> Roster {
        let mut roster =
            Roster { agents: stored.map_or(Vec::new(), |stored| stored.agents.clone()), ..Roster::default() };
        for name in policy.again {
            if !league.league.agents.iter().any(|agent| agent.name == *name) {
                let known = suggestion(name, league.league.agents.iter().map(|agent| agent.name.as_str()));
                roster.problems.push(format!("--again {name}: the league has no such agent{known}"));
            }
        }
        for (agent, declared) in league.league.agents.iter().zip(&league.declared) {
            let renamed_from = declared.renamed_from.as_deref().filter(|_| stored.is_some());
            if let Some(from) = renamed_from.filter(|from| league.league.agents.iter().any(|other| other.name == *from))
            {
                let name = &agent.name;
                roster
                    .problems
                    .push(format!("agent {name:?}: renamed_from = {from:?}, but another agent has that name"));
                continue;
            }
            match roster.place_of(&agent.name).or_else(|| roster.rename(renamed_from?, &agent.name)) {
                Some(place) => roster.meet(place, agent, policy),
                None => roster.add(agent, renamed_from, stored.is_some()),
            }
        }
        let is_there =
            |agent: &AgentSettings| league.league.agents.iter().any(|other| other.name == agent.league_name());
        let gone = roster.agents.iter().filter(|agent| !agent.life.retired && !is_there(agent));
        roster.problems.extend(gone.map(|agent| {
            let name = agent.league_name();
            format!(
                "agent {name:?} is not in the league file: give it retired = true there, or give an agent with another name \
                 renamed_from = {name:?}"
            )
        }));
        roster
    }

    /// The place of the latest version of the agent that the league file calls `name`.
    fn place_of(&self, name: &str) -> Option<usize> {
        self.agents.iter().rposition(|agent| agent.league_name() == name)
    }

    /// Gives all versions of the agent `from` the name `to`.
    fn rename(&mut self, from: &str, to: &str) -> Option<usize> {
        let place = self.place_of(from)?;
        self.agents.iter_mut().filter(|agent| agent.league_name() == from).for_each(|agent| agent.rename(to));
        self.news.push(format!("{from} is called {to} from now on"));
        Some(place)
    }

    /// An agent of the league file that is in the run already.
    fn meet(&mut self, place: usize, agent: &AgentSettings, policy: ChangePolicy<'_>) {
        let again = policy.again.contains(&agent.name);
        self.judge(place, agent.life.disqualified);
        let known = &self.agents[place];
        if agent.life.retired {
            if again {
                self.problems.push(format!("--again {}: the agent has retired", agent.name));
            } else if !known.life.retired {
                self.news.push(format!("{} retires", known.name));
                self.agents[place].life.retired = true;
            }
            return;
        }
        let changes = known.changes(agent);
        if again || changes.is_empty() {
            if known.life.retired {
                self.news.push(format!("{} plays again after it had retired", known.name));
            }
            let known = &mut self.agents[place];
            let (name, mut life) = (known.name.clone(), known.life.clone());
            life.retired = false;
            life.fingerprint.clone_from(&agent.life.fingerprint);
            *known = AgentSettings { name, life, ..agent.clone() };
            self.again.extend(again.then_some(AgentId(place as u16)));
            return;
        }
        let next = known.next_version(agent, |name| self.is_taken(name));
        if policy.new_version || policy.replaced == Some(&agent.name) {
            self.news.push(format!("{} joins: {}", next.name, changes.join("; ")));
            self.agents[place].life.retired = true;
            self.agents.push(next);
        } else {
            self.changed.push(Changed { name: agent.name.clone(), next: next.name, changes });
        }
    }

    /// Whether all versions of an agent are disqualified.
    fn judge(&mut self, place: usize, disqualified: bool) {
        let name = self.agents[place].league_name().to_owned();
        if self.agents[place].life.disqualified != disqualified {
            self.news.push(if disqualified {
                format!("{name} is disqualified: ratings leave out its games")
            } else {
                format!("{name} is not disqualified any more")
            });
        }
        let versions = self.agents.iter_mut().filter(|agent| agent.league_name() == name);
        versions.for_each(|agent| agent.life.disqualified = disqualified);
    }

    /// An agent of the league file that is not in the run yet.
    fn add(&mut self, agent: &AgentSettings, renamed_from: Option<&str>, is_news: bool) {
        let name = &agent.name;
        if let Some(before) = renamed_from {
            let known = suggestion(before, self.agents.iter().map(AgentSettings::league_name));
            let problem = format!("agent {name:?}: renamed_from = {before:?}, but the run has no such agent{known}");
            self.problems.push(problem);
        } else if let Some(other) = self.looks_like(name) {
            self.problems.push(format!(
                "agent {} looks like {}, which another agent has in the records or tables of the run; give it a name that looks \
                 different",
                spelled(name),
                spelled(&other)
            ));
        } else if self.is_taken(name) {
            self.problems.push(format!(
                "agent {name:?}: another agent has this name in the records or tables of the run; give it one of its own"
            ));
        } else {
            if is_news {
                self.news.push(format!("{name} joins"));
            }
            self.agents.push(agent.clone());
        }
    }

    /// Another name than this one, which an agent has in tables or records and which looks like it.
    fn looks_like(&self, name: &str) -> Option<String> {
        let wanted = look(name);
        let names = self.agents.iter().flat_map(|agent| [agent.name.as_str(), agent.record_name()]);
        let mut alike = names.filter(|other| *other != name && look(other) == wanted);
        alike.next().map(str::to_owned)
    }

    /// True if an agent has this name in tables or records.
    fn is_taken(&self, name: &str) -> bool {
        self.agents.iter().any(|agent| agent.name == name || agent.record_name() == name)
    }
}
