//! The separation of an agent on Windows: its own process group of the console. Changes only the command to be started;
//! the job object that ends its children is the arena's (`agent/process_group`).

use std::os::windows::process::CommandExt;
use std::process::Command;

/// The environment variables that are passed to an agent if they are set; all others are removed. Without the system folder and
/// that of temporary files hardly any program starts.
pub(crate) const ENVIRONMENT: [&str; 17] = [
    "PATH",
    "PATHEXT",
    "COMSPEC",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "WINDIR",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "LANG",
    "TZ",
];

/// `CREATE_NEW_PROCESS_GROUP`.
const NEW_PROCESS_GROUP: u32 = 0x200;

/// Makes it the leader of its own process group, which Ctrl-C does not reach. The arena puts it into a job object, which ends
/// with the arena.
pub(crate) fn set_apart(command: &mut Command) {
    command.creation_flags(NEW_PROCESS_GROUP);
}
