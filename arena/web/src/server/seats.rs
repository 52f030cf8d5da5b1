//! The seats of people: a link takes a seat and leaves a cookie; its page is pushed what the agent tells, and posts choices. What
//! a choice means is not known here.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

use super::Site;
use super::connections::Endless;
use super::guard::secure;
use super::push::{event, last_number, pushed};
use crate::seats::{Entry, Place, SeatNews, SeatPage, Seats, Sitting, seat_page};
use crate::shown::Trouble;
use crate::site::Section;

/// The longest choice that a page may send.
const CHOICE_BYTES: usize = 8 * 1024;

const OCCUPIED: &str = "Another browser has taken this seat. Each link works once; whoever sits here can go on in the browser in which \
                        the link was opened first.";
const WRONG: &str = "This is not the link of this seat. `maumau play` prints the links when it starts, anew each time.";

const NO_SEAT: &str = "There is no seat for a person here.";

#[derive(Deserialize)]
pub(super) struct Link {
    token: Option<String>,
}

/// The name of the cookie of a seat: cookies do not tell apart what is served at one machine's ports.
fn cookie_name(site: &Site, number: usize) -> String {
    format!("maumau-{}-seat-{number}", site.port)
}

/// What the browser says to be known at this seat.
fn session<'a>(site: &Site, headers: &'a HeaderMap, number: usize) -> Option<&'a str> {
    let name = cookie_name(site, number);
    let cookies = headers.get(COOKIE)?.to_str().ok()?;
    cookies.split("; ").find_map(|cookie| cookie.strip_prefix(&name)?.strip_prefix('='))
}

fn place(site: &Site, number: usize) -> Option<(&Arc<Seats>, &Arc<Place>)> {
    let seats = site.served.seats.as_ref()?;
    Some((seats, seats.place(number)?))
}

pub(super) async fn page(
    State(site): State<Site>,
    Path(number): Path<usize>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let (seats, place) = place(&site, number).ok_or_else(|| site.missing(NO_SEAT))?;
    let fresh = seats.fresh().map_err(|error| site.failed(&Trouble(error)))?;
    match seats.enter(place, session(&site, &headers, number), link.token.as_deref(), &fresh) {
        Entry::Own if link.token.is_none() => match seat_page(&SeatPage { number: place.number() }) {
            Ok(body) => Ok(site.page("Your seat", Section::Seat, &body)),
            Err(error) => Err(site.failed(&Trouble(error.to_string()))),
        },
        // The token does not stay in the address, nor in what the browser remembers of it.
        Entry::Own => Ok(Redirect::to(&format!("/seat/{number}")).into_response()),
        Entry::Taken => {
            let mut answer = Redirect::to(&format!("/seat/{number}")).into_response();
            let (name, secure) = (cookie_name(&site, number), secure(&headers));
            let cookie = format!("{name}={fresh}; HttpOnly; SameSite=Strict; Path=/seat/{number}{secure}");
            let cookie = HeaderValue::from_str(&cookie).map_err(|error| site.failed(&Trouble(error.to_string())))?;
            answer.headers_mut().insert(SET_COOKIE, cookie);
            Ok(answer)
        }
        Entry::Occupied => Err(site.told(StatusCode::FORBIDDEN, "This seat is taken", OCCUPIED)),
        Entry::Wrong => Err(site.told(StatusCode::FORBIDDEN, "Not your seat", WRONG)),
    }
}

pub(super) async fn news(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let (_, place) = place(&site, number).ok_or_else(|| site.missing(NO_SEAT))?;
    if !place.is_of(session(&site, &headers, number)) {
        return Err(site.told(StatusCode::FORBIDDEN, "Not your seat", WRONG));
    }
    let sitting = place.sit(last_number(&headers).unwrap_or(0));
    let events = stream::unfold((sitting, site.closing.clone()), async |(mut sitting, mut closing): (Sitting, _)| {
        let news = tokio::select! {
            biased;
            news = sitting.next() => news?,
            _ = closing.wait_for(|is_closing: &bool| *is_closing) => return None,
        };
        let text = match news {
            SeatNews::Told(lines, count) => event("lines", Some(&count.to_string()), &lines),
            SeatNews::Now(state, age_ms) => event("state", None, &format!("{{\"age_ms\":{age_ms},\"state\":{state}}}")),
            SeatNews::Moved => event("moved", None, "{}"),
            SeatNews::Ended(why) => event("ended", None, &json!({ "why": why }).to_string()),
        };
        Some((text, (sitting, closing)))
    });
    Ok(pushed(Endless::Sitting, events))
}

pub(super) async fn choice(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some((_, place)) = place(&site, number) else { return site.missing(NO_SEAT) };
    let refused = |status: StatusCode, why: &str| {
        (status, [(CONTENT_TYPE, "application/json")], json!({ "why": why }).to_string()).into_response()
    };
    if !place.is_of(session(&site, &headers, number)) {
        return refused(StatusCode::FORBIDDEN, WRONG);
    }
    if let Some(why) = place.ended() {
        return refused(StatusCode::GONE, &why);
    }
    let choice = (body.len() <= CHOICE_BYTES).then(|| serde_json::from_slice::<Value>(&body).ok()).flatten();
    // Written anew, it is one line.
    let Some(choice) = choice.filter(Value::is_object) else {
        return refused(StatusCode::BAD_REQUEST, "expected a choice of the page of this seat");
    };
    match place.choose(choice.to_string()) {
        true => StatusCode::NO_CONTENT.into_response(),
        false => {
            refused(StatusCode::TOO_MANY_REQUESTS, "The agent of this seat has not taken up your last choices yet.")
        }
    }
}
