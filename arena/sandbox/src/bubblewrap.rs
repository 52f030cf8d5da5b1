//! The options of bubblewrap for the levels from `strict` on: every namespace, a root that contains only the system and
//! the agent's files, read-only, and two small places to write. It only makes the list of arguments; `confined` starts
//! the program, and `reach` says which files are the agent's.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::file_access::{SETTINGS, SYSTEM, text};
use crate::apart::ENVIRONMENT;

/// Maximum bytes that an agent may write into [`SCRATCH`], and as many into `/dev/shm`.
pub(super) const SCRATCH_BYTES: u64 = 16 << 20;

/// The same of a build, whose compiler keeps parts of programs there.
const BUILD_SCRATCH_BYTES: u64 = 512 << 20;

/// The agent's folder for its own files. Not `/tmp`: there Java keeps a file that it locks, and reports on stdout that the
/// filter refuses locks.
const SCRATCH: &str = "/var/tmp";

/// Where an agent may write inside.
pub(super) const WRITES: [&str; 3] = [SCRATCH, "/dev/shm", "/dev/null"];

/// The oldest version that has all of the options: 0.8.0, for `--disable-userns`.
pub(super) const OLDEST: &str = "0.8.0";

/// Where the kernel says which processors there are.
pub(super) const PROCESSORS: &str = "/sys/devices/system/cpu";

/// The options, except those for the filter and the command. `copy` says where what is to be seen at a place is. A `build` may write in
/// `directory`.
///
/// # Errors
/// A path is not UTF-8.
pub(super) fn options(
    reads: &[PathBuf],
    directory: &Path,
    network: bool,
    build: bool,
    copy: impl Fn(&Path) -> PathBuf,
) -> Result<Vec<String>> {
    let mut options: Vec<String> = Vec::new();
    let mut add = |words: &[&str]| options.extend(words.iter().map(|word| (*word).to_owned()));
    add(&["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"]);
    add(&["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "maumau", "--clearenv"]);
    if network {
        add(&["--share-net"]);
    }
    for name in ENVIRONMENT {
        match (name, std::env::var(name)) {
            ("HOME" | "TMPDIR", _) => add(&["--setenv", name, SCRATCH]),
            (_, Ok(value)) => add(&["--setenv", name, &value]),
            // Not set, or not text: the agent does without it, as it does without all others.
            (_, Err(_)) => {}
        }
    }
    for folder in SYSTEM {
        match std::fs::read_link(folder) {
            Ok(target) => add(&["--symlink", text(&target)?, folder]),
            Err(_) => add(&["--ro-bind-try", text(&copy(folder.as_ref()))?, folder]),
        }
    }
    for place in SETTINGS.iter().chain(&[PROCESSORS]) {
        add(&["--ro-bind-try", text(&copy(place.as_ref()))?, place]);
    }
    let size = if build { BUILD_SCRATCH_BYTES } else { SCRATCH_BYTES }.to_string();
    add(&["--proc", "/proc", "--dev", "/dev", "--size", &size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]);
    add(&["--size", &size, "--tmpfs", SCRATCH, "--dir", "/tmp"]);
    for place in reads {
        add(&["--ro-bind", text(&copy(place))?, text(place)?]);
    }
    let directory = text(directory)?;
    if build {
        add(&["--bind", directory, directory]);
    }
    add(&["--dir", directory, "--remount-ro", "/", "--chdir", directory]);
    Ok(options)
}
