//! What the program reads and writes besides agents and run files: streams, progress, files, entropy, text that others wrote. Knows
//! nothing of games but how rule files are found.

#[macro_use]
pub mod stderr;

pub mod atomic_file;
pub mod bounded;
pub mod entropy;
pub(crate) mod files;
pub mod format;
pub mod program_name;
pub mod progress;
pub mod rule_files;
pub mod stdout;
pub mod untrusted;
