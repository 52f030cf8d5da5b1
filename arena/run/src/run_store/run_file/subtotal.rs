//! Counts the games of a file: their tally, their times, and the sum of their checksums. Knows rows, and no logs. It
//! writes one setting and reads the rows of games.
//!
//! So that tables need not read the rows of a million games, the file keeps a [`Subtotal`] of the first games of the plan as a
//! setting with a checksum, written now and then with the games themselves. Tables continue from it; a read of all rows checks
//! it.

use anyhow::{Context, Result, ensure};
use maumau_tournament::{MAX_RULE_SETS, Plan, Sums, Tally};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::checksum::Total;
use super::form::SUBTOTAL;
use super::outcome::{GameOutcome, OUTCOME_COLUMNS};
use super::settings::{json, read_setting, write_setting};
use crate::run_store::store::SeatTimes;
use crate::run_store::times::TimeTotals;

/// Maximum bytes of what it has of an agent by one rule set, and of a pair of agents.
const AGENT_BYTES: usize = 8 * 1024;
const PAIR_BYTES: usize = 64;
/// Maximum games that are counted into the subtotal with one commit.
const MOST: u64 = 262_144;

/// The sum over the first games of the plan, without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subtotal {
    /// As a setting writes it.
    total: String,
    sums: Sums,
    /// By agent.
    times: Vec<[u64; 4]>,
}

impl Subtotal {
    fn of(count: &GameCount) -> Option<Subtotal> {
        Some(Subtotal {
            total: count.total.to_string(),
            sums: count.tally.sums()?,
            times: count.times.agents().iter().map(|times| <[u64; 4]>::from(*times)).collect(),
        })
    }

    /// The subtotal in the file, if there is one. The run has so many agents.
    pub(super) fn read(connection: &Connection, agents: usize) -> Result<Option<Subtotal>> {
        let query = "SELECT octet_length(value) FROM meta WHERE key = ?1";
        let Some(bytes) = connection.query_row(query, params![SUBTOTAL], |row| row.get::<_, i64>(0)).optional()? else {
            return Ok(None);
        };
        let most = (MAX_RULE_SETS * (agents * AGENT_BYTES + agents * agents * PAIR_BYTES)) as i64;
        ensure!(bytes <= most, "its subtotal has {bytes} bytes; of {agents} agents it has at most {most}");
        serde_json::from_str(&read_setting(connection, SUBTOTAL)?).map(Some).context("its subtotal cannot be read")
    }

    /// Makes it one among `agents` agents, of whom those that were not there have played nothing.
    pub(super) fn grow(connection: &Connection, agents: usize) -> Result<()> {
        let Some(Subtotal { total, sums, mut times }) = Subtotal::read(connection, agents)? else { return Ok(()) };
        times.resize(agents, [0; 4]);
        let grown = Subtotal { total, sums: sums.grown(agents), times };
        Ok(write_setting(connection, SUBTOTAL, &json(&grown)?)?)
    }

    /// Removes it from the file, which is necessary when games that were counted are removed.
    pub(super) fn remove(connection: &Connection) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM meta WHERE key = ?1", params![SUBTOTAL]).map(drop)
    }

    /// Counts games into the subtotal in the file up to the first that is not finished, but at most [`MOST`]; returns how many
    /// it has then.
    pub(super) fn advance(connection: &Connection, plan: &Plan) -> Result<u64> {
        let mut count = GameCount::resume(plan, Subtotal::read(connection, plan.agents().len())?)?;
        let first = count.total.games;
        let query = format!("SELECT {OUTCOME_COLUMNS} FROM games WHERE number >= ?1 ORDER BY number");
        let mut query = connection.prepare_cached(&query)?;
        let mut rows = query.query(params![first as i64])?;
        let mut deal = Vec::new();
        while count.total.games < first + MOST
            && let Some(row) = rows.next()?
        {
            let outcome = GameOutcome::read(row, plan)?;
            if outcome.finished.index != count.total.games + deal.len() as u64 {
                break;
            }
            let (_, games) = plan.deal_of(outcome.finished.index);
            deal.push(outcome);
            if deal.len() as u64 == games {
                deal.drain(..).try_for_each(|outcome| count.add(&outcome))?;
            }
        }
        if count.total.games > first
            && let Some(subtotal) = Subtotal::of(&count)
        {
            write_setting(connection, SUBTOTAL, &json(&subtotal)?)?;
        }
        Ok(count.total.games)
    }
}

/// Games counted in the order of the plan.
pub(super) struct GameCount {
    pub(super) tally: Tally,
    pub(super) times: TimeTotals,
    pub(super) total: Total,
    /// A subtotal that the count must match on the way.
    expected: Option<(Total, Subtotal)>,
}

impl GameCount {
    /// A count that continues from `subtotal`, or starts from nothing.
    pub(super) fn resume(plan: &Plan, subtotal: Option<Subtotal>) -> Result<GameCount> {
        let Some(Subtotal { total, sums, times }) = subtotal else { return GameCount::all(plan, None) };
        let total: Total = total.parse().context("its subtotal cannot be read")?;
        ensure!(total.games == sums.games() && times.len() == plan.agents().len(), "its subtotal contradicts itself");
        let tally = Tally::resume(plan.clone(), sums).context("its subtotal is not of its plan")?;
        let times = TimeTotals::resume(times.into_iter().map(SeatTimes::from).collect());
        Ok(GameCount { tally, times, total, expected: None })
    }

    /// A count of all games, which must match `subtotal` on the way.
    pub(super) fn all(plan: &Plan, subtotal: Option<Subtotal>) -> Result<GameCount> {
        let expected = subtotal.map(|subtotal| Ok::<_, anyhow::Error>((subtotal.total.parse()?, subtotal)));
        Ok(GameCount {
            tally: Tally::new(plan.clone()),
            times: TimeTotals::new(plan),
            total: Total::default(),
            expected: expected.transpose().context("its subtotal cannot be read")?,
        })
    }

    /// Counts the next game.
    pub(super) fn add(&mut self, outcome: &GameOutcome) -> Result<()> {
        let game = self.tally.add(&outcome.finished)?;
        self.times.add(&game, &outcome.times);
        self.total.add(outcome.checksum);
        if let Some((_, expected)) = self.expected.take_if(|(total, _)| total.games == self.total.games) {
            ensure!(Subtotal::of(self) == Some(expected), "its subtotal is not that of its games");
        }
        Ok(())
    }
}

impl AsRef<Total> for GameCount {
    fn as_ref(&self) -> &Total {
        &self.total
    }
}
