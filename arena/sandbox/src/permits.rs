//! The permissions of one agent beyond those of every agent: variables of its environment, secrets of the organiser,
//! more files to read, the network or one host of it. It reads variables of the environment and gives nothing itself: `confined` and
//! `launcher` do.
//!
//! Only a [`Grant`] knows the value of a secret, and it is never written anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use maumau_protocol::limits::MAX_NAME_CHARS;
use serde::{Deserialize, Serialize};

/// The minimum length in bytes of a secret that is searched for in an agent's stderr: shorter ones occur by chance.
const LEAST_HIDDEN: usize = 4;

/// Characters of a host's name, as the system of names has it.
const MAX_HOST_CHARS: usize = 253;

/// The permissions, as an organiser writes them and as a run file keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Permits {
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

impl Permits {
    /// True if there are no permissions.
    pub fn is_empty(&self) -> bool {
        *self == Permits::default()
    }

    /// Adds the permissions `more`, which win if both set the same variable.
    pub fn add(&mut self, more: &Permits) {
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

    /// Looks up the secrets. Missing ones are left out.
    pub fn grant(&self) -> Grant {
        let plain = self.env.iter().map(|(name, value)| (name.clone(), value.into()));
        Grant {
            plain: plain.collect(),
            secrets: self.secrets.iter().filter_map(|name| Some((name.clone(), secret(name)?))).collect(),
            reads: self.read.iter().map(PathBuf::from).collect(),
            network: self.network,
            host: self.host.clone(),
        }
    }
}

fn secret(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Checks that `name` can be that of an environment variable; if not, says what it should be.
///
/// # Errors
/// In words.
pub fn check_variable(name: &str) -> Result<(), String> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let holds = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if starts && holds && name.len() <= MAX_NAME_CHARS {
        return Ok(());
    }
    let shown: String = name.chars().take(40).collect();
    Err(format!(
        "expected the name of an environment variable (letters, digits and _, at most {MAX_NAME_CHARS}), found {shown:?}"
    ))
}

/// Checks that `host` is a host and a port; if not, says what was expected.
///
/// # Errors
/// In words.
pub fn check_host(host: &str) -> Result<(), String> {
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
    let shown: String = host.chars().take(40).collect();
    Err(format!("expected a host and a port, as in api.example.org:443, found {shown:?}"))
}

/// Permits with the values of secrets, as needed to start an agent.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Grant {
    plain: Vec<(String, OsString)>,
    secrets: Vec<(String, OsString)>,
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

    /// `text` with the values of secrets removed.
    pub fn hide(&self, text: &str) -> String {
        self.hidden().fold(text.to_owned(), |text, (name, value)| text.replace(value, &format!("[secret {name}]")))
    }

    /// As [`Grant::hide`], for a text that continues: what may be the beginning of a secret is left out at its end.
    pub fn hide_cut_end(&self, text: &str) -> String {
        let mut text = self.hide(text);
        let most = self.hidden().map(|(_, value)| value.len() - 1).max().unwrap_or(0);
        let mut end = text.len().saturating_sub(most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text
    }

    /// As [`Grant::hide`], for a text that began earlier: what may be the end of a secret is left out at its beginning.
    pub fn hide_cut_start(&self, text: &str) -> String {
        let text = self.hide(text);
        let most = self.hidden().map(|(_, value)| value.len() - 1).max().unwrap_or(0);
        let mut start = most.min(text.len());
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text[start..].to_owned()
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.secrets.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str()?)));
        texts.filter(|(_, value)| value.len() >= LEAST_HIDDEN)
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

    fn knowing(value: &str) -> Grant {
        Grant { secrets: vec![("KEY".to_owned(), value.into())], ..Grant::default() }
    }

    #[test]
    fn a_secret_is_taken_out_of_what_is_shown_also_where_it_was_cut() {
        let grant = knowing("sk-123456");
        assert_eq!(grant.hide("a sk-123456, sk-123456!"), "a [secret KEY], [secret KEY]!");
        assert!(!grant.hide_cut_end("said sk-123456 and sk-123").contains("sk-123"));
        assert!(!grant.hide_cut_start("3456 and sk-123456").contains("3456"));
        // So short that it occurs in any text.
        assert_eq!(knowing("a").hide("a banana"), "a banana");
        assert_eq!(format!("{grant:?}"), r#"Grant { variables: ["KEY"], reads: [], network: false, host: None }"#);
    }

    #[test]
    fn what_is_said_later_goes_before_and_all_of_it_can_be_said_on_the_command_line() {
        let mut permits = Permits {
            env: BTreeMap::from([("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]),
            secrets: BTreeSet::from(["KEY".to_owned()]),
            ..Permits::default()
        };
        let more = Permits {
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
