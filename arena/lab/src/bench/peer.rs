//! A peer: another program that measures the same and prints a Markdown table, run in turn with ours. Figures drift by
//! half over an hour on a busy machine; the ratio of two taken in succession does not. It starts the program and reads
//! its table; what is measured is known by the caller.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::median;

/// The results of a peer's runs.
pub(super) struct Peer<'a> {
    command: &'a str,
    /// The prefixes of the column heads that its figure may have.
    heads: &'a [&'a str],
    figures: Vec<f64>,
    ratios: Vec<f64>,
}

impl<'a> Peer<'a> {
    pub(super) fn new(command: &'a str, heads: &'a [&'a str]) -> Peer<'a> {
        Peer { command, heads, figures: Vec::new(), ratios: Vec::new() }
    }

    /// Runs it once and compares `ours` with its figure.
    ///
    /// # Errors
    /// It cannot be run, fails, or prints no table with such a column.
    pub(super) fn compare(&mut self, ours: f64) -> Result<()> {
        let output = Command::new("sh")
            .args(["-c", self.command])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("--against {:?} cannot be run", self.command))?;
        ensure!(output.status.success(), "--against {:?} ended with {}", self.command, output.status);
        let theirs = figure(&String::from_utf8_lossy(&output.stdout), self.heads)
            .with_context(|| format!("--against {:?}", self.command))?;
        self.figures.push(theirs);
        self.ratios.push(ours / theirs);
        Ok(())
    }

    /// A table of it.
    pub(super) fn table(mut self) -> String {
        format!(
            "\n| against | its figure | ours / its, paired |\n|---|---|---|\n| `{}` | {} | {} |\n",
            self.command,
            median(&mut self.figures, 2),
            median(&mut self.ratios, 3)
        )
    }
}

/// The figure in the last row of the table in `text`, from the column of the first of `heads` that exists.
fn figure(text: &str, heads: &[&str]) -> Result<f64> {
    let cells = |line: &str| line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let rows: Vec<Vec<String>> = text.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    let (Some(head), Some(last)) = (rows.first(), rows.last().filter(|_| rows.len() > 2)) else {
        bail!("it printed no table");
    };
    let column = heads.iter().find_map(|wanted| head.iter().position(|name| name.starts_with(wanted)));
    let Some(column) = column else {
        bail!("no column of its table begins with {heads:?}; it has {head:?}");
    };
    let cell = last.get(column).map_or("", String::as_str);
    let number: String = cell.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let number: f64 = number.parse().ok().with_context(|| format!("{cell:?} is no figure"))?;
    ensure!(number > 0.0, "its figure is 0");
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "words\n\n| engine | games/CPU s | moves/CPU s |\n|---|---|---|\n| a | 1 | 2 |\n| b | 30 | 40.5 (39-41) |\n";

    #[test]
    fn the_last_row_counts_under_the_first_head_that_is_there() {
        assert_eq!(figure(TABLE, &["decisions", "moves/CPU s"]).expect("a figure"), 40.5);
        assert_eq!(figure(TABLE, &["games/CPU s", "moves/CPU s"]).expect("a figure"), 30.0);
    }

    #[test]
    fn a_program_without_such_a_figure_is_refused() {
        for (text, heads, words) in [
            ("nothing", ["moves"], "no table"),
            (TABLE, ["trips"], "no column"),
            (TABLE, ["engine"], "\"b\" is no figure"),
            ("| moves |\n|---|\n| 0 |\n", ["moves"], "is 0"),
        ] {
            let error = figure(text, &heads).expect_err(text).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
