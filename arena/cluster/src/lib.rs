//! The cluster: how a run is shared among many machines. It knows units of work, leases and archives of agents, but no game, no
//! plan and no run file: what a unit holds and what came of it are the arena's.
//!
//! What is decided is pure and takes the time as an argument: a worker's [`leases`], the collector's [`ledger`], whose
//! [`blame`] a missed deadline is. The simulation drives these through a model of the server. The connection to a real one is
//! behind the feature `nats`.

pub mod archive;
pub mod blame;
pub mod leases;
pub mod ledger;
#[cfg(feature = "nats")]
pub mod nats;
pub mod simulation;
pub mod unit;
pub mod words;
