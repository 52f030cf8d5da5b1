//! What there is in the repository: its crates, from `cargo metadata`, and its files by their endings. Every list of crates or
//! pages that a test goes through comes from here, so that a new one is in it. It judges nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// The root of the repository.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// The text of a file, by its path from the root.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What cargo knows of the packages for this machine; those for other systems need not be there.
pub(crate) static METADATA: LazyLock<Value> = LazyLock::new(|| {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc can be started");
    let version = String::from_utf8(version.stdout).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host])
        .current_dir(workspace())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("metadata is JSON")
});

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A crate of the workspace.
pub(crate) struct Member {
    pub(crate) name: String,
    /// Its folder, from the root.
    pub(crate) folder: String,
    /// Whether others can use it: its manifest does not refuse to be published.
    pub(crate) is_public: bool,
}

/// The crates of the workspace.
pub(crate) fn members() -> Vec<Member> {
    let members = list(&METADATA["workspace_members"]);
    let packages = list(&METADATA["packages"]).iter().filter(|package| members.contains(&package["id"]));
    let found = packages.map(|package| {
        let manifest = Path::new(text(&package["manifest_path"])).canonicalize().expect("a manifest");
        let folder = manifest.parent().expect("a folder").strip_prefix(workspace()).expect("inside");
        Member {
            name: text(&package["name"]).to_owned(),
            folder: folder.to_str().expect("text").replace('\\', "/"),
            is_public: package["publish"].is_null(),
        }
    });
    found.collect()
}

/// The paths of all files that git keeps or would keep, from the root, in order.
fn tracked() -> Vec<String> {
    let mut git = Command::new("git");
    git.current_dir(workspace()).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = git.output().expect("git can be started");
    assert!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).expect("paths are text");
    let mut paths: Vec<String> = listed.split_terminator('\0').map(str::to_owned).collect();
    paths.retain(|path| workspace().join(path).is_file());
    paths.sort();
    paths.dedup();
    paths
}

/// Every file of the repository with this ending.
pub(crate) fn files(ending: &str) -> Vec<String> {
    let has_ending = |path: &String| path.rsplit_once('.').is_some_and(|(_, found)| found == ending);
    tracked().into_iter().filter(has_ending).collect()
}

/// Every file of the repository that is text, with its text.
pub(crate) fn texts() -> Vec<(String, String)> {
    tracked()
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read_to_string(workspace().join(&path)).ok()?)))
        .collect()
}
