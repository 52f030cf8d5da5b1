//! What the program reads and writes besides agents and run files: streams, files, entropy, text that others wrote. Knows
//! nothing of games but how rule files are found.

#[macro_use]
pub(crate) mod stderr;

pub(crate) mod atomic_file;
pub(crate) mod bounded;
pub(crate) mod entropy;
pub(crate) mod format;
pub(crate) mod program_name;
pub(crate) mod rule_files;
pub(crate) mod stdout;
pub(crate) mod untrusted;
