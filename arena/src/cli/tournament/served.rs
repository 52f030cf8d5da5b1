//! `maumau tournament run --serve`: the pages of a run while it is played. It ties the loops' tap to a server beside them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use maumau_run::agent::Sandbox;
use maumau_run::league::PlayOptions;
use maumau_run::run_store::LeagueSettings;
use maumau_run::runner::LiveTap;
use maumau_web::server::ServedContent;

use crate::cli::serve::ServeArguments;
use crate::pages::{AgentReach, LiveGames, PageHost, REACHED, RunPages};

/// The pages of a run that is being played.
pub(super) struct Pages {
    host: PageHost,
    is_over: Arc<AtomicBool>,
}

/// Serves the run from now on, if that is wanted, and lets its loops be watched.
///
/// # Errors
/// The address cannot be listened on, or the run file cannot be read.
pub(super) fn start(
    arguments: ServeArguments,
    run: &Path,
    (league, sandbox): (&LeagueSettings, &Sandbox),
    play_options: &mut PlayOptions,
) -> Result<Option<Pages>> {
    let Some(asked) = arguments.address() else { return Ok(None) };
    let tap = LiveTap::default();
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    let live = LiveGames::new(tap.clone(), arguments.hands(), move || over.load(Ordering::Relaxed));
    let shown = Arc::new(RunPages::open(run, arguments.hands())?);
    let agents = AgentReach::of_league(league, sandbox.shares_network())?;
    let host = PageHost::start(
        asked,
        arguments.public,
        &agents,
        ServedContent {
            shown,
            live: Some(Arc::new(live)),
            workers: None,
            seats: None,
            lobby: None,
            lessons: None,
            one_game: false,
        },
    )?;
    print_stderr!("maumau: the run can be seen at {}", host.address());
    host.print_token_reason(&agents);
    play_options.tap = Some(tap);
    Ok(Some(Pages { host, is_over }))
}

impl Pages {
    /// The league has changed while it is played.
    ///
    /// # Errors
    /// A command has no program.
    pub(super) fn meet(&self, league: &LeagueSettings, sandbox: &Sandbox) -> Result<()> {
        if self.host.meet(&AgentReach::of_league(league, sandbox.shares_network())?) {
            print_stderr!("maumau: {REACHED} from now on: {}", self.host.address());
        }
        Ok(())
    }

    /// Ends them, once viewers have learned that the run is over.
    pub(super) fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.host.end_beside_games();
    }
}
