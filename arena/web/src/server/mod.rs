//! The server of the pages: which address shows what. It reads and changes nothing by itself; what it shows it asks a [`Shown`],
//! away from the thread that answers.

mod guard;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::Markup;
use serde::Deserialize;

use crate::cards;
use crate::game::{GAME_STYLE, SCRIPT_PATH, game_body, script};
use crate::page::STYLE;
use crate::report::REPORT_STYLE;
use crate::shown::{GameFilter, Loaded, Overview, Shown, Trouble};
use crate::site::{self, SITE_STYLE, Section};

pub use guard::Access;

/// What every answer is made with.
#[derive(Clone)]
struct Site {
    shown: Arc<dyn Shown>,
    access: Arc<Access>,
}

/// Serves pages until the process ends.
///
/// # Errors
/// The listener fails.
pub async fn serve(
    listener: tokio::net::TcpListener,
    shown: Arc<dyn Shown>,
    token: Option<String>,
) -> std::io::Result<()> {
    let access = Arc::new(Access::new(listener.local_addr()?, token));
    axum::serve(listener, router(shown, access)).await
}

/// The address of the pages for a person: with the token that they want, if they want one.
pub fn address(listening: SocketAddr, token: Option<&str>) -> String {
    match token {
        Some(token) => format!("http://{listening}/?token={token}"),
        None => format!("http://{listening}/"),
    }
}

fn router(shown: Arc<dyn Shown>, access: Arc<Access>) -> Router {
    let site = Site { shown, access };
    Router::new()
        .route("/", get(home))
        .route("/games", get(games))
        .route("/games/{game}", get(game))
        .route("/games/{game}/record", get(record))
        .route("/rules", get(rules))
        .route("/rules/{set}", get(rule_set))
        .route("/documents", get(documents))
        .route("/documents/{name}", get(document))
        .route(SCRIPT_PATH, get(async || asset("text/javascript; charset=utf-8", script())))
        .route("/assets/icon.svg", get(async || asset("image/svg+xml", cards::icon())))
        .route("/assets/style.css", get(async || style(STYLE)))
        .route("/assets/site.css", get(async || style(SITE_STYLE)))
        .route("/assets/game.css", get(async || style(GAME_STYLE)))
        .route("/assets/report.css", get(async || style(REPORT_STYLE)))
        .fallback(async || missing("There is no such page."))
        .layer(from_fn_with_state(site.clone(), guard::check))
        .with_state(site)
}

fn asset(kind: &'static str, text: impl Into<String>) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], text.into()).into_response()
}

fn style(text: &'static str) -> Response {
    asset("text/css; charset=utf-8", text)
}

fn page(title: &str, section: Section, body: &Markup) -> Response {
    Html(site::page(title, section, body).into_string()).into_response()
}

fn missing(why: &str) -> Response {
    (StatusCode::NOT_FOUND, page("Not found", Section::None, &site::message("Not found", why))).into_response()
}

fn failed(trouble: &Trouble) -> Response {
    let Trouble(why) = trouble;
    (StatusCode::INTERNAL_SERVER_ERROR, page("It did not work", Section::None, &site::message("It did not work", why)))
        .into_response()
}

/// Asks what is shown, on a thread where it may read files.
async fn ask<T: Send + 'static>(
    site: Site,
    question: impl FnOnce(&dyn Shown) -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Response> {
    let asked = tokio::task::spawn_blocking(move || question(&*site.shown)).await;
    match asked {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(trouble)) => Err(failed(&trouble)),
        Err(error) => Err(failed(&Trouble(error.to_string()))),
    }
}

async fn home(State(site): State<Site>) -> Result<Response, Response> {
    Ok(match ask(site, |shown| shown.overview()).await? {
        Overview::Run(report) => page(&report.league, Section::Standings, &site::standings(&report)),
        Overview::Records => Redirect::temporary("/games").into_response(),
        Overview::Nothing => Redirect::temporary("/rules").into_response(),
    })
}

async fn games(State(site): State<Site>, Query(filter): Query<GameFilter>) -> Result<Response, Response> {
    let wanted = filter.clone();
    let found = ask(site, move |shown| shown.games(&wanted)).await?;
    Ok(page("Games", Section::Games, &site::games(&filter, &found)))
}

async fn game(State(site): State<Site>, Path(name): Path<String>) -> Result<Response, Response> {
    let asked = name.clone();
    Ok(match ask(site, move |shown| shown.game(&asked)).await? {
        None => missing("There is no finished game of this name."),
        Some(Loaded { story: Err(why), .. }) => {
            page(&name, Section::Games, &site::message("This record is wrong", &why))
        }
        Some(Loaded { story: Ok(story), wrong, rules }) => {
            let rules = rules.map(|set| format!("/rules/{}", site::in_path(&set)));
            match game_body(&story, rules.as_deref()) {
                Ok(body) => page(&story.game, Section::Game, &site::game(body, &name, wrong.as_deref())),
                Err(error) => failed(&Trouble(error.to_string())),
            }
        }
    })
}

async fn record(State(site): State<Site>, Path(name): Path<String>) -> Result<Response, Response> {
    let asked = name.clone();
    Ok(match ask(site, move |shown| shown.record(&asked)).await? {
        None => missing("There is no finished game of this name."),
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
    let sets = ask(site, |shown| Ok(shown.rule_sets())).await?;
    Ok(page("Rules", Section::Rules, &site::rule_sets(&sets)))
}

async fn rule_set(State(site): State<Site>, Path(set): Path<String>) -> Result<Response, Response> {
    Ok(match ask(site, move |shown| shown.rules(&set)).await? {
        Some(rules) => page(&rules.title, Section::Rules, &site::rules(&rules)),
        None => missing("There is no such rule set here."),
    })
}

#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    q: String,
}

async fn documents(Query(Search { q }): Query<Search>) -> Response {
    page("Documents", Section::Documents, &site::documents(&q))
}

async fn document(Path(name): Path<String>) -> Response {
    match site::document(&name) {
        Some((title, body)) => page(title, Section::Documents, &body),
        None => missing("There is no such document."),
    }
}
