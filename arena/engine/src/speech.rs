//! Understands what seats say. Speech is compared word by word, in lower case and without punctuation at the ends of words
//! (G-10); phrases are cut from left to right, the longest first (P-69). It knows no seats and no positions. Pure
//! functions and tables of phrases: what follows from the words is decided in `game/speech`.

use maumau_protocol::ruleset::WordList;
use maumau_protocol::{Rank, Suit};

/// The one word that is two (G-10).
const RUN_TOGETHER: (&str, &str) = ("mau", "maumau");

/// The words of an utterance in the form in which they are compared, left to right.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    said(text).map(|word| compared(word).collect())
}

/// The words of an utterance as they were said, left to right, without the punctuation at their ends. White space and hyphens
/// part words; a warning that is run together is said twice.
fn said(text: &str) -> impl Iterator<Item = &str> + Clone {
    let parts = text.split(|c: char| c.is_whitespace() || c == '-');
    let bare = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    bare.flat_map(|word| {
        let (once, twice) = RUN_TOGETHER;
        let (first, second) = match compared(word).eq(twice.chars()) {
            true => (&word[..once.len()], Some(&word[once.len()..])),
            false => (word, None),
        };
        std::iter::once(first).chain(second)
    })
}

/// What is said after `phrase`, which is in the compared form, if `said` begins with it.
fn after<'a, I: Iterator<Item = &'a str> + Clone>(said: &I, phrase: &str) -> Option<I> {
    let mut said = said.clone();
    phrase.split(' ').all(|part| said.next().is_some_and(|word| compared(word).eq(part.chars()))).then_some(said)
}

/// Whether `text` contains `phrase`, which is already in the compared form, as whole words.
pub(crate) fn contains(text: &str, phrase: &str) -> bool {
    if text == phrase {
        return true;
    }
    let mut rest = said(text);
    loop {
        if after(&rest, phrase).is_some() {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
}

/// The warnings of last cards that an utterance gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Warnings {
    pub(crate) mau: bool,
    pub(crate) mau_mau: bool,
}

/// The warnings in `text`: `mau` for one card and, if there is one, `mau_mau` for none. The longest phrase counts, so "mau
/// mau" is no "mau" (G-10, N-79).
pub(crate) fn warnings(text: &str, mau: Option<&str>, mau_mau: Option<&str>) -> Warnings {
    let Some(mau_mau) = mau_mau else {
        return Warnings { mau: mau.is_some_and(|word| contains(text, word)), mau_mau: false };
    };
    // Words just as they are due, which is what most seats say.
    if text == mau_mau || (mau == Some(text) && text.len() < mau_mau.split(' ').map(str::len).sum()) {
        return Warnings { mau: text != mau_mau, mau_mau: text == mau_mau };
    }
    let (mut rest, mut heard) = (said(text), Warnings::default());
    loop {
        if let Some(after) = after(&rest, mau_mau) {
            (rest, heard.mau_mau) = (after, true);
        } else if let Some(after) = mau.and_then(|mau| after(&rest, mau)) {
            (rest, heard.mau) = (after, true);
        } else if rest.next().is_none() {
            return heard;
        }
    }
}

/// The letters of a word in the form in which they are compared.
fn compared(word: &str) -> impl Iterator<Item = char> {
    word.chars().flat_map(char::to_lowercase)
}

/// The compared form of a whole utterance.
pub(crate) fn normal_form(text: &str) -> String {
    words(text).collect::<Vec<String>>().join(" ")
}

/// A phrase that counts for some duties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    words: Vec<String>,
    /// The duties that it fulfils, by number, as bits.
    pub(crate) duties: u64,
}

/// The phrases of the duties, the longest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phrases(Vec<Phrase>);

impl Phrases {
    /// Adds `phrase`, in the compared form, for the duty of number `duty`.
    pub(crate) fn add(&mut self, phrase: &str, duty: usize) {
        let words: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
        match self.0.iter_mut().find(|known| known.words == words) {
            Some(known) => known.duties |= 1 << duty,
            None => self.0.push(Phrase { words, duties: 1 << duty }),
        }
        self.0.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
    }

    /// The duties that `said` fulfils (P-59, P-67, P-69).
    pub(crate) fn heard(&self, said: &[String]) -> u64 {
        let (mut at, mut duties) = (0, 0);
        while at < said.len() {
            let here = self.0.iter().find(|phrase| said[at..].starts_with(&phrase.words));
            duties |= here.map_or(0, |phrase| phrase.duties);
            at += here.map_or(1, |phrase| phrase.words.len());
        }
        duties
    }
}

fn suit_of(word: &str) -> Option<Suit> {
    let named = |suit: &Suit| word == suit.name() || Some(word) == suit.name().strip_suffix('s');
    Suit::ALL.into_iter().find(named)
}

/// The first suit that is named. In the name of a card in `protected`, value and suit together call the card and name no
/// suit, as in "jack of spades" (P-28, P-29).
pub(crate) fn stated_suit(said: &[String], protected: Option<(Rank, Suit)>) -> Option<Suit> {
    let mut at = 0;
    while at < said.len() {
        if let Some((rank, suit)) = protected
            && said[at] == rank.name()
        {
            let of = usize::from(said.get(at + 1).is_some_and(|word| word == "of"));
            if said.get(at + 1 + of).and_then(|word| suit_of(word)) == Some(suit) {
                at += 2 + of;
                continue;
            }
        }
        if let Some(suit) = suit_of(&said[at]) {
            return Some(suit);
        }
        at += 1;
    }
    None
}

/// Whether `said` says that `drawn` cards have been drawn: the word, preceded by the number unless that is the one that may
/// be left out; a number that is said must be right (P-93, P-94).
pub(crate) fn announces_done(said: &[String], word: &str, drawn: u16, without_number: u16) -> bool {
    said.iter().enumerate().filter(|(_, heard)| *heard == word).any(|(at, _)| {
        let one = at.checked_sub(1).map(|before| said[before].as_str());
        let two = at.checked_sub(2).map(|before| format!("{}{}", said[before], said[before + 1]));
        let two = two.filter(|words| words.bytes().all(|byte| byte.is_ascii_alphabetic()));
        match two.as_deref().and_then(number_of).or_else(|| one.and_then(number_of)) {
            Some(announced) => announced == drawn,
            None => drawn == without_number,
        }
    })
}

/// A number in digits or, below a hundred, in words, which may be run together ("twentyfour").
fn number_of(word: &str) -> Option<u16> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    let small = |word: &str| SMALL.iter().position(|name| *name == word);
    let tens = || {
        let (ten, rest) = TENS.iter().enumerate().find_map(|(ten, name)| Some((ten, word.strip_prefix(name)?)))?;
        let ones = if rest.is_empty() { 0 } else { small(rest).filter(|ones| (1..10).contains(ones))? };
        Some(20 + 10 * ten + ones)
    };
    small(word).or_else(tens).map(|number| number as u16)
}

/// Whether an utterance asks something: it has a question mark, or its first word asks (P-79).
pub(crate) fn is_question(text: &str, said: &[String], asking: &WordList) -> bool {
    text.contains('?') || said.first().is_some_and(|first| asking.contains(first))
}

/// Whether a listed word is said as a whole word (P-80).
pub(crate) fn mentions(said: &[String], list: &WordList) -> bool {
    said.iter().any(|word| list.contains(word))
}

/// Whether an utterance is loud in itself: in capitals only, or longer than 80 characters (P-84, option `loud=caps`).
pub(crate) fn is_loud(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    text.chars().count() > 80 || (letters().count() > 1 && letters().all(char::is_uppercase))
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
            ("one card mau", "mau", true),
            ("mau-mau", "mau", true),
            ("MauMau!", "mau", true),
            ("maumaumau", "mau", false),
            ("m.a.u", "mau", false),
            ("mau,mau", "mau", false),
            ("\u{201e}mau\u{201c}", "mau", true),
        ] {
            assert_eq!(contains(text, phrase), heard, "{text:?}");
        }
        assert_eq!(normal_form(" Oom-Papa,  MAU mau! "), "oom papa mau mau");
    }

    fn said(text: &str) -> Vec<String> {
        words(text).collect()
    }

    #[test]
    fn the_word_for_no_card_is_not_the_word_for_one() {
        for (text, mau, mau_mau) in [
            ("mau", true, false),
            ("Mau! I have one card left.", true, false),
            ("mau mau", false, true),
            ("MAU, mau!", false, true),
            ("Mau-Mau", false, true),
            ("maumau", false, true),
            ("mau mau mau", true, true),
            ("maumau mau", true, true),
            ("m.a.u m.a.u", false, false),
            ("mau and mau", true, false),
            ("maul", false, false),
            ("", false, false),
        ] {
            assert_eq!(warnings(text, Some("mau"), Some("mau mau")), Warnings { mau, mau_mau }, "{text:?}");
        }
        assert!(warnings("mau mau", Some("mau"), None).mau, "where there is no other word, it is one");
        assert_eq!(warnings("mau", None, Some("mau mau")), Warnings::default());
    }

    #[test]
    fn calls_are_cut_longest_first() {
        let names = ["spade", "last card", "mau", "mau mau", "oom papa mau mau", "spam", "wonderful spam"];
        let mut phrases = Phrases::default();
        for (duty, phrase) in names.into_iter().enumerate() {
            phrases.add(phrase, duty);
        }
        phrases.add("spades", 0);
        phrases.add("wonderful spam", 5);
        for (text, heard) in [
            ("", ""),
            ("nothing of interest", ""),
            ("Ten of spades... LAST   CARD, spam! And a mau.", "spade|last card|mau|spam"),
            ("ten spade last card spam ten spade mau", "spade|last card|mau|spam"),
            ("mau", "mau"),
            ("mau mau", "mau mau"),
            ("mau, mau!", "mau mau"),
            ("mau mau mau", "mau|mau mau"),
            ("oom papa mau mau", "oom papa mau mau"),
            ("oom papa mau", "mau"),
            ("wonderful spam", "spam|wonderful spam"),
            ("spam spam wonderful spam", "spam|wonderful spam"),
            ("wonderful", ""),
            ("spaded spamming", ""),
            ("last cards", ""),
        ] {
            let bits = phrases.heard(&said(text));
            let found: Vec<&str> =
                names.iter().enumerate().filter(|(duty, _)| bits >> duty & 1 == 1).map(|(_, name)| *name).collect();
            assert_eq!(found.join("|"), heard, "{text:?}");
        }
    }

    #[test]
    fn the_first_suit_counts_and_the_name_of_a_card_is_no_suit() {
        let spade_jack = Some(("J".parse().expect("a rank"), Suit::Spades));
        for (text, protected, suit) in [
            ("hearts", None, Some(Suit::Hearts)),
            ("DIAMONDS, please!", None, Some(Suit::Diamonds)),
            ("a club or a heart", None, Some(Suit::Clubs)),
            ("jack spade hearts", None, Some(Suit::Spades)),
            ("jack spade hearts", spade_jack, Some(Suit::Hearts)),
            ("jack of spades", spade_jack, None),
            ("jack spades", spade_jack, None),
            ("jack spade spade", spade_jack, Some(Suit::Spades)),
            ("spade", spade_jack, Some(Suit::Spades)),
            ("jack of hearts", spade_jack, Some(Suit::Hearts)),
            ("four of spades", spade_jack, Some(Suit::Spades)),
            ("jack of", spade_jack, None),
            ("heartless", None, None),
        ] {
            assert_eq!(stated_suit(&said(text), protected), suit, "{text:?}");
        }
    }

    #[test]
    fn the_end_of_drawing_is_announced_with_its_number() {
        for (text, drawn, expected) in [
            ("done", 2, true),
            ("Done!", 2, true),
            ("two done", 2, true),
            ("three done", 2, false),
            ("done", 3, false),
            ("three done", 3, true),
            ("3 done", 3, true),
            ("three, and done", 3, false),
            ("twenty-four done", 24, true),
            ("twenty four done", 24, true),
            ("four done", 24, false),
            ("nearly done", 2, true),
            ("undone", 2, false),
            ("done four", 4, false),
            ("", 2, false),
        ] {
            assert_eq!(announces_done(&said(text), "done", drawn, 2), expected, "{text:?} {drawn}");
        }
    }

    #[test]
    fn questions_oaths_and_noise() {
        let asking = WordList::parse("who what is would");
        for (text, asks) in [
            ("who is next", true),
            ("  WOULD somebody move on", true),
            ("you call that a card?", true),
            ("nobody knows what he is doing", false),
            ("whose", false),
            ("", false),
        ] {
            assert_eq!(is_question(text, &said(text), &asking), asks, "{text:?}");
        }
        let deities = WordList::parse("cthulhu");
        for (text, listed) in [("CTHULHU, help me!", true), ("a cthulhuish tune", false)] {
            assert_eq!(mentions(&said(text), &deities), listed, "{text:?}");
        }
        for (text, loud) in [
            ("THIS IS MY GAME!", true),
            ("This is my game", false),
            ("I", false),
            ("12!", false),
            (&"la ".repeat(30), true),
        ] {
            assert_eq!(is_loud(text), loud, "{text:?}");
        }
    }
}
