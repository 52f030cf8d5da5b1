//! The command line of `maumau`, and what it alone needs: the conformance check of an agent, pages of runs, shared runs.
//!
//! A library so that `maumau-lab` can use its commands; it promises nothing to other crates. The folders form layers, the lowest
//! first: `lessons`; `pages` and `conformance`; `cluster`; `club`; [`cli`]. No layer names a higher one; a test checks this
//! (`tests/workspace/module_arrows.rs`).

// `print!` and `eprint!` panic when the reader is gone; `print_stderr!` and `io::stdout` do not.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

#[macro_use]
extern crate maumau_run;

pub mod cli;
mod club;
#[cfg(feature = "cluster")]
mod cluster;
mod conformance;
mod lessons;
mod pages;
#[cfg(test)]
#[path = "../run/src/trial.rs"]
mod trial;
