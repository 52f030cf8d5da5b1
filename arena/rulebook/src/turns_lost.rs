//! What cards do to the next turn: cards owed, turns lost, a further card. It describes single effects; `special` decides
//! in which paragraph.

use maumau_protocol::ruleset::{
    AfterOwed, Again, AgainDraws, AgainFits, AnswerMatch, Answers, Debtor, Drawers, Effect, LostBy, Owe, Resume,
    ShownTo,
};

use super::words::count;
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// Cards that are drawn at once.
    pub(super) fn draw_at_once(&self, effect: &Effect, page: &mut Page) {
        let Some(draw) = effect.draw else { return };
        let who = match draw.who {
            Drawers::Others => "Everybody else draws",
            Drawers::Previous => "The player before, against the direction of play, draws",
            Drawers::Next => "The next player draws",
            Drawers::Chosen => "A player whom the player of the card chooses draws",
            Drawers::Oneself => "The player who plays one draws",
        };
        let cards = count(draw.cards.into(), "card");
        page.say(format!("{who} {cards} at once. Nothing answers that, and it is nobody's turn."))
            .states(if draw.who == Drawers::Chosen { "G-35 G-59" } else { "G-35" })
            .from(".draw.cards .draw.who");
    }

    /// A card that may be played wrongly, and is found out by a challenge.
    pub(super) fn challenge(&self, effect: &Effect, page: &mut Page) {
        let Some(challenge) = self.set.challenge.as_ref().filter(|challenge| !challenge.off) else { return };
        if effect.only_without.is_none() {
            return;
        }
        let shown = match challenge.shows {
            ShownTo::Challenger => "and sees the hand of its player as it was right after it",
            ShownTo::Table => "and everybody sees the hand of its player as it was right after it",
            ShownTo::Nobody => "and the referee looks at the hand of its player as it was right after it",
        };
        page.say(format!(
            "Played wrongly it is not refused: the player who owes cards for it may challenge it instead of drawing any, {shown}."
        ))
        .states("G-67 CO-09 CO-10")
        .from(".only_without challenge.shows challenge.off")
        .played("colours/CO-09-a-wrong");
        page.say(
            "If it was wrong, its player draws what is owed as penalty cards, and the challenger has a whole turn.",
        )
        .states("G-67 CO-09 CO-15")
        .from(".only_without")
        .played("colours/CO-09-a-wrong");
        let more = match challenge.failed {
            0 => "and nothing more".to_owned(),
            failed => format!("and {} besides", count(failed.into(), "penalty card")),
        };
        page.say(format!("If it was right, the challenger draws what is owed, {more}."))
            .states("G-67 CO-09 CO-15")
            .from(".only_without challenge.failed")
            .played("colours/CO-09-a-right");
        page.say("What was named with it holds either way, and a last card is not challenged.")
            .states("G-67 CO-09 CO-12")
            .from(".only_without")
            .played("colours/CO-12-a-last-wild");
    }

    pub(super) fn owe(&self, effect: &Effect, page: &mut Page) {
        let Some(owe) = &effect.owe else { return };
        let debtor = match (owe.on, effect.reverse) {
            (Debtor::Next, true) => "The next player in the new direction",
            (Debtor::Next, false) => "The next player",
            (Debtor::Previous, true) => "The player before, against the new direction,",
            (Debtor::Previous, false) => "The player before, against the direction of play,",
            (Debtor::Chosen, _) => "A player whom the player of the card chooses",
        };
        let cards = count(owe.cards.into(), "card");
        match (owe.then, self.set.turn.owed_counts_as_draw) {
            (AfterOwed::TurnOver, _) => page
                .say(format!("{debtor} must draw {cards}, which is the whole turn: no card may be played in it."))
                .states(match owe.on {
                    Debtor::Next => "B-15 B-16 B-27 B-28 D-70 D-73 N-24 P-17 K-54",
                    Debtor::Previous => "G-33",
                    Debtor::Chosen => "G-59",
                })
                .from(".owe.cards .owe.then .owe.on")
                .played("crazy-eights/option-a-two"),
            (AfterOwed::TurnStays, false) => page
                .say(format!("{debtor} must draw {cards}, and then has a whole turn, with a draw of its own."))
                .states("K-29 K-30 K-34 K-52 K-54 K-57 K-59")
                .from(".owe.cards .owe.then .owe.on turn.owed_counts_as_draw"),
            (AfterOwed::TurnStays, true) => page
                .say(format!(
                    "{debtor} must draw {cards}, and then may play a card or pass: the cards count as the draw."
                ))
                .states("K-29 K-30 K-34 K-52 K-57 K-59")
                .from(".owe.cards .owe.then .owe.on turn.owed_counts_as_draw")
                .played("skat/K-34-option"),
        };
        let interjections = match self.set.interject.as_ref().is_some_and(|interject| !interject.off) {
            true => ", interjections aside",
            false => "",
        };
        self.answers(owe, interjections, page);
        if owe.rescue {
            page.say(
                "The first of the cards is drawn by itself: if it answers, it may be played, and the debt goes on whole; \
                 otherwise the rest is drawn.",
            )
            .states("G-34")
            .from(".owe.rescue");
        }
        match self.set.turn.owed_one_by_one {
            true => page
                .say("Owed cards are drawn one at a time, and with the first one it is too late to answer.")
                .states("D-74 P-22 P-47")
                .from("turn.owed_one_by_one")
                .played("deluxe/D-74"),
            false if owe.rescue => page.say("One more draw takes all the rest.").states("G-34").from(".owe.rescue"),
            false => page
                .say("One draw takes all owed cards.")
                .states("D-74 B-16 K-30 N-24")
                .from("turn.owed_one_by_one")
                .played("deluxe/D-70, skat/K-54, crazy-eights/option-a-two, basic/B-28"),
        };
        if owe.drawer_names {
            page.say("The player who has drawn them names the suit of the next card before anything else happens.")
                .states("G-70")
                .from(".owe.drawer_names")
                .played("pesten/PE-08-option-the-drawer-names-the-suit");
        }
        page.say("Once they are drawn the debt is gone, and the card is an ordinary top card.")
            .states("B-44 D-75 K-33 N-26 P-21")
            .played("crazy-eights/option-a-two, basic/B-28, deluxe/D-70, skat/K-30, skat/K-59, snap/N-39, skat/K-54");
        if owe.on != Debtor::Next && owe.then == AfterOwed::TurnOver {
            let after = match owe.resume {
                Resume::AfterCard => "the player who played one",
                Resume::AfterDebtor => "the player who drew",
            };
            page.say(format!("Play then goes on after {after}.")).states("G-33").from(".owe.resume");
        }
        if self.holds_with_two(effect) && owe.then == AfterOwed::TurnOver {
            page.say(self.of_two(effect, "With two players, the one", "who played it then moves again."))
                .states("B-46 D-73 N-24 P-17")
                .from(".owe.then")
                .played("deluxe/D-31, snap/N-27, spam/P-94-four, crazy-eights/option-a-two");
        }
    }

    /// What can be played against a debt.
    fn answers(&self, owe: &Owe, interjections: &str, page: &mut Page) {
        let Owe { answers, passes, returns, cancels, .. } = owe;
        if [answers, passes, returns, cancels].iter().all(|way| way.is_empty()) {
            page.say(format!("Nothing can be played against it{interjections}."))
                .states("B-29 B-45")
                .from(".owe.answers .owe.passes .owe.returns .owe.cancels");
            return;
        }
        if !answers.is_empty() {
            let points_back = |effect: &Effect| {
                let on_previous = effect.owe.as_ref().is_some_and(|owe| owe.on == Debtor::Previous);
                on_previous && !effect.cards.0.intersect(answers.cards.0).is_empty()
            };
            let who = match self.effects_here().any(|(_, effect)| points_back(effect)) {
                true => "the player who has to draw for that card",
                false => "the next player",
            };
            page.say(format!(
                "That player may answer with {} instead: the whole debt, with that card's own added, goes on to {who}, and so \
                 on.",
                self.answering(answers)
            ))
            .states("B-17 D-71 K-31 K-53 K-58 N-25 P-18 P-19")
            .from(".owe.answers")
            .played("crazy-eights/option-a-two");
        }
        if !passes.is_empty() {
            page.say(format!("With {} it goes on to the next player as it is.", self.answering(passes)))
                .states("G-30")
                .from(".owe.passes");
        }
        if !returns.is_empty() {
            page.say(format!(
                "With {} it goes back to the player of the card below, and the direction of play turns round.",
                self.answering(returns)
            ))
            .states("G-31")
            .from(".owe.returns");
        }
        if !cancels.is_empty() {
            let stays = |effect: &Effect| effect.again.is_some_and(|again| again.fits == AgainFits::Anything);
            let stay =
                |(_, effect): (_, &Effect)| stays(effect) && !effect.cards.0.intersect(cancels.cards.0).is_empty();
            let then = match self.effects_here().any(stay) {
                true => "nothing is owed any more, and after it comes what always may come after that card",
                false => "nothing is owed any more, the turn is over, and the card does nothing else",
            };
            page.say(format!("With {} it is cancelled: {then}.", self.answering(cancels)))
                .states("G-32")
                .from(".owe.cancels");
        }
        page.say(format!("Nothing else can be played against it{interjections}."))
            .states("B-18 D-72 K-32 K-60 N-27 P-18 K-52 K-53")
            .from(".owe.answers")
            .played("crazy-eights/option-a-two");
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
                page.say(self.of_two(effect, "With two players, the one", "who played it moves again."))
                    .states("B-21 P-24")
                    .from(".seats")
                    .played("crazy-eights/a-queen-between-two");
            }
            return;
        }
        let answer = self.one_of(skip.answers.0);
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
            "The next player either passes, which misses the turn, or answers with {answer}, and is asked even without one."
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
        if skip.of == LostBy::Turns {
            page.say(
                "Each answer adds one: the first player who does not answer misses as many turns as such cards were played, \
                 the next of them at once.",
            )
            .states("G-37")
            .from(".skip.of");
            page.say("Cards that are owed meanwhile, and answers that are due, are still that player's: only ordinary turns are missed.")
                .states("G-37")
                .from(".skip.of");
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
        let Some(again) = effect.again else { return };
        let fits = match again.fits {
            AgainFits::Card => "a further card that fits",
            AgainFits::Suit => "a further card of its suit",
            AgainFits::Anything => "any further card",
        };
        if !again.must {
            page.say(format!(
                "A player who plays one may at once play {fits}, or pass; drawing instead is not possible."
            ))
            .states(if again == Again::MAY { "B-11 B-22 K-35" } else { "G-38" })
            .from(".again");
            page.say("A further card of the same kind allows yet another.").states("B-22 K-36").from(".again");
            return;
        }
        let draw = match (again.draws, self.set.turn.again_may_draw) {
            (AgainDraws::UntilFits, _) => {
                "or, without such a card, draw one after another until one comes; when nothing is left to draw, the turn is over"
            }
            (AgainDraws::AsTurn, true) => "or draw one card, and then go on as after any draw",
            (AgainDraws::AsTurn, false) => "or, only without a card that fits, draw one and go on as after any draw",
            (AgainDraws::One, true) => "or draw one card, and then the turn is over",
            (AgainDraws::One, false) => "or, only without a card that fits, draw one; then the turn is over",
        };
        page.say(format!("A player who plays one must at once play {fits}, with all that it does, {draw}."))
            .states(match again.draws {
                _ if again == Again::MUST => "D-62 D-63 D-64 D-65",
                AgainDraws::AsTurn => "G-38 G-60",
                AgainDraws::One | AgainDraws::UntilFits => "G-38",
            })
            .from(".again turn.again_may_draw");
        page.say("A further card of the same kind asks for yet another.")
            .states("D-63")
            .from(".again")
            .played("deluxe/D-62");
    }

    /// Cards that answer, with what they must share with the top card.
    fn answering(&self, way: &Answers) -> String {
        let cards = self.one_of(way.cards.0);
        match way.matching {
            AnswerMatch::None => cards,
            AnswerMatch::Fit => format!("{cards} that fits the top card"),
            AnswerMatch::Suit => format!("{cards} of the suit of the top card"),
        }
    }
}
