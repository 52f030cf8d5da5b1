//! Files whose every value knows its line and column: rule files and league files. TOML becomes a tree ([`parse`]), a [`Reader`]
//! takes typed values from it, a [`ProblemCollector`] collects what is wrong, each [`Problem`] with its place and the nearest known name.
//!
//! Pure: it is given texts and opens no file.

mod node;
mod problem;
mod reader;
mod toml_text;

pub use node::{Node, SourcePlace, Value, join};
pub use problem::{Problem, ProblemCollector, Problems, list, nearest, suggestion};
pub use reader::{At, Reader};
pub use toml_text::{TextForm, parse};

/// The example of the crate's README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
