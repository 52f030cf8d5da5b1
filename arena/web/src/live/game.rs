//! One game that is watched while it is played. All viewers read the same frames, each from a place of its own, so that a viewer
//! costs the same however slow it is; one that falls too far behind goes on with the newest frame and is told what it missed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maumau_referee::record::Header;
use maumau_referee::{Logged, ReplayError};
use tokio::sync::watch;

use crate::game::{Hands, Narrator};

/// Frames that a viewer may be behind before it loses some.
const MOST_BEHIND: usize = 1_000;

/// Inputs of one call that are told, at most: the last ones. Calls come ten times a second; nobody can see more, and to tell them to
/// each viewer costs time.
const MOST_TOLD: usize = 25;

/// Frames in one message, at most.
const MOST_AT_ONCE: usize = 250;

/// A game that is watched.
pub struct LiveGame {
    state: Mutex<State>,
    /// Counts the changes.
    changed: watch::Sender<u64>,
    viewers: AtomicUsize,
}

struct State {
    narrator: Narrator,
    /// `None` for frames that are not told.
    frames: Vec<Option<Arc<str>>>,
    /// The last frame for viewers who have lost those before it.
    last_alone: String,
    is_over: bool,
}

/// What a viewer is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Frames as a JSON list; the place of the last of them.
    Frames(String, usize),
    /// Frames that were lost: the place of the first, and the frame to go on with and its place.
    Lost { from: usize, to: usize, frame: String },
    /// The game is over, and everything has been sent.
    Over,
}

impl LiveGame {
    /// A game of which nothing has been told.
    ///
    /// # Errors
    /// Its rules do not provide for its table, or the table is too large for closed hands.
    pub fn new(header: &Header, hands: Hands) -> Result<LiveGame, ReplayError> {
        let narrator = Narrator::new(header, hands)?;
        let state = State { narrator, frames: Vec::new(), last_alone: String::new(), is_over: false };
        Ok(LiveGame { state: Mutex::new(state), changed: watch::Sender::new(0), viewers: AtomicUsize::new(0) })
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells what has happened since the last call.
    ///
    /// # Errors
    /// The inputs do not fit the game.
    pub fn add(&self, inputs: &[Logged], is_over: bool) -> Result<(), ReplayError> {
        let mut state = self.state();
        if !inputs.is_empty() || state.frames.is_empty() {
            let (skipped, inputs) = inputs.split_at(inputs.len().saturating_sub(MOST_TOLD));
            if !skipped.is_empty() {
                state.narrator.skip(skipped)?;
            }
            let added = state.narrator.take(inputs)?;
            for (at, json) in added.frames {
                // The last frame may have grown; those before the first one that is told now are not told.
                state.frames.resize(at, None);
                state.frames.push(Some(json.into()));
            }
            state.last_alone = added.last_alone;
        }
        state.is_over |= is_over;
        drop(state);
        self.changed.send_modify(|changes| *changes += 1);
        Ok(())
    }

    /// Begins to watch: `shown` frames have been seen already, on a connection that was lost.
    pub fn watch(self: &Arc<Self>, shown: usize) -> Viewing {
        self.viewers.fetch_add(1, Ordering::Relaxed);
        Viewing {
            changes: self.changed.subscribe(),
            game: Arc::clone(self),
            at: shown,
            seen: 0,
            caught_up: false,
            is_told: false,
        }
    }

    /// How many watch.
    pub fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    /// The page of the game before its first frame, as data.
    pub(crate) fn begun<T>(&self, look: impl FnOnce(&crate::game::Story) -> T) -> T {
        look(self.state().narrator.begun())
    }
}

/// A viewer of a game.
pub struct Viewing {
    game: Arc<LiveGame>,
    changes: watch::Receiver<u64>,
    /// The frame that may have changed, or is to come.
    at: usize,
    /// The changes that have been looked at.
    seen: u64,
    /// True once everything there was has been sent.
    caught_up: bool,
    /// True once the end has been sent.
    is_told: bool,
}

impl Viewing {
    /// What comes next, as soon as there is something; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<News> {
        loop {
            if self.is_told {
                return None;
            }
            if let Some(news) = self.take() {
                return Some(news);
            }
            let seen = self.seen;
            self.changes.wait_for(|changes| *changes > seen).await.ok()?;
        }
    }

    /// What there is now.
    fn take(&mut self) -> Option<News> {
        let changes = *self.changes.borrow_and_update();
        let state = self.game.state();
        let count = state.frames.len();
        let is_new = changes > self.seen || !self.caught_up;
        if is_new && count > self.at {
            let first = self.at;
            if self.caught_up && count - first > MOST_BEHIND {
                self.at = count - 1;
                self.seen = changes;
                return Some(News::Lost { from: first, to: self.at, frame: state.last_alone.clone() });
            }
            let told = state.frames[first..].iter().take(MOST_AT_ONCE).map_while(Option::as_deref);
            let told: Vec<&str> = told.collect();
            if told.is_empty() {
                let next =
                    state.frames[first..].iter().enumerate().find_map(|(at, frame)| Some((at, frame.as_deref()?)));
                let (skipped, frame) = next.unwrap_or((count - 1 - first, &state.last_alone));
                self.at = first + skipped;
                let is_last = self.at == count - 1;
                self.caught_up |= is_last;
                self.seen = if is_last { changes } else { self.seen };
                return Some(News::Lost { from: first, to: self.at, frame: frame.to_owned() });
            }
            let end = first + told.len();
            let frames = told.join(",");
            // The last frame may grow; it is sent again then.
            self.at = end - usize::from(end == count);
            if end == count {
                self.caught_up = true;
                self.seen = changes;
            }
            return Some(News::Frames(format!("[{frames}]"), end - 1));
        }
        self.seen = changes;
        self.caught_up |= count > 0;
        if state.is_over {
            self.is_told = true;
            return Some(News::Over);
        }
        None
    }
}

impl Drop for Viewing {
    fn drop(&mut self) {
        self.game.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use maumau_engine::Rules;
    use maumau_engine::rules::load_built_in;
    use maumau_referee::GameLog;
    use maumau_referee::testing::FirstLegal;
    use serde_json::Value;

    use super::*;

    fn log(rounds: u32) -> GameLog {
        let loaded = load_built_in("basic", &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), 2, Some(rounds)).expect("a table");
        FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0
    }

    /// What a viewer gets until it would have to wait.
    fn all(viewing: &mut Viewing, frames: &mut Vec<Value>) -> Vec<News> {
        let mut news = Vec::new();
        while !viewing.is_told
            && let Some(next) = viewing.take()
        {
            if let News::Frames(json, _) = &next {
                for frame in serde_json::from_str::<Vec<Value>>(json).expect("JSON") {
                    let at = frame["at"].as_u64().expect("a place") as usize;
                    frames.truncate(at);
                    assert_eq!(frames.len(), at, "no frame is left out");
                    frames.push(frame);
                }
            }
            news.push(next);
        }
        news
    }

    #[test]
    fn whoever_comes_late_or_again_sees_every_frame_once() {
        let log = log(2);
        let game = Arc::new(LiveGame::new(&log.header, Hands::Closed).expect("a table"));
        let (mut early, mut of_early) = (game.watch(0), Vec::new());
        for batch in log.inputs.chunks(3) {
            game.add(batch, false).expect("a sound log");
            all(&mut early, &mut of_early);
        }
        game.add(&[], true).expect("the end");
        assert_eq!(all(&mut early, &mut of_early).last(), Some(&News::Over));
        let (mut late, mut of_late) = (game.watch(0), Vec::new());
        assert_eq!(all(&mut late, &mut of_late).last(), Some(&News::Over));
        assert_eq!(of_early, of_late);
        let mut again: Vec<Value> = of_early[..20].to_vec();
        all(&mut game.watch(19), &mut again);
        assert_eq!(again, of_early);
        assert_eq!(game.viewers(), 2);
        drop((early, late));
        assert_eq!(game.viewers(), 0);
    }

    #[test]
    fn of_a_game_that_is_faster_than_any_eye_the_newest_frames_are_told() {
        let log = log(200);
        let game = Arc::new(LiveGame::new(&log.header, Hands::Closed).expect("a table"));
        game.add(&log.inputs[..10], false).expect("a sound log");
        let (mut viewing, mut frames) = (game.watch(0), Vec::new());
        all(&mut viewing, &mut frames);
        game.add(&log.inputs[10..900], false).expect("a sound log");
        let Some(News::Frames(..)) = viewing.take() else { panic!("the last frame that was seen may have grown") };
        let Some(News::Lost { from, to, frame }) = viewing.take() else { panic!("most was not told") };
        assert!(to - from > 500, "{from} to {to}");
        let frame: Value = serde_json::from_str(&frame).expect("JSON");
        assert_eq!(frame["at"], to);
        assert!(frame["seen"][0]["scene"].get("points").is_some(), "the whole table: {frame}");
        assert!(matches!(viewing.take(), Some(News::Frames(..))));
    }

    #[test]
    fn a_viewer_that_is_too_slow_loses_frames_and_is_told() {
        let log = log(200);
        let game = Arc::new(LiveGame::new(&log.header, Hands::Closed).expect("a table"));
        game.add(&log.inputs[..10], false).expect("a sound log");
        let (mut slow, mut frames) = (game.watch(0), Vec::new());
        all(&mut slow, &mut frames);
        for batch in log.inputs[10..].chunks(MOST_TOLD) {
            game.add(batch, false).expect("a sound log");
        }
        let Some(News::Lost { from, to, frame }) = slow.take() else { panic!("it is too far behind") };
        assert!(to - from > MOST_BEHIND && from == frames.len() - 1, "{from} to {to}");
        let frame: Value = serde_json::from_str(&frame).expect("JSON");
        assert_eq!(frame["at"], to);
        assert_eq!(slow.take(), None);
    }
}
