//! The controls among random bots: a bot that only draws and one that breaks a rule at every turn must be rated below them. A
//! rule set in which either is not pays for not playing. Games are played in this process, without records.

use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_arena::cli::play_bots;
use maumau_engine::Rules;
use maumau_engine::rules::load_built_in;
use maumau_protocol::{Seat, SeatSet};
use maumau_referee::result_of;
use maumau_run::runner::{on_each_processor, processors};
use maumau_tournament::statistics::ratings::{RatedGames, Rating, RatingOptions, rate};

/// The bots that do not try to win.
pub(crate) const CONTROLS: [&str; 2] = ["drawer", "clown"];
/// The bot that they must stay below.
const RANDOM: &str = "random";

/// The ratings of a control and of the random bots at its tables.
pub(crate) struct Rated {
    pub(crate) control: Rating,
    pub(crate) random: Rating,
}

impl Rated {
    /// True if the control is below the random bots, and the intervals have nothing in common.
    pub(crate) fn is_below(&self) -> bool {
        match (self.control.interval, self.random.interval) {
            (Some(control), Some(random)) => control.high < random.low,
            _ => false,
        }
    }
}

/// Plays so many deals of the built-in set `set`, each with `control` at every seat in turn and random bots at the others.
///
/// # Errors
/// There is no such set, or it is not for so many seats.
pub(crate) fn among_random(control: &str, set: &str, seats: usize, deals: u64, seed: u64) -> Result<Rated> {
    let loaded = load_built_in(set, &[]).map_err(|problems| anyhow::anyhow!("{problems}"))?;
    let rules = Arc::new(Rules::for_table(&Arc::new(loaded.set), seats, Some(1))?);
    let cpus = processors();
    let (rules, threads) = (&rules, cpus.len());
    let played = on_each_processor(&cpus, |first| async move {
        let mut played = Vec::new();
        for deal in (first as u64..deals).step_by(threads) {
            for place in 0..seats {
                let mut bots = vec![RANDOM; seats];
                bots[place] = control;
                let id = format!("controls-{seed}-{deal}-{place}");
                let over =
                    play_bots(rules, &bots, id, seed.wrapping_add(deal)).with_context(|| format!("deal {deal}"))?;
                let referee = over.game.referee();
                let dismissed: SeatSet = Seat::all(seats).filter(|seat| referee.is_dismissed(*seat)).collect();
                played.push((deal, place, result_of(referee.game(), dismissed).places));
            }
        }
        Ok(played)
    })?;
    let mut games = RatedGames::new(2);
    for (deal, at, places) in played.into_iter().flatten() {
        games.add(deal, places.iter().enumerate().map(|(seat, place)| (usize::from(seat != at), *place)));
    }
    let mut rated = rate(&games, &RatingOptions::default()).agents.into_iter();
    let (Some(control), Some(random)) = (rated.next(), rated.next()) else { unreachable!("two agents") };
    Ok(Rated { control, random })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_that_do_not_play_are_rated_below_random_ones() {
        // Rounds of the other sets are long without optimisation.
        for set in ["basic", "crazy-eights", "deluxe"] {
            for control in CONTROLS {
                let rated = among_random(control, set, 2, 24, 1).expect("a built-in set");
                let [control_is, random_is] = [&rated.control, &rated.random].map(|rating| rating.interval);
                assert!(rated.is_below(), "{set} {control}: {control_is:?}, {random_is:?}");
            }
        }
        // A bot that plays is not below: the law can fail.
        assert!(!among_random("greedy", "basic", 2, 24, 1).expect("a built-in set").is_below());
    }
}
