//! A picture of one moment of a game, for those who share it: what the viewer shows at the same address, drawn without a browser.

use maumau_protocol::{Event, Knowledge, Seat, Text};
use maumau_referee::story::{KnownEvent, frames, position_after};
use maumau_referee::{GameLog, ReplayError};
use serde::Deserialize;

use super::frames::Hands;
use crate::cards::Colours;
use crate::table::{DrawingMeasures, Moment, Scene, picture};

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
}

/// Draws a moment of a game as SVG that stands alone.
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
    let Some(frame) = frames.get(at) else { return Err(ReplayError("the game has no moment".to_owned())) };
    let scene = Scene::new(position_after(log, frame, eyes)?, eyes, &log.header.names, log.header.rules.deck.faces);
    let said = frame.events.iter().filter_map(|event| match &event.event {
        KnownEvent::Everything(event) => said(event),
        KnownEvent::Seen(event) => said(event),
    });
    let said: Vec<(Seat, String)> = said.map(|(seat, text)| (seat, text.as_str().to_owned())).collect();
    let bottom = Seat::new(wanted.bottom).filter(|seat| seat.index() < seats).unwrap_or(Seat::FIRST);
    let moment = Moment { scene: &scene, names: &log.header.names, said: &said, bottom };
    Ok(picture(moment, &DrawingMeasures::wide(seats), Colours::TWO))
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
        let beyond = WantedMoment { frame: Some(9_999), eyes: Some(99), bottom: 99 };
        assert_eq!(draw(Hands::Open, beyond), last);
        assert_ne!(draw(Hands::Open, WantedMoment { bottom: 1, ..deal }), draw(Hands::Open, deal));
    }
}
