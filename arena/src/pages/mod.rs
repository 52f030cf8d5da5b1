//! What the web server shows: runs, records, rules, games in play, as `maumau_web::shown` asks for them. How pages look is not known
//! here.

mod game_index;
mod games;
mod host;
mod live;
mod match_pages;
mod records;
mod reports;
mod rules;
mod run;
pub(crate) mod web_agent;

pub(crate) use host::{AgentReach, PageHost, REACHED, seats};
pub(crate) use live::LiveGames;
pub(crate) use match_pages::MatchPages;
pub(crate) use records::Records;
pub(crate) use run::RunPages;

use maumau_web::shown::NotShown;

/// A failure as a page shows it.
fn trouble(error: impl Into<anyhow::Error>) -> NotShown {
    NotShown(format!("{:#}", error.into()))
}
