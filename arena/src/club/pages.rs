//! The pages of a club, in the look of all pages: what everybody may see, what members do there, and what the organiser does. They hold
//! no script and load nothing; what they change they send as forms. Who may see which, `server` decides.

use std::collections::BTreeSet;

use maud::{Markup, html};
use maumau_club::{ClubThing, ClubViewer, MAX_TRIAL_GAMES, TrialState, VersionState, may};
use maumau_protocol::Seat;
use maumau_web::page::offline_styled;

use super::answers::{EventAnswer, LadderRow, QueueRow, TokenAnswer, TrialAnswer, VersionAnswer};
use super::chapters::PastChapter;
use super::folder::ClubSettings;
use super::games::{VersionGames, WatchedGame};
use super::store::{MemberRole, OpenInvitation, StoredMember, now_s};

/// On a narrow screen tables move sideways within the page, and long lines are broken.
const STYLE: &str = ".note{border-left:4px solid;padding:.4em .8em}td:first-child,td a{white-space:nowrap}main form{display:inline-block;margin:0 .5em .5em 0}.scroll{overflow-x:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere}header{display:flex;justify-content:space-between;align-items:start;gap:1em}";

/// What stands on all pages.
pub(super) struct ClubFrame<'a> {
    pub(super) settings: &'a ClubSettings,
    pub(super) viewer: &'a ClubViewer,
    /// The number of the chapter in play.
    pub(super) chapter: u32,
    /// The organiser's words for all.
    pub(super) message: Option<String>,
    /// True if the season is closed.
    pub(super) is_closed: bool,
    /// True if the disk is nearly full.
    pub(super) is_full: bool,
}

/// What the front page shows.
pub(super) struct FrontPage<'a> {
    pub(super) ladder: &'a [LadderRow],
    /// True if it stands still.
    pub(super) is_frozen: bool,
    /// True if a chapter is over.
    pub(super) has_past: bool,
    pub(super) queue: &'a [QueueRow],
    /// All classes.
    pub(super) classes: &'a BTreeSet<String>,
    /// The one whose bots are shown; empty for all bots.
    pub(super) class: &'a str,
}

/// What a version's page shows.
pub(super) struct VersionPage<'a> {
    pub(super) version: &'a VersionAnswer,
    pub(super) is_held: bool,
    pub(super) build: Option<&'a str>,
    pub(super) check: Option<&'a str>,
    pub(super) games: &'a VersionGames,
    /// All versions of the bot.
    pub(super) of_bot: &'a [VersionAnswer],
    pub(super) ladder: &'a [LadderRow],
}

/// A game as its bot saw it.
pub(super) struct OwnGamePage<'a> {
    /// The number of the version.
    pub(super) version: i64,
    pub(super) agent: &'a str,
    /// Its command.
    pub(super) run: &'a str,
    /// The name of the game.
    pub(super) name: &'a str,
    pub(super) seat: Seat,
    pub(super) text: &'a str,
    /// True if all may see all cards.
    pub(super) is_open: bool,
}

/// What the organiser's page shows.
pub(super) struct HousePage<'a> {
    pub(super) members: &'a [StoredMember],
    pub(super) invitations: &'a [OpenInvitation],
    pub(super) versions: &'a [VersionAnswer],
    pub(super) events: &'a [EventAnswer],
    /// The name of a game that may be played again; empty if none was chosen.
    pub(super) disputed: &'a str,
    /// Games that were played again, the newest first.
    pub(super) reruns: &'a [TrialAnswer],
    /// The link of an invitation that was just made.
    pub(super) link: Option<&'a str>,
    /// True if what everybody sees stands still.
    pub(super) is_frozen: bool,
    /// Mebibytes that are free on the disk.
    pub(super) free_mib: u64,
}

/// A page with the way to the others that this viewer may see.
fn page(frame: &ClubFrame<'_>, title: &str, body: Markup) -> Markup {
    let viewer = frame.viewer;
    let whole = html! {
        header {
            nav aria-label="Club" {
                a href="/" { (frame.settings.title) }
                " · " a href="/live" { "Live" } " · " a href="/games" { "Games" } " · " a href="/rules" { "Rules" }
                " · " a href="/events" { "Events" }
                @if may(frame.viewer, &ClubThing::OwnBots) { " · " a href="/bots" { "My bots" } }
                @if may(frame.viewer, &ClubThing::House) { " · " a href="/house" { "House" } }
                @if *viewer == ClubViewer::Stranger { " · " a href="/login" { "Log in" } }
            }
            @if *viewer != ClubViewer::Stranger { form method="post" action="/logout" { button { "Log out" } } }
        }
        @if let Some(message) = &frame.message { p.note role="status" { (message) } }
        @if frame.is_closed { p.note { "The season is closed: nothing is sent and nothing is played." } }
        @if frame.is_full { p.note { "The disk of the club is nearly full: nothing is sent and nothing is played until there is room." } }
        main { (body) }
    };
    offline_styled(title, STYLE, whole)
}

/// A sentence instead of a page.
pub(super) fn message(frame: &ClubFrame<'_>, title: &str, why: &str) -> Markup {
    let mut letters = why.chars();
    let why: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    page(frame, title, html! { h1 { (title) } p { (why) "." } })
}

/// A time that has gone by.
fn ago(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn place(place: Option<usize>) -> String {
    place.map_or_else(|| "–".to_owned(), |place| place.to_string())
}

/// A number without what follows the point.
fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
}

/// Those that play, the best first.
fn ladder_table(ladder: &[LadderRow]) -> Markup {
    let ranks = |row: &LadderRow| match row.ranks.as_deref() {
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}–{last}"),
        _ => "–".to_owned(),
    };
    html! {
        div.scroll tabindex="0" {
            table {
                thead { tr { th { "rank" } th { "bot" } th { "rating" } th { "from" } th { "to" } th { "games" } } }
                tbody {
                    @for row in ladder.iter().filter(|row| !row.retired) {
                        tr {
                            td { (ranks(row)) } td { (row.agent) @if row.is_house() { " (house)" } } td { (number(row.rating)) } td { (number(row.low)) }
                            td { (number(row.high)) } td { (row.games) }
                        }
                    }
                }
            }
        }
    }
}

/// The ladder, the queue, and how to take part.
pub(super) fn front(frame: &ClubFrame<'_>, shown: &FrontPage<'_>) -> Markup {
    let FrontPage { ladder, is_frozen, has_past, queue, classes, class } = *shown;
    let body = html! {
        h1 { (frame.settings.title) }
        h2 { "Ladder" }
        @if is_frozen { p { "The ladder stands still until the organiser shows it again; play goes on." } }
        @if !classes.is_empty() {
            p {
                "Class: "
                @if class.is_empty() { strong { "all" } } @else { a href="/" { "all" } }
                @for one in classes {
                    " · " @if one == class { strong { (one) } } @else { a href=(format!("/?class={one}")) { (one) } }
                }
            }
        }
        @if ladder.is_empty() { p { "No game has been played yet." } } @else {
            (ladder_table(ladder))
            p {
                "greedy, a house bot, has 1500 by definition; the true rating lies between “from” and “to” in 95 of 100 cases. A bot whose ranks
                are far apart has played too few games for a place."
            }
            @if !is_frozen { p { a href="/standings" { "All tables of the season" } } }
        }
        @if has_past { p { a href="/past" { "Chapters that are over" } } }
        h2 { "Queue" }
        @if queue.is_empty() { p { "Nothing waits." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "place" } th { "bot" } th { "state" } th { "in this state" } th { "since it was sent" } } }
                    tbody {
                        @for row in queue {
                            tr {
                                td { (place(row.place)) } td { (row.agent) }
                                td { (row.state) } td { (ago(row.in_state_s)) } td { (ago(row.age_s)) }
                            }
                        }
                    }
                }
            }
        }
        (take_part(frame.settings))
    };
    page(frame, &frame.settings.title, body)
}

fn take_part(settings: &ClubSettings) -> Markup {
    html! {
        h2 { "Take part" }
        p { "The organiser invites you by a link, which gives you a token. In your bot’s folder, with a file bot.toml such as" }
        pre { "name = \"my-bot\"\nrun = \"python3 bot.py\"" }
        p { "send a version by" }
        pre { "export MAUMAU_TOKEN=…\nmaumau submit . --to " (settings.url) }
        p { "It is checked on your machine and by the club, joins the ladder as my-bot@1, and the command ends with its first rated game." }
    }
}

/// An invitation, with the button that takes it.
pub(super) fn invitation(frame: &ClubFrame<'_>, is_open: bool) -> Markup {
    let body = html! {
        h1 { (frame.settings.title) }
        @if is_open {
            p { "You are invited to this club, where bots play " a href="/rules" { "card games" } " against each other on a ladder. Your name is seen by all, and cannot be changed." }
            form method="post" {
                label { "Your name, a–z, 0–9 and -: " input name="name" required maxlength="32" pattern="[a-z][a-z0-9\\-]*"; }
                " " button { "Join" }
            }
        } @else {
            p { "This invitation is not known, was taken or has ended. Ask the organiser for another one." }
        }
    };
    page(frame, &frame.settings.title, body)
}

/// A new member's token, which is shown this once.
pub(super) fn welcome(frame: &ClubFrame<'_>, joined: &TokenAnswer) -> Markup {
    let title = format!("Welcome, {}", joined.member);
    let body = html! {
        h1 { (title) }
        p { "This is your token. Keep it: it is shown only now. In this browser you are logged in." }
        pre { (joined.token) }
        @if may(frame.viewer, &ClubThing::OwnBots) { (take_part(frame.settings)) }
    };
    page(frame, &title, body)
}

/// Where a member shows its token.
pub(super) fn login(frame: &ClubFrame<'_>, wrong: bool) -> Markup {
    let body = html! {
        h1 { "Log in" }
        @if wrong { p { "This token is not known, or was revoked." } }
        form method="post" {
            label { "Your token: " input name="token" type="password" required autocomplete="current-password"; }
            " " button { "Log in" }
        }
    };
    page(frame, "Log in", body)
}

fn versions_table(versions: &[VersionAnswer]) -> Markup {
    html! {
        @if versions.is_empty() { p { "No version has been sent yet." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead {
                        tr { th { "version" } th { "state" } th { "place" } th { "since it was sent" } th { "games" } th { "reason" } }
                    }
                    tbody {
                        @for version in versions.iter().rev() {
                            tr {
                                td { a href=(format!("/versions/{}", version.id)) { (version.agent) } }
                                td { (version.state) } td { (place(version.place)) } td { (ago(version.age_s)) } td { (version.games) }
                                td { (version.reason.lines().next().unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The bots of a team.
pub(super) fn bots(frame: &ClubFrame<'_>, versions: &[VersionAnswer]) -> Markup {
    let body = html! {
        h1 { "My bots" }
        (versions_table(versions))
        h2 { "Send a version" }
        form method="post" action="/bots" enctype="multipart/form-data" {
            p { label { "The bot’s folder: " input name="files" type="file" webkitdirectory multiple; } }
            p { label { "or an archive of it, zip or tar: " input name="archive" type="file" accept=".zip,.tar,.gz,.tgz"; } }
            p { label { "The bot’s name, if bot.toml does not say it: " input name="name" maxlength="32" pattern="[a-z][a-z0-9\\-]*"; } }
            button { "Send" }
        }
        (take_part(frame.settings))
        h2 { "Token" }
        p { "A further token, for another machine:" }
        (button("/token", "New token"))
    };
    page(frame, "My bots", body)
}

/// A button that sends what it says.
fn button(action: &str, label: &str) -> Markup {
    html! { form method="post" action=(action) { button { (label) } } " " }
}

/// A version: its state, what may be done about it, what was said of it, and its last games.
pub(super) fn version(frame: &ClubFrame<'_>, shown: &VersionPage<'_>) -> Markup {
    let VersionPage { version, is_held, build, check, games, of_bot, ladder } = *shown;
    let (team, state) = (version.team.as_str(), version.state());
    let (change, resume) = (ClubThing::Change { team }, ClubThing::Resume { team, is_held });
    let may_change = may(frame.viewer, &change);
    let act = |verb: &str| format!("/versions/{}/{verb}", version.id);
    let body = html! {
        h1 { (version.agent) }
        p {
            "It is " strong { (version.state) } ". Sent " (ago(version.age_s)) " ago by the team " (version.team) "; "
            (version.games) " rated games."
            @if let Some(place) = version.place { " Its place in the line is " (place) "." }
        }
        @if !version.reason.is_empty() { pre { (version.reason) } }
        @if may_change && matches!(state, Some(VersionState::Ready | VersionState::Playing)) { (button(&act("pause"), "Pause")) }
        @if state == Some(VersionState::Paused) && may(frame.viewer, &resume) { (button(&act("resume"), "Resume")) }
        @if state == Some(VersionState::Paused) && is_held && !may(frame.viewer, &resume) { p { "The organiser has paused it." } }
        @if may_change && state.is_some_and(VersionState::can_be_withdrawn) { (button(&act("withdraw"), "Withdraw for good")) }
        @if may(frame.viewer, &ClubThing::House) && state.is_some_and(VersionState::can_be_disqualified) {
            (button(&act("disqualify"), "Disqualify for good"))
        }
        @if may(frame.viewer, &ClubThing::AskTrial { team }) && version.games > 0 {
            form method="post" action=(act("trial")) {
                label { "Trial against, by names: " input name="against" required value="greedy"; } " "
                label { "Games: " input name="games" type="number" min="1" max=(MAX_TRIAL_GAMES) value="20" required; } " "
                button { "Play" }
            }
        }
        h2 { "Commands" }
        pre { @for build in version.build.lines() { "build: " (build) "\n" } "run: " (version.run) }
        @if !version.compilers.is_empty() { pre { (version.compilers) } }
        @if let Some(build) = build { h2 { "What its build said" } pre tabindex="0" { (build) } }
        @if let Some(check) = check { h2 { "What its check said" } pre tabindex="0" { (check) } }
        (course(of_bot, ladder))
        @if games.of > 0 { (faults(version.id, games)) }
        (worst_games(version, games))
    };
    page(frame, &version.agent, body)
}

/// The versions of a bot side by side.
fn course(of_bot: &[VersionAnswer], ladder: &[LadderRow]) -> Markup {
    html! {
        @if of_bot.len() > 1 {
            h2 { "Versions of this bot" }
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "version" } th { "state" } th { "rating" } th { "from" } th { "to" } th { "games" } } }
                    tbody {
                        @for version in of_bot.iter().rev() {
                            @let row = ladder.iter().find(|row| row.agent == version.agent);
                            tr {
                                td { a href=(format!("/versions/{}", version.id)) { (version.agent) } }
                                td { (version.state) }
                                td { (number(row.and_then(|row| row.rating))) } td { (number(row.and_then(|row| row.low))) }
                                td { (number(row.and_then(|row| row.high))) } td { (version.games) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What went wrong for a version, by kind.
fn faults(id: i64, games: &VersionGames) -> Markup {
    html! {
        h2 { "Faults" }
        @if games.faults.is_empty() { p { "None in its last " (games.of) " games." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "fault" } th { "times" } th { "the last one" } } }
                    tbody {
                        @for group in &games.faults {
                            tr {
                                td { (group.fault) } td { (group.times) }
                                td { a href=(format!("/versions/{id}/games/{}", group.game)) { (group.game) } }
                            }
                        }
                    }
                }
            }
            p { "In its last " (games.of) " games." }
        }
    }
}

/// The last games of a version, the worst first.
fn worst_games(version: &VersionAnswer, games: &VersionGames) -> Markup {
    let seats = |game: &WatchedGame| {
        game.seats.iter().map(|(agent, place)| format!("{place}. {agent}")).collect::<Vec<_>>().join(", ")
    };
    html! {
        h2 { "Last games, the worst first" }
        @if games.worst.is_empty() { p { "None yet." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "game" } th { "places" } th { "faults" } th { "as the bot saw it" } } }
                    tbody {
                        @for game in &games.worst {
                            tr {
                                td { a href=(format!("/games/{}", game.name)) { (game.name) } }
                                td { (seats(game)) } td { (game.faults) }
                                td {
                                    a href=(format!("/versions/{}/games/{}", version.id, game.name)) aria-label=(format!("{} in words", game.name)) {
                                        "in words"
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p { a href=(format!("/games?agent={}", version.agent)) { "All its games" } }
        }
    }
}

/// A game as its bot saw it, in words, with how to play it again at home.
pub(super) fn own_game(frame: &ClubFrame<'_>, shown: &OwnGamePage<'_>) -> Markup {
    let OwnGamePage { version, agent, run, name, seat, text, is_open } = *shown;
    let url = frame.settings.url.trim_end_matches('/');
    let record = format!("{url}/api/1/versions/{version}/games/{name}/record");
    let body = html! {
        h1 { (name) " as " (agent) " saw it" }
        p { a href=(format!("/games/{name}")) { "The game as a page" } " · " a href=(format!("/versions/{version}")) { (agent) } }
        h2 { "At home" }
        @if is_open {
            p { "All games of this deal have been played, so its record is open. In the bot’s folder, the same lines are sent to it again by" }
            pre {
                "curl -H \"Authorization: Bearer $MAUMAU_TOKEN\" " (record) " > game.jsonl\n"
                "maumau feed game.jsonl --seat " (seat) " -- " (run)
            }
        } @else {
            p { "Other games of this deal are still to be played; then its record, which has all cards, can be fetched here." }
        }
        h2 { "The game" }
        pre tabindex="0" { (text) }
    };
    page(frame, &format!("{name}: {agent}"), body)
}

/// The way from a page of a game to those of the club.
fn site_links(frame: &ClubFrame<'_>) -> Markup {
    html! {
        nav.site aria-label="Club" {
            a.home href="/" { (frame.settings.title) }
            a href="/live" { "Live" } a href="/games" { "Games" } a href="/rules" { "Rules" }
        }
    }
}

/// What stands above the page of a game that was played again.
pub(super) fn above_rerun(frame: &ClubFrame<'_>, trial: i64) -> Markup {
    html! {
        (site_links(frame))
        section aria-label="About this game" {
            p { "This is a game as it was " a href=(format!("/trials/{trial}")) { "played again" } "; it counts for nothing." }
        }
    }
}

/// What stands above the page of a game.
pub(super) fn above_game(frame: &ClubFrame<'_>, name: &str, is_open: bool, is_own: bool) -> Markup {
    html! {
        (site_links(frame))
        @if !is_open || may(frame.viewer, &ClubThing::House) {
            section aria-label="About this game" {
                p {
                    @if is_open {
                        a href=(format!("/house?game={name}#again")) { "Play it again, beside the season" }
                    } @else {
                        "Other games of this deal are still to be played: "
                        @if is_own { "you see your own hand and what a spectator sees." } @else { "this is what a spectator sees." }
                    }
                }
            }
        }
    }
}

/// A further token, which is shown this once.
pub(super) fn token(frame: &ClubFrame<'_>, token: &str) -> Markup {
    let body = html! {
        h1 { "Your new token" }
        p { "Keep it: it is shown only now. Your other tokens stay." }
        pre { (token) }
        (take_part(frame.settings))
    };
    page(frame, "Your new token", body)
}

/// The events as one reads them, the newest first.
fn event_list(events: &[EventAnswer]) -> Markup {
    let now = now_s();
    html! {
        div.scroll tabindex="0" {
            table {
                thead { tr { th { "ago" } th { "what" } th { "by" } } }
                tbody {
                    @for event in events.iter().rev() {
                        tr {
                            td { (ago(now.saturating_sub(event.at_s))) } td { (event.what) }
                            td { (event.who.as_deref().unwrap_or_default()) }
                        }
                    }
                }
            }
        }
    }
}

/// What has happened.
pub(super) fn events(frame: &ClubFrame<'_>, events: &[EventAnswer]) -> Markup {
    page(frame, "Events", html! { h1 { "Events" } (event_list(events)) })
}

/// The chapters that are over, the last one first.
pub(super) fn past(frame: &ClubFrame<'_>, chapters: &[PastChapter]) -> Markup {
    let body = html! {
        h1 { "Chapters that are over" }
        @if chapters.is_empty() { p { "The first one is being played." } }
        @for chapter in chapters {
            h2 { "Chapter " (chapter.number) ": " (chapter.game) }
            (ladder_table(&chapter.ladder))
        }
    };
    page(frame, "Chapters", body)
}

/// A game that is played again, and what came of it.
fn rerun(frame: &ClubFrame<'_>, trial: &TrialAnswer, game: &str) -> Markup {
    let title = format!("{game}, played again");
    let is_done = trial.state == TrialState::Done.name();
    let body = html! {
        h1 { (title) }
        p {
            "The game of " (trial.agents.join(", ")) " is played again beside the season, with the same cards, seats and versions. It is "
            strong { (trial.state) } ". The season stays as it is, since later rounds followed from its results."
        }
        @if !trial.reason.is_empty() { pre { (trial.reason) } }
        p {
            @if trial.chapter == Some(frame.chapter) { a href=(format!("/games/{game}")) { "The game of the season" } }
            @if is_done { " · " a href=(format!("/trials/{}/game", trial.id)) { "The game as it was played again" } }
        }
    };
    page(frame, &title, body)
}

/// Games that a team has asked for, and what came of them.
pub(super) fn trial(frame: &ClubFrame<'_>, trial: &TrialAnswer) -> Markup {
    if let Some(game) = &trial.game {
        return rerun(frame, trial, game);
    }
    let title = format!("Trial {}", trial.id);
    let body = html! {
        h1 { (title) }
        p { (trial.agents.join(" against ")) ": " (trial.games) " games, which are not rated. It is " strong { (trial.state) } "." }
        @if !trial.reason.is_empty() { pre { (trial.reason) } }
        @if !trial.ladder.is_empty() {
            (ladder_table(&trial.ladder))
            p { "Here the mean of all is 1500." }
        }
    };
    page(frame, &title, body)
}

/// The organiser's page.
pub(super) fn house(frame: &ClubFrame<'_>, shown: &HousePage<'_>) -> Markup {
    let HousePage { members, invitations, versions, events, disputed, reruns, link, is_frozen, free_mib } = *shown;
    let standing = |member: &StoredMember| match (member.is_banned, member.has_token) {
        (true, _) => "banned",
        (false, true) => "member",
        (false, false) => "without a token",
    };
    let body = html! {
        h1 { "House" }
        @if let Some(link) = link { p { "The new invitation, shown only now:" } pre { (link) } }
        h2 { "People" }
        @if members.is_empty() { p { "Nobody has joined yet." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "member" } th { "role" } th { "team" } th { "class" } th { "standing" } th { "act" } } }
                    tbody {
                        @for member in members {
                            tr {
                                td { (member.name) } td { (member.role) } td { (member.team) }
                                td { (member.class.as_deref().unwrap_or_default()) } td { (standing(member)) }
                                td {
                                    @if !member.is_banned && member.name != frame.viewer.member() { (button(&format!("/members/{}/ban", member.name), &format!("Ban {}", member.name))) }
                                }
                            }
                        }
                    }
                }
            }
        }
        h2 { "Invitations" }
        @if invitations.is_empty() { p { "None is open." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "for" } th { "team" } th { "class" } th { "left" } th { "ends in" } th { "act" } } }
                    tbody {
                        @for open in invitations {
                            tr {
                                td { (open.invitation.role.name()) "s" }
                                td { (match open.invitation.role { MemberRole::Guest => "", _ => open.invitation.team.as_deref().unwrap_or("their own") }) }
                                td { (open.invitation.class.as_deref().unwrap_or_default()) }
                                td { (open.uses_left) } td { (ago(open.ends_s.saturating_sub(now_s()))) }
                                td { (button(&format!("/invitations/{}/take-back", open.id), "Take back")) }
                            }
                        }
                    }
                }
            }
        }
        form method="post" action="/invitations" {
            label { "Team, if all join one: " input name="team" maxlength="32" pattern="[a-z][a-z0-9\\-]*"; } " "
            label { "Class, if any: " input name="class" maxlength="32" pattern="[a-z0-9\\-]+"; } " "
            label { input name="guest" type="checkbox" value="true"; " Guests, who only look" } " "
            label { "People: " input name="uses" type="number" min="1" max="1000" value="1" required; } " "
            button { "Invite" }
        }
        h2 { "Season" }
        p { "Chapter " (frame.chapter) " is being played; " (free_mib) " MiB of the disk are free, and " (frame.settings.least_free_mib) " stay so." }
        @if is_frozen { (button("/house/thaw", "Show the ladder again")) } @else { (button("/house/freeze", "Freeze the ladder")) }
        @if frame.is_closed { (button("/house/open", "Open the season again")) } @else { (button("/house/close", "Close the season")) }
        (button("/house/chapter", "Begin the next chapter"))
        form method="post" action="/house/message" {
            label { "Words for all pages: " input name="text" maxlength="1000" value=(frame.message.as_deref().unwrap_or_default()); } " "
            button { "Say" }
        }
        form #again method="post" action="/reruns" {
            label { "A disputed game: " input name="game" required maxlength="40" value=(disputed); } " "
            button { "Play it again, beside the season" }
        }
        @if !reruns.is_empty() {
            h2 { "Games played again" }
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "game" } th { "chapter" } th { "state" } th { "what came of it" } } }
                    tbody {
                        @for trial in reruns {
                            tr {
                                td { a href=(format!("/trials/{}", trial.id)) { (trial.game.as_deref().unwrap_or_default()) } }
                                td { (trial.chapter.unwrap_or_default()) } td { (trial.state) } td { (trial.reason) }
                            }
                        }
                    }
                }
            }
        }
        h2 { "Versions" }
        (versions_table(versions))
        h2 { "Events" }
        (event_list(events))
    };
    page(frame, "House", body)
}
