//! The pages of a club, in the look of all pages: what everybody may see, what members do there, and what the organiser does. They hold
//! no script and load nothing; what they change they send as forms. Who may see which, `server` decides.

use maud::{Markup, html};
use maumau_club::{ClubThing, ClubViewer, MAX_TRIAL_GAMES, VersionState, may};
use maumau_web::page::offline_styled;

use super::answers::{EventAnswer, LadderRow, QueueRow, TokenAnswer, TrialAnswer, VersionAnswer};
use super::folder::ClubSettings;
use super::games::WatchedGame;
use super::store::{Invitation, MemberRole, StoredMember};

/// On a narrow screen tables move sideways within the page, and long lines are broken.
const STYLE: &str = ".scroll{overflow-x:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere}header form{float:right}";

/// What a version's page shows.
pub(super) struct VersionPage<'a> {
    pub(super) version: &'a VersionAnswer,
    pub(super) is_held: bool,
    pub(super) build: Option<&'a str>,
    pub(super) check: Option<&'a str>,
    pub(super) games: &'a [WatchedGame],
}

/// What the organiser's page shows.
pub(super) struct HousePage<'a> {
    pub(super) members: &'a [StoredMember],
    pub(super) invitations: &'a [(Invitation, u32)],
    pub(super) versions: &'a [VersionAnswer],
    pub(super) events: &'a [EventAnswer],
    /// The link of an invitation that was just made.
    pub(super) link: Option<&'a str>,
}

/// A page with the way to the others that this viewer may see.
fn page(settings: &ClubSettings, viewer: &ClubViewer, title: &str, body: Markup) -> Markup {
    let whole = html! {
        header {
            nav aria-label="Club" {
                a href="/" { (settings.title) }
                @if may(viewer, &ClubThing::OwnBots) { " · " a href="/bots" { "My bots" } }
                @if may(viewer, &ClubThing::House) { " · " a href="/house" { "House" } }
                @if *viewer == ClubViewer::Stranger { " · " a href="/login" { "Log in" } }
            }
            @if *viewer != ClubViewer::Stranger { form method="post" action="/logout" { button { "Log out" } } }
        }
        main { (body) }
    };
    offline_styled(title, STYLE, whole)
}

/// A sentence instead of a page.
pub(super) fn message(settings: &ClubSettings, viewer: &ClubViewer, title: &str, why: &str) -> Markup {
    page(settings, viewer, title, html! { h1 { (title) } p { (why) } })
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

/// The ladder, the queue, and how to take part.
pub(super) fn front(
    settings: &ClubSettings,
    viewer: &ClubViewer,
    ladder: &[LadderRow],
    is_frozen: bool,
    queue: &[QueueRow],
) -> Markup {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"));
    let ranks = |row: &LadderRow| match row.ranks.as_deref() {
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}–{last}"),
        _ => "–".to_owned(),
    };
    let body = html! {
        h1 { (settings.title) }
        h2 { "Ladder" }
        @if is_frozen { p { "The ladder stands still until the organiser shows it again; play goes on." } }
        @if ladder.is_empty() { p { "No game has been played yet." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "rank" } th { "bot" } th { "rating" } th { "from" } th { "to" } th { "games" } } }
                    tbody {
                        @for row in ladder.iter().filter(|row| !row.retired) {
                            tr {
                                td { (ranks(row)) } td { (row.agent) } td { (number(row.rating)) } td { (number(row.low)) }
                                td { (number(row.high)) } td { (row.games) }
                            }
                        }
                    }
                }
            }
            p { "greedy, a house bot, has 1500 by definition; the true rating lies between “from” and “to” in 95 of 100 cases." }
        }
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
        (take_part(settings))
    };
    page(settings, viewer, &settings.title, body)
}

fn take_part(settings: &ClubSettings) -> Markup {
    html! {
        h2 { "Take part" }
        p { "The organiser invites you by a link, which gives you a token. In your bot’s folder, with a file bot.toml such as" }
        pre { "name = \"my-bot\"\nrun = \"python3 bot.py\"" }
        p { "send a version by" }
        pre { "export MAUMAU_TOKEN=…\nmaumau submit . --to " (settings.url) }
        p { "It is checked here and there, joins the ladder as my-bot@1, and the command ends with its first rated game." }
    }
}

/// An invitation, with the button that takes it.
pub(super) fn invitation(settings: &ClubSettings, viewer: &ClubViewer, is_open: bool) -> Markup {
    let body = html! {
        h1 { (settings.title) }
        @if is_open {
            p { "You are invited to this club." }
            form method="post" {
                label { "Your name, a–z, 0–9 and -: " input name="name" required maxlength="32" pattern="[a-z][a-z0-9\\-]*"; }
                " " button { "Join" }
            }
        } @else {
            p { "This invitation is not known, was taken or has ended. Ask the organiser for another one." }
        }
    };
    page(settings, viewer, &settings.title, body)
}

/// A new member's token, which is shown this once.
pub(super) fn welcome(settings: &ClubSettings, viewer: &ClubViewer, joined: &TokenAnswer) -> Markup {
    let title = format!("Welcome, {}", joined.member);
    let body = html! {
        h1 { (title) }
        p { "This is your token. Keep it: it is shown only now. In this browser you are logged in." }
        pre { (joined.token) }
        (take_part(settings))
    };
    page(settings, viewer, &title, body)
}

/// Where a member shows its token.
pub(super) fn login(settings: &ClubSettings, wrong: bool) -> Markup {
    let body = html! {
        h1 { "Log in" }
        @if wrong { p { "This token is not known, or was revoked." } }
        form method="post" {
            label { "Your token: " input name="token" type="password" required autocomplete="current-password"; }
            " " button { "Log in" }
        }
    };
    page(settings, &ClubViewer::Stranger, "Log in", body)
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
pub(super) fn bots(settings: &ClubSettings, viewer: &ClubViewer, versions: &[VersionAnswer]) -> Markup {
    let body = html! { h1 { "My bots" } (versions_table(versions)) (take_part(settings)) };
    page(settings, viewer, "My bots", body)
}

/// A button that sends what it says.
fn button(action: &str, label: &str) -> Markup {
    html! { form method="post" action=(action) { button { (label) } } " " }
}

/// A version: its state, what may be done about it, what was said of it, and its last games.
pub(super) fn version(settings: &ClubSettings, viewer: &ClubViewer, shown: &VersionPage<'_>) -> Markup {
    let VersionPage { version, is_held, build, check, games } = *shown;
    let (team, state) = (version.team.as_str(), version.state());
    let (change, resume) = (ClubThing::Change { team }, ClubThing::Resume { team, is_held });
    let may_change = may(viewer, &change);
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
        @if state == Some(VersionState::Paused) && may(viewer, &resume) { (button(&act("resume"), "Resume")) }
        @if state == Some(VersionState::Paused) && is_held && !may(viewer, &resume) { p { "The organiser has paused it." } }
        @if may_change && state.is_some_and(VersionState::can_be_withdrawn) { (button(&act("withdraw"), "Withdraw for good")) }
        @if may(viewer, &ClubThing::AskTrial { team }) && version.games > 0 {
            form method="post" action=(act("trial")) {
                label { "Trial against, by names: " input name="against" required value="greedy"; } " "
                label { "Games: " input name="games" type="number" min="1" max=(MAX_TRIAL_GAMES) value="20" required; } " "
                button { "Play" }
            }
        }
        h2 { "Commands" }
        pre { @if !version.build.is_empty() { "build = " (version.build) "\n" } "run = " (version.run) }
        @if !version.compilers.is_empty() { pre { (version.compilers) } }
        @if let Some(build) = build { h2 { "What its build said" } pre tabindex="0" { (build) } }
        @if let Some(check) = check { h2 { "What its check said" } pre tabindex="0" { (check) } }
        h2 { "Last games" }
        @if games.is_empty() { p { "None yet." } } @else {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "game" } th { "places" } } }
                    tbody {
                        @for game in games {
                            tr {
                                td { a href=(format!("/games/{}", game.name)) { (game.name) } }
                                td { (game.seats.iter().map(|(agent, place)| format!("{place}. {agent}")).collect::<Vec<_>>().join(", ")) }
                            }
                        }
                    }
                }
            }
        }
    };
    page(settings, viewer, &version.agent, body)
}

/// Games that a team has asked for, and what came of them.
pub(super) fn trial(settings: &ClubSettings, viewer: &ClubViewer, trial: &TrialAnswer) -> Markup {
    let title = format!("Trial {}", trial.id);
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"));
    let body = html! {
        h1 { (title) }
        p { (trial.agents.join(" against ")) ": " (trial.games) " games, which are not rated. It is " strong { (trial.state) } "." }
        @if !trial.reason.is_empty() { pre { (trial.reason) } }
        @if !trial.ladder.is_empty() {
            div.scroll tabindex="0" {
                table {
                    thead { tr { th { "bot" } th { "rating" } th { "from" } th { "to" } th { "games" } } }
                    tbody {
                        @for row in &trial.ladder {
                            tr {
                                td { (row.agent) } td { (number(row.rating)) } td { (number(row.low)) } td { (number(row.high)) }
                                td { (row.games) }
                            }
                        }
                    }
                }
            }
            p { "Here the mean of all is 1500." }
        }
    };
    page(settings, viewer, &title, body)
}

/// The organiser's page.
pub(super) fn house(settings: &ClubSettings, viewer: &ClubViewer, shown: &HousePage<'_>) -> Markup {
    let HousePage { members, invitations, versions, events, link } = *shown;
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
                    thead { tr { th { "member" } th { "role" } th { "team" } th { "standing" } th { "act" } } }
                    tbody {
                        @for member in members {
                            tr {
                                td { (member.name) } td { (member.role) } td { (member.team) } td { (standing(member)) }
                                td {
                                    @if !member.is_banned { (button(&format!("/members/{}/ban", member.name), &format!("Ban {}", member.name))) }
                                }
                            }
                        }
                    }
                }
            }
        }
        h2 { "Invitations" }
        @if invitations.is_empty() { p { "None is open." } } @else {
            ul {
                @for (invitation, uses) in invitations {
                    li {
                        (match invitation.role { MemberRole::Author => "author", MemberRole::Organiser => "organiser" })
                        @if let Some(team) = &invitation.team { ", team " (team) }
                        ": " (uses) " left"
                    }
                }
            }
        }
        form method="post" action="/invitations" {
            label { "Team, if all join one: " input name="team" maxlength="32" pattern="[a-z][a-z0-9\\-]*"; } " "
            label { "People: " input name="uses" type="number" min="1" max="1000" value="1" required; } " "
            button { "Invite" }
        }
        h2 { "Versions" }
        (versions_table(versions))
        h2 { "Events" }
        ul { @for event in events.iter().rev() { li { (event.what) } } }
    };
    page(settings, viewer, "House", body)
}
