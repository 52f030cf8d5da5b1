//! `maumau watch`: a run in progress, from another terminal. It reads the run file again and again, and nothing else;
//! `maumau_terminal` draws it.

mod games_to_watch;

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_protocol::message::ClockMode;
use maumau_report::{LIVE, PUBLIC_SEED, ranked_standings, remark};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{Holder, RunFile};
use maumau_terminal::screen::{Screen, ScreenInput};
use maumau_terminal::viewer::Viewer;
use maumau_terminal::watch::{AgentRow, Dashboard, RunScreen};
use maumau_terminal::{Key, ScreenFlow};
use maumau_tournament::{Finished, PlannedGame};

use super::terminal_look;
use super::tournament::duration;
use games_to_watch::{GameToWatch, GamesToWatch};

/// Numbers of the plan before the last game among which the last games are looked for: games end in another order.
const NUMBERS: u64 = 200;
/// Games that are listed.
const LAST_GAMES: usize = 40;
/// How long the standings are shown between two games.
const STANDINGS_SHOWN: Duration = Duration::from_secs(8);
/// How long the end of a game is shown.
const END_SHOWN: Duration = Duration::from_secs(4);
/// Columns of the text where there is no terminal.
const COLUMNS: u16 = 100;

/// Watch a run in progress: how far it is, the standings, what went wrong; and its games.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau watch league.maumau
  maumau watch league.maumau --games
  maumau watch league.maumau --plain

Reads the run file alone, which another process may be writing; a stop of the one does nothing to the other. On a terminal the \
screen is drawn again every second, up and down scroll, q ends. --plain, or a pipe, gives one text.

--games is for a room: the standings for a while, then a game at a pace that people can follow, and so on, the games worth watching \
first; tab goes to the next one. Until the run is complete it shows what a spectator sees, since authors of agents may be watching.")]
pub(super) struct WatchArguments {
    /// The run file
    run: PathBuf,
    /// Write one text and end, also on a terminal
    #[arg(long)]
    plain: bool,
    /// Show a game after the standings, and so on
    #[arg(long, conflicts_with = "plain")]
    games: bool,
    /// Show all hands of these games, also before the run is complete
    #[arg(long, requires = "games")]
    open_hands: bool,
    /// Seconds between two looks at the file
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    every: u64,
}

pub(super) fn run(arguments: WatchArguments) -> Result<CommandOutcome> {
    let WatchArguments { run, plain, games, open_hands, every } = arguments;
    let first = look_at(&run)?;
    let has_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if games && !has_terminal {
        return Err(usage("--games needs a terminal; without it the run is written as text".to_owned()));
    }
    if plain || !has_terminal {
        print(&first.text(COLUMNS, terminal_look::look()))?;
        return Ok(CommandOutcome::Done);
    }
    let every = Duration::from_secs(every);
    let mut watch = RunScreen::new(terminal_look::look());
    watch.show(first);
    let mut screen = Screen::open(false)?;
    let mut chosen = games.then(|| GamesToWatch::new(open_hands));
    loop {
        let next = match &mut chosen {
            Some(chosen) => chosen.next(&run)?,
            None => None,
        };
        watch.announce(next.as_ref().map(|next| next.announced.clone()));
        let until = games.then(|| Instant::now() + STANDINGS_SHOWN);
        if show_standings(&mut screen, &mut watch, &run, every, until)? == ScreenFlow::Close {
            return Ok(CommandOutcome::Done);
        }
        if let Some(next) = next
            && show_game(&mut screen, &next)? == ScreenFlow::Close
        {
            return Ok(CommandOutcome::Done);
        }
    }
}

/// Shows the run as it becomes, to its reader or `until` a game is shown.
fn show_standings(
    screen: &mut Screen,
    watch: &mut RunScreen,
    run: &Path,
    every: Duration,
    until: Option<Instant>,
) -> Result<ScreenFlow> {
    let mut looked = Instant::now();
    loop {
        screen.draw(|buffer, area| watch.draw(buffer, area))?;
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let patience = every.saturating_sub(looked.elapsed());
        let input = screen.wait(left.map_or(patience, |left| left.min(patience)))?;
        if left.is_some_and(|left| left.is_zero()) || (left.is_some() && input == Some(ScreenInput::Key(Key::Tab))) {
            return Ok(ScreenFlow::Stay);
        }
        if let Some(ScreenInput::Key(key)) = input
            && watch.press(key) == ScreenFlow::Close
        {
            return Ok(ScreenFlow::Close);
        }
        if looked.elapsed() >= every {
            looked = Instant::now();
            match look_at(run) {
                Ok(dashboard) => watch.show(dashboard),
                Err(error) => watch.fail(&format!("{error:#}")),
            }
        }
    }
}

/// Plays a game to its end, which stays for a while; its reader may go through it.
fn show_game(screen: &mut Screen, game: &GameToWatch) -> Result<ScreenFlow> {
    let mut viewer = Viewer::new(&game.log, game.eyes, terminal_look::look())?.as_it_comes();
    let began = Instant::now();
    let mut pressed = began;
    loop {
        screen.draw(|buffer, area| viewer.draw(buffer, area))?;
        let patience = viewer.due_in().map_or(END_SHOWN, Duration::from_millis);
        let input = screen.wait(patience)?;
        viewer.tick(began.elapsed().as_millis() as u64);
        match input {
            Some(ScreenInput::Key(Key::Tab)) => return Ok(ScreenFlow::Stay),
            Some(ScreenInput::Key(key)) => {
                pressed = Instant::now();
                if viewer.press(key)? == ScreenFlow::Close {
                    return Ok(ScreenFlow::Close);
                }
            }
            Some(ScreenInput::Resized) => {}
            // A reader who has stopped it is left in peace.
            None if viewer.due_in().is_none() && viewer.is_at_end() && pressed.elapsed() >= END_SHOWN => {
                return Ok(ScreenFlow::Stay);
            }
            None => {}
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
