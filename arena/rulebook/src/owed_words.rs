//! What must be said: the paragraphs that there are, and words owed with a card. The words for few cards stand in
//! `warnings`.

use maumau_protocol::ruleset::SaidDuty;

use super::words::{count, list, spoken};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn what_must_be_said(&self, page: &mut Page) {
        let duties = &self.set.duties;
        page.heading("What must be said");
        let none_for_few_cards = duties.mau.is_none() && duties.mau_mau.is_none() && duties.last.is_none();
        if none_for_few_cards && duties.identical.is_none() && !self.owes_words() {
            page.paragraph().say("Nothing.").played("crazy-eights/the-last-card");
            return;
        }
        self.mau(page);
        self.last_word(page);
        self.mau_mau(page);
        self.identical(page);
        self.words_with_cards(page);
        page.paragraph();
        if duties.mau.as_ref().is_none_or(|mau| mau.false_costs == 0) {
            page.say("A needless word costs nothing, and does not count for later.")
                .states("B-47 D-84 K-65 N-87 P-59")
                .played("basic/B-47, deluxe/D-84-needless, spam/P-59");
        }
        let twice = match duties.mau.as_ref().is_none_or(|mau| mau.word == "mau") {
            true => ", and \"maumau\" is \"mau\" said twice",
            false => "",
        };
        page.say(format!(
            "Words are compared one by one: capital letters make no difference, nor does punctuation at the ends of a word; a \
             hyphen parts two words{twice}."
        ))
        .states("G-10")
        .played("fn case_punctuation_and_spaces_do_not_matter");
        page.say("Words that come with a refused action are not heard.").states("G-10").played("basic/G-10-words");
    }

    /// Whether words are owed with cards or after drawing.
    pub(super) fn owes_words(&self) -> bool {
        let duties = &self.set.duties;
        duties.words.values().any(|duty| !duty.off) || duties.done.as_ref().is_some_and(|done| !done.off)
    }

    fn words_with_cards(&self, page: &mut Page) {
        if !self.owes_words() {
            return;
        }
        page.paragraph();
        page.say(
            "These words are owed with a card, or in the grace time after it. Several utterances count together, and order \
             and further words do not matter.",
        )
        .states("P-67 P-68");
        page.say("Before the grace time is over they can be made good, and a call is wrong.").states("P-68");
        page.say("Words are cut from left to right, the longest phrase first, and only that phrase counts.")
            .states("P-69")
            .played("spam/P-69");
        for (name, duty) in self.set.duties.words.iter().filter(|(_, duty)| !duty.off) {
            page.item().about(format!("duties.words.{name}"));
            let text = self.said_duty(duty);
            page.say(text)
                .states_all(&duty.clauses)
                .from(".say .cards .left .interjection")
                .played("spam/P-60, spam/P-61");
            if duty.first_card {
                page.say("The dealer owes it for the card turned up first too.")
                    .states("P-07")
                    .from(".first_card")
                    .played("spam/P-06, spam/P-07");
            }
        }
        if let Some(done) = self.set.duties.done.as_ref().filter(|done| !done.off) {
            page.item().about("duties.done");
            page.say(format!(
                "{} by the player who has drawn the last card owed, after the number of cards that this player has drawn for the \
                 debt; with {} the number may be left out (\"no_done\").",
                spoken(&done.word),
                count(done.without_number.into(), "card")
            ))
            .states("P-93 P-94")
            .from(".word .without_number");
            page.say("Cards that lapse are not counted. A player who has drawn none owes no word, nor does one for whom the referee draws.")
                .states("P-94 G-07 G-05")
                .played("spam/P-94-a-waived");
        }
    }

    fn said_duty(&self, duty: &SaidDuty) -> String {
        let words: Vec<String> = duty.say.iter().map(|say| spoken(say)).collect();
        let mut when = match &duty.cards {
            Some(cards) => format!(" with {}", self.any_but(cards.0)),
            None => " with any card".to_owned(),
        };
        match duty.left {
            Some(0) => when.push_str(" played as the last card"),
            Some(left) => when.push_str(&format!(" that leaves {} in the hand", count(left.into(), "card"))),
            None => {}
        }
        match duty.interjection {
            Some(0) => when.push_str(" that is an interjection"),
            Some(number) => when.push_str(&format!(" that is interjection number {number} of the same card in a row")),
            None => {}
        }
        format!("{}{when} (\"{}\").", list(&words, "or"), duty.fault.name())
    }
}
