//! `maumau watch`: a run in progress, from another terminal. It reads the run file again and again, and nothing else;
//! `maumau_terminal` draws it.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_protocol::message::ClockMode;
use maumau_report::{LIVE, PUBLIC_SEED, ranked_standings, remark};
use maumau_run::error::CommandOutcome;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{Holder, RunFile};
use maumau_terminal::ScreenFlow;
use maumau_terminal::screen::{Screen, ScreenInput};
use maumau_terminal::watch::{AgentRow, Dashboard, RunScreen};
use maumau_tournament::{Finished, PlannedGame};

use super::terminal_look;
use super::tournament::duration;

/// Numbers of the plan before the last game among which the last games are looked for: games end in another order.
const NUMBERS: u64 = 200;
/// Games that are listed.
const LAST_GAMES: usize = 40;
/// Columns of the text where there is no terminal.
const COLUMNS: u16 = 100;

/// Watch a run in progress: how far it is, the standings, what went wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau watch league.maumau
  maumau watch league.maumau --plain

Reads the run file alone, which another process may be writing; a stop of the one does nothing to the other. On a terminal the \
screen is drawn again every second, up and down scroll, q ends. --plain, or a pipe, gives one text.")]
pub(super) struct WatchArguments {
    /// The run file
    run: PathBuf,
    /// Write one text and end, also on a terminal
    #[arg(long)]
    plain: bool,
    /// Seconds between two looks at the file
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    every: u64,
}

pub(super) fn run(WatchArguments { run, plain, every }: WatchArguments) -> Result<CommandOutcome> {
    let first = look_at(&run)?;
    if plain || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        print(&first.text(COLUMNS, terminal_look::look()))?;
        return Ok(CommandOutcome::Done);
    }
    let every = Duration::from_secs(every);
    let mut watch = RunScreen::new(terminal_look::look());
    watch.show(first);
    let mut screen = Screen::open(false)?;
    let mut looked = Instant::now();
    loop {
        screen.draw(|buffer, area| watch.draw(buffer, area))?;
        if let Some(ScreenInput::Key(key)) = screen.wait(every.saturating_sub(looked.elapsed()))?
            && watch.press(key) == ScreenFlow::Close
        {
            return Ok(CommandOutcome::Done);
        }
        if looked.elapsed() >= every {
            looked = Instant::now();
            match look_at(&run) {
                Ok(dashboard) => watch.show(dashboard),
                Err(error) => watch.fail(&format!("{error:#}")),
            }
        }
    }
}

/// The run as its file says it is now.
fn look_at(run: &Path) -> Result<Dashboard> {
    let shown = |text: &str| Untrusted::new(text).terminal();
    let file = RunFile::open(run)?;
    let standings = ranked_standings(&file)?;
    let settings = &file.plan.settings;
    let league = &settings.league;
    let player = match Holder::of(run)? {
        Holder::Nobody => None,
        Holder::Unknown => Some("another process".to_owned()),
        Holder::Named(holder) => Some(shown(&holder)),
    };
    let missing = standings.planned - standings.games;
    let speed = file.session()?.and_then(|session| session.games_per_second(standings.games));
    let left = speed.filter(|_| missing > 0 && player.is_some()).map(|speed| duration(missing as f64 / speed));
    let live = (league.clock == ClockMode::Live).then(|| LIVE.to_owned());
    let public = league.cards_may_be_known().then(|| PUBLIC_SEED.to_owned());
    let remark = remark(standings.ranked_by, league.ranked_by()).map(str::to_owned);
    let rows = standings.rows.iter().map(|row| AgentRow {
        name: shown(&row.name),
        games: row.games,
        score: row.mean_score,
        interval: row.interval.map(|interval| (interval.low, interval.high)),
        faults: row.faults.list(", "),
        dismissals: row.dismissals,
    });
    Ok(Dashboard {
        league: shown(&league.name),
        about: format!("{}, tables of {}", shown(&settings.rule_names().join(", ")), league.seats),
        games: standings.games,
        planned: standings.planned,
        is_played: player.is_some(),
        player: match player {
            Some(player) => format!("played by {player}"),
            None if missing == 0 => "complete".to_owned(),
            None => "played by no process now".to_owned(),
        },
        games_per_second: speed,
        time_left: left,
        rows: rows.collect(),
        last_games: last_games(&file)?,
        remarks: remark.into_iter().chain(live).chain(public).collect(),
    })
}

/// The last games in words, the newest first.
fn last_games(file: &RunFile) -> Result<Vec<String>> {
    let Some(last) = file.last_number()? else { return Ok(Vec::new()) };
    let mut games = VecDeque::new();
    file.results_from(last.saturating_sub(NUMBERS), |planned, finished| {
        games.push_front(in_words(file, planned, finished));
        games.truncate(LAST_GAMES);
        ControlFlow::Continue(())
    })?;
    Ok(games.into())
}

/// `g000-d0001-r0  1 greedy, 2 first (2 slow)`.
fn in_words(file: &RunFile, planned: &PlannedGame, finished: &Finished) -> String {
    let shown = |text: &str| Untrusted::new(text).terminal();
    let mut seats: Vec<(Seat, String)> =
        planned.seating().map(|(seat, agent)| (seat, shown(file.plan.pairings.name(agent)))).collect();
    seats.sort_by_key(|(seat, _)| finished.result.places[seat.index()]);
    let seat = |(seat, name): &(Seat, String)| {
        let place = finished.result.places[seat.index()];
        let faults = &finished.faults[seat.index()];
        let dismissed = if finished.result.dismissed.contains(seat) { "dismissed: " } else { "" };
        match faults.is_empty() && dismissed.is_empty() {
            true => format!("{place} {name}"),
            false => format!("{place} {name} ({dismissed}{})", faults.list(" ")),
        }
    };
    format!("{}  {}", planned.id().0, seats.iter().map(seat).collect::<Vec<_>>().join(", "))
}
