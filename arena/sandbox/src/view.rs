//! What an agent reads though it lies in folders that are closed to its user: in root's home, say, or in a temporary folder. Such a
//! folder is replaced, for this agent alone, by an empty one that holds nothing but what the agent is to read. So nobody's rights are
//! changed, and what else is in the folder stays closed. At `basic` all of it is read-only besides, so that files keep no time of access
//! for what an agent has read. It asks for the rights of files and changes the mounts of the process that calls it; what an agent is to
//! read is found by `reach`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use serde::{Deserialize, Serialize};

use super::file_access::FileAccess;
use super::user::AgentUser;

/// Maximum entries of closed folders that are opened one by one.
const MOST_ENTRIES: usize = 1_024;

/// Folders to replace, each with what is put into it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FolderReplacements(BTreeMap<PathBuf, Inside>);

/// What is put into a replaced folder.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Inside {
    /// Files and folders of the folder that was replaced.
    shown: BTreeSet<PathBuf>,
    /// Folders that are only a way.
    made: BTreeSet<PathBuf>,
}

impl FolderReplacements {
    /// What of `reach` is closed to `user`.
    ///
    /// # Errors
    /// A file that it is to read is closed to the user itself, or cannot be looked at.
    pub(super) fn of(user: AgentUser, reach: &FileAccess) -> Result<FolderReplacements> {
        let mut view = FolderReplacements::default();
        for place in &reach.named {
            let file = std::fs::metadata(place).with_context(|| place.display().to_string())?;
            ensure!(
                file.is_dir() || user.can_use(&file, false),
                "{user} cannot read {}: let everybody read it (chmod o+r)",
                place.display()
            );
        }
        for place in &reach.reads {
            if let Some(closed) = first_closed(user, place, false)? {
                show(user, place, view.0.entry(closed).or_default())?;
            }
        }
        if let Some(closed) = first_closed(user, &reach.directory, true)? {
            view.0.entry(closed).or_default().made.insert(reach.directory.clone());
        }
        // A folder that is replaced because of its own rights may lie in one that is.
        let outer: Vec<PathBuf> = view.0.keys().cloned().collect();
        let mut merged = BTreeMap::<PathBuf, Inside>::new();
        for (folder, inside) in view.0 {
            let above = outer.iter().find(|above| folder.starts_with(above)).unwrap_or(&folder).clone();
            let all = merged.entry(above).or_default();
            all.shown.extend(inside.shown);
            all.made.extend(inside.made);
            all.made.insert(folder);
        }
        Ok(FolderReplacements(merged))
    }

    /// A folder that is replaced, if there is one.
    pub(super) fn first(&self) -> Option<&Path> {
        self.0.keys().next().map(PathBuf::as_path)
    }

    /// Gives this process a tree of its own, replaces the folders in it, and makes it read-only if `is_fixed`.
    ///
    /// # Errors
    /// The system has no such trees, or refuses one of them.
    pub(super) fn enter(&self, is_fixed: bool) -> Result<()> {
        unshare(CloneFlags::CLONE_NEWNS).context("a mount namespace")?;
        let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
        mount(None::<&str>, "/", None::<&str>, private, None::<&str>).context("mounts of its own")?;
        self.0.iter().try_for_each(|(folder, inside)| {
            replace(folder, inside).with_context(|| format!("a view of the folder {}", folder.display()))
        })?;
        if is_fixed { fix() } else { Ok(()) }
    }
}

/// Makes every mount of this process's tree read-only.
fn fix() -> Result<()> {
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        namespace: u64,
    }
    let read_only = Attributes { set: libc::MOUNT_ATTR_RDONLY, clear: 0, propagation: 0, namespace: 0 };
    // SAFETY: reads a path and as many bytes as are named, which outlive the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            c"/".as_ptr(),
            libc::AT_RECURSIVE,
            &raw const read_only,
            size_of::<Attributes>(),
        )
    };
    Errno::result(answer).context("a read-only tree (mount_setattr)")?;
    Ok(())
}

/// The first part of `path`, from the root, that is closed to the user; `way`: it need not be read.
fn first_closed(user: AgentUser, path: &Path, way: bool) -> Result<Option<PathBuf>> {
    let parts: Vec<&Path> = path.ancestors().collect();
    for part in parts.into_iter().rev() {
        let file = match std::fs::metadata(part) {
            Ok(file) => file,
            // A link that leads nowhere, or what has been removed meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| part.display().to_string()),
        };
        if !user.can_use(&file, way || part != path) {
            // A file is replaced where it is shown.
            let folder = if file.is_dir() { part } else { part.parent().unwrap_or(part) };
            return Ok(Some(folder.to_owned()));
        }
    }
    Ok(None)
}

/// Adds `place`; if it is a folder that is closed to the user, everything in it that is not.
fn show(user: AgentUser, place: &Path, inside: &mut Inside) -> Result<()> {
    let file = std::fs::symlink_metadata(place).with_context(|| place.display().to_string())?;
    if file.is_symlink() || user.can_use(&file, false) {
        inside.shown.insert(place.to_owned());
    } else if file.is_dir() {
        inside.made.insert(place.to_owned());
        for entry in std::fs::read_dir(place).with_context(|| format!("the folder {}", place.display()))? {
            show(user, &entry?.path(), inside)?;
            ensure!(
                inside.shown.len() + inside.made.len() <= MOST_ENTRIES,
                "{user} cannot come into {}, which has more than {MOST_ENTRIES} entries: let everybody read it (chmod o+rx)",
                place.display()
            );
        }
    }
    Ok(())
}

/// Puts an empty folder over `folder`, and into it what is inside.
fn replace(folder: &Path, Inside { shown, made }: &Inside) -> Result<()> {
    // What lies under the new folder is reached by these, which must not be opened before the mounts are this process's own.
    let mut sources: Vec<(&PathBuf, Source)> = Vec::new();
    for place in shown {
        sources.push((place, Source::of(place).with_context(|| place.display().to_string())?));
    }
    let bare = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("maumau"), folder, Some("tmpfs"), bare, Some("size=64k,mode=755")).context("an empty folder")?;
    made.iter().try_for_each(std::fs::create_dir_all)?;
    for (place, source) in sources {
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent)?;
        }
        source.put(place).with_context(|| place.display().to_string())?;
    }
    Ok(())
}

/// Something in a folder that is going to be replaced.
enum Source {
    Link(PathBuf),
    Folder(File),
    File(File),
}

impl Source {
    fn of(place: &Path) -> Result<Source> {
        let kind = std::fs::symlink_metadata(place)?;
        if kind.is_symlink() {
            return Ok(Source::Link(std::fs::read_link(place)?));
        }
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_PATH | libc::O_NOFOLLOW).open(place)?;
        Ok(if kind.is_dir() { Source::Folder(opened) } else { Source::File(opened) })
    }

    fn put(self, place: &Path) -> Result<()> {
        let opened = match self {
            Source::Link(target) => return Ok(symlink(target, place)?),
            Source::Folder(opened) => {
                std::fs::create_dir_all(place)?;
                opened
            }
            Source::File(opened) => {
                File::create(place)?;
                opened
            }
        };
        let source = format!("/proc/self/fd/{}", opened.as_raw_fd());
        let whole = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(source.as_str()), place, None::<&str>, whole, None::<&str>).context("a mount")
    }
}
