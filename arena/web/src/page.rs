//! The frame around every page: head, style, heading. It knows nothing of what stands inside. It returns markup and
//! writes nothing.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages, for light and dark, narrow and wide screens, and paper.
pub const STYLE: &str = include_str!("style.css");

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_text_and_only_text() {
        let page = offline("</title><script>alert(1)</script>", html! { p { "a page" } }).into_string();
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;/title&gt;&lt;script&gt;"), "{page}");
    }
}
