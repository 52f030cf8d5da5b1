//! The addresses of the pages. A member is known by a cookie, which the browser sends to this server alone; a form is taken only from a
//! page of this server. Every answer asks `maumau_club::may`.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Path, Query, Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use maud::Markup;
use maumau_club::{ClubThing, ClubViewer, VersionNews, in_turn, may};
use maumau_run::io::untrusted::Untrusted;
use maumau_web::server::{RequestOrigin, secure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answers::{TrialAnswer, VersionAnswer};
use super::chapters;
use super::games::{games_of, recorded_page};
use super::open_club::Club;
use super::pages::{self, ClubFrame, FrontPage, HousePage, OwnGamePage, VersionPage};
use super::passing::pass_on;
use super::requests::{COOKIE_NAME, Joining, Refused, Served, WantedClass, ask, body, only, taken, to};
use super::sent_files::SentFiles;
use super::store::{ClubDecision, WantedChapter};
use super::trials::{WantedRerun, WantedTrial};
use super::upkeep::{freeze, thaw};

/// Seconds for which a browser keeps a token: a year.
const COOKIE_FOR_S: u32 = 365 * 24 * 60 * 60;
/// Events on a page.
const EVENTS_BACK: i64 = 50;
/// Games that were played again on the organiser's page.
const LISTED: usize = 20;
/// Files of a form, those that are left out among them.
const MAX_PARTS: usize = 5_000;

/// The addresses.
pub(super) fn router() -> Router<Arc<Club>> {
    Router::new()
        .route("/", get(front))
        .route("/join/{key}", get(invited).post(join))
        .route("/login", get(login).post(log_in))
        .route("/logout", post(log_out))
        .route("/bots", get(bots).post(send).layer(DefaultBodyLimit::disable()))
        .route("/token", post(new_token))
        .route("/versions/{id}", get(version))
        .route("/versions/{id}/pause", post(pause))
        .route("/versions/{id}/resume", post(resume))
        .route("/versions/{id}/withdraw", post(withdraw))
        .route("/versions/{id}/disqualify", post(disqualify))
        .route("/versions/{id}/trial", post(ask_trial))
        .route("/versions/{id}/games/{name}", get(own_game))
        .route("/trials/{id}", get(trial))
        .route("/trials/{id}/game", get(rerun_game))
        .route("/reruns", post(ask_rerun))
        .route("/games/{name}", get(game))
        .route("/events", get(events))
        .route("/past", get(past))
        .route("/house", get(house))
        .route("/house/{act}", post(act))
        .route("/invitations", post(invite))
        .route("/invitations/{id}/take-back", post(take_back))
        .route("/members/{name}/ban", post(ban))
        .fallback(pass_on)
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
    (refused.status, html(&pages::message(&club.frame(viewer), title, &refused.why))).into_response()
}

impl Club {
    /// What stands on all pages for `viewer`. A database that fails says so on the page itself.
    fn frame<'a>(&'a self, viewer: &'a ClubViewer) -> ClubFrame<'a> {
        let store = self.store();
        let decided = |decision| store.decision(decision).unwrap_or_else(|error| Some(format!("{error:#}")));
        ClubFrame {
            settings: &self.settings,
            viewer,
            chapter: self.folder.chapter(),
            message: decided(ClubDecision::Message),
            is_closed: decided(ClubDecision::Closed).is_some(),
            is_full: decided(ClubDecision::Full).is_some(),
        }
    }

    /// A page with one sentence.
    pub(super) fn sentence(&self, status: StatusCode, why: &str) -> Response {
        refusal(self, &ClubViewer::Stranger, &Refused::new(status, why))
    }
}

fn html(page: &Markup) -> Response {
    Html(page.0.clone()).into_response()
}

/// A page that holds a script of its own, and says itself what it may do.
fn scripted(page: &Markup) -> Response {
    let policy = HeaderValue::from_static("frame-ancestors 'none'");
    ([(CONTENT_SECURITY_POLICY, policy)], html(page)).into_response()
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

async fn front(State(club): Served, Query(wanted): Query<WantedClass>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &club.settings.public_pages())?;
        let (ladder, is_frozen) = club.shown_ladder()?;
        let classes: BTreeSet<String> = club.store().classes()?.into_values().collect();
        let shown = FrontPage {
            ladder: &club.of_class(&ladder, &wanted)?,
            is_frozen,
            has_past: club.folder.chapter() > 1,
            queue: &club.queue()?,
            classes: &classes,
            class: wanted.class.as_deref().unwrap_or_default(),
        };
        Ok(html(&pages::front(&club.frame(viewer), &shown)))
    };
    show(club, headers, false, make).await
}

/// Shows an invitation and takes nothing: programs that look at links in letters open it, too.
async fn invited(State(club): Served, Path(key): Path<String>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let is_open = club.store().invitation(&key)?.is_some();
        Ok(html(&pages::invitation(&club.frame(viewer), is_open)))
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
        Ok(with_token(html(&pages::welcome(&club.frame(&viewer), &joined)), &sent, &joined.token))
    };
    show(club, headers, true, make).await
}

async fn login(State(club): Served, headers: HeaderMap) -> Shown {
    show(club, headers, false, |club, _| Ok(html(&pages::login(&club.frame(&ClubViewer::Stranger), false)))).await
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
                return Ok((StatusCode::FORBIDDEN, html(&pages::login(&club.frame(&ClubViewer::Stranger), true)))
                    .into_response());
            }
            ClubViewer::Author { .. } => "/bots",
            ClubViewer::Guest { .. } => "/",
            ClubViewer::Organiser { .. } => "/house",
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
        let ClubViewer::Author { team, .. } = viewer else { return Err(Refused::stranger(viewer)) };
        Ok(html(&pages::bots(&club.frame(viewer), &versions(club, Some(team))?)))
    };
    show(club, headers, false, make).await
}

/// Takes a bot from the form of `/bots`: one archive, or the files of a folder.
async fn send(State(club): Served, request: Request) -> Shown {
    let headers = request.headers().clone();
    let asked = headers.clone();
    // Before the first byte of an archive is read.
    let may_send = |_: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::Upload { owner: None })?;
        Ok(StatusCode::OK.into_response())
    };
    show(Arc::clone(&club), asked, true, may_send).await?;
    let form = sent_form(request, club.upload_bytes()).await;
    let make = move |club: &Club, viewer: &ClubViewer| {
        let (name, sent) = form?;
        let (answer, _) = club.upload(viewer, Some(name.trim()).filter(|name| !name.is_empty()), &sent)?;
        Ok(to(&format!("/versions/{}", answer.id)))
    };
    show(club, headers, true, make).await
}

/// The bot's name, if the form says one, and what it holds, at most `most` bytes.
async fn sent_form(request: Request, most: usize) -> Result<(String, SentFiles), Refused> {
    let wrong = |why: String| Refused::new(StatusCode::BAD_REQUEST, why);
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|error| wrong(format!("the form: {}", error.body_text())))?;
    let (mut name, mut archive, mut files) = (String::new(), None, Vec::new());
    let mut left = most;
    while let Some(mut field) = form.next_field().await.map_err(|error| wrong(error.body_text()))? {
        let (key, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(|error| wrong(error.body_text()))? {
            left = left.checked_sub(chunk.len()).ok_or_else(|| {
                let why = format!("the limit upload_mib = {} is reached", most >> 20);
                Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why)
            })?;
            bytes.extend_from_slice(&chunk);
        }
        match (&*key, file) {
            ("name", _) => name = String::from_utf8_lossy(&bytes).into_owned(),
            // A browser sends an empty one where nothing was chosen.
            (_, Some(file)) if file.is_empty() => {}
            ("archive", Some(_)) => archive = Some(Bytes::from(bytes)),
            ("files", Some(file)) if files.len() < MAX_PARTS => files.push((file, Bytes::from(bytes))),
            ("files", Some(_)) => return Err(wrong(format!("the folder has more than {MAX_PARTS} files"))),
            _ => return Err(wrong("expected the form of the page".to_owned())),
        }
    }
    match (archive, files.is_empty()) {
        (Some(archive), true) => Ok((name, SentFiles::Archive(archive))),
        (None, false) => Ok((name, SentFiles::Files(files))),
        _ => Err(wrong("choose a folder or an archive, one of both".to_owned())),
    }
}

/// A further token for somebody whom the proxy has let in, or who is logged in.
async fn new_token(State(club): Served, headers: HeaderMap) -> Shown {
    let make = |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::OwnBots)?;
        let token = club.store().new_token(viewer.member())?;
        Ok(html(&pages::token(&club.frame(viewer), &token)))
    };
    show(club, headers, true, make).await
}

async fn version(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let stored = club.version(id, viewer)?;
        let answer = club.answer(&stored)?;
        let games = games_of(&club.folder.run(), &answer.agent)?;
        let of_bot: Vec<VersionAnswer> =
            versions(club, Some(&stored.team))?.into_iter().filter(|other| other.is_of(&stored.bot)).collect();
        let (build, check) = (club.build_words(id), check_words(club, id));
        let shown = VersionPage {
            version: &answer,
            is_held: stored.is_held,
            build: build.as_deref(),
            check: check.as_deref(),
            games: &games,
            of_bot: &of_bot,
            ladder: &club.ladder()?,
        };
        Ok(html(&pages::version(&club.frame(viewer), &shown)))
    };
    show(club, headers, false, make).await
}

/// What the check of a version said: a line for each step.
fn check_words(club: &Club, id: i64) -> Option<String> {
    let report = std::fs::read_to_string(club.folder.words(id)).ok()?;
    let report: Value = serde_json::from_str(&report).ok()?;
    let text = |step: &Value, key: &str| Untrusted::new(step[key].as_str().unwrap_or_default()).terminal();
    let line = |step: &Value| {
        format!("{}: {}: {}\n", text(step, "outcome").replace('_', " "), text(step, "step"), text(step, "what"))
    };
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

async fn disqualify(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    decide(club, id, headers, VersionNews::Disqualified).await
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
    let make =
        move |club: &Club, viewer: &ClubViewer| Ok(html(&pages::trial(&club.frame(viewer), &club.trial(id, viewer)?)));
    show(club, headers, false, make).await
}

#[derive(Deserialize)]
struct RerunForm {
    game: String,
}

async fn ask_rerun(State(club): Served, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::House)?;
        let RerunForm { game } = fields(&bytes)?;
        let asked = club.ask_rerun(viewer, &WantedRerun { game: game.trim().to_owned(), chapter: None })?;
        Ok(to(&format!("/trials/{}", asked.id)))
    };
    show(club, headers, true, make).await
}

/// A game as it was played again.
async fn rerun_game(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let record = club.rerun_record(id, viewer)?;
        Ok(scripted(&recorded_page(&record, &pages::above_rerun(&club.frame(viewer), id))?))
    };
    show(club, headers, false, make).await
}

async fn game(State(club): Served, Path(name): Path<String>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &club.settings.public_pages())?;
        let teams = club.store().teams_of_agents()?;
        let is_own = |agent: &str| teams.get(agent).is_some_and(|team| may(viewer, &ClubThing::OwnGame { team }));
        // Those of the team see its games also while the ladder is frozen.
        let mut game = club.finished_game(&club.shown_run(), &name)?;
        if game.is_none() && club.is_frozen() {
            let unseen = club.finished_game(&club.folder.run(), &name)?;
            game = unseen.filter(|game| game.seat(is_own).is_some());
        }
        let game = game.ok_or_else(|| {
            Refused::new(StatusCode::NOT_FOUND, "there is no finished game of this name, or the ladder is frozen")
        })?;
        // An organiser may have a bot in no game: it sees what everybody sees until the deal is done.
        let own = if viewer.is_organiser() { None } else { game.seat(is_own) };
        let above = pages::above_game(&club.frame(viewer), &name, game.is_open, own.is_some());
        Ok(scripted(&game.page(own, &above)?))
    };
    show(club, headers, false, make).await
}

/// A game as its bot saw it, for the team.
async fn own_game(State(club): Served, Path((id, name)): Path<(i64, String)>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        let version = club.version(id, viewer)?;
        let (game, seat) = club.own_game(&version, viewer, &name)?;
        let text = game.for_author(seat)?;
        let shown = OwnGamePage {
            version: id,
            agent: &version.agent(),
            run: &version.run,
            name: &name,
            seat,
            text: &text,
            is_open: game.is_open,
        };
        Ok(html(&pages::own_game(&club.frame(viewer), &shown)))
    };
    show(club, headers, false, make).await
}

/// What has happened, for all.
async fn events(State(club): Served, headers: HeaderMap) -> Shown {
    let make = |club: &Club, viewer: &ClubViewer| {
        only(viewer, &club.settings.public_pages())?;
        let after = club.store().newest_event()? - EVENTS_BACK;
        Ok(html(&pages::events(&club.frame(viewer), &club.events(after, viewer)?)))
    };
    show(club, headers, false, make).await
}

/// The chapters that are over.
async fn past(State(club): Served, headers: HeaderMap) -> Shown {
    let make = |club: &Club, viewer: &ClubViewer| {
        only(viewer, &club.settings.public_pages())?;
        Ok(html(&pages::past(&club.frame(viewer), &chapters::past(&club.folder)?)))
    };
    show(club, headers, false, make).await
}

fn house_page(club: &Club, viewer: &ClubViewer, link: Option<&str>, disputed: &str) -> Result<Response, Refused> {
    only(viewer, &ClubThing::House)?;
    let versions = versions(club, None)?;
    let (members, invitations, trials, after) = {
        let store = club.store();
        (store.members()?, store.invitations()?, store.trials()?, store.newest_event()? - EVENTS_BACK)
    };
    let again = trials.iter().rev().filter(|trial| trial.rerun.is_some());
    let reruns: Vec<TrialAnswer> = again.take(LISTED).map(|trial| TrialAnswer::of(trial, Vec::new())).collect();
    let events = club.events(after, viewer)?;
    let shown = HousePage {
        members: &members,
        invitations: &invitations,
        versions: &versions,
        events: &events,
        disputed,
        reruns: &reruns,
        link,
        is_frozen: club.is_frozen(),
        free_mib: club.folder.free_mib()?,
    };
    Ok(html(&pages::house(&club.frame(viewer), &shown)))
}

#[derive(Deserialize)]
struct Disputed {
    #[serde(default)]
    game: String,
}

async fn house(State(club): Served, Query(Disputed { game }): Query<Disputed>, headers: HeaderMap) -> Shown {
    show(club, headers, false, move |club, viewer| house_page(club, viewer, None, &game)).await
}

async fn invite(State(club): Served, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::Invite)?;
        let link = club.invite(viewer, fields(&bytes)?)?;
        house_page(club, viewer, Some(&link), "")
    };
    show(club, headers, true, make).await
}

async fn take_back(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> Shown {
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::Invite)?;
        match club.store().take_back(id, viewer.member())? {
            true => Ok(to("/house")),
            false => Err(Refused::new(StatusCode::NOT_FOUND, "this invitation is not open any more")),
        }
    };
    show(club, headers, true, make).await
}

#[derive(Deserialize)]
struct Words {
    #[serde(default)]
    text: String,
}

/// What the organiser decides about the whole club.
async fn act(State(club): Served, Path(act): Path<String>, request: Request) -> Shown {
    let headers = request.headers().clone();
    let bytes = body(request).await.map_err(Refused::into_response)?;
    let make = move |club: &Club, viewer: &ClubViewer| {
        only(viewer, &ClubThing::House)?;
        let who = viewer.member();
        let refused = |error: anyhow::Error| Refused::new(StatusCode::CONFLICT, format!("{error:#}"));
        match &*act {
            "freeze" => drop(freeze(&club.folder, who).map_err(refused)?),
            "thaw" => drop(thaw(&club.folder, who)?),
            "close" => drop(club.store().close(true, who)?),
            "open" => drop(club.store().close(false, who)?),
            "chapter" => chapters::want_chapter(&club.folder, &WantedChapter::default(), who).map_err(refused)?,
            "message" => drop(club.store().write_message(&fields::<Words>(&bytes)?.text, who)?),
            _ => return Err(Refused::new(StatusCode::NOT_FOUND, "there is no such act")),
        }
        club.announce()?;
        Ok(to("/house"))
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
