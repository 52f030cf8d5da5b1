//! What a fuzzer feeds to the parts that read what others wrote. Each target takes bytes and panics where a promise does
//! not hold; nothing else can fail in it.
//!
//! `fuzz.py` beside this crate runs the targets under cargo-fuzz; `in_process.rs` plays the kept inputs, and changes of
//! them, in `cargo test`.

mod agent_line;
mod arena_line;
mod bytes;
mod game;
mod packed;
mod record;
mod referee;
mod rule_file;
mod written;

pub use agent_line::agent_line;
pub use arena_line::arena_line;
pub use game::game;
pub use packed::packed;
pub use record::record;
pub use referee::referee;
pub use rule_file::rule_file;

/// A target and its name, which is also that of its corpus.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 7] = [
    ("agent_line", agent_line),
    ("arena_line", arena_line),
    ("rule_file", rule_file),
    ("record", record),
    ("packed", packed),
    ("game", game),
    ("referee", referee),
];
