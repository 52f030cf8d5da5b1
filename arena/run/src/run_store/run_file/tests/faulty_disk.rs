//! A disk in memory that fails on demand, for SQLite: every operation can fail, and a power failure keeps a random part
//! of what was not synced, down to parts of one write. It keeps bytes and knows nothing of what is in them.
//!
//! Not modelled: a deletion is durable at once, and no other process has the file open.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use maumau_engine::ChoiceStream;
use rusqlite::ffi;

/// The name under which SQLite knows these disks.
pub(super) const VFS: &CStr = c"maumau-faulty";
/// The parts of a write that can reach a disk separately.
const SECTOR: usize = 512;

/// How an operation fails; operations other than writes always give an I/O error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiskFault {
    /// No space is left.
    Full,
    /// The device gives an error.
    Io,
    /// Half is written before space runs out.
    Short,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// It is unknown whether it is on the disk.
    Pending,
    Synced,
    /// A sync has failed, and later ones will not write it to the disk either.
    Lost,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Truncate { len: usize },
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>, keep: impl FnMut() -> bool) {
        match self {
            Change::Truncate { len } => content.resize(*len, 0),
            Change::Write { at, bytes } => {
                let mut keep = keep;
                for (number, part) in bytes.chunks(SECTOR).enumerate().filter(|_| keep()) {
                    let at = at + number * SECTOR;
                    content.resize(content.len().max(at + part.len()), 0);
                    content[at..at + part.len()].copy_from_slice(part);
                }
            }
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct File {
    /// The contents as programs see them.
    seen: Vec<u8>,
    /// The contents on the disk, without `changes`.
    base: Vec<u8>,
    changes: Vec<(Change, Reached)>,
    /// True if its name is on the disk.
    named: bool,
}

impl File {
    fn change(&mut self, change: Change) {
        change.apply(&mut self.seen, || true);
        self.changes.push((change, Reached::Pending));
    }

    fn sync(&mut self, to: Reached) {
        let pending = self.changes.iter_mut().filter(|(_, reached)| *reached == Reached::Pending);
        pending.for_each(|(_, reached)| *reached = to);
        if self.changes.iter().all(|(_, reached)| *reached == Reached::Synced) {
            self.base.clone_from(&self.seen);
            self.changes.clear();
        }
    }

    fn after_power_failure(&self, dice: &mut ChoiceStream<'_>) -> File {
        let mut content = self.base.clone();
        for (change, reached) in &self.changes {
            // Completely, not at all, or in parts.
            let fate = if *reached == Reached::Synced { 0 } else { dice.number_below(3) };
            let is_part = matches!(change, Change::Write { .. }) && fate == 2;
            match fate {
                0 => change.apply(&mut content, || true),
                _ if is_part => change.apply(&mut content, || dice.one_in(2)),
                _ => {}
            }
        }
        File { seen: content.clone(), base: content, changes: Vec::new(), named: true }
    }
}

/// A disk.
#[derive(Clone, Default)]
pub(super) struct Disk {
    pub(super) files: BTreeMap<String, File>,
    /// Operations so far.
    pub(super) operations: u64,
    /// From which operation on it fails, how, and whether permanently.
    pub(super) fault: Option<(u64, DiskFault, bool)>,
    /// What has been announced, according to the test.
    pub(super) announced: usize,
    /// If requested: the disk before each operation that changes it.
    pub(super) moments: Option<Vec<Disk>>,
}

impl Disk {
    /// The disk after a power failure.
    pub(super) fn after_power_failure(&self, dice: &mut ChoiceStream<'_>) -> Disk {
        let mut kept = BTreeMap::new();
        for (name, file) in &self.files {
            if file.named || dice.one_in(2) {
                kept.insert(name.clone(), file.after_power_failure(dice));
            }
        }
        Disk { files: kept, announced: self.announced, ..Disk::default() }
    }

    /// The disk as a new process finds it: all writes are visible, and nothing fails any more.
    pub(super) fn after_restart(&self) -> Disk {
        Disk { files: self.files.clone(), announced: self.announced, ..Disk::default() }
    }

    /// The bytes of a file.
    pub(super) fn bytes(&self, name: &str) -> &[u8] {
        self.files.get(name).map_or(&[], |file| &file.seen)
    }

    /// A disk with one file.
    pub(super) fn with_file(name: &str, bytes: Vec<u8>) -> Disk {
        let file = File { seen: bytes.clone(), base: bytes, changes: Vec::new(), named: true };
        Disk { files: [(name.to_owned(), file)].into(), ..Disk::default() }
    }

    /// Counts an operation; returns how it fails, if it does.
    fn operation(&mut self, changes: bool) -> Option<DiskFault> {
        if changes && let Some(moments) = self.moments.take() {
            let mut moments = moments;
            moments.push(self.clone());
            self.moments = Some(moments);
        }
        self.operations += 1;
        let (at, fault, for_ever) = self.fault?;
        (self.operations == at || (for_ever && self.operations > at)).then_some(fault)
    }
}

/// The disks by the path of the one database on each.
static DISKS: LazyLock<Mutex<BTreeMap<String, Arc<Mutex<Disk>>>>> = LazyLock::new(|| {
    register();
    Mutex::default()
});

/// Makes `disk` the one that holds the database at `path`.
pub(super) fn mount(path: &str, disk: Disk) -> Arc<Mutex<Disk>> {
    let disk = Arc::new(Mutex::new(disk));
    DISKS.lock().expect("no panic").insert(path.to_owned(), Arc::clone(&disk));
    disk
}

fn mounted(path: &str) -> Option<Arc<Mutex<Disk>>> {
    DISKS.lock().expect("no panic").get(path.strip_suffix("-journal").unwrap_or(path)).cloned()
}

#[repr(C)]
struct Handle {
    base: ffi::sqlite3_file,
    open: *mut Open,
}

struct Open {
    disk: Arc<Mutex<Disk>>,
    name: String,
}

impl Open {
    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().expect("no panic")
    }
}

fn register() {
    let vfs = Box::new(ffi::sqlite3_vfs {
        iVersion: 1,
        szOsFile: size_of::<Handle>() as c_int,
        mxPathname: 1_024,
        pNext: std::ptr::null_mut(),
        zName: VFS.as_ptr(),
        pAppData: std::ptr::null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_path),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: Some(current_time),
        xGetLastError: Some(last_error),
        xCurrentTimeInt64: None,
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    });
    // SAFETY: the table and the name are never freed, and the functions keep SQLite's contract.
    let registered = unsafe { ffi::sqlite3_vfs_register(Box::leak(vfs), 0) };
    assert_eq!(registered, ffi::SQLITE_OK);
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(lock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// SAFETY: `name` is null or a text of SQLite's.
unsafe fn text(name: *const c_char) -> Option<String> {
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

/// SAFETY: `file` was opened by [`open`] and is not closed.
unsafe fn opened<'a>(file: *mut ffi::sqlite3_file) -> &'a Open {
    unsafe { &*(*file.cast::<Handle>()).open }
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let handle = file.cast::<Handle>();
    unsafe { (*handle).base.pMethods = std::ptr::null() };
    let Some(name) = (unsafe { text(name) }) else { return ffi::SQLITE_CANTOPEN };
    let Some(disk) = mounted(&name) else { return ffi::SQLITE_CANTOPEN };
    {
        let mut disk = disk.lock().expect("no panic");
        let is_new = !disk.files.contains_key(&name);
        if disk.operation(is_new).is_some() || (is_new && flags & ffi::SQLITE_OPEN_CREATE == 0) {
            return ffi::SQLITE_CANTOPEN;
        }
        disk.files.entry(name.clone()).or_default();
    }
    unsafe {
        (*handle).open = Box::into_raw(Box::new(Open { disk, name }));
        (*handle).base.pMethods = &METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    drop(unsafe { Box::from_raw((*file.cast::<Handle>()).open) });
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, name: *const c_char, _sync: c_int) -> c_int {
    let Some(name) = (unsafe { text(name) }) else { return ffi::SQLITE_IOERR_DELETE };
    let Some(disk) = mounted(&name) else { return ffi::SQLITE_IOERR_DELETE };
    let mut disk = disk.lock().expect("no panic");
    if disk.operation(true).is_some() {
        return ffi::SQLITE_IOERR_DELETE;
    }
    match disk.files.remove(&name) {
        Some(_) => ffi::SQLITE_OK,
        None => ffi::SQLITE_IOERR_DELETE_NOENT,
    }
}

unsafe extern "C" fn access(_: *mut ffi::sqlite3_vfs, name: *const c_char, _: c_int, out: *mut c_int) -> c_int {
    let name = unsafe { text(name) }.unwrap_or_default();
    let disk = mounted(&name);
    let mut disk = disk.as_ref().map(|disk| disk.lock().expect("no panic"));
    if disk.as_mut().is_some_and(|disk| disk.operation(false).is_some()) {
        return ffi::SQLITE_IOERR_ACCESS;
    }
    let exists = disk.is_some_and(|disk| disk.files.contains_key(&name));
    unsafe { *out = c_int::from(exists) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_path(_: *mut ffi::sqlite3_vfs, name: *const c_char, room: c_int, out: *mut c_char) -> c_int {
    let bytes = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if bytes.len() > room as usize {
        return ffi::SQLITE_CANTOPEN;
    }
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), out, bytes.len()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, count: c_int, out: *mut c_char) -> c_int {
    // The same in every run: it only names journals.
    unsafe { std::ptr::write_bytes(out, 7, count as usize) };
    count
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    microseconds
}

unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, days: *mut f64) -> c_int {
    unsafe { *days = 2_460_000.5 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn last_error(_: *mut ffi::sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, out: *mut c_void, count: c_int, at: i64) -> c_int {
    let (open, count, at) = (unsafe { opened(file) }, count as usize, at as usize);
    let mut disk = open.disk();
    if disk.operation(false).is_some() {
        return ffi::SQLITE_IOERR_READ;
    }
    let seen = disk.files.get(&open.name).map_or(&[][..], |file| &file.seen);
    let found = seen.get(at..(at + count).min(seen.len())).unwrap_or_default();
    unsafe {
        std::ptr::write_bytes(out.cast::<u8>(), 0, count);
        std::ptr::copy_nonoverlapping(found.as_ptr(), out.cast::<u8>(), found.len());
    }
    if found.len() < count { ffi::SQLITE_IOERR_SHORT_READ } else { ffi::SQLITE_OK }
}

unsafe extern "C" fn write(file: *mut ffi::sqlite3_file, from: *const c_void, count: c_int, at: i64) -> c_int {
    let open = unsafe { opened(file) };
    let bytes = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), count as usize) };
    let mut disk = open.disk();
    let fault = disk.operation(true);
    let written = match fault {
        None => bytes,
        Some(DiskFault::Short) => &bytes[..bytes.len() / 2],
        Some(_) => &[],
    };
    if !written.is_empty() {
        let change = Change::Write { at: at as usize, bytes: written.to_vec() };
        disk.files.entry(open.name.clone()).or_default().change(change);
    }
    match fault {
        None => ffi::SQLITE_OK,
        Some(DiskFault::Io) => ffi::SQLITE_IOERR_WRITE,
        Some(_) => ffi::SQLITE_FULL,
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, len: i64) -> c_int {
    let open = unsafe { opened(file) };
    let mut disk = open.disk();
    if disk.operation(true).is_some() {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    disk.files.entry(open.name.clone()).or_default().change(Change::Truncate { len: len as usize });
    ffi::SQLITE_OK
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    let open = unsafe { opened(file) };
    let mut disk = open.disk();
    let failed = disk.operation(true).is_some();
    let file = disk.files.entry(open.name.clone()).or_default();
    file.sync(if failed { Reached::Lost } else { Reached::Synced });
    if failed {
        return ffi::SQLITE_IOERR_FSYNC;
    }
    // With a journal SQLite syncs the folder, and with it every name in it.
    if open.name.ends_with("-journal") {
        disk.files.values_mut().for_each(|file| file.named = true);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, out: *mut i64) -> c_int {
    let open = unsafe { opened(file) };
    let mut disk = open.disk();
    if disk.operation(false).is_some() {
        return ffi::SQLITE_IOERR_FSTAT;
    }
    unsafe { *out = disk.files.get(&open.name).map_or(0, |file| file.seen.len()) as i64 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(_: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    unsafe { *out = 0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    4_096
}

/// What SQLite assumes of a disk on Unix.
unsafe extern "C" fn characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}
