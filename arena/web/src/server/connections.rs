//! The connections of browsers: how many are open at once, and how long one may take to say what it asks for. One more than the bound
//! closes the one that has asked for nothing for the longest time, so that a request is answered however many say nothing. What
//! is asked and answered is not known here.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use axum::serve::Listener;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use super::until;

/// How long the head of a request may take, and a connection may wait for the next one.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// The longest head of a request; what is written is kept in pieces of this size too.
const HEAD_BYTES: usize = 64 * 1024;

/// Of how many connections one is kept for answers that end: news go over the others.
const ONE_ENDS_OF: usize = 4;

const CROWDED: &str = "As many people follow the news here as the arena has connections for; try again later.\n";

/// How long to wait until then, in seconds.
const AGAIN_AFTER_S: &str = "10";

/// An answer that goes on until somebody ends it says so in its extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endless {
    /// For one who watches: there is a bound on them.
    Watching,
    /// For the seat of a person, who is known.
    Sitting,
}

/// The open connections.
pub(super) struct Connections {
    most: usize,
    head_within: Duration,
    table: Mutex<Table>,
    /// A connection was closed, or waits for a request.
    freed: Notify,
}

#[derive(Default)]
struct Table {
    next: u64,
    /// By the order in which they were accepted.
    open: BTreeMap<u64, Open>,
}

struct Open {
    doing: ConnectionState,
    close: Arc<Notify>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionState {
    /// No whole request has come; since which count of changes nothing more of it has.
    Asking(u64),
    Answered,
    Endless(Endless),
    /// It has been asked to close.
    Closing,
}

impl Connections {
    /// At most `most` at once.
    pub(super) fn new(most: usize) -> Arc<Connections> {
        Connections::with(most, HEAD_WITHIN)
    }

    fn with(most: usize, head_within: Duration) -> Arc<Connections> {
        Arc::new(Connections { most, head_within, table: Mutex::default(), freed: Notify::new() })
    }

    /// Accepts connections and answers what they ask for by `router`, until `stopping`; then until all are closed.
    pub(super) async fn serve(
        self: &Arc<Connections>,
        mut listener: TcpListener,
        router: Router,
        stopping: watch::Receiver<bool>,
    ) {
        let mut stop = pin!(until(stopping.clone()));
        loop {
            let accepted = async {
                let (stream, _) = Listener::accept(&mut listener).await;
                (stream, self.room().await)
            };
            let (stream, place) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            tokio::spawn(attend(stream, place, router.clone(), stopping.clone()));
        }
        drop(listener);
        while !self.table().open.is_empty() {
            self.freed.notified().await;
        }
    }

    /// Nothing in it is left half changed by a panic.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more, as soon as there is one.
    async fn room(self: &Arc<Connections>) -> Place {
        loop {
            {
                let mut table = self.table();
                if table.open.len() < self.most {
                    let (number, close) = (table.count(), Arc::new(Notify::new()));
                    table
                        .open
                        .insert(number, Open { doing: ConnectionState::Asking(number), close: Arc::clone(&close) });
                    return Place { connections: Arc::clone(self), number, close };
                }
                table.close_one();
            }
            self.freed.notified().await;
        }
    }
}

impl Table {
    fn count(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Closes the connection that has asked for nothing for the longest time, unless one is closing already.
    fn close_one(&mut self) {
        if self.open.values().any(|open| open.doing == ConnectionState::Closing) {
            return;
        }
        let since = |open: &Open| if let ConnectionState::Asking(since) = open.doing { Some(since) } else { None };
        let asking = self.open.values_mut().filter(|open| since(open).is_some());
        if let Some(longest) = asking.min_by_key(|open| since(open)) {
            longest.doing = ConnectionState::Closing;
            longest.close.notify_one();
        }
    }

    fn change(&mut self, number: u64, doing: ConnectionState) {
        if let Some(open) = self.open.get_mut(&number).filter(|open| open.doing != ConnectionState::Closing) {
            open.doing = doing;
        }
    }
}

/// The place of an open connection; it is free when this is dropped.
struct Place {
    connections: Arc<Connections>,
    number: u64,
    close: Arc<Notify>,
}

impl Place {
    /// The head of a request has come. It is being answered until what comes back is dropped.
    fn answer(self: &Arc<Place>) -> Answering {
        Answering(Arc::clone(self))
    }

    /// Something of a request has come, or all of it if `is_whole`.
    fn received(&self, is_whole: bool) {
        let mut table = self.connections.table();
        let now = table.count();
        let doing = if is_whole { ConnectionState::Answered } else { ConnectionState::Asking(now) };
        table.change(self.number, doing);
    }

    /// Goes on without an end; `false` if too many do.
    fn go_on(&self, endless: Endless) -> bool {
        let mut table = self.connections.table();
        let watching =
            table.open.values().filter(|open| open.doing == ConnectionState::Endless(Endless::Watching)).count();
        let most = self.connections.most - self.connections.most.div_ceil(ONE_ENDS_OF);
        let may = endless == Endless::Sitting || watching < most;
        if may {
            table.change(self.number, ConnectionState::Endless(endless));
        }
        may
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.table().open.remove(&self.number);
        self.connections.freed.notify_one();
    }
}

/// A request that is being answered.
struct Answering(Arc<Place>);

impl Drop for Answering {
    fn drop(&mut self) {
        let Place { connections, number, .. } = &*self.0;
        let mut table = connections.table();
        let now = table.count();
        table.change(*number, ConnectionState::Asking(now));
        drop(table);
        connections.freed.notify_one();
    }
}

/// Answers what a connection asks for, until it is closed.
async fn attend(stream: TcpStream, place: Place, router: Router, stopping: watch::Receiver<bool>) {
    let place = Arc::new(place);
    let router = TowerToHyperService::new(router);
    let of_requests = Arc::clone(&place);
    let answers = service_fn(move |request: Request<Incoming>| {
        let answering = of_requests.answer();
        let place = Arc::clone(&of_requests);
        place.received(request.body().is_end_stream());
        let answered = router.call(request.map(|body| Body::new(ReceivedBody { body, place })));
        async move {
            let answer = answered.await.unwrap_or_else(|never: Infallible| match never {});
            Ok::<_, Infallible>(counted(answer, answering))
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(place.connections.head_within).max_buf_size(HEAD_BYTES);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), answers));
    let mut stop = pin!(until(stopping));
    let mut is_stopping = false;
    loop {
        tokio::select! {
            // A browser that breaks off, or says what is no request, is no trouble of ours.
            _ = &mut connection => return,
            () = place.close.notified() => return,
            () = &mut stop, if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The answer, which counts as such until the connection has taken all of it over; if it has no end and too many have none, that is said in its place.
fn counted(answer: Response, answering: Answering) -> Response {
    let endless = answer.extensions().get::<Endless>().copied();
    let answer = match endless.is_none_or(|endless| answering.0.go_on(endless)) {
        true => answer,
        false => (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, AGAIN_AFTER_S)], CROWDED).into_response(),
    };
    answer.map(|body| Body::new(Counted { body, _answering: answering }))
}

/// What a request brings. Until all of it is there its connection asks.
struct ReceivedBody {
    body: Incoming,
    place: Arc<Place>,
}

impl HttpBody for ReceivedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_ready() {
            self.place.received(matches!(polled, Poll::Ready(None)) || self.body.is_end_stream());
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// What is sent.
struct Counted {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;
    use futures_util::stream;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::task::JoinHandle;

    use super::*;

    /// Longer than any of these tests.
    const NEVER: Duration = Duration::from_secs(600);

    /// A server, which stops when `stop` says so.
    struct Server {
        address: SocketAddr,
        connections: Arc<Connections>,
        stop: watch::Sender<bool>,
        serving: JoinHandle<()>,
    }

    async fn server(most: usize, head_within: Duration) -> Server {
        let endless = async |endless: Endless| {
            let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"news"))]);
            let mut answer =
                Body::from_stream(futures_util::StreamExt::chain(first, stream::pending())).into_response();
            answer.extensions_mut().insert(endless);
            answer
        };
        let router = Router::new()
            .route("/", get(async || "a page").post(async |body: Bytes| format!("{} bytes", body.len())))
            .route("/news", get(async move || endless(Endless::Watching).await))
            .route("/seat", get(async move || endless(Endless::Sitting).await));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Connections::with(most, head_within);
        let (stop, stopping) = watch::channel(false);
        let own = Arc::clone(&connections);
        let serving = tokio::spawn(async move { own.serve(listener, router, stopping).await });
        Server { address, connections, stop, serving }
    }

    async fn say(address: SocketAddr, words: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        stream.write_all(words.as_bytes()).await.expect("it reads");
        stream
    }

    /// What is answered, up to its first line or as far as it comes.
    async fn asked(address: SocketAddr, path: &str) -> (String, TcpStream) {
        let mut stream = say(address, &format!("GET {path} HTTP/1.1\r\nhost: here\r\n\r\n")).await;
        let mut answer = vec![0; 4096];
        let count = stream.read(&mut answer).await.expect("an answer");
        (String::from_utf8_lossy(&answer[..count]).into_owned(), stream)
    }

    async fn is_closed(stream: &mut TcpStream) -> bool {
        !matches!(stream.read(&mut [0; 64]).await, Ok(1..))
    }

    #[tokio::test]
    async fn everybody_who_asks_is_answered_however_many_say_nothing() {
        let Server { address, connections, stop: _stop, .. } = server(4, NEVER).await;
        let mut silent = Vec::new();
        for _ in 0..40 {
            silent.push(say(address, "GET / HTT").await);
        }
        let (answer, kept) = asked(address, "/").await;
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("a page"), "{answer}");
        assert!(connections.table().open.len() <= 4);
        assert!(is_closed(&mut silent[0]).await, "the one that said nothing for the longest time");
        drop(kept);
    }

    #[tokio::test]
    async fn everybody_who_asks_is_answered_however_many_do_not_end_what_they_send() {
        let Server { address, connections, stop: _stop, .. } = server(4, NEVER).await;
        let mut silent = Vec::new();
        for _ in 0..40 {
            silent.push(say(address, "POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 30\r\n\r\nabc").await);
        }
        let (answer, kept) = asked(address, "/").await;
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("a page"), "{answer}");
        assert!(connections.table().open.len() <= 4);
        assert!(is_closed(&mut silent[0]).await, "the one that said nothing more for the longest time");
        let mut whole = say(address, "POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 3\r\n\r\nabc").await;
        let mut answer = vec![0; 4096];
        let count = whole.read(&mut answer).await.expect("an answer");
        assert!(String::from_utf8_lossy(&answer[..count]).ends_with("3 bytes"));
        drop(kept);
    }

    #[tokio::test]
    async fn a_head_that_does_not_end_is_not_waited_for() {
        let Server { address, stop: _stop, .. } = server(4, Duration::from_millis(20)).await;
        let mut stream = say(address, "GET / HTTP/1.1\r\nhost: he").await;
        assert!(is_closed(&mut stream).await);
        let (answer, mut kept) = asked(address, "/").await;
        assert!(answer.contains("a page"), "{answer}");
        assert!(is_closed(&mut kept).await, "no other request came");
    }

    #[tokio::test]
    async fn news_leave_connections_for_pages_and_seats() {
        let Server { address, stop: _stop, .. } = server(8, NEVER).await;
        let mut watching = Vec::new();
        for _ in 0..6 {
            let (answer, stream) = asked(address, "/news").await;
            assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
            watching.push(stream);
        }
        let (answer, refused) = asked(address, "/news").await;
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.ends_with(CROWDED), "{answer}");
        let (answer, sitting) = asked(address, "/seat").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        drop(refused);
        for _ in 0..20 {
            let (answer, _) = asked(address, "/").await;
            assert!(answer.contains("a page"), "{answer}");
        }
        drop((watching, sitting));
    }

    #[tokio::test]
    async fn at_the_end_connections_without_a_request_are_closed() {
        let Server { address, connections, stop, serving } = server(4, NEVER).await;
        let (answer, mut kept) = asked(address, "/").await;
        assert!(answer.contains("a page"), "{answer}");
        stop.send_replace(true);
        serving.await.expect("no panic");
        assert!(is_closed(&mut kept).await);
        assert!(connections.table().open.is_empty());
    }
}
