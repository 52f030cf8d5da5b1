//! The files of the repository, as git lists them.

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// The paths of all files that git keeps or would keep, from the workspace, and the text of each that is text.
pub(crate) fn texts() -> Vec<(String, String)> {
    let mut git = Command::new("git");
    git.current_dir(workspace()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = git.output().expect("git runs");
    assert!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).expect("paths are text");
    let paths = listed.split('\0').filter(|path| !path.is_empty());
    paths.filter_map(|path| Some((path.to_owned(), std::fs::read_to_string(workspace().join(path)).ok()?))).collect()
}
