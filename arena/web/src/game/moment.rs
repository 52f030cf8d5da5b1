//! A picture of one moment of a game, or of the moves that lead to it, for those who share it: what the viewer shows at the same address,
//! drawn without a browser.

use std::ops::Range;

use maumau_protocol::{Event, Knowledge, Seat, Text};
use maumau_referee::story::{
    Eyes, Frame, FrameKind, KnownEvent, Level, Line, StoryPosition, for_each_position, frames, position_after,
};
use maumau_referee::{GameLog, ReplayError};
use serde::Deserialize;

use super::frames::Hands;
use crate::cards::Colours;
use crate::table::{DrawingMeasures, Moment, MovingStep, Scene, moving_picture, picture};

/// Moves that a moving picture shows at most.
pub const MOST_MOVES: usize = 10;
/// Frames that it shows at most: some are of what time brings after a move.
const MOST_STEPS: usize = MOST_MOVES + 5;
/// Bytes of a moving picture; one of very large hands begins later.
const MAX_BYTES: usize = 512 * 1024;

/// Which moment is shown to whom, as the viewer's address says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct WantedMoment {
    /// The frame, from 0; without it, and beyond the end, the last one.
    pub frame: Option<usize>,
    /// The seat with whose eyes it is seen; the referee's without it. Where hands are closed it is a spectator's in any case.
    pub eyes: Option<usize>,
    /// The seat at the bottom.
    pub bottom: usize,
    /// How many moves that lead to it are shown one after another, at most [`MOST_MOVES`]; without it the picture stands still.
    pub moves: Option<usize>,
}

/// Draws a moment of a game, or the moves that lead to it, as SVG that stands alone.
///
/// # Errors
/// The log does not fit its header, or its table has no place for a spectator.
pub fn moment_picture(log: &GameLog, hands: Hands, wanted: WantedMoment) -> Result<String, ReplayError> {
    let seats = log.header.names.len();
    let allowed = hands.eyes(seats)?;
    let eyes = wanted.eyes.and_then(Seat::new).map(Some).filter(|eyes| allowed.contains(eyes));
    let eyes = eyes.or(allowed.first().copied()).flatten();
    let frames = frames(log, eyes)?;
    let at = wanted.frame.unwrap_or(usize::MAX).min(frames.len().saturating_sub(1));
    if frames.is_empty() {
        return Err(ReplayError("the game has no moment".to_owned()));
    }
    let bottom = Seat::new(wanted.bottom).filter(|seat| seat.index() < seats).unwrap_or(Seat::FIRST);
    let stage = DrawingMeasures::wide(seats);
    let Some(moves) = wanted.moves else {
        let shown = ShownFrame::new(log, &frames[at], eyes, position_after(log, &frames[at], eyes)?);
        return Ok(picture(shown.moment(log, bottom), &stage, Colours::TWO));
    };
    let (wanted, mut shown) = (leading_to(&frames, at, moves), Vec::new());
    let mut number = 0;
    for_each_position(log, &frames[..wanted.end], eyes, |frame, position| -> Result<(), ReplayError> {
        if number >= wanted.start {
            shown.push(ShownFrame::new(log, frame, eyes, position));
        }
        number += 1;
        Ok(())
    })?;
    let steps: Vec<MovingStep<'_>> = shown
        .iter()
        .map(|shown| MovingStep { moment: shown.moment(log, bottom), caption: shown.caption.clone() })
        .collect();
    let mut drawn = moving_picture(&steps, &stage, Colours::TWO);
    for first in 1..steps.len() {
        if drawn.len() <= MAX_BYTES {
            break;
        }
        drawn = moving_picture(&steps[first..], &stage, Colours::TWO);
    }
    Ok(drawn)
}

/// The frames that lead to the one at `at`: those of `moves` moves, and the one before them.
fn leading_to(frames: &[Frame], at: usize, moves: usize) -> Range<usize> {
    let is_move = |at: usize| matches!(frames[at].kind, FrameKind::Move(_));
    let (mut first, mut left) = (at + 1, moves.clamp(1, MOST_MOVES));
    while first > 0 && left > 0 && at + 1 - first < MOST_STEPS {
        first -= 1;
        left -= usize::from(is_move(first));
    }
    first.saturating_sub(1)..at + 1
}

/// What a frame shows.
struct ShownFrame {
    scene: Scene,
    said: Vec<(Seat, String)>,
    caption: String,
}

impl ShownFrame {
    fn new(log: &GameLog, frame: &Frame, eyes: Eyes, position: StoryPosition) -> ShownFrame {
        let names = &log.header.names;
        let scene = Scene::new(position, eyes, names, log.header.rules.deck.faces);
        let said = frame.events.iter().filter_map(|event| match &event.event {
            KnownEvent::Everything(event) => said(event),
            KnownEvent::Seen(event) => said(event),
        });
        let said = said.map(|(seat, text)| (seat, text.as_str().to_owned())).collect();
        ShownFrame { scene, said, caption: caption(frame, names) }
    }

    fn moment<'a>(&'a self, log: &'a GameLog, bottom: Seat) -> Moment<'a> {
        Moment { scene: &self.scene, names: &log.header.names, said: &self.said, bottom }
    }
}

/// A frame in a sentence: its number, what was done and why, and what else is no detail.
fn caption(frame: &Frame, names: &[String]) -> String {
    let text = |line: &Line| match line.because_text(names) {
        because if because.is_empty() => line.text(names),
        because => format!("{} ({because})", line.text(names)),
    };
    let own = frame.numbered.and_then(|at| frame.lines.get(at));
    let others =
        frame.lines.iter().enumerate().filter(|(at, line)| Some(*at) != frame.numbered && line.level != Level::Detail);
    let lines: Vec<String> = own.into_iter().chain(others.map(|(_, line)| line)).map(text).collect();
    let what = lines.join(" · ");
    match frame.kind {
        FrameKind::Move(number) => format!("{number}. {what}"),
        FrameKind::Deal | FrameKind::After(_) => what,
    }
}

fn said<K: Knowledge>(event: &Event<K>) -> Option<(Seat, &Text)> {
    match event {
        Event::Said { seat, text, .. } => Some((*seat, text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::load_built_in;
    use maumau_referee::local_game::FirstLegal;

    use super::*;

    #[test]
    fn a_moment_shows_what_its_eyes_may_see_and_nothing_that_the_viewer_would_hide() {
        let set = Arc::new(load_built_in("basic", &[]).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, 3, Some(1)).expect("a table"));
        let log = FirstLegal::new(rules, Vec::new()).play(7).expect("a game").0;
        let draw = |hands, wanted| moment_picture(&log, hands, wanted).expect("a sound log");
        let backs = |svg: &str| svg.matches("<use href=\"#card-back\"").count();
        let deal = WantedMoment { frame: Some(0), ..WantedMoment::default() };
        // The draw pile is one of them.
        let cards = backs(&draw(Hands::Closed, deal)) - 1;
        assert!(cards > 0 && cards.is_multiple_of(3), "{cards}");
        assert_eq!(backs(&draw(Hands::Open, deal)), 1);
        let own = WantedMoment { eyes: Some(1), ..deal };
        assert_eq!(backs(&draw(Hands::Open, own)), 1 + cards / 3 * 2);
        assert_eq!(draw(Hands::Closed, own), draw(Hands::Closed, deal), "nobody sees a closed hand");
        let last = draw(Hands::Open, WantedMoment::default());
        assert_ne!(last, draw(Hands::Open, deal));
        let beyond = WantedMoment { frame: Some(9_999), eyes: Some(99), bottom: 99, moves: None };
        assert_eq!(draw(Hands::Open, beyond), last);
        assert_ne!(draw(Hands::Open, WantedMoment { bottom: 1, ..deal }), draw(Hands::Open, deal));
    }

    #[test]
    fn a_moving_picture_shows_the_moves_that_lead_to_a_moment_with_the_same_eyes() {
        for (rules, seats) in [("basic", 3), ("spam", 5), ("colours", 2)] {
            let set = Arc::new(load_built_in(rules, &[]).expect("a built-in set").set);
            let rules = Arc::new(Rules::for_table(&set, seats, Some(2)).expect("a table"));
            let log = FirstLegal::new(rules, Vec::new()).play(7).expect("a game").0;
            let draw = |hands, wanted| moment_picture(&log, hands, wanted).expect("a sound log");
            let steps = |svg: &str| svg.matches("<g class=\"maumau-").count();
            let all = frames(&log, None).expect("a sound log");
            let ten = WantedMoment { moves: Some(10), ..WantedMoment::default() };
            let last = draw(Hands::Open, ten);
            assert!((11..=MOST_STEPS + 1).contains(&steps(&last)), "{}: {}", set.name, steps(&last));
            assert!(last.len() <= MAX_BYTES, "{}: {} bytes", set.name, last.len());
            // It ends with what the still picture shows.
            let still = draw(Hands::Open, WantedMoment::default());
            let table = still.split("fill=\"#2f6b4f\"></rect>").nth(1).and_then(|rest| rest.strip_suffix("</svg>"));
            assert!(last.contains(table.expect("a table")), "{}", set.name);
            let words = last.split("<desc>").nth(1).and_then(|rest| rest.split("</desc>").next()).expect("words");
            let moves = all.iter().rev().filter(|frame| matches!(frame.kind, FrameKind::Move(_))).take(10);
            for frame in moves {
                let number = format!("{}. ", frame.kind.number());
                assert!(words.split("; ").any(|words| words.starts_with(&number)), "{number} is not in {words}");
                assert!(last.contains(&format!(">{number}")), "{number} is not below the table");
            }
            assert_eq!(draw(Hands::Open, WantedMoment { moves: Some(9_999), ..ten }), last);
            // At least a move, and the table before it.
            let one = all.iter().position(|frame| matches!(frame.kind, FrameKind::Move(_)));
            assert_eq!(steps(&draw(Hands::Open, WantedMoment { frame: one, moves: Some(0), ..ten })), 2);
            let first = WantedMoment { frame: Some(0), ..ten };
            assert_eq!(steps(&draw(Hands::Open, first)), 1);
            let backs = |svg: &str| svg.matches("<use href=\"#card-back\"").count();
            assert!(backs(&draw(Hands::Closed, ten)) > backs(&last), "{}", set.name);
            assert!(backs(&draw(Hands::Open, WantedMoment { eyes: Some(1), ..ten })) > backs(&last), "{}", set.name);
        }
    }
}
