//! How much processor time an agent has used, and how long it waited for a processor. Knows processes and threads by
//! their numbers; `linux` reads their times, and other systems do not publish them (`elsewhere`). It only measures; who
//! is charged is decided in `runner`.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

use std::time::Duration;

use maumau_referee::story::diagnosis::CpuUse;

use super::ProcessTree;
#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub(super) use system::ran_ns;

/// The usage of everything that an agent runs, at one moment. The difference of two is what was used in between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    processes: Vec<Process>,
    threads: Vec<Thread>,
    /// Nanoseconds on a processor of all processes that ever ran, if the agent has a control group that counts them.
    group_ns: Option<u64>,
}

/// A process since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    /// When it started, in ticks: numbers are reused.
    began: u64,
    /// Nanoseconds on a processor of all its threads, including those that have ended.
    ran_ns: u64,
    /// The same of its children that have ended and that it has waited for, and of their descendants.
    ended_ns: u64,
}

/// A thread since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Thread {
    id: i32,
    ran_ns: u64,
    waited_ns: u64,
}

/// The usage between two moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Microseconds on a processor, of everything that the agent ran.
    pub ran_us: u64,
    /// Microseconds that one of its threads was ready to run and waited, although nothing else of the agent can have occupied
    /// the processor it waited for.
    pub waited_us: u64,
}

impl Spent {
    /// The same for a diagnosis.
    pub fn cpu_use(self) -> CpuUse {
        CpuUse { ran: Duration::from_micros(self.ran_us), waited: Duration::from_micros(self.waited_us) }
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, more: Spent) {
        self.ran_us += more.ran_us;
        self.waited_us += more.waited_us;
    }
}

/// What an agent has spent, from several samples of its usage.
///
/// The kernel books waiting when it ends. So it is measured over as many samples as the processes stay the same, and not from
/// each sample to the next, which would set waiting against less work than it was for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spending {
    /// Spent until the processes last changed.
    before: Spent,
    /// The first sample with the current processes.
    first: Usage,
    last: Usage,
}

impl Spending {
    /// Starts with the first sample.
    pub fn new(first: Usage) -> Spending {
        Spending { before: Spent::default(), last: first.clone(), first }
    }

    /// Adds a sample.
    pub fn look(&mut self, usage: Usage) {
        if !usage.can_be_compared_with(&self.last) {
            self.before += self.last.since(&self.first);
            self.before += usage.since(&self.last);
            self.first = usage.clone();
        }
        self.last = usage;
    }

    /// What was spent until the last sample.
    pub fn spent(&self) -> Spent {
        let mut spent = self.before;
        spent += self.last.since(&self.first);
        spent
    }
}

impl Usage {
    /// The usage of the process `pid` and its descendants. `None` if the system does not publish it.
    pub fn of(pid: i32) -> Option<Usage> {
        Usage::of_processes(&ProcessTree::now().tree(pid))
    }

    /// The usage of these processes. `None` if there are none, or more than can be inspected, or the system does not publish
    /// it.
    pub fn of_processes(processes: &[i32]) -> Option<Usage> {
        system::usage(processes)
    }

    /// The same, when the agent's control group has counted this many nanoseconds.
    pub fn counted_by_group(self, group_ns: Option<u64>) -> Usage {
        Usage { group_ns, ..self }
    }

    /// What was spent since `before`, a sample of the same agent.
    ///
    /// A thread that was ready to run waited for whatever occupied its processor. That may have been anything else that the
    /// agent ran, so all of it is subtracted from the waiting of the thread that waited most. A process can end without its
    /// usage ever being reported (its parent need not wait for it). So if the processes are not the same as before, no waiting
    /// is counted, unless a control group has counted all they used.
    pub fn since(&self, before: &Usage) -> Spent {
        let counted = self.group_ns.zip(before.group_ns).map(|(now, before)| now.saturating_sub(before));
        let ran_ns = counted.unwrap_or_else(|| self.ran_since(before));
        let waited = self.threads.iter().map(|thread| {
            // A thread that has run for less time than the earlier one with this number is a different thread.
            let known = before.threads.iter().find(|known| known.id == thread.id && known.ran_ns <= thread.ran_ns);
            let (ran, waited) = known.map_or((0, 0), |known| (known.ran_ns, known.waited_ns));
            let of_others = ran_ns.saturating_sub(thread.ran_ns - ran);
            thread.waited_ns.saturating_sub(waited).saturating_sub(of_others)
        });
        let waited_ns = if self.can_be_compared_with(before) { waited.max().unwrap_or(0) } else { 0 };
        Spent { ran_us: ran_ns / 1_000, waited_us: waited_ns / 1_000 }
    }

    /// What was spent since the start. Waiting is that of the thread that waited most, as in [`Usage::since`]; what processes
    /// used that nobody has waited for is not known, so this is no ground for a verdict.
    pub fn since_start(&self) -> Spent {
        let ran_ns = self.ran_since(&Usage::default());
        let waited = |thread: &Thread| thread.waited_ns.saturating_sub(ran_ns.saturating_sub(thread.ran_ns));
        let waited_ns = self.threads.iter().map(waited).max().unwrap_or(0);
        Spent { ran_us: ran_ns / 1_000, waited_us: waited_ns / 1_000 }
    }

    /// True if everything that was used since `before` is known.
    fn can_be_compared_with(&self, before: &Usage) -> bool {
        let known = |process: &Process| before.find(process).is_some();
        let same = self.processes.len() == before.processes.len() && self.processes.iter().all(known);
        same || (self.group_ns.is_some() && before.group_ns.is_some())
    }

    fn find(&self, process: &Process) -> Option<&Process> {
        self.processes.iter().find(|other| (other.id, other.began) == (process.id, process.began))
    }

    /// Nanoseconds on a processor since `before`, as far as the present processes know.
    fn ran_since(&self, before: &Usage) -> u64 {
        let (mut ran, mut ended) = (0, 0);
        for process in &self.processes {
            let (ran_before, ended_before) =
                before.find(process).map_or((0, 0), |known| (known.ran_ns, known.ended_ns));
            ran += process.ran_ns.saturating_sub(ran_before);
            ended += process.ended_ns.saturating_sub(ended_before);
        }
        // What ended processes used before has been counted already.
        let gone = before.processes.iter().filter(|process| self.find(process).is_none());
        ran + ended.saturating_sub(gone.map(|process| process.ran_ns + process.ended_ns).sum())
    }

    /// One thread that has run and waited for this long, for scripted agents.
    pub fn scripted(ran: Duration, waited: Duration) -> Usage {
        let (ran_ns, waited_ns) = (ran.as_nanos() as u64, waited.as_nanos() as u64);
        Usage {
            processes: vec![Process { id: 1, began: 0, ran_ns, ended_ns: 0 }],
            threads: vec![Thread { id: 1, ran_ns, waited_ns }],
            group_ns: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Processes as (number, milliseconds run, of ended children), threads as (number, run, waited).
    fn usage(processes: &[(i32, u64, u64)], threads: &[(i32, u64, u64)]) -> Usage {
        let ns = |ms: u64| ms * 1_000_000;
        let process =
            |(id, ran, ended): &(i32, u64, u64)| Process { id: *id, began: 7, ran_ns: ns(*ran), ended_ns: ns(*ended) };
        let thread = |(id, ran, waited): &(i32, u64, u64)| Thread { id: *id, ran_ns: ns(*ran), waited_ns: ns(*waited) };
        let (processes, threads) = (processes.iter().map(process).collect(), threads.iter().map(thread).collect());
        Usage { processes, threads, group_ns: None }
    }

    #[test]
    fn the_table_of_waiting_is_this() {
        let before = usage(&[(1, 100, 0)], &[(1, 100, 10)]);
        for (what, after, ran_ms, waited_ms) in [
            ("nothing happened", before.clone(), 0, 0),
            ("it slept", usage(&[(1, 110, 0)], &[(1, 110, 10)]), 10, 0),
            ("it waited", usage(&[(1, 110, 0)], &[(1, 110, 500)]), 10, 490),
            ("two threads waited for the host", usage(&[(1, 110, 0)], &[(1, 105, 500), (2, 5, 900)]), 10, 895),
            // On one processor: each waited while the other ran.
            ("two threads waited for each other", usage(&[(1, 500, 0)], &[(1, 300, 210), (2, 200, 200)]), 400, 0),
            ("half of it for each other", usage(&[(1, 500, 0)], &[(1, 300, 500), (2, 200, 300)]), 400, 290),
            // The process knows what it has spent in threads that no longer exist.
            ("it waited for threads that have ended", usage(&[(1, 600, 0)], &[(1, 110, 500)]), 500, 0),
            ("it waited for children that have ended", usage(&[(1, 110, 480)], &[(1, 110, 500)]), 490, 10),
            ("a child is new", usage(&[(1, 110, 0), (2, 5, 0)], &[(1, 110, 500), (2, 5, 0)]), 15, 0),
            ("another process has its number", usage(&[(2, 110, 0)], &[(2, 10, 500)]), 110, 0),
        ] {
            let expected = Spent { ran_us: ran_ms * 1_000, waited_us: waited_ms * 1_000 };
            assert_eq!(after.since(&before), expected, "{what}");
        }
    }

    #[test]
    fn a_loop_that_never_gets_a_processor_is_seen_from_its_start() {
        let ms = |spent: Spent| (spent.ran_us / 1_000, spent.waited_us / 1_000);
        assert_eq!(ms(usage(&[(1, 60, 0)], &[(1, 60, 900)]).since_start()), (60, 900));
        assert_eq!(ms(usage(&[(1, 500, 100)], &[(1, 300, 210), (2, 200, 200)]).since_start()), (600, 0));
        assert_eq!(ms(usage(&[(1, 20, 0)], &[(1, 20, 0)]).since_start()), (20, 0));
    }

    #[test]
    fn waiting_is_compared_with_all_the_work_that_it_was_for() {
        // Four threads in turn on one processor, 20 ms each; a sample after each turn, when the wait of the next one is booked.
        let look = |turns: u64| {
            let thread = |id: u64| {
                let ran = (turns + 3 - id) / 4 * 20;
                (id as i32, ran, if turns > id { turns * 20 - ran } else { 0 })
            };
            usage(&[(1, turns * 20, 0)], &[0, 1, 2, 3].map(thread))
        };
        let mut spending = Spending::new(look(0));
        (1..=40).for_each(|turns| spending.look(look(turns)));
        let Spent { ran_us, waited_us } = spending.spent();
        assert_eq!(ran_us, 800_000);
        assert!(waited_us <= 60_000, "{waited_us}");
    }

    #[test]
    fn spending_is_added_up_over_changes_of_the_processes() {
        let mut spending = Spending::new(usage(&[(1, 100, 0)], &[(1, 100, 10)]));
        for (processes, threads) in [
            (vec![(1, 100, 0)], vec![(1, 100, 60)]),
            (vec![(1, 100, 0)], vec![(1, 100, 110)]),
            // A child that nobody has waited for came and went: waiting in that time is not counted.
            (vec![(1, 100, 0), (2, 1, 0)], vec![(1, 100, 510)]),
            (vec![(1, 100, 0)], vec![(1, 100, 910)]),
            (vec![(1, 110, 0)], vec![(1, 110, 960)]),
        ] {
            spending.look(usage(&processes, &threads));
        }
        assert_eq!(spending.spent(), Spent { ran_us: 11_000, waited_us: 150_000 });
    }

    #[test]
    fn of_a_child_that_has_ended_only_what_is_new_is_counted() {
        let before = usage(&[(1, 100, 0), (2, 400, 0)], &[]);
        let after = usage(&[(1, 100, 430)], &[]);
        assert_eq!(after.since(&before), Spent { ran_us: 30_000, waited_us: 0 });
    }

    #[test]
    fn a_control_group_knows_what_nobody_has_waited_for() {
        let before = usage(&[(1, 100, 0)], &[(1, 100, 10)]).counted_by_group(Some(0));
        let after = usage(&[(1, 110, 0), (3, 1, 0)], &[(1, 110, 500)]).counted_by_group(Some(300_000_000));
        assert_eq!(after.since(&before), Spent { ran_us: 300_000, waited_us: 200_000 });
    }
}
