//! One process may have a run file open several times, as one that plays a run and shows its pages does: none of them gives up the locks of
//! another. A process that closes a file gives up all its locks on it, so nothing but SQLite may open a run file that is sound.

use std::os::unix::fs::MetadataExt;

use super::super::*;
use crate::trial::settings;

/// How many locks this process has on a file.
fn locks_on(path: &Path) -> usize {
    let (process, file) = (std::process::id().to_string(), std::fs::metadata(path).expect("a file").ino());
    let locks = std::fs::read_to_string("/proc/locks").expect("a Linux");
    let is_own = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_file = |word: &&str| word.rsplit_once(':').is_some_and(|(_, number)| number == file.to_string());
        words.contains(&&*process) && words.iter().any(is_file)
    };
    locks.lines().filter(is_own).count()
}

#[test]
fn opening_a_run_once_more_gives_up_no_lock() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("run.maumau");
    let wanted = settings();
    let (writer, _) = RunWriter::open(&path, |_| Ok(wanted)).expect("a run file");
    let reader = RunFile::open(&path).expect("a run file");
    let moment = reader.connection.unchecked_transaction().expect("a moment");
    moment.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0)).expect("a number");
    let held = locks_on(&path);
    assert!(held > 0, "a reader holds a lock");
    let other = RunFile::open(&path).expect("a run file");
    assert_eq!(other.games().expect("a number"), 0);
    drop(other);
    assert_eq!(locks_on(&path), held, "the reader holds its lock still");
    drop((moment, writer));
}
