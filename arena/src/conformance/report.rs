//! The report of a check: a line for each step, and for each problem what and where; or everything as one JSON object.
//! It keeps and prints them; what is wrong is found by its neighbours.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde::Serialize;

use maumau_cluster::unit::Sha;
use maumau_referee::story::diagnosis;
use maumau_run::io::format::{OutputFormat, counted};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{Untrusted, json};

/// How many lines that an agent wrote to stderr are shown after a step that passed.
const STDERR_LINES: usize = 4;

/// A problem, for the author of the agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConformanceProblem {
    /// In a sentence.
    pub(crate) what: String,
    /// The agent's line.
    pub(crate) line: Option<Vec<u8>>,
    /// The arena's line before it, as it was sent.
    pub(super) after: Option<Vec<u8>>,
    /// What would have been accepted instead.
    pub(super) legal: Option<String>,
    /// True if the line says that the author's code failed.
    pub(super) failed: bool,
    /// What its author can do.
    pub(super) hint: Option<Box<str>>,
}

impl ConformanceProblem {
    pub(super) fn new(what: impl Into<String>) -> ConformanceProblem {
        ConformanceProblem { what: what.into(), ..ConformanceProblem::default() }
    }

    pub(super) fn with_line(mut self, line: &[u8]) -> ConformanceProblem {
        self.line = Some(line.to_owned());
        self
    }

    pub(super) fn after(mut self, line: Option<&[u8]>) -> ConformanceProblem {
        self.after = line.map(<[u8]>::to_owned);
        self
    }

    pub(super) fn of_crash(text: &str) -> ConformanceProblem {
        ConformanceProblem { failed: true, ..ConformanceProblem::new(diagnosis::crash(text)) }
    }

    pub(super) fn instead_of(mut self, legal: String) -> ConformanceProblem {
        self.legal = Some(legal);
        self
    }

    /// The same for problems that differ only in numbers, in ids of asks and in quotations.
    fn kind(&self) -> String {
        let outside = self.what.split('"').step_by(2);
        let words = outside.flat_map(|text| text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()));
        let words = words.filter(|word| !is_ask_id(word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric())));
        words.flat_map(str::chars).filter(|c| !c.is_ascii_digit()).collect()
    }
}

fn is_ask_id(word: &str) -> bool {
    word.len() == ASK_ID_DIGITS && word.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The schema of the report as JSON.
pub(crate) const CHECK_SCHEMA: &str = include_str!("../../docs/check.schema.json");

/// One step of a check.
#[derive(Debug, Serialize)]
struct Step {
    step: String,
    outcome: Outcome,
    /// Its result, in words.
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    arena_sent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_sent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<Box<str>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Passed,
    Failed,
    LeftOut,
}

/// No further step is taken; the report says why.
#[derive(Debug, thiserror::Error)]
#[error("the check was stopped")]
pub(super) struct Stopped;

/// Keeps the result of each step, and prints it.
#[derive(Debug)]
pub(crate) struct ConformanceReport {
    format: OutputFormat,
    fail_fast: bool,
    steps: Vec<Step>,
    notes: Vec<String>,
    /// The digest of what the agent answered in all games.
    answers: Option<String>,
    warned: BTreeSet<String>,
    /// By kind of failure, the first step that failed in that way.
    first: BTreeMap<String, String>,
    /// The kind of the last failure, and how many steps in a row have failed in that way.
    in_a_row: (String, u32),
    /// Why no further step is taken.
    stopped: Option<&'static str>,
}

/// Digits of the id of an ask.
const ASK_ID_DIGITS: usize = 16;
/// How many bytes of a line are shown.
const SHOWN: usize = 2_000;
/// How many steps in a row may fail in the same way; the others would fail too.
const MOST_IN_A_ROW: u32 = 3;

impl ConformanceReport {
    /// A report without steps; with `fail_fast` the first failure is the last.
    pub(crate) fn new(format: OutputFormat, fail_fast: bool) -> ConformanceReport {
        ConformanceReport {
            format,
            fail_fast,
            steps: Vec::new(),
            notes: Vec::new(),
            answers: None,
            warned: BTreeSet::new(),
            first: BTreeMap::new(),
            in_a_row: (String::new(), 0),
            stopped: None,
        }
    }

    /// A step that succeeded.
    pub(super) fn ok(&mut self, step: &str, how: &str) -> Result<()> {
        self.in_a_row.1 = 0;
        self.add(step, Outcome::Passed, how, &ConformanceProblem::default(), "");
        self.print(&format!("ok    {step}: {}\n", Untrusted::new(how).terminal()))
    }

    /// What the agent wrote to stderr during the step that was reported last.
    pub(super) fn wrote(&mut self, stderr: &str) -> Result<()> {
        if let Some(step) = self.steps.last_mut() {
            step.stderr = Some(stderr.to_owned());
        }
        let lines: Vec<&str> = stderr.lines().collect();
        let first = lines.len().min(STDERR_LINES);
        let shown =
            lines[..first].iter().map(|line| format!("      its stderr: {}\n", Untrusted::new(line).terminal()));
        let mut text: String = shown.collect();
        if lines.len() > first {
            text += &format!("      and {} more\n", counted((lines.len() - first) as u64, "line"));
        }
        self.print(&text)
    }

    /// A step that failed.
    ///
    /// # Errors
    /// [`Stopped`] if no further step is to be taken.
    pub(super) fn failed(&mut self, step: &str, problem: &ConformanceProblem, stderr: &str) -> Result<()> {
        let kind = problem.kind();
        let count = if self.in_a_row.0 == kind { self.in_a_row.1 + 1 } else { 1 };
        self.in_a_row = (kind.clone(), count);
        if self.fail_fast {
            self.stopped = Some("the first failure is the last with --fail-fast");
        } else if count == MOST_IN_A_ROW {
            self.stopped = Some("three steps in a row have failed in the same way");
        }
        self.add(step, Outcome::Failed, &problem.what, problem, stderr);
        let what = Untrusted::new(&problem.what).terminal();
        match self.first.get(&kind) {
            Some(first) => self.print(&format!("FAIL  {step}: as at \"{first}\"\n"))?,
            None => self.show(step, &what, problem, stderr)?,
        }
        self.first.entry(kind).or_insert_with(|| step.to_owned());
        if self.stopped.is_some() { Err(Stopped.into()) } else { Ok(()) }
    }

    /// Prints a failure with everything that is known about it.
    fn show(&self, step: &str, what: &str, problem: &ConformanceProblem, stderr: &str) -> Result<()> {
        let mut text = format!("FAIL  {step}: {what}\n");
        let mut show = |what: &str, line: Option<String>| {
            if let Some(line) = line {
                text += &format!("      {what} {line}\n");
            }
        };
        show("the arena sent", problem.after.as_deref().map(shown));
        show("the agent sent", problem.line.as_deref().map(shown));
        show("legal was", problem.legal.as_ref().map(|legal| shown(legal.as_bytes())));
        for line in stderr.lines() {
            text += &format!("      its stderr: {}\n", Untrusted::new(line).terminal());
        }
        problem.hint.iter().for_each(|hint| text += &format!("      {hint}\n"));
        self.print(&text)
    }

    /// Something that is allowed, but probably unintended; reported once.
    pub(super) fn warn(&mut self, what: &str) -> Result<()> {
        let what = Untrusted::new(what).terminal();
        if !self.warned.insert(what.clone()) {
            return Ok(());
        }
        let text = format!("note  {what}\n");
        self.notes.push(what);
        self.print(&text)
    }

    /// A step that does not apply to this agent.
    pub(super) fn left_out(&mut self, step: &str, why: &str) -> Result<()> {
        self.add(step, Outcome::LeftOut, why, &ConformanceProblem::default(), "");
        self.print(&format!("--    {step}: left out, {}\n", Untrusted::new(why).terminal()))
    }

    /// What the agent answered in all games, whose deals are the same in each check. Two agents with one digest play alike.
    pub(super) fn answered(&mut self, answers: &[u8]) {
        self.answers = Some(Sha::of(answers).digits().to_owned());
    }

    /// The last line.
    pub(crate) fn end(&mut self) -> Result<()> {
        if let Some(why) = self.stopped {
            self.left_out("the other steps", why)?;
        }
        let count = |outcome| self.steps.iter().filter(|step| step.outcome == outcome).count();
        let (passed, failed, left_out) = (count(Outcome::Passed), count(Outcome::Failed), count(Outcome::LeftOut));
        if self.format == OutputFormat::Json {
            let report = serde_json::json!({
                "schema": "maumau-check/1",
                "passed": passed,
                "failed": failed,
                "left_out": left_out,
                "steps": self.steps,
                "notes": self.notes,
                "answers": self.answers,
            });
            return print(&format!("{}\n", json(&report)?));
        }
        let left_out = if left_out > 0 { format!(", {left_out} left out") } else { String::new() };
        print(&format!("{passed} passed, {failed} failed{left_out}\n"))
    }

    /// True if there was no problem.
    pub(crate) fn is_good(&self) -> bool {
        !self.steps.iter().any(|step| step.outcome == Outcome::Failed)
    }

    fn add(&mut self, step: &str, outcome: Outcome, what: &str, problem: &ConformanceProblem, stderr: &str) {
        self.steps.push(Step {
            step: step.to_owned(),
            outcome,
            what: what.to_owned(),
            arena_sent: problem.after.as_deref().map(shown),
            agent_sent: problem.line.as_deref().map(shown),
            legal: problem.legal.clone(),
            stderr: (!stderr.is_empty()).then(|| stderr.to_owned()),
            hint: problem.hint.clone(),
        });
    }

    fn print(&self, text: &str) -> Result<()> {
        match self.format {
            OutputFormat::Text => print(text),
            OutputFormat::Json => Ok(()),
        }
    }
}

/// A line, cut to the available room.
fn shown(line: &[u8]) -> String {
    Untrusted::new(line).beginning(SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if a report of steps that fail like this, one after another, stops with the last of them and not before.
    fn is_stopped(fail_fast: bool, failures: &[&str]) -> bool {
        let mut report = ConformanceReport::new(OutputFormat::Json, fail_fast);
        let mut stopped = false;
        for what in failures {
            assert!(!stopped, "a step after the last");
            stopped = match *what {
                "" => report.ok("a step", "").is_err(),
                what => report
                    .failed("a step", &ConformanceProblem::new(what), "")
                    .is_err_and(|error| error.is::<Stopped>()),
            };
        }
        assert!(!report.is_good());
        stopped
    }

    #[test]
    fn three_like_failures_in_a_row_end_a_check_and_others_do_not() {
        let like = ["/card: \"1H\" is no card", "/card: \"2H\" is no card", "/card: \"3H\" is no card"];
        assert!(is_stopped(false, &like));
        assert!(is_stopped(false, &[&["another"], &like[..]].concat()));
        let ids = [
            "/id: the ask f9f749b79cc906c5 is not open; open is 03fa261251e183d2",
            "/id: the ask 0000000000000007 is not open; open is c137e37de08295cd",
            "/id: the ask abcdefabcdefabcd is not open; open is 1234567890123456",
        ];
        assert!(is_stopped(false, &ids));
        assert!(!is_stopped(false, &[like[0], like[1], "", like[2]]));
        assert!(!is_stopped(false, &[like[0], like[1], "another", like[2]]));
        assert!(is_stopped(true, &["", "anything"]));
    }
}
