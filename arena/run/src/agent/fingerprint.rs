//! Fingerprints of agents: the SHA-256 of every file that makes an agent up, so that a changed one is noticed. Reads files,
//! starts nothing.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use maumau_sandbox::AgentCommand;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::io::files::open_to_read;

/// Maximum files of one agent.
const MAX_FILES: usize = 1_000;
/// Folders in an agent's folder that programs fill by themselves; hidden ones are left out too.
const MADE: [&str; 3] = ["__pycache__", "node_modules", "target"];
/// Files of one list that a message names; the rest are counted.
const NAMED: usize = 3;

/// What an agent was made of when it joined a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// The SHA-256 of each file in hexadecimal digits, by the name that the command or the league file gives it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
    /// The version that the league file declares, or that of this program where it is the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

impl Fingerprint {
    /// The fingerprint of the agent that `command` starts: of the files that it names, and of `listed`, files and folders from
    /// the command's folder. If nothing is listed, the command's own folder counts, unless one of `private` is in it: then it
    /// is not the agent's alone.
    ///
    /// # Errors
    /// A file cannot be read, a listed one does not exist, or there are more than a thousand.
    pub fn of(
        command: &AgentCommand,
        listed: &[String],
        version: Option<&str>,
        private: &[PathBuf],
    ) -> Result<Fingerprint> {
        let mut files = command.named_files();
        let folder = command.directory().unwrap_or(Path::new(""));
        for name in listed {
            let path = folder.join(name);
            ensure!(path.exists(), "there is no file or folder {}", path.display());
            collect(&path, &mut files)?;
        }
        if let Some(folder) = command.directory().filter(|folder| listed.is_empty() && !holds(folder, private)) {
            collect(folder, &mut files)?;
        }
        Ok(Fingerprint { files: hashed(files)?, version: version.map(str::to_owned).or(own_version(command)) })
    }

    /// The fingerprint of the agent that `command` starts now, of the same files as far as they are still there.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn taken_again(&self, command: &AgentCommand) -> Result<Fingerprint> {
        let named = command.named_files();
        let path = |name: &String| named.get(name).cloned().unwrap_or_else(|| name.into());
        let files = self.files.keys().map(|name| (name.clone(), path(name))).filter(|(_, path)| path.is_file());
        Ok(Fingerprint { files: hashed(files.collect())?, version: own_version(command).or(self.version.clone()) })
    }

    /// The same files with the version of `other`.
    pub fn with_version_of(mut self, other: &Fingerprint) -> Fingerprint {
        self.version.clone_from(&other.version);
        self
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// How `now` differs, in a sentence for each kind of difference.
    pub fn differences(&self, now: &Fingerprint) -> Vec<String> {
        let of = |files: &BTreeMap<String, String>, name: &String| files.get(name).cloned();
        let changed = |name: &&String| {
            let (before, now) = (of(&self.files, name), of(&now.files, name));
            now.is_some() && before != now
        };
        let changed: Vec<&String> = self.files.keys().filter(changed).collect();
        let gone: Vec<&String> = self.files.keys().filter(|name| !now.files.contains_key(*name)).collect();
        let new: Vec<&String> = now.files.keys().filter(|name| !self.files.contains_key(*name)).collect();
        let mut list = Vec::new();
        for (names, one, many) in
            [(changed, "has changed", "have changed"), (gone, "is gone", "are gone"), (new, "is new", "are new")]
        {
            match names.as_slice() {
                [] => {}
                [name] => list.push(format!("the file {name} {one}")),
                names if names.len() <= NAMED => {
                    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                    list.push(format!("the files {} {many}", names.join(", ")));
                }
                names => list.push(format!("the file {} and {} others {many}", names[0], names.len() - 1)),
            }
        }
        if self.version != now.version {
            let shown = |version: &Option<String>| version.clone().unwrap_or_else(|| "not declared".to_owned());
            list.push(format!("the version was {} and is now {}", shown(&self.version), shown(&now.version)));
        }
        list
    }
}

/// The version of this program where it is the agent.
fn own_version(command: &AgentCommand) -> Option<String> {
    (command.program() == "maumau").then(|| format!("maumau {}", env!("CARGO_PKG_VERSION")))
}

fn hashed(files: BTreeMap<String, PathBuf>) -> Result<BTreeMap<String, String>> {
    let hashed = files.into_iter().map(|(name, path)| {
        let hash = hash_of(&path).with_context(|| format!("the file {} cannot be read", path.display()))?;
        Ok((name, hash))
    });
    hashed.collect()
}

/// True if one of `private` is in `folder`.
fn holds(folder: &Path, private: &[PathBuf]) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    // A run file need not exist yet, but its folder does.
    let place = |path: &PathBuf| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.canonicalize(),
        _ => Path::new(".").canonicalize(),
    };
    private.iter().any(|path| place(path).is_ok_and(|place| place.starts_with(&folder)))
}

/// Adds `path`, or the files in it at any depth.
fn collect(path: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    if path.is_file() {
        files.insert(path.display().to_string(), path.to_owned());
    }
    ensure!(
        files.len() <= MAX_FILES,
        "it has more than {MAX_FILES} files; name those that make it up in its table: files = [\"my_bot.py\"]"
    );
    if !path.is_dir() {
        return Ok(());
    }
    let unreadable = || format!("the folder {} cannot be read", path.display());
    for entry in std::fs::read_dir(path).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Links to folders may lead in a circle.
        let is_link_to_folder = path.is_symlink() && path.is_dir();
        if !name.starts_with('.') && !MADE.contains(&name.as_str()) && !is_link_to_folder {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// The SHA-256 of a file.
fn hash_of(path: &Path) -> std::io::Result<String> {
    let (mut hash, mut file) = (Sha256::new(), open_to_read(path)?);
    let mut bytes = vec![0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => break,
            read => hash.update(&bytes[..read]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_changed_a_new_and_a_missing_file_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
        std::fs::create_dir(folder.path().join("__pycache__")).expect("a folder");
        for name in ["bot.py", "helper.py", "__pycache__/bot.pyc", ".hidden"] {
            write(name, "1");
        }
        let command = AgentCommand::parse("python3 bot.py").expect("a command");
        let inside = command.clone().in_directory(folder.path().to_owned());
        let of = |version| Fingerprint::of(&inside, &[], version, &[]).expect("files");
        let before = of(None);
        assert_eq!(before.files(), 2, "{before:?}");
        write("bot.py", "2");
        write("new.py", "1");
        write("__pycache__/bot.pyc", "2");
        std::fs::remove_file(folder.path().join("helper.py")).expect("a file");
        let shown = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(
            before.differences(&of(Some("1.1"))),
            [
                format!("the file {} has changed", shown("bot.py")),
                format!("the file {} is gone", shown("helper.py")),
                format!("the file {} is new", shown("new.py")),
                "the version was not declared and is now 1.1".to_owned(),
            ]
        );
        let kept = before.differences(&before.taken_again(&inside).expect("files"));
        assert_eq!(kept.len(), 2, "one has changed, one is gone: {kept:?}");
        let private = [folder.path().join("run.maumau")];
        let alone = Fingerprint::of(&inside, &[], None, &private).expect("files");
        assert_eq!(alone.files(), 1, "the folder also holds the run: {alone:?}");
        let listed = Fingerprint::of(&inside, &["new.py".to_owned()], None, &[]).expect("files");
        assert_eq!(listed.files(), 2);
        let error = Fingerprint::of(&inside, &["none.py".to_owned()], None, &[]).expect_err("it is not there");
        assert!(error.to_string().contains("there is no file or folder"), "{error}");
    }

    #[test]
    fn an_agent_of_this_program_has_its_version() {
        let command = AgentCommand::parse("maumau agent greedy").expect("a command");
        let own = Fingerprint::of(&command, &[], None, &[]).expect("no files");
        assert_eq!(own.version, Some(format!("maumau {}", env!("CARGO_PKG_VERSION"))));
    }
}
