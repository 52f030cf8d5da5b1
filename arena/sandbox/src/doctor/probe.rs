//! What an agent could try, tried from the inside. Each probe is started separately, so that one that is killed does
//! not affect the others; it prints its result as a [`Finding`]. The table of probes says from which level on an
//! attempt must fail; the parent module judges.

use std::collections::VecDeque;
use std::ffi::CString;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use maumau_protocol::SandboxLevel;
use nix::errno::Errno;
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::{ForkResult, Pid, fork};
use serde::{Deserialize, Serialize};

use crate::apart::ENVIRONMENT;
use crate::bubblewrap::{SCRATCH_BYTES, WRITES};
use crate::limits::{FILE_BYTES, OPEN_FILES, PROCESSES};

/// MiB of memory that a probe may use.
pub(super) const MEMORY_MIB: u64 = 64;
/// Seconds after which a probe is abandoned.
const PATIENCE_S: libc::c_uint = 20;
/// Folders that are tried, those near the root first.
const MOST_FOLDERS: usize = 5_000;

/// The targets outside the sandbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Targets {
    pub(super) tcp: u16,
    pub(super) udp: u16,
    pub(super) abstract_socket: String,
    pub(super) path_socket: PathBuf,
    /// A world-readable file that contains [`SECRET`].
    pub(super) secret: PathBuf,
    /// Another agent of the same level, and the address of [`SECRET`] in its memory.
    pub(super) victim: i32,
    pub(super) address: u64,
}

/// The text that must not be found.
pub(super) const SECRET: &[u8; 16] = b"the secret hand!";

/// The result of a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Finding {
    /// It did not succeed, and how far it got.
    Held(String),
    /// It succeeded, and how far it got.
    Open(String),
    /// It could not be tried, and why.
    Untried(String),
}

/// One row of the table.
pub(super) struct Probe {
    /// What is tried.
    pub(super) name: &'static str,
    /// True if being killed for it counts as prevention.
    pub(super) death_holds: bool,
    /// The lowest level that promises to prevent it.
    pub(super) from: SandboxLevel,
    run: fn(&Targets) -> Finding,
}

/// Every probe.
#[rustfmt::skip]
pub(super) const PROBES: &[Probe] = &[
    probe("connect to a TCP port of this machine", |to| attempt(TcpStream::connect(("127.0.0.1", to.tcp)))),
    probe(UDP, send_datagram),
    probe("connect to an abstract socket", |to| attempt(SocketAddr::from_abstract_name(&to.abstract_socket).and_then(|to| UnixStream::connect_addr(&to)))),
    probe("connect to a socket in the file tree", |to| attempt(UnixStream::connect(&to.path_socket))),
    probe("read which connections this machine has", read_connections),
    probe("read the environment of another agent", |to| attempt(read_some(format!("/proc/{}/environ", to.victim)))),
    probe("read the memory of another agent by /proc", read_memory),
    probe("read the memory of another agent by process_vm_readv", read_memory_by_call),
    probe("write to the stdin of another agent", |to| attempt(OpenOptions::new().write(true).open(format!("/proc/{}/fd/0", to.victim)))),
    probe("send a signal to another agent", |to| attempt(kill(Pid::from_raw(to.victim), Signal::SIGCONT))),
    probe("read a file that is not its own", |to| attempt(read_some(&to.secret))),
    probe("write to a folder", write_anywhere),
    probe("make a user namespace", |_| attempt(nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER))),
    probe("use io_uring", |_| call(libc::SYS_io_uring_setup, [1, [0_u64; 15].as_mut_ptr() as u64, 0, 0, 0])),
    probe("keep a key in the kernel", |_| call(libc::SYS_keyctl, [0, -3_i64 as u64, 1, 0, 0])),
    probe("open a vsock", |_| call(libc::SYS_socket, [40, libc::SOCK_STREAM as u64, 0, 0, 0])),
    probe("count events by perf", open_perf),
    probe("use bpf", |_| call(libc::SYS_bpf, [0, [2_u32, 4, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0].as_ptr() as u64, 48, 0, 0])),
    probe("lock a file that all agents share", lock_shared),
    probe("change the rights of a file", |to| attempt(std::fs::set_permissions(&to.secret, Permissions::from_mode(0o644)))),
    probe("change the times of a file", |to| attempt(File::open(&to.secret).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)))),
    probe("keep an attribute with a file", keep_attribute),
    probe("keep a hint with a file", keep_hint),
    probe("drop a file from memory", drop_from_memory),
    probe("hear when others open a file", |_| call(libc::SYS_inotify_init1, [0; 5])),
    probe("change a setting of the kernel", change_setting),
    probe("start processes without end", fork_many),
    Probe { death_holds: true, ..probe("take memory in one process", |_| take_memory(1, 96)) },
    Probe { death_holds: true, from: SandboxLevel::StrictCgroup, ..probe("take memory in five processes", |_| take_memory(5, 30)) },
    Probe { death_holds: true, ..probe("fill the places for files", fill) },
    probe("open files without end", open_many),
    probe("write a long file", write_long),
    probe("use inherited files", inherited),
    probe("read variables of the arena", variables),
];

/// The probe that is judged from outside: a datagram that does not arrive was sent in vain.
pub(super) const UDP: &str = "send a datagram to this machine";

const fn probe(name: &'static str, run: fn(&Targets) -> Finding) -> Probe {
    Probe { name, death_holds: false, from: SandboxLevel::Basic, run }
}

/// Runs the probe with this number and prints what it finds.
pub(super) fn run(number: &str, targets: &str) -> anyhow::Result<()> {
    // SAFETY: a plain call; there is no handler, so the process ends then.
    unsafe { libc::alarm(PATIENCE_S) };
    if number == "victim" {
        return be_victim();
    }
    let probe = number.parse::<usize>().ok().and_then(|number| PROBES.get(number));
    let probe = probe.ok_or_else(|| anyhow::anyhow!("there is no probe {number}"))?;
    let finding = (probe.run)(&serde_json::from_str(targets)?);
    say(&serde_json::to_string(&finding)?)
}

/// Writes a line to stdout.
fn say(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Prints where the secret is, and waits.
fn be_victim() -> anyhow::Result<()> {
    let secret = Box::new(*SECRET);
    say(&std::ptr::from_ref(&*secret).addr().to_string())?;
    // Its stdin is closed when it is no longer needed.
    std::io::stdin().read_to_end(&mut Vec::new())?;
    std::hint::black_box(secret);
    Ok(())
}

fn attempt<T, E: std::fmt::Display>(result: Result<T, E>) -> Finding {
    match result {
        Ok(_) => Finding::Open(String::new()),
        Err(error) => Finding::Held(error.to_string()),
    }
}

/// A system call that this library does not wrap.
fn call(number: libc::c_long, [a, b, c, d, e]: [u64; 5]) -> Finding {
    // SAFETY: the memory that these calls read is valid while they run; none of them changes this process's memory.
    let answer = unsafe { libc::syscall(number, a, b, c, d, e) };
    match Errno::result(answer) {
        Ok(_) => Finding::Open(String::new()),
        Err(missing @ (Errno::ENOSYS | Errno::EAFNOSUPPORT)) => {
            Finding::Untried(format!("this kernel has none: {missing}"))
        }
        Err(error) => Finding::Held(error.to_string()),
    }
}

/// Sets an attribute of the file that is not its own; the file is of this test alone.
fn keep_attribute(to: &Targets) -> Finding {
    let Ok(path) = CString::new(to.secret.as_os_str().as_bytes()) else {
        return Finding::Untried("the path has a zero byte".to_owned());
    };
    call(libc::SYS_setxattr, [path.as_ptr() as u64, c"user.maumau".as_ptr() as u64, c"1".as_ptr() as u64, 1, 0])
}

/// Sets the hint of how long what is written to the file will live, which the kernel keeps, to what it is.
fn keep_hint(to: &Targets) -> Finding {
    const F_SET_RW_HINT: u64 = 1036;
    let not_set = 0_u64;
    match File::open(&to.secret) {
        Ok(file) => call(
            libc::SYS_fcntl,
            [file.as_raw_fd() as u64, F_SET_RW_HINT, std::ptr::from_ref(&not_set).addr() as u64, 0, 0],
        ),
        Err(error) => Finding::Held(error.to_string()),
    }
}

fn read_some(path: impl AsRef<Path>) -> std::io::Result<()> {
    File::open(path)?.read_exact(&mut [0; 1])
}

fn send_datagram(to: &Targets) -> Finding {
    attempt(UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(SECRET, ("127.0.0.1", to.udp))))
}

/// Looks for the outside port, in hexadecimal digits, as that of a listening socket.
fn read_connections(to: &Targets) -> Finding {
    match std::fs::read_to_string("/proc/self/net/tcp") {
        Ok(table) if table.contains(&format!(":{:04X} ", to.tcp)) => Finding::Open("/proc/self/net/tcp".to_owned()),
        Ok(_) => Finding::Held("there are none in its network".to_owned()),
        Err(error) => Finding::Held(error.to_string()),
    }
}

fn read_memory(to: &Targets) -> Finding {
    let mut bytes = [0; 16];
    let read = File::open(format!("/proc/{}/mem", to.victim)).and_then(|mut file| {
        file.seek(std::io::SeekFrom::Start(to.address))?;
        file.read_exact(&mut bytes)
    });
    attempt(read)
}

fn read_memory_by_call(to: &Targets) -> Finding {
    let mut bytes = [0_u8; 16];
    let here = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    let there = libc::iovec { iov_base: to.address as *mut libc::c_void, iov_len: bytes.len() };
    // SAFETY: writes no more than the bytes of `here`.
    let count = unsafe { libc::process_vm_readv(to.victim, &raw const here, 1, &raw const there, 1, 0) };
    attempt(Errno::result(count))
}

/// Tries every visible folder, with files without a name, which leave no trace.
fn write_anywhere(_: &Targets) -> Finding {
    let (mut open, mut seen) = (Vec::new(), 0);
    let first = ["/tmp", "/dev/shm", "/var/tmp", "/"].map(PathBuf::from);
    let mut folders = VecDeque::from(first.clone());
    while let Some(folder) = folders.pop_front() {
        seen += 1;
        let unnamed = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).mode(0o600).open(&folder);
        if unnamed.is_ok() {
            open.push(folder.clone());
        }
        if seen == MOST_FOLDERS {
            break;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !first.contains(&path) && !["/proc", "/sys"].iter().any(|not| path.starts_with(not)) {
                folders.push_back(path);
            }
        }
    }
    open.dedup();
    // The agent's own places; whether they are limited is another probe.
    let own = |path: &PathBuf| WRITES.iter().any(|own| path.starts_with(own)) && is_small(path);
    let (own, open): (Vec<_>, Vec<_>) = open.into_iter().partition(own);
    match open.first() {
        None => Finding::Held(format!("none of {seen} folders but {} of its own", own.len())),
        Some(first) => Finding::Open(format!("{} of {seen} folders, such as {}", open.len(), first.display())),
    }
}

/// True if the file system at `path` holds no more than an agent may write.
fn is_small(path: &Path) -> bool {
    nix::sys::statvfs::statvfs(path).is_ok_and(|all| all.blocks() * all.fragment_size() <= SCRATCH_BYTES)
}

fn open_perf(_: &Targets) -> Finding {
    // PERF_TYPE_SOFTWARE, its size, PERF_COUNT_SW_CPU_CLOCK; of this process, user mode only.
    let mut attributes = [0_u64; 14];
    attributes[0] = 1 | 112 << 32;
    attributes[5] = 1 << 5;
    call(libc::SYS_perf_event_open, [attributes.as_ptr() as u64, 0, u64::MAX, u64::MAX, 0])
}

fn lock_shared(_: &Targets) -> Finding {
    match File::open("/proc/self/exe") {
        Ok(file) => call(libc::SYS_flock, [file.as_raw_fd() as u64, (libc::LOCK_SH | libc::LOCK_NB) as u64, 0, 0, 0]),
        Err(error) => Finding::Untried(error.to_string()),
    }
}

fn drop_from_memory(_: &Targets) -> Finding {
    match File::open("/proc/self/exe") {
        Ok(file) => call(libc::SYS_fadvise64, [file.as_raw_fd() as u64, 0, 4096, libc::POSIX_FADV_DONTNEED as u64, 0]),
        Err(error) => Finding::Untried(error.to_string()),
    }
}

/// Opens the one through which a bot could take over the machine, and writes nothing.
fn change_setting(_: &Targets) -> Finding {
    attempt(OpenOptions::new().write(true).open("/proc/sys/kernel/core_pattern"))
}

/// Runs `work` in this many children, and returns the numbers of those that could be created.
fn children(count: u64, work: impl Fn()) -> Vec<Pid> {
    let mut children = Vec::new();
    for _ in 0..count {
        // SAFETY: this process has one thread.
        match unsafe { fork() } {
            Ok(ForkResult::Parent { child }) => children.push(child),
            Ok(ForkResult::Child) => {
                // SAFETY: as in `run`; the children should not outlive the probe for long.
                unsafe { libc::alarm(PATIENCE_S) };
                work();
                // SAFETY: ends the child without cleanup.
                unsafe { libc::_exit(0) }
            }
            Err(_) => break,
        }
    }
    children
}

fn end(children: &[Pid]) {
    for child in children {
        // A child that has ended already needs nothing more.
        let _ = kill(*child, Signal::SIGKILL);
        let _ = nix::sys::wait::waitpid(*child, None);
    }
}

fn fork_many(_: &Targets) -> Finding {
    let made = children(3 * PROCESSES, || std::thread::sleep(Duration::from_secs(PATIENCE_S.into())));
    end(&made);
    let found = format!("{} children", made.len());
    if made.len() as u64 <= PROCESSES { Finding::Held(found) } else { Finding::Open(found) }
}

/// This many MiB in each of this many processes at once; the total is above the limit.
fn take_memory(processes: u64, each_mib: usize) -> Finding {
    let Ok((mut reports, reporter)) = std::io::pipe() else { return Finding::Untried("no pipe".to_owned()) };
    let made = children(processes, || {
        let mut block: Vec<u8> = Vec::new();
        if block.try_reserve_exact(each_mib << 20).is_ok() {
            block.resize(each_mib << 20, 1);
            std::hint::black_box(&mut block);
            let _ = (&reporter).write_all(b"x");
            std::thread::sleep(Duration::from_secs(PATIENCE_S.into()));
        }
    });
    drop(reporter);
    // Until all have it, or one of them has ended without it.
    let mut have = 0;
    while have < processes {
        let mut ready = [libc::pollfd { fd: reports.as_raw_fd(), events: libc::POLLIN, revents: 0 }];
        // SAFETY: points to one valid entry.
        let came = unsafe { libc::poll(ready.as_mut_ptr(), 1, 20) };
        if came > 0 {
            match reports.read(&mut [0; 1]) {
                Ok(1) => have += 1,
                Ok(_) | Err(_) => break,
            }
            continue;
        }
        let gone = made.iter().any(|child| {
            let flags = nix::sys::wait::WaitPidFlag::WNOHANG
                | nix::sys::wait::WaitPidFlag::WNOWAIT
                | nix::sys::wait::WaitPidFlag::WEXITED;
            let state = nix::sys::wait::waitid(nix::sys::wait::Id::Pid(*child), flags);
            !matches!(state, Ok(nix::sys::wait::WaitStatus::StillAlive))
        });
        if gone {
            break;
        }
    }
    end(&made);
    let found = format!("{have} of {processes} had {each_mib} MiB each, {MEMORY_MIB} MiB allowed");
    if have < processes { Finding::Held(found) } else { Finding::Open(found) }
}

/// Writes files as long as allowed, until nothing more fits.
fn fill(_: &Targets) -> Finding {
    let mut places = Vec::new();
    for place in ["/var/tmp", "/dev/shm", "/tmp", "/dev", "/"] {
        let (mut written, mut files) = (0, Vec::new());
        let block = vec![1; 1 << 20];
        while written < 2 * SCRATCH_BYTES {
            let unnamed = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).mode(0o600).open(place);
            let Ok(mut file) = unnamed else { break };
            let wrote = (0..FILE_BYTES >> 20).take_while(|_| file.write_all(&block).is_ok()).count() as u64;
            written += wrote << 20;
            files.push(file);
            if wrote == 0 {
                break;
            }
        }
        if written > 0 {
            places.push((place, written));
        }
    }
    let found: Vec<String> = places.iter().map(|(place, bytes)| format!("{} MiB in {place}", bytes >> 20)).collect();
    let found = if found.is_empty() { "nothing can be written".to_owned() } else { found.join(", ") };
    match places.iter().any(|(_, written)| *written > SCRATCH_BYTES) {
        true => Finding::Open(found),
        false => Finding::Held(found),
    }
}

fn open_many(_: &Targets) -> Finding {
    let files: Vec<File> = (0..4 * OPEN_FILES).map_while(|_| File::open("/dev/null").ok()).collect();
    let found = format!("{} files", files.len());
    if files.len() as u64 <= OPEN_FILES { Finding::Held(found) } else { Finding::Open(found) }
}

fn write_long(_: &Targets) -> Finding {
    // Otherwise the process is ended for it.
    // SAFETY: no handler is set.
    let ignored = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
    let file = nix::sys::memfd::memfd_create(c"probe", nix::sys::memfd::MFdFlags::empty());
    let (Ok(file), Ok(_)) = (file, ignored) else { return Finding::Untried("no file in memory".to_owned()) };
    let (mut file, block) = (File::from(file), vec![1; 1 << 20]);
    let wrote = (0..2 * (FILE_BYTES >> 20)).take_while(|_| file.write_all(&block).is_ok()).count();
    let found = format!("{wrote} MiB");
    if (wrote as u64) << 20 <= FILE_BYTES { Finding::Held(found) } else { Finding::Open(found) }
}

fn inherited(_: &Targets) -> Finding {
    let entries = match std::fs::read_dir("/proc/self/fd") {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Finding::Untried(error.to_string()),
        Err(error) => return Finding::Held(error.to_string()),
    };
    // One of them is the listing itself, which points to a folder in /proc.
    let beyond = entries.flatten().filter(|entry| {
        let number = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()).unwrap_or_default();
        let leads = std::fs::read_link(entry.path()).unwrap_or_default();
        number > 2 && !leads.starts_with("/proc")
    });
    match beyond.count() {
        0 => Finding::Held("0, 1 and 2 only".to_owned()),
        count => Finding::Open(format!("{count} more than three")),
    }
}

fn variables(_: &Targets) -> Finding {
    let beyond =
        std::env::vars_os().filter(|(name, _)| !ENVIRONMENT.iter().any(|allowed| name == allowed) && name != "PWD");
    match beyond.count() {
        0 => Finding::Held(format!("none but {}", ENVIRONMENT.join(", "))),
        count => Finding::Open(format!("{count} variables")),
    }
}
