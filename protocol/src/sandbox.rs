//! How far agents are kept apart from the machine and from one another: named in every record. Only the names of the
//! levels and of an agent's permits; `maumau-sandbox` enforces them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// A sandbox level, the weakest first. Each holds what those before it hold.
    pub enum SandboxLevel {
        /// Agents run with the rights of the arena.
        None = "none",
        /// Limits, a filter of system calls, and files closed to the agent where the kernel can close them.
        Basic = "basic",
        /// Namespaces of its own as well: files, processes and network that are not the agent's do not exist for it.
        Strict = "strict",
        /// Memory, processes and processor share of the whole agent are bounded as well.
        StrictCgroup = "strict+cgroup",
    }
}

/// A text that names no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sandbox level is called {0:?}")]
pub struct UnknownSandboxLevel(pub String);

impl FromStr for SandboxLevel {
    type Err = UnknownSandboxLevel;

    fn from_str(text: &str) -> Result<SandboxLevel, UnknownSandboxLevel> {
        let level = SandboxLevel::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| UnknownSandboxLevel(text.chars().take(60).collect()))
    }
}

/// What an agent is permitted beyond what every agent has at its level, by names: of its environment no values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Permits {
    /// Environment variables that were set for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Environment variables that it was given from the arena's own environment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Files and folders that it may read besides its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Whether it may connect to the network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// The one host that it was connected to, with its port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Permits {
    /// Whether it is permitted nothing.
    pub fn is_empty(&self) -> bool {
        *self == Permits::default()
    }
}

/// As in `network; host H:443; env A, B; secrets C; read D`.
impl std::fmt::Display for Permits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |what: &str, names: &[String]| (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")));
        let parts = [
            self.network.then(|| "network".to_owned()),
            self.host.as_ref().map(|host| format!("host {host}")),
            list("env", &self.env),
            list("secrets", &self.secrets),
            list("read", &self.read),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_one_name_everywhere() {
        for level in SandboxLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).ok(), Some(level.name().into()));
        }
        assert!("Basic".parse::<SandboxLevel>().is_err());
    }
}
