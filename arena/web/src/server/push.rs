//! News that are pushed to pages: server-sent events as text, so that viewers who are sent the same can share it. What they say is
//! not known here.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};

use super::connections::Endless;

/// After how long without news a connection is tried, so that one that is gone is noticed.
const TRIED_EVERY: Duration = Duration::from_secs(15);

/// How long a page waits before it asks again for news whose connection was lost, in milliseconds.
const ASKED_AGAIN_AFTER_MS: u32 = 1_000;

/// What news are, in their head.
const NEWS: &str = "text/event-stream";

/// The id that a page was sent last before it lost its connection.
pub(super) fn last_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id")?.to_str().ok()
}

/// The id that a reader of news was sent last before it lost its connection, as a number.
pub fn last_number(headers: &HeaderMap) -> Option<usize> {
    last_id(headers)?.parse().ok()
}

/// A server-sent event as pages and programs read it. No break of a line in `data` ends it.
pub fn event(kind: &str, id: Option<&str>, data: &str) -> Bytes {
    let id = id.map_or(String::new(), |id| format!("id: {id}\n"));
    let mut text = format!("event: {kind}\n{id}");
    for line in data.split(['\n', '\r']) {
        text.extend(["data: ", line, "\n"]);
    }
    text.push('\n');
    text.into()
}

/// News for a page, which are asked for again soon if the connection is lost.
pub(super) fn pushed(to: Endless, events: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let first = stream::once(async { Bytes::from(format!("retry: {ASKED_AGAIN_AFTER_MS}\n\n")) });
    let events = first.chain(tried(events)).map(Ok::<_, Infallible>);
    let headers = [(CONTENT_TYPE, NEWS), (CACHE_CONTROL, "no-cache")];
    (headers, Extension(to), Body::from_stream(events)).into_response()
}

/// News for a viewer: each is made of `state` by `next`, until that gives none. A connection that is lost can go on from the last
/// id that it was sent ([`last_number`]).
pub fn watched<S: Send + 'static, F: Future<Output = Option<(Bytes, S)>> + Send + 'static>(
    state: S,
    next: impl FnMut(S) -> F + Send + 'static,
) -> Response {
    pushed(Endless::Watching, stream::unfold(state, next))
}

/// An answer of another server, which is passed on: news in it are counted among those of viewers here.
pub fn passed_on(mut answer: Response) -> Response {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with(NEWS)) {
        answer.extensions_mut().insert(Endless::Watching);
    }
    answer
}

/// The same events, with a comment in each longer silence.
fn tried(events: impl Stream<Item = Bytes> + Send + 'static) -> impl Stream<Item = Bytes> + Send {
    stream::unfold(Box::pin(events), async |mut events| {
        let next = tokio::time::timeout(TRIED_EVERY, events.next()).await;
        Some((next.unwrap_or(Some(Bytes::from_static(b":\n\n")))?, events))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_written_as_pages_read_it() {
        assert_eq!(event("frames", Some("a.7"), "[1]"), "event: frames\nid: a.7\ndata: [1]\n\n");
        assert_eq!(event("over", None, "{}"), "event: over\ndata: {}\n\n");
        assert_eq!(
            event("over", None, "{\revent: moved\n\n}"),
            "event: over\ndata: {\ndata: event: moved\ndata: \ndata: }\n\n"
        );
    }
}
