//! The lobby: the form that opens tables, and the page of each table. Who opens a table is seated at once.

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::{HOST, REFRESH, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};

use super::Site;
use super::seats::{seat_cookie, sent};
use crate::lobby::{TableRequest, TableState};
use crate::seats::SeatEntry;
use crate::shown::NotShown;
use crate::site::{Section, lobby_form, lobby_table};

/// How often the page of a table that is not over is read again, in seconds.
const TABLE_EVERY_S: &str = "5";

const NO_LOBBY: &str = "No tables are opened here: `maumau serve` without a file lets people play.";

/// The fields of a form.
const UNREADABLE: &str = "That form could not be read; nothing was opened.";

/// The fields that were sent in the encoding of forms.
fn fields(text: &str) -> Option<TableRequest> {
    let address: Uri = format!("/?{text}").parse().ok()?;
    Query::<TableRequest>::try_from_uri(&address).ok().map(|Query(fields)| fields)
}

fn rules_of(request: &TableRequest) -> String {
    request.iter().find(|(name, _)| name == "rules").map(|(_, rules)| rules.clone()).unwrap_or_default()
}

/// The form, filled as `request` says.
async fn filled(site: &Site, request: TableRequest, wrong: Option<String>) -> Result<Response, Response> {
    let asked = request.clone();
    let found = site
        .ask(move |served| {
            let lobby = served.lobby.as_ref().ok_or_else(|| NotShown(NO_LOBBY.to_owned()))?;
            // A set that does not exist is said with the form of the first one.
            let (choices, unknown) = match lobby.choices(&rules_of(&asked)) {
                Ok(choices) => (choices, None),
                Err(NotShown(why)) => (lobby.choices("")?, Some(why)),
            };
            Ok((choices, unknown, lobby.tables()))
        })
        .await?;
    let (choices, unknown, tables) = found;
    let wrong = wrong.or(unknown);
    let status = if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let learn = site.learn_address(&choices.rules);
    let body = lobby_form(&choices, &request, wrong.as_deref(), learn.as_deref(), &tables);
    Ok((status, site.page("Play", Section::Lobby, &body)).into_response())
}

pub(super) async fn form(State(site): State<Site>, uri: Uri) -> Result<Response, Response> {
    if site.served.lobby.is_none() {
        return Err(site.missing(NO_LOBBY));
    }
    let request = fields(uri.query().unwrap_or_default()).unwrap_or_default();
    filled(&site, request, None).await
}

pub(super) async fn open(State(site): State<Site>, headers: HeaderMap, body: Body) -> Result<Response, Response> {
    let (Some(lobby), Some(seats)) = (site.served.lobby.clone(), site.served.seats.clone()) else {
        return Err(site.missing(NO_LOBBY));
    };
    let sent = sent(body).await;
    let request = sent.as_deref().and_then(|sent| fields(std::str::from_utf8(sent).ok()?));
    let Some(request) = request else {
        return filled(&site, TableRequest::new(), Some(UNREADABLE.to_owned())).await;
    };
    let asked = request.clone();
    let opened = site
        .ask(move |_| {
            Ok(lobby.open(&asked).map(|number| {
                let tables = lobby.tables();
                let before = tables.iter().find(|table| table.next == Some(number)).map(|table| table.number);
                let table = tables.into_iter().find(|table| table.number == number);
                (number, before, table.map(|table| table.people).unwrap_or_default())
            }))
        })
        .await?;
    let (number, before, people) = match opened {
        Ok(opened) => opened,
        Err(NotShown(why)) => return filled(&site, request, Some(why)).await,
    };
    // Each of its people goes on with a seat of the table before, which only their browser has.
    if let Some(before) = before {
        return Ok(Redirect::to(&format!("/table/{before}")).into_response());
    }
    let own = people.first().ok_or_else(|| site.missing("This table is gone."))?;
    let fresh = seats.fresh().map_err(|error| site.failed(&error))?;
    let there = match people.len() {
        1 => format!("/seat/{}", own.number()),
        _ => format!("/table/{number}"),
    };
    let mut answer = Redirect::to(&there).into_response();
    if seats.take(own, None, Some(own.token()), &fresh) == SeatEntry::Free {
        let cookie = seat_cookie(&site, &headers, own.number(), &fresh).map_err(|error| site.failed(&error))?;
        answer.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(answer)
}

pub(super) async fn table(
    State(site): State<Site>,
    Path(number): Path<u64>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let tables = site.ask(|served| Ok(served.lobby.as_ref().map(|lobby| lobby.tables()).unwrap_or_default())).await?;
    let Some(table) = tables.into_iter().find(|table| table.number == number) else {
        return Err(site.missing("There is no such table; the oldest ones are forgotten."));
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme = if super::guard::secure(&headers).is_empty() { "http" } else { "https" };
    let body = lobby_table(&table, &format!("{scheme}://{host}"));
    let page = site.page(&format!("Table {number}"), Section::Lobby, &body);
    Ok(match table.state {
        // Of a table that is over, the others learn that somebody plays again.
        TableState::Over(_) | TableState::Abandoned(_) if table.people.len() < 2 || table.next.is_some() => page,
        _ => ([(REFRESH, TABLE_EVERY_S)], page).into_response(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_with_its_escapes_and_a_torn_one_is_not() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(fields("name=%3Cb%3E+x&set.deal=a"), Some(vec![pair("name", "<b> x"), pair("set.deal", "a")]));
        assert_eq!(fields(""), Some(Vec::new()));
        assert_eq!(fields("name=a b"), None);
    }
}
