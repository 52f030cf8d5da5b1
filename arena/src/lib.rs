//! The arena: agents as processes, their games, leagues and run files, reports, the command line of `maumau`.
//!
//! A library so that `maumau-lab` can measure and test its parts; it promises nothing to other crates. The folders form layers,
//! the lowest first: [`error`], [`io`] and [`log`]; [`agent`]; [`runner`]; [`run_store`]; `report`; [`league`] and
//! `conformance`; [`cli`]. Nothing names what lies above it, which a test holds (`tests/workspace/module_arrows.rs`).

// They panic where nobody listens: `tell!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
pub mod io;

pub mod agent;
pub mod cli;
mod conformance;
pub mod error;
pub mod league;
pub mod log;
mod report;
pub mod run_store;
pub mod runner;
