//! Characters that can make a text look like another one where it is shown. It only answers whether a character is one;
//! texts are refused or escaped where they are read or shown.

/// Whether `c` moves or hides what stands around it instead of being seen: control characters, line and paragraph
/// separators, and the marks, embeddings and isolates that turn the direction of writing.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_breaks_or_hides_a_line_steers_and_letters_do_not() {
        let marks = "\0\t\n\r\u{1b}\u{7f}\u{85}\u{9b}\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{206f}";
        assert_eq!(marks.chars().find(|c| !steers(*c)), None);
        assert_eq!("aZ \u{a0}\u{e9}\u{5d0}\u{627}\u{4e2d}\u{1f0a1}\u{200d}".chars().find(|c| steers(*c)), None);
    }
}
