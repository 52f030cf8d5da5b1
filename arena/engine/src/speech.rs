//! How speech is compared: in lower case, punctuation removed, white space collapsed (G-10).

/// The words of an utterance in the form in which they are compared, left to right.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().filter_map(|word| {
        let plain: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        (!plain.is_empty()).then_some(plain)
    })
}

/// Whether `text` contains `phrase`, which is already in the compared form, as whole words.
pub(crate) fn contains(text: &str, phrase: &str) -> bool {
    if text == phrase {
        return true;
    }
    let text: Vec<String> = words(text).collect();
    let phrase: Vec<&str> = phrase.split(' ').collect();
    text.windows(phrase.len()).any(|window| window.iter().zip(&phrase).all(|(word, part)| word == part))
}

/// The compared form of a whole utterance.
pub(crate) fn normal_form(text: &str) -> String {
    words(text).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_punctuation_and_spaces_do_not_matter() {
        for (text, phrase, heard) in [
            ("mau", "mau", true),
            ("  MAU!! ", "mau", true),
            ("Mau, everybody", "mau", true),
            ("maul", "mau", false),
            ("ma u", "mau", false),
            ("", "mau", false),
            ("this is my LAST   card.", "last card", true),
            ("card last", "last card", false),
        ] {
            assert_eq!(contains(text, phrase), heard, "{text:?}");
        }
        assert_eq!(normal_form(" Oom-Papa,  MAU mau! "), "oompapa mau mau");
    }
}
