//! The law: the clauses of `rules/LAW.md`, which is part of the program. It reads the page; what a clause means it does
//! not know.

use std::sync::LazyLock;

/// The page as it is written, in Markdown.
pub const PAGE: &str = include_str!("../../rules/LAW.md");

/// A clause of the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its id, such as `B-14`.
    pub id: &'static str,
    /// Where it comes from: `plain`, `ruling`, or `plain, with a ruling`.
    pub status: &'static str,
    /// The heading of its rule set, such as `B: basic`.
    pub set: &'static str,
    /// The heading of its topic, such as `Mau`.
    pub topic: &'static str,
    /// What it says, in Markdown: in lines, with `*Why:*` and `*Option*` in it.
    pub markdown: &'static str,
}

static CLAUSES: LazyLock<Vec<Clause>> = LazyLock::new(|| {
    let (mut set, mut topic) = ("", "");
    let mut found = Vec::new();
    for block in PAGE.split("\n\n") {
        if let Some(heading) = block.strip_prefix("## ") {
            (set, topic) = (heading, "");
        } else if let Some(heading) = block.strip_prefix("### ") {
            topic = heading;
        } else if let Some((id, status, markdown)) = parts(block) {
            found.push(Clause { id, status, set, topic, markdown });
        }
    }
    found
});

/// Id, status and text of a block like `<a id="b-14"></a>**B-14** *ruling.* The deadline …`.
fn parts(block: &str) -> Option<(&str, &str, &str)> {
    let (_, clause) = block.trim_end().strip_prefix("<a id=\"")?.split_once("\"></a>**")?;
    let (id, rest) = clause.split_once("** *")?;
    let (status, text) = rest.split_once(".*")?;
    Some((id, status, text.trim_start()))
}

/// All clauses, in the order of the page.
pub fn clauses() -> &'static [Clause] {
    &CLAUSES
}

/// The clause of this id, which may be written in small letters.
pub fn clause(id: &str) -> Option<&'static Clause> {
    CLAUSES.iter().find(|clause| clause.id.eq_ignore_ascii_case(id))
}

impl Clause {
    /// What it says, on one line and without the marks of Markdown.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.markdown.split_whitespace().collect();
        words.join(" ").replace(['*', '`'], "")
    }

    /// Its anchor on the page, such as `b-14`.
    pub fn anchor(&self) -> String {
        self.id.to_ascii_lowercase()
    }

    /// The options that select another reading of it, as `--set` takes them: words in backticks between `*Option*` and a colon or full stop.
    pub fn options(&self) -> impl Iterator<Item = &'static str> {
        let said = self.markdown.split("*Option").skip(1).flat_map(|after| after.split(['.', ':']).next());
        said.flat_map(|names| names.split('`').skip(1).step_by(2))
    }
}

/// What the ids of the clauses of each set begin with.
const LETTERS: [&str; 17] =
    ["G", "B", "K", "D", "N", "P", "MM", "TS", "PE", "PR", "MK", "SW", "CE", "CD", "BK", "CO", "WF"];

/// The ids of clauses in `text`, such as `K-42`, each with the place where it begins. Parts of longer words are none, and
/// whether there is such a clause is another question.
pub fn cited(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    text.match_indices('-').filter_map(move |(dash, _)| {
        let letters = bytes[..dash].iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
        let start = dash - letters;
        let digits = bytes[dash + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = dash + 1 + digits;
        let joins = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let before = start.checked_sub(1).map(|at| bytes[at]);
        let stands_alone = !before.is_some_and(|byte| joins(byte) || byte == b'-');
        let ends = !bytes.get(end).is_some_and(|byte| joins(*byte));
        let is_id = LETTERS.contains(&&text[start..dash]) && (2..=3).contains(&digits);
        (is_id && stands_alone && ends).then(|| (start, &text[start..end]))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_clause_of_the_page_is_read() {
        assert_eq!(clauses().len(), PAGE.matches("<a id=").count());
        assert_eq!(clauses().len(), PAGE.lines().filter(|line| line.contains("></a>**")).count());
        let ids: BTreeSet<&str> = clauses().iter().map(|clause| clause.id).collect();
        assert_eq!(ids.len(), clauses().len(), "an id stands twice");
        for clause in clauses() {
            let letter = clause.set.split(':').next().expect("a letter");
            assert!(clause.id.starts_with(letter) && cited(clause.id).count() == 1, "{clause:?}");
            assert!(["plain", "ruling", "plain, with a ruling"].contains(&clause.status), "{clause:?}");
            assert_eq!(clause.status == "plain, with a ruling", clause.text().contains("Ruling: "), "{clause:?}");
            assert!(!clause.topic.is_empty() && clause.text().ends_with(['.', '"']), "{clause:?}");
            assert!(PAGE.contains(&format!("<a id=\"{}\"></a>**{}**", clause.anchor(), clause.id)), "{clause:?}");
        }
    }

    #[test]
    fn the_ids_of_each_letter_are_numbered_without_a_gap() {
        for letter in LETTERS {
            let own = clauses().iter().filter_map(|clause| clause.id.strip_prefix(letter)?.strip_prefix('-'));
            let numbers: BTreeSet<usize> = own.map(|number| number.parse().expect("a number")).collect();
            assert!(numbers.iter().copied().eq(1..=numbers.len()), "{letter}: {numbers:?}");
        }
    }

    #[test]
    fn a_clause_is_found_by_its_id() {
        let mau = clause("b-12").expect("B-12");
        assert_eq!((mau.id, mau.status, mau.set, mau.topic), ("B-12", "plain", "B: basic", "Mau"));
        assert_eq!(mau.text(), "A player who is down to one card says \"Mau\".");
        assert_eq!(clause("B-14").expect("B-14").options().collect::<Vec<_>>(), ["mau=called"]);
        assert_eq!(clause("P-01").expect("P-01").options().collect::<Vec<_>>(), ["decks", "jokers"]);
        assert!(clause(&format!("B-{}", 99)).is_none() && clause("").is_none());
    }

    #[test]
    fn ids_are_read_where_they_stand_alone() {
        let text = "(B-04, K-39); X-K-01, SPEC-02 G-1 UTF-8 P-109/N-132 FG-22 K-1234 B-14-mau D-30x MK-05 XMK-05 OK-05";
        let ids: Vec<&str> = cited(text).map(|(_, id)| id).collect();
        assert_eq!(ids, ["B-04", "K-39", "P-109", "N-132", "B-14", "MK-05"]);
        assert_eq!(cited("ü G-01").next(), Some((3, "G-01")));
    }
}
