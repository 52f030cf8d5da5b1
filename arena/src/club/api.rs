//! The addresses below `/api/1`: JSON for programs, which show a member's token in `Authorization`. Every answer asks
//! `maumau_club::may`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use maumau_club::{ClubThing, VersionNews};
use maumau_run::io::untrusted;
use maumau_web::server::{event, last_number, watched};
use serde::Deserialize;
use tokio::sync::watch;

use super::answers::InvitationAnswer;
use super::games::games_of;
use super::open_club::{Club, ClubNews};
use super::requests::{
    Joining, JsonAnswer, Refused, Served, WantedClass, ask, body, body_of, json, only, parsed, taken,
};
use super::sent_files::SentFiles;

/// The addresses.
pub(super) fn router() -> Router<Arc<Club>> {
    Router::new()
        .route("/ladder", get(ladder))
        .route("/queue", get(queue))
        .route("/events", get(events))
        .route("/versions/{id}", get(version))
        .route("/versions/{id}/build", get(build_words))
        .route("/versions/{id}/check", get(words))
        .route("/versions/{id}/games", get(games))
        .route("/versions/{id}/games/{name}", get(game))
        .route("/versions/{id}/games/{name}/record", get(record))
        .route("/versions/{id}/pause", post(pause))
        .route("/versions/{id}/resume", post(resume))
        .route("/versions/{id}/withdraw", post(withdraw))
        .route("/versions/{id}/disqualify", post(disqualify))
        .route("/bots/{name}/versions", put(upload))
        .route("/members/{name}/ban", post(ban))
        .route("/trials", post(ask_trial))
        .route("/trials/{id}", get(trial))
        .route("/reruns", post(ask_rerun))
        .route("/invitations", post(invite))
        .route("/invitations/{key}", post(take))
}

async fn ladder(State(club): Served, Query(wanted): Query<WantedClass>, headers: HeaderMap) -> JsonAnswer {
    let rows = ask(&club, move |club| {
        only(&club.viewer(&headers)?, &club.settings.public_pages())?;
        Ok(club.of_class(&club.shown_ladder()?.0, &wanted)?.into_owned())
    });
    Ok(json(StatusCode::OK, &rows.await?))
}

async fn queue(State(club): Served, headers: HeaderMap) -> JsonAnswer {
    let rows = ask(&club, move |club| {
        only(&club.viewer(&headers)?, &club.settings.public_pages())?;
        Ok(club.queue()?)
    });
    Ok(json(StatusCode::OK, &rows.await?))
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: i64,
}

async fn events(State(club): Served, Query(After { after }): Query<After>, headers: HeaderMap) -> JsonAnswer {
    let is_followed = headers.get(ACCEPT).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !is_followed {
        let events = ask(&club, move |club| club.events(after, &club.viewer(&headers)?));
        return Ok(json(StatusCode::OK, &events.await?));
    }
    let (asked, club_asked) = (headers.clone(), Arc::clone(&club));
    ask(&club_asked, move |club| only(&club.viewer(&asked)?, &club.settings.public_pages())).await?;
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
            let events = ask(&self.club, move |club| club.events(after, &club.viewer(&headers)?)).await.ok()?;
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

async fn version(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    let answer = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        Ok(club.answer(&version)?)
    });
    Ok(json(StatusCode::OK, &answer.await?))
}

async fn words(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    let words = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        let missing = |_| Refused::new(StatusCode::NOT_FOUND, "its check has said nothing yet");
        std::fs::read_to_string(club.folder.words(version.id)).map_err(missing)
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json")], words.await?).into_response())
}

async fn build_words(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    let words = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        let missing = || Refused::new(StatusCode::NOT_FOUND, "its build has said nothing yet");
        club.build_words(version.id).ok_or_else(missing)
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "text/plain; charset=utf-8")], words.await?).into_response())
}

async fn games(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    let games = ask(&club, move |club| {
        let version = club.version(id, &club.viewer(&headers)?)?;
        Ok(games_of(&club.folder.run(), &version.agent())?.answer())
    });
    Ok(json(StatusCode::OK, &games.await?))
}

async fn game(State(club): Served, Path((id, name)): Path<(i64, String)>, headers: HeaderMap) -> JsonAnswer {
    let text = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        let version = club.version(id, &viewer)?;
        let (game, seat) = club.own_game(&version, &viewer, &name)?;
        Ok(game.for_author(seat)?)
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text.await?).into_response())
}

async fn record(State(club): Served, Path((id, name)): Path<(i64, String)>, headers: HeaderMap) -> JsonAnswer {
    let record = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        let version = club.version(id, &viewer)?;
        let closed = || {
            let why = "its record has all cards: it is shown when all games of the deal have been played";
            Refused { retry_s: Some(60), ..Refused::new(StatusCode::CONFLICT, why) }
        };
        club.own_game(&version, &viewer, &name)?.0.record()?.ok_or_else(closed)
    });
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/x-ndjson")], record.await?).into_response())
}

async fn upload(State(club): Served, Path(name): Path<String>, request: Request) -> JsonAnswer {
    let headers = request.headers().clone();
    // Before the first byte of the archive is read.
    let viewer = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::Upload { owner: None })?;
        Ok(viewer)
    });
    let viewer = viewer.await?;
    let too_much = || format!("the limit upload_mib = {} is reached", club.settings.quotas.upload_mib);
    let bytes = body_of(request, club.upload_bytes(), too_much).await?;
    let sent = SentFiles::Archive(bytes);
    let (answer, is_new) = ask(&club, move |club| club.upload(&viewer, Some(&name), &sent)).await?;
    Ok(json(if is_new { StatusCode::CREATED } else { StatusCode::OK }, &answer))
}

async fn invite(State(club): Served, request: Request) -> JsonAnswer {
    let headers = request.headers().clone();
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::Invite)?;
        Ok(InvitationAnswer { link: club.invite(&viewer, parsed(&bytes)?)? })
    });
    Ok(json(StatusCode::CREATED, &answer.await?))
}

async fn take(State(club): Served, Path(key): Path<String>, request: Request) -> JsonAnswer {
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| taken(club, &key, &parsed::<Joining>(&bytes)?.name));
    Ok(json(StatusCode::CREATED, &answer.await?))
}

async fn pause(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    decide(club, id, headers, VersionNews::Paused).await
}

async fn resume(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    decide(club, id, headers, VersionNews::Resumed).await
}

async fn withdraw(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    decide(club, id, headers, VersionNews::Withdrawn).await
}

async fn disqualify(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    decide(club, id, headers, VersionNews::Disqualified).await
}

async fn decide(club: Arc<Club>, id: i64, headers: HeaderMap, news: VersionNews) -> JsonAnswer {
    let answer = ask(&club, move |club| {
        let version = club.decide(id, &club.viewer(&headers)?, news)?;
        Ok(club.answer(&version)?)
    });
    Ok(json(StatusCode::OK, &answer.await?))
}

async fn ban(State(club): Served, Path(name): Path<String>, headers: HeaderMap) -> JsonAnswer {
    let banned = ask(&club, move |club| club.ban(&name, &club.viewer(&headers)?));
    banned.await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn ask_trial(State(club): Served, request: Request) -> JsonAnswer {
    let headers = request.headers().clone();
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::OwnBots)?;
        club.ask_trial(&viewer, &parsed(&bytes)?)
    });
    Ok(json(StatusCode::CREATED, &answer.await?))
}

async fn ask_rerun(State(club): Served, request: Request) -> JsonAnswer {
    let headers = request.headers().clone();
    let bytes = body(request).await?;
    let answer = ask(&club, move |club| {
        let viewer = club.viewer(&headers)?;
        only(&viewer, &ClubThing::House)?;
        club.ask_rerun(&viewer, &parsed(&bytes)?)
    });
    Ok(json(StatusCode::CREATED, &answer.await?))
}

async fn trial(State(club): Served, Path(id): Path<i64>, headers: HeaderMap) -> JsonAnswer {
    let answer = ask(&club, move |club| club.trial(id, &club.viewer(&headers)?));
    Ok(json(StatusCode::OK, &answer.await?))
}
