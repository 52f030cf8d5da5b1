//! Long self-tests: random games of the engine, simulated runs of the arena. Other self-tests of the engine are in its
//! crate.

mod games;
mod intervals;
mod shuffle;
mod simulation;

pub(crate) use games::{Games, check};
pub(crate) use intervals::{LEAGUES, percent, simulate};
pub(crate) use shuffle::deal_many;
pub(crate) use simulation::{Counted, Simulated, Simulation};
