//! One agent of a run, and its life there: it may change, get another name, retire. Knows no games and no other agents.

use std::sync::Arc;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentCommand, Fingerprint, PermitSettings, Sandbox};
use crate::runner::AgentSpec;

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
    /// Who made it; nothing of its games depends on that, but who meets whom may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its permissions beyond those of every agent.
    #[serde(default, skip_serializing_if = "PermitSettings::is_empty")]
    pub permits: PermitSettings,
    /// Its life in the run.
    #[serde(default, skip_serializing_if = "Life::is_plain")]
    pub life: Life,
}

/// The life of an agent in a run. That of an agent that just joined is the default, but for its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Life {
    /// What it was made of when it joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Which version of its agent it is, from 1. From the second on it is part of the name, as in `greedy@2`.
    #[serde(skip_serializing_if = "is_first")]
    pub version: u32,
    /// Its name in records, if it has got another one since it joined: the digests of its records hold that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_records: Option<String>,
    /// True if it plays no more games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub retired: bool,
    /// True if it has neither a place nor a rating, and ratings leave out its games.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
}

impl Default for Life {
    fn default() -> Life {
        Life { fingerprint: None, version: 1, in_records: None, retired: false, disqualified: false }
    }
}

impl Life {
    fn is_plain(&self) -> bool {
        *self == Life::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(version: &u32) -> bool {
    *version == 1
}

/// The name of a version of the agent that the league file calls `name`.
fn versioned(name: &str, version: u32) -> String {
    if version == 1 { name.to_owned() } else { format!("{name}@{version}") }
}

impl AgentSettings {
    /// True if it is an agent that this program brings along.
    pub fn is_built_in(&self) -> bool {
        self.parsed_command().is_ok_and(|command| command.is_built_in())
    }

    /// Its command, to be run in its directory.
    ///
    /// # Errors
    /// The command cannot be read.
    pub fn parsed_command(&self) -> Result<AgentCommand> {
        let command = AgentCommand::parse(&self.command)?;
        Ok(match &self.directory {
            Some(directory) => command.in_directory(directory.into()),
            None => command,
        })
    }

    /// The agent, ready to be started in `sandbox`.
    ///
    /// # Errors
    /// The command cannot be read.
    pub fn spec(&self, sandbox: &Arc<Sandbox>) -> Result<AgentSpec> {
        let command = self.parsed_command()?.in_sandbox(sandbox).granted(self.permits.grant());
        Ok(AgentSpec { name: self.record_name().to_owned(), command })
    }

    /// The name that the league file has for all versions of this agent.
    pub fn league_name(&self) -> &str {
        match self.life.version {
            1 => &self.name,
            version => self.name.strip_suffix(&format!("@{version}")).unwrap_or(&self.name),
        }
    }

    /// The name under which it plays, which records hold.
    pub fn record_name(&self) -> &str {
        self.life.in_records.as_deref().unwrap_or(&self.name)
    }

    /// The same version of the agent, which the league file calls `name` from now on.
    pub fn rename(&mut self, name: &str) {
        let before = std::mem::replace(&mut self.name, versioned(name, self.life.version));
        self.life.in_records.get_or_insert(before);
    }

    /// `changed` as the next version of this agent whose name is not `taken`.
    pub fn next_version(&self, changed: &AgentSettings, taken: impl Fn(&str) -> bool) -> AgentSettings {
        let mut version = self.life.version + 1;
        while taken(&versioned(self.league_name(), version)) {
            version += 1;
        }
        let mut next = changed.clone();
        next.name = versioned(self.league_name(), version);
        next.life.version = version;
        next
    }

    /// What `now`, which the league file calls by the same name, has changed: a sentence each. A fingerprint that was not kept
    /// is taken for the present one.
    pub fn changes(&self, now: &AgentSettings) -> Vec<String> {
        let mut list = Vec::new();
        let mut compare = |what: &str, before: String, now: String| {
            if before != now {
                list.push(format!("{what} was {before} and is now {now}"));
            }
        };
        compare("the command", format!("{:?}", self.command), format!("{:?}", now.command));
        let directory = |agent: &AgentSettings| format!("{:?}", agent.directory.as_deref().unwrap_or("."));
        compare("the directory", directory(self), directory(now));
        let PermitSettings { env, secrets, read, network, host } = &self.permits;
        compare("env", format!("{env:?}"), format!("{:?}", now.permits.env));
        compare("secrets", format!("{secrets:?}"), format!("{:?}", now.permits.secrets));
        compare("read", format!("{read:?}"), format!("{:?}", now.permits.read));
        compare("network", network.to_string(), now.permits.network.to_string());
        let named = |host: &Option<String>| host.clone().unwrap_or_else(|| "none".to_owned());
        compare("host", named(host), named(&now.permits.host));
        if let (true, Some(before), Some(now)) = (list.is_empty(), &self.life.fingerprint, &now.life.fingerprint) {
            list = before.differences(now);
        }
        list
    }
}
