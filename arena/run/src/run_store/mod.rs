//! Storage for the games of a run: one file, its lock, and what it keeps of a game. It writes only that file and its
//! lock.
//!
//! [`RunWriter`] adds finished games, each completely or not at all; [`RunFile`] gives them back to tables and exports. The
//! [`RunSettings`] at the beginning of the file define what to play; how games are played is not known here.

mod agent_settings;
mod change_request;
mod commitments;
pub mod game_codec;
mod lock;
pub mod log_codec;
pub mod packer;
pub mod recorder;
mod result_codec;
mod run_file;
mod settings;
mod shard;
mod stop_request;
mod store;
mod times;

pub use agent_settings::{AgentSettings, Life};
pub use change_request::{ChangeAnswer, ChangeKind, ChangeRequest, RosterChange};
pub use commitments::OpenedSeed;
pub use lock::Holder;
pub use recorder::commit;
pub use run_file::{HostInbox, HostRecord, HostShare};
pub use run_file::{Merged, PlaySession, RequestedRun, RunFile, RunWriter, is_run_file};
pub use settings::{Anchor, LeagueSettings, RunPlan, RunSettings};
pub use shard::Shard;
pub use stop_request::StopRequest;
pub use store::{RunStore, SeatTimes, StoredGame};
pub use times::TimeTotals;
