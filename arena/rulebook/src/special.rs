//! The paragraph of each effect: where its cards may be played, what is named with them, what they do at once. Cards
//! owed, turns lost and further cards stand in `turns_lost`, what several effects share in `requests`.

use maumau_engine::rules::holds;
use maumau_protocol::ruleset::{ChooseSuit, Effect, HandsMove, LastCosts, Named, RequestEnds, Take};
use maumau_protocol::{Card, CardSet, RuleFault};

use super::words::{capital, count, fault, list, times};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// One paragraph for each effect, then those about what several effects have in common. Effects of the same cards that
    /// hold at different numbers of seats share a paragraph.
    pub(super) fn special_cards(&self, page: &mut Page) {
        page.heading("Special cards");
        let together = self.effects_together();
        for effects in &together {
            page.paragraph();
            for (place, (name, effect)) in effects.iter().enumerate() {
                page.about(format!("effects.{name}")).cite_only(&effect.clauses);
                if place == 0 {
                    page.say(format!("{}.", capital(&self.cards_of(effect)))).from(".cards").rendered();
                }
                match effects.len() {
                    1 => self.only_with(effect, page),
                    _ => self.with_seats(effect, page),
                }
                self.effect(effect, page);
            }
        }
        if together.is_empty() {
            page.paragraph().say("There are none.").played("crazy-eights/no-special-cards");
        }
        self.requests(page);
        self.takes(page);
    }

    /// The effects by paragraphs, those of one paragraph from the smallest table up.
    fn effects_together(&self) -> Vec<Vec<(&String, &Effect)>> {
        let mut together: Vec<Vec<(&String, &Effect)>> = Vec::new();
        for (name, effect) in self.effects_here() {
            let apart = |other: &Effect| match (effect.seats, other.seats) {
                (Some([low, high]), Some([other_low, other_high])) => high < other_low || other_high < low,
                _ => false,
            };
            let joins = |(_, other): &(&String, &Effect)| other.cards == effect.cards && apart(other);
            match together.iter_mut().find(|effects| self.seats.is_none() && effects.iter().all(joins)) {
                Some(effects) => effects.push((name, effect)),
                None => together.push(vec![(name, effect)]),
            }
        }
        together.iter_mut().for_each(|effects| effects.sort_by_key(|(_, effect)| effect.seats));
        together
    }

    /// The cards of an effect, as they begin its paragraph.
    fn cards_of(&self, effect: &Effect) -> String {
        let counted = "cards of the value of one's own count".to_owned();
        match (effect.cards.1, effect.cards.0.is_empty()) {
            (true, true) => counted,
            (true, false) => format!("{} and {counted}", self.all_of(effect.cards.0)),
            (false, _) => self.all_of(effect.cards.0),
        }
    }

    /// At which tables an effect holds that has a paragraph of its own, on a page for all tables.
    fn only_with(&self, effect: &Effect, page: &mut Page) {
        let (Some([low, high]), None) = (effect.seats, self.seats) else { return };
        let (min, max) = (self.set.seats.min, self.set.seats.max);
        let names_them = |other: &Effect| !effect.cards.0.intersect(other.cards.0).is_empty();
        let plain_below = |seats: u8| !self.some_card(|other| names_them(other) && holds(other, seats));
        let only = match (low > min, high < max) {
            (true, true) => format!("Only with {low} to {high} players."),
            (true, false) if (min..low).all(plain_below) => {
                format!("Only with {low} or more players; with fewer they are plain cards.")
            }
            (true, false) => format!("Only with {low} or more players."),
            (false, true) => format!("Only with {high} players at most."),
            (false, false) => return,
        };
        page.say(only).states("K-51 D-69 N-33").from(".seats");
    }

    /// At which tables an effect holds that shares its paragraph; what it does follows.
    fn with_seats(&self, effect: &Effect, page: &mut Page) {
        let Some([low, high]) = effect.seats else { return };
        let [low, high] = [low.max(self.set.seats.min), high.min(self.set.seats.max)];
        let tables = match high {
            _ if low == high => format!("{low}"),
            high if high == self.set.seats.max => format!("{low} or more"),
            _ => format!("{low} to {high}"),
        };
        page.say(format!("With {tables} players:")).states("K-51 D-69 N-33").from(".seats").rendered();
    }

    fn effect(&self, effect: &Effect, page: &mut Page) {
        self.playing(effect, page);
        self.naming(effect, page);
        self.race(effect, page);
        if effect.reverse {
            page.say("The direction of play turns round.")
                .states("K-56 K-57 N-46 P-15")
                .from(".reverse")
                .played("crazy-eights/an-ace");
            if self.holds_with_two(effect) && effect.owe.is_none() && !(only_with_two(effect) && effect.skip.is_some())
            {
                page.say(self.of_two(effect, "With two players that", "changes nobody's turn."))
                    .states("K-55 N-47 P-16")
                    .from(".reverse")
                    .played("crazy-eights/an-ace-between-two");
            }
        }
        if effect.swap_next {
            self.swap(effect, page);
        }
        match effect.take {
            Some(Take::FromPlayer) => {
                page.say("The next player must take a card, at random, from the hand of the player who played one.")
                    .states("N-19 N-20 N-35")
                    .from(".take");
                page.say("That is no turn of the next player's, and the hand that it empties is empty like any other.")
                    .states("N-20 N-21 N-35")
                    .from(".take");
            }
            Some(Take::FromNext) => {
                page.say("A player who plays one must take a card, at random, from the next player's hand.")
                    .states("N-48 N-49")
                    .from(".take");
                page.say("So nobody finishes on it unless the next player's hand is empty, and a next player who loses the only card is out of cards.")
                    .states("N-49")
                    .from(".take");
            }
            None => {}
        }
        self.draw_at_once(effect, page);
        match effect.hands {
            Some(HandsMove::Rotate) => {
                page.say("Every hand goes to the next player in the direction of play.").states("G-44").from(".hands");
            }
            Some(HandsMove::ShowNext) => {
                page.say("The next player's hand is shown to everybody.")
                    .states("G-62")
                    .from(".hands")
                    .played("pesten/PE-14-option-the-next-hand-is-shown");
            }
            Some(HandsMove::SwapChosen) => {
                page.say("The player who plays one chooses another player, and the two exchange hands.")
                    .states("G-44 G-59")
                    .from(".hands");
            }
            Some(HandsMove::SwapNext) => {
                page.say("The player who plays one exchanges hands with the next player.")
                    .states("G-44")
                    .from(".hands");
            }
            None => {}
        }
        if effect.hands.is_some_and(|how| how != HandsMove::ShowNext) && self.set.duties.mau.is_some() {
            page.say("A player who has one card after that owes the word for it from then on.")
                .states("G-44")
                .played("basic/G-44");
        }
        self.owe(effect, page);
        if effect.brings_back {
            page.say(
                "Played in the first turn that is taken after a player has gone out, it brings that player back, who draws \
                 at once what would be owed; the next player then owes nothing.",
            )
            .states("G-71")
            .from(".brings_back")
            .played("prsi/PR-09-option-the-seven-of-hearts-brings-back");
        }
        self.challenge(effect, page);
        self.skip(effect, page);
        self.again(effect, page);
        self.last(effect, page);
    }

    /// Whether the effect can hold at a table of two.
    pub(super) fn holds_with_two(&self, effect: &Effect) -> bool {
        self.may_be_two() && holds(effect, 2)
    }

    /// What holds with two players; that they are two has been said of an effect that holds with them only.
    pub(super) fn of_two(&self, effect: &Effect, two: &str, what: &str) -> String {
        match self.seats.is_none() && only_with_two(effect) {
            true => {
                format!("{} {what}", capital(two.trim_start_matches("With two players").trim_start_matches([',', ' '])))
            }
            false => format!("{two} {what}"),
        }
    }

    /// On which cards they may be played, and when.
    fn playing(&self, effect: &Effect, page: &mut Page) {
        let bound = match self.some_card(|effect| effect.request.is_some()) {
            true => "unless cards are owed, an answer is due or a request stands",
            false => "unless cards are owed or an answer is due",
        };
        if !effect.stands_for.is_empty() {
            let some_deck = self.set.deck.list(self.set.seats.min.into()).unwrap_or_default();
            let some_card = |card: &Card| card.suit().is_some() && !effect.stands_for.0.contains(*card);
            let named = match some_deck.iter().any(some_card) {
                true => self.one_of(effect.stands_for.0),
                false => "any other card of the pack".to_owned(),
            };
            page.say(format!(
                "A player who plays one names {named}: it is played where that card could be played, has its effects, and lies as that card \
                 until the next one covers it."
            ))
            .states("G-79 MK-16 TS-14")
            .from(".stands_for")
            .played("makao/MK-16-a-joker-has-the-effect-of-the-card-that-is-named");
            page.say("In the hand, and for points, it is the card that is printed on it.")
                .states("G-79 MK-16 TS-14")
                .from(".stands_for");
        }
        if effect.out_of_turn {
            page.say(
                "They may be played on any card, and not only in one's own turn: while the player to move has neither drawn \
                 nor a further card to play, nor anything to pay or to answer, anybody may play one, and play goes on from that player.",
            )
            .states("B-33 B-18")
            .from(".out_of_turn")
            .played("basic/B-33-option-function");
        } else if effect.any_time {
            page.say(format!("In one's own turn they may be played on any card, {bound}."))
                .states("B-23 B-25 B-18 B-33 K-18 K-19 D-40 N-37 N-38 N-39 N-53 P-25 P-32")
                .from(".any_time .out_of_turn")
                .played("crazy-eights/an-eight-names");
        } else if effect.request.is_some() {
            page.say("They must fit like any other card.").states("D-40 D-54").from(".any_time");
        }
        if !effect.also_on.0.is_empty() {
            page.say(format!(
                "They may be played on {} whatever suit is named, {bound}.",
                self.one_of(effect.also_on.0)
            ))
            .states("G-55")
            .from(".also_on");
        }
        if effect.also_on_value {
            page.say(format!(
                "They may be played on a card of their own value whatever suit is named for it, {bound}."
            ))
            .states("G-55")
            .from(".also_on_value")
            .played("countdown/CD-04");
        }
        let mut barred = Vec::new();
        if !effect.not_on.0.is_empty() {
            barred.push(self.one_of(effect.not_on.0));
        }
        if effect.not_on_own_suit {
            barred.push("a card of their own suit".to_owned());
        }
        if !barred.is_empty() {
            page.say(format!("They may not be played on {}.", list(&barred, "or")))
                .states("N-51 N-52 P-25")
                .from(".not_on .not_on_own_suit");
        }
        if effect.only_without.is_some() {
            page.say(
                "Only a player who holds no card of the suit that lies on top, or was named for it, may play one; cards of the same \
                 value and cards without a suit do not matter.",
            )
            .states("G-67 CO-08")
            .from(".only_without")
            .played("colours/CO-09-an-equal-number");
            if self.set.challenge.as_ref().is_none_or(|challenge| challenge.off) {
                page.say("Played beside a card of that suit it is refused.")
                    .states("G-67 CO-10")
                    .from(".only_without challenge.off")
                    .played("colours/CO-10-option");
            }
        }
        if effect.open_to_all {
            page.say(format!("Any card may be played on one, {bound}.")).states("G-36").from(".open_to_all");
        }
        if !effect.followed_by.is_empty() {
            page.say(format!(
                "Of the cards that fit on one, only {} may be played on it.",
                self.all_of(effect.followed_by.0)
            ))
            .states("G-69")
            .from(".followed_by")
            .played("pesten/PE-14-option-five-or-lower-on-a-five");
        }
        if effect.transparent {
            page.say(
                "Once played they are as if they were not there: what comes next is judged by the card below, whose suit, \
                 value and named suit still count.",
            )
            .states("N-36 N-40")
            .from(".transparent");
            page.say("Wherever these rules speak of the top card, they are looked through, however many there are.")
                .states("N-40")
                .from(".transparent");
        }
        if !effect.free_on.0.is_empty() {
            page.say(format!(
                "On {} of the same suit they are free: anybody may play one at any time, in turn or not, no matter who played the \
                 card below, and also on one another in a chain.",
                self.one_of(effect.free_on.0)
            ))
            .states("N-58 N-59 N-62 N-63")
            .from(".free_on");
            page.say(
                "A free card has no effect and is nobody's turn: the order of play stays as it is, and the player who plays it in \
                 turn still has that turn to take.",
            )
            .states("N-60 N-61 N-64")
            .from(".free_on");
            page.say("A card that could be free always is.").states("N-65").from(".free_on");
        }
    }

    /// What is named with the cards.
    fn naming(&self, effect: &Effect, page: &mut Page) {
        let joker = effect.cards.0.contains(Card::JOKER);
        let suits_only = effect.cards.0.without(CardSet::of(Card::JOKER)).is_empty();
        let or_any = match self.some_card(|other| other.any_time || other.out_of_turn) {
            true => " or one that goes on any card",
            false => "",
        };
        match effect.choose_suit {
            Some(ChooseSuit::May) => {
                page.say(format!(
                    "A player who plays one may name a suit: the next card must then be of that suit{or_any}, however many draw \
                     before it."
                ))
                .states("B-24 B-25 B-26 B-31 K-12 K-19")
                .from(".choose_suit");
                if !suits_only {
                    page.say(format!("Without a named suit it must be of the card's own suit{or_any}."))
                        .states("B-24 B-31 K-19")
                        .from(".choose_suit");
                }
                if joker {
                    page.say("After a joker without a named suit any card fits.")
                        .from(".choose_suit .cards")
                        .played("basic/B-24-house-a-joker");
                }
            }
            Some(ChooseSuit::Must) => {
                page.say(format!(
                    "A player who plays one must name a suit with it: the next card must be of that suit{or_any}. Without a suit \
                     the card is refused."
                ))
                .from(".choose_suit")
                .played("crazy-eights/an-eight-names");
            }
            Some(ChooseSuit::Spoken) => {
                page.say(
                    "The first suit that anybody states in words while it lies on top binds the next card; naming one with \
                     the card is such a word, and comes before others that are said with it.",
                )
                .states("P-26 P-27 P-28")
                .from(".choose_suit");
                page.say("A stated suit lasts until the next card, draws in between aside.")
                    .states("P-31")
                    .from(".choose_suit");
                let free = self.cards_with(|other| {
                    (other.any_time || other.out_of_turn) && other.not_on.0.intersect(effect.cards.0).is_empty()
                });
                let but = if free.is_empty() { String::new() } else { format!(" but {}", self.all_of(free)) };
                page.say(format!(
                    "Until then nothing{but} can be played; the player to move may draw, or state the suit with the very card \
                     that needs it."
                ))
                .states("P-30")
                .from(".choose_suit");
                if self.set.duties.words.values().any(|duty| !duty.off && duty.cards.is_some()) {
                    page.say(
                        "A card whose suit has to be called is called by value and suit, as in \"jack of spades\", without \
                         stating a suit.",
                    )
                    .states("P-29")
                    .from(".choose_suit");
                }
            }
            Some(ChooseSuit::New) => {
                let own = if suits_only {
                    "not that of the card before"
                } else {
                    "neither its own nor that of the card before"
                };
                page.say(format!(
                    "A player who plays one must name a suit with it, {own}; the next card must be of that suit{or_any}."
                ))
                .states("N-54 N-55 N-56")
                .from(".choose_suit");
                page.say(format!(
                    "Without such a suit the card lies all the same, but that is a mistake ({}) that the referee notices: it \
                     costs {}, and nobody moves until a suit is named.",
                    fault(RuleFault::NoSuit),
                    count(self.set.calls.cards.into(), "penalty card")
                ))
                .states("N-57")
                .from(".choose_suit calls.cards");
            }
            None => {}
        }
        let Some(request) = effect.request else { return };
        let what = match request.names {
            Named::Rank if !request.of.is_empty() => &format!("a value, {}", self.one_of(request.of.0)),
            Named::Rank => "a value of the pack",
            Named::Suit => "a suit",
        };
        let must = if request.may_decline { "may" } else { "must" };
        let ends = match request.ends {
            RequestEnds::AllServed => "everybody until every player, the one who made it too, has played such a card",
            RequestEnds::NextTurn => "the next player, for one turn",
            RequestEnds::Lap => {
                "everybody for one lap, in which every player has one turn, the player of the card the last"
            }
        };
        page.say(format!(
            "The player who plays one {must} name {what} with it. That is a request, see below: it binds {ends}."
        ))
        .states(match request.of.is_empty() && !request.may_decline {
            true if request.ends == RequestEnds::NextTurn => "D-41 D-52 D-54 G-61",
            true => "D-41 D-45 D-52 D-54 D-61",
            false if request.ends == RequestEnds::NextTurn => "G-39 G-61",
            false => "G-39",
        })
        .from(".request.names .request.ends .request.of .request.may_decline");
        if request.unheld_costs > 0 {
            page.say(format!(
                "Naming what the rest of one's hand does not hold costs {}; the request stands all the same.",
                count(request.unheld_costs.into(), "card")
            ))
            .states("D-50 D-51 D-60")
            .from(".request.unheld_costs");
        }
    }

    fn race(&self, effect: &Effect, page: &mut Page) {
        if !effect.race {
            return;
        }
        page.say("Either neighbour of the player who played one may play any card at all on it, or draw, and the first of them to act moves.")
            .states("P-33 P-34 P-36 P-52")
            .from(".race");
        page.say("The other one's card goes back, at no cost if the first one could not be seen yet.")
            .states("P-34 P-38")
            .from(".race");
        page.say("Play goes on in the direction from the card's player to the faster neighbour.")
            .states("P-35")
            .from(".race");
        if self.holds_with_two(effect) {
            page.say("With two players the direction stays.").states("P-37").from(".race");
        }
        page.say("To move, and to be called slow, is the neighbour in the direction of play.")
            .states("P-109")
            .from(".race");
        page.say("If that turn passes without a card, any card may be played on it.").states("P-39").from(".race");
    }

    fn swap(&self, effect: &Effect, page: &mut Page) {
        page.say("The next player and the one after change places in the order of play.")
            .states("N-29")
            .from(".swap_next");
        page.say(
            "They change back, after the turn has moved on, when both have had a turn: played a card, drawn or missed a turn; \
             free cards, penalty cards and cards from hand to hand do not count. The effect of a card on the next player then \
             meets the one who sits there after the change, who may be the one that played it.",
        )
        .states("N-30 N-31 N-32")
        .from(".swap_next");
        page.say("Of several exchanges that end together the last one is undone first.")
            .states("N-34")
            .from(".swap_next");
        if self.holds_with_two(effect) {
            page.say(
                "With two players, the one who played it moves again, then the other one twice, then all is as before.",
            )
            .states("N-33")
            .from(".swap_next");
        }
    }

    /// The cards as the last one of a hand.
    fn last(&self, effect: &Effect, page: &mut Page) {
        let costly = self.cards_with(|other| !other.last_costs.is_nothing());
        let requests = self.some_card(|other| other.request.is_some());
        if effect.never_last && !effect.cards.0.without(costly).is_empty() {
            let unless = if requests { ", except to serve a request" } else { "" };
            page.say(format!(
                "They may not be played as the last card{unless}; a player who holds nothing else has to draw{}.",
                if requests { " or to wait for one" } else { "" }
            ))
            .states("B-34 K-38 D-76 D-77 D-78 D-80")
            .from(".never_last")
            .played("basic/B-34-option");
        }
        let unless = if requests { " unless it serves a request" } else { "" };
        if let LastCosts::Cards(cards) = effect.last_costs {
            page.say(format!(
                "One that is played as the last card stays on the pile, but does nothing and does not win{unless}: its player draws {}, and the turn is \
                 over.",
                count(cards.into(), "penalty card")
            ))
            .states("G-49")
            .from(".last_costs");
        }
        if effect.last_costs == LastCosts::Unheld {
            let mut costs: Vec<String> = Vec::new();
            let mut rest = effect.cards.0;
            for (_, other) in self.effects_here() {
                let both = effect.cards.0.intersect(other.cards.0);
                if let (Some(request), false) = (&other.request, both.is_empty()) {
                    costs.push(format!("{} after {}", count(request.unheld_costs.into(), "card"), self.one_of(both)));
                    rest = rest.without(both);
                }
            }
            if rest == effect.cards.0 {
                costs.push("one card".to_owned());
            } else if !rest.is_empty() {
                costs.insert(0, format!("one card after {}", self.one_of(rest)));
            }
            page.say(format!(
                "One that is played as the last card stays on the pile, but does not win{unless}: its player draws {}, and the turn is over.",
                list(&costs, "and")
            ))
            .states("D-78")
            .from(".last_costs");
        }
        if requests && !effect.last_costs.is_nothing() {
            page.say("While a request stands it is never the last card, unless it serves the request.")
                .states("D-79")
                .from(".last_costs")
                .played("deluxe/D-79-natural");
        }
        // Where the cards are never the last ones there is nothing to multiply.
        let barred = self.cards_with(|other| other.never_last && other.last_costs.is_nothing());
        let finishes = requests || !effect.cards.0.without(barred).is_empty();
        if let Some(number) = effect.last_multiplies.filter(|_| finishes) {
            page.say(format!(
                "If one is played as the last card, the points of all others count {}.",
                times(number.into())
            ))
            .states("K-37")
            .from(".last_multiplies");
        }
    }
}

/// Whether it holds at no larger table than one of two.
fn only_with_two(effect: &Effect) -> bool {
    effect.seats.is_some_and(|[_, high]| high == 2)
}
