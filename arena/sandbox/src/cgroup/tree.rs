//! The place of this process in the control group trees, and the controllers that it can use there. Moves this process
//! into a group of its own where version 2 requires it; groups of agents are made by its parent module.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::group::members;

/// The resources of an agent that are limited.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];

/// The group that the arena moves into, if groups with processes may not have groups with limits below them.
const ARENA: &str = "maumau-arena";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// One tree with some of the controllers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hierarchy {
    pub(super) version: Version,
    /// The folder of this process's group.
    pub(super) base: PathBuf,
    controllers: Vec<&'static str>,
}

impl Hierarchy {
    /// True if the controller is used in this tree.
    pub(super) fn has(&self, controller: &str) -> bool {
        self.controllers.contains(&controller)
    }
}

/// The trees that limit memory, processes and processor share of groups created in them.
pub(super) fn hierarchies() -> Result<Vec<Hierarchy>> {
    let read = |path: &str| std::fs::read_to_string(path).with_context(|| path.to_owned());
    let mut found = stands(&read("/proc/self/cgroup")?, &read("/proc/self/mountinfo")?)?;
    for hierarchy in &mut found {
        if hierarchy.base.ends_with(ARENA) {
            // It has moved aside already.
            hierarchy.base.pop();
        }
        match hierarchy.version {
            Version::One => may_write(&hierarchy.base)?,
            Version::Two => hand_down(hierarchy)?,
        }
    }
    Ok(found)
}

/// The trees, from the kernel's data about this process and about mounts.
fn stands(cgroup: &str, mounts: &str) -> Result<Vec<Hierarchy>> {
    let mut found: Vec<Hierarchy> = Vec::new();
    for controller in CONTROLLERS {
        let (version, base) = match stand_of(Version::One, controller, cgroup, mounts) {
            Some(base) => (Version::One, base),
            None => match stand_of(Version::Two, controller, cgroup, mounts) {
                Some(base) => (Version::Two, base),
                None => bail!("no control groups are mounted that bound {controller}"),
            },
        };
        match found.iter_mut().find(|hierarchy| hierarchy.base == base) {
            Some(hierarchy) => hierarchy.controllers.push(controller),
            None => found.push(Hierarchy { version, base, controllers: vec![controller] }),
        }
    }
    Ok(found)
}

/// The folder of this process's group in the tree with the controller, of that version.
fn stand_of(version: Version, controller: &str, cgroup: &str, mounts: &str) -> Option<PathBuf> {
    let path = cgroup.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let here = match version {
            Version::One => controllers.split(',').any(|name| name == controller),
            Version::Two => controllers.is_empty(),
        };
        here.then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (root, point) = (before.next()?, before.next()?);
        let mut after = after.split(' ');
        let (kind, options) = (after.next()?, after.nth(1)?);
        let here = match version {
            Version::One => kind == "cgroup" && options.split(',').any(|name| name == controller),
            Version::Two => kind == "cgroup2",
        };
        let below = path.strip_prefix(root.trim_end_matches('/'))?;
        here.then(|| Path::new(point).join(below.trim_start_matches('/')))
    })
}

/// True if groups can be created here.
fn may_write(base: &Path) -> Result<()> {
    let closed = || format!("the control group {} may not be written to", base.display());
    nix::unistd::access(base, nix::unistd::AccessFlags::W_OK).with_context(closed)
}

/// Delegates the controllers to the groups below this one. A group with processes cannot do that unless it is the root, so the
/// arena moves aside if it is alone in its group.
fn hand_down(hierarchy: &Hierarchy) -> Result<()> {
    let base = &hierarchy.base;
    may_write(base)?;
    let list = |name: &str| {
        let file = base.join(name);
        std::fs::read_to_string(&file).with_context(|| file.display().to_string())
    };
    let there = list("cgroup.controllers")?;
    for controller in &hierarchy.controllers {
        ensure!(
            there.split_ascii_whitespace().any(|name| name == *controller),
            "the control group {} is not given the controller {controller}",
            base.display()
        );
    }
    let given = list("cgroup.subtree_control")?;
    let given: Vec<&str> = given.split_ascii_whitespace().collect();
    let missing: Vec<String> =
        hierarchy.controllers.iter().filter(|name| !given.contains(name)).map(|name| format!("+{name}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    // Only groups other than the root have a type.
    if base.join("cgroup.type").exists() {
        let us = nix::unistd::getpid();
        ensure!(
            members(base).iter().all(|pid| *pid == us),
            "the control group {} has other processes than the arena, so it cannot have groups with limits",
            base.display()
        );
        let aside = base.join(ARENA);
        std::fs::create_dir_all(&aside).with_context(|| format!("the control group {}", aside.display()))?;
        let entrance = aside.join("cgroup.procs");
        std::fs::write(&entrance, us.to_string()).with_context(|| entrance.display().to_string())?;
    }
    let file = base.join("cgroup.subtree_control");
    std::fs::write(&file, missing.join(" ")).with_context(|| file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands_at(cgroup: &str, mounts: &str) -> Vec<(Version, String, Vec<&'static str>)> {
        let found = stands(cgroup, mounts).expect("all controllers");
        found.into_iter().map(|one| (one.version, one.base.display().to_string(), one.controllers)).collect()
    }

    #[test]
    fn one_tree_with_everything_is_found() {
        let found = stands_at(
            "0::/user.slice/run-u7.scope\n",
            "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
        );
        let base = "/sys/fs/cgroup/user.slice/run-u7.scope".to_owned();
        assert_eq!(found, [(Version::Two, base, vec!["memory", "pids", "cpu"])]);
    }

    #[test]
    fn trees_of_version_1_go_before_the_one_of_version_2() {
        let mounts = "40 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
                      41 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      42 30 0:32 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
        let cgroup = "9:memory:/a/b\n8:cpu,cpuacct:/\n0::/c\n";
        let expected = [
            (Version::One, "/sys/fs/cgroup/memory/a/b".to_owned(), vec!["memory"]),
            (Version::Two, "/sys/fs/cgroup/unified/c".to_owned(), vec!["pids"]),
            (Version::One, "/sys/fs/cgroup/cpu,cpuacct/".to_owned(), vec!["cpu"]),
        ];
        assert_eq!(stands_at(cgroup, mounts), expected);
    }

    #[test]
    fn a_mount_that_shows_a_part_of_the_tree_is_found_by_that_part() {
        let mounts = "41 30 0:31 /docker/x /sys/fs/cgroup/all rw - cgroup cgroup rw,memory,pids,cpu\n";
        let found = stands_at("4:memory,pids,cpu:/docker/x/y\n", mounts);
        assert_eq!(found[0].1, "/sys/fs/cgroup/all/y");
        assert!(stands("4:memory,pids,cpu:/elsewhere\n", mounts).is_err());
        assert!(stands("", "").is_err_and(|error| error.to_string().contains("memory")));
    }

    #[test]
    fn controllers_are_handed_down_or_their_lack_is_named() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        let given = || std::fs::read_to_string(folder.path().join("cgroup.subtree_control")).expect("a file");
        let hierarchy = Hierarchy {
            version: Version::Two,
            base: folder.path().to_owned(),
            controllers: vec!["memory", "pids", "cpu"],
        };
        write("cgroup.controllers", "cpu pids\n");
        write("cgroup.subtree_control", "pids\n");
        let error = hand_down(&hierarchy).expect_err("memory is not there").to_string();
        assert!(error.contains("is not given the controller memory"), "{error}");
        write("cgroup.controllers", "cpu memory pids\n");
        hand_down(&hierarchy).expect("they can be handed down");
        assert_eq!(given(), "+memory +cpu");
        // A group other than the root, with a process that is not the arena.
        write("cgroup.subtree_control", "");
        write("cgroup.type", "domain\n");
        write("cgroup.procs", "1\n");
        let error = hand_down(&hierarchy).expect_err("somebody else is there").to_string();
        assert!(error.contains("has other processes than the arena"), "{error}");
        write("cgroup.procs", &format!("{}\n", std::process::id()));
        hand_down(&hierarchy).expect("the arena can move aside");
        let moved = std::fs::read_to_string(folder.path().join(ARENA).join("cgroup.procs")).expect("a file");
        assert_eq!(moved, std::process::id().to_string());
    }
}
