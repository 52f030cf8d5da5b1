//! Text written by others (agents, files, records) and how each medium shows it: it is escaped here, and nowhere else.
//! Functions from text to text: nothing is written here.
//!
//! [`Untrusted`] has no `Display`, so it gets into a text only through a function that names the medium. Output to stdout and
//! stderr passes [`Untrusted::lines`] once more ([`crate::io::stdout::print`], [`crate::io::stderr`]), so that text which was
//! not escaped here still cannot control a terminal; only the place that prints can judge line breaks.

use std::fmt::{self, Write};
use std::path::Path;

use maumau_protocol::steers;
use serde::Serialize;

/// Maximum characters of a file name made from a text.
const FILE_NAME_CHARS: usize = 100;

/// A text that an agent, a file or a record wrote; bytes that are not UTF-8 are replaced when it is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Untrusted<'a>(&'a [u8]);

impl<'a> Untrusted<'a> {
    /// The text in `bytes`.
    pub fn new(bytes: &'a (impl AsRef<[u8]> + ?Sized)) -> Untrusted<'a> {
        Untrusted(bytes.as_ref())
    }

    /// The name of a file that was found, and not typed by the user.
    pub fn path(path: &'a Path) -> Untrusted<'a> {
        Untrusted(path.as_os_str().as_encoded_bytes())
    }

    /// For a terminal or a page of text: one line, in which nothing moves, hides or reverses the text around it.
    pub fn terminal(self) -> String {
        self.escaped(|_| false)
    }

    /// As [`Untrusted::terminal`], for a line that may be long: its first bytes, and how many there are in all.
    pub fn beginning(self, bytes: usize) -> String {
        self.beginning_without(bytes, |shown, _| shown)
    }

    /// As [`Untrusted::beginning`]; `hide` removes what must not be shown, and learns whether the text was cut.
    pub fn beginning_without(self, bytes: usize, hide: impl FnOnce(String, bool) -> String) -> String {
        let line = self.0.trim_ascii_end();
        let cut = line.len().min(bytes);
        let more = if cut < line.len() { format!(" … {} bytes in all", line.len()) } else { String::new() };
        hide(Untrusted(&line[..cut]).terminal(), cut < line.len()) + &more
    }

    /// As [`Untrusted::terminal`], in quotes, which cannot be closed from inside.
    pub fn quoted(self) -> String {
        format!("\"{}\"", self.terminal().replace('\\', "\\\\").replace('"', "\\\""))
    }

    /// For a terminal, when it may have several lines: line breaks and tabs stay, and all lines but the first begin with
    /// `margin`, so that none of them can pass for a line of someone else.
    pub fn lines(self, margin: &str) -> String {
        let text = self.escaped(|c| matches!(c, '\n' | '\t'));
        if margin.is_empty() { text } else { text.replace('\n', &format!("\n{margin}")) }
    }

    /// As a cell of comma-separated values (RFC 4180): no spreadsheet treats it as a formula.
    pub fn csv(self) -> String {
        let mut text = self.terminal();
        if text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
            text.insert(0, '\'');
        }
        // Some spreadsheets separate cells by semicolons.
        match text.contains([',', ';', '"']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    }

    /// As text in Markdown, within a line or a cell: it yields no HTML, links, images, emphasis or code.
    pub fn markdown(self) -> String {
        let text = self.terminal();
        let mut escaped = String::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            let rest = &text[at..];
            // Addresses become links without any markup.
            let link = c == ':' && rest.starts_with("://")
                || c == '.'
                    && text[..at].get(at.saturating_sub(3)..).is_some_and(|www| www.eq_ignore_ascii_case("www"));
            if link || r"\`*_{}[]()<>!|~&@$".contains(c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    }

    /// As the name of a file, or a part of one: ASCII letters, digits, dots, hyphens and underscores; never hidden, never in
    /// another folder.
    pub fn file_name(self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let text = String::from_utf8_lossy(self.0);
        let name: String = text.chars().take(FILE_NAME_CHARS).map(|c| if plain(c) { c } else { '_' }).collect();
        match name.chars().next() {
            None => "_".to_owned(),
            // A dot hides a file; a hyphen makes it an option of a command that gets it as an argument.
            Some('.' | '-') => format!("_{}", &name[1..]),
            Some(_) => name,
        }
    }

    fn escaped(self, stays: impl Fn(char) -> bool) -> String {
        let text = String::from_utf8_lossy(self.0);
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                c if stays(c) => escaped.push(c),
                c if steers(c) || is_unseen(c) => escaped.extend(c.escape_unicode()),
                c => escaped.push(c),
            }
        }
        escaped
    }
}

impl fmt::Debug for Untrusted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quoted())
    }
}

/// A value as JSON on one line, in which nothing controls a terminal: such characters are written as `\u` and digits, which
/// means the same.
///
/// # Errors
/// The value has no JSON form.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(|plain| without_steering(&plain))
}

/// As [`json`], on many lines.
///
/// # Errors
/// As [`json`].
pub fn json_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|plain| without_steering(&plain))
}

/// Escapes control characters in JSON; line breaks between its tokens stay, and its strings contain none.
pub fn without_steering(plain: &str) -> String {
    let mut escaped = String::with_capacity(plain.len());
    for c in plain.chars() {
        if c != '\n' && (steers(c) || is_unseen(c)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// True if `c` is invisible, so that two texts which differ only by it look the same.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A collection of attacks: escapes, line breaks of all kinds, direction marks, invisible characters.
    const HOSTILE: &str =
        "a\x1b[2J\r\nb\u{85}c\u{9b}d\u{2028}e\u{2029}f\u{202e}g\u{2066}h\u{200b}i\u{feff}j\u{e0041}k\tl\x7f";

    fn steering(text: &str) -> Option<char> {
        text.chars().find(|c| steers(*c) || is_unseen(*c))
    }

    #[test]
    fn no_medium_lets_a_character_through_that_steers_or_hides() {
        let hostile = Untrusted::new(HOSTILE);
        for shown in [
            hostile.terminal(),
            hostile.quoted(),
            hostile.csv(),
            hostile.markdown(),
            hostile.file_name(),
            json(&HOSTILE).expect("JSON"),
            format!("{hostile:?}"),
        ] {
            assert_eq!(steering(&shown), None, "{shown}");
            assert!(shown.contains(['a', 'l']), "{shown}");
        }
    }

    #[test]
    fn a_terminal_gets_one_line_or_lines_with_a_margin() {
        assert_eq!(Untrusted::new("a\x1b[31m\n\tb").terminal(), "a\\u{1b}[31m\\u{a}\\u{9}b");
        assert_eq!(Untrusted::new("x\" and \\").quoted(), r#""x\" and \\""#);
        assert_eq!(Untrusted::new(b"a\xff\nb\n\tc\r\n").lines("> "), "a\u{fffd}\n> b\n> \tc\\u{d}\n> ");
        assert_eq!(Untrusted::new("a\n\u{202e}b").lines(""), "a\n\\u{202e}b");
        assert_eq!(Untrusted::new("é 中 🂡 👩\u{200d}🚀").terminal(), "é 中 🂡 👩\u{200d}🚀");
    }

    #[test]
    fn a_cell_of_csv_is_no_formula_and_no_second_cell() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("  @SUM(A1)", "'  @SUM(A1)"),
            ("-2", "'-2"),
            ("＋cmd", "'＋cmd"),
            ("a;=1", "\"a;=1\""),
            ("c, \"d\"", "\"c, \"\"d\"\"\""),
            ("\t=1", "\\u{9}=1"),
            ("a\nb", "a\\u{a}b"),
            ("a=b", "a=b"),
            ("careful.py", "careful.py"),
        ] {
            assert_eq!(Untrusted::new(text).csv(), cell);
        }
    }

    #[test]
    fn markdown_makes_nothing_of_it() {
        for (text, shown) in [
            ("<b onclick=x>", r"\<b onclick=x\>"),
            ("[here](http://evil)", r"\[here\]\(http\://evil\)"),
            ("https://evil", r"https\://evil"),
            ("WWW.evil.example", r"WWW\.evil.example"),
            ("me@evil.example", r"me\@evil.example"),
            ("a|b*c_d`e", r"a\|b\*c\_d\`e"),
            ("![x](y)", r"\!\[x\]\(y\)"),
            ("&lt;", r"\&lt;"),
            ("中w.a", "中w.a"),
            ("careful.py", "careful.py"),
        ] {
            assert_eq!(Untrusted::new(text).markdown(), shown);
        }
    }

    #[test]
    fn html_makes_nothing_of_it() {}

    #[test]
    fn a_file_name_stays_in_its_folder() {
        for (text, name) in [
            ("../../etc/passwd", "_._.._etc_passwd"),
            (".hidden", "_hidden"),
            ("-rf", "_rf"),
            ("", "_"),
            ("a b\0é", "a_b__"),
            ("g003-d0007-r1.jsonl", "g003-d0007-r1.jsonl"),
        ] {
            assert_eq!(Untrusted::new(text).file_name(), name);
        }
        assert_eq!(Untrusted::new(&"x".repeat(1_000)).file_name().len(), FILE_NAME_CHARS);
    }

    #[test]
    fn json_says_the_same_in_other_letters() {
        let text = json(&[HOSTILE]).expect("JSON");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [HOSTILE]);
        assert_eq!(json(&"\u{202e}\u{e0041}").expect("JSON"), r#""\u202e\udb40\udc41""#);
    }
}
