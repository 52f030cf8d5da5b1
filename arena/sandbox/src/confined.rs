//! A level from `basic` on, tested and ready to start agents in. It runs the launcher once to test the level; what is
//! restricted is set inside, by `launcher`.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail, ensure};
use maumau_protocol::SandboxLevel;
use nix::sys::signal::Signal;
use nix::unistd::Uid;

use super::cgroup::{Group, Groups};
use super::file_access::{Boundaries, FileAccess, SETTINGS, SYSTEM, find_in, is_of_system};
use super::launcher::{AgentProgram, Launch, SUBCOMMAND, handed};
use super::limits::SandboxLimits;
use super::memory_tree::{Copied, MemoryTree};
use super::user::AgentUser;
use super::view::FolderReplacements;
use super::{Files, PreparedAgent, SandboxWishes, bubblewrap, files, forwarder, guard, namespaces, one_line};
use crate::command::{AgentCommand, environment};
use crate::usage;

/// The first argument that makes this program do nothing but start.
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
    user: Option<AgentUser>,
    limits: SandboxLimits,
    /// At `basic`, true if agents have their own network.
    own_network: bool,
    /// True if agents can have trees of their own, with what lies in folders that are closed to their user.
    views: bool,
    boundaries: Boundaries,
    /// The path of bubblewrap, from `strict` on.
    bubblewrap: Option<PathBuf>,
    /// Where control groups are created, at `strict+cgroup`.
    groups: Option<Groups>,
    /// The places of the system that agents see, if not all, and the tree in memory that has copies of them.
    memory: Option<(Vec<PathBuf>, MemoryTree)>,
}

impl Confined {
    /// Tests the level by starting this program in it.
    ///
    /// # Errors
    /// What is missing and how to get it.
    pub(super) fn ready(wishes: &SandboxWishes) -> Result<Confined> {
        let level = wishes.level;
        let is_root = Uid::effective().is_root();
        let user = match &wishes.user {
            Some(wish) => Some(AgentUser::named(wish)?),
            None if is_root => AgentUser::usual(),
            None => None,
        };
        let strict = level >= SandboxLevel::Strict;
        if strict && is_root && user.is_none() {
            return Err(usage(format!(
                "--sandbox {level} starts no agents as root, who could change settings of the kernel from inside, and this system has \
                 no numbers for users of their own (/proc/self/uid_map). Name a user without rights of its own, such as \
                 --sandbox-user nobody, or start the arena as another user"
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
            limits: SandboxLimits { memory, processes: true, build: false },
            own_network: true,
            views: true,
            boundaries: Boundaries::new(&wishes.private, wishes.files_alone)?,
            bubblewrap: strict.then(find_bubblewrap).transpose()?,
            groups,
            memory: None,
        };
        if !wishes.in_memory.is_empty() {
            ensure!(strict, usage("--sandbox-in-memory needs the sandbox level strict or strict+cgroup"));
            confined.memory = Some(in_memory(&wishes.in_memory)?);
        }
        let mut refused = None;
        for way in ways(user, wishes.user.is_none() && !strict, strict) {
            (confined.user, confined.views, confined.own_network, confined.limits.processes) = way;
            match confined.try_it() {
                Ok(()) => return Ok(confined),
                // The first way is the one to be had; the others are there for systems that refuse parts of it.
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let error = refused.context("no way to start an agent")?;
        Err(error.context(if strict {
            let why = namespaces::remedy();
            let why = why.map_or(", which a container must be allowed to make".to_owned(), |why| format!("; {why}"));
            format!(
                "the sandbox level {level} cannot be had here. It needs bubblewrap {} or newer and user namespaces{why}",
                bubblewrap::OLDEST
            )
        } else {
            format!("the sandbox level {level} cannot be had here. If you trust the agents: --sandbox none")
        }))
    }

    fn try_it(&self) -> Result<()> {
        let command = AgentCommand::of_words(["maumau", TRIAL].map(str::to_owned).into())?;
        // Where the arena was started may be closed to agents, which says nothing about the level.
        let reach = FileAccess { directory: PathBuf::from("/"), ..FileAccess::of(&command, &self.boundaries)? };
        let PreparedAgent { mut process, group, .. } = self.start(&command, reach, true)?;
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
                "this system does not let root start agents as other users, so they run as root without its capabilities, and their \
                 processes are not counted"
                    .to_owned(),
            );
        } else if !self.limits.processes {
            let why = namespaces::remedy().map_or(String::new(), |why| format!("; {why}"));
            remarks.push(format!(
                "this system refuses user namespaces, so the processes of an agent are not counted{why}"
            ));
        }
        if let Some((_, tree)) = &self.memory {
            remarks.push(format!(
                "{} files and folders of the system with {} MiB are kept in memory, which took {:.1} s; agents see no others",
                tree.system.entries,
                tree.system.bytes >> 20,
                tree.took.as_secs_f64()
            ));
        }
        if !self.own_network {
            remarks.push(
                "this system refuses network namespaces, so agents can read in /proc/self/net which connections it has"
                    .to_owned(),
            );
        }
        if !self.views && self.level == SandboxLevel::Basic {
            remarks.push(
                "this system refuses mount namespaces, so files may keep when an agent has read them, which later ones can see"
                    .to_owned(),
            );
        }
        if files::kernel_version() == 0 && self.level == SandboxLevel::Basic {
            remarks
                .push("this kernel has no Landlock, so agents can read and write the files of their user".to_owned());
        }
        remarks
    }

    /// Whether `command` may read `path`, an absolute path without links; true if that is not known.
    pub(super) fn may_read(&self, command: &AgentCommand, path: &Path) -> bool {
        let Ok(reach) = FileAccess::of(command, &self.boundaries) else { return true };
        let always = SETTINGS.iter().chain(&ALWAYS).map(PathBuf::from).chain(self.system());
        always.chain(reach.reads).any(|open| path.starts_with(open))
    }

    /// The places of the system that agents may read.
    fn system(&self) -> Vec<PathBuf> {
        match &self.memory {
            Some((places, _)) => places.clone(),
            None => SYSTEM.map(PathBuf::from).into(),
        }
    }

    /// The process that becomes the agent, with its streams not set yet, and its control group.
    pub(super) fn start_of(&self, command: &AgentCommand) -> Result<PreparedAgent> {
        self.start(command, FileAccess::of(command, &self.boundaries)?, false)
    }

    /// What of `reach` lies in folders that are closed to the agent's user.
    fn view_of(&self, reach: &FileAccess) -> Result<FolderReplacements> {
        if let (Some((places, _)), Some(program)) = (&self.memory, &reach.program) {
            let is_there = !is_of_system(program) || places.iter().any(|place| program.starts_with(place));
            ensure!(is_there, "{} is not among the places of --sandbox-in-memory", program.display());
        }
        let Some(user) = self.user else { return Ok(FolderReplacements::default()) };
        let view = FolderReplacements::of(user, reach)?;
        if let Some(closed) = view.first().filter(|_| !self.views) {
            bail!(
                "{user} cannot come to what it needs, since {} is closed to them (as ls -ld tells), and this system lets nobody open it for \
                 one agent alone: install interpreters for the whole system, put bots where everybody may read, such as /srv or /opt, \
                 or start the arena as the user whose files they are",
                closed.display()
            );
        }
        Ok(view)
    }

    /// Looks up everything that `command` needs, without starting it.
    pub(super) fn check(&self, command: &AgentCommand) -> Result<()> {
        self.view_of(&FileAccess::of(command, &self.boundaries)?).map(drop)
    }

    /// What an agent may read and write.
    pub(super) fn files_of(&self, command: &AgentCommand) -> Result<Files> {
        let mut reach = FileAccess::of(command, &self.boundaries)?;
        let writes = match &self.bubblewrap {
            Some(_) => bubblewrap::WRITES.map(PathBuf::from).into(),
            None => vec![PathBuf::from("/dev/null")],
        };
        let always = SETTINGS.iter().map(PathBuf::from).chain(self.system());
        reach.reads.extend(always.filter(|path| path.exists()));
        Ok(Files { reads: reach.reads, lists: reach.lists, writes })
    }

    /// The process of `command`, which reaches so far; `is_trial`: with a view even where none is needed.
    fn start(&self, command: &AgentCommand, reach: FileAccess, is_trial: bool) -> Result<PreparedAgent> {
        let build = command.is_build();
        let view = self.view_of(&reach)?;
        let is_needed = is_trial || self.level == SandboxLevel::Basic || view.first().is_some();
        // Copies are open to everybody, as far as their originals are.
        let view = (self.views && is_needed && self.memory.is_none()).then_some(view);
        let directory = reach.directory;
        let mut process = Command::new("/proc/self/exe");
        let grant = command.grant();
        let host = grant.host().map(|host| forwarder::offer(&mut process, host)).transpose()?;
        let mut agent = AgentProgram {
            program: reach.program,
            words: reach.words,
            directory: directory.clone(),
            limits: SandboxLimits { build, ..self.limits },
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
                let tree = self.memory.as_ref().map(|(_, tree)| tree);
                tree.map_or(Ok(Copied::default()), |tree| tree.hold(&agent.reads))?;
                let copy = |place: &Path| tree.map_or(place.to_owned(), |tree| tree.copy_of(place));
                let options = bubblewrap::options(&agent.reads, &directory, agent.network, build, copy)?;
                // Everything inside may be read.
                (agent.reads, agent.lists) = (vec!["/".into()], Vec::new());
                agent.writes = bubblewrap::WRITES.map(PathBuf::from).into();
                agent.writes.extend(build.then(|| directory.clone()));
                let entrances = group.as_ref().map_or(Vec::new(), Group::entrances);
                let lifeline = guard::hand_lifeline(&mut process)?;
                let (tree, program) = (tree.map(MemoryTree::entrance), program.clone());
                Launch::Strict { lifeline, tree, user, view, entrances, program, options, agent }
            }
            None => {
                agent.reads.extend(SYSTEM.iter().chain(&SETTINGS).chain(&ALWAYS).map(PathBuf::from));
                agent.writes.push("/dev/null".into());
                Launch::Basic { parent, user, view, own_network: self.own_network, agent }
            }
        };
        process.arg0("maumau").arg(SUBCOMMAND).arg(serde_json::to_string(&launch)?).env_clear().envs(environment());
        process.envs(grant.variables().map(|(name, value)| (handed(name), value)));
        process.envs(host.map(|number| (handed(forwarder::VARIABLE), number.to_string())));
        Ok(PreparedAgent { process, has_guard: self.bubblewrap.is_some(), group })
    }
}

/// A tree in memory of `places`, and what they are without links.
fn in_memory(places: &[PathBuf]) -> Result<(Vec<PathBuf>, MemoryTree)> {
    let mut system = BTreeSet::new();
    for place in places {
        let option = || format!("--sandbox-in-memory {}", place.display());
        let target = place.canonicalize().map_err(|error| usage(format!("{}: {error}", option())))?;
        ensure!(
            is_of_system(&target),
            usage(format!(
                "{}: no place of the system ({}); what else agents may read is kept in memory anyway",
                option(),
                SYSTEM.join(", ")
            ))
        );
        // The names by which programs look for it, too.
        let folder = place.parent().map_or(Ok(PathBuf::from("/")), Path::canonicalize)?;
        system.extend(place.file_name().map(|name| folder.join(name)));
        system.insert(target);
    }
    system.extend(own_libraries());
    let others = SETTINGS.iter().chain(&[bubblewrap::PROCESSORS]).map(PathBuf::from).filter(|path| path.exists());
    let all: Vec<PathBuf> = system.iter().cloned().chain(others).collect();
    let tree = MemoryTree::of(&all).context("the files of agents cannot be kept in memory")?;
    Ok((system.into_iter().collect(), tree))
}

/// The libraries that this program is loaded with, which is started inside, by all their names in their folders and beside the loader's.
fn own_libraries() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let files = maps.lines().filter_map(|line| line.split_once('/').map(|(_, path)| PathBuf::from(format!("/{path}"))));
    let files: BTreeSet<PathBuf> = files.filter(|file| is_of_system(file)).collect();
    let mut folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
    folders.extend(["/lib", "/lib64"].iter().filter_map(|folder| Path::new(folder).canonicalize().ok()));
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink())).map(|entry| entry.path());
    let names: Vec<PathBuf> =
        links.filter(|link| link.canonicalize().is_ok_and(|target| files.contains(&target))).collect();
    files.into_iter().chain(names).collect()
}

fn find_bubblewrap() -> Result<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).chain(["/usr/bin".into(), "/usr/local/bin".into()]);
    find_in("bwrap", folders).context(
        "bubblewrap is not installed, which the sandbox levels from strict on need: apt-get install bubblewrap, or the same \
         with the package manager of your system",
    )
}

/// Ways to start agents, the best first: as whom, whether with trees of their own, with networks of their own, with processes counted.
/// `basic` is had in some way on every system, and its remarks say what is missing; with `or_nobody`, in the worst case without a change
/// of the user.
fn ways(user: Option<AgentUser>, or_nobody: bool, strict: bool) -> Vec<(Option<AgentUser>, bool, bool, bool)> {
    let is_root = Uid::effective().is_root();
    let mut ways = Vec::new();
    let users = if or_nobody && user.is_some() { vec![user, None] } else { vec![user] };
    for user in users {
        let counted = !(is_root && user.is_none());
        for views in [true, false] {
            // bubblewrap needs no tree but for what is closed to another user.
            if !(views && strict && user.is_none()) {
                ways.push((user, views, true, counted));
            }
            if !strict {
                ways.extend([(user, views, false, counted), (user, views, false, false)]);
            }
        }
    }
    ways
}
