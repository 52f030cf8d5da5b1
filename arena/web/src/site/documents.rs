//! The documents of the repository as pages, compiled in, with a search. What they say is not known here.

use maud::{Markup, PreEscaped, html};
use maumau_engine::rules::law;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

/// A document: its name in an address, its title, its path in the repository, its text.
struct Document {
    name: &'static str,
    title: &'static str,
    path: &'static str,
    text: &'static str,
}

macro_rules! document {
    ($name:literal, $title:literal, $path:literal) => {
        Document { name: $name, title: $title, path: $path, text: include_str!(concat!("../../../../", $path)) }
    };
}

const DOCUMENTS: [Document; 26] = [
    document!("overview", "Overview", "README.md"),
    document!("install", "Install", "arena/docs/install.md"),
    document!("tour", "A tour", "arena/docs/tour.md"),
    document!("bots", "Write a bot in ten minutes", "agents/README.md"),
    document!("conversation", "A conversation", "agents/PROTOCOL.md"),
    document!("debugging", "Stop a bot while it chooses", "agents/DEBUGGING.md"),
    document!("strong", "How to get strong", "agents/STRONG.md"),
    document!("ladder", "The ladder", "agents/LADDER.md"),
    document!("language-models", "Language models", "agents/LANGUAGE-MODELS.md"),
    document!("protocol", "The protocol", "protocol/SPEC.md"),
    Document { name: "law", title: "The law", path: "arena/engine/rules/LAW.md", text: law::PAGE },
    document!("own-game", "A game of your own", "arena/docs/own-game.md"),
    document!("rule-files", "Rule files", "arena/engine/rules/README.md"),
    document!("cluster", "Many machines", "arena/docs/cluster.md"),
    document!("league-files", "League files", "arena/docs/league-files.md"),
    document!("formats", "Formats and stop rules", "arena/docs/formats.md"),
    document!("contest", "To run a contest", "arena/docs/contest.md"),
    document!("club", "Run a club, take part", "arena/docs/club.md"),
    document!("club-hosting", "Host a club", "arena/docs/club-hosting.md"),
    document!("terminal", "Watch and play in a terminal", "arena/docs/terminal.md"),
    document!("data", "Games and seats as data", "arena/docs/data.md"),
    document!("pages", "Pages: watch, and sit down", "arena/docs/pages.md"),
    document!("sandbox", "The sandbox", "arena/docs/sandbox.md"),
    document!("performance", "Performance", "arena/docs/performance.md"),
    document!("logs", "Logs", "arena/docs/logs.md"),
    document!("map", "The map of the program", "arena/ARCHITECTURE.md"),
];

/// Where a server shows the law.
pub(crate) const LAW_ADDRESS: &str = "/documents/law";

/// Lines that a search shows of one document.
const MAX_LINES: usize = 8;

/// The list of documents.
pub(crate) fn document_list() -> Markup {
    html! {
        main.text {
            h1 { "Documents" }
            ul { @for document in &DOCUMENTS { li { a href=(format!("/documents/{}", document.name)) { (document.title) } } } }
        }
    }
}

/// Each document: its name, its title, its page.
pub(crate) fn all_documents() -> impl Iterator<Item = (&'static str, &'static str, Markup)> {
    DOCUMENTS.iter().map(|document| (document.name, document.title, html! { main.text { (to_html(document)) } }))
}

/// The list of documents, or the lines in them that hold all words of `search`.
pub(crate) fn documents(search: &str) -> Markup {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    html! {
        main.text {
            h1 { "Documents" }
            form.filter action="/documents" { label { "Search " input type="search" name="q" value=(search); } button { "Search" } }
            @if words.is_empty() {
                ul { @for document in &DOCUMENTS { li { a href=(format!("/documents/{}", document.name)) { (document.title) } } } }
            } @else {
                @let found: Vec<(&Document, Vec<Found>)> =
                    DOCUMENTS.iter().map(|document| (document, find(document, &words))).filter(|(_, found)| !found.is_empty()).collect();
                @if found.is_empty() { p { "Nothing holds all of these words on one line." } }
                @for (document, found) in &found {
                    h2 { a href=(format!("/documents/{}", document.name)) { (document.title) } }
                    ul {
                        @for Found { anchor, line } in found.iter().take(MAX_LINES) {
                            li { a href=(format!("/documents/{}#{anchor}", document.name)) { (line) } }
                        }
                        @if found.len() > MAX_LINES { li { (found.len() - MAX_LINES) " more lines" } }
                    }
                }
            }
        }
    }
}

/// A line that was searched for, and the heading over it.
struct Found {
    anchor: String,
    line: String,
}

fn find(document: &Document, words: &[String]) -> Vec<Found> {
    let (mut anchor, mut found) = (String::new(), Vec::new());
    for line in document.text.lines() {
        if line.starts_with('#') {
            anchor = anchor_of(line.trim_start_matches('#'));
        }
        let lower = line.to_lowercase();
        if words.iter().all(|word| lower.contains(word)) {
            found.push(Found { anchor: anchor.clone(), line: plain(line) });
        }
    }
    found
}

/// A line without its Markdown.
fn plain(line: &str) -> String {
    let marks = ['#', ' ', '>', '-', '|'];
    let line = line.trim_start_matches(marks).trim_end_matches(['|', ' ']).replace(" | ", " · ");
    let texts = Parser::new(&line).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => Some(text),
        _ => None,
    });
    texts.fold(String::new(), |plain, text| plain + &text)
}

/// The title and the page of a document.
pub(crate) fn document(name: &str) -> Option<(&'static str, Markup)> {
    let document = DOCUMENTS.iter().find(|document| document.name == name)?;
    Some((document.title, html! { main.text { (to_html(document)) } }))
}

/// A document as HTML: its headings get anchors, its links lead to pages of the site or, if the site has none, nowhere.
fn to_html(document: &Document) -> Markup {
    let mut events: Vec<Event<'_>> = Vec::new();
    // Where the heading that is open begins, and its text so far.
    let mut heading: Option<(usize, String)> = None;
    let mut is_dropped = Vec::new();
    let mut is_code = false;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(document.text, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((events.len(), String::new()));
                events.push(heading_of(level, String::new()));
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some((at, text)) = heading.take() {
                    events[at] = heading_of(level, anchor_of(&text));
                }
                events.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Link { dest_url, title, id, .. }) => {
                let target = target(document, &dest_url);
                is_dropped.push(target.is_none());
                if let Some(target) = target {
                    events.push(Event::Start(Tag::Link {
                        link_type: LinkType::Inline,
                        dest_url: target.into(),
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) => {
                if is_dropped.pop() == Some(false) {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                is_code = true;
                events.push(Event::Start(Tag::CodeBlock(kind)));
            }
            Event::End(TagEnd::CodeBlock) => {
                is_code = false;
                events.push(Event::End(TagEnd::CodeBlock));
            }
            Event::Text(text) if heading.is_none() && is_dropped.is_empty() && !is_code => {
                link_clauses(text, &mut events)
            }
            // The anchors of clauses.
            Event::InlineHtml(tag) if tag.starts_with("<a id=\"") || &*tag == "</a>" => {
                events.push(Event::InlineHtml(tag))
            }
            // Markup and pictures of a document belong to where it is read in the repository.
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            event => {
                if let (Some((_, text)), Event::Text(part) | Event::Code(part)) = (&mut heading, &event) {
                    text.push_str(part);
                }
                events.push(event);
            }
        }
    }
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, events.into_iter());
    // A table may be wider than the page, and a block of code too.
    let page =
        page.replace("<table>", "<div class=\"wide\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table>");
    let page = page
        .replace("</table>", "</table></div>")
        .replace("<th></th>", "<td></td>")
        .replace("<pre>", "<pre tabindex=\"0\">");
    PreEscaped(page)
}

/// The address of a clause of the law; `None` if the law has no such clause.
pub(crate) fn clause_address(id: &str) -> Option<String> {
    Some(format!("{LAW_ADDRESS}#{}", law::clause(id)?.anchor()))
}

/// Text in which the ids of clauses lead to the law.
fn link_clauses<'a>(text: CowStr<'a>, events: &mut Vec<Event<'a>>) {
    let mut written = 0;
    for (at, id) in law::cited(&text) {
        let Some(address) = clause_address(id) else { continue };
        let link = Tag::Link { link_type: LinkType::Inline, dest_url: address.into(), title: "".into(), id: "".into() };
        events.push(Event::Text(text[written..at].to_owned().into()));
        events.push(Event::Start(link));
        events.push(Event::Text(id.to_owned().into()));
        events.push(Event::End(TagEnd::Link));
        written = at + id.len();
    }
    events.push(Event::Text(text[written..].to_owned().into()));
}

fn heading_of(level: HeadingLevel, anchor: String) -> Event<'static> {
    Event::Start(Tag::Heading { level, id: Some(CowStr::from(anchor)), classes: Vec::new(), attrs: Vec::new() })
}

/// The anchor of a heading, as GitHub makes it.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// Where a link of a document leads within the site.
fn target(document: &Document, link: &str) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") {
        return Some(link.to_owned());
    }
    let (path, anchor) =
        link.split_once('#').map_or((link, String::new()), |(path, anchor)| (path, format!("#{anchor}")));
    let mut parts: Vec<&str> = document.path.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop(),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    DOCUMENTS.iter().find(|other| other.path == path).map(|other| format!("/documents/{}{anchor}", other.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_becomes_a_page_whose_links_lead_somewhere() {
        let pages: Vec<(&str, String)> =
            DOCUMENTS.iter().map(|own| (own.name, document(own.name).expect("a page").1.into_string())).collect();
        for (name, page) in &pages {
            assert!(page.contains("<h1 id="), "{name} has no title");
            assert!(!page.contains("<script"), "{name}");
            for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let Some(inside) = link.strip_prefix("/documents/") else { continue };
                let (to, anchor) = inside.split_once('#').unwrap_or((inside, ""));
                let (_, target) =
                    pages.iter().find(|(name, _)| *name == to).unwrap_or_else(|| panic!("{name}: {link}"));
                assert!(anchor.is_empty() || target.contains(&format!("id=\"{anchor}\"")), "{name}: {link}");
            }
        }
    }

    #[test]
    fn clauses_have_anchors_and_their_ids_lead_there() {
        let (_, page) = document("law").expect("a page");
        assert_eq!(page.into_string().matches("<a id=\"").count(), law::clauses().len());
        let (_, map) = document("map").expect("a page");
        assert!(map.into_string().contains("<a href=\"/documents/law#b-14\">B-14</a>"));
        for (id, address) in [("K-29", Some("/documents/law#k-29")), ("X-01", None), ("house", None)] {
            assert_eq!(clause_address(id).as_deref(), address);
        }
    }

    #[test]
    fn a_search_leads_to_the_heading_over_a_line() {
        let page = documents("deadline ask").into_string();
        assert!(page.contains("/documents/protocol#"), "{page}");
        assert_eq!(plain("| **5.1** | `--seed 7` | [a page](x.md) <b> |"), "5.1 · --seed 7 · a page <b>");
        assert!(documents("<b>nothing-like-it").into_string().contains("&lt;b&gt;nothing-like-it"));
    }
}
