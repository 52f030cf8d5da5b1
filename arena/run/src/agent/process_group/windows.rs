//! The job object that an agent runs in, and what exit codes say about its end. Knows handles of processes. It ends
//! that job and nothing else.
//!
//! A process is put into its job right after it was started. Children that it starts before that are in the arena's job, which
//! ends with the arena.

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::process::ExitStatus;
use std::rc::Rc;
use std::sync::OnceLock;
use std::{io, ptr};

use anyhow::{Context, Result};
use tokio::process::Child;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::EndedBy;

/// The exit code of killed processes: that of a killed process in a Unix shell.
const KILLED: u32 = 137;

/// The arena's job, closed when the arena ends; absent if the system gives none.
static OF_THE_ARENA: OnceLock<Option<Job>> = OnceLock::new();

/// An agent and everything it has started.
#[derive(Clone, Debug)]
pub(in crate::agent) struct ProcessGroup {
    leader: i32,
    job: Rc<Job>,
}

impl ProcessGroup {
    /// For a process that was just started.
    ///
    /// # Errors
    /// It has ended, or the system gives no job object.
    pub(in crate::agent) fn of(leader: &Child) -> Result<ProcessGroup> {
        // SAFETY: this handle stands for the process that asks, and is never closed.
        OF_THE_ARENA.get_or_init(|| Job::around(unsafe { GetCurrentProcess() }.cast()).ok());
        let ended = "the process ended before it had a number";
        let (pid, process) = (leader.id().context(ended)?, leader.raw_handle().context(ended)?);
        let job = Job::around(process).context("the process cannot be put into a job object")?;
        Ok(ProcessGroup { leader: pid as i32, job: Rc::new(job) })
    }

    /// The number of the process that was started.
    pub(in crate::agent) fn leader(&self) -> i32 {
        self.leader
    }

    /// Kills all of it.
    pub(in crate::agent) fn kill(&self) {
        self.kill_rest();
    }

    /// Kills the rest of it.
    pub(in crate::agent) fn kill_rest(&self) {
        // SAFETY: the job is open as long as this is.
        let killed = unsafe { TerminateJobObject(self.job.0.as_raw_handle().cast(), KILLED) };
        // An error means that nothing is left to kill.
        let _ = killed;
    }
}

/// A job object. Its processes end when it is closed.
#[derive(Debug)]
struct Job(OwnedHandle);

impl Job {
    /// A new job with `process` in it.
    fn around(process: RawHandle) -> io::Result<Job> {
        // SAFETY: both arguments may be null; the handle is new and nobody else has it.
        let job = unsafe {
            let job = CreateJobObjectW(ptr::null(), ptr::null());
            if job.is_null() {
                return Err(io::Error::last_os_error());
            }
            Job(OwnedHandle::from_raw_handle(job.cast()))
        };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let handle = job.0.as_raw_handle().cast();
        // SAFETY: the limits are of the kind that is named, and of this size; both handles are open.
        let is_set = unsafe {
            let size = size_of_val(&limits) as u32;
            SetInformationJobObject(handle, JobObjectExtendedLimitInformation, (&raw const limits).cast(), size) != 0
                && AssignProcessToJobObject(handle, process.cast()) != 0
        };
        if is_set { Ok(job) } else { Err(io::Error::last_os_error()) }
    }
}

/// What ended a process that ended with `status`.
pub(in crate::agent) fn ended_by(status: ExitStatus, killed: bool) -> EndedBy {
    if killed && status.code() == Some(KILLED as i32) { EndedBy::Arena } else { EndedBy::Itself }
}
