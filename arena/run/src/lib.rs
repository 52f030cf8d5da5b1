//! Runs: agents as processes, the loops that play their games, leagues, and the files that keep what was played.
//!
//! A library for `maumau-arena` and its lab; it promises nothing to other crates. The modules form layers, the lowest first:
//! [`error`], [`io`] and [`log`]; [`agent`]; [`fault_report`]; [`runner`]; [`run_store`]; [`league`]. No layer names a higher one; a
//! test checks this (`tests/workspace/module_arrows.rs`).

// `print!` and `eprint!` panic when the reader is gone; `print_stderr!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
pub mod io;

pub mod agent;
pub mod error;
pub mod fault_report;
pub mod league;
pub mod log;
pub mod run_store;
pub mod runner;

// Tests of other crates include the file, which names this crate as they do.
#[cfg(test)]
extern crate self as maumau_run;
#[cfg(test)]
mod trial;
