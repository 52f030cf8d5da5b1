//! Whether the ways to play several cards at once make sense: each by itself, and beside the other rules. It reads the draft
//! and only adds problems.

use maumau_places::join;
use maumau_protocol::ruleset::{
    ChooseSuit, Debtor, Drawers, Effect, EndingAt, Illegal, LastCardEffects, Look, SeveralCards, Step,
};
use maumau_protocol::{Card, CardList};

use super::active_effects::active_effects;
use super::examined::Examined;

/// Reports all ways that make no sense.
pub(super) fn check(set: &mut Examined<'_>) {
    for (name, together) in set.set.together.iter().filter(|(_, together)| !together.off) {
        let path = join("together", name);
        set.way(&path, together);
        set.beside_effects(&path, together);
        set.beside_sections(&path);
    }
}

impl Examined<'_> {
    fn way(&mut self, path: &str, together: &SeveralCards) {
        if together.cards.is_empty() {
            self.wrong(&join(path, "cards"), "expected at least one card; off = true switches it off");
        }
        if together.cards.0.contains(Card::JOKER) {
            self.wrong(&join(path, "cards"), "XX has no value that a card could follow");
        }
        if together.step.0.is_empty() {
            self.wrong(&join(path, "step"), "expected \"rank\", \"run\", \"suit\" or a list of them");
        }
        if together.wraps && !together.step.0.contains(&Step::Run) {
            self.wrong(&join(path, "wraps"), "means something only with step = \"run\"");
        }
        self.runs_of_a_suit(path, together);
    }

    /// What belongs to runs of a suit alone (G-73).
    fn runs_of_a_suit(&mut self, path: &str, together: &SeveralCards) {
        let SeveralCards { cards, opened_by, ended_by, open, step, .. } = together;
        if step.0.contains(&Step::Suit) && step.0.len() > 1 {
            self.wrong(&join(path, "step"), "\"suit\" stands alone: write a way of its own for other steps");
        }
        match (step.0.contains(&Step::Suit), opened_by.is_empty()) {
            (true, true) => self.wrong(&join(path, "opened_by"), "step = \"suit\" needs cards that open a run"),
            (false, false) => self.wrong(&join(path, "opened_by"), "means something only with step = \"suit\""),
            _ => {}
        }
        let strange = CardList(opened_by.0.without(cards.0));
        if !strange.is_empty() {
            self.wrong(
                &join(path, "opened_by"),
                format!("{strange} cannot be part of the play: {path}.cards lacks it"),
            );
        }
        let suited = CardList(ended_by.0.iter().filter(|card| card.suit().is_some()).collect());
        if !suited.is_empty() {
            self.wrong(&join(path, "ended_by"), format!("{suited} has a suit; only cards without one end any run"));
        }
        for (is_so, key) in [(*open, "open"), (!ended_by.is_empty(), "ended_by")] {
            if is_so && opened_by.is_empty() {
                self.wrong(&join(path, key), "means something only with opened_by");
            }
        }
    }

    /// What a card does when it is played by itself, and cannot do among others.
    fn beside_effects(&mut self, path: &str, together: &SeveralCards) {
        type Has = fn(&Effect) -> bool;
        const ALONE: [(&str, Has); 10] = [
            ("out_of_turn", |effect| effect.out_of_turn),
            ("transparent", |effect| effect.transparent),
            ("free_on", |effect| !effect.free_on.is_empty()),
            ("race", |effect| effect.race),
            ("swap_next", |effect| effect.swap_next),
            ("take", |effect| effect.take.is_some()),
            ("choose_suit", |effect| matches!(effect.choose_suit, Some(ChooseSuit::New | ChooseSuit::Spoken))),
            ("draw.who", |effect| effect.draw.is_some_and(|draw| draw.who == Drawers::Chosen)),
            ("owe.on", |effect| effect.owe.as_ref().is_some_and(|owe| owe.on == Debtor::Chosen)),
            ("skip.threat", |effect| effect.skip.as_ref().is_some_and(|skip| skip.threat)),
        ];
        let no_suit = |card: &Card| card.suit().is_none();
        for active in active_effects(self.set) {
            for (name, effect) in &active {
                let both = CardList(effect.cards.0.intersect(together.cards.0.union(together.ended_by.0)));
                let openers = CardList(both.0.intersect(together.opened_by.0).iter().filter(no_suit).collect());
                let names = effect.choose_suit.is_some() || effect.request.is_some() || effect.open_to_all;
                if names && !openers.is_empty() {
                    let message = format!("effects.{name} gives {openers} a suit, and in a run it has that in force");
                    self.wrong(&join(path, "opened_by"), message);
                }
                for (key, has) in ALONE {
                    if has(effect) && !both.is_empty() {
                        let message =
                            format!("contradicts effects.{name}.{key} on {both}: such a card is played alone");
                        self.wrong(&join(path, "cards"), message);
                    }
                }
            }
        }
    }

    /// Rules about single cards that come and go between others.
    fn beside_sections(&mut self, path: &str) {
        let set = self.set;
        for (is_so, key) in [
            (set.interject.as_ref().is_some_and(|interject| !interject.off), "interject"),
            (set.duties.identical.is_some(), "duties.identical"),
            (set.point_of_order.is_some(), "point_of_order"),
            (set.calls.movements, "calls.movements"),
            (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\""),
            (set.prices.sealed, "prices.sealed"),
            (set.deal.look != Look::Dealt, "deal.look"),
            (set.ending.at == EndingAt::Closing, "ending.at = \"closing\""),
            (set.ending.last_card_effects == LastCardEffects::DrawFirst, "ending.last_card_effects = \"draw_first\""),
        ] {
            if is_so {
                self.wrong(path, format!("contradicts {key}, which is about cards played one by one"));
            }
        }
    }
}
