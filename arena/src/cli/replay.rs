//! `maumau replay`: a recorded game as a screen to go through, as text or as data. It reads the record; the story is written by
//! `maumau_referee::story` and drawn by `maumau_terminal` or by `report`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_referee::record::MoveNumber;
use maumau_referee::story::{Commentary, Frame, FrameKind};
use maumau_referee::{GameLog, story};
use maumau_report::{Members, StoryText, kept_commentary, result_lines, story_json};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::atomic_file;
use maumau_run::io::format::OutputFormat;
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_terminal::ScreenFlow;
use maumau_terminal::screen::{Screen, ScreenInput};
use maumau_terminal::viewer::Viewer;
use maumau_web::game::{Hands, MOST_MOVES, Story, WantedMoment, moment_picture, offline_game};

use super::play::sandbox_lines;
use super::{terminal_look, verify};
use crate::cli::terminal_look::print_painted;

/// Show a recorded game, from the referee's or one seat's eyes: on a terminal as a screen to go through, else as text.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau replay game.jsonl
  maumau replay game.jsonl --plain
  maumau replay game.jsonl --times
  maumau replay game.jsonl --seat 1 --positions
  maumau replay game.jsonl --format json
  maumau replay game.jsonl --html game.html
  maumau replay game.jsonl --picture last-moves.svg
  maumau replay game.jsonl --picture moment.svg --until 12 --still

On a terminal the screen shows the table, the list of moves and a timeline: arrows step, space plays, x goes to the next fault, ? \
lists the keys, q ends. --plain, or any option of the text, writes the game as text, as does a pipe.

Decisions that `maumau analyse game.jsonl --keep` has judged are marked, on the screen, in the text and on the page: ! good, ?! inaccuracy, \
? mistake, ?? blunder. m goes to the next mistake.

The number before a line is that of its move, as in fault reports and `maumau feed --until`.

--format json writes JSON lines: the game, then one object for each frame: a move with the faults and notes that belong to it, \
or what time or the next deal brought after one. --times adds took_us, cpu_us and missed, --positions the table after each frame. `maumau schema \
replay` prints the JSON Schema.

--html writes one file that holds the game and a viewer for it, to be opened in a browser, mailed or published. It loads \
nothing, and shows all hands: it is not for those who still play games of the same deal.

--picture writes the last ten moves as an SVG picture that moves by itself, or with --still one moment; --until ends it at a move, --seat \
shows what that seat could see. Where a reader wants no motion, and in programs that know none, its last moment is shown.")]
pub(super) struct ReplayArguments {
    /// A record as JSON lines
    file: PathBuf,
    /// Write the game as text also on a terminal
    #[arg(long)]
    plain: bool,
    /// Show only what this seat could see
    #[arg(long)]
    seat: Option<usize>,
    /// Show the table after every move
    #[arg(long)]
    positions: bool,
    /// Show how long each answer took, and deadlines that passed without one
    #[arg(long)]
    times: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Write a page with the game and a viewer to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seat", "positions", "times", "format"])]
    html: Option<PathBuf>,
    /// Write a moving picture of the last ten moves to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["html", "positions", "times", "format", "plain"])]
    picture: Option<PathBuf>,
    /// The move at which the picture ends, as it is numbered in the text
    #[arg(long, value_name = "MOVE", requires = "picture")]
    until: Option<u32>,
    /// A picture of that moment alone
    #[arg(long, requires = "picture")]
    still: bool,
}

pub(super) fn run(arguments: ReplayArguments) -> Result<CommandOutcome> {
    let shown = Untrusted::path(&arguments.file).terminal();
    let record = verify::read(&arguments.file).map_err(|error| usage(format!("{shown}: {error}")))?;
    let (log, digest) = match maumau_referee::verify(&record) {
        Ok(verified) => (verified.log, verified.digest),
        Err(mismatch) => return Err(usage(format!("{shown}: {}", Untrusted::new(&mismatch.to_string()).terminal()))),
    };
    let said = kept_commentary(&arguments.file, digest).unwrap_or_else(|error| {
        print_stderr!("maumau: shown without marks: {}", Untrusted::new(&format!("{error:#}")).terminal());
        None
    });
    if let Some(file) = arguments.html {
        let story = Story::new(&log)?.commented(said.as_ref());
        atomic_file::write(&file, offline_game(&story)?.as_bytes())?;
        print_stderr!("{} holds the game and its viewer", Untrusted::path(&file).terminal());
        return Ok(CommandOutcome::Done);
    }
    let eyes = match arguments.seat {
        None => None,
        Some(index) => Some(Seat::new(index).filter(|_| index < log.header.names.len()).ok_or_else(|| {
            usage(format!("--seat {index}: the game has the seats 0 to {}", log.header.names.len() - 1))
        })?),
    };
    if let Some(file) = &arguments.picture {
        let wanted = WantedMoment {
            frame: arguments.until.map(|until| frame_of(&story::frames(&log, eyes)?, until)).transpose()?,
            eyes: eyes.map(Seat::index),
            bottom: eyes.map_or(0, Seat::index),
            moves: (!arguments.still).then_some(MOST_MOVES),
        };
        atomic_file::write(file, moment_picture(&log, Hands::Open, wanted)?.as_bytes())?;
        print_stderr!("{} holds the picture", Untrusted::path(file).terminal());
        return Ok(CommandOutcome::Done);
    }
    let as_text = arguments.plain || arguments.positions || arguments.times;
    if !as_text && arguments.format == OutputFormat::Text && is_interactive() {
        view(&log, eyes, said)?;
        return Ok(CommandOutcome::Done);
    }
    let frames = story::frames(&log, eyes)?;
    if arguments.format == OutputFormat::Json {
        let members = Members { times: arguments.times, positions: arguments.positions };
        story_json(&log, &frames, eyes, members, |json| print(&(untrusted::json(json)? + "\n")))?;
        return Ok(CommandOutcome::Done);
    }
    let text = StoryText::new(&log.header, arguments.times);
    story::for_each_position(&log, &frames, eyes, |frame, position| {
        print_painted(&text.frame(frame))?;
        let comment = said.as_ref().and_then(|said| said.on(frame.kind.number(), eyes));
        if let Some(comment) =
            comment.filter(|comment| comment.mark.is_some() && matches!(frame.kind, FrameKind::Move(_)))
        {
            print_painted(&text.comment(comment))?;
        }
        if arguments.positions { print_painted(&text.position(&position, eyes)) } else { Ok(()) }
    })?;
    print_painted(&ending(&log))?;
    Ok(CommandOutcome::Done)
}

/// The place of the last frame that shows this move or what follows it.
fn frame_of(frames: &[Frame], number: u32) -> Result<usize> {
    let last = frames.iter().map(|frame| frame.kind.number()).max().unwrap_or(MoveNumber(0));
    let found = frames.iter().rposition(|frame| frame.kind.number() == MoveNumber(number));
    found.ok_or_else(|| usage(format!("--until {number}: the game has the moves 0 to {last}")))
}

/// True if somebody reads what is written, and can press keys.
fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// What is printed at the end of a game.
fn ending(log: &GameLog) -> String {
    let sandbox = log.sandbox.map_or(String::new(), |level| format!("\n{}", sandbox_lines(level, log)));
    format!("\n{}{sandbox}", result_lines(&log.header, &log.result))
}

/// The longest time between two looks at the clock.
const PATIENCE: Duration = Duration::from_secs(60);

/// Shows the screen until it is closed.
fn view(log: &GameLog, only: Option<Seat>, said: Option<Commentary>) -> Result<()> {
    let mut viewer = Viewer::new(log, only, terminal_look::look())?.commented(said);
    let mut screen = Screen::open(false)?;
    let began = Instant::now();
    loop {
        screen.draw(|buffer, area| viewer.draw(buffer, area))?;
        let patience = viewer.due_in().map_or(PATIENCE, Duration::from_millis);
        let input = screen.wait(patience)?;
        viewer.tick(began.elapsed().as_millis() as u64);
        if let Some(ScreenInput::Key(key)) = input
            && viewer.press(key)? == ScreenFlow::Close
        {
            return Ok(());
        }
    }
}
