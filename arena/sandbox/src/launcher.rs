//! This program as the launcher of an agent: it gives up everything the agent must not have and becomes the agent. It
//! changes only itself, and cannot undo it; which level to set up, it learns from the arena (`confined`).
//!
//! Limits are set here, inside, since outside a user namespace they would count for all agents of a user together.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::Mode;
use serde::{Deserialize, Serialize};

use super::limits::SandboxLimits;
use super::memory_tree::Entrance;
use super::user::AgentUser;
use super::view::FolderReplacements;
use super::{complain, files, filter, guard, rights};

/// The first argument that makes this program a launcher; the second is a [`Launch`] as JSON.
pub(super) const SUBCOMMAND: &str = "sandbox-exec";

/// The exit code if the sandbox cannot be set up.
const NO_SANDBOX: u8 = 125;
/// The exit code if the agent's program cannot be run, as in shells.
const NO_PROGRAM: u8 = 126;

/// What to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Launch {
    /// Give everything up and become the agent.
    Basic {
        /// The arena.
        parent: u32,
        /// The user to become.
        user: Option<AgentUser>,
        /// Its tree, if it has one of its own.
        view: Option<FolderReplacements>,
        /// True if it has its own network, unless it may connect to the existing one.
        own_network: bool,
        /// The agent.
        agent: AgentProgram,
    },
    /// Become bubblewrap, which starts this program once more in its namespaces.
    Strict {
        /// The file whose other end is closed when the arena is gone.
        lifeline: RawFd,
        /// The tree of files in memory, if it has one.
        tree: Option<Entrance>,
        /// The user to become.
        user: Option<AgentUser>,
        /// What it sees of folders that are closed to that user.
        view: Option<FolderReplacements>,
        /// Files through which to enter a control group.
        entrances: Vec<PathBuf>,
        /// bubblewrap.
        program: PathBuf,
        /// Its options.
        options: Vec<String>,
        /// The agent.
        agent: AgentProgram,
    },
    /// The last step in the namespaces.
    Inside {
        /// The agent's stdin and stdout. They are not 0 and 1 yet, since bubblewrap would keep those open as long as the agent
        /// runs, even after the agent has closed them.
        streams: [RawFd; 2],
        /// The agent.
        agent: AgentProgram,
    },
}

/// The agent to become.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AgentProgram {
    /// Its program; absent = this program.
    pub(super) program: Option<PathBuf>,
    /// Its arguments, the program's name first.
    pub(super) words: Vec<String>,
    /// Where it is started.
    pub(super) directory: PathBuf,
    /// Its limits.
    pub(super) limits: SandboxLimits,
    /// The files and folders it may read.
    pub(super) reads: Vec<PathBuf>,
    /// Folders whose names it may list.
    pub(super) lists: Vec<PathBuf>,
    /// The files and folders it may write.
    pub(super) writes: Vec<PathBuf>,
    /// True if it may connect to the network.
    pub(super) network: bool,
    /// The socket on which it may ask for connections to its host.
    pub(super) host: Option<RawFd>,
}

/// A variable granted to the agent, under a name that means nothing to this program, to the libraries that it is loaded with,
/// and to bubblewrap. Values are only passed in environments: the words of a command are visible to everybody.
pub(super) fn handed(name: &str) -> String {
    format!("{HANDED}{name}")
}

const HANDED: &str = "maumau agent's ";

fn is_handed(name: &OsStr) -> bool {
    name.as_bytes().starts_with(HANDED.as_bytes())
}

/// Becomes the agent, if this program was started for that; returns only if that failed.
pub(super) fn launched() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != SUBCOMMAND) {
        return None;
    }
    let launch = arguments.next().context("nothing to launch").and_then(|json| {
        let json = json.into_string().map_err(|_| anyhow::anyhow!("the launch is not UTF-8"))?;
        serde_json::from_str::<Launch>(&json).context("the launch cannot be read")
    });
    let (error, code) = match launch.and_then(Launch::prepare) {
        Ok(program) => (format!("{} cannot be started: {}", program.name(), program.become_it()), NO_PROGRAM),
        Err(error) => (format!("the sandbox cannot be set up: {error:#}"), NO_SANDBOX),
    };
    complain(error);
    Some(ExitCode::from(code))
}

impl Launch {
    /// Does everything except becoming the program, and returns which program that is.
    fn prepare(self) -> Result<Program> {
        match self {
            Launch::Basic { parent, user, view: seen, own_network, agent } => {
                nix::unistd::setsid().context("a session of its own")?;
                rights::close_all_but(agent.host.as_slice())?;
                rights::be_ended_first();
                let view = |view: &Option<FolderReplacements>| view.as_ref().map_or(Ok(()), |view| view.enter(true));
                let network = || if own_network && !agent.network { rights::enter_empty_network() } else { Ok(()) };
                let place = || {
                    let unreachable = || format!("the folder {}", agent.directory.display());
                    std::env::set_current_dir(&agent.directory).with_context(unreachable)
                };
                match user {
                    // Root may make namespaces, and the processes of a user of its own are its own.
                    Some(user) => {
                        view(&seen)?;
                        network()?;
                        place()?;
                        user.become_it()?;
                        if agent.limits.processes && !user.is_own() {
                            rights::enter_user_namespace()?;
                        }
                    }
                    None => {
                        if agent.limits.processes {
                            rights::enter_user_namespace()?;
                        }
                        view(&seen)?;
                        network()?;
                        place()?;
                    }
                }
                agent.limits.set()?;
                rights::drop_capabilities()?;
                rights::no_new_privileges()?;
                rights::die_with(parent)?;
                rights::keep_orphans()?;
                agent.close_files()?;
                filter::set(agent.network)?;
                Ok(agent.program())
            }
            Launch::Strict { lifeline, tree, user, view, entrances, program, options, agent } => {
                nix::unistd::setsid().context("a session of its own")?;
                rights::close_all_but(&[&[lifeline], agent.host.as_slice()].concat())?;
                for entrance in entrances {
                    // 0 stands for this process.
                    std::fs::write(&entrance, "0")
                        .with_context(|| format!("{} cannot be entered", entrance.display()))?;
                }
                tree.map_or(Ok(()), |tree| tree.enter()).context("the files in memory")?;
                view.as_ref().map_or(Ok(()), |view| view.enter(false))?;
                user.map_or(Ok(()), AgentUser::become_it)?;
                guard::stand(lifeline)?;
                let this = nix::fcntl::open("/proc/self/exe", OFlag::O_PATH, Mode::empty())
                    .context("this program's own file")?;
                let this = inherited(this)?;
                let streams = [hidden(0, OFlag::O_RDONLY)?, hidden(1, OFlag::O_WRONLY)?];
                let filter = in_memory(&filter::bytes(agent.network, agent.limits.build))?;
                let mut lines: Vec<OsString> = options.into_iter().map(OsString::from).collect();
                lines.extend(["--seccomp".into(), filter.to_string().into()]);
                let granted = std::env::vars_os().filter(|(name, _)| is_handed(name));
                granted.for_each(|(name, value)| lines.extend(["--setenv".into(), name, value]));
                let lines: Vec<u8> = lines.iter().flat_map(|line| [line.as_bytes(), b"\0"].concat()).collect();
                let options = in_memory(&lines)?;
                let inside = serde_json::to_string(&Launch::Inside { streams, agent })?;
                let (name, options) = (program.display().to_string(), options.to_string());
                let this = format!("/proc/self/fd/{this}");
                let words = [&name, "--args", &options, &this, SUBCOMMAND, &inside];
                let environment = std::env::vars_os().collect();
                Ok(Program { file: program, words: words.map(str::to_owned).into(), environment })
            }
            Launch::Inside { streams, agent } => {
                for (number, stream) in streams.into_iter().enumerate() {
                    // SAFETY: nothing else in this process uses these numbers.
                    nix::errno::Errno::result(unsafe { libc::dup2(stream, number as RawFd) }).context("the pipes")?;
                }
                rights::close_all_but(agent.host.as_slice())?;
                agent.limits.set()?;
                agent.close_files()?;
                Ok(agent.program())
            }
        }
    }
}

impl AgentProgram {
    fn close_files(&self) -> Result<()> {
        files::close_but(&self.reads, &self.lists, &self.writes, self.network).context("Landlock")?;
        Ok(())
    }

    fn program(self) -> Program {
        let (granted, usual): (Vec<_>, Vec<_>) = std::env::vars_os().partition(|(name, _)| is_handed(name));
        let mut environment: BTreeMap<OsString, OsString> = usual.into_iter().collect();
        let named = |name: OsString| OsStr::from_bytes(&name.as_bytes()[HANDED.len()..]).to_owned();
        environment.extend(granted.into_iter().map(|(name, value)| (named(name), value)));
        let environment = environment.into_iter().collect();
        Program { file: self.program.unwrap_or_else(|| "/proc/self/exe".into()), words: self.words, environment }
    }
}

/// What this process is to become.
struct Program {
    file: PathBuf,
    words: Vec<String>,
    environment: Vec<(OsString, OsString)>,
}

impl Program {
    fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Returns only with the reason why it failed.
    fn become_it(&self) -> anyhow::Error {
        let text = |bytes: &[u8]| CString::new(bytes).context("a NUL byte in the command");
        let words = self.words.iter().map(|word| text(word.as_bytes())).collect::<Result<Vec<_>>>();
        let line = |(name, value): &(OsString, OsString)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat());
        let environment = self.environment.iter().map(line).collect::<Result<Vec<_>>>();
        let (file, words, environment) = match (text(self.file.as_os_str().as_bytes()), words, environment) {
            (Ok(file), Ok(words), Ok(environment)) => (file, words, environment),
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => return error,
        };
        // Rust's runtime has this process ignore it, which the agent would inherit.
        // SAFETY: no handler is set.
        if let Err(error) = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) } {
            return error.into();
        }
        match nix::unistd::execve(&file, &words, &environment) {
            Ok(never) => match never {},
            Err(nix::errno::Errno::ENOENT) if std::path::Path::new(OsStr::from_bytes(file.as_bytes())).exists() => {
                anyhow::anyhow!("the interpreter or loader that it names does not exist in the sandbox")
            }
            Err(error) => std::io::Error::from(error).into(),
        }
    }
}

/// Moves the stream `number` out of the way and leaves its number free.
fn hidden(number: RawFd, flags: OFlag) -> Result<RawFd> {
    // SAFETY: this process was started with all three streams open.
    let stream = unsafe { OwnedFd::from_raw_fd(number) };
    let moved = inherited(stream)?;
    let nothing = nix::fcntl::open("/dev/null", flags, Mode::empty()).context("/dev/null")?;
    match nothing.into_raw_fd() {
        opened if opened == number => Ok(moved),
        opened => bail!("/dev/null came to be {opened} instead of {number}"),
    }
}

/// Data as a file that stays open across exec.
fn in_memory(data: &[u8]) -> Result<RawFd> {
    let mut file = File::from(memfd_create(c"maumau", MFdFlags::empty()).context("a file in memory")?);
    file.write_all(data)?;
    file.rewind()?;
    inherited(file.into())
}

/// The same file under a number above the three streams, also open across exec.
fn inherited(file: OwnedFd) -> Result<RawFd> {
    let number = fcntl(&file, FcntlArg::F_DUPFD(10)).with_context(|| format!("the file {}", file.as_raw_fd()))?;
    Ok(number)
}
