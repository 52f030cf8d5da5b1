//! What cards do to the next turn: cards owed, turns lost, a further card. It describes single effects; `special` decides
//! in which paragraph.

use maumau_protocol::ruleset::{AfterOwed, Again, Effect};

use super::words::{count, one_of};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn owe(&self, effect: &Effect, page: &mut Page) {
        let Some(owe) = &effect.owe else { return };
        let next = if effect.reverse { "The next player in the new direction" } else { "The next player" };
        let cards = count(owe.cards.into(), "card");
        match (owe.then, self.set.turn.owed_counts_as_draw) {
            (AfterOwed::TurnOver, _) => page
                .say(format!("{next} must draw {cards}, which is the whole turn: no card may be played in it."))
                .states("B-15 B-16 B-27 B-28 D-70 D-73 N-24 P-17 K-54")
                .from(".owe.cards .owe.then")
                .played("crazy-eights/option-a-two"),
            (AfterOwed::TurnStays, false) => page
                .say(format!("{next} must draw {cards}, and then has a whole turn, with a draw of its own."))
                .states("K-29 K-30 K-34 K-52 K-54 K-57 K-59")
                .from(".owe.cards .owe.then turn.owed_counts_as_draw"),
            (AfterOwed::TurnStays, true) => page
                .say(format!(
                    "{next} must draw {cards}, and then may play a card or pass: the cards count as the draw."
                ))
                .states("K-29 K-30 K-34 K-52 K-57 K-59")
                .from(".owe.cards .owe.then turn.owed_counts_as_draw")
                .played("skat/K-34-option"),
        };
        let interjections = match self.set.interject.as_ref().is_some_and(|interject| !interject.off) {
            true => ", interjections aside",
            false => "",
        };
        match owe.answers.0.is_empty() {
            true => page
                .say(format!("Nothing can be played against it{interjections}."))
                .states("B-29 B-45")
                .from(".owe.answers"),
            false => {
                page.say(format!(
                    "That player may answer with {} instead: the whole debt, with that card's own added, goes on to the \
                     next player, and so on.",
                    one_of(owe.answers.0)
                ))
                .states("B-17 D-71 K-31 K-53 K-58 N-25 P-18 P-19")
                .from(".owe.answers")
                .played("crazy-eights/option-a-two");
                page.say(format!("Nothing else can be played against it{interjections}."))
                    .states("B-18 D-72 K-32 K-60 N-27 P-18 K-52 K-53")
                    .from(".owe.answers")
                    .played("crazy-eights/option-a-two")
            }
        };
        match self.set.turn.owed_one_by_one {
            true => page
                .say("Owed cards are drawn one at a time, and with the first one it is too late to answer.")
                .states("D-74 P-22 P-47")
                .from("turn.owed_one_by_one")
                .played("deluxe/D-74"),
            false => page
                .say("One draw takes all owed cards.")
                .states("D-74 B-16 K-30 N-24")
                .from("turn.owed_one_by_one")
                .played("deluxe/D-70, skat/K-54, crazy-eights/option-a-two, basic/B-28"),
        };
        page.say("Once they are drawn the debt is gone, and the card is an ordinary top card.")
            .states("B-44 D-75 K-33 N-26 P-21")
            .played("crazy-eights/option-a-two, basic/B-28, deluxe/D-70, skat/K-30, skat/K-59, snap/N-39, skat/K-54");
        if self.holds_with_two(effect) && owe.then == AfterOwed::TurnOver {
            page.say("With two players, the one who played it then moves again.")
                .states("B-46 D-73 N-24 P-17")
                .from(".owe.then")
                .played("deluxe/D-31, snap/N-27, spam/P-94-four, crazy-eights/option-a-two");
        }
    }

    /// A turn that is lost.
    pub(super) fn skip(&self, effect: &Effect, page: &mut Page) {
        let Some(skip) = &effect.skip else { return };
        if skip.answers.0.is_empty() {
            page.say("The next player misses a turn and can do nothing about it.")
                .states("B-19 B-20 D-68 P-23")
                .from(".skip.answers")
                .played("crazy-eights/a-queen-turned-up");
            if self.holds_with_two(effect) {
                page.say("With two players, the one who played it moves again.")
                    .states("B-21 P-24")
                    .from(".seats")
                    .played("crazy-eights/a-queen-between-two");
            }
            return;
        }
        let answer = one_of(skip.answers.0);
        if skip.threat {
            page.say(format!("The next player misses a turn unless that player answers with {answer}."))
                .states("N-41")
                .from(".skip.answers .skip.threat");
            page.say("The player after that one has the turn at once; the answer is possible until that one draws or plays a card that is not free.")
                .states("N-42")
                .from(".skip.threat");
            page.say("The threatened player may pass instead, but play nothing else that is not free.")
                .states("N-44")
                .from(".skip.threat");
            page.say("An answer threatens the player after it in the same way; missed turns never add up.")
                .states("N-43")
                .from(".skip.threat");
            if self.holds_with_two(effect) {
                page.say("With two players the player after the next one is the one who played the card.")
                    .states("N-45")
                    .from(".skip.threat");
            }
            return;
        }
        page.say(format!(
            "The next player either passes, which misses the turn, or answers with {answer}, and is asked to even without one."
        ))
        .states("K-22 K-23 G-18")
        .from(".skip.answers");
        page.say("Neither drawing nor any other card helps.").states("K-28").from(".skip.answers");
        if !skip.adds {
            page.say("An answer passes the one turn on and adds nothing: the player who answered misses none.")
                .states("G-27")
                .from(".skip.adds");
            return;
        }
        page.say(
            "Each answer adds one: as many players as such cards were played then miss a turn, one after another, round the \
             table if need be.",
        )
        .states("K-24 K-25 K-27")
        .from(".skip.answers .skip.adds");
        match skip.every_victim_may_answer {
            true => page
                .say("Each of them may answer in turn.")
                .states("K-26")
                .from(".skip.every_victim_may_answer")
                .played("skat/K-26-option"),
            false => page
                .say("Only the first of them may answer.")
                .states("K-26")
                .from(".skip.every_victim_may_answer")
                .played("skat/K-25, skat/K-27"),
        };
    }

    pub(super) fn again(&self, effect: &Effect, page: &mut Page) {
        match effect.again {
            Some(Again::May) => {
                page.say("A player who plays one may at once play a further card that fits, or pass; drawing instead is not possible.")
                    .states("B-11 B-22 K-35")
                    .from(".again");
                page.say("A further card of the same kind allows yet another.").states("B-22 K-36").from(".again");
            }
            Some(Again::Must) => {
                let draw = match self.set.turn.again_may_draw {
                    true => "or draw one card, and then the turn is over",
                    false => "or, only without a card that fits, draw one; then the turn is over",
                };
                page.say(format!(
                    "A player who plays one must at once play a further card that fits, with all that it does, {draw}."
                ))
                .states("D-62 D-63 D-64 D-65")
                .from(".again turn.again_may_draw");
                page.say("A further card of the same kind asks for yet another.")
                    .states("D-63")
                    .from(".again")
                    .played("deluxe/D-62");
            }
            None => {}
        }
    }
}
