//! The server of a club: it listens, lets the worker work, and hands requests to `api` and `site`. Who may do what is not known here.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::map_response;
use axum::response::Response;
use maumau_run::io::stdout::print;
use maumau_web::server::serve_router;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::folder::ClubFolder;
use super::open_club::Club;
use super::{api, site, worker};

/// The most connections at once.
const CONNECTIONS: usize = 256;

/// Serves the club at `address` until Ctrl-C or SIGTERM; its season is played with the words `season` besides.
///
/// # Errors
/// Another process serves it, the address cannot be listened on, or the database fails.
pub(crate) fn serve(folder: ClubFolder, address: SocketAddr, season: Vec<OsString>) -> Result<()> {
    let _lock = folder.lock()?;
    let club = Arc::new(Club::open(folder)?.with_season(season));
    worker::sweep(&club)?;
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ending, is_ending) = watch::channel(false);
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind(address))
        .with_context(|| format!("{address} cannot be listened on; {}:0 finds a free port", address.ip()))?;
    // Before anybody knows that it is served: who ends it then ends the season, too.
    let interrupt = runtime.block_on(async { Interrupt::listen() })?;
    print(&format!("http://{}/\n", listener.local_addr()?))?;
    let (worked, own_stop) = (Arc::clone(&club), Arc::clone(&stop));
    let worker = std::thread::spawn(move || {
        let done = worker::work(&worked, &own_stop);
        worked.end();
        ending.send_replace(true);
        done
    });
    runtime.block_on(async {
        let serving = serve_router(listener, router(club), CONNECTIONS, is_ending);
        let stopping = async {
            interrupt.come().await;
            stop.store(true, Ordering::Relaxed);
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = serving => {}
            () = stopping => {}
        }
    });
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Those who want the club to end, by Ctrl-C or SIGTERM.
#[cfg(unix)]
struct Interrupt([Signal; 2]);

#[cfg(unix)]
impl Interrupt {
    /// Listens to them from now on.
    fn listen() -> Result<Interrupt> {
        let listen = |kind| signal(kind).context("a signal cannot be waited for");
        Ok(Interrupt([listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?]))
    }

    /// Waits for one.
    async fn come(self) {
        let Interrupt([mut terminated, mut interrupted]) = self;
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    }
}

/// Those who want the club to end, by Ctrl-C.
#[cfg(not(unix))]
struct Interrupt;

#[cfg(not(unix))]
impl Interrupt {
    fn listen() -> Result<Interrupt> {
        Ok(Interrupt)
    }

    async fn come(self) {
        _ = tokio::signal::ctrl_c().await;
    }
}

/// The addresses of a club.
fn router(club: Arc<Club>) -> Router {
    site::router().nest("/api/1", api::router()).layer(map_response(with_headers)).with_state(club)
}

/// What a page may do: show itself, and send its forms here.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

async fn with_headers(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Links to invitations are secrets; without a referrer for itself, a browser would hide the origin of a form.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(POLICY);
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

#[cfg(test)]
mod tests;
