//! One row of the games: reads it and verifies its checksums. Knows neither other rows nor what is counted. It writes
//! nothing.

use anyhow::{Context, Result, ensure};
use maumau_referee::record::Digest;
use maumau_tournament::{Finished, Plan};
use rusqlite::Row;

use super::checksum::{self, Checksum};
use crate::run_store::result_codec;
use crate::run_store::store::SeatTimes;

/// The columns of a game except its log.
pub(super) const OUTCOME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum";
/// All columns.
pub(super) const GAME_COLUMNS: &str = "number, outcome, faults, digest, checksum, log_checksum, log";

/// A game without its log.
pub(super) struct GameOutcome {
    pub(super) finished: Finished,
    pub(super) times: Vec<SeatTimes>,
    pub(super) digest: Digest,
    pub(super) checksum: Checksum,
    log_checksum: Checksum,
}

impl GameOutcome {
    /// Reads [`OUTCOME_COLUMNS`] of a game of `plan`.
    pub(super) fn read(row: &Row<'_>, plan: &Plan) -> Result<GameOutcome> {
        let number: i64 = row.get(0)?;
        let index = u64::try_from(number).context("a game has a negative number")?;
        ensure!(index < plan.len(), "it holds the game number {index}, which its plan does not");
        let in_game = || format!("the game {}", id_of(plan, index));
        let read = || -> rusqlite::Result<_> {
            Ok((
                row.get_ref(1)?.as_blob()?,
                row.get::<_, Option<String>>(2)?,
                Digest(row.get(3)?),
                row.get(4)?,
                row.get(5)?,
            ))
        };
        let (outcome, faults, digest, checksum, log_checksum): (_, _, _, _, Checksum) = read().with_context(in_game)?;
        let expected = checksum::of_game(number, outcome, faults.as_deref(), &digest.0, &log_checksum);
        ensure!(checksum == expected, "the checksum of {} does not fit", in_game());
        let (result, times) = result_codec::unpack(outcome).with_context(in_game)?;
        let faults = match faults {
            Some(faults) => serde_json::from_str(&faults).with_context(in_game)?,
            None => vec![Default::default(); result.places.len()],
        };
        Ok(GameOutcome { finished: Finished { index, result, faults }, times, digest, checksum, log_checksum })
    }

    /// The log of a row of [`GAME_COLUMNS`].
    pub(super) fn check_log<'a>(&self, row: &'a Row<'_>, plan: &Plan) -> Result<&'a [u8]> {
        let of_game = || format!("the log of the game {}", id_of(plan, self.finished.index));
        let log = row.get_ref(6).map(|log| log.as_blob());
        let log = log.with_context(of_game)??;
        let expected = checksum::of_log(self.finished.index as i64, log);
        ensure!(self.log_checksum == expected, "the checksum of {} does not fit", of_game());
        Ok(log)
    }
}

/// The name of game number `index` of `plan`.
pub(super) fn id_of(plan: &Plan, index: u64) -> String {
    plan.game(index).id().0.to_string()
}
