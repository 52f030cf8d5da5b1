//! Lessons: a page sends what the learner does, and is sent what comes of it. Nothing is kept between two requests.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::seats::sent;
use super::{Site, asset};
use crate::shown::NotShown;
use crate::site::{self, Section};

const NONE_HERE: &str = "There are no lessons here: `maumau serve` has them.";
const NO_SET: &str = "There are no lessons of this name.";

pub(super) async fn sets(State(site): State<Site>) -> Result<Response, Response> {
    let lessons = site.served.lessons.clone().ok_or_else(|| site.missing(NONE_HERE))?;
    let sets = site.ask(move |_| Ok(lessons.sets())).await?;
    Ok(site.page("Learn", Section::Learn, &site::lesson_sets(&sets, true)))
}

pub(super) async fn page(State(site): State<Site>, Path(name): Path<String>) -> Result<Response, Response> {
    let lessons = site.served.lessons.clone().ok_or_else(|| site.missing(NONE_HERE))?;
    let found = site
        .ask(move |_| {
            let set = lessons.sets().into_iter().find(|set| set.name == name);
            Ok(set.zip(lessons.of_set(&name)?))
        })
        .await?;
    let (set, lessons) = found.ok_or_else(|| site.missing(NO_SET))?;
    let plays = site.served.lobby.is_some();
    let body = site::lessons(&set, &lessons, plays).map_err(|error| site.failed(&NotShown(error.to_string())))?;
    Ok(site.page(&format!("Learn {}", set.title), Section::Lessons, &body))
}

/// How a lesson, counted from 1, lies at first.
pub(super) async fn begin(State(site): State<Site>, Path(place): Path<(String, usize)>) -> Response {
    say(&site, place, None).await
}

/// What comes of an action.
pub(super) async fn answer(State(site): State<Site>, Path(place): Path<(String, usize)>, body: Body) -> Response {
    let action = sent(body).await.and_then(|sent| serde_json::from_slice::<Value>(&sent).ok());
    match action.filter(Value::is_object) {
        Some(action) => say(&site, place, Some(action)).await,
        None => refused(StatusCode::BAD_REQUEST, "expected an action of the page of this lesson"),
    }
}

async fn say(site: &Site, (set, number): (String, usize), action: Option<Value>) -> Response {
    let Some(lessons) = site.served.lessons.clone() else { return refused(StatusCode::NOT_FOUND, NONE_HERE) };
    let Some(at) = number.checked_sub(1) else { return refused(StatusCode::NOT_FOUND, NO_SET) };
    match site.ask(move |_| Ok(lessons.answer(&set, at, action))).await {
        Ok(Ok(Some(answer))) => asset("application/json", answer.to_string()),
        Ok(Ok(None)) => refused(StatusCode::NOT_FOUND, NO_SET),
        Ok(Err(NotShown(why))) => refused(StatusCode::BAD_REQUEST, &why),
        Err(failed) => failed,
    }
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], json!({ "why": why }).to_string()).into_response()
}
