//! The arena: agents as processes, their games, leagues and run files, reports, the command line of `maumau`.
//!
//! A library so that `maumau-lab` can measure and test its parts; it promises nothing to other crates. The folders form layers,
//! the lowest first: [`error`], [`io`] and [`log`]; [`agent`]; [`runner`]; [`run_store`]; `report`; `pages`, [`league`]
//! and `conformance`; `cluster`; [`cli`]. No layer names a higher one; a test checks this (`tests/workspace/module_arrows.rs`).

// `print!` and `eprint!` panic when the reader is gone; `tell!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
pub mod io;

pub mod agent;
pub mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod conformance;
pub mod error;
pub mod league;
pub mod log;
mod pages;
mod report;
pub mod run_store;
pub mod runner;
