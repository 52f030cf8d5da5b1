//! The addresses that the events of a club are sent to, as `club.toml` names them. Sending is `outbox`'s.

use anyhow::Result;
use maumau_run::error::usage;
use serde::Deserialize;

/// Most addresses of a club.
const MAX_WEBHOOKS: usize = 8;

/// An address that events are sent to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Webhook {
    /// The address, with `http://` or `https://`.
    pub(super) url: String,
    /// What proves to the address that the club asks, sent as a bearer token.
    pub(super) token: Option<String>,
    /// Whose eyes it has.
    #[serde(default)]
    pub(super) sees: WebhookSight,
}

/// Which events an address is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WebhookSight {
    /// Those that everybody sees.
    #[default]
    Public,
    /// All, as the organiser sees them.
    Organiser,
}

/// Refuses addresses that cannot be sent to.
///
/// # Errors
/// One is no address, stands twice, or needs a program that speaks https; or there are too many.
pub(super) fn check_all(webhooks: &[Webhook]) -> Result<()> {
    if webhooks.len() > MAX_WEBHOOKS {
        return Err(usage(format!("webhook: expected at most {MAX_WEBHOOKS} addresses, found {}", webhooks.len())));
    }
    for (place, Webhook { url, token, .. }) in webhooks.iter().enumerate() {
        let wrong = |why: &str| Err(usage(format!("webhook {url:?}: {why}")));
        let host = |scheme: &str| url.strip_prefix(scheme).is_some_and(|host| !host.is_empty());
        if url.parse::<ureq::http::Uri>().is_err() || !(host("http://") || host("https://")) {
            return wrong("expected an address that begins with http:// or https://");
        }
        if cfg!(not(feature = "https")) && host("https://") {
            return wrong("this program speaks only http; build it with `cargo build --release --features https`");
        }
        if webhooks[..place].iter().any(|earlier| earlier.url == *url) {
            return wrong("it stands there twice");
        }
        if token.as_ref().is_some_and(|token| token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic())) {
            return wrong("its token is empty, or holds something else than letters, digits and signs");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_sent_to_is_refused() {
        let hook = |url: &str| Webhook { url: url.to_owned(), token: None, sees: WebhookSight::Public };
        assert!(check_all(&[hook("http://127.0.0.1:9/x"), hook("http://localhost/x")]).is_ok());
        for (hooks, expected) in [
            (vec![hook("ftp://localhost/x")], "begins with http:// or https://"),
            (vec![hook("http://")], "begins with http:// or https://"),
            (vec![hook("http://a b/")], "begins with http:// or https://"),
            (vec![hook("http://localhost/x"), hook("http://localhost/x")], "it stands there twice"),
            (vec![Webhook { token: Some("a\nb".to_owned()), ..hook("http://localhost/x") }], "its token"),
            (vec![hook("http://localhost/x"); MAX_WEBHOOKS + 1], "at most 8 addresses, found 9"),
        ] {
            let error = check_all(&hooks).expect_err("it is refused").to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(check_all(&[hook("https://localhost/x")]).is_ok(), cfg!(feature = "https"));
    }
}
