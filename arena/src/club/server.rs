//! The server of a club: which address does what, and who may. Members show their token in `Authorization`, which no browser sends by
//! itself; pages show what everybody may see. Every answer asks `maumau_club::may`.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::map_response;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post, put};
use maumau_club::{BotManifest, ClubThing, ClubViewer, in_turn, is_bot_name, may};
use maumau_cluster::archive;
use maumau_cluster::unit::Sha;
use maumau_run::agent::AgentCommand;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_web::server::{event, last_number, serve_router, watched};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::answers::{EventAnswer, InvitationAnswer, QueueRow, RefusalAnswer, TokenAnswer, VersionAnswer};
use super::folder::{ClubFolder, MAX_FILES};
use super::open_club::{Club, ClubNews};
use super::store::{Invitation, MemberRole, StoredVersion, now_s};
use super::{pages, worker};

/// The most connections at once.
const CONNECTIONS: usize = 256;
/// Bytes of a body that is no archive.
const MAX_SMALL: usize = 4_096;
/// Events of one answer.
const MAX_EVENTS: usize = 200;

/// Serves the club at `address` until Ctrl-C or SIGTERM.
///
/// # Errors
/// Another process serves it, the address cannot be listened on, or the database fails.
pub(crate) fn serve(folder: ClubFolder, address: SocketAddr) -> Result<()> {
    let _lock = folder.lock()?;
    let club = Arc::new(Club::open(folder)?);
    worker::sweep(&club)?;
    let stop = Arc::new(AtomicBool::new(false));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ending, is_ending) = watch::channel(false);
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind(address))
        .with_context(|| format!("{address} cannot be listened on; {}:0 finds a free port", address.ip()))?;
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
            interrupted().await;
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

/// Waits for somebody who wants the club to end.
async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminated) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    _ = tokio::signal::ctrl_c().await;
}

impl Club {
    /// Who shows the token of these headers.
    fn viewer(&self, headers: &HeaderMap) -> Result<ClubViewer> {
        let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        token.map_or(Ok(ClubViewer::Stranger), |token| self.store().viewer(token.trim()))
    }

    fn queue(&self) -> Result<Vec<QueueRow>> {
        let (versions, line) = {
            let store = self.store();
            (store.versions()?, in_turn(&store.waiting()?))
        };
        Ok(versions.iter().filter(|one| one.state.is_on_its_way()).map(|one| QueueRow::of(one, &line)).collect())
    }

    fn events(&self, after: i64, viewer: &ClubViewer) -> Result<Vec<EventAnswer>> {
        let may_see = |team: &str| may(viewer, &ClubThing::TeamEvents { team });
        let events = self.store().events(after, MAX_EVENTS, may_see)?;
        Ok(events.into_iter().map(EventAnswer::from).collect())
    }

    /// The version with this number, if `viewer` may see it; others do not learn whether there is one.
    fn version(&self, id: i64, viewer: &ClubViewer) -> Result<StoredVersion, Refused> {
        let found = self.store().version(id)?;
        let seen = found.filter(|version| may(viewer, &ClubThing::Version { team: &version.team }));
        seen.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such version, or it is not your team's"))
    }

    fn answer(&self, version: &StoredVersion) -> Result<VersionAnswer> {
        let (event, line) = {
            let store = self.store();
            (store.newest_event()?, in_turn(&store.waiting()?))
        };
        // Its state is not older than that event.
        let version = self.store().version(version.id)?.context("a version has gone")?;
        Ok(VersionAnswer::of(&version, event, &line, &self.ladder()?))
    }

    /// Keeps an archive as a version of `bot`: the file first, then what is unpacked, the row last.
    fn upload(&self, viewer: &ClubViewer, bot: &str, bytes: &[u8]) -> Result<(VersionAnswer, bool), Refused> {
        let wrong = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
        if !is_bot_name(bot) {
            return Err(wrong(format!("the name {bot:?}: expected 1 to 32 of a-z, 0-9 and -, a letter first")));
        }
        // One upload at a time, so that two with one digest do not meet.
        let mut store = self.store();
        let owner = store.owner(bot)?;
        let ClubViewer::Author { team } = viewer else { return Err(Refused::stranger(viewer)) };
        if !may(viewer, &ClubThing::Upload { owner: owner.as_deref() }) {
            return Err(Refused::new(StatusCode::FORBIDDEN, format!("the bot {bot:?} is another team's")));
        }
        let digest = Sha::of(bytes);
        let known = store.versions()?.into_iter().find(|one| one.bot == bot && one.sha == digest.digits());
        let (version, is_new) = match known {
            Some(version) => (version, false),
            None => {
                if let Some(refusal) = self.settings.quotas.refusal(&store.usage(team)?, now_s()) {
                    return Err(Refused {
                        retry_s: Some(refusal.wait_s()),
                        ..Refused::new(StatusCode::TOO_MANY_REQUESTS, refusal.to_string())
                    });
                }
                let place = self.folder.bot(digest.digits());
                if !place.is_dir() {
                    archive::unpack(bytes, &digest, &place).map_err(|error| wrong(format!("{error:#}")))?;
                }
                let manifest = match manifest(&place) {
                    Ok(manifest) => manifest,
                    Err(error) => {
                        std::fs::remove_dir_all(&place).context("a bot that was refused")?;
                        return Err(wrong(format!("{error:#}")));
                    }
                };
                keep(&self.folder.upload(digest.digits()), bytes)?;
                store.send(team, bot, digest.digits(), &manifest)?
            }
        };
        drop(store);
        self.announce()?;
        Ok((self.answer(&version)?, is_new))
    }
}

/// Writes an archive so that it is on the disk before its name is.
fn keep(path: &FilePath, bytes: &[u8]) -> Result<()> {
    let part = path.with_extension("part");
    let mut file = std::fs::File::create(&part).with_context(|| format!("{} cannot be written", part.display()))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).context("an archive cannot be written")?;
    std::fs::rename(&part, path).context("an archive cannot be kept")
}

/// How the bot in `folder` is started.
fn manifest(folder: &FilePath) -> Result<BotManifest> {
    let manifest = super::manifest_of(folder)?;
    let command = AgentCommand::parse(&manifest.run)?;
    if command.is_built_in() {
        bail!("run: a bot is a program of its own; maumau itself already plays as the house bots");
    }
    let mut files = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
            }
        }
    }
    ensure!(files <= MAX_FILES, "the archive has {files} files; at most {MAX_FILES} are taken");
    Ok(manifest)
}

/// Why a request is not answered.
#[derive(Debug)]
struct Refused {
    status: StatusCode,
    why: String,
    retry_s: Option<u64>,
}

impl Refused {
    fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused { status, why: why.into(), retry_s: None }
    }

    /// Of one who may not do this.
    fn stranger(viewer: &ClubViewer) -> Refused {
        match viewer {
            ClubViewer::Stranger => {
                Refused::new(StatusCode::UNAUTHORIZED, "expected the token of a member in Authorization: Bearer TOKEN")
            }
            _ => Refused::new(StatusCode::FORBIDDEN, "your role may not do this"),
        }
    }
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Refused {
        print_stderr!("maumau: {error:#}");
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "the club failed; its organiser can read why")
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut answer = json(self.status, &RefusalAnswer { error: self.why });
        if let Some(seconds) = self.retry_s {
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        answer
    }
}

fn json(status: StatusCode, answer: &impl Serialize) -> Response {
    match untrusted::json(answer) {
        Ok(text) => (status, [(CONTENT_TYPE, "application/json")], text + "\n").into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

type Served = State<Arc<Club>>;
type Answer = Result<Response, Refused>;

/// The addresses of a club.
fn router(club: Arc<Club>) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/join/{key}", get(invited).post(take_by_page))
        .route("/api/1/ladder", get(ladder))
        .route("/api/1/queue", get(queue))
        .route("/api/1/events", get(events))
        .route("/api/1/versions/{id}", get(version))
        .route("/api/1/versions/{id}/build", get(build_words))
        .route("/api/1/versions/{id}/check", get(words))
        .route("/api/1/bots/{name}/versions", put(upload))
        .route("/api/1/invitations", post(invite))
        .route("/api/1/invitations/{key}", post(take))
        .layer(map_response(with_headers))
        .with_state(club)
}

async fn with_headers(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Links to invitations are secrets.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Asks the club away from the thread that answers.
async fn ask<T: Send + 'static>(
    club: &Arc<Club>,
    ask: impl FnOnce(&Club) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let club = Arc::clone(club);
    let asked = tokio::task::spawn_blocking(move || ask(&club)).await;
    asked.map_err(|error| Refused::from(anyhow::Error::new(error)))?
}

/// Fails unless this viewer may.
fn only(viewer: &ClubViewer, thing: &ClubThing<'_>) -> Result<(), Refused> {
    if may(viewer, thing) { Ok(()) } else { Err(Refused::stranger(viewer)) }
}

async fn front(State(club): Served, headers: HeaderMap) -> Answer {
    let page = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::PublicPages)?;
        Ok(pages::front(&club.settings, &club.ladder()?, &club.queue()?))
    });
    Ok(Html(page.await?.into_string()).into_response())
}

async fn ladder(State(club): Served, headers: HeaderMap) -> Answer {
    let rows = ask(&club, move |club| {
        only(&club.viewer(&headers)?, &ClubThing::PublicPages)?;
        Ok(club.ladder()?)
    });
    Ok(json(StatusCode::OK, &rows.await?))
}

async fn queue(State(club): Served, headers: HeaderMap) -> Answer {
    let rows = ask(&club, move |club| {
        only(&club.viewer(&headers)?, &ClubThing::PublicPages)?;
        Ok(club.queue()?)
    });
    Ok(json(StatusCode::OK, &rows.await?))
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: i64,
}

async fn events(State(club): Served, Query(After { after }): Query<After>, headers: HeaderMap) -> Answer {
    let is_followed = headers.get(ACCEPT).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !is_followed {
        let events = ask(&club, move |club| Ok(club.events(after, &club.viewer(&headers)?)?));
        return Ok(json(StatusCode::OK, &events.await?));
    }
    let last = last_number(&headers).and_then(|last| i64::try_from(last).ok());
    let followed = FollowedEvents { news: club.news(), club, headers, after: last.unwrap_or(after) };
    Ok(watched(followed, async |mut followed| Some((followed.next().await?, followed))))
}

/// The events of a club, as one reader follows them.
struct FollowedEvents {
    club: Arc<Club>,
    news: watch::Receiver<ClubNews>,
    headers: HeaderMap,
    /// The last that was sent.
    after: i64,
}

impl FollowedEvents {
    /// The next ones, as soon as there are any; `None` once the club ends, or if it fails.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let seen = *self.news.borrow_and_update();
            // Who shows this token is asked each time: it may have been revoked.
            let (after, headers) = (self.after, self.headers.clone());
            let events = ask(&self.club, move |club| Ok(club.events(after, &club.viewer(&headers)?)?)).await.ok()?;
            if let Some(last) = events.last() {
                self.after = last.id;
                let written = events.iter().map(|one| {
                    let text = untrusted::json(one).ok()?;
                    Some(event("event", Some(&one.id.to_string()), &text))
                });
                return written.collect::<Option<Vec<Bytes>>>().map(|events| events.concat().into());
            }
            if seen.is_over {
                return None;
            }
            self.news.changed().await.ok()?;
        }
    }
}

async fn version(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Answer {
    let answer = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        Ok(club.answer(&version)?)
    });
    Ok(json(StatusCode::OK, &answer.await?))
}

async fn words(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Answer {
    let words = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        let missing = |_| Refused::new(StatusCode::NOT_FOUND, "its check has said nothing yet");
        std::fs::read_to_string(club.folder.words(version.id)).map_err(missing)
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json")], words.await?).into_response())
}

async fn build_words(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Answer {
    let words = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        let missing = |_| Refused::new(StatusCode::NOT_FOUND, "its build has said nothing yet");
        let words = std::fs::read_to_string(club.folder.build_words(version.id)).map_err(missing)?;
        Ok(words.lines().map(|line| Untrusted::new(line).terminal() + "\n").collect::<String>())
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "text/plain; charset=utf-8")], words.await?).into_response())
}

async fn upload(State(club): Served, Path(name): Path<String>, request: Request) -> Answer {
    let headers = request.headers().clone();
    // Before the first byte of the archive is read.
    let viewer = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::Upload { owner: None })?;
        Ok(viewer)
    });
    let viewer = viewer.await?;
    let most = club.settings.quotas.upload_mib as usize * 1024 * 1024;
    let too_much = |_| {
        let why = format!("the limit upload_mib = {} is reached", club.settings.quotas.upload_mib);
        Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    let bytes = to_bytes(request.into_body(), most).await.map_err(too_much)?;
    let (answer, is_new) = ask(&club, move |club| club.upload(&viewer, &name, &bytes)).await?;
    Ok(json(if is_new { StatusCode::CREATED } else { StatusCode::OK }, &answer))
}

async fn body(request: Request) -> Result<Bytes, Refused> {
    let too_much = |_| Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long");
    to_bytes(request.into_body(), MAX_SMALL).await.map_err(too_much)
}

fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Refused> {
    serde_json::from_slice(bytes).map_err(|error| Refused::new(StatusCode::BAD_REQUEST, error.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    team: Option<String>,
    uses: u32,
}

async fn invite(State(club): Served, request: Request) -> Answer {
    let headers = request.headers().clone();
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| {
        only(&club.viewer(&headers)?, &ClubThing::Invite)?;
        let Wanted { team, uses } = parsed(&bytes)?;
        if team.as_deref().is_some_and(|team| !is_bot_name(team)) || !(1..=1_000).contains(&uses) {
            return Err(Refused::new(StatusCode::BAD_REQUEST, "expected a team such as blue, and 1 to 1000 uses"));
        }
        let key = club.store().invite(&Invitation { role: MemberRole::Author, team }, uses)?;
        Ok(InvitationAnswer { link: format!("{}/join/{key}", club.settings.url.trim_end_matches('/')) })
    });
    Ok(json(StatusCode::CREATED, &answer.await?))
}

/// Takes an invitation for a new member.
fn taken(club: &Club, key: &str, name: &str) -> Result<TokenAnswer, Refused> {
    if !is_bot_name(name) {
        return Err(Refused::new(
            StatusCode::BAD_REQUEST,
            "the name: expected 1 to 32 of a-z, 0-9 and -, a letter first",
        ));
    }
    let joined = club.store().join(key, name).map_err(|error| Refused::new(StatusCode::CONFLICT, format!("{error:#}")));
    let gone = || Refused::new(StatusCode::NOT_FOUND, "this invitation is not known, was taken or has ended");
    Ok(TokenAnswer { member: name.to_owned(), token: joined?.ok_or_else(gone)? })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Joining {
    name: String,
}

async fn take(State(club): Served, Path(key): Path<String>, request: Request) -> Answer {
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| taken(club, &key, &parsed::<Joining>(&bytes)?.name));
    Ok(json(StatusCode::CREATED, &answer.await?))
}

/// Shows an invitation and takes nothing: programs that look at links in letters open it, too.
async fn invited(State(club): Served, Path(key): Path<String>) -> Answer {
    let page = ask(&club, move |club| {
        let is_open = club.store().invitation(&key)?.is_some();
        Ok(pages::invitation(&club.settings, is_open))
    });
    Ok(Html(page.await?.into_string()).into_response())
}

async fn take_by_page(State(club): Served, Path(key): Path<String>, request: Request) -> Answer {
    let bytes = body(request).await?;
    let page = ask(&club, move |club| {
        let wrong = || Refused::new(StatusCode::BAD_REQUEST, "expected the form of the page");
        let form = std::str::from_utf8(&bytes).ok().and_then(|form| format!("/?{form}").parse().ok());
        let Query(Joining { name }) = Query::try_from_uri(&form.ok_or_else(wrong)?).map_err(|_| wrong())?;
        Ok(pages::welcome(&club.settings, &taken(club, &key, &name)?))
    });
    Ok(Html(page.await?.into_string()).into_response())
}
