//! The pages that a server shows around games: the frame with its ways to go, lists, rules, documents. Values come in, markup goes
//! out; texts of others are text.

mod documents;
mod games;
mod live;
mod rules;
mod seeds;
mod workers;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::address::{GameFilter, in_path};
use crate::game::{GAME_STYLE, SCRIPT_PATH};
use crate::live::{LIVE_SCRIPT_PATH, TABLES_SCRIPT_PATH};
use crate::page::{SITE_STYLE, STYLE};
use crate::report::{Links, REPORT_STYLE, RunReport};
use crate::seats::{SEAT_SCRIPT_PATH, SEAT_STYLE};

pub(crate) use documents::{LAW_ADDRESS, all_documents, document, document_list, documents};
pub(crate) use games::{game_list, games};
pub(crate) use live::{live_game, live_tables};
pub(crate) use rules::{rule_sets, rules};
pub(crate) use seeds::seeds;
pub(crate) use workers::workers;

/// The part of the site that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Standings of a run.
    Standings,
    /// Games that are being played.
    Live,
    /// One of them.
    LiveGame,
    /// The seat of a person.
    Seat,
    /// Machines that share a run.
    Workers,
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

/// What a site has besides rules and documents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// True if games are being played.
    pub(crate) live: bool,
    /// True if machines share a run.
    pub(crate) workers: bool,
    /// True if nothing but one game that is being played is shown.
    pub(crate) one_game: bool,
}

/// The styles that stand inside pages.
pub(crate) const STYLES: [&str; 5] = [STYLE, SITE_STYLE, REPORT_STYLE, GAME_STYLE, SEAT_STYLE];

/// A page of the site.
pub(crate) fn page(title: &str, section: Section, parts: Parts, body: &Markup) -> Markup {
    let styles: &[&str] = match section {
        Section::Standings => &[REPORT_STYLE],
        Section::Game | Section::LiveGame => &[GAME_STYLE],
        Section::Seat => &[GAME_STYLE, SEAT_STYLE],
        _ => &[],
    };
    let script = match section {
        Section::Game | Section::LiveGame => Some(SCRIPT_PATH),
        Section::Live => Some(LIVE_SCRIPT_PATH),
        Section::Standings if parts.live => Some(LIVE_SCRIPT_PATH),
        Section::Standings | Section::Games => Some(TABLES_SCRIPT_PATH),
        Section::Seat => Some(SEAT_SCRIPT_PATH),
        _ => None,
    };
    let is_live = matches!(section, Section::Live | Section::LiveGame);
    let ways = [
        (!parts.one_game, "/", "Standings", section == Section::Standings),
        (parts.live, "/live", "Live", is_live),
        (parts.workers, "/workers", "Workers", section == Section::Workers),
        (!parts.one_game, "/games", "Games", matches!(section, Section::Games | Section::Game)),
        (true, "/rules", "Rules", section == Section::Rules),
        (true, "/documents", "Documents", section == Section::Documents),
    ];
    let is_wide = matches!(section, Section::Game | Section::LiveGame | Section::Seat);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – maumau" }
                link rel="icon" type="image/svg+xml" href="/assets/icon.svg";
                // Inside, so that a page is painted without another request.
                @for style in [STYLE, SITE_STYLE].iter().chain(styles) { style { (PreEscaped(style)) } }
                @if let Some(script) = script { script type="module" src=(script) {} }
            }
            body.wide[is_wide] {
                nav.site aria-label="Pages" {
                    a.home href="/" { "♠ maumau" }
                    @for (_, href, name, is_here) in ways.into_iter().filter(|way| way.0) { a href=(href) aria-current=[is_here.then_some("page")] { (name) } }
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
pub(crate) fn standings(report: &RunReport, is_live: bool) -> Markup {
    html! {
        @if is_live { p #progress role="status" data-refresh="yes" { "Games are being played; these tables move with them." } }
        (report.body(Links::Games))
        aside.behind aria-label="Games behind the numbers" {
            h2 { "Games" }
            p { a href="/games" { "All games" } " · " a href="/games?fault=any" { "with faults" } }
            ul {
                @for agent in &report.agents {
                    li {
                        a href=(GameFilter::of(&agent.name).address()) { "Games of " bdi { (agent.name) } }
                        " · "
                        a href=(GameFilter { place: report.setting.seats.to_string(), ..GameFilter::of(&agent.name) }.address()) { "those it lost" }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_styles_inside_and_waits_for_nothing_before_it_is_painted() {
        use Section::{Documents, Game, Games, Live, LiveGame, None, Rules, Seat, Standings, Workers};
        for section in [Standings, Live, LiveGame, Seat, Workers, Games, Game, Rules, Documents, None] {
            let page = page("a page", section, Parts::default(), &html! { p { "text" } }).into_string();
            let styles: Vec<&str> =
                page.split("<style>").skip(1).filter_map(|part| part.split("</style>").next()).collect();
            assert!(styles.len() >= 2 && styles.iter().all(|style| STYLES.contains(style)), "{section:?}");
            assert!(!page.contains("stylesheet"), "{section:?}");
            assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=").count());
        }
    }
}
