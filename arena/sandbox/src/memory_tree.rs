//! A tree of files in memory, of which agents from `strict` on see nothing but copies: whether a page of a file is in memory, and whether
//! a name has been looked up before, no longer depends on what earlier agents did. Files of a `tmpfs` have all their pages in memory, and
//! its folders keep no names that do not exist.
//!
//! The tree is mounted in a mount namespace of its own, held by this same program started once more (`holder`), which also makes the
//! copies. So it is gone with the arena, however that ends. Which files agents see, `confined` says.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, FileTimes, Metadata, OpenOptions, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::stat::Mode;
use nix::unistd::Uid;
use serde::{Deserialize, Serialize};

use super::{complain, rights};

/// The first argument that makes this program the holder of a tree; the second is the folder where it is mounted.
const SUBCOMMAND: &str = "sandbox-memory";

/// Of the memory that is available, the share that a tree may take: three quarters.
const SHARE: (u64, u64) = (3, 4);

/// Files of the kernel have no lengths; more than this is not copied of one.
const MOST_OF_KERNEL_FILE: u64 = 64 << 10;

/// Bytes of a page, or less; and how often it is read, twice the times that the kernel counts.
const PAGE: usize = 4096;
const READS: u32 = 8;

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copied {
    /// Files, folders and links.
    pub(super) entries: u64,
    /// Bytes of files.
    pub(super) bytes: u64,
    /// The newest change of a file or folder, in nanoseconds since 1970.
    changed_ns: i128,
}

impl Copied {
    fn add(&mut self, file: &Metadata) {
        self.entries += 1;
        self.bytes += if file.is_file() { file.len() } else { 0 };
        self.changed_ns = self.changed_ns.max(i128::from(file.ctime()) * 1_000_000_000 + i128::from(file.ctime_nsec()));
    }

    fn plus(self, more: Copied) -> Copied {
        Copied {
            entries: self.entries + more.entries,
            bytes: self.bytes + more.bytes,
            changed_ns: self.changed_ns.max(more.changed_ns),
        }
    }
}

/// A tree in memory, and the process that holds it. When dropped it is gone.
#[derive(Debug)]
pub(super) struct MemoryTree {
    /// Where it is mounted, in the holder's mount namespace.
    base: PathBuf,
    holder: Mutex<Holder>,
    pid: u32,
    /// What of the system is in it, and how long that took.
    pub(super) system: Copied,
    pub(super) took: Duration,
}

#[derive(Debug)]
struct Holder {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// What has been copied, as it was then.
    there: BTreeMap<PathBuf, Copied>,
}

/// The namespaces of a tree, for the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entrance {
    holder: u32,
    is_root: bool,
}

impl MemoryTree {
    /// A tree with copies of these places of the system, and of what links among them lead to.
    ///
    /// # Errors
    /// The system lets this user mount nothing, a place does not exist, or there is too little memory.
    pub(super) fn of(system: &[PathBuf]) -> Result<MemoryTree> {
        let began = Instant::now();
        let base = nix::unistd::mkdtemp(&std::env::temp_dir().join("maumau-memory-XXXXXX")).context("a folder")?;
        std::fs::set_permissions(&base, Permissions::from_mode(0o755))?;
        let base = base.canonicalize()?;
        let mut process = Command::new("/proc/self/exe");
        process.arg(SUBCOMMAND).arg(&base).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = process.spawn().context("the holder of files in memory")?;
        let (requests, answers) = (process.stdin.take(), process.stdout.take());
        let answers = BufReader::new(answers.context("its answers")?);
        let pid = process.id();
        let holder = Mutex::new(Holder { process, requests, answers, there: BTreeMap::new() });
        let mut tree = MemoryTree { base, holder, pid, system: Copied::default(), took: Duration::ZERO };
        tree.system = tree.hold(system)?;
        tree.took = began.elapsed();
        Ok(tree)
    }

    /// Has copies of `places` in the tree, made again where one has changed; what they are together.
    ///
    /// # Errors
    /// One cannot be read, or there is too little memory.
    pub(super) fn hold(&self, places: &[PathBuf]) -> Result<Copied> {
        let mut holder = self.holder.lock().map_err(|_| anyhow::anyhow!("the files in memory are in disorder"))?;
        let mut all = Copied::default();
        for place in places {
            let now = measure_at(place)?;
            if holder.there.get(place) != Some(&now) {
                holder.copy(place)?;
                holder.there.insert(place.clone(), now);
            }
            all = all.plus(now);
        }
        Ok(all)
    }

    /// Where the copy of `place` is for those who have entered.
    pub(super) fn copy_of(&self, place: &Path) -> PathBuf {
        self.base.join(place.strip_prefix("/").unwrap_or(place))
    }

    /// How a launcher comes into the tree.
    pub(super) fn entrance(&self) -> Entrance {
        Entrance { holder: self.pid, is_root: Uid::effective().is_root() }
    }
}

impl PartialEq for MemoryTree {
    fn eq(&self, other: &MemoryTree) -> bool {
        self.base == other.base
    }
}

impl Eq for MemoryTree {}

impl Holder {
    fn copy(&mut self, place: &Path) -> Result<()> {
        let requests = self.requests.as_mut().context("the holder of files in memory is not asked any more")?;
        writeln!(requests, "{}", serde_json::to_string(place)?).context("the holder of files in memory has ended")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).context("the holder of files in memory")?;
        match serde_json::from_str::<Result<(), String>>(&answer).context("the holder of files in memory has ended")? {
            Ok(()) => Ok(()),
            Err(why) => bail!("{} cannot be kept in memory: {why}", place.display()),
        }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // It ends when it is asked nothing any more.
        self.requests = None;
        let _ = self.process.wait();
    }
}

impl Entrance {
    /// Puts this process, which has one thread, where the tree is mounted.
    ///
    /// # Errors
    /// The holder has ended.
    pub(super) fn enter(&self) -> Result<()> {
        let enter = |name: &str, kind| {
            let path = format!("/proc/{}/ns/{name}", self.holder);
            let file = File::open(&path).with_context(|| path.clone())?;
            setns(file, kind).with_context(|| path)
        };
        if !self.is_root {
            enter("user", CloneFlags::CLONE_NEWUSER)?;
        }
        enter("mnt", CloneFlags::CLONE_NEWNS)
    }
}

/// Holds a tree, if this program was started for that.
pub(super) fn held() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != SUBCOMMAND) {
        return None;
    }
    let base = PathBuf::from(arguments.next().unwrap_or_default());
    let answered = hold(&base);
    // Nothing is mounted any more where the folder was made, which is this process's to remove.
    let _ = umount2(&base, MntFlags::MNT_DETACH);
    let _ = std::fs::remove_dir(&base);
    Some(match answered {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format!("{error:#}"));
            ExitCode::FAILURE
        }
    })
}

/// Mounts the tree and copies what is asked for, until nothing is asked any more.
fn hold(base: &Path) -> Result<()> {
    let mounted = mount_at(base);
    let (mut lines, mut answers) = (std::io::stdin().lock().lines(), std::io::stdout().lock());
    while let Some(line) = lines.next().transpose()? {
        let place: PathBuf = serde_json::from_str(&line)?;
        let answer = match &mounted {
            Ok(()) => copy_into(base, &place),
            Err(error) => Err(anyhow::anyhow!("{error:#}")),
        };
        let answer = answer.map_err(|error| format!("{error:#}"));
        writeln!(answers, "{}", serde_json::to_string(&answer)?)?;
    }
    Ok(())
}

fn mount_at(base: &Path) -> Result<()> {
    // A signal from the arena's terminal does not mean this process, which ends when the arena does.
    nix::unistd::setsid().context("a session of its own")?;
    if !Uid::effective().is_root() {
        rights::enter_user_namespace()?;
    }
    // Agents may be another user.
    nix::sys::stat::umask(Mode::S_IWGRP | Mode::S_IWOTH);
    unshare(CloneFlags::CLONE_NEWNS).context("a mount namespace")?;
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, private, None::<&str>).context("mounts of its own")?;
    let bare = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    // Pages on a disk for swapping would show by time again; only root may say so, and only since Linux 6.4.
    ["size=100%,mode=755,noswap", "size=100%,mode=755"]
        .iter()
        .map(|options| mount(Some("maumau"), base, Some("tmpfs"), bare, Some(*options)))
        .find(Result::is_ok)
        .context("this system lets this user mount nothing")?
        .context("a file system in memory")
}

/// What is at `place`, or where it leads to if it is a link: how many entries and bytes, and the newest change.
fn measure_at(place: &Path) -> Result<Copied> {
    measure(&place.canonicalize().with_context(|| place.display().to_string())?)
}

fn measure(place: &Path) -> Result<Copied> {
    let mut all = Copied::default();
    let file = std::fs::symlink_metadata(place).with_context(|| place.display().to_string())?;
    all.add(&file);
    if file.is_dir() {
        for entry in read_dir(place)? {
            all = all.plus(measure(&entry)?);
        }
    }
    Ok(all)
}

/// The entries of a folder; none if this user may not read it.
fn read_dir(folder: &Path) -> Result<Vec<PathBuf>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("the folder {}", folder.display())),
    }
}

/// Replaces the copy of `place` in the tree at `base`.
fn copy_into(base: &Path, place: &Path) -> Result<()> {
    // The copy is what a link leads to, since a link would lead out of the tree.
    let original = place.canonicalize()?;
    let (needed, free) = (measure(&original)?.bytes, available());
    ensure!(
        needed <= free / SHARE.1 * SHARE.0,
        "it has {} MiB, and of the memory of this machine {} MiB are available: name smaller places",
        needed >> 20,
        free >> 20
    );
    let copy = base.join(place.strip_prefix("/").unwrap_or(place));
    if let Some(above) = copy.parent() {
        std::fs::create_dir_all(above)?;
    }
    // Agents that run keep what they have open; those that start later get the new copy.
    match std::fs::symlink_metadata(&copy) {
        Ok(old) if old.is_dir() => std::fs::remove_dir_all(&copy)?,
        Ok(_) => std::fs::remove_file(&copy)?,
        Err(_) => {}
    }
    copy_all(&original, &copy, &mut HashMap::new())
}

/// The bytes of memory that can be had.
fn available() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Copies `from`, which may be a folder. What this user may not read, and what is no file, folder or link, is left out. `linked` has files
/// with several names, with the copy of the first.
fn copy_all(from: &Path, to: &Path, linked: &mut HashMap<(u64, u64), PathBuf>) -> Result<()> {
    let file = std::fs::symlink_metadata(from).with_context(|| from.display().to_string())?;
    if file.is_symlink() {
        return symlink(std::fs::read_link(from)?, to).with_context(|| from.display().to_string());
    }
    if file.is_dir() {
        std::fs::create_dir(to).with_context(|| to.display().to_string())?;
        for entry in read_dir(from)? {
            let Some(name) = entry.file_name() else { continue };
            copy_all(&entry, &to.join(name), linked)?;
        }
        std::fs::set_permissions(to, Permissions::from_mode(0o755))?;
        return set_time(&File::open(to)?, &file);
    }
    if !file.is_file() {
        return Ok(());
    }
    if let Some(first) = linked.get(&(file.dev(), file.ino())) {
        return std::fs::hard_link(first, to).with_context(|| to.display().to_string());
    }
    let source = match OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from) {
        Ok(source) => source,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return Err(error).with_context(|| from.display().to_string()),
    };
    let copy = OpenOptions::new().read(true).write(true).create_new(true).open(to);
    let mut copy = copy.with_context(|| to.display().to_string())?;
    if from.starts_with("/sys") {
        // Some can be read by nobody, whatever their rights are.
        let mut content = Vec::new();
        let _ = source.take(MOST_OF_KERNEL_FILE).read_to_end(&mut content);
        copy.write_all(&content)?;
    } else {
        std::io::copy(&mut &source, &mut copy).with_context(|| from.display().to_string())?;
    }
    wear(&copy)?;
    copy.set_permissions(Permissions::from_mode(file.mode() & 0o777))?;
    set_time(&copy, &file)?;
    if file.nlink() > 1 {
        linked.insert((file.dev(), file.ino()), to.to_owned());
    }
    Ok(())
}

/// Reads every page so often that the kernel notes no more of it: the first times that a page is read take longer than later ones.
fn wear(copy: &File) -> Result<()> {
    for page in (0..copy.metadata()?.len()).step_by(PAGE) {
        for _ in 0..READS {
            copy.read_exact_at(&mut [0], page)?;
        }
    }
    Ok(())
}

/// Gives a copy the time of change of its original, by which Python knows what it has compiled.
fn set_time(copy: &File, original: &Metadata) -> Result<()> {
    let time = original.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(copy.set_times(FileTimes::new().set_modified(time))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_contents_names_links_rights_and_times_of_the_original() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let (from, base) = (folder.path().join("from"), folder.path().join("base"));
        std::fs::create_dir_all(from.join("closed")).expect("folders");
        std::fs::create_dir(&base).expect("a folder");
        std::fs::write(from.join("closed/program"), "text").expect("a file");
        std::fs::set_permissions(from.join("closed/program"), Permissions::from_mode(0o750)).expect("rights");
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(1_234_567_890_123_456_789);
        File::open(from.join("closed/program")).and_then(|file| file.set_modified(time)).expect("a time");
        std::fs::hard_link(from.join("closed/program"), from.join("again")).expect("a second name");
        symlink("closed/program", from.join("link")).expect("a link");
        std::fs::set_permissions(from.join("closed"), Permissions::from_mode(0o700)).expect("rights");
        let before = measure_at(&from).expect("it is there");
        assert_eq!((before.entries, before.bytes), (5, 8));

        copy_into(&base, &from).expect("room");
        let copy = base.join(from.strip_prefix("/").expect("an absolute path"));
        let file = |name: &str| std::fs::metadata(copy.join(name)).expect("it is there");
        let rights = ["closed", "closed/program"].map(|name| file(name).mode() & 0o7777);
        assert_eq!(rights, [0o755, 0o750], "folders are opened, files stay as they are");
        assert_eq!(file("link").modified().expect("a time"), time);
        assert_eq!(file("again").ino(), file("closed/program").ino());
        assert_eq!(std::fs::read_link(copy.join("link")).expect("a link"), PathBuf::from("closed/program"));

        std::fs::write(from.join("closed/program"), "another").expect("a file");
        assert_ne!(measure_at(&from).expect("it is there"), before, "a change is seen");
        std::fs::remove_file(from.join("link")).expect("a link");
        copy_into(&base, &from).expect("room");
        assert_eq!(std::fs::read_to_string(copy.join("again")).expect("a file"), "another");
        assert!(!copy.join("link").is_symlink(), "what is gone is gone in the copy");
    }

    #[test]
    fn what_a_link_leads_to_is_copied_under_its_name() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let base = folder.path().join("base");
        std::fs::create_dir(&base).expect("a folder");
        std::fs::write(folder.path().join("library.so.1"), "code").expect("a file");
        let link = folder.path().join("library.so");
        symlink("library.so.1", &link).expect("a link");
        copy_into(&base, &link).expect("room");
        let copy = base.join(link.strip_prefix("/").expect("an absolute path"));
        assert!(!copy.is_symlink());
        assert_eq!(std::fs::read_to_string(copy).expect("a file"), "code");
    }
}
