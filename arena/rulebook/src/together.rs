//! Several cards in one play.

use maumau_protocol::ruleset::{AfterDraw, BySeats, Counting, SeveralCards, Step};
use maumau_protocol::{Card, CardSet};

use super::words::{capital, list};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// A paragraph for each way to play several cards at once.
    pub(super) fn together(&self, page: &mut Page) {
        let ways: Vec<(&String, &SeveralCards)> =
            self.set.together.iter().filter(|(_, together)| !together.off).collect();
        if ways.is_empty() {
            return;
        }
        page.heading("Several cards at once");
        for (name, together) in ways {
            page.paragraph();
            page.about(format!("together.{name}")).cite_only(&together.clauses);
            self.way(together, page);
        }
    }

    fn way(&self, together: &SeveralCards, page: &mut Page) {
        if !together.opened_by.is_empty() {
            return self.run_of_a_suit(together, page);
        }
        let steps = match (together.step.0.contains(&Step::Rank), together.step.0.contains(&Step::Run)) {
            (true, false) => "has the value of the one before it",
            (false, _) => "has the suit of the one before it and the next value, up or down",
            (true, true) => "has the value of the one before it, or its suit and the next value, up or down",
        };
        let pack = match &self.set.deck.cards {
            BySeats::All(cards) => cards.0,
            BySeats::Rows(rows) => rows.iter().fold(CardSet::default(), |all, row| all.union(row.is.0)),
        };
        let limited = match pack.without(CardSet::of(Card::JOKER)).without(together.cards.0).is_empty() {
            true => String::new(),
            false => format!(", each {}", self.one_of(together.cards.0)),
        };
        page.say(format!(
            "In place of one card you may play several at once{limited}: the first must be one that may be played, and each \
             further card {steps}."
        ))
        .states("G-40")
        .from(".cards .step");
        if together.step.0.contains(&Step::Run) {
            page.say("Once up, such a row never goes down, and the other way round.").states("G-40").from(".step");
            let ends = match together.wraps {
                true => "After the highest value comes the lowest.",
                false => "It ends with the highest or the lowest value.",
            };
            page.say(ends).states("G-40").from(".wraps .step");
        }
        if !together.sizes.is_empty() {
            self.sizes(together, page);
        }
        page.say(counting(together.counts)).states("G-41").from(".counts");
        self.as_a_whole(page);
    }

    /// A run of a suit (G-73).
    fn run_of_a_suit(&self, together: &SeveralCards, page: &mut Page) {
        let openers = together.opened_by.0;
        let suited = |card: &Card| card.suit().is_some();
        let lacking = self.set.deck.pack.cards().without(together.cards.0).iter().any(|card| suited(&card));
        let limited = match lacking {
            true => format!(", each {}", self.one_of(together.cards.0.iter().filter(suited).collect())),
            false => String::new(),
        };
        page.say(format!(
            "With {} you may play any number of cards of its suit at once, in any order{limited}: it comes first, and a \
             further one among them is a card like the others.",
            self.one_of(openers)
        ))
        .states("G-73")
        .from(".cards .opened_by")
        .played("waterfall/WF-07");
        let without: CardSet = openers.iter().filter(|card| card.suit().is_none()).collect();
        if !without.is_empty() {
            page.say(format!("{} has the suit in force.", capital(&self.one_of(without))))
                .states("G-73")
                .from(".opened_by")
                .played("waterfall/WF-10");
        }
        if !together.sizes.is_empty() {
            self.sizes(together, page);
        }
        if together.open {
            page.say(format!(
                "Say whether the run is closed or stays open. {} alone always leaves it open.",
                capital(&self.one_of(openers))
            ))
            .states("G-73")
            .from(".open .opened_by")
            .played("waterfall/WF-07");
            page.say(
                "A run that stays open passes on: the next player may go on with one card of its suit or more, close it or \
                 leave it open, or play a card of another suit that fits, or a run of its own that begins with one; either ends it. \
                 Drawing leaves it open.",
            )
            .states("G-73")
            .from(".open")
            .played("waterfall/WF-08");
        }
        if !together.ended_by.is_empty() {
            page.say(format!("{} may come last, and ends the run.", capital(&self.one_of(together.ended_by.0))))
                .states("G-73")
                .from(".ended_by")
                .played("waterfall/WF-09");
        }
        page.say(counting(together.counts)).states("G-41").from(".counts").played("waterfall/WF-09");
        let covered = together.cards.0.iter().any(|card| {
            let mut effects = self.set.effects.values().filter(|effect| !effect.off && effect.cards.0.contains(card));
            effects.any(|effect| effect.again.is_some())
        });
        if together.counts != Counting::Last && covered {
            page.say("A further card is asked for once only, by the last card.")
                .states("G-41")
                .from(".counts")
                .rendered();
        }
        self.as_a_whole(page);
    }

    fn sizes(&self, together: &SeveralCards, page: &mut Page) {
        let sizes: Vec<String> = together.sizes.iter().map(u8::to_string).collect();
        page.say(format!("They must be {} cards.", list(&sizes, "or"))).states("G-40").from(".sizes").rendered();
    }

    fn as_a_whole(&self, page: &mut Page) {
        page.say("The play is right or wrong as a whole, and something is named for the last card only.")
            .states("G-40 G-41")
            .played("basic/G-42");
        let answers = self.some_card(|effect| {
            let skip = effect.skip.as_ref().is_some_and(|skip| !skip.answers.0.is_empty());
            skip || effect.owe.as_ref().is_some_and(|owe| !owe.answers.is_empty())
        });
        let demand = match (answers, self.some_card(|effect| effect.request.is_some())) {
            (true, true) => "Where an answer is due or a request stands, all of them must answer, serve or revoke it.",
            (true, false) => "Where an answer is due, all of them must answer.",
            (false, true) => "Where a request stands, all of them must serve or revoke it.",
            (false, false) => "",
        };
        if !demand.is_empty() {
            page.say(demand).states("G-42").played("basic/G-42");
        }
        if matches!(self.set.turn.after_draw, AfterDraw::DrawnCard | AfterDraw::DrawnCardMust) {
            page.say("A card that has just been drawn is played alone.").states("G-42").played("makao/MK-04");
        }
    }
}

/// Which of several cards have an effect.
fn counting(counts: Counting) -> &'static str {
    match counts {
        Counting::All => "All of them have their effects, one after another: what is owed and turns lost add up.",
        Counting::LastRank => {
            "Only the last card has an effect, and those directly before it of the same value; they add up."
        }
        Counting::Last => "Only the last card has an effect.",
    }
}
