//! A server beside what is played: it has a thread of its own, which no loop waits for, and ends with what it shows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use maumau_run::agent::{AgentCommand, resource_limits};
use maumau_run::io::entropy;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::log::panic_text;
use maumau_run::run_store::LeagueSettings;
use maumau_web::seats::Seats;
use maumau_web::server::{self, ServedContent, Token};
use maumau_web::shown::NotShown;
use tokio::sync::watch;

/// What the threads of a server are called, so that what they cost can be distinguished from what the games cost.
const THREADS: &str = "pages";

/// The most connections that pages have at once, however many files there are.
const CONNECTIONS: u64 = 1_000;

/// The fewest that are of use.
const FEWEST_CONNECTIONS: u64 = 16;

/// Of how many files one may be a connection: the others are for games and the run file.
const ONE_OF_FILES: u64 = 4;

/// How many connections pages may have where this process may have `files` open.
fn connections(files: Option<u64>) -> usize {
    let share = files.map_or(CONNECTIONS, |files| files / ONE_OF_FILES);
    share.clamp(FEWEST_CONNECTIONS, CONNECTIONS) as usize
}

/// How agents of what is shown can ask for pages at an address of this machine. Those of this program do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AgentReach {
    network: bool,
    /// The ports at which the arena connects them to one host; it may be this machine.
    ports: Vec<String>,
}

impl AgentReach {
    /// Of agents with these commands; if `shares_network`, they are in the network of this machine without a permit too.
    pub(crate) fn of(commands: impl IntoIterator<Item = AgentCommand>, shares_network: bool) -> AgentReach {
        let mut reach = AgentReach::default();
        for command in commands {
            if !command.is_built_in() {
                reach.network |= shares_network || command.grant().network();
                let port = command.grant().host().and_then(|host| Some(host.rsplit_once(':')?.1.to_owned()));
                reach.ports.extend(port);
            }
        }
        reach
    }

    /// The same of the agents of a league.
    ///
    /// # Errors
    /// A command has no program.
    pub(crate) fn of_league(league: &LeagueSettings, shares_network: bool) -> Result<AgentReach> {
        let commands = league.agents.iter().map(|agent| Ok(agent.parsed_command()?.granted(agent.permits.grant())));
        Ok(AgentReach::of(commands.collect::<Result<Vec<_>>>()?, shares_network))
    }

    fn reaches(&self, port: u16) -> bool {
        self.network || self.ports.iter().any(|own| own.parse() == Ok(port))
    }
}

/// What is said of pages that want a token since agents reach them.
pub(crate) const REACHED: &str = "agents can reach these pages, so the pages want the token of this link";

/// The pages that are being served.
pub(crate) struct PageHost {
    address: SocketAddr,
    token: Arc<Token>,
    /// Where the agents of people come to.
    agents: Option<SocketAddr>,
    ending: watch::Sender<bool>,
    thread: JoinHandle<Result<()>>,
}

impl PageHost {
    /// Serves from now on, at `asked`. Beyond this machine, if it `is_public`, and where agents reach it, only those may look who know
    /// the token in the address; it may then be asked under any name.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub(crate) fn start(
        asked: SocketAddr,
        is_public: bool,
        agents: &AgentReach,
        served: ServedContent,
    ) -> Result<PageHost> {
        let listener = listen(asked)?;
        let address = listener.local_addr()?;
        let is_wanted = !asked.ip().is_loopback() || is_public;
        let token = Arc::new(Token::new(secret()?, is_wanted));
        let of_people = served.seats.is_some().then(|| listen(SocketAddr::from(([127, 0, 0, 1], 0)))).transpose()?;
        let agents_address = of_people.as_ref().map(TcpListener::local_addr).transpose()?;
        let (ending, is_ending) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().thread_name(THREADS).enable_all().build()?;
        let own_token = Arc::clone(&token);
        let beside_games = served.live.is_some() || served.workers.is_some();
        let thread = resource_limits::start(THREADS, move || {
            if beside_games {
                // The games go first.
                resource_limits::lower_priority();
            }
            runtime.block_on(async move {
                if let (Some(listener), Some(seats)) = (of_people, &served.seats) {
                    let listener = tokio::net::TcpListener::from_std(listener)?;
                    tokio::spawn(server::seat_agents(listener, Arc::clone(seats)));
                }
                let listener = tokio::net::TcpListener::from_std(listener)?;
                let most = connections(resource_limits::open_files());
                server::serve(listener, served, own_token, most, is_ending)
                    .await
                    .context("the server of the pages failed")
            })
        })?;
        let host = PageHost { address, token, agents: agents_address, ending, thread };
        host.meet(agents);
        Ok(host)
    }

    /// Agents of what is shown have come: if they reach the pages, the token is wanted from now on. True if that is new.
    pub(crate) fn meet(&self, agents: &AgentReach) -> bool {
        agents.reaches(self.address.port()) && self.token.want()
    }

    /// Where the pages are.
    pub(crate) fn address(&self) -> String {
        server::address(reachable(self.address), self.token.wanted())
    }

    /// Where the agents of people come to, if people play.
    pub(crate) fn agents(&self) -> Option<SocketAddr> {
        self.agents
    }

    /// Prints why the address has a token, if that is for the sake of these agents.
    pub(crate) fn print_token_reason(&self, agents: &AgentReach) {
        if agents.reaches(self.address.port()) {
            print_stderr!("maumau: {REACHED}");
        }
    }

    /// A link to `path`.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("http://{}{path}", reachable(self.address))
    }

    /// True if it serves no more.
    pub(crate) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Ends it, once viewers have been sent the last news.
    ///
    /// # Errors
    /// It failed before.
    pub(crate) fn end(self) -> Result<()> {
        self.ending.send_replace(true);
        self.thread.join().unwrap_or_else(|panic| Err(anyhow!("the pages failed: {}", panic_text(&*panic))))
    }

    /// The same for pages beside games that are played: what went wrong with them is printed, and does not affect the games.
    pub(crate) fn end_beside_games(self) {
        if let Err(error) = self.end() {
            let why = Untrusted::new(&format!("{error:#}")).terminal();
            print_stderr!(
                "maumau: the pages could not be served to the end: {why}; the games were played all the same"
            );
        }
    }
}

/// Where others reach what listens at `address`: if it listens at every address of this machine, the one that this machine has for
/// what is far away, or for itself if it reaches nothing.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    let (everywhere, far, own): (IpAddr, IpAddr, IpAddr) = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), FAR.into(), Ipv4Addr::LOCALHOST.into()),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED.into(), FAR_V6.into(), Ipv6Addr::LOCALHOST.into()),
    };
    // Nothing is sent: the system looks up from which address it would be.
    let from = UdpSocket::bind((everywhere, 0)).and_then(|socket| {
        socket.connect((far, 9))?;
        socket.local_addr()
    });
    SocketAddr::new(from.map_or(own, |from| from.ip()), address.port())
}

/// Addresses that are kept for documents (RFC 5737, RFC 3849): nobody has them, and they are not on this machine's network.
const FAR: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const FAR_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// A listener that tokio can take.
fn listen(asked: SocketAddr) -> Result<TcpListener> {
    let listener = TcpListener::bind(asked)
        .with_context(|| format!("{asked} cannot be listened on; {}:0 finds a free port", asked.ip()))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// A text that nobody can guess.
fn secret() -> Result<String> {
    Ok(entropy::fresh()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A seat for each of these people.
///
/// # Errors
/// The machine gives no random numbers.
pub(crate) fn seats(names: Vec<String>) -> Result<Arc<Seats>> {
    let secret = || secret().map_err(|error| NotShown(format!("{error:#}")));
    Seats::new(names, secret).map(Arc::new).map_err(|NotShown(why)| anyhow::Error::msg(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use maumau_run::agent::PermitSettings;

    #[test]
    fn a_link_to_every_address_of_this_machine_is_one_that_opens() {
        for (listening, opens) in [("0.0.0.0:4242", "127.0.0.1:4242"), ("[::]:4242", "[::1]:4242")] {
            let listening: SocketAddr = listening.parse().expect("an address");
            let link = reachable(listening);
            assert_eq!((link.port(), link.is_ipv4()), (4242, listening.is_ipv4()));
            assert!(!link.ip().is_unspecified());
            // Where there is a network it is that network's, otherwise this machine's own.
            assert!(!link.ip().is_loopback() || link == opens.parse().expect("an address"), "{link}");
            let here = UdpSocket::bind((link.ip(), 0));
            assert!(here.is_ok() || link.ip().is_loopback(), "{link} is no address of this machine");
        }
        let one = "192.0.2.7:80".parse().expect("an address");
        assert_eq!(reachable(one), one);
    }

    #[test]
    fn agents_that_reach_this_machine_make_pages_want_a_token() {
        let permits = |network, host: Option<&str>| PermitSettings {
            network,
            host: host.map(str::to_owned),
            ..PermitSettings::default()
        };
        let reaches = |line: &str, permits: PermitSettings, shares_network| {
            let command = AgentCommand::parse(line).expect("a command").granted(permits.grant());
            AgentReach::of([command], shares_network).reaches(4242)
        };
        for (line, permits, shares_network, expected) in [
            ("./bot", permits(false, None), false, false),
            ("./bot", permits(true, None), false, true),
            ("./bot", permits(false, None), true, true),
            ("./bot", permits(false, Some("localhost:11434")), false, false),
            ("./bot", permits(false, Some("localhost:4242")), false, true),
            ("./bot", permits(false, Some("[::1]:4242")), false, true),
            ("maumau agent web", permits(true, None), true, false),
            ("maumau play --seat ./bot", permits(false, None), true, true),
            ("./maumau agent web", permits(true, None), false, true),
        ] {
            assert_eq!(reaches(line, permits, shares_network), expected, "{line}");
        }
        assert!(!AgentReach::of([], true).reaches(4242), "nobody plays");
    }

    #[test]
    fn pages_leave_most_files_to_the_games() {
        for (files, expected) in
            [(Some(1_024), 256), (Some(20_000), 1_000), (Some(u64::MAX), 1_000), (Some(40), 16), (None, 1_000)]
        {
            assert_eq!(connections(files), expected, "{files:?}");
        }
    }
}
