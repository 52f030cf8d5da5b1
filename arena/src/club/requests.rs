//! Requests to a club: who asks, what they are answered, and why not. Programs show a member's token in `Authorization`, which no browser
//! sends by itself; pages in a cookie. What either does asks `maumau_club::may` here.

use std::borrow::Cow;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::body::{Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maumau_club::{ClubThing, ClubViewer, VersionNews, in_turn, is_bot_name, is_class_name, may};
use maumau_protocol::Seat;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_web::server::RequestOrigin;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::answers::{EventAnswer, LadderRow, QueueRow, RefusalAnswer, TokenAnswer, VersionAnswer};
use super::games::FinishedGame;
use super::open_club::Club;
use super::store::{ClubVerdict, Invitation, MemberRole, StoredVersion};

/// The cookie with a member's token.
pub(super) const COOKIE_NAME: &str = "maumau-club";
/// Bytes of a body that is no archive.
const MAX_SMALL: usize = 4_096;
/// How many times as large as what may come a body may be that is read to its end although it is refused.
const READ_ON: usize = 16;
/// How long nothing more of a body may come.
const SILENT_FOR: Duration = Duration::from_secs(30);
/// Events of one answer.
const MAX_EVENTS: usize = 200;

impl Club {
    /// Who shows a token in `Authorization`, or is named by the proxy that the club trusts.
    pub(super) fn viewer(&self, headers: &HeaderMap) -> Result<ClubViewer> {
        if let Some(named) = self.named_by_proxy(headers)? {
            return Ok(named);
        }
        let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        token.map_or(Ok(ClubViewer::Stranger), |token| self.store().viewer(token.trim()))
    }

    /// Who is named in the header that `club.toml` says the proxy sets; `None` if there is none.
    fn named_by_proxy(&self, headers: &HeaderMap) -> Result<Option<ClubViewer>> {
        let Some(header) = self.settings.user_header.as_deref() else { return Ok(None) };
        // The proxy's own cookie lets pages of others ask, too.
        if RequestOrigin::of(headers) == RequestOrigin::Foreign {
            return Ok(None);
        }
        let mut named = headers.get_all(header).iter();
        match (named.next().and_then(|name| name.to_str().ok()), named.next()) {
            (Some(name), None) if is_bot_name(name) => self.store().named(name).map(Some),
            _ => Ok(None),
        }
    }

    /// Who shows a token in the cookie of the pages, or is named by the proxy that the club trusts.
    pub(super) fn visitor(&self, headers: &HeaderMap) -> Result<ClubViewer> {
        if let Some(named) = self.named_by_proxy(headers)? {
            return Ok(named);
        }
        let cookies = headers.get(COOKIE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let token = cookies.split("; ").find_map(|cookie| cookie.strip_prefix(COOKIE_NAME)?.strip_prefix('='));
        token.map_or(Ok(ClubViewer::Stranger), |token| self.store().viewer(token))
    }

    pub(super) fn queue(&self) -> Result<Vec<QueueRow>> {
        let (versions, line) = {
            let store = self.store();
            (store.versions()?, in_turn(&store.waiting()?))
        };
        Ok(versions.iter().filter(|one| one.state.is_on_its_way()).map(|one| QueueRow::of(one, &line)).collect())
    }

    pub(super) fn events(&self, after: i64, viewer: &ClubViewer) -> Result<Vec<EventAnswer>, Refused> {
        only(viewer, &self.settings.public_pages())?;
        let may_see = |team: &str| may(viewer, &ClubThing::TeamEvents { team });
        let events = self.store().events(after, MAX_EVENTS, may_see)?;
        let names_actors = may(viewer, &ClubThing::Actors);
        Ok(events.into_iter().map(|event| EventAnswer::of(event, names_actors)).collect())
    }

    /// Of the ladder the house bots and those of the class that is wanted; all if none is.
    pub(super) fn of_class<'a>(&self, ladder: &'a [LadderRow], wanted: &WantedClass) -> Result<Cow<'a, [LadderRow]>> {
        let Some(wanted) = wanted.class.as_deref().filter(|class| !class.is_empty()) else {
            return Ok(Cow::Borrowed(ladder));
        };
        let (teams, classes) = {
            let store = self.store();
            (store.teams_of_agents()?, store.classes()?)
        };
        let class_of = |row: &LadderRow| classes.get(teams.get(&row.agent)?);
        let is_in = |row: &&LadderRow| row.is_house() || class_of(row).is_some_and(|class| class == wanted);
        Ok(Cow::Owned(ladder.iter().filter(is_in).cloned().collect()))
    }

    /// The version with this number, if `viewer` may see it; others do not learn whether there is one.
    pub(super) fn version(&self, id: i64, viewer: &ClubViewer) -> Result<StoredVersion, Refused> {
        let found = self.store().version(id)?;
        let seen = found.filter(|version| may(viewer, &ClubThing::Version { team: &version.team }));
        seen.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such version, or it is not your team's"))
    }

    pub(super) fn answer(&self, version: &StoredVersion) -> Result<VersionAnswer> {
        let (event, line) = {
            let store = self.store();
            (store.newest_event()?, in_turn(&store.waiting()?))
        };
        // Its state is not older than that event.
        let version = self.store().version(version.id)?.context("a version has gone")?;
        // To read the ladder for each that is sent would take more of the machine than to check it.
        let has_games = version.began_s > 0 || version.state.may_have_joined();
        let ladder = if has_games { self.ladder()? } else { Arc::default() };
        Ok(VersionAnswer::of(&version, event, &line, &ladder))
    }

    /// What the build of a version said, if it has begun: lines of a program of others, without what steers a terminal.
    pub(super) fn build_words(&self, version: i64) -> Option<String> {
        let words = std::fs::read_to_string(self.folder.build_words(version)).ok()?;
        Some(words.lines().map(|line| Untrusted::new(line).terminal() + "\n").collect())
    }

    /// The finished game of this name in a run file that may not be there yet.
    pub(super) fn finished_game(&self, run: &Path, name: &str) -> Result<Option<FinishedGame>> {
        if run.exists() { FinishedGame::find(run, name) } else { Ok(None) }
    }

    /// A game of a version, for its team and the organiser, with its seat in it.
    pub(super) fn own_game(
        &self,
        version: &StoredVersion,
        viewer: &ClubViewer,
        name: &str,
    ) -> Result<(FinishedGame, Seat), Refused> {
        only(viewer, &ClubThing::OwnGame { team: &version.team })?;
        let missing = || Refused::new(StatusCode::NOT_FOUND, "it has played no finished game of this name");
        let game = self.finished_game(&self.folder.run(), name)?.ok_or_else(missing)?;
        let seat = game.seat_of(&version.agent()).ok_or_else(missing)?;
        Ok((game, seat))
    }

    /// Pauses or resumes a version, takes it back, or disqualifies it.
    pub(super) fn decide(&self, id: i64, viewer: &ClubViewer, news: VersionNews) -> Result<StoredVersion, Refused> {
        let version = self.version(id, viewer)?;
        let (team, is_held) = (version.team.as_str(), version.is_held);
        let thing = match news {
            VersionNews::Resumed => ClubThing::Resume { team, is_held },
            VersionNews::Disqualified => ClubThing::House,
            _ => ClubThing::Change { team },
        };
        if !may(viewer, &thing) {
            return Err(match thing {
                ClubThing::Resume { .. } => {
                    Refused::new(StatusCode::FORBIDDEN, "the organiser has paused it, and resumes it")
                }
                _ => Refused::stranger(viewer),
            });
        }
        let by_organiser = viewer.is_organiser();
        let why = if by_organiser && news != VersionNews::Resumed { "by the organiser" } else { "" };
        let is_held = by_organiser && news == VersionNews::Paused;
        let verdict = ClubVerdict { who: viewer.member(), why, is_held };
        if !self.store().decide(id, news, &verdict)? {
            let verb = match news {
                VersionNews::Paused => "paused",
                VersionNews::Resumed => "resumed",
                VersionNews::Disqualified => "disqualified",
                _ => "withdrawn",
            };
            let why = format!("{} is {}: it cannot be {verb}", version.agent(), version.state.name());
            return Err(Refused::new(StatusCode::CONFLICT, why));
        }
        self.announce()?;
        self.version(id, viewer)
    }

    /// The link of a new invitation.
    pub(super) fn invite(&self, viewer: &ClubViewer, wanted: WantedInvitation) -> Result<String, Refused> {
        only(viewer, &ClubThing::Invite)?;
        let WantedInvitation { team, class, guest, uses } = wanted;
        let given = |name: Option<String>| name.filter(|name| !name.is_empty());
        let (team, class) = (given(team), given(class));
        let is_name = |name: &Option<String>| name.as_deref().is_none_or(is_class_name);
        let is_team = |name: &Option<String>| name.as_deref().is_none_or(is_bot_name);
        if !is_team(&team) || !is_name(&class) || !(1..=1_000).contains(&uses) {
            let why = "expected a team such as blue, a class such as 10b, and 1 to 1000 uses";
            return Err(Refused::new(StatusCode::BAD_REQUEST, why));
        }
        if guest && (team.is_some() || class.is_some()) {
            return Err(Refused::new(StatusCode::BAD_REQUEST, "guests have neither a team nor a class"));
        }
        let role = if guest { MemberRole::Guest } else { MemberRole::Author };
        let key = self.store().invite(&Invitation { role, team, class }, uses, viewer.member())?;
        Ok(format!("{}/join/{key}", self.settings.url.trim_end_matches('/')))
    }

    /// Bans a member.
    pub(super) fn ban(&self, name: &str, viewer: &ClubViewer) -> Result<(), Refused> {
        only(viewer, &ClubThing::House)?;
        let verdict = ClubVerdict { who: viewer.member(), why: "by the organiser", is_held: true };
        let banned = self.store().ban(name, &verdict)?;
        banned.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, format!("there is no member {name:?}")))?;
        Ok(self.announce()?)
    }
}

/// Why a request is not answered.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) why: String,
    pub(super) retry_s: Option<u64>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Refused {
        Refused { status, why: why.into(), retry_s: None }
    }

    /// Of one who may not do this.
    pub(super) fn stranger(viewer: &ClubViewer) -> Refused {
        match viewer {
            ClubViewer::Stranger => {
                Refused::new(StatusCode::UNAUTHORIZED, "expected the token of a member in Authorization: Bearer TOKEN")
            }
            _ => Refused::new(StatusCode::FORBIDDEN, "your role may not do this"),
        }
    }
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Refused {
        print_stderr!("maumau: {error:#}");
        Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "the club failed; its organiser can read why")
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut answer = json(self.status, &RefusalAnswer { error: self.why });
        if let Some(seconds) = self.retry_s {
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        answer
    }
}

pub(super) fn json(status: StatusCode, answer: &impl Serialize) -> Response {
    match untrusted::json(answer) {
        Ok(text) => (status, [(CONTENT_TYPE, "application/json")], text + "\n").into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Sends the browser to another page.
pub(super) fn to(address: &str) -> Response {
    let place = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response()
}

pub(super) type Served = State<Arc<Club>>;
pub(super) type JsonAnswer = Result<Response, Refused>;

/// Asks the club away from the thread that answers.
pub(super) async fn ask<T: Send + 'static>(
    club: &Arc<Club>,
    ask: impl FnOnce(&Club) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let club = Arc::clone(club);
    let asked = tokio::task::spawn_blocking(move || ask(&club)).await;
    asked.map_err(|error| Refused::from(anyhow::Error::new(error)))?
}

/// Fails unless this viewer may.
pub(super) fn only(viewer: &ClubViewer, thing: &ClubThing<'_>) -> Result<(), Refused> {
    if may(viewer, thing) { Ok(()) } else { Err(Refused::stranger(viewer)) }
}

/// The body of a small request.
pub(super) async fn body(request: Request) -> Result<Bytes, Refused> {
    body_of(request, MAX_SMALL, || "the request is too long".to_owned()).await
}

/// The body of a request, at most `most` bytes; `too_much` says why more is refused. One that says nothing more for a while is given up.
pub(super) async fn body_of(request: Request, most: usize, too_much: impl Fn() -> String) -> Result<Bytes, Refused> {
    let refused = || Refused::new(StatusCode::PAYLOAD_TOO_LARGE, too_much());
    let announced =
        request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let is_too_much = announced.is_some_and(|announced| announced > most);
    if announced.is_some_and(|announced| announced > most * READ_ON) {
        return Err(refused());
    }
    let mut bytes = Vec::with_capacity(if is_too_much { 0 } else { announced.unwrap_or(0) });
    let mut body = request.into_body();
    // Who sends too much reads why only once all is sent; what is much more than that is cut off.
    let mut unread = 0;
    loop {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let Ok(next) = timeout(SILENT_FOR, next).await else {
            return Err(Refused::new(StatusCode::REQUEST_TIMEOUT, "nothing more of the request has come"));
        };
        let Some(frame) = next else { return if unread > 0 { Err(refused()) } else { Ok(bytes.into()) } };
        let frame = frame.map_err(|_| Refused::new(StatusCode::BAD_REQUEST, "the request has broken off"))?;
        if let Ok(data) = frame.into_data() {
            if unread > 0 || is_too_much || bytes.len() + data.len() > most {
                bytes.clear();
                unread += data.len();
            } else {
                bytes.extend_from_slice(&data);
            }
            if unread > most * READ_ON {
                return Err(refused());
            }
        }
    }
}

pub(super) fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Refused> {
    serde_json::from_slice(bytes).map_err(|error| Refused::new(StatusCode::BAD_REQUEST, error.to_string()))
}

/// Takes an invitation for a new member.
pub(super) fn taken(club: &Club, key: &str, name: &str) -> Result<TokenAnswer, Refused> {
    if !is_bot_name(name) {
        return Err(Refused::new(
            StatusCode::BAD_REQUEST,
            "the name: expected 1 to 32 of a-z, 0-9 and -, a letter first",
        ));
    }
    let joined = club.store().join(key, name).map_err(|error| Refused::new(StatusCode::CONFLICT, format!("{error:#}")));
    let gone = || Refused::new(StatusCode::NOT_FOUND, "this invitation is not known, was taken or has ended");
    Ok(TokenAnswer { member: name.to_owned(), token: joined?.ok_or_else(gone)? })
}

/// The class whose bots are wanted.
#[derive(Default, Deserialize)]
pub(super) struct WantedClass {
    #[serde(default)]
    pub(super) class: Option<String>,
}

/// Who is to be invited.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedInvitation {
    /// The team that authors join; none or an empty one for teams of their own.
    #[serde(default)]
    team: Option<String>,
    /// The class that authors are of, if any.
    #[serde(default)]
    class: Option<String>,
    /// True for people who only look.
    #[serde(default)]
    guest: bool,
    /// How many people may take it.
    uses: u32,
}

/// Who takes an invitation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Joining {
    pub(super) name: String,
}
