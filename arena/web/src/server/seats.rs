//! The seats of people: the button behind a link takes a seat and leaves a cookie; its page is pushed what the agent sends, and posts
//! choices; the organiser's page frees seats. What a choice means is not known here.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Site;
use super::connections::Endless;
use super::guard::{KEPT_S, secure};
use super::push::{event, last_number, pushed};
use crate::seats::{SeatEntry, SeatNews, SeatPage, Seats, Sitting, WebSeat, door_page, organiser_page, seat_page};
use crate::shown::NotShown;
use crate::site::Section;

/// The most that a page may send, and how long that may take.
const SENT_BYTES: usize = 8 * 1024;
const SENT_WITHIN: Duration = Duration::from_secs(10);

const OCCUPIED: &str = "Another browser has taken this seat. The game goes on in that browser, by the same link; if the seat \
                        is lost, the organiser of the match can free it.";
const OCCUPIED_AT_TABLE: &str = "Another browser has taken this seat. The game goes on in that browser, by the same link; if \
                                 the seat is lost, the person who has opened the table can free it on the table's page.";
const WRONG: &str = "This is not the link of this seat. `maumau play` prints new links each time it starts.";

const NOT_HERE: &str = "Only the browser that has this seat can give it up.";

const NOT_OPENER: &str = "Only the browser of the person who has opened this table frees its seats.";

const NOT_NEXT: &str = "Only the browser that had this seat goes on from it to the next table.";

const NO_SEAT: &str = "There is no seat for a person here.";

const NO_ORGANISER: &str =
    "This page is for the person who started the match: open the link that `maumau play` has printed for it.";

#[derive(Deserialize)]
pub(super) struct Link {
    token: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Organiser {
    key: Option<String>,
}

/// What a page has sent, if it came in time and is not too long.
pub(super) async fn sent(body: Body) -> Option<Bytes> {
    tokio::time::timeout(SENT_WITHIN, to_bytes(body, SENT_BYTES)).await.ok()?.ok()
}

/// A field of a form that was sent; none of ours needs an escape.
fn field(form: Option<&Bytes>, name: &str) -> Option<String> {
    let pairs = std::str::from_utf8(form?).ok()?.split('&');
    pairs.filter_map(|pair| pair.split_once('=')).find_map(|(found, value)| (found == name).then(|| value.to_owned()))
}

/// The name of the cookie of a seat: cookies do not distinguish what is served at one machine's ports.
fn cookie_name(site: &Site, number: usize) -> String {
    format!("maumau-{}-seat-{number}", site.port)
}

/// What the browser says to be known at this seat.
fn session<'a>(site: &Site, headers: &'a HeaderMap, number: usize) -> Option<&'a str> {
    let name = cookie_name(site, number);
    let cookies = headers.get(COOKIE)?.to_str().ok()?;
    cookies.split("; ").find_map(|cookie| cookie.strip_prefix(&name)?.strip_prefix('='))
}

fn place(site: &Site, number: usize) -> Option<(&Arc<Seats>, Arc<WebSeat>)> {
    let seats = site.served.seats.as_ref()?;
    Some((seats, seats.place(number)?))
}

/// The cookie that says `fresh` for a seat.
pub(super) fn seat_cookie(
    site: &Site,
    headers: &HeaderMap,
    number: usize,
    fresh: &str,
) -> Result<HeaderValue, NotShown> {
    let (name, secure) = (cookie_name(site, number), secure(headers));
    let kept = format!("HttpOnly; SameSite=Lax; Max-Age={KEPT_S}; Path=/seat/{number}{secure}");
    HeaderValue::from_str(&format!("{name}={fresh}; {kept}")).map_err(|error| NotShown(error.to_string()))
}

/// The seat, if this browser has it; otherwise `refused` says what only its browser can do.
fn own_place(site: &Site, number: usize, headers: &HeaderMap, refused: &str) -> Result<Arc<WebSeat>, Box<Response>> {
    let (_, place) = place(site, number).ok_or_else(|| Box::new(site.missing(NO_SEAT)))?;
    match place.is_of(session(site, headers, number)) {
        true => Ok(place),
        false => Err(Box::new(site.refusal(StatusCode::FORBIDDEN, "Not your seat", refused))),
    }
}

pub(super) async fn page(
    State(site): State<Site>,
    Path(number): Path<usize>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let (seats, place) = place(&site, number).ok_or_else(|| site.missing(NO_SEAT))?;
    match (seats.look(&place, session(&site, &headers, number), link.token.as_deref()), link.token) {
        (SeatEntry::Own, None) => match seat_page(&SeatPage { number: place.number(), table: place.table() }) {
            Ok(body) => Ok(site.page("Your seat", Section::Seat, &body)),
            Err(error) => Err(site.failed(&NotShown(error.to_string()))),
        },
        // The token does not stay in the address, nor in what the browser remembers of it.
        (SeatEntry::Own, Some(_)) => Ok(Redirect::to(&format!("/seat/{number}")).into_response()),
        (SeatEntry::Free, Some(token)) => {
            Ok(site.page("A seat at the table", Section::None, &door_page(&place, &token)))
        }
        (refused, _) => Err(refusal(&site, refused, &place)),
    }
}

/// Why a seat is not this browser's.
fn refusal(site: &Site, entry: SeatEntry, place: &WebSeat) -> Response {
    match entry {
        SeatEntry::Occupied => {
            let why = if place.table().is_some() { OCCUPIED_AT_TABLE } else { OCCUPIED };
            site.refusal(StatusCode::FORBIDDEN, "This seat is taken", why)
        }
        _ => site.refusal(StatusCode::FORBIDDEN, "Not your seat", WRONG),
    }
}

/// The button of a link.
pub(super) async fn take(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Response> {
    let (seats, place) = place(&site, number).ok_or_else(|| site.missing(NO_SEAT))?;
    let fresh = seats.fresh().map_err(|error| site.failed(&error))?;
    let token = field(sent(body).await.as_ref(), "token");
    let entry = seats.take(&place, session(&site, &headers, number), token.as_deref(), &fresh);
    if !matches!(entry, SeatEntry::Own | SeatEntry::Free) {
        return Err(refusal(&site, entry, &place));
    }
    let mut answer = Redirect::to(&format!("/seat/{number}")).into_response();
    if entry == SeatEntry::Free {
        let cookie = seat_cookie(&site, &headers, number, &fresh).map_err(|error| site.failed(&error))?;
        answer.headers_mut().append(SET_COOKIE, cookie);
        // Who was invited to a table of the lobby sees its page too, and may play again.
        let guest = place.table().and_then(|_| site.access.guest_cookie(&headers));
        if let Some(cookie) = guest.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
            answer.headers_mut().append(SET_COOKIE, cookie);
        }
    }
    Ok(answer)
}

/// Gives a seat up.
pub(super) async fn leave(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let place = own_place(&site, number, &headers, NOT_HERE).map_err(|refused| *refused)?;
    place.leave();
    Ok(Redirect::to(place.table().unwrap_or("/")).into_response())
}

/// Frees a seat of a table that was lost, by the word of the person who has opened the table.
pub(super) async fn free_other(
    State(site): State<Site>,
    Path((own, other)): Path<(usize, usize)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    own_place(&site, own, &headers, NOT_OPENER).map_err(|refused| *refused)?;
    let tables = site.ask(|served| Ok(served.lobby.as_ref().map(|lobby| lobby.tables()).unwrap_or_default())).await?;
    let opened = tables.iter().find(|table| table.people.first().is_some_and(|first| first.number() == own));
    let opened = opened.ok_or_else(|| site.refusal(StatusCode::FORBIDDEN, "Not your table", NOT_OPENER))?;
    let lost = opened.people.iter().find(|place| place.number() == other).ok_or_else(|| site.missing(NO_SEAT))?;
    site.served.seats.iter().for_each(|seats| seats.free(lost));
    Ok(Redirect::to(&format!("/table/{}", opened.number)).into_response())
}

/// The way from a seat to the same person's seat at the next table.
pub(super) async fn next(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    own_place(&site, number, &headers, NOT_NEXT).map_err(|refused| *refused)?;
    let tables = site.ask(|served| Ok(served.lobby.as_ref().map(|lobby| lobby.tables()).unwrap_or_default())).await?;
    let next = tables.iter().find_map(|table| {
        let at = table.people.iter().position(|person| person.number() == number)?;
        tables.iter().find(|other| table.next == Some(other.number))?.people.get(at)
    });
    let next = next.ok_or_else(|| site.missing("The people of this table have not begun another match yet."))?;
    Ok(Redirect::to(&next.path()).into_response())
}

/// The seats, for the organiser.
pub(super) async fn all(
    State(site): State<Site>,
    Query(Organiser { key }): Query<Organiser>,
) -> Result<Response, Response> {
    let seats = site.served.seats.as_ref().ok_or_else(|| site.missing(NO_SEAT))?;
    match key.filter(|key| seats.is_organiser(Some(key))) {
        Some(key) => Ok(site.page("Seats of people", Section::None, &organiser_page(seats, &key))),
        None => Err(site.refusal(StatusCode::FORBIDDEN, "Not your page", NO_ORGANISER)),
    }
}

/// The organiser's word that a seat is lost.
pub(super) async fn free(
    State(site): State<Site>,
    Path(number): Path<usize>,
    body: Body,
) -> Result<Response, Response> {
    let (seats, place) = place(&site, number).ok_or_else(|| site.missing(NO_SEAT))?;
    if !seats.is_organiser(field(sent(body).await.as_ref(), "key").as_deref()) {
        return Err(site.refusal(StatusCode::FORBIDDEN, "Not your page", NO_ORGANISER));
    }
    seats.free(&place);
    Ok(Redirect::to(&seats.path()).into_response())
}

pub(super) async fn news(
    State(site): State<Site>,
    Path(number): Path<usize>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let place = own_place(&site, number, &headers, WRONG).map_err(|refused| *refused)?;
    let sitting = place.sit(last_number(&headers).unwrap_or(0));
    let events = stream::unfold((sitting, site.closing.clone()), async |(mut sitting, mut closing): (Sitting, _)| {
        let news = tokio::select! {
            biased;
            news = sitting.next() => news?,
            _ = closing.wait_for(|is_closing: &bool| *is_closing) => return None,
        };
        let text = match news {
            SeatNews::Lines(lines, count) => event("lines", Some(&count.to_string()), &lines),
            SeatNews::Now(state, age_ms) => event("state", None, &format!("{{\"age_ms\":{age_ms},\"state\":{state}}}")),
            SeatNews::Moved => event("moved", None, "{}"),
            SeatNews::Freed => event("freed", None, "{}"),
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
    body: Body,
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
    let choice = sent(body).await.and_then(|sent| serde_json::from_slice::<Value>(&sent).ok());
    // Written again, it is one line.
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
