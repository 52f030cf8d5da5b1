//! Records: what is written of a game so that it can be replayed, checked and watched (SPEC §9).
//!
//! A record is JSON lines. Each line is an [`Entry`]; then `meta`, if there is something to say that may differ between two
//! runs of the same game; then `check`, a CRC-32. The digest of the game covers the entries only, so the same seed and the same
//! answers give the same digest on every machine, while no byte of a line can change unnoticed. Knows neither files nor what
//! the game makes of an entry; [`verify`](crate::verify()) replays a record.

mod chain;
mod damage;
mod digest;
mod format;
mod header;
mod moves;
mod read;
mod write;

pub use chain::{Chain, read_line};
pub use damage::LineDamage;
pub use digest::Digest;
pub use format::{
    ActEntry, Crash, DismissedEntry, ElapseEntry, EndEntry, Entry, EventEntry, FaultEntry, Frozen, Meta, Missed,
    NoteEntry, Silence, StandEntry,
};
pub(crate) use header::OwnMembers;
pub use header::{Header, HeaderError, RECORD_FORMAT};
pub use moves::{MoveCount, MoveNumber};
pub(crate) use read::{BEFORE_META, end_of_entry, read_act, read_body, read_meta};
pub(crate) use write::{expect_json, shown, shown_json};
pub use write::{write_entry, write_event};
