//! A cluster of workers without any machine: the real [`Hand`](crate::hand::Hand) and [`Ledger`](crate::ledger::Ledger) through a model
//! of the server, under crashes, partitions, restarts and slow hosts. One seed gives one course of events.

mod dice;
mod server;
mod world;

pub use world::{Faults, Told, World, simulate};
