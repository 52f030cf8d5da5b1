//! The permissions of one agent beyond those of every agent: variables of its environment, secrets of the organiser,
//! more files to read, the network or one host of it. It reads variables of the environment and gives nothing itself: `confined` and
//! `launcher` do.
//!
//! Only a [`Grant`] knows the value of a secret, and it is never written anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::secrets::{LEAST_SECRET_BYTES, Secrets};
use serde::{Deserialize, Serialize};

/// What is said of a secret whose value is too short, and the way out up to the words that the place needs.
pub const TOO_SHORT: &str = "has fewer than 6 bytes, too few to be told from other words in what agents say. If it is no secret, say it as a plain value";

/// Characters of a host's name, as the system of names has it.
const MAX_HOST_CHARS: usize = 253;

/// The permissions, as an organiser writes them and as a run file keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PermitSettings {
    /// Environment variables with their values, which are not secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Environment variables that get the values in the arena's own environment when the agent is started.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub secrets: BTreeSet<String>,
    /// Files and folders to read.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub read: BTreeSet<String>,
    /// True if it may connect to the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// The one host that the arena connects it to, `NAME:PORT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl PermitSettings {
    /// True if there are no permissions.
    pub fn is_empty(&self) -> bool {
        *self == PermitSettings::default()
    }

    /// Adds the permissions `more`, which win if both set the same variable.
    pub fn add(&mut self, more: &PermitSettings) {
        let said = |name: &String| more.env.contains_key(name) || more.secrets.contains(name);
        self.env.retain(|name, _| !said(name));
        self.secrets.retain(|name| !said(name));
        self.env.extend(more.env.clone());
        self.secrets.extend(more.secrets.iter().cloned());
        self.read.extend(more.read.iter().cloned());
        self.network |= more.network;
        self.host = more.host.clone().or(self.host.take());
    }

    /// The publishable part: the names.
    pub fn named(&self) -> maumau_protocol::Permits {
        maumau_protocol::Permits {
            env: self.env.keys().cloned().collect(),
            secrets: self.secrets.iter().cloned().collect(),
            read: self.read.iter().cloned().collect(),
            network: self.network,
            host: self.host.clone(),
        }
    }

    /// The command line options that grant the same permissions.
    pub fn options(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        self.env.iter().for_each(|(name, value)| add("--sandbox-env", format!("{name}={value}")));
        self.secrets.iter().for_each(|name| add("--sandbox-env", name.clone()));
        self.read.iter().for_each(|path| add("--sandbox-read", path.clone()));
        self.host.iter().for_each(|host| add("--sandbox-host", host.clone()));
        words.extend(self.network.then(|| "--sandbox-network".to_owned()));
        words
    }

    /// The secrets that are missing or empty in the arena's environment.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str).filter(|name| secret(name).is_none())
    }

    /// The secrets whose values are so short that they cannot be taken out of what is kept and shown.
    pub fn short(&self) -> impl Iterator<Item = &str> {
        let is_short = |name: &&str| secret(name).is_some_and(|value| value.len() < LEAST_SECRET_BYTES);
        self.secrets.iter().map(String::as_str).filter(is_short)
    }

    /// Looks up the secrets. Missing ones are left out.
    pub fn grant(&self) -> Grant {
        let plain = self.env.iter().map(|(name, value)| (name.clone(), value.into()));
        let secrets: Vec<_> = self.secrets.iter().filter_map(|name| Some((name.clone(), secret(name)?))).collect();
        Grant {
            plain: plain.collect(),
            hidden: hidden(&secrets),
            secrets,
            reads: self.read.iter().map(PathBuf::from).collect(),
            network: self.network,
            host: self.host.clone(),
        }
    }
}

/// What is looked for in texts. A value that is no text is in none.
fn hidden<'a>(secrets: impl IntoIterator<Item = &'a (String, OsString)>) -> Arc<Secrets> {
    let texts = secrets.into_iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str()?)));
    Arc::new(Secrets::new(texts))
}

fn secret(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// What cannot be permitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermitError {
    /// No name of an environment variable; its beginning.
    #[error(
        "expected the name of an environment variable (letters, digits and _, at most {MAX_NAME_CHARS}), found {0:?}"
    )]
    Variable(String),
    /// No host and port; its beginning.
    #[error("expected a host and a port, as in api.example.org:443, found {0:?}")]
    Host(String),
}

/// Characters of a wrong text that an error shows.
const SHOWN_CHARS: usize = 40;

/// Checks that `name` can be that of an environment variable.
///
/// # Errors
/// It cannot.
pub fn check_variable(name: &str) -> Result<(), PermitError> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let holds = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if starts && holds && name.len() <= MAX_NAME_CHARS {
        return Ok(());
    }
    Err(PermitError::Variable(name.chars().take(SHOWN_CHARS).collect()))
}

/// Checks that `host` is a host and a port.
///
/// # Errors
/// It is not.
pub fn check_host(host: &str) -> Result<(), PermitError> {
    let is_good = host.rsplit_once(':').is_some_and(|(name, port)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let is_address = |c: char| c.is_ascii_hexdigit() || c == ':' || c == '.';
        let inner = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let is_host = inner.map_or(name.chars().all(is_name), |inner| inner.chars().all(is_address));
        is_host && !name.is_empty() && name.len() <= MAX_HOST_CHARS && port.parse::<u16>().is_ok_and(|port| port > 0)
    });
    if is_good {
        return Ok(());
    }
    Err(PermitError::Host(host.chars().take(SHOWN_CHARS).collect()))
}

/// Permits with the values of secrets, as needed to start an agent.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Grant {
    plain: Vec<(String, OsString)>,
    secrets: Vec<(String, OsString)>,
    /// What is to stand in nothing that is kept or shown of the agent.
    hidden: Arc<Secrets>,
    reads: Vec<PathBuf>,
    network: bool,
    host: Option<String>,
}

impl Grant {
    /// The environment variables granted to the agent.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        self.plain.iter().chain(&self.secrets).map(|(name, value)| (name.as_str(), value.as_os_str()))
    }

    /// What it may read besides the files that its command names.
    pub fn reads(&self) -> impl Iterator<Item = &Path> {
        self.reads.iter().map(PathBuf::as_path)
    }

    /// True if it may connect to the network.
    pub fn network(&self) -> bool {
        self.network
    }

    /// The one host that the arena connects it to; `None` also if it may connect to any.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref().filter(|_| !self.network)
    }

    /// The secrets that are taken out of everything that is kept or shown of the agent.
    pub fn hidden(&self) -> &Secrets {
        &self.hidden
    }

    /// The same, where `others` play at the same tables: what one of them has been granted may come back by another, through an
    /// endpoint that they share.
    pub fn beside<'a>(mut self, others: impl IntoIterator<Item = &'a Grant>) -> Grant {
        let all: BTreeSet<_> = others.into_iter().flat_map(|grant| &grant.secrets).chain(&self.secrets).collect();
        self.hidden = hidden(all);
        self
    }
}

/// Shows names only: a value may be a secret.
impl std::fmt::Debug for Grant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.variables().map(|(name, _)| name).collect();
        f.debug_struct("Grant")
            .field("variables", &names)
            .field("reads", &self.reads)
            .field("network", &self.network)
            .field("host", &self.host)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_short_secrets_names_the_bound() {
        assert!(TOO_SHORT.contains(&format!("fewer than {LEAST_SECRET_BYTES} bytes")));
    }

    fn knowing(name: &str, value: &str) -> Grant {
        let secrets = vec![(name.to_owned(), value.into())];
        Grant { hidden: hidden(&secrets), secrets, ..Grant::default() }
    }

    #[test]
    fn a_secret_is_taken_out_of_what_is_shown_of_each_agent_at_the_table() {
        let (mine, other) = (knowing("KEY", "sk-123456"), knowing("OTHER", "sk-abcdef"));
        assert_eq!(mine.hidden().hide("a sk-123456, sk-abcdef!"), "a [secret KEY], sk-abcdef!");
        let mine = mine.beside([&other]);
        assert_eq!(mine.hidden().hide("a sk-123456, sk-abcdef!"), "a [secret KEY], [secret OTHER]!");
        assert_eq!(mine.variables().map(|(name, _)| name).collect::<Vec<_>>(), ["KEY"], "it is granted no more");
        assert_eq!(format!("{mine:?}"), r#"Grant { variables: ["KEY"], reads: [], network: false, host: None }"#);
    }

    #[test]
    fn what_is_said_later_goes_before_and_all_of_it_can_be_said_on_the_command_line() {
        let mut permits = PermitSettings {
            env: BTreeMap::from([("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]),
            secrets: BTreeSet::from(["KEY".to_owned()]),
            ..PermitSettings::default()
        };
        let more = PermitSettings {
            env: BTreeMap::from([("KEY".to_owned(), "plain".to_owned())]),
            secrets: BTreeSet::from(["A".to_owned()]),
            read: BTreeSet::from(["weights".to_owned()]),
            network: true,
            host: Some("api.example.org:443".to_owned()),
        };
        permits.add(&more);
        let words = "--sandbox-env B=2 --sandbox-env KEY=plain --sandbox-env A --sandbox-read weights --sandbox-host api.example.org:443 \
             --sandbox-network";
        assert_eq!(permits.options().join(" "), words);
        assert_eq!(
            permits.named().to_string(),
            "network; host api.example.org:443; env B, KEY; secrets A; read weights"
        );
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_a_port() {
        for good in ["localhost:11434", "api.example.org:443", "127.0.0.1:1", "[::1]:65535"] {
            assert_eq!(check_host(good), Ok(()));
        }
        for bad in
            ["", ":443", "host", "host:", "host:0", "host:65536", "http://host:80", "host:80/v1", "::1:80", "a b:80"]
        {
            assert!(check_host(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_variables_are_checked() {
        for (name, is_good) in
            [("A", true), ("_a9", true), ("", false), ("9A", false), ("A-B", false), ("A=B", false), ("ä", false)]
        {
            assert_eq!(check_variable(name).is_ok(), is_good, "{name}");
        }
    }
}
