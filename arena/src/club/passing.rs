//! Answers of the season's process, which are passed on under the address of the club: live tables, games, rules, documents. The keys of
//! those who look stay here.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONNECTION, COOKIE, SET_COOKIE, TRANSFER_ENCODING, UPGRADE};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use maumau_web::server::passed_on;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::open_club::Club;
use super::requests::{Refused, ask, only, to};
use super::season_pages::PagesAddress;

/// How long the season's process may take to begin an answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);
/// The pages that show games, and those that are the same whatever is played.
const OF_GAMES: [&str; 5] = ["/live", "/tv", "/games", "/seeds", "/standings"];
const ALWAYS: [&str; 3] = ["/rules", "/documents", "/assets"];
/// What is not passed on: it is of one connection alone, or a key of the one who looks.
const OWN: [HeaderName; 6] = [AUTHORIZATION, CONNECTION, COOKIE, SET_COOKIE, TRANSFER_ENCODING, UPGRADE];

/// True if the page at `path` shows games, so that it does not while the ladder is frozen; `None` if it is no page of a season.
fn shows_games(path: &str) -> Option<bool> {
    let is_in = |part: &&str| path.strip_prefix(*part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if ALWAYS.iter().any(is_in) {
        return Some(false);
    }
    OF_GAMES.iter().any(is_in).then_some(true)
}

/// Answers with a page of the season. An address that is none is refused.
pub(super) async fn pass_on(State(club): State<Arc<Club>>, request: Request) -> Response {
    let refused = |status, why| club.sentence(status, why);
    let Some(shows_games) = shows_games(request.uri().path()) else {
        return refused(StatusCode::NOT_FOUND, "there is no such page");
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refused(StatusCode::METHOD_NOT_ALLOWED, "this page can only be read");
    }
    let headers = request.headers().clone();
    let seen = ask(&club, move |club| only(&club.visitor(&headers)?, &club.settings.public_pages()));
    if let Err(Refused { status, why, .. }) = seen.await {
        return if status == StatusCode::UNAUTHORIZED { to("/login") } else { refused(status, &why) };
    }
    if shows_games && club.is_frozen() {
        return refused(
            StatusCode::FORBIDDEN,
            "the ladder stands still until the organiser shows it again; so do its games",
        );
    }
    let Some(address) = club.pages.address() else {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "the season is not being played at this moment; look again soon",
        );
    };
    match timeout(ANSWERED_WITHIN, asked(&address, request)).await {
        Ok(Some(answer)) => answer,
        _ => refused(StatusCode::BAD_GATEWAY, "the season does not answer; look again soon"),
    }
}

/// The answer of the season's process; `None` if it does not answer.
async fn asked(address: &PagesAddress, mut request: Request) -> Option<Response> {
    let stream = TcpStream::connect(&address.host).await.ok()?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
    tokio::spawn(connection);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = path.strip_prefix("/standings").map_or(path, |_| "/").parse::<Uri>().ok()?;
    let headers = request.headers_mut();
    OWN.iter().for_each(|own| while headers.remove(own).is_some() {});
    if let Some(cookie) = &address.cookie {
        headers.insert(COOKIE, HeaderValue::from_str(cookie).ok()?);
    }
    let answer = sender.send_request(request).await.ok()?;
    let (mut head, body) = answer.into_parts();
    OWN.iter().for_each(|own| while head.headers.remove(own).is_some() {});
    Some(passed_on(Response::from_parts(head, Body::new(body))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_ladder_hides_games_and_no_rules() {
        for (path, expected) in [
            ("/live", Some(true)),
            ("/live/g1/news", Some(true)),
            ("/games", Some(true)),
            ("/gamesome", None),
            ("/rules/basic", Some(false)),
            ("/assets/viewer.js", Some(false)),
            ("/seat/1", None),
            ("/house/x", None),
            ("/", None),
        ] {
            assert_eq!(shows_games(path), expected, "{path}");
        }
    }
}
