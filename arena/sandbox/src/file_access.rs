//! What an agent must be able to read, judging by its command: the program, its script, and their folders. Links are
//! resolved first, since their targets must be there as well. It reads folders and links, and changes nothing;
//! `bubblewrap` and `files` open what it lists.
//!
//! It never includes the arena's own files, nor whole folders that belong to a person or are shared.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::command::AgentCommand;

/// Folders of the system, which every agent may read if they exist.
pub(super) const SYSTEM: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"];

/// Entries of `/etc`, and of one other place, that programs look for: libraries, links of the system, the time zone, settings of OpenSSL and of languages.
pub(super) const SETTINGS: [&str; 21] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/etc/nsswitch.conf",
    "/etc/mono",
    "/etc/R",
    "/etc/fpc.cfg",
    "/etc/ldc2.conf",
    "/etc/nim",
    "/etc/ocamlfind.conf",
    // Packages of Haskell, which no program without them can be built with.
    "/var/lib/ghc",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
];

/// Entries of `/etc` that programs need to find and identify other machines.
const NETWORK: [&str; 10] = [
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ssl/certs",
    "/etc/ca-certificates",
    "/etc/pki",
    "/etc/crypto-policies",
];

/// For a program in a folder `bin`, what belongs to it beside that folder (a virtual environment, a runtime).
const BESIDE_BIN: [&str; 6] = ["bin", "lib", "lib64", "libexec", "conf", "pyvenv.cfg"];

/// Maximum entries of a folder that are opened one by one, if the folder contains something private.
const MOST_ENTRIES: usize = 256;

/// An agent's command with every path looked up.
#[derive(Debug)]
pub(super) struct FileAccess {
    /// The program's own file; absent = this program.
    pub(super) program: Option<PathBuf>,
    /// The arguments, the program's name first.
    pub(super) words: Vec<String>,
    /// Where it is started.
    pub(super) directory: PathBuf,
    /// Files and folders to read.
    pub(super) reads: Vec<PathBuf>,
    /// Folders of which only the names may be read.
    pub(super) lists: Vec<PathBuf>,
    /// What the command and permits name themselves.
    pub(super) named: Vec<PathBuf>,
}

/// What must not be read, and what every agent may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Boundaries {
    /// Files of the arena.
    private: Vec<PathBuf>,
    /// Personal or shared folders, of which only named files are read.
    shared: BTreeSet<PathBuf>,
    /// True if a file that a command names does not bring its folder, unless that is the agent's own.
    files_alone: bool,
}

impl Boundaries {
    /// # Errors
    /// The current directory no longer exists.
    pub(super) fn new(private: &[PathBuf], files_alone: bool) -> Result<Boundaries> {
        let mut shared: BTreeSet<PathBuf> = ["/", "/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from).into();
        shared.insert(std::env::temp_dir());
        if let Some(home) = std::env::var_os("HOME").filter(|home| !home.is_empty()) {
            let home = absolute(Path::new(&home))?;
            shared.extend(home.canonicalize().unwrap_or(home).ancestors().map(Path::to_owned));
        }
        let private = private.iter().map(|path| whole(path)).collect::<Result<_>>()?;
        Ok(Boundaries { private, shared, files_alone })
    }

    /// Adds the folder of `file`, or as much of it as may be read.
    fn open_folder_of(&self, file: &Path, reach: &mut FileAccess) -> Result<()> {
        let folder = file.parent().unwrap_or(Path::new("/"));
        if self.shared.contains(folder) {
            reach.reads.push(file.to_owned());
            return Ok(());
        }
        if self.files_alone && !file.starts_with(&reach.directory) {
            return self.open_permitted(file, reach);
        }
        self.open(folder, reach)
    }

    /// Adds `place`; if it is a shared folder or contains something private, everything else in it.
    fn open(&self, place: &Path, reach: &mut FileAccess) -> Result<()> {
        if self.shared.contains(place) { self.open_entries(place, reach) } else { self.open_permitted(place, reach) }
    }

    /// Adds `place`, which has been permitted; if it contains something private, everything else in it.
    fn open_permitted(&self, place: &Path, reach: &mut FileAccess) -> Result<()> {
        ensure!(!self.is_private(place), "{} is a file of the arena, which no agent may read", place.display());
        if place.is_dir() && self.holds_private(place)? {
            return self.open_entries(place, reach);
        }
        reach.reads.push(place.to_owned());
        Ok(())
    }

    /// Adds everything in the folder `place` except private entries.
    fn open_entries(&self, place: &Path, reach: &mut FileAccess) -> Result<()> {
        let unreadable = || format!("the folder {}", place.display());
        let entries = std::fs::read_dir(place).with_context(unreadable)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
        let mut paths = paths.with_context(unreadable)?;
        paths.retain(|path| !self.is_private(path) && !self.private.iter().any(|private| private.starts_with(path)));
        ensure!(
            paths.len() <= MOST_ENTRIES,
            "the folder {} holds an agent and files of the arena among more than {MOST_ENTRIES} others; put the agent into a \
             folder of its own",
            place.display()
        );
        reach.reads.extend(paths);
        reach.lists.push(place.to_owned());
        Ok(())
    }

    /// A file of the arena, a file beside it whose name begins with its name, or a run file of another run.
    fn is_private(&self, path: &Path) -> bool {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let this = name(path);
        let beside = |private: &PathBuf| private.parent() == path.parent() && this.starts_with(&name(private));
        this.ends_with(".maumau")
            || this.contains(".maumau.")
            || this.contains(".maumau-")
            || self.private.iter().any(beside)
    }

    fn holds_private(&self, folder: &Path) -> Result<bool> {
        if self.private.iter().any(|private| private.starts_with(folder)) {
            return Ok(true);
        }
        let entries = std::fs::read_dir(folder).with_context(|| format!("the folder {}", folder.display()))?;
        for entry in entries {
            if self.is_private(&entry?.path()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl FileAccess {
    /// Looks up everything that `command` names.
    ///
    /// # Errors
    /// The program does not exist or cannot be run; or it is in a place that no agent may read.
    pub(super) fn of(command: &AgentCommand, boundaries: &Boundaries) -> Result<FileAccess> {
        let directory = match command.directory() {
            Some(directory) => {
                directory.canonicalize().with_context(|| format!("the folder {}", directory.display()))?
            }
            None => absolute(Path::new("."))?,
        };
        let mut words = vec![command.program().to_owned()];
        words.extend_from_slice(command.arguments());
        let mut reach =
            FileAccess { program: None, words, directory, reads: Vec::new(), lists: Vec::new(), named: Vec::new() };
        if command.program() != "maumau" {
            let found = find(command.program(), &reach.directory)?;
            if command.program().contains('/') {
                reach.words[0] = text(&found)?.to_owned();
            }
            let real = found.canonicalize()?;
            for place in BTreeSet::from([found, real.clone()]) {
                reach.open_program(&place, boundaries)?;
                reach.named.push(place);
            }
            reach.program = Some(real);
            for word in command.arguments() {
                reach.open_argument(word, boundaries)?;
            }
        }
        if command.directory().is_some() {
            boundaries.open(&reach.directory.clone(), &mut reach)?;
        }
        for path in command.grant().reads() {
            let real = path.canonicalize().with_context(|| format!("{}, which it is to read", path.display()))?;
            boundaries.open_permitted(&real, &mut reach)?;
            reach.named.push(real);
        }
        if command.grant().network() {
            reach.reads.extend(NETWORK.iter().map(PathBuf::from).filter(|path| path.exists()));
        }
        reach.tidy();
        Ok(reach)
    }

    fn open_program(&mut self, file: &Path, boundaries: &Boundaries) -> Result<()> {
        if is_of_system(file) {
            return Ok(());
        }
        let folder = file.parent().unwrap_or(Path::new("/"));
        let above = folder.parent().unwrap_or(Path::new("/"));
        if folder.ends_with("bin") {
            let mut beside = BESIDE_BIN.iter().map(|name| above.join(name)).filter(|path| path.exists());
            return beside.try_for_each(|path| boundaries.open(&path, self));
        }
        if folder.ends_with("shims") {
            // These scripts (of pyenv, asdf and the like) only look for the real program in the folders beside them.
            return boundaries.open(above, self);
        }
        boundaries.open_folder_of(file, self)
    }

    /// A word of the command that names a file or folder, also in the form `--weights=net.bin`.
    fn open_argument(&mut self, word: &str, boundaries: &Boundaries) -> Result<()> {
        for name in [Some(word), word.split_once('=').map(|(_, value)| value)].into_iter().flatten() {
            let path = self.directory.join(name);
            let Ok(real) = path.canonicalize() else { continue };
            let plain = absolute(&path)?;
            for place in
                BTreeSet::from([plain, real]).into_iter().filter(|place| !name.is_empty() && !is_of_system(place))
            {
                if ["/proc", "/sys", "/dev"].iter().any(|special| place.starts_with(special)) {
                    continue;
                }
                match place.is_dir() {
                    true => boundaries.open(&place, self)?,
                    false => boundaries.open_folder_of(&place, self)?,
                }
                self.named.push(place);
            }
        }
        Ok(())
    }

    /// Each place once, without those inside another.
    fn tidy(&mut self) {
        self.reads.sort();
        self.reads.dedup();
        let all = self.reads.clone();
        self.reads.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
        self.lists.sort();
        self.lists.dedup();
    }
}

/// The file that is run for `program`, as a shell would find it.
fn find(program: &str, directory: &Path) -> Result<PathBuf> {
    if program.contains('/') {
        let path = absolute(&directory.join(program))?;
        let file = std::fs::metadata(&path)?;
        if !file.is_file() || file.permissions().mode() & 0o111 == 0 {
            bail!(std::io::Error::from(std::io::ErrorKind::PermissionDenied));
        }
        return Ok(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    find_in(program, std::env::split_paths(&folders))
        .with_context(|| format!("there is no program {program:?} in PATH"))
}

/// The first of `folders` that has an executable file of this name.
pub(super) fn find_in(program: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let runs = |path: &PathBuf| {
        std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    folders.map(|folder| folder.join(program)).filter(|path| path.is_absolute()).find(runs)
}

/// True for a file of the system.
pub(super) fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// A path as text, for the launcher.
pub(super) fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("the path {} is not UTF-8", path.display()))
}

/// The path from the root. A relative one needs the current directory, which may have been deleted.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| {
        format!(
            "{}: the current directory, from which it is looked for, cannot be found; was it deleted?",
            path.display()
        )
    })
}

/// The absolute path of a file that need not exist.
fn whole(path: &Path) -> Result<PathBuf> {
    let path = absolute(path)?;
    Ok(match (path.parent().and_then(|parent| parent.canonicalize().ok()), path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PermitSettings;

    /// A folder of files, all executable, created below one that is not shared.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(&path, "").expect("a file");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("rights");
        }
        folder
    }

    /// The places below `folder` that the command opens, by their names in it.
    fn opened(folder: &Path, command: &str, private: &[&str]) -> Vec<String> {
        let private: Vec<PathBuf> = private.iter().map(|name| folder.join(name)).collect();
        let boundaries = Boundaries::new(&private, false).expect("boundaries");
        let command = AgentCommand::parse(&command.replace("HERE", &folder.display().to_string())).expect("a command");
        let reach = FileAccess::of(&command, &boundaries).expect("a command that can be run");
        let below = reach.reads.iter().filter_map(|path| path.strip_prefix(folder).ok());
        below.map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn an_agent_reads_its_own_folder_and_no_file_of_the_arena() {
        let files =
            ["bots/a.py", "bots/maumau_kit.py", "bots/lib/x.py", "game.jsonl", "old.maumau", "league.toml", "mine.py"];
        let folder = folder(&files);
        let folder = folder.path();
        assert_eq!(opened(folder, "python3 HERE/bots/a.py", &["league.toml"]), ["bots"]);
        assert_eq!(opened(folder, "HERE/bots/a.py --level 3", &[]), ["bots"]);
        assert_eq!(opened(folder, "maumau agent HERE/bots/a.py", &[]), Vec::<String>::new());
        // Beside its league it reads everything except the arena's files.
        assert_eq!(opened(folder, "python3 HERE/mine.py", &["league.toml", "game.jsonl"]), ["bots", "mine.py"]);
        assert_eq!(opened(folder, "python3 HERE/mine.py", &[]), ["bots", "game.jsonl", "league.toml", "mine.py"]);
        assert_eq!(opened(folder, "python3 HERE/mine.py", &["runs/x.maumau", "old"]).len(), 4);
        assert_eq!(opened(folder, "sh --weights=HERE/bots/lib", &[]), ["bots/lib"]);
    }

    #[test]
    fn a_link_is_opened_where_it_leads() {
        let folder = folder(&["real/deep/bot", "env/lib/x", "env/pyvenv.cfg", "env/share/secret"]);
        let folder = folder.path();
        std::fs::create_dir(folder.join("env/bin")).expect("a folder");
        std::os::unix::fs::symlink(folder.join("real/deep/bot"), folder.join("env/bin/bot")).expect("a link");
        assert_eq!(opened(folder, "HERE/env/bin/bot", &[]), ["env/bin", "env/lib", "env/pyvenv.cfg", "real/deep"]);
    }

    #[test]
    fn what_is_permitted_is_read_wherever_it_is_but_for_files_of_the_arena() {
        let folder = folder(&["shared/a", "shared/b.maumau", "shared/c", "weights/w"]);
        let folder = folder.path();
        let mut boundaries = Boundaries::new(&[], false).expect("boundaries");
        boundaries.shared.insert(folder.to_owned());
        let read = |path: &str| {
            let permits =
                PermitSettings { read: [folder.join(path).display().to_string()].into(), ..PermitSettings::default() };
            let command = AgentCommand::parse("sh -c true").expect("a command").granted(permits.grant());
            let reach = FileAccess::of(&command, &boundaries)?;
            let below = reach.reads.iter().filter_map(|path| path.strip_prefix(folder).ok());
            anyhow::Ok(below.map(|path| path.display().to_string()).collect::<Vec<_>>())
        };
        assert_eq!(read("weights").ok(), Some(vec!["weights".to_owned()]));
        assert_eq!(read("shared").ok(), Some(vec!["shared/a".to_owned(), "shared/c".to_owned()]));
        // A shared folder as a whole, since it was named.
        assert_eq!(read("").ok(), Some(vec![String::new()]));
        assert!(read("shared/b.maumau").is_err_and(|error| error.to_string().contains("a file of the arena")));
        assert!(read("nothing").is_err_and(|error| error.to_string().contains("which it is to read")));
    }

    #[test]
    fn of_a_shared_folder_only_the_named_file_is_read() {
        let boundaries = Boundaries::new(&[], false).expect("boundaries");
        let file = tempfile::NamedTempFile::new().expect("a file in the folder for everybody");
        let command = AgentCommand::parse(&format!("sh {}", file.path().display())).expect("a command");
        let reach = FileAccess::of(&command, &boundaries).expect("a command that can be run");
        assert_eq!(reach.reads, [file.path()]);
    }

    #[test]
    fn where_files_come_alone_only_its_own_folder_is_whole() {
        let folder = folder(&["own/bot.py", "own/kit.py", "nets/small.bin", "nets/large.bin"]);
        let folder = folder.path();
        for (files_alone, expected) in [(false, ["nets", "own"]), (true, ["nets/small.bin", "own"])] {
            let boundaries = Boundaries::new(&[], files_alone).expect("boundaries");
            let text = format!("python3 bot.py --net={}", folder.join("nets/small.bin").display());
            let command = AgentCommand::parse(&text).expect("a command").in_directory(folder.join("own"));
            let reach = FileAccess::of(&command, &boundaries).expect("a command that can be run");
            let below = reach.reads.iter().filter_map(|path| path.strip_prefix(folder).ok());
            assert_eq!(below.map(|path| path.display().to_string()).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn what_cannot_be_run_is_named_before_anything_is_started() {
        let boundaries = Boundaries::new(&[], false).expect("boundaries");
        let text = tempfile::NamedTempFile::new().expect("a file without the right to run it");
        for (command, expected) in [
            ("/nowhere/bot", "No such file"),
            ("no-such-program-anywhere", "no program"),
            (&*text.path().display().to_string(), "denied"),
            ("/etc", "denied"),
        ] {
            let error =
                FileAccess::of(&AgentCommand::parse(command).expect("a command"), &boundaries).expect_err(command);
            assert!(format!("{error:#}").contains(expected), "{command}: {error:#}");
        }
    }
}
