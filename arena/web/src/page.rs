//! The frame around every page: head, style, heading. It returns markup and
//! writes nothing.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// The style of all pages, for light and dark, narrow and wide screens, and paper.
pub const STYLE: &str = include_str!("style.css");

/// The style of pages that belong to a site, after that of all pages.
pub(crate) const SITE_STYLE: &str = include_str!("style/site.css");

/// Modules as one: each after those that it imports from, without the lines that tie them together.
pub(crate) fn joined(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines()).filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

/// One page that loads nothing: its style is inside, and a policy forbids everything else but pictures that are in it.
///
/// `title` is text, never markup; `body` comes from templates that escape what they are given.
pub fn offline(title: &str, body: Markup) -> Markup {
    offline_styled(title, "", body)
}

/// As [`offline`], with a style of its own after the one of all pages.
pub fn offline_styled(title: &str, style: &'static str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    }
}

/// A page that loads nothing, with its style and its script inside, which a policy names by their digests.
pub(crate) fn alone(title: &str, style: &str, script: &str, is_wide: bool, body: &Markup) -> Markup {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(script),
        hash(style)
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body.wide[is_wide] {
                (body)
                script type="module" { (PreEscaped(script)) }
            }
        }
    }
}

/// What the signs beside the names at a table say, for those who cannot point at them.
pub(crate) fn signs() -> Markup {
    const SIGNS: [(&str, &str); 6] = [
        ("5", "cards in the hand"),
        ("D", "dealt this round"),
        ("★2", "rounds won"),
        ("53", "points, chips or count so far"),
        ("a red word", "was said for the card that is left"),
        ("a yellow name", "is to move"),
    ];
    html! {
        h2 { "At the table" }
        dl { @for (sign, meaning) in SIGNS { div { dt { (sign) } dd { (meaning) } } } }
    }
}

/// How a policy names the text of a style or script that is in the page.
pub(crate) fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_as_a_policy_wants_it() {
        // From the Content Security Policy recommendation: the SHA-256 of `alert('Hello, world.');`.
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn a_title_is_text_and_only_text() {
        let page = offline("</title><script>alert(1)</script>", html! { p { "a page" } }).into_string();
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;/title&gt;&lt;script&gt;"), "{page}");
    }
}
