//! A person as an agent: lines of the arena on stdin, answers on stdout, the table on the terminal. It moves bytes and keys;
//! the seat decides what they mean.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use maumau_agents::person::ready;
use maumau_protocol::message::{Act, AgentMessage, ArenaMessage, ClockMode, GameId};
use maumau_protocol::{Action, wire};

use super::PersonSeat;
use super::press::Pressed;
use crate::look::ScreenStyle;
use crate::screen::{Screen, ScreenError, ScreenInput};

/// How often the clock is drawn again.
const TICK: Duration = Duration::from_millis(250);
/// Lines of the game that stay on the terminal after it.
const LAST_LINES: usize = 12;

/// Why a person could not play.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// There is no screen.
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// A line of the arena cannot be read, or none written.
    #[error("the arena cannot be read or written: {0}")]
    Pipe(#[from] io::Error),
    /// What came first is no arena.
    #[error("this is no arena: its first line is {0:?}")]
    NoArena(String),
}

/// Something to react to.
enum Happening {
    Line(String),
    ArenaGone,
    Terminal(Option<ScreenInput>),
}

/// Plays as the person at the terminal on `input` and `output` until the arena says good-bye or is gone, or the person leaves.
///
/// # Errors
/// There is no terminal, or no arena.
pub fn sit(
    input: impl Read + Send + 'static,
    output: impl Write,
    name: &str,
    look: ScreenStyle,
) -> Result<(), ClientError> {
    let mut output = output;
    let mut input = BufReader::new(input);
    let mut first = String::new();
    input.read_line(&mut first)?;
    let Ok(Some(ArenaMessage::Hello(hello))) = wire::read_arena_line(&first) else {
        return Err(ClientError::NoArena(first.chars().take(80).collect()));
    };
    // The terminal first: an agent without one is not ready to play.
    let mut screen = Screen::open(true)?;
    send(&mut output, &AgentMessage::Ready(ready(name)))?;
    let (hand_on, happenings) = channel();
    let of_terminal = hand_on.clone();
    screen.read_apart(move |input| of_terminal.send(Happening::Terminal(input)).is_ok());
    std::thread::spawn(move || read_lines(input, &hand_on));

    let began = Instant::now();
    let mut seat = PersonSeat::new(hello.clock, look);
    let result = loop {
        let now_ms = began.elapsed().as_millis() as u64;
        seat.pass(now_ms);
        screen.draw(|buffer, area| seat.draw(buffer, area, now_ms)).map_err(ScreenError::from)?;
        // In lockstep an agent that is not asked must not compute (SPEC 5.11).
        let patience = if hello.clock == ClockMode::Live || seat.table.ask().is_some() { TICK } else { TICK * 20 };
        let patience = seat.wait_ms(now_ms).map_or(patience, |wait| patience.min(Duration::from_millis(wait.max(1))));
        let happening = match happenings.recv_timeout(patience) {
            Ok(happening) => happening,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break Ok(()),
        };
        // What has come meanwhile is taken before the next picture.
        match take(&mut seat, happening, &mut output, began) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    screen.close(&farewell(&seat)).map_err(ScreenError::from)?;
    Ok(result?)
}

/// Reacts to something; `false` if this is the end.
fn take(seat: &mut PersonSeat, happening: Happening, output: &mut impl Write, began: Instant) -> io::Result<bool> {
    match happening {
        Happening::ArenaGone => Ok(false),
        Happening::Line(line) => {
            // A message that this client does not know means nothing to it (SPEC 4.9).
            let Ok(Some(message)) = wire::read_arena_line(&line) else { return Ok(true) };
            let (answer, bye) = seat.hear(message, began.elapsed().as_millis() as u64);
            if let Some(answer) = answer {
                act(seat, answer, output)?;
            }
            Ok(!bye)
        }
        Happening::Terminal(None) => Ok(false),
        Happening::Terminal(Some(ScreenInput::Resized)) => Ok(true),
        Happening::Terminal(Some(ScreenInput::Key(key))) => match seat.press(key) {
            Pressed::Nothing => Ok(true),
            Pressed::Act(action) => act(seat, action, output).map(|()| true),
            Pressed::Leave => Ok(false),
        },
    }
}

fn act(seat: &mut PersonSeat, action: Action, output: &mut impl Write) -> io::Result<()> {
    let answer: Option<Act> = seat.table.answer(action);
    answer.map_or(Ok(()), |act| {
        let Act { game, id, action, .. } = act;
        send_act(output, &game, id, &action)
    })
}

fn send_act(
    output: &mut impl Write,
    game: &GameId,
    id: maumau_protocol::message::AskId,
    action: &Action,
) -> io::Result<()> {
    let mut line = Vec::new();
    wire::write_act(&mut line, game, id, action)?;
    output.write_all(&line)?;
    output.flush()
}

fn send(output: &mut impl Write, message: &AgentMessage) -> io::Result<()> {
    let mut line = Vec::new();
    maumau_protocol::write_json(&mut line, message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn read_lines(mut input: impl BufRead, hand_on: &Sender<Happening>) {
    loop {
        let mut line = String::new();
        let happening = match input.read_line(&mut line) {
            Ok(1..) => Happening::Line(line),
            Ok(0) | Err(_) => Happening::ArenaGone,
        };
        let is_end = matches!(happening, Happening::ArenaGone);
        if hand_on.send(happening).is_err() || is_end {
            return;
        }
    }
}

/// What stays on the terminal: the last lines of the game.
fn farewell(seat: &PersonSeat) -> String {
    match seat.over() {
        Some(_) => format!("{}\n", seat.last_lines(LAST_LINES)).replace('\n', "\r\n"),
        None => "You have left the table.\r\n".to_owned(),
    }
}
