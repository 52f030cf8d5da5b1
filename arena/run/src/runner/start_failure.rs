//! Why an agent did not start. It only names and words the reason; whether a run goes on without the agent is decided
//! by its callers.

use anyhow::Error;

use crate::agent::{AgentCommand, Clues, Evidence, Process, hint, last_words};
use crate::io::untrusted::Untrusted;

/// How far a start got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartStage {
    /// The command could not be run: there is no such program, or it may not be run or read.
    Command,
    /// The program ran, and did not complete the handshake.
    Handshake,
}

/// The words before the last line of stderr in a sentence.
const STDERR: &str = "; its stderr: ";

/// The words before a first line that was wrong.
pub(super) const SENT: &str = "; the agent sent ";

impl StartStage {
    /// Parses a start failure that a record describes in the words of [`StartFailure::sentence`].
    pub fn of_sentence(sentence: &str) -> StartStage {
        let reason = sentence.split(STDERR).next().and_then(|reason| reason.split(SENT).next()).unwrap_or_default();
        if reason.contains(" cannot be started: ") { StartStage::Command } else { StartStage::Handshake }
    }
}

/// An agent that did not start, and its evidence.
#[derive(Clone, Debug)]
pub struct StartFailure {
    /// How far it got.
    pub stage: StartStage,
    /// What was wrong, without a line break.
    pub reason: String,
    /// The last lines of its stderr, as it wrote them.
    pub last_words: String,
    /// For a fault report; absent if the agent was not tried again.
    pub evidence: Option<Evidence>,
}

impl StartFailure {
    /// The command cannot be run.
    pub(super) fn of_command(error: &Error, command: &AgentCommand) -> StartFailure {
        let reason = format!("{error:#}");
        let hint = hint(&Clues { refused: Some(&reason), ..Clues::of(command) });
        let exit = Some("it was never started".to_owned());
        let evidence = Evidence { lines: String::new(), stderr: String::new(), exit, hint };
        StartFailure { stage: StartStage::Command, reason, last_words: String::new(), evidence: Some(evidence) }
    }

    /// The agent ran, and `reason` kept it from playing.
    pub(super) fn of_handshake(reason: &str, process: &Process) -> StartFailure {
        let ended = process.exit().map_or(String::new(), |exit| format!(" ({})", exit.0));
        StartFailure {
            stage: StartStage::Handshake,
            reason: format!("{reason}{ended}"),
            last_words: last_words(&process.stderr()),
            evidence: Some(process.evidence()),
        }
    }

    /// The same agent is not tried again after this many failures.
    pub(super) fn again(&self, failures: u32) -> StartFailure {
        let reason = format!("not tried again after {failures} failed starts: {}", self.reason);
        StartFailure { reason, evidence: None, ..self.clone() }
    }

    /// What its author can do.
    pub fn hint(&self) -> Option<&str> {
        self.evidence.as_ref()?.hint.as_deref()
    }

    /// What was wrong in one line, with the last line of its stderr.
    pub fn sentence(&self) -> String {
        let said = match self.last_words.lines().next_back() {
            Some(line) => format!("{}{STDERR}{}", self.reason, Untrusted::new(line).terminal()),
            None => self.reason.clone(),
        };
        self.hint().map_or(said.clone(), |hint| format!("{said}; {hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::on_a_loop;

    #[test]
    fn how_far_a_start_came_is_known_from_its_sentence() {
        let command = AgentCommand::parse("/nowhere/bot").expect("a command");
        let error = on_a_loop(async { Process::start(&command).expect_err("there is no such program") });
        let failure = StartFailure::of_command(&error, &command);
        let handshake = StartFailure {
            stage: StartStage::Handshake,
            reason: "the agent closed its output".to_owned(),
            last_words: "loading\n/my/bot cannot be started: no weights".to_owned(),
            evidence: None,
        };
        let mut sent = handshake.clone();
        sent.reason += &format!("{SENT}/my/bot cannot be started: no weights");
        for failure in [failure.again(3), failure, handshake, sent] {
            let sentence = failure.sentence();
            assert_eq!(StartStage::of_sentence(&sentence), failure.stage, "{sentence}");
        }
    }
}
