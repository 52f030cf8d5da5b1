//! What is told of a check: a line a step, and where something is wrong, what and where.

use anyhow::Result;

use crate::cli::print;
use crate::untrusted::Untrusted;

/// What is wrong, for the author of the agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// In a sentence.
    pub(crate) what: String,
    /// The agent's line.
    pub(crate) line: Option<Vec<u8>>,
    /// The line of the arena that it follows.
    pub(super) after: Option<Vec<u8>>,
}

impl Problem {
    pub(super) fn new(what: impl Into<String>) -> Problem {
        Problem { what: what.into(), ..Problem::default() }
    }

    pub(super) fn with_line(mut self, line: &[u8]) -> Problem {
        self.line = Some(line.to_owned());
        self
    }

    pub(super) fn after(mut self, line: Option<&[u8]>) -> Problem {
        self.after = line.map(<[u8]>::to_owned);
        self
    }
}

/// Counts steps and prints them as they end.
#[derive(Debug, Default)]
pub(crate) struct Report {
    passed: u32,
    failed: u32,
    left_out: u32,
}

/// Bytes of a line that are shown.
const SHOWN: usize = 2_000;

impl Report {
    /// A step that went well.
    pub(super) fn ok(&mut self, step: &str, how: &str) -> Result<()> {
        self.passed += 1;
        print(&format!("ok    {step}: {}\n", Untrusted::new(how).terminal()))
    }

    /// A step that went wrong.
    pub(super) fn failed(&mut self, step: &str, problem: &Problem, stderr: &str) -> Result<()> {
        self.failed += 1;
        let mut text = format!("FAIL  {step}: {}\n", Untrusted::new(&problem.what).terminal());
        let mut show = |what: &str, line: &Option<Vec<u8>>| {
            if let Some(line) = line {
                let cut = line.len().min(SHOWN);
                let more = if cut < line.len() { format!(" … {} bytes in all", line.len()) } else { String::new() };
                text += &format!("      {what} {}{more}\n", Untrusted::new(line[..cut].trim_ascii_end()).terminal());
            }
        };
        show("the arena sent", &problem.after);
        show("the agent sent", &problem.line);
        for line in stderr.lines().rev().take(5).collect::<Vec<_>>().into_iter().rev() {
            text += &format!("      its stderr: {}\n", Untrusted::new(line).terminal());
        }
        print(&text)
    }

    /// Something that is allowed, and probably not meant.
    pub(super) fn warn(&mut self, what: &str) -> Result<()> {
        print(&format!("note  {}\n", Untrusted::new(what).terminal()))
    }

    /// A step that says nothing about this agent.
    pub(super) fn left_out(&mut self, step: &str, why: &str) -> Result<()> {
        self.left_out += 1;
        print(&format!("--    {step}: left out, {}\n", Untrusted::new(why).terminal()))
    }

    /// The last line.
    pub(crate) fn end(&self) -> Result<()> {
        let Report { passed, failed, left_out } = self;
        let left_out = if *left_out > 0 { format!(", {left_out} left out") } else { String::new() };
        print(&format!("{passed} passed, {failed} failed{left_out}\n"))
    }

    /// Whether nothing was wrong.
    pub(crate) fn is_good(&self) -> bool {
        self.failed == 0
    }
}
