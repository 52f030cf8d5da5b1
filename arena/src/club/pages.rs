//! The pages of a club, in the look of all pages: what everybody may see, and an invitation. They hold no script and load nothing.

use maud::{Markup, html};
use maumau_web::page::offline;

use super::answers::{LadderRow, QueueRow, TokenAnswer};
use super::folder::ClubSettings;

/// The ladder, the queue, and how to take part.
pub(super) fn front(settings: &ClubSettings, ladder: &[LadderRow], queue: &[QueueRow]) -> Markup {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"));
    let ranks = |row: &LadderRow| match row.ranks.as_deref() {
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}–{last}"),
        _ => "–".to_owned(),
    };
    let body = html! {
        h1 { (settings.title) }
        h2 { "Ladder" }
        @if ladder.is_empty() { p { "No game has been played yet." } } @else {
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
            p { "greedy, a house bot, has 1500 by definition; the true rating lies between “from” and “to” in 95 of 100 cases." }
        }
        h2 { "Queue" }
        @if queue.is_empty() { p { "Nothing waits." } } @else {
            table {
                thead { tr { th { "place" } th { "bot" } th { "state" } th { "in this state" } th { "since it was sent" } } }
                tbody {
                    @for row in queue {
                        tr {
                            td { (row.place.map_or_else(|| "–".to_owned(), |place| place.to_string())) } td { (row.agent) }
                            td { (row.state) } td { (row.in_state_s) " s" } td { (row.age_s) " s" }
                        }
                    }
                }
            }
        }
        (take_part(settings))
    };
    offline(&settings.title, body)
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
pub(super) fn invitation(settings: &ClubSettings, is_open: bool) -> Markup {
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
    offline(&settings.title, body)
}

/// A new member's token, which is shown this once.
pub(super) fn welcome(settings: &ClubSettings, joined: &TokenAnswer) -> Markup {
    let body = html! {
        h1 { "Welcome, " (joined.member) }
        p { "This is your token. Keep it: it is shown only now." }
        pre { (joined.token) }
        (take_part(settings))
    };
    offline(&settings.title, body)
}
