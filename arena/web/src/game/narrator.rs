//! A game narrated while it is played: each batch of inputs becomes frames as the viewer reads them.

use maumau_referee::record::Header;
use maumau_referee::story::{About, Level, Line, Snapshot, crashes_of};
use maumau_referee::{Logged, ReplayError};
use serde::Serialize;

use super::frames::{Hands, PageFrame, PageFramer};
use super::story::Story;

/// Narrates one game.
pub struct Narrator {
    framer: PageFramer,
    /// The place of the frame in hand.
    at: usize,
    begun: Story,
}

/// A frame as the viewer reads it. A later one at the same place replaces it.
#[derive(Debug, Serialize)]
struct Update {
    at: usize,
    #[serde(flatten)]
    frame: PageFrame,
}

/// What a batch of inputs adds to a story.
pub(crate) struct Addition {
    /// Frames as JSON with their places, each after the frame before it.
    pub(crate) frames: Vec<(usize, String)>,
    /// The last of them for readers who missed the one before it.
    pub(crate) last_alone: String,
}

impl Narrator {
    /// Of a game that has not begun.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table, or it has no place for a spectator.
    pub fn new(header: &Header, hands: Hands) -> Result<Narrator, ReplayError> {
        let framer = PageFramer::new(header, hands)?;
        let begun = Story::begun(header, framer.eyes());
        Ok(Narrator { framer, at: 0, begun })
    }

    /// The game before its first frame.
    pub fn begun(&self) -> &Story {
        &self.begun
    }

    /// Takes the inputs that have come; the frames that are new or have changed.
    ///
    /// # Errors
    /// An input names a seat that does not exist; or a frame has no JSON form.
    pub(crate) fn take(&mut self, inputs: &[Logged]) -> Result<Addition, ReplayError> {
        let mut frames = Vec::new();
        for (logged, crashes) in inputs.iter().zip(crashes_of(inputs)) {
            for ended in self.framer.take(logged, &crashes)? {
                frames.push((self.at, self.update(ended)?));
                self.at += 1;
            }
        }
        frames.push((self.at, self.update(self.framer.open_frame(false))?));
        Ok(Addition { frames, last_alone: self.update(self.framer.open_frame(true))? })
    }

    /// Takes inputs that are not shown, since more come than anybody can see. The frame in hand says so and holds the whole table.
    ///
    /// # Errors
    /// As [`Narrator::take`].
    pub(crate) fn skip(&mut self, inputs: &[Logged]) -> Result<(), ReplayError> {
        self.at += 1;
        self.framer.skip(inputs, gap)
    }

    /// The same with inputs that are not there: goes on from a later moment.
    ///
    /// # Errors
    /// The table has no JSON form.
    pub(crate) fn jump(&mut self, snapshot: &Snapshot) -> Result<(), ReplayError> {
        self.at += 1;
        self.framer.jump(snapshot, gap)
    }

    fn update(&self, frame: PageFrame) -> Result<String, ReplayError> {
        serde_json::to_string(&Update { at: self.at, frame }).map_err(|error| ReplayError(error.to_string()))
    }
}

/// The line that replaces moves which are not shown.
fn gap(moves: u32) -> Line {
    let pieces = vec![format!("… {moves} {} not shown", if moves == 1 { "move" } else { "moves" }).into()];
    Line::new(Level::Main, About::Game, None, pieces)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::{all_sets, load_built_in};
    use maumau_protocol::SeatSet;
    use maumau_referee::Replay;
    use maumau_referee::local_game::FirstLegal;
    use maumau_referee::record::MoveCount;
    use serde_json::Value;

    use super::*;

    #[test]
    fn narrated_in_pieces_of_any_size_a_game_is_the_same_as_in_one() {
        for set in all_sets() {
            let loaded = load_built_in(set.name, &[]).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
            let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
            for hands in [Hands::Open, Hands::Closed] {
                let whole = serde_json::to_value(Story::with(&log, hands).expect("a sound log")).expect("JSON");
                for size in [1, 7] {
                    let mut narrator = Narrator::new(&log.header, hands).expect("a table");
                    let mut frames: Vec<Value> = Vec::new();
                    for batch in log.inputs.chunks(size) {
                        for (at, json) in narrator.take(batch).expect("a sound log").frames {
                            frames.truncate(at);
                            assert_eq!(frames.len(), at, "{}: no frame is left out", set.name);
                            frames.push(serde_json::from_str(&json).expect("JSON"));
                        }
                    }
                    assert_eq!(frames.len(), whole["frames"].as_array().expect("frames").len());
                    for (at, frame) in frames.iter().enumerate() {
                        assert_eq!(frame["frame"], whole["frames"][at], "{} {hands:?} by {size}, {at}", set.name);
                        for (eyes, seen) in frame["seen"].as_array().expect("eyes").iter().enumerate() {
                            assert_eq!(seen, &whole["eyes"][eyes][at], "{} {hands:?} by {size}, {at}", set.name);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn after_a_leap_the_story_goes_on_as_if_everything_had_been_shown() {
        for set in all_sets() {
            let loaded = load_built_in(set.name, &[]).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
            let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
            let (mut replay, mut moves) = (Replay::new(&log.header).expect("a table"), MoveCount::default());
            for (at, input) in log.inputs.iter().enumerate() {
                if at % (log.inputs.len() / 7) == 0 {
                    let rest = &log.inputs[at..log.inputs.len().min(at + 12)];
                    let after = |leap: &dyn Fn(&mut Narrator)| {
                        let mut narrator = Narrator::new(&log.header, Hands::Open).expect("a table");
                        leap(&mut narrator);
                        let added = narrator.take(rest).expect("a sound log");
                        let mut last: Value = serde_json::from_str(&added.last_alone).expect("JSON");
                        last["at"].take();
                        (added.frames, last)
                    };
                    let snapshot = Snapshot::new(replay.game(), SeatSet::EMPTY, moves);
                    let jumped = after(&|narrator| narrator.jump(&snapshot).expect("a table"));
                    let skipped = after(&|narrator| narrator.skip(&log.inputs[..at]).expect("a sound log"));
                    let whole = after(&|narrator| _ = narrator.take(&log.inputs[..at]).expect("a sound log"));
                    assert_eq!(jumped, skipped, "{} at {at}", set.name);
                    // A frame that had begun before the leap has lost what it showed.
                    assert!(
                        jumped.0.len() == 1 || jumped.1 == whole.1,
                        "{} at {at}: {} {}",
                        set.name,
                        jumped.1,
                        whole.1
                    );
                    assert!(jumped.0[0].1.contains(&format!("… {} move", moves.last())), "{}", jumped.0[0].1);
                }
                replay.take(&input.entry).expect("a sound log");
                moves.of(&input.entry);
            }
        }
    }

    #[test]
    fn a_frame_for_readers_who_missed_others_holds_the_whole_table() {
        let loaded = load_built_in("basic", &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), 2, Some(1)).expect("a table");
        let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
        let mut narrator = Narrator::new(&log.header, Hands::Closed).expect("a table");
        let added = narrator.take(&log.inputs[..9]).expect("a sound log");
        let alone: Value = serde_json::from_str(&added.last_alone).expect("JSON");
        let scene = alone["seen"][0]["scene"].as_object().expect("a scene");
        assert!(scene.contains_key("hands") && scene.contains_key("top") && scene.contains_key("points"));
        assert!(scene["hands"].as_array().expect("hands").iter().all(Value::is_number), "no hand is left out: {alone}");
    }
}
