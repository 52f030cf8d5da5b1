//! Whether the sections of a rule set agree with one another: each statement must have a meaning beside the others. It
//! reads the draft and only adds problems.
//!
//! What an effect says about itself and against other effects of the same cards is the business of `effects`.

use maumau_places::{join, list};
use maumau_protocol::ruleset::{
    AfterDraw, Blocked, CallableUntil, ChooseSuit, DealtBy, Decides, Effect, EndingAt, FalseCall, FirstCard,
    FirstNames, FirstReverse, GoesOn, Illegal, LastCardEffects, LastCosts, Look, MauDue, MauMissing, MayDraw, Notice,
};
use maumau_protocol::{CardList, CardSet};

use super::active_effects::{Active, active_effects, without};
use super::examined::Examined;
use crate::speech;

/// The most words in one list.
const MAX_LISTED_WORDS: usize = 1_000;

/// Reports every contradiction between sections of `set`.
pub(super) fn check(set: &mut Examined<'_>) {
    set.first_card();
    set.words();
    set.calls();
    set.mistakes();
    set.ending();
    set.scoring();
    set.hands();
    set.chosen_seats();
    set.challenges();
    set.must_play();
    for active in active_effects(set.set) {
        set.last_cards(&active);
    }
}

impl Examined<'_> {
    /// Effects that hold somewhere.
    fn effects_in_use(&self) -> impl Iterator<Item = (String, &Effect)> {
        let effects = self.set.effects.iter().filter(|(_, effect)| !effect.off && !effect.cards.0.is_empty());
        effects.map(|(name, effect)| (join("effects", name), effect))
    }

    /// The paths of the given part in all effects that have it.
    fn having(&self, part: &str, has: impl Fn(&Effect) -> bool) -> Vec<String> {
        self.effects_in_use().filter(|(_, effect)| has(effect)).map(|(path, _)| join(&path, part)).collect()
    }

    /// Words owed with cards, interjections and forbidden words: each must be in the form in which speech is compared, and
    /// have a price.
    fn calls(&mut self) {
        let set = self.set;
        let done = set.duties.done.as_ref().filter(|done| !done.off);
        let kept = set.duties.words.values().any(|duty| !duty.off) || done.is_some() || set.talk.is_some();
        if kept && set.calls.cards == 0 {
            let message = "duties.words, duties.done and talk cost what calls says: write calls.cards";
            self.wrong("calls.cards", message);
        }
        for (name, duty) in &set.duties.words {
            let path = join(&join("duties.words", name), "say");
            self.phrases(&path, &duty.say);
            if duty.interjection.is_some() && set.interject.is_none() {
                self.wrong(
                    &join(&join("duties.words", name), "interjection"),
                    "there are no interjections: write [interject]",
                );
            }
        }
        if let Some(done) = &set.duties.done {
            self.phrases("duties.done.word", std::slice::from_ref(&done.word));
        }
        if let Some(interject) = &set.interject {
            interject.say.iter().for_each(|phrase| self.word("interject.say", phrase, ""));
            if interject.cards.0.is_empty() && !interject.off {
                self.wrong("interject.cards", "expected at least one card; off = true switches interjections off");
            }
        }
        if let Some(talk) = &set.talk {
            for (key, list) in [
                ("questions", &talk.questions),
                ("swears", &talk.swears),
                ("deities", &talk.deities),
                ("explaining", &talk.explaining),
            ] {
                let path = join("talk", key);
                if list.words().len() > MAX_LISTED_WORDS {
                    self.wrong(&path, format!("{} words are too many: at most {MAX_LISTED_WORDS}", list.words().len()));
                }
                if let Some(word) = list.words().iter().find(|word| speech::normal_form(word) != **word) {
                    let message =
                        format!("words are compared in small letters without punctuation (G-10), not as {word:?}");
                    self.wrong(&path, message);
                }
            }
        }
        if set.ending.rests && set.ending.at != EndingAt::Closing {
            self.wrong("ending.rests", "means something only with at = \"closing\"");
        }
    }

    fn phrases(&mut self, path: &str, phrases: &[String]) {
        if phrases.is_empty() {
            self.wrong(path, "expected at least one phrase");
        }
        phrases.iter().for_each(|phrase| self.word(path, phrase, ""));
    }

    /// What a first card does: whether there is one that does it.
    fn first_card(&mut self) {
        let deal = &self.set.deal;
        let acts = match deal.first_card {
            FirstCard::Effect => CardSet::ALL,
            FirstCard::Plain => deal.first_effects.0,
        };
        let acting = |has: &dyn Fn(&Effect) -> bool| {
            self.effects_in_use().any(|(_, effect)| has(effect) && !effect.cards.0.intersect(acts).is_empty())
        };
        let names = acting(&|effect| effect.choose_suit.is_some_and(|how| how != ChooseSuit::Spoken));
        let (requests, reverses) = (acting(&|effect| effect.request.is_some()), acting(&|effect| effect.reverse));
        if deal.first_card == FirstCard::Effect && !deal.first_effects.0.is_empty() {
            let message =
                "says nothing beside deal.first_card = \"effect\", with which every first card has its effect";
            self.wrong("deal.first_effects", message);
        }
        if deal.first_names == FirstNames::FirstPlayer && requests {
            let message = "\"first_player\" names suits only, and some first card makes a request (request)";
            self.wrong("deal.first_names", message);
        } else if deal.first_names == FirstNames::FirstPlayer && !names {
            let message =
                "there is nothing to name: no card that deal.first_card or deal.first_effects lets act has choose_suit";
            self.wrong("deal.first_names", message);
        }
        if deal.first_reverse == FirstReverse::Dealer && !reverses {
            let message = "means nothing: no card that deal.first_card or deal.first_effects lets act has reverse";
            self.wrong("deal.first_reverse", message);
        }
    }

    /// When words are due, and whether they can be distinguished.
    fn words(&mut self) {
        let duties = &self.set.duties;
        if let Some(last) = &duties.last {
            self.word("duties.last.word", &last.word, "");
            if self.set.ending.at == EndingAt::Closing {
                let message =
                    "means something only with ending.at = \"once\": in the closing time write duties.mau_mau";
                self.wrong("duties.last", message);
            }
            if self.set.prices.sealed {
                let message = "contradicts prices.sealed: its cards bring a player back, who cannot play sealed ones";
                self.wrong("duties.last", message);
            }
        }
        let Some(mau) = &duties.mau else { return };
        if mau.false_costs > 0 && mau.before_last_of_chain {
            let message =
                "contradicts duties.mau.before_last_of_chain, which asks for the word before there is one card";
            self.wrong("duties.mau.false_costs", message);
        }
        if mau.false_costs > 0 && mau.due == MauDue::NextCard {
            self.wrong("duties.mau.false_costs", "means something only with duties.mau.due = \"next_turn\"");
        }
        if mau.callable_until == CallableUntil::NextAction && mau.if_missing != MauMissing::Called {
            self.wrong(
                "duties.mau.callable_until",
                "\"next_action\" means something only with if_missing = \"called\"",
            );
        }
        if mau.due == MauDue::NextCard {
            if mau.if_missing != MauMissing::Called {
                let message = "\"next_card\" needs if_missing = \"called\"; calls.notice = \"referee\" makes the referee notice it";
                self.wrong("duties.mau.due", message);
            }
            if mau.cards > 0 {
                self.wrong("duties.mau.cards", "with due = \"next_card\" a missing word costs what calls.cards says");
            }
            if mau.callable_until != CallableUntil::OwnTurn {
                self.wrong("duties.mau.callable_until", "with due = \"next_card\" it can be called until \"own_turn\"");
            }
        }
        if let Some(mau_mau) = &duties.mau_mau
            && speech::contains(&mau.word, &mau_mau.word)
        {
            let message = format!("who says {:?} for one card left would say it too: choose another", mau.word);
            self.wrong("duties.mau_mau.word", message);
        }
    }

    /// Whether mistakes have the prices they need, and wrong cards are treated in one way.
    fn mistakes(&mut self) {
        let (prices, calls, turn) = (&self.set.prices, &self.set.calls, &self.set.turn);
        let (duties, by_dealer) = (&self.set.duties, self.set.deal.by == DealtBy::Dealer);
        let mut called: Vec<String> = Vec::new();
        let mut add = |is_so: bool, path: &str| called.extend(is_so.then(|| path.to_owned()));
        add(duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard), "duties.mau.due");
        add(duties.mau_mau.is_some(), "duties.mau_mau");
        add(duties.identical.is_some(), "duties.identical");
        add(by_dealer, "deal.by");
        add(prices.illegal == Illegal::Stands, "prices.illegal");
        add(turn.absent_limits > 0 && calls.slow == Notice::Seats, "turn.absent_limits");
        if !turn.musts_at_once {
            called.extend(self.having("take", |effect| effect.take.is_some()));
        }
        if calls.cards == 0 && calls.notice == Notice::Seats && !called.is_empty() {
            let message = format!("nobody would call what costs no card: it is the price of {}", list(&called, "and"));
            self.wrong("calls.cards", message);
        }
        if calls.cards == 0 && calls.false_call == FalseCall::Cards {
            self.wrong("calls.false_call", "costs the cards of a mistake, and calls.cards is 0");
        }
        if prices.illegal == Illegal::Stands {
            if calls.notice == Notice::Referee {
                let message = "\"stands\" waits for a call, and with calls.notice = \"referee\" nobody needs to call";
                self.wrong("prices.illegal", message);
            }
            if prices.misplay.ends_turn {
                let message =
                    "contradicts prices.illegal = \"stands\": a card that is called goes back, and so does the turn";
                self.wrong("prices.misplay.ends_turn", message);
            }
        }
        let word = duties.mau.as_ref().map_or(0, |mau| mau.cards);
        if prices.sealed && [prices.misplay.cards, prices.slow_cards, calls.cards, word] == [0; 4] {
            self.wrong("prices.sealed", "there are no penalty cards to seal: nothing costs any");
        }
        if turn.absent_limits > 0 && prices.slow_cards > 0 {
            let message = format!(
                "contradicts prices.slow_cards, which is {}: where the referee waits for several limits, slowness \
                 costs what calls.cards says (options.slow_cards.off = true, prices.slow_cards = 0)",
                prices.slow_cards
            );
            self.wrong("turn.absent_limits", message);
        }
    }

    /// Keys that have a meaning with only one of the two ways in which a round ends.
    fn ending(&mut self) {
        let set = self.set;
        if set.ending.goes_on == GoesOn::Places {
            self.places();
        } else if set.ending.last_card_effects == LastCardEffects::Act {
            let message = "\"act\" means something only with goes_on = \"places\": the round is over otherwise";
            self.wrong("ending.last_card_effects", message);
        }
        if set.ending.blocked == Blocked::Lowest && set.ending.blocked_after.is_none() {
            self.wrong(
                "ending.blocked",
                "means something only with ending.blocked_after: no round is blocked without it",
            );
        }
        if set.ending.at == EndingAt::Once {
            let emptying = [
                self.having("free_on", |effect| !effect.free_on.0.is_empty()),
                self.having("take", |effect| effect.take.is_some()),
            ];
            for path in emptying.concat() {
                self.wrong(&path, "a hand that it empties wins only with ending.at = \"closing\"");
            }
            if set.duties.mau_mau.is_some() {
                let message = "comes too late: without ending.at = \"closing\" the round is over with the last card";
                self.wrong("duties.mau_mau", message);
            }
            if set.ending.free_card_wins_in_turn {
                self.wrong("ending.free_card_wins_in_turn", "means something only with at = \"closing\"");
            }
            return;
        }
        let after_the_win = [
            self.having("last_costs", |effect| !effect.last_costs.is_nothing()),
            self.having("last_multiplies", |effect| effect.last_multiplies.is_some()),
        ];
        for path in after_the_win.concat() {
            self.wrong(
                &path,
                "means something only with ending.at = \"once\": in the closing time no card is the last one",
            );
        }
        if set.ending.last_card_effects == LastCardEffects::DrawFirst {
            let message = "contradicts at = \"closing\", which carries out every effect before hands are counted";
            self.wrong("ending.last_card_effects", message);
        }
    }

    /// What cannot be beside draws and passes that say what a hand does not hold (G-53, G-54): whatever seats cannot see of their
    /// own cards, or may play besides.
    fn must_play(&mut self) {
        let set = self.set;
        let wanted = [
            (set.turn.may_draw == MayDraw::Unable, "turn.may_draw"),
            (set.turn.after_draw == AfterDraw::DrawnCardMust, "turn.after_draw"),
        ];
        let free = !self.having("free_on", |effect| !effect.free_on.0.is_empty()).is_empty();
        for (_, key) in wanted.into_iter().filter(|(is_so, _)| *is_so) {
            for (hides, what) in [
                (set.deal.look != Look::Dealt, "deal.look: a seat could learn what it has not looked at"),
                (set.point_of_order.is_some(), "point_of_order: a seat could learn what it may not see"),
                (set.ending.at == EndingAt::Closing, "ending.at = \"closing\", in which other cards can be played"),
                (free, "free_on: a free card can always be played"),
            ] {
                if hides {
                    self.wrong(key, format!("contradicts {what}"));
                }
            }
        }
        let several = set.turn.draws != 1 && set.turn.after_draw == AfterDraw::DrawnCard;
        if set.turn.may_draw == MayDraw::Unable && several {
            let message =
                "\"unable\" leaves nothing to choose after a draw that fits: write after_draw = \"drawn_card_must\"";
            self.wrong("turn.may_draw", message);
        }
    }

    /// What cannot be beside hands that go from seat to seat (G-44).
    fn hands(&mut self) {
        let set = self.set;
        let paths = self.having("hands", |effect| effect.hands.is_some());
        for (is_so, key) in [
            (set.prices.sealed, "prices.sealed: sealed cards belong to a seat"),
            (set.deal.look != Look::Dealt, "deal.look: a hand that moves is seen at once"),
            (set.point_of_order.is_some(), "point_of_order, in which no seat sees cards"),
            (
                set.prices.illegal == Illegal::Stands,
                "prices.illegal = \"stands\": a card that lies goes back to its hand",
            ),
        ] {
            for path in paths.iter().filter(|_| is_so) {
                self.wrong(path, format!("contradicts {key}"));
            }
        }
        if !paths.is_empty() {
            for path in self.having("swap_next", |effect| effect.swap_next) {
                self.wrong(
                    &path,
                    format!("contradicts {}: hands move on between places, not seats", list(&paths, "and")),
                );
            }
        }
    }

    /// What cannot be beside cards whose player chooses a seat (G-59): plays with which nothing is named, and cards with which
    /// something else is.
    fn chosen_seats(&mut self) {
        let set = self.set;
        let chosen: Vec<(String, CardSet, bool)> = self
            .effects_in_use()
            .filter(|(_, effect)| effect.chooses_seat())
            .map(|(path, effect)| (path, effect.cards.0, effect.owe.is_some()))
            .collect();
        let others: Vec<(String, CardSet)> = self
            .effects_in_use()
            .filter_map(|(path, effect)| {
                let key = match (effect.choose_suit, effect.request) {
                    (Some(_), _) => "choose_suit",
                    (None, Some(_)) => "request",
                    (None, None) if effect.transparent => "transparent",
                    _ => return None,
                };
                Some((join(&path, key), effect.cards.0))
            })
            .collect();
        for (path, cards, owes) in &chosen {
            let owes = *owes;
            for (other, named) in others.iter().filter(|(_, named)| !named.intersect(*cards).is_empty()) {
                let both = CardList(named.intersect(*cards));
                self.wrong(path, format!("contradicts {other} on {both}: with a chosen player nothing else is named"));
            }
            let acts = match set.deal.first_card {
                FirstCard::Effect => CardSet::ALL,
                FirstCard::Plain => set.deal.first_effects.0,
            };
            let first = !cards.intersect(acts).without(set.deal.not_first.0).is_empty();
            for (is_so, key) in [
                (
                    first,
                    "deal.first_card or deal.first_effects: nobody chooses for a first card, so write deal.not_first",
                ),
                (
                    owes && set.ending.last_card_effects == LastCardEffects::DrawFirst,
                    "ending.last_card_effects = \"draw_first\", by which the next player draws",
                ),
                (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\": a wrong card chooses nobody"),
            ] {
                if is_so {
                    self.wrong(path, format!("contradicts {key}"));
                }
            }
        }
    }

    /// What cannot be beside cards that are allowed only without a suit, and challenges of them (G-67).
    fn challenges(&mut self) {
        let set = self.set;
        let wary: Vec<(String, CardSet, bool)> = self
            .effects_in_use()
            .filter(|(_, effect)| effect.only_without.is_some())
            .map(|(path, effect)| (join(&path, "only_without"), effect.cards.0, effect.owe.is_some()))
            .collect();
        let all = wary.iter().fold(CardSet::EMPTY, |all, (_, cards, _)| all.union(*cards));
        let challenge = set.challenge.as_ref().filter(|challenge| !challenge.off);
        if challenge.is_some() && wary.is_empty() {
            self.wrong("challenge", "there is nothing to challenge: no effect has only_without");
        }
        let twins = set.interject.as_ref().filter(|interject| !interject.off).map(|interject| interject.cards.0);
        let between = |has: fn(&Effect) -> bool| {
            self.effects_in_use().any(|(_, effect)| has(effect) && !effect.cards.0.intersect(all).is_empty())
        };
        let other = |has: fn(&Effect) -> bool| self.effects_in_use().any(|(_, effect)| has(effect));
        let together = set.together.values().filter(|together| !together.off);
        let contradictions = [
            (
                twins.is_some_and(|twins| !twins.intersect(all).is_empty()),
                "interject: twins are played whatever one holds",
            ),
            (between(|effect| effect.out_of_turn), "out_of_turn"),
            (between(|effect| !effect.free_on.0.is_empty()), "free_on"),
            (other(|effect| effect.race), "race: neighbours play anything"),
            (
                together.clone().any(|together| !together.cards.0.union(together.ended_by.0).intersect(all).is_empty()),
                "together: such a card is played by itself",
            ),
            (set.deal.look != Look::Dealt, "deal.look: a seat could learn what it has not looked at"),
            (set.point_of_order.is_some(), "point_of_order, in which no seat sees cards"),
            (set.prices.sealed, "prices.sealed: some of the hand could not be judged"),
            (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\""),
            (set.ending.at == EndingAt::Closing, "ending.at = \"closing\""),
        ];
        let kept = [
            (
                between(|effect| effect.take.is_some() || effect.hands.is_some() || effect.draw.is_some()),
                "take, hands or draw",
            ),
            (other(|effect| effect.out_of_turn || !effect.free_on.0.is_empty()), "out_of_turn or free_on"),
        ];
        let wrong: Vec<&str> = contradictions
            .into_iter()
            .chain(kept.map(|(is_so, key)| (is_so && challenge.is_some(), key)))
            .filter(|(is_so, _)| *is_so)
            .map(|(_, key)| key)
            .collect();
        for (path, cards, owes) in &wary {
            for key in &wrong {
                self.wrong(path, format!("contradicts {key}"));
            }
            if challenge.is_some() && !owes {
                let cards = CardList(*cards);
                self.wrong(path, format!("nobody could challenge {cards}: add owe, or [challenge] off = true"));
            }
        }
    }

    /// What cannot be beside seats that are out of a round which goes on (G-43).
    fn places(&mut self) {
        let set = self.set;
        for (is_so, key) in [
            (set.ending.at == EndingAt::Closing, "ending.at = \"closing\""),
            (set.ending.last_card_effects == LastCardEffects::DrawFirst, "ending.last_card_effects = \"draw_first\""),
            (set.scoring.decides == Decides::MostChips, "scoring.decides = \"most_chips\""),
            (set.scoring.collects, "scoring.collects"),
            (set.ending.blocked == Blocked::Lowest, "ending.blocked = \"lowest\""),
            (set.interject.as_ref().is_some_and(|interject| !interject.off), "interject"),
            (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\""),
            (set.prices.sealed, "prices.sealed"),
            (set.calls.cards > 0, "calls.cards"),
            (set.turn.draw_out_of_turn, "turn.draw_out_of_turn"),
        ] {
            if is_so {
                self.wrong(
                    "ending.goes_on",
                    format!("contradicts {key}: a seat that is out has no cards and gets none"),
                );
            }
        }
        let moving = [
            self.having("race", |effect| effect.race),
            self.having("swap_next", |effect| effect.swap_next),
            self.having("out_of_turn", |effect| effect.out_of_turn),
            self.having("skip.threat", |effect| effect.skip.as_ref().is_some_and(|skip| skip.threat)),
        ];
        for path in moving.concat() {
            self.wrong(&path, "contradicts ending.goes_on = \"places\": seats that are out are stepped over in order");
        }
    }

    fn scoring(&mut self) {
        let (scoring, ending) = (&self.set.scoring, &self.set.ending);
        let counts = scoring.points.values().any(|points| *points != 0);
        let table_without_target = |seats: &u8| {
            scoring.target.as_ref().and_then(|target| target.get((*seats).into())).is_none_or(|target| *target == 0)
        };
        let counts_out = self.set.count.is_some();
        if scoring.rounds == 0
            && !counts_out
            && (self.set.seats.min..=self.set.seats.max).any(|seats| table_without_target(&seats))
        {
            let message = "0 lets scoring.target end the match, and some table has no target";
            self.wrong("scoring.rounds", message);
        }
        match (scoring.collects, scoring.decides == Decides::MostPoints) {
            (true, false) => {
                self.wrong("scoring.collects", "means something only with decides = \"most_points\"");
            }
            (false, true) => {
                let message = "\"most_points\" counts what winners collect: write scoring.collects = true";
                self.wrong("scoring.decides", message);
            }
            (true, true) if !counts => {
                self.wrong("scoring.collects", "there is nothing to collect: scoring.points names no card that counts");
            }
            _ => {}
        }
        if scoring.collects && ending.at == EndingAt::Closing {
            self.wrong("ending.at", "\"closing\" can give several winners, and with scoring.collects one collects");
        }
        if scoring.decides == Decides::FewestPoints
            && !counts
            && scoring.target.as_ref().is_some_and(|target| target.largest() > 0)
        {
            self.wrong("scoring.target", "nobody would reach it: scoring.points names no card that counts");
        }
        if scoring.decides == Decides::MostChips
            && let Some(target) = &scoring.target
            && (1..=u32::from(scoring.chips)).contains(&target.largest())
        {
            let message =
                format!("everybody has reached it before the first round: scoring.chips is {}", scoring.chips);
            self.wrong("scoring.target", message);
        }
        if scoring.decides != Decides::MostChips {
            return;
        }
        if scoring.chips == 0 {
            self.wrong("scoring.chips", "decides = \"most_chips\" needs chips to play for");
        }
        if ending.at == EndingAt::Closing {
            let message = "\"closing\" can give several winners, and with decides = \"most_chips\" one is paid";
            self.wrong("ending.at", message);
        }
        if ending.blocked == Blocked::Lowest {
            let message = "\"lowest\" can give several winners, and with scoring.decides = \"most_chips\" one is paid";
            self.wrong("ending.blocked", message);
        }
        let multiplying = self.having("last_multiplies", |effect| effect.last_multiplies.is_some());
        if !multiplying.is_empty() {
            let message =
                format!("\"most_chips\" counts cards, not points: {} means nothing", list(&multiplying, "and"));
            self.wrong("scoring.decides", message);
        }
    }

    /// Cards that cost something as the last one: they must not also be barred, and must cost enough to leave a card in the
    /// hand.
    fn last_cards(&mut self, active: &[Active<'_>]) {
        for (at, (name, effect)) in active.iter().enumerate().filter(|(_, (_, effect))| !effect.last_costs.is_nothing())
        {
            let path = join(&join("effects", name), "last_costs");
            let differs = |(_, other): &&Active<'_>| {
                !other.last_costs.is_nothing()
                    && other.last_costs != effect.last_costs
                    && !other.cards.0.intersect(effect.cards.0).is_empty()
            };
            if let Some((other, _)) = active[..at].iter().find(differs) {
                self.wrong(&path, format!("effects.{other}.last_costs is another price of the same card"));
            }
            let allowed = without(CardList(effect.cards.0), active, |other| other.never_last);
            if !allowed.0.is_empty() {
                self.wrong(&path, format!("{allowed} may be the last card and wins: never_last is missing"));
            }
            if effect.last_costs != LastCosts::Unheld {
                continue;
            }
            let cheap = |other: &Effect| other.request.is_some_and(|request| request.unheld_costs == 0);
            for (other_name, other) in active.iter().filter(|(_, other)| cheap(other)) {
                let both = CardList(effect.cards.0.intersect(other.cards.0));
                if !both.0.is_empty() {
                    let message = format!("{both} would cost nothing: effects.{other_name}.request.unheld_costs is 0");
                    self.wrong(&path, message);
                }
            }
        }
    }
}
