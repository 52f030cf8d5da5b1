//! Everything that determines the games of a run, as the run file keeps it. It derives plan, seeds and headers from
//! them; it reads no league file and no rows.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use maumau_engine::rules::check_resolved;
use maumau_engine::{Rules, deal_seed, game_id};
use maumau_protocol::limits::MAX_MS;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{SandboxLevel, Seed};
use maumau_referee::record::Header;
use maumau_tournament::{AgentId, Format, League, Plan, PlannedGame, StopRules};
use serde::{Deserialize, Serialize};

use crate::agent::{AgentCommand, Permits, Sandbox, SandboxSettings};
use crate::error::usage;
use crate::runner::{AgentSpec, GameConfig};

/// One agent of a league.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// Its name in tables and records.
    pub name: String,
    /// Its command, as a person would type it.
    pub command: String,
    /// The directory it is started in; absent = the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Its permissions beyond those of every agent.
    #[serde(default, skip_serializing_if = "Permits::is_empty")]
    pub permits: Permits,
}

/// A league with all decisions made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueSettings {
    /// Its name.
    pub name: String,
    /// Seats at a table.
    pub seats: usize,
    /// Rounds of a game.
    pub rounds: u32,
    /// Games that a group of agents plays whenever it meets.
    pub games_per_pairing: u64,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// When the run ends before its format does.
    #[serde(default)]
    pub stop: StopRules,
    /// The time a seat has.
    pub time: TimeControl,
    /// The sandbox of the agents; run files that predate sandboxes have none.
    #[serde(default = "without_sandbox")]
    pub sandbox: SandboxSettings,
    /// The agents in the order of the file.
    pub agents: Vec<AgentSettings>,
}

impl LeagueSettings {
    /// What of it decides who meets whom.
    pub fn for_schedule(&self) -> League {
        League {
            agents: self.agents.iter().map(|agent| agent.name.clone()).collect(),
            seats: self.seats,
            games_per_pairing: self.games_per_pairing,
            format: self.format.clone(),
            stop: self.stop.clone(),
        }
    }

    /// Checks that every secret that an agent is given has a value here.
    ///
    /// # Errors
    /// Names each one that has none.
    pub fn check_secrets(&self) -> Result<()> {
        let missing = |agent: &AgentSettings| {
            let line = |name: &str| format!("the agent {:?} needs the secret {name}, which is not set", agent.name);
            agent.permits.missing().map(line).collect::<Vec<_>>()
        };
        let missing: Vec<String> = self.agents.iter().flat_map(missing).collect();
        let Some(first) = self.agents.iter().find_map(|agent| agent.permits.missing().next()) else { return Ok(()) };
        Err(usage(format!(
            "{}\nset it in the environment of this command, as with: read -rs {first} && export {first}",
            missing.join("\n")
        )))
    }
}

fn without_sandbox() -> SandboxSettings {
    SandboxSettings { level: SandboxLevel::None, ..SandboxSettings::USUAL }
}

/// Everything that determines the games of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The league.
    pub league: LeagueSettings,
    /// The resolved rules, table options included.
    pub rules: RuleSet,
    /// The master seed.
    pub seed: Seed,
    /// The version of the playing engine.
    pub engine: String,
}

impl Settings {
    /// The differences in `wanted` that would lead to other games than these settings, in a sentence each. More games of each
    /// pairing change none of the existing ones; and games of the agents in `again` do not count as existing.
    pub fn differences(&self, wanted: &Settings, again: &[AgentId]) -> Vec<String> {
        let (stored, league) = (&self.league, &wanted.league);
        let mut list = Vec::new();
        let mut compare = |what: &str, stored: String, now: String| {
            if stored != now {
                list.push(format!("{what} was {stored} and is now {now}"));
            }
        };
        compare("seats", stored.seats.to_string(), league.seats.to_string());
        compare("rounds", stored.rounds.to_string(), league.rounds.to_string());
        // More games of each pairing make others of none, where each has a number of its own or there is but one.
        let may_grow = matches!(league.format, Format::RoundRobin | Format::Match);
        if league.games_per_pairing < stored.games_per_pairing
            || !may_grow && league.games_per_pairing != stored.games_per_pairing
        {
            compare("games_per_pairing", stored.games_per_pairing.to_string(), league.games_per_pairing.to_string());
        }
        compare("schedule", format!("{:?}", stored.format), format!("{:?}", league.format));
        if league.format == Format::Sample {
            // It brings those together who are in doubt.
            let ranks = |stop: &StopRules| format!("top {:?}, ranking {}", stop.top, stop.ranking);
            compare("stop", ranks(&stored.stop), ranks(&league.stop));
        }
        let time = |time: &TimeControl| {
            format!("{} + {} + {} ms, start {} ms", time.move_ms, time.bank_ms, time.increment_ms, time.start_ms)
        };
        compare("time", time(&stored.time), time(&league.time));
        let sandbox = |sandbox: &SandboxSettings| format!("{}, {} MiB", sandbox.level, sandbox.memory_mib);
        compare("sandbox", sandbox(&stored.sandbox), sandbox(&league.sandbox));
        compare("the number of agents", stored.agents.len().to_string(), league.agents.len().to_string());
        for (number, (before, now)) in stored.agents.iter().zip(&league.agents).enumerate() {
            let place = |what: &str| format!("agent[{number}].{what}");
            compare(&place("name"), format!("{:?}", before.name), format!("{:?}", now.name));
            if again.iter().any(|agent| agent.index() == number) {
                continue;
            }
            compare(&place("command"), format!("{:?}", before.command), format!("{:?}", now.command));
            let directory = |agent: &AgentSettings| format!("{:?}", agent.directory.as_deref().unwrap_or("."));
            compare(&place("directory"), directory(before), directory(now));
            compare_permits(&mut compare, &place, &before.permits, &now.permits);
        }
        compare("the rule set", self.rules.name.clone(), wanted.rules.name.clone());
        for (name, value) in &wanted.rules.options {
            let before = self.rules.options.get(name).map_or("not there".to_owned(), ToString::to_string);
            compare(&format!("the option {name}"), before, value.to_string());
        }
        // The master seed reveals the cards of every future game.
        compare("seed", shortened(&self.seed), shortened(&wanted.seed));
        compare("the version of the engine", self.engine.clone(), wanted.engine.clone());
        if list.is_empty() && self.rules != wanted.rules {
            list.push(format!("the rules in {:?} are not the same as they were", wanted.rules.name));
        }
        list
    }
}

fn compare_permits(
    compare: &mut impl FnMut(&str, String, String),
    place: &impl Fn(&str) -> String,
    before: &Permits,
    now: &Permits,
) {
    compare(&place("env"), format!("{:?}", before.env), format!("{:?}", now.env));
    compare(&place("secrets"), format!("{:?}", before.secrets), format!("{:?}", now.secrets));
    compare(&place("read"), format!("{:?}", before.read), format!("{:?}", now.read));
    compare(&place("network"), before.network.to_string(), now.network.to_string());
}

fn shortened(seed: &Seed) -> String {
    let digits = seed.to_string();
    format!("{}…", digits.get(..8).unwrap_or_default())
}

/// A run's settings prepared for play: the plan and the rules at its tables.
#[derive(Clone)]
pub struct RunPlan {
    /// What it was made from.
    pub settings: Settings,
    /// Its games.
    pub pairings: Plan,
    rules: Arc<Rules>,
}

impl RunPlan {
    /// Prepares `settings`.
    ///
    /// # Errors
    /// The settings are contradictory; those of a `LeagueFile` are not.
    pub fn new(settings: Settings) -> Result<RunPlan> {
        let pairings = Plan::new(settings.league.for_schedule()).context("the league of the run cannot be planned")?;
        check_resolved(&settings.rules).context("the rules of the run are wrong")?;
        ensure!(settings.league.time.longest_ms() <= MAX_MS, "a time of the run is longer than {MAX_MS} ms");
        let set = Arc::new(settings.rules.clone());
        let rules = Rules::for_table(&set, settings.league.seats, Some(settings.league.rounds))
            .context("the rules of the run do not provide for its tables")?;
        Ok(RunPlan { settings, pairings, rules: Arc::new(rules) })
    }

    /// The agents, ready to be started in `sandbox`.
    ///
    /// # Errors
    /// A command cannot be read.
    pub fn agents(&self, sandbox: &Arc<Sandbox>) -> Result<Vec<AgentSpec>> {
        let spec = |agent: &AgentSettings| {
            let command = AgentCommand::parse(&agent.command)?.in_sandbox(sandbox).granted(agent.permits.grant());
            let command = match &agent.directory {
                Some(directory) => command.in_directory(directory.into()),
                None => command,
            };
            Ok(AgentSpec { name: agent.name.clone(), command })
        };
        self.settings.league.agents.iter().map(spec).collect()
    }

    /// The permissions of a game's agents, seat by seat; empty if none has any.
    pub fn permits(&self, game: &PlannedGame) -> Vec<maumau_protocol::Permits> {
        let agents = &self.settings.league.agents;
        let permits = || game.agents.iter().map(|agent| &agents[agent.index()].permits);
        if permits().all(Permits::is_empty) { Vec::new() } else { permits().map(Permits::named).collect() }
    }

    /// The table of a game; `reveal_seed` as in [`GameConfig`].
    pub fn table(&self, game: &PlannedGame, reveal_seed: bool) -> GameConfig {
        GameConfig {
            id: self.wire_id(game),
            rules: Arc::clone(&self.rules),
            seed: self.seed(game),
            agents: game.lanes().map(|(agent, lane)| (agent.index(), usize::from(lane.0))).collect(),
            time: self.settings.league.time,
            clock: ClockMode::Lockstep,
            reveal_seed,
        }
    }

    /// The header of a game's record.
    pub fn header(&self, game: &PlannedGame) -> Header {
        let names = game.agents.iter().map(|agent| self.pairings.name(*agent).to_owned()).collect();
        let (engine, time) = (&self.settings.engine, self.settings.league.time);
        Header::new(&self.rules, engine, ClockMode::Lockstep, time, self.wire_id(game), names, self.seed(game))
    }

    /// The name of a game that agents are told; it does not reveal which games are dealt alike.
    fn wire_id(&self, game: &PlannedGame) -> GameId {
        GameId(game_id(&self.settings.seed, &game.id().0).into())
    }

    /// What decides between agents whom results leave equal.
    pub fn lot(&self) -> u64 {
        deal_seed(&self.settings.seed, "lot").0.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
    }

    fn seed(&self, game: &PlannedGame) -> Seed {
        deal_seed(&self.settings.seed, &game.deal.to_string())
    }
}
