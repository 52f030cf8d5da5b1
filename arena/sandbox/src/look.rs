//! A look at a running process, as the operating system describes it: who it is, what it may do, what it has used. It reads `/proc`
//! and changes nothing; what the process was permitted is known to those who started it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::ProcessTree;

/// What the system says of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProcessLook {
    /// Its number.
    pub pid: i32,
    /// Its user; real, effective, saved, and the one for files, if these differ.
    pub users: String,
    /// Its group, likewise.
    pub groups: String,
    /// Its further groups; empty = none.
    pub further_groups: String,
    /// The capabilities that it has or could get, as hexadecimal digits; empty = none.
    pub capabilities: String,
    /// True if no program that it runs gains rights.
    pub no_new_privileges: bool,
    /// True if its system calls are filtered.
    pub filtered: bool,
    /// The kinds of namespaces that it does not share with the arena.
    pub own_namespaces: Vec<String>,
    /// Its limits by the names that the kernel has for them: those that differ from the arena's.
    pub limits: BTreeMap<String, String>,
    /// The most memory that it had at once, in KiB.
    pub memory_kib: u64,
    /// The processor time that it has used, in milliseconds.
    pub ran_ms: u64,
    /// Its threads.
    pub threads: u64,
    /// Processes below it.
    pub children: u64,
}

impl ProcessLook {
    /// Looks at the agent whose first process is `leader`; if that is its guard, at the process in the namespaces. `None` if it is gone, or
    /// this system has no `/proc`.
    pub fn at(leader: i32, has_guard: bool) -> Option<ProcessLook> {
        let tree = ProcessTree::now();
        let pid = if has_guard { innermost(&tree, leader) } else { leader };
        let place = PathBuf::from(format!("/proc/{pid}"));
        let status = std::fs::read_to_string(place.join("status")).ok()?;
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let number = |name: &str| of(name).split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
        let capabilities: u64 = ["CapInh", "CapPrm", "CapEff", "CapAmb"]
            .iter()
            .map(|set| u64::from_str_radix(&of(set), 16).unwrap_or(u64::MAX))
            .fold(0, |all, set| all | set);
        Some(ProcessLook {
            pid,
            users: once(&of("Uid")),
            groups: once(&of("Gid")),
            further_groups: of("Groups"),
            capabilities: if capabilities == 0 { String::new() } else { format!("{capabilities:x}") },
            no_new_privileges: of("NoNewPrivs") == "1",
            filtered: of("Seccomp") == "2",
            own_namespaces: own_namespaces(pid),
            limits: limits(pid),
            memory_kib: number("VmHWM"),
            ran_ms: ran_ms(pid).unwrap_or_default(),
            threads: number("Threads"),
            children: tree.tree(pid).len() as u64 - 1,
        })
    }

    /// Who it is and what it may do, in one line.
    pub fn rights(&self) -> String {
        let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
        let limits: Vec<String> = self.limits.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!(
            "user {}, group {}, further groups {}, capabilities {}, gains rights {}, system calls filtered {}, namespaces of its own {}, \
             limits {}",
            self.users,
            self.groups,
            or(&self.further_groups, "none"),
            or(&self.capabilities, "none"),
            if self.no_new_privileges { "no" } else { "yes" },
            if self.filtered { "yes" } else { "no" },
            or(&self.own_namespaces.join(" "), "none"),
            or(&limits.join("; "), "those of the arena")
        )
    }
}

/// Words that are all the same, as one.
fn once(words: &str) -> String {
    let mut all: Vec<&str> = words.split(' ').collect();
    all.dedup();
    if all.len() == 1 { all.concat() } else { words.to_owned() }
}

/// The agent below its guard: the filtered process with the lowest number in its namespace but the first, which only waits for it.
fn innermost(tree: &ProcessTree, leader: i32) -> i32 {
    let number_inside = |pid: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
        let number = line.split_whitespace().last()?.parse::<i32>().ok()?;
        (status.contains("Seccomp:\t2") && number > 1).then_some(number)
    };
    let all = tree.tree(leader).into_iter();
    all.filter_map(|pid| Some((number_inside(&pid)?, pid))).min().map_or(leader, |(_, pid)| pid)
}

fn own_namespaces(pid: i32) -> Vec<String> {
    let Ok(kinds) = std::fs::read_dir("/proc/self/ns") else { return Vec::new() };
    let mut own: Vec<String> = kinds
        .flatten()
        .filter_map(|kind| kind.file_name().into_string().ok())
        .filter(|kind| !kind.ends_with("_for_children"))
        .filter(|kind| {
            let [this, there] =
                ["self".to_owned(), pid.to_string()].map(|who| std::fs::read_link(format!("/proc/{who}/ns/{kind}")));
            matches!((this, there), (Ok(this), Ok(there)) if this != there)
        })
        .collect();
    own.sort();
    own
}

/// The lines of `/proc/PID/limits` that differ from those of this process: name, soft limit.
fn limits(pid: i32) -> BTreeMap<String, String> {
    let read = |who: &str| std::fs::read_to_string(format!("/proc/{who}/limits")).unwrap_or_default();
    let own = read("self");
    let of = |text: &str| -> Vec<(String, String)> {
        // Columns of fixed width: the name, the soft limit, the hard one, the unit.
        let row = |line: &str| {
            let (name, rest) = line.split_at_checked(26)?;
            let mut words = rest.split_whitespace();
            let (soft, unit) = (words.next()?, words.nth(1).unwrap_or_default());
            Some((name.trim().trim_start_matches("Max ").to_owned(), format!("{soft} {unit}").trim().to_owned()))
        };
        text.lines().skip(1).filter_map(row).collect()
    };
    let own: BTreeMap<String, String> = of(&own).into_iter().collect();
    of(&read(&pid.to_string())).into_iter().filter(|(name, value)| own.get(name) != Some(value)).collect()
}

/// The processor time of a process, of all its threads.
#[cfg(target_os = "linux")]
fn ran_ms(pid: i32) -> Option<u64> {
    let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(pid)).ok()?;
    Some(std::time::Duration::from(clock.now().ok()?).as_millis() as u64)
}

/// Only Linux shows it.
#[cfg(not(target_os = "linux"))]
fn ran_ms(_: i32) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_described_by_the_system() {
        let mut child = std::process::Command::new("sh");
        child.args(["-c", "ulimit -n 100; read x"]).stdin(std::process::Stdio::piped());
        let mut child = child.spawn().expect("a process");
        let pid = child.id() as i32;
        let limited = || ProcessLook::at(pid, false).filter(|look| look.limits.contains_key("open files"));
        let look = std::iter::repeat_with(limited).take(1_000_000).flatten().next().expect("it limits itself");
        let user = nix::unistd::Uid::current().to_string();
        assert_eq!(look.users, user);
        assert_eq!((look.pid, &look.limits["open files"]), (pid, &"100 files".to_owned()));
        assert!(look.own_namespaces.is_empty() && look.memory_kib > 0, "{look:?}");
        assert!(look.rights().contains("namespaces of its own none, limits open files 100 files"), "{}", look.rights());
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert_eq!(ProcessLook::at(pid, false), None);
    }
}
