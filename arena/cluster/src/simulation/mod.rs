//! A cluster of workers without any machine: the real [`Leases`](crate::leases::Leases) and [`Ledger`](crate::ledger::UnitLedger) through a model
//! of the server, under crashes, partitions, restarts and slow hosts. One seed gives one course of events.

mod server;
mod world;

pub use world::{Faults, SimulatedCluster, SimulationResult, simulate};
