//! `maumau serve`: a run or records as pages on this machine. It decides what is shown, to whom and where; the pages are the web
//! crate's.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_web::server;
use maumau_web::shown::Shown;
use tokio::net::TcpListener;

use super::verify::{collect, holds_run, read};
use crate::error::{Outcome, usage};
use crate::io::entropy;
use crate::io::stdout::print;
use crate::pages::{Records, Run};

/// Show a run or records as pages in a browser, with rules and documents.
///
/// The pages are for this machine alone unless --addr names another address; then only those who open the printed link, which
/// holds a token, may see them. All hands are open: do not show games whose deals are still being played.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau serve league.maumau
  maumau serve records
  maumau serve game.jsonl --addr 127.0.0.1:8080

Ctrl-C ends it. Beyond this machine put it behind a proxy that speaks TLS: what it sends itself is not encrypted.")]
pub(super) struct Arguments {
    /// A run file, or records as JSON lines and folders of them; without any, rules and documents
    files: Vec<PathBuf>,
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:4242")]
    addr: SocketAddr,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let shown = shown(&arguments.files)?;
    let token = match arguments.addr.ip().is_loopback() {
        true => None,
        false => Some(entropy::fresh()?.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let asked = arguments.addr;
        let listener = TcpListener::bind(asked).await;
        let listener = listener.with_context(|| {
            format!("{asked} cannot be listened on; --addr {}:0 finds a free port", asked.ip())
        })?;
        print(&format!("{}\n", server::address(listener.local_addr()?, token.as_deref())))?;
        tokio::select! {
            served = server::serve(listener, shown, token) => served.map(|()| Outcome::Done).context("the server failed"),
            interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| Outcome::Interrupted).context("Ctrl-C cannot be waited for"),
        }
    })
}

/// What the named files hold.
fn shown(paths: &[PathBuf]) -> Result<Arc<dyn Shown>> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    let runs = files.iter().filter(|file| holds_run(file)).count();
    match (runs, &files[..]) {
        (0, _) => Ok(Arc::new(Records::new(files, read))),
        (1, [run]) => Ok(Arc::new(Run::open(run)?)),
        _ => Err(usage("one run file, or any number of records, can be shown at once")),
    }
}
