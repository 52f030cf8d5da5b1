//! The hosts that played the games of a run, summed up, for people who compare times. Written with the games themselves; no table
//! depends on it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::settings::{json, read_setting, write_setting};
use super::{RunFile, RunWriter};
use crate::run_store::store::StoredGame;

/// The setting.
const HOSTS: &str = "hosts";

/// What one worker did for a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostRecord {
    /// The class of its processors.
    pub class: String,
    /// Its games.
    pub games: u64,
    /// Answers of agents there.
    pub answers: u64,
    /// Microseconds that they took.
    pub took_us: u64,
    /// Deadlines that did not count because the host was to blame.
    pub void: u64,
    /// The load over a minute when units ended there: the sum over the units and the highest, in thousandths.
    pub load_milli: u64,
    /// As `load_milli`.
    pub highest_load_milli: u64,
    /// Its units.
    pub units: u64,
}

/// What one unit adds to its worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostShare {
    name: String,
    host: HostRecord,
}

impl HostShare {
    /// The share of the worker `name`, which played these games.
    pub fn of(name: &str, class: &str, load_milli: u64, games: &[StoredGame]) -> HostShare {
        let mut host = HostRecord {
            class: class.to_owned(),
            games: games.len() as u64,
            load_milli,
            highest_load_milli: load_milli,
            units: 1,
            ..HostRecord::default()
        };
        for times in games.iter().flat_map(|game| &game.times) {
            host.answers = host.answers.saturating_add(times.answers);
            host.took_us = host.took_us.saturating_add(times.took_us);
            host.void = host.void.saturating_add(times.void);
        }
        HostShare { name: name.to_owned(), host }
    }
}

/// Where other threads take down who played games, before they pass these on to the writer.
#[derive(Clone, Default)]
pub struct HostInbox(Arc<Mutex<Vec<HostShare>>>);

impl HostInbox {
    /// Takes down who played the games that are passed on next.
    pub fn add(&self, share: HostShare) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(share);
    }

    fn take(&self) -> Vec<HostShare> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// All workers of a run.
#[derive(Default)]
pub(super) struct Hosts {
    all: BTreeMap<String, HostRecord>,
    has_changed: bool,
    inbox: HostInbox,
}

impl Hosts {
    pub(super) fn read(connection: &Connection) -> Result<Hosts> {
        let query = "SELECT 1 FROM meta WHERE key = ?1";
        if connection.query_row(query, params![HOSTS], |_| Ok(())).optional()?.is_none() {
            return Ok(Hosts::default());
        }
        let all = serde_json::from_str(&read_setting(connection, HOSTS)?).context("its hosts cannot be read")?;
        Ok(Hosts { all, ..Hosts::default() })
    }

    pub(super) fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.inbox.take().iter().for_each(|share| self.add(share));
        if std::mem::take(&mut self.has_changed) {
            write_setting(connection, HOSTS, &json(&self.all)?)?;
        }
        Ok(())
    }

    fn add(&mut self, HostShare { name, host }: &HostShare) {
        let there = self.all.entry(name.clone()).or_default();
        there.class.clone_from(&host.class);
        for (sum, more) in [
            (&mut there.games, host.games),
            (&mut there.answers, host.answers),
            (&mut there.took_us, host.took_us),
            (&mut there.void, host.void),
            (&mut there.load_milli, host.load_milli),
            (&mut there.units, host.units),
        ] {
            *sum = sum.saturating_add(more);
        }
        there.highest_load_milli = there.highest_load_milli.max(host.highest_load_milli);
        self.has_changed = true;
    }
}

impl RunWriter {
    /// Takes down who played the games that are added next.
    pub fn add_hosts(&mut self, shares: &[HostShare]) {
        shares.iter().for_each(|share| self.hosts.add(share));
    }

    /// Where other threads take that down.
    pub fn host_inbox(&self) -> HostInbox {
        self.hosts.inbox.clone()
    }
}

impl RunFile {
    /// The workers that played its games, by their names; none if it was played here.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn hosts(&self) -> Result<BTreeMap<String, HostRecord>> {
        Ok(Hosts::read(&self.connection).map_err(|error| super::damaged(&self.path, &error))?.all)
    }
}
