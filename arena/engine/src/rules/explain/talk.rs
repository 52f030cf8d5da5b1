//! Interjections, words owed with a card, what should not be said, and pauses.

use maumau_protocol::ruleset::{CallUntil, Look, Loud, SaidDuty};

use super::words::{all_of, cite, count, list, spoken};
use super::{Explainer, Page};

impl Explainer<'_> {
    /// Whether words are owed with cards or after drawing.
    pub(super) fn owes_words(&self) -> bool {
        let duties = &self.set.duties;
        duties.words.values().any(|duty| !duty.off) || duties.done.as_ref().is_some_and(|done| !done.off)
    }

    /// Twins of the top card.
    pub(super) fn interjections(&self, page: &mut Page) {
        let Some(interject) = self.set.interject.as_ref().filter(|interject| !interject.off) else { return };
        let words: Vec<String> = interject.say.iter().map(|say| spoken(say)).collect();
        let debt = match interject.redraw_full {
            true => "owes all of them anew",
            false => "owes what has not been drawn yet",
        };
        page.heading("Interjections");
        page.paragraph(&format!(
            "Whoever holds exactly the top card, in suit and value, may lay it at any time, in turn or not; play goes on \
             from that player in the direction of play, and everybody between is passed over. This holds for {}. The seat \
             to move says {} with it; without the word its card is an ordinary play. One may interject on one's own card, \
             but only after the others have seen it. A card that an interjection has overtaken goes back free of charge. \
             With the effect of the card: a debt moves on, and the next player {debt}; of cards that make others miss a \
             turn, as many players miss one as such twins lie in a row.{}",
            all_of(interject.cards.0),
            list(&words, "or"),
            cite(&interject.clauses)
        ));
    }

    /// Words owed with a card.
    pub(super) fn said(&self, page: &mut Page) {
        if !self.owes_words() {
            return;
        }
        page.paragraph(
            "These words are owed with a card, at once or within the grace time after it [G-13]. Several utterances count \
             together, order and further words do not matter, and a needless word costs nothing. Words are cut from left \
             to right, the longest phrase first; capital letters and punctuation make no difference [G-10].",
        );
        for duty in self.set.duties.words.values().filter(|duty| !duty.off) {
            page.item(&self.said_duty(duty));
        }
        if let Some(done) = self.set.duties.done.as_ref().filter(|done| !done.off) {
            page.item(&format!(
                "{} by whoever has drawn the last card owed, with the number of cards drawn before it; the number may be \
                 left out if it is {} (\"no_done\").{}",
                spoken(&done.word),
                done.without_number,
                cite(&done.clauses)
            ));
        }
        page.gap();
    }

    fn said_duty(&self, duty: &SaidDuty) -> String {
        let words: Vec<String> = duty.say.iter().map(|say| spoken(say)).collect();
        let mut when = match &duty.cards {
            Some(cards) => format!(" with {}", all_of(cards.0)),
            None => " with any card".to_owned(),
        };
        match duty.left {
            Some(0) => when.push_str(" laid as the last card"),
            Some(left) => when.push_str(&format!(" that leaves {} in the hand", count(left.into(), "card"))),
            None => {}
        }
        match duty.interjection {
            Some(0) => when.push_str(" that is an interjection"),
            Some(number) => when.push_str(&format!(" that is interjection number {number} of the same card in a row")),
            None => {}
        }
        if duty.first_card {
            when.push_str("; by the dealer too, for the card turned up first");
        }
        format!("{}{when} (\"{}\").{}", list(&words, "or"), duty.fault.name(), cite(&duty.clauses))
    }

    /// What should not be said, pauses, looking and movements.
    pub(super) fn talk(&self, page: &mut Page) {
        let set = self.set;
        if set.talk.is_none() && set.point_of_order.is_none() && !set.calls.movements {
            return;
        }
        page.heading("Manners");
        if let Some(talk) = &set.talk {
            let loud = match talk.loud {
                Loud::Glares => "that two others have glared at since, one with two players",
                Loud::Caps => "in capitals only, or of more than 80 characters",
            };
            let explaining = match talk.explaining.0.is_empty() {
                true => "Explaining the rules is allowed.",
                false => "Explaining the rules is a mistake too (\"explaining\").",
            };
            page.paragraph(&format!(
                "These are mistakes: to ask a question, which is an utterance with a question mark or with a first word \
                 that asks (\"question\"); to swear or to name a deity by a listed word (\"swear\"); an utterance {loud} \
                 (\"too_loud\"). {explaining}{}",
                cite(&talk.clauses)
            ));
        }
        if let Some(pause) = &set.point_of_order {
            let drawer = match pause.drawer_only {
                true => " While owed cards are drawn, only the drawer may call for one.",
                false => "",
            };
            page.paragraph(&format!(
                "Anybody may call for a point of order, {} times in a round; only the caller ends it, or the referee after \
                 a minute.{drawer} One too many, or one that may not be called, is void and a mistake (\"illegal_po\"). \
                 While it lasts play rests, every clock stands still, and questions and oaths are free, but nobody sees \
                 his cards, and to look at them is a mistake (\"look_in_po\"); so is a point of order in which its caller \
                 did nothing but swear (\"po_to_swear\").{}",
                pause.max,
                cite(&pause.clauses)
            ));
        }
        if set.deal.look != Look::Dealt {
            let auto = match set.deal.look {
                Look::Auto => {
                    " The referee looks for everybody who has not done so before the first card is turned up."
                }
                _ => " Who has not looked may draw, speak and call, but lays no card.",
            };
            page.paragraph(&format!(
                "Nobody sees his cards before he looks at them, and nobody looks before the dealer (\"early_look\").{auto}"
            ));
        }
        if set.calls.movements {
            page.paragraph(
                "To reach for the draw pile and then lay a card, or the other way round, is a mistake (\"flinch\"), unless \
                 an interjection came between.",
            );
        }
        if set.calls.until == CallUntil::OwnNextTurn {
            page.paragraph(
                "A mistake can be called until the offender has completed the next ordinary turn of his own; an \
                 interjection, a forced draw and a turn that is missed are none. A mistake made in one's own turn is open \
                 to the end of the next one.",
            );
        }
    }
}
