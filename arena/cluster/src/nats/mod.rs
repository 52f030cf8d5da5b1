//! A NATS server with JetStream, as the cluster uses it: which streams, buckets and subjects there are, and what is kept in each. It
//! moves bytes and decides nothing.
//!
//! | name on the server | what it holds |
//! |---|---|
//! | bucket `maumau-runs` | the manifest of each run, by its name |
//! | object store `maumau-objects` | settings of runs, archives of agents, large results, by their digests |
//! | stream `maumau-work-NAME` | units that are not done, one message each, `maumau.work.NAME.UNIT` |
//! | stream `maumau-results-NAME` | results, the first of each unit, `maumau.results.NAME.UNIT` |
//! | bucket `maumau-failures` | what has failed, by run and unit |
//! | bucket `maumau-workers` | what each worker said last |
//!
//! Each message is accepted only if its subject has none yet, so that publishing again changes nothing, however late.

mod connection;
mod hub;
mod patience;
mod results;
mod work;

pub use connection::ServerAccess;
pub use hub::{Hub, LastReport};
pub use results::{Arrived, Published, Results, ResultsReader};
pub use work::{Counts, UnitDelivery, Work};
