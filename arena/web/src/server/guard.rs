//! Who may ask: pages of other sites may not, through names that lead here or otherwise, and beyond this machine only those who
//! hold the token. Every answer says what its page may load. What the pages show is not known here.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, COOKIE, HOST, ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::Site;
use crate::page::hash;
use crate::site::{LEARN_PATH, LOBBY_PATH, STYLES};

/// Scripts, pictures and news from here alone, and the styles that pages have inside; charts give their measures in attributes.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let styles = STYLES.map(|style| format!("'{}'", hash(style))).join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {styles}; style-src-attr 'unsafe-inline'; img-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a policy of plain characters")
});

/// How long a browser keeps what lets it look and what seat it has, closed or not.
pub(super) const KEPT_S: u32 = 7 * 24 * 60 * 60;

/// Where the seats of people are, which guard themselves by a token for each, and the organiser's page of them by another.
const SEATS: [&str; 2] = ["/seat/", "/seats"];

/// The path of scripts and pictures. Every viewer gets the same ones.
const ASSETS: &str = "/assets/";

fn guards_itself(path: &str) -> bool {
    SEATS.iter().any(|seats| path.starts_with(seats))
}

/// What those say who may look, where it is wanted.
pub struct Token {
    text: String,
    is_wanted: AtomicBool,
}

impl Token {
    /// The token `text`, which nobody can guess.
    pub fn new(text: String, is_wanted: bool) -> Token {
        Token { text, is_wanted: AtomicBool::new(is_wanted) }
    }

    /// Wants it from now on. True if that is new.
    pub fn want(&self) -> bool {
        !self.is_wanted.swap(true, Ordering::Relaxed)
    }

    /// What is wanted, if anything is.
    pub fn wanted(&self) -> Option<&str> {
        self.is_wanted.load(Ordering::Relaxed).then_some(&*self.text)
    }
}

/// Who may ask.
pub(super) struct PageAccess {
    /// The cookie that keeps the token, so that it stands in one address only. Cookies do not distinguish what is served at one
    /// machine's ports.
    cookie_name: String,
    /// The names under which this machine may be asked; where a token is wanted any name will do.
    hosts: [String; 3],
    token: Arc<Token>,
}

impl PageAccess {
    /// For a server that listens at `listening`; where `token` is wanted it may be asked under any name, by those who know it.
    pub(super) fn new(listening: SocketAddr, token: Arc<Token>) -> PageAccess {
        let port = listening.port();
        let names = [listening.ip().to_string(), format!("[{}]", listening.ip()), "localhost".to_owned()];
        let hosts = names.map(|name| format!("{name}:{port}"));
        PageAccess { cookie_name: format!("maumau-{port}"), hosts, token }
    }

    /// Why this request is refused, if it is.
    fn refusal(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        let is_seat = guards_itself(path);
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        let is_lesson = path.strip_prefix(LEARN_PATH).is_some_and(|rest| rest.starts_with('/'));
        let is_choice = (is_seat || is_lesson || path == LOBBY_PATH) && *method == Method::POST;
        if !is_read && !is_choice {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "these pages can only be read\n"));
        }
        let token = self.token.wanted();
        if token.is_none() && !self.hosts.iter().any(|name| name == host) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "ask for the address that `maumau` has printed\n"));
        }
        match RequestOrigin::of(headers) {
            RequestOrigin::Foreign => {
                return Some((StatusCode::FORBIDDEN, "pages of other sites may not read this one\n"));
            }
            RequestOrigin::Unknown if !is_read => {
                return Some((StatusCode::FORBIDDEN, "only a page of this server may act for a seat\n"));
            }
            RequestOrigin::Own | RequestOrigin::Unknown => {}
        }
        // A seat has a token of its own, which its page asks for; what its page is made of is no secret.
        if let Some(token) = token.filter(|_| !is_seat && !path.starts_with(ASSETS)) {
            let wanted = format!("{}={token}", self.cookie_name);
            let held = text(COOKIE).is_some_and(|cookies| cookies.split("; ").any(|cookie| cookie == wanted));
            if !held {
                return Some((StatusCode::FORBIDDEN, "open the link that `maumau` has printed: it holds a token\n"));
            }
        }
        None
    }

    /// The cookie for somebody who comes with the token in the address.
    fn cookie(&self, query: Option<&str>, headers: &HeaderMap) -> Option<String> {
        let given = query?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        self.guest_cookie(headers).filter(|_| self.token.wanted() == Some(given))
    }

    /// The cookie for somebody who was invited to a table; `None` where no token is wanted.
    pub(super) fn guest_cookie(&self, headers: &HeaderMap) -> Option<String> {
        let (name, token) = (&self.cookie_name, self.token.wanted()?);
        Some(format!("{name}={token}; HttpOnly; SameSite=Lax; Max-Age={KEPT_S}; Path=/{}", secure(headers)))
    }
}

/// Which page a request comes from, as the browser says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// One of the server that was asked.
    Own,
    /// One of another server.
    Foreign,
    /// None, or the browser does not say.
    Unknown,
}

impl RequestOrigin {
    /// The origin in these headers, for a server that is asked under the name in `Host`.
    pub fn of(headers: &HeaderMap) -> RequestOrigin {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        match text(ORIGIN) {
            None => RequestOrigin::Unknown,
            Some(origin) if origin == format!("http://{host}") || origin == format!("https://{host}") => {
                RequestOrigin::Own
            }
            Some(_) => RequestOrigin::Foreign,
        }
    }
}

/// What a cookie says where a proxy in front of the pages speaks TLS with the browser: to be sent back by TLS alone. A proxy that
/// claims it wrongly only makes the browser drop the cookie.
pub fn secure(headers: &HeaderMap) -> &'static str {
    let by_tls =
        headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"));
    if by_tls { "; Secure" } else { "" }
}

/// Refuses what may not be asked, and adds to each answer what its page may do.
pub(super) async fn check(State(Site { access, .. }): State<Site>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let refusal = access.refusal(request.method(), path, request.headers());
    let cookie = access.cookie(request.uri().query(), request.headers()).filter(|_| !guards_itself(path));
    let mut answer = match cookie.map(|cookie| HeaderValue::from_str(&cookie)) {
        Some(Ok(cookie)) => {
            let mut answer = Redirect::to(request.uri().path()).into_response();
            answer.headers_mut().insert(SET_COOKIE, cookie);
            answer
        }
        _ => match refusal {
            Some(refusal) => refusal.into_response(),
            None => next.run(request).await,
        },
    };
    let headers = answer.headers_mut();
    // Pictures have one of their own.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert_with(|| POLICY.clone());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Without a referrer for itself, a browser would say `Origin: null` where a form is sent.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(access: &PageAccess, method: Method, path: &str, headers: &[(HeaderName, &'static str)]) -> Option<u16> {
        let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        access.refusal(&method, path, &headers).map(|(status, _)| status.as_u16())
    }

    fn access(listening: &str, is_wanted: bool) -> PageAccess {
        PageAccess::new(listening.parse().expect("an address"), Arc::new(Token::new("abc".to_owned(), is_wanted)))
    }

    #[test]
    fn a_token_can_be_wanted_from_some_moment_on() {
        let access = access("127.0.0.1:4242", false);
        let looks = || refused(&access, Method::GET, "/games", &[(HOST, "127.0.0.1:4242")]);
        let headers = HeaderMap::new();
        assert_eq!((looks(), access.cookie(Some("token=abc"), &headers)), (None, None));
        assert!(access.token.want() && !access.token.want());
        assert_eq!((looks(), access.cookie(Some("token=abc"), &headers).is_some()), (Some(403), true));
    }

    #[test]
    fn only_pages_of_this_server_may_ask_under_its_own_names() {
        let access = access("127.0.0.1:4242", false);
        for (headers, expected) in [
            (&[(HOST, "127.0.0.1:4242")][..], None),
            (&[(HOST, "localhost:4242")], None),
            (&[(HOST, "localhost:4242"), (ORIGIN, "http://localhost:4242")], None),
            (&[], Some(421)),
            (&[(HOST, "rebound.example:4242")], Some(421)),
            (&[(HOST, "127.0.0.1:80")], Some(421)),
            (&[(HOST, "localhost:4242"), (ORIGIN, "http://evil.example")], Some(403)),
            (&[(HOST, "localhost:4242"), (ORIGIN, "null")], Some(403)),
        ] {
            assert_eq!(refused(&access, Method::GET, "/games", headers), expected, "{headers:?}");
        }
        let (own, other) = ((ORIGIN, "http://127.0.0.1:4242"), (ORIGIN, "http://evil.example"));
        let host = (HOST, "127.0.0.1:4242");
        assert_eq!(refused(&access, Method::POST, "/games", &[host.clone(), own.clone()]), Some(405));
        let choice = |headers: &[(HeaderName, &'static str)]| refused(&access, Method::POST, "/seat/0/choice", headers);
        assert_eq!(choice(&[host.clone(), own]), None);
        assert_eq!(choice(&[host.clone(), other]), Some(403));
        assert_eq!(choice(std::slice::from_ref(&host)), Some(403), "no page has sent it");
        let free = |headers: &[(HeaderName, &'static str)]| refused(&access, Method::POST, "/seats/0/free", headers);
        assert_eq!(free(std::slice::from_ref(&host)), Some(403), "no page has sent it");
        let own = (ORIGIN, "http://127.0.0.1:4242");
        assert_eq!(refused(&access, Method::POST, LOBBY_PATH, &[host.clone(), own.clone()]), None);
        assert_eq!(
            refused(&access, Method::POST, LOBBY_PATH, std::slice::from_ref(&host)),
            Some(403),
            "no page has sent it"
        );
        let own = (ORIGIN, "http://127.0.0.1:4242");
        let learn = |path: &str| refused(&access, Method::POST, path, &[host.clone(), own.clone()]);
        assert_eq!((learn("/learn/basic/1"), learn("/learn"), learn("/learned")), (None, Some(405), Some(405)));
        let lesson = refused(&access, Method::POST, "/learn/basic/1", std::slice::from_ref(&host));
        assert_eq!(lesson, Some(403), "no page has sent it");
    }

    #[test]
    fn with_a_token_its_holder_may_ask_and_nobody_else() {
        let access = access("0.0.0.0:4242", true);
        assert_eq!(refused(&access, Method::GET, "/games", &[(HOST, "cards.example")]), Some(403));
        assert_eq!(
            refused(&access, Method::GET, "/games", &[(HOST, "cards.example"), (COOKIE, "maumau-4242=abd")]),
            Some(403)
        );
        assert_eq!(
            refused(&access, Method::GET, "/games", &[(HOST, "cards.example"), (COOKIE, "a=b; maumau-4242=abc")]),
            None
        );
        assert_eq!(
            refused(&access, Method::GET, "/games", &[(HOST, "cards.example"), (COOKIE, "maumau-4243=abc")]),
            Some(403),
            "the cookie of another server on this host"
        );
        let own = (ORIGIN, "http://cards.example");
        let opens = refused(&access, Method::POST, LOBBY_PATH, &[(HOST, "cards.example"), own]);
        assert_eq!(opens, Some(403), "tables are opened by those who may look");
        let mut headers = HeaderMap::new();
        assert_eq!(access.cookie(Some("token=abd"), &headers), None);
        let cookie = access.cookie(Some("page=2&token=abc"), &headers).expect("a cookie");
        assert!(cookie.contains("HttpOnly") && !cookie.contains("Secure"), "{cookie}");
        assert!(cookie.contains("Max-Age=604800"), "it outlives the browser: {cookie}");
        headers.insert("x-forwarded-proto", HeaderValue::from_static("https"));
        assert!(access.cookie(Some("token=abc"), &headers).is_some_and(|cookie| cookie.ends_with("; Secure")));
    }
}
