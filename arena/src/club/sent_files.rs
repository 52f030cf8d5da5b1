//! What members send, in each of its forms: a tar file, also one that is compressed, a zip file, or the files of a form. All come to one
//! folder of plain files, so the same bot is the same version however it was sent. What an archive says of its sizes is not believed.

use std::io::{Cursor, Read};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use axum::body::Bytes;
use flate2::read::MultiGzDecoder;
use maumau_cluster::archive::{UnpackedFiles, is_left_out};
use zip::{CompressionMethod, ZipArchive};

use super::folder::MAX_FILES;

/// How many times as large as what may be sent its files may be.
const MAX_GROWTH: u64 = 4;
/// Entries of an archive at most, folders and what is left out among them.
const MAX_ENTRIES: usize = 20_000;
/// The first bytes of a file that is compressed by gzip, and of the end of a zip file.
const GZIP: &[u8] = b"\x1f\x8b";
const ZIP_END: &[u8] = b"PK\x05\x06";
const ZIP_LIST: &[u8] = b"PK\x01\x02";
/// The first bytes of what stands before the end of a zip file that is too large for its format.
const ZIP64: &[u8] = b"PK\x06\x07";
/// Bytes of that end without its comment, and of what may stand before it.
const ZIP_END_BYTES: usize = 22;
const ZIP64_BYTES: usize = 20;
/// Bytes of a long name, or of what else an entry may say of the next one.
const MAX_EXTENSION: u64 = 65_536;
/// The kind of a file in the rights of a Unix, and a plain one.
const KIND: u32 = 0o170_000;
const PLAIN: u32 = 0o100_000;

/// What a member has sent.
pub(super) enum SentFiles {
    /// An archive.
    Archive(Bytes),
    /// Files, by their names.
    Files(Vec<(String, Bytes)>),
}

impl SentFiles {
    /// Unpacks them into a new folder in `parent`; `upload_bytes` is how much may be sent. A folder that holds all of them is left out.
    ///
    /// # Errors
    /// An archive is damaged, or not of these forms; a name leads out of the folder; something is no plain file; there is too much of it.
    pub(super) fn unpack(&self, parent: &Path, upload_bytes: u64) -> Result<UnpackedFiles> {
        let most = upload_bytes * MAX_GROWTH;
        let mut files = UnpackedFiles::new(parent, MAX_FILES, most)?;
        match self {
            SentFiles::Files(sent) => {
                let top = top_folder(sent.iter().map(|(name, _)| PathBuf::from(name)));
                for (name, bytes) in sent {
                    add(&mut files, top.as_deref(), Path::new(name), &mut &bytes[..], None)?;
                }
            }
            SentFiles::Archive(bytes) if bytes.starts_with(b"PK") => unzip(bytes, &mut files)?,
            SentFiles::Archive(bytes) if bytes.starts_with(GZIP) => {
                // Besides its files, each entry has a head.
                let most = most + MAX_ENTRIES as u64 * 1_024;
                untar(|| MultiGzDecoder::new(&bytes[..]).take(most), &mut files)?;
            }
            SentFiles::Archive(bytes) => untar(|| &bytes[..], &mut files)?,
        }
        Ok(files)
    }
}

/// Adds a file, unless it is no part of a bot.
fn add(
    files: &mut UnpackedFiles,
    top: Option<&Path>,
    name: &Path,
    source: &mut dyn Read,
    is_program: Option<bool>,
) -> Result<()> {
    let Some(name) = wanted(name) else { return Ok(()) };
    let name = top.and_then(|top| name.strip_prefix(top).ok()).unwrap_or(&name);
    files.add(name, source, is_program)
}

/// A name without `./` before it; `None` if it is no part of a bot. A name that is none, or leads elsewhere, stays, so that it is refused.
fn wanted(name: &Path) -> Option<PathBuf> {
    let mut wanted = PathBuf::new();
    let mut is_out = false;
    for part in name.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => {
                // `..\\x` leads out on another system, and is refused.
                is_out |= part.to_str().is_some_and(|part| is_left_out(part) && !part.starts_with(".."));
                wanted.push(part);
            }
            _ => return Some(name.to_owned()),
        }
    }
    if wanted.as_os_str().is_empty() {
        return Some(name.to_owned());
    }
    Some(wanted).filter(|_| !is_out)
}

/// The folder that holds all files, if there is one: people pack a folder as often as what is in it.
fn top_folder(names: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut top: Option<PathBuf> = None;
    for name in names.filter_map(|name| wanted(&name)) {
        let mut parts = name.components();
        let Some(Component::Normal(first)) = parts.next() else { return None };
        let first = PathBuf::from(first);
        parts.next()?;
        if *top.get_or_insert_with(|| first.clone()) != first {
            return None;
        }
    }
    top
}

/// Reads a tar file, once for its names and once for its files.
fn untar<R: Read>(open: impl Fn() -> R, files: &mut UnpackedFiles) -> Result<()> {
    let damaged = "this is no tar, tar.gz or zip file, or it is damaged";
    // Long names stand in entries of their own, which would be read whole.
    for (count, entry) in tar::Archive::new(open()).entries()?.raw(true).enumerate() {
        ensure!(count < 2 * MAX_ENTRIES, "the archive has more than {MAX_ENTRIES} entries");
        let entry = entry.map_err(|_| anyhow!(damaged))?;
        let kind = entry.header().entry_type();
        let is_plain = kind.is_file() || kind.is_dir() || kind.is_hard_link() || kind.is_symlink();
        ensure!(is_plain || entry.size() <= MAX_EXTENSION, "the archive holds a name that is too long or too deep");
    }
    let mut names = Vec::new();
    for (count, entry) in tar::Archive::new(open()).entries()?.enumerate() {
        ensure!(count < MAX_ENTRIES, "the archive has more than {MAX_ENTRIES} entries");
        let entry = entry.map_err(|_| anyhow!(damaged))?;
        if !entry.header().entry_type().is_dir() {
            names.push(entry.path().context(damaged)?.into_owned());
        }
    }
    ensure!(!names.is_empty(), "the archive holds no file");
    let top = top_folder(names.into_iter());
    for entry in tar::Archive::new(open()).entries()? {
        let mut entry = entry.map_err(|_| anyhow!(damaged))?;
        let (name, kind) = (entry.path().context(damaged)?.into_owned(), entry.header().entry_type());
        if kind.is_dir() {
            continue;
        }
        ensure!(kind.is_file() || wanted(&name).is_none(), "the archive holds {name:?}, which is no plain file");
        let is_program = entry.header().mode().context(damaged)? & 0o111 != 0;
        add(files, top.as_deref(), &name, &mut entry, Some(is_program))?;
    }
    Ok(())
}

/// Reads a zip file.
fn unzip(bytes: &[u8], files: &mut UnpackedFiles) -> Result<()> {
    let (list, listed) = check_end(bytes)?;
    let damaged = "this is no whole zip file";
    let mut archive = ZipArchive::new(Cursor::new(bytes)).context(damaged)?;
    // It keeps one of several of the same name.
    ensure!(archive.len() == listed, "the archive holds a name twice");
    let mut names = Vec::new();
    let mut places = Vec::new();
    for at in 0..archive.len() {
        let entry = archive.by_index(at).context("the zip file holds a file that is encrypted, or is damaged")?;
        let name = std::str::from_utf8(entry.name_raw()).context("the archive holds a name that is not Unicode")?;
        let name = PathBuf::from(name);
        let is_known = matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated);
        ensure!(is_known, "the zip file holds a file that is packed in another way than by deflate");
        let begin = entry.data_start().context(damaged)?;
        let end = begin.saturating_add(entry.compressed_size());
        ensure!(end <= list as u64, "{damaged}: a file leads beyond its end");
        places.push(begin..end);
        let mode = entry.unix_mode().unwrap_or(PLAIN);
        if !entry.is_dir() && wanted(&name).is_some() {
            ensure!(matches!(mode & KIND, 0 | PLAIN), "the archive holds {name:?}, which is no plain file");
            names.push(name.clone());
        }
    }
    places.sort_by_key(|place| place.start);
    let is_shared = places.windows(2).any(|pair| pair[1].start < pair[0].end);
    ensure!(!is_shared, "the zip file holds two files at one place");
    ensure!(!names.is_empty(), "the archive holds no file");
    let top = top_folder(names.into_iter());
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).context(damaged)?;
        let name = PathBuf::from(std::str::from_utf8(entry.name_raw()).context(damaged)?);
        if entry.is_dir() {
            continue;
        }
        let is_program = entry.unix_mode().map(|mode| mode & 0o111 != 0);
        add(files, top.as_deref(), &name, &mut entry, is_program)?;
    }
    Ok(())
}

/// Refuses a zip file before its list is read if the list is too long; where the list begins, and how many files it has.
fn check_end(bytes: &[u8]) -> Result<(usize, usize)> {
    let end = bytes.windows(ZIP_END.len()).rposition(|window| window == ZIP_END);
    let two = |at: usize| bytes.get(at..at + 2).map(|two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let Some((at, entries, comment)) = end.and_then(|at| Some((at, two(at + 10)?, two(at + 20)?))) else {
        bail!("this is no whole zip file: it has no end");
    };
    ensure!(at + ZIP_END_BYTES + comment == bytes.len(), "this is no whole zip file: something stands after its end");
    // The list stands right before the end, so nobody falls back to another end.
    let four =
        |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize);
    let list = four(at + 16).zip(four(at + 12)).filter(|(begin, long)| begin.checked_add(*long) == Some(at));
    let begin = list.map(|(begin, _)| begin).filter(|begin| bytes[*begin..].starts_with(ZIP_LIST));
    let begin = begin.context("this is no whole zip file: its list is not before its end")?;
    let is_large = at.checked_sub(ZIP64_BYTES).is_some_and(|before| bytes[before..].starts_with(ZIP64));
    ensure!(entries <= MAX_ENTRIES && !is_large, "the archive has more than {MAX_ENTRIES} entries");
    Ok((begin, entries))
}

#[cfg(test)]
mod tests;
