//! Tables of text, drawn for terminals, for Markdown and as CSV. It returns text and
//! prints nothing.

use std::io::IsTerminal;

use comfy_table::presets::{ASCII_NO_BORDERS, UTF8_NO_BORDERS};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use maumau_run::io::untrusted::Untrusted;
use terminal_size::terminal_size_of;

/// Characters per line unless a terminal says otherwise.
const USUAL_WIDTH: usize = 80;

/// Lines with wrapped texts are no longer than this, however wide a terminal is, and the column is no narrower than that.
const WIDEST_WRAPPED: usize = 100;
const NARROWEST: usize = 24;

/// Characters per line on stdout: those of the terminal, if it is one.
pub fn stdout_width() -> usize {
    terminal_size_of(std::io::stdout()).map_or(USUAL_WIDTH, |(width, _)| width.0.into())
}

/// How tables are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableLook {
    /// With lines, for terminals.
    Lines,
    /// ASCII only, for files and pipes.
    Ascii,
    /// As Markdown.
    Markdown,
}

impl TableLook {
    /// Box lines if stdout is a terminal and `NO_COLOR` is not set, else ASCII.
    pub fn for_stdout() -> TableLook {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stdout().is_terminal() && !plain { TableLook::Lines } else { TableLook::Ascii }
    }

    /// A text written by others, escaped for this look, in a table or beside it.
    pub fn shown(self, text: Untrusted<'_>) -> String {
        match self {
            TableLook::Markdown => text.markdown(),
            TableLook::Lines | TableLook::Ascii => text.terminal(),
        }
    }
}

/// A table: text in columns, the first row their names. Column names and the cells of text columns may come from others; they
/// are escaped when the table is drawn. Numbers are ours.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    header: Vec<String>,
    /// By column, true if it holds text and not numbers.
    texts: Vec<bool>,
    /// True if long texts in the last column go on below, so that lines stay within the width.
    wraps: bool,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A column of text.
    pub fn text_column(&mut self, name: &str) -> &mut Sheet {
        self.header.push(name.to_owned());
        self.texts.push(true);
        self
    }

    /// A column of numbers.
    pub fn number_column(&mut self, name: &str) -> &mut Sheet {
        self.header.push(name.to_owned());
        self.texts.push(false);
        self
    }

    /// Lets long texts of the last column go on below.
    pub fn wrap_last(&mut self) -> &mut Sheet {
        self.wraps = true;
        self
    }

    /// A row with a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table with a line break at its end.
    pub fn draw(&self, look: TableLook) -> String {
        match look {
            TableLook::Markdown => self.markdown(),
            TableLook::Lines => self.lines(UTF8_NO_BORDERS, stdout_width()),
            TableLook::Ascii => self.lines(ASCII_NO_BORDERS, USUAL_WIDTH),
        }
    }

    /// The names of the columns, escaped by `shown`.
    fn names(&self, shown: impl Fn(Untrusted<'_>) -> String) -> Vec<String> {
        self.header.iter().map(|name| shown(Untrusted::new(name))).collect()
    }

    /// The cells of a row, those of text columns escaped by `shown`.
    fn cells<'a>(&'a self, row: &'a [String], shown: impl Fn(Untrusted<'_>) -> String) -> impl Iterator<Item = String> {
        row.iter()
            .zip(&self.texts)
            .map(move |(cell, text)| if *text { shown(Untrusted::new(cell)) } else { cell.clone() })
    }

    /// The table; if a line would be wider than `width`, it continues below with the same first columns.
    fn lines(&self, style: TableStyle, width: usize) -> String {
        let all: Vec<usize> = (0..self.header.len()).collect();
        let widths = self.table(style, &all, usize::MAX).column_max_content_widths();
        if self.wraps {
            let others: usize = widths.iter().rev().skip(1).map(|column| usize::from(*column) + 3).sum();
            let room = width.min(WIDEST_WRAPPED).saturating_sub(others + 2).max(NARROWEST);
            return self.table(style, &all, room).trim_fmt() + "\n";
        }
        // A column has a space on both sides, and a separator before the next one.
        let wide = |columns: &[usize]| columns.iter().map(|column| usize::from(widths[*column]) + 3).sum::<usize>() - 1;
        let keys = self.texts.iter().position(|text| *text).map_or(0, |column| column + 1);
        let (keys, others) = all.split_at(keys);
        let mut blocks = vec![keys.to_vec()];
        for column in others {
            let with = |block: &[usize]| [block, &[*column]].concat();
            match blocks.last_mut() {
                Some(block) if block.len() == keys.len() || wide(&with(block)) <= width => block.push(*column),
                _ => blocks.push(with(keys)),
            }
        }
        let drawn = blocks.iter().map(|columns| self.table(style, columns, usize::MAX).trim_fmt() + "\n");
        drawn.collect::<Vec<_>>().join("\n")
    }

    /// These columns; texts of the last one go on below after `room` characters.
    fn table(&self, style: TableStyle, columns: &[usize], room: usize) -> Table {
        let mut table = Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.style_mut().row_separator = LineStyle::none();
        let of = |cells: &[String]| columns.iter().map(|column| cells[*column].clone()).collect::<Vec<_>>();
        table.set_header(of(&self.names(|text| text.terminal())));
        for row in &self.rows {
            let mut cells: Vec<String> = self.cells(row, |text| text.terminal()).collect();
            if let Some(last) = cells.last_mut().filter(|last| last.len() > room) {
                *last = textwrap::fill(last, room);
            }
            table.add_row(of(&cells));
        }
        for (index, column) in columns.iter().enumerate() {
            if let Some(place) = table.column_mut(index) {
                let alignment = if self.texts[*column] { CellAlignment::Left } else { CellAlignment::Right };
                place.set_cell_alignment(alignment);
            }
        }
        table
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<&str> = self.texts.iter().map(|text| if *text { "---" } else { "---:" }).collect();
        let mut text = line(self.names(|text| text.markdown()));
        text += &format!("| {} |\n", rule.join(" | "));
        self.rows.iter().for_each(|row| text += &line(self.cells(row, |text| text.markdown()).collect()));
        text
    }

    /// The table as comma-separated values (RFC 4180, with plain line breaks).
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| self.cells(row, |text| text.csv()).collect());
        std::iter::once(self.names(|text| text.csv()))
            .chain(rows)
            .map(|cells: Vec<String>| cells.join(",") + "\n")
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_looks_the_same_in_every_form() {
        let mut sheet = Sheet::default();
        sheet.text_column("agent").number_column("games");
        sheet.row(vec!["a|b".to_owned(), "7".to_owned()]);
        sheet.row(vec!["c, \"d\"".to_owned(), "-123456".to_owned()]);
        let drawn = sheet.draw(TableLook::Ascii);
        let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
        assert_eq!(lines, [" agent  |   games", "==================", " a|b    |       7", " c, \"d\" | -123456"]);
        assert_eq!(
            sheet.draw(TableLook::Markdown),
            "| agent | games |\n| --- | ---: |\n| a\\|b | 7 |\n| c, \"d\" | -123456 |\n"
        );
        assert_eq!(sheet.csv(), "agent,games\na|b,7\n\"c, \"\"d\"\"\",-123456\n");
    }

    #[test]
    fn long_texts_of_a_wrapped_column_go_on_below_within_the_line() {
        let mut sheet = Sheet::default();
        sheet.text_column("agent").number_column("games").text_column("what went wrong").wrap_last();
        sheet.row(vec![
            "a".to_owned(),
            "4".to_owned(),
            "not_started: the agent closed its output; its stderr: x".to_owned(),
        ]);
        sheet.row(vec!["b".to_owned(), "4".to_owned(), "y".repeat(200)]);
        sheet.row(vec!["c".to_owned(), "4".to_owned(), String::new()]);
        for (width, widest) in [(60, 60), (100, 100), (500, 100)] {
            let drawn = sheet.lines(ASCII_NO_BORDERS, width);
            assert!(drawn.lines().all(|line| line.trim_end().len() <= widest), "{drawn}");
            assert_eq!(drawn.matches('y').count(), 200, "nothing is left out: {drawn}");
        }
        let drawn = sheet.lines(ASCII_NO_BORDERS, 60);
        let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
        assert_eq!(lines[2], " a     |     4 | not_started: the agent closed its output;");
        assert_eq!(lines[3], "       |       | its stderr: x");
        assert!(sheet.csv().contains("its stderr: x"), "data is not wrapped");
    }

    #[test]
    fn a_table_that_is_too_wide_goes_on_below_with_its_first_columns() {
        let mut sheet = Sheet::default();
        sheet.number_column("#").text_column("agent").number_column("games").number_column("slow");
        sheet.row(vec!["1".to_owned(), "greedy".to_owned(), "40".to_owned(), "3".to_owned()]);
        let draw = |width| {
            let drawn = sheet.lines(ASCII_NO_BORDERS, width);
            drawn.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
        };
        let whole = [" # | agent  | games | slow", "===========================", " 1 | greedy |    40 |    3"];
        assert_eq!(draw(27), whole);
        let first = [" # | agent  | games", "====================", " 1 | greedy |    40"];
        let second = ["", " # | agent  | slow", "===================", " 1 | greedy |    3"];
        assert_eq!(draw(26), [&first[..], &second].concat());
        assert_eq!(draw(1), draw(26), "a column is never left out");
    }
}
