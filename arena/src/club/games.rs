//! The games of a season that people look at: those of a version, the worst first, with its faults, and one of them as a page. The hands
//! of a deal are shown to all once nobody will be dealt its cards any more; before that each sees its own. Reads run files, writes nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use maud::Markup;
use maumau_protocol::Seat;
use maumau_report::game_for_author;
use maumau_run::run_store::{RunFile, StoredGame};
use maumau_tournament::AgentId;
use maumau_web::game::{Hands, Story, game_alone};

use super::answers::{GamesAnswer, VersionFaultRow, VersionGameRow};
use super::season::has_begun;

/// How many games before the newest one are looked at for those of a version.
const LOOKS_BACK: u64 = 2_000;
/// How many are listed.
const LISTED: usize = 20;

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedGame {
    /// Its name in the run.
    pub(crate) name: String,
    /// The agents in seat order, each with its place.
    pub(crate) seats: Vec<(String, u8)>,
    /// The faults of the version in it.
    pub(crate) faults: u64,
    place: u8,
}

/// A kind of fault of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaultGroup {
    /// What went wrong.
    pub(crate) fault: String,
    /// How often.
    pub(crate) times: u64,
    /// The last game in which it did.
    pub(crate) game: String,
}

/// The last games of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VersionGames {
    /// Those in which it came out worst, the worst first.
    pub(crate) worst: Vec<WatchedGame>,
    /// Its faults, the most frequent first.
    pub(crate) faults: Vec<FaultGroup>,
    /// Of how many games that is said.
    pub(crate) of: usize,
}

impl VersionGames {
    /// The same, as programs are answered.
    pub(crate) fn answer(self) -> GamesAnswer {
        let row = |WatchedGame { name, seats, faults, .. }| {
            let (agents, places) = seats.into_iter().unzip();
            VersionGameRow { game: name, agents, places, faults }
        };
        let group = |FaultGroup { fault, times, game }| VersionFaultRow { fault, times, last: game };
        GamesAnswer {
            of: self.of,
            worst: self.worst.into_iter().map(row).collect(),
            faults: self.faults.into_iter().map(group).collect(),
        }
    }
}

/// The last games of `agent`; none before the run has begun.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn games_of(run: &Path, agent: &str) -> Result<VersionGames> {
    if !has_begun(run)? {
        return Ok(VersionGames::default());
    }
    let file = RunFile::open(run)?;
    let first = file.last_number()?.unwrap_or(0).saturating_sub(LOOKS_BACK);
    let pairings = &file.plan.pairings;
    let (mut games, mut faults) = (Vec::new(), BTreeMap::<String, (u64, String)>::new());
    file.results_from(first, |planned, finished| {
        let names = planned.agents.iter().map(|agent| pairings.name(*agent).to_owned());
        let seats: Vec<(String, u8)> = names.zip(finished.result.places.iter().copied()).collect();
        let Some(seat) = seats.iter().position(|(name, _)| name == agent) else { return ControlFlow::Continue(()) };
        let (name, place) = (planned.id().0.to_string(), seats[seat].1);
        let mut own = 0;
        for (fault, times) in finished.faults[seat].iter() {
            let group = faults.entry(fault.to_string()).or_default();
            *group = (group.0 + times, name.clone());
            own += times;
        }
        games.push(WatchedGame { name, seats, faults: own, place });
        ControlFlow::Continue(())
    })?;
    let of = games.len();
    games.reverse();
    games.sort_by_key(|game| Reverse((game.place, game.faults)));
    games.truncate(LISTED);
    let mut faults: Vec<FaultGroup> =
        faults.into_iter().map(|(fault, (times, game))| FaultGroup { fault, times, game }).collect();
    faults.sort_by_key(|group| Reverse(group.times));
    Ok(VersionGames { worst: games, faults, of })
}

/// The page of a game below `before`, with all hands, from its record.
///
/// # Errors
/// The record is not there yet, or damaged.
pub(crate) fn recorded_page(record: &Path, before: &Markup) -> Result<Markup> {
    let shown = || record.display().to_string();
    let replay = maumau_referee::verify(&std::fs::read(record).with_context(shown)?).with_context(shown)?;
    Ok(game_alone(&Story::with(&replay.log, Hands::Open).with_context(shown)?, before, None, None)?)
}

/// A finished game of a season.
pub(crate) struct FinishedGame {
    file: RunFile,
    game: StoredGame,
    /// True if nobody will be dealt its cards any more.
    pub(crate) is_open: bool,
}

impl FinishedGame {
    /// The game of this name; `None` if there is no finished one.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub(crate) fn find(run: &Path, name: &str) -> Result<Option<FinishedGame>> {
        let file = RunFile::open(run)?;
        let Some(planned) = file.plan.pairings.game_called(name) else { return Ok(None) };
        let Some(game) = file.game(planned.index)? else { return Ok(None) };
        let (first, games) = file.plan.pairings.deal_of(planned.index);
        let mut is_open = true;
        for number in first..first + games {
            is_open = is_open && file.game(number)?.is_some();
        }
        Ok(Some(FinishedGame { file, game, is_open }))
    }

    /// The seat of `agent`.
    pub(crate) fn seat_of(&self, agent: &str) -> Option<Seat> {
        self.seat(|name| name == agent)
    }

    /// The first seat whose agent is one of those.
    pub(crate) fn seat(&self, is_one: impl Fn(&str) -> bool) -> Option<Seat> {
        let pairings = &self.file.plan.pairings;
        let mut seating = self.game.planned.seating();
        seating.find(|(_, agent): &(Seat, AgentId)| is_one(pairings.name(*agent))).map(|(seat, _)| seat)
    }

    /// Its page below `before`, for one who sees the hand of `own`.
    ///
    /// # Errors
    /// The game is damaged, or was played by another engine.
    pub(crate) fn page(&self, own: Option<Seat>, before: &Markup) -> Result<Markup> {
        let hands = match own {
            _ if self.is_open => Hands::Open,
            Some(seat) => Hands::Own(seat),
            None => Hands::Closed,
        };
        let log = self.game.game_log(&self.file.plan)?;
        let story = Story::with(&log, hands).context("a game of the season")?;
        Ok(game_alone(&story, before, None, None)?)
    }

    /// What its author reads of the game at `seat`: what went wrong, what the bot wrote to stderr, and each move.
    ///
    /// # Errors
    /// The game is damaged, or was played by another engine.
    pub(crate) fn for_author(&self, seat: Seat) -> Result<String> {
        game_for_author(&self.file, &self.game, seat, &self.file.path().with_extension("fault-reports"))
    }

    /// Its agents, seat by seat.
    pub(crate) fn agents(&self) -> Vec<String> {
        let pairings = &self.file.plan.pairings;
        self.game.planned.agents.iter().map(|agent| pairings.name(*agent).to_owned()).collect()
    }

    /// Its record; `None` while its cards may be dealt again.
    ///
    /// # Errors
    /// The game is damaged, or was played by another engine.
    pub(crate) fn record(&self) -> Result<Option<Vec<u8>>> {
        if self.is_open { self.game.record(&self.file.plan).map(Some) } else { Ok(None) }
    }
}
