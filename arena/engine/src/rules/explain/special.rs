//! The paragraph of each effect, and what several effects have in common.

use maumau_protocol::CardSet;
use maumau_protocol::ruleset::{AfterOwed, Again, ChooseSuit, Effect, Named, Owe, Request, RequestEnds, Skip, Take};

use super::words::{all_of, capital, cite, count, list, one_of};
use super::{Explainer, Page};
use crate::rules::check::holds;

impl Explainer<'_> {
    /// The effects that hold at this table, or at some table.
    pub(super) fn effects_here(&self) -> impl Iterator<Item = &Effect> {
        let seats = self.seats.map(|seats| u8::try_from(seats).unwrap_or(u8::MAX));
        let here = move |effect: &&Effect| seats.map_or(!effect.off, |seats| holds(effect, seats));
        self.set.effects.values().filter(here).filter(|effect| !effect.cards.0.is_empty())
    }

    /// Whether some card here has the part.
    pub(super) fn some_card(&self, has: impl Fn(&Effect) -> bool) -> bool {
        self.effects_here().any(has)
    }

    /// The cards here that have the part.
    pub(super) fn cards_with(&self, has: impl Fn(&Effect) -> bool) -> CardSet {
        self.effects_here().filter(|effect| has(effect)).fold(CardSet::EMPTY, |all, effect| all.union(effect.cards.0))
    }

    /// Whether an answer to a lost turn can be due in one's own turn.
    pub(super) fn skips_can_be_answered(&self) -> bool {
        self.some_card(|effect| effect.skip.as_ref().is_some_and(|skip| !skip.threat && !skip.answers.0.is_empty()))
    }

    /// One paragraph for each effect, then those on what several effects have in common.
    pub(super) fn special_cards(&self, page: &mut Page) {
        page.heading("Special cards");
        let mut any = false;
        for effect in self.effects_here() {
            page.paragraph(&self.effect(effect));
            any = true;
        }
        if !any {
            page.paragraph("There are none.");
        }
        page.paragraph(&self.requests());
        page.paragraph(&self.takes());
    }

    fn effect(&self, effect: &Effect) -> String {
        let mut text = vec![format!("{}.", capital(&all_of(effect.cards.0)))];
        if let (Some([low, high]), None) = (effect.seats, self.seats) {
            let (min, max) = (self.set.seats.min, self.set.seats.max);
            match (low > min, high < max) {
                (true, true) => text.push(format!("Only with {low} to {high} players.")),
                (true, false) => text.push(format!("Only with {low} or more players.")),
                (false, true) => text.push(format!("Only with {high} players at most.")),
                (false, false) => {}
            }
        }
        self.laying(effect, &mut text);
        self.naming(effect, &mut text);
        if effect.race {
            text.push(
                "Either neighbour of whoever laid one may lay any card at all on it, or draw. The first to act moves, the \
                 other one's card goes back free of charge, and play goes on in the direction from the card's player to the \
                 faster neighbour; with two players the direction stays. To move, and so to be slow, is the neighbour in the \
                 direction of play. If nobody covers it, any card may be laid on it."
                    .to_owned(),
            );
        }
        if effect.reverse {
            text.push("The direction of play turns round; with two players only the direction is noted.".to_owned());
        }
        if effect.swap_next {
            text.push(self.swap(effect));
        }
        match effect.take {
            Some(Take::FromPlayer) => {
                text.push("The next player must take a card, at random, from the hand of whoever laid one.".to_owned());
            }
            Some(Take::FromNext) => {
                text.push("Whoever lays one must take a card, at random, from the next player's hand.".to_owned());
            }
            None => {}
        }
        if let Some(owe) = &effect.owe {
            self.owe(owe, effect.reverse, &mut text);
        }
        if let Some(skip) = &effect.skip {
            skipping(skip, &mut text);
        }
        if let Some(again) = effect.again {
            text.push(self.again(again));
        }
        self.last(effect, &mut text);
        format!("{}{}", text.join(" "), cite(&effect.clauses))
    }

    /// On what the cards may be laid, and when.
    fn laying(&self, effect: &Effect, text: &mut Vec<String>) {
        let mut barred = Vec::new();
        if !effect.not_on.0.is_empty() {
            barred.push(one_of(effect.not_on.0));
        }
        if effect.not_on_own_suit {
            barred.push("a card of their own suit".to_owned());
        }
        let barred = list(&barred, "or");
        let never = effect.not_on_own_suit || !effect.not_on.0.is_empty();
        if effect.out_of_turn {
            text.push(
                "They may be laid on any card, and not only in one's own turn: while the player to move has neither \
                 drawn nor anything to pay or to answer, anybody may lay one, and play goes on from that player."
                    .to_owned(),
            );
        } else if effect.any_time {
            let unless = if self.some_card(|effect| effect.request.is_some()) {
                "unless cards are owed, an answer is due or a request stands"
            } else {
                "unless cards are owed or an answer is due"
            };
            text.push(format!("In one's own turn they may be laid on any card, {unless}."));
        }
        if never {
            text.push(format!("They may not be laid on {barred}."));
        }
        if effect.transparent {
            text.push(
                "Once laid they are as if they were not there: whoever comes next looks through them to the card \
                 below, whose suit, value and named suit still count. Wherever these rules speak of the top card, such \
                 cards are looked through."
                    .to_owned(),
            );
        }
        if !effect.free_on.0.is_empty() {
            text.push(format!(
                "On {} of the same suit they are free: anybody may lay one at any time, in turn or not, whoever laid \
                 the card below. A free card has no effect and is nobody's turn; the order of play stays as it is, and \
                 whoever lays it in turn still has that turn to take. A card that could be free always is.",
                one_of(effect.free_on.0)
            ));
        }
    }

    /// What is named with the cards.
    fn naming(&self, effect: &Effect, text: &mut Vec<String>) {
        match effect.choose_suit {
            Some(ChooseSuit::May) => text.push(
                "Whoever lays one may name a suit. The next card must then be of that suit; where none is named, it \
                 must be of the card's own suit."
                    .to_owned(),
            ),
            Some(ChooseSuit::Spoken) => text.push(
                "The first suit that anybody states in words while it lies on top binds the next card; naming one with the \
                 card is such a word. Until then nothing can be laid that needs a match; whoever is to move may state the \
                 suit with the very card that needs it. A card that is called by its value and suit, where its suit has to \
                 be called, states no suit by that."
                    .to_owned(),
            ),
            Some(ChooseSuit::Must) => {
                text.push("Whoever lays one must name a suit, and the next card must be of that suit.".to_owned());
            }
            Some(ChooseSuit::New) => text.push(format!(
                "Whoever lays one must name a suit with it, neither its own nor that of the card before, and the next \
                 card must be of that suit. Without such a suit the card lies all the same, but that is a mistake \
                 (\"no_suit\") and costs {}, and nobody moves until a suit is named.",
                count(self.set.calls.cards.into(), "penalty card")
            )),
            None => {}
        }
        if let Some(request) = effect.request {
            let what = match request.names {
                Named::Rank => "a value of the pack",
                Named::Suit => "a suit",
            };
            let ends = match request.ends {
                RequestEnds::AllServed => "until every player, the one who made it too, has laid such a card",
                RequestEnds::Lap => "for one lap, in which every player has one turn and the one who made it the last",
            };
            text.push(format!(
                "Whoever lays one must name {what} with it. That is a request, see below: it binds everybody {ends}."
            ));
            if request.unheld_costs > 0 {
                text.push(format!(
                    "Naming what is not left in one's own hand costs {}; the request stands all the same.",
                    count(request.unheld_costs.into(), "card")
                ));
            }
        }
    }

    fn swap(&self, effect: &Effect) -> String {
        let mut text = "The next player and the one after change places in the order of play. They change back when \
                        both have had a turn: laid a card, drawn or missed a turn; free cards, penalty cards and cards \
                        from hand to hand do not count. Of several exchanges the last one is undone first."
            .to_owned();
        let two = self.seats.map_or(self.set.seats.min == 2 && holds(effect, 2), |seats| seats == 2);
        if two {
            text.push_str(
                " With two players: whoever laid it moves again, then the other one twice, then all is as before.",
            );
        }
        text
    }

    fn owe(&self, owe: &Owe, reverse: bool, text: &mut Vec<String>) {
        let after = match owe.then {
            AfterOwed::TurnOver => "which is the whole turn: no card may be laid in it",
            AfterOwed::TurnStays if self.set.turn.owed_counts_as_draw => {
                "and then has a turn in which these cards count as the draw"
            }
            AfterOwed::TurnStays => "and then has an ordinary turn",
        };
        let next = if reverse { "The next player in the new direction" } else { "The next player" };
        text.push(format!("{next} must draw {}, {after}.", count(owe.cards.into(), "card")));
        if owe.answers.0.is_empty() {
            text.push("Nothing can be laid against it.".to_owned());
        } else {
            text.push(format!(
                "Instead of drawing one may answer with {}: then the whole debt goes on to the next player, with that \
                 card's own added. Nothing else can be laid against it. Once the cards are drawn the debt is gone.",
                one_of(owe.answers.0)
            ));
        }
        if self.set.turn.owed_one_by_one {
            text.push(
                "Owed cards are drawn one at a time, and with the first one it is too late to answer.".to_owned(),
            );
        }
    }

    fn again(&self, again: Again) -> String {
        match again {
            Again::May => {
                "Whoever lays one may at once lay a further card that fits, or pass; drawing instead is not possible."
                    .to_owned()
            }
            Again::Must => {
                let draw = if self.set.turn.again_may_draw {
                    "or draw one card, and then the turn is over"
                } else {
                    "or, only without a card that fits, draw one; then the turn is over"
                };
                format!(
                    "Whoever lays one must at once lay a further card that fits, with all that it does, {draw}. If the \
                     further card is such a card again, it asks for yet another."
                )
            }
        }
    }

    /// The cards as the last one of a hand.
    fn last(&self, effect: &Effect, text: &mut Vec<String>) {
        let costly = self.cards_with(|other| other.last_costs);
        if effect.never_last && !effect.cards.0.without(costly).is_empty() {
            let unless = match self.some_card(|other| other.request.is_some()) {
                true => ", except to serve a request",
                false => "",
            };
            text.push(format!("They may not be laid as the last card{unless}."));
        }
        if effect.last_costs {
            let cost = |request: &Request| count(request.unheld_costs.into(), "card");
            let mut costs: Vec<String> = Vec::new();
            let mut rest = effect.cards.0;
            for other in self.effects_here() {
                if let (Some(request), both) = (&other.request, effect.cards.0.intersect(other.cards.0))
                    && !both.is_empty()
                {
                    costs.push(format!("{} after {}", cost(request), one_of(both)));
                    rest = rest.without(both);
                }
            }
            if !rest.is_empty() {
                costs.insert(0, format!("one card after {}", one_of(rest)));
            }
            let unless = if costs.len() > 1 || rest.is_empty() { " unless it serves a request" } else { "" };
            text.push(format!(
                "Laid as the last card it stays, but does not win{unless}: its player draws {}, and the turn is over.",
                list(&costs, "and")
            ));
        }
        if let Some(times) = effect.last_multiplies {
            text.push(format!(
                "Laid as the last card, the points of all others count {}.",
                count(times.into(), "time")
            ));
        }
    }

    /// What holds while a request stands.
    fn requests(&self) -> String {
        let making = |names: Named| self.cards_with(|effect| effect.request.is_some_and(|made| made.names == names));
        let (ranks, suits) = (making(Named::Rank), making(Named::Suit));
        let lapses = self.some_card(|effect| effect.request.is_some_and(|made| made.ends == RequestEnds::AllServed));
        if ranks.union(suits).is_empty() {
            return String::new();
        }
        let mut text = vec![
            "Requests. While one stands only cards of the named value or suit may be laid, whether they fit the top \
             card or not, and no card has any effect, the one that ends it included. Whoever cannot or will not serve \
             draws one card, and the turn is over; who has served already is bound like all others. A wrong card uses \
             up the turn."
                .to_owned(),
        ];
        let revoked = |cards: CardSet, what: &str| match cards.is_empty() {
            true => None,
            false => Some(format!("a requested {what} with {}", one_of(cards))),
        };
        let revoked: Vec<String> = revoked(ranks, "value").into_iter().chain(revoked(suits, "suit")).collect();
        text.push(format!(
            "As long as nobody has served it, any player but the one who made it may revoke it and make a new one \
             instead: {}, which then need not fit either. A card that serves only serves: nothing is named with it.",
            list(&revoked, "and")
        ));
        if lapses {
            text.push(
                "A request also lapses after a whole lap in which nobody served it and nobody could draw a card."
                    .to_owned(),
            );
        }
        text.push("Then play goes on from the top card.".to_owned());
        text.join(" ")
    }

    /// Cards from hand to hand: when, and who sees them.
    fn takes(&self) -> String {
        if !self.some_card(|effect| effect.take.is_some()) {
            return String::new();
        }
        let when = if self.set.turn.musts_at_once {
            "The referee carries it out at once.".to_owned()
        } else {
            format!(
                "It has to be done, by the action \"take\", before or after one's own play, but before any other \
                 player draws or lays a card that is not free. After that the referee does it, and having forgotten it \
                 is a mistake (\"must\") {}.",
                self.noticed("before the round is over")
            )
        };
        format!(
            "Takes. A card from hand to hand is nobody's turn, and only the two players see it. {when} Where there is \
             nothing to take, it counts as done. Of several takes from one hand the oldest comes first."
        )
    }
}

/// A turn that is lost.
fn skipping(skip: &Skip, text: &mut Vec<String>) {
    if skip.answers.0.is_empty() {
        text.push("The next player misses a turn and can do nothing about it.".to_owned());
        return;
    }
    let answer = one_of(skip.answers.0);
    if skip.threat {
        text.push(format!(
            "The next player misses a turn unless he answers with {answer}. The turn is with the player after him at \
             once, and the answer is possible until that one draws or lays a card; he may also pass, but lay nothing \
             else that is not free. An answer threatens the player after him in the same way; turns do not add up. \
             With two players the player after him is the one who laid the card."
        ));
        return;
    }
    text.push(format!(
        "The next player either passes and misses a turn, or answers with {answer}. Each answer adds one: as many \
         players as such cards were laid, one after another, then miss a turn. Neither drawing nor any other card \
         helps."
    ));
    text.push(if skip.every_victim_may_answer {
        "Each of them may answer in turn.".to_owned()
    } else {
        "Only the first of them may answer.".to_owned()
    });
}
