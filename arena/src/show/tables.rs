//! Tables of texts, drawn for terminals, for Markdown and as CSV.

use std::io::IsTerminal;

use comfy_table::presets::{ASCII_NO_BORDERS, UTF8_NO_BORDERS};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// How tables are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// With lines, for terminals.
    Lines,
    /// ASCII only, for files and pipes.
    Ascii,
    /// As Markdown.
    Markdown,
}

impl Look {
    /// Lines where stdout is a terminal that is not told otherwise by `NO_COLOR`, else ASCII.
    pub(crate) fn for_stdout() -> Look {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stdout().is_terminal() && !plain { Look::Lines } else { Look::Ascii }
    }
}

/// A table: texts in columns, the first line their names.
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
            Look::Lines => self.lines(UTF8_NO_BORDERS),
            Look::Ascii => self.lines(ASCII_NO_BORDERS),
        }
    }

    fn lines(&self, style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
        table.style_mut().row_separator = LineStyle::none();
        table.set_header(&self.header);
        for row in &self.rows {
            table.add_row(row);
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
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('\\', "\\\\").replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule: Vec<&str> = self.texts.iter().map(|text| if *text { "---" } else { "---:" }).collect();
        let mut text = line(&self.header);
        text += &format!("| {} |\n", rule.join(" | "));
        self.rows.iter().for_each(|row| text += &line(row));
        text
    }

    /// The table as comma-separated values (RFC 4180, with plain line breaks).
    pub(crate) fn csv(&self) -> String {
        let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.header).chain(&self.rows).map(line).collect()
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
        sheet.row(vec!["c, \"d\"".to_owned(), "123456".to_owned()]);
        let drawn = sheet.draw(Look::Ascii);
        let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
        assert_eq!(lines, [" agent  |  games", "=================", " a|b    |      7", " c, \"d\" | 123456"]);
        assert_eq!(
            sheet.draw(Look::Markdown),
            "| agent | games |\n| --- | ---: |\n| a\\|b | 7 |\n| c, \"d\" | 123456 |\n"
        );
        assert_eq!(sheet.csv(), "agent,games\na|b,7\n\"c, \"\"d\"\"\",123456\n");
    }
}
