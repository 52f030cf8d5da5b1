//! The users that agents run as: one that is named, or one of its own for each process. It looks users up and changes the user of the
//! process that calls it; which files a user may read is the business of `view`.

use std::fmt;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use anyhow::{Context, Result, bail, ensure};
use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, Gid, Uid, User, fork, setgroups, setresgid, setresuid};
use serde::{Deserialize, Serialize};

use crate::usage;

/// Numbers of users that no account file has, the first choice first: those above all that systemd gives away, and, for containers whose
/// users are those of 16 bits, those that Debian keeps.
const USUAL: [Numbers; 2] =
    [Numbers { first: 0x7000_0000, last: 0x7000_FFFF }, Numbers { first: 65_000, last: 65_519 }];

/// How many numbers a process tries before it gives up.
const MOST_TRIES: u32 = 1_000;

/// Who agents run as, if not the user that runs the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum AgentUser {
    /// The same user for all.
    Same(Ids),
    /// A user of its own for each process that is started.
    Own(Numbers),
}

/// A user and its group, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ids {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// The numbers of users from `first` to `last`; each has a group of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Numbers {
    first: u32,
    last: u32,
}

impl AgentUser {
    /// Those that are wished: a name, a number, or numbers FIRST-LAST.
    ///
    /// # Errors
    /// There is no such user; or root is among them; or numbers belong to people; or this process may not change its user.
    pub(super) fn named(wish: &str) -> Result<AgentUser> {
        match wish.split_once('-').map(|(first, last)| (first.parse(), last.parse())) {
            Some((Ok(first), Ok(last))) => Ok(AgentUser::Own(Numbers::wished(first, last)?)),
            _ => Ids::named(wish).map(AgentUser::Same),
        }
    }

    /// Those of an arena that root starts without a wish; none if this system has no numbers to give.
    pub(super) fn usual() -> Option<AgentUser> {
        USUAL.into_iter().find(|numbers| numbers.exist() && numbers.owner().is_none()).map(AgentUser::Own)
    }

    /// True if no other agent runs as the same user, so that what the kernel counts for a user it counts for an agent.
    pub(super) fn is_own(self) -> bool {
        matches!(self, AgentUser::Own(_))
    }

    /// True if the rights of a file let these users read it, or look up names in it if it is a folder that is only on the `way`. Access
    /// control lists are not considered.
    pub(super) fn can_use(self, file: &Metadata, way: bool) -> bool {
        let shift = match self {
            AgentUser::Same(ids) if file.uid() == ids.uid => 6,
            AgentUser::Same(ids) if file.gid() == ids.gid => 3,
            AgentUser::Same(_) | AgentUser::Own(_) => 0,
        };
        let needed = match (file.is_dir(), way) {
            (true, true) => 1,
            (true, false) => 5,
            (false, _) => 4,
        };
        file.mode() >> shift & needed == needed
    }

    /// Becomes the user permanently, without further groups.
    pub(super) fn become_it(self) -> Result<()> {
        match self {
            AgentUser::Same(ids) => ids.become_it(),
            AgentUser::Own(numbers) => numbers.become_one(),
        }
    }
}

impl fmt::Display for AgentUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentUser::Same(ids) => write!(f, "the user {} who runs the agents", ids.uid),
            AgentUser::Own(_) => f.write_str("the users who run the agents"),
        }
    }
}

impl Ids {
    fn named(name: &str) -> Result<Ids> {
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

    fn become_it(self) -> Result<()> {
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        if Uid::effective() == uid {
            return Ok(());
        }
        setgroups(&[]).context("the groups cannot be left")?;
        setresgid(gid, gid, gid).with_context(|| format!("the group {gid} cannot be taken"))?;
        setresuid(uid, uid, uid).with_context(|| format!("the user {uid} cannot be become"))
    }
}

impl Numbers {
    fn wished(first: u32, last: u32) -> Result<Numbers> {
        let (numbers, wish) = (Numbers { first, last }, format!("--sandbox-user {first}-{last}"));
        if first == 0 || first > last {
            return Err(usage(format!("{wish}: numbers of users go up, and do not begin with root's, 0")));
        }
        if !Uid::effective().is_root() {
            return Err(usage(format!("{wish}: only root can start agents as somebody else")));
        }
        if let Some(owner) = numbers.owner() {
            return Err(usage(format!(
                "{wish}: the user {owner} is among them; agents need numbers that are nobody's"
            )));
        }
        if !numbers.exist() {
            return Err(usage(format!("{wish}: this system has no such users; /proc/self/uid_map says which it has")));
        }
        Ok(numbers)
    }

    /// True if this system (a container, say) has users and groups of all these numbers.
    fn exist(self) -> bool {
        ["uid_map", "gid_map"]
            .iter()
            .all(|map| std::fs::read_to_string(format!("/proc/self/{map}")).is_ok_and(|map| self.are_within(&map)))
    }

    /// True if one line of the map (the first number inside, the first outside, how many) has all of them.
    fn are_within(self, map: &str) -> bool {
        map.lines().any(|line| {
            let numbers: Vec<u64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            let [inside, _, count] = numbers[..] else { return false };
            inside <= self.first.into() && u64::from(self.last) < inside + count
        })
    }

    /// A user of the account file whose number is among these.
    fn owner(self) -> Option<String> {
        let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let owner = |line: &str| {
            let mut members = line.split(':');
            let name = members.next()?;
            let number: u32 = members.nth(1)?.parse().ok()?;
            (self.first..=self.last).contains(&number).then(|| name.to_owned())
        };
        accounts.lines().find_map(owner)
    }

    /// Becomes one of these users of whom there is no other process, permanently. The first that is tried follows from the number of
    /// this process, which no other process has.
    fn become_one(self) -> Result<()> {
        setgroups(&[]).context("the groups cannot be left")?;
        let count = self.last - self.first + 1;
        let root = Uid::from_raw(0);
        for step in 0..count.min(MOST_TRIES) {
            let number = self.first + ((std::process::id() % count) + step) % count;
            let uid = Uid::from_raw(number);
            // Root's number is kept as the saved one, as the way back.
            setresuid(uid, uid, root).with_context(|| format!("the user {number} cannot be become"))?;
            let alone = is_alone();
            setresuid(uid, root, root).context("the way back to root")?;
            if alone? {
                let gid = Gid::from_raw(number);
                setresgid(gid, gid, gid).with_context(|| format!("the group {number} cannot be taken"))?;
                return setresuid(uid, uid, uid).with_context(|| format!("the user {number} cannot be become"));
            }
        }
        bail!(
            "all users from {} to {} have processes; --sandbox-user FIRST-LAST names more of them",
            self.first,
            self.last
        )
    }
}

/// True if the user of this process has no other. The kernel, which counts the processes of a user, says so: it lets a user who may have
/// two start a second one. Of two processes that become the same user at once, at least one finds the other.
fn is_alone() -> Result<bool> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NPROC).context("RLIMIT_NPROC")?;
    ensure!(hard >= 2, "RLIMIT_NPROC is below 2");
    setrlimit(Resource::RLIMIT_NPROC, 2, hard).context("RLIMIT_NPROC")?;
    // SAFETY: this process has one thread, and the child only ends.
    let second = unsafe { fork() };
    if let Ok(ForkResult::Child) = second {
        // SAFETY: ends the child without cleanup.
        unsafe { libc::_exit(0) };
    }
    setrlimit(Resource::RLIMIT_NPROC, soft, hard).context("RLIMIT_NPROC")?;
    match second {
        Ok(ForkResult::Parent { child }) => {
            waitpid(child, None).context("a second process")?;
            Ok(true)
        }
        Err(Errno::EAGAIN) => Ok(false),
        Ok(ForkResult::Child) => bail!("a process that has ended"),
        Err(error) => Err(error).context("a second process"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_exist_where_one_line_of_the_map_has_all_of_them() {
        let numbers = Numbers { first: 65_000, last: 65_519 };
        for (map, expected) in [
            ("         0          0 4294967295\n", true),
            ("0 100000 65536\n", true),
            ("0 100000 65519\n", false),
            ("0 1000 1\n1 100000 65519\n", true),
            ("0 1000 1\n", false),
            ("65001 1000 1000\n", false),
            ("", false),
        ] {
            assert_eq!(numbers.are_within(map), expected, "{map:?}");
        }
    }

    #[test]
    fn what_is_wished_is_a_user_or_numbers_that_are_nobodys() {
        if !Uid::effective().is_root() {
            let refused = AgentUser::named("70000-70010").expect_err("not root").to_string();
            assert!(refused.contains("only root"), "{refused}");
            return;
        }
        let own = |first, last| AgentUser::Own(Numbers { first, last });
        assert_eq!(AgentUser::named("1900000000-1900000010").expect("numbers"), own(1_900_000_000, 1_900_000_010));
        assert_eq!(AgentUser::named("65534").expect("nobody"), AgentUser::named("nobody").expect("nobody"));
        for (wish, why) in [
            ("0", "must not be root"),
            ("0-70000", "do not begin with root's"),
            ("70010-70000", "go up"),
            ("1-70000", "is among them"),
            ("no-such-user", "no user is called \"no-such-user\""),
            ("12x", "no user is called"),
        ] {
            let refused = AgentUser::named(wish).expect_err(wish).to_string();
            assert!(refused.contains(why), "{wish}: {refused}");
        }
    }
}
