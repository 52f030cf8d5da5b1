//! The screen of `maumau replay`: it moves keys, pictures and time between the terminal and the viewer, which decides what they
//! mean.

use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_protocol::Seat;
use maumau_referee::GameLog;
use maumau_terminal::Flow;
use maumau_terminal::screen::{Input, Screen};
use maumau_terminal::viewer::Viewer;

use crate::cli::terminal_look;

/// The longest time between two looks at the clock.
const PATIENCE: Duration = Duration::from_secs(60);

/// Shows a game until the reader has had enough.
pub(super) fn view(log: &GameLog, only: Option<Seat>) -> Result<()> {
    let mut viewer = Viewer::new(log, only, terminal_look::look())?;
    let mut screen = Screen::open(false)?;
    let began = Instant::now();
    loop {
        screen.draw(|buffer, area| viewer.draw(buffer, area))?;
        let patience = viewer.due_in().map_or(PATIENCE, Duration::from_millis);
        let input = screen.wait(patience)?;
        viewer.tick(began.elapsed().as_millis() as u64);
        if let Some(Input::Key(key)) = input
            && viewer.press(key)? == Flow::Close
        {
            return Ok(());
        }
    }
}
