//! The games of a run, one by one, as a page.

use maud::html;

use crate::page;

/// A game as it is listed, each part as plain text.
#[derive(Clone, Debug)]
pub struct ListedGame {
    /// The place of the agent whose games are listed, if only those are.
    pub place: Option<u8>,
    /// The name of the game.
    pub game: String,
    /// The agents by place, and what went wrong.
    pub places: String,
}

/// The page that lists `games` of a league; `agent` if only its games are listed.
pub fn game_list(league: &str, agent: Option<&str>, games: &[ListedGame]) -> String {
    let table = html! {
        main {
            h1 { (league) }
            table {
                thead {
                    tr {
                        @if let Some(agent) = agent { th { (agent) } }
                        th { "game" }
                        th { "places, and what went wrong" }
                    }
                }
                tbody {
                    @for ListedGame { place, game, places } in games {
                        tr {
                            @if let Some(place) = place { td { (place) } }
                            td { (game) }
                            td { (places) }
                        }
                    }
                }
            }
        }
    };
    page::offline(&format!("{league} – games"), table).into_string()
}
