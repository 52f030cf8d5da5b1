//! The workshop of a club: makes a bot of what was sent, once, by the command of its `bot.toml`. The command runs in the sandbox at the
//! level `strict` or not at all: without a network, with the files of the system to read, and its own folder to write. What it leaves is
//! kept under a digest of the archive, the command and the versions of the compilers, so the same build is never made twice, and every
//! game is played by the same files. Whether a failure counts against the author follows from who can mend it.

use std::collections::{BTreeMap, BTreeSet};
#[cfg(unix)]
use std::fs::Permissions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use maumau_cluster::unit::Sha;
use maumau_protocol::SandboxLevel;
use maumau_run::agent::{AgentCommand, PermitSettings, Sandbox, SandboxSettings, SandboxWishes};
use maumau_run::io::atomic_file;

use super::folder::{ClubFolder, MAX_FILES};
use super::store::StoredVersion;

/// The longest build.
const BUILT_WITHIN: Duration = Duration::from_secs(600);
/// The longest answer to a question for a version.
const SAID_WITHIN: Duration = Duration::from_secs(10);
/// How often a build is looked at, and how large its folder may become.
const EVERY: Duration = Duration::from_millis(100);
const MAX_WORK_BYTES: u64 = 1 << 30;
/// Bytes of what is kept.
const MAX_BUILT_BYTES: u64 = 256 << 20;
/// Bytes at the end of what a build says that are kept, and lines of them that are its reason.
const MAX_SAID: usize = 65_536;
const REASON_LINES: usize = 6;
/// Characters of a program's version.
const MAX_VERSION: usize = 120;
/// Compilers whose versions are part of every build, as far as they are installed.
const COMPILERS: [&str; 3] = ["cc", "c++", "rustc"];
/// The exit code of a sandbox that could not be set up, and of a process that the system has killed.
const NO_SANDBOX: i32 = 125;
const KILLED: i32 = 137;

/// How a build ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BuildEnd {
    /// It is kept under this digest, by compilers of these versions.
    Built {
        /// The digest.
        key: String,
        /// The versions, a line each.
        compilers: String,
    },
    /// The author can mend it.
    Failed(String),
    /// The club can mend it.
    PutBack(String),
    /// The club ends.
    Stopped,
}

/// Access to the toolchains of rustup, whose `cargo` and `rustc` look for them in the home of their user, which a build does not see.
/// Empty without rustup.
fn rustup_permits() -> PermitSettings {
    let of_user = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".rustup"));
    let home = std::env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(of_user);
    let Some(home) = home.filter(|home| home.is_absolute() && home.join("settings.toml").is_file()) else {
        return PermitSettings::default();
    };
    let Some(name) = home.to_str() else { return PermitSettings::default() };
    PermitSettings {
        env: BTreeMap::from([("RUSTUP_HOME".to_owned(), name.to_owned())]),
        read: BTreeSet::from([name.to_owned()]),
        ..PermitSettings::default()
    }
}

/// Builds a version, unless the same build is kept already.
///
/// # Errors
/// The machine fails, or cannot give the level `strict`.
pub(crate) fn build(folder: &ClubFolder, version: &StoredVersion, stop: &AtomicBool) -> Result<BuildEnd> {
    let sandbox = Sandbox::ready(&SandboxWishes {
        level: SandboxLevel::Strict,
        user: None,
        memory_mib: SandboxSettings::USUAL.memory_mib,
        private: vec![folder.database(), folder.run()],
        files_alone: true,
        in_memory: Vec::new(),
    })?;
    let place = tempfile::tempdir_in(folder.workshop()).context("there is no room for a build")?;
    let home = place.path().join("bot");
    copy_tree(&folder.bot(&version.sha), &home, Access::All)?;
    let rustup = rustup_permits().grant();
    let command = |line: &str| {
        Ok::<_, anyhow::Error>(AgentCommand::parse(line)?.in_directory(home.clone()).granted(rustup.clone()))
    };
    let building: Vec<AgentCommand> = version.build.lines().map(command).collect::<Result<_>>()?;
    let programs: Vec<String> = building.iter().map(|command| command.program().to_owned()).collect();
    // A later command may be what an earlier one has made.
    if let Some(program) = programs.iter().find(|program| !program.contains('/') && !is_there(program, &home)) {
        return Ok(BuildEnd::Failed(format!("build: this machine has no program {program:?}")));
    }
    let mut compilers = String::new();
    let mut asked: Vec<&str> = Vec::new();
    for name in programs.iter().map(String::as_str).chain(COMPILERS) {
        if !asked.contains(&name) && !name.contains('/') && is_there(name, &home) {
            asked.push(name);
        }
    }
    for compiler in asked {
        let asked = command(&format!("{compiler} --version"))?.in_sandbox(&sandbox).building();
        let Ran { said, .. } = Ran::of(&asked, &home, SAID_WITHIN, stop)?;
        let first: String = said.lines().next().unwrap_or_default().chars().take(MAX_VERSION).collect();
        compilers += &format!("{compiler}: {first}\n");
    }
    let key = Sha::of(format!("{}\n{}\n{compilers}", version.sha, version.build).as_bytes()).digits().to_owned();
    if folder.built(&key).is_dir() {
        return Ok(BuildEnd::Built { key, compilers });
    }
    let mut ran = Ran { end: RunEnd::Exit(Some(0)), said: String::new() };
    let (began, mut words) = (Instant::now(), String::new());
    for command in building {
        ran = Ran::of(
            &command.in_sandbox(&sandbox).building(),
            &home,
            BUILT_WITHIN.saturating_sub(began.elapsed()),
            stop,
        )?;
        words += &ran.said;
        if ran.end != RunEnd::Exit(Some(0)) {
            break;
        }
    }
    atomic_file::write(&folder.build_words(version.id), words.as_bytes())?;
    let Ran { end, said } = ran;
    match end {
        RunEnd::Stopped => return Ok(BuildEnd::Stopped),
        RunEnd::Late => return Ok(BuildEnd::Failed(format!("build: it took more than {} s", BUILT_WITHIN.as_secs()))),
        RunEnd::Large => {
            return Ok(BuildEnd::Failed(format!("build: its folder has more than {} MiB", MAX_WORK_BYTES >> 20)));
        }
        RunEnd::Exit(Some(0)) => {}
        RunEnd::Exit(Some(NO_SANDBOX)) if said.starts_with("maumau: the sandbox") => {
            return Ok(BuildEnd::PutBack(said.trim().to_owned()));
        }
        RunEnd::Exit(None | Some(KILLED)) => {
            return Ok(BuildEnd::PutBack("the system killed the build; is there memory enough?".to_owned()));
        }
        RunEnd::Exit(Some(code)) => return Ok(BuildEnd::Failed(failure(code, &said))),
    }
    let kept = folder.built(&key);
    // Another bot with the same archive has another place.
    let part = kept.with_extension(format!("{}.part", version.id));
    if let Err(error) = copy_tree(&home, &part, Access::Owner) {
        std::fs::remove_dir_all(&part).context("a build that is not kept")?;
        return match error.downcast::<NotKept>() {
            Ok(NotKept(why)) => Ok(BuildEnd::Failed(format!("build: {why}"))),
            Err(error) => Err(error),
        };
    }
    std::fs::rename(&part, &kept).context("a build cannot be kept")?;
    Ok(BuildEnd::Built { key, compilers })
}

/// Why a build failed, for its author: what it said from its first error on, or the end.
fn failure(code: i32, said: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    // The first error is the one to mend; what has no error says it at its end.
    let first = lines.iter().position(|line| line.to_lowercase().contains("error"));
    let first = first.unwrap_or(lines.len()).min(lines.len().saturating_sub(REASON_LINES));
    let last = lines[first..].iter().take(REASON_LINES).copied().collect::<Vec<_>>().join("\n");
    format!("build: exit code {code}\n{last}")
}

/// True if a command can start this program from `home`.
fn is_there(program: &str, home: &Path) -> bool {
    if program.contains('/') {
        return home.join(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// What a program did.
struct Ran {
    end: RunEnd,
    /// The end of what it said.
    said: String,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunEnd {
    /// By itself, with this code; `None` after a signal.
    Exit(Option<i32>),
    /// It took too long.
    Late,
    /// Its folder became too large.
    Large,
    /// The club ends.
    Stopped,
}

impl Ran {
    /// Runs a command that writes in `home`, for at most `within`.
    fn of(command: &AgentCommand, home: &Path, within: Duration, stop: &AtomicBool) -> Result<Ran> {
        let (reader, writer) = std::io::pipe().context("a pipe")?;
        let mut process = command.to_start()?.process;
        process.stdin(Stdio::null()).stdout(writer.try_clone().context("a pipe")?).stderr(writer);
        let mut child = process.spawn().context("a build cannot be started")?;
        // It holds the other end of the pipe.
        drop(process);
        let said = tail(reader);
        let began = Instant::now();
        let end = loop {
            if let Some(status) = child.try_wait()? {
                break RunEnd::Exit(status.code());
            }
            let broken = match () {
                () if stop.load(Ordering::Relaxed) => Some(RunEnd::Stopped),
                () if began.elapsed() > within => Some(RunEnd::Late),
                () if size(home) > MAX_WORK_BYTES => Some(RunEnd::Large),
                () => None,
            };
            if let Some(end) = broken {
                kill(&mut child)?;
                break end;
            }
            std::thread::sleep(EVERY);
        };
        let said = said.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(Ran { end, said })
    }
}

/// Ends a build with everything that it has started: what is below its guard dies with it.
fn kill(child: &mut Child) -> Result<()> {
    child.kill().and_then(|()| child.wait()).map(drop).context("a build cannot be ended")
}

/// Reads to the end, and keeps the last bytes.
fn tail(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let (mut kept, mut piece) = (Vec::new(), [0; 8_192]);
        while let Ok(read @ 1..) = from.read(&mut piece) {
            kept.extend_from_slice(&piece[..read]);
            let beyond = kept.len().saturating_sub(MAX_SAID);
            kept.drain(..beyond);
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// Bytes of the files in a folder, as far as it can be read: what is written meanwhile is counted next time.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let of = |entry: std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size(&entry.path()),
        Ok(_) => entry.metadata().map_or(0, |file| file.len()),
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

/// Who may write a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// Every user of the machine who can reach the folder: builds may run as another user.
    All,
    /// The club.
    Owner,
}

/// What a build leaves and cannot be kept, for its author.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NotKept(String);

/// Copies the plain files of a folder, with their right to be run.
fn copy_tree(from: &Path, to: &Path, access: Access) -> Result<()> {
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![PathBuf::new()];
    while let Some(inside) = folders.pop() {
        make_folder(&to.join(&inside), access)?;
        let entries = std::fs::read_dir(from.join(&inside)).context("a folder of a bot")?;
        for entry in entries {
            let entry = entry.context("a folder of a bot")?;
            let (name, kind) = (inside.join(entry.file_name()), entry.file_type().context("a file of a bot")?);
            if kind.is_dir() {
                folders.push(name);
                continue;
            }
            if !kind.is_file() {
                bail!(NotKept(format!("it leaves {}, which is no plain file", name.display())));
            }
            files += 1;
            bytes += entry.metadata().context("a file of a bot")?.len();
            if files > MAX_FILES || bytes > MAX_BUILT_BYTES {
                bail!(NotKept(format!(
                    "it leaves more than {MAX_FILES} files or {} MiB; let it remove what the bot does not need",
                    MAX_BUILT_BYTES >> 20
                )));
            }
            copy_file(&entry.path(), &to.join(&name), access).with_context(|| name.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_folder(folder: &Path, access: Access) -> Result<()> {
    std::fs::create_dir(folder).with_context(|| format!("the folder {}", folder.display()))?;
    let mode = if access == Access::All { 0o777 } else { 0o755 };
    let mode: Permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(folder, mode).with_context(|| format!("the rights of {}", folder.display()))
}

#[cfg(unix)]
fn copy_file(from: &Path, to: &Path, access: Access) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

    // It is no link, not even since it was looked at.
    let flags = nix::fcntl::OFlag::O_NOFOLLOW.bits();
    let mut source = std::fs::File::options().read(true).custom_flags(flags).open(from)?;
    let can_be_run = source.metadata()?.permissions().mode() & 0o111 != 0;
    let mut target = std::fs::File::create_new(to)?;
    std::io::copy(&mut source, &mut target)?;
    let write = if access == Access::All { 0o022 } else { 0 };
    target.set_permissions(Permissions::from_mode(if can_be_run { 0o755 } else { 0o644 } | write))
}

#[cfg(not(unix))]
fn make_folder(folder: &Path, _: Access) -> Result<()> {
    std::fs::create_dir(folder).with_context(|| format!("the folder {}", folder.display()))
}

#[cfg(not(unix))]
fn copy_file(from: &Path, to: &Path, _: Access) -> std::io::Result<()> {
    std::fs::copy(from, to).map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_the_end_of_what_a_build_said() {
        let said = (0..20).map(|line| format!("line {line}\n\n")).collect::<String>();
        let reason = failure(1, &said);
        assert_eq!(reason, "build: exit code 1\nline 14\nline 15\nline 16\nline 17\nline 18\nline 19");
    }

    #[test]
    fn a_copy_has_plain_files_alone() {
        let place = tempfile::tempdir().expect("a folder");
        let from = place.path().join("from");
        std::fs::create_dir_all(from.join("a/b")).expect("a folder");
        std::fs::write(from.join("a/b/c"), "text").expect("a file");
        copy_tree(&from, &place.path().join("to"), Access::Owner).expect("a copy");
        assert_eq!(std::fs::read_to_string(place.path().join("to/a/b/c")).expect("a file"), "text");
        assert_eq!(size(&from), 4);
        std::os::unix::fs::symlink("/etc/passwd", from.join("a/link")).expect("a link");
        let error = copy_tree(&from, &place.path().join("other"), Access::Owner).expect_err("a link").to_string();
        assert!(error.contains("a/link, which is no plain file"), "{error}");
    }

    #[test]
    fn no_more_than_the_end_of_a_long_speech_is_kept() {
        let said = tail(std::io::Cursor::new([vec![b'a'; MAX_SAID], vec![b'b'; 10]].concat()));
        let said = said.join().expect("a thread");
        assert!(said.len() == MAX_SAID && said.ends_with("abbbbbbbbbb"));
    }
}
