//! How much processor time an agent has had, and how long it waited for it.

use std::time::Duration;

use nix::unistd::Pid;

use super::Family;

/// The time of every thread that an agent runs, its children's included. Two of them tell what happened in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    threads: Vec<Thread>,
}

/// One thread since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Thread {
    id: i32,
    ran_ns: u64,
    waited_ns: u64,
}

/// What happened between two moments, of all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// Microseconds on a processor.
    pub(crate) ran_us: u64,
    /// Microseconds ready to run, but waiting for a processor.
    pub(crate) waited_us: u64,
}

/// The most threads that are looked at: an agent with more of them waits for itself.
#[cfg(target_os = "linux")]
const MOST_THREADS: usize = 256;

impl Usage {
    /// The usage of the process `pid` and its descendants. `None` where the system does not tell.
    pub(crate) fn of(pid: Pid) -> Option<Usage> {
        Usage::of_processes(&Family::now().tree(pid.as_raw()))
    }

    /// The usage of these processes. `None` where there are none or the system does not tell.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_processes(processes: &[i32]) -> Option<Usage> {
        let mut usage = Usage::default();
        for process in processes {
            // A process that has ended meanwhile has nothing more to tell.
            let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
            for task in tasks.filter_map(Result::ok) {
                if usage.threads.len() == MOST_THREADS {
                    break;
                }
                usage.threads.extend(Thread::read(&task.path()));
            }
        }
        (!usage.threads.is_empty()).then_some(usage)
    }

    /// The usage of these processes, which this system does not tell.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of_processes(_: &[i32]) -> Option<Usage> {
        None
    }

    /// What was spent since `before`. A thread that has ended meanwhile is left out.
    pub(crate) fn since(&self, before: &Usage) -> Spent {
        let mut spent = Spent::default();
        for thread in &self.threads {
            // A thread that has run less than the one of this number before is another one.
            let known = before.threads.iter().find(|known| known.id == thread.id && known.ran_ns <= thread.ran_ns);
            let (ran, waited) = known.map_or((0, 0), |known| (known.ran_ns, known.waited_ns));
            spent.ran_us += (thread.ran_ns - ran) / 1_000;
            spent.waited_us += thread.waited_ns.saturating_sub(waited) / 1_000;
        }
        spent
    }

    /// One thread that has run and waited for so long, where agents are scripted.
    pub(crate) fn scripted(ran: Duration, waited: Duration) -> Usage {
        Usage { threads: vec![Thread { id: 1, ran_ns: ran.as_nanos() as u64, waited_ns: waited.as_nanos() as u64 }] }
    }
}

#[cfg(target_os = "linux")]
impl Thread {
    /// Reads `schedstat`: nanoseconds on a processor, nanoseconds of waiting for one, time slices.
    fn read(task: &std::path::Path) -> Option<Thread> {
        let id = task.file_name()?.to_str()?.parse().ok()?;
        let line = std::fs::read_to_string(task.join("schedstat")).ok()?;
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u64>);
        Some(Thread { id, ran_ns: numbers.next()?.ok()?, waited_ns: numbers.next()?.ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(threads: &[(i32, u64, u64)]) -> Usage {
        let thread =
            |(id, ran, waited): &(i32, u64, u64)| Thread { id: *id, ran_ns: ran * 1_000, waited_ns: waited * 1_000 };
        Usage { threads: threads.iter().map(thread).collect() }
    }

    #[test]
    fn threads_that_came_and_went_count_for_what_they_did_meanwhile() {
        let before = usage(&[(1, 100, 10), (2, 50, 5), (3, 40, 4)]);
        // 2 has ended, 3 is another thread by the same number, 4 is new.
        let after = usage(&[(1, 130, 15), (3, 7, 1), (4, 9, 2)]);
        assert_eq!(after.since(&before), Spent { ran_us: 30 + 7 + 9, waited_us: 5 + 1 + 2 });
        assert_eq!(before.since(&before), Spent::default());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_found_and_a_busy_process_has_run() {
        let busy = std::process::Command::new("sh")
            .args(["-c", "i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done & wait"])
            .spawn();
        let mut busy = busy.expect("a shell");
        let pid = Pid::from_raw(busy.id() as i32);
        let ran = || Usage::of(pid).filter(|usage| usage.threads.len() == 2).map(|usage| usage.threads[1].ran_ns);
        let first = std::iter::from_fn(|| Some(ran())).flatten().next();
        let later = std::iter::from_fn(|| Some(ran())).flatten().find(|ran| Some(*ran) > first);
        assert!(later > first);
        // Ends the shell, and with it what it waits for.
        let child = Usage::of(pid).map(|usage| usage.threads[1].id);
        busy.kill().expect("a process to kill");
        busy.wait().expect("a process that has ended");
        let child = Pid::from_raw(child.expect("a child"));
        nix::sys::signal::kill(child, nix::sys::signal::Signal::SIGKILL).expect("a child to kill");
    }
}
