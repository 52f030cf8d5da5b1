//! Text in headings and paragraphs, wrapped.

/// Characters in a line.
const WIDTH: usize = 100;

#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn title(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
        self.0.extend(std::iter::repeat_n('=', text.chars().count()));
        self.0.push_str("\n\n");
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.0.push_str(&text.to_uppercase());
        self.0.push('\n');
    }

    /// A paragraph with an empty line after it; an empty text leaves none.
    pub(super) fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.wrapped(text, "  ", "  ");
            self.0.push('\n');
        }
    }

    /// An item of a list; no empty line after it.
    pub(super) fn item(&mut self, text: &str) {
        self.wrapped(text, "  - ", "    ");
    }

    /// The empty line after a list.
    pub(super) fn gap(&mut self) {
        self.0.push('\n');
    }

    fn wrapped(&mut self, text: &str, first: &str, rest: &str) {
        let mut line = first.to_owned();
        let mut fresh = true;
        for word in text.split_whitespace() {
            if !fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.0.push_str(&line);
                self.0.push('\n');
                line = rest.to_owned();
                fresh = true;
            }
            if !fresh {
                line.push(' ');
            }
            line.push_str(word);
            fresh = false;
        }
        self.0.push_str(&line);
        self.0.push('\n');
    }

    pub(super) fn finish(mut self) -> String {
        self.0.truncate(self.0.trim_end().len());
        self.0.push('\n');
        self.0
    }
}
