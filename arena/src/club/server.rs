//! The server of a club: who asks, what they are answered, and why not. Programs show a member's token in `Authorization`, which no
//! browser sends by itself (`api`); pages in a cookie (`site`). What either does asks `maumau_club::may` here.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use maumau_club::{ClubThing, ClubViewer, VersionNews, in_turn, is_bot_name, may};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_web::server::serve_router;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::answers::{EventAnswer, QueueRow, RefusalAnswer, TokenAnswer, VersionAnswer};
use super::folder::ClubFolder;
use super::open_club::Club;
use super::store::{Invitation, MemberRole, StoredVersion};
use super::{api, site, worker};

/// The most connections at once.
const CONNECTIONS: usize = 256;
/// The cookie with a member's token.
pub(super) const COOKIE_NAME: &str = "maumau-club";
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
    /// Who shows a token in `Authorization`.
    pub(super) fn viewer(&self, headers: &HeaderMap) -> Result<ClubViewer> {
        let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        token.map_or(Ok(ClubViewer::Stranger), |token| self.store().viewer(token.trim()))
    }

    /// Who shows a token in the cookie of the pages.
    pub(super) fn visitor(&self, headers: &HeaderMap) -> Result<ClubViewer> {
        let cookies = headers.get(COOKIE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let token = cookies.split("; ").find_map(|cookie| cookie.strip_prefix(COOKIE_NAME)?.strip_prefix('='));
        token.map_or(Ok(ClubViewer::Stranger), |token| self.store().viewer(token))
    }

    pub(super) fn queue(&self) -> Result<Vec<QueueRow>> {
        let (versions, line) = {
            let store = self.store();
            (store.versions()?, in_turn(&store.waiting()?))
        };
        Ok(versions.iter().filter(|one| one.state.is_on_its_way()).map(|one| QueueRow::of(one, &line)).collect())
    }

    pub(super) fn events(&self, after: i64, viewer: &ClubViewer) -> Result<Vec<EventAnswer>> {
        let may_see = |team: &str| may(viewer, &ClubThing::TeamEvents { team });
        let events = self.store().events(after, MAX_EVENTS, may_see)?;
        Ok(events.into_iter().map(EventAnswer::from).collect())
    }

    /// The version with this number, if `viewer` may see it; others do not learn whether there is one.
    pub(super) fn version(&self, id: i64, viewer: &ClubViewer) -> Result<StoredVersion, Refused> {
        let found = self.store().version(id)?;
        let seen = found.filter(|version| may(viewer, &ClubThing::Version { team: &version.team }));
        seen.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such version, or it is not your team's"))
    }

    pub(super) fn answer(&self, version: &StoredVersion) -> Result<VersionAnswer> {
        let (event, line) = {
            let store = self.store();
            (store.newest_event()?, in_turn(&store.waiting()?))
        };
        // Its state is not older than that event.
        let version = self.store().version(version.id)?.context("a version has gone")?;
        Ok(VersionAnswer::of(&version, event, &line, &self.ladder()?))
    }

    /// What the build of a version said, if it has begun: lines of a program of others, without what steers a terminal.
    pub(super) fn build_words(&self, version: i64) -> Option<String> {
        let words = std::fs::read_to_string(self.folder.build_words(version)).ok()?;
        Some(words.lines().map(|line| Untrusted::new(line).terminal() + "\n").collect())
    }

    /// Pauses or resumes a version, or takes it back.
    pub(super) fn decide(&self, id: i64, viewer: &ClubViewer, news: VersionNews) -> Result<StoredVersion, Refused> {
        let version = self.version(id, viewer)?;
        let (team, is_held) = (version.team.as_str(), version.is_held);
        let thing = match news {
            VersionNews::Resumed => ClubThing::Resume { team, is_held },
            _ => ClubThing::Change { team },
        };
        if !may(viewer, &thing) {
            return Err(Refused::new(StatusCode::FORBIDDEN, "the organiser has paused it, and resumes it"));
        }
        let by_organiser = *viewer == ClubViewer::Organiser;
        let reason = if by_organiser && news != VersionNews::Resumed { "by the organiser" } else { "" };
        let is_held = by_organiser && news == VersionNews::Paused;
        if !self.store().decide(id, news, is_held, reason)? {
            let verb = match news {
                VersionNews::Paused => "paused",
                VersionNews::Resumed => "resumed",
                _ => "withdrawn",
            };
            let why = format!("{} is {}: it cannot be {verb}", version.agent(), version.state.name());
            return Err(Refused::new(StatusCode::CONFLICT, why));
        }
        self.announce()?;
        self.version(id, viewer)
    }

    /// The link of a new invitation.
    pub(super) fn invite(&self, viewer: &ClubViewer, team: Option<String>, uses: u32) -> Result<String, Refused> {
        only(viewer, &ClubThing::Invite)?;
        if team.as_deref().is_some_and(|team| !is_bot_name(team)) || !(1..=1_000).contains(&uses) {
            return Err(Refused::new(StatusCode::BAD_REQUEST, "expected a team such as blue, and 1 to 1000 uses"));
        }
        let key = self.store().invite(&Invitation { role: MemberRole::Author, team }, uses)?;
        Ok(format!("{}/join/{key}", self.settings.url.trim_end_matches('/')))
    }

    /// Bans a member.
    pub(super) fn ban(&self, name: &str, viewer: &ClubViewer) -> Result<(), Refused> {
        only(viewer, &ClubThing::House)?;
        let banned = self.store().ban(name, "by the organiser")?;
        banned.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, format!("there is no member {name:?}")))?;
        Ok(self.announce()?)
    }
}

/// Why a request is not answered.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) why: String,
    pub(super) retry_s: Option<u64>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused { status, why: why.into(), retry_s: None }
    }

    /// Of one who may not do this.
    pub(super) fn stranger(viewer: &ClubViewer) -> Refused {
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

pub(super) fn json(status: StatusCode, answer: &impl Serialize) -> Response {
    match untrusted::json(answer) {
        Ok(text) => (status, [(CONTENT_TYPE, "application/json")], text + "\n").into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

pub(super) type Served = State<Arc<Club>>;
pub(super) type Answer = Result<Response, Refused>;

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
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Asks the club away from the thread that answers.
pub(super) async fn ask<T: Send + 'static>(
    club: &Arc<Club>,
    ask: impl FnOnce(&Club) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let club = Arc::clone(club);
    let asked = tokio::task::spawn_blocking(move || ask(&club)).await;
    asked.map_err(|error| Refused::from(anyhow::Error::new(error)))?
}

/// Fails unless this viewer may.
pub(super) fn only(viewer: &ClubViewer, thing: &ClubThing<'_>) -> Result<(), Refused> {
    if may(viewer, thing) { Ok(()) } else { Err(Refused::stranger(viewer)) }
}

pub(super) async fn body(request: Request) -> Result<Bytes, Refused> {
    let too_much = |_| Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long");
    to_bytes(request.into_body(), MAX_SMALL).await.map_err(too_much)
}

pub(super) fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Refused> {
    serde_json::from_slice(bytes).map_err(|error| Refused::new(StatusCode::BAD_REQUEST, error.to_string()))
}

/// Takes an invitation for a new member.
pub(super) fn taken(club: &Club, key: &str, name: &str) -> Result<TokenAnswer, Refused> {
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

/// Who takes an invitation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Joining {
    pub(super) name: String,
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use maumau_club::{BotManifest, VersionState};
    use maumau_protocol::SandboxLevel;

    use super::super::folder::NewClub;
    use super::super::store::ClubStore;
    use super::*;

    /// The server of a club whose worker does nothing, and the tokens of ann, bob and the organiser.
    struct IdleClub {
        club: Arc<Club>,
        host: String,
        tokens: [String; 3],
        _place: tempfile::TempDir,
        _stop: watch::Sender<bool>,
    }

    impl IdleClub {
        fn new() -> IdleClub {
            let place = tempfile::tempdir().expect("a folder");
            let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
            let folder = ClubFolder::make(&place.path().join("club"), &new).expect("a club");
            let club = Arc::new(Club::open(folder).expect("a club"));
            let member = |name, role| {
                let mut store = club.store();
                let key = store.invite(&Invitation { role, team: None }, 1).expect("an invitation");
                store.join(&key, name).expect("a member").expect("a token")
            };
            let author = MemberRole::Author;
            let tokens = [member("ann", author), member("bob", author), member("olga", MemberRole::Organiser)];
            let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            listener.set_nonblocking(true).expect("a port");
            let host = listener.local_addr().expect("a port").to_string();
            let (stop, stopping) = watch::channel(false);
            let served = Arc::clone(&club);
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(async {
                    let listener = tokio::net::TcpListener::from_std(listener).expect("a port");
                    serve_router(listener, router(served), CONNECTIONS, stopping).await;
                });
            });
            IdleClub { club, host, tokens, _place: place, _stop: stop }
        }

        /// What a program is answered.
        fn ask(&self, method: &str, path: &str, token: Option<&str>, body: &[u8]) -> (u16, String) {
            let headers = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
            self.send(method, path, &headers, body)
        }

        /// What a browser is answered, which comes from a page of `origin`.
        fn browse(&self, method: &str, path: &str, token: Option<&str>, origin: Option<&str>) -> u16 {
            let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
            let cookie = token.map_or_else(String::new, |token| format!("Cookie: a=b; {COOKIE_NAME}={token}\r\n"));
            self.send(method, path, &(origin + &cookie), b"").0
        }

        fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
            let mut stream = TcpStream::connect(&self.host).expect("a connection");
            let length = body.len();
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: club\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
            );
            stream.write_all(&[head.as_bytes(), body].concat()).expect("a request");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("text");
            let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
            (status, answer.split_once("\r\n\r\n").expect("a body").1.to_owned())
        }

        /// A version of ann's in this state.
        fn version_in(&self, state: VersionState) -> i64 {
            let mut store = self.club.store();
            let number = store.versions().expect("versions").len();
            let manifest = BotManifest { name: None, build: None, run: "python3 bot.py".to_owned() };
            let sent = store.send("ann", &format!("bot-{number}"), "aa", &manifest);
            let (version, _) = sent.expect("a version");
            let (check, pass) = (VersionNews::CheckBegan, VersionNews::Passed);
            let joined = VersionNews::Joined;
            let steps: &[VersionNews] = match state {
                VersionState::Waiting => &[],
                VersionState::Building => &[VersionNews::BuildBegan],
                VersionState::Checking => &[check],
                VersionState::Ready => &[check, pass],
                VersionState::Playing => &[check, pass, joined],
                VersionState::Paused => &[check, pass, joined, VersionNews::Paused],
                VersionState::Retired => &[check, pass, joined, VersionNews::Replaced],
                VersionState::Withdrawn => &[VersionNews::Withdrawn],
                VersionState::Refused => &[check, VersionNews::FoundFaulty],
                VersionState::Failed => &[check, VersionNews::PutBack { tries: 3 }],
            };
            for step in steps {
                store.happened(&version, *step, "").expect("a step");
            }
            version.id
        }

        fn state_of(&self, id: i64) -> VersionState {
            self.club.store().version(id).expect("an answer").expect("a version").state
        }
    }

    #[test]
    fn each_address_is_open_to_exactly_those_of_this_table() {
        let idle = IdleClub::new();
        let [ann, bob, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
        // A stranger, another team, the version's team, the organiser.
        let roles = [None, bob, ann, olga];
        let own = Some("http://club");
        let first = idle.version_in(VersionState::Waiting);
        for (path, expected) in [
            ("/", [200; 4]),
            ("/login", [200; 4]),
            ("/join/0123", [200; 4]),
            ("/games/none", [404; 4]),
            ("/bots", [303, 200, 200, 403]),
            ("/house", [303, 403, 403, 200]),
            ("/versions/99", [404; 4]),
        ] {
            assert_eq!(roles.map(|token| idle.browse("GET", path, token, None)), expected, "{path}");
        }
        for (path, expected) in [
            ("/invitations", [303, 403, 403, 400]),
            ("/members/nobody/ban", [303, 403, 403, 404]),
            ("/versions/99/pause", [404; 4]),
            ("/logout", [303; 4]),
        ] {
            assert_eq!(roles.map(|token| idle.browse("POST", path, token, own)), expected, "{path}");
            for origin in [None, Some("http://evil.example"), Some("null")] {
                assert_eq!(roles.map(|token| idle.browse("POST", path, token, origin)), [403; 4], "{path} {origin:?}");
            }
        }
        for (method, path, expected) in [
            ("GET", "/api/1/ladder", [200; 4]),
            ("GET", "/api/1/queue", [200; 4]),
            ("GET", "/api/1/events", [200; 4]),
            ("GET", "/api/1/versions/99", [404; 4]),
            ("POST", "/api/1/versions/99/pause", [404; 4]),
            ("POST", "/api/1/members/nobody/ban", [401, 403, 403, 404]),
            ("POST", "/api/1/invitations/0123", [400; 4]),
            ("PUT", "/api/1/bots/bot-0/versions", [401, 403, 422, 403]),
            ("DELETE", "/api/1/ladder", [405; 4]),
            ("GET", "/api/1/none", [404; 4]),
        ] {
            assert_eq!(roles.map(|token| idle.ask(method, path, token, b"").0), expected, "{method} {path}");
        }
        // A cookie is no token of a program, and a token of a program none of a browser.
        assert_eq!(idle.browse("GET", &format!("/api/1/versions/{first}"), ann, own), 404);
        assert_eq!(idle.ask("GET", "/bots", ann, b"").0, 303);
    }

    #[test]
    fn a_version_is_shown_and_changed_by_its_team_and_the_organiser_as_its_state_permits() {
        let idle = IdleClub::new();
        let [ann, bob, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
        let acts =
            [("pause", VersionNews::Paused), ("resume", VersionNews::Resumed), ("withdraw", VersionNews::Withdrawn)];
        for state in VersionState::ALL {
            for (act, news) in acts {
                let (by_program, by_page) = (idle.version_in(state), idle.version_in(state));
                let (program, page) = (format!("/api/1/versions/{by_program}"), format!("/versions/{by_page}"));
                let shown = [None, bob, ann, olga].map(|token| idle.ask("GET", &program, token, b"").0);
                let seen = [None, bob, ann, olga].map(|token| idle.browse("GET", &page, token, None));
                assert_eq!((shown, seen), ([404, 404, 200, 200], [404, 404, 200, 200]), "{state:?}");
                let (program, page) = (format!("{program}/{act}"), format!("{page}/{act}"));
                for stranger in [None, bob] {
                    assert_eq!(idle.ask("POST", &program, stranger, b"").0, 404, "{state:?} {act}");
                    assert_eq!(idle.browse("POST", &page, stranger, Some("http://club")), 404, "{state:?} {act}");
                }
                assert_eq!(idle.browse("POST", &page, ann, Some("http://evil.example")), 403);
                assert_eq!(idle.state_of(by_page), state, "nothing was done");
                let next = state.after(news).filter(|next| *next != state);
                let expected = if next.is_some() { (200, 303) } else { (409, 409) };
                let done =
                    (idle.ask("POST", &program, ann, b"").0, idle.browse("POST", &page, olga, Some("http://club")));
                assert_eq!(done, expected, "{state:?} {act}");
                for id in [by_program, by_page] {
                    assert_eq!(idle.state_of(id), next.unwrap_or(state), "{state:?} {act}");
                }
            }
        }
        let held = idle.version_in(VersionState::Playing);
        let path = |act: &str| format!("/api/1/versions/{held}/{act}");
        assert_eq!(idle.ask("POST", &path("pause"), olga, b"").0, 200);
        let refused = idle.ask("POST", &path("resume"), ann, b"");
        assert!(refused.0 == 403 && refused.1.contains("the organiser has paused it"), "{refused:?}");
        assert_eq!(idle.ask("POST", &path("resume"), olga, b"").0, 200);
        assert_eq!(idle.ask("POST", "/api/1/members/ann/ban", olga, b"").0, 204);
        assert_eq!(idle.ask("GET", &format!("/api/1/versions/{held}"), ann, b"").0, 404, "its token has ended");
        assert_eq!(idle.state_of(held), VersionState::Withdrawn);
        drop(ClubStore::open(&idle.club.folder.database()).expect("it is whole"));
    }

    /// An archive of entries of these names, kinds and contents, as an attacker writes them: the names are not checked.
    fn tar_of(entries: &[(&str, u8, u64, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, kind, size, content) in entries {
            let mut head = [0_u8; 512];
            head[..name.len()].copy_from_slice(name.as_bytes());
            head[100..108].copy_from_slice(b"0000644\0");
            head[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
            head[156] = *kind;
            head[157..168].copy_from_slice(b"/etc/passwd");
            head[257..265].copy_from_slice(b"ustar\x0000");
            head[148..156].copy_from_slice(b"        ");
            let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
            head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
            bytes.extend_from_slice(&head);
            bytes.extend_from_slice(content);
            bytes.resize(bytes.len().next_multiple_of(512), 0);
        }
        bytes.extend_from_slice(&[0; 1024]);
        bytes
    }

    #[test]
    fn a_hostile_archive_is_refused_and_leaves_nothing() {
        let idle = IdleClub::new();
        let token = Some(idle.tokens[0].as_str());
        let file = |name| (name, b'0', 1, &b"x"[..]);
        let manifest = ("bot.toml", b'0', 16, &b"run = \"./bot\"  \n"[..16]);
        let deep = "a/".repeat(40) + "b";
        let many: Vec<String> = (0..1_001).map(|number| number.to_string()).collect();
        let many: Vec<_> = many.iter().map(|name| file(name.as_str())).chain([manifest]).collect();
        let out = |run: &'static [u8]| vec![("bot.toml", b'0', run.len() as u64, run)];
        let attacks: Vec<(&str, Vec<u8>)> = vec![
            ("nothing", Vec::new()),
            ("no tar", b"PK\x03\x04 something else".to_vec()),
            ("a name that leads out", tar_of(&[manifest, file("../out")])),
            ("a name that leads out within", tar_of(&[manifest, file("a/../../out")])),
            ("a name from the root", tar_of(&[manifest, file("/tmp/club-out")])),
            ("an empty name", tar_of(&[manifest, file("")])),
            ("the folder itself", tar_of(&[manifest, file(".")])),
            ("a control character", tar_of(&[manifest, file("a\nb")])),
            ("no Unicode", {
                let mut bytes = tar_of(&[manifest, file("zz")]);
                bytes[1024] = 0xff;
                bytes
            }),
            ("a hard link", tar_of(&[manifest, ("link", b'1', 0, b"")])),
            ("a symbolic link", tar_of(&[manifest, ("link", b'2', 0, b"")])),
            ("a link in the place of the manifest", tar_of(&[("bot.toml", b'2', 0, b"")])),
            ("a device", tar_of(&[manifest, ("device", b'3', 0, b"")])),
            ("a disk", tar_of(&[manifest, ("disk", b'4', 0, b"")])),
            ("a folder", tar_of(&[manifest, ("folder", b'5', 0, b"")])),
            ("a pipe", tar_of(&[manifest, ("pipe", b'6', 0, b"")])),
            ("twins", tar_of(&[manifest, file("bot"), file("bot")])),
            ("twins but for case", tar_of(&[manifest, file("bot"), file("BOT")])),
            ("a second manifest", tar_of(&[manifest, ("BOT.toml", b'0', 0, b"")])),
            ("a file in a file", tar_of(&[manifest, file("a"), file("a/b")])),
            ("a lying size", tar_of(&[manifest, ("big", b'0', 1 << 32, b"x")])),
            ("a cut off file", tar_of(&[manifest, ("cut", b'0', 4_000, b"x")])[..1_600].to_vec()),
            ("depth", tar_of(&[manifest, file(&deep)])),
            ("a thousand files", tar_of(&many)),
            ("a command that leads out", tar_of(&out(b"run = \"cat /etc/passwd\"\n"))),
            ("a build that leads out", tar_of(&out(b"run = \"./bot\"\nbuild = \"sh ../x\"\n"))),
            ("a house bot", tar_of(&out(b"run = \"maumau agent greedy\"\n"))),
            ("no manifest", tar_of(&[file("something")])),
            ("a manifest that is none", tar_of(&out(b"\xff\xfe"))),
        ];
        for (attack, bytes) in &attacks {
            let (status, said) = idle.ask("PUT", "/api/1/bots/bot/versions", token, bytes);
            assert_eq!(status, 422, "{attack}: {said}");
            for folder in idle.club.folder.parts() {
                let left: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().collect();
                assert!(left.is_empty(), "{attack}: {left:?}");
            }
        }
        let bomb = vec![0; (idle.club.settings.quotas.upload_mib as usize) * 1024 * 1024 + 1];
        assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", token, &bomb).0, 413);
        assert!(idle.club.store().versions().expect("versions").is_empty(), "nothing was charged");
        let good = tar_of(&[manifest, ("bot", b'0', 1, b"x")]);
        assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", token, &good).0, 201);
        assert!(!std::path::Path::new("/tmp/club-out").exists());
    }
}
