//! The run file: one SQLite file with the settings and the finished games of a run. It ties together the rows that its
//! files read and write; how games are played is not known here.
//!
//! Writing goes through a rollback journal with `synchronous = FULL`: a transaction is in the file completely or not at all,
//! and durable once it is committed; between transactions the file is self-contained and can be copied. (With a write-ahead log
//! the newest games would be in a second file.) Several finished games share one transaction, see [`super::recorder`].
//! Everything that is read has a checksum ([`checksum`]).

mod checksum;
mod form;
mod games;
mod hosts;
mod merge;
mod outcome;
mod pool;
mod renumber;
mod rounds;
mod session;
mod settings;
mod subtotal;
#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use maumau_tournament::statistics::ratings::RatedGames;
use maumau_tournament::{AgentId, Finished, Plan, PlannedGame, Round, Scheduler, Tally};
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};

use self::checksum::Total;
use self::form::{RunFileKind, check_beside, check_structure, damaged, explain, identify, set_up};
use self::games::{
    Extent, check_each_game, for_each_game, for_each_result, read_game, read_results, read_scheduler, read_tally,
    results_from, take_out,
};
use self::outcome::GAME_COLUMNS;
use self::pool::change_pool;
use self::renumber::renumber;
use self::rounds::{DerivedRounds, read_rounds, read_rounds_from, with_rounds, write_round};
use self::settings::{read_settings, read_state, read_total, write_settings};
use self::subtotal::Subtotal;
use super::change_request::ChangeRequest;
use super::lock::RunLock;
use super::settings::{RunPlan, RunSettings};
use super::stop_request::StopRequest;
use super::store::{RunStore, StoredGame};
use super::times::TimeTotals;
use crate::error::usage;
use crate::io::files::check_file;
use crate::io::untrusted::Untrusted;
use crate::io::wall_clock::now_ms;
use crate::log;

pub use form::is_run_file;
pub use hosts::{HostInbox, HostRecord, HostShare};
pub use merge::Merged;
pub use session::PlaySession;

/// How many new games are counted into the subtotal at once; more if writing it costs more.
const SUBTOTAL_EVERY: u64 = 8_192;

/// A run file that is open for reading.
pub struct RunFile {
    path: PathBuf,
    connection: Connection,
    /// Everything that determines its games.
    pub plan: RunPlan,
    /// As SQLite counts what other processes and connections commit.
    version: i64,
}

/// The run that is wanted.
pub struct RequestedRun {
    /// Everything that determines its games.
    pub settings: RunSettings,
    /// Agents whose games are removed, so that they are played again.
    pub again: Vec<AgentId>,
    /// Games that are removed, by their names.
    pub again_games: Vec<String>,
}

impl From<RunSettings> for RequestedRun {
    fn from(settings: RunSettings) -> RequestedRun {
        RequestedRun { settings, again: Vec::new(), again_games: Vec::new() }
    }
}

/// A run file that only this process may write.
pub struct RunWriter {
    path: PathBuf,
    connection: Connection,
    /// Its plan: who plays whom.
    pairings: Plan,
    plan: RunPlan,
    /// The games in it.
    total: Total,
    /// How many of them are in the subtotal, as far as this process knows.
    counted: u64,
    subtotal_every: u64,
    /// What a person reads about how fast it goes.
    session: PlaySession,
    /// The hosts that played its games, if that is known.
    hosts: hosts::Hosts,
    /// True if a commit has failed: what is on the disk is unknown until the file is opened again.
    failed: bool,
    lock: RunLock,
}

impl RunFile {
    /// Opens the run file at `path` for reading; another process may write it meanwhile.
    ///
    /// # Errors
    /// There is no such file, it is not a run file, or it has another version.
    pub fn open(path: &Path) -> Result<RunFile> {
        let shown = path.display();
        check_file(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => usage(format!("there is no run file {shown}")),
            _ => usage(format!("the run file {shown}: {error}")),
        })?;
        check_beside(path)?;
        // What a killed process left half written is rolled back by the next process with write access.
        let writable = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let connection = match writable {
            Ok(connection) => connection,
            Err(_) => {
                Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(|e| explain(path, e))?
            }
        };
        set_up(&connection).map_err(|error| explain(path, error))?;
        match identify(path, &connection)? {
            RunFileKind::Run => {}
            RunFileKind::Empty => {
                return Err(usage(format!("{} is empty: no run has been started in it", path.display())));
            }
        }
        let version = data_version(&connection).map_err(|error| explain(path, error))?;
        // One moment: another process may add a round and games of it.
        let moment = connection.unchecked_transaction().map_err(|error| explain(path, error))?;
        let mut plan = RunPlan::new(read_settings(&moment).map_err(|error| damaged(path, &error))?)?;
        let rounds = read_rounds(&moment).and_then(|rounds| with_rounds(&plan.pairings, &rounds));
        plan.pairings = rounds.map_err(|error| damaged(path, &error))?;
        drop(moment);
        Ok(RunFile { path: path.to_owned(), connection, plan, version })
    }

    /// Takes up what has been decided since by the process that plays it: further rounds, agents that have joined.
    ///
    /// # Errors
    /// As [`RunFile::open`].
    pub fn follow(&mut self) -> Result<()> {
        let version = data_version(&self.connection).map_err(|error| explain(&self.path, error))?;
        if version == self.version {
            return Ok(());
        }
        let moment = self.connection.unchecked_transaction().map_err(|error| explain(&self.path, error))?;
        let settings = read_settings(&moment).map_err(|error| damaged(&self.path, &error))?;
        if settings != self.plan.settings {
            self.plan = RunPlan::new(settings)?;
        }
        let known = self.plan.pairings.rounds();
        let added = read_rounds_from(&moment, known)
            .and_then(|rounds| rounds.iter().try_for_each(|round| Ok(self.plan.pairings.try_extend(round)?)));
        added.map_err(|error| damaged(&self.path, &error))?;
        self.version = version;
        Ok(())
    }

    /// The tallies of all its games.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn tally(&self) -> Result<(Tally, TimeTotals)> {
        read_tally(&self.path, &self.connection, &self.plan.pairings, Extent::Subtotal)
    }

    /// Counts all its games again, and checks the subtotal that [`RunFile::tally`] continues from.
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub fn check_tally(&self) -> Result<()> {
        read_tally(&self.path, &self.connection, &self.plan.pairings, Extent::Outcomes).map(drop)
    }

    /// The results of all its games, for estimates.
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub fn results(&self) -> Result<RatedGames> {
        read_results(&self.path, &self.connection, &self.plan.pairings)
    }

    /// As [`RunFile::results`], apart by rule set.
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub fn results_by_rules(&self) -> Result<Vec<RatedGames>> {
        let plan = &self.plan.pairings;
        let mut games = vec![RatedGames::new(plan.agents().len()); plan.league().rule_sets];
        self.for_each_result(|plan, finished| {
            games[plan.rule_set(finished.index)].add_planned(plan, finished.index, &finished.result.places);
        })?;
        Ok(games)
    }

    /// The tournament between its rounds, the last of which is derived again from the results before it.
    ///
    /// # Errors
    /// As [`RunFile::tally`], or the round is not the one that follows.
    pub fn scheduler(&self) -> Result<Scheduler> {
        Ok(read_scheduler(&self.path, &self.connection, &self.plan, DerivedRounds::Last)?.0)
    }

    /// Derives every round again, which takes as long as deciding them did.
    ///
    /// # Errors
    /// As [`RunFile::tally`], or a round is not the one that follows from the results before it.
    pub fn check_rounds(&self) -> Result<()> {
        read_scheduler(&self.path, &self.connection, &self.plan, DerivedRounds::All).map(drop)
    }

    /// Passes every game to `each`, in the order of the plan.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged; or the first error of `each`.
    pub fn for_each_game(&self, each: impl FnMut(StoredGame) -> Result<()>) -> Result<()> {
        for_each_game(&self.path, &self.connection, &self.plan.pairings, each)
    }

    /// Passes the result of every game to `each`, in the order of the plan, which it is given too; quicker than [`RunFile::for_each_game`].
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn for_each_result(&self, each: impl FnMut(&Plan, Finished)) -> Result<()> {
        for_each_result(&self.path, &self.connection, &self.plan.pairings, each)
    }

    /// Passes every game, or what is wrong with it, to `each`, in the order of the plan.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged outside its games; or the first error of `each`.
    pub fn check_each_game(&self, each: impl FnMut(Result<StoredGame>) -> Result<()>) -> Result<()> {
        check_each_game(&self.path, &self.connection, &self.plan.pairings, each)
    }

    /// Passes the name and the result of every game from number `first` of the plan on to `each`, until that breaks off; logs
    /// are not read.
    ///
    /// # Errors
    /// As [`RunFile::for_each_game`], but for games that are missing: what is read is only a part.
    pub fn results_from(&self, first: u64, each: impl FnMut(&PlannedGame, &Finished) -> ControlFlow<()>) -> Result<()> {
        results_from(&self.path, &self.connection, &self.plan.pairings, first, each)
    }

    /// How many games it holds.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn games(&self) -> Result<u64> {
        Ok(read_total(&self.connection).map_err(|error| damaged(&self.path, &error))?.games)
    }

    /// A digest of its settings and of the checksums of its games: what was made of a run with the same one is still true.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn state(&self) -> Result<String> {
        read_state(&self.connection).map_err(|error| explain(&self.path, error))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The highest number in the plan of a game that it holds; `None` without games.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn last_number(&self) -> Result<Option<u64>> {
        let query = self.connection.query_row("SELECT max(number) FROM games", [], |row| row.get::<_, Option<i64>>(0));
        Ok(query.map_err(|error| explain(&self.path, error))?.and_then(|number| u64::try_from(number).ok()))
    }

    /// When it was played last, if that is known.
    ///
    /// # Errors
    /// As [`RunFile::games`].
    pub fn session(&self) -> Result<Option<PlaySession>> {
        PlaySession::read(&self.connection).map_err(|error| damaged(&self.path, &error))
    }

    /// Game number `number` of the plan, if it is finished.
    ///
    /// # Errors
    /// As [`RunFile::for_each_game`].
    pub fn game(&self, number: u64) -> Result<Option<StoredGame>> {
        let query = format!("SELECT {GAME_COLUMNS} FROM games WHERE number = ?1");
        let row = self
            .connection
            .query_row(&query, params![number as i64], |row| Ok(read_game(row, &self.plan.pairings)))
            .optional();
        let game = row.map_err(|error| explain(&self.path, error))?.transpose();
        let game = game.map_err(|error| damaged(&self.path, &error))?;
        if game.is_none() {
            // In a damaged file the game may exist all the same.
            self.check_tally()?;
        }
        Ok(game.map(|(game, _)| game))
    }
}

/// A number that is another one whenever somebody else has changed the file.
fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}

impl RunWriter {
    /// Opens the run file at `path` for writing, or creates it. `wanted` is given the existing settings, absent in a new file,
    /// and returns the run that is wanted. New settings and the removal of games are one transaction.
    ///
    /// # Errors
    /// Another process has it; it is not a run file, has another version, or cannot be written; or the error of `wanted`.
    pub fn open<W: Into<RequestedRun>>(
        path: &Path,
        wanted: impl FnOnce(Option<&RunSettings>) -> Result<W>,
    ) -> Result<(RunWriter, RunPlan)> {
        RunWriter::open_on(path, None, wanted)
    }

    /// As [`RunWriter::open`], on the disk that SQLite knows by the name `vfs`; absent = the system's.
    fn open_on<W: Into<RequestedRun>>(
        path: &Path,
        vfs: Option<&CStr>,
        wanted: impl FnOnce(Option<&RunSettings>) -> Result<W>,
    ) -> Result<(RunWriter, RunPlan)> {
        let lock = RunLock::take(path)?;
        check_beside(path)?;
        // A run that is refused leaves no file.
        let asked = if path.exists() { Err(wanted) } else { Ok(wanted(None)?.into()) };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let failed = |error| explain(path, error);
        let mut connection = match vfs {
            Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs),
            None => Connection::open_with_flags(path, flags),
        }
        .map_err(failed)?;
        set_up(&connection).map_err(failed)?;
        let kind = identify(path, &connection)?;
        connection.pragma_update_and_check(None, "journal_mode", "TRUNCATE", |_| Ok(())).map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        let (stored, mut total) = match kind {
            RunFileKind::Run => {
                check_structure(path, &connection)?;
                let read = read_settings(&connection).and_then(|stored| Ok((stored, read_total(&connection)?)));
                let (stored, total) = read.map_err(|error| damaged(path, &error))?;
                (Some(stored), total)
            }
            RunFileKind::Empty => (None, Total::default()),
        };
        let RequestedRun { settings, again, again_games } = match asked {
            Ok(asked) => asked,
            Err(wanted) => wanted(stored.as_ref())?.into(),
        };
        let mut plan = RunPlan::new(settings)?;
        let mut rounds = Vec::new();
        if stored.is_some() {
            rounds = read_rounds(&connection).map_err(|error| damaged(path, &error))?;
            plan.pairings = with_rounds(&plan.pairings, &rounds).map_err(|error| damaged(path, &error))?;
        }
        if stored.as_ref() != Some(&plan.settings) || !again.is_empty() || !again_games.is_empty() {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
            write_settings(&transaction, &plan.settings, stored.is_none()).map_err(failed)?;
            if let Some(stored) = &stored {
                let before = stored.league.pairings()?;
                renumber(&transaction, &before, &plan.pairings, &mut total).map_err(|error| {
                    match error.downcast() {
                        Ok(error) => explain(path, error),
                        Err(error) => damaged(path, &error),
                    }
                })?;
            }
            take_out(&transaction, &plan.pairings, &again, &again_games, &mut total).map_err(failed)?;
            let (league, agents) = (&plan.settings.league, plan.settings.league.agents.len());
            let before = stored.as_ref().map_or(agents, |stored| stored.league.agents.len());
            let pool = change_pool(&transaction, &plan.pairings, &rounds, before, league.playing()).map_err(failed)?;
            pool.iter().for_each(|pool| plan.pairings.extend(pool));
            transaction.commit().map_err(failed)?;
        }
        let (pairings, agents) = (plan.pairings.clone(), plan.pairings.agents().len() as u64);
        let subtotal_every = SUBTOTAL_EVERY.max(agents * agents);
        let path = path.to_owned();
        let now = now_ms();
        let session = PlaySession { began_ms: now, games_before: total.games, last_ms: now };
        let hosts = hosts::Hosts::read(&connection).map_err(|error| damaged(&path, &error))?;
        let writer = RunWriter {
            path,
            hosts,
            connection,
            plan: plan.clone(),
            pairings,
            total,
            counted: 0,
            subtotal_every,
            session,
            failed: false,
            lock,
        };
        Ok((writer, plan))
    }

    /// As [`RunFile::tally`]; also checks the logs, so that a file with lost logs is not continued.
    ///
    /// # Errors
    /// As [`RunFile::tally`].
    pub fn tally(&self, plan: &RunPlan) -> Result<(Tally, TimeTotals)> {
        read_tally(&self.path, &self.connection, &plan.pairings, Extent::Logs)
    }

    /// Where another process asks this one to stop.
    pub fn stop_request(&self) -> StopRequest {
        StopRequest::of(&self.lock)
    }

    /// Where another process asks this one to change agents.
    pub fn change_request(&self) -> ChangeRequest {
        ChangeRequest::of(&self.lock)
    }

    /// How many games it holds.
    pub fn games(&self) -> u64 {
        self.total.games
    }

    /// As [`RunFile::scheduler`], with the places of the games that it cannot take yet.
    ///
    /// # Errors
    /// As [`RunFile::scheduler`].
    pub fn scheduler(&self) -> Result<(Scheduler, BTreeMap<u64, Vec<u8>>)> {
        read_scheduler(&self.path, &self.connection, &self.plan, DerivedRounds::Last)
    }

    /// Its rounds in their order.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn rounds(&self) -> Result<Vec<Round>> {
        read_rounds(&self.connection).map_err(|error| damaged(&self.path, &error))
    }

    /// Adds rounds, all or none; when this returns they are durable.
    ///
    /// # Errors
    /// The file cannot be written; it must be opened again.
    pub fn add_rounds(&mut self, rounds: &[Round]) -> Result<()> {
        if rounds.is_empty() {
            return Ok(());
        }
        let written = self.try_add_rounds(rounds).map_err(|error| explain(&self.path, error));
        self.failed |= written.is_err();
        written?;
        rounds.iter().for_each(|round| self.pairings.extend(round));
        Ok(())
    }

    /// Goes on with `plan`, whose settings differ in their agents alone, after a last round all games of which are played; they are
    /// in the file before this returns. The agents that play from now on are another pool, if they are others than `playing`, of
    /// `before` in all. Returns the plan with the rounds that it had when the file was opened and that pool, and the pool.
    ///
    /// # Errors
    /// The agents are no run's; or the file cannot be written, and must be opened again.
    pub fn change_agents(
        &mut self,
        mut plan: RunPlan,
        playing: &[AgentId],
        before: usize,
    ) -> Result<(RunPlan, Option<Round>)> {
        // Lists of tables are shared with nobody who adds to them: to add to a shared one copies it.
        let pairings = self.pairings.with_league(plan.settings.league.for_schedule())?;
        plan.pairings = self.plan.pairings.with_league(plan.settings.league.for_schedule())?;
        let now = plan.settings.league.playing();
        let pool = (now != playing).then(|| Round::Pool { before, playing: now, dropped: Vec::new() });
        let written = self.try_change_agents(&plan, pool.as_ref());
        self.failed |= written.is_err();
        written?;
        self.pairings = pairings;
        if let Some(pool) = &pool {
            plan.pairings.extend(pool);
            self.pairings.extend(pool);
        }
        self.plan = plan.clone();
        Ok((plan, pool))
    }

    fn try_change_agents(&mut self, plan: &RunPlan, pool: Option<&Round>) -> Result<()> {
        let failed = |error| explain(&self.path, error);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        write_settings(&transaction, &plan.settings, false).map_err(failed)?;
        Subtotal::grow(&transaction, plan.pairings.agents().len()).map_err(|error| damaged(&self.path, &error))?;
        if let Some(pool) = pool {
            write_round(&transaction, self.pairings.rounds() as u64, pool).map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    fn try_add_rounds(&mut self, rounds: &[Round]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (number, round) in (self.pairings.rounds() as u64..).zip(rounds) {
            write_round(&transaction, number, round)?;
        }
        transaction.commit()
    }

    fn try_add(&mut self, games: &[StoredGame]) -> Result<()> {
        let failed = |error| explain(&self.path, error);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        games::insert(&transaction, games, &mut self.total).map_err(failed)?;
        self.session.last_ms = now_ms();
        self.session.write(&transaction).map_err(failed)?;
        self.hosts.write(&transaction).map_err(failed)?;
        if self.total.games >= self.counted + self.subtotal_every {
            let counted = Subtotal::advance(&transaction, &self.pairings);
            self.counted = counted.map_err(|error| match error.downcast() {
                Ok(error) => explain(&self.path, error),
                Err(error) => damaged(&self.path, &error),
            })?;
        }
        transaction.commit().map_err(failed)
    }
}

impl RunStore for RunWriter {
    fn add(&mut self, games: &[StoredGame]) -> Result<()> {
        let shown = self.path.display();
        ensure!(!self.failed, "the run file {shown} could not be written before; give the same command again to go on");
        let added = self.try_add(games);
        self.failed = added.is_err();
        added
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        // A failure is final: the journal may be needed to restore the file.
        if self.failed {
            return;
        }
        // Removes the empty journal. If that fails it stays and does no harm.
        let tidy = self.connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()));
        if let Err(error) = tidy {
            log::journal_left(Untrusted::new(&error.to_string()));
        }
    }
}
