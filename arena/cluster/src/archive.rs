//! Archives of agents: a folder packed so that the same files give the same bytes anywhere, and unpacked only where its digest is the
//! expected one. Starts nothing, sends nothing.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::unit::Sha;

/// Maximum bytes of an archive.
pub const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum files of an archive.
const MAX_FILES: usize = 10_000;
/// Maximum folders above a file of an archive, and bytes of one name.
const MAX_DEPTH: usize = 16;
const MAX_NAME: usize = 255;
/// Folders that programs fill by themselves; hidden ones are left out too.
const MADE: [&str; 3] = ["__pycache__", "node_modules", "target"];

/// An agent's folder in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// The SHA-256 of `bytes`.
    pub digest: Sha,
    /// A tar file: sorted names, no times, no owners, and of the rights only whether a file can be run.
    pub bytes: Vec<u8>,
}

/// Packs the files in `folder`, but for hidden ones and what programs make there by themselves.
///
/// # Errors
/// A file cannot be read; it is too large; a link leads out of the folder; or a name is not Unicode.
pub fn pack(folder: &Path) -> Result<Archive> {
    let root = folder.canonicalize().with_context(|| format!("the folder {} cannot be read", folder.display()))?;
    let mut names = Vec::new();
    collect(&root, Path::new(""), &mut names)?;
    names.sort();
    let mut builder = tar::Builder::new(Vec::new());
    builder.mode(tar::HeaderMode::Deterministic);
    for name in &names {
        let path = root.join(name);
        let shown = || format!("the file {}", path.display());
        let real = path.canonicalize().with_context(shown)?;
        ensure!(real.starts_with(&root), "{} is a link that leads out of {}", path.display(), root.display());
        let mut file = File::open(&real).with_context(shown)?;
        let metadata = file.metadata().with_context(shown)?;
        ensure!(
            builder.get_ref().len() as u64 + metadata.len() <= MAX_BYTES,
            "{} has more than {} MiB; workers can have it already: --present, and --agents DIR there",
            root.display(),
            MAX_BYTES >> 20
        );
        let mut header = tar::Header::new_gnu();
        header.set_size(metadata.len());
        header.set_mode(if can_be_run(&metadata) { 0o755 } else { 0o644 });
        header.set_cksum();
        builder.append_data(&mut header, name, file.by_ref().take(metadata.len())).with_context(shown)?;
    }
    let bytes = builder.into_inner().context("the archive cannot be finished")?;
    Ok(Archive { digest: Sha::of(&bytes), bytes })
}

/// Unpacks `bytes` into `folder`, which must not exist yet, if `digest` is theirs. The folder is there completely or not at all.
///
/// # Errors
/// The digest is another one; a name leads out of the folder; something is not a plain file; or the disk fails.
pub fn unpack(bytes: &[u8], digest: &Sha, folder: &Path) -> Result<()> {
    let found = Sha::of(bytes);
    ensure!(
        found == *digest,
        "the archive {} is not what it is said to be: its digest is {}",
        digest.short(),
        found.short()
    );
    let parent = folder.parent().context("an archive is unpacked into a folder")?;
    std::fs::create_dir_all(parent).with_context(|| format!("the folder {} cannot be made", parent.display()))?;
    let place = tempfile::tempdir_in(parent).context("there is no room for an agent")?;
    let mut archive = tar::Archive::new(bytes);
    let mut folded = BTreeSet::new();
    for (count, entry) in archive.entries()?.enumerate() {
        let mut entry = entry.context("the archive is damaged")?;
        ensure!(count < MAX_FILES, "the archive has more than {MAX_FILES} files");
        let name = entry.path().context("the archive is damaged")?.into_owned();
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(is_plain && name.file_name().is_some(), "the archive holds the name {}", name.display());
        ensure!(entry.header().entry_type().is_file(), "the archive holds {}, which is no plain file", name.display());
        let shown_name = name.to_str().context("the archive holds a name that is not Unicode")?;
        let is_short = name.iter().all(|part| part.len() <= MAX_NAME) && name.iter().count() <= MAX_DEPTH + 1;
        ensure!(is_short, "the archive holds a name that is too long or too deep");
        ensure!(!shown_name.contains(char::is_control), "the archive holds a name with control characters");
        // On some systems they would be one file.
        ensure!(folded.insert(shown_name.to_lowercase()), "the archive holds {} twice", name.display());
        let path = place.path().join(&name);
        let shown = || format!("the file {} cannot be written", path.display());
        std::fs::create_dir_all(path.parent().context("a name")?).with_context(shown)?;
        let mut file = File::create_new(&path).with_context(shown)?;
        std::io::copy(&mut entry, &mut file).with_context(shown)?;
        make_runnable(&file, entry.header().mode()? & 0o111 != 0).with_context(shown)?;
    }
    let place = place.keep();
    open_to_all(&place)?;
    match std::fs::rename(&place, folder) {
        Ok(()) => Ok(()),
        // Another worker of this host was first; what it unpacked is checked like any folder that is there.
        Err(_) if folder.is_dir() => std::fs::remove_dir_all(&place).context("an agent that is there already"),
        Err(error) => bail!("the folder {} cannot be made: {error}", folder.display()),
    }
}

/// Adds the names of the files in `root`/`inside`, from `root`.
fn collect(root: &Path, inside: &Path, names: &mut Vec<PathBuf>) -> Result<()> {
    let folder = root.join(inside);
    let unreadable = || format!("the folder {} cannot be read", folder.display());
    for entry in std::fs::read_dir(&folder).with_context(unreadable)? {
        let name = entry.with_context(unreadable)?.file_name();
        let path = folder.join(&name);
        let name = name.to_str().with_context(|| format!("the name {} is not Unicode", path.display()))?;
        let is_link_to_folder = path.is_symlink() && path.is_dir();
        if name.starts_with('.') || MADE.contains(&name) || is_link_to_folder {
            continue;
        }
        if path.is_dir() {
            collect(root, &inside.join(name), names)?;
        } else if path.is_file() {
            names.push(inside.join(name));
        }
        ensure!(names.len() <= MAX_FILES, "{} has more than {MAX_FILES} files", root.display());
    }
    Ok(())
}

#[cfg(unix)]
fn can_be_run(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn can_be_run(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn make_runnable(file: &File, runnable: bool) -> std::io::Result<()> {
    let mode = if runnable { 0o755 } else { 0o644 };
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn make_runnable(_: &File, _: bool) -> std::io::Result<()> {
    Ok(())
}

/// Agents may run as another user.
#[cfg(unix)]
fn open_to_all(folder: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        folder
    }

    #[test]
    fn the_same_files_give_the_same_archive_whenever_and_in_whatever_order_they_were_written() {
        let one = folder(&[("bot.py", "1"), ("weights/a", "2"), (".git/x", "3"), ("__pycache__/y", "4")]);
        let other = folder(&[("weights/a", "2"), ("bot.py", "1")]);
        let old = File::options().write(true).open(other.path().join("bot.py")).expect("a file");
        old.set_modified(std::time::UNIX_EPOCH).expect("a time");
        std::fs::set_permissions(other.path().join("bot.py"), std::fs::Permissions::from_mode(0o600)).expect("rights");
        let packed = pack(one.path()).expect("an archive");
        assert_eq!(packed, pack(other.path()).expect("an archive"));
        std::fs::write(other.path().join("bot.py"), "2").expect("a file");
        assert_ne!(packed.digest, pack(other.path()).expect("an archive").digest);
    }

    #[test]
    fn what_was_packed_is_unpacked_with_the_right_to_run() {
        let from = folder(&[("run.sh", "#!/bin/sh"), ("a/b/c", "deep")]);
        std::fs::set_permissions(from.path().join("run.sh"), std::fs::Permissions::from_mode(0o700)).expect("rights");
        let packed = pack(from.path()).expect("an archive");
        let to = tempfile::tempdir().expect("a folder");
        let place = to.path().join("agent");
        unpack(&packed.bytes, &packed.digest, &place).expect("an archive");
        unpack(&packed.bytes, &packed.digest, &place).expect("it is there already");
        assert_eq!(pack(&place).expect("an archive"), packed);
        let mode = std::fs::metadata(place.join("run.sh")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
        assert_eq!(std::fs::read_dir(to.path()).expect("a folder").count(), 1, "nothing else is left");
    }

    #[test]
    fn an_archive_with_another_digest_or_with_names_that_lead_out_is_refused() {
        let to = tempfile::tempdir().expect("a folder");
        let place = to.path().join("agent");
        let packed = pack(folder(&[("bot.py", "1")]).path()).expect("an archive");
        let mut damaged = packed.bytes.clone();
        damaged[600] ^= 1;
        let error = unpack(&damaged, &packed.digest, &place).expect_err("it is damaged").to_string();
        assert!(error.contains("is not what it is said to be"), "{error}");
        for (name, kind) in [
            ("../out", tar::EntryType::Regular),
            ("/tmp/out", tar::EntryType::Regular),
            ("link", tar::EntryType::Symlink),
            ("fifo", tar::EntryType::Fifo),
        ] {
            let mut header = tar::Header::new_gnu();
            header.as_gnu_mut().expect("a header").name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(kind);
            header.set_size(0);
            header.set_mode(0o644);
            header.set_cksum();
            let mut builder = tar::Builder::new(Vec::new());
            builder.append(&header, &[][..]).expect("an entry");
            let bytes = builder.into_inner().expect("an archive");
            let error = unpack(&bytes, &Sha::of(&bytes), &place).expect_err(name).to_string();
            assert!(error.contains("the archive holds"), "{name}: {error}");
            assert!(!place.exists());
        }
    }

    #[test]
    fn names_that_are_twins_or_too_deep_and_lying_sizes_are_refused() {
        let to = tempfile::tempdir().expect("a folder");
        let place = to.path().join("agent");
        let deep = "a/".repeat(MAX_DEPTH + 1) + "b";
        let long = "a".repeat(MAX_NAME + 1);
        let control = "a\nb";
        for names in [vec!["bot.py", "bot.py"], vec!["bot.py", "BOT.py"], vec![&*deep], vec![&*long], vec![control]] {
            let mut builder = tar::Builder::new(Vec::new());
            for name in &names {
                let mut header = tar::Header::new_gnu();
                header.set_size(1);
                header.set_mode(0o644);
                builder.append_data(&mut header, name, &b"1"[..]).expect("an entry");
            }
            let bytes = builder.into_inner().expect("an archive");
            let error = unpack(&bytes, &Sha::of(&bytes), &place).expect_err("it is refused").to_string();
            assert!(error.contains("the archive holds"), "{names:?}: {error}");
        }
        let mut header = tar::Header::new_gnu();
        header.set_path("big").expect("a name");
        header.set_size(1 << 40);
        header.set_mode(0o644);
        header.set_cksum();
        let bytes = [header.as_bytes().as_slice(), &[0; 1_024]].concat();
        assert!(unpack(&bytes, &Sha::of(&bytes), &place).is_err());
        assert_eq!(std::fs::read_dir(to.path()).expect("a folder").count(), 0, "nothing is left");
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_packed() {
        let from = folder(&[("bot.py", "1")]);
        std::os::unix::fs::symlink("/etc/passwd", from.path().join("secret")).expect("a link");
        let error = pack(from.path()).expect_err("a link leads out").to_string();
        assert!(error.contains("leads out of"), "{error}");
    }
}
