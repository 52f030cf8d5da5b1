//! What is probably wrong with an agent, in the sentences that `check`, `play` and fault reports share. Pure functions
//! of what the caller has seen; hints about the sandbox are given elsewhere.

use std::time::Duration;

/// An ask that was not answered within `allowed`, with the processor time that the agent used, if known.
pub fn silence(allowed: Duration, used: Option<Duration>) -> String {
    format!("no answer within {} ms{}", allowed.as_millis(), why_silent(used, allowed, "every line"))
}

/// What an agent may have been doing while it was silent for this long and used this much processor time.
pub fn why_silent(used: Option<Duration>, allowed: Duration, line: &str) -> String {
    match used.filter(|used| *used * 4 >= allowed) {
        Some(used) => {
            format!(": it used {:.1} s of processor time; does it think too long, or for ever?", used.as_secs_f64())
        }
        None => format!("; does it flush its output after {line}?"),
    }
}

/// A failure of the author's code, as reported by the kit beneath it (SPEC 6.16).
pub fn crash(text: &str) -> String {
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("its own code failed, and the kit answered in its place{text}")
}
