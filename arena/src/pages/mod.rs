//! What the web server shows: runs, records, rules, games in play, as `maumau_web::shown` asks for them. How pages look is not known
//! here.

mod game_index;
mod games;
mod host;
mod lessons;
mod live;
mod match_pages;
mod records;
mod reports;
mod rules;
mod run;
mod shown_seat;
pub(crate) mod web_agent;

pub(crate) use games::worth_watching;
pub(crate) use host::{AgentReach, PageHost, REACHED, seats};
pub(crate) use lessons::BuiltInLessons;
pub(crate) use live::LiveGames;
pub(crate) use match_pages::MatchPages;
pub(crate) use records::Records;
pub(crate) use run::RunPages;

use std::path::Path;

use maumau_referee::record::Digest;
use maumau_referee::story::Commentary;
use maumau_report::kept_commentary;
use maumau_web::shown::NotShown;

/// A failure as a page shows it.
fn trouble(error: impl Into<anyhow::Error>) -> NotShown {
    NotShown(format!("{:#}", error.into()))
}

/// What a judge says of the game with `digest`, which is over, by what is kept beside `file`, a run file or a record; or why that cannot
/// be shown.
fn judged(file: &Path, digest: Digest) -> Option<Commentary> {
    kept_commentary(file, digest).unwrap_or_else(|error| {
        let judge = format!("What is kept of this game's decisions cannot be shown: {error:#}.");
        Some(Commentary { judge, ..Commentary::default() })
    })
}
