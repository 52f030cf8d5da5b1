//! The database of a club: members, keys, bots, versions, events. Each method is one transaction, so a kill leaves the state before or
//! after it. Keys are kept as their SHA-256 alone. No game is in it: games stay in the run file.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use maumau_club::{BotManifest, ClubViewer, UploadUsage, VersionNews, VersionState, WaitingVersion};
use maumau_cluster::unit::Sha;
use maumau_run::io::entropy;
use maumau_run::io::wall_clock;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

/// The number of this form, in the database: how many of [`STEPS`] have been taken.
const FORM: i64 = STEPS.len() as i64;

/// How long another process may hold the database.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a key: 128 bits.
const KEY_BYTES: usize = 16;

/// Seconds that an invitation can be taken: 30 days.
const INVITED_FOR_S: u64 = 30 * 24 * 60 * 60;

/// What makes each form of the form before it, the first of an empty database.
const STEPS: [&str; 2] = [TABLES, SECOND_FORM];

/// Events say which version they are about; versions are built, and held if the organiser has paused them; members are banned.
const SECOND_FORM: &str = "
    ALTER TABLE event ADD COLUMN version INTEGER;
    ALTER TABLE version ADD COLUMN began_s INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE version ADD COLUMN build TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN built TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN compilers TEXT NOT NULL DEFAULT '';
    ALTER TABLE version ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE member ADD COLUMN banned INTEGER NOT NULL DEFAULT 0;
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

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberRole {
    /// Sends bots.
    Author,
    /// Invites people and sees all versions.
    Organiser,
}

impl MemberRole {
    fn name(self) -> &'static str {
        match self {
            MemberRole::Author => "author",
            MemberRole::Organiser => "organiser",
        }
    }

    fn named(name: &str) -> Result<MemberRole> {
        [MemberRole::Author, MemberRole::Organiser]
            .into_iter()
            .find(|role| role.name() == name)
            .with_context(|| format!("the role {name:?} in club.db"))
    }
}

/// An invitation that is still open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invitation {
    /// What those who take it become.
    pub(crate) role: MemberRole,
    /// The team that they join; without it each gets a team of its own.
    pub(crate) team: Option<String>,
}

/// A version of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredVersion {
    pub(crate) id: i64,
    pub(crate) bot: String,
    pub(crate) team: String,
    pub(crate) number: u32,
    pub(crate) sha: String,
    pub(crate) run: String,
    /// The command that builds it; empty if it is played as it was sent.
    pub(crate) build: String,
    /// The digest that its build is kept under; empty before.
    pub(crate) built: String,
    /// The versions of the compilers, a line each.
    pub(crate) compilers: String,
    pub(crate) state: VersionState,
    pub(crate) reason: String,
    pub(crate) tries: u32,
    pub(crate) sent_s: u64,
    pub(crate) since_s: u64,
    /// When its first rated game was seen; 0 before.
    pub(crate) began_s: u64,
    /// True if the organiser has paused it.
    pub(crate) is_held: bool,
}

impl StoredVersion {
    /// Its name in the season.
    pub(crate) fn agent(&self) -> String {
        format!("{}@{}", self.bot, self.number)
    }
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredMember {
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) team: String,
    pub(crate) is_banned: bool,
    /// True if it has a token.
    pub(crate) has_token: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredEvent {
    pub(crate) id: i64,
    pub(crate) at_s: u64,
    /// The version that it is about, by its number.
    pub(crate) version: Option<i64>,
    pub(crate) what: String,
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

    /// A key for an invitation, which can be taken `uses` times. It is not kept, so it cannot be shown again.
    ///
    /// # Errors
    /// The database fails, or there is no entropy.
    pub(crate) fn invite(&mut self, invitation: &Invitation, uses: u32) -> Result<String> {
        let key = fresh_key()?;
        let begun = self.begin()?;
        begun.execute(
            "INSERT INTO key VALUES (?1, 'invitation', NULL, ?2, ?3, ?4, ?5)",
            params![digest(&key), invitation.role.name(), invitation.team, uses, kept_s(now_s() + INVITED_FOR_S)],
        )?;
        begun.commit()?;
        Ok(key)
    }

    /// The open invitation of this key.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn invitation(&self, key: &str) -> Result<Option<Invitation>> {
        open_invitation(&self.0, key)
    }

    /// Takes an invitation under `name`: the token of the new member, which cannot be shown again; `None` if there is no such open
    /// invitation.
    ///
    /// # Errors
    /// The name is taken, or the database fails.
    pub(crate) fn join(&mut self, key: &str, name: &str) -> Result<Option<String>> {
        let token = fresh_key()?;
        let begun = self.begin()?;
        let Some(invitation) = open_invitation(&begun, key)? else { return Ok(None) };
        let team = invitation.team.as_deref().unwrap_or(name);
        let is_taken: bool = begun.query_row(
            "SELECT EXISTS (SELECT 1 FROM member WHERE name = ?1 OR (team = ?1 AND ?2))",
            params![name, invitation.team.is_none()],
            |row| row.get(0),
        )?;
        ensure!(!is_taken, "the name {name:?} is taken");
        begun.execute("UPDATE key SET uses_left = uses_left - 1 WHERE sha = ?1", [digest(key)])?;
        begun.execute(
            "INSERT INTO member (name, role, team, invited_by) VALUES (?1, ?2, ?3, ?4)",
            params![name, invitation.role.name(), team, digest(key)],
        )?;
        begun.execute(
            "INSERT INTO key VALUES (?1, 'token', ?2, ?3, ?4, 0, 0)",
            params![digest(&token), begun.last_insert_rowid(), invitation.role.name(), team],
        )?;
        emit(&begun, None, None, &format!("{name} has joined the club"))?;
        begun.commit()?;
        Ok(Some(token))
    }

    /// Ends all tokens of a member; false if nobody has that name.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn revoke(&mut self, name: &str) -> Result<bool> {
        let begun = self.begin()?;
        let gone = begun.execute(
            "DELETE FROM key WHERE kind = 'token' AND member = (SELECT id FROM member WHERE name = ?1)",
            [name],
        )?;
        begun.commit()?;
        Ok(gone > 0)
    }

    /// Who shows this token.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn viewer(&self, token: &str) -> Result<ClubViewer> {
        let found: Option<(String, String)> = self
            .0
            .query_row(
                "SELECT member.role, member.team FROM key JOIN member ON member.id = key.member WHERE sha = ?1 AND kind = 'token'",
                [digest(token)],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        Ok(match found {
            None => ClubViewer::Stranger,
            Some((role, team)) => match MemberRole::named(&role)? {
                MemberRole::Author => ClubViewer::Author { team },
                MemberRole::Organiser => ClubViewer::Organiser,
            },
        })
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

    /// Keeps a version whose archive is stored, or finds the one with the same archive; true if it is new.
    ///
    /// # Errors
    /// Another team owns the bot, or the database fails.
    pub(crate) fn send(
        &mut self,
        team: &str,
        bot: &str,
        sha: &str,
        manifest: &BotManifest,
    ) -> Result<(StoredVersion, bool)> {
        let begun = self.begin()?;
        begun.execute("INSERT OR IGNORE INTO bot VALUES (?1, ?2)", [bot, team])?;
        let owner: String = begun.query_row("SELECT team FROM bot WHERE name = ?1", [bot], |row| row.get(0))?;
        ensure!(owner == team, "the bot {bot:?} is another team's");
        let known = "SELECT version.*, team FROM version JOIN bot ON bot.name = bot WHERE bot = ?1 AND sha = ?2";
        if let Some(version) = begun.query_row(known, [bot, sha], version).optional()? {
            return Ok((version, false));
        }
        begun.execute(
            "INSERT INTO version (bot, number, sha, run, build, state, reason, tries, sent_s, since_s)
             VALUES (?1, 1 + (SELECT count(*) FROM version WHERE bot = ?1), ?2, ?3, ?4, ?5, '', 0, ?6, ?6)",
            params![
                bot,
                sha,
                manifest.run,
                manifest.build.as_deref().unwrap_or_default(),
                VersionState::Waiting.name(),
                kept_s(now_s())
            ],
        )?;
        let sent = begun.query_row(known, [bot, sha], version)?;
        emit(&begun, None, Some(sent.id), &format!("{} was sent", sent.agent()))?;
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
        step(&begun, version, next, tries, reason)?;
        begun.commit()?;
        Ok(())
    }

    /// As [`ClubStore::happened`], for what people decide: false if it cannot be done with a version in its state. `is_held`: the
    /// organiser pauses it, so that nobody else can resume it.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn decide(&mut self, id: i64, news: VersionNews, is_held: bool, reason: &str) -> Result<bool> {
        let begun = self.begin()?;
        let Some(version) = one_version(&begun, id)? else { return Ok(false) };
        let Some(next) = version.state.after(news).filter(|next| *next != version.state) else { return Ok(false) };
        step(&begun, &version, next, version.tries, reason)?;
        begun.execute("UPDATE version SET held = ?2 WHERE id = ?1", params![id, is_held])?;
        begun.commit()?;
        Ok(true)
    }

    /// Bans a member: its tokens end, and if nobody else of its team may come, the team's bots are taken back. `None` if nobody has that
    /// name; otherwise the agents that leave.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn ban(&mut self, name: &str, reason: &str) -> Result<Option<Vec<String>>> {
        let begun = self.begin()?;
        let team = begun.query_row("SELECT team FROM member WHERE name = ?1", [name], |row| row.get::<_, String>(0));
        let Some(team) = team.optional()? else { return Ok(None) };
        begun.execute("UPDATE member SET banned = 1 WHERE name = ?1", [name])?;
        begun.execute("DELETE FROM key WHERE member = (SELECT id FROM member WHERE name = ?1)", [name])?;
        emit(&begun, None, None, &format!("{name} is banned"))?;
        if !reason.is_empty() {
            emit(&begun, Some(&team), None, &format!("{name} is banned: {reason}"))?;
        }
        let others = "SELECT EXISTS (SELECT 1 FROM member WHERE team = ?1 AND NOT banned)";
        let has_others: bool = begun.query_row(others, [&team], |row| row.get(0))?;
        let mut gone = Vec::new();
        if !has_others {
            for version in all_versions(&begun)?.into_iter().filter(|version| version.team == team) {
                if let Some(next) = version.state.after(VersionNews::Withdrawn) {
                    step(&begun, &version, next, version.tries, reason)?;
                    gone.push(version.agent());
                }
            }
        }
        begun.commit()?;
        Ok(Some(gone))
    }

    /// All members, in the order in which they joined.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn members(&self) -> Result<Vec<StoredMember>> {
        let query =
            "SELECT name, role, team, banned, EXISTS (SELECT 1 FROM key WHERE member = member.id AND kind = 'token')
                     FROM member ORDER BY id";
        let mut found = self.0.prepare(query)?;
        let read = found.query_map([], |row| {
            Ok(StoredMember {
                name: row.get(0)?,
                role: row.get(1)?,
                team: row.get(2)?,
                is_banned: row.get(3)?,
                has_token: row.get(4)?,
            })
        })?;
        Ok(read.collect::<Result<_, _>>()?)
    }

    /// The open invitations: role, team, and how often each can still be taken.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn invitations(&self) -> Result<Vec<(Invitation, u32)>> {
        let query = "SELECT role, team, uses_left FROM key WHERE kind = 'invitation' AND uses_left > 0 AND ends_s > ?1
                     ORDER BY rowid";
        let mut found = self.0.prepare(query)?;
        let read =
            found.query_map([kept_s(now_s())], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))?;
        read.map(|row| {
            let (role, team, uses) = row?;
            Ok((Invitation { role: MemberRole::named(&role)?, team }, uses))
        })
        .collect()
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

    /// Says that a version plays no more in the season.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn has_left(&mut self, version: &StoredVersion) -> Result<()> {
        let begun = self.begin()?;
        emit(&begun, None, Some(version.id), &format!("{} has left the ladder", version.agent()))?;
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
        let mut found = self.0.prepare("SELECT id, at_s, team, version, what FROM event WHERE id > ?1 ORDER BY id")?;
        let all = found.query_map([after], |row| {
            let (id, at_s) = (row.get(0)?, read_s(row.get(1)?));
            let event = StoredEvent { id, at_s, version: row.get(3)?, what: row.get(4)? };
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

/// Takes a version to another state, and says so.
fn step(begun: &Transaction<'_>, version: &StoredVersion, next: VersionState, tries: u32, reason: &str) -> Result<()> {
    begun.execute(
        "UPDATE version SET state = ?2, reason = ?3, tries = ?4, since_s = ?5 WHERE id = ?1",
        params![version.id, next.name(), reason, tries, kept_s(now_s())],
    )?;
    // Why it was refused is for its team.
    if !reason.is_empty() {
        let what = format!("{} is {}: {reason}", version.agent(), next.name());
        emit(begun, Some(&version.team), Some(version.id), &what)?;
    }
    emit(begun, None, Some(version.id), &format!("{} is {}", version.agent(), next.name()))
}

/// Writes an event, in the transaction of what it is about.
fn emit(begun: &Transaction<'_>, team: Option<&str>, version: Option<i64>, what: &str) -> Result<()> {
    let insert = "INSERT INTO event (at_s, team, version, what) VALUES (?1, ?2, ?3, ?4)";
    begun.execute(insert, params![kept_s(now_s()), team, version, what])?;
    Ok(())
}

fn open_invitation(connection: &Connection, key: &str) -> Result<Option<Invitation>> {
    let found: Option<(String, Option<String>)> = connection
        .query_row(
            "SELECT role, team FROM key WHERE sha = ?1 AND kind = 'invitation' AND uses_left > 0 AND ends_s > ?2",
            params![digest(key), kept_s(now_s())],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    found.map(|(role, team)| Ok(Invitation { role: MemberRole::named(&role)?, team })).transpose()
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
        state: VersionState::named(&state).ok_or_else(unknown)?,
        reason: row.get("reason")?,
        tries: row.get("tries")?,
        sent_s: read_s(row.get("sent_s")?),
        since_s: read_s(row.get("since_s")?),
        began_s: read_s(row.get("began_s")?),
        is_held: row.get("held")?,
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

fn fresh_key() -> Result<String> {
    Ok(entropy::fresh()?[..KEY_BYTES].iter().map(|byte| format!("{byte:02x}")).collect())
}

fn digest(key: &str) -> String {
    Sha::of(key.as_bytes()).digits().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, ClubStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = ClubStore::open(&folder.path().join("club.db")).expect("a database");
        (folder, store)
    }

    fn run(command: &str) -> BotManifest {
        BotManifest { name: None, build: None, run: command.to_owned() }
    }

    fn member(store: &mut ClubStore, name: &str) -> String {
        let key = store.invite(&Invitation { role: MemberRole::Author, team: None }, 1).expect("an invitation");
        store.join(&key, name).expect("a member").expect("an open invitation")
    }

    #[test]
    fn an_invitation_is_taken_as_often_as_it_says_and_a_token_lasts_until_it_is_revoked() {
        let (folder, mut store) = store();
        let open = Invitation { role: MemberRole::Author, team: Some("class".to_owned()) };
        let key = store.invite(&open, 2).expect("an invitation");
        assert_eq!(store.invitation(&key).expect("an answer"), Some(open));
        let token = store.join(&key, "ann").expect("an answer").expect("a token");
        assert!(store.join(&key, "ann").expect_err("the name is taken").to_string().contains("taken"));
        assert!(store.join(&key, "bob").expect("an answer").is_some(), "a refused name uses nothing up");
        assert_eq!(store.join(&key, "cid").expect("an answer"), None);
        assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Author { team: "class".to_owned() });
        assert_eq!(store.viewer(&key).expect("an answer"), ClubViewer::Stranger, "an invitation is no token");
        assert!(store.revoke("ann").expect("an answer") && !store.revoke("nobody").expect("an answer"));
        assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
        let bytes = std::fs::read(folder.path().join("club.db")).expect("a file");
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(!holds(&token) && !holds(&key) && holds("ann"), "keys are kept as their digests alone");
    }

    #[test]
    fn a_database_of_the_first_form_is_read_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("club.db");
        let old = Connection::open(&path).expect("a database");
        old.execute_batch(TABLES).expect("the first form");
        old.execute_batch(
            "PRAGMA user_version = 1; INSERT INTO bot VALUES ('bot', 'ann');
             INSERT INTO version VALUES (1, 'bot', 1, 'aa', 'python3 bot.py', 'playing', '', 0, 5, 6);
             INSERT INTO event VALUES (1, 5, NULL, 'bot@1 was sent');",
        )
        .expect("rows");
        drop(old);
        for _ in 0..2 {
            let mut store = ClubStore::open(&path).expect("a database");
            let version = store.version(1).expect("an answer").expect("a version");
            assert_eq!((version.agent().as_str(), version.state), ("bot@1", VersionState::Playing));
            store.began(&version).expect("a step");
        }
        let store = ClubStore::open(&path).expect("a database");
        let events = store.events(0, 9, |_| false).expect("events");
        assert_eq!(events.iter().map(|event| event.version).collect::<Vec<_>>(), [None, Some(1), Some(1)]);
        drop(store);
        Connection::open(&path).expect("a database").pragma_update(None, "user_version", FORM + 1).expect("a change");
        assert!(ClubStore::open(&path).err().is_some_and(|error| error.to_string().contains("reads forms up to")));
    }

    #[test]
    fn the_same_archive_again_is_the_same_version_and_a_bot_belongs_to_its_team() {
        let (_folder, mut store) = store();
        member(&mut store, "ann");
        let (first, is_new) = store.send("ann", "bot", "aa", &run("python3 bot.py")).expect("a version");
        assert!(is_new);
        let again = store.send("ann", "bot", "aa", &run("python3 bot.py")).expect("a version");
        assert_eq!(again, (first.clone(), false));
        let (second, _) = store.send("ann", "bot", "bb", &run("python3 bot.py")).expect("a version");
        assert_eq!((first.agent().as_str(), second.agent().as_str()), ("bot@1", "bot@2"));
        assert!(store.send("bob", "bot", "cc", &run("x")).is_err());
        assert_eq!(store.usage("ann").expect("an answer").on_their_way, 2);
    }

    #[test]
    fn a_reason_is_shown_to_the_team_alone_and_a_wrong_step_is_refused() {
        let (_folder, mut store) = store();
        let (version, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
        assert!(store.happened(&version, VersionNews::Joined, "").is_err(), "it was not checked");
        store.happened(&version, VersionNews::CheckBegan, "").expect("a step");
        store.happened(&version, VersionNews::FoundFaulty, "it is silent").expect("a step");
        let seen = |team: &str| {
            let events = store.events(0, 100, |of| of == team).expect("events");
            events.into_iter().filter(|event| event.what.contains("silent")).count()
        };
        assert_eq!((seen("ann"), seen("bob")), (1, 0));
        assert!(store.check().expect("an answer"));
    }

    #[test]
    fn a_banned_member_has_no_token_and_its_bots_leave_unless_its_team_goes_on() {
        let (_folder, mut store) = store();
        let token = member(&mut store, "ann");
        let (first, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
        assert_eq!(store.ban("nobody", "").expect("an answer"), None);
        let team = Invitation { role: MemberRole::Author, team: Some("ann".to_owned()) };
        let key = store.invite(&team, 1).expect("an invitation");
        assert_eq!(store.invitations().expect("an answer"), [(team, 1)]);
        store.join(&key, "bea").expect("an answer").expect("a token");
        assert_eq!(store.ban("ann", "it stalls").expect("an answer"), Some(Vec::new()));
        assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
        assert_eq!(store.ban("bea", "it stalls").expect("an answer"), Some(vec!["bot@1".to_owned()]));
        let version = store.version(first.id).expect("an answer").expect("a version");
        assert_eq!((version.state, version.reason.as_str()), (VersionState::Withdrawn, "it stalls"));
        let members = store.members().expect("an answer");
        assert!(members.iter().all(|member| member.is_banned && !member.has_token), "{members:?}");
    }

    #[test]
    fn what_people_decide_holds_against_what_is_found_later() {
        let (_folder, mut store) = store();
        let (version, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
        let decide = |store: &mut ClubStore, news, is_held| store.decide(1, news, is_held, "").expect("an answer");
        assert!(!decide(&mut store, VersionNews::Paused, false), "it does not play");
        store.happened(&version, VersionNews::CheckBegan, "").expect("a step");
        store.happened(&version, VersionNews::Passed, "").expect("a step");
        assert!(decide(&mut store, VersionNews::Paused, true));
        store.happened(&version, VersionNews::Joined, "").expect("it was let in meanwhile");
        let now = store.version(1).expect("an answer").expect("a version");
        assert_eq!((now.state, now.is_held), (VersionState::Paused, true));
        assert!(decide(&mut store, VersionNews::Resumed, false) && !decide(&mut store, VersionNews::Resumed, false));
        assert!(decide(&mut store, VersionNews::Withdrawn, false) && !decide(&mut store, VersionNews::Resumed, false));
        let said = store.events(0, 99, |_| true).expect("events").len();
        store.happened(&version, VersionNews::Joined, "").expect("it was let in meanwhile");
        assert_eq!(store.events(0, 99, |_| true).expect("events").len(), said, "nothing has changed");
    }
}
