//! Everything that determines the games of a run, as the run file keeps it. It derives plan, seeds and headers from
//! them; it reads no league file and no rows.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use maumau_engine::rules::check_resolved;
use maumau_engine::{Rules, deal_seed, game_id};
use maumau_protocol::Seed;
use maumau_protocol::limits::MAX_MS;
use maumau_protocol::message::{ClockMode, GameId, TimeControl};
use maumau_protocol::ruleset::RuleSet;
use maumau_referee::record::Header;
use maumau_tournament::{
    AgentId, Allocation, Format, League, Plan, PlannedGame, RankedBy, Standings, StopRules, Tally,
};
use serde::{Deserialize, Serialize};

use super::agent_settings::AgentSettings;
use super::shard::Shard;
use crate::agent::{Grant, PermitSettings, Sandbox, SandboxSettings, TOO_SHORT};
use crate::error::usage;
use crate::runner::{AgentSpec, GameConfig};

/// A league with all decisions made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueSettings {
    /// Its name.
    pub name: String,
    /// Seats at a table.
    pub seats: usize,
    /// Rounds of a game, by rule set.
    #[serde(with = "one_or_more")]
    pub rounds: Vec<u32>,
    /// Games that a group of agents plays whenever it meets.
    pub games_per_pairing: u64,
    /// Who meets whom.
    pub format: Format,
    /// True if agents of one author never sit at one table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_author_per_table: bool,
    /// How the rounds of a sample or a ladder are filled.
    pub allocation: Allocation,
    /// When the run ends before its format does.
    pub stop: StopRules,
    /// The agent whose rating is given, if there is one. It changes no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The time a seat has.
    pub time: TimeControl,
    /// How actions are ordered. On the live clock speed counts, and no run gives the same games again.
    #[serde(default, skip_serializing_if = "is_lockstep")]
    pub clock: ClockMode,
    /// The sandbox of the agents.
    pub sandbox: SandboxSettings,
    /// True if agents may know the seed, and so every card: a person chose it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public_seed: bool,
    /// True if agents are not shown whom they play with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden_names: bool,
    /// The part of the games that is played, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The agents in the order in which they joined the run.
    pub agents: Vec<AgentSettings>,
}

/// An agent whose rating is given, which fixes the scale of all ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Its name.
    pub agent: String,
    /// Its rating.
    pub rating: f64,
}

impl LeagueSettings {
    /// What the order of its agents follows from. One that has left has not met those that came after it.
    pub fn ranked_by(&self) -> RankedBy {
        match self.for_schedule().ranked_by() {
            RankedBy::Score if self.agents.iter().any(|agent| agent.life.retired) => RankedBy::Rating,
            by => by,
        }
    }

    /// What of it decides who meets whom.
    pub fn for_schedule(&self) -> League {
        League {
            agents: self.agents.iter().map(|agent| agent.name.clone()).collect(),
            seats: self.seats,
            games_per_pairing: self.games_per_pairing,
            rule_sets: self.rounds.len(),
            kept_apart: if self.one_author_per_table { self.authors().1 } else { Vec::new() },
            format: self.format.clone(),
            allocation: self.allocation,
            stop: self.stop.clone(),
        }
    }

    /// The names of the authors, and by agent the number of its author there.
    pub fn authors(&self) -> (Vec<String>, Vec<Option<u16>>) {
        let mut names: Vec<String> = Vec::new();
        let number = |agent: &AgentSettings| {
            let author = agent.author.as_ref()?;
            let known = names.iter().position(|name| name == author);
            Some(known.unwrap_or_else(|| {
                names.push(author.clone());
                names.len() - 1
            }) as u16)
        };
        let numbers = self.agents.iter().map(number).collect();
        (names, numbers)
    }

    /// The agents that have not retired.
    pub fn playing(&self) -> Vec<AgentId> {
        let agents = self.agents.iter().enumerate().filter(|(_, agent)| !agent.life.retired);
        agents.map(|(number, _)| AgentId(number as u16)).collect()
    }

    /// True if an agent that plays is not built in.
    pub fn has_foreign_agents(&self) -> bool {
        self.agents.iter().any(|agent| !agent.life.retired && !agent.is_built_in())
    }

    /// True if agents may know the cards: the seed is public, and not all agents are or were built in.
    pub fn cards_may_be_known(&self) -> bool {
        self.public_seed && !self.agents.iter().all(AgentSettings::is_built_in)
    }

    /// True if its games follow from rounds that are decided while it is played, so that its agents stay those of the beginning.
    pub fn has_rounds(&self) -> bool {
        self.format != Format::RoundRobin || self.stop != StopRules::default()
    }

    /// The plan of its games.
    ///
    /// # Errors
    /// It cannot be planned.
    pub fn pairings(&self) -> Result<Plan> {
        Plan::new(self.for_schedule()).context("the league of the run cannot be planned")
    }

    /// Checks that every secret that an agent is given has a value here.
    ///
    /// # Errors
    /// Names each one that has none, or one that is too short.
    pub fn check_secrets(&self) -> Result<()> {
        LeagueSettings::check_secrets_of(self.agents.iter().filter(|agent| !agent.life.retired))
    }

    /// As [`LeagueSettings::check_secrets`], of these agents alone.
    ///
    /// # Errors
    /// As there.
    pub fn check_secrets_of<'a>(agents: impl Iterator<Item = &'a AgentSettings> + Clone) -> Result<()> {
        let missing = |agent: &AgentSettings| {
            let line = |name: &str| format!("the agent {:?} needs the secret {name}, which is not set", agent.name);
            agent.permits.missing().map(line).collect::<Vec<_>>()
        };
        let playing = || agents.clone();
        let short = |agent: &AgentSettings| {
            let line = |name: &str| {
                format!("the secret {name} of the agent {:?} {TOO_SHORT}: env = {{ {name} = \"…\" }}", agent.name)
            };
            agent.permits.short().map(line).collect::<Vec<_>>()
        };
        let short: Vec<String> = playing().flat_map(short).collect();
        ensure!(short.is_empty(), usage(short.join("\n")));
        let missing: Vec<String> = playing().flat_map(missing).collect();
        let Some(first) = playing().find_map(|agent| agent.permits.missing().next()) else { return Ok(()) };
        Err(usage(format!(
            "{}\nset it in the environment of this command, as with: read -rs {first} && export {first}",
            missing.join("\n")
        )))
    }
}

/// A number alone is written as a number, for leagues of one rule set.
mod one_or_more {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Numbers {
        One(u32),
        More(Vec<u32>),
    }

    pub(super) fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
        match numbers {
            [one] => one.serialize(serializer),
            more => more.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
        Ok(match Numbers::deserialize(deserializer)? {
            Numbers::One(one) => vec![one],
            Numbers::More(more) => more,
        })
    }
}

fn is_lockstep(clock: &ClockMode) -> bool {
    *clock == ClockMode::Lockstep
}

/// Everything that determines the games of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// The league.
    pub league: LeagueSettings,
    /// The resolved rule sets, table options included.
    pub rules: Vec<RuleSet>,
    /// The master seed.
    pub seed: Seed,
    /// The version of the playing engine.
    pub engine: String,
}

impl RunSettings {
    /// What tables call the rule sets: their names; if two have the same, the second one is `skat-2`.
    pub fn rule_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for set in &self.rules {
            let versions = (1..).map(|number| match number {
                1 => set.name.to_string(),
                number => format!("{}-{number}", set.name),
            });
            names.extend(versions.into_iter().find(|name| !names.contains(name)));
        }
        names
    }

    /// The differences in `wanted`, agents aside, that would lead to other games than these settings, in a sentence each. More
    /// games of each pairing change none of the existing ones.
    pub fn differences(&self, wanted: &RunSettings) -> Vec<String> {
        let (stored, league) = (&self.league, &wanted.league);
        let mut list = Vec::new();
        let mut compare = |what: &str, stored: String, now: String| {
            if stored != now {
                list.push(format!("{what} was {stored} and is now {now}"));
            }
        };
        compare("seats", stored.seats.to_string(), league.seats.to_string());
        if stored.rounds.len() == league.rounds.len() {
            let rounds =
                |league: &LeagueSettings| league.rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            compare("rounds", rounds(stored), rounds(league));
        }
        // More games of each pairing make others of none, where each has a number of its own or there is but one.
        let may_grow = matches!(league.format, Format::RoundRobin | Format::Match);
        if league.games_per_pairing < stored.games_per_pairing
            || !may_grow && league.games_per_pairing != stored.games_per_pairing
        {
            compare("games_per_pairing", stored.games_per_pairing.to_string(), league.games_per_pairing.to_string());
        }
        compare("schedule", format!("{:?}", stored.format), format!("{:?}", league.format));
        if league.for_schedule().has_open_pool() {
            let round = |league: &LeagueSettings| {
                league.allocation.round_games.map_or("as usual".to_owned(), |n| n.to_string())
            };
            compare("schedule.round_games", round(stored), round(league));
            compare("schedule.floor", stored.allocation.floor.to_string(), league.allocation.floor.to_string());
            compare("schedule.equal", stored.allocation.equal.to_string(), league.allocation.equal.to_string());
        }
        let apart = |league: &LeagueSettings| league.one_author_per_table.to_string();
        compare("schedule.one_author_per_table", apart(stored), apart(league));
        for (before, now) in stored.agents.iter().zip(&league.agents).filter(|_| league.one_author_per_table) {
            let author = |agent: &AgentSettings| format!("{:?}", agent.author.as_deref().unwrap_or_default());
            compare(&format!("the author of {}", now.name), author(before), author(now));
        }
        if league.format == Format::Sample {
            // It brings those together who are in doubt.
            let ranks = |stop: &StopRules| format!("top {:?}, ranking {}", stop.top, stop.ranking);
            compare("stop", ranks(&stored.stop), ranks(&league.stop));
        }
        let time = |time: &TimeControl| {
            format!("{} + {} + {} ms, start {} ms", time.move_ms, time.bank_ms, time.increment_ms, time.start_ms)
        };
        compare("time", time(&stored.time), time(&league.time));
        let clock = |league: &LeagueSettings| match (league.clock, league.time) {
            (ClockMode::Lockstep, _) => "lockstep".to_owned(),
            (ClockMode::Live, TimeControl { grace_ms, reaction_ms, closing_ms, count_ms, .. }) => {
                format!("live ({grace_ms}, {reaction_ms}, {closing_ms}, {count_ms} ms)")
            }
        };
        compare("the clock", clock(stored), clock(league));
        let sandbox = |sandbox: &SandboxSettings| format!("{}, {} MiB", sandbox.level, sandbox.memory_mib);
        compare("sandbox", sandbox(&stored.sandbox), sandbox(&league.sandbox));
        let part = |shard: Option<Shard>| shard.map_or("the whole".to_owned(), |shard| shard.to_string());
        let hidden = |league: &LeagueSettings| if league.hidden_names { "hidden" } else { "shown" }.to_owned();
        compare("whether agents are shown names", hidden(stored), hidden(league));
        compare("the part", part(stored.shard), part(league.shard));
        let what =
            if self.rules.len() == 1 && wanted.rules.len() == 1 { "the rule set" } else { "the list of rule sets" };
        compare(what, self.rule_names().join(", "), wanted.rule_names().join(", "));
        let (many, names) = (self.rules.len() > 1, wanted.rule_names());
        for ((before, now), set) in self.rules.iter().zip(&wanted.rules).zip(&names) {
            for (name, value) in &now.options {
                let before = before.options.get(name).map_or("not there".to_owned(), ToString::to_string);
                let of = if many { format!(" of {set}") } else { String::new() };
                compare(&format!("the option {name}{of}"), before, value.to_string());
            }
        }
        // The master seed reveals the cards of every future game.
        compare("seed", shortened(&self.seed), shortened(&wanted.seed));
        compare("the version of the engine", self.engine.clone(), wanted.engine.clone());
        if list.is_empty() && self.rules != wanted.rules {
            let changed = self.rules.iter().zip(&wanted.rules).zip(&names).filter(|((before, now), _)| before != now);
            list.extend(changed.map(|(_, name)| format!("the rules in {name:?} are not the same as they were")));
        }
        list
    }
}

fn shortened(seed: &Seed) -> String {
    let digits = seed.to_string();
    format!("{}…", digits.get(..8).unwrap_or_default())
}

/// A run's settings prepared for play: the plan and the rules at its tables.
#[derive(Clone)]
pub struct RunPlan {
    /// What it was made from.
    pub settings: RunSettings,
    /// Its games.
    pub pairings: Plan,
    rules: Vec<Arc<Rules>>,
}

impl RunPlan {
    /// Prepares `settings`.
    ///
    /// # Errors
    /// The settings are contradictory; those of a `LeagueFile` are not.
    pub fn new(settings: RunSettings) -> Result<RunPlan> {
        let pairings = settings.league.pairings()?;
        ensure!(
            settings.rules.len() == settings.league.rounds.len(),
            "the run has {} rule sets, and rounds of {}",
            settings.rules.len(),
            settings.league.rounds.len()
        );
        ensure!(settings.league.time.longest_ms() <= MAX_MS, "a time of the run is longer than {MAX_MS} ms");
        let compile = |(set, rounds): (&RuleSet, &u32)| {
            check_resolved(set).context("the rules of the run are wrong")?;
            let rules = Rules::for_table(&Arc::new(set.clone()), settings.league.seats, Some(*rounds));
            Ok(Arc::new(rules.context("the rules of the run do not provide for its tables")?))
        };
        let rules = settings.rules.iter().zip(&settings.league.rounds).map(compile).collect::<Result<_>>()?;
        Ok(RunPlan { settings, pairings, rules })
    }

    /// What tables call the rule set of a game.
    pub fn rule_name_of(&self, game: &PlannedGame) -> Option<String> {
        self.settings.rule_names().into_iter().nth(self.pairings.league().rule_set_of(game.deal))
    }

    /// The rules of a game.
    fn rules_of(&self, game: &PlannedGame) -> &Arc<Rules> {
        &self.rules[self.pairings.league().rule_set_of(game.deal)]
    }

    /// The agents, ready to be started in `sandbox`.
    ///
    /// # Errors
    /// A command cannot be read.
    pub fn agents(&self, sandbox: &Arc<Sandbox>) -> Result<Vec<AgentSpec>> {
        let agents = &self.settings.league.agents;
        let grants: Vec<Grant> = agents.iter().map(|agent| agent.permits.grant()).collect();
        let spec = |agent: &AgentSettings| {
            let AgentSpec { name, command } = agent.spec(sandbox)?;
            Ok(AgentSpec { name, command: command.granted(agent.permits.grant().beside(&grants)) })
        };
        agents.iter().map(spec).collect()
    }

    /// The permissions of a game's agents, seat by seat; empty if none has any.
    pub fn permits(&self, game: &PlannedGame) -> Vec<maumau_protocol::Permits> {
        let agents = &self.settings.league.agents;
        let permits = || game.agents.iter().map(|agent| &agents[agent.index()].permits);
        if permits().all(PermitSettings::is_empty) {
            Vec::new()
        } else {
            permits().map(PermitSettings::named).collect()
        }
    }

    /// The table of a game; `reveal_seed` as in [`GameConfig`].
    pub fn table(&self, game: &PlannedGame, reveal_seed: bool) -> GameConfig {
        GameConfig {
            id: self.wire_id(game),
            rules: Arc::clone(self.rules_of(game)),
            seed: self.seed(game),
            agents: game.lanes().map(|(agent, lane)| (agent.index(), usize::from(lane.0))).collect(),
            time: self.settings.league.time,
            clock: self.settings.league.clock,
            reveal_seed,
            public_seed: self.settings.league.cards_may_be_known(),
            hidden_names: self.settings.league.hidden_names,
        }
    }

    /// The header of a game's record.
    pub fn header(&self, game: &PlannedGame) -> Header {
        let agents = &self.settings.league.agents;
        let names = game.agents.iter().map(|agent| agents[agent.index()].record_name().to_owned()).collect();
        let (engine, time) = (&self.settings.engine, self.settings.league.time);
        Header::new(
            self.rules_of(game),
            engine,
            self.settings.league.clock,
            time,
            self.wire_id(game),
            names,
            self.seed(game),
        )
    }

    /// The name of a game that agents read; it does not reveal which games are dealt alike.
    pub(super) fn wire_id(&self, game: &PlannedGame) -> GameId {
        GameId(game_id(&self.settings.seed, &game.id().0).into())
    }

    /// What decides between agents whom results leave equal.
    pub fn lot(&self) -> u64 {
        deal_seed(&self.settings.seed, "lot").0.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
    }

    /// The seed of the game's deal.
    pub(super) fn seed(&self, game: &PlannedGame) -> Seed {
        deal_seed(&self.settings.seed, &game.deal.to_string())
    }

    /// True if the game is to be played in this run: it is in the run's part, and no agent of it has retired.
    pub fn is_open(&self, game: &PlannedGame) -> bool {
        let LeagueSettings { agents, shard, .. } = &self.settings.league;
        shard.is_none_or(|shard| shard.has(game.deal))
            && !self.pairings.is_dropped(game.index)
            && !game.agents.iter().any(|agent| agents[agent.index()].life.retired)
    }

    /// True if some games are not to be played.
    fn has_closed_games(&self) -> bool {
        let LeagueSettings { agents, shard, .. } = &self.settings.league;
        shard.is_some() || self.pairings.dropped() > 0 || agents.iter().any(|agent| agent.life.retired)
    }

    /// The numbers of the games that are neither finished nor to be played.
    pub fn closed<'a>(&'a self, tally: &'a Tally) -> impl Iterator<Item = u64> + 'a {
        let plan = tally.plan();
        let numbers = 0..if self.has_closed_games() { plan.len() } else { 0 };
        numbers.filter(|number| !tally.is_counted(*number) && !self.is_open(&plan.game(*number)))
    }

    /// The numbers of the games that are still to be played, as far as they are known.
    pub fn missing<'a>(&'a self, tally: &'a Tally) -> impl Iterator<Item = u64> + 'a {
        let plan = tally.plan();
        (0..plan.len()).filter(|number| !tally.is_counted(*number) && self.is_open(&plan.game(*number)))
    }

    /// As [`RunPlan::standings`], of the games by one of the rule sets.
    pub fn standings_by(&self, tally: &Tally, rule_set: usize) -> Standings {
        let mut standings = tally.standings_by(rule_set);
        standings.planned -=
            self.closed(tally).filter(|number| tally.plan().rule_set(*number) == rule_set).count() as u64;
        standings
    }

    /// The tables of the games in `tally`; the planned games are those that are finished or still to be played.
    pub fn standings(&self, tally: &Tally) -> Standings {
        let mut standings = tally.standings();
        standings.planned -= self.closed(tally).count() as u64;
        standings
    }
}
