//! `maumau serve`: a run or records as pages on this machine, or tables at which people play. It decides what is shown, to whom and
//! where; the pages are the web crate's.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::runner::{LiveTap, RunState, with_signals};
use maumau_web::game::Hands;
use maumau_web::server::ServedContent;
use maumau_web::shown::PageSource;

use super::lobby::{LobbyPages, OpenTables};
use super::verify::{collect, holds_no_record, holds_run, read};
use crate::pages::{AgentReach, BuiltInLessons, LiveGames, PageHost, Records, RunPages, seats};

/// Show a run or records as pages in a browser, with rules and documents; or let people play there.
///
/// Without a file, people choose rules and bots on a page, sit down, invite others by a link, and play as many matches as they like;
/// the records of the last 50 can be replayed and downloaded until the server ends.
///
/// The pages are for this machine alone unless --addr names another address; then only those who open the printed link, which
/// holds a token, may see them. All hands of finished games are open: do not show games whose deals are still being played.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau serve
  maumau serve league.maumau
  maumau serve records
  maumau serve game.jsonl --addr 127.0.0.1:8080

Ctrl-C ends it. Beyond this machine put it behind a proxy that speaks TLS: what it sends itself is not encrypted. See arena/docs/pages.md.")]
pub(super) struct ServeCommandArguments {
    /// A run file, or records as JSON lines and folders of them; without any, tables for people
    files: Vec<PathBuf>,
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = LOCAL)]
    addr: SocketAddr,
    /// For pages behind a proxy that speaks TLS: ask for the token of the link at an address of this machine too, and accept any
    /// host name
    #[arg(long)]
    public: bool,
}

pub(super) fn run(arguments: &ServeCommandArguments) -> Result<CommandOutcome> {
    if arguments.files.is_empty() {
        return let_people_play(arguments);
    }
    let shown = shown(&arguments.files)?;
    let served = ServedContent {
        shown,
        live: None,
        workers: None,
        seats: None,
        lobby: None,
        lessons: Some(Arc::new(BuiltInLessons)),
        one_game: false,
    };
    let host = PageHost::start(arguments.addr, arguments.public, &AgentReach::default(), served)?;
    print(&format!("{}\n", host.address()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted.context("Ctrl-C cannot be waited for"),
            () = until_ended(&host) => Ok(()),
        }
    })?;
    host.end().map(|()| CommandOutcome::Interrupted)
}

/// Serves a form that opens tables, and the tables.
fn let_people_play(arguments: &ServeCommandArguments) -> Result<CommandOutcome> {
    let (tap, records, seats) = (LiveTap::default(), Arc::new(Records::new(Vec::new(), read)), seats(Vec::new())?);
    let tables = OpenTables::new(Arc::clone(&seats), tap.clone(), Arc::clone(&records))?;
    let served = ServedContent {
        shown: records,
        live: Some(Arc::new(LiveGames::new(tap, Hands::Closed, || false))),
        workers: None,
        seats: Some(Arc::clone(&seats)),
        lobby: Some(Arc::new(LobbyPages(Arc::clone(&tables)))),
        lessons: Some(Arc::new(BuiltInLessons)),
        one_game: false,
    };
    let host = PageHost::start(arguments.addr, arguments.public, &AgentReach::default(), served)?;
    if let Some(address) = host.agents() {
        tables.begin(address);
    }
    print_stderr!("maumau: open this address to play; Ctrl-C ends the server and its tables");
    print_stderr!("maumau: for you alone: a seat that was lost is freed at {}", host.link(&seats.path()));
    print(&format!("{}\n", host.address()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shutdown = tables.shutdown();
    let mut state = shutdown.watch();
    with_signals(shutdown, None, || {
        runtime.block_on(async {
            tokio::select! {
                _ = state.wait_for(|state| *state == RunState::Stop) => {}
                () = until_ended(&host) => {}
            }
        });
        tables.end();
    })?;
    host.end().map(|()| CommandOutcome::Interrupted)
}

/// Waits until the pages are served no more.
async fn until_ended(host: &PageHost) {
    let mut failed = tokio::time::interval(LOOKED_AT_EVERY);
    while !host.has_ended() {
        failed.tick().await;
    }
}

/// Where pages are served by default.
const LOCAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 4242));

/// How often the server is asked whether it still serves.
const LOOKED_AT_EVERY: Duration = Duration::from_secs(1);

/// What the named files hold.
fn shown(paths: &[PathBuf]) -> Result<Arc<dyn PageSource>> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let runs = files.iter().filter(|file| holds_run(file)).count();
    match (runs, &files[..]) {
        (0, [file, ..]) if files.iter().all(|file| holds_no_record(file)) => Err(usage(format!(
            "{} is neither a run file nor a record, which is JSON lines as `maumau play --record` writes them",
            Untrusted::path(file).terminal()
        ))),
        (0, _) => Ok(Arc::new(Records::new(files, read))),
        (1, [run]) => {
            let run = RunPages::open(run, Hands::Open)?;
            run.prepare()?;
            Ok(Arc::new(run))
        }
        _ => Err(usage("one run file, or any number of records, can be shown at once")),
    }
}

/// What a command that plays says about its pages.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Pages")]
pub(super) struct ServeArguments {
    /// Show the games as pages in a browser while they are played; beyond this machine, and where agents may use the network, only
    /// to those who open the printed link
    #[arg(long)]
    serve: bool,
    /// Where to listen; port 0 is a free one; by default 127.0.0.1:4242
    #[arg(long, value_name = "ADDRESS:PORT", requires = "serve")]
    addr: Option<SocketAddr>,
    /// Show all hands on these pages; without it they show what a spectator sees, since authors of agents may be watching
    #[arg(long, requires = "serve")]
    open_hands: bool,
    /// For pages behind a proxy that speaks TLS: ask for the token of the link at an address of this machine too, and accept any
    /// host name
    #[arg(long, requires = "serve")]
    pub(super) public: bool,
}

impl ServeArguments {
    /// Where pages are wanted, if they are.
    pub(super) fn address(self) -> Option<SocketAddr> {
        self.serve.then(|| self.addr.unwrap_or(LOCAL))
    }

    /// Whose hands the pages show.
    pub(super) fn hands(self) -> Hands {
        if self.open_hands { Hands::Open } else { Hands::Closed }
    }
}
