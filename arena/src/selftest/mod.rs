//! The program tests itself at length: random games of the engine, simulated runs of the arena.

mod games;
mod progress;
mod simulation;

pub(crate) use games::{Games, check};
pub(crate) use simulation::{Counted, Simulated, Simulation};
