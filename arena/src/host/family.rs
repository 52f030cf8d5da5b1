//! Which processes there are below another, from `/proc`.

use std::collections::BTreeMap;

/// All processes with their parents, as they were at one moment.
pub(crate) struct Family(BTreeMap<i32, i32>);

impl Family {
    /// Those of now; none where there is no `/proc`.
    pub(crate) fn now() -> Family {
        let Ok(entries) = std::fs::read_dir("/proc") else { return Family(BTreeMap::new()) };
        let process = |entry: std::fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // `PID (name) state parent …`, and the name may hold anything.
            let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            Some((pid, parent))
        };
        Family(entries.flatten().filter_map(process).collect())
    }

    /// The children of `pid`.
    pub(crate) fn children(&self, pid: i32) -> impl Iterator<Item = i32> {
        self.0.iter().filter(move |(_, parent)| **parent == pid).map(|(child, _)| *child)
    }

    /// `pid` and everything below it.
    pub(crate) fn tree(&self, pid: i32) -> Vec<i32> {
        let mut found = vec![pid];
        let mut next = 0;
        while let Some(parent) = found.get(next).copied() {
            found.extend(self.children(parent));
            next += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_found_whatever_the_order_of_the_numbers() {
        let family = Family(BTreeMap::from([(1, 0), (5, 1), (9, 5), (3, 9), (4, 3), (7, 1)]));
        let mut found = family.tree(5);
        found.sort_unstable();
        assert_eq!(found, [3, 4, 5, 9]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_among_the_processes() {
        let us = nix::unistd::getpid().as_raw();
        assert!(Family::now().children(nix::unistd::getppid().as_raw()).any(|pid| pid == us));
    }
}
