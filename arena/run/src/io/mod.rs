//! The program's IO besides agents and run files: streams, progress, files, entropy, text written by others. Knows nothing of
//! games except how rule files are found.

#[macro_use]
pub mod stderr;

pub mod atomic_file;
pub mod bounded;
pub mod entropy;
pub mod files;
pub mod format;
pub mod program_name;
pub mod progress;
pub mod rule_files;
pub mod stdout;
pub mod untrusted;
pub mod wall_clock;
