//! The user that agents run as. It looks the user up and changes the user of the process that calls it; which files
//! that user may read is not its business.

use anyhow::{Context, Result};
use nix::unistd::{Gid, Uid, User, setgroups, setresgid, setresuid};
use serde::{Deserialize, Serialize};

use crate::usage;

/// A user and its group, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ids {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl Ids {
    /// The user called `name`, or with this number; its group then has the same number if the number has no user entry.
    ///
    /// # Errors
    /// There is no such user; or it is root; or this process may not change its user.
    pub(super) fn named(name: &str) -> Result<Ids> {
        let known = match name.parse::<u32>() {
            Ok(uid) => User::from_uid(Uid::from_raw(uid)).context("the users cannot be read")?,
            Err(_) => User::from_name(name).context("the users cannot be read")?,
        };
        let ids = match (known, name.parse::<u32>()) {
            (Some(user), _) => Ids { uid: user.uid.as_raw(), gid: user.gid.as_raw() },
            (None, Ok(number)) => Ids { uid: number, gid: number },
            (None, Err(_)) => return Err(usage(format!("--sandbox-user: no user is called {name:?}"))),
        };
        if ids.uid == 0 {
            return Err(usage("--sandbox-user: the user must not be root, whom limits do not hold"));
        }
        if !Uid::effective().is_root() && Uid::from_raw(ids.uid) != Uid::effective() {
            return Err(usage(format!("--sandbox-user {name}: only root can start agents as somebody else")));
        }
        Ok(ids)
    }

    /// Becomes this user permanently, without further groups.
    pub(super) fn become_it(self) -> Result<()> {
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        if Uid::effective() == uid {
            return Ok(());
        }
        setgroups(&[]).context("the groups cannot be left")?;
        setresgid(gid, gid, gid).with_context(|| format!("the group {gid} cannot be taken"))?;
        setresuid(uid, uid, uid).with_context(|| format!("the user {uid} cannot be become"))
    }
}
