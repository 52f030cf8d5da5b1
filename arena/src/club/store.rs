//! The database of a club: members, keys, bots, versions, events. Each method is one transaction, so a kill leaves the state before or
//! after it. Keys are kept as their SHA-256 alone. No game is in it: games stay in the run file.

mod house;
mod outbox;
mod people;
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use maumau_club::{BotManifest, UploadUsage, VersionNews, VersionState, WaitingVersion};
use maumau_run::io::wall_clock;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

pub(crate) use house::{ClubDecision, WantedChapter};
pub(crate) use people::{Invitation, MemberRole, OpenInvitation, StoredMember};
pub(crate) use trials::{PastGame, StoredTrial};

/// The number of this form, in the database: how many of [`STEPS`] have been taken.
const FORM: i64 = STEPS.len() as i64;

/// How long another process may hold the database.
const PATIENCE: Duration = Duration::from_secs(10);

/// Organisers hear of versions that answer alike if they are of at most so many other teams; more have begun with the same template.
const MAX_ALIKE: usize = 2;

/// What makes each form of the form before it, the first of an empty database.
const STEPS: [&str; 6] = [TABLES, SECOND_FORM, THIRD_FORM, FOURTH_FORM, FIFTH_FORM, SIXTH_FORM];

/// A trial may be a game of a chapter that the organiser has played again; members may be guests, and authors of a class.
const SIXTH_FORM: &str = "
    ALTER TABLE key ADD COLUMN class TEXT;
    ALTER TABLE member ADD COLUMN class TEXT;
    ALTER TABLE trial ADD COLUMN game TEXT;
    ALTER TABLE trial ADD COLUMN chapter INTEGER;
";

/// Versions may be `disqualified`, which older programs cannot read.
const FIFTH_FORM: &str = "";

/// Events say who did it; versions have the digest of what they answered in their check; the organisers' words and decisions about the
/// whole club.
const FOURTH_FORM: &str = "
    ALTER TABLE event ADD COLUMN who TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN answers TEXT NOT NULL DEFAULT '';
    CREATE TABLE decision (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
";

/// The last event that has reached each address that events are sent to.
const THIRD_FORM: &str = "CREATE TABLE webhook (url TEXT PRIMARY KEY, event INTEGER NOT NULL) STRICT;";

/// Events say which version they are about; versions are built, and held if the organiser has paused them; members are banned; teams ask
/// for trials.
const SECOND_FORM: &str = "
    ALTER TABLE event ADD COLUMN version INTEGER;
    ALTER TABLE version ADD COLUMN began_s INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE version ADD COLUMN build TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN built TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN compilers TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE version ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE member ADD COLUMN banned INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE trial (id INTEGER PRIMARY KEY, team TEXT NOT NULL, agents TEXT NOT NULL, games INTEGER NOT NULL, state TEXT NOT NULL,
        reason TEXT NOT NULL, asked_s INTEGER NOT NULL) STRICT;
";

const TABLES: &str = "
    CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, team TEXT NOT NULL, invited_by TEXT NOT NULL) STRICT;
    CREATE TABLE key (sha TEXT PRIMARY KEY, kind TEXT NOT NULL, member INTEGER REFERENCES member, role TEXT NOT NULL, team TEXT,
        uses_left INTEGER NOT NULL, ends_s INTEGER NOT NULL) STRICT;
    CREATE TABLE bot (name TEXT PRIMARY KEY, team TEXT NOT NULL) STRICT;
    CREATE TABLE version (id INTEGER PRIMARY KEY, bot TEXT NOT NULL REFERENCES bot, number INTEGER NOT NULL, sha TEXT NOT NULL,
        run TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, tries INTEGER NOT NULL, sent_s INTEGER NOT NULL, since_s INTEGER NOT NULL,
        UNIQUE (bot, number), UNIQUE (bot, sha)) STRICT;
    CREATE TABLE event (id INTEGER PRIMARY KEY, at_s INTEGER NOT NULL, team TEXT, what TEXT NOT NULL) STRICT;
";

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredVersion {
    pub(crate) id: i64,
    pub(crate) bot: String,
    pub(crate) team: String,
    pub(crate) number: u32,
    pub(crate) sha: String,
    pub(crate) run: String,
    /// The commands that build it, a line each; empty if it is played as it was sent.
    pub(crate) build: String,
    /// The digest that its build is kept under; empty before.
    pub(crate) built: String,
    /// The versions of the compilers, a line each.
    pub(crate) compilers: String,
    /// The digest of what it answered in the games of its check; empty before.
    pub(crate) answers: String,
    pub(crate) state: VersionState,
    pub(crate) reason: String,
    pub(crate) tries: u32,
    pub(crate) sent_s: u64,
    pub(crate) since_s: u64,
    /// When its first rated game was seen; 0 before.
    pub(crate) began_s: u64,
    /// True if the organiser has paused it.
    pub(crate) is_held: bool,
    /// True if its archive, and what else it does not need any more, has made room for others.
    pub(crate) is_pruned: bool,
}

impl StoredVersion {
    /// Its name in the season.
    pub(crate) fn agent(&self) -> String {
        format!("{}@{}", self.bot, self.number)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredEvent {
    pub(crate) id: i64,
    pub(crate) at_s: u64,
    /// The version that it is about, by its number.
    pub(crate) version: Option<i64>,
    /// The member who did it; empty if the club itself did, or its organiser at the command line.
    pub(crate) who: String,
    pub(crate) what: String,
}

/// What people decide about a version or a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClubVerdict<'a> {
    /// The member who decides; empty at the command line.
    pub(crate) who: &'a str,
    /// Why, for the team.
    pub(crate) why: &'a str,
    /// True if an organiser decides, so that nobody else can undo it.
    pub(crate) is_held: bool,
}

/// The database of a club.
pub(crate) struct ClubStore(Connection);

impl ClubStore {
    /// Opens the database at `path`, or makes it.
    ///
    /// # Errors
    /// It cannot be opened, or is of another form.
    pub(crate) fn open(path: &Path) -> Result<ClubStore> {
        let shown = || format!("the database {}", path.display());
        let mut connection = Connection::open(path).with_context(shown)?;
        connection.busy_timeout(PATIENCE)?;
        connection
            .execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate).with_context(shown)?;
        let form: i64 = begun.query_row("PRAGMA user_version", [], |row| row.get(0)).with_context(shown)?;
        let taken = usize::try_from(form).ok().filter(|taken| *taken <= STEPS.len());
        let Some(taken) = taken else {
            bail!("{} has the form {form}; this program reads forms up to {FORM}", path.display());
        };
        for step in &STEPS[taken..] {
            begun.execute_batch(step).with_context(shown)?;
        }
        begun.pragma_update(None, "user_version", FORM).with_context(shown)?;
        begun.commit()?;
        Ok(ClubStore(connection))
    }

    /// True if the database is whole.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn check(&self) -> Result<bool> {
        let found: String = self.0.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        Ok(found == "ok")
    }

    /// The team that owns a bot.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn owner(&self, bot: &str) -> Result<Option<String>> {
        Ok(self.0.query_row("SELECT team FROM bot WHERE name = ?1", [bot], |row| row.get(0)).optional()?)
    }

    /// What a team has sent.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn usage(&self, team: &str) -> Result<UploadUsage> {
        let mut usage = UploadUsage::default();
        for version in self.versions()?.into_iter().filter(|version| version.team == team) {
            usage.charged_at_s.extend(version.state.is_charged().then_some(version.sent_s));
            usage.on_their_way += u32::from(version.state.is_on_its_way());
        }
        Ok(usage)
    }

    /// Keeps a version of a team's bot that `who` has sent and whose archive is stored, or finds the one with the same archive; true if it
    /// is new.
    ///
    /// # Errors
    /// Another team owns the bot, or the database fails.
    pub(crate) fn send(
        &mut self,
        (team, who): (&str, &str),
        bot: &str,
        sha: &str,
        manifest: &BotManifest,
    ) -> Result<(StoredVersion, bool)> {
        let begun = self.begin()?;
        begun.execute("INSERT OR IGNORE INTO bot VALUES (?1, ?2)", [bot, team])?;
        let owner: String = begun.query_row("SELECT team FROM bot WHERE name = ?1", [bot], |row| row.get(0))?;
        ensure!(owner == team, "the bot {bot:?} is another team's");
        let known = "SELECT version.*, team FROM version JOIN bot ON bot.name = bot WHERE bot = ?1 AND sha = ?2";
        if let Some(sent) = begun.query_row(known, [bot, sha], version).optional()? {
            let next = sent.state.after(VersionNews::SentAgain).filter(|next| *next != sent.state);
            let Some(next) = next else { return Ok((sent, false)) };
            step(&begun, &sent, next, 0, (who, ""))?;
            let sent = begun.query_row(known, [bot, sha], version)?;
            begun.commit()?;
            return Ok((sent, false));
        }
        begun.execute(
            "INSERT INTO version (bot, number, sha, run, build, state, reason, tries, sent_s, since_s)
             VALUES (?1, 1 + (SELECT count(*) FROM version WHERE bot = ?1), ?2, ?3, ?4, ?5, '', 0, ?6, ?6)",
            params![bot, sha, manifest.run, manifest.build.join("\n"), VersionState::Waiting.name(), kept_s(now_s())],
        )?;
        let sent = begun.query_row(known, [bot, sha], version)?;
        emit_by(&begun, who, None, Some(sent.id), &format!("{} was sent", sent.agent()))?;
        for twin in all_versions(&begun)?.iter().filter(|other| other.sha == sha && other.team != team) {
            let what = format!("{} is the same archive as {} of the team {}", sent.agent(), twin.agent(), twin.team);
            emit(&begun, Some(NO_TEAM), Some(sent.id), &what)?;
        }
        begun.commit()?;
        Ok((sent, true))
    }

    /// All versions, in the order in which they were sent.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn versions(&self) -> Result<Vec<StoredVersion>> {
        all_versions(&self.0)
    }

    /// The team of each version's agent.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn teams_of_agents(&self) -> Result<BTreeMap<String, String>> {
        Ok(self.versions()?.into_iter().map(|version| (version.agent(), version.team)).collect())
    }

    /// The class of each team that has one.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn classes(&self) -> Result<BTreeMap<String, String>> {
        // That of the member who came last, if there are several.
        let query = "SELECT team, class FROM member WHERE class IS NOT NULL ORDER BY id";
        let mut found = self.0.prepare_cached(query)?;
        let read = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(read.collect::<Result<_, _>>()?)
    }

    /// One version.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn version(&self, id: i64) -> Result<Option<StoredVersion>> {
        one_version(&self.0, id)
    }

    /// Those that wait for a check, in the order in which they were sent.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn waiting(&self) -> Result<Vec<WaitingVersion>> {
        let waiting = self.versions()?.into_iter().filter(|version| version.state == VersionState::Waiting);
        Ok(waiting.map(|StoredVersion { id, team, .. }| WaitingVersion { id, team }).collect())
    }

    /// Takes a version to the state that follows from `news`, with its reason, and writes events about it.
    ///
    /// # Errors
    /// The news cannot be about a version in its state, or the database fails.
    pub(crate) fn happened(&mut self, version: &StoredVersion, news: VersionNews, reason: &str) -> Result<()> {
        let begun = self.begin()?;
        let state: String =
            begun.query_row("SELECT state FROM version WHERE id = ?1", [version.id], |row| row.get(0))?;
        let state = VersionState::named(&state).with_context(|| format!("the state {state:?} in club.db"))?;
        let next = state.after(news).with_context(|| format!("{news:?} of a version that is {}", state.name()))?;
        if next == state {
            return Ok(());
        }
        let tries = if let VersionNews::PutBack { tries } = news { tries } else { version.tries };
        step(&begun, version, next, tries, ("", reason))?;
        begun.commit()?;
        Ok(())
    }

    /// As [`ClubStore::happened`], for what people decide: false if it cannot be done with a version in its state.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn decide(&mut self, id: i64, news: VersionNews, verdict: &ClubVerdict<'_>) -> Result<bool> {
        let begun = self.begin()?;
        let Some(version) = one_version(&begun, id)? else { return Ok(false) };
        let Some(next) = version.state.after(news).filter(|next| *next != version.state) else { return Ok(false) };
        step(&begun, &version, next, version.tries, (verdict.who, verdict.why))?;
        begun.execute("UPDATE version SET held = ?2 WHERE id = ?1", params![id, verdict.is_held])?;
        begun.commit()?;
        Ok(true)
    }

    /// Keeps under which digest a version is built, and by compilers of which versions.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn built(&mut self, version: &StoredVersion, key: &str, compilers: &str) -> Result<()> {
        let begun = self.begin()?;
        let update = "UPDATE version SET built = ?2, compilers = ?3 WHERE id = ?1";
        begun.execute(update, params![version.id, key, compilers])?;
        begun.commit()?;
        Ok(())
    }

    /// Keeps the digest of what a version answered in the games of its check, and tells the organisers of versions of other teams that
    /// answered the same.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn answered(&mut self, version: &StoredVersion, answers: &str) -> Result<()> {
        let begun = self.begin()?;
        begun.execute("UPDATE version SET answers = ?2 WHERE id = ?1", params![version.id, answers])?;
        let is_twin =
            |other: &&StoredVersion| other.answers == answers && other.team != version.team && other.sha != version.sha;
        let all = all_versions(&begun)?;
        let twins: Vec<&StoredVersion> = all.iter().filter(is_twin).collect();
        let teams: BTreeSet<&str> = twins.iter().map(|twin| &*twin.team).collect();
        // What many play is what anybody would begin with.
        if (1..=MAX_ALIKE).contains(&teams.len()) {
            let names: Vec<String> = twins.iter().map(|twin| twin.agent()).collect();
            let teams: Vec<&str> = teams.into_iter().collect();
            let what = format!(
                "{} answers its check as {} did, of the {} {}",
                version.agent(),
                names.join(", "),
                if teams.len() == 1 { "team" } else { "teams" },
                teams.join(", ")
            );
            emit(&begun, Some(NO_TEAM), Some(version.id), &what)?;
        }
        begun.commit()?;
        Ok(())
    }

    /// Notes that a version has played its first rated game.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn began(&mut self, version: &StoredVersion) -> Result<()> {
        let begun = self.begin()?;
        begun.execute("UPDATE version SET began_s = ?2 WHERE id = ?1", params![version.id, kept_s(now_s())])?;
        emit(&begun, None, Some(version.id), &format!("{} has played its first rated game", version.agent()))?;
        begun.commit()?;
        Ok(())
    }

    /// Says that a version plays no more in the season, or counts no more.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn has_left(&mut self, version: &StoredVersion) -> Result<()> {
        let begun = self.begin()?;
        emit(&begun, None, Some(version.id), &leaving(version))?;
        begun.commit()?;
        Ok(())
    }

    /// True if that was said since it came to its state.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn is_said_to_have_left(&self, version: &StoredVersion) -> Result<bool> {
        let query = "SELECT coalesce(max(id), 0) FROM event WHERE version = ?1 AND what = ?2";
        let last = |what: &str| self.0.query_row(query, params![version.id, what], |row| row.get::<_, i64>(0));
        Ok(last(&leaving(version))? > last(&format!("{} is {}", version.agent(), version.state.name()))?)
    }

    /// Tells everybody something that `who` did.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn say(&mut self, what: &str, who: &str) -> Result<()> {
        let begun = self.begin()?;
        emit_by(&begun, who, None, None, what)?;
        begun.commit()?;
        Ok(())
    }

    /// Notes that files of these versions are going to be removed.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn prune(&mut self, versions: &[StoredVersion]) -> Result<()> {
        let begun = self.begin()?;
        for version in versions {
            begun.execute("UPDATE version SET pruned = 1 WHERE id = ?1", [version.id])?;
        }
        begun.commit()?;
        Ok(())
    }

    /// The number of the newest event; 0 if there is none.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn newest_event(&self) -> Result<i64> {
        Ok(self.0.query_row("SELECT coalesce(max(id), 0) FROM event", [], |row| row.get(0))?)
    }

    /// Events after the one with the number `after`, those of everybody and those of `teams`; at most `most`.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn events(&self, after: i64, most: usize, may_see: impl Fn(&str) -> bool) -> Result<Vec<StoredEvent>> {
        let mut found =
            self.0.prepare("SELECT id, at_s, team, version, what, who FROM event WHERE id > ?1 ORDER BY id")?;
        let all = found.query_map([after], |row| {
            let (id, at_s) = (row.get(0)?, read_s(row.get(1)?));
            let event = StoredEvent { id, at_s, version: row.get(3)?, what: row.get(4)?, who: row.get(5)? };
            Ok((row.get::<_, Option<String>>(2)?, event))
        })?;
        let mut events = Vec::new();
        for event in all {
            let (team, event) = event?;
            if team.is_none_or(|team| may_see(&team)) {
                events.push(event);
            }
            if events.len() == most {
                break;
            }
        }
        Ok(events)
    }

    fn begin(&mut self) -> Result<Transaction<'_>> {
        Ok(self.0.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

/// Takes a version to another state, and says who did it and why.
fn step(
    begun: &Transaction<'_>,
    version: &StoredVersion,
    next: VersionState,
    tries: u32,
    (who, reason): (&str, &str),
) -> Result<()> {
    begun.execute(
        "UPDATE version SET state = ?2, reason = ?3, tries = ?4, since_s = ?5 WHERE id = ?1",
        params![version.id, next.name(), reason, tries, kept_s(now_s())],
    )?;
    // Why it was refused is for its team.
    if !reason.is_empty() {
        let what = format!("{} is {}: {reason}", version.agent(), next.name());
        emit_by(begun, who, Some(&version.team), Some(version.id), &what)?;
    }
    emit_by(begun, who, None, Some(version.id), &format!("{} is {}", version.agent(), next.name()))
}

/// What is said of a version that has left.
fn leaving(version: &StoredVersion) -> String {
    let agent = version.agent();
    match version.state {
        VersionState::Disqualified => format!("the ratings leave out the games of {agent}"),
        _ => format!("{agent} has left the ladder"),
    }
}

/// The team of events that are for organisers alone: nobody is in it.
const NO_TEAM: &str = "";

/// Writes an event that the club itself has brought about, in the transaction of what it is about.
fn emit(begun: &Transaction<'_>, team: Option<&str>, version: Option<i64>, what: &str) -> Result<()> {
    emit_by(begun, "", team, version, what)
}

/// Writes an event that the member `who` has brought about.
fn emit_by(begun: &Transaction<'_>, who: &str, team: Option<&str>, version: Option<i64>, what: &str) -> Result<()> {
    let insert = "INSERT INTO event (at_s, team, version, what, who) VALUES (?1, ?2, ?3, ?4, ?5)";
    begun.execute(insert, params![kept_s(now_s()), team, version, what, who])?;
    Ok(())
}

fn all_versions(connection: &Connection) -> Result<Vec<StoredVersion>> {
    let query = "SELECT version.*, team FROM version JOIN bot ON bot.name = bot ORDER BY version.id";
    Ok(connection.prepare_cached(query)?.query_map([], version)?.collect::<Result<_, _>>()?)
}

fn one_version(connection: &Connection, id: i64) -> Result<Option<StoredVersion>> {
    let query = "SELECT version.*, team FROM version JOIN bot ON bot.name = bot WHERE version.id = ?1";
    Ok(connection.prepare_cached(query)?.query_row([id], version).optional()?)
}

fn version(row: &Row<'_>) -> rusqlite::Result<StoredVersion> {
    let state: String = row.get("state")?;
    let unknown = || rusqlite::Error::InvalidColumnName(format!("the state {state:?}"));
    Ok(StoredVersion {
        id: row.get("id")?,
        bot: row.get("bot")?,
        team: row.get("team")?,
        number: row.get("number")?,
        sha: row.get("sha")?,
        run: row.get("run")?,
        build: row.get("build")?,
        built: row.get("built")?,
        compilers: row.get("compilers")?,
        answers: row.get("answers")?,
        state: VersionState::named(&state).ok_or_else(unknown)?,
        reason: row.get("reason")?,
        tries: row.get("tries")?,
        sent_s: read_s(row.get("sent_s")?),
        since_s: read_s(row.get("since_s")?),
        began_s: read_s(row.get("began_s")?),
        is_held: row.get("held")?,
        is_pruned: row.get("pruned")?,
    })
}

/// Seconds since 1970.
pub(crate) fn now_s() -> u64 {
    wall_clock::now_ms() / 1_000
}

/// Seconds, as SQLite keeps numbers.
fn kept_s(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

fn read_s(kept: i64) -> u64 {
    u64::try_from(kept).unwrap_or_default()
}

#[cfg(test)]
mod tests;
