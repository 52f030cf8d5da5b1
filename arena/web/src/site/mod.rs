//! The pages that a server shows around games: the frame with its ways to go, lists, rules, documents. Values come in, markup goes
//! out; texts of others are text.

mod documents;
mod games;
mod lessons;
mod lobby;

use std::collections::BTreeSet;

use documents::clause_address;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::address::{GameFilter, in_path};
use crate::game::{GAME_STYLE, MOST_MOVES, SCRIPT_PATH, Story, game_body};
use crate::live::{LIVE_SCRIPT_PATH, TABLES_SCRIPT_PATH, TV_SCRIPT_PATH};
use crate::page::{SITE_STYLE, STYLE};
use crate::report::{Links, REPORT_STYLE, RunReport, small_bracket};
use crate::seats::{LESSON_SCRIPT_PATH, SEAT_SCRIPT_PATH, SEAT_STYLE};
use crate::shown::{GamesBeside, RulePassage, RulesPage, SeedRow, SeedsPage, SharedRun, WorkersPage};

pub(crate) use documents::{LAW_ADDRESS, all_documents, document, document_list, documents};
pub(crate) use games::{game_list, games};
pub(crate) use lessons::{LEARN_PATH, learn_address, lesson_sets, lessons, lessons_to_read};
pub(crate) use lobby::{LOBBY_PATH, lobby_form, lobby_table};

/// The part of the site that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Standings of a run.
    Standings,
    /// Games that are being played.
    Live,
    /// One of them.
    LiveGame,
    /// Between two games on a screen for a room.
    Tv,
    /// The seat of a person.
    Seat,
    /// The form that opens tables, and tables.
    Lobby,
    /// Machines that share a run.
    Workers,
    /// Lists of games.
    Games,
    /// One game.
    Game,
    /// The list of lessons.
    Learn,
    /// The lessons of one rule set.
    Lessons,
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
    /// True if people open tables.
    pub(crate) lobby: bool,
    /// True if there are lessons.
    pub(crate) lessons: bool,
    /// True if nothing but one game that is being played is shown.
    pub(crate) one_game: bool,
}

/// The styles that stand inside pages.
pub(crate) const STYLES: [&str; 5] = [STYLE, SITE_STYLE, REPORT_STYLE, GAME_STYLE, SEAT_STYLE];

/// A page of the site; `head` stands in its head besides what all pages have.
pub(crate) fn page(title: &str, section: Section, parts: Parts, head: &Markup, body: &Markup) -> Markup {
    let styles: &[&str] = match section {
        Section::Standings | Section::Tv => &[REPORT_STYLE],
        Section::Game | Section::LiveGame => &[GAME_STYLE],
        Section::Seat | Section::Lessons => &[GAME_STYLE, SEAT_STYLE],
        _ => &[],
    };
    let script = match section {
        Section::Game | Section::LiveGame => Some(SCRIPT_PATH),
        Section::Live => Some(LIVE_SCRIPT_PATH),
        Section::Tv => Some(TV_SCRIPT_PATH),
        Section::Standings if parts.live => Some(LIVE_SCRIPT_PATH),
        Section::Standings | Section::Games => Some(TABLES_SCRIPT_PATH),
        Section::Seat => Some(SEAT_SCRIPT_PATH),
        Section::Lessons => Some(LESSON_SCRIPT_PATH),
        _ => None,
    };
    let is_live = matches!(section, Section::Live | Section::LiveGame);
    let ways = [
        (parts.lobby, LOBBY_PATH, "Play", section == Section::Lobby),
        (!parts.one_game && !parts.lobby, "/", "Standings", section == Section::Standings),
        (parts.live, "/live", "Live", is_live),
        (parts.workers, "/workers", "Workers", section == Section::Workers),
        (parts.lessons, LEARN_PATH, "Learn", matches!(section, Section::Learn | Section::Lessons)),
        (!parts.one_game, "/games", "Games", matches!(section, Section::Games | Section::Game)),
        (true, "/rules", "Rules", section == Section::Rules),
        (true, "/documents", "Documents", section == Section::Documents),
    ];
    let is_wide = matches!(section, Section::Game | Section::LiveGame | Section::Seat | Section::Lessons);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – maumau" }
                (head)
                link rel="icon" type="image/svg+xml" href="/assets/icon.svg";
                // Inside, so that a page is painted without another request.
                @for style in [STYLE, SITE_STYLE].iter().chain(styles) { style { (PreEscaped(style)) } }
                @if let Some(script) = script { script type="module" src=(script) {} }
            }
            body.wide[is_wide] .tv[section == Section::Tv] {
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

/// Where a screen for a room begins.
pub(crate) const TV_PATH: &str = "/tv";

/// How many agents a screen for a room names, and the heats of a first round whose bracket can be read from afar.
const TV_AGENTS: usize = 8;
const TV_HEATS: usize = 4;

/// The way to the screen for a room.
pub(crate) fn screen() -> Markup {
    html! { p { a href=(TV_PATH) { "A screen for a room" } ": one game after another at a pace that people can follow, and the standings between them." } }
}

/// What a screen for a room shows between two games: the standings of a run, or the bracket of a small knock-out, if there is one; its
/// script says what comes next.
pub(crate) fn tv(report: Option<&RunReport>, is_live: bool) -> Markup {
    html! {
        main #tv data-live=[is_live.then_some("yes")] {
            @if let Some(report) = report {
                h1 { (report.league) }
                p { (report.setting.games) " games" }
                @if let Some(bracket) = small_bracket(report, TV_HEATS) { (bracket) }
                ol { @for agent in report.agents.iter().filter(|agent| !agent.is_disqualified).take(TV_AGENTS) {
                    li { bdi { (agent.name) } " " @if let Some(mean) = agent.score { b { (format!("{mean:.3}")) } } }
                } }
            } @else { h1 { "maumau" } }
            p #next role="status" { "What comes next is being chosen." }
            noscript { p { "A screen for a room needs scripts." } }
        }
    }
}

/// The ways to the games beside one.
pub(crate) fn beside(games: &GamesBeside) -> Markup {
    let address = |game: &str| format!("/games/{}", in_path(game));
    html! {
        @if *games != GamesBeside::default() {
            nav.beside aria-label="Games beside this one" {
                @if let Some(before) = &games.before { a rel="prev" href=(address(before)) { "← Game before" } }
                @if let Some(after) = &games.after { a rel="next" href=(address(after)) { "Next game →" } }
                @if !games.same_deal.is_empty() {
                    span {
                        "The same deal in other seats:"
                        @for other in &games.same_deal { " " a href=(address(other)) { (other) } }
                    }
                }
            }
        }
    }
}

/// What other programs show of a link to a game: its name, its agents by place, and a picture of its last moment. `root` is the
/// address of the server.
pub(crate) fn card(story: &Story, name: &str, root: &str) -> Markup {
    let address = format!("{root}/games/{}", in_path(name));
    let mut order: Vec<usize> = (0..story.names.len()).collect();
    order.sort_by_key(|seat| (story.places.get(*seat), *seat));
    let places = order.into_iter().map(|seat| match story.places.get(seat) {
        Some(place) => format!("{place}. {}", story.names[seat]),
        None => story.names[seat].clone(),
    });
    html! {
        meta property="og:type" content="website";
        meta property="og:site_name" content="maumau";
        meta property="og:title" content=(format!("{name} · {}", story.rules));
        meta property="og:description" content=(places.collect::<Vec<_>>().join(", "));
        meta property="og:url" content=(address);
        meta property="og:image" content=(format!("{address}/picture.svg"));
        meta property="og:image:type" content="image/svg+xml";
    }
}

/// The viewer of a game, and its record.
pub(crate) fn game(viewer: Markup, name: &str, wrong: Option<&str>, games: &GamesBeside) -> Markup {
    html! {
        (beside(games))
        @if let Some(why) = wrong {
            p.wrong role="alert" { "This record does not verify; it is shown up to the place where it is wrong. " bdi { (why) } }
        }
        (viewer)
        footer {
            a href=(format!("/games/{}/record", in_path(name))) { "Record of this game" }
            @if wrong.is_none() {
                @let picture = format!("/games/{}/picture.svg", in_path(name));
                " · " a #picture href=(picture) data-picture=(picture) { "This moment as a picture" }
                " · " a #moving href=(format!("{picture}?moves={MOST_MOVES}")) data-picture=(picture) data-moves=(MOST_MOVES) { "The last " (MOST_MOVES) " moves as a moving picture" }
                " · Copy HTML for any page: "
                button #embed type="button" title="HTML that shows this moment as a picture" { "Embed the moment" } " "
                button #embed-moving type="button" title="HTML that shows the moves as a moving picture" { "Embed the moves" }
            }
        }
    }
}

/// A page of the list; `next` is the address of the next one.
pub(crate) fn seeds(found: &SeedsPage, next: Option<&str>) -> Markup {
    html! {
        main.games {
            h1 { "Seeds" }
            p {
                "Every card of a deal follows from its seed. Each game begins with a commitment to it, which its agents are told; when "
                "the last game of the deal is stored, the seed is shown here. "
                code { "maumau tournament export --seeds" } " writes this list, " code { "maumau verify --commitments" }
                " checks it, and " a href="/documents/contest" { "a short program" } " does so without maumau."
            }
            @if found.seeds.is_empty() {
                p { "No deal is done yet." }
            } @else {
                div.wide role="group" aria-label="Seeds" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Game" } th scope="col" { "Its name for agents" } th scope="col" { "Commitment" }
                            th scope="col" { "Seed of the deal" }
                        } }
                        tbody { @for SeedRow { game, id, commitment, seed } in &found.seeds { tr {
                            td { (game) }
                            td { code { (id) } } td { code { (commitment) } } td { code { (seed) } }
                        } } }
                    }
                }
            }
            @if let Some(next) = next { nav.pages aria-label="Pages of the list" { a rel="next" href=(next) { "Next page" } } }
        }
    }
}

/// The games in play; the script fills the list.
pub(crate) fn live_tables() -> Markup {
    html! {
        main.games {
            h1 { "Live" }
            (screen())
            p #progress role="status" { "Waiting for news …" }
            noscript { p { "Games that are being played need scripts to be shown." } }
            div.wide role="group" aria-label="Games that are being played" tabindex="0" {
                table {
                    thead { tr { th scope="col" { "Game" } th scope="col" { "Seats, with their cards" } th scope="col" { "Round" } th scope="col" { "Moves" } } }
                    tbody #tables {}
                }
            }
        }
    }
}

/// A game that is being played. `news` is where what happens comes from, `after` where the game is when it is over.
///
/// # Errors
/// The story has no JSON form.
pub(crate) fn live_game(
    story: &Story,
    rules: Option<&str>,
    news: &str,
    after: Option<&str>,
) -> serde_json::Result<Markup> {
    let body = game_body(story, rules, Some(LAW_ADDRESS))?;
    Ok(html! {
        p #live.live role="status" data-news=(news) data-after=[after] { "Connecting …" }
        (body)
    })
}

/// All rule sets.
pub(crate) fn rule_sets(sets: &[(String, String)]) -> Markup {
    html! {
        main.text {
            h1 { "Rules" }
            p { "Every rule is a clause of " a href=(LAW_ADDRESS) { "the law" } ". Each set in words:" }
            ul { @for (name, title) in sets { li { a href=(format!("/rules/{}", in_path(name))) { (title) } " – " code { (name) } } } }
        }
    }
}

/// Where the lessons of a rule set are.
pub(crate) enum LessonsAt<'a> {
    /// Here they are played.
    Played(&'a str),
    /// Here they are read.
    Read(&'a str),
}

/// One rule set; `learn` is where its lessons are, if it has any.
pub(crate) fn rules(rules: &RulesPage, learn: Option<LessonsAt<'_>>) -> Markup {
    let mut anchored = BTreeSet::new();
    html! {
        main.text {
            h1 { (rules.title) }
            @match learn {
                None => {},
                Some(LessonsAt::Played(learn)) => p { a href=(learn) { "Learn it by playing" } ": small positions, a rule each." },
                Some(LessonsAt::Read(learn)) => p { a href=(learn) { "Learn it by positions" } ", a rule each." },
            }
            @for passage in &rules.passages {
                @match passage {
                    RulePassage::Heading(heading) => h2.rule { (heading) },
                    RulePassage::Paragraph(said) => p.rule { (sentences(said, &mut anchored)) },
                    RulePassage::Item(said) => p.rule.item { (sentences(said, &mut anchored)) },
                }
            }
        }
    }
}

/// Sentences with their clauses, which stand once after several sentences in a row that state the same. An address leads to the
/// first place where a clause stands.
fn sentences<'a>(said: &'a [(String, Vec<String>)], anchored: &mut BTreeSet<&'a str>) -> Markup {
    html! {
        @for (at, (text, clauses)) in said.iter().enumerate() {
            (text) " "
            @if said.get(at + 1).is_none_or(|(_, next)| next != clauses) {
                @for clause in clauses {
                    a.clause id=[anchored.insert(clause).then_some(clause)] href=[clause_address(clause)] { (clause) } " "
                }
            }
        }
    }
}

/// Runs and workers as they are now.
pub(crate) fn workers(page: &WorkersPage) -> Markup {
    let WorkersPage { runs, workers } = page;
    html! {
        main.games {
            h1 { "Workers" }
            @for run in runs { (shared_run(run)) }
            @if runs.is_empty() { p { "There are no runs on the server." } }
            @if workers.is_empty() { p.why { "No worker has been heard of for two minutes." } }
            @else {
                div.wide role="group" aria-label="Workers" tabindex="0" {
                    table {
                        thead { tr {
                            @for column in ["Worker", "Now", "Games/s", "Games", "Units in hand", "Load", "Void deadlines", "Processors"] {
                                th scope="col" { (column) }
                            }
                        } }
                        tbody {
                            @for worker in workers {
                                tr {
                                    th scope="row" { bdi { (worker.name) } }
                                    td { (worker.state) @if let Some(seconds) = worker.silent_s { span.fault { ", silent for " (seconds) " s" } } }
                                    td { (worker.games_per_s) }
                                    td { (worker.games) }
                                    td { (worker.in_hand) }
                                    td { (worker.load) }
                                    td { (worker.void) " of " (worker.deadlines) }
                                    td { bdi { (worker.class) } }
                                }
                            }
                        }
                    }
                }
                ul {
                    @for (worker, (run, why)) in workers.iter().flat_map(|worker| worker.refuses.iter().map(|why| (&worker.name, why))) {
                        li.fault { bdi { (worker) } " does not play " bdi { (run) } ": " bdi { (why) } }
                    }
                }
            }
        }
    }
}

fn shared_run(run: &SharedRun) -> Markup {
    let SharedRun { name, results, units, waiting, in_hand, late, failed } = run;
    html! {
        h2 { bdi { (name) } }
        p { (results) @if let Some(units) = units { " of " (units) } " units have results, " (waiting) " wait, " (in_hand) " are in hand." }
        ul {
            @for (unit, worker, seconds) in late {
                li.fault { "Late: unit " (unit) " has been with " bdi { (worker) } " for " (seconds) " s." }
            }
            @for (unit, is_parked, what) in failed {
                li.fault { @if *is_parked { "Parked: unit " } @else { "Failed, and tried again: unit " } (unit) ", " bdi { (what) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::WorkerRow;

    #[test]
    fn a_page_has_its_styles_inside_and_waits_for_nothing_before_it_is_painted() {
        use Section::{Documents, Game, Games, Live, LiveGame, Lobby, None, Rules, Seat, Standings, Tv, Workers};
        for section in [Standings, Live, LiveGame, Tv, Seat, Lobby, Workers, Games, Game, Rules, Documents, None] {
            let nothing = Markup::default();
            let page = page("a page", section, Parts::default(), &nothing, &html! { p { "text" } }).into_string();
            let styles: Vec<&str> =
                page.split("<style>").skip(1).filter_map(|part| part.split("</style>").next()).collect();
            assert!(styles.len() >= 2 && styles.iter().all(|style| STYLES.contains(style)), "{section:?}");
            assert!(!page.contains("stylesheet"), "{section:?}");
            assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=").count());
        }
    }

    #[test]
    fn what_is_late_parked_or_silent_is_named_and_texts_of_others_are_text() {
        let hostile = "<script>";
        let worker = WorkerRow {
            name: hostile.to_owned(),
            class: hostile.to_owned(),
            state: "playing".to_owned(),
            silent_s: Some(12),
            refuses: vec![("other".to_owned(), hostile.to_owned())],
            ..WorkerRow::default()
        };
        let run = SharedRun {
            name: "league".to_owned(),
            results: 3,
            units: Some(9),
            late: vec![(5, hostile.to_owned(), 40)],
            failed: vec![(6, true, hostile.to_owned()), (7, false, "once".to_owned())],
            ..SharedRun::default()
        };
        let page = workers(&WorkersPage { runs: vec![run], workers: vec![worker] }).into_string();
        assert!(!page.contains(hostile), "{page}");
        for said in [
            "3 of 9 units have results",
            "unit 5 has been with <bdi>&lt;script&gt;</bdi> for 40 s",
            "Parked: unit 6",
            "tried again: unit 7",
            "silent for 12 s",
            "does not play <bdi>other</bdi>",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let nobody = workers(&WorkersPage::default()).into_string();
        assert!(nobody.contains("No worker has been heard of"), "{nobody}");
    }
}
