//! What a worker accepts of runs that others submit: what is not said on its command line is refused, so that somebody who may only
//! submit gets no access to the worker's machine. It reads settings and looks up paths; what the server lets people do is the server's
//! business.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use maumau_protocol::SandboxLevel;
use maumau_run::agent::AgentCommand;
use maumau_run::run_store::AgentSettings;

/// What is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The lowest level of the sandbox.
    pub(crate) level: SandboxLevel,
    /// Files and folders that agents may read, each without links.
    pub(crate) reads: Vec<PathBuf>,
    /// Variables of this environment whose values agents may have.
    pub(crate) secrets: Vec<String>,
    /// Variables that may have values of the submitter.
    pub(crate) env: Vec<String>,
    /// Hosts that agents may be connected to, `NAME:PORT`.
    pub(crate) hosts: Vec<String>,
    /// True if agents may connect to the network.
    pub(crate) network: bool,
}

impl Accepted {
    /// # Errors
    /// The run asks for more than is accepted; the message says for what, and how it would be accepted.
    pub(crate) fn check<'a>(&self, level: SandboxLevel, agents: impl Iterator<Item = &'a AgentSettings>) -> Result<()> {
        let mut wanted = Vec::new();
        if level < self.level {
            wanted.push(format!("the sandbox level {level} (--accept-level {level})"));
        }
        for agent in agents {
            let permits = &agent.permits;
            let mut want = |what: String, option: String| {
                wanted.push(format!("{what} for the agent {:?} ({option})", agent.name));
            };
            if permits.network && !self.network {
                want("the network".to_owned(), "--accept-network".to_owned());
            }
            for host in permits.host.iter().filter(|host| !self.hosts.contains(host)) {
                want(format!("the host {host}"), format!("--accept-host {host}"));
            }
            for name in permits.secrets.iter().filter(|name| !self.secrets.contains(name)) {
                want(format!("the secret {name} of this machine"), format!("--accept-secret {name}"));
            }
            for name in permits.env.keys().filter(|name| !self.env.contains(name)) {
                want(format!("a value of the variable {name}"), format!("--accept-env {name}"));
            }
            for path in permits.read.iter().filter(|path| !self.may_read(Path::new(path))) {
                want(format!("to read {path}"), format!("--accept-read {path}"));
            }
        }
        refuse(&wanted)
    }

    /// Whether an agent whose own `folder` is here names files beside it.
    ///
    /// # Errors
    /// It does, and they are not accepted.
    pub(crate) fn check_command(&self, agent: &AgentSettings, folder: Option<&Path>) -> Result<()> {
        let mut wanted = Vec::new();
        // A folder of this machine that the submitter has named.
        let named = agent.directory.as_deref().map(Path::new).filter(|_| folder.is_none());
        let command = AgentCommand::parse(&agent.command)?;
        let place = folder.or(named).unwrap_or(Path::new("."));
        let words = std::iter::once(command.program()).filter(|program| program.contains(std::path::is_separator));
        let words = words.chain(command.arguments().iter().map(String::as_str));
        let values = words.flat_map(|word| [Some(word), word.split_once('=').map(|(_, value)| value)]).flatten();
        let files = values.filter(|word| !word.is_empty()).map(|word| place.join(word));
        let own = folder.and_then(|folder| folder.canonicalize().ok());
        let is_own = |path: &Path| own.as_ref().is_some_and(|own| path.starts_with(own));
        for file in files.chain(named.map(Path::to_owned)) {
            let Ok(real) = file.canonicalize() else { continue };
            // The sandbox opens the place of a link as well as that of its target.
            let link = file.parent().zip(file.file_name());
            let link = link.and_then(|(at, name)| Some(at.canonicalize().ok()?.join(name)));
            let places = link.into_iter().chain([real]);
            if let Some(refused) = places.into_iter().find(|place| !is_own(place) && !self.accepts(place)) {
                let shown = refused.display();
                wanted.push(format!(
                    "to read {shown}, which is named by the agent {:?} (--accept-read {shown})",
                    agent.name
                ));
            }
        }
        refuse(&wanted)
    }

    fn may_read(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.accepts(&real))
    }

    /// Whether agents may read `place`, an absolute path.
    fn accepts(&self, place: &Path) -> bool {
        maumau_run::agent::is_of_system(place) || self.reads.iter().any(|accepted| place.starts_with(accepted))
    }
}

fn refuse(wanted: &[String]) -> Result<()> {
    ensure!(wanted.is_empty(), "it asks for more than this worker accepts: {}", wanted.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_run::agent::PermitSettings;

    fn agent(command: &str, change: impl FnOnce(&mut PermitSettings)) -> AgentSettings {
        let mut permits = PermitSettings::default();
        change(&mut permits);
        AgentSettings {
            name: "a".to_owned(),
            command: command.to_owned(),
            directory: None,
            author: None,
            permits,
            life: Default::default(),
        }
    }

    fn nothing() -> Accepted {
        Accepted {
            level: SandboxLevel::Basic,
            reads: Vec::new(),
            secrets: Vec::new(),
            env: Vec::new(),
            hosts: Vec::new(),
            network: false,
        }
    }

    #[test]
    fn what_is_not_accepted_is_refused_with_the_option_that_would_accept_it() {
        let place = tempfile::TempDir::new().expect("a folder");
        let place = place.path().canonicalize().expect("a folder");
        let weights = place.join("weights").display().to_string();
        std::fs::write(&weights, "").expect("a file");
        let wants: [(&str, AgentSettings, SandboxLevel, Accepted); 6] = [
            (
                "--accept-level none",
                agent("x", |_| ()),
                SandboxLevel::None,
                Accepted { level: SandboxLevel::None, ..nothing() },
            ),
            (
                "--accept-network",
                agent("x", |may| may.network = true),
                SandboxLevel::Basic,
                Accepted { network: true, ..nothing() },
            ),
            (
                "--accept-host model:443",
                agent("x", |may| may.host = Some("model:443".to_owned())),
                SandboxLevel::Basic,
                Accepted { hosts: vec!["model:443".to_owned()], ..nothing() },
            ),
            (
                "--accept-secret KEY",
                agent("x", |may| _ = may.secrets.insert("KEY".to_owned())),
                SandboxLevel::Strict,
                Accepted { secrets: vec!["KEY".to_owned()], ..nothing() },
            ),
            (
                "--accept-env MODEL",
                agent("x", |may| _ = may.env.insert("MODEL".to_owned(), "small".to_owned())),
                SandboxLevel::Basic,
                Accepted { env: vec!["MODEL".to_owned()], ..nothing() },
            ),
            (
                "--accept-read /",
                agent("x", |may| _ = may.read.insert(weights.clone())),
                SandboxLevel::Basic,
                Accepted { reads: vec![place.clone()], ..nothing() },
            ),
        ];
        for (option, wanting, level, accepting) in wants {
            let refused = nothing().check(level, [&wanting].into_iter()).expect_err(option).to_string();
            assert!(
                refused.starts_with("it asks for more than this worker accepts: ") && refused.contains(option),
                "{refused}"
            );
            accepting.check(level, [&wanting].into_iter()).expect(option);
        }
        assert!(nothing().check(SandboxLevel::Basic, [&agent("python3 bot.py", |_| ())].into_iter()).is_ok());
    }

    #[test]
    fn a_command_names_files_of_its_own_folder_and_the_system_only() {
        let place = tempfile::TempDir::new().expect("a folder");
        let place = place.path().canonicalize().expect("a folder");
        for name in ["bot/bot.py", "private/key", "private/net.bin"] {
            std::fs::create_dir_all(place.join(name).parent().expect("a folder")).expect("a folder");
            std::fs::write(place.join(name), "").expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/bin/sh", place.join("private/python3")).expect("a link");
        let here = place.display();
        let own = place.join("bot");
        for (command, folder, refused) in [
            ("python3 bot.py --level 3".to_owned(), Some(&own), None),
            ("maumau agent greedy".to_owned(), None, None),
            ("/bin/sh -c true".to_owned(), None, None),
            (format!("python3 {here}/bot/bot.py"), Some(&own), None),
            (format!("cat {here}/private/key"), None, Some("private/key")),
            ("cat ../private/key".to_owned(), Some(&own), Some("private/key")),
            (format!("python3 bot.py --weights={here}/private/net.bin"), Some(&own), Some("private/net.bin")),
            (format!("{here}/private/key"), Some(&own), Some("private/key")),
            ("cat /etc/passwd".to_owned(), Some(&own), Some("/etc/passwd")),
            #[cfg(unix)]
            (format!("{here}/private/python3 bot.py"), Some(&own), Some("private/python3")),
        ] {
            let agent = agent(&command, |_| ());
            let found = nothing().check_command(&agent, folder.map(PathBuf::as_path));
            match refused {
                None => found.expect(&command),
                Some(path) => {
                    let why = found.expect_err(&command).to_string();
                    assert!(why.contains(path) && why.contains("--accept-read /"), "{why}");
                    let accepted = Accepted { reads: vec!["/etc".into(), place.join("private")], ..nothing() };
                    accepted.check_command(&agent, folder.map(PathBuf::as_path)).expect(&command);
                }
            }
        }
        // A folder of the worker that the submitter names is not the agent's own.
        let there =
            AgentSettings { directory: Some(place.join("private").display().to_string()), ..agent("cat key", |_| ()) };
        assert!(nothing().check_command(&there, None).expect_err("a private folder").to_string().contains("private"));
    }
}
