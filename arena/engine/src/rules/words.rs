//! The word lists that come with the program, which rule files request with the word `built-in`. It only replaces that
//! word; `crate::speech` compares the lists with what is said.

use maumau_protocol::ruleset::{RuleSet, WordList};

const QUESTIONS: &str = include_str!("../../rules/words/questions.txt");
const SWEARS: &str = include_str!("../../rules/words/swears.txt");
const DEITIES: &str = include_str!("../../rules/words/deities.txt");
const EXPLAINING: &str = include_str!("../../rules/words/explaining.txt");

/// Puts the lists in the place of that word.
pub(crate) fn resolve(mut set: RuleSet) -> RuleSet {
    if let Some(talk) = &mut set.talk {
        for (list, text) in [
            (&mut talk.questions, QUESTIONS),
            (&mut talk.swears, SWEARS),
            (&mut talk.deities, DEITIES),
            (&mut talk.explaining, EXPLAINING),
        ] {
            let given = |word: &String| match word.as_str() {
                WordList::BUILT_IN => WordList::parse(text).words().to_vec(),
                _ => vec![word.clone()],
            };
            *list = list.words().iter().flat_map(given).collect();
        }
    }
    set
}
