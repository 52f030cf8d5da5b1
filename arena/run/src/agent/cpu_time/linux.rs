//! Processor times from `/proc` and the clocks of processes. Knows the kernel's files, not whose processes they are. It
//! only reads.

use std::time::Duration;

use nix::unistd::Pid;

use super::{Process, Thread, Usage};

/// The maximum number of processes and threads that are inspected.
const MOST: usize = 256;

/// The usage of these processes. `None` if there are none, or more than can be inspected.
pub(super) fn usage(processes: &[i32]) -> Option<Usage> {
    let mut usage = Usage::default();
    for process in processes {
        // A process that has ended meanwhile, and was waited for, has nothing more to report.
        usage.processes.extend(Process::read(*process));
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
        usage.threads.extend(tasks.filter_map(Result::ok).filter_map(|task| Thread::read(&task.path())));
        if usage.processes.len().max(usage.threads.len()) > MOST {
            return None;
        }
    }
    (!usage.processes.is_empty()).then_some(usage)
}

/// Nanoseconds on a processor of these processes and of their children that have ended. `None` if there are none.
pub(in crate::agent) fn ran_ns(processes: &[i32]) -> Option<u64> {
    let read = processes.iter().filter_map(|process| Process::read(*process));
    read.map(|process| process.ran_ns + process.ended_ns).reduce(|sum, more| sum + more)
}

impl Process {
    fn read(id: i32) -> Option<Process> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // `PID (name) state …`, and the name may hold anything. After it, from 0: the state; 13 and 14, the ticks of children
        // in user and kernel mode; 19, the start.
        let numbers: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let number = |place: usize| numbers.get(place)?.parse::<u64>().ok();
        let ended_ns = (number(13)? + number(14)?) * tick_ns();
        let clock = nix::time::clock_getcpuclockid(Pid::from_raw(id)).ok()?;
        let ran = Duration::from(clock.now().ok()?);
        Some(Process { id, began: number(19)?, ran_ns: ran.as_nanos() as u64, ended_ns })
    }
}

/// Nanoseconds per tick, the kernel's unit for process times.
fn tick_ns() -> u64 {
    const USUAL: i64 = 100;
    let a_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK).ok().flatten().unwrap_or(USUAL);
    1_000_000_000 / a_second.max(1) as u64
}

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

    #[test]
    fn threads_and_children_that_have_ended_are_counted() {
        let us = std::process::id() as i32;
        let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
        let spend = move || while clock.now().is_ok_and(|ran| Duration::from(ran) < Duration::from_millis(30)) {};
        let before = usage(&[us]).expect("this process");
        std::thread::spawn(spend).join().expect("a thread");
        let after = usage(&[us]).expect("this process");
        let ran = after.since(&before).ran_us;
        assert!(ran >= 30_000, "a thread that has ended: {ran} us");
        let script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        std::process::Command::new("sh").args(["-c", script]).status().expect("a shell");
        let last = usage(&[us]).expect("this process");
        assert!(last.processes[0].ended_ns > after.processes[0].ended_ns, "a child that has ended");
    }

    #[test]
    fn a_child_is_found_and_a_busy_process_has_run() {
        let busy = std::process::Command::new("sh")
            .args(["-c", "i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done & wait"])
            .spawn();
        let mut busy = busy.expect("a shell");
        let pid = busy.id() as i32;
        let ran = || Usage::of(pid).filter(|usage| usage.threads.len() == 2).map(|usage| usage.threads[1].ran_ns);
        let first = std::iter::from_fn(|| Some(ran())).flatten().next();
        let later = std::iter::from_fn(|| Some(ran())).flatten().find(|ran| Some(*ran) > first);
        assert!(later > first);
        // Ends the shell, and with it the processes it waits for.
        let child = Usage::of(pid).map(|usage| usage.threads[1].id);
        busy.kill().expect("a process to kill");
        busy.wait().expect("a process that has ended");
        let child = Pid::from_raw(child.expect("a child"));
        nix::sys::signal::kill(child, nix::sys::signal::Signal::SIGKILL).expect("a child to kill");
    }
}
