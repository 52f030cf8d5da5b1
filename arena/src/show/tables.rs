//! Tables of texts, drawn for terminals, for Markdown and as CSV.

use std::io::IsTerminal;

use comfy_table::presets::{ASCII_NO_BORDERS, UTF8_NO_BORDERS};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::untrusted::Untrusted;

/// How tables are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// With lines, for terminals.
    Lines,
    /// ASCII only, for files and pipes.
    Ascii,
    /// As Markdown.
    Markdown,
    /// As HTML.
    Html,
}

impl Look {
    /// Lines where stdout is a terminal that is not told otherwise by `NO_COLOR`, else ASCII.
    pub(crate) fn for_stdout() -> Look {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stdout().is_terminal() && !plain { Look::Lines } else { Look::Ascii }
    }

    /// A text that somebody else wrote, as it stands in a table of this look or beside it.
    pub(crate) fn shown(self, text: Untrusted<'_>) -> String {
        match self {
            Look::Markdown => text.markdown(),
            Look::Html => text.html(),
            Look::Lines | Look::Ascii => text.terminal(),
        }
    }
}

/// A table: texts in columns, the first line their names. Names of columns and the cells of a column of texts may be
/// anybody's; they are escaped as the table is drawn. Numbers are ours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    header: Vec<String>,
    /// By column, whether it holds texts and not numbers.
    texts: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A column of texts.
    pub(crate) fn text_column(&mut self, name: &str) -> &mut Sheet {
        self.header.push(name.to_owned());
        self.texts.push(true);
        self
    }

    /// A column of numbers.
    pub(crate) fn number_column(&mut self, name: &str) -> &mut Sheet {
        self.header.push(name.to_owned());
        self.texts.push(false);
        self
    }

    /// A row with a cell for each column.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table with a line break at its end.
    pub(crate) fn draw(&self, look: Look) -> String {
        match look {
            Look::Markdown => self.markdown(),
            Look::Html => self.html(),
            Look::Lines => self.lines(UTF8_NO_BORDERS),
            Look::Ascii => self.lines(ASCII_NO_BORDERS),
        }
    }

    /// The names of the columns, as `shown` gives them.
    fn names(&self, shown: impl Fn(Untrusted<'_>) -> String) -> Vec<String> {
        self.header.iter().map(|name| shown(Untrusted::new(name))).collect()
    }

    /// The cells of a row, those of texts as `shown` gives them.
    fn cells<'a>(&'a self, row: &'a [String], shown: impl Fn(Untrusted<'_>) -> String) -> impl Iterator<Item = String> {
        row.iter()
            .zip(&self.texts)
            .map(move |(cell, text)| if *text { shown(Untrusted::new(cell)) } else { cell.clone() })
    }

    fn lines(&self, style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
        table.style_mut().row_separator = LineStyle::none();
        table.set_header(self.names(|text| text.terminal()));
        for row in &self.rows {
            table.add_row(self.cells(row, |text| text.terminal()));
        }
        for (index, text) in self.texts.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_cell_alignment(if *text { CellAlignment::Left } else { CellAlignment::Right });
            }
        }
        let mut text = table.trim_fmt();
        text.push('\n');
        text
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<&str> = self.texts.iter().map(|text| if *text { "---" } else { "---:" }).collect();
        let mut text = line(self.names(|text| text.markdown()));
        text += &format!("| {} |\n", rule.join(" | "));
        self.rows.iter().for_each(|row| text += &line(self.cells(row, |text| text.markdown()).collect()));
        text
    }

    fn html(&self) -> String {
        let cells = |tag: &str, cells: Vec<String>| {
            let cells = cells.iter().zip(&self.texts).map(|(cell, text)| {
                let class = if *text { "" } else { " class=\"number\"" };
                format!("<{tag}{class}>{cell}</{tag}>")
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let mut text = format!("<table>\n{}", cells("th", self.names(|text| text.html())));
        self.rows.iter().for_each(|row| text += &cells("td", self.cells(row, |text| text.html()).collect()));
        text + "</table>\n"
    }

    /// The table as comma-separated values (RFC 4180, with plain line breaks).
    pub(crate) fn csv(&self) -> String {
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
        let drawn = sheet.draw(Look::Ascii);
        let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
        assert_eq!(lines, [" agent  |   games", "==================", " a|b    |       7", " c, \"d\" | -123456"]);
        assert_eq!(
            sheet.draw(Look::Markdown),
            "| agent | games |\n| --- | ---: |\n| a\\|b | 7 |\n| c, \"d\" | -123456 |\n"
        );
        assert_eq!(sheet.csv(), "agent,games\na|b,7\n\"c, \"\"d\"\"\",-123456\n");
    }
}
