//! A draft of a rule set that is being checked, with the places of its values and the problems found so far. Its
//! helpers only add problems; `check`, `effects` and `agree` decide what is wrong.

use maumau_places::{Node, ProblemCollector};
use maumau_protocol::limits::MAX_SAY_CHARS;
use maumau_protocol::ruleset::RuleSet;

use crate::speech;

pub(super) struct Examined<'a> {
    pub(super) set: &'a RuleSet,
    pub(super) tree: &'a Node,
    pub(super) report: &'a mut ProblemCollector,
}

impl Examined<'_> {
    /// Reports a problem with the value at `path`.
    pub(super) fn wrong(&mut self, path: &str, message: impl Into<String>) {
        self.report.add_in(self.tree, path, message);
    }

    /// Words must be written in the form in which they are compared; `why` says what an empty one would lead to.
    pub(super) fn word(&mut self, path: &str, word: &str, why: &str) {
        let normal = speech::normal_form(word);
        if normal.is_empty() || word.chars().count() > MAX_SAY_CHARS {
            self.wrong(path, format!("cannot be said{why}: expected 1 to {MAX_SAY_CHARS} characters"));
        } else if normal != word {
            let message = format!("words are compared in small letters without punctuation (G-10): write {normal:?}");
            self.wrong(path, message);
        }
    }
}
