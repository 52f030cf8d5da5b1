//! The paragraph of each effect.

use maumau_protocol::ruleset::{AfterOwed, ChooseSuit, Effect};

use super::words::{all_of, capital, cite, count, one_of};
use super::{Explainer, Page};
use crate::rules::check::holds;

impl Explainer<'_> {
    /// One paragraph for each effect that holds at this table, or at some table.
    pub(super) fn special_cards(&self, page: &mut Page) {
        let here = |effect: &&Effect| match self.seats {
            Some(seats) => u8::try_from(seats).is_ok_and(|seats| holds(effect, seats)),
            None => !effect.off,
        };
        let effects: Vec<&Effect> =
            self.set.effects.values().filter(here).filter(|effect| !effect.cards.0.is_empty()).collect();
        page.heading("Special cards");
        if effects.is_empty() {
            page.paragraph("There are none.");
        }
        for effect in effects {
            page.paragraph(&self.effect(effect));
        }
    }

    fn effect(&self, effect: &Effect) -> String {
        let mut text = format!("{}. ", capital(&all_of(effect.cards.0)));
        let mut say = |sentence: &str| {
            text.push_str(sentence);
            text.push(' ');
        };
        if let (Some([low, high]), None) = (effect.seats, self.seats) {
            let (min, max) = (self.set.seats.min, self.set.seats.max);
            match (low > min, high < max) {
                (true, true) => say(&format!("Only with {low} to {high} players.")),
                (true, false) => say(&format!("Only with {low} or more players.")),
                (false, true) => say(&format!("Only with {high} players at most.")),
                (false, false) => {}
            }
        }
        if effect.out_of_turn {
            say(
                "They may be laid on any card, and not only in one's own turn: while the player to move has neither drawn \
                 nor anything to pay or to answer, anybody may lay one, and play goes on from that player.",
            );
        } else if effect.any_time {
            say("In one's own turn they may be laid on any card, unless cards are owed or an answer is due.");
        }
        match effect.choose_suit {
            Some(ChooseSuit::Spoken) => say(
                "The first suit that anybody states in words after it binds the next card. Until then nothing can be laid \
                 that needs a match; whoever is to move may state it with the card itself.",
            ),
            Some(ChooseSuit::May) => say("Whoever lays one may name a suit. The next card must then be of that suit; \
                                          where none is named, it must be of the card's own suit."),
            Some(ChooseSuit::New) => {
                say("Whoever lays one must name a suit, neither its own nor that of the card before, and the \
                                          next card must be of that suit.")
            }
            Some(ChooseSuit::Must) => say("Whoever lays one must name a suit, and the next card must be of that suit."),
            None => {}
        }
        if effect.reverse {
            say("The direction of play turns round; with two players only the direction is noted.");
        }
        if let Some(owe) = &effect.owe {
            let after = match owe.then {
                AfterOwed::TurnOver => "which is the whole turn: no card may be laid in it",
                AfterOwed::TurnStays if self.set.turn.owed_counts_as_draw => {
                    "and then has a turn in which these cards count as the draw"
                }
                AfterOwed::TurnStays => "and then has an ordinary turn",
            };
            let next = if effect.reverse { "The next player in the new direction" } else { "The next player" };
            say(&format!("{next} must draw {}, {after}.", count(owe.cards.into(), "card")));
            if owe.answers.0.is_empty() {
                say("Nothing can be laid against it.");
            } else {
                say(&format!(
                    "Instead of drawing one may answer with {}: then the whole debt goes on to the next player, with that \
                     card's own added. Nothing else can be laid against it. Once the cards are drawn the debt is gone.",
                    one_of(owe.answers.0)
                ));
            }
        }
        if let Some(skip) = &effect.skip {
            if skip.answers.0.is_empty() {
                say("The next player misses a turn and can do nothing about it.");
            } else {
                say(&format!(
                    "The next player either passes and misses a turn, or answers with {}. Each answer adds one: as many \
                     players as such cards were laid, one after another, then miss a turn. Neither drawing nor any other \
                     card helps.",
                    one_of(skip.answers.0)
                ));
                say(if skip.every_victim_may_answer {
                    "Each of them may answer in turn."
                } else {
                    "Only the first of them may answer."
                });
            }
        }
        if effect.again.is_some() {
            say("Whoever lays one may at once lay a further card that fits, or pass; drawing instead is not possible.");
        }
        if effect.never_last {
            say("They may not be laid as the last card.");
        }
        if let Some(times) = effect.last_multiplies {
            say(&format!("Laid as the last card, the points of all others count {}.", count(times.into(), "time")));
        }
        format!("{}{}", text.trim_end(), cite(&effect.clauses))
    }
}
