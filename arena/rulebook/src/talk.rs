//! Interjections, what should not be said, pauses and movements. Words that must be said stand in `owed_words`.

use maumau_protocol::RuleFault;
use maumau_protocol::ruleset::{DealtBy, InDebt, Loud};

use super::words::{count, fault, list, spoken, times};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// Twins of the top card.
    pub(super) fn interjections(&self, page: &mut Page) {
        let Some(interject) = self.set.interject.as_ref().filter(|interject| !interject.off) else { return };
        let words: Vec<String> = interject.say.iter().map(|say| spoken(say)).collect();
        page.heading("Interjections");
        page.paragraph().about("interject");
        page.say(
            "A player who holds the twin of the top card, the same in suit and value, may play it at any time, in turn or not.",
        )
        .states("P-40 P-41");
        page.say(format!("This holds for {}.", self.all_but(interject.cards.0))).states("P-51 P-52").from(".cards");
        page.say("Play goes on from that player in the direction of play; everybody in between is passed over.")
            .states("P-42");
        if interject.in_debt == InDebt::Answers {
            page.say("While cards are owed, only a twin that answers the debt may be played so.")
                .states("G-65")
                .from(".in_debt")
                .played("colours/CO-16");
        }
        let silent = words.is_empty();
        if silent {
            page.say("No word goes with it. The twin that the player to move plays is an ordinary card.")
                .states("G-65")
                .from(".say")
                .played("colours/CO-16");
        } else {
            page.say(format!(
                "The player to move says {} with it; without the word it is an ordinary card.",
                list(&words, "or")
            ))
            .states("P-44 P-50 P-55")
            .from(".say");
            page.say("Anybody else's twin is an interjection with or without the word.").states("P-53");
        }
        page.say("You may interject on your own card, but only by an action after the others have seen it.")
            .states("P-43");
        page.say(
            "Of two interjections at once the first counts; the other card goes back at no cost, as does one for a card that \
             another, even an identical one, has covered first. Either may be played once more if it still fits.",
        )
        .states("P-54 P-89");
        let reverses = self.cards_with(|effect| effect.reverse).intersect(interject.cards.0);
        if !reverses.is_empty() {
            page.say(format!("{} turns the direction round once more.", super::words::capital(&self.one_of(reverses))))
                .states("P-45 P-52")
                .played("spam/P-45");
        }
        let owes = self.cards_with(|effect| effect.owe.is_some()).intersect(interject.cards.0);
        if !owes.is_empty() {
            let debt = match interject.redraw_full {
                true => "all of it, whatever has been drawn",
                false => "what has not been drawn yet",
            };
            page.say(format!(
                "With {} the debt grows and moves on: the player after the interjection owes {debt}.",
                self.one_of(owes)
            ))
            .states("P-42 P-46 P-47 P-48")
            .from(".redraw_full")
            .played("spam/P-46, spam/P-48");
        }
        let skips = self.cards_with(|effect| effect.skip.is_some()).intersect(interject.cards.0);
        if !skips.is_empty() && !silent {
            page.say(format!(
                "With {} as many players miss a turn as such twins lie in a row, counted from the last one.",
                self.one_of(skips)
            ))
            .states("P-49 P-50")
            .played("spam/P-49");
        }
    }

    /// What should not be said, pauses and movements.
    pub(super) fn manners(&self, page: &mut Page) {
        let set = self.set;
        if set.talk.is_none() && set.point_of_order.is_none() && !set.calls.movements {
            return;
        }
        page.heading("Manners");
        self.talk(page);
        self.points_of_order(page);
        if set.calls.movements {
            page.paragraph();
            page.say(format!(
                "To reach for the draw pile (\"reach\") and then play a card, or the other way round, is a mistake ({}), unless \
                 an interjection came between.",
                fault(RuleFault::Flinch)
            ))
            .states("P-78 P-88")
            .from("calls.movements");
        }
    }

    fn talk(&self, page: &mut Page) {
        let Some(talk) = &self.set.talk else { return };
        page.paragraph().about("talk");
        let first = if talk.questions.words().is_empty() { "" } else { " or with a first word that asks" };
        page.say(format!(
            "To ask a question is a mistake ({}): an utterance with a question mark{first}.",
            fault(RuleFault::Question)
        ))
        .states("P-79")
        .from(".questions");
        let what = match (talk.swears.words().is_empty(), talk.deities.words().is_empty()) {
            (false, false) => "To swear, or to name a deity, by a listed word",
            (false, true) => "To swear by a listed word",
            (true, false) => "To name a listed deity",
            (true, true) => "",
        };
        if !what.is_empty() {
            page.say(format!("{what} is a mistake ({}).", fault(RuleFault::Swear)))
                .states("P-80 P-81")
                .from(".swears .deities");
        }
        let loud = fault(RuleFault::TooLoud);
        let too_loud = match talk.loud {
            Loud::Glares => Some(match self.seats {
                Some(2) => format!(
                    "To speak so that the other player glares (\"glare\") before you speak again is too loud ({loud})."
                ),
                _ => format!(
                    "To speak so that two others glare (\"glare\") before you speak again is too loud ({loud}){}.",
                    if self.may_be_two() { "; with two players one is enough" } else { "" }
                ),
            }),
            Loud::Caps => {
                Some(format!("An utterance in capitals only, or of more than 80 characters, is too loud ({loud})."))
            }
            Loud::Off => None,
        };
        if let Some(too_loud) = too_loud {
            page.say(too_loud).states("P-84").from(".loud").played("spam/P-84");
        }
        match talk.explaining.words().is_empty() {
            true => page.say("Explaining the rules is allowed.").played("spam/P-14-explaining"),
            false => page
                .say(format!(
                    "Explaining the rules, by a listed word, is a mistake ({}).",
                    fault(RuleFault::Explaining)
                ))
                .played("spam/P-14-no"),
        }
        .states("P-14")
        .from(".explaining");
        if talk.silence {
            page.say(format!(
                "To say anything without a word that these rules ask for is a mistake ({}).",
                fault(RuleFault::Talking)
            ))
            .states("G-78")
            .from(".silence");
        }
    }

    fn points_of_order(&self, page: &mut Page) {
        let Some(pause) = self.set.point_of_order.as_ref() else { return };
        page.paragraph().about("point_of_order");
        if pause.max == 0 {
            page.say(format!(
                "Nobody may call for a point of order: to do so is void and a mistake ({}).",
                fault(RuleFault::IllegalPo)
            ))
            .states("P-92 P-95")
            .from(".max");
            return;
        }
        page.say(format!("Anybody may call for a point of order, {} in a round.", times(pause.max.into())))
            .states("P-95")
            .from(".max");
        page.say("Only the caller ends it, or the referee when its time is over.").states("P-95");
        if pause.drawer_only {
            page.say("While owed cards are drawn one by one, only the drawer may call for it.")
                .states("P-91")
                .from(".drawer_only");
        }
        page.say(format!(
            "One too many, or one that may not be called, is void and a mistake ({}).",
            fault(RuleFault::IllegalPo)
        ))
        .states("P-92 P-95");
        page.say(
            "While it lasts no card is played or drawn and every other clock stands still; speaking and calling go on.",
        )
        .states("P-96 P-97");
        if self.set.talk.is_some() {
            page.say("In it questions and oaths are free.").states("P-82 P-92").played("spam/P-82-a-question");
        }
        page.say(format!("Nobody sees any cards in it, and to look is a mistake ({}).", fault(RuleFault::LookInPo)))
            .states("P-83");
        if self.set.talk.is_some() {
            page.say(format!(
                "A point of order in which its caller said something, and all of it oaths, is a mistake ({}).",
                fault(RuleFault::PoToSwear)
            ))
            .states("P-82");
        }
    }

    /// Whether the dealer deals.
    pub(super) fn dealt_by_dealer(&self) -> bool {
        self.set.deal.by == DealtBy::Dealer
    }

    /// `, which costs two penalty cards`.
    pub(super) fn which_costs(&self, cards: u8) -> String {
        format!("which costs {}", count(cards.into(), "penalty card"))
    }
}
