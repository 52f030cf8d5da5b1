//! Records: what is written of a game so that it can be replayed, checked and watched (SPEC §9).
//!
//! A record is JSON lines. Each line is an [`Entry`]; then `meta`, where there is something to say that may differ between
//! two runs of the same game; then `check`, a CRC-32. The digest of the game covers the entries only, so the same seed and
//! the same answers give the same digest on every machine, while no byte of a line can change unnoticed. Knows the engine,
//! through which [`verify`] plays a record once more, and neither files nor tables.

mod audit;
mod chain;
mod format;
mod header;
mod moves;
mod read;
mod verify;
mod write;

pub use chain::{Chain, Digest, LineDamage, read_line};
pub use format::{
    ActEntry, Crash, DismissedEntry, ElapseEntry, End, Entry, EventEntry, FaultEntry, Meta, Missed, NoteEntry,
    StandEntry,
};
pub use header::{Header, HeaderError, RECORD_FORMAT};
pub use moves::{MoveCount, MoveNumber};
pub(crate) use read::read_meta;
pub(crate) use verify::shown;
pub use verify::{Mismatch, Sound, Verified, Verifier, verify};
pub use write::{write_entry, write_event};
