//! What the web server shows: runs, records, rules, as `maumau_web::shown` asks for them. How pages look is not known here.

mod games;
mod records;
mod rules;
mod run;

pub(crate) use records::Records;
pub(crate) use run::Run;

use maumau_web::shown::Trouble;

/// A failure as a page tells it.
fn trouble(error: impl Into<anyhow::Error>) -> Trouble {
    Trouble(format!("{:#}", error.into()))
}
