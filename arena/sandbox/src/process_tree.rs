//! Finds the processes below another, from `/proc`. It reads numbers of processes and changes nothing; whose they are
//! is known by its callers.

use std::collections::BTreeMap;

/// The processes and their parents.
pub enum ProcessTree {
    /// The kernel's list of each process's children, which takes microseconds; one may be missing if others end at the same
    /// moment.
    Listed,
    /// All processes, each with its parent, at one moment.
    Seen(BTreeMap<i32, i32>),
}

impl ProcessTree {
    /// The present ones; none if there is no `/proc`.
    pub fn now() -> ProcessTree {
        if std::fs::exists("/proc/thread-self/children").unwrap_or_default() {
            return ProcessTree::Listed;
        }
        let Ok(entries) = std::fs::read_dir("/proc") else { return ProcessTree::Seen(BTreeMap::new()) };
        let process = |entry: std::fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // `PID (name) state parent …`, and the name may hold anything.
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            Some((pid, parent))
        };
        ProcessTree::Seen(entries.flatten().filter_map(process).collect())
    }

    /// The children of `pid`, including those that have ended and have not been waited for.
    pub fn children(&self, pid: i32) -> Vec<i32> {
        match self {
            ProcessTree::Listed => listed(pid),
            ProcessTree::Seen(all) => {
                all.iter().filter(|(_, parent)| **parent == pid).map(|(child, _)| *child).collect()
            }
        }
    }

    /// `pid` and everything below it.
    pub fn tree(&self, pid: i32) -> Vec<i32> {
        let mut found = vec![pid];
        let mut next = 0;
        while let Some(parent) = found.get(next).copied() {
            found.extend(self.children(parent));
            next += 1;
        }
        found
    }
}

/// The children of all threads of `pid`.
fn listed(pid: i32) -> Vec<i32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_found_whatever_the_order_of_the_numbers() {
        let family = ProcessTree::Seen(BTreeMap::from([(1, 0), (5, 1), (9, 5), (3, 9), (4, 3), (7, 1)]));
        let mut found = family.tree(5);
        found.sort_unstable();
        assert_eq!(found, [3, 4, 5, 9]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_in_the_family_until_it_has_been_waited_for() {
        let us = nix::unistd::getpid().as_raw();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let pid = child.id() as i32;
        // Other tests have children as well.
        assert!(ProcessTree::now().children(us).contains(&pid));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(!ProcessTree::now().children(us).contains(&pid));
    }
}
