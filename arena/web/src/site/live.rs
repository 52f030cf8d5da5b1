//! The pages of games that are being played: the tables, and one game. What happens arrives later, by the scripts.

use maud::{Markup, html};

use super::documents::LAW_ADDRESS;
use crate::game::{Story, game_body};

/// The games in play; the script fills the list.
pub(crate) fn live_tables() -> Markup {
    html! {
        main.games {
            h1 { "Live" }
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
