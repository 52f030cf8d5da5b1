//! Runs that are played by many machines: what is submitted, how a worker plays units, how a collector checks results and writes
//! the run file, how a run that is played here lends games. How messages travel is known by `maumau-cluster`, how a game is played by `runner`.

mod accepted;
mod collect;
mod host;
mod lend;
mod status;
mod submit;
mod submitted;
mod travel;
mod unit_queue;
mod units;
mod work;

pub(crate) use accepted::Accepted;
pub(crate) use collect::collect;
pub(crate) use lend::NatsLender;
pub(crate) use status::{RunStatus, WorkerStatus, status};
pub(crate) use submit::{SharingLimits, remove, submit};
pub(crate) use work::{Worked, WorkerConfig, work};

use anyhow::{Context, Result};

/// Runs `work` on a runtime of its own with `threads` threads, which give way to those that play.
///
/// # Errors
/// The machine has no room for the threads.
pub(crate) fn runtime(threads: usize) -> Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(threads).enable_all().build().context("the connection's threads cannot be started")
}
