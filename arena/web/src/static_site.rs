//! A run as a folder of pages that need no server: standings, games with their viewers, rules and documents, each page a file that
//! loads nothing. It hands pages to its caller, who writes them; what they show it asks a [`PageSource`].

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};

use crate::address::in_path;
use crate::game::{MOST_MOVES, WantedMoment, game_alone};
use crate::lessons::Lessons;
use crate::live::tables_script;
use crate::page::{SITE_STYLE, STYLE, alone};
use crate::report::{Links, REPORT_STYLE};
use crate::shown::{GameFilter, GameRow, Highlight, LoadedGame, NotShown, Overview, PageSource};
use crate::site::{self, LessonsAt};

/// Games on one page of the list.
const PAGE_GAMES: usize = 500;

/// Hands every page of the site to `write`, with its path in the site's folder; the games are those that `is_wanted`. Returns how
/// many games there are.
///
/// # Errors
/// What is shown cannot be read; or those of `write`.
pub fn static_site(
    shown: &dyn PageSource,
    lessons: &dyn Lessons,
    is_wanted: &dyn Fn(&str) -> bool,
    write: &mut dyn FnMut(&str, &str) -> Result<(), NotShown>,
) -> Result<usize, NotShown> {
    let (mut games, mut highlights): (Vec<GameRow>, Vec<Highlight>) = (Vec::new(), Vec::new());
    let mut filter = GameFilter::default();
    loop {
        let page = shown.games(&filter)?;
        games.extend(page.games.into_iter().filter(|game| is_wanted(&game.name)));
        highlights.extend(page.highlights.into_iter().filter(|found| is_wanted(&found.game)));
        let Some(next) = page.next else { break };
        filter.from = next;
    }
    let sets = shown.rule_sets();
    let mut learnable = lessons.sets();
    learnable.retain(|learnt| sets.iter().any(|(name, _)| *name == learnt.name));
    let learns = !learnable.is_empty();
    let page = |title: &str, style: &str, root: &str, body: &Markup| page(title, style, root, learns, body);
    if let Overview::Run(report) = shown.overview()? {
        let mut worst = report.decisions.iter().flat_map(|judged| &judged.agents).flat_map(|agent| &agent.worst);
        let names: BTreeSet<&str> = games.iter().map(|game| game.name.as_str()).collect();
        let has_all = worst.all(|decision| names.contains(decision.game.as_str()));
        let body = html! {
            (report.body(if has_all { Links::Replays } else { Links::None }))
            footer {
                p { a href="/games" { "The games of this site" } }
                p { a href="/seeds" { "The seeds of its deals, and what was committed to" } }
            }
        };
        let style = format!("{STYLE}{SITE_STYLE}{REPORT_STYLE}");
        write("index.html", &page(&report.league, &style, "", &body))?;
    }
    let style = format!("{STYLE}{SITE_STYLE}");
    if learns {
        write("learn/index.html", &page("Learn", &style, "../", &site::lesson_sets(&learnable, false)))?;
    }
    let pages = games.len().div_ceil(PAGE_GAMES).max(1);
    for number in 0..pages {
        let rows = games.iter().skip(number * PAGE_GAMES).take(PAGE_GAMES);
        let list = site::game_list(rows, number, pages, &highlights);
        write(&list_path(number), &page("Games", &style, "../", &list))?;
    }
    write_seeds(shown, &|body| page("Seeds", &style, "../", body), write)?;
    for game in &games {
        let Some(LoadedGame { story, rules, .. }) = shown.game(&game.name)? else { continue };
        let story = story.map_err(|why| NotShown(format!("{}: {why}", game.name)))?;
        let rules = rules.map(|set| format!("../rules/{}.html", in_path(&set)));
        let mut beside = shown.beside(&game.name)?;
        beside.keep(is_wanted);
        let beside = site::beside(&beside).into_string();
        let last = WantedMoment { moves: Some(MOST_MOVES), ..WantedMoment::default() };
        let moving = shown.picture(&game.name, last)?.map(|svg| (format!("{}.svg", in_path(&game.name)), svg));
        let before = html! {
            (ways("../", learns)) (PreEscaped(within(&beside, "../")))
            @if let Some((file, _)) = &moving { nav.beside aria-label="Pictures of this game" { a href=(file) { "The last " (MOST_MOVES) " moves as a moving picture" } } }
        };
        let viewer = game_alone(&story.called(&game.name), &before, rules.as_deref(), Some("../documents/law.html"))
            .map_err(|error| NotShown(format!("{}: {error}", game.name)))?;
        write(&format!("games/{}.html", in_path(&game.name)), &viewer.into_string())?;
        if let Some((file, svg)) = moving {
            write(&format!("games/{file}"), &svg)?;
        }
    }
    write("rules/index.html", &page("Rules", &style, "../", &site::rule_sets(&sets)))?;
    for (set, title) in &sets {
        if let Some(rules) = shown.rules(set)? {
            let learnt = lessons.with_answers(set)?;
            let address = site::learn_address(set);
            let learn = learnt.as_ref().map(|_| LessonsAt::Read(&address));
            write(&format!("rules/{}.html", in_path(set)), &page(title, &style, "../", &site::rules(&rules, learn)))?;
            if let Some(learnt) = learnt {
                let body = site::lessons_to_read(set, title, &learnt);
                write(&format!("learn/{}.html", in_path(set)), &page(&format!("Learn {title}"), &style, "../", &body))?;
            }
        }
    }
    write("documents/index.html", &page("Documents", &style, "../", &site::document_list()))?;
    for (name, title, body) in site::all_documents() {
        write(&format!("documents/{name}.html"), &page(title, &style, "../", &body))?;
    }
    Ok(games.len())
}

/// Writes the pages of the seeds of deals that are done, if there are any.
fn write_seeds(
    shown: &dyn PageSource,
    page: &dyn Fn(&Markup) -> String,
    write: &mut dyn FnMut(&str, &str) -> Result<(), NotShown>,
) -> Result<(), NotShown> {
    let (mut number, mut from) = (0, Some(0));
    while let Some(first) = from {
        let Some(found) = shown.seeds(first)? else { return Ok(()) };
        number += 1;
        from = found.next;
        let next = from.map(|_| format!("/seeds/page-{}", number + 1));
        let path = if number == 1 { "seeds/index.html".to_owned() } else { format!("seeds/page-{number}.html") };
        write(&path, &page(&site::seeds(&found, next.as_deref())))?;
    }
    Ok(())
}

fn list_path(number: usize) -> String {
    match number {
        0 => "games/index.html".to_owned(),
        number => format!("games/page-{}.html", number + 1),
    }
}

/// A page; `root` leads to the folder of the site, which `learns` if it has lessons.
fn page(title: &str, style: &str, root: &str, learns: bool, body: &Markup) -> String {
    let body = html! { (ways("/", learns)) (body) };
    let body = PreEscaped(within(&body.into_string(), root));
    alone(&format!("{title} – maumau"), style, &tables_script(), false, &body).into_string()
}

/// The ways between the pages. `root` is what their addresses begin with.
fn ways(root: &str, learns: bool) -> Markup {
    let to = |path: &str| match root {
        "/" => format!("/{path}"),
        root if path.is_empty() => format!("{root}index.html"),
        root => format!("{root}{path}/index.html"),
    };
    html! {
        nav.site aria-label="Pages" {
            a.home href=(to("")) { "♠ maumau" }
            @for (path, name) in [("", "Standings"), ("learn", "Learn"), ("games", "Games"), ("rules", "Rules"), ("documents", "Documents")].into_iter().filter(|(path, _)| learns || *path != "learn") {
                a href=(to(path)) { (name) }
            }
        }
    }
}

/// A page of the server as one of the site: what its links name is a file below `root`. Text holds no bare quotation marks, so
/// only links are changed.
fn within(page: &str, root: &str) -> String {
    let mut parts = page.split("href=\"/");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_once('"').unwrap_or((part, ""));
        let (path, anchor) = link.split_once('#').map_or((link, String::new()), |(path, at)| (path, format!("#{at}")));
        let file = match path {
            "" => "index.html".to_owned(),
            path if path.contains('/') => format!("{path}.html"),
            path => format!("{path}/index.html"),
        };
        written += &format!("href=\"{root}{file}{anchor}\"{rest}");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_server_become_links_between_files() {
        for (link, file) in [
            ("/", "../index.html"),
            ("/games", "../games/index.html"),
            ("/games/g000-d0000-r0", "../games/g000-d0000-r0.html"),
            ("/games/g000-d0000-r0#move=12", "../games/g000-d0000-r0.html#move=12"),
            ("/rules/skat#K-29", "../rules/skat.html#K-29"),
            ("#here", "#here"),
            ("https://example.org/a", "https://example.org/a"),
        ] {
            let page = within(&format!("<a href=\"{link}\">&quot; href=&quot;/x&quot;</a>"), "../");
            assert_eq!(page, format!("<a href=\"{file}\">&quot; href=&quot;/x&quot;</a>"));
        }
    }
}
