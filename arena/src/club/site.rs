//! The addresses of the pages. A member is known by a cookie, which the browser sends to this server alone; a form is taken only from a
//! page of this server. Every answer asks `maumau_club::may`.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use maud::Markup;
use maumau_club::{ClubThing, ClubViewer, VersionNews, in_turn};
use maumau_run::io::untrusted::Untrusted;
use maumau_web::server::{RequestOrigin, secure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answers::VersionAnswer;
use super::games::{game_page, last_games};
use super::open_club::Club;
use super::pages::{self, HousePage, VersionPage};
use super::requests::{COOKIE_NAME, Joining, Refused, Served, ask, body, only, taken};
use super::trials::WantedTrial;

/// Seconds for which a browser keeps a token: a year.
const COOKIE_FOR_S: u32 = 365 * 24 * 60 * 60;
/// Events on the organiser's page.
const EVENTS_BACK: i64 = 50;

/// The addresses.
pub(super) fn router() -> Router<Arc<Club>> {
    Router::new()
        .route("/", get(front))
        .route("/join/{key}", get(invited).post(join))
        .route("/login", get(login).post(log_in))
        .route("/logout", post(log_out))
        .route("/bots", get(bots))
        .route("/versions/{id}", get(version))
        .route("/versions/{id}/pause", post(pause))
        .route("/versions/{id}/resume", post(resume))
        .route("/versions/{id}/withdraw", post(withdraw))
        .route("/versions/{id}/trial", post(ask_trial))
        .route("/trials/{id}", get(trial))
        .route("/games/{name}", get(game))
        .route("/house", get(house))
        .route("/invitations", post(invite))
        .route("/members/{name}/ban", post(ban))
}

/// A page, or a sentence in its place.
type Shown = Result<Response, Response>;

/// Makes a page away from the thread that answers; `make` is given who looks. With `is_form` only if a page of this server asks.
async fn show(
    club: Arc<Club>,
    headers: HeaderMap,
    is_form: bool,
    make: impl FnOnce(&Club, &ClubViewer) -> Result<Response, Refused> + Send + 'static,
) -> Shown {
    let served = Arc::clone(&club);
    let made = ask(&club, move |club| {
        let viewer = club.visitor(&headers)?;
        let origin = RequestOrigin::of(&headers);
        let made = match is_form && origin != RequestOrigin::Own {
            true => Err(Refused::new(StatusCode::FORBIDDEN, "only a page of this club may send this form")),
            false => make(club, &viewer),
        };
        Ok(made.map_err(|refused| refusal(club, &viewer, &refused)))
    });
    match made.await {
        Ok(shown) => shown,
        Err(refused) => Err(refusal(&served, &ClubViewer::Stranger, &refused)),
    }
}

fn refusal(club: &Club, viewer: &ClubViewer, refused: &Refused) -> Response {
    if refused.status == StatusCode::UNAUTHORIZED {
        return to("/login");
    }
    let title = refused.status.canonical_reason().unwrap_or("Refused");
    (refused.status, html(&pages::message(&club.settings, viewer, title, &refused.why))).into_response()
}

fn html(page: &Markup) -> Response {
    Html(page.0.clone()).into_response()
}

/// Sends the browser to another page.
fn to(address: &str) -> Response {
    let place = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response()
}

/// The fields of a form.
fn fields<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    let wrong = || Refused::new(StatusCode::BAD_REQUEST, "expected the form of the page");
    let form = std::str::from_utf8(bytes).ok().and_then(|form| format!("/?{form}").parse().ok());
    let Query(fields) = Query::try_from_uri(&form.ok_or_else(wrong)?).map_err(|_| wrong())?;
    Ok(fields)
}

/// The same answer, which makes the browser keep `token`, or forget it if it is empty.
fn with_token(mut answer: Response, headers: &HeaderMap, token: &str) -> Response {
    let ends = if token.is_empty() { 0 } else { COOKIE_FOR_S };
    let by_tls = secure(headers);
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={ends}{by_tls}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.headers_mut().insert(SET_COOKIE, cookie);
    }
    answer
}

async fn front(State(club): Served, headers: HeaderMap) -> Shown {
    let make = |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::PublicPages)?;
        let (ladder, is_frozen) = club.shown_ladder()?;
        Ok(html(&pages::front(&club.settings, viewer, &ladder, is_frozen, &club.queue()?)))
    };
    show(club, headers, false, make).await
}

/// Shows an invitation and takes nothing: programs that look at links in letters open it, too.
async fn invited(State(club): Served, Path(key): Path<String>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let is_open = club.store().invitation(&key)?.is_some();
        Ok(html(&pages::invitation(&club.settings, viewer, is_open)))
    };
    show(club, headers, false, make).await
}

async fn join(State(club): Served, Path(key): Path<String>, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let sent = headers.clone();
    let make = move |club: &Club, _: &ClubViewer| {
        let joined = taken(club, &key, &fields::<Joining>(&bytes)?.name)?;
        club.announce()?;
        let viewer = club.store().viewer(&joined.token)?;
        Ok(with_token(html(&pages::welcome(&club.settings, &viewer, &joined)), &sent, &joined.token))
    };
    show(club, headers, true, make).await
}

async fn login(State(club): Served, headers: HeaderMap) -> Shown {
    show(club, headers, false, |club, _| Ok(html(&pages::login(&club.settings, false)))).await
}

#[derive(Deserialize)]
struct ShownToken {
    token: String,
}

async fn log_in(State(club): Served, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let sent = headers.clone();
    let make = move |club: &Club, _: &ClubViewer| {
        let ShownToken { token } = fields(&bytes)?;
        let home = match club.store().viewer(token.trim())? {
            ClubViewer::Stranger => {
                return Ok((StatusCode::FORBIDDEN, html(&pages::login(&club.settings, true))).into_response());
            }
            ClubViewer::Author { .. } => "/bots",
            ClubViewer::Organiser => "/house",
        };
        Ok(with_token(to(home), &sent, token.trim()))
    };
    show(club, headers, true, make).await
}

async fn log_out(State(club): Served, headers: HeaderMap) -> Shown {
    let sent = headers.clone();
    show(club, headers, true, move |_, _| Ok(with_token(to("/"), &sent, ""))).await
}

/// The versions of a team, or all.
fn versions(club: &Club, team: Option<&str>) -> Result<Vec<VersionAnswer>, Refused> {
    let (versions, event, line) = {
        let store = club.store();
        (store.versions()?, store.newest_event()?, in_turn(&store.waiting()?))
    };
    let ladder = club.ladder()?;
    let wanted = versions.iter().filter(|version| team.is_none_or(|team| version.team == team));
    Ok(wanted.map(|version| VersionAnswer::of(version, event, &line, &ladder)).collect())
}

async fn bots(State(club): Served, headers: HeaderMap) -> Shown {
    let make = |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::OwnBots)?;
        let ClubViewer::Author { team } = viewer else { return Err(Refused::stranger(viewer)) };
        Ok(html(&pages::bots(&club.settings, viewer, &versions(club, Some(team))?)))
    };
    show(club, headers, false, make).await
}

async fn version(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let stored = club.version(id, viewer)?;
        let answer = club.answer(&stored)?;
        let games = if answer.games > 0 { last_games(&club.folder.run(), &answer.agent)? } else { Vec::new() };
        let (build, check) = (club.build_words(id), check_words(club, id));
        let shown = VersionPage {
            version: &answer,
            is_held: stored.is_held,
            build: build.as_deref(),
            check: check.as_deref(),
            games: &games,
        };
        Ok(html(&pages::version(&club.settings, viewer, &shown)))
    };
    show(club, headers, false, make).await
}

/// What the check of a version said: a line for each step.
fn check_words(club: &Club, id: i64) -> Option<String> {
    let report = std::fs::read_to_string(club.folder.words(id)).ok()?;
    let report: Value = serde_json::from_str(&report).ok()?;
    let text = |step: &Value, key: &str| Untrusted::new(step[key].as_str().unwrap_or_default()).terminal();
    let line = |step: &Value| format!("{}: {}: {}\n", text(step, "step"), text(step, "outcome"), text(step, "what"));
    Some(report["steps"].as_array()?.iter().map(line).collect())
}

async fn pause(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    decide(club, id, headers, VersionNews::Paused).await
}

async fn resume(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    decide(club, id, headers, VersionNews::Resumed).await
}

async fn withdraw(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    decide(club, id, headers, VersionNews::Withdrawn).await
}

async fn decide(club: Arc<Club>, id: i64, headers: HeaderMap, news: VersionNews) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        club.decide(id, viewer, news)?;
        Ok(to(&format!("/versions/{id}")))
    };
    show(club, headers, true, make).await
}

#[derive(Deserialize)]
struct TrialForm {
    against: String,
    games: u32,
}

async fn ask_trial(State(club): Served, Path(id): Path<i64>, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let make = move |club: &Club, viewer: &ClubViewer| {
        club.version(id, viewer)?;
        let TrialForm { against, games } = fields(&bytes)?;
        let against = against.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let trial = club.ask_trial(viewer, &WantedTrial { version: id, against, games })?;
        Ok(to(&format!("/trials/{}", trial.id)))
    };
    show(club, headers, true, make).await
}

async fn trial(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        Ok(html(&pages::trial(&club.settings, viewer, &club.trial(id, viewer)?)))
    };
    show(club, headers, false, make).await
}

async fn game(State(club): Served, Path(name): Path<String>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::PublicPages)?;
        let run = club.shown_run();
        let page = if run.exists() { game_page(&run, &name)? } else { None };
        let page = page.ok_or_else(|| {
            Refused::new(StatusCode::NOT_FOUND, "there is no finished game of this name, or the ladder is frozen")
        })?;
        // It holds a script of its own, and says itself what it may do.
        let policy = HeaderValue::from_static("frame-ancestors 'none'");
        Ok(([(CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
    };
    show(club, headers, false, make).await
}

fn house_page(club: &Club, viewer: &ClubViewer, link: Option<&str>) -> Result<Response, Refused> {
    only(viewer, &ClubThing::House)?;
    let versions = versions(club, None)?;
    let (members, invitations, after) = {
        let store = club.store();
        (store.members()?, store.invitations()?, store.newest_event()? - EVENTS_BACK)
    };
    let events = club.events(after, viewer)?;
    let shown = HousePage { members: &members, invitations: &invitations, versions: &versions, events: &events, link };
    Ok(html(&pages::house(&club.settings, viewer, &shown)))
}

async fn house(State(club): Served, headers: HeaderMap) -> Shown {
    show(club, headers, false, |club, viewer| house_page(club, viewer, None)).await
}

#[derive(Deserialize)]
struct WantedInvitation {
    #[serde(default)]
    team: String,
    uses: u32,
}

async fn invite(State(club): Served, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::Invite)?;
        let WantedInvitation { team, uses } = fields(&bytes)?;
        let team = Some(team).filter(|team| !team.is_empty());
        let link = club.invite(viewer, team, uses)?;
        house_page(club, viewer, Some(&link))
    };
    show(club, headers, true, make).await
}

async fn ban(State(club): Served, Path(name): Path<String>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        club.ban(&name, viewer)?;
        Ok(to("/house"))
    };
    show(club, headers, true, make).await
}
