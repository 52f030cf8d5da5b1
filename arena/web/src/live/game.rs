//! One game that is watched while it is played. All viewers read the same frames, each from a place of its own, so that a viewer
//! costs the same however slow it is; one that falls too far behind goes on with the newest frame and learns what it missed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::body::Bytes;
use maumau_referee::record::Header;
use maumau_referee::story::Snapshot;
use maumau_referee::{Logged, ReplayError};
use tokio::sync::watch;

use crate::game::{Hands, Narrator};

/// Frames that a viewer may be behind before it loses some.
const MOST_BEHIND: usize = 1_000;

/// Inputs of one call that are shown, at most: the last ones. Calls come ten times a second; nobody can see more, and to tell them to
/// each viewer costs time.
const MOST_SHOWN: usize = 25;

/// Frames in one message, at most.
const MOST_AT_ONCE: usize = 250;

/// Frames that are kept for viewers who come late, at least; at most twice as many.
const KEPT: usize = 5_000;

/// A game that is watched.
pub struct LiveGame {
    state: Mutex<State>,
    /// Counts the changes.
    changed: watch::Sender<u64>,
    viewers: AtomicUsize,
}

struct State {
    narrator: Narrator,
    /// The newest frames.
    frames: Vec<Arc<str>>,
    /// The place of the first of them.
    first: usize,
    /// True if the last frame has changed without being sent.
    has_jumped: bool,
    /// The last frame for viewers who have lost those before it.
    last_alone: String,
    /// The last change, for those who had seen everything before it, and the frame that it begins with.
    newest: (usize, Arc<ViewerMessage>),
    is_over: bool,
}

/// What a viewer is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ViewerNews {
    /// Frames as a JSON list; the place of the last of them.
    Frames(String, usize),
    /// Frames that were lost: the place of the first, and the frame to go on with and its place.
    Lost { from: usize, to: usize, frame: String },
    /// The game is over, and everything has been sent.
    Over,
}

/// News on their way to viewers. All who are sent the same share one text.
#[derive(Debug)]
pub(crate) struct ViewerMessage {
    news: ViewerNews,
    written: OnceLock<Bytes>,
}

impl ViewerMessage {
    fn new(news: ViewerNews) -> Arc<ViewerMessage> {
        Arc::new(ViewerMessage { news, written: OnceLock::new() })
    }

    /// Its text, which `write` makes for the first viewer.
    pub(crate) fn written(&self, write: impl FnOnce(&ViewerNews) -> Bytes) -> Bytes {
        self.written.get_or_init(|| write(&self.news)).clone()
    }
}

impl LiveGame {
    /// A game of which nothing has been shown.
    ///
    /// # Errors
    /// Its rules do not provide for its table, or the table is too large for closed hands.
    pub fn new(header: &Header, hands: Hands) -> Result<LiveGame, ReplayError> {
        let narrator = Narrator::new(header, hands)?;
        let newest = (0, ViewerMessage::new(ViewerNews::Over));
        let state = State {
            narrator,
            frames: Vec::new(),
            first: 0,
            has_jumped: false,
            last_alone: String::new(),
            newest,
            is_over: false,
        };
        Ok(LiveGame { state: Mutex::new(state), changed: watch::Sender::new(0), viewers: AtomicUsize::new(0) })
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on from a later moment; what happened before it is not shown. Viewers see it with what is added next.
    ///
    /// # Errors
    /// The table has no JSON form.
    pub fn jump(&self, snapshot: &Snapshot) -> Result<(), ReplayError> {
        let mut state = self.state();
        state.begin()?;
        state.narrator.jump(snapshot)?;
        state.has_jumped = true;
        Ok(())
    }

    /// Narrates what has happened since the last call.
    ///
    /// # Errors
    /// The inputs do not fit the game.
    pub fn add(&self, inputs: &[Logged], is_over: bool) -> Result<(), ReplayError> {
        let mut state = self.state();
        state.begin()?;
        let (skipped, inputs) = inputs.split_at(inputs.len().saturating_sub(MOST_SHOWN));
        if !skipped.is_empty() {
            if state.has_jumped {
                state.narrate(&[])?;
            }
            state.narrator.skip(skipped)?;
        }
        let has_news = state.has_jumped || !inputs.is_empty() || is_over;
        if state.has_jumped || !inputs.is_empty() {
            state.narrate(inputs)?;
        }
        state.is_over |= is_over;
        drop(state);
        if has_news {
            self.changed.send_modify(|changes| *changes += 1);
        }
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
            is_sent: false,
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

impl State {
    /// Narrates the deal, before anything else.
    fn begin(&mut self) -> Result<(), ReplayError> {
        if self.frames.is_empty() { self.narrate(&[]) } else { Ok(()) }
    }

    fn narrate(&mut self, inputs: &[Logged]) -> Result<(), ReplayError> {
        let added = self.narrator.take(inputs)?;
        // Viewers who have seen everything are sent the last frame again, which may have grown.
        let from = self.count().saturating_sub(1);
        for (at, json) in added.frames {
            self.frames.truncate(at - self.first);
            self.frames.push(json.into());
        }
        self.has_jumped = false;
        self.last_alone = added.last_alone;
        self.newest = (from, ViewerMessage::new(self.frames_from(from)));
        if self.frames.len() > 2 * KEPT {
            self.frames.drain(..KEPT);
            self.first += KEPT;
        }
        Ok(())
    }

    /// The number of frames so far.
    fn count(&self) -> usize {
        self.first + self.frames.len()
    }

    /// Frames from a place that is kept, but not too many.
    fn frames_from(&self, place: usize) -> ViewerNews {
        let frames = &self.frames[place - self.first..];
        let frames = &frames[..frames.len().min(MOST_AT_ONCE)];
        ViewerNews::Frames(format!("[{}]", frames.join(",")), place + frames.len() - 1)
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
    is_sent: bool,
}

impl Viewing {
    /// What comes next, as soon as there is something; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Arc<ViewerMessage>> {
        loop {
            if self.is_sent {
                return None;
            }
            if let Some(message) = self.take() {
                return Some(message);
            }
            let seen = self.seen;
            self.changes.wait_for(|changes| *changes > seen).await.ok()?;
        }
    }

    /// What there is now.
    fn take(&mut self) -> Option<Arc<ViewerMessage>> {
        let changes = *self.changes.borrow_and_update();
        let state = self.game.state();
        let count = state.count();
        let is_new = changes > self.seen || !self.caught_up;
        if is_new && count > self.at {
            let first = self.at;
            if first < state.first || (self.caught_up && count - first > MOST_BEHIND) {
                self.caught_up = true;
                self.at = count - 1;
                self.seen = changes;
                let frame = state.last_alone.clone();
                return Some(ViewerMessage::new(ViewerNews::Lost { from: first, to: self.at, frame }));
            }
            let message = match &state.newest {
                (from, message) if *from == first => Arc::clone(message),
                _ => ViewerMessage::new(state.frames_from(first)),
            };
            // The last frame may grow; it is sent again then.
            self.at = count.min(first + MOST_AT_ONCE);
            if self.at == count {
                self.at -= 1;
                self.caught_up = true;
                self.seen = changes;
            }
            return Some(message);
        }
        self.seen = changes;
        self.caught_up |= count > 0;
        if state.is_over {
            self.is_sent = true;
            return Some(ViewerMessage::new(ViewerNews::Over));
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
    use maumau_referee::local_game::FirstLegal;
    use serde_json::Value;

    use super::*;

    fn log(rounds: u32) -> GameLog {
        let loaded = load_built_in("basic", &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), 2, Some(rounds)).expect("a table");
        FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0
    }

    fn live(log: &GameLog) -> Arc<LiveGame> {
        Arc::new(LiveGame::new(&log.header, Hands::Closed).expect("a table"))
    }

    /// The next news, unless the viewer has to wait.
    fn take(viewing: &mut Viewing) -> Option<ViewerNews> {
        viewing.take().map(|message| message.news.clone())
    }

    fn read(json: &str) -> Value {
        serde_json::from_str(json).expect("JSON")
    }

    /// What a viewer gets until it would have to wait.
    fn all(viewing: &mut Viewing, frames: &mut Vec<Value>) -> Vec<ViewerNews> {
        let mut news = Vec::new();
        while !viewing.is_sent
            && let Some(next) = take(viewing)
        {
            if let ViewerNews::Frames(json, last) = &next {
                for frame in read(json).as_array().expect("a list") {
                    let at = frame["at"].as_u64().expect("a place") as usize;
                    frames.truncate(at);
                    assert_eq!(frames.len(), at, "no frame is left out");
                    frames.push(frame.clone());
                }
                assert_eq!(frames.len(), last + 1);
            }
            news.push(next);
        }
        news
    }

    #[test]
    fn a_viewer_that_comes_late_or_again_sees_every_frame_once() {
        let log = log(2);
        let game = live(&log);
        let (mut early, mut of_early) = (game.watch(0), Vec::new());
        for batch in log.inputs.chunks(3) {
            game.add(batch, false).expect("a sound log");
            all(&mut early, &mut of_early);
        }
        game.add(&[], true).expect("the end");
        assert_eq!(all(&mut early, &mut of_early).last(), Some(&ViewerNews::Over));
        let (mut late, mut of_late) = (game.watch(0), Vec::new());
        assert_eq!(all(&mut late, &mut of_late).last(), Some(&ViewerNews::Over));
        assert_eq!(of_early, of_late);
        let mut again: Vec<Value> = of_early[..20].to_vec();
        all(&mut game.watch(19), &mut again);
        assert_eq!(again, of_early);
        assert_eq!(game.viewers(), 2);
        drop((early, late));
        assert_eq!(game.viewers(), 0);
    }

    #[test]
    fn viewers_who_have_seen_the_same_are_sent_one_text_that_is_written_once() {
        let log = log(2);
        let game = live(&log);
        let mut viewers = [game.watch(0), game.watch(0), game.watch(0)];
        for batch in log.inputs.chunks(9) {
            game.add(batch, false).expect("a sound log");
            let messages = viewers.each_mut().map(|viewing| viewing.take().expect("news"));
            assert!(messages.iter().all(|message| Arc::ptr_eq(message, &messages[0])));
            assert!(viewers.iter_mut().all(|viewing| viewing.take().is_none()));
            let mut times = 0;
            for message in messages {
                let text = message.written(|_| {
                    times += 1;
                    Bytes::from_static(b"text")
                });
                assert_eq!(text, "text");
            }
            assert_eq!(times, 1);
        }
    }

    #[test]
    fn nobody_is_woken_when_nothing_has_happened() {
        let log = log(1);
        let game = live(&log);
        game.add(&log.inputs[..5], false).expect("a sound log");
        let mut viewing = game.watch(0);
        all(&mut viewing, &mut Vec::new());
        game.add(&[], false).expect("nothing");
        assert!(!viewing.changes.has_changed().expect("a game"));
    }

    #[test]
    fn of_a_game_that_is_faster_than_any_eye_the_newest_frames_are_shown() {
        let log = log(200);
        let game = live(&log);
        let (mut viewing, mut frames) = (game.watch(0), Vec::new());
        game.add(&log.inputs[..10], false).expect("a sound log");
        all(&mut viewing, &mut frames);
        let before = frames.len();
        game.add(&log.inputs[10..900], false).expect("a sound log");
        let news = all(&mut viewing, &mut frames);
        assert!(matches!(news[..], [ViewerNews::Frames(..)]), "{news:?}");
        let gap = &frames[before];
        let words = gap["seen"][0]["lines"][0]["pieces"][0].as_str().expect("words");
        assert!(words.contains("moves not shown"), "{gap}");
        assert!(gap["seen"][0]["scene"].get("points").is_some(), "the whole table: {gap}");
        assert!((2..=MOST_SHOWN + 1).contains(&(frames.len() - before)));
    }

    #[test]
    fn a_game_that_ends_after_a_leap_is_shown_to_its_end() {
        let log = log(20);
        let game = live(&log);
        let (mut viewing, mut frames) = (game.watch(0), Vec::new());
        let half = log.inputs.len() / 2;
        let mut replay = maumau_referee::Replay::new(&log.header).expect("a table");
        let mut moves = maumau_referee::record::MoveCount::default();
        for input in &log.inputs[..half] {
            replay.take(&input.entry).expect("a sound log");
            moves.of(&input.entry);
        }
        game.jump(&Snapshot::new(replay.game(), maumau_protocol::SeatSet::EMPTY, moves)).expect("a later moment");
        game.add(&log.inputs[half..], true).expect("a sound log");
        assert_eq!(all(&mut viewing, &mut frames).last(), Some(&ViewerNews::Over));
        let gaps = frames.iter().filter(|frame| frame.to_string().contains("moves not shown"));
        assert_eq!(gaps.count(), 2, "one for the leap, one for what is too much at once");
        let last = frames.last().expect("frames");
        assert_eq!(last["frame"]["marks"][0], "round", "{last}");
    }

    #[test]
    fn a_viewer_that_is_too_slow_loses_frames_and_learns_it() {
        let log = log(200);
        let game = live(&log);
        game.add(&log.inputs[..10], false).expect("a sound log");
        let (mut slow, mut frames) = (game.watch(0), Vec::new());
        all(&mut slow, &mut frames);
        for batch in log.inputs[10..].chunks(MOST_SHOWN) {
            game.add(batch, false).expect("a sound log");
        }
        let Some(ViewerNews::Lost { from, to, frame }) = take(&mut slow) else { panic!("it is too far behind") };
        assert!(to - from > MOST_BEHIND && from == frames.len() - 1, "{from} to {to}");
        assert_eq!(read(&frame)["at"], to);
        assert_eq!(take(&mut slow), None);
    }

    #[test]
    fn old_frames_are_dropped_and_late_viewers_start_at_the_newest() {
        let log = log(600);
        let game = live(&log);
        let mut most = 0;
        for batch in log.inputs.chunks(MOST_SHOWN) {
            game.add(batch, false).expect("a sound log");
            most = most.max(game.state().frames.len());
        }
        assert!(
            (2 * KEPT - MOST_SHOWN..=2 * KEPT).contains(&most),
            "the game is long enough, and no more is kept: {most}"
        );
        let Some(ViewerNews::Lost { from: 0, to, frame }) = take(&mut game.watch(0)) else {
            panic!("its frames are gone")
        };
        assert_eq!((to, read(&frame)["at"].as_u64()), (game.state().count() - 1, Some(to as u64)));
    }
}
