//! The server of the pages: which address shows what. It reads and changes nothing by itself; what it shows it asks a [`PageSource`] and
//! a [`LiveSource`], away from the thread that answers.

mod connections;
mod guard;
mod lessons;
mod live;
mod lobby;
mod push;
mod seats;

use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFRESH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::serve::Listener;
use connections::Connections;
use guard::PageAccess;
use maud::Markup;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::address::in_path;
use crate::cards;
use crate::game::{SCRIPT_PATH, WantedMoment, game_body, script};
use crate::lessons::Lessons;
use crate::live::{LIVE_SCRIPT_PATH, TABLES_SCRIPT_PATH, TV_SCRIPT_PATH, live_script, tables_script, tv_script};
use crate::lobby::Lobby;
use crate::seats::{LESSON_SCRIPT_PATH, SEAT_SCRIPT_PATH, Seats, WebSeat, lesson_script, seat_script};
use crate::shown::{GameFilter, LiveSource, LoadedGame, NotShown, Overview, PageSource, Workers};
use crate::site::{self, LessonsAt, Parts, Section};

pub use guard::{RequestOrigin, Token, secure};
pub use push::{event, last_number, passed_on, watched};

/// How long the connections of viewers are waited for at the end.
const LAST_NEWS: Duration = Duration::from_secs(2);

/// How long pages are served after those who look at the standings were sent that the run is over.
const LAST_LOOK: Duration = Duration::from_millis(1_500);

/// How often the page of the workers is read again, in seconds.
const WORKERS_EVERY_S: &str = "2";

/// What a server serves.
#[derive(Clone)]
pub struct ServedContent {
    /// What is over and what never changes.
    pub shown: Arc<dyn PageSource>,
    /// What is being played.
    pub live: Option<Arc<dyn LiveSource>>,
    /// The machines that share what is played.
    pub workers: Option<Arc<dyn Workers>>,
    /// The seats of people.
    pub seats: Option<Arc<Seats>>,
    /// Where people open tables.
    pub lobby: Option<Arc<dyn Lobby>>,
    /// Lessons in the rules.
    pub lessons: Option<Arc<dyn Lessons>>,
    /// True if nothing but one game is shown.
    pub one_game: bool,
}

/// What every answer is made with.
#[derive(Clone)]
struct Site {
    served: ServedContent,
    access: Arc<PageAccess>,
    port: u16,
    /// A text of its own, which distinguishes its news from those of another run of the program.
    begun: Arc<str>,
    /// True once the last news have been sent.
    closing: watch::Receiver<bool>,
}

/// Serves pages on at most `most` connections at once until `ending` says that the end has come, and then as long as viewers are sent
/// their last news, but not for long.
///
/// # Errors
/// The address of the listener is not known, or the games in play cannot be shown.
pub async fn serve(
    listener: TcpListener,
    served: ServedContent,
    token: Arc<Token>,
    most: usize,
    ending: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let access = Arc::new(PageAccess::new(address, token));
    let (close, closing) = watch::channel(false);
    let begun = format!("{:x}", RandomState::new().hash_one(address)).into();
    let site = Site { served, access, port: address.port(), begun, closing: closing.clone() };
    let live = site.served.live.clone();
    let (stop, stopping) = watch::channel(false);
    let narrating = async move {
        let mut sent = Ok(());
        let mut is_watched = false;
        match live {
            Some(live) => {
                sent = live::narrate(Arc::clone(&live), ending).await.map_err(std::io::Error::other);
                is_watched = live.tables().viewers() > 0;
            }
            None => until(ending).await,
        }
        close.send_replace(true);
        if is_watched {
            // Standings are read once more.
            tokio::time::sleep(LAST_LOOK).await;
        }
        stop.send_replace(true);
        tokio::time::sleep(LAST_NEWS).await;
        sent
    };
    let connections = Connections::new(most);
    tokio::select! {
        () = connections.serve(listener, router(site), stopping) => Ok(()),
        sent = narrating => sent,
    }
}

/// Answers by `router`, which brings its own access rules, on at most `most` connections at once until `stopping`.
pub async fn serve_router(listener: TcpListener, router: Router, most: usize, stopping: watch::Receiver<bool>) {
    Connections::new(most).serve(listener, router, stopping).await;
}

/// Waits until it is so; or nobody can say it any more.
async fn until(mut signal: watch::Receiver<bool>) {
    _ = signal.wait_for(|is_so| *is_so).await;
}

/// Lets the agents of people come to their seats. It does not return.
pub async fn seat_agents(listener: TcpListener, seats: Arc<Seats>) {
    listen(listener, seats).await;
}

/// The address of the pages for a person: with the token that they want, if they want one.
pub fn address(listening: SocketAddr, token: Option<&str>) -> String {
    match token {
        Some(token) => format!("http://{listening}/?token={token}"),
        None => format!("http://{listening}/"),
    }
}

fn router(site: Site) -> Router {
    Router::new()
        .route("/", get(home))
        .route(site::TV_PATH, get(tv))
        .route("/live", get(live::tables))
        .route("/live/news", get(live::news_of_tables))
        .route("/live/{game}", get(live::game))
        .route("/live/{game}/news", get(live::news_of_game))
        .route("/seat/{seat}", get(seats::page).post(seats::take))
        .route("/seat/{seat}/news", get(seats::news))
        .route("/seat/{seat}/choice", post(seats::choice))
        .route("/seat/{seat}/leave", post(seats::leave))
        .route("/seat/{seat}/next", get(seats::next))
        .route("/seat/{seat}/free/{other}", post(seats::free_other))
        .route("/seats", get(seats::all))
        .route("/seats/{seat}/free", post(seats::free))
        .route(site::LOBBY_PATH, get(lobby::form).post(lobby::open))
        .route("/table/{table}", get(lobby::table))
        .route(site::LEARN_PATH, get(lessons::sets))
        .route("/learn/{set}", get(lessons::page))
        .route("/learn/{set}/{lesson}", get(lessons::begin).post(lessons::answer))
        .route("/workers", get(workers))
        .route("/games", get(games))
        .route("/seeds", get(seeds))
        .route("/games/{game}", get(game))
        .route("/games/{game}/record", get(record))
        .route("/games/{game}/picture.svg", get(picture))
        .route("/rules", get(rules))
        .route("/rules/{set}", get(rule_set))
        .route("/documents", get(documents))
        .route("/documents/{name}", get(document))
        .route(SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", script())))
        .route(LIVE_SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", live_script())))
        .route(TABLES_SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", tables_script())))
        .route(TV_SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", tv_script())))
        .route(SEAT_SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", seat_script())))
        .route(LESSON_SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", lesson_script())))
        .route("/assets/icon.svg", get(async || asset("image/svg+xml", cards::icon())))
        .fallback(async |State(site): State<Site>| site.missing("There is no such page."))
        .layer(from_fn_with_state(site.clone(), guard::check))
        .with_state(site)
}

fn asset(kind: &'static str, text: impl Into<String>) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text.into()).into_response()
}

impl Site {
    fn page(&self, title: &str, section: Section, body: &Markup) -> Response {
        self.page_with(title, section, &Markup::default(), body)
    }

    /// The same, with more in its head.
    fn page_with(&self, title: &str, section: Section, head: &Markup, body: &Markup) -> Response {
        let ServedContent { live, workers, lobby, lessons, one_game, .. } = &self.served;
        let (live, workers, lobby) = (live.is_some(), workers.is_some(), lobby.is_some());
        let parts = Parts { live, workers, lobby, lessons: lessons.is_some(), one_game: *one_game };
        Html(site::page(title, section, parts, head, body).into_string()).into_response()
    }

    fn refusal(&self, status: StatusCode, title: &str, why: &str) -> Response {
        (status, self.page(title, Section::None, &site::message(title, why))).into_response()
    }

    fn missing(&self, why: &str) -> Response {
        self.refusal(StatusCode::NOT_FOUND, "Not found", why)
    }

    fn failed(&self, trouble: &NotShown) -> Response {
        let NotShown(why) = trouble;
        self.refusal(StatusCode::INTERNAL_SERVER_ERROR, "It did not work", why)
    }

    /// Where the lessons of a rule set are, if it has any.
    fn learn_address(&self, set: &str) -> Option<String> {
        self.served.lessons.as_ref()?.has(set).then(|| site::learn_address(set))
    }

    /// Asks what is shown, on a thread where it may read files.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&ServedContent) -> Result<T, NotShown> + Send + 'static,
    ) -> Result<T, Response> {
        let served = self.served.clone();
        let asked = tokio::task::spawn_blocking(move || question(&served)).await;
        match asked {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(trouble)) => Err(self.failed(&trouble)),
            Err(error) => Err(self.failed(&NotShown(error.to_string()))),
        }
    }
}

async fn home(State(site): State<Site>) -> Result<Response, Response> {
    if site.served.lobby.is_some() {
        return Ok(Redirect::temporary(site::LOBBY_PATH).into_response());
    }
    Ok(match site.ask(|served| served.shown.overview()).await? {
        Overview::Run(report) => {
            let body = site::standings(&report, site.served.live.is_some());
            site.page(&report.league, Section::Standings, &body)
        }
        Overview::Live => Redirect::temporary("/live").into_response(),
        Overview::Records => Redirect::temporary("/games").into_response(),
        Overview::Nothing => Redirect::temporary("/rules").into_response(),
    })
}

/// What a screen for a room shows between two games.
async fn tv(State(site): State<Site>) -> Result<Response, Response> {
    let overview = site.ask(|served| served.shown.overview()).await?;
    let report = if let Overview::Run(report) = &overview { Some(&**report) } else { None };
    Ok(site.page("Screen", Section::Tv, &site::tv(report, site.served.live.is_some())))
}

/// Workers and what they do; the page is read again as long as it is open.
async fn workers(State(site): State<Site>) -> Result<Response, Response> {
    if site.served.workers.is_none() {
        return Ok(site.missing("This run is not shared among machines."));
    }
    let now = site.ask(|served| served.workers.as_ref().map(|workers| workers.now()).transpose()).await?;
    let body = site::workers(&now.unwrap_or_default());
    Ok(([(REFRESH, WORKERS_EVERY_S)], site.page("Workers", Section::Workers, &body)).into_response())
}

async fn games(State(site): State<Site>, Query(filter): Query<GameFilter>) -> Result<Response, Response> {
    let wanted = filter.clone();
    let found = site.ask(move |served| served.shown.games(&wanted)).await?;
    Ok(site.page("Games", Section::Games, &site::games(&filter, &found)))
}

#[derive(Deserialize)]
struct Place {
    #[serde(default)]
    from: u64,
}

/// Commitments and seeds of deals that are done.
async fn seeds(State(site): State<Site>, Query(Place { from }): Query<Place>) -> Result<Response, Response> {
    Ok(match site.ask(move |served| served.shown.seeds(from)).await? {
        Some(found) => {
            let next = found.next.map(|next| format!("/seeds?from={next}"));
            site.page("Seeds", Section::Games, &site::seeds(&found, next.as_deref()))
        }
        None => site.missing("Nothing here was dealt by a run."),
    })
}

/// The address of the server, as the browser names it.
fn root(headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme = if guard::secure(headers).is_empty() { "http" } else { "https" };
    format!("{scheme}://{host}")
}

/// Where the rules of a set are explained.
fn rules_address(set: &str) -> String {
    format!("/rules/{}", in_path(set))
}

async fn game(State(site): State<Site>, Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Response> {
    let asked = name.clone();
    let found = site.ask(move |served| Ok((served.shown.game(&asked)?, served.shown.beside(&asked)?))).await?;
    let (game, beside) = found;
    Ok(match game {
        None => site.missing("There is no finished game of this name."),
        Some(LoadedGame { story: Err(why), .. }) => {
            site.page(&name, Section::Games, &site::message("This record is wrong", &why))
        }
        Some(LoadedGame { story: Ok(story), wrong, rules }) => {
            let story = story.called(&name);
            match game_body(&story, rules.as_deref().map(rules_address).as_deref(), Some(site::LAW_ADDRESS)) {
                Ok(body) => {
                    let body = site::game(body, &name, wrong.as_deref(), &beside);
                    let head = site::card(&story, &name, &root(&headers));
                    site.page_with(&format!("{name} · {}", story.rules), Section::Game, &head, &body)
                }
                Err(error) => site.failed(&NotShown(error.to_string())),
            }
        }
    })
}

/// A moment as a picture.
async fn picture(
    State(site): State<Site>,
    Path(name): Path<String>,
    Query(moment): Query<WantedMoment>,
) -> Result<Response, Response> {
    Ok(match site.ask(move |served| served.shown.picture(&name, moment)).await? {
        Some(svg) => {
            let mut answer = asset("image/svg+xml", svg);
            // A document of its own: what it loads is nothing, and what moves it is its style.
            let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
            answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
            answer
        }
        None => site.missing("There is no finished game of this name."),
    })
}

async fn record(State(site): State<Site>, Path(name): Path<String>) -> Result<Response, Response> {
    let asked = name.clone();
    Ok(match site.ask(move |served| served.shown.record(&asked)).await? {
        None => {
            site.missing("There is no record of this name to be shown; while a run is played, its records are closed.")
        }
        Some(record) => {
            let mut answer = asset("application/x-ndjson", String::new());
            let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
            if let Ok(named) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}.jsonl\"")) {
                answer.headers_mut().insert(CONTENT_DISPOSITION, named);
            }
            *answer.body_mut() = record.into();
            answer
        }
    })
}

async fn rules(State(site): State<Site>) -> Result<Response, Response> {
    let sets = site.ask(|served| Ok(served.shown.rule_sets())).await?;
    Ok(site.page("Rules", Section::Rules, &site::rule_sets(&sets)))
}

async fn rule_set(State(site): State<Site>, Path(set): Path<String>) -> Result<Response, Response> {
    let learn = site.learn_address(&set);
    Ok(match site.ask(move |served| served.shown.rules(&set)).await? {
        Some(rules) => {
            site.page(&rules.title, Section::Rules, &site::rules(&rules, learn.as_deref().map(LessonsAt::Played)))
        }
        None => site.missing("There is no such rule set here."),
    })
}

#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    q: String,
}

async fn documents(State(site): State<Site>, Query(Search { q }): Query<Search>) -> Response {
    site.page("Documents", Section::Documents, &site::documents(&q))
}

async fn document(State(site): State<Site>, Path(name): Path<String>) -> Response {
    match site::document(&name) {
        Some((title, body)) => site.page(title, Section::Documents, &body),
        None => site.missing("There is no such document."),
    }
}

/// How long a visitor may take to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

/// How many visitors may be about to say who they are; there are at most as many seats.
const VISITORS: usize = maumau_protocol::MAX_SEATS;

/// The longest line of an agent.
const LINE_BYTES: u64 = 1024 * 1024;

/// What the page is sent when the agent is gone.
const GONE: &str = "The game is over, or your agent was dismissed from it; nothing more comes.";

/// Lets agents in.
async fn listen(mut listener: TcpListener, seats: Arc<Seats>) {
    let visitors = Arc::new(Semaphore::new(VISITORS));
    loop {
        // One is let in before the next is accepted: what is not introduced in time makes room.
        let Ok(visitor) = Arc::clone(&visitors).acquire_owned().await else { return };
        let (stream, _) = Listener::accept(&mut listener).await;
        let seats = Arc::clone(&seats);
        tokio::spawn(async move {
            let mut lines = BufReader::new(stream);
            let mut key = String::new();
            let introduced = timeout(INTRODUCTION, (&mut lines).take(256).read_line(&mut key)).await;
            let place = seats.of_agent(key.trim_end()).filter(|_| matches!(introduced, Ok(Ok(_))));
            drop(visitor);
            if let Some(place) = place {
                attend(lines, &place).await;
            }
        });
    }
}

/// Passes on what an agent and a page have for one another, until the agent is gone.
async fn attend(lines: BufReader<TcpStream>, place: &WebSeat) {
    let Some(mut choices) = place.chosen() else { return };
    let mut stream = lines;
    let mut line = Vec::new();
    loop {
        tokio::select! {
            read = read_line(&mut stream, &mut line) => {
                if !matches!(read, Ok(true)) {
                    break;
                }
                match std::str::from_utf8(&line).ok().and_then(|text| text.split_at_checked(1)) {
                    Some(("+", line)) => place.add(line),
                    Some(("~", moment)) => place.add_moment(moment),
                    Some(("=", now)) => place.show(now),
                    _ => break,
                }
                line.clear();
            }
            Some(choice) = choices.recv() => {
                if stream.get_mut().write_all(format!("{choice}\n").as_bytes()).await.is_err() {
                    break;
                }
            }
            () = place.left() => break,
        }
    }
    place.end(GONE);
}

/// Reads on in a line; `true` once it is complete, without its end. What was read stays in `line` if it is interrupted.
async fn read_line(stream: &mut BufReader<TcpStream>, line: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        let buffer = stream.fill_buf().await?;
        if buffer.is_empty() || line.len() as u64 > LINE_BYTES {
            return Ok(false);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        stream.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}
