//! A game told while it is played: each batch of inputs becomes frames as the viewer reads them. It remembers what it needs to go
//! on; who watches is not known here.

use maumau_referee::record::Header;
use maumau_referee::story::{About, Eyes, Frame, Framer, Level, Line, Snapshot, crashes_of};
use maumau_referee::{Logged, ReplayError};
use serde::Serialize;
use serde_json::{Map, Value};

use super::story::{CommonFrame, Hands, SeenFrame, Story, members, shown};

/// Tells one game.
pub struct Narrator {
    names: Vec<String>,
    told: Vec<NarratedGame>,
    frames: usize,
    begun: Story,
}

/// The game as one pair of eyes has been told it.
struct NarratedGame {
    eyes: Eyes,
    framer: Framer,
    /// The table after the last frame that has ended.
    before: Map<String, Value>,
    /// The table as it stands.
    now: Map<String, Value>,
}

/// A frame as the viewer reads it. A later one at the same place replaces it.
#[derive(Debug, Serialize)]
struct Update {
    at: usize,
    frame: CommonFrame,
    seen: Vec<SeenFrame>,
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
        let told = hands.eyes(header.names.len())?.into_iter().map(|eyes| {
            let framer = Framer::new(header, eyes)?;
            let now = members(framer.position(), eyes, &header.names)?;
            Ok(NarratedGame { eyes, framer, before: Map::new(), now })
        });
        let told: Vec<NarratedGame> = told.collect::<Result<_, ReplayError>>()?;
        let begun = Story::begun(header, told.len());
        Ok(Narrator { names: header.names.clone(), told, frames: 0, begun })
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
        let mut new = Vec::new();
        for (logged, crashes) in inputs.iter().zip(crashes_of(inputs)) {
            let mut ended = Vec::new();
            for told in &mut self.told {
                ended.extend(told.framer.take(logged, &crashes)?);
            }
            if !ended.is_empty() {
                new.push((self.frames, self.update(&ended, false)?));
                self.frames += 1;
                for told in &mut self.told {
                    told.before = std::mem::take(&mut told.now);
                }
            }
            for told in &mut self.told {
                told.now = members(told.framer.position(), told.eyes, &self.names)?;
            }
        }
        let last: Vec<Frame> = self.told.iter().map(|told| told.framer.frame()).collect();
        new.push((self.frames, self.update(&last, false)?));
        Ok(Addition { frames: new, last_alone: self.update(&last, true)? })
    }

    /// Takes inputs that nobody is told of, since more come than anybody can see. The frame in hand says so and holds the whole table.
    ///
    /// # Errors
    /// As [`Narrator::take`].
    pub(crate) fn skip(&mut self, inputs: &[Logged]) -> Result<(), ReplayError> {
        self.leap(|framer| framer.skip(inputs, gap))
    }

    /// The same with inputs that are not there: goes on from a later moment.
    ///
    /// # Errors
    /// The table has no JSON form.
    pub(crate) fn jump(&mut self, snapshot: &Snapshot) -> Result<(), ReplayError> {
        self.leap(|framer| {
            framer.jump(snapshot, gap);
            Ok(())
        })
    }

    fn leap(&mut self, leap: impl Fn(&mut Framer) -> Result<(), ReplayError>) -> Result<(), ReplayError> {
        for told in &mut self.told {
            leap(&mut told.framer)?;
            told.before = Map::new();
            told.now = members(told.framer.position(), told.eyes, &self.names)?;
        }
        self.frames += 1;
        Ok(())
    }

    /// A frame from all eyes, as it leads to the table as it stands: from the one before, or `alone`.
    fn update(&self, frames: &[Frame], alone: bool) -> Result<String, ReplayError> {
        let nothing = Map::new();
        let seen = self.told.iter().zip(frames).enumerate().map(|(place, (told, frame))| {
            let open = frames.first().filter(|_| place > 0);
            SeenFrame::new(frame, open, if alone { &nothing } else { &told.before }, &told.now)
        });
        let frame = frames.first().map(shown).unwrap_or_default();
        let update = Update { at: self.frames, frame, seen: seen.collect() };
        serde_json::to_string(&update).map_err(|error| ReplayError(error.to_string()))
    }
}

/// What stands in the place of moves that are not told.
fn gap(moves: u32) -> Line {
    let pieces = vec![format!("… {moves} {} not shown", if moves == 1 { "move" } else { "moves" }).into()];
    Line { level: Level::Main, about: About::Game, seat: None, clauses: Vec::new(), pieces }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::{built_in, load_built_in};
    use maumau_protocol::SeatSet;
    use maumau_referee::Replay;
    use maumau_referee::local_game::FirstLegal;
    use maumau_referee::record::MoveCount;

    use super::*;

    #[test]
    fn told_in_pieces_of_any_size_a_game_is_the_same_as_told_at_once() {
        for set in built_in() {
            let loaded = load_built_in(set.name, &[]).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
            let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
            for hands in [Hands::Open, Hands::Closed] {
                let whole = serde_json::to_value(Story::with(&log, hands).expect("a sound log")).expect("JSON");
                for size in [1, 7, log.inputs.len()] {
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
    fn after_a_leap_the_story_goes_on_as_if_everything_had_been_told() {
        for set in built_in() {
            let loaded = load_built_in(set.name, &[]).expect("a built-in set").set;
            let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
            let log = FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0;
            let (mut replay, mut moves) = (Replay::new(&log.header).expect("a table"), MoveCount::default());
            for (at, input) in log.inputs.iter().enumerate() {
                if at % (log.inputs.len() / 7) == 0 {
                    let rest = &log.inputs[at..log.inputs.len().min(at + 12)];
                    let told = |leap: &dyn Fn(&mut Narrator)| {
                        let mut narrator = Narrator::new(&log.header, Hands::Open).expect("a table");
                        leap(&mut narrator);
                        let told = narrator.take(rest).expect("a sound log");
                        let mut last: Value = serde_json::from_str(&told.last_alone).expect("JSON");
                        last["at"].take();
                        (told.frames, last)
                    };
                    let snapshot = Snapshot::new(replay.game(), SeatSet::EMPTY, moves);
                    let jumped = told(&|narrator| narrator.jump(&snapshot).expect("a table"));
                    let skipped = told(&|narrator| narrator.skip(&log.inputs[..at]).expect("a sound log"));
                    let whole = told(&|narrator| _ = narrator.take(&log.inputs[..at]).expect("a sound log"));
                    assert_eq!(jumped, skipped, "{} at {at}", set.name);
                    // A frame that had begun before the leap has lost what was told in it.
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
