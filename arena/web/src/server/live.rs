//! What is being played, as pages and as news that are pushed to them. Each viewer reads at its own pace from what all share; a
//! connection that was lost goes on from the last id that it was sent.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream;
use tokio::sync::watch;

use super::connections::Endless;
use super::push::{event, last_id, pushed};
use super::{Site, rules_address};
use crate::address::in_path;
use crate::live::{LiveGame, ViewerNews, Viewing};
use crate::shown::{LiveSource, NotShown};
use crate::site::{self, Section, TV_PATH};

/// How often viewers are sent what has happened.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// Sends viewers what happens, away from the thread that answers, until the end; once more then.
///
/// # Errors
/// It panicked. Nothing more was sent after that, and pages were served until the end.
pub(super) async fn narrate(
    live: Arc<dyn LiveSource>,
    mut ending: watch::Receiver<bool>,
) -> Result<(), tokio::task::JoinError> {
    loop {
        let has_ended = tokio::select! {
            _ = ending.wait_for(|is_ending| *is_ending) => true,
            () = tokio::time::sleep(SHOW_EVERY) => false,
        };
        let live = Arc::clone(&live);
        let sent = tokio::task::spawn_blocking(move || live.narrate()).await;
        if sent.is_err() && !has_ended {
            _ = ending.wait_for(|is_ending| *is_ending).await;
        }
        if has_ended || sent.is_err() {
            return sent;
        }
    }
}

pub(super) async fn tables(State(site): State<Site>) -> Response {
    match site.served.live {
        Some(_) => site.page("Live", Section::Live, &site::live_tables()),
        None => site.missing("Nothing is being played here."),
    }
}

pub(super) async fn news_of_tables(State(site): State<Site>) -> Response {
    let Some(live) = &site.served.live else { return site.missing("Nothing is being played here.") };
    let mut news = live.tables().watch();
    news.mark_changed();
    let events = stream::unfold((news, site.closing.clone()), async |(mut news, mut closing)| {
        loop {
            tokio::select! {
                biased;
                changed = news.changed() => changed.ok()?,
                _ = closing.wait_for(|is_closing: &bool| *is_closing) => return None,
            }
            let text = news.borrow_and_update().clone();
            if !text.is_empty() {
                return Some((event("tables", None, &text), (news, closing)));
            }
        }
    });
    pushed(Endless::Watching, events)
}

/// The game in play of this name, watched from now on.
async fn watched(site: &Site, name: &str) -> Result<Option<Arc<LiveGame>>, Response> {
    let asked = name.to_owned();
    site.ask(move |served| Ok(served.live.as_ref().and_then(|live| live.watch(&asked)))).await
}

pub(super) async fn game(
    State(site): State<Site>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Response> {
    let Some(live) = watched(&site, &name).await? else {
        let asked = name.clone();
        let is_over = site.ask(move |served| Ok(served.shown.game(&asked)?.is_some())).await?;
        // A screen for a room stays one.
        let is_room = query.as_deref() == Some("tv");
        return Ok(match is_over {
            true if is_room => Redirect::temporary(&format!("/games/{}?tv", in_path(&name))).into_response(),
            true => Redirect::temporary(&format!("/games/{}", in_path(&name))).into_response(),
            false if is_room => Redirect::temporary(TV_PATH).into_response(),
            false => site.missing(
                "There is no game of this name in play. A game that is just over appears under Games in a moment.",
            ),
        });
    };
    let played = live.begun(|story| story.rules.clone());
    let sets = site.ask(|served| Ok(served.shown.rule_sets())).await?;
    let rules = sets.into_iter().find(|(_, title)| *title == played).map(|(name, _)| rules_address(&name));
    let news = format!("/live/{}/news", in_path(&name));
    let after = (!site.served.one_game).then(|| format!("/games/{}", in_path(&name)));
    let body = live.begun(|story| site::live_game(story, rules.as_deref(), &news, after.as_deref()));
    match body {
        Ok(body) => Ok(site.page(&name, Section::LiveGame, &body)),
        Err(error) => Err(site.failed(&NotShown(error.to_string()))),
    }
}

pub(super) async fn news_of_game(
    State(site): State<Site>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let Some(live) = watched(&site, &name).await? else {
        return Err(site.missing("There is no game of this name in play."));
    };
    let begun = site.begun.clone();
    let shown = match last_id(&headers).map(|id| id.split_once('.')) {
        None => 0,
        Some(Some((by, shown))) if *by == *begun => shown.parse().unwrap_or(0),
        // What the page shows came from another run of this program: the game may have gone another way since.
        Some(_) => return Ok(pushed(Endless::Watching, stream::once(async { event("restarted", None, "{}") }))),
    };
    let viewing = live.watch(shown);
    let events = stream::unfold((viewing, site.closing.clone()), move |(mut viewing, mut closing): (Viewing, _)| {
        let begun = begun.clone();
        async move {
            let message = tokio::select! {
                biased;
                message = viewing.next() => message?,
                _ = closing.wait_for(|is_closing: &bool| *is_closing) => return None,
            };
            let text = message.written(|news| match news {
                ViewerNews::Frames(frames, last) => event("frames", Some(&format!("{begun}.{last}")), frames),
                ViewerNews::Lost { from, to, frame } => {
                    let lost = format!("{{\"from\":{from},\"to\":{to},\"frame\":{frame}}}");
                    event("lost", Some(&format!("{begun}.{to}")), &lost)
                }
                ViewerNews::Over => event("over", None, "{}"),
            });
            Some((text, (viewing, closing)))
        }
    });
    Ok(pushed(Endless::Watching, events))
}
