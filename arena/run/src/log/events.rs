//! The events of the log, each with its level, its part of the log and its fields. `arena/docs/logs.md` lists them.
//! Names and fields only; when one is written is decided where it happens.
//!
//! No event holds a seed, an agent's variables or the arguments of its command.

use crate::io::untrusted::Untrusted;

/// A value in a field. Text written by others is escaped.
pub trait Field {
    /// The value's type for `tracing`.
    type Value: tracing::Value;

    /// The value for `tracing`.
    fn value(self) -> Self::Value;
}

impl Field for u64 {
    type Value = u64;

    fn value(self) -> u64 {
        self
    }
}

impl Field for bool {
    type Value = bool;

    fn value(self) -> bool {
        self
    }
}

impl Field for &'static str {
    type Value = &'static str;

    fn value(self) -> &'static str {
        self
    }
}

impl Field for String {
    type Value = String;

    fn value(self) -> String {
        self
    }
}

impl Field for Untrusted<'_> {
    type Value = String;

    fn value(self) -> String {
        self.terminal()
    }
}

/// An event as described on the page about logs.
#[cfg(test)]
pub(super) struct LogEvent {
    pub(super) message: &'static str,
    pub(super) level: &'static str,
    pub(super) target: &'static str,
    pub(super) fields: &'static [&'static str],
}

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident: $level:ident $target:literal $message:literal ($($field:ident: $kind:ty),*);)*) => {
        $(
            $(#[$doc])*
            #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "some can happen on Linux only"))]
            pub fn $name($($field: $kind),*) {
                tracing::event!(target: $target, tracing::Level::$level, $($field = Field::value($field),)* $message);
            }
        )*

        /// The part of the log that each event belongs to.
        pub(super) const TARGETS: &[&str] = &[$($target),*];

        #[cfg(test)]
        pub(super) const EVENTS: &[LogEvent] = &[$(LogEvent {
            message: $message,
            level: stringify!($level),
            target: $target,
            fields: &[$(stringify!($field)),*],
        }),*];
    };
}

events! {
    /// A run, or a single match, begins.
    run_begun: INFO "maumau::run" "run begun" (games: u64, processors: u64);
    /// A run continues with the games missing in its file.
    run_resumed: INFO "maumau::run" "run resumed" (played: u64, missing: u64);
    /// A run is over or was interrupted.
    run_over: INFO "maumau::run" "run over" (played: u64, interrupted: bool, took_ms: u64);
    /// A signal asks the run to end.
    stopping: INFO "maumau::run" "stopping" (at_once: bool);
    /// Games are in the run file.
    games_stored: DEBUG "maumau::run" "games stored" (count: u64);
    /// A page about a fault was written.
    fault_report_written: DEBUG "maumau::run" "fault report written" (path: Untrusted<'_>);
    /// SQLite's journal is left beside the run file.
    journal_left: DEBUG "maumau::run" "journal left behind" (why: Untrusted<'_>);
    /// The games in play cannot be shown any more.
    not_shown: WARN "maumau::run" "games not shown" (why: Untrusted<'_>);
    /// A game begins.
    game_begun: DEBUG "maumau::game" "game begun" (seats: u64);
    /// A game is over.
    game_over: DEBUG "maumau::game" "game over" (moves: u64, faults: u64, void: u64, took_ms: u64);
    /// A conduct fault, reported when its game is over.
    fault: INFO "maumau::game" "fault" (of_move: u64, fault: &'static str, why: Untrusted<'_>, strikes: u64);
    /// An agent was dismissed, reported when its game is over.
    dismissed: INFO "maumau::game" "dismissed" (of_move: u64, fault: &'static str, why: Untrusted<'_>);
    /// A deadline did not count because the host was to blame; reported when its game is over.
    void: INFO "maumau::game" "deadline void" (of_move: u64, took_us: u64);
    /// A process was started for an agent.
    agent_started: INFO "maumau::agent" "agent started" (pid: u64, program: Untrusted<'_>, sandbox: String);
    /// It has answered `hello`.
    agent_ready: INFO "maumau::agent" "agent ready" (games: u64, took_ms: u64);
    /// What the system says that it is and may do, once it has answered `hello`.
    agent_rights: INFO "maumau::agent" "agent rights" (pid: u64, rights: String);
    /// What its first process has used, before it is asked to end.
    agent_used: INFO "maumau::agent" "agent used" (memory_kib: u64, ran_ms: u64, threads: u64, children: u64);
    /// It did not become ready, or could not be started.
    agent_not_started: INFO "maumau::agent" "agent not started" (why: Untrusted<'_>);
    /// Its process ended.
    agent_ended: INFO "maumau::agent" "agent ended" (how: Untrusted<'_>, ran_ms: u64);
    /// It computes while it is not asked (SPEC 5.11).
    agent_restrained: INFO "maumau::agent" "agent restrained" ();
    /// A level was tested on this machine, and agents are started in it.
    sandbox_ready: INFO "maumau::sandbox" "sandbox ready" (level: String, took_ms: u64);
    /// Which restrictions of the level are missing here.
    sandbox_remark: INFO "maumau::sandbox" "sandbox remark" (remark: Untrusted<'_>);
    /// The control group of an agent says why it ended.
    sandbox_verdict: INFO "maumau::sandbox" "sandbox verdict" (verdict: Untrusted<'_>);
    /// A control group could not be removed.
    group_not_removed: WARN "maumau::sandbox" "control group not removed" (folders: Untrusted<'_>);
    /// What an agent brought into memory could not be dropped at its end.
    group_not_forgotten: WARN "maumau::sandbox" "memory of a control group not dropped" (why: Untrusted<'_>);
    /// The agents of a loop cannot be polled any more.
    agents_not_heard: ERROR "maumau::agent" "agents not heard" (why: Untrusted<'_>);
    /// Processes that agents leave behind cannot be found.
    orphans_not_found: WARN "maumau::agent" "orphans not found" (why: Untrusted<'_>);
    /// The limit of open files could not be raised.
    open_files_not_raised: DEBUG "maumau::agent" "limit of open files not raised" (why: Untrusted<'_>);
    /// A loop is not bound to a processor.
    not_bound: DEBUG "maumau::agent" "not bound to a processor" (processor: u64, why: Untrusted<'_>);
    /// The packer of a loop has the same priority as the loop.
    priority_not_lowered: DEBUG "maumau::agent" "priority not lowered" (why: Untrusted<'_>);
}
