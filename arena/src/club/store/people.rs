//! Who is in a club: members, their tokens, and invitations. Keys are kept as their SHA-256 alone.

use anyhow::{Context, Result, ensure};
use maumau_club::{ClubViewer, VersionNews};
use maumau_cluster::unit::Sha;
use maumau_run::io::entropy;
use rusqlite::{Connection, OptionalExtension, params};

use super::{ClubStore, ClubVerdict, NO_TEAM, all_versions, emit, emit_by, kept_s, now_s, read_s, step};

/// Bytes of a key: 128 bits.
const KEY_BYTES: usize = 16;

/// Seconds that an invitation can be taken: 30 days.
const INVITED_FOR_S: u64 = 30 * 24 * 60 * 60;

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberRole {
    /// Sends bots.
    Author,
    /// Looks, also at a club that is for members alone.
    Guest,
    /// Invites people and sees all versions.
    Organiser,
}

impl MemberRole {
    const ALL: [MemberRole; 3] = [MemberRole::Author, MemberRole::Guest, MemberRole::Organiser];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            MemberRole::Author => "author",
            MemberRole::Guest => "guest",
            MemberRole::Organiser => "organiser",
        }
    }

    fn named(name: &str) -> Result<MemberRole> {
        MemberRole::ALL
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
    /// The team that authors join; without it each gets a team of its own.
    pub(crate) team: Option<String>,
    /// The class that authors are of.
    pub(crate) class: Option<String>,
}

impl Invitation {
    /// Of authors with teams of their own.
    #[cfg(test)]
    pub(crate) fn plain(role: MemberRole) -> Invitation {
        Invitation { role, team: None, class: None }
    }
}

/// An invitation as the organiser sees it: its key is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenInvitation {
    pub(crate) id: i64,
    pub(crate) invitation: Invitation,
    /// How often it can still be taken.
    pub(crate) uses_left: u32,
    pub(crate) ends_s: u64,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredMember {
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) team: String,
    pub(crate) class: Option<String>,
    pub(crate) is_banned: bool,
    /// True if it has a token.
    pub(crate) has_token: bool,
}

impl ClubStore {
    /// A key for an invitation by `who`, which can be taken `uses` times. It is not kept, so it cannot be shown again.
    ///
    /// # Errors
    /// The database fails, or there is no entropy.
    pub(crate) fn invite(&mut self, invitation: &Invitation, uses: u32, who: &str) -> Result<String> {
        let key = fresh_key()?;
        let begun = self.begin()?;
        begun.execute(
            "INSERT INTO key VALUES (?1, 'invitation', NULL, ?2, ?3, ?4, ?5, ?6)",
            params![
                digest(&key),
                invitation.role.name(),
                invitation.team,
                uses,
                kept_s(now_s() + INVITED_FOR_S),
                invitation.class
            ],
        )?;
        let team = invitation.team.as_deref().map_or_else(String::new, |team| format!(" into the team {team}"));
        let class = invitation.class.as_deref().map_or_else(String::new, |class| format!(" of the class {class}"));
        let role = invitation.role.name();
        let article = if invitation.role == MemberRole::Guest { "a" } else { "an" };
        let whom = if uses == 1 { format!("{article} {role}") } else { format!("{uses} {role}s") };
        emit_by(&begun, who, Some(NO_TEAM), None, &format!("an invitation for {whom}{team}{class}"))?;
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
        let team = match invitation.role {
            MemberRole::Guest => NO_TEAM,
            _ => invitation.team.as_deref().unwrap_or(name),
        };
        let is_taken: bool = begun.query_row(
            "SELECT EXISTS (SELECT 1 FROM member WHERE name = ?1 OR (team = ?1 AND ?2))",
            params![name, invitation.team.is_none()],
            |row| row.get(0),
        )?;
        ensure!(!is_taken, "the name {name:?} is taken");
        begun.execute("UPDATE key SET uses_left = uses_left - 1 WHERE sha = ?1", [digest(key)])?;
        begun.execute(
            "INSERT INTO member (name, role, team, invited_by, class) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![name, invitation.role.name(), team, digest(key), invitation.class],
        )?;
        begun.execute(
            "INSERT INTO key VALUES (?1, 'token', ?2, ?3, ?4, 0, 0, NULL)",
            params![digest(&token), begun.last_insert_rowid(), invitation.role.name(), team],
        )?;
        emit_by(&begun, name, None, None, &format!("{name} has joined the club"))?;
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
        if gone > 0 {
            emit(&begun, Some(NO_TEAM), None, &format!("the tokens of {name} have ended"))?;
        }
        begun.commit()?;
        Ok(gone > 0)
    }

    /// Who shows this token.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn viewer(&self, token: &str) -> Result<ClubViewer> {
        let query = "SELECT member.role, member.team, member.name FROM key JOIN member ON member.id = key.member
                     WHERE sha = ?1 AND kind = 'token'";
        viewer(&self.0, query, &digest(token))
    }

    /// Who has this name; somebody new joins as an author with a team of its own, unless a team has the name. For those whom a proxy has
    /// let in.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn named(&mut self, name: &str) -> Result<ClubViewer> {
        let known = "SELECT role, team, name FROM member WHERE name = ?1 AND NOT banned";
        let is_taken = "SELECT EXISTS (SELECT 1 FROM member WHERE name = ?1 OR team = ?1)";
        if self.0.query_row(is_taken, [name], |row| row.get(0))? {
            return viewer(&self.0, known, name);
        }
        let begun = self.begin()?;
        begun.execute(
            "INSERT INTO member (name, role, team, invited_by) VALUES (?1, ?2, ?1, 'proxy')",
            params![name, MemberRole::Author.name()],
        )?;
        emit_by(&begun, name, None, None, &format!("{name} has joined the club"))?;
        let found = viewer(&begun, known, name)?;
        begun.commit()?;
        Ok(found)
    }

    /// A token for a member, which cannot be shown again; its others stay.
    ///
    /// # Errors
    /// Nobody who may come has that name, or the database fails.
    pub(crate) fn new_token(&mut self, name: &str) -> Result<String> {
        let token = fresh_key()?;
        let begun = self.begin()?;
        let added = begun.execute(
            "INSERT INTO key SELECT ?1, 'token', id, role, team, 0, 0, NULL FROM member WHERE name = ?2 AND NOT banned",
            params![digest(&token), name],
        )?;
        ensure!(added == 1, "there is no member {name:?}");
        emit_by(&begun, name, Some(NO_TEAM), None, &format!("{name} has a new token"))?;
        begun.commit()?;
        Ok(token)
    }

    /// Bans a member: its tokens end, and if nobody else of its team may come, the team's bots are taken back. `None` if nobody has that
    /// name; otherwise the agents that leave.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn ban(&mut self, name: &str, verdict: &ClubVerdict<'_>) -> Result<Option<Vec<String>>> {
        let ClubVerdict { who, why, .. } = *verdict;
        let begun = self.begin()?;
        let team = begun.query_row("SELECT team FROM member WHERE name = ?1", [name], |row| row.get::<_, String>(0));
        let Some(team) = team.optional()? else { return Ok(None) };
        begun.execute("UPDATE member SET banned = 1 WHERE name = ?1", [name])?;
        begun.execute("DELETE FROM key WHERE member = (SELECT id FROM member WHERE name = ?1)", [name])?;
        emit_by(&begun, who, None, None, &format!("{name} is banned"))?;
        if !why.is_empty() {
            emit_by(&begun, who, Some(&team), None, &format!("{name} is banned: {why}"))?;
        }
        let others = "SELECT EXISTS (SELECT 1 FROM member WHERE team = ?1 AND NOT banned)";
        let has_others: bool = begun.query_row(others, [&team], |row| row.get(0))?;
        let mut gone = Vec::new();
        if !has_others {
            for version in all_versions(&begun)?.into_iter().filter(|version| version.team == team) {
                if let Some(next) = version.state.after(VersionNews::Withdrawn) {
                    step(&begun, &version, next, version.tries, (who, why))?;
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
            "SELECT name, role, team, banned, class, EXISTS (SELECT 1 FROM key WHERE member = member.id AND kind = 'token')
                     FROM member ORDER BY id";
        let mut found = self.0.prepare(query)?;
        let read = found.query_map([], |row| {
            Ok(StoredMember {
                name: row.get(0)?,
                role: row.get(1)?,
                team: row.get(2)?,
                is_banned: row.get(3)?,
                class: row.get(4)?,
                has_token: row.get(5)?,
            })
        })?;
        Ok(read.collect::<Result<_, _>>()?)
    }

    /// Takes an open invitation back; false if it is not open any more.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn take_back(&mut self, invitation: i64, who: &str) -> Result<bool> {
        let begun = self.begin()?;
        let gone = begun
            .execute("DELETE FROM key WHERE rowid = ?1 AND kind = 'invitation' AND uses_left > 0", [invitation])?;
        if gone > 0 {
            emit_by(&begun, who, Some(NO_TEAM), None, "an invitation was taken back")?;
        }
        begun.commit()?;
        Ok(gone > 0)
    }

    /// The open invitations.
    ///
    /// # Errors
    /// The database fails.
    pub(crate) fn invitations(&self) -> Result<Vec<OpenInvitation>> {
        let query = "SELECT role, team, uses_left, ends_s, rowid, class FROM key
                     WHERE kind = 'invitation' AND uses_left > 0 AND ends_s > ?1 ORDER BY rowid";
        let mut found = self.0.prepare(query)?;
        let read = found.query_map([kept_s(now_s())], |row| {
            let (role, team, class): (String, _, _) = (row.get(0)?, row.get(1)?, row.get(5)?);
            Ok((role, team, class, row.get(2)?, read_s(row.get(3)?), row.get(4)?))
        })?;
        read.map(|row| {
            let (role, team, class, uses_left, ends_s, id) = row?;
            let invitation = Invitation { role: MemberRole::named(&role)?, team, class };
            Ok(OpenInvitation { id, invitation, uses_left, ends_s })
        })
        .collect()
    }
}

/// Who is found by `query`, which gives a role, a team and a name.
fn viewer(connection: &Connection, query: &str, by: &str) -> Result<ClubViewer> {
    let found: Option<(String, String, String)> =
        connection.query_row(query, [by], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((role, team, member)) = found else { return Ok(ClubViewer::Stranger) };
    Ok(match MemberRole::named(&role)? {
        MemberRole::Author => ClubViewer::Author { team, member },
        MemberRole::Guest => ClubViewer::Guest { member },
        MemberRole::Organiser => ClubViewer::Organiser { member },
    })
}

fn open_invitation(connection: &Connection, key: &str) -> Result<Option<Invitation>> {
    let found: Option<(String, Option<String>, Option<String>)> = connection
        .query_row(
            "SELECT role, team, class FROM key WHERE sha = ?1 AND kind = 'invitation' AND uses_left > 0 AND ends_s > ?2",
            params![digest(key), kept_s(now_s())],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    found.map(|(role, team, class)| Ok(Invitation { role: MemberRole::named(&role)?, team, class })).transpose()
}

fn fresh_key() -> Result<String> {
    Ok(entropy::fresh()?[..KEY_BYTES].iter().map(|byte| format!("{byte:02x}")).collect())
}

fn digest(key: &str) -> String {
    Sha::of(key.as_bytes()).digits().to_owned()
}
