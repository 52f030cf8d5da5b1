//! Tests what each level restricts on this machine: agents started at the level try everything that an agent must not
//! be able to do ([`probe`]). It starts servers and processes to be attacked, and removes them; how a level restricts
//! is not known here.

mod probe;

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::{Child, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_protocol::SandboxLevel;

use super::{AgentCommand, Group, PreparedAgent, Sandbox, SandboxWishes, complain, one_line};
use probe::{Finding, PROBES, Probe, SECRET, Targets, UDP};

/// The first argument that makes this program a probe.
const SUBCOMMAND: &str = "sandbox-probe";

/// The findings about a level.
pub struct LevelFindings {
    /// What it does not restrict here by nature, one sentence each.
    pub remarks: Vec<String>,
    /// By row of [`what_is_tried`]: whether it was prevented, absent = it could not be tried; and a remark.
    pub rows: Vec<(Option<bool>, String)>,
}

/// The rows of the table: what is tried, and the lowest level that promises to prevent it.
pub fn what_is_tried() -> impl Iterator<Item = (&'static str, SandboxLevel)> {
    PROBES.iter().map(|probe| (probe.name, probe.from))
}

/// Tries everything at one level.
///
/// # Errors
/// Why the level is unavailable and how to get it, or what the test itself lacks.
pub fn examine(level: SandboxLevel, user: Option<String>) -> Result<LevelFindings> {
    let user = user.filter(|_| level > SandboxLevel::None);
    let wishes = SandboxWishes {
        level,
        user,
        memory_mib: probe::MEMORY_MIB,
        private: Vec::new(),
        files_alone: false,
        in_memory: Vec::new(),
    };
    let sandbox = Sandbox::ready(&wishes)?;
    let world = World::new(&sandbox)?;
    let rows = PROBES.iter().enumerate().map(|(number, probe)| world.run(number, probe)).collect::<Result<_>>()?;
    let (folder, mut remarks) = (world.folder.clone(), sandbox.remarks());
    drop(world);
    if folder.exists() {
        remarks.push(format!("the folder {} could not be removed; remove it yourself", folder.display()));
    }
    Ok(LevelFindings { remarks, rows })
}

/// Runs a probe, if this program was started as one.
pub(super) fn probed() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != SUBCOMMAND {
        return None;
    }
    let (number, targets) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    match probe::run(&number, &targets) {
        Ok(()) => Some(ExitCode::SUCCESS),
        Err(error) => {
            complain(format_args!("{error:#}"));
            Some(ExitCode::FAILURE)
        }
    }
}

/// The targets outside the sandbox that the probes of a level try to reach.
struct World {
    sandbox: Arc<Sandbox>,
    targets: Targets,
    udp: UdpSocket,
    /// The process that agents try to look into, with the pipe that ends it.
    victim: Child,
    _group: Option<Group>,
    _listeners: (TcpListener, UnixListener, UnixListener, std::fs::File),
    folder: PathBuf,
}

impl World {
    fn new(sandbox: &Arc<Sandbox>) -> Result<World> {
        let folder = std::env::temp_dir().join(format!("maumau-doctor-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("the folder {}", folder.display()))?;
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755))?;
        let (path_socket, secret) = (folder.join(format!("{}.socket", sandbox.level())), folder.join("secret"));
        let abstract_socket = format!("maumau-doctor-{}-{}", std::process::id(), sandbox.level());
        std::fs::write(&secret, SECRET)?;
        let (tcp, udp) = (TcpListener::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
        udp.set_nonblocking(true)?;
        let path_listener = UnixListener::bind(&path_socket)?;
        std::fs::set_permissions(&path_socket, PermissionsExt::from_mode(0o777))?;
        let abstract_listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&abstract_socket)?)?;
        // A file that a careless arena would leave open for its agents.
        let careless = std::fs::File::open(&secret)?;
        nix::fcntl::fcntl(&careless, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty()))
            .with_context(|| format!("the file {}", careless.as_raw_fd()))?;
        let mut targets = Targets {
            tcp: tcp.local_addr()?.port(),
            udp: udp.local_addr()?.port(),
            abstract_socket,
            path_socket,
            secret,
            victim: 0,
            address: 0,
        };
        let PreparedAgent { mut process, group, .. } = start(sandbox, "victim", &targets)?;
        let mut victim =
            process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("an agent to look into")?;
        targets.victim = victim.id() as i32;
        let mut line = String::new();
        BufReader::new(victim.stdout.take().context("no stdout")?).read_line(&mut line)?;
        targets.address = line.trim().parse().context("the agent to look into has not come to be")?;
        let listeners = (tcp, path_listener, abstract_listener, careless);
        Ok(World { sandbox: Arc::clone(sandbox), targets, udp, victim, _group: group, _listeners: listeners, folder })
    }

    fn run(&self, number: usize, probe: &Probe) -> Result<(Option<bool>, String)> {
        let PreparedAgent { mut process, group, .. } = start(&self.sandbox, &number.to_string(), &self.targets)?;
        let output = process.stdin(Stdio::null()).output().with_context(|| format!("the probe {number}"))?;
        let verdict = group.as_ref().and_then(Group::verdict);
        drop(group);
        let finding = match serde_json::from_slice(&output.stdout) {
            Ok(Finding::Open(_)) if probe.name == UDP && self.udp.recv(&mut [0; 64]).is_err() => {
                Finding::Held("nobody got it".to_owned())
            }
            Ok(finding) => finding,
            Err(_) if probe.death_holds => Finding::Held(verdict.unwrap_or_else(|| self.sandbox.ended(output.status))),
            Err(_) => {
                let (ended, said) = (self.sandbox.ended(output.status), one_line(&output.stderr));
                Finding::Untried(format!("the probe ended with {ended}: {said}"))
            }
        };
        Ok(match finding {
            Finding::Held(found) => (Some(true), found),
            Finding::Open(found) => (Some(false), found),
            Finding::Untried(why) => (None, why),
        })
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.victim.stdin.take());
        // It ends with its stdin; an error means that it has ended before.
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        // Whether it is gone is checked afterwards.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn start(sandbox: &Sandbox, number: &str, targets: &Targets) -> Result<PreparedAgent> {
    let words = ["maumau", SUBCOMMAND, number, &serde_json::to_string(targets)?].map(str::to_owned);
    sandbox.start_of(&AgentCommand::of_words(words.into())?)
}
