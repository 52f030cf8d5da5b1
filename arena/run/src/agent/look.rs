//! How names look: names that a reader could take for one another are found by Unicode's table of confusable characters (UTS 39).
//! Pure functions of names; what is done about them is decided elsewhere.

use unicode_security::confusable_detection::skeleton;

/// How a name looks: two names with the same look can be taken for one another. Letters of several scripts that are drawn alike
/// are one; spaces at the ends, doubled ones and other kinds of spaces count for nothing, and neither does what is not drawn.
pub fn look(name: &str) -> String {
    let drawn: String = name.chars().filter(|c| !is_not_drawn(*c)).collect();
    let words = drawn.split_whitespace().map(|word| skeleton(word).collect::<String>());
    words.collect::<Vec<_>>().join(" ")
}

/// A name as it is spelled, in quotes; with anything but plain ASCII also with the numbers of its characters.
pub fn spelled(name: &str) -> String {
    let by_number = |c: char| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() };
    match name.is_ascii() {
        true => format!("\"{name}\""),
        false => format!("\"{name}\" ({})", name.chars().map(by_number).collect::<String>()),
    }
}

/// True of characters that a reader does not see (Default_Ignorable_Code_Point of Unicode), but for those that are refused in names
/// anyhow.
fn is_not_drawn(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_reader_takes_for_one_another_look_alike() {
        for (one, other, is_alike) in [
            ("greedy", "greedy", true),
            ("greedy", "gr\u{435}edy", true),
            ("greedy", "greedy ", true),
            ("greedy", " greedy", true),
            ("my bot", "my  bot", true),
            ("my bot", "my\u{a0}bot", true),
            ("greedy", "gree\u{200b}dy", true),
            ("greedy", "greedy\u{fe0f}", true),
            ("greedy", "\u{ad}greedy", true),
            ("bot\u{e9}", "bote\u{301}", true),
            ("paypal", "\u{440}\u{430}\u{443}\u{440}\u{430}\u{4cf}", true),
            ("bot1", "botl", true),
            ("bot", "b\u{3bf}t", true),
            ("\u{1d41b}ot", "bot", true),
            ("greedy", "Greedy", false),
            ("greedy", "greedy 2", false),
            ("bot-1", "bot-2", false),
            ("my bot", "mybot", false),
            ("\u{4e2d}", "\u{56fd}", false),
            ("m\u{fc}ller", "muller", false),
        ] {
            assert_eq!(look(one) == look(other), is_alike, "{one:?} and {other:?}");
        }
    }

    #[test]
    fn what_is_not_plain_is_shown_by_its_number() {
        assert_eq!(spelled("a "), "\"a \"");
        assert_eq!(spelled("gr\u{435}edy"), "\"gr\u{435}edy\" (gr\\u{435}edy)");
    }
}
