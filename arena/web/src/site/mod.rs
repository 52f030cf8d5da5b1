//! The pages that a server shows around games: the frame with its ways to go, lists, rules, documents. Values come in, markup goes
//! out; texts of others are text.

mod documents;
mod games;
mod rules;

use maud::{DOCTYPE, Markup, html};

use crate::game::SCRIPT_PATH;
use crate::report::RunReport;

pub(crate) use documents::{document, documents};
pub(crate) use games::games;
pub(crate) use rules::{rule_sets, rules};

/// The style of these pages, after that of all pages.
pub(crate) const SITE_STYLE: &str = include_str!("../style/site.css");

/// The part of the site that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Standings of a run.
    Standings,
    /// Lists of games.
    Games,
    /// One game.
    Game,
    /// Rule sets.
    Rules,
    /// Documents.
    Documents,
    /// None of them.
    None,
}

/// A page of the site.
pub(crate) fn page(title: &str, section: Section, body: &Markup) -> Markup {
    let own_style = match section {
        Section::Standings => Some("/assets/report.css"),
        Section::Game => Some("/assets/game.css"),
        _ => None,
    };
    let ways = [
        ("/", "Standings", section == Section::Standings),
        ("/games", "Games", matches!(section, Section::Games | Section::Game)),
        ("/rules", "Rules", section == Section::Rules),
        ("/documents", "Documents", section == Section::Documents),
    ];
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – maumau" }
                link rel="icon" type="image/svg+xml" href="/assets/icon.svg";
                link rel="stylesheet" href="/assets/style.css";
                link rel="stylesheet" href="/assets/site.css";
                @if let Some(style) = own_style { link rel="stylesheet" href=(style); }
                @if section == Section::Game { script type="module" src=(SCRIPT_PATH) {} }
            }
            body.wide[section == Section::Game] {
                nav.site aria-label="Pages" {
                    a.home href="/" { "♠ maumau" }
                    @for (href, name, is_here) in ways { a href=(href) aria-current=[is_here.then_some("page")] { (name) } }
                }
                (body)
            }
        }
    }
}

/// A page with one sentence.
pub(crate) fn message(title: &str, why: &str) -> Markup {
    html! { main { h1 { (title) } p.why { (why) } } }
}

/// The standings of a run, with ways to the games behind them.
pub(crate) fn standings(report: &RunReport) -> Markup {
    html! {
        (report.body())
        aside.behind aria-label="Games behind the numbers" {
            h2 { "Games" }
            p { a href="/games" { "All games" } " · " a href="/games?fault=any" { "with faults" } }
            ul {
                @for agent in &report.agents {
                    li {
                        a href=(format!("/games?agent={}", in_path(&agent.name))) { "Games of " bdi { (agent.name) } }
                        " · "
                        a href=(format!("/games?agent={}&place={}", in_path(&agent.name), report.setting.seats)) { "those it lost" }
                    }
                }
            }
        }
    }
}

/// The viewer of a game, and its record.
pub(crate) fn game(viewer: Markup, name: &str, wrong: Option<&str>) -> Markup {
    html! {
        @if let Some(why) = wrong {
            p.wrong role="alert" { "This record does not verify; it is shown up to the place where it is wrong. " bdi { (why) } }
        }
        (viewer)
        footer { a href=(format!("/games/{}/record", in_path(name))) { "Record of this game" } }
    }
}

/// Text as it stands in an address.
pub(crate) fn in_path(text: &str) -> String {
    use std::fmt::Write;
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => escaped.push(char::from(byte)),
            byte => _ = write!(escaped, "%{byte:02X}"),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_part_of_an_address() {
        assert_eq!(in_path("a b/../?x=1&\"<é"), "a%20b%2F..%2F%3Fx%3D1%26%22%3C%C3%A9");
    }
}
