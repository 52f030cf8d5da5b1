//! The files that an agent's command names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf, is_separator};

use crate::command::AgentCommand;

/// Folders whose files are made by the system when they are read.
const SPECIAL: [&str; 3] = ["/proc", "/sys", "/dev"];

impl AgentCommand {
    /// The files that the command names, found as the agent finds them: its program, every word that is a file, also in the
    /// form `--weights=net.bin`, and the files of its grant. The keys are their names as written, below the command's folder.
    ///
    /// Interpreters and files of the system belong to the machine and not to the agent, and are left out; so is this program
    /// where it is the agent.
    pub fn named_files(&self) -> BTreeMap<String, PathBuf> {
        let mut files = BTreeMap::new();
        if self.program() != "maumau" {
            let program = self.program();
            if self.interpreted().is_some() {
                // What it interprets is one of the words.
            } else if program.contains(is_separator) {
                self.add_file(program, &mut files);
            } else if let Some(found) = in_path(program) {
                add(program.to_owned(), found, &mut files);
            }
            for word in self.arguments() {
                let value = word.split_once('=').map(|(_, value)| value);
                [Some(word.as_str()), value].into_iter().flatten().for_each(|name| self.add_file(name, &mut files));
            }
        }
        // A grant's paths do not start from the command's folder.
        self.grant().reads().for_each(|path| add(path.display().to_string(), path.to_owned(), &mut files));
        files
    }

    fn add_file(&self, name: &str, files: &mut BTreeMap<String, PathBuf>) {
        let path = self.directory().unwrap_or(Path::new("")).join(name);
        add(path.display().to_string(), path, files);
    }
}

fn add(name: String, path: PathBuf, files: &mut BTreeMap<String, PathBuf>) {
    let Ok(real) = path.canonicalize() else { return };
    let is_special = SPECIAL.iter().any(|folder| real.starts_with(folder));
    if real.is_file() && !is_special && !is_of_system(&real) {
        files.insert(name, path);
    }
}

#[cfg(target_os = "linux")]
use crate::file_access::is_of_system;

#[cfg(not(target_os = "linux"))]
fn is_of_system(_: &Path) -> bool {
    false
}

/// The program that a shell would find.
#[cfg(target_os = "linux")]
fn in_path(program: &str) -> Option<PathBuf> {
    crate::file_access::find_in(program, std::env::split_paths(&std::env::var_os("PATH")?))
}

/// Which files of PATH belong to the system is not known here.
#[cfg(not(target_os = "linux"))]
fn in_path(_: &str) -> Option<PathBuf> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_its_script_and_its_weights_but_no_interpreter() {
        let folder = tempfile::TempDir::new().expect("a folder");
        for name in ["bot.py", "net.bin", "other.bin"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let names = |line: &str| {
            let command = AgentCommand::parse(line).expect("a command").in_directory(folder.path().to_owned());
            let of = |path: PathBuf| path.strip_prefix(folder.path()).map(|name| name.display().to_string());
            command.named_files().into_values().map(of).collect::<Result<Vec<_>, _>>().expect("files of the folder")
        };
        assert_eq!(names("python3 bot.py --weights=net.bin --level 3"), ["bot.py", "net.bin"]);
        assert_eq!(names("./bot.py"), ["bot.py"]);
        assert_eq!(names("maumau agent bot.py"), Vec::<String>::new());
        assert_eq!(names("sh -c 'exec ./bot.py' /dev/null . ''"), Vec::<String>::new());
    }
}
