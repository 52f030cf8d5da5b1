//! What a club of bots decides: which state of a version follows from which news ([`VersionState::after`]), who may see what
//! ([`may`]), whose version is checked next ([`in_turn`]), what an upload may be ([`ClubQuotas`], [`BotManifest`]).
//!
//! Pure: times are arguments. How versions are kept, sent, started and shown is not known here.

mod access;
mod manifest;
mod quota;
mod trial;
mod turns;
mod version;

pub use access::{ClubThing, ClubViewer, may};
pub use manifest::{BotManifest, ManifestError, is_bot_name, is_class_name};
pub use quota::{ClubQuotas, QuotaRefusal, UploadUsage};
pub use trial::{MAX_TRIAL_GAMES, TrialState};
pub use turns::{WaitingVersion, in_turn};
pub use version::{MAX_TRIES, VersionNews, VersionState};
