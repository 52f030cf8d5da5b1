//! Archives of agents: a folder packed so that the same files give the same bytes anywhere, and unpacked only where its digest is the
//! expected one. Starts nothing, sends nothing.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use unicode_normalization::UnicodeNormalization;

use crate::unit::Sha;

/// Maximum bytes of an archive.
pub const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum files of an archive.
const MAX_FILES: usize = 10_000;
/// Maximum folders above a file of an archive, and bytes of one name.
const MAX_DEPTH: usize = 16;
const MAX_NAME: usize = 255;
/// Characters of a name that are shown.
const MAX_SHOWN: usize = 80;
/// Bytes that are copied at once.
const PIECE_BYTES: usize = 65_536;
/// Bytes by which a program is known.
const HEAD_BYTES: u64 = 4;
/// Folders that programs fill by themselves.
const MADE: [&str; 4] = ["__MACOSX", "__pycache__", "node_modules", "target"];

/// True for the name of a file or folder that is no part of an agent: a hidden one, or a folder that programs fill by themselves.
pub fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || MADE.contains(&name)
}

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
    let bytes = pack_into(folder, Vec::new())?;
    Ok(Archive { digest: Sha::of(&bytes), bytes })
}

/// Packs as [`pack`] does into `file`, however much that is; the digest of what was written.
///
/// # Errors
/// As [`pack`], or `file` cannot be written.
pub fn pack_to(folder: &Path, file: &mut File) -> Result<Sha> {
    let hashed = pack_into(folder, Hashed { file, hash: Sha256::new() })?;
    Ok(Sha::finished(hashed.hash))
}

/// A file whose bytes are hashed while they are written.
struct Hashed<'a> {
    file: &'a mut File,
    hash: Sha256,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

fn pack_into<W: Write>(folder: &Path, out: W) -> Result<W> {
    let root = folder.canonicalize().with_context(|| format!("the folder {} cannot be read", folder.display()))?;
    let mut names = Vec::new();
    collect(&root, Path::new(""), &mut names)?;
    names.sort();
    let mut builder = tar::Builder::new(out);
    builder.mode(tar::HeaderMode::Deterministic);
    let mut bytes = 0;
    for name in &names {
        let path = root.join(name);
        let shown = || format!("the file {}", path.display());
        let real = path.canonicalize().with_context(shown)?;
        ensure!(real.starts_with(&root), "{} is a link that leads out of {}", path.display(), root.display());
        let mut file = File::open(&real).with_context(shown)?;
        let metadata = file.metadata().with_context(shown)?;
        bytes += metadata.len();
        ensure!(
            bytes <= MAX_BYTES,
            "{} has more than {} MiB; workers can have it already: --present, and --agents DIR there",
            root.display(),
            MAX_BYTES >> 20
        );
        let mut header = tar::Header::new_gnu();
        header.set_size(metadata.len());
        header.set_mode(if can_be_run(&metadata) { 0o755 } else { 0o644 });
        header.set_cksum();
        builder.append_data(&mut header, name, (&mut file).take(metadata.len())).with_context(shown)?;
    }
    builder.into_inner().context("the archive cannot be finished")
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
    let mut files = UnpackedFiles::new(parent, MAX_FILES, MAX_BYTES)?;
    for entry in tar::Archive::new(bytes).entries()? {
        let mut entry = entry.context("the archive is damaged")?;
        let name = entry.path().context("the archive is damaged")?.into_owned();
        ensure!(entry.header().entry_type().is_file(), "the archive holds {}, which is no plain file", shown(&name));
        let is_program = entry.header().mode()? & 0o111 != 0;
        files.add(&name, &mut entry, Some(is_program))?;
    }
    files.keep_as(folder)
}

/// Files of an archive that are being unpacked, in a folder that is gone with this value: names are checked, files and bytes counted as
/// they come, whatever the archive says of them.
pub struct UnpackedFiles {
    place: TempDir,
    /// The names so far, as a system sees them that tells neither upper from lower case nor one form of a letter from another.
    folded: BTreeSet<String>,
    most_files: usize,
    most_bytes: u64,
    bytes: u64,
}

impl UnpackedFiles {
    /// Files in a new folder in `parent`, at most so many with so many bytes.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new(parent: &Path, most_files: usize, most_bytes: u64) -> Result<UnpackedFiles> {
        let place = tempfile::tempdir_in(parent).context("there is no room for an agent")?;
        Ok(UnpackedFiles { place, folded: BTreeSet::new(), most_files, most_bytes, bytes: 0 })
    }

    /// Adds a file with what `source` says. `None`: whether it can be run is seen by its first bytes.
    ///
    /// # Errors
    /// The name leads out of the folder, stands there already, or is not a name on every system; there are too many files or bytes;
    /// `source` or the disk fails.
    pub fn add(&mut self, name: &Path, source: &mut dyn Read, is_program: Option<bool>) -> Result<()> {
        let shown_name = shown(name);
        ensure!(self.folded.len() < self.most_files, "the archive has more than {} files", self.most_files);
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(is_plain && name.file_name().is_some(), "the archive holds the name {shown_name}");
        let text = name.to_str().context("the archive holds a name that is not Unicode")?;
        let is_short = name.iter().all(|part| part.len() <= MAX_NAME) && name.iter().count() <= MAX_DEPTH + 1;
        ensure!(is_short, "the archive holds a name that is too long or too deep");
        let is_strange =
            |letter: char| letter.is_control() || matches!(letter, '\\' | ':') || is_format_control(letter);
        ensure!(
            !text.contains(is_strange),
            "the archive holds the name {shown_name}; \\, : and what is not seen are not taken"
        );
        // On some systems they would be one file.
        let folded: String = text.to_lowercase().nfc().collect();
        ensure!(self.folded.insert(folded), "the archive holds {shown_name} twice");
        let path = self.place.path().join(name);
        let unwritten =
            || format!("the file {shown_name} cannot be written; is another file of the archive its folder?");
        std::fs::create_dir_all(path.parent().context("a name")?).with_context(unwritten)?;
        let mut file = File::create_new(&path).with_context(unwritten)?;
        let mut head = Vec::new();
        (&mut *source).take(HEAD_BYTES).read_to_end(&mut head).context("the archive is damaged")?;
        file.write_all(&head).with_context(unwritten)?;
        self.bytes += head.len() as u64;
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            ensure!(self.bytes <= self.most_bytes, "the archive has more than {} MiB unpacked", self.most_bytes >> 20);
            let count = source.read(&mut piece).context("the archive is damaged")?;
            if count == 0 {
                break;
            }
            file.write_all(&piece[..count]).with_context(unwritten)?;
            self.bytes += count as u64;
        }
        let is_program = is_program.unwrap_or_else(|| head.starts_with(b"#!") || head.starts_with(b"\x7fELF"));
        make_runnable(&file, is_program).with_context(unwritten)
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        self.place.path()
    }

    /// Moves them to `folder`, unless there is one.
    ///
    /// # Errors
    /// The disk fails.
    pub fn keep_as(self, folder: &Path) -> Result<()> {
        let place = self.place.keep();
        open_to_all(&place)?;
        move_to(&place, folder)
    }
}

fn move_to(place: &Path, folder: &Path) -> Result<()> {
    match std::fs::rename(place, folder) {
        Ok(()) => Ok(()),
        // Another worker of this host was first; what it unpacked is checked like any folder that is there.
        Err(_) if folder.is_dir() => std::fs::remove_dir_all(place).context("an agent that is there already"),
        Err(error) => bail!("the folder {} cannot be made: {error}", folder.display()),
    }
}

/// A name of an archive, as it may be shown: in quotes, with what cannot be seen as numbers.
fn shown(name: &Path) -> String {
    format!("{:?}", name.to_string_lossy().chars().take(MAX_SHOWN).collect::<String>())
}

/// True for characters that steer the direction of a line or are not seen: they let a name look like another.
fn is_format_control(letter: char) -> bool {
    matches!(letter, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
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
        if is_left_out(name) || is_link_to_folder {
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
        let twins = ["caf\u{e9}", "cafe\u{301}"];
        for names in [
            vec!["bot.py", "bot.py"],
            vec!["bot.py", "BOT.py"],
            twins.to_vec(),
            vec!["a\\b"],
            vec!["C:b"],
            vec!["a\u{202e}yp.tob"],
            vec![&*deep],
            vec![&*long],
            vec![control],
        ] {
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
