//! A level from `basic` on, tested and ready to start agents in. It runs the launcher once to test the level; what is
//! restricted is set inside, by `launcher`.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail, ensure};
use maumau_protocol::SandboxLevel;
use nix::sys::signal::Signal;
use nix::unistd::Uid;

use super::cgroup::{Group, Groups};
use super::launcher::{Agent, Launch, SUBCOMMAND, handed};
use super::limits::Limits;
use super::reach::{Boundaries, Reach, SETTINGS, SYSTEM, find_in};
use super::user::Ids;
use super::{SandboxWishes, Start, bubblewrap, files, forwarder, guard, one_line};
use crate::command::{AgentCommand, environment};
use crate::usage;

/// The first argument that tells this program to do nothing but start.
const TRIAL: &str = "sandbox-trial";

/// Reports that it was started, if this program was started for that alone.
pub(super) fn tried() -> Option<ExitCode> {
    if std::env::args_os().nth(1).is_none_or(|first| first != TRIAL) {
        return None;
    }
    let written = io::stdout().write_all(TRIAL.as_bytes());
    Some(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The devices and kernel files that every agent may read.
const ALWAYS: [&str; 10] = [
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
];

/// Everything that starting an agent needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Confined {
    level: SandboxLevel,
    user: Option<Ids>,
    limits: Limits,
    /// At `basic`, true if agents have their own network.
    own_network: bool,
    boundaries: Boundaries,
    /// The path of bubblewrap, from `strict` on.
    bubblewrap: Option<PathBuf>,
    /// Where control groups are created, at `strict+cgroup`.
    groups: Option<Groups>,
}

impl Confined {
    /// Tests the level by starting this program in it.
    ///
    /// # Errors
    /// What is missing and how to get it.
    pub(super) fn ready(wishes: &SandboxWishes) -> Result<Confined> {
        let level = wishes.level;
        let user = wishes.user.as_deref().map(Ids::named).transpose()?;
        let as_root = Uid::effective().is_root() && user.is_none();
        let strict = level >= SandboxLevel::Strict;
        if strict && as_root {
            return Err(usage(format!(
                "--sandbox {level} starts no agents as root, who could change settings of the kernel from inside. Name a user \
                 without rights of its own, such as --sandbox-user nobody, or start the arena as another user"
            )));
        }
        let groups = match level {
            SandboxLevel::StrictCgroup => Some(
                Groups::found(wishes.memory_mib)
                    .with_context(|| format!("the sandbox level {level} cannot be had here"))?,
            ),
            _ => None,
        };
        let memory = groups.is_none().then_some(wishes.memory_mib << 20);
        let mut confined = Confined {
            level,
            user,
            limits: Limits { memory, processes: !as_root },
            own_network: true,
            boundaries: Boundaries::new(&wishes.private)?,
            bubblewrap: strict.then(find_bubblewrap).transpose()?,
            groups,
        };
        let mut tried = confined.try_it();
        // Some systems refuse namespaces; the remarks of this level say what it restricts without them.
        for (own_network, processes) in [(false, !as_root), (false, false)] {
            if tried.is_err() && !strict {
                (confined.own_network, confined.limits.processes) = (own_network, processes);
                tried = confined.try_it();
            }
        }
        match tried {
            Ok(()) => Ok(confined),
            Err(error) if strict => Err(error.context(format!(
                "the sandbox level {level} cannot be had here. It needs bubblewrap {} or newer \
                 and user namespaces, which a container must be allowed to make",
                bubblewrap::OLDEST
            ))),
            Err(error) => Err(error.context(format!(
                "the sandbox level {level} cannot be had here. If you trust the agents: \
                 --sandbox none"
            ))),
        }
    }

    fn try_it(&self) -> Result<()> {
        let command = AgentCommand::of_words(["maumau", TRIAL].map(str::to_owned).into())?;
        let Start { mut process, group, .. } = self.start_of(&command)?;
        let output = process.stdin(Stdio::null()).output().context("a trial start")?;
        drop(group);
        if output.status.success() && output.stdout == TRIAL.as_bytes() {
            return Ok(());
        }
        bail!("a trial start ended with {}: {}", output.status, one_line(&output.stderr))
    }

    /// The signal that an exit code stands for, since the sandbox reports signals as codes.
    pub(super) fn signal_of(&self, status: ExitStatus) -> Option<Signal> {
        let signal = status.code().and_then(|code| Signal::try_from(code - 128).ok());
        signal.filter(|_| self.level >= SandboxLevel::Strict)
    }

    /// True if agents are in the network of this machine.
    pub(super) fn shares_network(&self) -> bool {
        !self.own_network
    }

    /// The restrictions that this level lacks on this machine.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if Uid::effective().is_root() && self.user.is_none() {
            remarks.push(
                "agents run as root without its capabilities, and their processes are not counted; --sandbox-user NAME gives \
                 them a user of their own"
                    .to_owned(),
            );
        } else if !self.limits.processes {
            remarks
                .push("this system refuses user namespaces, so the processes of an agent are not counted".to_owned());
        }
        if !self.own_network {
            remarks.push(
                "this system refuses network namespaces, so agents can read in /proc/self/net which connections it has"
                    .to_owned(),
            );
        }
        if files::kernel_version() == 0 && self.level == SandboxLevel::Basic {
            remarks
                .push("this kernel has no Landlock, so agents can read and write the files of their user".to_owned());
        }
        remarks
    }

    /// The process that becomes the agent, with its streams not set yet, and its control group.
    pub(super) fn start_of(&self, command: &AgentCommand) -> Result<Start> {
        let reach = Reach::of(command, &self.boundaries)?;
        if let Some(user) = self.user {
            reach.program.iter().chain(&reach.reads).try_for_each(|path| readable_by(user, path))?;
        }
        let directory = reach.directory;
        let mut process = Command::new("/proc/self/exe");
        let grant = command.grant();
        let host = grant.host().map(|host| forwarder::offer(&mut process, host)).transpose()?;
        let mut agent = Agent {
            program: reach.program,
            words: reach.words,
            directory: directory.clone(),
            limits: self.limits,
            reads: reach.reads,
            lists: reach.lists,
            writes: Vec::new(),
            network: grant.network(),
            host,
        };
        let (parent, user) = (std::process::id(), self.user);
        let group = self.groups.as_ref().map(Groups::make).transpose()?;
        let launch = match &self.bubblewrap {
            Some(program) => {
                let options = bubblewrap::options(&agent.reads, &directory, agent.network)?;
                // Everything inside may be read.
                (agent.reads, agent.lists) = (vec!["/".into()], Vec::new());
                agent.writes = bubblewrap::WRITES.map(PathBuf::from).into();
                let entrances = group.as_ref().map_or(Vec::new(), Group::entrances);
                let lifeline = guard::hand_lifeline(&mut process)?;
                Launch::Strict { lifeline, user, entrances, program: program.clone(), options, agent }
            }
            None => {
                agent.reads.extend(SYSTEM.iter().chain(&SETTINGS).chain(&ALWAYS).map(PathBuf::from));
                agent.writes.push("/dev/null".into());
                Launch::Basic { parent, user, own_network: self.own_network, agent }
            }
        };
        process.arg0("maumau").arg(SUBCOMMAND).arg(serde_json::to_string(&launch)?).env_clear().envs(environment());
        process.envs(grant.variables().map(|(name, value)| (handed(name), value)));
        process.envs(host.map(|number| (handed(forwarder::VARIABLE), number.to_string())));
        Ok(Start { process, has_guard: self.bubblewrap.is_some(), group })
    }
}

fn find_bubblewrap() -> Result<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).chain(["/usr/bin".into(), "/usr/local/bin".into()]);
    find_in("bwrap", folders).context(
        "bubblewrap is not installed, which the sandbox levels from strict on need: apt-get install bubblewrap, or the same \
         with the package manager of your system",
    )
}

/// True if the file permissions let this user reach `path`; access control lists are not considered.
fn readable_by(user: Ids, path: &Path) -> Result<()> {
    for part in path.ancestors() {
        let file = std::fs::metadata(part).with_context(|| part.display().to_string())?;
        let shift = if file.uid() == user.uid {
            6
        } else if file.gid() == user.gid {
            3
        } else {
            0
        };
        let needed = if file.is_dir() { 1 } else { 4 };
        ensure!(
            file.mode() >> shift & needed == needed,
            "the user {} who runs the agents cannot come to {}: {} is closed to it",
            user.uid,
            path.display(),
            part.display()
        );
    }
    Ok(())
}
