//! What one pair of eyes is told of a game: its frames, the table after each, and the rows of the list of moves. Made once for
//! these eyes, so that going back and forth replays nothing.

use maumau_protocol::Seat;
use maumau_referee::story::{About, Frame, Scene, for_each_position, frames};
use maumau_referee::{GameLog, ReplayError};

use crate::look::ScreenStyle;

/// A row of the list: a line of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineRow {
    pub(super) frame: usize,
    pub(super) line: usize,
}

pub(super) struct ViewedGame {
    pub(super) frames: Vec<Frame>,
    pub(super) scenes: Vec<Scene>,
    pub(super) rows: Vec<LineRow>,
    /// By frame, its first row.
    pub(super) first_rows: Vec<usize>,
    /// The most cards that a seat ever holds.
    pub(super) most: usize,
}

impl ViewedGame {
    pub(super) fn new(
        log: &GameLog,
        eyes: Option<Seat>,
        names: &[String],
        look: ScreenStyle,
    ) -> Result<ViewedGame, ReplayError> {
        let frames = frames(log, eyes)?;
        let mut scenes = Vec::with_capacity(frames.len());
        for_each_position(log, &frames, eyes, |_, position| {
            let mut scene = Scene::new(position, eyes, names);
            scene.facing.iter_mut().for_each(|words| *words = look.words(words));
            scenes.push(scene);
            Ok::<(), ReplayError>(())
        })?;
        let (mut rows, mut first_rows) = (Vec::new(), Vec::with_capacity(frames.len()));
        for (at, frame) in frames.iter().enumerate() {
            first_rows.push(rows.len());
            let shown = frame.lines.iter().enumerate().filter(|(_, line)| line.about != About::Deadline);
            rows.extend(shown.map(|(line, _)| LineRow { frame: at, line }));
        }
        let sizes = scenes.iter().flat_map(|scene| (0..names.len()).map(|seat| scene.cards_of(seat)));
        let most = sizes.max().unwrap_or_default().max(1);
        Ok(ViewedGame { frames, scenes, rows, first_rows, most })
    }
}
