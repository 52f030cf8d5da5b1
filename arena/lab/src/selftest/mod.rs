//! Long self-tests: random games of the engine, simulated runs of the arena, bots that do not try to win. Other self-tests of the engine are in its
//! crate.

mod club_year;
mod controls;
mod games;
mod intervals;
mod ladder;
mod looks;
mod match_tests;
mod shuffle;
mod simulation;

pub(crate) use club_year::{ClubYear, ClubYearResult, live};
pub(crate) use controls::{CONTROLS, Rated, among_random};
pub(crate) use games::{NumberedGames, check};
pub(crate) use intervals::{LEAGUES, percent, simulate};
pub(crate) use ladder::{Climbed, LADDERS, climb};
pub(crate) use looks::{Looks, LooksResult, best_three, equal_agents};
pub(crate) use match_tests::{HYPOTHESES, POPULATIONS, means, play as play_matches};
pub(crate) use shuffle::deal_many;
pub(crate) use simulation::{Counted, Simulated, Simulation};
