//! The row about files that an agent may not read or write: an error number with a path in one line of its last words,
//! and that path looked up. It opens no file but to see whether the arena itself may read it.

use std::path::{Path, PathBuf};

use maumau_protocol::SandboxLevel;

use super::Clues;
use crate::io::untrusted::Untrusted;

/// What languages write for EACCES, EPERM and EROFS.
const DENIED: [&str; 6] =
    ["Permission denied", "permission denied", "EACCES", "AccessDenied", "Read-only file system", "EROFS"];

/// What they write for ENOENT.
const NOT_THERE: [&str; 5] = ["No such file or directory", "no such file", "ENOENT", "FileNotFound", "NoSuchFile"];

/// A file that exists and may not be read, or one that may not be written.
pub(super) fn file(clues: &Clues<'_>) -> Option<String> {
    if !clues.is_confined() {
        return None;
    }
    let of = |line: &str, signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    let told = clues.last_words().find_map(|line| {
        let (is_denied, is_missing) = (of(line, &DENIED), of(line, &NOT_THERE));
        let found = paths(line).into_iter().flat_map(|path| clues.folders().into_iter().map(move |at| at.join(&path)));
        let mut found = found.filter(|_| is_denied || is_missing);
        found.find_map(|path| match path.canonicalize() {
            // A file that the arena cannot read either is closed by somebody else.
            Ok(real) if !(clues.may_read)(&real) && opens(&real) => {
                // Up to basic a file that cannot be read still exists.
                let is_cause = is_denied || clues.level >= SandboxLevel::Strict;
                is_cause.then(|| read(&path, real))
            }
            Ok(real) if is_denied && is_closed_to_others(&real) => Some(let_read(&real)),
            Ok(_) if is_denied && is_place_to_write(&path) => Some(write(clues.level)),
            Err(_) if is_denied && path.parent().is_some_and(Path::is_dir) => Some(write(clues.level)),
            _ => None,
        })
    })?;
    Some(clues.sandbox(&told))
}

/// The hint at `path`, which is `real` without links: if a link leads there, it is the link's whole target that helps.
fn read(path: &Path, real: PathBuf) -> String {
    let target = path.ancestors().find(|place| place.is_symlink()).and_then(|link| link.canonicalize().ok());
    let target = target.filter(|target| real.starts_with(target)).unwrap_or(real);
    let target = Untrusted::path(&target).terminal();
    format!("it may not read {target}: --sandbox-read {target} (read = [\"{target}\"]) lets it")
}

/// Whether agents, which are users of their own if root starts the arena, may not read `real` by its mode.
#[cfg(unix)]
fn is_closed_to_others(real: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS_READ: u32 = 0o004;
    let is_closed = |file: std::fs::Metadata| file.permissions().mode() & OTHERS_READ == 0;
    nix::unistd::Uid::effective().is_root() && std::fs::metadata(real).is_ok_and(is_closed)
}

/// Only Unix has users of their own.
#[cfg(not(unix))]
fn is_closed_to_others(_: &Path) -> bool {
    false
}

fn let_read(real: &Path) -> String {
    let shown = Untrusted::path(real).terminal();
    format!("it runs as a user of its own, who may not read {shown}: let everybody read it (chmod o+r {shown})")
}

fn write(level: SandboxLevel) -> String {
    let where_to = match level >= SandboxLevel::Strict {
        true => "it may write in /var/tmp only, which is its own",
        false => "it may write nothing; from strict on it has /var/tmp",
    };
    format!("{where_to}. What it writes on standard error is kept")
}

fn opens(path: &Path) -> bool {
    if path.is_dir() { std::fs::read_dir(path).is_ok() } else { std::fs::File::open(path).is_ok() }
}

fn is_place_to_write(path: &Path) -> bool {
    !path.starts_with("/proc") && !path.starts_with("/sys") && !path.starts_with("/dev")
}

/// The words of a line that may be paths: what stands in quotes, and words with a dot or a slash.
fn paths(line: &str) -> Vec<PathBuf> {
    let mut found: Vec<&str> =
        ['\'', '"', '`'].iter().flat_map(|quote| line.split(*quote).skip(1).step_by(2)).collect();
    let separators = |c: char| c.is_whitespace() || matches!(c, ':' | '(' | ')' | ',' | '\'' | '"' | '`' | '[' | ']');
    found.extend(line.split(separators).filter(|word| word.contains(['/', '.'])));
    found.retain(|word| !word.is_empty() && !word.ends_with('.') && word.len() < 4096);
    found.into_iter().map(PathBuf::from).collect()
}
