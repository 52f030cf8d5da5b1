//! The control group of one agent: all its processes, however they were created. It reads and writes only the files of
//! this group, and kills the processes in it; limits are written by its parent module.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How often the processes of a group are killed before the rest is left: each time none of the killed ones can fork any more.
const KILLS: u32 = 100;
/// How often removing a group is tried when everything waits for it, and the pause between tries: killed processes take a
/// moment to go.
const REMOVALS_AT_LAST: u32 = 50;
const PAUSE: Duration = Duration::from_millis(1);

/// A control group, with one folder for each hierarchy that holds a limit. When dropped, it is killed and removed; if the
/// killed processes take too long, the next arena removes it.
#[derive(Debug)]
pub struct Group {
    pub(super) folders: Vec<PathBuf>,
    /// The folder whose hierarchy counts memory.
    pub(super) memory: PathBuf,
    /// The limit, in MiB.
    pub(super) memory_mib: u64,
}

impl Group {
    /// The files through which a process enters it, by writing `0`.
    pub(crate) fn entrances(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// Nanoseconds on a processor of everything that was ever in it, if the system counts them.
    pub fn ran_ns(&self) -> Option<u64> {
        let read = |name: &str| self.folders.iter().find_map(|folder| std::fs::read_to_string(folder.join(name)).ok());
        if let Some(text) = read("cpuacct.usage") {
            return text.trim().parse().ok();
        }
        let text = read("cpu.stat")?;
        let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec ")?.parse::<u64>().ok())?;
        Some(micros * 1_000)
    }

    /// What the limits did to the agent, if anything.
    pub fn verdict(&self) -> Option<String> {
        let kills = ["memory.events", "memory.oom_control"].iter().find_map(|file| {
            let text = std::fs::read_to_string(self.memory.join(file)).ok()?;
            text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse::<u64>().ok())
        })?;
        (kills > 0).then(|| format!("the limit of {} MiB of memory killed {kills} of its processes", self.memory_mib))
    }

    /// Kills every process in it, at once if the system can, and prevents forks meanwhile.
    pub fn kill(&self) {
        if self.folders.iter().any(|folder| std::fs::write(folder.join("cgroup.kill"), "1").is_ok()) {
            return;
        }
        for folder in &self.folders {
            // Only one of the hierarchies has it.
            let _ = std::fs::write(folder.join("pids.max"), "0");
        }
        for _ in 0..KILLS {
            let members: Vec<Pid> = self.folders.iter().flat_map(|folder| members(folder)).collect();
            if members.is_empty() {
                return;
            }
            for pid in members {
                // It may have ended since it was listed; then there is nothing to kill.
                let _ = kill(pid, Signal::SIGKILL);
            }
        }
    }

    /// True if no process is left in it.
    pub fn is_empty(&self) -> bool {
        self.folders.iter().all(|folder| members(folder).is_empty())
    }

    /// Has the kernel drop what the processes of this group brought into memory and nobody uses: pages of files, names that they looked
    /// up. By the time that a read or a look takes, a later agent could find out what is there. To be called once they have ended, on a
    /// thread that may wait some milliseconds.
    pub fn forget(&self) -> impl FnOnce() -> std::io::Result<()> + Send + 'static + use<> {
        // Version 2 has no word for it, but lets nothing stay above a limit of nothing.
        let [all, limit] = ["memory.force_empty", "memory.high"].map(|name| self.memory.join(name));
        move || std::fs::write(if all.exists() { all } else { limit }, "0")
    }

    /// Its folders, as text for people.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Tries to remove it, which works once it is empty; returns whether it is gone now.
    pub fn try_remove(&self) -> bool {
        let gone = |folder: &PathBuf| match std::fs::remove_dir(folder) {
            Ok(()) => true,
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        self.folders.iter().filter(|folder| !gone(folder)).count() == 0
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..REMOVALS_AT_LAST {
            if self.try_remove() {
                return;
            }
            self.kill();
            std::thread::sleep(PAUSE);
        }
    }
}

/// The processes in a group.
pub(super) fn members(folder: &Path) -> Vec<Pid> {
    let text = std::fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    // 0 stands for a process that has no number in this namespace.
    text.lines().filter_map(|line| line.parse().ok()).filter(|pid| *pid > 0).map(Pid::from_raw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_in_memory_is_dropped_in_the_words_of_each_version() {
        for (offered, asked) in [(["memory.force_empty", "memory.high"], 0), (["memory.events", "memory.high"], 1)] {
            let folder = tempfile::TempDir::new().expect("a folder");
            let files = offered.map(|name| folder.path().join(name));
            files.iter().for_each(|file| std::fs::write(file, "max").expect("a file"));
            let memory = folder.path().to_owned();
            let group = Group { folders: Vec::new(), memory, memory_mib: 1 };
            group.forget()().expect("a file");
            let said = files.map(|file| std::fs::read_to_string(file).expect("a file"));
            assert_eq!(said.each_ref().map(|text| text == "0"), [asked == 0, asked == 1]);
        }
    }
}
