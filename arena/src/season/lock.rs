//! One process at a time writes a run file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

/// An advisory lock (`flock`) on a file beside the run file, which holds the name of whoever has it. The file is never
/// removed, so two processes cannot hold locks on two files of one name. The lock ends with this process, however it ends,
/// and agents do not inherit it: the file is closed when they are started.
#[derive(Debug)]
pub(super) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Takes the lock of the run file at `run`.
    ///
    /// # Errors
    /// Another process has it, which is named; or the lock file cannot be written.
    pub(super) fn take(run: &Path) -> Result<RunLock> {
        // A run file that exists may have several names; its lock has one.
        let path = match run.canonicalize() {
            Ok(run) => lock_path(&run),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => lock_path(run),
            Err(error) => return Err(anyhow!("the run file {}: {error}", run.display())),
        };
        let shown = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("the lock file {shown} cannot be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whoever has the lock may be about to write its name.
                let known = (&mut file).take(200).read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
                let holder = if known { holder.trim() } else { "another process" };
                bail!("the run file {} is in use by {holder}; wait for it or stop it", run.display());
            }
            Err(TryLockError::Error(error)) => return Err(anyhow!("{shown} cannot be locked: {error}")),
        }
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_else(|_| "this host".to_owned());
        let holder = format!("process {} on {}\n", std::process::id(), host.trim());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(holder.as_bytes()))
            .with_context(|| format!("the lock file {shown} cannot be written"))?;
        Ok(RunLock { _file: file })
    }
}

fn lock_path(run: &Path) -> PathBuf {
    let mut name = run.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
